//! What is wrong when the next token does not fit.

use super::super::ast::{ByteRange, Path};
use super::super::error::FormulaError;
use super::super::lexer::{Lexer, Token, TokenKind};
use super::super::mistakes::{self, Neighbours};
use super::Parser;

/// Longer operands are not quoted in messages, only their last token is.
const QUOTED: usize = 24;

impl Parser<'_> {
    /// The text of a range.
    pub(super) fn quote(&self, range: &ByteRange) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Whether the next token can be the first of a value.
    pub(super) fn begins_value(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Number(_) | TokenKind::Name | TokenKind::Dot | TokenKind::OpenRound
        )
    }

    /// A value was expected, but the next token is none.
    pub(super) fn missing_value(&self) -> FormulaError {
        let found = &self.token;
        let after = self.previous.as_ref().map(|token| token.range.clone());
        let (range, message) = match (found.kind, after) {
            (TokenKind::Not, _) => {
                let mistake = FormulaError::new(
                    "missing-brackets",
                    found.range.clone(),
                    "`not` needs brackets here",
                );
                return mistake.label("write `(not …)`");
            }
            (TokenKind::End, Some(after)) => {
                let message = format!(
                    "the formula ends after `{}`, where a value is missing",
                    self.quote(&after)
                );
                (after, message)
            }
            (TokenKind::End, None) => (found.range.clone(), String::from("the formula is empty")),
            (_, Some(after)) => {
                let (before, next) = (self.quote(&after), self.quote(&found.range));
                let message = format!("a value is missing between `{before}` and `{next}`");
                (after.start..found.range.end, message)
            }
            (_, None) => {
                let message = format!("a value is missing before `{}`", self.quote(&found.range));
                (found.range.clone(), message)
            }
        };
        FormulaError::new("missing-value", range, message)
    }

    /// A value is complete, but the next token cannot follow it; `open` is the bracket that is open.
    pub(super) fn unexpected(&self, open: Option<&ByteRange>) -> FormulaError {
        let range = self.token.range.clone();
        match (self.token.kind, open) {
            _ if self.begins_value() => mistakes::missing_operator(&self.neighbours()),
            (TokenKind::Not, _) => FormulaError::new(
                "missing-operator",
                range,
                "an operator is missing before `not`",
            )
            .label("write `and not` or `or not`"),
            (TokenKind::Comma, _) => self.stray_comma(),
            (TokenKind::OpenSquare, _) => {
                FormulaError::new("bad-index", range, "only a name can have an index")
                    .label("as in `balls[3]`")
            }
            (TokenKind::Colon, _) => FormulaError::new("stray-colon", range, "this `:` has no `?`")
                .label("write `condition ? this : that`"),
            (_, Some(open)) => {
                let message = format!("the bracket `{}` is never closed", self.quote(open));
                FormulaError::new("unclosed-bracket", open.clone(), message)
            }
            (..) => {
                let message = format!("the bracket `{}` was never opened", self.quote(&range));
                FormulaError::new("stray-bracket", range, message)
            }
        }
    }

    /// The value before the next token, and as much of the one after as belongs together.
    fn neighbours(&self) -> Neighbours<'_> {
        let last = self
            .previous
            .as_ref()
            .map_or(0..0, |token| token.range.clone());
        let left = match self.operand.end == last.end && self.operand.len() <= QUOTED {
            true => self.operand.clone(),
            false => last,
        };
        let start = self.token.range.start;
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.'))
            .unwrap_or(rest.len());
        let letters = Some(length).filter(|length| (1..=QUOTED).contains(length));
        let right = start..letters.map_or(self.token.range.end, |length| start + length);
        Neighbours {
            left: self.quote(&left),
            right: self.quote(&right),
            touching: left.end == right.start,
            range: left.start..right.end,
        }
    }

    /// A comma outside of arguments: often `1,5`.
    fn stray_comma(&self) -> FormulaError {
        let comma = self.token.range.clone();
        let before = self
            .previous
            .as_ref()
            .filter(|token| token.range.end == comma.start);
        let after = Lexer::new(self.text, comma.end).next().ok();
        let after = after.filter(|token| token.range.start == comma.end);
        if let (Some(before), Some(after)) = (before, after)
            && matches!(
                (before.kind, after.kind),
                (TokenKind::Number(_), TokenKind::Number(_))
            )
        {
            let (whole, decimals) = (self.quote(&before.range), self.quote(&after.range));
            return mistakes::decimal_comma(whole, decimals, before.range.start..after.range.end);
        }
        FormulaError::new(
            "stray-comma",
            comma,
            "a comma stands only between the arguments of a function",
        )
    }

    /// Refuses the sign of a percentage, which is none of a remainder: `50%`, `50% * x`, `50% - x`.
    pub(super) fn refuse_percent(
        &self,
        number: Option<Token>,
        sign: &ByteRange,
    ) -> Result<(), FormulaError> {
        let Some(Token {
            kind: TokenKind::Number(value),
            range,
        }) = number
        else {
            return Ok(());
        };
        if self.quote(sign) != "%" || range.end != sign.start {
            return Ok(());
        }
        let is_spaced = self.token.range.start > sign.end;
        let has_sign = matches!(self.token.kind, TokenKind::Plus | TokenKind::Minus);
        match self.begins_value() || (has_sign && !is_spaced) {
            true => Ok(()),
            false => Err(mistakes::percent(
                value,
                self.quote(&range),
                range.start..sign.end,
            )),
        }
    }

    pub(super) fn chained_comparison(
        &self,
        left: &ByteRange,
        first: &ByteRange,
        middle: &ByteRange,
    ) -> FormulaError {
        let short = |range: &ByteRange| match range.len() <= QUOTED {
            true => self.quote(range),
            false => "…",
        };
        let second = self.token.range.clone();
        let (left, first, middle) = (short(left), self.quote(first), short(middle));
        mistakes::chained_comparison([left, first, middle, self.quote(&second)], second.clone())
    }

    pub(super) fn called_path(&self, path: &Path) -> FormulaError {
        let last = path
            .steps
            .last()
            .map(|step| step.range.clone())
            .unwrap_or_default();
        mistakes::called_path(
            self.quote(&path.range),
            self.quote(&last),
            path.range.clone(),
        )
    }

    pub(super) fn bad_index(&self, open: &ByteRange) -> FormulaError {
        if self.token.kind == TokenKind::End {
            return self.unexpected(Some(open));
        }
        let inside = self.text.get(open.end..).unwrap_or_default();
        let length = inside.find(']').unwrap_or(self.token.range.end - open.end);
        let message = "an index is a whole number, written as digits";
        FormulaError::new("bad-index", open.end..open.end + length, message)
            .label("as in `balls[3]`; counting starts at 0")
            .note("a mark with `of` reads one element after another: `.x`, `.radius`")
    }
}
