//! From text to a typed document whose every problem is known, with its place.

pub mod de;
mod foreign;
pub mod json;
pub mod node;
pub mod outline;
pub mod problem;
pub mod read;
pub mod report;
pub mod schema;
pub mod slots;
pub mod source;
pub mod suggest;
pub mod validate;
