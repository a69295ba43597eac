//! Balls that fall, bounce, pile up and are thrown.

mod flight;
mod grab;
mod grid;
mod pile;
mod simple;

#[cfg(test)]
mod tests;

use super::{Around, Law, Pace, Particles, Snapshot, Trouble};
use grab::Hand;
pub use grab::{Grab, Offset, Pick, held};

/// A ball as it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre, px.
    pub at: [f64; 2],
    /// px/T.
    pub velocity: [f64; 2],
    /// px, > 0.
    pub radius: f64,
}

/// Which step balls take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Steady piles and exact bounces; the default.
    Stable,
    /// One plain pass, as in textbooks.
    Simple,
}

/// Balls in a box.
///
/// The stable solver cuts a step so that no ball moves more than half the smallest radius. Between contacts balls
/// fly on exact parabolas; a wall is met at the very moment inside the step, so with restitution 1 a ball returns
/// to the height it fell from. Balls that meet exchange impulses along the line of centres, from the deepest pair
/// up, several passes; only what closes in faster than `rest_speed` bounces. Overlap is removed by moving, not by
/// speed, and what moving lifts a ball is taken from its speed: energy never rises. A ball that keeps its place
/// for a quarter of a second (15 ticks) and touches something sleeps: it is exactly still until something moves
/// against it or away from it.
///
/// The simple solver moves every ball by the new velocity, turns it back at the walls, then takes the pairs i < j
/// once in list order: overlap shared half and half, an impulse of (1 + bounce)/2 of the closing speed on each; a
/// held ball goes to the pointer last.
///
/// Live inputs: pointer x, pointer y (px), whether it is down (0 or not 0), if there is a grab; else none.
#[derive(Clone, Debug)]
pub struct Balls {
    balls: Vec<Ball>,
    mass: Vec<f64>,
    /// Place of every ball in the order of sizes.
    by_size: Vec<u32>,
    /// px.
    smallest_radius: f64,
    mean_radius: f64,
    /// Restitution, ball against ball, 0…1.
    bounce: f64,
    /// Coulomb friction between balls, 0…1.
    friction: f64,
    /// Closing speed up to which nothing bounces, px/T; none: two ticks of gravity.
    rest_speed: Option<f64>,
    solver: Solver,
    grab: Option<Grab>,
}

impl Balls {
    /// Balls of equal mass, or of a mass as their area (the mean is 1).
    pub fn new(balls: Vec<Ball>, equal_masses: bool) -> Self {
        let square = |ball: &Ball| ball.radius * ball.radius;
        let mean = balls.iter().map(square).sum::<f64>() / balls.len().max(1) as f64;
        let mass = |ball: &Ball| {
            if equal_masses {
                1.0
            } else {
                square(ball) / mean
            }
        };
        let radii = || balls.iter().map(|ball| ball.radius);
        Self {
            mass: balls.iter().map(mass).collect(),
            by_size: by_size(&balls),
            smallest_radius: radii().fold(f64::INFINITY, f64::min),
            mean_radius: radii().sum::<f64>() / balls.len() as f64,
            balls,
            bounce: 0.5,
            friction: 0.0,
            rest_speed: None,
            solver: Solver::Stable,
            grab: None,
        }
    }

    /// Restitution of ball against ball, 0…1.
    #[must_use]
    pub fn bounce(mut self, bounce: f64) -> Self {
        self.bounce = bounce;
        self
    }

    /// Coulomb friction between balls, 0…1.
    #[must_use]
    pub fn friction(mut self, friction: f64) -> Self {
        self.friction = friction;
        self
    }

    /// Closing speed up to which nothing bounces, px/T; otherwise two ticks of gravity.
    #[must_use]
    pub fn rest_speed(mut self, speed: f64) -> Self {
        self.rest_speed = Some(speed);
        self
    }

    #[must_use]
    pub fn solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    #[must_use]
    pub fn grab(mut self, grab: Grab) -> Self {
        self.grab = Some(grab);
        self
    }

    /// The ball that the pointer holds.
    pub fn held(&self, p: &Particles) -> Option<usize> {
        self.grab.and_then(|_| grab::held(p.extra))
    }

    /// Lets the pointer take, hold or throw.
    fn follow(&self, p: &mut Particles, live: &[f64], h: f64) {
        if let Some(grab) = &self.grab {
            let (extra, arrays) = (&mut *p.extra, (&*p.x, &*p.y, &mut *p.vx, &mut *p.vy));
            Hand::of(extra).follow(grab, &self.balls, arrays, live, h);
        }
    }

    /// Numbers that the grab keeps, before those of the pile.
    fn hand(&self) -> usize {
        if self.grab.is_some() { grab::SIZE } else { 0 }
    }
}

/// Place of every ball in the order of sizes; equal ones as they were created.
fn by_size(balls: &[Ball]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..balls.len()).collect();
    order.sort_by(|&a, &b| balls[a].radius.total_cmp(&balls[b].radius));
    let mut places = vec![0; balls.len()];
    for (place, i) in order.into_iter().enumerate() {
        places[i] = place as u32;
    }
    places
}

fn largest(balls: &[Ball]) -> f64 {
    balls.iter().map(|ball| ball.radius).fold(0.0, f64::max)
}

impl Law for Balls {
    fn count(&self) -> usize {
        self.balls.len()
    }

    fn extra(&self) -> usize {
        let pile = match self.solver {
            Solver::Stable => pile::KNOWN + pile::PER_BALL * self.balls.len(),
            Solver::Simple => 0,
        };
        self.hand() + pile
    }

    fn live_inputs(&self) -> usize {
        if self.grab.is_some() { 3 } else { 0 }
    }

    fn start(&self, live: &[f64], p: &mut Particles) {
        p.extra.fill(0.0);
        for (i, ball) in self.balls.iter().enumerate() {
            p.put(i, ball.at);
            [p.vx[i], p.vy[i]] = ball.velocity;
        }
        self.follow(p, live, 0.0);
        if let (Some(_), true) = (self.grab, self.held(p).is_some()) {
            grab::mend(p, live);
        }
    }

    fn step(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        match self.solver {
            Solver::Stable => self.step_stable(p, around, live, pace),
            Solver::Simple => self.step_simple(p, around, live, pace),
        }
    }

    fn mend(&self, p: &mut Particles, live: &[f64]) {
        if self.grab.is_some() {
            grab::mend(p, live);
        }
    }

    fn trouble(&self, p: Snapshot, _live: &[f64]) -> Option<Trouble> {
        p.stray(|| "lower gravity or the speed of the pointer, or give the balls walls".to_owned())
    }

    fn energy(&self, p: Snapshot, around: &Around) -> f64 {
        p.mechanical(around, |i| self.mass[i])
    }
}
