use super::ChannelKind;
use crate::formula::{Inputs, Program};
use crate::scene::Signal;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How fast a number changes, per T, over the last tick (1/60 s, or one frame when time is counted in
/// frames). 0 at t = 0, but in a loop that repeats the change over the loop's end.
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "amplitude": 60, "around": 120 } },
///   "speed": { "derivative": { "of": "x" } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": "10 + abs(speed) / 30" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "derivative")]
pub struct Derivative {
    /// The number.
    pub of: Num,
}

impl ChannelKind for Derivative {
    fn build(&self, b: &mut Builder) -> Entity {
        let of = b.operand(&self.of);
        let tick = b.clock().tick();
        let before = b.earlier(of, tick);
        let signal = Slope {
            now: b.read(of),
            before: b.read(before),
            tick,
        };
        Entity::number("a derivative", b.signal(1, signal))
    }
}

struct Slope {
    now: Program,
    before: Program,
    tick: f64,
}

impl Signal for Slope {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        out[0] = (self.now.eval(inputs) - self.before.eval(inputs)) / self.tick;
    }
}

#[cfg(test)]
mod tests {
    use crate::load::{Animation, Choices};

    #[test]
    fn a_straight_line_has_its_slope_and_nothing_at_the_start() {
        let text = r#"{ "hazumi": 1, "alt": "x", "canvas": { "size": [9, 9], "fps": 30, "duration": 1 },
            "channels": { "v": { "derivative": { "of": "3 * t" } } }, "draw": [],
            "expect": [ { "value": { "of": "v", "at": 0, "is": 0 } },
                        { "value": { "of": "v", "during": [0.03, 1], "is": 3 } } ] }"#;
        let animation = Animation::parse("slope", text, &Choices::default()).expect("sound");
        for (_, verdict) in animation.simulate_plain().expect("finite").judge() {
            assert!(verdict.holds, "{}", verdict.words);
        }
    }
}
