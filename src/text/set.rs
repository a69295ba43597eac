//! Several fonts in an order of preference, and what stands for a character that none of them has.

use super::font::{Font, Glyph, Segment};
use crate::maths::vector::Vec2;
use std::sync::{Arc, LazyLock};

/// The name of the font that is always there.
pub const EMBEDDED: &str = "Inter";

/// One of a set's fonts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FontId(usize);

/// The fonts of a spec in its order; the embedded one is the last.
#[derive(Clone, Debug)]
pub struct FontSet {
    fonts: Vec<(String, Arc<Font>)>,
}

impl Default for FontSet {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl FontSet {
    /// These fonts with the names they are called by, then the embedded one.
    pub fn new(mut fonts: Vec<(String, Arc<Font>)>) -> Self {
        fonts.push((EMBEDDED.to_owned(), Font::embedded()));
        Self { fonts }
    }

    /// The font of a name.
    pub fn named(&self, name: &str) -> Option<FontId> {
        self.fonts.iter().position(|(n, _)| n == name).map(FontId)
    }

    /// The names of all fonts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fonts.iter().map(|(name, _)| name.as_str())
    }

    /// A font of this set.
    pub fn font(&self, id: FontId) -> &Font {
        &self.fonts[id.0].1
    }

    /// The font and the number of a character's glyph: of `first` if it has one, else of the first that does.
    pub fn find(&self, first: FontId, c: char) -> Option<(FontId, u32)> {
        let others = (0..self.fonts.len()).map(FontId).filter(|id| *id != first);
        let mut all = std::iter::once(first).chain(others);
        all.find_map(|id| Some((id, self.font(id).find(c)?)))
    }

    /// An upright box, as high as capitals.
    pub fn missing() -> &'static Glyph {
        static BOX: LazyLock<Glyph> = LazyLock::new(missing_box);
        &BOX
    }
}

/// Two rectangles, the inner one the other way round, so that it stays empty.
fn missing_box() -> Glyph {
    let (left, right, top, line) = (0.08, 0.56, -0.72, 0.06);
    let corners = |inset: f64| {
        let (l, r, t, b) = (left + inset, right - inset, top + inset, -inset);
        [(l, b), (l, t), (r, t), (r, b)].map(|(x, y)| Vec2::new(x, y))
    };
    let mut inner = corners(line);
    inner.reverse();
    let mut outline = Vec::new();
    for [first, rest @ ..] in [corners(0.0), inner] {
        outline.push(Segment::Move(first));
        outline.extend(rest.map(Segment::Line));
        outline.push(Segment::Close);
    }
    Glyph {
        advance: left + right,
        outline,
    }
}
