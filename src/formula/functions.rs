//! Every function and operator of the formula language.

use std::fmt;

use crate::maths::functions as maths;
use crate::maths::functions::{clamp, maximum, minimum};
use crate::maths::random::unit;

/// A function or operator that formulas can apply.
pub struct Function {
    /// As it is called: `clamp`, `+`, `? :`.
    pub name: &'static str,
    /// Its arguments, for messages: `v, lo, hi`.
    pub arguments: &'static str,
    /// The fewest arguments it takes.
    pub least: usize,
    /// The most arguments it takes; more than `apply` has are folded from the left.
    pub most: usize,
    /// Whether its argument is an angle, which people may think is in radians.
    pub takes_degrees: bool,
    pub apply: Apply,
}

/// The arithmetic behind a function, by its number of arguments.
#[derive(Clone, Copy)]
pub enum Apply {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
}

impl Apply {
    /// How many values it takes.
    pub const fn arity(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }
}

impl fmt::Debug for Apply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Apply/{}", self.arity())
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const fn function(name: &'static str, arguments: &'static str, apply: Apply) -> Function {
    Function {
        name,
        arguments,
        least: apply.arity(),
        most: apply.arity(),
        takes_degrees: false,
        apply,
    }
}

const fn of_degrees(name: &'static str, apply: fn(f64) -> f64) -> Function {
    Function {
        takes_degrees: true,
        ..function(name, "degrees", Apply::One(apply))
    }
}

const fn of_many(name: &'static str, apply: fn(f64, f64) -> f64) -> Function {
    Function {
        most: usize::MAX,
        ..function(name, "a, b, …", Apply::Two(apply))
    }
}

/// The functions that are called by name, in the order of the reference.
pub(super) static FUNCTIONS: [Function; 23] = [
    of_degrees("sin", maths::sin),
    of_degrees("cos", maths::cos),
    of_degrees("tan", maths::tan),
    function("asin", "v", Apply::One(maths::asin)),
    function("acos", "v", Apply::One(maths::acos)),
    function("atan2", "y, x", Apply::Two(maths::atan2)),
    function("sqrt", "x", Apply::One(maths::sqrt)),
    function("abs", "x", Apply::One(f64::abs)),
    function("sign", "x", Apply::One(maths::sign)),
    function("floor", "x", Apply::One(maths::floor)),
    function("ceil", "x", Apply::One(maths::ceil)),
    function("round", "x", Apply::One(maths::round)),
    of_many("min", minimum),
    of_many("max", maximum),
    function("clamp", "v, lo, hi", Apply::Three(clamp)),
    function("lerp", "a, b, u", Apply::Three(maths::lerp)),
    function("smoothstep", "e0, e1, x", Apply::Three(maths::smoothstep)),
    function("mod", "a, b", Apply::Two(maths::modulo)),
    function("pow", "x, y", Apply::Two(maths::pow)),
    function("exp", "x", Apply::One(maths::exp)),
    function("ln", "x", Apply::One(maths::ln)),
    function("hypot", "x, y", Apply::Two(maths::hypot)),
    Function {
        least: 1,
        ..function("random", "n, seed", Apply::Two(random))
    },
];

/// The function of that name.
pub(super) fn called(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

pub(super) static SELECT: Function = function("? :", "", Apply::Three(select));
pub(super) static OR: Function = function("or", "", Apply::Two(|a, b| truth(a != 0.0 || b != 0.0)));
pub(super) static AND: Function =
    function("and", "", Apply::Two(|a, b| truth(a != 0.0 && b != 0.0)));
pub(super) static NOT: Function = function("not", "", Apply::One(|a| truth(a == 0.0)));
pub(super) static EQUAL: Function = function("==", "", Apply::Two(|a, b| truth(a == b)));
pub(super) static NOT_EQUAL: Function = function("!=", "", Apply::Two(|a, b| truth(a != b)));
pub(super) static LESS: Function = function("<", "", Apply::Two(|a, b| truth(a < b)));
pub(super) static LESS_EQUAL: Function = function("<=", "", Apply::Two(|a, b| truth(a <= b)));
pub(super) static GREATER: Function = function(">", "", Apply::Two(|a, b| truth(a > b)));
pub(super) static GREATER_EQUAL: Function = function(">=", "", Apply::Two(|a, b| truth(a >= b)));
pub(super) static ADD: Function = function("+", "", Apply::Two(|a, b| a + b));
pub(super) static SUBTRACT: Function = function("-", "", Apply::Two(|a, b| a - b));
pub(super) static MULTIPLY: Function = function("*", "", Apply::Two(|a, b| a * b));
pub(super) static DIVIDE: Function = function("/", "", Apply::Two(|a, b| a / b));
pub(super) static REMAINDER: Function = function("%", "", Apply::Two(maths::modulo));
pub(super) static NEGATE: Function = function("-", "", Apply::One(|a| -a));

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn select(condition: f64, then: f64, otherwise: f64) -> f64 {
    if condition != 0.0 { then } else { otherwise }
}

/// A fixed value in [0, 1) for whole `n` and `seed`.
fn random(n: f64, seed: f64) -> f64 {
    let whole = |v: f64| maths::round(v) as i64;
    unit(whole(seed).cast_unsigned(), whole(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_takes_what_its_arithmetic_needs() {
        for function in &FUNCTIONS {
            let arity = function.apply.arity();
            assert!(
                function.least <= arity && arity <= function.most,
                "{function:?}"
            );
        }
    }

    #[test]
    fn nothing_hides_a_nan() {
        for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
            assert!(minimum(a, b).is_nan() && maximum(a, b).is_nan());
        }
        assert!(clamp(f64::NAN, 0.0, 1.0).is_nan());
    }

    #[test]
    fn random_is_spread_over_zero_to_one() {
        let values: Vec<f64> = (0..1000).map(|n| random(f64::from(n), 0.0)).collect();
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        let mean = values.iter().sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        assert_ne!(random(1.0, 0.0), random(0.0, 1.0));
    }
}
