use super::{Brush, Draw, MarkKind, Pen, Shape, Style};
use crate::formula::Program;
use crate::maths::functions::lerp;
use crate::maths::spline::catmull_rom;
use crate::maths::vector::Vec2;
use crate::picture::ColourId;
use crate::scene::builder::{Builder, PointList};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A limb with flesh: a band through points that may grow thinner along its way, with round ends.
///
/// It is one shape however it bends: where it lies over itself it is no darker, and has no holes. `stroke` is a
/// rim around the `fill`, `width` wide, half of it inside.
///
/// ```json
/// "skeleton": {
///   "tail": { "chain": {
///     "from": [50, 100], "count": 16, "length": 12,
///     "angle": "(.i == 0 ? -75 : 6) + 9 * sin(turn * (t / duration - .i / 16))"
///   } }
/// },
/// "draw": [ { "ribbon": { "points": "tail", "widths": [26, 4], "fill": "#0c7b7c" } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ribbon")]
pub struct Ribbon {
    /// The points it goes through: a limb's name, or a list.
    #[schemars(extend("x-also" = ["of", "limb", "joints", "path"]))]
    pub points: Points,
    /// Its whole width in px: at the start and at the end, evenly in between along the way; or at every point.
    #[schemars(length(min = 2), extend("x-also" = ["width_range", "thickness", "taper"]))]
    pub widths: Vec<Num<NonNegative>>,
    /// Straight from point to point, or a smooth curve through them (uniform Catmull-Rom).
    #[serde(default = "smooth")]
    pub curve: Choice<BendWord>,
}

/// How a ribbon goes from point to point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BendWord {
    Straight,
    #[default]
    CatmullRom,
}

fn smooth() -> Choice<BendWord> {
    Choice::literal("catmull_rom")
}

/// Pieces of a curved ribbon: so many that no corner is seen, for few points and for many.
const PIECES: usize = 96;
/// Fewest and most pieces from one point to the next.
const PIECES_BETWEEN: [usize; 2] = [4, 16];

impl MarkKind for Ribbon {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let points = b.points(&self.points);
        self.check(style, points.len(), b);
        Box::new(RibbonMark {
            points,
            widths: self.widths.iter().map(|width| b.num(width)).collect(),
            curve: b.choice(&self.curve),
            brush: style.closed(b),
        })
    }
}

impl Ribbon {
    fn check(&self, style: &Style, points: usize, b: &mut Builder) {
        if let Some(width) = self.widths.first()
            && ![0, 2, points].contains(&points)
            && ![2, points].contains(&self.widths.len())
        {
            let message = format!(
                "`widths` takes 2 values, or one for each of the {points} points, not {}",
                self.widths.len()
            );
            b.report(Problem::error("wrong-length", width.span, message));
        }
        if let Some(stroke) = &style.stroke
            && style.fill.is_none()
            && style.fills.is_none()
        {
            let message = "a ribbon's `stroke` is the rim around its `fill`, but there is none";
            b.report(Problem::error("no-fill", stroke.span, message).label("add a `fill`"));
        }
        if let Some(dash) = style.dash.iter().flatten().next() {
            let message = "a ribbon's rim cannot be dashed";
            b.report(Problem::error("no-dashes", dash.span, message));
        }
    }
}

struct RibbonMark {
    points: PointList,
    widths: Vec<Program>,
    curve: BendWord,
    brush: Brush,
}

/// A disc on the way.
#[derive(Clone, Copy)]
struct Disc {
    at: Vec2,
    radius: f64,
}

impl RibbonMark {
    /// A disc at every point.
    fn joints(&self, pen: &Pen) -> Vec<Disc> {
        let points: Vec<Vec2> = pen.points(&self.points).collect();
        let widths = self.widths.iter().map(|width| pen.number(width));
        let radii: Vec<f64> = widths.map(|width| width / 2.0).collect();
        let discs = points.iter().enumerate();
        if radii.len() == points.len() {
            return discs
                .map(|(i, at)| Disc {
                    at: *at,
                    radius: radii[i],
                })
                .collect();
        }
        let shares = shares_of_way(&points);
        discs
            .map(|(i, at)| Disc {
                at: *at,
                radius: lerp(radii[0], radii[1], shares[i]),
            })
            .collect()
    }

    /// The discs that the ribbon is the hull of, two by two.
    fn discs(&self, pen: &Pen) -> Vec<Disc> {
        let joints = self.joints(pen);
        if self.curve == BendWord::Straight || joints.len() < 2 {
            return joints;
        }
        let [fewest, most] = PIECES_BETWEEN;
        let pieces = PIECES.div_ceil(joints.len() - 1).clamp(fewest, most);
        let points: Vec<Vec2> = joints.iter().map(|joint| joint.at).collect();
        let mut discs = vec![joints[0]];
        for (cubic, two) in catmull_rom(&points, false).zip(joints.windows(2)) {
            discs.extend((1..=pieces).map(|k| {
                let u = k as f64 / pieces as f64;
                Disc {
                    at: cubic.at(u),
                    radius: lerp(two[0].radius, two[1].radius, u),
                }
            }));
        }
        discs
    }
}

/// For each point how much of the way lies behind it, 0 to 1.
fn shares_of_way(points: &[Vec2]) -> Vec<f64> {
    let mut run = 0.0;
    let mut ways = vec![0.0];
    for two in points.windows(2) {
        run += two[0].distance(two[1]);
        ways.push(run);
    }
    let whole = if run > 0.0 { run } else { 1.0 };
    ways.iter().map(|way| way / whole).collect()
}

/// All discs and the hulls of neighbours as contours that turn the same way, so that wherever they overlap,
/// the winding number only grows.
fn outline(discs: &[Disc], grow: f64, shape: &mut Shape) {
    let radius = |disc: &Disc| (disc.radius + grow).max(0.0);
    for disc in discs {
        shape.circle(disc.at, radius(disc));
    }
    for two in discs.windows(2) {
        shape.hull([two[0].at, two[1].at], [radius(&two[0]), radius(&two[1])]);
    }
}

impl Draw for RibbonMark {
    fn draw(&self, pen: &mut Pen) {
        let Some(opacity) = pen.visible(&self.brush) else {
            return;
        };
        let Some(fill) = self.brush.fill(pen) else {
            return;
        };
        let discs = self.discs(pen);
        let width = pen.number(&self.brush.width);
        match self.brush.stroke.filter(|_| width > 0.0) {
            None => pen.fill(fill, opacity, |shape| outline(&discs, 0.0, shape)),
            Some(rim) => pen.layer(opacity, |pen| rimmed(pen, &discs, width, [rim, fill])),
        }
    }
}

/// A wider ribbon below and a narrower one above: a rim without the lines that bends would leave inside.
fn rimmed(pen: &mut Pen, discs: &[Disc], width: f64, [rim, fill]: [ColourId; 2]) {
    pen.fill(rim, 1.0, |shape| outline(discs, width / 2.0, shape));
    pen.fill(fill, 1.0, |shape| outline(discs, -width / 2.0, shape));
}
