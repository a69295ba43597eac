//! Formulas: the numbers of a spec that are written as text, from their letters to a flat program.
//!
//! [`parse()`] reads a formula into an [`Expr`], [`compile()`] asks a [`Resolve`] once for every name and
//! gives a [`Program`], which evaluates without allocation and with the same bits everywhere.
//! [`parse_template`] reads text with `{formula}` holes, [`parse_name`] the name of a point, list or channel.

mod ast;
mod compile;
mod error;
mod format;
mod functions;
mod lexer;
mod mistakes;
mod parse;
mod program;
mod range;
mod template;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use ast::{ByteRange, Expr, Kind, Node, Path, Step, StepKind};
pub use compile::{Operand, Resolve, compile};
pub use error::FormulaError;
pub use format::{format_number, write_number};
pub use functions::{Apply, Function};
pub use parse::{DEPTH_LIMIT, parse, parse_name};
pub use program::{Inputs, Program};
pub use range::Range;
pub use template::{Hole, Piece, Template, parse_template};
