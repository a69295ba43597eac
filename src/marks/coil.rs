use super::{Brush, Draw, MarkKind, Pen, Shape, Style};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A spring between two points, however far apart they are.
///
/// ```json
/// "channels": { "y": { "wave": { "period": 0.6, "around": 80, "amplitude": 20 } } },
/// "draw": [
///   { "coil": { "from": [120, 10], "to": [120, "y - 12"], "radius": 12, "width": 3, "join": "round" } },
///   { "circle": { "at": [120, "y"], "radius": 12 } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "coil")]
pub struct Coil {
    /// Where it is fixed.
    #[schemars(extend("x-also" = ["start", "a", "p1"]))]
    pub from: Point,
    /// What it holds.
    #[schemars(extend("x-also" = ["end", "b", "p2"]))]
    pub to: Point,
    /// Number of windings.
    #[serde(default = "eight_turns")]
    #[schemars(extend("x-also" = ["windings", "coils", "loops"]))]
    pub turns: Int<1, 200>,
    /// Of the windings in px, from the middle line to the middle of the wire.
    #[serde(default = "eight")]
    #[schemars(extend("x-also" = ["r", "amplitude"]))]
    pub radius: Num<Positive>,
}

fn eight_turns() -> Int<1, 200> {
    Int::literal(8)
}

fn eight() -> Num<Positive> {
    Num::literal(8.0)
}

impl MarkKind for Coil {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(CoilMark {
            from: b.point(&self.from),
            to: b.point(&self.to),
            turns: b.int(&self.turns) as u32,
            radius: b.num(&self.radius),
            brush: style.stroke_only(b),
        })
    }
}

struct CoilMark {
    from: PointProgram,
    to: PointProgram,
    turns: u32,
    radius: Program,
    brush: Brush,
}

/// The straight end on either side takes at most this share of the whole length.
const LONGEST_END: f64 = 1.0 / 8.0;
/// Control points of a cubic along a quarter of a sine wave, as shares of its width and height: it starts and
/// ends with the wave's own slope and passes its middle; error 0.06 % of the height.
const QUARTER_WAVE: [Vec2; 2] = [
    Vec2::new(0.326_131_8, 0.512_286_62),
    Vec2::new(0.638_093_5, 1.0),
];

impl Draw for CoilMark {
    fn draw(&self, pen: &mut Pen) {
        let (from, to) = (pen.point(&self.from), pen.point(&self.to));
        let radius = pen.number(&self.radius);
        // Without a length it has no direction either.
        let Some(along) = (to - from).normalized() else {
            return;
        };
        let length = (to - from).length();
        let end = radius.min(length * LONGEST_END);
        let on = |x: f64, y: f64| from + along * x + along.perpendicular() * y;
        pen.paint(&self.brush, |shape| {
            shape.move_to(from);
            shape.line_to(on(end, 0.0));
            wind(shape, self.turns, end, length - end, radius, on);
            shape.line_to(to);
        });
    }
}

/// A sine wave of so many periods from `start` to `end`, in the coil's own coordinates before `on`.
fn wind(
    shape: &mut Shape,
    turns: u32,
    start: f64,
    end: f64,
    radius: f64,
    on: impl Fn(f64, f64) -> Vec2,
) {
    let quarter = (end - start) / f64::from(4 * turns);
    let [near, far] = QUARTER_WAVE;
    for i in 0..4 * turns {
        let x = start + quarter * f64::from(i);
        let height = if i % 4 < 2 { radius } else { -radius };
        // Out on even quarters, back on odd ones: the same cubic from its other end.
        if i % 2 == 0 {
            shape.cubic_to(
                on(x + quarter * near.x, height * near.y),
                on(x + quarter * far.x, height * far.y),
                on(x + quarter, height),
            );
        } else {
            shape.cubic_to(
                on(x + quarter * (1.0 - far.x), height * far.y),
                on(x + quarter * (1.0 - near.x), height * near.y),
                on(x + quarter, 0.0),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::Probe;

    fn coil(to: &str) -> Probe {
        Probe::drawing(&format!(
            r#""draw": [{{ "coil": {{ "from": [50, 0], "to": {to}, "turns": 4, "radius": 6 }} }}]"#
        ))
    }

    #[test]
    fn windings_fill_what_the_straight_ends_leave() {
        let points = coil("[50, 80]").picture(0.0).points;
        // Two points, four quarters of three points to each turn, one point.
        assert_eq!(points.len(), 2 + 4 * 4 * 3 + 1);
        assert_eq!((points[1].x, points[1].y), (50.0, 6.0));
        // Out to the first crest, back on the middle line after half a turn.
        let quarter = 68.0 / 16.0;
        assert_eq!((points[4].x, points[4].y), (44.0, 6.0 + quarter));
        assert_eq!((points[7].x, points[7].y), (50.0, 6.0 + 2.0 * quarter));
        assert_eq!(coil("[50, 80]").bounds(0.0), [44.0, 0.0, 56.0, 80.0]);
    }

    #[test]
    fn any_length_will_do() {
        assert_eq!(coil("[50, 8]").picture(0.0).points[1].y, 1.0);
        assert!(coil("[50, 0]").picture(0.0).points.is_empty());
    }
}
