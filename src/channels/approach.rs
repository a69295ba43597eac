use super::ChannelKind;
use crate::formula::{Inputs, Operand, Program};
use crate::maths::approach::Approach as Law;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Movement at a wished speed with limited acceleration: how a game's hero starts, stops and turns. Exact,
/// also between ticks.
///
/// Outputs: the bare name and `.x`, the place; `.v`, the speed in px/T.
///
/// ```json
/// "channels": {
///   "press": { "axis": { "plus": [[0.1, 0.6]] } },
///   "hero": { "approach": { "to": "220 * press", "max": 220, "rise": 0.2, "fall": 0.3, "from": 50 } }
/// },
/// "draw": [ { "rect": { "at": ["hero.x", 80], "size": [26, 26], "anchor": [0.5, 1], "radius": 7 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "approach")]
pub struct Approach {
    /// The wished speed in px/T, held within ± `max`.
    #[schemars(extend("x-also" = ["speed", "target", "wish"]))]
    pub to: Num,
    /// The highest speed in px/T.
    #[schemars(extend("x-also" = ["max_speed", "maxSpeed"]))]
    pub max: Num<Positive>,
    /// Time in T from rest to `max`; 0 is at once.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["accelerate", "acceleration", "attack"]))]
    pub rise: Num<NonNegative>,
    /// Time in T from `max` to rest; 0 is at once.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["decelerate", "deceleration", "release", "brake"]))]
    pub fall: Num<NonNegative>,
    /// Time in T from `max` to rest while the wish points the other way; as `fall` if absent. What follows is
    /// a rise from rest.
    #[schemars(extend("x-also" = ["turn"]))]
    pub reverse: Option<Num<NonNegative>>,
    /// Share of `max`, 0 to 1, that is there at once when starting from rest.
    #[serde(default = "Num::<Unit>::zero")]
    pub kick: Num<Unit>,
    /// The place at t = 0, in px.
    #[serde(default = "Fixed::<Any>::zero")]
    #[schemars(extend("x-also" = ["start", "x"]))]
    pub from: Fixed,
    /// Times that hold while not `grounded`.
    pub air: Option<Air>,
    /// 0 while in the air.
    #[serde(default = "Num::<Any>::one")]
    pub grounded: Cond,
}

/// Times in the air; those on the ground where absent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Air {
    /// As `rise`, in the air.
    pub rise: Option<Num<NonNegative>>,
    /// As `fall`, in the air.
    pub fall: Option<Num<NonNegative>>,
    /// As `reverse`, in the air.
    pub reverse: Option<Num<NonNegative>>,
}

impl ChannelKind for Approach {
    fn build(&self, b: &mut Builder) -> Entity {
        let ground = [b.num(&self.rise), b.num(&self.fall)];
        let reverse = b.maybe(&self.reverse).unwrap_or_else(|| ground[1].clone());
        let air = match &self.air {
            None => [ground[0].clone(), ground[1].clone(), reverse.clone()],
            Some(air) => [
                b.maybe(&air.rise).unwrap_or_else(|| ground[0].clone()),
                b.maybe(&air.fall).unwrap_or_else(|| ground[1].clone()),
                b.maybe(&air.reverse).unwrap_or_else(|| reverse.clone()),
            ],
        };
        let [rise, fall] = ground;
        let memory = ApproachMemory {
            to: b.num(&self.to),
            max: b.num(&self.max),
            kick: b.num(&self.kick),
            grounded: b.num(&self.grounded),
            ground: [rise, fall, reverse],
            air,
            from: b.fixed(&self.from),
        };
        let Operand::Column(first) = b.memory(2, memory) else {
            return Entity::broken();
        };
        let output = |slot: u32, what| Entity::number(what, Operand::Column(first + slot));
        Entity::number("an approach", Operand::Column(first))
            .with("x", output(0, "a place"))
            .with("v", output(1, "a speed"))
    }
}

struct ApproachMemory {
    to: Program,
    max: Program,
    kick: Program,
    grounded: Program,
    /// rise, fall, reverse.
    ground: [Program; 3],
    air: [Program; 3],
    from: f64,
}

/// Inputs: the wish, then the five numbers of the law.
const WISH: usize = 0;

fn law(input: &[f64]) -> Law {
    Law {
        max: input[1],
        kick: input[2],
        rise: input[3],
        fall: input[4],
        reverse: input[5],
    }
}

impl Memory for ApproachMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 6,
            states: 2,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[WISH] = self.to.eval(inputs);
        input[1] = self.max.eval(inputs);
        input[2] = self.kick.eval(inputs);
        let times = match self.grounded.eval(inputs) == 0.0 {
            true => &self.air,
            false => &self.ground,
        };
        for (slot, time) in input[3..].iter_mut().zip(times) {
            *slot = time.eval(inputs);
        }
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state[0] = self.from;
        state[1] = law(input).at_once(0.0, input[WISH]);
    }

    /// Over the step the law of its start holds; at its end what happens at once has happened.
    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        if dt > 0.0 {
            let (x, v) = law(from).advance(state[0], state[1], from[WISH], to[WISH], dt);
            (state[0], state[1]) = (x, v);
        }
        state[1] = law(to).at_once(state[1], to[WISH]);
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        out.copy_from_slice(state);
    }
}
