//! Ropes whose links are all solved together.

use super::chain::Chain;
use super::links::weights;
use super::{Around, Law, Pace, Particles, Snapshot, Trouble, Walls, dot};
use crate::maths::functions::{ceil, clamp, hypot, sqrt};
use crate::maths::polyline;
use crate::maths::vector::Vec2;

/// Most that the speed is raised by to make up for lost energy in one part of a step, as a square.
const REGAIN: f64 = 1.02;

/// `points` points at equal distances from one place to another.
pub fn straight(from: [f64; 2], to: [f64; 2], points: usize) -> Vec<[f64; 2]> {
    let at = |i: usize| {
        let u = i as f64 / (points - 1) as f64;
        [
            from[0] + (to[0] - from[0]) * u,
            from[1] + (to[1] - from[1]) * u,
        ]
    };
    (0..points).map(at).collect()
}

/// `points` points at equal distances along the parabola of this length that hangs from one place to another.
///
/// It sags toward `down`, a unit vector: line + 4·sag·u·(1 − u)·down. A length not above the distance gives the
/// straight line.
pub fn hanging(
    from: [f64; 2],
    to: [f64; 2],
    length: f64,
    down: [f64; 2],
    points: usize,
) -> Vec<[f64; 2]> {
    let fine = (8 * points).clamp(1024, 65_536);
    let curve = |sag: f64| -> Vec<[f64; 2]> {
        let mut line = straight(from, to, fine);
        for (i, at) in line.iter_mut().enumerate() {
            let u = i as f64 / (fine - 1) as f64;
            let hang = 4.0 * sag * u * (1.0 - u);
            *at = [at[0] + hang * down[0], at[1] + hang * down[1]];
        }
        line
    };
    let (mut low, mut high) = (0.0, length);
    for _ in 0..60 {
        let sag = (low + high) / 2.0;
        if total(&curve(sag)) < length {
            low = sag;
        } else {
            high = sag;
        }
    }
    spread(&curve(low), points)
}

fn total(line: &[[f64; 2]]) -> f64 {
    polyline::length(line.iter().copied().map(Vec2::from))
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    Vec2::from(a).distance(b.into())
}

/// Points at equal distances along a line of many.
fn spread(line: &[[f64; 2]], points: usize) -> Vec<[f64; 2]> {
    let step = total(line) / (points - 1) as f64;
    let (mut out, mut gone, mut i) = (vec![line[0]], 0.0, 0);
    for k in 1..points - 1 {
        let want = step * k as f64;
        while i + 2 < line.len() && gone + apart(line[i], line[i + 1]) < want {
            gone += apart(line[i], line[i + 1]);
            i += 1;
        }
        let (a, b) = (line[i], line[i + 1]);
        let length = apart(a, b);
        let u = if length > 0.0 {
            (want - gone) / length
        } else {
            0.0
        };
        out.push([a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u]);
    }
    out.push(line[line.len() - 1]);
    out
}

/// A rope whose links keep their lengths to 1e-6 px however it swings; the default.
///
/// Each step is cut into equal parts. A part moves free points on exact parabolas, then solves all links at once
/// (one block tridiagonal system, repeated until the links fit; fast projection: Goldenthal and others, 2007, with
/// links that resist turning by their tension), and takes from the velocities what would stretch a link. A rope
/// held at one point at most then has every length set exactly, so few solutions do. While no pin moves and no
/// wall is touched, all speeds are scaled by a hair so that energy is kept: a rope loses what `keep` takes, and
/// hardly anything else. Links
/// are rods: they neither stretch nor go slack. If two pins are farther apart than the rope between them is long,
/// it stretches evenly.
///
/// Live inputs: x, y of every pin.
#[derive(Clone, Debug)]
pub struct DirectRope {
    shape: Vec<[f64; 2]>,
    rest: Vec<f64>,
    mass: Vec<f64>,
    /// Inverse masses; 0 for pinned points.
    weight: Vec<f64>,
    pins: Vec<usize>,
}

impl DirectRope {
    /// A rope through `shape` (2 points or more) at rest. `mass`: one per point, > 0; `pins`: indices of points.
    ///
    /// # Panics
    /// If there are not as many masses as points.
    pub fn new(shape: Vec<[f64; 2]>, mass: Vec<f64>, pins: Vec<usize>) -> Self {
        assert_eq!(shape.len(), mass.len(), "one mass per point");
        Self {
            rest: shape
                .windows(2)
                .map(|pair| apart(pair[0], pair[1]))
                .collect(),
            weight: weights(&mass, &pins),
            shape,
            mass,
            pins,
        }
    }

    /// The same with every link as long as an equal share of `length`.
    #[must_use]
    pub fn with_length(mut self, length: f64) -> Self {
        let share = length / self.rest.len() as f64;
        self.rest.fill(share);
        self
    }

    /// Parts a step is cut into.
    ///
    /// Short ropes are cheap, and a double pendulum shows every error: they get shorter parts. What is fast
    /// goes its way in as many strides as links can follow.
    fn parts(&self, p: &Particles, from: &[[f64; 2]], live: &[f64], h: f64) -> usize {
        let way = |(was, is): (&[f64; 2], &[f64])| hypot(is[0] - was[0], is[1] - was[1]);
        let pins = from.iter().zip(live.chunks_exact(2)).map(way);
        let free =
            p.vx.iter()
                .zip(p.vy.iter())
                .map(|(vx, vy)| hypot(*vx, *vy) * h);
        let far = pins.chain(free).fold(0.0, f64::max);
        let stride = self.rest.iter().sum::<f64>() / 32.0;
        (ceil(far / stride) as usize)
            .max(64 / self.count())
            .clamp(1, 64)
    }

    /// One part of a step, which ends with the pins at `live`.
    fn part(
        &self,
        p: &mut Particles,
        around: &Around,
        live: &[f64],
        pace: Pace,
        chain: &mut Chain,
    ) {
        let (h, pull) = (pace.h, around.pull());
        let from = p.places(&self.pins);
        let moved = (from.iter().flatten()).zip(live).any(|(was, is)| was != is);
        chain.remember(p);
        chain.aim(p);
        self.slow(p, pace.kept());
        let energy = self.kinetic(p) + self.height(p, pull);
        self.fly(p, pull, h);
        p.haul(&self.pins, &from, live, h);
        let met = self.project(p, around.walls, h, chain);
        if let (true, Some(walls)) = (met, around.walls) {
            self.rebound(p, &walls, pull, pace, chain);
        }
        chain.aim(p);
        chain.straighten(p, &self.weight);
        if !moved {
            self.settle(p, pull, energy, if met { 1.0 } else { REGAIN });
        }
    }

    fn slow(&self, p: &mut Particles, kept: f64) {
        for i in 0..p.count() {
            p.vx[i] *= kept;
            p.vy[i] *= kept;
        }
    }

    /// Free flight: exact for a constant pull.
    fn fly(&self, p: &mut Particles, pull: [f64; 2], h: f64) {
        let [ax, ay] = pull;
        for i in 0..p.count() {
            if self.weight[i] > 0.0 {
                p.x[i] += (p.vx[i] + 0.5 * ax * h) * h;
                p.y[i] += (p.vy[i] + 0.5 * ay * h) * h;
                p.vx[i] += ax * h;
                p.vy[i] += ay * h;
            }
        }
    }

    /// Restores all links, and velocities with them; whether a wall was met.
    fn project(&self, p: &mut Particles, walls: Option<Walls>, h: f64, chain: &mut Chain) -> bool {
        let met = chain.fit(p, &self.rest, &self.weight, walls, self.open());
        for (i, &[x, y]) in chain.flown.iter().enumerate() {
            p.vx[i] += (p.x[i] - x) / h;
            p.vy[i] += (p.y[i] - y) / h;
        }
        if !met {
            self.finish(p, chain);
        }
        met
    }

    /// Whether it is held at one point at most.
    fn open(&self) -> bool {
        self.pins.len() <= 1
    }

    /// Sets the last digits of the lengths of an open rope, from its pin outward; one that is free stays where it is.
    fn finish(&self, p: &mut Particles, chain: &Chain) {
        match self.pins[..] {
            [] => {
                let [x, y] = self.mean(p.x, p.y);
                chain.set_lengths(p, &self.rest, 0);
                let [now_x, now_y] = self.mean(p.x, p.y);
                for i in 0..p.count() {
                    p.x[i] -= now_x - x;
                    p.y[i] -= now_y - y;
                }
            }
            [pin] => chain.set_lengths(p, &self.rest, pin),
            _ => {}
        }
    }

    /// Mean by mass: the centre of places, the common part of velocities.
    fn mean(&self, x: &[f64], y: &[f64]) -> [f64; 2] {
        let whole: f64 = self.mass.iter().sum();
        [x, y].map(|side| {
            let moment = self.mass.iter().zip(side).map(|(m, v)| m * v);
            moment.sum::<f64>() / whole
        })
    }

    fn rebound(&self, p: &mut Particles, walls: &Walls, pull: [f64; 2], pace: Pace, chain: &Chain) {
        let touch = walls.touch(pull, pace);
        for i in 0..p.count() {
            if self.weight[i] > 0.0 {
                let [_, _, vx, vy] = chain.before[i];
                let came = [vx + pull[0] * pace.h, vy + pull[1] * pace.h];
                walls.rebound(p, i, came, touch);
            }
        }
    }

    fn kinetic(&self, p: &Particles) -> f64 {
        let each = |i: usize| 0.5 * self.mass[i] * (p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]);
        (0..p.count())
            .filter(|&i| self.weight[i] > 0.0)
            .map(each)
            .sum()
    }

    /// Energy of place in a constant pull, from where the rope was built.
    fn height(&self, p: &Particles, [ax, ay]: [f64; 2]) -> f64 {
        let each = |i: usize| {
            let [x, y] = self.shape[i];
            -self.mass[i] * (ax * (p.x[i] - x) + ay * (p.y[i] - y))
        };
        (0..p.count())
            .filter(|&i| self.weight[i] > 0.0)
            .map(each)
            .sum()
    }

    /// Scales all speeds so that the energy is the one given, as far as `most` (a square) allows.
    ///
    /// A free rope keeps its momentum: only speeds about its centre are scaled.
    fn settle(&self, p: &mut Particles, pull: [f64; 2], energy: f64, most: f64) {
        let common = if self.pins.is_empty() {
            self.mean(p.vx, p.vy)
        } else {
            [0.0; 2]
        };
        self.gain(p, common.map(|v| -v));
        let kinetic = self.kinetic(p);
        let whole: f64 = self.mass.iter().sum();
        let carried = 0.5 * whole * dot(common, common);
        if kinetic > 0.0 {
            let square = (energy - carried - self.height(p, pull)) / kinetic;
            self.slow(p, sqrt(clamp(square, 0.0, most)));
        }
        self.gain(p, common);
    }

    fn gain(&self, p: &mut Particles, [vx, vy]: [f64; 2]) {
        for i in 0..p.count() {
            p.vx[i] += vx;
            p.vy[i] += vy;
        }
    }
}

impl Law for DirectRope {
    fn count(&self) -> usize {
        self.shape.len()
    }

    fn live_inputs(&self) -> usize {
        2 * self.pins.len()
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        p.lay(&self.shape);
        self.mend(p, live);
    }

    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        let mut chain = Chain::new(self.count());
        let from = p.places(&self.pins);
        let parts = self.parts(p, &from, live, pace.h);
        let share = 1.0 / parts as f64;
        let pace = Pace {
            h: pace.h * share,
            share: pace.share * share,
            keep: pace.keep,
        };
        let mut on = live.to_vec();
        for k in 1..=parts {
            let u = if k == parts { 1.0 } else { k as f64 * share };
            for ((on, was), is) in on.iter_mut().zip(from.iter().flatten()).zip(live) {
                *on = if u == 1.0 { *is } else { was + (is - was) * u };
            }
            self.part(p, around, &on, pace, &mut chain);
        }
    }

    fn mend(&self, p: &mut Particles, live: &[f64]) {
        p.pin(&self.pins, live);
        let mut chain = Chain::new(self.count());
        chain.aim(p);
        chain.fit(p, &self.rest, &self.weight, None, self.open());
        self.finish(p, &chain);
    }

    fn trouble(&self, p: Snapshot, _live: &[f64]) -> Option<Trouble> {
        p.stray(|| "raise `substeps`, or move the pins more slowly".to_owned())
    }

    fn energy(&self, p: Snapshot, around: &Around) -> f64 {
        p.mechanical(around, |i| self.mass[i])
    }
}
