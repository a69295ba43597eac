use super::{Brush, Draw, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::one_of;
use crate::maths::vector::Vec2;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Two strokes that cross at a point, ×: a target or a place to look at. With `of` one at every point of a
/// list.
///
/// ```json
/// "draw": [ { "cross": { "at": ["60 + 100 * t", 60], "size": 18, "width": 3, "stroke": "#c2402a" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "cross", extend("allOf" = [one_of(&[&["at"], &["of"]])]))]
pub struct Cross {
    /// The middle.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Option<Point>,
    /// A list of points: one cross at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// Width and height in px, between the ends of the strokes.
    #[serde(default = "eight")]
    #[schemars(extend("x-also" = ["length", "radius", "r"]))]
    pub size: Num<NonNegative>,
}

fn eight() -> Num<NonNegative> {
    Num::literal(8.0)
}

impl MarkKind for Cross {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(CrossMark {
                size: b.num(&self.size),
                brush: style.stroke_only(b),
                place: place.clone(),
            })
        })
    }
}

struct CrossMark {
    place: Place,
    size: Program,
    brush: Brush,
}

impl Draw for CrossMark {
    fn draw(&self, pen: &mut Pen) {
        self.place.each(pen, |pen, at| {
            let half = pen.number(&self.size) / 2.0;
            let arms = [Vec2::new(half, half), Vec2::new(half, -half)];
            pen.paint(&self.brush, |shape| {
                for arm in arms {
                    shape.polyline([at - arm, at + arm].into_iter(), false);
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn its_size_lies_between_the_ends() {
        let probe = Probe::drawing(r#""draw": [{ "cross": { "at": [50, 40], "size": 18 } }]"#);
        assert_eq!(probe.bounds(0.0), [41.0, 31.0, 59.0, 49.0]);
        let said = problems(r#""draw": [{ "cross": { "at": [50, 40], "fill": "red" } }]"#);
        assert!(said.contains("no inside"), "{said}");
    }
}
