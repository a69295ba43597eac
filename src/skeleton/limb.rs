//! What the kinds of limbs share: the order of their columns, and what the columns mean.

use crate::formula::Operand;
use crate::maths::functions::maximum;
use crate::maths::vector::Vec2;
use crate::scene::entity::{Entity, PointOperand};

/// The parts of a limb's columns: x and y of every joint, what every bone should be long, the length of all
/// bones, and what the kind adds.
pub struct Parts<'o> {
    pub joints: &'o mut [[f64; 2]],
    pub lengths: &'o mut [f64],
    pub length: &'o mut f64,
    pub more: &'o mut [f64],
}

/// How many columns a limb of so many bones takes, without what its kind adds.
pub fn columns(bones: usize) -> usize {
    2 * (bones + 1) + bones + 1
}

/// Tells a limb's columns apart.
pub fn parts(bones: usize, out: &mut [f64]) -> Parts<'_> {
    let (joints, rest) = out.split_at_mut(2 * (bones + 1));
    let (lengths, rest) = rest.split_at_mut(bones);
    let (length, more) = rest.split_at_mut(1);
    Parts {
        joints: joints.as_chunks_mut::<2>().0,
        lengths,
        length: &mut length[0],
        more,
    }
}

/// One of the columns that begin at the first.
pub fn column(first: Operand, place: usize) -> Operand {
    match first {
        Operand::Column(first) => Operand::Column(first + place as u32),
        other => other,
    }
}

/// A limb of so many bones: its joints, `end` and `length`.
pub fn describe(what: &'static str, first: Operand, bones: usize) -> Entity {
    let joint = |i: usize| -> PointOperand { [column(first, 2 * i), column(first, 2 * i + 1)] };
    let lengths = (0..bones).map(|i| column(first, 2 * (bones + 1) + i));
    let length = column(first, columns(bones) - 1);
    Entity {
        lengths: Some(lengths.collect()),
        ..Entity::points(what, (0..=bones).map(joint).collect())
    }
    .with("length", Entity::number("a number", length))
}

/// How far a point is from where it should be, as `.error`.
pub fn miss(joints: &[[f64; 2]], target: Vec2) -> f64 {
    let tip = joints.last().copied().unwrap_or_default();
    Vec2::from(tip).distance(target)
}

/// How far a distance lies out of the reach of bones: beyond all of them, or within what the longest shields.
pub fn out_of_reach(lengths: &[f64], distance: f64) -> f64 {
    let total = lengths.iter().sum::<f64>();
    let longest = lengths
        .iter()
        .fold(0.0, |most, length| maximum(most, *length));
    maximum(distance - total, 2.0 * longest - total - distance).max(0.0)
}
