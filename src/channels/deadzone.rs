use super::ChannelKind;
use crate::formula::{Inputs, Program};
use crate::maths::deadzone::deadzone;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value that goes after another only as far as it must: nothing moves while the other stays within a
/// zone around it. The dead zone of a camera, the play of a gear.
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "amplitude": 90, "around": 120 } },
///   "camera": { "deadzone": { "to": "x", "zone": [-40, 40] } }
/// },
/// "draw": [
///   { "rect": { "at": ["camera", 60], "size": [80, 60], "stroke": "#d6d0c2", "width": 2 } },
///   { "circle": { "at": ["x", 60], "radius": 10 } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "deadzone")]
pub struct Deadzone {
    /// What it goes after.
    #[schemars(extend("x-also" = ["of", "target"]))]
    pub to: Num,
    /// Smallest and largest value of `to` minus this one: at most 0, at least 0.
    pub zone: FixedPair,
    /// Its value at t = 0; that of `to` if absent.
    pub from: Option<Fixed>,
}

impl ChannelKind for Deadzone {
    fn build(&self, b: &mut Builder) -> Entity {
        let zone = b.fixed_pair(&self.zone);
        if zone[0] > 0.0 || zone[1] < 0.0 {
            let message = format!(
                "`zone` is [{}, {}], but 0 must lie between the two",
                zone[0], zone[1]
            );
            b.report(Problem::error("out-of-range", self.zone.0.span, message));
        }
        let memory = DeadzoneMemory {
            to: b.num(&self.to),
            from: self.from.as_ref().map(|from| b.fixed(from)),
            zone,
        };
        Entity::number("a number with play", b.memory(1, memory))
    }
}

struct DeadzoneMemory {
    to: Program,
    from: Option<f64>,
    zone: [f64; 2],
}

impl Memory for DeadzoneMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 1,
            states: 1,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[0] = self.to.eval(inputs);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state[0] = self.from.unwrap_or(input[0]);
    }

    /// Exact however long the step: the play depends on the way of `to`, not on its speed.
    fn advance(&self, state: &mut [f64], _: &[f64], to: &[f64], _: f64) {
        state[0] = deadzone(state[0], to[0], self.zone[0], self.zone[1]);
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        out[0] = state[0];
    }
}
