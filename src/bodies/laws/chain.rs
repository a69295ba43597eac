//! Points in a row whose links are all solved together.

use super::{Particles, Walls, dot, tridiagonal};
use crate::maths::functions::hypot;

/// How exactly a link keeps its length, px.
const EXACT: f64 = 1e-9;
/// Most solutions of the linear system per part of a step.
const ROUNDS: usize = 40;
/// How exactly links are solved for, px, and with how many solutions, where a last pass can set their lengths.
const NEARLY: f64 = 1e-5;
const FEW: usize = 8;
/// Added to the diagonal, as a share of the largest inverse mass: a taut rope between two pins has no unique tension.
const LOOSE: f64 = 1e-10;
/// First stiffness against turning of a link that turned too far, as a multiple of the smallest mass.
const STIFF: f64 = 10.0;
/// Links stiffer than this, as a multiple of that, cannot fit: they give.
const TOO_STIFF: f64 = 1e3;

/// Scratch of one step: the rope as a chain of links.
pub struct Chain {
    /// x, y, vx, vy of every point at the start of the part.
    pub before: Vec<[f64; 4]>,
    /// Places before links were restored.
    pub flown: Vec<[f64; 2]>,
    /// Places before the last solution.
    tried: Vec<[f64; 2]>,
    /// Added to the diagonal, as a share of the largest inverse mass.
    loose: f64,
    /// Stiffness of all links against turning, beside that of their tension.
    stiff: f64,
    units: Vec<[f64; 2]>,
    lengths: Vec<f64>,
    /// Pull along every link, mass·px.
    tension: Vec<f64>,
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    /// What every link lacks, then the push along it that makes up for it.
    rows: Vec<[f64; 1]>,
    joints: Vec<Joint>,
    moves: Vec<[f64; 2]>,
}

/// A symmetric matrix: xx, xy, yy.
type Symmetric = [f64; 3];

/// A point and the link after it, once all before them are eliminated.
#[derive(Clone, Copy, Default)]
struct Joint {
    /// How the point gives to a push.
    give: Symmetric,
    /// Push on the point.
    push: [f64; 2],
    /// Stiffness of the link against turning.
    stiff: f64,
    /// How the far end of the link acts along it.
    along: [f64; 2],
    /// How the link gives, and what it lacks.
    slack: f64,
    lack: f64,
}

impl Chain {
    pub fn new(points: usize) -> Self {
        let links = points - 1;
        Self {
            before: vec![[0.0; 4]; points],
            flown: vec![[0.0; 2]; points],
            tried: vec![[0.0; 2]; points],
            loose: LOOSE,
            stiff: 0.0,
            units: vec![[0.0; 2]; links],
            lengths: vec![0.0; links],
            tension: vec![0.0; links],
            diagonal: vec![0.0; links],
            beside: vec![0.0; links - 1],
            rows: vec![[0.0]; links],
            joints: vec![Joint::default(); links],
            moves: vec![[0.0; 2]; points],
        }
    }

    pub fn remember(&mut self, p: &Particles) {
        for (i, before) in self.before.iter_mut().enumerate() {
            *before = [p.x[i], p.y[i], p.vx[i], p.vy[i]];
        }
    }

    /// Looks where the links point, and how long they are.
    pub fn aim(&mut self, p: &Particles) {
        self.measure(p);
        for (i, unit) in self.units.iter_mut().enumerate() {
            let (dx, dy) = (p.x[i + 1] - p.x[i], p.y[i + 1] - p.y[i]);
            let length = self.lengths[i];
            *unit = if length > 0.0 {
                [dx / length, dy / length]
            } else {
                [1.0, 0.0]
            };
        }
    }

    fn measure(&mut self, p: &Particles) {
        for (i, length) in self.lengths.iter_mut().enumerate() {
            *length = hypot(p.x[i + 1] - p.x[i], p.y[i + 1] - p.y[i]);
        }
    }

    /// Moves points until all links have their lengths, within the walls; whether a wall was met.
    ///
    /// Nearly so if the rope is open, that is held at one point at most, and meets no wall: [`Chain::set_lengths`]
    /// does the rest, at a cost that does not depend on how wildly the links turn.
    ///
    /// Links point where they pointed before the flight. A solution that makes things worse is taken back and
    /// tried again with links that turn less; what cannot be fitted even so gives (Levenberg–Marquardt) and ends
    /// as an even stretch.
    pub fn fit(
        &mut self,
        p: &mut Particles,
        rest: &[f64],
        weight: &[f64],
        walls: Option<Walls>,
        open: bool,
    ) -> bool {
        note(p, &mut self.flown);
        (self.loose, self.stiff) = (LOOSE, 0.0);
        let mut met = walls.is_some_and(|walls| hold(p, &walls, weight));
        self.foresee(p, rest, weight);
        self.aim(p);
        let mut error = self.lack(rest, weight);
        for round in 0..ROUNDS {
            let nearly = open && !met;
            let enough = if nearly { NEARLY } else { EXACT };
            if self.worst(weight) < enough || (nearly && round == FEW) {
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
                self.relax();
            } else if moved < EXACT {
                break;
            } else {
                back(p, &self.tried);
                self.stiffen(weight);
                self.aim(p);
                self.lack(rest, weight);
            }
        }
        met
    }

    /// Gives every link exactly its length where it points, from a point outward.
    pub fn set_lengths(&self, p: &mut Particles, rest: &[f64], from: usize) {
        for (i, (unit, rest)) in self.units.iter().zip(rest).enumerate().skip(from) {
            p.put(i + 1, [p.x[i] + unit[0] * rest, p.y[i] + unit[1] * rest]);
        }
        for (i, (unit, rest)) in self.units.iter().zip(rest).enumerate().take(from).rev() {
            p.put(
                i,
                [p.x[i + 1] - unit[0] * rest, p.y[i + 1] - unit[1] * rest],
            );
        }
    }

    /// Tension of every link that would make up for what the flight did to its length.
    fn foresee(&mut self, p: &Particles, rest: &[f64], weight: &[f64]) {
        self.measure(p);
        self.lack(rest, weight);
        self.solve(weight);
        for (tension, row) in self.tension.iter_mut().zip(&self.rows) {
            *tension = -row[0];
        }
    }

    fn relax(&mut self) {
        self.loose = (self.loose / 100.0).max(LOOSE);
        self.stiff /= 16.0;
    }

    fn stiffen(&mut self, weight: &[f64]) {
        let first = STIFF / lightest(weight);
        self.stiff = (8.0 * self.stiff).max(first);
        if self.stiff > TOO_STIFF * first {
            self.loose *= if self.loose < 1e-4 { 1e3 } else { 10.0 };
        }
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
        (0..self.rows.len())
            .filter(movable)
            .map(size)
            .fold(0.0, f64::max)
    }

    /// Moves points by the solution for what the rows lack; how far the farthest went.
    fn restore(&mut self, p: &mut Particles, weight: &[f64]) -> f64 {
        self.solve_turning(weight);
        let mut farthest = 0.0_f64;
        for (i, &[x, y]) in self.moves.iter().enumerate() {
            farthest = farthest.max(x.abs()).max(y.abs());
            p.x[i] += x;
            p.y[i] += y;
        }
        for (tension, row) in self.tension.iter_mut().zip(&self.rows) {
            *tension -= row[0];
        }
        farthest
    }

    /// Takes from the velocities what would change the length of a link.
    pub fn straighten(&mut self, p: &mut Particles, weight: &[f64]) {
        for (i, row) in self.rows.iter_mut().enumerate() {
            let way = [p.vx[i + 1] - p.vx[i], p.vy[i + 1] - p.vy[i]];
            *row = [-dot(self.units[i], way)];
        }
        self.solve(weight);
        for i in 0..p.count() {
            let [x, y] = self.shift(weight, i);
            p.vx[i] += x;
            p.vy[i] += y;
        }
    }

    /// Solves for the push along every link that makes up for what `rows` hold.
    fn solve(&mut self, weight: &[f64]) {
        let loose = self.loose * lightest(weight);
        let links = self.units.len();
        for i in 0..links {
            self.diagonal[i] = weight[i] + weight[i + 1] + loose;
            if i + 1 < links {
                self.beside[i] = -weight[i + 1] * dot(self.units[i], self.units[i + 1]);
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

    /// The same with links that resist turning, as a taut string does: by tension/length (geometric stiffness).
    ///
    /// Without it the lateral moves of a taut rope of many points overshoot, and solutions follow one another
    /// without end. Points and links are eliminated in turn, from the first to the last.
    fn solve_turning(&mut self, weight: &[f64]) {
        let loose = self.loose * lightest(weight);
        let mut stiffness = heavy(weight[0]);
        let mut push = [0.0; 2];
        for i in 0..self.units.len() {
            let joint = self.eliminate(i, weight[i] > 0.0, stiffness, push, loose);
            self.joints[i] = joint;
            let pulled = joint.lack / joint.slack;
            let [x, y] = joint.along;
            let side = across(self.units[i]);
            let turned = turn(joint.give, side);
            let turns = joint.stiff * dot(turned, joint.push);
            let rest = joint.stiff * (1.0 - joint.stiff * dot(side, turned));
            push = [turns * side[0] + x * pulled, turns * side[1] + y * pulled];
            let [xx, xy, yy] = outer(joint.along, 1.0 / joint.slack);
            let [sxx, sxy, syy] = outer(side, rest);
            let [mxx, mxy, myy] = heavy(weight[i + 1]);
            stiffness = [mxx + sxx + xx, mxy + sxy + xy, myy + syy + yy];
        }
        self.substitute(weight, stiffness, push);
    }

    /// Point i and the link after it, given how all before them resist and push.
    fn eliminate(
        &self,
        i: usize,
        free: bool,
        [xx, xy, yy]: Symmetric,
        push: [f64; 2],
        loose: f64,
    ) -> Joint {
        let unit = self.units[i];
        let side = across(unit);
        let stiff = self.stiff + self.taut(i);
        let [sxx, sxy, syy] = outer(side, stiff);
        let give = if free {
            inverse([xx + sxx, xy + sxy, yy + syy])
        } else {
            [0.0; 3]
        };
        let given = turn(give, unit);
        let aside = stiff * dot(side, given);
        Joint {
            give,
            push,
            stiff,
            along: [unit[0] - aside * side[0], unit[1] - aside * side[1]],
            slack: dot(unit, given) + loose,
            lack: self.rows[i][0] + dot(given, push),
        }
    }

    /// Stiffness of link i against turning that comes of its tension.
    fn taut(&self, i: usize) -> f64 {
        if self.lengths[i] > 0.0 {
            (self.tension[i] / self.lengths[i]).max(0.0)
        } else {
            0.0
        }
    }

    /// From the last point back: moves of the points, and pushes along the links into the rows.
    fn substitute(&mut self, weight: &[f64], stiffness: Symmetric, push: [f64; 2]) {
        let last = weight.len() - 1;
        let mut way = if weight[last] > 0.0 {
            turn(inverse(stiffness), push)
        } else {
            [0.0; 2]
        };
        self.moves[last] = way;
        for i in (0..last).rev() {
            let (joint, unit) = (self.joints[i], self.units[i]);
            let side = across(unit);
            let along = (joint.lack - dot(joint.along, way)) / joint.slack;
            let aside = joint.stiff * dot(side, way);
            let all = [0, 1].map(|k| joint.push[k] + aside * side[k] - along * unit[k]);
            way = turn(joint.give, all);
            self.rows[i] = [along];
            self.moves[i] = way;
        }
    }
}

/// The largest inverse mass; 1 if nothing moves.
fn lightest(weight: &[f64]) -> f64 {
    let most = weight.iter().copied().fold(0.0, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

/// How a point of this inverse mass resists; what is pinned is left out anyway.
fn heavy(weight: f64) -> Symmetric {
    let mass = if weight > 0.0 { 1.0 / weight } else { 0.0 };
    [mass, 0.0, mass]
}

fn across([x, y]: [f64; 2]) -> [f64; 2] {
    [-y, x]
}

fn outer([x, y]: [f64; 2], times: f64) -> Symmetric {
    [times * x * x, times * x * y, times * y * y]
}

fn inverse([xx, xy, yy]: Symmetric) -> Symmetric {
    let share = 1.0 / (xx * yy - xy * xy);
    [yy * share, -xy * share, xx * share]
}

fn turn([xx, xy, yy]: Symmetric, [x, y]: [f64; 2]) -> [f64; 2] {
    [xx * x + xy * y, xy * x + yy * y]
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
