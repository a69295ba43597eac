use super::ChannelKind;
use crate::formula::{Inputs, Program};
use crate::kinds::one_of;
use crate::maths::functions::{lap, modulo, sin};
use crate::scene::Signal;
use crate::scene::builder::{Builder, TIME};
use crate::scene::cycles::Turns;
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value that swings for ever: around + amplitude · shape(t / period + phase).
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } },
///   "y": { "wave": { "period": 0.6, "amplitude": 30, "around": 60 } }
/// },
/// "draw": [ { "circle": { "at": ["x", "y"], "radius": 14 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "wave", extend("allOf" = [one_of(&[&["period"], &["frequency"]])]))]
pub struct Wave {
    /// Length of one cycle in T.
    pub period: Option<Fixed<Positive>>,
    /// Cycles per T.
    #[schemars(extend("x-also" = ["freq", "speed"]))]
    pub frequency: Option<Fixed<Positive>>,
    /// Largest distance from `around`.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["amp"]))]
    pub amplitude: Num,
    /// The middle.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["offset", "center", "centre", "mean", "bias"]))]
    pub around: Num,
    /// Start within the cycle, in turns: 0.25 is a quarter of a cycle ahead.
    #[serde(default = "Num::<Any>::zero")]
    pub phase: Num,
    /// `sine` and `triangle` start at 0 and rise; `saw` rises from −1 to 1; `square` is 1, then −1.
    #[serde(default = "sine")]
    #[schemars(extend("x-also" = ["form", "waveform", "wave"]))]
    pub shape: Choice<ShapeWord>,
}

/// The form of a wave.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShapeWord {
    #[default]
    Sine,
    Triangle,
    Saw,
    Square,
}

fn sine() -> Choice<ShapeWord> {
    Choice::literal("sine")
}

impl ChannelKind for Wave {
    fn build(&self, b: &mut Builder) -> Entity {
        let period = self.period.as_ref().map(|period| b.fixed(period));
        let frequency = self.frequency.as_ref().map(|frequency| b.fixed(frequency));
        let signal = WaveSignal {
            period: period.unwrap_or(1.0),
            frequency: frequency.unwrap_or(1.0),
            amplitude: b.num(&self.amplitude),
            around: b.num(&self.around),
            phase: b.num(&self.phase),
            shape: b.choice(&self.shape),
        };
        let (period, is_steady) = (
            signal.period / signal.frequency,
            signal.phase.constant().is_some(),
        );
        let wave = b.signal(1, signal);
        let rate = (self.period.as_ref().map(|period| ("period", period.span)))
            .or_else(|| Some(("frequency", self.frequency.as_ref()?.span)));
        if let Some((field, span)) = rate.filter(|_| is_steady) {
            b.cycle(field, span, wave, Turns::Every(period));
        }
        Entity::number("a wave", wave)
    }
}

struct WaveSignal {
    period: f64,
    frequency: f64,
    amplitude: Program,
    around: Program,
    phase: Program,
    shape: ShapeWord,
}

impl Signal for WaveSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let cycles = inputs.row[TIME as usize] / self.period * self.frequency;
        let turns = cycles + self.phase.eval(inputs);
        out[0] = self.around.eval(inputs) + self.amplitude.eval(inputs) * shape(self.shape, turns);
    }
}

/// −1 to 1, once per turn.
fn shape(shape: ShapeWord, turns: f64) -> f64 {
    let u = lap(turns, 1.0);
    match shape {
        ShapeWord::Sine => sin(360.0 * u),
        ShapeWord::Triangle => 1.0 - (4.0 * modulo(u + 0.25, 1.0) - 2.0).abs(),
        ShapeWord::Saw => 2.0 * u - 1.0,
        ShapeWord::Square if u < 0.5 => 1.0,
        ShapeWord::Square => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        for (word, values) in [
            (ShapeWord::Sine, [0.0, 1.0, 0.0, -1.0, 0.0]),
            (ShapeWord::Triangle, [0.0, 1.0, 0.0, -1.0, 0.0]),
            (ShapeWord::Saw, [-1.0, -0.5, 0.0, 0.5, -1.0]),
            (ShapeWord::Square, [1.0, 1.0, -1.0, -1.0, 1.0]),
        ] {
            for (i, value) in values.into_iter().enumerate() {
                assert_eq!(shape(word, i as f64 / 4.0), value, "{word:?} at {i}/4");
                assert_eq!(
                    shape(word, i as f64 / 4.0 - 3.0),
                    value,
                    "{word:?} at {i}/4 - 3"
                );
            }
        }
    }
}
