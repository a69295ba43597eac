use super::{Brush, Draw, MarkKind, Pen, Style};
use crate::document::TimeUnit;
use crate::maths::functions::ceil;
use crate::maths::vector::Vec2;
use crate::picture::{ColourId, Nib};
use crate::scene::builder::{Builder, PointProgram};
use crate::simulate::Chain;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The way that a point has come. Before t = 0 there was none, but in a loop that repeats its end.
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "around": 120, "amplitude": 80 } },
///   "y": { "wave": { "period": 0.6, "around": 60, "amplitude": 40 } }
/// },
/// "draw": [
///   { "trail": { "of": ["x", "y"], "back": 0.8, "width": 6, "taper": true, "stroke": "#0c7b7c" } },
///   { "circle": { "at": ["x", "y"], "radius": 6, "fill": "#0c7b7c" } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "trail")]
pub struct Trail {
    /// The point.
    #[schemars(extend("x-also" = ["at", "point", "follow"]))]
    pub of: Point,
    /// How long ago its old end was there, in T; half a second if absent.
    #[schemars(extend("x-also" = ["length", "history", "duration"]))]
    pub back: Option<Fixed<Positive>>,
    /// Whether it fades away toward its old end.
    #[serde(default = "yes")]
    pub fade: bool,
    /// Whether it grows thin toward its old end.
    #[serde(default)]
    pub taper: bool,
}

fn yes() -> bool {
    true
}

/// Seconds back if nothing is said.
const USUAL_BACK: f64 = 0.5;
/// Places per tick: a point that turns at full speed still leaves a round trail.
const PLACES_PER_TICK: f64 = 4.0;
/// Most places.
const PLACE_LIMIT: f64 = 20_000.0;
/// Pieces of a trail that fades or tapers: so many that no step from one to the next is seen.
const PIECES: usize = 48;

impl Trail {
    /// Its length in T.
    fn back(&self, b: &mut Builder) -> f64 {
        let Some(back) = &self.back else {
            return match b.clock().unit {
                TimeUnit::Seconds => USUAL_BACK,
                TimeUnit::Frames => USUAL_BACK * b.clock().fps,
            };
        };
        let length = b.fixed(back);
        let most = PLACE_LIMIT / PLACES_PER_TICK * b.clock().tick();
        if length > most {
            let message = format!("a trail can be {most} long, not {length}");
            b.report(Problem::error("out-of-range", back.span, message));
        }
        length.min(most)
    }
}

impl MarkKind for Trail {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let (of, chain) = b.looking_back(|b| b.point(&self.of));
        let back = self.back(b);
        Box::new(TrailMark {
            of,
            chain,
            back,
            step: b.clock().tick() / PLACES_PER_TICK,
            fade: self.fade,
            taper: self.taper,
            brush: style.open(b),
        })
    }
}

struct TrailMark {
    of: PointProgram,
    chain: Chain,
    back: f64,
    step: f64,
    fade: bool,
    taper: bool,
    brush: Brush,
}

/// Where a point was, oldest first, and how long ago as a share of the whole trail.
struct Way {
    places: Vec<Vec2>,
    ages: Vec<f64>,
}

impl TrailMark {
    /// Both ends exactly, and places between that are evenly spaced in time.
    fn way(&self, pen: &mut Pen) -> Way {
        let now = pen.time();
        let back = match pen.wrap(now - self.back) {
            Some(_) => self.back,
            None => now,
        };
        let count = ceil(back / self.step) as usize;
        let mut way = Way {
            places: Vec::with_capacity(count + 1),
            ages: Vec::with_capacity(count + 1),
        };
        for i in (0..=count).rev() {
            let ago = back * i as f64 / count.max(1) as f64;
            let Some(time) = pen.wrap(now - ago) else {
                continue;
            };
            pen.at(&self.chain, time, |pen| {
                way.places.push(pen.point(&self.of))
            });
            way.ages.push(ago / self.back);
        }
        way
    }

    /// Strokes the way piece by piece. Each runs on into the next, newer and stronger one, which hides that.
    fn pieces(&self, pen: &mut Pen, way: &Way, colour: ColourId, whole: &Nib) {
        let steps = way.places.len() - 1;
        let pieces = PIECES.min(steps);
        let mut run = 0.0;
        for piece in 0..pieces {
            let (first, last) = (piece * steps / pieces, (piece + 1) * steps / pieces);
            let young = 1.0 - (way.ages[first] + way.ages[last]) / 2.0;
            let nib = Nib {
                width: whole.width * if self.taper { young } else { 1.0 },
                dash_offset: whole.dash_offset + run,
                ..whole.clone()
            };
            let opacity = if self.fade { young } else { 1.0 };
            let places = &way.places[first..=(last + 1).min(steps)];
            pen.stroke(colour, opacity, nib, |shape| {
                shape.polyline(places.iter().copied(), false);
            });
            let passed = way.places[first..=last].windows(2);
            run += passed.map(|two| two[0].distance(two[1])).sum::<f64>() * pen.scale();
        }
    }
}

impl Draw for TrailMark {
    fn draw(&self, pen: &mut Pen) {
        let Some(opacity) = pen.visible(&self.brush) else {
            return;
        };
        let way = self.way(pen);
        let places = || way.places.iter().copied();
        let varies = self.fade || self.taper;
        let Some(colour) = self.brush.stroke.filter(|_| varies && way.places.len() > 1) else {
            return pen.paint(&self.brush, |shape| shape.polyline(places(), false));
        };
        if let Some(fill) = self.brush.fill(pen) {
            pen.fill(fill, opacity, |shape| shape.polyline(places(), false));
        }
        let nib = pen.nib(&self.brush);
        if nib.width > 0.0 {
            pen.merge(opacity, |pen| self.pieces(pen, &way, colour, &nib));
        }
    }
}
