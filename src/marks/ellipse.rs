use super::{Brush, Draw, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::one_of;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// An ellipse, or with `of` one at every point of a list.
///
/// ```json
/// "draw": [ { "ellipse": { "at": [120, 60], "size": [140, 60], "rotate": "360 * t / duration" } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ellipse", extend("allOf" = [one_of(&[&["at"], &["of"]])]))]
pub struct Ellipse {
    /// The centre.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Option<Point>,
    /// A list of points: one ellipse at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// Full width and height in px.
    #[schemars(extend("x-also" = ["radii", "radius", "r", "rx", "ry"]))]
    pub size: Pair<NonNegative>,
    /// Rotation about the centre in degrees, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["rotation", "angle"]))]
    pub rotate: Num,
}

impl MarkKind for Ellipse {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(EllipseMark {
                size: b.pair(&self.size),
                rotate: b.num(&self.rotate),
                brush: style.closed(b),
                place: place.clone(),
            })
        })
    }
}

struct EllipseMark {
    place: Place,
    size: PointProgram,
    rotate: Program,
    brush: Brush,
}

impl Draw for EllipseMark {
    fn draw(&self, pen: &mut Pen) {
        self.place.each(pen, |pen, at| {
            let radii = pen.point(&self.size) / 2.0;
            let angle = pen.number(&self.rotate);
            pen.paint(&self.brush, |shape| {
                shape.ellipse(radii, |p| at + p.rotate(angle));
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn its_size_is_the_full_width_and_height() {
        let mark = |rotate| {
            let mark = format!(
                r#"{{ "ellipse": {{ "at": [50, 40], "size": [30, 10], "rotate": {rotate} }} }}"#
            );
            Probe::drawing(&format!(r#""draw": [{mark}]"#)).bounds(0.0)
        };
        assert_eq!(mark(0), [35.0, 35.0, 65.0, 45.0]);
        assert_eq!(mark(90), [45.0, 25.0, 55.0, 55.0]);
    }

    #[test]
    fn a_size_below_zero_is_said() {
        let said =
            problems(r#""draw": [{ "ellipse": { "at": [0, 0], "size": [5, "25 - frame"] } }]"#);
        assert!(
            said.contains("`25 - frame` is -1 in frame 26 (0.52 s), but must be at least 0"),
            "{said}"
        );
    }
}
