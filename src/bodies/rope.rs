use super::laws::{self, Law, Particles};
use super::memory::{BodyMemory, Built, Quantities};
use super::pins::{Held, PinPlaces, numbered, values_of};
use super::world::Surroundings;
use super::{BodyKind, Common};
use crate::formula::{Operand, Program};
use crate::kinds::one_of;
use crate::maths::functions::{atan2, hypot};
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::entity::Entity;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A rope, a chain or a hair: points in a row, each link as long as it was built.
///
/// It is a list of points; outputs `.end`, `.length` (the sum of its links), `.left .top .right .bottom`,
/// `.center`, `.speed` (the mean) and `.energy`. Each point `NAME[i]` has `.x .y .vx .vy .speed` and `.angle`, the
/// direction of the rope there in degrees.
///
/// ```json
/// "world": { "gravity": [0, 900] },
/// "bodies": {
///   "rope": { "rope": { "from": [120, 14], "to": [200, 20], "points": 12, "keep": 0.99 } }
/// },
/// "draw": [
///   { "path": { "points": "rope", "curve": "catmull_rom", "width": 3, "cap": "round" } },
///   { "circle": { "at": "rope.end", "radius": 8, "fill": "#c2402a" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "rope",
    extend("allOf" = [one_of(&[
        &["from", "points", "?to", "?toward", "?spacing", "?length"],
        &["shape"],
    ])])
)]
pub struct Rope {
    /// The first point at frame 0.
    #[schemars(extend("x-also" = ["start", "anchor"]))]
    pub from: Option<Point>,
    /// The last point at frame 0; with a `length` beyond the distance the rope hangs between both.
    pub to: Option<Point>,
    /// Direction in which it lies if there is no `to`; along gravity if absent.
    #[schemars(extend("x-also" = ["direction", "towards"]))]
    pub toward: Option<FixedPair>,
    /// Every point, in place of `from` and the rest.
    #[schemars(length(min = 2))]
    pub shape: Option<Vec<Point>>,
    /// How many points it has; its links are one less.
    #[schemars(extend("x-also" = ["count", "segments"]))]
    pub points: Option<Int<2, 100_000>>,
    /// Length of a link in px.
    pub spacing: Option<Fixed<Positive>>,
    /// Length of the whole rope in px; the distance from `from` to `to` if absent.
    pub length: Option<Fixed<Positive>>,
    /// Points that are held: `first`, `last`, or a number from 0, each at a point that may move. The first
    /// is held where it is built if absent; `{}` lets go of all.
    pub pins: Option<Pins<Point>>,
    /// How links are kept. `direct` solves all of them at once: they stay as long as they are. `sweep` corrects one
    /// after another, `iterations` times over: cheap, and it stretches like rubber.
    #[serde(default = "direct")]
    pub solver: Choice<SolverWord>,
    /// Rounds of a `sweep`.
    #[serde(default = "six")]
    pub iterations: Int<1, 1000>,
    /// Masses of single points as multiples of the others', by the same keys as `pins`.
    #[serde(default)]
    pub masses: Pins<Fixed<Positive>>,
}

/// How the links of a rope are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SolverWord {
    #[default]
    Direct,
    Sweep,
}

fn direct() -> Choice<SolverWord> {
    Choice::literal("direct")
}

fn six() -> Int<1, 1000> {
    Int::literal(6)
}

/// What keys of `pins` and `masses` may be.
const KEYS: &str = "`first`, `last`, or the number of a point, from 0";

impl BodyKind for Rope {
    fn build(&self, common: &Common, b: &mut Builder) -> Entity {
        let surroundings = Surroundings::build(common, b);
        let (built, links) = match (&self.shape, &self.from) {
            (Some(shape), _) => shape_as_built(shape, b),
            (None, Some(from)) => self.row_as_built(from, &surroundings, b),
            (None, None) => return Entity::broken(),
        };
        let count = links.len() + 1;
        let key = |key: &str| match key {
            "first" => Some(0),
            "last" => Some(count - 1),
            digits => numbered(digits, count),
        };
        let held = |name: &str| key(name).map(|i| vec![(i, [0.0; 2])] as Vec<Held>);
        let first = self
            .from
            .as_ref()
            .or(self.shape.as_ref().map(|shape| &shape[0]));
        let pins = match (&self.pins, first) {
            (Some(pins), _) => PinPlaces::build(pins, held, KEYS, b),
            (None, Some(first)) => PinPlaces::single(0, first, b),
            (None, None) => PinPlaces::default(),
        };
        let mut masses = vec![1.0; count];
        for (i, mass) in values_of(&self.masses, key, KEYS, b) {
            masses[i] = b.fixed(mass);
        }
        let stretched = stretched(&links);
        let iterations = b.int(&self.iterations) as usize;
        let quantities = RopeQuantities {
            masses: masses.clone(),
        };
        let law: Box<dyn Law> = match b.choice(&self.solver) {
            SolverWord::Direct => {
                Box::new(laws::DirectRope::new(stretched, masses, pins.particles()))
            }
            SolverWord::Sweep => Box::new(laws::Sweep::rope(
                stretched,
                iterations,
                masses,
                pins.particles(),
            )),
        };
        let live = pins.places().collect();
        let lengths = links.iter().map(|length| Operand::Constant(*length)).collect();
        let rope = BodyMemory::declare(law, Box::new(quantities), surroundings, live, built, b);
        Entity {
            lengths: Some(lengths),
            ..rope
        }
    }
}

/// How the rope lies at t = 0, and the lengths of its links.
type AsBuilt = (Built, Vec<f64>);

/// A rope of these links in a straight line.
fn stretched(links: &[f64]) -> Vec<[f64; 2]> {
    let mut x = 0.0;
    let next = |length: &f64| {
        x += length;
        [x, 0.0]
    };
    std::iter::once([0.0; 2])
        .chain(links.iter().map(next))
        .collect()
}

fn shape_as_built(shape: &[Point], b: &mut Builder) -> AsBuilt {
    let points: Vec<[f64; 2]> = shape.iter().map(|point| b.fixed_point(point)).collect();
    let length = |pair: &[[f64; 2]]| hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
    let links: Vec<f64> = points.windows(2).map(length).collect();
    if let Some(i) = links.iter().position(|length| *length == 0.0) {
        let message = "two points of a rope must not lie on one another";
        b.report(Problem::error("no-length", shape[i + 1].span(), message));
    }
    (Built::known(points), links)
}

impl Rope {
    /// A rope from a point in a row: to another, or in a direction.
    fn row_as_built(&self, from: &Point, surroundings: &Surroundings, b: &mut Builder) -> AsBuilt {
        let count = self.points.as_ref().map_or(2, |points| b.int(points)) as usize;
        let start = b.point(from);
        let end = self.to.as_ref().map(|to| b.point(to));
        let length = self.length_of(count, from, &start, end.as_ref(), b);
        let links = vec![length / (count - 1) as f64; count - 1];
        let down = surroundings
            .constant_gravity()
            .and_then(direction)
            .unwrap_or([0.0, 1.0]);
        let toward = match &self.toward {
            Some(toward) => direction(b.fixed_pair(toward)).unwrap_or(down),
            None => down,
        };
        let mut inputs = vec![start.x, start.y];
        inputs.extend(end.into_iter().flat_map(|end| [end.x, end.y]));
        let lie = move |at: &[f64]| match *at {
            [x, y, to_x, to_y] => laws::hanging([x, y], [to_x, to_y], length, down, count),
            [x, y, ..] => {
                let end = [x + toward[0] * length, y + toward[1] * length];
                laws::straight([x, y], end, count)
            }
            _ => Vec::new(),
        };
        (Built::live(inputs, lie), links)
    }

    /// Length of the whole rope in px.
    fn length_of(
        &self,
        count: usize,
        from: &Point,
        start: &PointProgram,
        end: Option<&PointProgram>,
        b: &mut Builder,
    ) -> f64 {
        match (&self.length, &self.spacing, end) {
            (Some(length), Some(spacing), _) => {
                let message = "a rope has a `length` or a `spacing`, not both";
                b.report(Problem::error("both-given", spacing.span, message));
                b.fixed(length)
            }
            (Some(length), None, _) => b.fixed(length),
            (None, Some(spacing), _) => b.fixed(spacing) * (count - 1) as f64,
            (None, None, Some(end)) => match distance(start, end) {
                Some(distance) if distance > 0.0 => distance,
                Some(_) => {
                    let message = "`from` and `to` lie on one another: give a `length`";
                    b.report(Problem::error("no-length", from.span(), message));
                    1.0
                }
                None => {
                    let message = "between points that move a rope needs a `length` or a `spacing`";
                    b.report(Problem::error("no-length", from.span(), message));
                    1.0
                }
            },
            (None, None, None) => {
                let message = "a rope needs a `to`, a `length` or a `spacing`";
                b.report(Problem::error("no-length", from.span(), message));
                1.0
            }
        }
    }
}

/// A unit vector, unless there is no direction.
fn direction(vector: [f64; 2]) -> Option<[f64; 2]> {
    let size = hypot(vector[0], vector[1]);
    (size > 0.0).then(|| vector.map(|side| side / size))
}

/// The distance of two points that stand still.
fn distance(from: &PointProgram, to: &PointProgram) -> Option<f64> {
    let along = |from: &Program, to: &Program| Some(to.constant()? - from.constant()?);
    Some(hypot(along(&from.x, &to.x)?, along(&from.y, &to.y)?))
}

struct RopeQuantities {
    masses: Vec<f64>,
}

impl Quantities for RopeQuantities {
    fn what(&self) -> &'static str {
        "a rope"
    }

    fn element_name(&self) -> &'static str {
        "angle"
    }

    /// From the point before to the point after.
    fn element(&self, p: &Particles, i: usize) -> f64 {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(p.x.len() - 1));
        atan2(p.y[after] - p.y[before], p.x[after] - p.x[before])
    }

    fn names(&self) -> &'static [&'static str] {
        &["length"]
    }

    fn whole(&self, p: &Particles, _: &[f64], out: &mut [f64]) {
        let link = |i: usize| hypot(p.x[i + 1] - p.x[i], p.y[i + 1] - p.y[i]);
        out[0] = (0..p.x.len() - 1).fold(0.0, |sum, i| sum + link(i));
    }

    fn mass(&self, i: usize) -> f64 {
        self.masses[i]
    }
}
