use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::scene::builder::{Builder, PointList};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A line through points, straight or curved.
///
/// ```json
/// "channels": { "y": { "wave": { "period": 1.2, "amplitude": 30, "around": 60 } } },
/// "draw": [
///   { "path": { "points": [[40, 60], [90, "y"], [150, "120 - y"], [200, 60]], "curve": "catmull_rom", "width": 5 } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "path")]
pub struct Path {
    /// The points it goes through.
    pub points: Points,
    /// Whether the last point is joined to the first; if absent, only those of a soft body are.
    pub closed: Option<bool>,
    /// Straight from point to point, or a smooth curve through them (uniform Catmull-Rom).
    #[serde(default = "straight")]
    pub curve: Choice<CurveWord>,
}

/// How a path goes from point to point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CurveWord {
    #[default]
    Straight,
    CatmullRom,
}

fn straight() -> Choice<CurveWord> {
    Choice::literal("straight")
}

impl MarkKind for Path {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(PathMark {
            points: b.points(&self.points),
            closed: self.closed.unwrap_or_else(|| b.is_closed(&self.points)),
            curve: b.choice(&self.curve),
            brush: style.open(b),
        })
    }
}

struct PathMark {
    points: PointList,
    closed: bool,
    curve: CurveWord,
    brush: Brush,
}

impl Draw for PathMark {
    fn draw(&self, pen: &mut Pen) {
        let points: Vec<_> = pen.points(&self.points).collect();
        pen.paint(&self.brush, |shape| match self.curve {
            CurveWord::Straight => shape.polyline(points.iter().copied(), self.closed),
            CurveWord::CatmullRom => shape.spline(&points, self.closed),
        });
    }
}
