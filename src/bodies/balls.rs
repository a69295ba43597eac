use super::laws::{self, Grab as GrabLaw, Offset, Pick, Snapshot, Solver};
use super::memory::{BodyMemory, Built, LiveNumber, Quantities};
use super::world::Surroundings;
use super::{BodyKind, Common};
use crate::formula::{Operand, Program};
use crate::kinds::{any_of, at_most_one_of, one_of};
use crate::maths::functions::lerp;
use crate::maths::random;
use crate::scene::builder::Builder;
use crate::scene::entity::{Elements, Entity};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::source::Span;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// Balls that fall, roll, bounce off the walls and off one another.
///
/// It is a list of points, the centres; outputs `.count`, `.center` (of mass), `.speed` (the fastest),
/// `.energy` and `.left .top .right .bottom` (of the rims). Each ball `NAME[i]` has `.x .y .vx .vy .speed .radius
/// .label` and `.held` (1 while it is held).
///
/// ```json
/// "world": { "gravity": [0, 900], "walls": { "box": [20, -200, 220, 112], "bounce": 0.5 } },
/// "bodies": {
///   "balls": { "balls": {
///     "count": 30, "radius_range": [6, 13], "scatter": { "box": [20, -120, 220, 100], "seed": 3 }
///   } }
/// },
/// "draw": [ { "circle": { "of": "balls", "fills": ["#c2402a", "#0c7b7c", "#e0a526"] } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "balls",
    extend("allOf" = [
        one_of(&[&["items"], &["count"], &["labels"]]),
        any_of(&[&["scatter"], &["items"]]),
        at_most_one_of(&[&["radius"], &["radius_range"]]),
    ])
)]
pub struct Balls {
    /// Balls one by one.
    #[schemars(length(min = 1, max = 100_000), extend("x-also" = ["balls"]))]
    pub items: Option<Vec<Item>>,
    /// So many balls, strewn by `scatter`.
    pub count: Option<Int<1, 100_000>>,
    /// One ball for each label, strewn by `scatter`.
    #[schemars(length(min = 1, max = 100_000))]
    pub labels: Option<Vec<Plain>>,
    /// Radius of all in px, with `count` or `labels`.
    pub radius: Option<Fixed<Positive>>,
    /// Smallest and largest radius in px, with `count` or `labels`; each ball has one between them.
    #[schemars(extend("x-also" = ["radii"]))]
    pub radius_range: Option<FixedPair<Positive>>,
    /// Where `count` or `labels` are strewn, without overlap.
    pub scatter: Option<Scatter>,
    /// By `area`, or all `equal`.
    #[serde(default = "by_area")]
    pub mass: Choice<MassWord>,
    /// Restitution between balls, 0 to 1; walls have their own.
    #[serde(default = "half")]
    #[schemars(extend("x-also" = ["restitution", "elasticity"]))]
    pub bounce: Fixed<Unit>,
    /// Friction between balls, 0 to 1: share of the speed along the contact that is lost.
    #[serde(default = "Fixed::<Unit>::zero")]
    pub friction: Fixed<Unit>,
    /// Speed in px/T below which nothing bounces; what gravity adds in two ticks if absent.
    pub rest_speed: Option<Fixed<NonNegative>>,
    /// `stable` piles up and comes to rest. `simple` is the shortest step that works, for teaching: move, walls,
    /// one pass over all pairs, equal masses, half and half.
    #[serde(default = "stable")]
    pub solver: Choice<SolverWord>,
    /// A pointer that picks balls up and throws them.
    pub grab: Option<Grab>,
}

/// One ball.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ball")]
pub struct Item {
    /// Its centre at frame 0.
    #[schemars(extend("x-also" = ["center", "pos", "position"]))]
    pub at: Point,
    /// Its radius in px.
    #[schemars(extend("x-also" = ["r"]))]
    pub radius: Fixed<Positive>,
    /// Its velocity at frame 0 in px/T.
    #[serde(default = "still")]
    pub velocity: FixedPair,
    /// What `{.label}` shows.
    #[serde(default)]
    pub label: Option<Plain>,
}

/// Where balls are strewn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "scatter")]
pub struct Scatter {
    /// `[left, top, right, bottom]` in px; rims stay inside.
    pub r#box: (Fixed, Fixed, Fixed, Fixed),
    /// Room between rims in px.
    #[serde(default = "Fixed::<NonNegative>::zero")]
    pub gap: Fixed<NonNegative>,
    /// Chooses one of the ways to strew them.
    #[serde(default = "Int::<0, { i64::MAX }>::zero")]
    pub seed: Int<0, { i64::MAX }>,
}

/// A pointer that picks balls up.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "grab")]
pub struct Grab {
    /// A pointer.
    pub by: Name,
    /// Which ball within reach: the `nearest`, the `first`, or always the one with a number, as digits.
    #[serde(default = "nearest")]
    pub pick: Plain,
    /// How far from its rim a ball can be picked, in px; as far as its radius if absent.
    pub reach: Option<Fixed<NonNegative>>,
    /// `keep`: it is held where it was picked. `zero`: its centre jumps to the pointer.
    #[serde(default = "keep")]
    pub offset: Choice<OffsetWord>,
    /// Velocity of a throw as a multiple of the pointer's.
    #[serde(default = "Fixed::<NonNegative>::one")]
    pub throw: Fixed<NonNegative>,
    /// Time in T over which the pointer's velocity is averaged; 0.05 s if absent. A pointer that stands still so
    /// long before it lets go does not throw.
    pub average: Option<Fixed<Positive>>,
}

/// What balls weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MassWord {
    #[default]
    Area,
    Equal,
}

/// How balls collide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SolverWord {
    #[default]
    Stable,
    Simple,
}

/// Where a held ball hangs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OffsetWord {
    #[default]
    Keep,
    Zero,
}

fn by_area() -> Choice<MassWord> {
    Choice::literal("area")
}

fn stable() -> Choice<SolverWord> {
    Choice::literal("stable")
}

fn keep() -> Choice<OffsetWord> {
    Choice::literal("keep")
}

fn nearest() -> Plain {
    Plain::literal("nearest")
}

fn half() -> Fixed<Unit> {
    Fixed::literal(0.5)
}

fn still() -> FixedPair {
    (Fixed::zero(), Fixed::zero())
}

/// Seconds over which a pointer's velocity is averaged.
const AVERAGE: f64 = 0.05;

impl BodyKind for Balls {
    fn build(&self, common: &Common, b: &mut Builder) -> Entity {
        let surroundings = Surroundings::build(common, b);
        let balls = match &self.items {
            Some(items) => items.iter().map(|item| item.ball(b)).collect(),
            None => self.strewn(b),
        };
        if balls.is_empty() {
            return Entity::broken();
        }
        let labels = self.all_labels(balls.len());
        let by_area = b.choice(&self.mass) == MassWord::Area;
        let (grab, live) = match self
            .grab
            .as_ref()
            .and_then(|grab| grab.build(balls.len(), b))
        {
            Some((grab, live)) => (Some(grab), live),
            None => (None, Vec::new()),
        };
        let quantities = BallQuantities {
            radii: balls.iter().map(|ball| ball.radius).collect(),
            labels,
            by_area,
            held: grab.is_some(),
        };
        let built = Built::known(balls.iter().map(|ball| ball.at).collect());
        let mut law = laws::Balls::new(balls, !by_area)
            .bounce(b.fixed(&self.bounce))
            .friction(b.fixed(&self.friction))
            .solver(match b.choice(&self.solver) {
                SolverWord::Stable => Solver::Stable,
                SolverWord::Simple => Solver::Simple,
            });
        if let Some(speed) = &self.rest_speed {
            law = law.rest_speed(b.fixed(speed));
        }
        if let Some(grab) = grab {
            law = law.grab(grab);
        }
        BodyMemory::declare(
            Box::new(law),
            Arc::new(quantities),
            surroundings,
            live,
            built,
            b,
        )
    }
}

impl Item {
    fn ball(&self, b: &mut Builder) -> laws::Ball {
        laws::Ball {
            at: b.fixed_point(&self.at),
            radius: b.fixed(&self.radius),
            velocity: b.fixed_pair(&self.velocity),
        }
    }
}

impl Balls {
    fn all_labels(&self, count: usize) -> Vec<String> {
        let text = |label: &Plain| label.text.clone().unwrap_or_default();
        match (&self.items, &self.labels) {
            (Some(items), _) => items
                .iter()
                .map(|item| item.label.as_ref().map(text).unwrap_or_default())
                .collect(),
            (None, Some(labels)) => labels.iter().map(text).collect(),
            (None, None) => vec![String::new(); count],
        }
    }

    fn strewn(&self, b: &mut Builder) -> Vec<laws::Ball> {
        let Some(scatter) = &self.scatter else {
            return Vec::new();
        };
        let count = match (&self.count, &self.labels) {
            (Some(count), _) => b.int(count) as usize,
            (None, labels) => labels.as_ref().map_or(0, Vec::len),
        };
        let (left, top, right, bottom) = &scatter.r#box;
        let edges = [left, top, right, bottom].map(|edge| b.fixed(edge));
        if !b.check_box(edges.map(Some), [right.span, bottom.span]) {
            return Vec::new();
        }
        let seed = b.own_seed(&scatter.seed);
        let radii = self.radii(count, seed, left.span, b);
        let gap = b.fixed(&scatter.gap);
        let places = laws::scatter(edges, &radii, gap, seed).unwrap_or_else(|fitted| {
            b.report(
                Problem::error(
                    "too-full",
                    left.span,
                    format!("only {fitted} of {count} balls fit into this box"),
                )
                .note("a larger `box`, fewer or smaller balls, or less `gap`"),
            );
            Vec::new()
        });
        let ball = |(at, radius): ([f64; 2], &f64)| laws::Ball {
            at,
            radius: *radius,
            velocity: [0.0; 2],
        };
        places.into_iter().zip(&radii).map(ball).collect()
    }

    fn radii(&self, count: usize, seed: u64, span: Span, b: &mut Builder) -> Vec<f64> {
        match (&self.radius, &self.radius_range) {
            (Some(radius), _) => vec![b.fixed(radius); count],
            (None, Some(range)) => {
                let [low, high] = b.fixed_pair(range);
                let seed = random::seed_for(seed, "radius");
                let share = |i: usize| random::unit(seed, i as i64);
                (0..count).map(|i| lerp(low, high, share(i))).collect()
            }
            (None, None) => {
                let message = "balls that are strewn need a `radius` or a `radius_range`";
                b.report(Problem::error("no-radius", span, message));
                vec![1.0; count]
            }
        }
    }
}

impl Grab {
    /// The law's grab, and the pointer's x, y and whether it is down.
    fn build(&self, count: usize, b: &mut Builder) -> Option<(GrabLaw, Vec<LiveNumber>)> {
        let down = b.output(&self.by, "down", "a pointer")?;
        let [x, y] = b.point(&Point::Name(self.by.clone())).into();
        let second = b.clock().per_second();
        let grab = GrabLaw {
            pick: self.pick(count, b),
            reach: self.reach.as_ref().map(|reach| b.fixed(reach)),
            offset: match b.choice(&self.offset) {
                OffsetWord::Keep => Offset::Keep,
                OffsetWord::Zero => Offset::Zero,
            },
            throw: b.fixed(&self.throw),
            average: self
                .average
                .as_ref()
                .map_or(AVERAGE * second, |time| b.fixed(time)),
        };
        let live = [x, y, Program::of(down)].map(LiveNumber::of);
        Some((grab, live.to_vec()))
    }

    fn pick(&self, count: usize, b: &mut Builder) -> Pick {
        let word = self.pick.text.as_deref().unwrap_or("nearest");
        match (word, super::pins::numbered(word, count)) {
            ("nearest", _) => Pick::Nearest,
            ("first", _) => Pick::First,
            (_, Some(i)) => Pick::Index(i),
            _ => {
                b.report(
                    Problem::error(
                        "unknown-word",
                        self.pick.span,
                        format!("`{word}` picks no ball"),
                    )
                    .note(format!(
                        "`nearest`, `first`, or a number from 0 to {}",
                        count - 1
                    )),
                );
                Pick::Nearest
            }
        }
    }
}

struct BallQuantities {
    radii: Vec<f64>,
    labels: Vec<String>,
    by_area: bool,
    /// Whether anything can be held.
    held: bool,
}

impl Quantities for BallQuantities {
    fn what(&self) -> &'static str {
        "balls"
    }

    fn element_name(&self) -> &'static str {
        "held"
    }

    fn element(&self, p: Snapshot, i: usize) -> f64 {
        let held = self.held && laws::held(p.extra) == Some(i);
        f64::from(u8::from(held))
    }

    fn names(&self) -> &'static [&'static str] {
        &["count"]
    }

    fn whole(&self, p: Snapshot, _: &[f64], out: &mut [f64]) {
        out[0] = p.x.len() as f64;
    }

    fn radius(&self, i: usize) -> f64 {
        self.radii[i]
    }

    fn mass(&self, i: usize) -> f64 {
        if self.by_area {
            self.radii[i] * self.radii[i]
        } else {
            1.0
        }
    }

    fn speed(&self, speeds: &mut dyn ExactSizeIterator<Item = f64>) -> f64 {
        speeds.fold(0.0, f64::max)
    }

    fn describe(&self, elements: &mut Elements) {
        let radii = self.radii.iter().map(|radius| Operand::Constant(*radius));
        elements.numbers.push(("radius", radii.collect()));
        elements.labels = Some(self.labels.clone().into());
    }
}
