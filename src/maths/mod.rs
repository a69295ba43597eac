//! The only home of sines, exponentials and curves: portable, the same bits on every machine.

pub mod bezier;
pub mod ease;
pub mod functions;
pub mod ring;
pub mod spring_ease;
pub mod track;

#[cfg(test)]
mod reference;
