use super::ChannelKind;
use crate::formula::{Inputs, Program};
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The sum of a number over time: a place from a speed. A counter, so a loop need not bring it back.
///
/// ```json
/// "channels": {
///   "speed": { "wave": { "period": 1.2, "amplitude": 300 } },
///   "x": { "integrate": { "of": "speed", "from": 60 } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "integrate")]
pub struct Integrate {
    /// The number per T.
    #[schemars(extend("x-also" = ["rate", "speed", "velocity"]))]
    pub of: Num,
    /// The sum at t = 0.
    #[serde(default = "Fixed::<Any>::zero")]
    pub from: Fixed,
}

impl ChannelKind for Integrate {
    fn build(&self, b: &mut Builder) -> Entity {
        let memory = IntegrateMemory {
            of: b.num(&self.of),
            from: b.fixed(&self.from),
        };
        Entity::number("an integral", b.memory(1, memory))
    }
}

struct IntegrateMemory {
    of: Program,
    from: f64,
}

impl Memory for IntegrateMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 1,
            states: 1,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[0] = self.of.eval(inputs);
    }

    fn start(&self, _: &[f64], state: &mut [f64]) {
        state[0] = self.from;
    }

    /// Exact for a number that runs straight: the trapezium.
    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        if dt > 0.0 {
            state[0] += (from[0] + to[0]) / 2.0 * dt;
        }
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        out[0] = state[0];
    }

    /// It only counts.
    fn distance(&self, _: &[f64], _: &[f64]) -> f64 {
        0.0
    }
}
