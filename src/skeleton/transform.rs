use super::JointKind;
use crate::formula::Range;
use crate::scene;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A camera, or any other way of drawing a group (`through`) turned, scaled, slanted or moved: scale, skew
/// and rotation about the pivot, then the move. Points and the outlines of `rect`, `ellipse` and `polygon`
/// are transformed in full; radii, widths and dashes grow by the mean of both scales.
///
/// ```json
/// "skeleton": {
///   "lean": { "transform": { "pivot": [120, 100], "skew": ["20 * sin(turn * t / duration)", 0] } }
/// },
/// "draw": [
///   { "group": { "through": "lean", "draw": [
///     { "rect": { "at": [120, 100], "size": [50, 70], "anchor": [0.5, 1], "radius": 6 } }
///   ] } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "transform")]
pub struct Transform {
    /// What stays in place while everything turns about it.
    #[serde(default = "origin")]
    #[schemars(extend("x-also" = ["origin", "center", "centre", "about", "anchor", "transform_origin", "transformOrigin"]))]
    pub pivot: Point,
    /// Shift in px, right and down.
    #[serde(default = "nowhere")]
    #[schemars(extend("x-also" = ["translate", "translation", "offset", "position", "shift"]))]
    pub r#move: Pair,
    /// Factors along x and y; −1 mirrors.
    #[serde(default = "unscaled")]
    #[schemars(extend("x-also" = ["zoom"]))]
    pub scale: Pair,
    /// Rotation in degrees, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["rotation", "angle"]))]
    pub rotate: Num,
    /// Slant along x and y in degrees, as CSS `skew`.
    #[serde(default = "upright")]
    #[schemars(extend("x-also" = ["shear", "slant"]))]
    pub skew: Pair<Slant>,
}

bounds! {
    /// Short of a right angle.
    Slant = Range::between(-89.0, 89.0);
}

fn origin() -> Point {
    Point::At(Box::new(nowhere()))
}

fn nowhere() -> Pair {
    (Num::zero(), Num::zero())
}

fn unscaled() -> Pair {
    (Num::one(), Num::one())
}

fn upright() -> Pair<Slant> {
    (Num::zero(), Num::zero())
}

impl JointKind for Transform {
    fn build(&self, b: &mut Builder) -> Entity {
        let transform = scene::Transform {
            pivot: b.point(&self.pivot),
            shift: b.pair(&self.r#move),
            scale: b.pair(&self.scale),
            rotate: b.num(&self.rotate),
            skew: b.pair(&self.skew),
        };
        Entity {
            what: "a transform",
            transform: Some(b.add_transform(transform)),
            ..Entity::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::reference::{list, number, read};
    use crate::maths::vector::Vec2;
    use crate::scene::probe::{Probe, problems};

    fn drawn(transform: &str, mark: &str) -> Vec<Vec2> {
        let probe = Probe::drawing(&format!(
            r#""skeleton": {{ "x": {{ "transform": {transform} }} }},
               "draw": [{{ "group": {{ "through": "x", "draw": [{mark}] }} }}]"#
        ));
        probe.picture(1.0).points
    }

    const LINE: &str = r#"{ "line": { "from": [10, 0], "to": [10, 20] } }"#;

    #[test]
    fn pivot_scale_skew_rotate_move() {
        let close = |ours: Vec<Vec2>, theirs: [[f64; 2]; 2]| {
            for (a, b) in ours.iter().zip(theirs.map(Vec2::from)) {
                assert!(a.distance(b) < 1e-12, "{ours:?} {theirs:?}");
            }
        };
        close(drawn("{}", LINE), [[10.0, 0.0], [10.0, 20.0]]);
        close(
            drawn(r#"{ "move": [1, "2 * t"] }"#, LINE),
            [[11.0, 2.0], [11.0, 22.0]],
        );
        close(
            drawn(r#"{ "pivot": [10, 10], "rotate": 90 }"#, LINE),
            [[20.0, 10.0], [0.0, 10.0]],
        );
        close(
            drawn(r#"{ "scale": [-1, 2] }"#, LINE),
            [[-10.0, 0.0], [-10.0, 40.0]],
        );
        close(
            drawn(r#"{ "skew": [45, 0] }"#, LINE),
            [[10.0, 0.0], [30.0, 20.0]],
        );
        let all = r#"{ "pivot": [10, 0], "scale": [1, 2], "skew": [45, 0], "rotate": 90, "move": [0, 5] }"#;
        close(drawn(all, LINE), [[10.0, 5.0], [-30.0, 45.0]]);
    }

    /// Squash about the ground point: wider by 0.7 of what is lost in height, round things by the mean of both.
    #[test]
    fn matches_the_squash() {
        let data = read(include_str!("../../tests/data/002_squash.json"));
        for case in list(&data["cases"]) {
            let [sy, x, y] = ["sy", "anchorX", "groundY"].map(|name| number(&case[name]));
            let squash =
                format!(r#"{{ "pivot": [{x}, {y}], "scale": ["1 + (1 - {sy}) * 0.7", {sy}] }}"#);
            for (from, to) in list(&case["points"]).iter().zip(list(&case["out"])) {
                let line = format!(r#"{{ "line": {{ "from": {from}, "to": [0, 0] }} }}"#);
                let to = Vec2::new(number(&to[0]), number(&to[1]));
                assert!(
                    drawn(&squash, &line)[0].distance(to) < 1e-12,
                    "{sy}: {from}"
                );
            }
            let circle = r#"{ "circle": { "at": [0, 0], "radius": 5 } }"#;
            let points = drawn(&squash, circle);
            let x = points.iter().map(|p| p.x);
            let width = x.clone().fold(f64::MIN, f64::max) - x.fold(f64::MAX, f64::min);
            assert!(
                (width - 10.0 * number(&case["head_radius_scale"])).abs() < 1e-12,
                "{sy}"
            );
        }
    }

    #[test]
    fn outlines_are_transformed_and_radii_scaled() {
        let width = |points: &[Vec2]| {
            let x = points.iter().map(|p| p.x);
            x.clone().fold(f64::MIN, f64::max) - x.fold(f64::MAX, f64::min)
        };
        let stretch = r#"{ "scale": [3, 1] }"#;
        for (mark, wide) in [
            (r#"{ "ellipse": { "at": [0, 0], "size": [10, 10] } }"#, 30.0),
            (
                r#"{ "rect": { "at": [0, 0], "size": [10, 10], "radius": 2 } }"#,
                30.0,
            ),
            (
                r#"{ "polygon": { "points": [[0, 0], [10, 0], [10, 10]] } }"#,
                30.0,
            ),
            (r#"{ "circle": { "at": [0, 0], "radius": 5 } }"#, 20.0),
            (r#"{ "arc": { "at": [0, 0], "radius": 5 } }"#, 20.0),
        ] {
            assert!(
                (width(&drawn(stretch, mark)) - wide).abs() < 1e-12,
                "{mark}"
            );
        }
    }

    #[test]
    fn only_a_transform_leads_through() {
        let said = problems(
            r#""skeleton": { "j": [1, 2] }, "draw": [{ "group": { "through": "j", "draw": [] } }]"#,
        );
        assert!(
            said.contains("`j` is a joint, but this takes a transform"),
            "{said}"
        );
        let said = problems(r#""skeleton": { "x": { "transform": { "skew": [90, 0] } } }"#);
        assert!(
            said.contains("`skew` is 90, but must be -89 to 89"),
            "{said}"
        );
    }
}
