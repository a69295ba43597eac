//! From text to a typed document whose every problem is known, with its place.

pub mod node;
pub mod problem;
pub mod source;
pub mod suggest;
