//! Free flight along one axis between two walls, exact in time.

use crate::maths::functions::sqrt;

/// Bounces within one flight after which a ball lies down.
const BOUNCES: usize = 8;
/// Rounding must not lift a bounce: a speed at a wall is some last digits too small.
const SHY: f64 = 1.0 - 4.0 * f64::EPSILON;

/// Walls along one axis, as the centre of a ball sees them.
#[derive(Clone, Copy)]
pub struct Lane {
    pub low: f64,
    pub high: f64,
    pub bounce: f64,
    /// Speed up to which nothing bounces.
    pub rest: f64,
    /// Speed that a bounce loses besides: what the pull has given in advance, and must take back.
    pub less: f64,
}

/// Where a flight ends.
#[derive(Clone, Copy)]
pub struct Flight {
    pub x: f64,
    pub v: f64,
}

/// Flies for a time h under a constant acceleration.
pub fn fly(x: f64, v: f64, a: f64, h: f64, lane: Option<Lane>) -> Flight {
    let free = Flight {
        x: x + (v + 0.5 * a * h) * h,
        v: v + a * h,
    };
    match lane {
        None => free,
        Some(lane) if free.x >= lane.low && free.x <= lane.high => free,
        Some(lane) => between(x, v, a, h, lane),
    }
}

fn between(x: f64, v: f64, a: f64, h: f64, lane: Lane) -> Flight {
    // Thrown or pushed outside: it starts from the wall.
    let (mut x, mut v, mut left) = (lane.low.max(x.min(lane.high)), v, h);
    for _ in 0..BOUNCES {
        let end = x + (v + 0.5 * a * left) * left;
        if end >= lane.low && end <= lane.high {
            return Flight {
                x: end,
                v: v + a * left,
            };
        }
        let (wall, side) = if end > lane.high {
            (lane.high, 1.0)
        } else {
            (lane.low, -1.0)
        };
        let (speed, time) = hit(side * (wall - x), side * v, side * a);
        left = (left - time).max(0.0);
        x = wall;
        if speed <= lane.rest {
            v = 0.0;
            if side * a >= 0.0 {
                break;
            }
        } else {
            v = -side * (speed * lane.bounce * SHY - lane.less).max(0.0);
        }
    }
    Flight { x, v }
}

/// Speed and time at which a way is covered, all counted toward the wall.
fn hit(way: f64, v: f64, a: f64) -> (f64, f64) {
    let speed = sqrt((v * v + 2.0 * a * way).max(0.0));
    let time = if v >= 0.0 && v + speed > 0.0 {
        2.0 * way / (v + speed)
    } else if a > 0.0 {
        (speed - v) / a
    } else {
        0.0
    };
    (speed, time)
}
