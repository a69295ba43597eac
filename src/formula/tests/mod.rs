//! What people write, and what comes of it.

mod messages;
mod templates;
mod values;

use std::cell::Cell;

use super::{Inputs, Operand, Path, Program, compile, parse};

/// `a` is column 0, `b` column 1 …; an element's `.x` is its place 0, all other names are 7.
pub(super) fn resolve(path: &Path) -> Operand {
    let column = path
        .as_word()
        .filter(|word| word.len() == 1)
        .and_then(|word| word.bytes().next());
    match column {
        Some(letter @ b'a'..=b'f') => Operand::Column(u32::from(letter - b'a')),
        _ if path.to_string() == ".x" => Operand::Element(0),
        _ => Operand::Constant(7.0),
    }
}

pub(super) fn program(text: &str) -> Program {
    compile(
        &parse(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}")),
        &mut resolve,
    )
}

/// The value with a = 2, b = 3, c = 5, d = −1.5, e = 0, f = 1 and .x = 10.
pub(super) fn value(text: &str) -> f64 {
    eval(&program(text))
}

pub(super) fn eval(program: &Program) -> f64 {
    let violation = Cell::new(None);
    program.eval(&Inputs {
        row: &[2.0, 3.0, 5.0, -1.5, 0.0, 1.0],
        element: &[10.0],
        violation: &violation,
    })
}
