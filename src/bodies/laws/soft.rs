//! Soft bodies: closed rings of springs with pressure inside.

use super::{Around, Law, Pace, Particles, Snapshot, Trouble, dot, tridiagonal};
use crate::maths::functions::{cos_radians, hypot, sqrt};

/// Added to every edge length, normal length and area of the force law, px or px²: it keeps divisions finite.
const GUARD: f64 = 1e-4;
/// A ring is inside out when its area is below minus this share of the built one.
const INVERTED: f64 = 0.01;

/// Stiffness at which a ring of springs as forces starts to diverge, 1/T².
///
/// k < (1 + keep)/(2·keep·cos²(π/n)·h²) for n points, steps of h and the velocity kept per step.
pub fn stability_limit(points: usize, pace: Pace) -> f64 {
    let keep = pace.kept();
    let cosine = cos_radians(std::f64::consts::PI / points as f64);
    (1.0 + keep) / (2.0 * keep * cosine * cosine * pace.h * pace.h)
}

/// Area of a ring, px²: positive if it runs clockwise on the screen.
fn area(p: Snapshot) -> f64 {
    let n = p.count();
    let cross = |i: usize| {
        let j = (i + 1) % n;
        p.x[i] * p.y[j] - p.x[j] * p.y[i]
    };
    (0..n).map(cross).sum::<f64>() / 2.0
}

/// Plain mean of the points.
fn centroid(p: &Particles) -> [f64; 2] {
    let n = p.count() as f64;
    [p.x.iter().sum::<f64>() / n, p.y.iter().sum::<f64>() / n]
}

/// What both kinds of soft body have in common.
///
/// Live inputs: target area (px²), home x, home y (px), then x, y of every pin.
#[derive(Clone, Debug)]
struct Ring {
    shape: Vec<[f64; 2]>,
    rest: Vec<f64>,
    /// As built, px².
    area: f64,
    /// 1 if it was built clockwise, −1 if the other way round.
    sense: f64,
    home_strength: f64,
    pins: Vec<usize>,
}

impl Ring {
    fn new(shape: Vec<[f64; 2]>, home_strength: f64, pins: Vec<usize>) -> Self {
        let n = shape.len();
        let cross = |i: usize| {
            let ([ax, ay], [bx, by]) = (shape[i], shape[(i + 1) % n]);
            ax * by - bx * ay
        };
        let area = (0..n).map(cross).sum::<f64>() / 2.0;
        let length = |i: usize| {
            let ([ax, ay], [bx, by]) = (shape[i], shape[(i + 1) % n]);
            hypot(bx - ax, by - ay)
        };
        Self {
            rest: (0..n).map(length).collect(),
            area: area.abs(),
            sense: if area < 0.0 { -1.0 } else { 1.0 },
            shape,
            home_strength,
            pins,
        }
    }

    fn count(&self) -> usize {
        self.shape.len()
    }

    fn live_inputs(&self) -> usize {
        3 + 2 * self.pins.len()
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        p.lay(&self.shape);
        p.pin(&self.pins, &live[3..]);
    }

    /// Adds the push of the pressure for a step of h: along the unit normal between the neighbours of each point.
    fn press(&self, p: &mut Particles, strength: f64, target: f64, h: f64) {
        let n = self.count();
        let push = self.sense * strength * (target - (area(p.read()).abs() + GUARD)) / target * h;
        for i in 0..n {
            let (a, b) = ((i + n - 1) % n, (i + 1) % n);
            let (nx, ny) = (p.y[b] - p.y[a], p.x[a] - p.x[b]);
            let length = hypot(nx, ny) + GUARD;
            p.vx[i] += nx / length * push;
            p.vy[i] += ny / length * push;
        }
    }

    /// Acceleration of every point: the centroid is pulled home, and what is around pulls too.
    fn pull(&self, p: &Particles, live: &[f64], around: &Around) -> [f64; 2] {
        let ([cx, cy], [gx, gy]) = (centroid(p), around.pull());
        let k = self.home_strength;
        [(live[1] - cx) * k + gx, (live[2] - cy) * k + gy]
    }

    fn trouble(&self, p: Snapshot, advice: impl Fn() -> String) -> Option<Trouble> {
        let stray = p.stray(&advice);
        let area = self.sense * area(p);
        // A ring that lies flat may rise again; one that is clearly inside out stays so.
        let inverted = (area < -INVERTED * self.area).then(|| Trouble {
            element: None,
            what: "the area",
            value: area,
            advice: format!("it turned inside out; {}", advice()),
        });
        stray.or(inverted)
    }
}

/// A soft body whose edges are springs as forces; mass 1 per point.
///
/// Each step of h, in this order: the spring force k·(d − rest) along every edge; the pressure
/// strength·(target − area)/target along the unit normal between the neighbours of each point; the pull
/// (home − centroid)·strength; gravity and wind; the velocity kept; then positions move by the new velocity
/// (symplectic Euler), and walls turn points back. Steady while `stiffness` is below [`stability_limit`].
/// Every edge length, normal length and area counts 1e-4 px or px² too much, so that none is zero.
///
/// Live inputs: target area (px²), home x, home y (px), then x, y of every pin.
#[derive(Clone, Debug)]
pub struct SoftForce {
    ring: Ring,
    stiffness: f64,
    pressure: f64,
}

impl SoftForce {
    /// A ring through `shape` (3 points or more, either way round) at rest.
    ///
    /// `stiffness` and `home_strength` in 1/T², `pressure` in px/T²; `pins` are indices of points.
    pub fn new(
        shape: Vec<[f64; 2]>,
        stiffness: f64,
        pressure: f64,
        home_strength: f64,
        pins: Vec<usize>,
    ) -> Self {
        Self {
            ring: Ring::new(shape, home_strength, pins),
            stiffness,
            pressure,
        }
    }

    fn stretch(&self, p: &mut Particles, h: f64) {
        let n = self.ring.count();
        for i in 0..n {
            let j = (i + 1) % n;
            let (dx, dy) = (p.x[j] - p.x[i], p.y[j] - p.y[i]);
            let length = hypot(dx, dy) + GUARD;
            let force = (length - self.ring.rest[i]) * self.stiffness * h;
            let (fx, fy) = (force * dx / length, force * dy / length);
            p.vx[i] += fx;
            p.vy[i] += fy;
            p.vx[j] -= fx;
            p.vy[j] -= fy;
        }
    }
}

impl Law for SoftForce {
    fn count(&self) -> usize {
        self.ring.count()
    }

    fn live_inputs(&self) -> usize {
        self.ring.live_inputs()
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        self.ring.start(live, p);
    }

    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        let h = pace.h;
        let from = p.places(&self.ring.pins);
        self.stretch(p, h);
        self.ring.press(p, self.pressure, live[0], h);
        let pull = self.ring.pull(p, live, around);
        drift(p, pull, pace.kept(), h);
        if let Some(walls) = around.walls {
            let slide = walls.slide(pace);
            for i in 0..p.count() {
                walls.bounce(p, i, slide);
            }
        }
        p.haul(&self.ring.pins, &from, &live[3..], h);
    }

    fn mend(&self, p: &mut Particles, live: &[f64]) {
        p.pin(&self.ring.pins, &live[3..]);
    }

    fn trouble(&self, p: Snapshot, _live: &[f64]) -> Option<Trouble> {
        self.ring.trouble(p, || {
            "lower `stiffness` or the pressure, or raise `substeps`; `compliance` is stable at any stiffness"
                .to_owned()
        })
    }

    fn energy(&self, p: Snapshot, around: &Around) -> f64 {
        let n = self.ring.count();
        let spring = |i: usize| {
            let j = (i + 1) % n;
            let over = hypot(p.x[j] - p.x[i], p.y[j] - p.y[i]) - self.ring.rest[i];
            0.5 * self.stiffness * over * over
        };
        p.mechanical(around, |_| 1.0) + (0..n).map(spring).sum::<f64>()
    }
}

/// What keeps the area of a [`SoftConstraint`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pressure {
    /// A force strength·(target − area)/target along the normals, px/T².
    Force(f64),
    /// A constraint of this compliance, T² (0: the area never changes).
    Constraint(f64),
}

/// A soft body whose edges, and maybe its area, are compliant constraints (extended position-based dynamics;
/// Macklin, Müller and Chentanez, 2016), all solved together; mass 1 per point.
///
/// An edge stores (d − rest)²/(2·compliance), as a spring of stiffness 1/compliance does. The area stores
/// (area − target)²/(2·compliance·target): its push runs along the true gradient of the area, so it never moves
/// the body as a whole. All edges and the area are one system of equations with an exact solution, so the result
/// depends on no count or order of passes, and it is stable at any stiffness. Walls are part of the solution.
///
/// Live inputs: target area (px²), home x, home y (px), then x, y of every pin.
#[derive(Clone, Debug)]
pub struct SoftConstraint {
    ring: Ring,
    compliance: f64,
    pressure: Pressure,
}

/// Least compliance of an edge as a multiple of h²: a ring of rigid edges could not keep its area.
const RIGID: f64 = 0.1;
/// Solutions of the linear system per step: the constraints are not linear.
const ROUNDS: usize = 8;
/// Farthest a point moves in one solution, as a multiple of the mean edge.
const STRIDE: f64 = 0.5;

impl SoftConstraint {
    /// A ring through `shape` (3 points or more, either way round) at rest.
    ///
    /// `compliance` in T², `home_strength` in 1/T²; `pins` are indices of points.
    pub fn new(
        shape: Vec<[f64; 2]>,
        compliance: f64,
        pressure: Pressure,
        home_strength: f64,
        pins: Vec<usize>,
    ) -> Self {
        Self {
            ring: Ring::new(shape, home_strength, pins),
            compliance,
            pressure,
        }
    }

    fn free(&self) -> Vec<f64> {
        let mut free = vec![1.0; self.ring.count()];
        for &pin in &self.ring.pins {
            free[pin] = 0.0;
        }
        free
    }

    /// Compliances of edges and area as multiples of h²; no area, if that is a force.
    fn give(&self, h: f64) -> (f64, Option<f64>) {
        let edge = (self.compliance / (h * h)).max(RIGID);
        match self.pressure {
            Pressure::Force(_) => (edge, None),
            Pressure::Constraint(compliance) => (edge, Some(compliance / (h * h))),
        }
    }

    fn constrain(&self, p: &mut Particles, around: &Around, target: f64, before: &Before, h: f64) {
        let mut system = System::new(&self.ring, self.give(h), target);
        let free = self.free();
        for _ in 0..ROUNDS {
            let moved = system.solve(p, &self.ring.rest, &free, h);
            let held = hold(p, around, before, h);
            if !held && moved < 1e-10 {
                break;
            }
        }
    }
}

/// Places and velocities at the start of a step, for the walls.
struct Before {
    places: Vec<[f64; 2]>,
    velocities: Vec<[f64; 2]>,
}

impl Before {
    fn of(p: &Particles) -> Self {
        Self {
            places: (0..p.count()).map(|i| p.at(i)).collect(),
            velocities: Vec::new(),
        }
    }

    fn note(&mut self, p: &Particles) {
        self.velocities = (0..p.count()).map(|i| [p.vx[i], p.vy[i]]).collect();
    }
}

/// Puts points back between the walls, with the velocity of the way they really went; whether there were any.
fn hold(p: &mut Particles, around: &Around, before: &Before, h: f64) -> bool {
    let Some(walls) = around.walls else {
        return false;
    };
    let mut any = false;
    for i in 0..p.count() {
        let met = walls.hold(&mut p.x[i], &mut p.y[i]);
        if met.x {
            p.vx[i] = (p.x[i] - before.places[i][0]) / h;
        }
        if met.y {
            p.vy[i] = (p.y[i] - before.places[i][1]) / h;
        }
        any |= met.x || met.y;
    }
    any
}

/// The equations of one step: edges 0 … n − 2 are a chain, the last edge and the area stand apart from it.
struct System {
    edge: f64,
    area: Option<f64>,
    target: f64,
    sense: f64,
    /// Multipliers of all edges and of the area so far.
    multipliers: Vec<f64>,
    units: Vec<[f64; 2]>,
    slopes: Vec<[f64; 2]>,
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    rows: Vec<[f64; 3]>,
    change: Vec<f64>,
}

impl System {
    fn new(ring: &Ring, (edge, area): (f64, Option<f64>), target: f64) -> Self {
        let n = ring.count();
        Self {
            edge,
            area,
            target,
            sense: ring.sense,
            multipliers: vec![0.0; n + 1],
            units: vec![[0.0; 2]; n],
            slopes: vec![[0.0; 2]; n],
            diagonal: vec![0.0; n - 1],
            beside: vec![0.0; n - 2],
            rows: vec![[0.0; 3]; n - 1],
            change: vec![0.0; n + 1],
        }
    }

    /// One solution of the linear system, applied to positions and velocities; how far the farthest point went.
    fn solve(&mut self, p: &mut Particles, rest: &[f64], free: &[f64], h: f64) -> f64 {
        self.look(p);
        self.fill(p, rest, free);
        tridiagonal::solve(&mut self.diagonal, &self.beside, &mut self.rows);
        self.join(p, rest, free);
        self.apply(p, rest, free, h)
    }

    /// Directions of the edges, and the gradient of the area over √target.
    fn look(&mut self, p: &Particles) {
        let n = self.units.len();
        let scale = self.sense * 0.5 / sqrt(self.target);
        for i in 0..n {
            let (a, b) = ((i + n - 1) % n, (i + 1) % n);
            let (dx, dy) = (p.x[b] - p.x[i], p.y[b] - p.y[i]);
            let length = hypot(dx, dy);
            self.units[i] = if length > 0.0 {
                [dx / length, dy / length]
            } else {
                [1.0, 0.0]
            };
            self.slopes[i] = [(p.y[b] - p.y[a]) * scale, (p.x[a] - p.x[b]) * scale];
        }
    }

    /// What edge i still lacks.
    fn lack(&self, p: &Particles, rest: &[f64], i: usize) -> f64 {
        let j = (i + 1) % self.units.len();
        let length = hypot(p.x[j] - p.x[i], p.y[j] - p.y[i]);
        rest[i] - length - self.edge * self.multipliers[i]
    }

    /// How edge i and the area act on one another.
    fn meet(&self, free: &[f64], i: usize) -> f64 {
        let j = (i + 1) % self.units.len();
        let (u, a, b) = (self.units[i], self.slopes[i], self.slopes[j]);
        free[j] * dot(u, b) - free[i] * dot(u, a)
    }

    /// How edge i and the next one act on one another.
    fn next(&self, free: &[f64], i: usize) -> f64 {
        let j = (i + 1) % self.units.len();
        -free[j] * dot(self.units[i], self.units[j])
    }

    /// The chain with three right-hand sides: what it lacks, how the last edge and how the area act on it.
    fn fill(&mut self, p: &Particles, rest: &[f64], free: &[f64]) {
        let n = self.units.len();
        for i in 0..n - 1 {
            self.diagonal[i] = free[i] + free[i + 1] + self.edge;
            self.rows[i] = [self.lack(p, rest, i), 0.0, self.meet(free, i)];
        }
        for i in 0..n - 2 {
            self.beside[i] = self.next(free, i);
        }
        self.rows[0][1] += self.next(free, n - 1);
        self.rows[n - 2][1] += self.next(free, n - 2);
    }

    /// Solves for the last edge and the area, then for the chain.
    fn join(&mut self, p: &Particles, rest: &[f64], free: &[f64]) {
        let n = self.units.len();
        let (first, last) = (self.next(free, n - 1), self.next(free, n - 2));
        let along = |r: usize| first * self.rows[0][r] + last * self.rows[n - 2][r];
        let across = |r: usize| -> f64 {
            let part = |i: usize| self.meet(free, i) * self.rows[i][r];
            (0..n - 1).map(part).sum()
        };
        let a = free[n - 1] + free[0] + self.edge - along(1);
        let lack = self.lack(p, rest, n - 1) - along(0);
        let b = self.meet(free, n - 1) - along(2);
        let whole: f64 = (0..n)
            .map(|i| free[i] * dot(self.slopes[i], self.slopes[i]))
            .sum();
        let (edge, area) = match self.area {
            None => (lack / a, 0.0),
            Some(give) => {
                let off = self.target - self.sense * area(p.read());
                let missing = off / sqrt(self.target) - give * self.multipliers[n];
                let c = (whole + give - across(2) - b * b / a).max(1e-9 * whole);
                let area = (missing - across(0) - b * lack / a) / c;
                ((lack - b * area) / a, area)
            }
        };
        for i in 0..n - 1 {
            self.change[i] = self.rows[i][0] - edge * self.rows[i][1] - area * self.rows[i][2];
        }
        self.change[n - 1] = edge;
        self.change[n] = area;
    }

    fn apply(&mut self, p: &mut Particles, rest: &[f64], free: &[f64], h: f64) -> f64 {
        let n = self.units.len();
        let shift = |i: usize| {
            let j = (i + n - 1) % n;
            let (u, v, a) = (self.units[j], self.units[i], self.slopes[i]);
            let (into, out, push) = (self.change[j], self.change[i], self.change[n]);
            [
                free[i] * (into * u[0] - out * v[0] + push * a[0]),
                free[i] * (into * u[1] - out * v[1] + push * a[1]),
            ]
        };
        let reach = |i: usize| {
            let [x, y] = shift(i);
            x.abs().max(y.abs())
        };
        let farthest = (0..n).map(reach).fold(0.0, f64::max);
        let stride = STRIDE * rest.iter().sum::<f64>() / n as f64;
        let part = if farthest > stride {
            stride / farthest
        } else {
            1.0
        };
        for i in 0..n {
            let [x, y] = shift(i);
            p.x[i] += x * part;
            p.y[i] += y * part;
            p.vx[i] += x * part / h;
            p.vy[i] += y * part / h;
        }
        for (sum, change) in self.multipliers.iter_mut().zip(&self.change) {
            *sum += change * part;
        }
        farthest
    }
}

impl Law for SoftConstraint {
    fn count(&self) -> usize {
        self.ring.count()
    }

    fn live_inputs(&self) -> usize {
        self.ring.live_inputs()
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        self.ring.start(live, p);
    }

    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        let h = pace.h;
        let from = p.places(&self.ring.pins);
        let mut before = Before::of(p);
        if let Pressure::Force(strength) = self.pressure {
            self.ring.press(p, strength, live[0], h);
        }
        let pull = self.ring.pull(p, live, around);
        drift(p, pull, pace.kept(), h);
        p.haul(&self.ring.pins, &from, &live[3..], h);
        before.note(p);
        hold(p, around, &before, h);
        self.constrain(p, around, live[0], &before, h);
        if let Some(walls) = around.walls {
            let touch = walls.touch(pull, pace);
            for i in 0..p.count() {
                walls.rebound(p, i, before.velocities[i], touch);
            }
        }
        p.haul(&self.ring.pins, &from, &live[3..], h);
    }

    fn mend(&self, p: &mut Particles, live: &[f64]) {
        p.pin(&self.ring.pins, &live[3..]);
    }

    fn trouble(&self, p: Snapshot, _live: &[f64]) -> Option<Trouble> {
        self.ring.trouble(p, || {
            "raise `substeps`, or let edges or area give more with a larger `compliance`".to_owned()
        })
    }

    fn energy(&self, p: Snapshot, around: &Around) -> f64 {
        p.mechanical(around, |_| 1.0)
    }
}

/// Velocities gain a pull and lose what is not kept; positions follow.
fn drift(p: &mut Particles, pull: [f64; 2], kept: f64, h: f64) {
    for i in 0..p.count() {
        p.vx[i] = (p.vx[i] + pull[0] * h) * kept;
        p.vy[i] = (p.vy[i] + pull[1] * h) * kept;
        p.x[i] += p.vx[i] * h;
        p.y[i] += p.vy[i] * h;
    }
}
