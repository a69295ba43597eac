//! Problems as a person, a program or a code review reads them.
//!
//! The drawing of excerpts is left to `annotate-snippets`. It gets no more of the text than is to
//! be seen, so that a line of a megabyte costs no more than a short one. The file of every place must
//! be among the sources.

use super::json::BYTE_ORDER_MARK;
use super::problem::{Problem, Severity};
use super::source::{Source, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde_json::json;
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

/// The version of what [`json_lines`] writes.
pub const SCHEMA_VERSION: u32 = 1;

/// More problems than these are counted, not shown.
const MOST_SHOWN: usize = 100;

/// More places of one problem than these are counted, not shown.
const MOST_RELATED: usize = 12;

/// Places at most this many lines apart share an excerpt.
const NEAR_LINES: usize = 12;

/// Longer lines, in bytes, are cut.
const LONG_LINE: usize = 400;

/// How much of a long line is kept on either side: more than fits a terminal, at any width of letters.
const KEPT_AROUND: usize = 300;

/// How much of a long line is underlined, in bytes.
const MOST_UNDERLINED: usize = 100;

/// Stands for a place until its line and column are filled in; occurs in no text.
const PLACE: &str = "\u{fdd0}";

/// The line and the column of a byte, both from 1; a tab or a wide character is one column.
///
/// A byte order mark counts for nothing; a byte inside a character stands for its beginning.
pub fn line_column(source: &Source, byte: usize) -> (usize, usize) {
    let byte = floor_boundary(&source.text, byte);
    let before = &source.text[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    (line, column(&source.text, line_start, byte))
}

/// The problems as they are told: by file and place.
pub fn in_file_order(problems: &[Problem]) -> Vec<&Problem> {
    let mut ordered: Vec<&Problem> = problems.iter().collect();
    ordered.sort_by_key(|problem| problem.span);
    ordered
}

/// The problems as text for a terminal, each with its place in the source.
///
/// Of very many only some are shown, errors before warnings, and the rest is counted.
pub fn text(problems: &[Problem], sources: &[Source], coloured: bool) -> String {
    let page = Page::new(sources, coloured);
    let mut shown: Vec<&Problem> = problems.iter().collect();
    shown.sort_by_key(|problem| (problem.severity, problem.span));
    shown.truncate(MOST_SHOWN);
    shown.sort_by_key(|problem| problem.span);
    let mut told: Vec<String> = shown.iter().map(|problem| page.problem(problem)).collect();
    if problems.len() > shown.len() {
        told.push(format!(
            "… and {} more problems",
            problems.len() - shown.len()
        ));
    }
    told.iter()
        .map(|one| format!("{one}\n"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The problems as JSON, one object a line.
pub fn json_lines(problems: &[Problem], sources: &[Source]) -> String {
    let page = Page::new(sources, false);
    let mut lines = String::new();
    for problem in in_file_order(problems) {
        let related: Vec<_> = problem
            .related
            .iter()
            .map(|(span, words)| json!({"file": page.name(*span), "span": page.span(*span), "message": words}))
            .collect();
        let object = json!({
            "schema_version": SCHEMA_VERSION,
            "code": problem.code,
            "severity": severity_name(problem),
            "file": page.name(problem.span),
            "span": page.span(problem.span),
            "message": problem.message,
            "label": problem.label,
            "help": problem.notes,
            "related": related,
        });
        let _ = writeln!(lines, "{object}");
    }
    lines
}

/// The problems as commands that GitHub turns into remarks beside the changed lines.
pub fn github(problems: &[Problem], sources: &[Source]) -> String {
    let page = Page::new(sources, false);
    let mut lines = String::new();
    for problem in in_file_order(problems) {
        let (line, column) = page.place(problem.span.file, problem.span.start);
        let (end_line, end_column) = page.place(problem.span.file, problem.span.end);
        let kind = severity_name(problem);
        let name = escape_property(page.name(problem.span));
        let _ = write!(lines, "::{kind} file={name},line={line}");
        // Columns are taken only where one line holds the whole place.
        let _ = match end_line > line {
            true => write!(lines, ",endLine={end_line}"),
            false => write!(lines, ",col={column},endColumn={end_column}"),
        };
        let title = escape_property(problem.code);
        let message = escape_message(&plain_message(problem));
        let _ = writeln!(lines, ",title={title}::{message}");
    }
    lines
}

/// The text with everything that could upset a terminal or a log written out, such as `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_unprintable(c) {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Control characters, what turns the direction of writing, line separators, and our own mark.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || c == BYTE_ORDER_MARK
        || PLACE.starts_with(c)
}

fn severity_name(problem: &Problem) -> &'static str {
    match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Message, label and notes, one a line.
fn plain_message(problem: &Problem) -> String {
    let lines = [&problem.message, &problem.label]
        .into_iter()
        .chain(&problem.notes);
    let lines: Vec<_> = lines
        .filter(|line| !line.is_empty())
        .map(|line| printable(line))
        .collect();
    lines.join("\n")
}

/// As the message of a command to GitHub.
pub fn escape_message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// As a property of a command to GitHub.
pub fn escape_property(text: &str) -> String {
    escape_message(&printable(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

/// The column of a byte in the line that begins at another, from 1.
fn column(text: &str, line_start: usize, byte: usize) -> usize {
    let marked = line_start == 0 && text.starts_with(BYTE_ORDER_MARK);
    let mark = if marked {
        BYTE_ORDER_MARK.len_utf8()
    } else {
        0
    };
    text[(line_start + mark).min(byte)..byte].chars().count() + 1
}

fn floor_boundary(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

fn ceil_boundary(text: &str, byte: usize) -> usize {
    (byte..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

/// Sources with their lines found, and the way to draw them.
struct Page<'a> {
    sources: Vec<Lines<'a>>,
    coloured: bool,
}

/// A text and where its lines begin.
struct Lines<'a> {
    name: &'a str,
    text: &'a str,
    starts: Vec<u32>,
}

/// One place of a problem: where, with which words, and whether it is the first.
struct Mark<'a> {
    span: Span,
    label: &'a str,
    primary: bool,
}

impl<'a> Page<'a> {
    fn new(sources: &'a [Source], coloured: bool) -> Self {
        let sources = sources.iter().map(Lines::new).collect();
        Self { sources, coloured }
    }

    fn lines(&self, file: u16) -> &Lines<'a> {
        &self.sources[file as usize]
    }

    fn name(&self, span: Span) -> &'a str {
        self.lines(span.file).name
    }

    fn place(&self, file: u16, byte: u32) -> (usize, usize) {
        self.lines(file).place(byte as usize)
    }

    fn span(&self, span: Span) -> serde_json::Value {
        let (line, column) = self.place(span.file, span.start);
        let (end_line, end_column) = self.place(span.file, span.end);
        json!({
            "start": span.start, "end": span.end,
            "line": line, "column": column,
            "end_line": end_line, "end_column": end_column,
        })
    }

    /// One problem as text, without a line break at the end.
    fn problem(&self, problem: &Problem) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let excerpts = self.excerpts(problem);
        let mut group = Group::with_title(level.primary_title(printable(&problem.message)));
        for marks in &excerpts {
            let lines = self.lines(marks[0].span.file);
            group = match lines.text.is_empty() {
                true => group.element(Origin::path(PLACE)),
                false => group.element(lines.snippet(marks)),
            };
        }
        for note in self.notes(problem) {
            group = group.element(Level::NOTE.no_name().message(note));
        }
        let renderer = match self.coloured {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        let mut drawn = renderer.render(&[group]);
        if excerpts
            .iter()
            .all(|marks| self.lines(marks[0].span.file).text.is_empty())
        {
            // Without line numbers the arrow would begin its line; rustc leaves it a margin.
            drawn = drawn.replace('\n', "\n ");
        }
        let places = excerpts.iter().map(|marks| self.arrow(&marks[0]));
        fill_places(&drawn, places)
    }

    /// What stands behind the arrow.
    fn arrow(&self, mark: &Mark) -> String {
        // The second colon of two is written out: `::` begins a command in some logs.
        let name = printable(self.name(mark.span)).replace("::", ":\\u{3a}");
        if self.lines(mark.span.file).text.is_empty() {
            return name;
        }
        let (line, column) = self.place(mark.span.file, mark.span.start);
        format!("{name}:{line}:{column}")
    }

    fn notes(&self, problem: &Problem) -> Vec<String> {
        let mut notes: Vec<String> = problem
            .notes
            .iter()
            .map(|note| printable(note).into_owned())
            .collect();
        if problem.related.len() > MOST_RELATED {
            notes.push(format!(
                "and {} more places",
                problem.related.len() - MOST_RELATED
            ));
        }
        notes
    }

    /// The places of a problem, those near each other together; the first is the problem's own.
    fn excerpts<'p>(&self, problem: &'p Problem) -> Vec<Vec<Mark<'p>>> {
        let own = Mark {
            span: problem.span,
            label: &problem.label,
            primary: true,
        };
        let mut excerpts = vec![vec![own]];
        for (span, label) in problem.related.iter().take(MOST_RELATED) {
            let mark = Mark {
                span: *span,
                label,
                primary: false,
            };
            let lines = self.lines(span.file);
            match excerpts
                .iter_mut()
                .find(|marks| lines.are_near(marks[0].span, *span))
            {
                Some(marks) => marks.push(mark),
                None => excerpts.push(vec![mark]),
            }
        }
        excerpts
    }
}

/// Puts the places where the drawing has their marks, over the line and column it counted itself.
fn fill_places(drawn: &str, places: impl Iterator<Item = String>) -> String {
    let mut parts = drawn.split(PLACE);
    let mut filled = String::from(parts.next().unwrap_or_default());
    for (part, place) in parts.zip(places) {
        filled.push_str(&place);
        filled.push_str(part.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    filled
}

impl<'a> Lines<'a> {
    fn new(source: &'a Source) -> Self {
        let breaks = source
            .text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at as u32 + 1))
            .collect();
        Self {
            name: &source.name,
            text: &source.text,
            starts,
        }
    }

    /// The number of the line that holds a byte, from 0.
    fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= byte) - 1
    }

    /// The place of a line without its line break and the byte order mark.
    fn line(&self, number: usize) -> Range<usize> {
        let mut start = self.starts[number] as usize;
        if self.text[start..].starts_with(BYTE_ORDER_MARK) && start == 0 {
            start = BYTE_ORDER_MARK.len_utf8();
        }
        let next = self.starts.get(number + 1);
        let whole = &self.text[start..next.map_or(self.text.len(), |&next| next as usize)];
        let content = whole.strip_suffix('\n').unwrap_or(whole);
        start..start + content.strip_suffix('\r').unwrap_or(content).len()
    }

    fn place(&self, byte: usize) -> (usize, usize) {
        let byte = floor_boundary(self.text, byte);
        let line = self.line_of(byte);
        let start = self.starts[line] as usize;
        (line + 1, column(self.text, start, byte))
    }

    /// Whether two places of one file can share an excerpt.
    fn are_near(&self, a: Span, b: Span) -> bool {
        if a.file != b.file {
            return false;
        }
        let lines = [a, b].map(|span| self.line_of(span.start as usize));
        let short = lines.iter().all(|&line| self.line(line).len() <= LONG_LINE);
        match lines[0] == lines[1] && !short {
            true => a.start.abs_diff(b.start) as usize <= LONG_LINE / 2,
            false => short && lines[0].abs_diff(lines[1]) <= NEAR_LINES,
        }
    }

    fn snippet<'m>(&self, marks: &'m [Mark]) -> Snippet<'m, annotate_snippets::Annotation<'m>> {
        let places: Vec<Range<usize>> = marks.iter().map(|mark| self.shown(mark.span)).collect();
        let excerpt = Excerpt::new(self, &places);
        let mut snippet = Snippet::source(excerpt.text.clone())
            .line_start(excerpt.first_line + 1)
            .path(PLACE);
        for (mark, place) in marks.iter().zip(places) {
            let kind = match mark.primary {
                true => AnnotationKind::Primary,
                false => AnnotationKind::Context,
            };
            let annotation =
                kind.span(excerpt.offset(self, place.start)..excerpt.offset(self, place.end));
            snippet = snippet.annotation(match mark.label {
                "" => annotation,
                label => annotation.label(printable(label)),
            });
        }
        snippet
    }

    /// What of a place is underlined: all of it, but little of what is very long.
    fn shown(&self, span: Span) -> Range<usize> {
        let start = floor_boundary(self.text, span.start as usize);
        let end = ceil_boundary(self.text, (span.end as usize).max(start));
        let first = self.line_of(start);
        // A place that ends with a line break does not reach into the next line.
        let last = self.line_of(end.saturating_sub(1).max(start));
        let line = self.line(first);
        // A caret on a line break or the byte order mark stands at the line's edge.
        let start = start.clamp(line.start, line.end);
        if first != last && last - first <= NEAR_LINES && line.len() <= LONG_LINE {
            let last = self.line(last);
            if last.len() <= LONG_LINE {
                return start..end.clamp(last.start, last.end);
            }
        }
        let most = match line.len() > LONG_LINE {
            true => ceil_boundary(self.text, start + MOST_UNDERLINED),
            false => line.end,
        };
        start..end.min(line.end).min(most).max(start)
    }
}

/// The part of a text that is drawn: some lines, the long ones cut.
struct Excerpt {
    text: String,
    first_line: usize,
    /// For each line: what is kept of it, and where that begins in `text`.
    kept: Vec<(Range<usize>, usize)>,
}

impl Excerpt {
    fn new(lines: &Lines, places: &[Range<usize>]) -> Self {
        let ends = places.iter().flat_map(|place| [place.start, place.end]);
        let numbers = ends.map(|byte| lines.line_of(byte));
        let first_line = numbers.clone().min().unwrap_or(0);
        let last_line = numbers.max().unwrap_or(0);
        let mut excerpt = Self {
            text: String::new(),
            first_line,
            kept: Vec::new(),
        };
        for number in first_line..=last_line {
            excerpt.push(lines.text, kept_of(lines, number, places));
        }
        excerpt
    }

    fn push(&mut self, text: &str, kept: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(&drawable(&text[kept.clone()]));
        if kept.is_empty() {
            // An empty last line would not be drawn, nor could a caret stand on it.
            self.text.push(' ');
        }
        self.text.push('\n');
        self.kept.push((kept, start));
    }

    /// Where a byte of the source stands in the excerpt.
    fn offset(&self, lines: &Lines, byte: usize) -> usize {
        let (kept, start) = &self.kept[lines.line_of(byte) - self.first_line];
        let byte = byte.clamp(kept.start, kept.end);
        start + drawable(&lines.text[kept.start..byte]).len()
    }
}

/// What of a line is drawn: all of it, or what stands around the places in it.
fn kept_of(lines: &Lines, number: usize, places: &[Range<usize>]) -> Range<usize> {
    let line = lines.line(number);
    if line.len() <= LONG_LINE {
        return line;
    }
    let here = places
        .iter()
        .filter(|place| lines.line_of(place.start) == number);
    let first = here
        .clone()
        .map(|place| place.start)
        .min()
        .unwrap_or(line.start);
    let last = here.map(|place| place.end).max().unwrap_or(line.start);
    let start = floor_boundary(lines.text, first.saturating_sub(KEPT_AROUND)).max(line.start);
    start..ceil_boundary(lines.text, last + KEPT_AROUND).min(line.end)
}

/// The text with what cannot be drawn replaced, character by character.
fn drawable(text: &str) -> Cow<'_, str> {
    let bad = |c: char| c != '\t' && is_unprintable(c);
    match text.contains(bad) {
        true => Cow::Owned(text.replace(bad, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source(text: &str) -> Source {
        Source {
            name: "specs/x.json".into(),
            text: text.into(),
        }
    }

    fn span_of(text: &str, part: &str) -> Span {
        let start = text.find(part).expect("the part") as u32;
        Span {
            file: 0,
            start,
            end: start + part.len() as u32,
        }
    }

    fn at(start: usize, end: usize) -> Span {
        Span {
            file: 0,
            start: start as u32,
            end: end as u32,
        }
    }

    fn one(source_text: &str, problem: Problem) -> String {
        text(&[problem], &[source(source_text)], false)
    }

    /// The excerpt alone, for an error at a place.
    fn excerpt(source_text: &str, span: Span) -> String {
        let page = one(source_text, Problem::error("x", span, "m").label("here"));
        page.strip_prefix("error: m\n").expect("the header").into()
    }

    fn lines(lines: &[&str]) -> String {
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn a_problem_is_drawn_as_documented() {
        let spec = "\n".repeat(30) + r#"    { "circle": { "of": "tech", "radus": 12 } }"#;
        let problem = Problem::error(
            "unknown-field",
            span_of(&spec, "\"radus\""),
            "unknown field `radus` in `circle`",
        )
        .label("did you mean `radius`?")
        .note("allowed here: at, of, radius, fill");
        assert_eq!(
            one(&spec, problem),
            lines(&[
                "error: unknown field `radus` in `circle`",
                "  --> specs/x.json:31:33",
                "   |",
                r#"31 |     { "circle": { "of": "tech", "radus": 12 } }"#,
                "   |                                 ^^^^^^^ did you mean `radius`?",
                "   |",
                "   = allowed here: at, of, radius, fill",
            ])
        );
    }

    #[test]
    fn tabs_and_wide_letters_are_honoured() {
        let spec = "{\n\t\"日本\": \"😀\", \"radus\": 1 }";
        assert_eq!(
            excerpt(spec, span_of(spec, "\"radus\"")),
            lines(&[
                " --> specs/x.json:2:13",
                "  |",
                "2 |     \"日本\": \"😀\", \"radus\": 1 }",
                "  |                   ^^^^^^^ here",
            ])
        );
        assert_eq!(
            excerpt(spec, span_of(spec, "日本")),
            lines(&[
                " --> specs/x.json:2:3",
                "  |",
                "2 |     \"日本\": \"😀\", \"radus\": 1 }",
                "  |      ^^^^ here",
            ])
        );
        // Directly before and after a wide letter.
        let spec = "幅x";
        assert_eq!(
            excerpt(spec, at(0, 0)),
            lines(&[" --> specs/x.json:1:1", "  |", "1 | 幅x", "  | ^ here"])
        );
        assert_eq!(
            excerpt(spec, at(3, 4)),
            lines(&[" --> specs/x.json:1:2", "  |", "1 | 幅x", "  |   ^ here"])
        );
    }

    #[test]
    fn a_family_of_emoji_moves_no_caret() {
        let spec = "{ \"👨\u{200d}👩\u{200d}👧\": 1, \"e\u{301}\": x }";
        assert_eq!(
            excerpt(spec, span_of(spec, "x")),
            lines(&[
                " --> specs/x.json:1:21",
                "  |",
                "1 | { \"👨👩👧\": 1, \"e\u{301}\": x }",
                "  |                     ^ here",
            ])
        );
    }

    #[test]
    fn line_breaks_of_both_kinds_and_byte_order_marks_count_for_nothing() {
        let spec = "\u{feff}{\r\n  \"a\": 1\r\n}\r\n";
        assert_eq!(
            excerpt(spec, span_of(spec, "\"a\"")),
            lines(&[
                " --> specs/x.json:2:3",
                "  |",
                "2 |   \"a\": 1",
                "  |   ^^^ here"
            ])
        );
        assert_eq!(
            excerpt(spec, span_of(spec, "{")),
            lines(&[" --> specs/x.json:1:1", "  |", "1 | {", "  | ^ here"])
        );
        // On the line break itself.
        let end = spec.find("\r\n}").unwrap();
        assert_eq!(
            excerpt(spec, at(end, end + 2)),
            lines(&[
                " --> specs/x.json:2:9",
                "  |",
                "2 |   \"a\": 1",
                "  |         ^ here"
            ])
        );
    }

    #[test]
    fn the_end_of_the_text_can_be_pointed_at() {
        assert_eq!(
            excerpt("{\n1", at(3, 3)),
            lines(&[" --> specs/x.json:2:2", "  |", "2 | 1", "  |  ^ here"])
        );
        assert_eq!(
            excerpt("{\n1\n", at(4, 4)),
            lines(&[" --> specs/x.json:3:1", "  |", "3 |  ", "  | ^ here"])
        );
        assert_eq!(excerpt("", at(0, 0)), " --> specs/x.json\n");
    }

    #[test]
    fn a_place_over_several_lines_is_drawn_as_rustc_does() {
        let spec = "{\n  \"a\": {\n    \"b\": 1\n  }\n}";
        let start = spec.find("{\n    ").unwrap();
        assert_eq!(
            excerpt(spec, at(start, spec.len() - 2)),
            lines(&[
                " --> specs/x.json:2:8",
                "  |",
                "2 |     \"a\": {",
                "  |  ________^",
                "3 | |     \"b\": 1",
                "4 | |   }",
                "  | |___^ here",
            ])
        );
        // A very long one is marked where it begins.
        let spec = format!("{{ \"a\": [{}] }}", "1,\n".repeat(100));
        assert_eq!(
            excerpt(&spec, at(7, spec.len() - 2)),
            lines(&[
                " --> specs/x.json:1:8",
                "  |",
                "1 | { \"a\": [1,",
                "  |        ^^^ here"
            ])
        );
    }

    #[test]
    fn a_line_of_a_megabyte_is_cut() {
        let filler = "\"日本\": 1, ".repeat(70_000);
        let spec = format!("{{ {filler}\"radus\": 2, {filler} }}");
        let span = span_of(&spec, "\"radus\"");
        let page = excerpt(&spec, span);
        assert!(page.starts_with(" --> specs/x.json:1:630003\n"), "{page}");
        assert!(page.len() < 1000, "{} bytes", page.len());
        let mut rows = page.lines().skip(2);
        let width = |text: &str| {
            text.chars()
                .map(|c| 1 + usize::from("日本".contains(c)))
                .sum::<usize>()
        };
        let (line, carets) = (rows.next().unwrap(), rows.next().unwrap());
        let before = &line[..line.find("\"radus\"").expect("the key")];
        assert_eq!(
            width(before),
            carets.find("^^^^^^^ here").expect("the caret")
        );
        assert!(line.contains("..."), "{line}");
        // All of it underlined, and a far place in the same line.
        let far = Problem::error("x", at(2, spec.len()), "m").related(span, "there");
        let page = one(&spec, far);
        assert!(page.len() < 2000, "{page}");
        assert!(page.contains(" ::: specs/x.json:1:630003\n"), "{page}");
    }

    #[test]
    fn many_problems_in_a_long_line_cost_little() {
        let spec = "\"日本\": 1, ".repeat(90_000);
        let problems: Vec<Problem> = (0..5000)
            .map(|i| Problem::warning("x", at(i * 15, i * 15 + 8), "m"))
            .collect();
        let page = text(&problems, &[source(&spec)], false);
        assert!(page.ends_with("\n… and 4900 more problems\n"));
        assert_eq!(
            json_lines(&problems, &[source(&spec)]).lines().count(),
            5000
        );
    }

    #[test]
    fn other_places_stand_in_the_same_excerpt_or_another() {
        let spec = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"a\": 4\n}";
        let again = spec.rfind("\"a\"").unwrap();
        let second = at(again, again + 3);
        let other = Source {
            name: "part.json".into(),
            text: "{}".into(),
        };
        let elsewhere = Span {
            file: 1,
            start: 0,
            end: 1,
        };
        let problem = Problem::error("duplicate-key", second, "the key `a` is given twice")
            .label("given again here")
            .related(span_of(spec, "\"a\""), "first given here")
            .related(elsewhere, "used here");
        assert_eq!(
            text(&[problem], &[source(spec), other], false),
            lines(&[
                "error: the key `a` is given twice",
                " --> specs/x.json:5:3",
                "  |",
                "2 |   \"a\": 1,",
                "  |   --- first given here",
                "...",
                "5 |   \"a\": 4",
                "  |   ^^^ given again here",
                "  |",
                " ::: part.json:1:1",
                "  |",
                "1 | {}",
                "  | - used here",
            ])
        );
    }

    #[test]
    fn problems_are_told_in_the_order_of_the_file() {
        let problems = [
            Problem::error("x", at(2, 3), "second"),
            Problem::warning("x", at(0, 1), "first"),
        ];
        let page = text(&problems, &[source("abc")], false);
        assert!(page.find("warning: first").unwrap() < page.find("error: second").unwrap());
        assert!(page.contains("\n\nerror: second\n"), "{page}");
        assert_eq!(text(&[], &[], true), "");
        assert!(text(&problems, &[source("abc")], true).contains("\u{1b}[1m"));
    }

    #[test]
    fn nothing_upsets_the_terminal() {
        let nasty = "a\n\u{1b}[31m\u{9b}::error\u{202e}\u{fdd0}";
        let source = Source {
            name: format!("::error file=x::{nasty}"),
            text: format!("\"{nasty}\""),
        };
        let problem = Problem::error("x", at(0, 1), nasty)
            .label(nasty)
            .note(nasty)
            .related(at(4, 6), nasty);
        let page = text(&[problem], &[source], false);
        assert!(
            !page.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{fdd0}']),
            "{page}"
        );
        let escaped = r"a\n\u{1b}[31m\u{9b}::error\u{202e}\u{fdd0}";
        assert!(
            page.starts_with(&format!("error: {escaped}\n --> :\\u{{3a}}error file")),
            "{page}"
        );
        assert!(
            page.contains(&format!("   = {escaped}")) || page.contains(&format!("  = {escaped}")),
            "{page}"
        );
        assert!(
            !page
                .lines()
                .any(|line| line.trim_start().starts_with("::e")),
            "{page}"
        );
    }

    #[test]
    fn json_lines_have_all_of_it() {
        let spec = "{\n\t\"日本\": 1 }";
        let problem = Problem::warning("unused", span_of(spec, "\"日本\""), "unused `日本`")
            .label("remove it")
            .note("allowed here: a, b")
            .related(at(0, 1), "in this object");
        assert_eq!(
            json_lines(&[problem], &[source(spec)]),
            concat!(
                r#"{"schema_version":1,"code":"unused","severity":"warning","file":"specs/x.json","#,
                r#""span":{"start":3,"end":11,"line":2,"column":2,"end_line":2,"end_column":6},"#,
                r#""message":"unused `日本`","label":"remove it","help":["allowed here: a, b"],"#,
                r#""related":[{"file":"specs/x.json","span":{"start":0,"end":1,"line":1,"column":1,"end_line":1,"end_column":2},"message":"in this object"}]}"#,
                "\n"
            )
        );
    }

    #[test]
    fn github_commands_are_escaped() {
        let spec = "{ \"a\": 1 }\n";
        let source = Source {
            name: "a,b:c%\n::error::x.json".into(),
            text: spec.into(),
        };
        let problems = [
            Problem::error("unknown-field", at(2, 5), "100% wrong\n::error::x")
                .label("did you mean `b`?"),
            Problem::warning("w", at(0, spec.len()), "all of it").note("allowed: a, b"),
        ];
        assert_eq!(
            github(&problems, &[source]),
            lines(&[
                "::warning file=a%2Cb%3Ac%25\\n%3A%3Aerror%3A%3Ax.json,line=1,endLine=2,title=w::all of it%0Aallowed: a, b",
                "::error file=a%2Cb%3Ac%25\\n%3A%3Aerror%3A%3Ax.json,line=1,col=3,endColumn=6,title=unknown-field\
                 ::100%25 wrong\\n::error::x%0Adid you mean `b`?",
            ])
        );
    }

    #[test]
    fn places_are_counted_in_characters() {
        let source = source("\u{feff}a幅\r\n\tb");
        let places: Vec<_> = [0, 3, 4, 5, 7, 9, 10, 99]
            .map(|byte| line_column(&source, byte))
            .into();
        assert_eq!(
            places,
            [
                (1, 1),
                (1, 1),
                (1, 2),
                (1, 2),
                (1, 3),
                (2, 1),
                (2, 2),
                (2, 3)
            ]
        );
    }

    /// Lines of every length and width, so that cutting and folding happen.
    fn odd_text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "\t", "幅", "😀", "\n", "\r\n", "\r", "e\u{301}", "\u{200d}", "\u{1}", "\u{feff}",
            "   ",
        ]);
        let run = (piece, prop_oneof![9 => 0usize..4, 1 => 0usize..700])
            .prop_map(|(piece, times)| piece.repeat(times));
        prop::collection::vec(run, 0..24).prop_map(|runs| runs.concat())
    }

    proptest! {
        #[test]
        fn any_places_can_be_drawn(spec in odd_text(), ends in prop::collection::vec((0usize..3000, 0usize..3000), 1..5)) {
            let place = |(a, b): (usize, usize)| {
                let (a, b) = (a % (spec.len() + 1), b % (spec.len() + 1));
                at(floor_boundary(&spec, a.min(b)), floor_boundary(&spec, a.max(b)))
            };
            let mut problem = Problem::error("x", place(ends[0]), "m").label("here");
            for &end in &ends[1..] {
                problem = problem.related(place(end), "there");
            }
            let source = source(&spec);
            for coloured in [false, true] {
                let page = text(&[problem.clone()], std::slice::from_ref(&source), coloured);
                prop_assert!(!page.contains(PLACE));
                prop_assert!(page.len() < 20_000, "{}", page.len());
            }
            let (line, column) = line_column(&source, problem.span.start as usize);
            let page = text(&[problem], &[source], false);
            let arrow = format!("--> specs/x.json:{line}:{column}\n");
            prop_assert!(spec.is_empty() || page.contains(&arrow), "{page}");
        }
    }
}
