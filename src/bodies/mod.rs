//! Bodies: simulated particles. One file per kind, over the laws of motion in [`laws`].

use crate::kinds::kinds;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::spec::de::Twice;

pub mod laws;
mod memory;
mod pins;
mod world;

pub use world::{Common, World};

kinds! {
    /// A body of particles.
    pub enum Body("body"): AnyBody, each Bodied<_>;
    balls: Balls,
    cloth: Cloth,
    rope: Rope,
    soft_body: SoftBody,
}

/// A body's own fields, and beside them in the same object those of the world that it overrides.
pub type Bodied<T> = Twice<T, Common>;

/// A kind of body.
pub trait BodyKind {
    /// Checks and resolves its fields, and declares its outputs.
    fn build(&self, common: &Common, b: &mut Builder) -> Entity;
}

/// Any kind of body, read together with what it overrides.
pub trait AnyBody {
    /// Checks and resolves its fields, and declares its outputs.
    fn build(&self, b: &mut Builder) -> Entity;
}

impl<T: BodyKind> AnyBody for Bodied<T> {
    fn build(&self, b: &mut Builder) -> Entity {
        self.0.build(&self.1, b)
    }
}
