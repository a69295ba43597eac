//! The only home of sines, exponentials and curves: portable, the same bits on every machine.

pub mod approach;
pub mod bezier;
pub mod deadzone;
pub mod ease;
pub mod fabrik;
pub mod functions;
pub mod gait;
pub mod ik;
pub mod inertialize;
pub mod pointer;
pub mod polyline;
pub mod random;
pub mod ring;
pub mod smooth;
pub mod spans;
pub mod spline;
pub mod spring;
pub mod spring_ease;
pub mod track;
pub mod vector;

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod reference;
