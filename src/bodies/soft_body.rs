use super::laws::{self, Law, Pace, Pressure, Snapshot};
use super::memory::{BodyMemory, Built, LiveNumber, Quantities};
use super::pins::{Held, PinPlaces, numbered};
use super::world::Surroundings;
use super::{BodyKind, Common};
use crate::formula::Program;
use crate::kinds::{at_most_one_of, one_of};
use crate::maths::vector::Vec2;
use crate::scene::builder::Builder;
use crate::scene::entity::{Elements, Entity};
use crate::spec::problem::{Problem, short};
use crate::spec::slots::*;
use crate::spec::source::Span;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// A closed skin of springs with pressure inside: a blob, a ball of jelly, a membrane.
///
/// It is a list of points; outputs `.center`, `.area`, `.area_ratio` (to its target), `.left .top .right .bottom`,
/// `.speed` (the mean) and `.energy`. Each point `NAME[i]` has `.x .y .vx .vy .speed` and `.angle`, the direction of
/// the skin there in degrees. Point 0 of a circle lies to the right, the others follow clockwise.
///
/// With `stiffness` the edges are springs as forces, mass 1 per point; in a step: springs, pressure, the pull
/// home, gravity and wind, `keep`, the move, walls. With `compliance` the same edges are constraints, which no
/// stiffness makes unstable.
///
/// ```json
/// "world": { "gravity": [0, 900], "walls": { "box": [0, 0, 240, 112], "bounce": 0.2, "friction": 0.3 } },
/// "bodies": {
///   "blob": { "soft_body": {
///     "circle": { "points": 24, "center": [120, 42], "radius": 32 },
///     "compliance": 0.0002, "pressure": { "strength": 0, "compliance": 0.00001 }
///   } }
/// },
/// "draw": [ { "path": { "points": "blob", "curve": "catmull_rom", "fill": "#c2402a" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "soft_body",
    extend("allOf" = [one_of(&[&["circle"], &["shape"]]), one_of(&[&["stiffness"], &["compliance"]])])
)]
pub struct SoftBody {
    /// A circle.
    pub circle: Option<Round>,
    /// Its points one by one, in either direction round; their numbers stay as written.
    #[schemars(length(min = 3), extend("x-also" = ["points", "polygon"]))]
    pub shape: Option<Vec<Point>>,
    /// Force per px that an edge is too long, per T²: springs as forces.
    #[schemars(extend("x-also" = ["k", "spring"]))]
    pub stiffness: Option<Fixed<Positive>>,
    /// Give of the edges in T², 1 / stiffness: constraints. 0 is rigid.
    pub compliance: Option<Fixed<NonNegative>>,
    /// What keeps its area.
    pub pressure: PressureFields,
    /// A place that its centre is pulled to.
    #[serde(default)]
    pub home: Home,
    /// Points that are held, by number from 0, each at a point that may move.
    #[serde(default)]
    pub pins: Pins<Point>,
}

/// A circle of points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "soft_circle")]
pub struct Round {
    /// How many points lie on it.
    #[schemars(extend("x-also" = ["count", "segments"]))]
    pub points: Int<3, 4096>,
    /// Its centre.
    #[schemars(extend("x-also" = ["at", "centre"]))]
    pub center: Point,
    /// Its radius in px.
    #[schemars(extend("x-also" = ["r"]))]
    pub radius: Fixed<Positive>,
}

/// What keeps the area of a soft body.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "pressure", extend("allOf" = [at_most_one_of(&[&["area"], &["target_area"]])]))]
pub struct PressureFields {
    /// Force of each point along its normal, in px/T², times (target − area) / target.
    pub strength: Fixed<NonNegative>,
    /// The target as a multiple of the area as built; 1 if absent. It may change: a body that breathes.
    pub area: Option<Num<Positive>>,
    /// The target itself, in px².
    pub target_area: Option<Fixed<Positive>>,
    /// Give of the area in T²: a constraint in place of a force, for a body with `compliance`. 0 keeps it.
    pub compliance: Option<Fixed<NonNegative>>,
}

/// A place that the centre of a soft body is pulled to.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "home")]
#[serde(default)]
pub struct Home {
    /// The place; its centre as built if absent.
    pub at: Option<Point>,
    /// Force per px that the centre is off, per T²; 0 if absent.
    pub strength: Option<Fixed<NonNegative>>,
}

impl BodyKind for SoftBody {
    fn build(&self, common: &Common, b: &mut Builder) -> Entity {
        let surroundings = Surroundings::build(common, b);
        let points = self.points_as_built(b);
        let count = points.len();
        let held = |key: &str| numbered(key, count).map(|i| vec![(i, [0.0; 2])] as Vec<Held>);
        let pins = PinPlaces::build(&self.pins, held, "numbers of points, from 0", b);
        let signed = area(points.iter().copied());
        let (area, sense) = (signed.abs(), signed.signum());
        let mut live = vec![self.target(area, b)];
        live.extend(self.home_place(&points, b).map(LiveNumber::of));
        live.extend(pins.places());
        let law = self.law(&points, pins.particles(), &surroundings, b);
        let built = Built::known(points);
        BodyMemory::declare(
            law,
            Arc::new(SoftQuantities { sense }),
            surroundings,
            live,
            built,
            b,
        )
    }
}

impl SoftBody {
    fn points_as_built(&self, b: &mut Builder) -> Vec<[f64; 2]> {
        let points: Vec<[f64; 2]> = match (&self.circle, &self.shape) {
            (Some(circle), _) => circle.points(b),
            (None, shape) => {
                let shape = shape.as_deref().unwrap_or_default();
                shape.iter().map(|point| b.fixed_point(point)).collect()
            }
        };
        if area(points.iter().copied()) == 0.0 && !b.has_errors() {
            let span = self
                .shape
                .as_ref()
                .and_then(|shape| shape.first())
                .map(Point::span);
            let message = "this shape has no area";
            b.report(Problem::error("no-area", span.unwrap_or_default(), message));
        }
        points
    }

    /// The area that pressure aims at, in px².
    fn target(&self, built: f64, b: &mut Builder) -> LiveNumber {
        if let Some(target) = &self.pressure.target_area {
            return LiveNumber::constant(b.fixed(target));
        }
        match &self.pressure.area {
            Some(multiple) => LiveNumber {
                times: built,
                ..LiveNumber::of(b.num(multiple))
            },
            None => LiveNumber::constant(built),
        }
    }

    fn home_place(&self, points: &[[f64; 2]], b: &mut Builder) -> [Program; 2] {
        if let Some(at) = &self.home.at {
            let at = b.point(at);
            return [at.x, at.y];
        }
        let mean =
            |side: usize| points.iter().fold(0.0, |sum, p| sum + p[side]) / points.len() as f64;
        [0, 1].map(|side| Program::constant_of(mean(side)))
    }

    fn law(
        &self,
        points: &[[f64; 2]],
        pinned: Vec<usize>,
        surroundings: &Surroundings,
        b: &mut Builder,
    ) -> Box<dyn Law> {
        let shape = points.to_vec();
        let strength = b.fixed(&self.pressure.strength);
        let home = self
            .home
            .strength
            .as_ref()
            .map_or(0.0, |strength| b.fixed(strength));
        let Some(compliance) = &self.compliance else {
            let stiffness = self.stiffness.as_ref();
            let k = stiffness.map_or(1.0, |stiffness| b.fixed(stiffness));
            if let Some(slot) = stiffness {
                warn_unstable(
                    k,
                    points.len(),
                    surroundings.pace(b.clock().tick()),
                    slot.span,
                    b,
                );
            }
            if let Some(slot) = &self.pressure.compliance {
                let message = "`pressure.compliance` goes with `compliance`, not with `stiffness`";
                b.report(Problem::error("misplaced", slot.span, message));
            }
            return Box::new(laws::SoftForce::new(shape, k, strength, home, pinned));
        };
        let pressure = match &self.pressure.compliance {
            Some(give) => Pressure::Constraint(b.fixed(give)),
            None => Pressure::Force(strength),
        };
        let compliance = b.fixed(compliance);
        Box::new(laws::SoftConstraint::new(
            shape, compliance, pressure, home, pinned,
        ))
    }
}

/// A ring of springs as forces that is too stiff for its steps shakes itself to pieces.
fn warn_unstable(stiffness: f64, points: usize, pace: Pace, span: Span, b: &mut Builder) {
    let limit = laws::stability_limit(points, pace);
    if stiffness < limit {
        return;
    }
    let message = format!(
        "a stiffness of {} is not stable: with {points} points the limit is {}",
        short(stiffness),
        short(limit)
    );
    b.report(
        Problem::warning("unstable", span, message)
            .note("more `substeps` raise the limit as their square; `compliance` has none"),
    );
}

impl Round {
    fn points(&self, b: &mut Builder) -> Vec<[f64; 2]> {
        let [x, y] = b.fixed_point(&self.center);
        let (count, radius) = (b.int(&self.points), b.fixed(&self.radius));
        let angle = |k: i64| 360.0 * k as f64 / count as f64;
        let point = |k: i64| Vec2::new(x, y) + Vec2::from_direction(angle(k)) * radius;
        (0..count).map(|k| point(k).into()).collect()
    }
}

/// Area of a closed line in px², positive clockwise.
fn area(points: impl Iterator<Item = [f64; 2]> + Clone) -> f64 {
    let next = points.clone().cycle().skip(1);
    points
        .zip(next)
        .fold(0.0, |sum, (p, q)| sum + p[0] * q[1] - q[0] * p[1])
        / 2.0
}

struct SoftQuantities {
    /// 1 if its points run clockwise, −1 if the other way round.
    sense: f64,
}

impl Quantities for SoftQuantities {
    fn what(&self) -> &'static str {
        "a soft body"
    }

    fn element_name(&self) -> &'static str {
        "angle"
    }

    fn element(&self, p: Snapshot, i: usize) -> f64 {
        let count = p.count();
        let (before, after) = ((i + count - 1) % count, (i + 1) % count);
        (p.place(after) - p.place(before)).direction()
    }

    fn names(&self) -> &'static [&'static str] {
        &["area", "area_ratio"]
    }

    fn whole(&self, p: Snapshot, live: &[f64], out: &mut [f64]) {
        let points = p.x.iter().zip(p.y.iter()).map(|(x, y)| [*x, *y]);
        out[0] = self.sense * area(points);
        out[1] = out[0] / live[0];
    }

    fn describe(&self, elements: &mut Elements) {
        elements.closed = true;
    }
}
