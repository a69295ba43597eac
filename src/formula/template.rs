//! Text with `{formula}` holes.

use super::ast::{ByteRange, Expr, Path};
use super::error::FormulaError;
use super::parse::parse_until_colon;

const MOST_DECIMALS: u8 = 12;

/// A text, cut at its holes.
#[derive(Clone, Debug)]
pub struct Template {
    /// In the order of the text; no two literals side by side.
    pub pieces: Vec<Piece>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text as it is shown, braces already single.
    Literal(String),
    Hole(Hole),
}

/// A formula in braces. A bare name may turn out to be a text: see [`Expr::as_path`].
#[derive(Clone, Debug)]
pub struct Hole {
    pub expr: Expr,
    /// The hole with its braces.
    pub range: ByteRange,
    /// Digits after the point, 0 to 12; none: as many as needed, at most 3.
    pub decimals: Option<u8>,
}

impl Template {
    /// The text, if there are no holes.
    pub fn as_literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The name, if the text is exactly `{name}`.
    pub fn as_name(&self) -> Option<&Path> {
        match self.pieces.as_slice() {
            [
                Piece::Hole(Hole {
                    expr,
                    decimals: None,
                    ..
                }),
            ] => expr.as_path(),
            _ => None,
        }
    }

    /// The holes, in the order of the text.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Hole(hole) => Some(hole),
            Piece::Literal(_) => None,
        })
    }
}

/// Reads a text with `{formula}`, `{formula:.2}`, `{{` and `}}`.
///
/// Fails at the first mistake in a hole, at a brace without its partner and at a format that is none.
pub fn parse_template(text: &str) -> Result<Template, FormulaError> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut position = 0;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find(['{', '}']).unwrap_or(rest.len());
        literal.push_str(rest.get(..plain).unwrap_or_default());
        position += plain;
        let rest = rest.get(plain..).unwrap_or_default();
        if rest.starts_with("{{") || rest.starts_with("}}") {
            literal.extend(rest.chars().next());
            position += 2;
        } else if rest.starts_with('{') {
            let hole = hole(text, position)?;
            position = hole.range.end;
            if !literal.is_empty() {
                pieces.push(Piece::Literal(std::mem::take(&mut literal)));
            }
            pieces.push(Piece::Hole(hole));
        } else if rest.starts_with('}') {
            let mistake = FormulaError::new(
                "stray-brace",
                position..position + 1,
                "the brace `}` was never opened",
            );
            return Err(mistake.label("for a brace in the text write `}}`"));
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Ok(Template { pieces })
}

/// The hole whose `{` stands at byte `open`.
fn hole(text: &str, open: usize) -> Result<Hole, FormulaError> {
    let start = open + 1;
    let inside = text.get(start..).unwrap_or_default();
    let Some(length) = inside
        .find(['{', '}'])
        .filter(|at| inside[*at..].starts_with('}'))
    else {
        let mistake = FormulaError::new(
            "unclosed-brace",
            open..start,
            "the brace `{` is never closed",
        );
        return Err(mistake.label("for a brace in the text write `{{`"));
    };
    let end = start + length;
    if inside[..length].trim().is_empty() {
        let mistake = FormulaError::new(
            "empty-formula",
            open..end + 1,
            "there is no formula between the braces",
        );
        return Err(mistake.label("for braces in the text write `{{` and `}}`"));
    }
    let filter = inside[..length]
        .split_once('|')
        .filter(|(_, rest)| !rest.starts_with('|'));
    if let Some((shown, _)) = filter {
        let range = start + shown.len()..end;
        let message = format!("`{}` is not a format", inside[shown.len()..length].trim());
        let label = format!("for a whole number write `{{{}:.0}}`", shown.trim());
        return Err(FormulaError::new("bad-format", range, message).label(label));
    }
    // Cut at the brace, so that places in the hole are places in the text.
    let (expr, stop) = parse_until_colon(&text[..end], start)?;
    Ok(Hole {
        expr,
        range: open..end + 1,
        decimals: format(text, stop..end)?,
    })
}

/// Reads `:.2`; nothing is no format.
fn format(text: &str, range: ByteRange) -> Result<Option<u8>, FormulaError> {
    let written = text.get(range.clone()).unwrap_or_default();
    let Some(format) = written.strip_prefix(':') else {
        return Ok(None);
    };
    let digits = format.trim().strip_prefix('.').unwrap_or_default();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let decimals = digits
        .parse::<u8>()
        .ok()
        .filter(|decimals| *decimals <= MOST_DECIMALS);
    match (is_number, decimals) {
        (true, Some(decimals)) => Ok(Some(decimals)),
        (true, None) => {
            let message = format!("a number shows at most {MOST_DECIMALS} decimals");
            Err(FormulaError::new("bad-format", range, message))
        }
        (false, _) => {
            let message = format!("`{}` is not a format", written.trim());
            Err(FormulaError::new("bad-format", range, message)
                .label("for two decimals write `:.2`"))
        }
    }
}
