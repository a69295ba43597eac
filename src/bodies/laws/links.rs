//! Points held together by links that are satisfied one after the other.

use super::walls::Met;
use super::{Around, Law, PER_PARTICLE, Pace, Particles, Snapshot, Trouble};
use crate::maths::functions::hypot;

/// A distance between two points that is to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub a: usize,
    pub b: usize,
    /// px.
    pub length: f64,
    /// Share of the error that one pass removes, 0…1.
    pub stiffness: f64,
}

impl Link {
    /// A rigid link as long as its points are apart.
    fn between(shape: &[[f64; 2]], a: usize, b: usize, stiffness: f64) -> Self {
        let ([ax, ay], [bx, by]) = (shape[a], shape[b]);
        Self {
            a,
            b,
            length: hypot(bx - ax, by - ay),
            stiffness,
        }
    }
}

/// Operations that satisfy one link once.
const PER_LINK: f64 = 16.0;

/// Links in the order in which they are satisfied, and how many passes a step makes over them.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    pub list: Vec<Link>,
    pub iterations: usize,
}

/// Verlet points with links satisfied in order, pass after pass (Gauss–Seidel; Jakobsen, 2001).
///
/// Each step of h: a free point moves by (v·keep + (gravity + wind)·h)·h; pinned points go to their pins; then
/// `iterations` passes over the links, each moving its two points by the error, shared by inverse mass, a pinned
/// point not at all; walls hold after every pass. The velocity is the way really gone, over h. Passes leave links
/// too long: the more of them, the stiffer.
///
/// Live inputs: x, y of every pin.
#[derive(Clone, Debug)]
pub struct Sweep {
    shape: Vec<[f64; 2]>,
    links: Links,
    mass: Vec<f64>,
    /// Inverse masses; 0 for pinned points.
    weight: Vec<f64>,
    pins: Vec<usize>,
}

impl Sweep {
    /// Points at rest. `mass`: one per point, > 0; `pins`: indices of points.
    ///
    /// # Panics
    /// If there are not as many masses as points.
    pub fn new(shape: Vec<[f64; 2]>, links: Links, mass: Vec<f64>, pins: Vec<usize>) -> Self {
        assert_eq!(shape.len(), mass.len(), "one mass per point");
        Self {
            weight: weights(&mass, &pins),
            shape,
            links,
            mass,
            pins,
        }
    }

    /// A rope through the points of `shape`.
    pub fn rope(shape: Vec<[f64; 2]>, iterations: usize, mass: Vec<f64>, pins: Vec<usize>) -> Self {
        let link = |i| Link::between(&shape, i, i + 1, 1.0);
        let list = (0..shape.len() - 1).map(link).collect();
        Self::new(shape, Links { list, iterations }, mass, pins)
    }

    /// A cloth of equal masses.
    pub fn cloth(cloth: &Cloth, iterations: usize, pins: Vec<usize>) -> Self {
        let shape = cloth.shape();
        let list = cloth.links(&shape);
        let mass = vec![1.0; shape.len()];
        Self::new(shape, Links { list, iterations }, mass, pins)
    }

    /// One pass over all links.
    fn pass(&self, p: &mut Particles) {
        for link in &self.links.list {
            let (a, b) = (link.a, link.b);
            let (wa, wb) = (self.weight[a], self.weight[b]);
            if wa + wb == 0.0 {
                continue;
            }
            let (dx, dy) = (p.x[b] - p.x[a], p.y[b] - p.y[a]);
            let length = hypot(dx, dy);
            // Points at one place have no direction to part in: they part along x.
            let (dx, length) = if length == 0.0 {
                (1e-9, 1e-9)
            } else {
                (dx, length)
            };
            let share = (length - link.length) / length / (wa + wb) * link.stiffness;
            p.x[a] += dx * share * wa;
            p.y[a] += dy * share * wa;
            p.x[b] -= dx * share * wb;
            p.y[b] -= dy * share * wb;
        }
    }

    fn drift(&self, p: &mut Particles, around: &Around, pace: Pace) {
        let (kept, h, [gx, gy]) = (pace.kept(), pace.h, around.pull());
        for i in 0..p.count() {
            if self.weight[i] > 0.0 {
                p.vx[i] = p.vx[i] * kept + gx * h;
                p.vy[i] = p.vy[i] * kept + gy * h;
                p.x[i] += p.vx[i] * h;
                p.y[i] += p.vy[i] * h;
            }
        }
    }

    fn hold(&self, p: &mut Particles, around: &Around, met: &mut [Met]) {
        let Some(walls) = around.walls else {
            return;
        };
        for (i, met) in met.iter_mut().enumerate() {
            if self.weight[i] > 0.0 {
                let now = walls.hold(&mut p.x[i], &mut p.y[i]);
                met.x |= now.x;
                met.y |= now.y;
            }
        }
    }
}

/// Inverse masses, 0 for pinned points.
pub(super) fn weights(mass: &[f64], pins: &[usize]) -> Vec<f64> {
    let mut weight: Vec<f64> = mass.iter().map(|m| 1.0 / m).collect();
    for &pin in pins {
        weight[pin] = 0.0;
    }
    weight
}

impl Law for Sweep {
    fn count(&self) -> usize {
        self.shape.len()
    }

    fn operations(&self) -> f64 {
        let passes = (self.links.list.len() * self.links.iterations) as f64;
        PER_PARTICLE * self.count() as f64 + PER_LINK * passes
    }

    fn live_inputs(&self) -> usize {
        2 * self.pins.len()
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        p.lay(&self.shape);
        p.pin(&self.pins, live);
    }

    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        let n = self.count();
        let before: Vec<[f64; 4]> = (0..n).map(|i| [p.x[i], p.y[i], p.vx[i], p.vy[i]]).collect();
        let mut met = vec![Met::default(); n];
        self.drift(p, around, pace);
        p.pin(&self.pins, live);
        self.hold(p, around, &mut met);
        for _ in 0..self.links.iterations {
            self.pass(p);
            self.hold(p, around, &mut met);
        }
        for (i, was) in before.iter().enumerate() {
            p.vx[i] = (p.x[i] - was[0]) / pace.h;
            p.vy[i] = (p.y[i] - was[1]) / pace.h;
        }
        if let Some(walls) = around.walls {
            let [gx, gy] = around.pull();
            let touch = walls.touch([gx, gy], pace);
            for (i, was) in before.iter().enumerate() {
                let came = [was[2] + gx * pace.h, was[3] + gy * pace.h];
                if self.weight[i] > 0.0 && (met[i].x || met[i].y) {
                    walls.rebound(p, i, came, touch);
                }
            }
        }
    }

    fn mend(&self, p: &mut Particles, live: &[f64]) {
        // Between two steps links are as long as the passes left them: restoring them would tell another story.
        p.pin(&self.pins, live);
    }

    fn trouble(&self, p: Snapshot, _live: &[f64]) -> Option<Trouble> {
        p.stray(|| "lower gravity or wind, or raise `substeps`".to_owned())
    }

    fn energy(&self, p: Snapshot, around: &Around) -> f64 {
        p.mechanical(around, |i| self.mass[i])
    }
}

/// A rectangular net of points: row by row from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// The top left corner, px.
    pub from: [f64; 2],
    /// px.
    pub size: [f64; 2],
    /// Points across and points down, 2 or more.
    pub grid: [usize; 2],
    /// Stiffness of the diagonals, 0…1; 0: none.
    pub shear: f64,
    /// Stiffness of the links to second neighbours, 0…1; 0: none.
    pub bend: f64,
}

impl Cloth {
    pub fn shape(&self) -> Vec<[f64; 2]> {
        let [columns, rows] = self.grid;
        let step = |size: f64, i: usize, of: usize| size * i as f64 / (of - 1) as f64;
        let point = |i: usize| {
            let (column, row) = (i % columns, i / columns);
            [
                self.from[0] + step(self.size[0], column, columns),
                self.from[1] + step(self.size[1], row, rows),
            ]
        };
        (0..columns * rows).map(point).collect()
    }

    /// Links to the right and down, then both diagonals, then second neighbours; each lot point by point, row by row.
    pub fn links(&self, shape: &[[f64; 2]]) -> Vec<Link> {
        let mut list = Vec::new();
        self.lot(&mut list, shape, 1.0, &[[1, 0], [0, 1]]);
        self.lot(&mut list, shape, self.shear, &[[1, 1], [-1, 1]]);
        self.lot(&mut list, shape, self.bend, &[[2, 0], [0, 2]]);
        list
    }

    /// Adds the links that lead from every point by each of the steps, as far as they stay on the cloth.
    fn lot(&self, list: &mut Vec<Link>, shape: &[[f64; 2]], stiffness: f64, steps: &[[isize; 2]]) {
        let [columns, rows] = self.grid;
        if stiffness == 0.0 {
            return;
        }
        for i in 0..shape.len() {
            for &[across, down] in steps {
                let column = (i % columns).checked_add_signed(across);
                let row = (i / columns).checked_add_signed(down);
                if let (Some(column), Some(row)) = (column, row)
                    && column < columns
                    && row < rows
                {
                    list.push(Link::between(shape, i, row * columns + column, stiffness));
                }
            }
        }
    }
}
