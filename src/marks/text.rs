use super::{Brush, Draw, Lettering, MarkKind, Pen, Place, Style};
use crate::formula::Program;
use crate::kinds::one_of;
use crate::scene::builder::Builder;
use crate::spec::slots::{Any, Choice, Name, Num, Point, Positive, Text as TextSlot};
use crate::text::{Align, Baseline, Setting};
use schemars::JsonSchema;
use serde::Deserialize;

/// One line of text, or with `of` one at every point of a list. Numbers in it stand still while they count:
/// the built-in font's digits are equally wide.
///
/// ```json
/// "draw": [
///   { "text": { "content": "t = {t:.2} s", "at": [120, 60], "align": "center", "baseline": "middle", "size": 24 } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "text", extend("allOf" = [one_of(&[&["at"], &["of"]])]))]
pub struct Text {
    /// Where its anchor lies: see `align` and `baseline`.
    #[schemars(extend("x-also" = ["pos", "position", "point", "origin"]))]
    pub at: Option<Point>,
    /// A list of points: one text at each, numbered `.i`, at `.x` and `.y`.
    pub of: Option<Name>,
    /// What it says: letters as they are, `{formula}` or `{formula:.2}` for a number, `{name}` for a text
    /// param, `{{` and `}}` for braces. Without a format a number has at most 3 decimals.
    #[schemars(extend("x-also" = ["text", "label", "string", "value", "body"]))]
    pub content: TextSlot,
    /// Length of an em in px; capitals are about 0.73 of it.
    #[serde(default = "sixteen")]
    #[schemars(extend("x-also" = ["font_size", "fontSize", "font-size", "height"]))]
    pub size: Num<Positive>,
    /// One of the spec's `fonts` as written there, or `Inter`, the built-in one; the first of them if absent.
    /// Characters that it lacks come from the first font that has them.
    #[schemars(extend("x-also" = ["font_family", "fontFamily", "font-family", "family", "typeface"]))]
    pub font: Option<TextSlot>,
    /// Which part of it lies on `at`; `left` if absent, with `of` `center`.
    #[schemars(extend("x-also" = ["anchor", "text_align", "textAlign", "text-anchor", "textAnchor", "halign"]))]
    pub align: Option<Choice<AlignWord>>,
    /// Which height of it lies on `at`: the line that letters stand on, half the height of capitals, or the
    /// height of capitals; `alphabetic` if absent, with `of` `middle`.
    #[schemars(extend("x-also" = ["text_baseline", "textBaseline", "valign", "vertical_align"]))]
    pub baseline: Option<Choice<BaselineWord>>,
    /// Most width in px: a longer text is shrunk to it.
    #[schemars(extend("x-also" = ["max_width", "maxWidth", "textLength", "text_length"]))]
    pub fit: Option<Num<Positive>>,
    /// Rotation about `at` in degrees, clockwise.
    #[serde(default = "Num::<Any>::zero")]
    #[schemars(extend("x-also" = ["rotation", "angle"]))]
    pub rotate: Num,
}

/// Which part of a text lies on its point.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlignWord {
    #[default]
    Left,
    Center,
    Right,
}

/// Which height of a text lies on its point.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BaselineWord {
    #[default]
    Alphabetic,
    Middle,
    Top,
}

fn sixteen() -> Num<Positive> {
    Num::literal(16.0)
}

impl Text {
    fn align(&self, b: &mut Builder) -> Align {
        match self.align.as_ref().map(|word| b.choice(word)) {
            Some(AlignWord::Left) => Align::Left,
            Some(AlignWord::Center) => Align::Center,
            Some(AlignWord::Right) => Align::Right,
            None if self.of.is_some() => Align::Center,
            None => Align::Left,
        }
    }

    fn baseline(&self, b: &mut Builder) -> Baseline {
        match self.baseline.as_ref().map(|word| b.choice(word)) {
            Some(BaselineWord::Alphabetic) => Baseline::Alphabetic,
            Some(BaselineWord::Middle) => Baseline::Middle,
            Some(BaselineWord::Top) => Baseline::Top,
            None if self.of.is_some() => Baseline::Middle,
            None => Baseline::Alphabetic,
        }
    }
}

impl MarkKind for Text {
    type Style = Style;

    fn build(&self, style: &Style, b: &mut Builder) -> Box<dyn Draw> {
        let place = Place::build(&self.at, &self.of, b);
        place.inside(b, |b| {
            Box::new(TextMark {
                lettering: Lettering::build(&self.content, &self.font, b),
                size: b.num(&self.size),
                align: self.align(b),
                baseline: self.baseline(b),
                fit: b.maybe(&self.fit),
                rotate: b.num(&self.rotate),
                brush: style.closed(b),
                place: place.clone(),
            })
        })
    }
}

struct TextMark {
    place: Place,
    lettering: Lettering,
    size: Program,
    align: Align,
    baseline: Baseline,
    fit: Option<Program>,
    rotate: Program,
    brush: Brush,
}

impl Draw for TextMark {
    fn draw(&self, pen: &mut Pen) {
        self.place.each(pen, |pen, at| {
            let setting = Setting {
                size: pen.number(&self.size),
                align: self.align,
                baseline: self.baseline,
                fit: self.fit.as_ref().map(|fit| pen.number(fit)),
                rotate: pen.number(&self.rotate),
            };
            let line = self.lettering.line(pen);
            pen.text(&self.brush, &line, &setting, at);
        });
    }
}
