//! A formula as it was understood.

use std::fmt;

use super::error::FormulaError;
use super::functions::Function;

/// Bytes of the text a formula was read from.
pub type ByteRange = std::ops::Range<usize>;

/// A formula, read and found to be well formed; its names are not looked up yet.
///
/// The nodes stand in the order of evaluation, operands before what is applied to them. There is no tree
/// of boxes, so a formula of any length is walked and dropped without recursion.
#[derive(Clone, Debug)]
pub struct Expr {
    pub(super) nodes: Vec<Node>,
    pub(super) warnings: Vec<FormulaError>,
}

/// One step of a formula and the text it stands for, with operands and brackets.
#[derive(Clone, Debug)]
pub struct Node {
    pub range: ByteRange,
    pub kind: Kind,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Kind {
    Number(f64),
    Path(Path),
    /// Takes as many values as the function's `apply` has arguments and leaves one.
    Apply(&'static Function),
}

impl Expr {
    /// All steps, operands before what is applied to them; the last one is the whole formula.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The place of the formula without the space around it.
    pub fn range(&self) -> ByteRange {
        self.nodes.last().map_or(0..0, |root| root.range.clone())
    }

    /// The name, if the formula is nothing but a name.
    pub fn as_path(&self) -> Option<&Path> {
        match self.nodes.as_slice() {
            [
                Node {
                    kind: Kind::Path(path),
                    ..
                },
            ] => Some(path),
            _ => None,
        }
    }

    /// Every name that is read, from left to right, as often as it is written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Path(path) => Some(path),
            _ => None,
        })
    }

    /// What may surprise: at present `pi` in the argument of a function that takes degrees.
    pub fn warnings(&self) -> &[FormulaError] {
        &self.warnings
    }
}

/// A name as written: `dot`, `walk.phase`, `balls[3].speed`, `.radius`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub range: ByteRange,
    /// Whether it begins with a dot and so reads the current element.
    pub element: bool,
    /// At least one, the first a name.
    pub steps: Vec<Step>,
}

/// One part of a name and the text it stands for: the word alone, or an index with its brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub range: ByteRange,
    pub kind: StepKind,
}

/// A word or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    Name(String),
    Index(usize),
}

impl Path {
    /// The word, if the path is one word without a dot, an index or an output.
    pub fn as_word(&self) -> Option<&str> {
        match self.steps.as_slice() {
            [
                Step {
                    kind: StepKind::Name(name),
                    ..
                },
            ] if !self.element => Some(name),
            _ => None,
        }
    }
}

/// The name as it is written, without spaces.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            match &step.kind {
                StepKind::Name(name) if number > 0 || self.element => write!(f, ".{name}")?,
                StepKind::Name(name) => f.write_str(name)?,
                StepKind::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
