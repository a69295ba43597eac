//! At a point, or at every point of a list.

use super::Pen;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, ElementScope, PointList, PointProgram};
use crate::spec::slots::{Name, Point};

/// Where a mark stands: at a point, or at every point of a list.
#[derive(Clone, Debug)]
pub enum Place {
    At(PointProgram),
    Of(PointList),
}

impl Place {
    /// Reads `at` or `of`.
    pub fn build(at: &Option<Point>, of: &Option<Name>, b: &mut Builder) -> Self {
        match (at, of) {
            (Some(at), _) => Self::At(b.point(at)),
            (None, Some(of)) => {
                let points = b.points_of(of);
                b.count_drawn(points.len(), of.span);
                Self::Of(PointList::Operands(points))
            }
            (None, None) => Self::Of(PointList::Programs(Vec::new())),
        }
    }

    /// Builds the rest of the mark, where `.i`, `.x` and `.y` mean the element's if there are elements.
    pub fn inside<T>(&self, b: &mut Builder, build: impl FnOnce(&mut Builder) -> T) -> T {
        match self {
            Self::At(_) => build(b),
            Self::Of(_) => b.with_element(ElementScope::slots(&["i", "x", "y"]), build),
        }
    }

    /// Draws at the point, or at every element's.
    pub fn each(&self, pen: &mut Pen, mut draw: impl FnMut(&mut Pen, Vec2)) {
        match self {
            Self::At(at) => {
                let at = pen.point(at);
                draw(pen, at);
            }
            Self::Of(list) => {
                for i in 0..list.len() {
                    let at = list.at(i, &pen.inputs);
                    pen.with_element(&[i as f64, at.x, at.y], |pen| draw(pen, at));
                }
            }
        }
    }
}
