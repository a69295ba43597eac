use super::ChannelKind;
use crate::formula::{Inputs, Operand};
use crate::kinds::any_of;
use crate::maths::spans::{Axis as Buttons, Both};
use crate::scene::Signal;
use crate::scene::builder::{Builder, SIDE, TIME};
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Two buttons that pull a number to +1 and to −1; or one button, 1 while it is pressed.
///
/// Presses are exact times, whatever the frame rate. Outputs: the bare name, −1, 0 or 1; `.plus` and
/// `.minus`, 1 while that button is down.
///
/// ```json
/// "channels": {
///   "press": { "axis": { "plus": [[0.1, 0.5]], "minus": [[0.6, 1]] } },
///   "x": { "integrate": { "of": "200 * press", "from": 80 } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "axis", extend("allOf" = [any_of(&[&["plus"], &["minus"]])]))]
pub struct Axis {
    /// When the number is pulled to +1: `[[from, to], …]` in T, `to` not included.
    #[schemars(extend("x-also" = ["right", "down", "positive", "pressed", "on"]))]
    pub plus: Option<Vec<Span>>,
    /// When it is pulled to −1.
    #[schemars(extend("x-also" = ["left", "up", "negative"]))]
    pub minus: Option<Vec<Span>>,
    /// While both are pressed: 0, or the side that was pressed last.
    #[serde(default = "zero")]
    pub both: Choice<BothWord>,
}

/// What an axis is while both its buttons are pressed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BothWord {
    #[default]
    Zero,
    Last,
}

fn zero() -> Choice<BothWord> {
    Choice::literal("zero")
}

impl ChannelKind for Axis {
    fn build(&self, b: &mut Builder) -> Entity {
        let buttons = Buttons {
            plus: b.spans(self.plus.as_deref()),
            minus: b.spans(self.minus.as_deref()),
            both: match b.choice(&self.both) {
                BothWord::Zero => Both::Zero,
                BothWord::Last => Both::Last,
            },
        };
        let Operand::Column(first) = b.signal(3, AxisSignal(buttons)) else {
            return Entity::broken();
        };
        let side = |slot: u32| Entity::number("a button", Operand::Column(first + slot));
        let mut axis = Entity::number("an axis", Operand::Column(first));
        if self.plus.is_some() {
            axis = axis.with("plus", side(1));
        }
        if self.minus.is_some() {
            axis = axis.with("minus", side(2));
        }
        axis
    }
}

struct AxisSignal(Buttons);

impl Signal for AxisSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let time = inputs.row[TIME as usize];
        let after = inputs.row[SIDE as usize] == 0.0;
        let Buttons { plus, minus, .. } = &self.0;
        out[0] = if after {
            self.0.at(time)
        } else {
            self.0.before(time)
        };
        for (slot, spans) in out[1..].iter_mut().zip([plus, minus]) {
            let down = if after {
                spans.is_inside(time)
            } else {
                spans.before(time)
            };
            *slot = f64::from(u8::from(down));
        }
    }

    fn jumps(&self, _: f64) -> Vec<f64> {
        let mut edges = self.0.plus.jumps();
        edges.extend(self.0.minus.jumps());
        edges.sort_unstable_by(f64::total_cmp);
        edges
    }
}
