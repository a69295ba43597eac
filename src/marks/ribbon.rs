use super::pen::Disc;
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
const PIECES_BETWEEN: [usize; 2] = [4, 12];

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
            && points > 0
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

    /// The discs whose band the ribbon is.
    fn discs(&self, pen: &Pen) -> Vec<Disc> {
        let joints = self.joints(pen);
        // Through two points a curve is straight.
        if self.curve == BendWord::Straight || joints.len() <= 2 {
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

/// The ribbon, by so much wider on either side.
fn outline(discs: &[Disc], grow: f64, shape: &mut Shape) {
    let grown = |disc: &Disc| Disc {
        radius: (disc.radius + grow).max(0.0),
        ..*disc
    };
    shape.band(discs.iter().map(grown));
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

#[cfg(test)]
mod tests {
    use super::shares_of_way;
    use crate::maths::vector::Vec2;
    use crate::picture::{Item, Picture};
    use crate::pixels::Pixels;
    use crate::scene::probe::{Probe, problems};

    fn probe(fields: &str) -> Probe {
        Probe::drawing(&format!(r#""draw": [{{ "ribbon": {{ {fields} }} }}]"#))
    }

    /// How dark every pixel is, at 8 pixels per px, when drawn in black at 42 %.
    fn darkness(fields: &str) -> Vec<u8> {
        let scene = probe(&format!(r#"{fields}, "opacity": 0.42"#))
            .loaded()
            .scene;
        let frames = crate::simulate::Frames { times: vec![0.0] };
        let timeline = crate::simulate::simulate(&scene, &frames, &scene.drawn).unwrap();
        let mut picture = Picture::default();
        let frame = crate::stage::Frame {
            scene: &scene,
            timeline: &timeline,
            frame: 0,
        };
        frame.picture(8.0, &mut picture).unwrap();
        let mut pixels = Pixels::new(800, 800);
        crate::raster::draw(&picture, &scene.colours.table(0), [255; 4], &mut pixels);
        pixels.bytes.chunks(4).map(|pixel| 255 - pixel[0]).collect()
    }

    /// Pixels that are not wholly the ribbon's and that are not connected with the paper around it.
    fn holes(dark: &[u8]) -> usize {
        let mut outside = vec![false; dark.len()];
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if outside[i] || dark[i] == 107 {
                continue;
            }
            outside[i] = true;
            let (x, y) = (i % 800, i / 800);
            open.extend((x > 0).then(|| i - 1));
            open.extend((x < 799).then(|| i + 1));
            open.extend((y > 0).then(|| i - 800));
            open.extend((y < 799).then(|| i + 800));
        }
        let hidden = dark.iter().zip(&outside);
        hidden
            .filter(|(dark, outside)| **dark != 107 && !**outside)
            .count()
    }

    #[test]
    fn sharp_bends_leave_no_holes_and_overlaps_are_no_darker() {
        for fields in [
            r#""points": [[20, 50], [70, 50], [30, 54], [80, 60]], "widths": [24, 12]"#,
            r#""points": [[20, 30], [80, 60], [22, 34], [80, 20]], "widths": [30, 8], "curve": "straight""#,
            r#""points": [[50, 20], [50, 60], [50, 25]], "widths": [30, 30], "curve": "straight""#,
            r#""points": [[30, 60], [45, 40], [34, 60], [50, 80]], "widths": [40, 2]"#,
        ] {
            let dark = darkness(fields);
            assert_eq!(dark.iter().max(), Some(&107), "{fields}");
            assert_eq!(holes(&dark), 0, "{fields}");
        }
    }

    #[test]
    fn a_ribbon_over_itself_keeps_the_paper_it_runs_around() {
        // A loop in both directions: the inside of the loop stays paper, the crossing is filled.
        for way in [
            "[[20, 70], [80, 70], [80, 20], [40, 20], [40, 90]]",
            "[[40, 90], [40, 20], [80, 20], [80, 70], [20, 70]]",
        ] {
            let dark = darkness(&format!(
                r#""points": {way}, "widths": [10, 10], "curve": "straight""#
            ));
            let at = |x: usize, y: usize| dark[8 * y * 800 + 8 * x];
            assert_eq!(
                (at(60, 45), at(40, 70), at(80, 45), at(10, 10)),
                (0, 107, 107, 0)
            );
        }
    }

    #[test]
    fn ends_are_round_and_the_taper_follows_the_way() {
        let [left, top, right, bottom] =
            probe(r#""points": [[30, 50], [70, 50]], "widths": [20, 10], "curve": "straight""#)
                .bounds(0.0);
        assert_eq!([left, top, right, bottom], [20.0, 40.0, 75.0, 60.0]);
        let way = [[0.0, 0.0], [30.0, 0.0], [30.0, 10.0]].map(Vec2::from);
        assert_eq!(shares_of_way(&way), [0.0, 0.75, 1.0]);
        assert_eq!(shares_of_way(&[Vec2::ZERO; 3]), [0.0; 3]);
    }

    #[test]
    fn only_its_points_change_with_its_shape() {
        let moving = probe(
            r#""points": [[20, 50], [50, "50 + 40 * t"], ["80 - 30 * t", 50]], "widths": [20, "3 * t"]"#,
        );
        let verbs = |t: f64| moving.picture(t).verbs;
        assert!(verbs(0.0) == verbs(1.0) && verbs(1.0) == verbs(1.9));
    }

    #[test]
    fn a_rim_is_a_wider_one_below() {
        let picture = probe(
            r#""points": [[20, 50], [80, 50]], "widths": [20, 20], "fill": "gold", "stroke": "red", "width": 4, "opacity": 0.5"#,
        )
        .picture(0.0);
        let [
            Item::Layer { opacity, .. },
            Item::Fill { outline: rim, .. },
            Item::Fill {
                outline: inside, ..
            },
            Item::Close,
        ] = &picture.items[..]
        else {
            panic!("{:?}", picture.items);
        };
        assert_eq!(*opacity, 0.5);
        assert_eq!(picture.bounds(rim), Some([8.0, 38.0, 92.0, 62.0]));
        assert_eq!(picture.bounds(inside), Some([12.0, 42.0, 88.0, 58.0]));
    }

    #[test]
    fn what_a_ribbon_cannot_be() {
        for (fields, message) in [
            (
                r#""points": [[0, 0], [1, 1]], "widths": [1, 2, 3]"#,
                "one for each of the 2 points, not 3",
            ),
            (
                r#""points": [[0, 0], [1, 1], [2, 2]], "widths": [1, 2, 3, 4]"#,
                "one for each of the 3 points, not 4",
            ),
            (r#""points": [[0, 0], [1, 1]], "widths": [1, -2]"#, "-2"),
            (
                r#""points": [[0, 0], [1, 1]], "widths": [1, 2], "stroke": "red""#,
                "add a `fill`",
            ),
            (
                r#""points": [[0, 0], [1, 1]], "widths": [1, 2], "dash": [1, 2]"#,
                "cannot be dashed",
            ),
        ] {
            let said = problems(&format!(r#""draw": [{{ "ribbon": {{ {fields} }} }}]"#));
            assert!(said.contains(message), "{fields}: {said}");
        }
        assert_eq!(
            problems(
                r#""draw": [{ "ribbon": { "points": [[0, 0], [1, 1], [2, 2]], "widths": [1, 2, 3] } }]"#
            ),
            ""
        );
    }
}
