use super::{Brush, Draw, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::{any_of, one_of};
use crate::scene::builder::Builder;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::source::Span;
use schemars::JsonSchema;
use serde::Deserialize;

/// A circle, or with `of` one at every point of a list.
///
/// ```json
/// "channels": { "r": { "wave": { "period": 1.2, "amplitude": 10, "around": 30 } } },
/// "draw": [ { "circle": { "at": [120, 60], "radius": "r", "fill": "#c2402a" } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "circle", extend("allOf" = [one_of(&[&["at"], &["of"]]), any_of(&[&["radius"], &["of"]])]))]
pub struct Circle {
    /// The centre.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Option<Point>,
    /// A list of points: one circle at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// Radius in px; with `of` balls, theirs if absent.
    #[schemars(extend("x-also" = ["r", "rad"]))]
    pub radius: Option<Num<NonNegative>>,
}

impl MarkKind for Circle {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(CircleMark {
                radius: self.radius(b),
                brush: style.closed(b),
                place: place.clone(),
            })
        })
    }
}

impl Circle {
    fn radius(&self, b: &mut Builder) -> Program {
        if let Some(radius) = &self.radius {
            return b.num(radius);
        }
        let own = b.element_number("radius");
        if own.is_none() && !b.has_errors() {
            let span = self.of.as_ref().map_or(Span::default(), |of| of.span);
            let message = "a `radius` is missing: only balls have one of their own";
            b.report(Problem::error("missing-field", span, message));
        }
        own.unwrap_or_else(|| Program::constant_of(0.0))
    }
}

struct CircleMark {
    place: Place,
    radius: Program,
    brush: Brush,
}

impl Draw for CircleMark {
    fn draw(&self, pen: &mut Pen) {
        self.place.each(pen, |pen, at| {
            let radius = pen.number(&self.radius);
            pen.paint(&self.brush, |shape| shape.circle(at, radius));
        });
    }
}
