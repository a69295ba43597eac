//! One font: which glyph a character has, how wide it is, what it looks like.

use super::kerning::{Kerning, Pairs};
use crate::maths::vector::Vec2;
use skrifa::charmap::MappingIndex;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::FontRef;
use skrifa::{GlyphId, MetadataProvider};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Height of capitals where a font does not say it and has no H, in em.
const USUAL_CAP_HEIGHT: f64 = 0.7;

/// A font. Glyphs are read when they are first needed and kept; what they are does not depend on when.
#[derive(Debug)]
pub struct Font {
    bytes: Cow<'static, [u8]>,
    /// Font units per em.
    units: f64,
    /// In em.
    cap_height: f64,
    characters: MappingIndex,
    kerning: Kerning,
    pairs: Pairs,
    /// Glyphs of the characters that most texts are made of.
    ascii: [OnceLock<Option<u32>>; 128],
    glyphs: Box<[OnceLock<Option<Glyph>>]>,
}

/// The shape of a character, in em: (0, 0) on the baseline at its left, y down.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    /// Where the next one stands.
    pub advance: f64,
    /// Contours, filled by the nonzero rule.
    pub outline: Vec<Segment>,
}

/// How a contour goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Vec2),
    Line(Vec2),
    /// A quadratic Bézier: control point, end.
    Quad(Vec2, Vec2),
    /// A cubic Bézier: control points, end.
    Cubic(Vec2, Vec2, Vec2),
    Close,
}

impl Font {
    /// The font that is always there: Inter Medium.
    pub fn embedded() -> Arc<Self> {
        static FONT: OnceLock<Arc<Font>> = OnceLock::new();
        let bytes: &'static [u8] = include_bytes!("../../assets/Inter-Medium-subset.ttf");
        let read = || match Self::read(Cow::Borrowed(bytes)) {
            Ok(font) => Arc::new(font),
            Err(why) => unreachable!("the embedded font {why}"),
        };
        FONT.get_or_init(read).clone()
    }

    /// Reads a TrueType or OpenType font, or the first of a collection.
    ///
    /// # Errors
    /// What is wrong with it, to follow its name: "is no font".
    pub fn read(bytes: Cow<'static, [u8]>) -> Result<Self, String> {
        let font = FontRef::from_index(&bytes, 0).map_err(|_| not_a_font(&bytes))?;
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        if metrics.units_per_em == 0 {
            return Err("is a damaged font: it has no `head` table".into());
        }
        if font.outline_glyphs().format().is_none() {
            return Err("has no outlines: fonts made of pixels cannot be drawn".into());
        }
        if !font.charmap().has_map() {
            return Err("does not say which characters its glyphs stand for".into());
        }
        let units = f64::from(metrics.units_per_em);
        let glyphs = (0..metrics.glyph_count).map(|_| OnceLock::new()).collect();
        let said = metrics.cap_height.map(|height| f64::from(height) / units);
        let (characters, kerning) = (MappingIndex::new(&font), Kerning::of(&font));
        let mut font = Self {
            bytes,
            units,
            cap_height: USUAL_CAP_HEIGHT,
            characters,
            kerning,
            pairs: Pairs::default(),
            ascii: [const { OnceLock::new() }; 128],
            glyphs,
        };
        let height = said.filter(|height| *height > 0.0);
        font.cap_height = height
            .or_else(|| font.height_of_h())
            .unwrap_or(USUAL_CAP_HEIGHT);
        Ok(font)
    }

    /// Height of capitals above the baseline, in em.
    pub fn cap_height(&self) -> f64 {
        self.cap_height
    }

    /// The number of a character's glyph, if the font has one that can be drawn.
    pub fn find(&self, c: char) -> Option<u32> {
        match self.ascii.get(c as usize) {
            Some(known) => *known.get_or_init(|| self.look_up(c)),
            None => self.look_up(c),
        }
    }

    fn look_up(&self, c: char) -> Option<u32> {
        let id = self.characters.charmap(&self.tables()?).map(c)?.to_u32();
        // Glyph 0 is what a font shows for characters that it lacks.
        (id != 0 && self.glyph(id).is_some()).then_some(id)
    }

    /// A glyph by its number.
    pub fn glyph(&self, id: u32) -> Option<&Glyph> {
        let place = self.glyphs.get(id as usize)?;
        place.get_or_init(|| self.read_glyph(id)).as_ref()
    }

    /// What is added to the advance of the left glyph before the right one, in em.
    pub fn kerning(&self, left: u32, right: u32) -> f64 {
        let units = self.pairs.get_or(left, right, || {
            let tables = self.tables();
            tables.map_or(0, |tables| self.kerning.between(&tables, left, right))
        });
        f64::from(units) / self.units
    }

    fn tables(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, 0).ok()
    }

    fn read_glyph(&self, id: u32) -> Option<Glyph> {
        let tables = self.tables()?;
        let (size, place) = (Size::unscaled(), LocationRef::default());
        let advance = GlyphMetrics::new(&tables, size, place).advance_width(GlyphId::new(id))?;
        let mut outline = Contours {
            units: self.units,
            segments: Vec::new(),
        };
        let glyph = tables.outline_glyphs().get(GlyphId::new(id))?;
        let drawn = glyph.draw(DrawSettings::unhinted(size, place), &mut outline);
        drawn.is_ok().then(|| Glyph {
            advance: f64::from(advance) / self.units,
            outline: outline.segments,
        })
    }

    fn height_of_h(&self) -> Option<f64> {
        let glyph = self.glyph(self.find('H')?)?;
        let heights = glyph.outline.iter().map(|segment| match segment {
            Segment::Move(p) | Segment::Line(p) | Segment::Quad(_, p) | Segment::Cubic(_, _, p) => {
                -p.y
            }
            Segment::Close => 0.0,
        });
        Some(heights.fold(0.0, f64::max)).filter(|height| *height > 0.0)
    }
}

/// What the bytes are instead, where that is clear.
fn not_a_font(bytes: &[u8]) -> String {
    match bytes {
        [b'w', b'O', b'F', b'F' | b'2', ..] => {
            "is packed for the web: unpack it to `.ttf` or `.otf`".into()
        }
        _ => "is no font: it must be a `.ttf`, `.otf` or `.ttc` file".into(),
    }
}

/// Collects contours, font units with y up, as em with y down.
struct Contours {
    units: f64,
    segments: Vec<Segment>,
}

impl Contours {
    fn at(&self, x: f32, y: f32) -> Vec2 {
        Vec2::new(f64::from(x) / self.units, f64::from(-y) / self.units)
    }
}

impl OutlinePen for Contours {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.segments
            .push(Segment::Quad(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, p) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.segments.push(Segment::Cubic(a, b, p));
    }

    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}
