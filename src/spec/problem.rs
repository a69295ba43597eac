//! What is wrong with a spec, for a person to read.

use super::source::Span;
use crate::formula::FormulaError;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The picture would be wrong: nothing is written.
    Error,
    /// The picture may surprise.
    Warning,
}

/// A number for people: at most six significant digits.
pub fn short(v: f64) -> String {
    digits(v, 6)
}

/// A number for people, as short as it can be without seeming to be allowed.
pub fn short_outside(v: f64, allowed: impl Fn(f64) -> bool) -> String {
    let text = short(v);
    match text.parse::<f64>() {
        Ok(rounded) if !allowed(rounded) || allowed(v) => text,
        _ => format!("{v}"),
    }
}

/// A number with so many significant digits at most.
pub fn digits(v: f64, most: usize) -> String {
    if v == 0.0 || !v.is_finite() {
        return format!("{v}");
    }
    let rounded: f64 = format!("{v:.*e}", most - 1).parse().unwrap_or(v);
    match rounded.abs() {
        1e-5..1e16 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// So many problems of a spec are told, at least; the rest of a file that has more is passed over.
pub const ENOUGH: usize = 1000;

/// One problem and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    /// A stable word for programs, such as `unknown-field`.
    pub code: &'static str,
    /// One sentence without a full stop; names stand in back-ticks.
    pub message: String,
    pub span: Span,
    /// Short words beside the caret, often "did you mean `radius`?"; may be empty.
    pub label: String,
    /// Other places that matter, with a word each: the first of two duplicates, the links of a cycle.
    pub related: Vec<(Span, String)>,
    /// Lines below the excerpt, such as "allowed here: at, of, radius".
    pub notes: Vec<String>,
}

impl Problem {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    /// A mistake in a formula, at its place in the spec.
    pub fn of_formula(error: FormulaError, span: Span) -> Self {
        Self {
            label: error.label,
            notes: error.notes,
            ..Self::error(error.code, span, error.message)
        }
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        Self {
            severity,
            code,
            message,
            span,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same problem at another place.
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// Adds the words beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place that matters.
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// Adds a line below the excerpt.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}
