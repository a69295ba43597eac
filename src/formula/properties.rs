//! What must hold for every text and every formula.

use proptest::prelude::*;

use super::tests::{eval, program, resolve};
use super::{compile, parse, parse_name, parse_template};
use crate::load::{Animation, Choices};

/// A formula as the tests see it: printed, and evaluated in the plainest way.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    Column(usize),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

const ROW: [f64; 6] = [2.0, 3.0, 5.0, -1.5, 0.0, 1.0];

fn level(operator: &str) -> u8 {
    match operator {
        "or" => 1,
        "and" => 2,
        "not" => 3,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 4,
        "+" | "-" => 5,
        _ => 6,
    }
}

impl Tree {
    /// With no more brackets than `least`, the level of the surroundings, asks for.
    fn print(&self, least: u8) -> String {
        let (own, text) = match self {
            Tree::Number(value) => (8, format!("{value}")),
            Tree::Column(column) => (8, String::from(["a", "b", "c", "d", "e", "f"][*column])),
            Tree::Unary("not", operand) if matches!(**operand, Tree::Unary("not", _)) => {
                (3, format!("not {}", operand.print(3)))
            }
            Tree::Unary("not", operand) => (3, format!("not {}", operand.print(4))),
            Tree::Unary(sign, operand) => (7, format!("{sign}{}", operand.print(7))),
            Tree::Binary(operator, left, right) => {
                let own = level(operator);
                // Comparisons are not chained.
                let to_left = own + u8::from(own == 4);
                (
                    own,
                    format!(
                        "{} {operator} {}",
                        left.print(to_left),
                        right.print(own + 1)
                    ),
                )
            }
            Tree::Choice(condition, then, otherwise) => (
                0,
                format!(
                    "{} ? {} : {}",
                    condition.print(1),
                    then.print(0),
                    otherwise.print(0)
                ),
            ),
            Tree::Call(name, arguments) => {
                let arguments: Vec<_> =
                    arguments.iter().map(|argument| argument.print(0)).collect();
                (8, format!("{name}({})", arguments.join(", ")))
            }
        };
        if own < least {
            format!("({text})")
        } else {
            text
        }
    }

    fn value(&self) -> f64 {
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match self {
            Tree::Number(value) => *value,
            Tree::Column(column) => ROW[*column],
            Tree::Unary("not", operand) => truth(operand.value() == 0.0),
            Tree::Unary(_, operand) => -operand.value(),
            Tree::Binary(operator, left, right) => {
                let (a, b) = (left.value(), right.value());
                match *operator {
                    "or" => truth(a != 0.0 || b != 0.0),
                    "and" => truth(a != 0.0 && b != 0.0),
                    "==" => truth(a == b),
                    "!=" => truth(a != b),
                    "<" => truth(a < b),
                    "<=" => truth(a <= b),
                    ">" => truth(a > b),
                    ">=" => truth(a >= b),
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    _ => crate::maths::functions::modulo(a, b),
                }
            }
            Tree::Choice(condition, then, otherwise) => {
                if condition.value() != 0.0 {
                    then.value()
                } else {
                    otherwise.value()
                }
            }
            Tree::Call("max", arguments) => arguments
                .iter()
                .map(Tree::value)
                .reduce(|a, b| if a > b || a.is_nan() { a } else { b })
                .unwrap_or_default(),
            Tree::Call("floor", arguments) => crate::maths::functions::floor(arguments[0].value()),
            Tree::Call(_, arguments) => {
                let [a, b, u] = [0, 1, 2].map(|place| arguments[place].value());
                crate::maths::functions::lerp(a, b, u)
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0u32..1000).prop_map(|n| Tree::Number(f64::from(n) / 8.0)),
        (0usize..6).prop_map(Tree::Column),
    ];
    let binary = prop::sample::select(vec![
        "or", "and", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%",
    ]);
    leaf.prop_recursive(12, 120, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            (prop::sample::select(vec!["not", "-"]), boxed.clone())
                .prop_map(|(operator, operand)| Tree::Unary(operator, operand)),
            (binary.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(operator, left, right)| Tree::Binary(operator, left, right)),
            (boxed.clone(), boxed.clone(), boxed)
                .prop_map(|(condition, then, otherwise)| Tree::Choice(condition, then, otherwise)),
            inner
                .clone()
                .prop_map(|argument| Tree::Call("floor", vec![argument])),
            prop::collection::vec(inner.clone(), 2..5)
                .prop_map(|arguments| Tree::Call("max", arguments)),
            prop::collection::vec(inner, 3).prop_map(|arguments| Tree::Call("lerp", arguments)),
        ]
    })
}

/// Bits, with one pattern for all that is no number.
fn bits(value: f64) -> u64 {
    if value.is_nan() {
        f64::NAN.to_bits()
    } else {
        value.to_bits()
    }
}

/// Texts made of pieces of formulas: they get further than random letters.
fn nearly_formulas() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a", "b.c", ".x", "2", "1.5", ".5", "e", "1e", "(", ")", "[", "]", "3", "+", "-", "*", "/",
        "%", "<", "==", "=", "!", "and", "or", "not", "?", ":", ",", "sin(", "max(", "pi", " ",
        " ", ".", "px", "{", "}", ":.2", "é", "π", "\"", "Math.",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn read_everything(text: &str) -> Result<(), TestCaseError> {
    let mistakes = [
        parse(text).err(),
        parse_name(text).err(),
        parse_template(text).err(),
    ];
    for mistake in mistakes.into_iter().flatten() {
        prop_assert!(text.get(mistake.range.clone()).is_some(), "{mistake:?}");
        prop_assert!(!mistake.message.is_empty());
    }
    if let Ok(expr) = parse(text) {
        eval(&compile(&expr, &mut resolve));
        for node in expr.nodes() {
            prop_assert!(text.get(node.range.clone()).is_some());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_everything(&text)?;
    }

    #[test]
    fn nearly_formulas_are_read_or_refused(text in nearly_formulas()) {
        read_everything(&text)?;
    }

    #[test]
    fn what_is_printed_reads_back(tree in trees()) {
        let text = tree.print(0);
        prop_assert_eq!(bits(eval(&program(&text))), bits(tree.value()), "{}", text);
    }

    /// Whatever a formula comes to, a spec that draws it shows finite numbers or says where it does not.
    #[test]
    fn what_is_simulated_is_finite_or_an_error(tree in trees()) {
        let channels = [("a", "2 * t"), ("b", "1 / t"), ("c", "exp(900 * t)"), ("d", "-1.5"), ("e", "0"), ("f", "frame")];
        let channels = channels.map(|(name, formula)| format!("\"{name}\": \"{formula}\", ")).concat();
        let spec = format!(
            r#"{{ "hazumi": 1, "alt": "x", "canvas": {{ "size": [40, 30], "fps": 10, "duration": 0.5 }},
                "channels": {{ {channels} "x": "{}" }}, "draw": [ {{ "circle": {{ "at": ["x", 15], "radius": 5 }} }} ] }}"#,
            tree.print(0)
        );
        let animation = Animation::parse("formula", &spec, &Choices::default());
        match animation.as_ref().map(|animation| animation.simulate()) {
            Ok(Ok(film)) => {
                let mut row = Vec::new();
                for frame in 0..film.frames() {
                    film.timeline().row(frame, &mut row);
                    for column in film.timeline().columns() {
                        prop_assert!(row[*column as usize].is_finite());
                    }
                }
            }
            Ok(Err(error)) => prop_assert!(!error.to_string().is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn folding_changes_no_bit(tree in trees()) {
        let text = tree.print(0);
        let mut fixed = |path: &super::Path| match resolve(path) {
            super::Operand::Column(column) => super::Operand::Constant(ROW[column as usize]),
            other => other,
        };
        let folded = compile(&parse(&text).unwrap(), &mut fixed).constant();
        prop_assert_eq!(folded.map(bits), Some(bits(eval(&program(&text)))), "{}", text);
    }
}
