//! Texts that marks show: what they say at a row, in which font.

use super::Pen;
use crate::scene::builder::{Builder, TextPiece};
use crate::spec::slots::Text;
use crate::text::{FontId, FontSet, Line};
use std::sync::Arc;

/// A text with its font.
pub struct Lettering {
    fonts: Arc<FontSet>,
    font: FontId,
    pieces: Vec<TextPiece>,
}

impl Lettering {
    /// Reads a text in one of the spec's fonts; the first without a name.
    pub fn build(content: &Text, font: &Option<Text>, b: &mut Builder) -> Self {
        let font = b.font(font);
        // Where too much is drawn already, nothing will be.
        let pieces = match b.is_overdrawn() {
            true => Vec::new(),
            false => b.text(content),
        };
        b.check_letters(content, &pieces, font);
        let letters = pieces.iter().map(TextPiece::most_letters).sum();
        b.count_drawn(letters, content.span);
        Self {
            fonts: b.fonts(),
            font,
            pieces,
        }
    }

    /// The line as it is at the pen's row.
    pub fn line(&self, pen: &Pen) -> Line<'_> {
        let mut text = String::new();
        for piece in &self.pieces {
            piece.write(&pen.inputs, &mut text);
        }
        self.fonts.line(self.font, &text)
    }
}
