//! One line of text: where each glyph stands.

use super::characters::is_invisible;
use super::font::Glyph;
use super::set::{FontId, FontSet};
use crate::maths::vector::{Affine, Vec2};

/// A line in em: it begins at (0, 0) on the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'f> {
    pub glyphs: Vec<Placed<'f>>,
    /// Sum of all advances, kerning included.
    pub width: f64,
    /// Height of the capitals of the text's own font.
    pub cap_height: f64,
}

/// A glyph and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed<'f> {
    pub x: f64,
    pub glyph: &'f Glyph,
}

/// Which part of a line lies on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Center,
    Right,
}

/// Which height of a line lies on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The line that letters stand on.
    Alphabetic,
    /// Half the height of capitals.
    Middle,
    /// The height of capitals.
    Top,
}

/// How a line is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Length of an em in px.
    pub size: f64,
    pub align: Align,
    pub baseline: Baseline,
    /// Most width in px: a longer line is shrunk.
    pub fit: Option<f64>,
    /// About the point in degrees, clockwise.
    pub rotate: f64,
}

impl FontSet {
    /// Sets a text in one line, in `first` as far as that font goes.
    pub fn line(&self, first: FontId, text: &str) -> Line<'_> {
        let mut line = Line {
            glyphs: Vec::new(),
            width: 0.0,
            cap_height: self.font(first).cap_height(),
        };
        let mut before: Option<(char, FontId, u32)> = None;
        for c in text.chars().filter(|c| !is_invisible(*c)) {
            let found = self.find(first, c);
            if let (Some((left, font, from)), Some((own, to))) = (before, found)
                && font == own
                && !is_digit(left)
                && !is_digit(c)
            {
                line.width += self.font(own).kerning(from, to);
            }
            let glyph = found.and_then(|(font, id)| self.font(font).glyph(id));
            let glyph = glyph.unwrap_or_else(|| Self::missing());
            line.glyphs.push(Placed {
                x: line.width,
                glyph,
            });
            line.width += glyph.advance;
            before = found.map(|(font, id)| (c, font, id));
        }
        line
    }
}

/// Digits are never kerned: a number must not dance while it counts.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

impl Line<'_> {
    /// Size in px after `fit`.
    pub fn size(&self, setting: &Setting) -> f64 {
        match setting.fit {
            Some(most) if self.width * setting.size > most => most / self.width,
            _ => setting.size,
        }
    }

    /// From em to px, with the line's point on `at`.
    pub fn placement(&self, setting: &Setting, at: Vec2) -> Affine {
        let before = match setting.align {
            Align::Left => 0.0,
            Align::Center => self.width / 2.0,
            Align::Right => self.width,
        };
        let below = match setting.baseline {
            Baseline::Alphabetic => 0.0,
            Baseline::Middle => self.cap_height / 2.0,
            Baseline::Top => self.cap_height,
        };
        let size = self.size(setting);
        Affine::translate(Vec2::new(-before, below))
            .then(Affine::scale(Vec2::new(size, size)))
            .then(Affine::rotate(setting.rotate))
            .then(Affine::translate(at))
    }
}
