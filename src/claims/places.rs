//! The points of a body, a limb or a joint, with the discs around them.

use crate::formula::{Inputs, Operand};
use crate::scene::builder::Builder;
use crate::scene::entity::PointOperand;
use crate::spec::slots::Name;
use std::cell::Cell;
use std::sync::Arc;

/// Points with radii, by name.
pub struct Places {
    name: String,
    points: Vec<PointOperand>,
    /// Of balls.
    radii: Option<Arc<[Operand]>>,
}

/// A point with what lies around it, in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    pub x: f64,
    pub y: f64,
    pub radius: f64,
}

impl Places {
    /// What a name stands for.
    pub fn build(name: &Name, b: &mut Builder) -> Self {
        Self {
            name: name.describe(),
            points: b.places(name),
            radii: b.element_numbers(name, "radius"),
        }
    }

    /// As [`Places::build`], but something without radii is an error.
    pub fn build_balls(name: &Name, b: &mut Builder) -> Self {
        let places = Self::build(name, b);
        if places.radii.is_none()
            && let Some(entity) = b.entity(name).filter(|entity| !entity.broken)
        {
            b.wrong_entity(name, &entity, "balls");
        }
        places
    }

    /// Every disc at a row.
    pub fn discs<'p>(&'p self, row: &'p [f64]) -> impl Iterator<Item = Disc> + 'p {
        let value = move |operand: &Operand| {
            let violation = Cell::new(None);
            operand.value(&Inputs::new(row, &[], &violation))
        };
        self.points.iter().enumerate().map(move |(i, [x, y])| Disc {
            x: value(x),
            y: value(y),
            radius: self.radii.as_ref().map_or(0.0, |radii| value(&radii[i])),
        })
    }

    /// The name of one of the points.
    pub fn name_of(&self, i: usize) -> String {
        match self.points.len() {
            0 | 1 => self.name.clone(),
            _ => format!("{}[{i}]", self.name),
        }
    }
}
