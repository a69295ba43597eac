use super::{Brush, Draw, MarkKind, Pen, Shape, Style};
use crate::formula::{Program, Range};
use crate::maths::functions::{hypot, lap};
use crate::maths::vector::Vec2;
use crate::scene::Check;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Strokes or dots at regular steps: a ruler, a scale, a ground that scrolls by.
///
/// ```json
/// "draw": [
///   { "ticks": { "from": [-20, 90], "step": [20, 0], "count": 15, "length": 8, "width": 2, "scroll": "-20 * t / duration" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ticks")]
pub struct Ticks {
    /// Where the first one stands.
    #[schemars(extend("x-also" = ["at", "start", "origin"]))]
    pub from: Point,
    /// From one to the next in px, right and down.
    #[schemars(extend("x-also" = ["spacing", "gap", "interval", "by", "every"]))]
    pub step: Pair,
    /// How many there are.
    #[schemars(extend("x-also" = ["n", "number"]))]
    pub count: Int<1, 10_000>,
    /// Length across the step in px, half of it on each side; the diameter of dots.
    #[serde(default = "six")]
    #[schemars(extend("x-also" = ["size", "height", "radius", "diameter"]))]
    pub length: Num<NonNegative>,
    /// Strokes across the step, which take `stroke` and `width`, or dots, which take `fill`.
    #[serde(default = "line")]
    pub shape: Choice<TickWord>,
    /// Shift along the step in px. It wraps after every step, so that the ticks scroll for ever: let the
    /// first and the last of them stand outside the picture.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["offset", "shift"]))]
    pub scroll: Num,
}

/// The form of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TickWord {
    #[default]
    Line,
    Dot,
}

fn six() -> Num<NonNegative> {
    Num::literal(6.0)
}

fn line() -> Choice<TickWord> {
    Choice::literal("line")
}

impl MarkKind for Ticks {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let count = b.int(&self.count) as usize;
        b.count_drawn(count, self.count.0.span);
        let step = b.pair(&self.step);
        let span = self.step.0.span;
        if [&step.x, &step.y].map(Program::constant) == [Some(0.0); 2] {
            b.report(
                Problem::error("no-step", span, "a `step` of [0, 0] leads nowhere")
                    .note("`step` leads from one tick to the next: `[20, 0]` puts them in a row"),
            );
        }
        let shape = b.choice(&self.shape);
        let scroll = b.num(&self.scroll);
        if let (Some(x), Some(y)) = (step.x.constant(), step.y.constant()) {
            b.scrolls(self.scroll.span, &scroll, hypot(x, y));
        }
        Box::new(TicksMark {
            from: b.point(&self.from),
            step_length: b.check(span, "length of step", Range::above(0.0)),
            step,
            count,
            length: b.num(&self.length),
            shape,
            scroll,
            brush: match shape {
                TickWord::Line => style.stroke_only(b),
                TickWord::Dot => style.closed(b),
            },
        })
    }
}

/// A scroll that misses a whole step by so many px has come to it: what the sum of many ticks rounds.
const MISSED: f64 = 1e-7;

/// The way since the last whole step, from 0 up to a step.
fn within_step(scroll: f64, step: f64) -> f64 {
    let way = lap(scroll, step);
    match step - way <= MISSED.min(step / 2.0) {
        true => 0.0,
        false => way,
    }
}

struct TicksMark {
    from: PointProgram,
    step: PointProgram,
    step_length: Check,
    count: usize,
    length: Program,
    shape: TickWord,
    scroll: Program,
    brush: Brush,
}

impl Draw for TicksMark {
    fn draw(&self, pen: &mut Pen) {
        let step = pen.point(&self.step);
        let spacing = self.step_length.hold(step.length(), &pen.inputs);
        let along = step / spacing;
        let first = pen.point(&self.from) + along * within_step(pen.scroll(&self.scroll), spacing);
        let half = pen.number(&self.length) / 2.0;
        let tick = |shape: &mut Shape, at: Vec2| match self.shape {
            TickWord::Dot => shape.circle(at, half),
            TickWord::Line => {
                let across = along.perpendicular() * half;
                shape.polyline([at - across, at + across].into_iter(), false);
            }
        };
        pen.paint(&self.brush, |shape| {
            for i in 0..self.count {
                tick(shape, first + step * i as f64);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::vector::Vec2;
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn a_step_is_whole_though_its_sum_is_rounded() {
        for (scroll, way) in [
            (-90.0 - 1e-12, 0.0),
            (-90.0 + 1e-12, 1e-12),
            (95.0, 5.0),
            (-1.0, 29.0),
        ] {
            let found = super::within_step(scroll, 30.0);
            assert!((found - way).abs() < 1e-13, "{scroll}: {found}");
        }
    }

    #[test]
    fn strokes_stand_across_the_step() {
        let probe = Probe::drawing(
            r#""draw": [{ "ticks": { "from": [5, 9], "step": [0, 10], "count": 3, "length": 4 } }]"#,
        );
        let points = probe.picture(0.0).points;
        let expected = [
            [7.0, 9.0],
            [3.0, 9.0],
            [7.0, 19.0],
            [3.0, 19.0],
            [7.0, 29.0],
            [3.0, 29.0],
        ];
        assert_eq!(points, expected.map(Vec2::from));
    }

    #[test]
    fn scrolling_wraps_every_step() {
        let probe = Probe::drawing(
            r#""draw": [{ "ticks": { "from": [0, 0], "step": [10, 0], "count": 4, "shape": "dot",
                                     "length": 2, "scroll": "-25 * t" } }]"#,
        );
        let centres = |t: f64| {
            let picture = probe.picture(t);
            let contours = picture.points.chunks(picture.points.len() / 4);
            contours
                .map(|c| (c[0].x + c[6].x) / 2.0)
                .collect::<Vec<_>>()
        };
        let near = |a: Vec<f64>, b: [f64; 4]| {
            assert!(
                a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9),
                "{a:?} {b:?}"
            );
        };
        near(centres(0.0), [0.0, 10.0, 20.0, 30.0]);
        near(centres(0.2), [5.0, 15.0, 25.0, 35.0]);
        near(centres(0.4), [0.0, 10.0, 20.0, 30.0]);
        near(centres(0.44), [9.0, 19.0, 29.0, 39.0]);
        // Whole steps by rounding alone are whole steps.
        near(centres(1.2), [0.0, 10.0, 20.0, 30.0]);
    }

    #[test]
    fn a_step_without_length_is_said() {
        let ticks = |step| {
            problems(&format!(
                r#""draw": [{{ "ticks": {{ "from": [0, 0], "step": {step}, "count": 3 }} }}]"#
            ))
        };
        assert!(ticks("[0, 0]").contains("a `step` of [0, 0] leads nowhere"));
        let said = ticks(r#"["1 - t", 0]"#);
        assert!(
            said.contains("`length of step` is 0 in frame 50 (1.00 s)"),
            "{said}"
        );
    }

    #[test]
    fn strokes_have_no_inside() {
        let said = problems(
            r##""draw": [{ "ticks": { "from": [0, 0], "step": [9, 0], "count": 3, "fill": "#123" } }]"##,
        );
        assert!(said.contains("its colour is `stroke`"), "{said}");
    }
}
