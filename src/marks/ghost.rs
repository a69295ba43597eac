use super::{Draw, Mark, MarkKind, NoStyle, Pen};
use crate::formula::Program;
use crate::maths::functions::{floor, rounding};
use crate::scene::builder::Builder;
use crate::simulate::Chain;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Past poses of marks, fainter the older they are: where things were a moment ago. Before t = 0 nothing was,
/// but in a loop that repeats its end.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 40, "in_out_cubic"], [1, 200]] } } },
/// "draw": [
///   { "ghost": { "every": 0.08, "back": 0.24, "now": true, "draw": [
///     { "rect": { "at": ["x", 60], "size": [26, 26], "radius": 7 } }
///   ] } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ghost")]
pub struct Ghost {
    /// Marks in painter's order; each pose is composited once.
    #[schemars(extend("x-also" = ["children", "marks", "items", "of"]))]
    pub draw: Vec<Lenient<Mark>>,
    /// Time in T from one pose to the next.
    #[schemars(extend("x-also" = ["step", "interval", "spacing"]))]
    pub every: Fixed<Positive>,
    /// How far back the oldest pose lies, in T.
    #[schemars(extend("x-also" = ["length", "history", "duration"]))]
    pub back: Fixed<Positive>,
    /// Of the newest pose: 0 is invisible, 1 opaque.
    #[serde(default = "faint")]
    #[schemars(extend("x-also" = ["alpha"]))]
    pub opacity: Num<Unit>,
    /// Whether older poses are fainter: of n poses the k-th newest has (n + 1 − k) / n of `opacity`.
    #[serde(default = "yes")]
    pub fade: bool,
    /// Whether the present is drawn too, whole, on top.
    #[serde(default)]
    #[schemars(extend("x-also" = ["present", "current"]))]
    pub now: bool,
}

fn faint() -> Num<Unit> {
    Num::literal(0.3)
}

fn yes() -> bool {
    true
}

/// Most poses.
const POSE_LIMIT: f64 = 1000.0;

impl Ghost {
    /// How many past poses there are: those at k · every ≤ back.
    fn poses(&self, every: f64, back: f64, b: &mut Builder) -> u32 {
        let poses = floor((back + rounding(back)) / every);
        let wrong = match poses {
            _ if poses < 1.0 => format!("no pose lies within {back}: `every` is {every}"),
            _ if poses > POSE_LIMIT => format!("{poses} poses are more than {POSE_LIMIT}"),
            _ => return poses as u32,
        };
        let span = self.back.span;
        b.report(
            Problem::error("bad-poses", span, wrong)
                .note("past poses lie `every`, 2 · `every`, … up to `back` before the present"),
        );
        1
    }
}

impl MarkKind for Ghost {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        let (every, back) = (b.fixed(&self.every), b.fixed(&self.back));
        let (marks, chain) = b.looking_back(|b| b.marks(&self.draw));
        Box::new(GhostMark {
            marks,
            chain,
            every,
            poses: self.poses(every, back, b),
            opacity: b.num(&self.opacity),
            fade: self.fade,
            now: self.now,
        })
    }
}

struct GhostMark {
    marks: Vec<Box<dyn Draw>>,
    chain: Chain,
    every: f64,
    poses: u32,
    opacity: Program,
    fade: bool,
    now: bool,
}

impl GhostMark {
    /// Opacity of the k-th newest pose as a share of the newest one's.
    fn strength(&self, k: u32) -> f64 {
        match self.fade {
            true => f64::from(self.poses + 1 - k) / f64::from(self.poses),
            false => 1.0,
        }
    }

    fn marks(&self, pen: &mut Pen) {
        for mark in &self.marks {
            mark.draw(pen);
        }
    }
}

impl Draw for GhostMark {
    fn draw(&self, pen: &mut Pen) {
        let opacity = pen.number(&self.opacity);
        for k in (1..=self.poses).rev() {
            let Some(time) = pen.wrap(pen.time() - f64::from(k) * self.every) else {
                continue;
            };
            pen.layer(opacity * self.strength(k), |pen| {
                pen.at(&self.chain, time, |pen| self.marks(pen));
            });
        }
        if self.now {
            self.marks(pen);
        }
    }
}
