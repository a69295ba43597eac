//! A pointer that takes a ball, moves it and throws it.

use super::super::Particles;
use super::Ball;
use crate::maths::functions::hypot;

/// How a pointer takes balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    pub pick: Pick,
    /// How far from a ball's rim the pointer may press, px; none: as far as its radius.
    pub reach: Option<f64>,
    pub offset: Offset,
    /// Speed of a thrown ball as a multiple of the pointer's mean speed.
    pub throw: f64,
    /// Time over which that mean is taken, T.
    pub average: f64,
}

/// Which ball within reach is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The one whose rim is nearest.
    Nearest,
    /// The first in creation order.
    First,
    /// This one or none.
    Index(usize),
}

/// Where the pointer holds the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// Where it was picked.
    Keep,
    /// At its centre, which jumps there.
    Zero,
}

/// Places of the pointer that are remembered.
const PLACES: usize = 33;
/// Held ball + 1 or 0, offset x, y, whether it was down, clock, number of places.
const HEAD: usize = 6;

/// Numbers of state: the head, then time, x, y of every place, the newest first.
pub const SIZE: usize = HEAD + 3 * PLACES;

/// The state of a grab, in the law's further numbers.
pub struct Hand<'a> {
    head: &'a mut [f64],
    places: &'a mut [f64],
}

impl<'a> Hand<'a> {
    pub fn of(extra: &'a mut [f64]) -> Self {
        let (head, places) = extra[..SIZE].split_at_mut(HEAD);
        Self { head, places }
    }

    /// The pointer at the end of a step of h: takes, holds or throws.
    pub fn follow(
        &mut self,
        grab: &Grab,
        balls: &[Ball],
        p: (&[f64], &[f64], &mut [f64], &mut [f64]),
        live: &[f64],
        h: f64,
    ) {
        let (x, y, vx, vy) = p;
        let (down, was) = (live[2] != 0.0, self.head[3] != 0.0);
        let place = [live[0], live[1]];
        match (was, down) {
            (false, true) => self.press(grab, balls, x, y, place),
            (true, true) => self.remember(place, grab.average, h),
            (true, false) => {
                if let Some(i) = held(self.head) {
                    [vx[i], vy[i]] = self.speed(grab);
                }
                self.head[0] = 0.0;
            }
            (false, false) => {}
        }
        self.head[3] = f64::from(u8::from(down));
    }

    fn press(&mut self, grab: &Grab, balls: &[Ball], x: &[f64], y: &[f64], [px, py]: [f64; 2]) {
        let picked = pick(grab, balls, x, y, [px, py]);
        self.head[0] = picked.map_or(0.0, |i| i as f64 + 1.0);
        if let (Some(i), Offset::Keep) = (picked, grab.offset) {
            self.head[1] = x[i] - px;
            self.head[2] = y[i] - py;
        } else {
            self.head[1] = 0.0;
            self.head[2] = 0.0;
        }
        self.head[4] = 0.0;
        self.head[5] = 1.0;
        self.places[..3].copy_from_slice(&[0.0, px, py]);
    }

    /// Notes a place; places closer in time than average/32 share one entry.
    fn remember(&mut self, [px, py]: [f64; 2], average: f64, h: f64) {
        self.head[4] += h;
        let (now, count) = (self.head[4], self.head[5] as usize);
        let spaced = count < 2 || self.places[0] - self.places[3] >= average / (PLACES - 1) as f64;
        if spaced {
            self.places.copy_within(..3 * (PLACES - 1), 3);
            self.head[5] = (count + 1).min(PLACES) as f64;
        }
        self.places[..3].copy_from_slice(&[now, px, py]);
    }

    /// Speed of a throw now: the mean speed of the pointer, times `throw`.
    pub fn speed(&self, grab: &Grab) -> [f64; 2] {
        let places: Vec<&[f64]> = self
            .places
            .chunks_exact(3)
            .take(self.head[5] as usize)
            .collect();
        let since = places[0][0] - grab.average;
        let mut then = [places[0][0], places[0][1], places[0][2]];
        for pair in places.windows(2) {
            let (late, early) = (pair[0], pair[1]);
            then = [early[0], early[1], early[2]];
            if early[0] <= since {
                let u = (since - early[0]) / (late[0] - early[0]);
                then = [
                    since,
                    early[1] + (late[1] - early[1]) * u,
                    early[2] + (late[2] - early[2]) * u,
                ];
                break;
            }
        }
        let time = places[0][0] - then[0];
        if time <= 0.0 {
            return [0.0, 0.0];
        }
        let speed = |to: f64, from: f64| (to - from) / time * grab.throw;
        [speed(places[0][1], then[1]), speed(places[0][2], then[2])]
    }

    /// The held ball and where the pointer holds its centre.
    pub fn hold(&self, live: &[f64]) -> Option<(usize, [f64; 2])> {
        held(self.head).map(|i| (i, [live[0] + self.head[1], live[1] + self.head[2]]))
    }
}

/// The ball that is held, of a law's further numbers.
pub fn held(extra: &[f64]) -> Option<usize> {
    (extra[0] >= 1.0).then(|| extra[0] as usize - 1)
}

/// The ball that a pointer pressed here takes.
fn pick(grab: &Grab, balls: &[Ball], x: &[f64], y: &[f64], [px, py]: [f64; 2]) -> Option<usize> {
    let rim = |i: usize| hypot(x[i] - px, y[i] - py) - balls[i].radius;
    let mut within = (0..balls.len()).filter(|&i| rim(i) <= grab.reach.unwrap_or(balls[i].radius));
    match grab.pick {
        Pick::First => within.next(),
        Pick::Index(i) => within.find(|&j| j == i),
        Pick::Nearest => within.min_by(|&i, &j| rim(i).total_cmp(&rim(j))),
    }
}

/// Puts the held ball where the pointer is at a moment between two steps.
pub fn mend(p: &mut Particles, live: &[f64]) {
    if let (Some((i, place)), true) = (Hand::of(p.extra).hold(live), live[2] != 0.0) {
        p.x[i] = place[0];
        p.y[i] = place[1];
    }
}
