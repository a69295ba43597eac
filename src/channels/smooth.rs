use super::ChannelKind;
use crate::formula::{Inputs, Program};
use crate::maths::smooth::smooth;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value that goes after another, faster the farther it is: each half-life halves what is missing.
///
/// ```json
/// "channels": {
///   "goal": { "track": { "keys": [[0, 40], [0.3, 200]], "ease": "hold" } },
///   "x": { "smooth": { "to": "goal", "half_life": 0.1 } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "smooth")]
pub struct Smooth {
    /// What it goes after.
    #[schemars(extend("x-also" = ["of", "target", "goal"]))]
    pub to: Num,
    /// Its value at t = 0; that of `to` if absent.
    pub from: Option<Fixed>,
    /// Time in T in which the distance halves.
    #[schemars(extend("x-also" = ["time", "tau", "halfLife"]))]
    pub half_life: Num<Positive>,
}

impl ChannelKind for Smooth {
    fn build(&self, b: &mut Builder) -> Entity {
        let memory = SmoothMemory {
            to: b.num(&self.to),
            half_life: b.num(&self.half_life),
            from: self.from.as_ref().map(|from| b.fixed(from)),
        };
        Entity::number("a smoothed number", b.memory(1, memory))
    }
}

struct SmoothMemory {
    to: Program,
    half_life: Program,
    from: Option<f64>,
}

impl Memory for SmoothMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 2,
            states: 1,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[0] = self.to.eval(inputs);
        input[1] = self.half_life.eval(inputs);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state[0] = self.from.unwrap_or(input[0]);
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        if dt > 0.0 {
            state[0] = smooth(state[0], from[0], to[0], to[1], dt);
        }
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        out[0] = state[0];
    }
}
