//! From letters to tokens, one at a time.

use super::ast::ByteRange;
use super::error::FormulaError;
use super::mistakes;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub range: ByteRange,
}

/// What a token is. Names and operators spell themselves: their text is the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    Name,
    Dot,
    Comma,
    OpenRound,
    CloseRound,
    OpenSquare,
    CloseSquare,
    Question,
    Colon,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    End,
}

/// Reads the tokens of a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    /// Begins at byte `start` of the text, which must not lie inside a letter.
    pub fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            position: start,
        }
    }

    /// The next token; [`TokenKind::End`] at the end and ever after.
    ///
    /// Fails at a letter that begins no token.
    pub fn next(&mut self) -> Result<Token, FormulaError> {
        let space = self.rest().len() - self.rest().trim_start().len();
        self.position += space;
        let start = self.position;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(self.take(TokenKind::End, 0));
        };
        if let Some(mistake) = mistakes::foreign(rest, start) {
            return Err(mistake);
        }
        if first.is_ascii_digit() || (first == '.' && digits(rest, 1) > 0) {
            return self.number();
        }
        if first.is_alphabetic() || first == '_' {
            return self.word();
        }
        match symbol(rest) {
            Some((kind, length)) => Ok(self.take(kind, length)),
            None => Err(mistakes::unknown_character(first, start)),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn take(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.position;
        self.position += length;
        Token {
            kind,
            range: start..self.position,
        }
    }

    fn number(&mut self) -> Result<Token, FormulaError> {
        let rest = self.rest();
        let length = number_length(rest);
        let value = rest.get(..length).and_then(|digits| digits.parse().ok());
        match value.filter(|value: &f64| value.is_finite()) {
            Some(value) => Ok(self.take(TokenKind::Number(value), length)),
            None => Err(mistakes::number_too_large(
                self.position..self.position + length,
            )),
        }
    }

    fn word(&mut self) -> Result<Token, FormulaError> {
        let rest = self.rest();
        let length = rest
            .char_indices()
            .find(|&(_, letter)| !is_word_letter(letter))
            .map_or(rest.len(), |(at, _)| at);
        let word = rest.get(..length).unwrap_or_default();
        if !word.is_ascii() {
            return Err(mistakes::foreign_letters(word, self.position));
        }
        let kind = match word {
            "and" => TokenKind::And,
            "or" => TokenKind::Or,
            "not" => TokenKind::Not,
            _ => TokenKind::Name,
        };
        Ok(self.take(kind, length))
    }
}

fn is_word_letter(letter: char) -> bool {
    letter == '_'
        || letter.is_ascii_alphanumeric()
        || (letter.is_alphanumeric() && !mistakes::is_foreign(letter))
}

/// How many digits stand at byte `from`.
fn digits(text: &str, from: usize) -> usize {
    text.bytes()
        .skip(from)
        .take_while(u8::is_ascii_digit)
        .count()
}

/// Length of the number at the start: digits, a point, digits, an exponent. `1.` is one, `1.x` is not.
fn number_length(text: &str) -> usize {
    let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or_default();
    let mut length = digits(text, 0);
    if byte(length) == b'.'
        && !(byte(length + 1).is_ascii_alphabetic() || matches!(byte(length + 1), b'_' | b'.'))
    {
        length += 1 + digits(text, length + 1);
    }
    if matches!(byte(length), b'e' | b'E') {
        let sign = usize::from(matches!(byte(length + 1), b'+' | b'-'));
        let exponent = digits(text, length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

fn symbol(text: &str) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    const SYMBOLS: [(&str, TokenKind); 19] = [
        // Longer ones first.
        ("<=", LessEqual),
        (">=", GreaterEqual),
        ("==", Equal),
        ("!=", NotEqual),
        ("<", Less),
        (">", Greater),
        (".", Dot),
        (",", Comma),
        ("(", OpenRound),
        (")", CloseRound),
        ("[", OpenSquare),
        ("]", CloseSquare),
        ("?", Question),
        (":", Colon),
        ("+", Plus),
        ("-", Minus),
        ("*", Star),
        ("/", Slash),
        ("%", Percent),
    ];
    SYMBOLS
        .iter()
        .find(|(spelling, _)| text.starts_with(spelling))
        .map(|(spelling, kind)| (*kind, spelling.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(text, 0);
        let mut kinds = Vec::new();
        loop {
            match lexer.next().unwrap().kind {
                TokenKind::End => return kinds,
                kind => kinds.push(kind),
            }
        }
    }

    #[test]
    fn numbers_have_many_spellings() {
        for (text, value) in [
            ("1", 1.0),
            ("1.5", 1.5),
            (".5", 0.5),
            ("1e-3", 0.001),
            ("2E+2", 200.0),
            ("7.", 7.0),
        ] {
            assert_eq!(kinds(text), [TokenKind::Number(value)], "{text}");
        }
    }

    #[test]
    fn a_number_ends_where_a_word_begins() {
        assert_eq!(kinds("2em"), [TokenKind::Number(2.0), TokenKind::Name]);
        assert_eq!(
            kinds("3.x"),
            [TokenKind::Number(3.0), TokenKind::Dot, TokenKind::Name]
        );
        assert_eq!(kinds("android"), [TokenKind::Name]);
    }

    #[test]
    fn longer_symbols_win() {
        use TokenKind::*;
        assert_eq!(
            kinds("<= < >= > == !="),
            [LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual]
        );
    }
}
