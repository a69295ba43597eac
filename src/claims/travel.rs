use super::{Bounds, BoundsCheck, Check, ClaimKind, Film, Verdict};
use crate::formula::Program;
use crate::kinds::any_of;
use crate::maths::functions::round;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How far a number gets from one moment until something holds for the first time.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 40, "out_cubic"], [1, 200]] } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "travel": { "of": "x", "from": 0, "until": "t >= 1", "is": 160 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_travel", extend("allOf" = [any_of(&[&["is"], &["min"], &["max"]])]))]
pub struct Travel {
    /// The number.
    pub of: Num,
    /// When it starts, in T; the nearest frame counts.
    pub from: Fixed,
    /// It ends at the first frame from then on at which this is not 0.
    pub until: Cond,
}

impl ClaimKind for Travel {
    type Shared = Bounds;

    fn build(&self, bounds: &Bounds, b: &mut Builder) -> Box<dyn Check> {
        let from = b.fixed(&self.from);
        let last = b.clock().frames as f64 - 1.0;
        Box::new(TravelCheck {
            what: self.of.describe(),
            of: b.num(&self.of),
            from: round(b.clock().frame_at(from)).clamp(0.0, last) as usize,
            until: b.num(&self.until),
            bounds: bounds.build(b),
        })
    }
}

struct TravelCheck {
    what: String,
    of: Program,
    from: usize,
    until: Program,
    bounds: BoundsCheck,
}

impl Check for TravelCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let (mut start, mut end) = (None, None);
        film.each(self.from..film.frames, |frame, inputs| {
            let value = self.of.eval(inputs);
            start.get_or_insert(value);
            if end.is_none() && self.until.eval(inputs) != 0.0 {
                end = Some((frame, value));
            }
        });
        let (Some(start), Some((frame, end))) = (start, end) else {
            return Verdict {
                holds: false,
                value: None,
                bound: None,
                frame: None,
                words: format!("{} never comes to the end of its travel", self.what),
            };
        };
        let travel = end - start;
        let short = self.bounds.short(travel);
        Verdict {
            holds: self.bounds.allows(travel),
            value: Some(travel),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!("{} travels {short}, {}", self.what, self.bounds.describe()),
        }
    }
}
