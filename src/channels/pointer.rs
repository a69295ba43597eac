use super::ChannelKind;
use crate::formula::{Inputs, Operand};
use crate::maths::ease::Ease;
use crate::maths::pointer::{Path, PathKey};
use crate::maths::spans::Spans;
use crate::scene::Signal;
use crate::scene::builder::{Builder, SIDE, TIME};
use crate::scene::entity::Entity;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A scripted pointer: where it is, and when it is pressed.
///
/// It is a point; outputs `.x`, `.y` and `.down` (1 while pressed).
///
/// ```json
/// "channels": {
///   "hand": { "pointer": { "path": [[0, 40, 90, "smoothstep"], [0.8, 200, 40]], "down": [[0.3, 0.9]] } }
/// },
/// "draw": [ { "circle": { "at": "hand", "radius": "hand.down ? 10 : 14" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "pointer")]
pub struct Pointer {
    /// `[time, x, y, ease?]`, sorted by time; it holds before the first and after the last.
    #[schemars(length(min = 1), extend("x-also" = ["keys", "points"]))]
    pub path: Vec<PlaceKey>,
    /// When it is pressed: `[[from, to], …]` in T, `to` not included.
    #[serde(default)]
    #[schemars(extend("x-also" = ["pressed", "press"]))]
    pub down: Vec<Span>,
}

impl ChannelKind for Pointer {
    fn build(&self, b: &mut Builder) -> Entity {
        let keys: Vec<PathKey> = self
            .path
            .iter()
            .map(|key| PathKey {
                time: b.fixed(&key.time),
                x: b.fixed(&key.x),
                y: b.fixed(&key.y),
                ease: key.ease.as_ref().map_or(Ease::Linear, |ease| b.ease(ease)),
            })
            .collect();
        for (i, pair) in keys.windows(2).enumerate() {
            if pair[1].time < pair[0].time {
                let message = format!(
                    "key times must not fall: {} comes after {}",
                    pair[1].time, pair[0].time
                );
                let place = self.path[i + 1].time.span;
                let problem = Problem::error("unsorted-keys", place, message);
                b.report(problem.related(self.path[i].time.span, "the key before"));
            }
        }
        let signal = PointerSignal {
            path: Path::new(&keys),
            down: b.spans(Some(&self.down)),
        };
        let Operand::Column(first) = b.signal(3, signal) else {
            return Entity::broken();
        };
        let at = [Operand::Column(first), Operand::Column(first + 1)];
        let down = Entity::number("a button", Operand::Column(first + 2));
        Entity::point("a pointer", at).with("down", down)
    }
}

struct PointerSignal {
    path: Path,
    down: Spans,
}

impl Signal for PointerSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let time = inputs.row[TIME as usize];
        let (at, down) = match inputs.row[SIDE as usize] == 0.0 {
            true => (self.path.at(time), self.down.is_inside(time)),
            false => (self.path.before(time), self.down.before(time)),
        };
        out[..2].copy_from_slice(&at);
        out[2] = f64::from(u8::from(down));
    }

    fn jumps(&self, _: f64) -> Vec<f64> {
        let mut times = self.path.jumps();
        times.extend(self.down.jumps());
        times.sort_unstable_by(f64::total_cmp);
        times
    }
}
