//! The only home of sines, exponentials and curves: portable, the same bits on every machine.

pub mod bezier;
pub mod functions;

#[cfg(test)]
mod reference;
