use super::{Draw, MarkKind, NoStyle, Pen};
use crate::formula::{Program, Range};
use crate::maths::functions::{ceil, clamp, lap, rounding};
use crate::picture::ColourId;
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::{BoxProgram, Check};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

mod figure;
mod legend;
mod plane;
mod samples;
mod ticks;

use legend::{Caption, Letters};
use samples::{Curve, Moments};

/// Numbers over time, with a playhead that stands where the animation is.
///
/// A number that jumps is drawn upright. With `axes` everything stays inside the box, and a curve that leaves
/// the range is cut there; without them the box is the plot itself, and such a curve runs on.
///
/// ```json
/// "channels": {
///   "goal": { "track": { "keys": [[0, 0], [0.3, 1]], "ease": "hold" } },
///   "x": { "smooth": { "to": "goal", "half_life": 0.1 } }
/// },
/// "draw": [
///   { "chart": { "box": [10, 8, 230, 112], "label": "position", "ahead": 0.3, "playhead": "#6f6a5f", "series": [
///     { "of": "goal", "fill": "#ece6d8" },
///     { "of": "x", "width": 3, "dot": 5, "stroke": "#c2402a", "label": "x" }
///   ] } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "chart")]
pub struct Chart {
    /// What is shown, in the order of drawing.
    #[schemars(length(min = 1), extend("x-also" = ["lines", "curves", "data", "of"]))]
    pub series: Vec<Series>,
    /// Edges in px: left, top, right, bottom.
    pub r#box: Edges,
    /// Values at the bottom and at the top; from the data, with some air, if absent.
    #[schemars(extend("x-also" = ["y", "domain", "limits"]))]
    pub range: Option<Pair>,
    /// Times at the left and at the right in T; the whole animation if absent.
    #[schemars(extend("x-also" = ["x", "during", "window"]))]
    pub span: Option<FixedPair>,
    /// Where the playhead stands in T, held within `span`; `t` if absent.
    #[schemars(extend("x-also" = ["at", "now"]))]
    pub time: Option<Num>,
    /// Colour of the line that stands at `time`, over the whole height; as `rule` if absent. `transparent`
    /// hides it.
    #[schemars(extend("x-also" = ["cursor"]))]
    pub playhead: Option<Colour>,
    /// Opacity of the curves after the playhead; values outside 0 to 1 are clamped.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["future"]))]
    pub ahead: Num,
    /// An axis at the left and one at the bottom, with ticks and numbers.
    #[serde(default = "yes")]
    #[schemars(extend("x-also" = ["axis", "frame", "grid"]))]
    pub axes: bool,
    /// A line at 0; if absent it is drawn when 0 is in the range.
    #[schemars(extend("x-also" = ["baseline"]))]
    pub zero: Option<bool>,
    /// Colour of axes, ticks, the line at 0, and text.
    #[serde(default = "grey")]
    #[schemars(extend("x-also" = ["color", "colour", "stroke"]))]
    pub rule: Colour,
    /// Says what is shown, at the left top.
    #[schemars(extend("x-also" = ["title", "name", "caption"]))]
    pub label: Option<Text>,
    /// Of text, in px.
    #[serde(default = "eleven")]
    #[schemars(extend("x-also" = ["font_size", "fontSize", "font-size"]))]
    pub size: Num<Positive>,
}

/// One number of a chart.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "series")]
pub struct Series {
    /// The number.
    #[schemars(extend("x-also" = ["value", "y", "channel"]))]
    pub of: Num,
    /// Colour of the curve. Without `stroke` and `fill` it is black; with `fill` alone there is no curve.
    #[schemars(extend("x-also" = ["color", "colour", "strokeStyle"]))]
    pub stroke: Option<Colour>,
    /// Width of the curve in px.
    #[serde(default = "two")]
    #[schemars(extend("x-also" = ["stroke_width", "strokeWidth", "stroke-width", "lineWidth", "line_width"]))]
    pub width: Num<Positive>,
    /// Colour between the curve and 0: bands of an input.
    #[schemars(extend("x-also" = ["area", "background"]))]
    pub fill: Option<Colour>,
    /// Radius in px of a disc on the curve at the playhead, with a rim of 2 px in the background's colour.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["marker", "bead"]))]
    pub dot: Num<NonNegative>,
    /// Its name in the legend.
    #[schemars(extend("x-also" = ["name", "title"]))]
    pub label: Option<Text>,
}

fn yes() -> bool {
    true
}

fn grey() -> Colour {
    Colour::literal("#888888")
}

fn eleven() -> Num<Positive> {
    Num::literal(11.0)
}

fn two() -> Num<Positive> {
    Num::literal(2.0)
}

/// Samples of a curve per px of the box's width.
const DENSITY: f64 = 2.0;
/// Most samples of a curve.
const SAMPLE_LIMIT: f64 = 16_384.0;

impl MarkKind for Chart {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        let rule = b.colour(&self.rule);
        let edges = b.edges(&self.r#box);
        let span = self.span(b);
        let count = ceil(DENSITY * width_of(&edges).unwrap_or(b.clock().width));
        let moments = Moments {
            from: span[0],
            to: span[1],
            count: count.clamp(2.0, SAMPLE_LIMIT) as usize,
        };
        Box::new(ChartMark {
            lines: self.series.iter().map(|s| s.build(&moments, b)).collect(),
            edges,
            range: self.range.as_ref().map(|range| Values::build(range, b)),
            span,
            time: b.maybe(&self.time),
            playhead: match &self.playhead {
                Some(colour) => b.colour(colour),
                None => rule,
            },
            ahead: b.num(&self.ahead),
            axes: self.axes,
            zero: self.zero,
            rule,
            rim: b.background(),
            label: self.label.as_ref().map(|label| Caption::build(label, b)),
            letters: Letters::build(rule, b),
            size: b.num(&self.size),
        })
    }
}

impl Chart {
    /// From and to, in T.
    fn span(&self, b: &mut Builder) -> [f64; 2] {
        let whole = [0.0, b.clock().duration];
        let Some(slot) = &self.span else {
            return whole;
        };
        let [from, to] = b.fixed_pair(slot);
        let wrong = match (from, to) {
            _ if from >= to => format!("the span ends at {to}, not after its start at {from}"),
            _ if from < 0.0 || to > whole[1] + rounding(whole[1]) => {
                format!(
                    "{from} to {to} is not within the animation, 0 to {}",
                    whole[1]
                )
            }
            span => return span.into(),
        };
        b.report(Problem::error("bad-span", slot.1.span, wrong));
        whole
    }
}

/// The width of a box that never changes.
fn width_of(edges: &BoxProgram) -> Option<f64> {
    Some(edges.sides[2].constant()? - edges.sides[0].constant()?)
}

impl Series {
    fn build(&self, moments: &Moments, b: &mut Builder) -> Line {
        let fill = self.fill.as_ref().map(|fill| b.colour(fill));
        let stroke = match &self.stroke {
            Some(stroke) => Some(b.colour(stroke)),
            None if fill.is_none() => Some(b.colour(&Colour::literal("black"))),
            None => None,
        };
        Line {
            curve: Curve::build(&self.of, moments.clone(), b),
            stroke,
            width: b.num(&self.width),
            fill,
            dot: b.num(&self.dot),
            label: self.label.as_ref().map(|label| Caption::build(label, b)),
        }
    }
}

/// Values at the bottom and at the top.
struct Values {
    ends: PointProgram,
    height: Check,
}

impl Values {
    fn build(slot: &Pair, b: &mut Builder) -> Self {
        Self {
            ends: b.pair(slot),
            height: b.check(slot.1.span, "range[1] - range[0]", Range::above(0.0)),
        }
    }

    fn at(&self, pen: &Pen) -> [f64; 2] {
        let low = pen.number(&self.ends.x);
        let height = pen.number(&self.ends.y) - low;
        [low, low + self.height.hold(height, &pen.inputs)]
    }
}

/// A series with its meaning.
struct Line {
    curve: Curve,
    stroke: Option<ColourId>,
    width: Program,
    fill: Option<ColourId>,
    dot: Program,
    label: Option<Caption>,
}

impl Line {
    /// The colour that stands for the series.
    fn colour(&self) -> Option<ColourId> {
        self.stroke.or(self.fill)
    }
}

struct ChartMark {
    lines: Vec<Line>,
    edges: BoxProgram,
    range: Option<Values>,
    span: [f64; 2],
    time: Option<Program>,
    playhead: ColourId,
    ahead: Program,
    axes: bool,
    zero: Option<bool>,
    rule: ColourId,
    /// Of the dots.
    rim: ColourId,
    label: Option<Caption>,
    letters: Letters,
    size: Program,
}

impl ChartMark {
    /// Where the playhead stands in T.
    fn time(&self, pen: &Pen) -> f64 {
        let time = match &self.time {
            Some(time) => pen.number(time),
            // The end of a loop is its start.
            None if pen.repeats() => lap(pen.time(), pen.clock().duration),
            None => pen.time(),
        };
        clamp(time, self.span[0], self.span[1])
    }
}

#[cfg(test)]
mod tests;
