use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointList, PointProgram};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A closed shape with straight sides.
///
/// ```json
/// "draw": [
///   { "polygon": { "points": [[120, 24], [154, 84], [86, 84]], "rotate": "120 * t / duration", "fill": "#0c7b7c" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "polygon")]
pub struct Polygon {
    /// The corners, three or more.
    pub points: Points,
    /// Rotation about `pivot` in degrees, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["rotation", "angle"]))]
    pub rotate: Num,
    /// What it turns about; the centroid of the corners if absent.
    pub pivot: Option<Point>,
}

impl MarkKind for Polygon {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        if let Points::List(points) = &self.points
            && points.len() == 2
        {
            let span = points[0].span();
            b.report(Problem::error(
                "wrong-length",
                span,
                "a polygon takes at least 3 points, not 2",
            ));
        }
        Box::new(PolygonMark {
            points: b.points(&self.points),
            rotate: b.num(&self.rotate),
            pivot: self.pivot.as_ref().map(|pivot| b.point(pivot)),
            brush: style.closed(b),
        })
    }
}

struct PolygonMark {
    points: PointList,
    rotate: Program,
    pivot: Option<PointProgram>,
    brush: Brush,
}

impl Draw for PolygonMark {
    fn draw(&self, pen: &mut Pen) {
        let mut points: Vec<Vec2> = pen.points(&self.points).collect();
        let angle = pen.number(&self.rotate);
        if angle != 0.0 {
            let pivot = match &self.pivot {
                Some(pivot) => pen.point(pivot),
                None => centroid(&points),
            };
            for p in &mut points {
                *p = pivot + (*p - pivot).rotate(angle);
            }
        }
        pen.paint(&self.brush, |shape| {
            shape.polyline(points.iter().copied(), true)
        });
    }
}

/// The mean of the points.
fn centroid(points: &[Vec2]) -> Vec2 {
    let sum = points.iter().fold(Vec2::ZERO, |sum, p| sum + *p);
    sum / points.len().max(1) as f64
}
