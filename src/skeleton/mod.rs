//! The skeleton: named joints, limbs and transforms. One file per kind.

use crate::kinds::{Plain, kinds};
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;

mod limb;

kinds! {
    /// A joint, a limb or a transform.
    pub enum Joint("joint"): JointKind, each Plain<_>;
    along: Along,
    bone: Bone,
    chain: Chain,
    curve: Curve,
    ik: Ik,
    mix: Mix,
    spring: Spring,
    transform: Transform,
}

/// A kind of joint, limb or transform.
pub trait JointKind {
    /// Checks and resolves its fields, and declares its outputs.
    fn build(&self, b: &mut Builder) -> Entity;
}
