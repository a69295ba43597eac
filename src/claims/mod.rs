//! Claims: what must be true of an animation. One file per kind.

use crate::kinds::kinds;
use crate::scene::Scene;
use crate::scene::builder::Builder;
use crate::simulate::Timeline;
use crate::spec::de::Twice;
use serde::de::DeserializeOwned;

#[cfg(test)]
pub(crate) mod probe;
mod window;

pub use window::{Bounds, BoundsCheck, Nothing, Window, WindowCheck};

kinds! {
    /// Something that must be true.
    pub enum Claim("claim"): AnyClaim, each Claimed<_>;
    jump: Jump,
    length: Length,
    overshoot: Overshoot,
    ratio: Ratio,
    reached: Reached,
    seam: Seam,
    settles: Settles,
    slip: Slip,
    travel: Travel,
    value: Value,
}

/// A claim's own fields, and beside them in the same object those it shares with others.
pub type Claimed<T> = Twice<T, <T as ClaimKind>::Shared>;

/// A kind of claim.
pub trait ClaimKind {
    /// Fields shared with other claims: any of [`Bounds`] and [`Window`], or [`Nothing`].
    type Shared: DeserializeOwned;

    /// Checks and resolves its fields.
    fn build(&self, shared: &Self::Shared, b: &mut Builder) -> Box<dyn Check>;
}

/// Any kind of claim, read together with its shared fields.
pub trait AnyClaim {
    /// Checks and resolves its fields.
    fn build(&self, b: &mut Builder) -> Box<dyn Check>;
}

impl<T: ClaimKind> AnyClaim for Twice<T, T::Shared> {
    fn build(&self, b: &mut Builder) -> Box<dyn Check> {
        self.0.build(&self.1, b)
    }
}

/// Judges a film.
pub trait Check: Send + Sync {
    /// What was measured, and whether the claim holds.
    fn judge(&self, film: &Film) -> Verdict;
}

/// A claim with the name of its kind.
pub struct NamedClaim {
    pub name: &'static str,
    pub claim: Box<dyn Check>,
}

/// A simulated scene at its own frames.
pub struct Film<'f> {
    pub scene: &'f Scene,
    pub timeline: &'f Timeline,
}

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub holds: bool,
    /// The frame at which the measured value stands, if it has one.
    pub frame: Option<usize>,
    /// What was measured, in words: `jump of dot is 24.1, at most 30`.
    pub words: String,
}

impl Film<'_> {
    /// Calls with every frame of a range and its row.
    pub fn each(&self, frames: std::ops::Range<usize>, mut visit: impl FnMut(usize, &[f64])) {
        let mut row = Vec::new();
        for frame in frames {
            self.timeline.row(frame, &mut row);
            visit(frame, &row);
        }
    }
}
