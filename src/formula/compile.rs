//! From a formula to a flat program: names become places, what is constant becomes a number.

use super::ast::{Expr, Kind, Path};
use super::functions::Apply;
use super::program::{Op, Program};

/// Where the value of a name is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// Known for good.
    Constant(f64),
    /// In this column of the row.
    Column(u32),
    /// At this place of the current element.
    Element(u32),
}

/// Knows what names mean.
pub trait Resolve {
    /// Where the value of the name is found.
    ///
    /// An unknown name is the resolver's to report; what it returns then is never evaluated.
    fn resolve(&mut self, path: &Path) -> Operand;
}

impl<F: FnMut(&Path) -> Operand> Resolve for F {
    fn resolve(&mut self, path: &Path) -> Operand {
        self(path)
    }
}

/// Compiles a formula. Every name but `pi` and `turn` is asked for, from left to right, as often as written.
pub fn compile(expr: &Expr, names: &mut dyn Resolve) -> Program {
    let mut ops = Vec::with_capacity(expr.nodes().len());
    for node in expr.nodes() {
        match &node.kind {
            Kind::Number(value) => ops.push(Op::Push(Operand::Constant(*value))),
            Kind::Path(path) => ops.push(Op::Push(locate(path, names))),
            Kind::Apply(function) => apply(&mut ops, function.apply),
        }
    }
    Program::new(ops)
}

fn locate(path: &Path, names: &mut dyn Resolve) -> Operand {
    match path.as_word() {
        Some("pi") => Operand::Constant(core::f64::consts::PI),
        Some("turn") => Operand::Constant(360.0),
        _ => names.resolve(path),
    }
}

/// Appends an application, or its result if all it is applied to is constant.
fn apply(ops: &mut Vec<Op>, apply: Apply) {
    use Operand::Constant;
    // The last op of an operand is its outermost: constants at the end are whole operands.
    let (values, value) = match (apply, ops.as_slice()) {
        (Apply::One(f), [.., Op::Push(Constant(a))]) => (1, f(*a)),
        (Apply::Two(f), [.., Op::Push(Constant(a)), Op::Push(Constant(b))]) => (2, f(*a, *b)),
        (
            Apply::Three(f),
            [
                ..,
                Op::Push(Constant(a)),
                Op::Push(Constant(b)),
                Op::Push(Constant(c)),
            ],
        ) => (3, f(*a, *b, *c)),
        _ => return ops.push(Op::Apply(apply)),
    };
    ops.truncate(ops.len() - values);
    ops.push(Op::Push(Constant(value)));
}
