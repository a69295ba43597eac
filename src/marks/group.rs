use super::{Draw, Mark, MarkKind, NoStyle, Pen};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::BoxProgram;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Marks drawn together and composited once, so that overlaps do not show through a faded group.
///
/// ```json
/// "draw": [
///   { "group": { "opacity": "0.6 + 0.4 * cos(turn * t / duration)", "draw": [
///     { "circle": { "at": [100, 60], "radius": 30, "fill": "#c2402a" } },
///     { "circle": { "at": [140, 60], "radius": 30, "fill": "#0c7b7c" } }
///   ] } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "group")]
pub struct Group {
    /// Marks in painter's order.
    #[schemars(extend("x-also" = ["children", "marks", "items"]))]
    pub draw: Vec<Lenient<Mark>>,
    /// 0 is invisible, 1 opaque; values outside are clamped.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["alpha"]))]
    pub opacity: Num,
    /// A transform of the skeleton: everything is drawn turned, scaled or moved by it.
    #[schemars(extend("x-also" = ["transform", "via", "camera"]))]
    pub through: Option<Name>,
    /// `[left, top, right, bottom]` in px: nothing outside is drawn. The box itself is not transformed.
    #[schemars(extend("x-also" = ["mask", "clip_path", "clipPath", "bounds"]))]
    pub clip: Option<Edges>,
    /// Not drawn while 0.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["visible"]))]
    pub show: Cond,
}

impl MarkKind for Group {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(GroupMark {
            opacity: b.opacity(&self.opacity),
            through: self.through.as_ref().and_then(|name| b.transform(name)),
            clip: self.clip.as_ref().map(|clip| b.edges(clip)),
            show: b.num(&self.show),
            marks: b.marks(&self.draw),
        })
    }
}

struct GroupMark {
    marks: Vec<Box<dyn Draw>>,
    opacity: Program,
    /// Number of the transform.
    through: Option<usize>,
    clip: Option<BoxProgram>,
    show: Program,
}

impl Draw for GroupMark {
    fn draw(&self, pen: &mut Pen) {
        if !pen.holds(&self.show) {
            return;
        }
        pen.layer(pen.number(&self.opacity), |pen| match &self.clip {
            None => self.draw_through(pen),
            Some(clip) => {
                let [left, top, right, bottom] = pen.edges(clip);
                let size = Vec2::new(right - left, bottom - top);
                let corner = Vec2::new(left, top);
                pen.clip(
                    |shape| shape.rect(corner, size, 0.0, |p| p),
                    |pen| self.draw_through(pen),
                );
            }
        });
    }
}

impl GroupMark {
    fn draw_through(&self, pen: &mut Pen) {
        let draw = |pen: &mut Pen| {
            for mark in &self.marks {
                mark.draw(pen);
            }
        };
        match self.through {
            Some(transform) => pen.through(transform, draw),
            None => draw(pen),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::vector::Vec2;
    use crate::picture::Item;
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn the_clip_is_not_transformed() {
        let probe = Probe::drawing(
            r#""skeleton": { "x": { "transform": { "move": [100, 0] } } },
               "draw": [{ "group": { "through": "x", "clip": [10, 20, 30, 40], "opacity": 0.5, "draw": [
                 { "line": { "from": [0, 0], "to": [1, 0] } }, { "line": { "from": [0, 0], "to": [1, 0] } }] } }]"#,
        );
        let picture = probe.picture(0.0);
        assert!(matches!(picture.items[0], Item::Layer { .. }));
        let Item::Clip { outline } = &picture.items[1] else {
            panic!("{:?}", picture.items);
        };
        let corners = [[10.0, 20.0], [30.0, 20.0], [30.0, 40.0], [10.0, 40.0]];
        assert_eq!(picture.points_of(outline), corners.map(Vec2::from));
        assert_eq!(picture.points[4], Vec2::new(100.0, 0.0));
    }

    #[test]
    fn a_box_inside_out_is_said() {
        let clip = |clip| {
            problems(&format!(
                r#""draw": [{{ "group": {{ "clip": {clip}, "draw": [] }} }}]"#
            ))
        };
        let said = clip("[10, 20, 5, 40]");
        assert!(
            said.contains("left must be less than right, but 10 is not below 5"),
            "{said}"
        );
        let said = clip("[10, 20, 30, 20]");
        assert!(
            said.contains("top must be less than bottom, but 20 is not below 20"),
            "{said}"
        );
        let said = clip(r#"[0, 0, "1 - t", 20]"#);
        assert!(
            said.contains("`right - left` is 0 in frame 50 (1.00 s), but must be greater than 0"),
            "{said}"
        );
        let said = clip("[10, 20, 30]");
        assert!(
            said.contains("`clip` takes a box: `[left, top, right, bottom]`, not 3 values"),
            "{said}"
        );
    }
}
