//! The points of a body, a limb or a joint, with the discs around them.

use crate::formula::{Inputs, Operand};
use crate::maths::functions::hypot;
use crate::scene::builder::Builder;
use crate::scene::entity::PointOperand;
use crate::spec::slots::Name;
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

    /// What several names stand for.
    pub fn build_all(names: &[Name], b: &mut Builder) -> Vec<Self> {
        names.iter().map(|name| Self::build(name, b)).collect()
    }

    /// What a person calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The longest way of any point from one row to another, px, and which point goes it.
    pub fn longest_way(&self, from: &[f64], to: &[f64]) -> (f64, usize) {
        let along = |operand: &Operand| match operand {
            Operand::Column(column) => to[*column as usize] - from[*column as usize],
            _ => 0.0,
        };
        let mut longest = (0.0, 0);
        for (i, [x, y]) in self.points.iter().enumerate() {
            let way = hypot(along(x), along(y));
            if way > longest.0 {
                longest = (way, i);
            }
        }
        longest
    }

    /// Every disc at a row.
    pub fn discs<'p>(&'p self, inputs: &'p Inputs<'_>) -> impl Iterator<Item = Disc> + 'p {
        let value = move |operand: &Operand| operand.value(inputs);
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
