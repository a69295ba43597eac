//! What is wrong with a formula, before anybody knows where in a spec it stands.

use super::ast::ByteRange;

/// One mistake (or warning) in the text of a formula, a name or a template.
///
/// The fields are those of `spec::Problem`, with bytes of the text in place of a span of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Bytes of the text it is about.
    pub range: ByteRange,
    /// A stable word for programs, such as `missing-operator`.
    pub code: &'static str,
    /// One sentence without a full stop; names stand in back-ticks.
    pub message: String,
    /// Short words beside the caret, often what to write instead; may be empty.
    pub label: String,
    /// Lines below the excerpt.
    pub notes: Vec<String>,
}

impl FormulaError {
    /// A mistake at a place.
    pub fn new(code: &'static str, range: ByteRange, message: impl Into<String>) -> Self {
        Self {
            range,
            code,
            message: message.into(),
            label: String::new(),
            notes: Vec::new(),
        }
    }

    /// Adds the words beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a line below the excerpt.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl std::fmt::Display for FormulaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FormulaError {}
