use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::formula::Program;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A piece of a circle: a spinner, an angle mark, a slice of a pie.
///
/// ```json
/// "channels": { "spin": "turn * t / duration" },
/// "draw": [
///   { "arc": { "at": [120, 60], "radius": 36, "from": "spin", "to": "spin + 250", "width": 8, "cap": "round" } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "arc")]
pub struct Arc {
    /// The centre of the circle.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Point,
    /// Radius in px.
    #[schemars(extend("x-also" = ["r", "rad", "size"]))]
    pub radius: Num<NonNegative>,
    /// Where it starts, in degrees: 0 along +x, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["start", "start_angle", "startAngle"]))]
    pub from: Num,
    /// Where it ends, in degrees; less than `from` goes the other way round, a full turn or more is the circle.
    #[serde(default = "full_turn")]
    #[schemars(extend("x-also" = ["end", "end_angle", "endAngle"]))]
    pub to: Num,
    /// Whether it is closed to the centre, and so filled.
    #[serde(default)]
    #[schemars(extend("x-also" = ["sector", "wedge", "closed"]))]
    pub pie: bool,
}

fn full_turn() -> Num {
    Num::literal(360.0)
}

impl MarkKind for Arc {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(ArcMark {
            at: b.point(&self.at),
            radius: b.num(&self.radius),
            from: b.num(&self.from),
            to: b.num(&self.to),
            pie: self.pie,
            brush: if self.pie {
                style.closed(b)
            } else {
                style.open(b)
            },
        })
    }
}

struct ArcMark {
    at: PointProgram,
    radius: Program,
    from: Program,
    to: Program,
    pie: bool,
    brush: Brush,
}

impl Draw for ArcMark {
    fn draw(&self, pen: &mut Pen) {
        let (at, radius) = (pen.point(&self.at), pen.number(&self.radius));
        let (from, to) = (pen.number(&self.from), pen.number(&self.to));
        pen.paint(&self.brush, |shape| {
            shape.arc(at, radius, from, to, self.pie)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::vector::Vec2;
    use crate::picture::{Item, Verb};
    use crate::scene::probe::Probe;

    fn arc(fields: &str) -> Probe {
        Probe::drawing(&format!(
            r#""draw": [{{ "arc": {{ "at": [50, 50], "radius": 10, {fields} }} }}]"#
        ))
    }

    #[test]
    fn it_lies_on_its_circle() {
        let picture = arc(r#""from": -30, "to": 200"#).picture(0.0);
        let ends = [picture.points[0], picture.points[12]];
        let angles = ends.map(|p| (p - Vec2::new(50.0, 50.0)).direction());
        assert!((angles[0] + 30.0).abs() < 1e-9, "{angles:?}");
        assert!((angles[1] + 160.0).abs() < 1e-9, "{angles:?}");
        for p in picture.points.iter().step_by(3) {
            assert!((p.distance(Vec2::new(50.0, 50.0)) - 10.0).abs() < 1e-9);
        }
        assert!(matches!(picture.items[0], Item::Stroke { .. }));
    }

    #[test]
    fn a_full_turn_is_a_circle_without_a_seam() {
        for fields in [
            r#""to": 360"#,
            r#""from": 10, "to": 800"#,
            r#""to": -360"#,
            r#""pie": true"#,
        ] {
            let probe = arc(fields);
            let picture = probe.picture(0.0);
            assert_eq!(picture.verbs.len(), 6, "{fields}");
            assert_eq!(picture.verbs[5], Verb::Close, "{fields}");
            let end = picture.points[picture.points.len() - 1];
            assert!(picture.points[0].distance(end) < 1e-12, "{fields}");
        }
    }

    #[test]
    fn a_pie_starts_at_the_centre_and_is_filled() {
        let picture = arc(r#""to": 90, "pie": true"#).picture(0.0);
        assert_eq!(picture.points[0], Vec2::new(50.0, 50.0));
        assert!(matches!(picture.items[0], Item::Fill { .. }));
    }

    #[test]
    fn it_turns_with_its_group() {
        let probe = Probe::drawing(
            r#""skeleton": { "x": { "transform": { "rotate": 90, "scale": [-1, 1] } } },
               "draw": [{ "group": { "through": "x", "draw": [
                 { "arc": { "at": [0, 0], "radius": 10, "to": 90 } } ] } }]"#,
        );
        let picture = probe.picture(0.0);
        // +x mirrored is −x, turned it is −y; +y turned is −x.
        assert!(picture.points[0].distance(Vec2::new(0.0, -10.0)) < 1e-12);
        assert!(picture.points[12].distance(Vec2::new(-10.0, 0.0)) < 1e-12);
    }
}
