//! The stable step: contacts found on a grid, resolved from the ground up, and sleep.

use super::super::{Around, PER_LOOK, PER_PAIR, PER_PARTICLE, Pace, Particles};
use super::Balls;
use super::flight::{Lane, fly};
use super::grab::Hand;
use super::grid::Grid;
use crate::maths::functions::{ceil, clamp, hypot, sqrt};

/// Numbers kept per ball: ticks for which it has kept its place, and that place.
pub const PER_BALL: usize = 3;
/// Numbers kept once: edges of the walls and the pull, as the sleepers know them.
pub const KNOWN: usize = 6;

/// Parts of one step at most: faster balls may pass through one another, never through a wall.
const PARTS: usize = 64;
/// Farthest a ball moves in one part, as a share of the smallest radius: two that meet overlap by all of it at most.
const STRIDE: f64 = 0.5;
/// Contacts per ball beyond which no more are looked for: balls that lie side by side have six at most, and in a
/// heap of balls at one place those that are found part first.
const MOST_CONTACTS: usize = 64;
/// Most passes over what overlaps.
const PASSES: usize = 40;
/// Overlap at which passes end, px.
const SLIGHT: f64 = 0.05;
/// Overlap that is left as it is, px: nobody sees it, and balls at rest need not be moved for it.
const SLOP: f64 = 0.01;
/// Pairs this near after a flight take part in those passes, as a share of the smallest radius.
const CLOSE: f64 = 0.5;
/// Most passes over all contacts, for velocities.
const BLOWS: usize = 10;
/// Passes from the ground up in which what is borne stops sinking.
const CARRIES: usize = 2;
/// Closing speed at which passes end, as a share of the speed that does not bounce.
const CALM: f64 = 0.1;
/// A ball keeps its place while it stays within this distance, px.
const STILL: f64 = 0.25;
/// Ticks of keeping its place after which a ball that touches something sleeps.
const TIRED: f64 = 15.0;
/// Ticks that a ball has already kept its place when it is woken: it lies down again soon.
const DROWSY: f64 = 5.0;
/// A ball asleep has kept its place for this long.
const ASLEEP: f64 = 1e9;
/// Balls this near touch, as a share of the smallest radius.
const TOUCH: f64 = 1e-3;
/// A restless ball wakes what is this near, px.
const NEAR: f64 = 0.5;
/// Overlap of neighbours in a row that makes one climb, as a share of the smallest radius.
const JAM: f64 = 0.1;
/// A contact whose normal rises less than this is level: neither ball bears the other.
const LEVEL: f64 = 0.3;
/// Balls that overlap another deeper than this do not sleep, px.
const PRESSED: f64 = 0.4;
/// Most that one pass parts a pair by, as a share of the smallest radius: a blow must not spread as overlap.
const SHOVE: f64 = 0.1;

/// Walls that a ball touches, as bits.
const LEFT: u8 = 1;
const TOP: u8 = 2;
const RIGHT: u8 = 4;
const BOTTOM: u8 = 8;

#[derive(Clone, Copy)]
struct Contact {
    low: u32,
    high: u32,
}

/// What the search for contacts has to know of a ball.
struct Spot {
    x: f64,
    y: f64,
    radius: f64,
    size: u32,
    awake: bool,
}

/// A contact whose rims touch, or may within this part at a speed that does not bounce.
#[derive(Clone, Copy)]
struct Touching {
    low: usize,
    high: usize,
    /// Unit vector from the lower to the higher ball.
    normal: [f64; 2],
    /// Closing speed at which the rims just meet by the end of this part, px/T; 0 if they touch.
    room: f64,
}

/// Scratch and constants of one step.
struct Pile<'a> {
    balls: &'a Balls,
    around: &'a Around,
    pull: [f64; 2],
    /// Unit vector against the pull; none without a pull.
    up: Option<[f64; 2]>,
    rest: f64,
    smallest: f64,
    /// Gap between rims of pairs that may meet within this part, px.
    near: f64,
    held: Option<usize>,
    /// Inverse masses; 0 for the held ball and for sleepers.
    weight: Vec<f64>,
    touch: Vec<u8>,
    touched: Vec<bool>,
    supported: Vec<bool>,
    /// Height and index of every ball, from the ground up.
    order: Vec<(f64, u32)>,
    rank: Vec<u32>,
    contacts: Vec<Contact>,
    sorted: Vec<Contact>,
    /// Those of them that are close after the flight.
    close: Vec<Contact>,
    /// Those of them that touch.
    touching: Vec<Touching>,
    /// Balls that touch another.
    bound: Vec<bool>,
    /// Balls that overlap another deeply.
    pressed: Vec<bool>,
    begins: Vec<u32>,
    /// Places at the start of the part, and before overlaps were parted.
    start: Vec<[f64; 2]>,
    before: Vec<[f64; 2]>,
    /// Operations of this part, for what meets in it.
    work: f64,
}

impl Balls {
    pub(super) fn step_stable(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        self.follow(p, live, pace.h);
        self.rouse_all_if_changed(p, around);
        let hold = self.hold(p, around, live);
        if let Some((i, _)) = hold {
            self.quiet(p)[3 * i] = 0.0;
        }
        if self.all_asleep(p) {
            return;
        }
        let mut pile = Pile::new(self, p, around, pace, hold.map(|(i, _)| i));
        pile.slow(p, pace.kept());
        let mut left = pace.h;
        for part in 0..PARTS {
            let way = pile.way(p, left, hold);
            let parts = (ceil(way / (STRIDE * pile.smallest)) as usize).clamp(1, PARTS);
            let h = if parts == 1 || part + 1 == PARTS {
                left
            } else {
                left / parts as f64
            };
            pile.part(p, h, hold.map(|(i, place)| (i, place, h / left)));
            left -= h;
            let on = p.spend(std::mem::take(&mut pile.work));
            if parts == 1 || !on {
                break;
            }
            pile.work = PER_PARTICLE * pile.count() as f64;
        }
        pile.slide(p, pace);
        pile.tire(p, pace);
    }

    /// What is kept per ball.
    fn quiet<'p>(&self, p: &'p mut Particles) -> &'p mut [f64] {
        &mut p.extra[self.hand() + KNOWN..]
    }

    fn all_asleep(&self, p: &mut Particles) -> bool {
        self.quiet(p).chunks_exact(3).all(|one| one[0] >= ASLEEP)
    }

    /// Sleepers lie on walls and against a pull that they know: if either changes, all wake.
    fn rouse_all_if_changed(&self, p: &mut Particles, around: &Around) {
        let [left, top, right, bottom] = around.walls.map_or([0.0; 4], |walls| walls.edges);
        let [gx, gy] = around.pull();
        let now = [left, top, right, bottom, gx, gy];
        let hand = self.hand();
        if p.extra[hand..hand + KNOWN] != now {
            p.extra[hand..hand + KNOWN].copy_from_slice(&now);
            for one in self.quiet(p).chunks_exact_mut(3) {
                one[0] = one[0].min(DROWSY);
            }
        }
    }

    /// The held ball and its place at the end of the step, between the walls.
    fn hold(&self, p: &mut Particles, around: &Around, live: &[f64]) -> Option<(usize, [f64; 2])> {
        self.grab?;
        let (i, [mut x, mut y]) = Hand::of(p.extra).hold(live)?;
        if let Some(walls) = around.walls {
            let [left, top, right, bottom] = walls.edges;
            let r = self.balls[i].radius;
            super::super::walls::within(&mut x, left + r, right - r);
            super::super::walls::within(&mut y, top + r, bottom - r);
        }
        Some((i, [x, y]))
    }
}

impl<'a> Pile<'a> {
    fn new(
        balls: &'a Balls,
        p: &mut Particles,
        around: &'a Around,
        pace: Pace,
        held: Option<usize>,
    ) -> Self {
        let n = balls.balls.len();
        let [gx, gy] = around.pull();
        let pull = hypot(gx, gy);
        let quiet = balls.quiet(p);
        let weight = |i: usize| {
            if Some(i) == held || quiet[3 * i] >= ASLEEP {
                0.0
            } else {
                1.0 / balls.mass[i]
            }
        };
        Self {
            balls,
            around,
            pull: [gx, gy],
            up: (pull > 0.0).then(|| [-gx / pull, -gy / pull]),
            rest: balls.rest_speed.unwrap_or(2.0 * pull * pace.tick()),
            smallest: balls.smallest_radius,
            near: NEAR,
            held,
            weight: (0..n).map(weight).collect(),
            touch: vec![0; n],
            touched: vec![false; n],
            supported: vec![false; n],
            order: (0..n as u32).map(|i| (0.0, i)).collect(),
            rank: vec![0; n],
            contacts: Vec::new(),
            sorted: Vec::new(),
            close: Vec::new(),
            touching: Vec::new(),
            bound: vec![false; n],
            pressed: vec![false; n],
            begins: vec![0; n + 1],
            start: vec![[0.0; 2]; n],
            before: vec![[0.0; 2]; n],
            work: 0.0,
        }
    }

    fn count(&self) -> usize {
        self.weight.len()
    }

    fn radius(&self, i: usize) -> f64 {
        self.balls.balls[i].radius
    }

    /// Farthest that any ball moves in a time, px.
    fn way(&self, p: &Particles, left: f64, hold: Option<(usize, [f64; 2])>) -> f64 {
        let moving = (0..self.count()).filter(|&i| self.weight[i] > 0.0);
        let square = moving
            .map(|i| p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i])
            .fold(0.0, f64::max);
        let [gx, gy] = self.pull;
        let way = (sqrt(square) + hypot(gx, gy) * left) * left;
        match hold {
            Some((i, [x, y])) => way.max(hypot(x - p.x[i], y - p.y[i])),
            None => way,
        }
    }

    /// Largest speed against what all balls have in common, px/T; what does not move has nothing in common.
    fn spread(&self, p: &Particles) -> f64 {
        let n = self.count();
        let common = if self.weight.contains(&0.0) {
            [0.0; 2]
        } else {
            [&p.vx, &p.vy].map(|v| v.iter().sum::<f64>() / n as f64)
        };
        let moving = (0..n).filter(|&i| self.weight[i] > 0.0 || Some(i) == self.held);
        let square = |i: usize| {
            let (x, y) = (p.vx[i] - common[0], p.vy[i] - common[1]);
            x * x + y * y
        };
        sqrt(moving.map(square).fold(0.0, f64::max))
    }

    fn slow(&self, p: &mut Particles, kept: f64) {
        for i in 0..self.count() {
            p.vx[i] *= kept;
            p.vy[i] *= kept;
        }
    }

    /// One part of a step; the held ball goes a share of what is left of its way.
    ///
    /// Velocities of balls that touch are settled before anything moves: what rests does not move at all.
    fn part(&mut self, p: &mut Particles, h: f64, hold: Option<(usize, [f64; 2], f64)>) {
        let energy = self.energy(p);
        for (i, start) in self.start.iter_mut().enumerate() {
            *start = p.at(i);
        }
        self.sort_by_height(p);
        self.near = NEAR + 2.0 * self.spread(p) * h;
        self.find(p);
        self.wake(p, h);
        self.feel_walls(p);
        // Blows come before the pull: a ball must not bounce off with the speed that the pull is yet to take.
        for pass in 0..BLOWS {
            self.work += PER_PAIR * self.touching.len() as f64;
            if self.exchange(p, self.rest.max(f64::MIN_POSITIVE), pass % 2 == 1) == 0.0 {
                break;
            }
        }
        self.pull_bound(p, h);
        for pass in 0..BLOWS {
            self.work += PER_PAIR * self.touching.len() as f64;
            let worst = self.exchange(p, 0.0, pass % 2 == 1);
            self.stop_at_walls(p);
            if worst <= CALM * self.rest {
                break;
            }
        }
        self.carry(p);
        self.fly(p, h);
        if let (Some((i, [x, y], share)), Some(grab)) = (hold, &self.balls.grab) {
            p.x[i] += (x - p.x[i]) * share;
            p.y[i] += (y - p.y[i]) * share;
            [p.vx[i], p.vy[i]] = Hand::of(p.extra).speed(grab);
        }
        // Blows may have made balls faster than the search has reckoned with.
        if NEAR + 2.0 * self.spread(p) * h > self.near + NEAR {
            self.near = CLOSE * self.smallest;
            self.find(p);
        }
        self.part_overlaps(p, energy);
    }

    /// Gravity for balls that touch another: it comes before their contacts are settled.
    fn pull_bound(&self, p: &mut Particles, h: f64) {
        for i in 0..self.count() {
            if self.bound[i] && self.weight[i] > 0.0 {
                p.vx[i] += self.pull[0] * h;
                p.vy[i] += self.pull[1] * h;
            }
        }
    }

    fn lanes(&self, i: usize) -> Option<[Lane; 2]> {
        let walls = self.around.walls?;
        let [left, top, right, bottom] = walls.edges;
        let r = self.radius(i);
        let lane = |low: f64, high: f64| Lane {
            low: low + r,
            high: high - r,
            bounce: walls.bounce,
            rest: self.rest,
            less: 0.0,
        };
        Some([lane(left, right), lane(top, bottom)])
    }

    fn fly(&self, p: &mut Particles, h: f64) {
        for i in 0..self.count() {
            if self.weight[i] > 0.0 {
                let [ax, ay] = if self.bound[i] { [0.0, 0.0] } else { self.pull };
                let mut lanes = self.lanes(i);
                if let (Some(lanes), true) = (&mut lanes, self.bound[i]) {
                    lanes[0].less = 2.0 * self.pull[0].abs() * h;
                    lanes[1].less = 2.0 * self.pull[1].abs() * h;
                }
                let x = fly(p.x[i], p.vx[i], ax, h, lanes.map(|lanes| lanes[0]));
                let y = fly(p.y[i], p.vy[i], ay, h, lanes.map(|lanes| lanes[1]));
                p.put(i, [x.x, y.x]);
                [p.vx[i], p.vy[i]] = [x.v, y.v];
            }
        }
    }

    /// Orders balls from the ground up; without a pull, as they were created.
    fn sort_by_height(&mut self, p: &Particles) {
        if let Some([ux, uy]) = self.up {
            for (height, i) in &mut self.order {
                *height = ux * p.x[*i as usize] + uy * p.y[*i as usize];
            }
            self.order
                .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        for (rank, &(_, i)) in self.order.iter().enumerate() {
            self.rank[i as usize] = rank as u32;
        }
    }

    /// Lists all pairs that are near, sorted by their higher ball from the ground up.
    fn find(&mut self, p: &Particles) {
        let near = self.near;
        let grid = Grid::new(p.x, p.y, 2.0 * self.balls.mean_radius + near);
        let spot = |&i: &u32| {
            let i = i as usize;
            let (size, awake) = (self.balls.by_size[i], self.weight[i] > 0.0);
            let (x, y, radius) = (p.x[i], p.y[i], self.radius(i));
            Spot {
                x,
                y,
                radius,
                size,
                awake,
            }
        };
        let spots: Vec<Spot> = grid.balls().iter().map(spot).collect();
        self.contacts.clear();
        let most = MOST_CONTACTS * spots.len();
        let room = p.room - p.spent - self.work;
        let mut looks = 0;
        for (one, &i) in spots.iter().zip(grid.balls()) {
            if self.contacts.len() > most || PER_LOOK * looks as f64 > room {
                break;
            }
            grid.around(one.x, one.y, 2.0 * one.radius + near, |run| {
                looks += run.len();
                for (other, &j) in spots[run.clone()].iter().zip(&grid.balls()[run]) {
                    let (dx, dy) = (one.x - other.x, one.y - other.y);
                    let reach = one.radius + other.radius + near;
                    // The larger ball of a pair finds the smaller one. No short cuts: a branch that is taken at
                    // random costs more than all of this.
                    let close = dx * dx + dy * dy < reach * reach;
                    if close & (other.size < one.size) & (one.awake | other.awake) {
                        let upward = self.rank[i as usize] < self.rank[j as usize];
                        let (low, high) = if upward { (i, j) } else { (j, i) };
                        self.contacts.push(Contact { low, high });
                    }
                }
            });
        }
        self.work += PER_LOOK * looks as f64;
        self.sort_contacts();
    }

    /// Counting sort by the rank of the higher ball.
    fn sort_contacts(&mut self) {
        self.begins.fill(0);
        for contact in &self.contacts {
            self.begins[self.rank[contact.high as usize] as usize + 1] += 1;
        }
        for i in 1..self.begins.len() {
            self.begins[i] += self.begins[i - 1];
        }
        self.sorted.clear();
        self.sorted
            .resize(self.contacts.len(), Contact { low: 0, high: 0 });
        for &contact in &self.contacts {
            let place = &mut self.begins[self.rank[contact.high as usize] as usize];
            self.sorted[*place as usize] = contact;
            *place += 1;
        }
    }

    /// Restless balls and the held one wake the sleepers near them; notes the pairs that touch.
    fn wake(&mut self, p: &mut Particles, h: f64) {
        let touch = TOUCH * self.smallest;
        let soon = touch.max(self.rest * h);
        for contact in &self.sorted {
            let (low, high) = (contact.low as usize, contact.high as usize);
            let reach = self.radius(low) + self.radius(high) + NEAR;
            let (dx, dy) = (p.x[high] - p.x[low], p.y[high] - p.y[low]);
            if dx * dx + dy * dy > reach * reach {
                continue;
            }
            for (one, other) in [(low, high), (high, low)] {
                let quiet = self.balls.quiet(p);
                let restless =
                    Some(one) == self.held || (self.weight[one] > 0.0 && quiet[3 * one] == 0.0);
                if restless && quiet[3 * other] >= ASLEEP {
                    quiet[3 * other] = DROWSY;
                    self.weight[other] = 1.0 / self.balls.mass[other];
                }
            }
        }
        self.bound.fill(false);
        self.touching.clear();
        for &contact in &self.sorted {
            let (low, high) = (contact.low as usize, contact.high as usize);
            let reach = self.radius(low) + self.radius(high) + soon;
            let (dx, dy) = (p.x[high] - p.x[low], p.y[high] - p.y[low]);
            if dx * dx + dy * dy < reach * reach {
                let (normal, gap) = self.normal(p, contact);
                let room = if gap < touch { 0.0 } else { gap / h };
                self.touching.push(Touching {
                    low,
                    high,
                    normal,
                    room,
                });
                if room > 0.0 {
                    continue;
                }
                for i in [low, high] {
                    self.bound[i] = true;
                    self.touched[i] = true;
                }
            }
        }
    }

    /// Unit vector from the lower to the higher ball, and the gap between their rims.
    fn normal(&self, p: &Particles, contact: Contact) -> ([f64; 2], f64) {
        let (low, high) = (contact.low as usize, contact.high as usize);
        let (dx, dy) = (p.x[high] - p.x[low], p.y[high] - p.y[low]);
        let apart = hypot(dx, dy);
        let reach = self.radius(low) + self.radius(high);
        let normal = if apart > 0.0 {
            [dx / apart, dy / apart]
        } else {
            self.up.unwrap_or([0.0, -1.0])
        };
        (normal, apart - reach)
    }

    fn feel_walls(&mut self, p: &Particles) {
        let near = TOUCH * self.smallest;
        for i in 0..self.count() {
            let Some([across, down]) = self.lanes(i) else {
                return;
            };
            let mut bits = 0;
            for (bit, met) in [
                (LEFT, p.x[i] <= across.low + near),
                (RIGHT, p.x[i] >= across.high - near),
                (TOP, p.y[i] <= down.low + near),
                (BOTTOM, p.y[i] >= down.high - near),
            ] {
                if met {
                    bits |= bit;
                }
            }
            self.touch[i] = bits;
            self.touched[i] |= bits != 0;
        }
    }

    /// One pass of impulses between what closes in faster than `least`; the fastest of those, px/T.
    ///
    /// Each takes energy from its pair or leaves it, none adds. Without a least speed nothing bounces.
    fn exchange(&self, p: &mut Particles, least: f64, down: bool) -> f64 {
        let mut worst = 0.0_f64;
        for k in 0..self.touching.len() {
            let k = if down { self.touching.len() - 1 - k } else { k };
            let Touching {
                low,
                high,
                normal: [nx, ny],
                room,
            } = self.touching[k];
            let (dvx, dvy) = (p.vx[high] - p.vx[low], p.vy[high] - p.vy[low]);
            let closing = -(dvx * nx + dvy * ny) - room;
            // What is fast enough to bounce does so when it has arrived.
            if closing <= least || (room > 0.0 && closing + room > self.rest) {
                continue;
            }
            let (wl, wh) = (self.weight[low], self.weight[high]);
            worst = worst.max(closing);
            let bounce = if closing > self.rest {
                self.balls.bounce
            } else {
                0.0
            };
            let push = (1.0 + bounce) * closing / (wl + wh);
            let slip = dvy * nx - dvx * ny;
            let most = self.balls.friction * push;
            let rub = -clamp(slip / (wl + wh), -most, most);
            let (jx, jy) = (push * nx - rub * ny, push * ny + rub * nx);
            p.vx[low] -= jx * wl;
            p.vy[low] -= jy * wl;
            p.vx[high] += jx * wh;
            p.vy[high] += jy * wh;
        }
        worst
    }

    /// Balls at a wall do not creep into it; what is fast enough to bounce will do so in flight.
    fn stop_at_walls(&self, p: &mut Particles) {
        for i in 0..self.count() {
            let bits = self.touch[i];
            if bits == 0 || self.weight[i] == 0.0 {
                continue;
            }
            let slow_x = p.vx[i].abs() <= self.rest;
            let slow_y = p.vy[i].abs() <= self.rest;
            if slow_x
                && ((bits & LEFT != 0 && p.vx[i] < 0.0) || (bits & RIGHT != 0 && p.vx[i] > 0.0))
            {
                p.vx[i] = 0.0;
            }
            if slow_y
                && ((bits & TOP != 0 && p.vy[i] < 0.0) || (bits & BOTTOM != 0 && p.vy[i] > 0.0))
            {
                p.vy[i] = 0.0;
            }
        }
    }

    /// From the ground up: what lies on something that bears it stops sinking (shock propagation; Guendelman,
    /// Bridson and Fedkiw, 2003).
    fn carry(&mut self, p: &mut Particles) {
        let Some([ux, uy]) = self.up else {
            return;
        };
        for i in 0..self.count() {
            self.supported[i] = self.stands(i);
        }
        for _ in 0..CARRIES {
            for k in 0..self.touching.len() {
                self.bear(p, self.touching[k], [ux, uy]);
            }
        }
    }

    /// What sinks into a ball that is borne goes with it from now on; that takes energy or leaves it.
    fn bear(&mut self, p: &mut Particles, contact: Touching, [ux, uy]: [f64; 2]) {
        let (low, high, [nx, ny]) = (contact.low, contact.high, contact.normal);
        if !self.supported[low] || nx * ux + ny * uy < LEVEL {
            return;
        }
        let along = |i: usize| p.vx[i] * nx + p.vy[i] * ny;
        let (above, below) = (along(high), along(low));
        let sinking = below - above;
        if contact.room > 0.0 || sinking < -CALM * self.rest {
            return;
        }
        self.supported[high] = true;
        if above < 0.0 && sinking > 0.0 && self.weight[high] > 0.0 {
            let change = below.min(0.0) - above;
            p.vx[high] += change * nx;
            p.vy[high] += change * ny;
        }
    }

    /// Whether a ball needs no other to bear it.
    fn stands(&self, i: usize) -> bool {
        let [gx, gy] = self.pull;
        let bits = self.touch[i];
        self.weight[i] == 0.0
            || (bits & LEFT != 0 && gx < 0.0)
            || (bits & RIGHT != 0 && gx > 0.0)
            || (bits & TOP != 0 && gy < 0.0)
            || (bits & BOTTOM != 0 && gy > 0.0)
    }

    /// Kinetic energy and that of place, of all balls.
    fn energy(&self, p: &Particles) -> f64 {
        let [gx, gy] = self.pull;
        let each = |(i, mass): (usize, &f64)| {
            let kinetic = 0.5 * (p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]);
            mass * (kinetic - gx * p.x[i] - gy * p.y[i])
        };
        self.balls.mass.iter().enumerate().map(each).sum()
    }

    /// Moves overlapping balls apart; what that lifts a ball by is taken from its speed.
    fn part_overlaps(&mut self, p: &mut Particles, energy: f64) {
        self.pressed.fill(false);
        for (i, before) in self.before.iter_mut().enumerate() {
            *before = p.at(i);
        }
        self.list_close(p);
        for _ in 0..PASSES {
            self.work += PER_PAIR * self.close.len() as f64;
            let mut worst = 0.0_f64;
            for k in 0..self.close.len() {
                let contact = self.close[k];
                let depth = self.push_apart(p, contact);
                if depth > PRESSED {
                    self.pressed[contact.low as usize] = true;
                    self.pressed[contact.high as usize] = true;
                }
                worst = worst.max(depth);
            }
            if worst <= SLIGHT {
                break;
            }
        }
        self.pay_for_height(p);
        if self.held.is_none() {
            self.pay_together(p, energy);
            self.go_back(p, energy);
        }
    }

    /// Lists the pairs that overlap or may do so by parting others.
    fn list_close(&mut self, p: &Particles) {
        let margin = CLOSE * self.smallest;
        self.close.clear();
        for &contact in &self.sorted {
            let (low, high) = (contact.low as usize, contact.high as usize);
            let (dx, dy) = (p.x[high] - p.x[low], p.y[high] - p.y[low]);
            let reach = self.radius(low) + self.radius(high) + margin;
            if dx * dx + dy * dy < reach * reach {
                self.close.push(contact);
            }
        }
    }

    /// Takes what is still missing from the speed of all balls.
    fn pay_together(&self, p: &mut Particles, energy: f64) {
        let excess = self.energy(p) - energy;
        let paying = |&i: &usize| self.weight[i] > 0.0;
        let kinetic = |i: usize| 0.5 * self.balls.mass[i] * (p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]);
        let funds: f64 = (0..self.count()).filter(paying).map(kinetic).sum();
        if excess > 0.0 && funds > 0.0 {
            let kept = sqrt((1.0 - excess / funds).max(0.0));
            for i in (0..self.count()).filter(paying) {
                p.vx[i] *= kept;
                p.vy[i] *= kept;
            }
        }
    }

    /// Takes back as much of all moves of this part as lifted the balls above the energy they had: the rest waits.
    fn go_back(&self, p: &mut Particles, energy: f64) {
        let [gx, gy] = self.pull;
        let lift = |(i, &[x, y]): (usize, &[f64; 2])| {
            -self.balls.mass[i] * (gx * (p.x[i] - x) + gy * (p.y[i] - y))
        };
        let lifted: f64 = self.start.iter().enumerate().map(lift).sum();
        let excess = self.energy(p) - energy;
        if excess > 0.0 && lifted > 0.0 {
            let kept = (1.0 - excess / lifted).max(0.0);
            for (i, &[x, y]) in self.start.iter().enumerate() {
                p.x[i] = x + (p.x[i] - x) * kept;
                p.y[i] = y + (p.y[i] - y) * kept;
            }
        }
    }

    /// Removes the overlap of one pair, and tells it, px.
    fn push_apart(&self, p: &mut Particles, contact: Contact) -> f64 {
        let (low, high) = (contact.low as usize, contact.high as usize);
        let (dx, dy) = (p.x[high] - p.x[low], p.y[high] - p.y[low]);
        let reach = (self.radius(low) + self.radius(high) - SLOP).max(0.0);
        if dx * dx + dy * dy >= reach * reach {
            return 0.0;
        }
        let (normal, gap) = self.normal(p, contact);
        self.part_pair(p, contact, normal, -gap);
        self.keep_inside(p, low);
        self.keep_inside(p, high);
        -gap
    }

    /// Moves a pair apart along the normal, or up a little if it is jammed.
    fn part_pair(
        &self,
        p: &mut Particles,
        contact: Contact,
        [mut nx, mut ny]: [f64; 2],
        depth: f64,
    ) {
        let (low, high) = (contact.low as usize, contact.high as usize);
        let (mut wl, wh) = (self.weight[low], self.weight[high]);
        let rise = self.up.map_or(0.0, |[ux, uy]| nx * ux + ny * uy);
        if rise > LEVEL && self.supported[low] && wh > 0.0 {
            wl = 0.0;
        }
        // Too many in one row would squeeze one another for ever: the later ball must climb.
        if let (Some([ux, uy]), true) = (self.up, depth > JAM * self.smallest && rise < LEVEL) {
            [nx, ny] = [nx + LEVEL * ux, ny + LEVEL * uy];
        }
        let push = depth.min(SHOVE * self.smallest) / (wl + wh);
        p.x[low] -= nx * push * wl;
        p.y[low] -= ny * push * wl;
        p.x[high] += nx * push * wh;
        p.y[high] += ny * push * wh;
    }

    fn keep_inside(&self, p: &mut Particles, i: usize) {
        if let Some([across, down]) = self.lanes(i) {
            super::super::walls::within(&mut p.x[i], across.low, across.high);
            super::super::walls::within(&mut p.y[i], down.low, down.high);
        }
    }

    fn pay_for_height(&self, p: &mut Particles) {
        let [gx, gy] = self.pull;
        for (i, &[x, y]) in self.before.iter().enumerate() {
            let gain = -(gx * (p.x[i] - x) + gy * (p.y[i] - y));
            let square = p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i];
            if gain > 0.0 && square > 0.0 && self.weight[i] > 0.0 {
                let left = sqrt((1.0 - 2.0 * gain / square).max(0.0));
                p.vx[i] *= left;
                p.vy[i] *= left;
            }
        }
    }

    /// Walls take from the speed along them.
    fn slide(&self, p: &mut Particles, pace: Pace) {
        let Some(walls) = self.around.walls else {
            return;
        };
        let kept = walls.slide(pace);
        for i in 0..self.count() {
            if self.touch[i] & (LEFT | RIGHT) != 0 {
                p.vy[i] *= kept;
            }
            if self.touch[i] & (TOP | BOTTOM) != 0 {
                p.vx[i] *= kept;
            }
        }
    }

    /// Balls that keep their place and touch something fall asleep.
    fn tire(&self, p: &mut Particles, pace: Pace) {
        for i in 0..self.count() {
            let at = p.at(i);
            let one = &mut self.balls.quiet(p)[3 * i..3 * i + 3];
            if one[0] >= ASLEEP {
                continue;
            }
            let moved = hypot(at[0] - one[1], at[1] - one[2]) > STILL;
            if moved || Some(i) == self.held {
                one.copy_from_slice(&[0.0, at[0], at[1]]);
                continue;
            }
            one[0] += pace.share;
            if one[0] >= TIRED && self.touched[i] && !self.pressed[i] && self.up.is_some() {
                one[0] = ASLEEP;
                p.vx[i] = 0.0;
                p.vy[i] = 0.0;
            }
        }
    }
}
