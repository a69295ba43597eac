//! Ropes whose links are all solved together.

use super::links::weights;
use super::{Around, Law, Pace, Particles, Trouble, Walls, tridiagonal};
use crate::maths::functions::{ceil, hypot, sqrt};

/// How exactly a link keeps its length, px.
const EXACT: f64 = 1e-9;
/// Most solutions of the linear system per part of a step.
const ROUNDS: usize = 40;
/// Added to the diagonal, as a share of the largest inverse mass: a taut rope between two pins has no unique tension.
const LOOSE: f64 = 1e-10;
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
    line.windows(2).map(|pair| apart(pair[0], pair[1])).sum()
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    hypot(b[0] - a[0], b[1] - a[1])
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
/// (one tridiagonal system, repeated until every link fits; fast projection: Goldenthal and others, 2007), and
/// takes from the velocities what would stretch a link. While no pin moves and no wall is touched, all speeds are
/// then scaled by a hair so that energy is kept exactly: a rope loses what `keep` takes, and nothing else. Links
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

    /// The sum of all links' lengths now, px.
    pub fn length(&self, p: &Particles) -> f64 {
        (1..p.count()).map(|i| apart(p.at(i - 1), p.at(i))).sum()
    }

    /// Parts a step is cut into.
    ///
    /// Short ropes are cheap, and a double pendulum shows every error: they get shorter parts. What is fast
    /// goes its way in as many strides as links can follow.
    fn parts(&self, p: &Particles, from: &[[f64; 2]], live: &[f64], h: f64) -> usize {
        let way = |(was, is): (&[f64; 2], &[f64])| hypot(is[0] - was[0], is[1] - was[1]);
        let pins = from.iter().zip(live.chunks_exact(2)).map(way);
        let free = p.vx.iter().zip(p.vy.iter()).map(|(vx, vy)| hypot(*vx, *vy) * h);
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
        let met = chain.fit(p, &self.rest, &self.weight, walls);
        for (i, &[x, y]) in chain.flown.iter().enumerate() {
            p.vx[i] += (p.x[i] - x) / h;
            p.vy[i] += (p.y[i] - y) / h;
        }
        met
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
    fn settle(&self, p: &mut Particles, pull: [f64; 2], energy: f64, most: f64) {
        let kinetic = self.kinetic(p);
        if kinetic > 0.0 {
            let square = (energy - self.height(p, pull)) / kinetic;
            self.slow(p, sqrt(square.clamp(0.0, most)));
        }
    }
}

/// Scratch of one step: the rope as a chain of links.
struct Chain {
    /// x, y, vx, vy of every point at the start of the part.
    before: Vec<[f64; 4]>,
    /// Places before links were restored, and before the last solution.
    flown: Vec<[f64; 2]>,
    tried: Vec<[f64; 2]>,
    /// Added to the diagonal, as a share of the largest inverse mass.
    loose: f64,
    units: Vec<[f64; 2]>,
    lengths: Vec<f64>,
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    rows: Vec<[f64; 1]>,
}

impl Chain {
    fn new(points: usize) -> Self {
        let links = points - 1;
        Self {
            before: vec![[0.0; 4]; points],
            flown: vec![[0.0; 2]; points],
            tried: vec![[0.0; 2]; points],
            loose: LOOSE,
            units: vec![[0.0; 2]; links],
            lengths: vec![0.0; links],
            diagonal: vec![0.0; links],
            beside: vec![0.0; links - 1],
            rows: vec![[0.0]; links],
        }
    }

    fn remember(&mut self, p: &Particles) {
        for (i, before) in self.before.iter_mut().enumerate() {
            *before = [p.x[i], p.y[i], p.vx[i], p.vy[i]];
        }
    }

    /// Looks where the links point.
    fn aim(&mut self, p: &Particles) {
        for i in 0..self.units.len() {
            let (dx, dy) = (p.x[i + 1] - p.x[i], p.y[i + 1] - p.y[i]);
            let length = hypot(dx, dy);
            self.lengths[i] = length;
            self.units[i] = if length > 0.0 {
                [dx / length, dy / length]
            } else {
                [1.0, 0.0]
            };
        }
    }

    /// Solves for the push along every link that makes up for what `rows` hold.
    fn solve(&mut self, weight: &[f64]) {
        let loose = self.loose * weight.iter().copied().fold(0.0, f64::max);
        let links = self.units.len();
        for i in 0..links {
            self.diagonal[i] = weight[i] + weight[i + 1] + loose;
            if i + 1 < links {
                let (a, b) = (self.units[i], self.units[i + 1]);
                self.beside[i] = -weight[i + 1] * (a[0] * b[0] + a[1] * b[1]);
            }
        }
        tridiagonal::solve(&mut self.diagonal, &self.beside, &mut self.rows);
    }

    /// The way point i goes by the pushes along its two links.
    fn shift(&self, weight: &[f64], i: usize) -> [f64; 2] {
        let mut sum = [0.0, 0.0];
        if i > 0 {
            let (u, push) = (self.units[i - 1], self.rows[i - 1][0]);
            sum = [u[0] * push, u[1] * push];
        }
        if i < self.units.len() {
            let (u, push) = (self.units[i], self.rows[i][0]);
            sum = [sum[0] - u[0] * push, sum[1] - u[1] * push];
        }
        [sum[0] * weight[i], sum[1] * weight[i]]
    }

    /// Moves points until all links have their lengths, within the walls; whether a wall was met.
    ///
    /// A solution that makes things worse is taken back and tried again with looser links (Levenberg–Marquardt):
    /// what cannot be fitted ends as an even stretch.
    fn fit(
        &mut self,
        p: &mut Particles,
        rest: &[f64],
        weight: &[f64],
        walls: Option<Walls>,
    ) -> bool {
        note(p, &mut self.flown);
        self.loose = LOOSE;
        let mut met = walls.is_some_and(|walls| hold(p, &walls, weight));
        self.aim(p);
        let mut error = self.lack(rest, weight);
        for _ in 0..ROUNDS {
            if self.worst(weight) < EXACT {
                break;
            }
            note(p, &mut self.tried);
            let moved = self.restore(p, weight);
            let held = walls.is_some_and(|walls| hold(p, &walls, weight));
            met |= held;
            self.aim(p);
            let now = self.lack(rest, weight);
            if now < error || held {
                error = now;
                self.loose = (self.loose / 100.0).max(LOOSE);
            } else if moved < EXACT {
                break;
            } else {
                back(p, &self.tried);
                self.loose *= if self.loose < 1e-4 { 1e3 } else { 10.0 };
                self.aim(p);
                self.lack(rest, weight);
            }
        }
        met
    }

    /// Fills the rows with what every link lacks; the sum of the squares.
    fn lack(&mut self, rest: &[f64], weight: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, row) in self.rows.iter_mut().enumerate() {
            *row = [rest[i] - self.lengths[i]];
            if weight[i] + weight[i + 1] > 0.0 {
                sum += row[0] * row[0];
            }
        }
        sum
    }

    /// The largest number in the rows, of links that can move.
    fn worst(&self, weight: &[f64]) -> f64 {
        let movable = |i: &usize| weight[*i] + weight[*i + 1] > 0.0;
        let size = |i: usize| self.rows[i][0].abs();
        (0..self.rows.len()).filter(movable).map(size).fold(0.0, f64::max)
    }

    /// Moves points by the solution for what the rows lack; how far the farthest went.
    fn restore(&mut self, p: &mut Particles, weight: &[f64]) -> f64 {
        self.solve(weight);
        let mut farthest = 0.0_f64;
        for i in 0..p.count() {
            let [x, y] = self.shift(weight, i);
            farthest = farthest.max(x.abs()).max(y.abs());
            p.x[i] += x;
            p.y[i] += y;
        }
        farthest
    }

    /// Takes from the velocities what would change the length of a link.
    fn straighten(&mut self, p: &mut Particles, weight: &[f64]) {
        for (i, row) in self.rows.iter_mut().enumerate() {
            let [x, y] = self.units[i];
            *row = [-(x * (p.vx[i + 1] - p.vx[i]) + y * (p.vy[i + 1] - p.vy[i]))];
        }
        self.solve(weight);
        for i in 0..p.count() {
            let [x, y] = self.shift(weight, i);
            p.vx[i] += x;
            p.vy[i] += y;
        }
    }
}

fn note(p: &Particles, places: &mut [[f64; 2]]) {
    for (i, place) in places.iter_mut().enumerate() {
        *place = p.at(i);
    }
}

fn back(p: &mut Particles, places: &[[f64; 2]]) {
    for (i, &place) in places.iter().enumerate() {
        p.put(i, place);
    }
}

/// Puts free points back between the walls; whether there were any outside.
fn hold(p: &mut Particles, walls: &Walls, weight: &[f64]) -> bool {
    let mut any = false;
    for (i, &weight) in weight.iter().enumerate() {
        if weight > 0.0 {
            let met = walls.hold(&mut p.x[i], &mut p.y[i]);
            any |= met.x || met.y;
        }
    }
    any
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
        Chain::new(self.count()).fit(p, &self.rest, &self.weight, None);
    }

    fn trouble(&self, p: &Particles, _live: &[f64]) -> Option<Trouble> {
        p.stray(|| "raise `substeps`, or move the pins more slowly".to_owned())
    }

    fn energy(&self, p: &Particles, around: &Around) -> f64 {
        p.mechanical(around, |i| self.mass[i])
    }
}
