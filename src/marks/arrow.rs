use super::{Brush, Draw, MarkKind, Pen, Shape, Style};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::picture::Cap;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// An arrow, such as a speed at a point. Without length nothing is drawn.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "around": 120, "amplitude": 60 } } },
/// "draw": [
///   { "circle": { "at": ["x", 60], "radius": 14 } },
///   { "arrow": { "from": ["x", 60], "to": ["x + 50 * cos(300 * t)", 60], "width": 3, "stroke": "#c2402a" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "arrow")]
pub struct Arrow {
    /// Where it starts.
    #[schemars(extend("x-also" = ["start", "tail", "a", "p1"]))]
    pub from: Point,
    /// Where its tip is.
    #[schemars(extend("x-also" = ["end", "tip", "b", "p2"]))]
    pub to: Point,
    /// Length of the head in px, at most that of the whole arrow; 4 times `width` if absent.
    #[schemars(extend("x-also" = ["head_size", "headSize", "head_length", "headLength"]))]
    pub head: Option<Num<NonNegative>>,
}

impl MarkKind for Arrow {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(ArrowMark {
            from: b.point(&self.from),
            to: b.point(&self.to),
            head: b.maybe(&self.head),
            brush: style.open(b),
        })
    }
}

struct ArrowMark {
    from: PointProgram,
    to: PointProgram,
    head: Option<Program>,
    brush: Brush,
}

/// Half the width of the head's base, per length.
const SLENDER: f64 = 0.45;
/// Length of the head, in widths of the shaft.
const USUAL_HEAD: f64 = 4.0;

/// An arrow along x from its tail at 0.
struct Figure {
    from: Vec2,
    along: Vec2,
    /// Where the head begins.
    base: f64,
    length: f64,
    /// Half widths of the shaft and of the head's base.
    shaft: f64,
    head: f64,
    cap: Cap,
}

impl Draw for ArrowMark {
    fn draw(&self, pen: &mut Pen) {
        let (from, to) = (pen.point(&self.from), pen.point(&self.to));
        let width = pen.number(&self.brush.width);
        let head = self.head.as_ref().map(|head| pen.number(head));
        let (Some(along), Some(opacity)) = ((to - from).normalized(), pen.visible(&self.brush))
        else {
            return;
        };
        let length = (to - from).length();
        let head = head.unwrap_or(USUAL_HEAD * width).min(length);
        let figure = Figure {
            from,
            along,
            base: length - head,
            length,
            shaft: width / 2.0,
            head: head * SLENDER,
            cap: self.brush.cap,
        };
        let fill = self.brush.fill(pen);
        let Some(stroke) = self.brush.stroke.or(fill) else {
            return;
        };
        let fill = fill.unwrap_or(stroke);
        if fill == stroke && self.brush.dash.is_empty() {
            // One shape: nothing shows through where shaft and head meet.
            return pen.fill(fill, opacity, |shape| figure.whole(shape));
        }
        if width > 0.0 {
            let nib = pen.nib(&self.brush);
            pen.stroke(stroke, opacity, nib, |shape| {
                let ends = [figure.on(0.0, 0.0), figure.on(figure.base, 0.0)];
                shape.polyline(ends.into_iter(), false);
            });
        }
        pen.fill(fill, opacity, |shape| figure.only_head(shape));
    }
}

impl Figure {
    fn on(&self, x: f64, y: f64) -> Vec2 {
        self.from + self.along * x + self.along.perpendicular() * y
    }

    fn only_head(&self, shape: &mut Shape) {
        shape.move_to(self.on(self.base, -self.head));
        shape.line_to(self.on(self.length, 0.0));
        shape.line_to(self.on(self.base, self.head));
        shape.close();
    }

    fn whole(&self, shape: &mut Shape) {
        let half = self.shaft;
        if self.base <= 0.0 || half == 0.0 {
            return self.only_head(shape);
        }
        self.tail(shape);
        shape.line_to(self.on(self.base, -half));
        shape.line_to(self.on(self.base, -self.head.max(half)));
        shape.line_to(self.on(self.length, 0.0));
        shape.line_to(self.on(self.base, self.head.max(half)));
        shape.line_to(self.on(self.base, half));
        shape.close();
    }

    /// The end of the shaft, from its one side to the other.
    fn tail(&self, shape: &mut Shape) {
        let half = self.shaft;
        let back = if self.cap == Cap::Square { half } else { 0.0 };
        shape.move_to(self.on(-back, half));
        match self.cap {
            Cap::Round => shape.half_circle(|x, y| self.on(-half * x, half * y)),
            _ => shape.line_to(self.on(-back, -half)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::picture::Item;
    use crate::scene::probe::Probe;

    fn corners(fields: &str) -> Vec<(f64, f64)> {
        let probe = Probe::drawing(&format!(r#""draw": [{{ "arrow": {{ {fields} }} }}]"#));
        let points = probe.picture(0.0).points;
        points.iter().map(|p| (p.x, p.y)).collect()
    }

    #[test]
    fn shaft_and_head_are_one_shape() {
        let all = corners(r#""from": [10, 50], "to": [50, 50], "width": 2"#);
        let (half, tip) = ([1.0, 3.6], 50.0);
        let expected = [
            (10.0, 50.0 + half[0]),
            (10.0, 50.0 - half[0]),
            (42.0, 50.0 - half[0]),
            (42.0, 50.0 - half[1]),
            (tip, 50.0),
            (42.0, 50.0 + half[1]),
            (42.0, 50.0 + half[0]),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_short_one_is_all_head_and_none_is_nothing() {
        let all = corners(r#""from": [10, 50], "to": [14, 50], "width": 2"#);
        assert_eq!(all, [(10.0, 48.2), (14.0, 50.0), (10.0, 51.8)]);
        assert_eq!(
            corners(r#""from": [10, 50], "to": [10, 50], "width": 2"#),
            []
        );
    }

    #[test]
    fn a_dashed_shaft_is_a_stroke_up_to_the_head() {
        let probe = Probe::drawing(
            r#""draw": [{ "arrow": { "from": [10, 50], "to": [50, 50], "head": 10, "dash": [2, 2] } }]"#,
        );
        let picture = probe.picture(0.0);
        assert!(matches!(
            picture.items[..],
            [Item::Stroke { .. }, Item::Fill { .. }]
        ));
        assert_eq!(picture.points[1].x, 40.0);
    }
}
