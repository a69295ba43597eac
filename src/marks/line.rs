use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A straight line.
///
/// ```json
/// "channels": { "y": { "wave": { "period": 1.2, "amplitude": 30, "around": 60 } } },
/// "draw": [ { "line": { "from": [40, "y"], "to": [200, "120 - y"], "width": 8, "cap": "round" } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "line")]
pub struct Line {
    /// Where it starts.
    #[schemars(extend("x-also" = ["start", "a", "p1"]))]
    pub from: Point,
    /// Where it ends.
    #[schemars(extend("x-also" = ["end", "b", "p2"]))]
    pub to: Point,
}

impl MarkKind for Line {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(LineMark {
            from: b.point(&self.from),
            to: b.point(&self.to),
            brush: style.stroke_only(b),
        })
    }
}

struct LineMark {
    from: PointProgram,
    to: PointProgram,
    brush: Brush,
}

impl Draw for LineMark {
    fn draw(&self, pen: &mut Pen) {
        let ends = [pen.point(&self.from), pen.point(&self.to)];
        pen.paint(&self.brush, |shape| shape.polyline(ends.into_iter(), false));
    }
}
