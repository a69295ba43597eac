//! Formulas: the numbers of a spec that are written as text.
//!
//! [`parse`] reads a formula into an [`Expr`], [`parse_name`] the name of a point, list or channel.

mod ast;
mod error;
mod functions;
mod lexer;
mod mistakes;
mod parse;

pub use ast::{ByteRange, Expr, Kind, Node, Path, Step, StepKind};
pub use error::FormulaError;
pub use functions::{Apply, Function};
pub use parse::{DEPTH_LIMIT, parse, parse_name};
