use super::{BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::formula::Operand;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// The energy of a body never rises from one frame to the next: nothing drives it, and the simulation adds
/// none. It is that of motion and of height above the floor of its walls.
///
/// ```json
/// "world": { "gravity": [0, 900], "walls": { "box": [20, 0, 220, 112], "bounce": 0.8 } },
/// "bodies": { "balls": { "balls": { "items": [
///   { "at": [80, 30], "radius": 14, "velocity": [90, 0] }, { "at": [150, 20], "radius": 10 }
/// ] } } },
/// "draw": [ { "circle": { "of": "balls", "fill": "#c2402a" } } ],
/// "expect": [ { "energy": { "of": "balls" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_energy")]
pub struct Energy {
    /// A body.
    pub of: Name,
    /// `grab`: not while something is held.
    #[serde(default = "none")]
    pub except: Choice<ExceptWord>,
    /// Largest rise between two frames, as a share of the largest energy in the window.
    #[serde(default = "millionth")]
    pub within: Fixed<NonNegative>,
}

/// When energy may rise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExceptWord {
    #[default]
    None,
    Grab,
}

fn none() -> Choice<ExceptWord> {
    Choice::literal("none")
}

fn millionth() -> Fixed<NonNegative> {
    Fixed::literal(1e-6)
}

impl ClaimKind for Energy {
    type Shared = Window;

    fn build(&self, window: &Window, b: &mut Builder) -> Box<dyn Check> {
        let energy = b.output(&self.of, "energy", "a body");
        let held = match b.choice(&self.except) {
            ExceptWord::Grab => b.element_numbers(&self.of, "held"),
            ExceptWord::None => None,
        };
        Box::new(EnergyCheck {
            what: self.of.describe(),
            energy: energy.unwrap_or(Operand::Constant(0.0)),
            held: held.unwrap_or_else(|| Arc::from([])),
            bounds: BoundsCheck::at_most(b.fixed(&self.within)),
            window: window.build(b),
        })
    }
}

struct EnergyCheck {
    what: String,
    energy: Operand,
    held: Arc<[Operand]>,
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for EnergyCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut frames: Vec<(usize, f64, bool)> = Vec::new();
        self.window.each(film, |frame, inputs| {
            let held = self.held.iter().any(|held| held.value(inputs) != 0.0);
            frames.push((frame, self.energy.value(inputs), held));
        });
        let most = frames
            .iter()
            .fold(0.0, |most: f64, (_, e, _)| most.max(e.abs()));
        let (mut worst, mut at) = (0.0, None);
        for pair in frames.windows(2) {
            let [(_, before, held), (frame, now, still_held)] = *pair else {
                continue;
            };
            let rise = (now - before) / most;
            if !held && !still_held && rise > worst {
                (worst, at) = (rise, Some(frame));
            }
        }
        let short = self.bounds.short(worst);
        Verdict {
            holds: self.bounds.allows(worst),
            value: Some(worst),
            bound: Some(self.bounds.describe()),
            frame: at,
            words: format!(
                "the energy of {} rises by {short} of the largest, {}",
                self.what,
                self.bounds.describe()
            ),
        }
    }
}
