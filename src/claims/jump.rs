use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::Operand;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// No name moves farther than this from one frame to the next.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "jump": { "of": ["x"], "max": 9 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_jump")]
pub struct Jump {
    /// Numbers, points or limbs.
    #[schemars(length(min = 1))]
    pub of: Vec<Name>,
    /// Largest step in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Jump {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        Box::new(JumpCheck {
            of: self
                .of
                .iter()
                .map(|name| (name.describe(), b.places(name)))
                .collect(),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

struct JumpCheck {
    /// Each name with the places it stands for.
    of: Vec<(String, Vec<[Operand; 2]>)>,
    bounds: BoundsCheck,
}

impl Check for JumpCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst = (0.0, 0, String::new());
        let mut before: Vec<f64> = Vec::new();
        film.each(0..film.frames, |frame, row| {
            if !before.is_empty() {
                for (name, places) in &self.of {
                    let step = places
                        .iter()
                        .fold(0.0, |most: f64, place| most.max(moved(place, &before, row)));
                    if step > worst.0 {
                        worst = (step, frame, name.clone());
                    }
                }
            }
            before = row.to_vec();
        });
        let (step, frame, name) = worst;
        let short = self.bounds.short(step);
        Verdict {
            holds: self.bounds.allows(step),
            frame: Some(frame),
            words: format!(
                "largest step is {short} px ({name}), {}",
                self.bounds.describe()
            ),
        }
    }
}

fn moved(place: &[Operand; 2], before: &[f64], now: &[f64]) -> f64 {
    let along = |operand: &Operand| match operand {
        Operand::Column(column) => now[*column as usize] - before[*column as usize],
        _ => 0.0,
    };
    crate::maths::functions::hypot(along(&place[0]), along(&place[1]))
}
