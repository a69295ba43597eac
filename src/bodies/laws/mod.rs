//! The laws of motion of bodies as plain numerics: numbers in, numbers out.
//!
//! A law knows its particles by position in creation order. Its state is one run of numbers: all x, all y,
//! all vx, all vy, then whatever else it keeps. Lengths are in px, y grows downward, time is in T (a second or
//! a frame), masses are multiples of one particle.

mod balls;
mod chain;
mod direct;
mod links;
mod particles;
mod scatter;
mod soft;
mod tridiagonal;
mod walls;

#[cfg(test)]
mod motion_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod vector_tests;

pub use balls::{Ball, Balls, Grab, Offset, Pick, Solver, held};
pub use direct::{DirectRope, hanging, straight};
pub use links::{Cloth, Link, Links, Sweep};
pub use particles::{Particles, Snapshot};
pub use scatter::scatter;
pub use soft::{Pressure, SoftConstraint, SoftForce, stability_limit};
pub use walls::Walls;

use crate::maths::functions::pow;

/// What acts on every body from outside at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// px/T².
    pub gravity: [f64; 2],
    /// An acceleration of every particle, px/T².
    pub wind: [f64; 2],
    pub walls: Option<Walls>,
}

impl Around {
    /// Gravity and wind together, px/T².
    pub fn pull(&self) -> [f64; 2] {
        [
            self.gravity[0] + self.wind[0],
            self.gravity[1] + self.wind[1],
        ]
    }
}

/// One step of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Length of the step, T.
    pub h: f64,
    /// Share of a tick, 1/substeps.
    pub share: f64,
    /// Velocity kept per tick, 0…1.
    pub keep: f64,
}

impl Pace {
    /// Velocity kept per step: keep^share.
    pub fn kept(&self) -> f64 {
        per_step(self.keep, self.share)
    }

    /// Length of a whole tick, T.
    pub fn tick(&self) -> f64 {
        self.h / self.share
    }
}

/// What is left after a share of a tick if `kept` is left after a whole one.
fn per_step(kept: f64, share: f64) -> f64 {
    if share == 1.0 { kept } else { pow(kept, share) }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Operations of a step of one particle.
pub const PER_PARTICLE: f64 = 100.0;
/// Operations of a look at a pair, to see whether it is near.
const PER_LOOK: f64 = 4.0;
/// Operations of a pair in one pass over those that are near.
const PER_PAIR: f64 = 10.0;

/// How the particles of one body move.
///
/// `live` is the law's own live inputs; each law documents their order.
pub trait Law: Send + Sync {
    /// Number of particles.
    fn count(&self) -> usize;

    /// Operations of a step, a rough count, besides those for what is met on the way.
    fn operations(&self) -> f64 {
        PER_PARTICLE * self.count() as f64
    }

    /// Further numbers of state, after positions and velocities; never to be interpolated.
    fn extra(&self) -> usize {
        0
    }

    /// Number of live inputs.
    fn live_inputs(&self) -> usize;

    /// The state as built, at time 0.
    fn start(&self, live: &[f64], p: &mut Particles);

    /// One step; `live` and `around` are those of its end.
    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace);

    /// After positions have been interpolated between two steps: pinned points to their pins, exact lengths restored.
    fn mend(&self, _p: &mut Particles, _live: &[f64]) {}

    /// What went wrong, if anything: not finite, out of bounds, inside out.
    fn trouble(&self, p: Snapshot, live: &[f64]) -> Option<Trouble>;

    /// Kinetic and potential energy, mass·px²/T²; heights count from the floor of the walls, else from y = 0.
    fn energy(&self, p: Snapshot, around: &Around) -> f64;
}

/// How a simulation failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// The particle, if it is one.
    pub element: Option<usize>,
    /// The quantity: "x", "the area".
    pub what: &'static str,
    pub value: f64,
    /// The likely knob and its limit.
    pub advice: String,
}
