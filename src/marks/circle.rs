use super::{Brush, Draw, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::one_of;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
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
#[schemars(rename = "circle", extend("allOf" = [one_of(&[&["at"], &["of"]])]))]
pub struct Circle {
    /// The centre.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Option<Point>,
    /// A list of points: one circle at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// Radius in px.
    #[schemars(extend("x-also" = ["r", "rad"]))]
    pub radius: Num<NonNegative>,
}

impl MarkKind for Circle {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(CircleMark {
                radius: b.num(&self.radius),
                brush: style.closed(b),
                place: place.clone(),
            })
        })
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
