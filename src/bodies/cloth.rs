use super::laws::{self, Snapshot, Sweep};
use super::memory::{BodyMemory, Built, Quantities};
use super::pins::{Held, PinPlaces, numbered};
use super::world::Surroundings;
use super::{BodyKind, Common};
use crate::scene::builder::Builder;
use crate::scene::entity::{Elements, Entity};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// A cloth: a grid of points, each tied to its neighbours.
///
/// It is a list of points, row by row; outputs `.center`, `.left .top .right .bottom`, `.speed` (the mean) and
/// `.energy`. Each point `NAME[i]` has `.x .y .vx .vy .speed`, `.column` and `.row`.
///
/// ```json
/// "world": { "gravity": [0, 500] },
/// "bodies": {
///   "flag": { "cloth": {
///     "from": [60, 14], "size": [120, 72], "grid": [13, 8], "keep": 0.985,
///     "pins": { "top_left": [60, 14], "top_right": ["176 - 20 * smoothstep(0, 1.2, t)", 14] }
///   } }
/// },
/// "draw": [ { "mesh": { "of": "flag", "width": 1.5, "stroke": "#0c7b7c" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "cloth")]
pub struct Cloth {
    /// The top left corner at frame 0.
    #[schemars(extend("x-also" = ["at", "origin"]))]
    pub from: Point,
    /// Width and height in px.
    pub size: FixedPair<Positive>,
    /// Points across and points down.
    pub grid: (Int<2, 512>, Int<2, 512>),
    /// What is held, each at a point that may move: `top_left top_right bottom_left bottom_right`; an edge
    /// `top left right bottom`, whose first corner is at the point; or a single point as `column,row`. The top
    /// corners are held where they are built if absent; `{}` lets go of all.
    pub pins: Option<Pins<Point>>,
    /// Rounds of correction per step: more make it stiffer.
    #[serde(default = "twelve")]
    pub iterations: Int<1, 1000>,
    /// Stiffness of the diagonals, 0 to 1.
    #[serde(default = "Fixed::<Unit>::one")]
    pub shear: Fixed<Unit>,
    /// Stiffness of links to the neighbour after the next, which resist bending, 0 to 1.
    #[serde(default = "Fixed::<Unit>::zero")]
    pub bend: Fixed<Unit>,
}

fn twelve() -> Int<1, 1000> {
    Int::literal(12)
}

/// What keys of `pins` may be.
const KEYS: &str = "`top_left`, `top_right`, `bottom_left`, `bottom_right`, `top`, `left`, `right`, `bottom`, \
    or `column,row` from 0";

/// A grid of points at rest.
#[derive(Clone, Copy)]
struct Grid {
    columns: usize,
    rows: usize,
    /// From one point to the next, px.
    step: [f64; 2],
}

impl BodyKind for Cloth {
    fn build(&self, common: &Common, b: &mut Builder) -> Entity {
        let surroundings = Surroundings::build(common, b);
        let [width, height] = b.fixed_pair(&self.size);
        let (columns, rows) = (b.int(&self.grid.0) as usize, b.int(&self.grid.1) as usize);
        let grid = Grid {
            columns,
            rows,
            step: [width / (columns - 1) as f64, height / (rows - 1) as f64],
        };
        let from = b.point(&self.from);
        let pins = match &self.pins {
            Some(pins) => PinPlaces::build(pins, |key| grid.held(key), KEYS, b),
            None => {
                let right = (columns - 1, [width, 0.0]);
                PinPlaces::at(&from, &[(0, [0.0; 2]), right])
            }
        };
        let net = laws::Cloth {
            from: [0.0; 2],
            size: [width, height],
            grid: [columns, rows],
            shear: b.fixed(&self.shear),
            bend: b.fixed(&self.bend),
        };
        let iterations = b.int(&self.iterations) as usize;
        let law = Sweep::cloth(&net, iterations, pins.particles());
        let place = move |corner: &[f64]| {
            let at = |i: usize| grid.offset(i);
            (0..columns * rows)
                .map(|i| [corner[0] + at(i)[0], corner[1] + at(i)[1]])
                .collect()
        };
        let built = Built::live(vec![from.x, from.y], place);
        let live = pins.places().collect();
        BodyMemory::declare(Box::new(law), Arc::new(grid), surroundings, live, built, b)
    }
}

impl Grid {
    /// From the first point to point `i`, in px.
    fn offset(self, i: usize) -> [f64; 2] {
        [
            (i % self.columns) as f64 * self.step[0],
            (i / self.columns) as f64 * self.step[1],
        ]
    }

    /// The points that a pin's key stands for.
    fn held(self, key: &str) -> Option<Vec<Held>> {
        let (right, bottom) = (self.columns - 1, (self.rows - 1) * self.columns);
        let edge: Vec<usize> = match key {
            "top_left" => vec![0],
            "top_right" => vec![right],
            "bottom_left" => vec![bottom],
            "bottom_right" => vec![bottom + right],
            "top" => (0..self.columns).collect(),
            "bottom" => (bottom..bottom + self.columns).collect(),
            "left" => (0..self.rows).map(|row| row * self.columns).collect(),
            "right" => (0..self.rows)
                .map(|row| row * self.columns + right)
                .collect(),
            _ => {
                let (column, row) = key.split_once(',')?;
                let (column, row) = (numbered(column, self.columns)?, numbered(row, self.rows)?);
                vec![row * self.columns + column]
            }
        };
        let [x, y] = self.offset(edge[0]);
        let from_first = |i: usize| [self.offset(i)[0] - x, self.offset(i)[1] - y];
        Some(edge.into_iter().map(|i| (i, from_first(i))).collect())
    }
}

impl Quantities for Grid {
    fn what(&self) -> &'static str {
        "a cloth"
    }

    fn element_name(&self) -> &'static str {
        "column"
    }

    fn element(&self, _: Snapshot, i: usize) -> f64 {
        (i % self.columns) as f64
    }

    fn names(&self) -> &'static [&'static str] {
        &[]
    }

    fn whole(&self, _: Snapshot, _: &[f64], _: &mut [f64]) {}

    fn describe(&self, elements: &mut Elements) {
        let count = self.columns * self.rows;
        let rows = (0..count).map(|i| crate::formula::Operand::Constant((i / self.columns) as f64));
        elements.numbers.push(("row", rows.collect()));
        elements.columns = Some(self.columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_for_points() {
        let grid = Grid {
            columns: 3,
            rows: 2,
            step: [10.0, 5.0],
        };
        let points = |key: &str| {
            let held = grid.held(key)?;
            Some(held.into_iter().map(|(i, _)| i).collect::<Vec<_>>())
        };
        assert_eq!(points("top"), Some(vec![0, 1, 2]));
        assert_eq!(points("bottom"), Some(vec![3, 4, 5]));
        assert_eq!(points("right"), Some(vec![2, 5]));
        assert_eq!(points("bottom_left"), Some(vec![3]));
        assert_eq!(points("1,1"), Some(vec![4]));
        assert_eq!(points("3,1"), None);
        assert_eq!(points("middle"), None);
        assert_eq!(
            grid.held("right"),
            Some(vec![(2, [0.0, 0.0]), (5, [0.0, 5.0])])
        );
    }
}
