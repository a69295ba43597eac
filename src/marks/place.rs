//! At a point, or at every point of a list.

use super::Pen;
use crate::formula::Operand;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, ElementScope, PointProgram};
use crate::scene::entity::PointOperand;
use crate::spec::slots::{Name, Point};
use crate::spec::source::Span;
use std::sync::Arc;

/// Where a mark stands: at a point, or at every point of a list.
#[derive(Clone, Debug)]
pub enum Place {
    At(PointProgram),
    Of(Members),
}

/// Points of a list, with what a body's elements have besides.
#[derive(Clone, Debug, Default)]
pub struct Members {
    points: Arc<[PointOperand]>,
    /// Numbers by name, in the order of the element's slots after `.i`, `.x` and `.y`.
    numbers: Vec<(&'static str, Arc<[Operand]>)>,
    labels: Option<Arc<[String]>>,
}

impl Place {
    /// Reads `at` or `of`.
    pub fn build(at: &Option<Point>, of: &Option<Name>, b: &mut Builder) -> Self {
        match (at, of) {
            (Some(at), _) => Self::At(b.point(at)),
            (None, Some(of)) => {
                let points = b.points_of(of);
                b.count_drawn(points.len(), of.span);
                let elements = b.entity(of).and_then(|entity| entity.elements);
                let elements = elements.as_deref().cloned().unwrap_or_default();
                Self::Of(Members {
                    points,
                    numbers: elements.numbers,
                    labels: elements.labels,
                })
            }
            (None, None) => Self::Of(Members::default()),
        }
    }

    /// Builds the rest of the mark, where `.i`, `.x` and `.y` mean the element's if there are elements.
    pub fn inside<T>(&self, b: &mut Builder, build: impl FnOnce(&mut Builder) -> T) -> T {
        match self {
            Self::At(_) => build(b),
            Self::Of(members) => b.with_element(members.scope(), |b| {
                let count = members.points.len().max(1);
                b.repeated(count, Span::default(), build)
            }),
        }
    }

    /// Draws at the point, or at every element's.
    pub fn each(&self, pen: &mut Pen, mut draw: impl FnMut(&mut Pen, Vec2)) {
        match self {
            Self::At(at) => {
                let at = pen.point(at);
                draw(pen, at);
            }
            Self::Of(members) => {
                let mut slots = Vec::new();
                for (i, [x, y]) in members.points.iter().enumerate() {
                    let at = Vec2::new(x.value(&pen.inputs), y.value(&pen.inputs));
                    slots.clear();
                    slots.extend([i as f64, at.x, at.y]);
                    let numbers = members.numbers.iter();
                    slots.extend(numbers.map(|(_, all)| all[i].value(&pen.inputs)));
                    pen.with_element(&slots, |pen| draw(pen, at));
                }
            }
        }
    }
}

impl Members {
    fn scope(&self) -> ElementScope {
        let names = ["i", "x", "y"].into_iter();
        let names: Vec<&str> = names.chain(self.numbers.iter().map(|(n, _)| *n)).collect();
        ElementScope {
            columns: self.numbers.clone(),
            labels: self.labels.clone(),
            ..ElementScope::slots(&names)
        }
    }
}
