//! The box bodies live in.

use super::{Pace, Particles, per_step};

/// Walls that particles bounce off, from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Left, top, right, bottom, px.
    pub edges: [f64; 4],
    /// Restitution, 0…1.
    pub bounce: f64,
    /// Share of the sliding speed lost per tick of contact, 0…1.
    pub friction: f64,
}

/// Which walls a particle has met.
#[derive(Clone, Copy, Default)]
pub(super) struct Met {
    pub x: bool,
    pub y: bool,
}

impl Walls {
    /// Sliding speed kept per step.
    pub(super) fn slide(&self, pace: Pace) -> f64 {
        per_step(1.0 - self.friction, pace.share)
    }

    /// A particle beyond a wall goes back onto it and its speed is turned inward, times the bounce.
    pub(super) fn bounce(&self, p: &mut Particles, i: usize, slide: f64) {
        let [left, top, right, bottom] = self.edges;
        let x = turn(&mut p.x[i], &mut p.vx[i], (left, right), self.bounce);
        let y = turn(&mut p.y[i], &mut p.vy[i], (top, bottom), self.bounce);
        if x {
            p.vy[i] *= slide;
        }
        if y {
            p.vx[i] *= slide;
        }
    }

    /// Puts a place back between the walls.
    pub(super) fn hold(&self, x: &mut f64, y: &mut f64) -> Met {
        let [left, top, right, bottom] = self.edges;
        Met {
            x: within(x, left, right),
            y: within(y, top, bottom),
        }
    }

    /// Velocity after contact of a particle that came with the velocity `before`: at least the bounce, inward.
    ///
    /// Speeds up to `rest` do not bounce.
    pub(super) fn rebound(
        &self,
        p: &mut Particles,
        i: usize,
        before: [f64; 2],
        rest: f64,
        slide: f64,
    ) {
        let [left, top, right, bottom] = self.edges;
        let back = |v: f64| if v > rest { v * self.bounce } else { 0.0 };
        let x = away(p.x[i], &mut p.vx[i], (left, right), before[0], back);
        let y = away(p.y[i], &mut p.vy[i], (top, bottom), before[1], back);
        if x {
            p.vy[i] *= slide;
        }
        if y {
            p.vx[i] *= slide;
        }
    }
}

/// Turns one coordinate back at the walls; whether it met one.
fn turn(x: &mut f64, v: &mut f64, (low, high): (f64, f64), bounce: f64) -> bool {
    if *x < low {
        *x = low;
        *v = v.abs() * bounce;
        true
    } else if *x > high {
        *x = high;
        *v = -v.abs() * bounce;
        true
    } else {
        false
    }
}

/// Moves a coordinate into a range; whether it was outside.
pub(super) fn within(x: &mut f64, low: f64, high: f64) -> bool {
    let was = *x;
    if *x > high {
        *x = high;
    }
    if *x < low {
        *x = low;
    }
    *x != was
}

/// Gives a coordinate on a wall at least the speed `back` makes of the one it came with.
fn away(
    x: f64,
    v: &mut f64,
    (low, high): (f64, f64),
    before: f64,
    back: impl Fn(f64) -> f64,
) -> bool {
    if x <= low && before <= 0.0 {
        *v = v.max(back(-before));
        true
    } else if x >= high && before >= 0.0 {
        *v = v.min(-back(before));
        true
    } else {
        false
    }
}
