//! The plain step of the textbook: move, walls, one pass over all pairs.

use super::super::{Around, PER_PAIR, Pace, Particles};
use super::grab::Hand;
use super::grid::Grid;
use super::{Balls, largest};
use crate::maths::functions::hypot;

/// Beyond so many pairs, and so many per ball, no more are looked for: balls that many lie at one place.
const PAIRS: usize = 1 << 22;
const PAIRS_PER_BALL: usize = 64;

impl Balls {
    pub(super) fn step_simple(&self, p: &mut Particles, around: &Around, live: &[f64], pace: Pace) {
        self.follow(p, live, pace.h);
        self.move_simply(p, around, pace);
        let mut pairs = Vec::new();
        self.pairs(p, &mut pairs);
        p.spend(PER_PAIR * pairs.len() as f64);
        for &(i, j) in &pairs {
            self.collide_simply(p, i, j);
        }
        if let Some(grab) = &self.grab {
            let hand = Hand::of(p.extra);
            if let Some((i, place)) = hand.hold(live) {
                [p.vx[i], p.vy[i]] = hand.speed(grab);
                p.x[i] = place[0];
                p.y[i] = place[1];
            }
        }
    }

    fn move_simply(&self, p: &mut Particles, around: &Around, pace: Pace) {
        let (kept, h, [gx, gy]) = (pace.kept(), pace.h, around.pull());
        for (i, ball) in self.balls.iter().enumerate() {
            p.vx[i] = (p.vx[i] + gx * h) * kept;
            p.vy[i] = (p.vy[i] + gy * h) * kept;
            p.x[i] += p.vx[i] * h;
            p.y[i] += p.vy[i] * h;
            if let Some(mut walls) = around.walls {
                let [left, top, right, bottom] = walls.edges;
                let r = ball.radius;
                walls.edges = [left + r, top + r, right - r, bottom - r];
                walls.bounce(p, i, walls.slide(pace));
            }
        }
    }

    /// Pairs i < j that may touch in this pass, in list order.
    ///
    /// A pass may push balls together that were apart: a margin of half the largest radius finds those too.
    fn pairs(&self, p: &Particles, pairs: &mut Vec<(usize, usize)>) {
        let most = largest(&self.balls);
        let grid = Grid::new(p.x, p.y, 2.5 * most);
        let mut found = Vec::new();
        let enough = (PAIRS_PER_BALL * self.balls.len()).max(PAIRS);
        for i in 0..self.balls.len() {
            if pairs.len() > enough {
                break;
            }
            found.clear();
            let reach = self.balls[i].radius + 1.5 * most;
            grid.around(p.x[i], p.y[i], reach, |run| {
                let near = grid.balls()[run].iter().map(|&j| j as usize);
                found.extend(near.filter(|&j| j > i));
            });
            found.sort_unstable();
            pairs.extend(found.iter().map(|&j| (i, j)));
        }
    }

    /// Equal masses: the overlap is shared half and half.
    fn collide_simply(&self, p: &mut Particles, i: usize, j: usize) {
        let (dx, dy) = (p.x[j] - p.x[i], p.y[j] - p.y[i]);
        let (apart, reach) = (hypot(dx, dy), self.balls[i].radius + self.balls[j].radius);
        if apart >= reach {
            return;
        }
        let (nx, ny) = if apart > 0.0 {
            (dx / apart, dy / apart)
        } else {
            (0.0, 1.0)
        };
        let half = (reach - apart) / 2.0;
        p.x[i] -= nx * half;
        p.y[i] -= ny * half;
        p.x[j] += nx * half;
        p.y[j] += ny * half;
        let closing = (p.vx[j] - p.vx[i]) * nx + (p.vy[j] - p.vy[i]) * ny;
        if closing < 0.0 {
            let push = -(1.0 + self.bounce) / 2.0 * closing;
            p.vx[i] -= push * nx;
            p.vy[i] -= push * ny;
            p.vx[j] += push * nx;
            p.vy[j] += push * ny;
        }
    }
}
