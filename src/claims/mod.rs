//! Claims: what must be true of an animation. One file per kind.

use crate::formula::Inputs;
use crate::kinds::kinds;
use crate::scene::Scene;
use crate::scene::builder::Builder;
use crate::simulate::Timeline;
use crate::spec::de::Twice;
use serde::de::DeserializeOwned;
use std::cell::Cell;
use std::ops::Range;

mod places;
#[cfg(test)]
pub(crate) mod probe;
mod window;

pub use window::{Bounds, BoundsCheck, Nothing, Window, WindowCheck};

kinds! {
    /// Something that must be true.
    pub enum Claim("claim"): AnyClaim, each Claimed<_>;
    area: Area,
    bounces: Bounces,
    energy: Energy,
    inside: Inside,
    jump: Jump,
    length: Length,
    overlap: Overlap,
    overshoot: Overshoot,
    ratio: Ratio,
    reached: Reached,
    seam: Seam,
    settles: Settles,
    slip: Slip,
    still: Still,
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

    /// Whether it looks at what would be shown at t = duration.
    fn needs_end(&self) -> bool {
        false
    }
}

/// A claim with the name of its kind.
pub struct NamedClaim {
    pub name: &'static str,
    pub claim: Box<dyn Check>,
}

/// A simulated scene at its own frames.
pub struct Film<'f> {
    pub scene: &'f Scene,
    /// A row for every frame, and if the end was asked for, one more of what would be shown at t = duration.
    pub timeline: &'f Timeline,
    /// Number of frames.
    pub frames: usize,
}

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub holds: bool,
    /// What was measured, if it is one number.
    pub value: Option<f64>,
    /// What it may be, in words.
    pub bound: Option<String>,
    /// The frame at which the measured value stands, if it has one.
    pub frame: Option<usize>,
    /// What was measured, in words: `jump of dot is 24.1, at most 30`.
    pub words: String,
}

impl Film<'_> {
    /// The row of t = duration.
    pub fn end(&self) -> Option<usize> {
        (self.timeline.frames() > self.frames).then_some(self.frames)
    }

    /// Calls with every frame and what formulas read in it.
    pub fn all(&self, visit: impl FnMut(usize, &Inputs)) {
        self.each(0..self.frames, visit);
    }

    /// Calls with every frame of a range but the first, the row of the frame before and its own.
    pub fn steps(&self, frames: Range<usize>, mut visit: impl FnMut(usize, &[f64], &[f64])) {
        let (mut before, mut now) = (Vec::new(), Vec::new());
        for frame in frames {
            self.timeline.row(frame, &mut now);
            if !before.is_empty() {
                visit(frame, &before, &now);
            }
            std::mem::swap(&mut before, &mut now);
        }
    }

    /// As [`Film::all`], for a range of the frames.
    pub fn each(&self, frames: Range<usize>, mut visit: impl FnMut(usize, &Inputs)) {
        let mut row = Vec::new();
        let violation = Cell::new(None);
        for frame in frames {
            self.timeline.row(frame, &mut row);
            visit(frame, &Inputs::new(&row, &[], &violation));
        }
    }
}
