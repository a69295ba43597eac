//! Hazumi renders animations described in JSON: the same bytes on every machine.
//!
//! Data goes one way, and is smaller and plainer at every stop:
//!
//! ```text
//! JSON text ──► spec ──► scene ──► simulate ──► marks ──► raster ──► encode ──► file
//!               what      what it   fixed ticks  one row   pixels     bytes
//!               was       means     → Timeline   → Picture
//!               written
//! ```
//!
//! [`Animation`] is a spec that has been read, checked and resolved. [`Animation::simulate`] makes a [`Film`]
//! of it: every frame as a row of numbers. [`Film::studio`] draws the frames in one [`Look`], and
//! [`Studio::save`] writes them. Beside the road stands `golden`: it compares numbers and pixels with what was
//! once accepted.
//!
//! ```
//! use hazumi::{Animation, Choices, Look};
//!
//! let spec = r##"{
//!     "hazumi": 1, "alt": "A ball swings.",
//!     "canvas": { "size": [120, 80], "duration": 1 },
//!     "channels": { "x": { "wave": { "period": 1, "amplitude": 40, "around": 60 } } },
//!     "draw": [ { "circle": { "at": ["x", 40], "radius": 12, "fill": "#c2402a" } } ]
//! }"##;
//! let animation = Animation::parse("swing", spec, &Choices::default())?;
//! let film = animation.simulate()?;
//! let studio = film.studio(&Look::default())?;
//! let pixels = studio.frame(12);
//! assert_eq!((pixels.width, pixels.height), (120, 80));
//! # Ok::<(), hazumi::Error>(())
//! ```
//!
//! A mistake in a spec is an [`Error::Spec`] with every problem of the file, each with its place.

#![forbid(unsafe_code)]

pub mod claims;
pub mod encode;
pub mod film;
pub mod limits;
pub mod load;
pub mod output;
pub mod pixels;
pub mod provenance;
pub mod sprite;
pub mod stills;

// The stages behind that face, open to this repository's own tests and benches: they may change at any time.
#[doc(hidden)]
pub mod bodies;
#[doc(hidden)]
pub mod channels;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod digest;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod formula;
#[doc(hidden)]
pub mod golden;
#[doc(hidden)]
pub mod kinds;
#[doc(hidden)]
pub mod marks;
#[doc(hidden)]
pub mod maths;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod raster;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod scene;
#[doc(hidden)]
pub mod seam;
#[doc(hidden)]
pub mod simulate;
#[doc(hidden)]
pub mod skeleton;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub mod stage;
#[doc(hidden)]
pub mod text;
mod warnings;

pub use film::{Error, Film, Look, Play, Studio};
pub use limits::{Limit, Limits};
pub use load::{Animation, Choices, Problems};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
