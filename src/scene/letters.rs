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
        let name = self.fill_in(name, slot.span, "").unwrap_or_default();
        if let Some(font) = self.fonts.named(&name) {
            return font;
        }
        if self.is_told(slot.span, "unknown-font") {
            return FontId::default();
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
                TextPiece::Label(labels) => letters.extend(labels.iter().flat_map(|l| l.chars())),
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
        let (shown, them) = match missing.len() {
            1 => ("a box is drawn instead", "it"),
            _ => ("boxes are drawn instead", "them"),
        };
        // Texts of many instances stand at one place: each names what the others have not.
        self.problems.push(
            Problem::warning(
                "missing-glyph",
                self.place_of(slot, *first),
                format!("no font has {names}: {shown}"),
            )
            .note(format!("`fonts` takes files of fonts that have {them}")),
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

#[cfg(test)]
mod tests {
    use crate::film::Error;
    use crate::load::{Animation, Choices, Problems};
    use crate::picture::{Item, Picture};
    use crate::spec::problem::Problem;
    use crate::stage::Frame;
    use crate::text::testing::tiny_font;
    use std::path::Path;

    /// A spec with one text mark, and other members of the top level.
    fn spec(mark: &str, more: &str) -> String {
        format!(
            r#"{{ "hazumi": 1, "alt": "text", "canvas": {{ "size": [100, 50], "fps": 10, "duration": 0.5 }}, {more}
            "draw": [ {{ "text": {{ "at": [10, 30], {mark} }} }} ] }}"#
        )
    }

    fn problems_of(result: Result<Animation, Error>) -> Problems {
        match result {
            Ok(animation) => animation.warnings().clone(),
            Err(Error::Spec(problems)) => problems,
            Err(other) => panic!("{other}"),
        }
    }

    fn parse(mark: &str, more: &str) -> Result<Animation, Error> {
        Animation::parse("spec.json", &spec(mark, more), &Choices::default())
    }

    /// The only problem, and the text that it points at.
    fn only(result: Result<Animation, Error>) -> (Problem, String) {
        let problems = problems_of(result);
        let [problem] = problems.list.as_slice() else {
            panic!("{problems}");
        };
        let source = &problems.sources[problem.span.file as usize];
        (
            problem.clone(),
            source.text[problem.span.range()].to_owned(),
        )
    }

    fn picture(animation: &Animation, frame: usize) -> Picture {
        let film = animation.simulate().expect("a film");
        let mut picture = Picture::default();
        let frame = Frame {
            scene: animation.scene(),
            timeline: film.timeline(),
            frame,
        };
        frame.picture(1.0, &mut picture).expect("a picture");
        picture
    }

    #[test]
    fn a_missing_character_is_named_where_it_stands() {
        let (problem, place) = only(parse(r#""content": "a {t:.1} 幅""#, ""));
        assert_eq!(problem.code, "missing-glyph");
        assert_eq!(
            problem.message,
            "no font has `幅` (U+5E45): a box is drawn instead"
        );
        assert_eq!(place, "幅");
        let (problem, place) = only(parse(
            r#""content": "{word}!""#,
            r#""params": { "word": "幅見幅" },"#,
        ));
        assert_eq!(
            problem.message,
            "no font has `幅` (U+5E45), `見` (U+898B): boxes are drawn instead"
        );
        assert_eq!(place, "\"{word}!\"");
    }

    #[test]
    fn a_line_break_is_an_error() {
        let (problem, place) = only(parse(r#""content": "two\nlines""#, ""));
        assert_eq!((problem.code, place.as_str()), ("line-break", "\\n"));
    }

    #[test]
    fn scripts_that_join_are_warned_about() {
        let list = problems_of(parse(r#""content": "سلام""#, "")).list;
        let codes: Vec<_> = list.iter().map(|p| p.code).collect();
        assert_eq!(codes, ["unshaped-text", "missing-glyph"]);
    }

    #[test]
    fn an_unknown_font_is_an_error() {
        let (problem, place) = only(parse(r#""content": "a", "font": "Iter""#, ""));
        assert_eq!(problem.message, "`Iter` is not among the spec's `fonts`");
        assert_eq!(problem.label, "did you mean `Inter`?");
        assert_eq!(place, "\"Iter\"");
        assert!(
            problems_of(parse(r#""content": "a", "font": "Inter""#, ""))
                .list
                .is_empty()
        );
    }

    #[test]
    fn a_number_that_is_none_is_an_error_of_its_frame() {
        let animation = parse(r#""content": "{1 / (t - 0.2):.1} s""#, "").expect("a scene");
        let problems = match animation.simulate() {
            Err(Error::Spec(problems)) => problems,
            _ => panic!("no problem"),
        };
        assert_eq!(
            problems.list[0].message,
            "`{1 / (t - 0.2):.1}` is inf in frame 2 (0.20 s), but must be a finite number"
        );
    }

    #[test]
    fn a_text_is_one_shape_and_its_words_are_no_seam() {
        let animation = parse(
            r#""content": "AV {t:.2}", "opacity": 0.5"#,
            r#""loop": { "exact": {} },"#,
        );
        let animation = animation.expect("a scene");
        let picture = picture(&animation, 3);
        assert!(matches!(
            picture.items.as_slice(),
            [Item::Fill { opacity: 0.5, .. }]
        ));
        let seam = |animation: &Animation| animation.simulate_plain().unwrap().seam().unwrap();
        let still = seam(&animation);
        assert_eq!(
            (still.distance, still.whose),
            (0.0, "draw[0] (text)".into())
        );
        let moving = parse(
            r#""content": "A", "size": "10 + t""#,
            r#""loop": { "exact": {} },"#,
        );
        assert_eq!(seam(&moving.expect("a scene")).distance, 0.5);
    }

    #[test]
    fn fonts_come_from_the_specs_folder_only() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("inner");
        std::fs::create_dir_all(folder.join("sub.ttf")).unwrap();
        std::fs::write(outer.path().join("out.ttf"), tiny_font()).unwrap();
        std::fs::write(folder.join("tiny.ttf"), tiny_font()).unwrap();
        std::fs::write(folder.join("text.ttf"), "text").unwrap();
        let absolute = folder.join("tiny.ttf");
        let cases = [
            (
                "../out.ttf",
                "outside-folder",
                "lies outside the spec's folder",
            ),
            (
                absolute.to_str().unwrap(),
                "outside-folder",
                "lies outside the spec's folder",
            ),
            ("no.ttf", "unreadable-file", "No such file or directory"),
            ("sub.ttf", "unreadable-file", "it is a folder"),
            (
                "text.ttf",
                "bad-font",
                "is no font: it must be a `.ttf`, `.otf` or `.ttc` file",
            ),
        ];
        for (file, code, words) in cases {
            let (problem, place) = only(open(&folder, file));
            assert_eq!((problem.code, place), (code, format!("\"{file}\"")));
            assert!(problem.message.ends_with(words), "{}", problem.message);
        }
        let (problem, _) = only(parse(r#""content": "a""#, r#""fonts": ["tiny.ttf"],"#));
        assert!(problem.message.ends_with("this spec has no folder"));
        let animation = open(&folder, "./tiny.ttf").expect("a scene");
        assert!(animation.warnings().list.is_empty());
        // Two squares and the baseline's 0.1 em to the left.
        let picture = picture(&animation, 0);
        assert_eq!(
            picture.bounds(fill(&picture)),
            Some([11.6, 17.2, 38.8, 30.0])
        );
    }

    fn open(folder: &Path, font: &str) -> Result<Animation, Error> {
        let path = folder.join("spec.json");
        let mark = format!(r#""content": "弾み", "font": "{font}""#);
        std::fs::write(&path, spec(&mark, &format!(r#""fonts": ["{font}"],"#))).unwrap();
        let result = Animation::open(&path, &Choices::default());
        // The characters that a missing font would have had are not the problem here.
        result.map_err(|error| match error {
            Error::Spec(mut problems) => {
                problems.list.retain(|p| p.code != "missing-glyph");
                Error::Spec(problems)
            }
            other => other,
        })
    }

    fn fill(picture: &Picture) -> &crate::picture::Outline {
        match &picture.items[0] {
            Item::Fill { outline, .. } => outline,
            other => panic!("{other:?}"),
        }
    }
}
