//! Flat arrays of positions and velocities.

use super::{Around, Trouble};
use crate::maths::vector::Vec2;

/// How far from the origin a particle may go, px.
const FAR: f64 = 1e6;

/// Positions (px) and velocities (px/T) of all particles in creation order, and whatever else a law keeps.
pub struct Particles<'a> {
    pub x: &'a mut [f64],
    pub y: &'a mut [f64],
    pub vx: &'a mut [f64],
    pub vy: &'a mut [f64],
    pub extra: &'a mut [f64],
    /// Operations that what is met takes, beyond those of [`super::Law::operations`].
    pub spent: f64,
    /// So many of them may be spent; a step with more may stop before it is done.
    pub room: f64,
}

impl<'a> Particles<'a> {
    /// Views a state of `count` particles: x…, y…, vx…, vy…, extra….
    ///
    /// # Panics
    /// If the state has fewer than 4·count numbers.
    pub fn split(state: &'a mut [f64], count: usize) -> Self {
        let (x, rest) = state.split_at_mut(count);
        let (y, rest) = rest.split_at_mut(count);
        let (vx, rest) = rest.split_at_mut(count);
        let (vy, extra) = rest.split_at_mut(count);
        Self {
            x,
            y,
            vx,
            vy,
            extra,
            spent: 0.0,
            room: f64::INFINITY,
        }
    }
}

impl Particles<'_> {
    /// Spends operations; whether there is room for more.
    pub(super) fn spend(&mut self, operations: f64) -> bool {
        self.spent += operations;
        self.spent <= self.room
    }

    pub fn count(&self) -> usize {
        self.x.len()
    }

    pub fn at(&self, i: usize) -> [f64; 2] {
        [self.x[i], self.y[i]]
    }

    /// Puts particle i to a place.
    pub(super) fn put(&mut self, i: usize, [x, y]: [f64; 2]) {
        self.x[i] = x;
        self.y[i] = y;
    }

    /// Lays all particles out at rest.
    pub(super) fn lay(&mut self, points: &[[f64; 2]]) {
        for (i, &point) in points.iter().enumerate() {
            self.put(i, point);
        }
        self.vx.fill(0.0);
        self.vy.fill(0.0);
        self.extra.fill(0.0);
    }

    /// Puts pinned particles to their pins (`live`: x, y of each), with no change of velocity.
    pub(super) fn pin(&mut self, pins: &[usize], live: &[f64]) {
        for (&i, at) in pins.iter().zip(live.chunks_exact(2)) {
            self.put(i, [at[0], at[1]]);
        }
    }

    /// Where pinned particles are.
    pub(super) fn places(&self, pins: &[usize]) -> Vec<[f64; 2]> {
        pins.iter().map(|&i| self.at(i)).collect()
    }

    /// Moves pinned particles from where they were to their pins within h: their velocity is that of the way.
    pub(super) fn haul(&mut self, pins: &[usize], from: &[[f64; 2]], live: &[f64], h: f64) {
        for ((&i, was), at) in pins.iter().zip(from).zip(live.chunks_exact(2)) {
            self.vx[i] = (at[0] - was[0]) / h;
            self.vy[i] = (at[1] - was[1]) / h;
            self.put(i, [at[0], at[1]]);
        }
    }

    /// The same to look at.
    pub fn read(&self) -> Snapshot<'_> {
        Snapshot {
            x: self.x,
            y: self.y,
            vx: self.vx,
            vy: self.vy,
            extra: self.extra,
        }
    }
}

/// Positions and velocities as they are at one moment, to look at.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    pub x: &'a [f64],
    pub y: &'a [f64],
    pub vx: &'a [f64],
    pub vy: &'a [f64],
    pub extra: &'a [f64],
}

impl<'a> Snapshot<'a> {
    /// Views a state of `count` particles, in the order of [`Particles::split`].
    ///
    /// # Panics
    /// If the state has fewer than 4·count numbers.
    pub fn split(state: &'a [f64], count: usize) -> Self {
        let (x, rest) = state.split_at(count);
        let (y, rest) = rest.split_at(count);
        let (vx, rest) = rest.split_at(count);
        let (vy, extra) = rest.split_at(count);
        Self {
            x,
            y,
            vx,
            vy,
            extra,
        }
    }

    pub fn count(&self) -> usize {
        self.x.len()
    }

    pub fn place(&self, i: usize) -> Vec2 {
        Vec2::new(self.x[i], self.y[i])
    }

    /// The first particle that is not finite or out of bounds.
    pub(super) fn stray(&self, advice: impl Fn() -> String) -> Option<Trouble> {
        let lists: [(&'static str, &[f64]); 4] = [
            ("x", self.x),
            ("y", self.y),
            ("vx", self.vx),
            ("vy", self.vy),
        ];
        let first = |&(what, list): &(&'static str, &[f64])| {
            let far = if what.len() == 1 { FAR } else { f64::MAX };
            let i = list.iter().position(|v| v.is_nan() || v.abs() > far)?;
            Some((i, what, list[i]))
        };
        let (i, what, value) = lists.iter().find_map(first)?;
        Some(Trouble {
            element: Some(i),
            what,
            value,
            advice: advice(),
        })
    }

    /// Kinetic energy and that of height, of particles with the masses given.
    pub(super) fn mechanical(&self, around: &Around, mass: impl Fn(usize) -> f64) -> f64 {
        let floor = around.walls.map_or(0.0, |walls| walls.edges[3]);
        let [gx, gy] = around.gravity;
        let each = |i: usize| {
            let kinetic = 0.5 * (self.vx[i] * self.vx[i] + self.vy[i] * self.vy[i]);
            mass(i) * (kinetic - gx * self.x[i] - gy * (self.y[i] - floor))
        };
        (0..self.count()).map(each).sum()
    }
}
