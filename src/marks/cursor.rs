use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The arrow of a mouse, a little smaller while pressed. Its tip is the hot spot.
///
/// ```json
/// "draw": [
///   { "cursor": { "at": ["60 + 80 * t", 50], "pressed": "t > 0.6", "size": 20, "width": 1.6, "fill": "black", "stroke": "white" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "cursor")]
pub struct Cursor {
    /// Where its tip points.
    #[schemars(extend("x-also" = ["of", "pos", "position", "pointer"]))]
    pub at: Point,
    /// Drawn at 88 % of its size unless 0; `.down` if `at` names a pointer.
    #[schemars(extend("x-also" = ["down", "click", "clicked"]))]
    pub pressed: Option<Cond>,
    /// Height in px.
    #[serde(default = "sixteen")]
    #[schemars(extend("x-also" = ["height"]))]
    pub size: Num<Positive>,
}

fn sixteen() -> Num<Positive> {
    Num::literal(16.0)
}

impl Cursor {
    fn pressed(&self, b: &mut Builder) -> Program {
        if let Some(pressed) = &self.pressed {
            return b.num(pressed);
        }
        let down = match &self.at {
            Point::Name(name) => b
                .entity(name)
                .and_then(|entity| entity.member("down")?.number),
            Point::At(_) => None,
        };
        down.map_or(Program::constant_of(0.0), |down| b.read(down))
    }
}

impl MarkKind for Cursor {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(CursorMark {
            at: b.point(&self.at),
            pressed: self.pressed(b),
            size: b.num(&self.size),
            brush: style.closed(b),
        })
    }
}

struct CursorMark {
    at: PointProgram,
    pressed: Program,
    size: Program,
    brush: Brush,
}

/// Its size while pressed.
const PRESSED: f64 = 0.88;
/// The arrow, one px high, from its tip down the left side; clockwise.
const ARROW: [Vec2; 7] = [
    Vec2::new(0.0, 0.0),
    Vec2::new(0.66, 0.64),
    Vec2::new(0.38, 0.665),
    Vec2::new(0.53, 0.945),
    Vec2::new(0.395, 1.0),
    Vec2::new(0.245, 0.715),
    Vec2::new(0.0, 0.9),
];

impl Draw for CursorMark {
    fn draw(&self, pen: &mut Pen) {
        let at = pen.point(&self.at);
        let pressed = if pen.holds(&self.pressed) {
            PRESSED
        } else {
            1.0
        };
        let size = pen.number(&self.size) * pressed;
        pen.paint(&self.brush, |shape| {
            shape.polyline(ARROW.iter().map(|p| at + *p * size), true);
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::Probe;

    #[test]
    fn the_pointer_itself_knows_whether_it_is_down() {
        let probe = Probe::drawing(
            r#""channels": { "hand": { "pointer": { "path": [[0, 20, 30]], "down": [[1, 2]] } } },
               "draw": [{ "cursor": { "at": "hand", "size": 10 } }]"#,
        );
        let [left, top, _, bottom] = probe.bounds(0.5);
        assert_eq!([left, top, bottom], [20.0, 30.0, 40.0]);
        let [left, top, _, bottom] = probe.bounds(1.5);
        assert_eq!([left, top, bottom], [20.0, 30.0, 38.8]);
        let other = Probe::drawing(
            r#""draw": [{ "cursor": { "at": [20, 30], "size": 10, "pressed": "t > 1" } }]"#,
        );
        assert_eq!(other.bounds(0.5)[3], 40.0);
        assert_eq!(other.bounds(1.5)[3], 38.8);
    }
}
