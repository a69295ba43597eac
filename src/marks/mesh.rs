use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::scene::builder::{Builder, PointList};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The threads of a cloth.
///
/// ```json
/// "world": { "gravity": [0, 500] },
/// "bodies": {
///   "sheet": { "cloth": { "from": [60, 14], "size": [120, 66], "grid": [13, 8], "keep": 0.98, "pins": { "top_left": [60, 14], "top_right": [170, 14] } } }
/// },
/// "draw": [ { "mesh": { "of": "sheet", "width": 1.5, "stroke": "#0c7b7c" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "mesh")]
pub struct Mesh {
    /// A cloth.
    pub of: Name,
}

impl MarkKind for Mesh {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let columns = b.entity(&self.of).and_then(|cloth| {
            let columns = cloth
                .elements
                .as_ref()
                .and_then(|elements| elements.columns);
            if columns.is_none() && !cloth.broken {
                b.wrong_entity(&self.of, &cloth, "a cloth");
            }
            columns
        });
        let points = match columns {
            Some(_) => b.points_of(&self.of),
            None => Default::default(),
        };
        b.count_drawn(points.len(), self.of.span);
        Box::new(MeshMark {
            points: PointList::Operands(points),
            columns: columns.unwrap_or(1),
            brush: style.open(b),
        })
    }
}

struct MeshMark {
    points: PointList,
    /// Points in a row.
    columns: usize,
    brush: Brush,
}

impl Draw for MeshMark {
    fn draw(&self, pen: &mut Pen) {
        let points: Vec<_> = pen.points(&self.points).collect();
        let (columns, rows) = (self.columns, points.len() / self.columns);
        // One outline, so that threads of a see-through colour do not show where they cross.
        pen.paint(&self.brush, |shape| {
            for row in points.chunks(columns) {
                shape.polyline(row.iter().copied(), false);
            }
            for column in 0..columns {
                let down = (0..rows).map(|row| points[row * columns + column]);
                shape.polyline(down, false);
            }
        });
    }
}
