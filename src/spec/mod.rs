//! From text to a typed document whose every problem is known, with its place.

pub mod json;
pub mod node;
pub mod problem;
pub mod read;
pub mod report;
pub mod source;
pub mod suggest;
