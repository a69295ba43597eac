//! From text to [`Node`]s: JSON with comments and trailing commas, and nothing else of JSON5.
//!
//! A survey first walks the brackets, strings and comments, because what is open where is what
//! a person needs to know; `jsonc-parser` then reads the text. Of two errors the earlier is told.

use super::node::{Field, Node, Value};
use super::problem::Problem;
use super::source::{Source, Span};
use super::suggest::{nearest, ticked};
use crate::limits::{Limit, Limits};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many duplicate keys and numbers too large of one file are told.
const MOST_TOLD: usize = 100;

pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads source number `file` as JSON.
///
/// A duplicate key and a number too large are problems, but reading goes on: the later member is
/// dropped, the number becomes a [`Value::Hole`]. A syntax error is one problem, and `None`.
pub fn parse(sources: &[Source], file: u16, problems: &mut Vec<Problem>) -> Option<Node> {
    parse_within(&Limits::default(), sources, file, problems)
}

/// As [`parse`], within limits of its own.
pub fn parse_within(
    limits: &Limits,
    sources: &[Source],
    file: u16,
    problems: &mut Vec<Problem>,
) -> Option<Node> {
    let text = &sources[file as usize].text;
    let written = Written::new(text, file, limits);
    // Places are counted in 32 bits.
    let read = match u32::try_from(text.len()) {
        Ok(_) => read(&written),
        Err(_) => Err(Problem::error("size-limit", written.span(0..0), "larger than 4 GiB").into()),
    };
    match read {
        Ok(value) => Some(Builder::new(&written, problems).node(value)),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

type Flaw = Box<Problem>;

fn read<'a>(written: &Written<'a>) -> Result<ast::Value<'a>, Flaw> {
    let mut survey = Survey::new(written, written.text.len());
    let surveyed = match survey.run() {
        Err(flaw) if survey.over_limit => return Err(flaw),
        surveyed => surveyed,
    };
    let parsed = parse_to_ast(written.text, &CollectOptions::default(), &STRICT);
    match (surveyed, parsed) {
        (Ok(()), Ok(parsed)) => parsed.value.ok_or_else(|| empty(written)),
        (Ok(()), Err(error)) => Err(explain(written, &error)),
        (Err(flaw), Ok(_)) => Err(flaw),
        (Err(flaw), Err(error)) if told_by_survey(written, &flaw, &error) => Err(flaw),
        (Err(_), Err(error)) => Err(explain(written, &error)),
    }
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Whether the survey's flaw comes first, or is the cause of the parser's error.
fn told_by_survey(written: &Written, flaw: &Problem, error: &ParseError) -> bool {
    let at_the_end = error.range().end >= written.text.trim_end().len();
    let unfinished = flaw.code == UNFINISHED && (at_the_end || is_unterminated(error.kind()));
    let flaw_start = (flaw.span.start - written.shift) as usize;
    unfinished || flaw_start <= error.range().start
}

fn is_unterminated(kind: &ParseErrorKind) -> bool {
    matches!(
        kind,
        ParseErrorKind::UnterminatedArray
            | ParseErrorKind::UnterminatedObject
            | ParseErrorKind::UnterminatedCommentBlock
            | ParseErrorKind::String(ParseStringErrorKind::UnterminatedStringLiteral)
    )
}

const SYNTAX: &str = "syntax";
const UNFINISHED: &str = "unfinished";

/// A text without its byte order mark, and where it stands.
struct Written<'a> {
    text: &'a str,
    file: u16,
    shift: u32,
    limits: &'a Limits,
}

impl<'a> Written<'a> {
    fn new(whole: &'a str, file: u16, limits: &'a Limits) -> Self {
        let text = whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(whole);
        Self {
            text,
            file,
            shift: (whole.len() - text.len()) as u32,
            limits,
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span {
            file: self.file,
            start: range.start as u32 + self.shift,
            end: range.end as u32 + self.shift,
        }
    }

    fn syntax(&self, range: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::error(SYNTAX, self.span(range), message)
    }

    /// The character at a byte, if the text goes on that far.
    fn char_at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// The place of the character at a byte; empty at the end of the text.
    fn one_char(&self, at: usize) -> Range<usize> {
        at..at + self.char_at(at).map_or(0, char::len_utf8)
    }

    /// Where the line that holds a byte ends, without its line break.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let line = rest.split('\n').next().unwrap_or_default();
        at + line.trim_end_matches('\r').len()
    }
}

fn empty(written: &Written) -> Flaw {
    let problem = Problem::error("empty-spec", written.span(0..0), "empty spec")
        .note("`hazumi new NAME` writes one to start from");
    Box::new(problem)
}

/// A walk along brackets, strings and comments.
struct Survey<'a> {
    written: &'a Written<'a>,
    /// The text up to where the walk shall end.
    text: &'a str,
    at: usize,
    /// Where the open brackets stand.
    open: Vec<usize>,
    /// Where the outermost bracket was closed for the first time.
    closed: Option<usize>,
    values: usize,
    over_limit: bool,
}

impl<'a> Survey<'a> {
    fn new(written: &'a Written<'a>, end: usize) -> Self {
        Self {
            written,
            text: &written.text[..end],
            at: 0,
            open: Vec::new(),
            closed: None,
            values: 0,
            over_limit: false,
        }
    }

    fn run(&mut self) -> Result<(), Flaw> {
        while let Some(c) = self.text[self.at..].chars().next() {
            self.step(c)?;
        }
        match self.open.last() {
            Some(&opener) => Err(self.unfinished(opener)),
            None => Ok(()),
        }
    }

    fn step(&mut self, c: char) -> Result<(), Flaw> {
        match c {
            '"' => return self.string(),
            '/' => return self.comment(),
            '{' | '[' => self.opening()?,
            '}' | ']' => self.closing(c)?,
            ',' => self.count()?,
            ' ' | '\t' | '\n' | '\r' => {}
            _ if c.is_whitespace() || c.is_control() => return Err(self.odd_space(c)),
            _ => {}
        }
        self.at += c.len_utf8();
        Ok(())
    }

    fn opening(&mut self) -> Result<(), Flaw> {
        let deepest = self.written.limits.of(Limit::Depth);
        if self.open.len() as u64 == deepest {
            self.over_limit = true;
            let place = self.written.span(self.at..self.at + 1);
            let message = format!("nested deeper than the limit of {deepest}");
            let problem = Problem::error("nesting-limit", place, message);
            return Err(problem.note(Limit::Depth.flag()).into());
        }
        self.open.push(self.at);
        self.count()
    }

    fn count(&mut self) -> Result<(), Flaw> {
        self.values += 1;
        let most = self.written.limits.of(Limit::Values);
        if self.values as u64 > most {
            self.over_limit = true;
            let place = self.written.span(self.at..self.at + 1);
            let message = format!("more values than the limit of {most}");
            let problem = Problem::error("value-limit", place, message);
            return Err(problem.note(Limit::Values.flag()).into());
        }
        Ok(())
    }

    fn closing(&mut self, bracket: char) -> Result<(), Flaw> {
        let place = self.at..self.at + 1;
        let Some(opener) = self.open.pop() else {
            let problem = self
                .written
                .syntax(place, format!("`{bracket}` closes nothing"));
            return Err(self.with_closed(problem).into());
        };
        if partner(self.text, opener) != bracket {
            let message = format!(
                "`{bracket}` does not close `{}`",
                &self.text[opener..=opener]
            );
            let problem = self
                .written
                .syntax(place, message)
                .label(format!(
                    "`{}` is missing before this",
                    partner(self.text, opener)
                ))
                .related(self.written.span(opener..opener + 1), "opened here");
            return Err(problem.into());
        }
        if self.open.is_empty() {
            self.closed.get_or_insert(self.at);
        }
        Ok(())
    }

    /// Adds where the outermost bracket was closed, maybe too early.
    fn with_closed(&self, problem: Problem) -> Problem {
        match self.closed {
            Some(at) => problem.related(self.written.span(at..at + 1), "the spec ends here"),
            None => problem,
        }
    }

    fn string(&mut self) -> Result<(), Flaw> {
        let start = self.at;
        let most = self.written.limits.of(Limit::Text);
        let mut chars = self.text[start..].char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                _ if offset as u64 > most && c != '"' => return Err(self.long_text(start, most)),
                '"' => {
                    self.at = start + offset + 1;
                    return Ok(());
                }
                '\\' if self.text[start + offset + 1..].starts_with(is_plain) => {
                    chars.next();
                }
                '\n' | '\r' => return Err(self.string_without_end(start)),
                '\0'..='\x1f' => return Err(self.control_character(start + offset, c)),
                _ => {}
            }
        }
        self.at = self.text.len();
        let problem = self.written.syntax(
            start..self.written.line_end(start),
            "the spec ends inside a string",
        );
        Err(problem.label("this string is not closed").into())
    }

    fn long_text(&mut self, start: usize, most: u64) -> Flaw {
        self.over_limit = true;
        let place = self.written.span(start..start + 1);
        let message = format!("a text longer than the limit of {most} bytes");
        let problem = Problem::error("text-limit", place, message);
        problem.note(Limit::Text.flag()).into()
    }

    fn string_without_end(&self, start: usize) -> Flaw {
        let place = start..self.written.line_end(start);
        let problem = self
            .written
            .syntax(place, "a string is not closed on its line")
            .label("the closing `\"` is missing")
            .note("a line break in a string is written `\\n`");
        problem.into()
    }

    fn control_character(&self, at: usize, c: char) -> Flaw {
        let escape = match c {
            '\t' => "\\t".into(),
            _ => format!("\\u{:04x}", c as u32),
        };
        let problem = self
            .written
            .syntax(at..at + 1, "a control character in a string")
            .label(format!("written `{escape}`"));
        problem.into()
    }

    fn odd_space(&self, c: char) -> Flaw {
        let what = match c {
            '\u{3000}' => "a full-width space".into(),
            '\u{a0}' => "a non-breaking space".into(),
            BYTE_ORDER_MARK => "a byte order mark".into(),
            _ if c.is_control() => format!("the control character U+{:04X}", c as u32),
            _ => format!("the space U+{:04X}", c as u32),
        };
        let place = self.at..self.at + c.len_utf8();
        let problem = self
            .written
            .syntax(place, format!("{what} outside a string"))
            .label("only spaces, tabs and line breaks may stand here");
        problem.into()
    }

    fn comment(&mut self) -> Result<(), Flaw> {
        let rest = &self.text[self.at..];
        let length = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            match inside.find("*/") {
                Some(end) => end + 4,
                None => return Err(self.comment_without_end()),
            }
        } else {
            1
        };
        self.at += length;
        Ok(())
    }

    fn comment_without_end(&self) -> Flaw {
        let problem = self
            .written
            .syntax(self.at..self.at + 2, "the spec ends inside a comment")
            .label("the closing `*/` is missing");
        problem.into()
    }

    fn unfinished(&self, opener: usize) -> Flaw {
        let end = self.text.trim_end().len();
        let bracket = &self.text[opener..=opener];
        let message = format!("the spec ends while `{bracket}` is open");
        let problem = Problem::error(UNFINISHED, self.written.span(end..end), message)
            .label("the text ends here")
            .related(self.written.span(opener..opener + 1), "opened here");
        let missing: String = self
            .open
            .iter()
            .rev()
            .map(|&at| partner(self.text, at))
            .collect();
        Box::new(match self.open.len() {
            1 => problem,
            open => problem.note(format!("{open} brackets are open: `{missing}` closes them")),
        })
    }
}

/// The bracket that closes the one at a byte.
fn partner(text: &str, opener: usize) -> char {
    match &text[opener..=opener] {
        "{" => '}',
        _ => ']',
    }
}

fn is_plain(c: char) -> bool {
    !c.is_control()
}

/// What the parser found, in words that help.
fn explain(written: &Written, error: &ParseError) -> Flaw {
    let (start, place) = (error.range().start, written.one_char(error.range().start));
    let problem = match error.kind() {
        ParseErrorKind::ExpectedComma => missing_comma(written, start),
        ParseErrorKind::SingleQuotedStringsNotAllowed => single_quotes(written, start),
        ParseErrorKind::ExpectedStringObjectProperty => unquoted_key(written, start),
        ParseErrorKind::UnexpectedWord => word(written, start),
        ParseErrorKind::MultipleRootJsonValues => {
            let mut survey = Survey::new(written, start);
            // Only where the first value closed is asked for.
            let _ = survey.run();
            survey.with_closed(written.syntax(place, "text after the end of the spec"))
        }
        ParseErrorKind::String(kind) => escape(written, start, kind),
        ParseErrorKind::UnexpectedToken => strange_character(written, start),
        ParseErrorKind::ExpectedColonAfterObjectKey => written
            .syntax(place, "a key without a value")
            .label("a `:` is missing before this"),
        ParseErrorKind::UnexpectedTokenInObject => in_object(written, start),
        ParseErrorKind::UnexpectedColon => in_list(written, place),
        ParseErrorKind::UnexpectedComma
        | ParseErrorKind::UnexpectedCloseBrace
        | ParseErrorKind::UnexpectedCloseBracket
        | ParseErrorKind::ExpectedObjectValue => written
            .syntax(place, "a value is missing")
            .label("before this"),
        kind => match number_rule(kind) {
            Some(rule) => bad_number(written, start, rule),
            None => written.syntax(place, "this is not JSON"),
        },
    };
    Box::new(problem)
}

fn number_rule(kind: &ParseErrorKind) -> Option<&'static str> {
    match kind {
        ParseErrorKind::BareDecimalPointNumbersNotAllowed => {
            Some("a digit stands before and after the point")
        }
        ParseErrorKind::HexadecimalNumbersNotAllowed => Some("numbers are decimal"),
        ParseErrorKind::UnaryPlusNumbersNotAllowed => Some("leave out the `+`"),
        ParseErrorKind::NonFiniteNumbersNotAllowed => Some("numbers are finite"),
        ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral => Some("a digit is missing"),
        _ => None,
    }
}

/// The run of characters around a byte that somebody may have meant as one number or word.
fn run_around(text: &str, at: usize) -> Range<usize> {
    let part = |c: &char| c.is_alphanumeric() || "+-._$".contains(*c);
    let before = text[..at].chars().rev().take_while(part);
    let after = text[at..].chars().take_while(part);
    at - before.map(char::len_utf8).sum::<usize>()..at + after.map(char::len_utf8).sum::<usize>()
}

/// What is said of `12px` and `1_000`.
const PLAIN_DIGITS: &str = "a number is digits alone";

fn bad_number(written: &Written, at: usize, rule: &str) -> Problem {
    let run = run_around(written.text, at);
    let message = format!("{} is not a number", ticked(&written.text[run.clone()]));
    written.syntax(run, message).label(rule)
}

fn missing_comma(written: &Written, at: usize) -> Problem {
    let run = run_around(written.text, at);
    let begins_with_digit =
        written.text[run.clone()].starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if begins_with_digit && run.end > at {
        let zero = written.text[run].trim_start_matches('-').starts_with('0');
        let rule = if zero {
            "no zero before other digits"
        } else {
            PLAIN_DIGITS
        };
        return bad_number(written, at, rule);
    }
    written
        .syntax(at..at, "a comma is missing")
        .label("one belongs here")
}

fn single_quotes(written: &Written, at: usize) -> Problem {
    let line = &written.text[at..written.line_end(at)];
    let inside = line[1..].find('\'').map(|end| &line[1..=end]);
    let end = at + inside.map_or(1, |inside| inside.len() + 2);
    let problem = written.syntax(at..end, "strings stand in double quotes");
    match inside {
        Some(inside) if inside.len() <= 40 && !inside.contains(['"', '\\']) => {
            problem.label(format!("write `\"{inside}\"`"))
        }
        _ => problem,
    }
}

fn unquoted_key(written: &Written, at: usize) -> Problem {
    let run = run_around(written.text, at);
    let name = &written.text[run.clone()];
    let label = match name.len() {
        0..=40 => format!("write `\"{name}\"`"),
        _ => String::new(),
    };
    written
        .syntax(run, "keys stand in double quotes")
        .label(label)
}

fn word(written: &Written, at: usize) -> Problem {
    let run = run_around(written.text, at);
    let name = &written.text[run.clone()];
    if ["NaN", "Infinity"].contains(&name) {
        return bad_number(written, at, "numbers are finite");
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return bad_number(written, at, PLAIN_DIGITS);
    }
    let problem = written.syntax(run, format!("the word {} means nothing here", ticked(name)));
    match nearest(name, ["true", "false", "null"]) {
        Some(meant) => problem.label(format!("did you mean `{meant}`?")),
        None if name.len() <= 40 => problem.label(format!("a string is written `\"{name}\"`")),
        None => problem,
    }
}

/// Characters that a keyboard or a word processor gives instead of those of JSON.
const LOOKALIKES: &[(&str, char)] = &[
    ("“”„‟«»＂｢｣「」", '"'),
    ("：", ':'),
    ("，、；;", ','),
    ("｛", '{'),
    ("｝", '}'),
    ("［【", '['),
    ("］】", ']'),
];

/// Signs that only a formula can be meant by.
const OPERATORS: &str = "/*+%()<>=!?&|^";

fn strange_character(written: &Written, start: usize) -> Problem {
    // The parser points at the beginning of the word that the character ends.
    let in_word = |c: &char| c.is_alphanumeric() || "-_$".contains(*c);
    let begun = written.text[start..].chars().take_while(in_word);
    let at = start + begun.map(char::len_utf8).sum::<usize>();
    let strange = written.char_at(at).unwrap_or_default();
    if at > start && "{}[],\"".contains(strange) {
        return word(written, start);
    }
    let problem = written.syntax(written.one_char(at), format!("unexpected `{strange}`"));
    let meant = LOOKALIKES.iter().find(|(alike, _)| alike.contains(strange));
    let rest = &written.text[at..];
    match (strange, meant) {
        (_, Some((_, meant))) => problem.label(format!("did you mean `{meant}`?")),
        ('#', _) if begins_colour(rest) => problem.label("a colour stands in double quotes"),
        ('#', _) => problem.label("a comment begins with `//`"),
        _ if OPERATORS.contains(strange) => problem.label("a formula stands in double quotes"),
        _ => problem,
    }
}

/// Whether this is `#` and the digits of a colour.
fn begins_colour(text: &str) -> bool {
    let digits = text[1..]
        .chars()
        .take_while(char::is_ascii_hexdigit)
        .count();
    [3, 4, 6, 8].contains(&digits)
}

fn in_object(written: &Written, at: usize) -> Problem {
    let place = written.one_char(at);
    let found = written.char_at(at).unwrap_or_default();
    match found {
        ',' => written
            .syntax(place, "nothing stands before this comma")
            .label("a comma too many?"),
        '{' | '[' => written
            .syntax(place, format!("unexpected `{found}` in an object"))
            .label("a `\"key\":` is missing before this"),
        _ => written.syntax(place, format!("unexpected `{found}` in an object")),
    }
}

fn in_list(written: &Written, place: Range<usize>) -> Problem {
    let mut survey = Survey::new(written, place.start);
    // Only what is open is asked for.
    let _ = survey.run();
    let problem = written.syntax(place, "unexpected `:`");
    match survey.open.last() {
        Some(&opener) if written.text[opener..].starts_with('[') => problem
            .label("a list has no keys")
            .related(written.span(opener..opener + 1), "this list is still open"),
        _ => problem,
    }
}

fn escape(written: &Written, at: usize, kind: &ParseStringErrorKind) -> Problem {
    let after = at + 1;
    let second = written.one_char(after);
    let digits = |from: usize| {
        let rest = written.text[from..].chars();
        rest.take_while(char::is_ascii_hexdigit).take(4).count()
    };
    match kind {
        ParseStringErrorKind::InvalidUnicodeEscapeSequence(_) => written
            .syntax(
                at..second.end + digits(second.end),
                "half of a surrogate pair",
            )
            .label("its other half is missing; the character itself may stand here"),
        ParseStringErrorKind::ExpectedFourHexDigits => written
            .syntax(at..second.end + digits(second.end), "an unfinished escape")
            .label("`\\u` takes four hexadecimal digits"),
        _ => written
            .syntax(at..second.end, "an unknown escape")
            .label("a backslash itself is written `\\\\`"),
    }
}

/// Makes nodes of the parser's tree.
struct Builder<'a> {
    written: &'a Written<'a>,
    problems: &'a mut Vec<Problem>,
    told: usize,
}

impl<'a> Builder<'a> {
    fn new(written: &'a Written<'a>, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            written,
            problems,
            told: 0,
        }
    }

    fn node(&mut self, value: ast::Value) -> Node {
        let range = value.range();
        let span = self.written.span(range.start..range.end);
        let value = match value {
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
            ast::Value::NumberLit(literal) => self.number(literal.value, span),
            ast::Value::StringLit(literal) => Value::Text(literal.value.into_owned()),
            ast::Value::Array(list) => Value::List(
                list.elements
                    .into_iter()
                    .map(|item| self.node(item))
                    .collect(),
            ),
            ast::Value::Object(object) => Value::Object(self.fields(object.properties)),
        };
        Node { span, value }
    }

    fn number(&mut self, digits: &str, span: Span) -> Value {
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => {
                let message = format!("{} is too large for a number", ticked(digits));
                let problem = Problem::error("number-range", span, message);
                self.tell(problem.label("at most about 1.8e308"));
                Value::Hole
            }
        }
    }

    fn fields(&mut self, members: Vec<ast::ObjectProp>) -> Vec<Field> {
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            let range = member.name.range();
            let key_span = self.written.span(range.start..range.end);
            let key = member.name.into_string();
            if let Some(&first) = seen.get(&key) {
                self.duplicate(&key, first, key_span);
                continue;
            }
            seen.insert(key.clone(), key_span);
            let node = self.node(member.value);
            fields.push(Field {
                key,
                key_span,
                node,
            });
        }
        fields
    }

    fn duplicate(&mut self, key: &str, first: Span, second: Span) {
        let message = format!("the key {} is given twice", ticked(key));
        let problem = Problem::error("duplicate-key", second, message)
            .label("given again here")
            .related(first, "first given here");
        self.tell(problem);
    }

    /// Tells a problem unless there have been very many: a text of nothing else must not fill the memory.
    fn tell(&mut self, problem: Problem) {
        self.told += 1;
        match self.told {
            ..MOST_TOLD => self.problems.push(problem),
            MOST_TOLD => self
                .problems
                .push(problem.note("more of this file are not listed")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::problem::short;
    use crate::spec::report::line_column;
    use proptest::prelude::*;

    fn source(text: &str) -> [Source; 1] {
        [Source {
            name: "x.json".into(),
            text: text.into(),
        }]
    }

    /// The problems of a text, one a line: place, message, label, then other places and notes.
    fn told(text: &str) -> String {
        let sources = source(text);
        let mut problems = Vec::new();
        parse(&sources, 0, &mut problems);
        let lines = problems.iter().map(|problem| {
            let at = |byte: u32| {
                let (line, column) = line_column(&sources[0], byte as usize);
                format!("{line}:{column}")
            };
            let mut line = format!(
                "{} {} [{}]",
                at(problem.span.start),
                problem.message,
                problem.label
            );
            for (span, words) in &problem.related {
                line += &format!(" {} {words}", at(span.start));
            }
            for note in &problem.notes {
                line += &format!(" = {note}");
            }
            line
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn good(text: &str) -> Node {
        let mut problems = Vec::new();
        let node = parse(&source(text), 0, &mut problems);
        assert_eq!(problems, []);
        node.expect("a text without problems")
    }

    fn number(text: &str) -> f64 {
        match good(text).value {
            Value::Number(number) => number,
            other => panic!("not a number: {other:?}"),
        }
    }

    #[test]
    fn comments_trailing_commas_and_byte_order_marks_are_read() {
        let text = "\u{feff}// spec\r\n{ /* 幅 */ \"幅\": [1, true, null, \"\\u5e45\\n\",], }";
        let node = good(text);
        let list = node.get("幅").expect("the member");
        assert_eq!(&text[list.span.range()], "[1, true, null, \"\\u5e45\\n\",]");
        let Value::List(items) = &list.value else {
            panic!()
        };
        assert_eq!(items[0].value, Value::Number(1.0));
        assert_eq!(items[1].value, Value::Bool(true));
        assert_eq!(items[2].value, Value::Null);
        assert_eq!(items[3].value, Value::Text("幅\n".into()));
        let Value::Object(fields) = &node.value else {
            panic!()
        };
        assert_eq!(&text[fields[0].key_span.range()], "\"幅\"");
    }

    #[test]
    fn numbers_are_read_exactly() {
        for number_text in [
            "0.1",
            "-0",
            "1e-400",
            "9007199254740993",
            "2.2250738585072011e-308",
            "1E+2",
        ] {
            let expected: f64 = number_text.parse().unwrap();
            assert_eq!(number(number_text).to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn an_empty_text_is_an_empty_spec() {
        for text in ["", "\u{feff}", " \n", "// nothing\n/* here */"] {
            assert_eq!(
                told(text),
                "1:1 empty spec [] = `hazumi new NAME` writes one to start from"
            );
        }
    }

    #[test]
    fn a_text_that_ends_early_says_what_is_open() {
        assert_eq!(
            told("{\n  \"a\": [1, {\"b\": 2\n\n\n"),
            "2:19 the spec ends while `{` is open [the text ends here] 2:12 opened here \
             = 3 brackets are open: `}]}` closes them"
        );
        for rest in ["", "\"k\"", "\"k\":", "\"k\": 1,", "\"k\": tru", "// c"] {
            let told = told(&format!("{{{rest}"));
            assert!(
                told.contains(
                    "the spec ends while `{` is open [the text ends here] 1:1 opened here"
                ),
                "{told}"
            );
        }
        assert_eq!(
            told("[\"a"),
            "1:2 the spec ends inside a string [this string is not closed]"
        );
        assert_eq!(
            told("[ /* a"),
            "1:3 the spec ends inside a comment [the closing `*/` is missing]"
        );
    }

    #[test]
    fn brackets_that_do_not_match_are_told() {
        assert_eq!(
            told("[1}"),
            "1:3 `}` does not close `[` [`]` is missing before this] 1:1 opened here"
        );
        assert_eq!(
            told("{} }"),
            "1:4 `}` closes nothing [] 1:2 the spec ends here"
        );
        assert_eq!(
            told("{\"a\": 1},\n {}"),
            "1:9 text after the end of the spec [] 1:8 the spec ends here"
        );
        assert_eq!(
            told("{\"a\": [1, \"b\": 3}"),
            "1:14 unexpected `:` [a list has no keys] 1:7 this list is still open"
        );
    }

    #[test]
    fn habits_from_other_languages_are_told() {
        let cases = [
            (
                "{'a': 1}",
                "1:2 strings stand in double quotes [write `\"a\"`]",
            ),
            ("{a: 1}", "1:2 keys stand in double quotes [write `\"a\"`]"),
            ("[NaN]", "1:2 `NaN` is not a number [numbers are finite]"),
            (
                "[-Infinity]",
                "1:2 `-Infinity` is not a number [numbers are finite]",
            ),
            (
                "[.5]",
                "1:2 `.5` is not a number [a digit stands before and after the point]",
            ),
            ("[0x1F]", "1:2 `0x1F` is not a number [numbers are decimal]"),
            ("[+1]", "1:2 `+1` is not a number [leave out the `+`]"),
            (
                "[-01]",
                "1:2 `-01` is not a number [no zero before other digits]",
            ),
            (
                "[1_000]",
                "1:2 `1_000` is not a number [a number is digits alone]",
            ),
            (
                "{\"a\": 12px}",
                "1:7 `12px` is not a number [a number is digits alone]",
            ),
            ("[1e]", "1:2 `1e` is not a number [a digit is missing]"),
            (
                "[True]",
                "1:2 the word `True` means nothing here [did you mean `true`?]",
            ),
            (
                "[tech]",
                "1:2 the word `tech` means nothing here [a string is written `\"tech\"`]",
            ),
            (
                "[width / 2]",
                "1:2 the word `width` means nothing here [a string is written `\"width\"`]",
            ),
            (
                "[1/2]",
                "1:3 unexpected `/` [a formula stands in double quotes]",
            ),
            (
                "[#fff]",
                "1:2 unexpected `#` [a colour stands in double quotes]",
            ),
            ("# spec", "1:1 unexpected `#` [a comment begins with `//`]"),
            ("[“a”]", "1:2 unexpected `“` [did you mean `\"`?]"),
            ("{\"幅\"：1}", "1:5 unexpected `：` [did you mean `:`?]"),
            (
                "[\"\\x41\"]",
                "1:3 an unknown escape [a backslash itself is written `\\\\`]",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn missing_and_superfluous_signs_are_told() {
        let cases = [
            (
                "{\"a\": 1\n \"b\": 2}",
                "1:8 a comma is missing [one belongs here]",
            ),
            ("[\"幅\"\"b\"]", "1:5 a comma is missing [one belongs here]"),
            (
                "{\"a\" 1}",
                "1:6 a key without a value [a `:` is missing before this]",
            ),
            ("{\"a\": }", "1:7 a value is missing [before this]"),
            (
                "{\"a\": 1,, \"b\": 2}",
                "1:9 nothing stands before this comma [a comma too many?]",
            ),
            (
                "{\"a\": 1 {}}",
                "1:9 unexpected `{` in an object [a `\"key\":` is missing before this]",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn characters_that_must_be_escaped_are_told() {
        let cases = [
            (
                "[\"a\tb\"]",
                "1:4 a control character in a string [written `\\t`]",
            ),
            (
                "[\"\x1b\"]",
                "1:3 a control character in a string [written `\\u001b`]",
            ),
            (
                "[\"a\n]",
                "1:2 a string is not closed on its line [the closing `\"` is missing] \
                 = a line break in a string is written `\\n`",
            ),
            (
                "[\u{3000}1]",
                "1:2 a full-width space outside a string [only spaces, tabs and line breaks may stand here]",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text}");
        }
        for half in ["\\ud83d", "\\udc00", "\\ud83d\\u0041"] {
            let told = told(&format!("[\"{half}\"]"));
            assert!(told.starts_with("1:3 half of a surrogate pair"), "{told}");
        }
    }

    #[test]
    fn every_duplicate_is_told_and_the_first_kept() {
        let text = "{\"a\": 1, \"\\u0061\": 2, \"a\": 1e999, \"b\": 1e999}";
        let sources = source(text);
        let mut problems = Vec::new();
        let node = parse(&sources, 0, &mut problems).expect("not a syntax error");
        assert_eq!(node.get("a").unwrap().value, Value::Number(1.0));
        assert_eq!(node.get("b").unwrap().value, Value::Hole);
        assert_eq!(
            told(text),
            "1:10 the key `a` is given twice [given again here] 1:2 first given here\n\
             1:23 the key `a` is given twice [given again here] 1:2 first given here\n\
             1:40 `1e999` is too large for a number [at most about 1.8e308]"
        );
        let many = format!("{{{}}}", "\"a\": 1, ".repeat(1000));
        assert_eq!(told(&many).lines().count(), MOST_TOLD);
    }

    #[test]
    fn limits_are_told() {
        good(&("[".repeat(64) + &"]".repeat(64)));
        assert_eq!(
            told(&"[".repeat(65)),
            "1:65 nested deeper than the limit of 64 [] = `--limit depth=N` raises the limit, to 256 at most"
        );
        assert_eq!(
            told(&"{\"a\":".repeat(100_000)),
            "1:321 nested deeper than the limit of 64 [] = `--limit depth=N` raises the limit, to 256 at most"
        );
        let many = format!("[{}]", "1,".repeat(1_000_001));
        assert_eq!(
            told(&many),
            "1:2000001 more values than the limit of 1000000 [] = `--limit values=N` raises the limit"
        );
    }

    /// Text that is nearly JSON: pieces of it in any order.
    fn nearly_json() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"幅\": ",
            "\"",
            "\\",
            "\\u",
            "d83d",
            "\\udc00",
            "1",
            "-",
            "1e999",
            ".5",
            "true",
            "nul",
            "NaN",
            "'",
            "//",
            "/*",
            "*/",
            "\n",
            "\r\n",
            "\t",
            " ",
            "\u{3000}",
            "\u{feff}",
            "😀",
            "é",
            "e\u{301}",
            "：",
            "#",
            "\0",
            "\u{1b}",
            "\u{fdd0}",
            "\u{9b}",
            "\u{202e}",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn assert_sound(text: &str) {
        let sources = source(text);
        let mut problems = Vec::new();
        let node = parse(&sources, 0, &mut problems);
        assert_eq!(
            node.is_none(),
            problems
                .iter()
                .any(|p| !["duplicate-key", "number-range"].contains(&p.code))
        );
        for problem in &problems {
            for span in problem
                .related
                .iter()
                .map(|(span, _)| *span)
                .chain([problem.span])
            {
                assert!(text.get(span.range()).is_some(), "{problem:?}");
            }
        }
        use crate::spec::report;
        let page = report::text(&problems, &sources, false);
        assert_eq!(page.is_empty(), problems.is_empty());
        for problem in &problems {
            let (line, column) = line_column(&sources[0], problem.span.start as usize);
            assert!(
                text.is_empty() || page.contains(&format!("--> x.json:{line}:{column}\n")),
                "{page}"
            );
        }
        assert!(
            !page.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{fdd0}']),
            "{page}"
        );
        report::text(&problems, &sources, true);
        assert_eq!(
            report::github(&problems, &sources).lines().count(),
            problems.len()
        );
        for line in report::json_lines(&problems, &sources).lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_told(text in any::<String>()) {
            assert_sound(&text);
        }

        #[test]
        fn any_pieces_are_read_or_told(text in nearly_json()) {
            assert_sound(&text);
        }

        #[test]
        fn any_mutation_is_read_or_told(at in 0usize..80, with in any::<char>()) {
            let mut text: Vec<char> = "{ \"幅\": [1, 2.5e3, \"a\\n\"], // c\n\t\"draw\": [{ \"circle\": { \"at\": null } }] }".chars().collect();
            let at = at % text.len();
            text[at] = with;
            assert_sound(&text.iter().collect::<String>());
            text.remove(at);
            assert_sound(&text.iter().collect::<String>());
            text.truncate(at);
            assert_sound(&text.iter().collect::<String>());
        }

        #[test]
        fn a_number_that_is_printed_reads_back(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
            for text in [format!("{number}"), format!("{number:e}"), format!("{number:E}")] {
                let Value::Number(read) = good(&text).value else { panic!("{text}") };
                assert_eq!(read.to_bits(), number.to_bits(), "{text}");
            }
        }

        #[test]
        fn a_number_for_people_is_near(number in any::<f64>().prop_filter("finite", |n| n.is_normal())) {
            let read: f64 = short(number).parse().unwrap();
            // The largest numbers may round up to beyond what there is.
            assert!((read / number - 1.0).abs() <= 5.1e-6 || read.is_infinite(), "{}", short(number));
        }

        #[test]
        fn plain_json_is_read_as_serde_does(numbers in prop::collection::vec(any::<f64>(), 0..8)) {
            let text = serde_json::to_string(&numbers).unwrap();
            let Value::List(items) = good(&text).value else { panic!() };
            for (item, number) in items.iter().zip(&numbers) {
                let read = match item.value { Value::Number(read) => read, _ => f64::NAN };
                assert!(read == *number || !number.is_finite());
            }
        }
    }
}
