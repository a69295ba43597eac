use super::ChannelKind;
use crate::formula::{Inputs, Operand, Program};
use crate::kinds::one_of;
use crate::maths::spring::Spring as Law;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value on a spring: it goes after another and may swing past it. Carried exactly from tick to tick, so
/// no stiffness and no frame rate makes it blow up or changes the answer.
///
/// Outputs: the bare name, its value; `.v`, its speed per T.
///
/// ```json
/// "channels": {
///   "goal": { "track": { "keys": [[0, 60], [0.2, 180]], "ease": "hold" } },
///   "x": { "spring": { "to": "goal", "frequency": 2.5, "damping_ratio": 0.35 } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "spring")]
pub struct SpringFields {
    /// What it goes after.
    #[schemars(extend("x-also" = ["target", "goal", "of"]))]
    pub to: Num,
    /// Its value at t = 0; that of `to` if absent.
    pub from: Option<Fixed>,
    /// Its speed at t = 0, per T.
    #[serde(default = "Fixed::<Any>::zero")]
    #[schemars(extend("x-also" = ["speed", "v"]))]
    pub velocity: Fixed,
}

/// The strength of a spring, in any of four ways.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("allOf" = [one_of(&[
    &["stiffness", "damping", "?mass"],
    &["frequency", "damping_ratio"],
    &["duration", "bounce"],
    &["half_life"],
])]))]
pub struct Strength {
    /// Force per px of distance, per T².
    #[schemars(extend("x-also" = ["k", "tension"]))]
    pub stiffness: Option<Num<Positive>>,
    /// Force per speed, per T.
    #[schemars(extend("x-also" = ["c", "friction", "drag"]))]
    pub damping: Option<Num<NonNegative>>,
    /// Mass; 1 if absent.
    pub mass: Option<Num<Positive>>,
    /// Swings per T without damping.
    #[schemars(extend("x-also" = ["freq"]))]
    pub frequency: Option<Num<Positive>>,
    /// 0 swings for ever, below 1 it swings past, 1 arrives soonest without, above 1 it creeps.
    #[schemars(extend("x-also" = ["zeta", "dampingRatio", "dampingFraction", "damping_fraction"]))]
    pub damping_ratio: Option<Num<NonNegative>>,
    /// How long the movement seems to take, in T: stiffness (2π / duration)².
    pub duration: Option<Num<Positive>>,
    /// 0 does not swing past; up to 1 it swings more, down to −1 it creeps: damping ratio 1 − bounce, below 0
    /// 1 / (1 + bounce).
    pub bounce: Option<Num<Bounce>>,
    /// Time in T in which a small distance halves, starting at rest; it does not swing past.
    #[schemars(extend("x-also" = ["halfLife"]))]
    pub half_life: Option<Num<Positive>>,
}

/// A spring channel.
pub type Spring = Twice<SpringFields, Strength>;

impl ChannelKind for Spring {
    fn build(&self, b: &mut Builder) -> Entity {
        let Twice(fields, strength) = self;
        let memory = SpringMemory {
            to: b.num(&fields.to),
            from: fields.from.as_ref().map(|from| b.fixed(from)),
            velocity: b.fixed(&fields.velocity),
            strength: strength.build(b),
        };
        let Operand::Column(first) = b.memory(2, memory) else {
            return Entity::broken();
        };
        let speed = Entity::number("a speed", Operand::Column(first + 1));
        Entity::number("a spring", Operand::Column(first)).with("v", speed)
    }
}

/// A strength whose numbers may change with time.
#[derive(Clone, Debug)]
pub enum LiveStrength {
    Stiffness([Program; 3]),
    Frequency([Program; 2]),
    Duration([Program; 2]),
    HalfLife(Program),
}

impl Strength {
    /// Resolves the one way that is given.
    pub fn build(&self, b: &mut Builder) -> LiveStrength {
        let one = || Program::constant_of(1.0);
        if let (Some(frequency), Some(ratio)) = (&self.frequency, &self.damping_ratio) {
            return LiveStrength::Frequency([b.num(frequency), b.num(ratio)]);
        }
        if let (Some(duration), Some(bounce)) = (&self.duration, &self.bounce) {
            return LiveStrength::Duration([b.num(duration), b.num(bounce)]);
        }
        if let Some(half_life) = &self.half_life {
            return LiveStrength::HalfLife(b.num(half_life));
        }
        let stiffness = b.maybe(&self.stiffness).unwrap_or_else(one);
        let damping = b.maybe(&self.damping).unwrap_or_else(one);
        let mass = b.maybe(&self.mass).unwrap_or_else(one);
        LiveStrength::Stiffness([stiffness, damping, mass])
    }
}

impl LiveStrength {
    /// How many numbers it reads, at most.
    pub const INPUTS: usize = 3;

    /// Reads its numbers.
    pub fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        let programs: &[Program] = match self {
            Self::Stiffness(all) => all,
            Self::Frequency(all) | Self::Duration(all) => all,
            Self::HalfLife(only) => std::slice::from_ref(only),
        };
        for (slot, program) in input.iter_mut().zip(programs) {
            *slot = program.eval(inputs);
        }
    }

    /// What makes it come to rest sooner.
    pub fn damping(&self) -> &'static str {
        match self {
            Self::Stiffness(_) => "a larger `damping`",
            Self::Frequency(_) => "a larger `damping_ratio`",
            Self::Duration(_) => "a smaller `bounce`",
            Self::HalfLife(_) => "a smaller `half_life`",
        }
    }

    /// The law of its numbers; none where they leave the range of numbers.
    pub fn law(&self, input: &[f64]) -> Option<Law> {
        match self {
            Self::Stiffness(_) => Law::from_stiffness(input[0], input[1], input[2]),
            Self::Frequency(_) => Law::from_frequency(input[0], input[1]),
            Self::Duration(_) => Law::from_duration(input[0], input[1]),
            Self::HalfLife(_) => Law::from_half_life(input[0]),
        }
    }
}

struct SpringMemory {
    to: Program,
    from: Option<f64>,
    velocity: f64,
    strength: LiveStrength,
}

impl Memory for SpringMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 1 + LiveStrength::INPUTS,
            states: 2,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[0] = self.to.eval(inputs);
        self.strength.read(inputs, &mut input[1..]);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state[0] = self.from.unwrap_or(input[0]);
        state[1] = self.velocity;
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        if let Some(law) = self.strength.law(&to[1..]) {
            (state[0], state[1]) = law.advance(state[0], state[1], from[0], to[0], dt);
        }
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        out.copy_from_slice(state);
    }

    fn damping(&self) -> Option<&'static str> {
        Some(self.strength.damping())
    }

    /// The speed comes back with the value; in its own unit it would count too much or too little.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        (after[0] - before[0]).abs()
    }
}
