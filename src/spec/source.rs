//! The text a person wrote, and places in it.

use std::ops::Range;

/// A text and the name it is shown under, usually its path.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
}

/// The spec's text first, then the part files it brings in.
pub type Sources = Vec<Source>;

/// A place in one of the sources: byte offsets, always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index into [`Sources`].
    pub file: u16,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The place as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// A place inside this string literal, given by byte offsets into what the string says.
    ///
    /// Escapes make the written text longer than what it says, so the literal is read again.
    pub fn within(self, sources: &[Source], inner: Range<usize>) -> Span {
        let written = &sources[self.file as usize].text[self.range()];
        let start = written_offset(written, inner.start);
        let end = written_offset(written, inner.end).max(start);
        Span {
            file: self.file,
            start: self.start + start as u32,
            end: self.start + end as u32,
        }
    }
}

/// Byte offset in the literal as written (quotes included) of byte `said` of what it says.
fn written_offset(written: &str, said: usize) -> usize {
    let mut position = 0;
    let mut chars = written.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if position >= said || chars.peek().is_none() {
            return at;
        }
        if c != '\\' {
            position += c.len_utf8();
            continue;
        }
        match chars.next() {
            Some((_, 'u')) => {
                let code = unicode_escape(&written[at..]);
                // A surrogate pair is written as two escapes and says one character.
                let escapes = if code > 0xffff { 2 } else { 1 };
                position += char::from_u32(code).map_or(3, char::len_utf8);
                for _ in 0..escapes * 6 - 2 {
                    chars.next();
                }
            }
            _ => position += 1,
        }
    }
    written.len().saturating_sub(1)
}

/// The code point of the `\uXXXX` (or surrogate pair) that `text` starts with.
fn unicode_escape(text: &str) -> u32 {
    let unit = |from: usize| {
        text.get(from..from + 4)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
    };
    let high = unit(2).unwrap_or(0xfffd);
    if !(0xd800..0xdc00).contains(&high) || text.get(6..8) != Some("\\u") {
        return high;
    }
    match unit(8) {
        Some(low) if (0xdc00..0xe000).contains(&low) => {
            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        }
        _ => high,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(literal: &str, inner: Range<usize>) -> &str {
        let sources = [Source {
            name: "x".into(),
            text: literal.into(),
        }];
        let whole = Span {
            file: 0,
            start: 0,
            end: literal.len() as u32,
        };
        &literal[whole.within(&sources, inner).range()]
    }

    #[test]
    fn a_place_inside_a_string_survives_escapes() {
        assert_eq!(inside(r#""width + dot""#, 8..11), "dot");
        assert_eq!(inside(r#""幅 + dot""#, 6..9), "dot");
        assert_eq!(inside(r#""\t\u5e45 + dot""#, 7..10), "dot");
        assert_eq!(inside(r#""\ud83d\ude00 dot""#, 5..8), "dot");
        assert_eq!(inside(r#""dot""#, 3..3), "");
    }
}
