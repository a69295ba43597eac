//! Hazumi renders animations described in JSON.

pub mod formula;
pub mod maths;
pub mod pixels;
pub mod spec;
