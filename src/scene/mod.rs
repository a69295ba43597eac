//! A spec with its meaning: names resolved to columns of numbers, ranges checked, the order of evaluation
//! fixed.
//!
//! A frame is a row of numbers. Column 0 is the time, column 1 the number of the frame; every named output
//! has a column after those it depends on.

pub mod builder;
pub mod colours;
mod compile;
mod drawing;
pub mod entity;
mod names;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
pub(crate) mod probe;

pub use compile::{Options, compile};
pub use drawing::{BoxProgram, Check};
pub use names::ScopeId;

use crate::claims::NamedClaim;
use crate::document::TimeUnit;
use crate::formula::{Inputs, Operand, Program, Range};
use crate::marks::Draw;
use crate::picture::ColourId;
use crate::spec::source::Span;
use builder::PointProgram;
use colours::Colours;

/// Size, rate and length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// px.
    pub width: f64,
    /// px.
    pub height: f64,
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// Length in T.
    pub duration: f64,
    /// What T is.
    pub unit: TimeUnit,
}

impl Clock {
    /// What frame `i` shows, in T.
    pub fn time_of(&self, frame: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => frame / self.fps,
            TimeUnit::Frames => frame,
        }
    }

    /// The number of the frame at a time in T; fractional between frames.
    pub fn frame_at(&self, time: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => time * self.fps,
            TimeUnit::Frames => time,
        }
    }

    /// A time in T, in seconds.
    pub fn seconds(&self, time: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => time,
            TimeUnit::Frames => time / self.fps,
        }
    }
}

/// A value that must keep a range, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    pub span: Span,
    /// The formula as written.
    pub what: String,
    pub range: Range,
}

/// A function of the columns before it.
pub trait Signal: Send + Sync {
    /// Fills its columns from those before it.
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]);
}

/// One step of evaluating a row.
pub struct Step {
    pub first: u32,
    pub outputs: u32,
    /// Columns it reads.
    pub reads: Vec<u32>,
    pub signal: Box<dyn Signal>,
}

/// Scale, skew and rotation about a pivot, then a move.
#[derive(Clone, Debug)]
pub struct Transform {
    pub pivot: PointProgram,
    pub shift: PointProgram,
    pub scale: PointProgram,
    pub rotate: Program,
    pub skew: PointProgram,
}

impl Transform {
    /// Every formula in it.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        let pairs = [&self.pivot, &self.shift, &self.scale, &self.skew];
        let sides = pairs.into_iter().flat_map(|pair| [&pair.x, &pair.y]);
        sides.chain([&self.rotate])
    }
}

/// A name of the spec with its value, for `trace`.
#[derive(Clone, Debug)]
pub struct Named {
    pub path: String,
    pub operand: Operand,
}

/// How the end meets the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looping {
    /// It need not.
    None,
    /// Frame N would be frame 0.
    Exact,
}

/// Everything that is needed to simulate and draw; read-only.
pub struct Scene {
    pub title: Option<String>,
    pub alt: Option<String>,
    pub clock: Clock,
    pub background: ColourId,
    pub colours: Colours,
    pub columns: usize,
    pub steps: Vec<Step>,
    pub guards: Vec<Guard>,
    pub transforms: Vec<Transform>,
    pub marks: Vec<Box<dyn Draw>>,
    /// Columns that marks and claims read.
    pub drawn: Vec<u32>,
    /// Every name in the order of the file.
    pub names: Vec<Named>,
    /// The names asked for, if any.
    pub wanted: Vec<Named>,
    pub looping: Looping,
    pub claims: Vec<NamedClaim>,
}
