//! Texts and their fonts: which font is meant, and whether every character can be shown.

use super::builder::{Builder, TextPiece};
use crate::spec::problem::Problem;
use crate::spec::slots::Text;
use crate::spec::source::Span;
use crate::spec::suggest::{list_some, nearest};
use crate::text::{self, FontId, FontSet};
use std::sync::Arc;

/// All that numbers are written with.
const OF_NUMBERS: &str = "0123456789.-";
/// Missing characters that one warning names.
const NAMED_AT_MOST: usize = 8;

impl Builder<'_> {
    /// The spec's fonts.
    pub fn fonts(&self) -> Arc<FontSet> {
        self.fonts.clone()
    }

    /// A font by its name in `fonts`; the first without one.
    pub fn font(&mut self, slot: &Option<Text>) -> FontId {
        let Some((slot, name)) = slot.as_ref().and_then(|s| Some((s, s.text.as_deref()?))) else {
            return FontId::default();
        };
        let name = self.fill_in(name, slot.span);
        if let Some(font) = self.fonts.named(&name) {
            return font;
        }
        let fonts = self.fonts();
        let problem = Problem::error(
            "unknown-font",
            slot.span,
            format!("`{name}` is not among the spec's `fonts`"),
        );
        let problem = match nearest(&name, fonts.names()) {
            Some(near) => problem.label(format!("did you mean `{near}`?")),
            None => problem,
        };
        let all = list_some(&name, fonts.names());
        self.problem_once(problem.note(format!("fonts: {all}")));
        FontId::default()
    }

    /// Reports what a text cannot show: more than one line, and characters that no font has.
    pub fn check_letters(&mut self, slot: &Text, pieces: &[TextPiece], font: FontId) {
        let mut letters: Vec<char> = Vec::new();
        for piece in pieces {
            match piece {
                TextPiece::Literal(literal) => letters.extend(literal.chars()),
                TextPiece::Number(..) => letters.extend(OF_NUMBERS.chars()),
                TextPiece::Word(_, words) => letters.extend(words.iter().flat_map(|w| w.chars())),
                TextPiece::Label => {}
            }
        }
        if let Some(c) = letters.iter().copied().find(|c| text::is_line_break(*c)) {
            let place = self.place_of(slot, c);
            self.problem_once(
                Problem::error("line-break", place, "a text is one line")
                    .label("a line break")
                    .note("write one `text` for each line"),
            );
        }
        if let Some(c) = letters.iter().copied().find(|c| text::is_shaped(*c)) {
            let place = self.place_of(slot, c);
            self.problem_once(Problem::warning(
                "unshaped-text",
                place,
                "letters of this script are drawn one by one from left to right: they do not join or turn",
            ));
        }
        self.warn_missing(slot, &letters, font);
    }

    fn warn_missing(&mut self, slot: &Text, letters: &[char], font: FontId) {
        let fonts = self.fonts();
        let mut missing = Vec::new();
        for c in letters {
            let shown = text::is_line_break(*c) || text::is_invisible(*c);
            if !shown && fonts.find(font, *c).is_none() && self.boxed.insert(*c) {
                missing.push(*c);
            }
        }
        let Some(first) = missing.first() else { return };
        let named = missing
            .iter()
            .take(NAMED_AT_MOST)
            .map(|c| text::name_of(*c));
        let mut names = named.collect::<Vec<_>>().join(", ");
        if missing.len() > NAMED_AT_MOST {
            names.push_str(&format!(" and {} more", missing.len() - NAMED_AT_MOST));
        }
        let shown = match missing.len() {
            1 => "a box is drawn instead",
            _ => "boxes are drawn instead",
        };
        // Texts of many instances stand at one place: each names what the others have not.
        self.problems.push(
            Problem::warning(
                "missing-glyph",
                self.place_of(slot, *first),
                format!("no font has {names}: {shown}"),
            )
            .note("list a font file that has it in `fonts`"),
        );
    }

    /// Where a character stands in a text, or the whole text if something else brings the character in.
    fn place_of(&self, slot: &Text, c: char) -> Span {
        let written = slot.text.as_deref().unwrap_or_default();
        match written.find(c) {
            Some(start) => slot.span.within(self.sources, start..start + c.len_utf8()),
            None => slot.span,
        }
    }
}
