use super::{Brush, Draw, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::one_of;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A rectangle, or with `of` one at every point of a list.
///
/// ```json
/// "channels": { "w": { "wave": { "period": 1.2, "amplitude": 30, "around": 90 } } },
/// "draw": [ { "rect": { "at": [120, 60], "size": ["w", 50], "radius": 10, "rotate": 10 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "rect", extend("allOf" = [one_of(&[&["at"], &["of"]])]))]
pub struct Rect {
    /// Where its anchor lies.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Option<Point>,
    /// A list of points: one rectangle at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// Width and height in px.
    pub size: Pair<NonNegative>,
    /// Which point of the rectangle lies on `at`, as shares of its size from the left top corner:
    /// `[0.5, 1]` is a bar standing on a floor.
    #[serde(default = "middle")]
    pub anchor: FixedPair<Unit>,
    /// Radius of the corners in px.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["rx", "corner_radius", "cornerRadius", "borderRadius", "border_radius", "corners"]))]
    pub radius: Num<NonNegative>,
    /// Rotation about `at` in degrees, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["rotation", "angle"]))]
    pub rotate: Num,
}

fn middle() -> FixedPair<Unit> {
    (Fixed::literal(0.5), Fixed::literal(0.5))
}

impl MarkKind for Rect {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(RectMark {
                size: b.pair(&self.size),
                anchor: b.fixed_pair(&self.anchor),
                radius: b.num(&self.radius),
                rotate: b.num(&self.rotate),
                brush: style.closed(b),
                place: place.clone(),
            })
        })
    }
}

struct RectMark {
    place: Place,
    size: PointProgram,
    anchor: [f64; 2],
    radius: Program,
    rotate: Program,
    brush: Brush,
}

impl Draw for RectMark {
    fn draw(&self, pen: &mut Pen) {
        self.place.each(pen, |pen, at| {
            let size = pen.point(&self.size);
            let corner = Vec2::new(-self.anchor[0] * size.x, -self.anchor[1] * size.y);
            let radius = pen.number(&self.radius);
            let angle = pen.number(&self.rotate);
            pen.paint(&self.brush, |shape| {
                shape.rect(corner, size, radius, |p| at + p.rotate(angle));
            });
        });
    }
}
