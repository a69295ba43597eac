//! How marks look: the fields that every drawn mark shares.

use super::pen::Pen;
use crate::formula::Program;
use crate::picture::{Cap, ColourId, Join};
use crate::scene::builder::Builder;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::source::Span;
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// Fill and stroke.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Style {
    /// Colour inside. A closed mark without fill and stroke is black.
    #[schemars(extend("x-also" = ["color", "colour", "background", "fillStyle", "fillColor", "fill_color"]))]
    pub fill: Option<Colour>,
    /// Colours that take turns by `.i`; for marks with `of` and in `repeat`.
    pub fills: Option<Vec<Colour>>,
    /// Colour of the outline. An open mark without one is black.
    #[schemars(extend("x-also" = ["strokeStyle", "strokeColor", "stroke_color", "border"]))]
    pub stroke: Option<Colour>,
    /// Width of the stroke in px.
    #[serde(default = "Num::<NonNegative>::one")]
    #[schemars(extend("x-also" = ["stroke_width", "strokeWidth", "stroke-width", "lineWidth", "line_width", "thickness", "weight"]))]
    pub width: Num<NonNegative>,
    /// Ends of an open stroke.
    #[serde(default = "butt")]
    #[schemars(extend("x-also" = ["lineCap", "line_cap", "strokeLinecap", "stroke-linecap", "linecap"]))]
    pub cap: Choice<CapWord>,
    /// Corners of the stroke; miters are cut at 4 times the width.
    #[serde(default = "miter")]
    #[schemars(extend("x-also" = ["lineJoin", "line_join", "strokeLinejoin", "stroke-linejoin", "linejoin"]))]
    pub join: Choice<JoinWord>,
    /// Lengths of strokes and gaps in px, in turn; an even number of them.
    #[schemars(extend("x-also" = ["dashes", "dasharray", "strokeDasharray", "stroke-dasharray", "lineDash"]))]
    pub dash: Option<Vec<Fixed<Positive>>>,
    /// Where in the dashes the stroke starts, in px.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["dashOffset", "strokeDashoffset", "stroke-dashoffset", "lineDashOffset"]))]
    pub dash_offset: Num,
    /// 0 is invisible, 1 opaque; values outside are clamped.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["alpha", "fillOpacity", "fill_opacity", "strokeOpacity"]))]
    pub opacity: Num,
    /// Not drawn while 0.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["visible", "if", "when"]))]
    pub show: Cond,
}

fn butt() -> Choice<CapWord> {
    Choice::literal("butt")
}

fn miter() -> Choice<JoinWord> {
    Choice::literal("miter")
}

/// Ends of an open stroke.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CapWord {
    #[default]
    Butt,
    Round,
    Square,
}

/// Corners of a stroke.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoinWord {
    #[default]
    Miter,
    Round,
    Bevel,
}

/// For marks without fill and stroke of their own.
#[derive(Clone, Debug, JsonSchema)]
pub struct NoStyle {}

/// Whatever the mark itself is written as, there is nothing to read.
impl<'de> Deserialize<'de> for NoStyle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self {})
    }
}

/// A style with its meaning.
pub struct Brush {
    pub fills: Vec<ColourId>,
    pub stroke: Option<ColourId>,
    pub width: Program,
    pub cap: Cap,
    pub join: Join,
    pub dash: Vec<f64>,
    pub dash_offset: Program,
    pub opacity: Program,
    pub show: Program,
}

impl Style {
    /// The brush of a mark with an inside.
    pub fn closed(&self, b: &mut Builder) -> Brush {
        let mut brush = self.brush(b);
        if brush.fills.is_empty() && brush.stroke.is_none() {
            brush.fills = vec![b.colour(&Colour::literal("black"))];
        }
        self.check_stroke(&brush, b);
        brush
    }

    /// The brush of a line.
    pub fn open(&self, b: &mut Builder) -> Brush {
        let mut brush = self.brush(b);
        if brush.fills.is_empty() && brush.stroke.is_none() {
            brush.stroke = Some(b.colour(&Colour::literal("black")));
        }
        self.check_stroke(&brush, b);
        brush
    }

    /// What is said of a stroke is an error where there is none.
    fn check_stroke(&self, brush: &Brush, b: &mut Builder) {
        if brush.stroke.is_some() || self.stroke.is_some() {
            return;
        }
        let dash = self.dash.iter().flatten().next();
        let said = [
            ("width", self.width.span),
            ("cap", self.cap.word.span),
            ("join", self.join.word.span),
            ("dash", dash.map(|length| length.span).unwrap_or_default()),
            ("dash_offset", self.dash_offset.span),
        ];
        // What is absent has no place.
        if let Some((field, span)) = said.into_iter().find(|(_, span)| *span != Span::default()) {
            let message = format!("`{field}` is the stroke's, but this mark has none");
            b.report(Problem::error("no-stroke", span, message).label("add a `stroke`"));
        }
    }

    /// The brush of a mark that has no inside.
    pub fn stroke_only(&self, b: &mut Builder) -> Brush {
        let fills = self.fills.iter().flatten();
        if let Some(fill) = self.fill.iter().chain(fills).next() {
            b.report(
                Problem::error("no-inside", fill.span, "a line has no inside to fill")
                    .label("its colour is `stroke`"),
            );
        }
        let stroke = Colour::literal("black");
        Brush {
            fills: Vec::new(),
            stroke: Some(b.colour(self.stroke.as_ref().unwrap_or(&stroke))),
            ..self.brush(b)
        }
    }

    fn brush(&self, b: &mut Builder) -> Brush {
        let fills = match (&self.fill, &self.fills) {
            (Some(fill), None) => vec![b.colour(fill)],
            (None, Some(fills)) => self.cycle(fills, b),
            (None, None) => Vec::new(),
            (Some(fill), Some(_)) => {
                b.report(Problem::error(
                    "two-alternatives",
                    fill.span,
                    "a mark takes either `fill` or `fills`, not both",
                ));
                Vec::new()
            }
        };
        Brush {
            fills,
            stroke: self.stroke.as_ref().map(|stroke| b.colour(stroke)),
            width: b.num(&self.width),
            cap: match b.choice(&self.cap) {
                CapWord::Butt => Cap::Butt,
                CapWord::Round => Cap::Round,
                CapWord::Square => Cap::Square,
            },
            join: match b.choice(&self.join) {
                JoinWord::Miter => Join::Miter,
                JoinWord::Round => Join::Round,
                JoinWord::Bevel => Join::Bevel,
            },
            dash: self.dashes(b),
            dash_offset: b.num(&self.dash_offset),
            opacity: b.opacity(&self.opacity),
            show: b.num(&self.show),
        }
    }

    fn cycle(&self, fills: &[Colour], b: &mut Builder) -> Vec<ColourId> {
        if let Some(first) = fills.first()
            && !b.counts_elements()
        {
            let problem = Problem::error(
                "no-element",
                first.span,
                "`fills` takes turns by `.i`, but there is none here",
            );
            b.report(if b.is_instance() {
                problem.note("give the part a text param, and write `\"fill\": \"{tone}\"`")
            } else {
                problem
                    .note("`fills` is for marks with `of` and in `repeat`; elsewhere write `fill`")
            });
        }
        fills.iter().map(|colour| b.colour(colour)).collect()
    }

    fn dashes(&self, b: &mut Builder) -> Vec<f64> {
        let Some(dash) = &self.dash else {
            return Vec::new();
        };
        if dash.len() % 2 == 1 || dash.is_empty() {
            let span = dash.first().map_or_else(Default::default, |d| d.span);
            b.report(Problem::error(
                "odd-dash",
                span,
                format!(
                    "`dash` takes strokes and gaps in turn, an even number of lengths, not {}",
                    dash.len()
                ),
            ));
            return Vec::new();
        }
        dash.iter().map(|length| b.fixed(length)).collect()
    }
}

impl Brush {
    /// Fills with one colour.
    pub fn solid(colour: ColourId) -> Self {
        let one = || Program::constant_of(1.0);
        Self {
            fills: vec![colour],
            stroke: None,
            width: one(),
            cap: Cap::Butt,
            join: Join::Miter,
            dash: Vec::new(),
            dash_offset: Program::constant_of(0.0),
            opacity: one(),
            show: one(),
        }
    }

    /// The colour inside, by the number of the element.
    pub fn fill(&self, pen: &Pen) -> Option<ColourId> {
        match self.fills.as_slice() {
            [] => None,
            [only] => Some(*only),
            fills => Some(fills[pen.element_number() % fills.len()]),
        }
    }
}
