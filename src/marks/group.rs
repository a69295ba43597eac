use super::{Draw, Mark, MarkKind, NoStyle, Pen};
use crate::formula::Program;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Marks drawn together and composited once, so that overlaps do not show through a faded group.
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
    /// Not drawn while 0.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["visible"]))]
    pub show: Cond,
}

impl MarkKind for Group {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(GroupMark {
            opacity: b.num(&self.opacity),
            show: b.num(&self.show),
            marks: b.marks(&self.draw),
        })
    }
}

struct GroupMark {
    marks: Vec<Box<dyn Draw>>,
    opacity: Program,
    show: Program,
}

impl Draw for GroupMark {
    fn draw(&self, pen: &mut Pen) {
        if !pen.holds(&self.show) {
            return;
        }
        pen.layer(pen.number(&self.opacity), |pen| {
            for mark in &self.marks {
                mark.draw(pen);
            }
        });
    }
}
