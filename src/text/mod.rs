//! Text: from characters to outlines, one line at a time.
//!
//! A [`Font`] knows glyphs, advances and kerning, a [`FontSet`] which font has a character, and a [`Line`]
//! where each glyph stands. Nothing is hinted and nothing is rounded, so text moves smoothly and scales with
//! the picture. Letters that join, change or turn with their neighbours (Arabic, Devanagari …) are not
//! shaped: that needs tables of whole scripts, and a wrong guess would be silent; the scene warns instead.

mod characters;
mod font;
mod kerning;
mod layout;
mod set;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use characters::{is_invisible, is_line_break, is_shaped, name_of};
pub use font::{Font, Glyph, Segment};
pub use layout::{Align, Baseline, Line, Placed, Setting};
pub use set::{EMBEDDED, FontId, FontSet};
