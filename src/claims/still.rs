use super::places::Places;
use super::{BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// It is at rest: from frame to frame nothing of it moves farther than this.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 60, "ease_in_out"], [0.8, 180]] } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "still": { "of": "x", "during": [0.8, 1.2], "max": 0 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_still")]
pub struct Still {
    /// A body, a limb, a point or a number.
    pub of: Name,
    /// Largest step in px per frame.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Still {
    type Shared = Window;

    fn build(&self, window: &Window, b: &mut Builder) -> Box<dyn Check> {
        Box::new(StillCheck {
            of: Places::build(&self.of, b),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
            window: window.build(b),
        })
    }
}

struct StillCheck {
    of: Places,
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for StillCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let (mut worst, mut at, mut whose) = (0.0, None, 0);
        film.steps(self.window.frames.clone(), |frame, before, now| {
            let (step, i) = self.of.longest_way(before, now);
            if step > worst {
                (worst, at, whose) = (step, Some(frame), i);
            }
        });
        let short = self.bounds.short(worst);
        let who = self.of.name_of(whose);
        Verdict {
            holds: self.bounds.allows(worst),
            value: Some(worst),
            bound: Some(self.bounds.describe()),
            frame: at,
            words: format!(
                "{who} moves {short} px in a frame, {}",
                self.bounds.describe()
            ),
        }
    }
}
