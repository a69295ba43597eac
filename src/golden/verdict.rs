//! What a check finds, as plain data: every report is made of it, and shards hand it to one another.

use super::container::Change;
use crate::scene;
use serde::{Deserialize, Serialize};

/// What becomes of one spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// As it was given on the command line.
    pub file: String,
    /// That of its golden.
    pub name: String,
    pub status: Status,
    /// The place in the spec, or in one of its parts' files, that says most about what is wrong.
    pub place: Option<Place>,
    /// What is wrong, in a line; empty if nothing is.
    pub message: String,
    /// The claims that do not hold, and how many do.
    pub claims: Claims,
    pub difference: Option<Difference>,
    pub tolerance: Option<Tolerance>,
    /// Number of frames, if they are known.
    pub frames: usize,
    /// The golden, if there is one.
    pub golden: Option<String>,
    /// What was written for a closer look.
    pub written: Vec<String>,
    /// A digest of what could become the golden, where there is none.
    pub candidate: Option<String>,
    /// Pictures for the page, beside the report.
    pub pictures: Option<String>,
}

/// How a check of one spec ends, the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    #[default]
    Passes,
    /// Claims do not hold, or frames differ.
    Differs,
    /// There is no golden.
    Missing,
    /// There is a golden, and it cannot be read.
    Unreadable,
    /// The spec cannot be read, simulated or drawn, or something cannot be written.
    Failed,
}

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// The claims of a spec.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    pub hold: usize,
    pub untrue: Vec<Untrue>,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Untrue {
    /// Its number in `expect`.
    pub number: usize,
    /// Its kind and what it is about.
    pub label: String,
    /// What was measured, and the bound.
    pub words: String,
    /// What was measured, where it is one number.
    pub value: Option<f64>,
    pub bound: Option<String>,
    pub frame: Option<usize>,
    pub place: Place,
}

/// Where frames and their golden part, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    pub layer: Layer,
    /// The first frame that differs, and its time in seconds.
    pub frame: usize,
    pub seconds: f64,
    pub cause: Cause,
    /// The number that differs most, wherever it does.
    #[serde(default)]
    pub largest: Option<Gap>,
    /// Names that differ too and do not depend on the cause, or other marks that draw otherwise.
    pub also: Vec<String>,
    pub pixels: Option<PixelDifference>,
    /// The marks that cover the pixels which differ in the worst frame.
    pub drawn_by: Vec<Share>,
    pub container: Vec<Change>,
    /// Whether the spec was changed since; unknown for goldens made elsewhere.
    pub spec_changed: Option<bool>,
    /// The version of the program that wrote the golden.
    pub version: Option<String>,
    /// Curves of the names that moved.
    pub curves: Vec<Curve>,
}

/// How far a number is from what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    pub name: String,
    /// In its own unit.
    pub size: f64,
    pub frame: usize,
}

/// How deep a difference lies: the numbers, what is drawn of them, or how it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    State,
    Pixels,
    Container,
}

/// What differs first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Cause {
    /// A number.
    Number {
        name: String,
        /// What it belongs to: "a spring".
        what: String,
        expected: f64,
        got: f64,
        /// It differs by less than is kept; the values are those of the first frame in which that shows.
        hidden_until: Option<usize>,
    },
    /// A number that is known to differ, but not by how much.
    Unmeasured { name: String, what: String },
    /// Names that there are no longer, or that are new.
    Names { gone: Vec<String>, new: Vec<String> },
    /// What a mark draws.
    Mark { label: String, change: MarkChange },
    /// The same display lists give other pixels.
    Raster,
    /// Other pixels, and nothing is known of where they come from.
    Unknown,
    /// In px, expected and got.
    Size {
        expected: (u32, u32),
        got: (u32, u32),
    },
    /// How it is played.
    Container,
}

/// How a mark differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkChange {
    Gone,
    New,
    /// It is drawn before or after another.
    Moved,
    /// What of it: "outline", "colour", "stroke".
    Changed(Vec<String>),
}

/// How pixels differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PixelDifference {
    /// Runs of frames that differ, both ends included.
    pub runs: Vec<(usize, usize)>,
    /// How many frames differ.
    pub frames: usize,
    /// The frame with most pixels that differ, unless only digests are known.
    pub worst: Option<Worst>,
    /// Of each frame, how many pixels differ.
    pub counts: Vec<u32>,
}

/// The frame that differs most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    pub frame: usize,
    /// Pixels that differ.
    pub pixels: u32,
    /// Largest difference of a channel in any frame, 1 to 255.
    pub largest: u8,
    /// Left, top, width and height of what differs in this frame.
    pub area: [u32; 4],
}

/// How much of a difference a mark covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub label: String,
    /// Of 100.
    pub percent: u32,
}

/// A number in every frame, as it was and as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub name: String,
    pub expected: Vec<f64>,
    pub got: Vec<f64>,
}

/// How far frames may be from their golden.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Largest difference of a number.
    pub number: f64,
    /// Largest difference of a channel.
    pub channel: u8,
    /// Most pixels of a frame that differ by more.
    pub pixels: u32,
    pub reason: String,
    /// What would have been enough.
    pub enough: Option<Enough>,
}

/// The smallest tolerance with which a check passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Enough {
    pub number: f64,
    pub channel: u8,
    pub pixels: u32,
}

impl Tolerance {
    /// As a spec says it.
    pub fn of(said: &scene::Tolerance) -> Self {
        Self {
            number: said.number,
            channel: said.channel,
            pixels: said.pixels,
            reason: said.reason.clone(),
            enough: None,
        }
    }

    /// Whether less would do.
    pub fn is_wide(&self) -> bool {
        self.enough.is_some_and(|enough| {
            enough.number < self.number / 2.0
                || enough.channel < self.channel
                || enough.pixels < self.pixels / 2
        })
    }
}

/// A golden without a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    pub path: String,
    /// The spec without a golden that shows just this.
    pub renamed_to: Option<String>,
}

/// Everything a check finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Of this form of data.
    pub schema_version: u32,
    /// Of the program.
    pub version: String,
    /// Which part of the specs it is about, and of how many; none for all.
    pub shard: Option<(usize, usize)>,
    /// The folder of goldens, and every golden in it.
    pub golden: String,
    pub goldens: Vec<Listed>,
    /// Whether goldens without a spec count as orphans: a whole folder of specs was given.
    pub judges_orphans: bool,
    pub specs: Vec<Verdict>,
    pub orphans: Vec<Orphan>,
    /// What went wrong outside of any spec.
    pub faults: Vec<String>,
}

/// A golden that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub name: String,
    pub path: String,
    /// A digest of its bytes, in hexadecimal; only of those whose name no spec has.
    pub digest: Option<String>,
}

/// The version of [`Report`].
pub const SCHEMA_VERSION: u32 = 1;

impl Report {
    /// How many specs end like this.
    pub fn count(&self, status: Status) -> usize {
        self.specs
            .iter()
            .filter(|spec| spec.status == status)
            .count()
    }

    /// Those that do not pass, the worst first.
    pub fn failures(&self) -> Vec<&Verdict> {
        let mut failures: Vec<&Verdict> = self
            .specs
            .iter()
            .filter(|spec| spec.status != Status::Passes)
            .collect();
        failures.sort_by_key(|spec| std::cmp::Reverse((spec.status, spec.worst_pixels())));
        failures
    }
}

impl Verdict {
    /// Pixels that differ in the worst frame.
    pub fn worst_pixels(&self) -> u32 {
        let pixels = self.difference.as_ref().and_then(|d| d.pixels.as_ref());
        pixels
            .and_then(|pixels| pixels.worst)
            .map_or(0, |worst| worst.pixels)
    }
}
