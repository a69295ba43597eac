//! The mistakes people make, and what to tell them.

use super::ast::ByteRange;
use super::error::FormulaError;
use super::functions::{FUNCTIONS, Function, called};
use crate::maths::ease::Ease;

/// Spellings of other languages: how they begin, and what to write here. Longer ones first.
const FOREIGN: [(&str, &str); 33] = [
    ("===", "write `==`"),
    ("!==", "write `!=`"),
    ("**", "for a power write `pow(a, b)`"),
    ("^", "for a power write `pow(a, b)`"),
    ("²", "for a square write `pow(a, 2)`"),
    ("³", "for a cube write `pow(a, 3)`"),
    ("&&", "write `and`"),
    ("&", "write `and`"),
    ("||", "write `or`"),
    ("|", "write `or`"),
    ("<>", "write `!=`"),
    ("=>", "write `>=`"),
    ("=<", "write `<=`"),
    ("<<", "for a power of two write `a * pow(2, b)`"),
    (">>", "for a power of two write `a / pow(2, b)`"),
    ("//", "for a whole quotient write `floor(a / b)`"),
    ("/*", "a formula has no comments"),
    ("~", "write `not`"),
    ("¬", "write `not`"),
    ("×", "write `*`"),
    ("·", "write `*`"),
    ("⋅", "write `*`"),
    ("÷", "write `/`"),
    ("−", "write `-`"),
    ("–", "write `-`"),
    ("—", "write `-`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("π", "write `pi`"),
    ("τ", "write `2 * pi`; a whole turn of an angle is `turn`"),
    ("√", "write `sqrt(x)`"),
    ("°", "angles are degrees already"),
];

/// Functions of other languages, and what to write here.
const FOREIGN_FUNCTIONS: [(&str, &str); 20] = [
    ("sine", "write `sin(degrees)`"),
    ("cosine", "write `cos(degrees)`"),
    ("log", "the natural logarithm is `ln(x)`"),
    ("log10", "write `ln(x) / ln(10)`"),
    ("log2", "write `ln(x) / ln(2)`"),
    ("atan", "write `atan2(y, x)`"),
    ("mix", "write `lerp(a, b, u)`"),
    ("fract", "write `mod(x, 1)`"),
    ("trunc", "write `sign(x) * floor(abs(x))`"),
    ("int", "write `floor(x)`"),
    ("rand", "write `random(n)`"),
    ("if", "write `condition ? this : that`"),
    ("radians", "angles are degrees everywhere"),
    ("degrees", "angles are degrees everywhere"),
    ("length", "write `hypot(x, y)`"),
    ("distance", "write `hypot(x, y)`"),
    ("step", "write `x >= edge`"),
    ("saturate", "write `clamp(v, 0, 1)`"),
    ("noise", "noise is a kind of channel: read it by its name"),
    ("square", "write `pow(x, 2)`"),
];

const UNITS_OF_LENGTH: [&str; 11] = [
    "px", "em", "rem", "pt", "vw", "vh", "cm", "mm", "in", "pc", "q",
];
const UNITS_OF_TIME: [&str; 4] = ["s", "ms", "sec", "fps"];
const UNITS_OF_ANGLE: [&str; 3] = ["deg", "rad", "grad"];

/// The mistake of a text that begins with an operator, sign or quote of another language.
pub(super) fn foreign(text: &str, at: usize) -> Option<FormulaError> {
    let first = text.chars().next()?;
    if matches!(first, '"' | '\'' | '`' | '“' | '”' | '‘' | '’') {
        let message = "a formula has no text in quotes";
        return Some(
            FormulaError::new("quotes", at..at + first.len_utf8(), message)
                .label("write names without quotes"),
        );
    }
    let known = FOREIGN
        .iter()
        .find(|(spelling, _)| text.starts_with(spelling));
    let (spelling, advice) = known.copied().or(match first {
        '=' if !text.starts_with("==") => Some(("=", "to compare write `==`")),
        '!' if !text.starts_with("!=") => Some(("!", "write `not`")),
        _ => None,
    })?;
    let message = format!("`{spelling}` is not part of a formula");
    Some(FormulaError::new("foreign-operator", at..at + spelling.len(), message).label(advice))
}

/// Whether a letter is an operator of its own, not part of a word.
pub(super) fn is_foreign(letter: char) -> bool {
    FOREIGN
        .iter()
        .any(|(spelling, _)| spelling.starts_with(letter))
}

pub(super) fn unknown_character(letter: char, at: usize) -> FormulaError {
    let shown = letter.escape_debug();
    let message = format!("`{shown}` is not part of a formula");
    FormulaError::new("unknown-character", at..at + letter.len_utf8(), message)
}

pub(super) fn foreign_letters(word: &str, at: usize) -> FormulaError {
    let message = format!("`{word}` is not a name");
    FormulaError::new("unknown-character", at..at + word.len(), message)
        .label("names are made of a–z, A–Z, 0–9 and _")
}

pub(super) fn number_too_large(range: ByteRange) -> FormulaError {
    FormulaError::new("number-too-large", range, "this number is too large")
        .label("the largest is about 1.8e308")
}

/// Two values with nothing between them; `left` and `right` are as much of them as is worth quoting.
pub(super) struct Neighbours<'a> {
    pub left: &'a str,
    pub right: &'a str,
    /// No space between the two.
    pub touching: bool,
    pub range: ByteRange,
}

/// What to say about two values with nothing between them.
pub(super) fn missing_operator(found: &Neighbours<'_>) -> FormulaError {
    let Neighbours {
        left,
        right,
        touching,
        ref range,
    } = *found;
    let is_number = left.ends_with(|letter: char| letter.is_ascii_digit() || letter == '.')
        && left.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.');
    if is_number
        && touching
        && let Some(mistake) = unit(left, right, range)
    {
        return mistake;
    }
    let index = right.strip_prefix('.').unwrap_or_default();
    if touching && !is_number && index.starts_with(|letter: char| letter.is_ascii_digit()) {
        let index = index.split('.').next().unwrap_or_default();
        return FormulaError::new("bad-index", range.clone(), "indices stand in brackets")
            .label(format!("write `{left}[{index}]`"));
    }
    let message = format!("an operator is missing between `{left}` and `{right}`");
    let label = match called(left) {
        Some(function) => format!("to call it write `{}({right})`", function.name),
        None if right == "(" => format!("for a product write `{left} * (…)`"),
        None => format!("for a product write `{left} * {right}`"),
    };
    FormulaError::new("missing-operator", range.clone(), message).label(label)
}

/// `10px`, `30deg`, `0.5s`: a number with a unit.
fn unit(number: &str, unit: &str, range: &ByteRange) -> Option<FormulaError> {
    let lower = unit.to_ascii_lowercase();
    let reason = if UNITS_OF_LENGTH.contains(&lower.as_str()) {
        "lengths are pixels"
    } else if UNITS_OF_TIME.contains(&lower.as_str()) {
        "times are seconds, or frames with `\"time\": \"frames\"`"
    } else if UNITS_OF_ANGLE.contains(&lower.as_str()) {
        "angles are degrees"
    } else {
        return None;
    };
    let message = format!("a number has no unit, but `{unit}` follows `{number}`");
    let converted = match lower.as_str() {
        "px" | "deg" | "s" | "sec" | "fps" => format!("write `{number}`"),
        "rad" => format!("write `{number} * turn / (2 * pi)`"),
        "grad" => format!("write `{number} * turn / 400`"),
        "ms" => format!("write `{number} / 1000`"),
        _ => String::new(),
    };
    Some(
        FormulaError::new("unit", range.clone(), message)
            .label(converted)
            .note(reason)
            .note(format!("if `{unit}` is a name, write `{number} * {unit}`")),
    )
}

/// `50%`.
pub(super) fn percent(number: f64, text: &str, range: ByteRange) -> FormulaError {
    FormulaError::new("percent", range, format!("`{text}%` is not a number here"))
        .label(format!(
            "write `{0} * width` or `{0} * height`",
            number / 100.0
        ))
        .note(format!("`{}` alone would be that many px", number / 100.0))
        .note("`a % b` is the remainder of a divided by b")
}

/// `1,5`.
pub(super) fn decimal_comma(whole: &str, decimals: &str, range: ByteRange) -> FormulaError {
    let meant = match decimals.contains('.') {
        true => format!("{whole}{decimals}"),
        false => format!("{whole}.{decimals}"),
    };
    FormulaError::new("decimal-comma", range, "a number has no comma")
        .label(format!("write `{meant}`"))
}

/// A name is called that is not the name of a function.
pub(super) fn unknown_function(name: &str, range: ByteRange) -> FormulaError {
    let mistake = FormulaError::new(
        "unknown-function",
        range,
        format!("there is no function `{name}`"),
    );
    let lower = name.to_ascii_lowercase();
    let foreign = FOREIGN_FUNCTIONS
        .iter()
        .find(|(spelling, _)| *spelling == lower);
    if let Some((_, advice)) = foreign {
        return mistake.label(*advice);
    }
    if Ease::NAMES.contains(&lower.as_str()) {
        return mistake
            .label("this is an ease, not a function")
            .note(format!(
                "eases stand in the keys of a track: `{{ \"track\": {{ \"keys\": [[0, 0, \"{lower}\"], [1, 200]] }} }}`"
            ));
    }
    match nearest_function(&lower) {
        Some(nearest) => mistake.label(format!("did you mean `{nearest}`?")),
        None => mistake
            .label(format!("for a product write `{name} * (…)`"))
            .note(format!(
                "functions: {}",
                FUNCTIONS
                    .each_ref()
                    .map(|function| function.name)
                    .join(", ")
            )),
    }
}

/// `Math.sin(x)`, `walk.phase(x)`: a name with dots or indices is called.
pub(super) fn called_path(path: &str, last: &str, range: ByteRange) -> FormulaError {
    let call = match called(last) {
        Some(function) => format!("write `{}({})`", function.name, function.arguments),
        None => FOREIGN_FUNCTIONS
            .iter()
            .find(|(spelling, _)| *spelling == last)
            .map_or_else(
                || format!("for a product write `{path} * (…)`"),
                |(_, advice)| String::from(*advice),
            ),
    };
    FormulaError::new(
        "unknown-function",
        range,
        format!("there is no function `{path}`"),
    )
    .label(call)
    .note("functions are called by their bare name")
}

fn nearest_function(name: &str) -> Option<&'static str> {
    // One slip in a short word, two in a longer one; more would be a guess.
    let allowed = if name.len() <= 3 { 1 } else { 2 };
    FUNCTIONS
        .iter()
        .filter(|function| function.name.len().abs_diff(name.len()) <= allowed)
        .map(|function| (strsim::levenshtein(function.name, name), function.name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, nearest)| nearest)
}

pub(super) fn argument_count(function: &Function, count: usize, range: ByteRange) -> FormulaError {
    let &Function {
        name,
        arguments,
        least,
        most,
        ..
    } = function;
    let wanted = match (least, most) {
        (_, usize::MAX) => format!("{least} arguments or more"),
        (1, 1) => String::from("1 argument"),
        _ if least == most => format!("{least} arguments"),
        _ => format!("{least} or {most} arguments"),
    };
    let given = match count {
        0 => String::from("none is given"),
        1 => String::from("1 is given"),
        _ => format!("{count} are given"),
    };
    FormulaError::new(
        "argument-count",
        range,
        format!("`{name}` takes {wanted}, but {given}"),
    )
    .label(format!("write `{name}({arguments})`"))
}

/// `a < b < c`, of which the first four parts are given.
pub(super) fn chained_comparison(parts: [&str; 4], range: ByteRange) -> FormulaError {
    let [left, first, middle, second] = parts;
    let message = "comparisons cannot be chained: join two of them with `and`";
    FormulaError::new("chained-comparison", range, message).label(format!(
        "write `{left} {first} {middle} and {middle} {second} …`"
    ))
}

/// `pi` where degrees are expected.
pub(super) fn radians(function: &str, range: ByteRange) -> FormulaError {
    FormulaError::new(
        "radians",
        range,
        format!("`{function}` takes degrees: use `turn`"),
    )
    .label("`turn` is a whole turn, 360 degrees; `turn / 2` is half of one")
}
