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
const PIECES: usize = 128;

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
        let places = back / b.clock().tick() * PLACES_PER_TICK;
        b.count_looks(places as usize, &chain);
        Box::new(TrailMark {
            of,
            chain,
            back,
            step: b.clock().tick() / PLACES_PER_TICK,
            fade: self.fade,
            taper: self.taper,
            brush: style.stroke_only(b),
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
        let nib = pen.nib(&self.brush);
        if nib.width > 0.0 {
            pen.merge(opacity, |pen| self.pieces(pen, &way, colour, &nib));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::picture::{Item, Overlap, Picture};
    use crate::scene::probe::Probe;

    fn probe(fields: &str, more: &str) -> Probe {
        Probe::drawing(&format!(
            r#""draw": [{{ "trail": {{ "of": ["10 * t", 50], {fields} }} }}] {more}"#
        ))
    }

    fn ends(picture: &Picture) -> (f64, f64) {
        let points = picture.points.iter().map(|p| p.x);
        (
            points.clone().fold(f64::INFINITY, f64::min),
            points.fold(f64::NEG_INFINITY, f64::max),
        )
    }

    #[test]
    fn both_ends_are_exact() {
        let plain = probe(r#""back": 0.507, "fade": false"#, "");
        let picture = plain.picture(1.0);
        assert_eq!(picture.items.len(), 1);
        let (first, last) = (picture.points[0].x, picture.points.last().unwrap().x);
        assert!((first - 4.93).abs() < 1e-12 && (last - 10.0).abs() < 1e-12);
        // 0.507 s are 30.42 ticks, each in four.
        assert_eq!(picture.points.len(), 123);
        assert_eq!(ends(&plain.picture(0.2)), (0.0, 2.0));
        assert_eq!(ends(&probe(r#""width": 2"#, "").picture(1.0)), (5.0, 10.0));
    }

    #[test]
    fn pieces_grow_stronger_and_wider_and_merge() {
        let picture = probe(
            r#""width": 4, "taper": true, "opacity": 0.5, "back": 1"#,
            "",
        )
        .picture(1.0);
        let start = Item::Layer {
            opacity: 0.5,
            overlap: Overlap::Strongest,
        };
        assert_eq!(picture.items[0], start);
        let pieces: Vec<_> = picture.items[1..picture.items.len() - 1]
            .iter()
            .map(|item| match item {
                Item::Stroke { opacity, nib, .. } => (*opacity, nib.width),
                _ => panic!("{item:?}"),
            })
            .collect();
        assert_eq!(pieces.len(), super::PIECES);
        assert!(pieces[0].0 < 0.02 && pieces[super::PIECES - 1].0 > 0.98);
        assert!(pieces.windows(2).all(|two| two[1].0 > two[0].0));
        assert!(
            pieces
                .iter()
                .all(|(opacity, width)| (4.0 * opacity - width).abs() < 1e-12)
        );
    }

    #[test]
    fn in_a_loop_it_comes_from_the_end() {
        let again = probe(
            r#""back": 0.5, "fade": false"#,
            r#", "loop": { "preroll": {} }"#,
        );
        let picture = again.picture(0.1);
        assert!((picture.points[0].x - 16.0).abs() < 1e-9);
        let (first, last) = (again.picture(0.0), again.picture(2.0));
        assert_eq!(first.verbs, last.verbs);
    }

    #[test]
    fn a_dash_runs_on_through_the_pieces() {
        let picture = probe(r#""dash": [3, 1], "back": 1"#, "").picture(1.0);
        let offsets: Vec<f64> = picture
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Stroke { nib, .. } => Some(nib.dash_offset),
                _ => None,
            })
            .collect();
        assert!(
            (offsets[super::PIECES / 2] - 5.0).abs() < 1e-9,
            "{offsets:?}"
        );
    }
}
