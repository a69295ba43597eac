//! What acts on bodies from outside.

use super::laws::{Around, Pace, Walls as WallsNow};
use crate::document::TimeUnit;
use crate::formula::Inputs;
use crate::maths::vector::Vec2;
use crate::scene::BoxProgram;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// What acts on all bodies, unless they say otherwise.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "world")]
#[serde(default)]
pub struct World {
    /// Acceleration in px/T², y down; `[0, 0]` if absent.
    #[schemars(extend("x-also" = ["g"]))]
    pub gravity: Option<Pair>,
    /// Share of the velocity that is kept per tick (1/60 s, or one frame with `"time": "frames"`), above 0 and
    /// at most 1; 1 if absent.
    #[schemars(extend("x-also" = ["damping", "damp", "drag", "air"]))]
    pub keep: Option<Fixed<Share>>,
    /// A box that nothing leaves.
    #[schemars(extend("x-also" = ["bounds", "floor"]))]
    pub walls: Option<Walls>,
    /// Acceleration in px/T² on every point; for a flag put a `noise` in it. `[0, 0]` if absent.
    pub wind: Option<Pair>,
}

/// The walls of a box, seen from inside.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "walls")]
pub struct Walls {
    /// `[left, top, right, bottom]` in px.
    #[schemars(extend("x-also" = ["bounds", "rect", "edges"]))]
    pub r#box: Edges,
    /// Restitution: the share of the speed that comes back, 0 to 1.
    #[serde(default = "half")]
    #[schemars(extend("x-also" = ["restitution", "elasticity"]))]
    pub bounce: Fixed<Unit>,
    /// Share of the speed along the wall that is lost per tick of contact, 0 to 1.
    #[serde(default = "Fixed::<Unit>::zero")]
    pub friction: Fixed<Unit>,
}

/// What every kind of body takes besides: its own instead of the world's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Common {
    /// Instead of the world's: acceleration in px/T², y down.
    pub gravity: Option<Pair>,
    /// Instead of the world's: share of the velocity kept per tick.
    #[schemars(extend("x-also" = ["damping", "damp", "drag"]))]
    pub keep: Option<Fixed<Share>>,
    /// Instead of the world's: a box that it does not leave.
    pub walls: Option<Walls>,
    /// Instead of the world's: acceleration in px/T².
    pub wind: Option<Pair>,
    /// Steps per tick; 5 if absent, 1 with `"time": "frames"`. Five times 60 steps a second, so that frames at
    /// 10, 12, 15, 20, 25, 30, 50, 60 and 100 per second fall on a step.
    #[schemars(extend("x-also" = ["sub_steps", "subSteps"]))]
    pub substeps: Option<Int<1, 256>>,
}

fn half() -> Fixed<Unit> {
    Fixed::literal(0.5)
}

/// What acts on one body, with formulas that may change with time.
pub struct Surroundings {
    gravity: Option<PointProgram>,
    wind: Option<PointProgram>,
    walls: Option<LiveWalls>,
    /// Velocity kept per tick.
    keep: f64,
    /// Steps per tick.
    substeps: usize,
}

struct LiveWalls {
    edges: BoxProgram,
    bounce: f64,
    friction: f64,
}

impl Surroundings {
    /// How many numbers it reads.
    pub const INPUTS: usize = 8;

    /// Resolves the body's own fields, and the world's where it has none.
    pub fn build(common: &Common, b: &mut Builder) -> Self {
        let world = b.world();
        let substeps = match (&common.substeps, b.clock().unit) {
            (Some(substeps), _) => b.int(substeps) as usize,
            (None, TimeUnit::Seconds) => 5,
            (None, TimeUnit::Frames) => 1,
        };
        let own = Self {
            gravity: common.gravity.as_ref().map(|pair| b.pair(pair)),
            wind: common.wind.as_ref().map(|pair| b.pair(pair)),
            walls: common
                .walls
                .as_ref()
                .map(|walls| LiveWalls::build(walls, b)),
            keep: common.keep.as_ref().map_or(1.0, |keep| b.fixed(keep)),
            substeps,
        };
        let Some(world) = world else { return own };
        b.in_the_spec(|b| {
            let gravity = world.gravity.as_ref().filter(|_| own.gravity.is_none());
            let wind = world.wind.as_ref().filter(|_| own.wind.is_none());
            let walls = world.walls.as_ref().filter(|_| own.walls.is_none());
            let keep = world.keep.as_ref().filter(|_| common.keep.is_none());
            Self {
                gravity: gravity.map(|pair| b.pair(pair)).or(own.gravity),
                wind: wind.map(|pair| b.pair(pair)).or(own.wind),
                walls: walls.map(|walls| LiveWalls::build(walls, b)).or(own.walls),
                keep: keep.map_or(own.keep, |keep| b.fixed(keep)),
                substeps,
            }
        })
    }

    /// Reads its numbers: gravity, wind, and the edges of the walls.
    pub fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        for (slot, pair) in [&self.gravity, &self.wind].into_iter().enumerate() {
            let at = pair
                .as_ref()
                .map_or(Vec2::default(), |pair| pair.at(inputs));
            input[2 * slot..2 * slot + 2].copy_from_slice(&[at.x, at.y]);
        }
        if let Some(walls) = &self.walls {
            input[4..8].copy_from_slice(&walls.edges.at(inputs));
        }
    }

    /// What acts when these numbers were read.
    pub fn around(&self, input: &[f64]) -> Around {
        Around {
            gravity: [input[0], input[1]],
            wind: [input[2], input[3]],
            walls: self.walls.as_ref().map(|walls| WallsNow {
                edges: [input[4], input[5], input[6], input[7]],
                bounce: walls.bounce,
                friction: walls.friction,
            }),
        }
    }

    /// The steps of a tick of this length in T.
    pub fn pace(&self, tick: f64) -> Pace {
        Pace {
            h: tick / self.substeps as f64,
            share: 1.0 / self.substeps as f64,
            keep: self.keep,
        }
    }

    /// Steps per tick.
    pub fn substeps(&self) -> usize {
        self.substeps
    }

    /// Gravity where it does not change.
    pub fn constant_gravity(&self) -> Option<[f64; 2]> {
        match &self.gravity {
            None => Some([0.0; 2]),
            Some(pair) => Some([pair.x.constant()?, pair.y.constant()?]),
        }
    }
}

impl LiveWalls {
    fn build(walls: &Walls, b: &mut Builder) -> Self {
        Self {
            edges: b.edges(&walls.r#box),
            bounce: b.fixed(&walls.bounce),
            friction: b.fixed(&walls.friction),
        }
    }
}
