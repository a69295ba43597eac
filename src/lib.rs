//! Hazumi renders animations described in JSON.

pub mod encode;
pub mod maths;
pub mod output;
pub mod pixels;
pub mod spec;
