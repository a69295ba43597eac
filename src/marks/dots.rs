use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointList};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A dot at every point of a list, all of them one shape, so that overlaps do not darken.
///
/// ```json
/// "draw": [ { "dots": { "points": [[60, 60], [120, "60 + 20 * sin(turn * t / duration)"], [180, 60]], "size": 16 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "dots")]
pub struct Dots {
    /// The points.
    pub points: Points,
    /// Full width of a dot in px.
    #[serde(default = "four")]
    #[schemars(extend("x-also" = ["radius", "r", "diameter"]))]
    pub size: Num<NonNegative>,
    /// Round or square.
    #[serde(default = "round")]
    pub shape: Choice<DotWord>,
}

/// The shape of a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DotWord {
    #[default]
    Circle,
    Square,
}

fn four() -> Num<NonNegative> {
    Num::literal(4.0)
}

fn round() -> Choice<DotWord> {
    Choice::literal("circle")
}

impl MarkKind for Dots {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(DotsMark {
            points: b.points(&self.points),
            size: b.num(&self.size),
            shape: b.choice(&self.shape),
            brush: style.closed(b),
        })
    }
}

struct DotsMark {
    points: PointList,
    size: Program,
    shape: DotWord,
    brush: Brush,
}

impl Draw for DotsMark {
    fn draw(&self, pen: &mut Pen) {
        let half = pen.number(&self.size) / 2.0;
        let points: Vec<Vec2> = pen.points(&self.points).collect();
        pen.paint(&self.brush, |shape| {
            for at in &points {
                match self.shape {
                    DotWord::Circle => shape.circle(*at, half),
                    DotWord::Square => {
                        let corner = Vec2::new(-half, -half);
                        shape.rect(corner, Vec2::new(2.0 * half, 2.0 * half), 0.0, |p| *at + p);
                    }
                }
            }
        });
    }
}
