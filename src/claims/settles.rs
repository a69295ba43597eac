use super::{Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::Program;
use crate::maths::functions::ceil;
use crate::scene::builder::Builder;
use crate::spec::problem::short_outside;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// From some moment on a number stays near its last value.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 40, "out_elastic"], [1, 200]] } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "settles": { "of": "x", "by": 0.8, "within": 2 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_settles")]
pub struct Settles {
    /// The number.
    pub of: Num,
    /// From when on, in T.
    pub by: Fixed<NonNegative>,
    /// Largest distance from its last value.
    pub within: Fixed<NonNegative>,
}

impl ClaimKind for Settles {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        let by = b.fixed(&self.by);
        Box::new(SettlesCheck {
            what: self.of.describe(),
            of: b.num(&self.of),
            from: ceil(b.clock().frame_at(by) - 1e-6).max(0.0) as usize,
            within: b.fixed(&self.within),
        })
    }
}

struct SettlesCheck {
    what: String,
    of: Program,
    from: usize,
    within: f64,
}

impl Check for SettlesCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut values = Vec::new();
        let frames = film.frames;
        film.each(self.from.min(frames)..frames, |frame, inputs| {
            values.push((frame, self.of.eval(inputs)));
        });
        let last = values.last().map_or(0.0, |(_, v)| *v);
        let farthest = values.iter().fold((0, 0.0), |(at, most), (frame, v)| {
            let distance = (v - last).abs();
            if distance > most {
                (*frame, distance)
            } else {
                (at, most)
            }
        });
        Verdict {
            holds: farthest.1 <= self.within && !values.is_empty(),
            value: Some(farthest.1),
            bound: Some(format!("at most {}", self.within)),
            frame: Some(farthest.0),
            words: format!(
                "{} still is {} from its last value, at most {}",
                self.what,
                short_outside(farthest.1, |v| v <= self.within),
                self.within
            ),
        }
    }
}
