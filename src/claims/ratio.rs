use super::{Bounds, BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::formula::Program;
use crate::kinds::any_of;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How many times as far one number gets in the window as another.
///
/// ```json
/// "channels": { "x": "60 * t", "y": "20 * t" },
/// "draw": [ { "circle": { "at": ["60 + x", "40 + y"], "radius": 14 } } ],
/// "expect": [ { "ratio": { "of": ["y", "x"], "is": "1 / 3" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_ratio", extend("allOf" = [any_of(&[&["is"], &["min"], &["max"]])]))]
pub struct Ratio {
    /// The two numbers: the first's travel is divided by the second's.
    pub of: (Num, Num),
}

impl ClaimKind for Ratio {
    type Shared = Twice<Bounds, Window>;

    fn build(&self, Twice(bounds, window): &Self::Shared, b: &mut Builder) -> Box<dyn Check> {
        let (first, second) = &self.of;
        Box::new(RatioCheck {
            what: format!("{} to {}", first.describe(), second.describe()),
            of: [b.num(first), b.num(second)],
            bounds: bounds.build(b),
            window: window.build(b),
        })
    }
}

struct RatioCheck {
    what: String,
    of: [Program; 2],
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for RatioCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut ends: Option<[[f64; 2]; 2]> = None;
        self.window.each(film, |_, inputs| {
            let now = [self.of[0].eval(inputs), self.of[1].eval(inputs)];
            ends = Some([ends.map_or(now, |[start, _]| start), now]);
        });
        let [start, end] = ends.unwrap_or_default();
        let ratio = (end[0] - start[0]) / (end[1] - start[1]);
        let short = self.bounds.short(ratio);
        Verdict {
            holds: self.bounds.allows(ratio),
            value: Some(ratio),
            bound: Some(self.bounds.describe()),
            frame: None,
            words: format!(
                "{} travels {short} times as far, {}",
                self.what,
                self.bounds.describe()
            ),
        }
    }
}
