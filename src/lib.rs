//! Hazumi renders animations described in JSON.

pub mod channels;
pub mod claims;
pub mod cli;
pub mod document;
pub mod encode;
pub mod film;
pub mod formula;
pub mod kinds;
pub mod load;
pub mod marks;
pub mod maths;
pub mod output;
pub mod picture;
pub mod pixels;
pub mod raster;
pub mod reference;
pub mod scene;
pub mod seam;
pub mod simulate;
pub mod skeleton;
pub mod spec;
pub mod stage;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
