use super::{Bounds, BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::formula::Program;
use crate::kinds::any_of;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A number keeps its bounds in every frame of the window.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [
///   { "value": { "of": "x", "min": 40, "max": 200 } },
///   { "value": { "of": "x", "at": 0, "is": 120 } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_value", extend("allOf" = [any_of(&[&["is"], &["min"], &["max"]])]))]
pub struct Value {
    /// The number.
    pub of: Num,
}

impl ClaimKind for Value {
    type Shared = Twice<Bounds, Window>;

    fn build(&self, Twice(bounds, window): &Self::Shared, b: &mut Builder) -> Box<dyn Check> {
        Box::new(ValueCheck {
            what: self.of.describe(),
            of: b.num(&self.of),
            bounds: bounds.build(b),
            window: window.build(b),
        })
    }
}

/// A number within bounds.
pub struct ValueCheck {
    /// What it is called.
    pub what: String,
    pub of: Program,
    pub bounds: BoundsCheck,
    pub window: WindowCheck,
}

impl Check for ValueCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst: Option<(usize, f64)> = None;
        self.window.each(film, |frame, inputs| {
            let value = self.of.eval(inputs);
            let worse =
                worst.is_none_or(|(_, v)| self.bounds.excess(value) > self.bounds.excess(v));
            if worse {
                worst = Some((frame, value));
            }
        });
        let (frame, value) = worst.unwrap_or((0, f64::NAN));
        let short = self.bounds.short(value);
        Verdict {
            holds: self.bounds.allows(value),
            value: Some(value),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!("{} is {short}, {}", self.what, self.bounds.describe()),
        }
    }
}
