//! The box bodies live in.

use super::{Pace, Particles, per_step};
use crate::maths::functions::hypot;

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
    pub(super) fn rebound(&self, p: &mut Particles, i: usize, before: [f64; 2], touch: Touch) {
        let [left, top, right, bottom] = self.edges;
        let back = |v: f64| if v > touch.rest { v * self.bounce } else { 0.0 };
        let x = away(p.x[i], &mut p.vx[i], (left, right), before[0], back);
        let y = away(p.y[i], &mut p.vy[i], (top, bottom), before[1], back);
        if x {
            p.vy[i] = touch.rub(p.vy[i]);
        }
        if y {
            p.vx[i] = touch.rub(p.vx[i]);
        }
    }

    /// How particles under this pull touch the walls.
    pub(super) fn touch(&self, pull: [f64; 2], pace: Pace) -> Touch {
        Touch {
            rest: 2.0 * hypot(pull[0], pull[1]) * pace.tick(),
            slide: self.slide(pace),
            creep: CREEP / pace.tick(),
        }
    }
}

/// Sliding slower than this stops, px per tick: no eye sees it, but it would roll a ring about in a minute.
const CREEP: f64 = 0.01;

/// What contact with a wall does to speeds.
#[derive(Clone, Copy)]
pub(super) struct Touch {
    /// Speed up to which nothing bounces, px/T: two ticks of the pull.
    rest: f64,
    /// Sliding speed kept per step.
    slide: f64,
    /// Sliding speed that stops, px/T.
    creep: f64,
}

impl Touch {
    fn rub(self, v: f64) -> f64 {
        if v.abs() < self.creep { 0.0 } else { v * self.slide }
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
