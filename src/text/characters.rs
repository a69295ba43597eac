//! What must be known about characters apart from their glyphs.

/// Whether a character ends a line.
pub fn is_line_break(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character has no shape and no width of its own: joiners, marks of direction, variation selectors.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a character belongs to a script whose letters join, change or turn with their neighbours.
pub fn is_shaped(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{109f}' | '\u{1700}'..='\u{18af}' | '\u{1900}'..='\u{1cff}'
            | '\u{a800}'..='\u{a8ff}' | '\u{a900}'..='\u{abff}' | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{11fff}'
    )
}

/// A character for a message: itself with its number, or the number alone if it cannot be seen.
pub fn name_of(c: char) -> String {
    let number = format!("U+{:04X}", u32::from(c));
    match c.is_control() || c.is_whitespace() || is_invisible(c) {
        true => number,
        false => format!("`{c}` ({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_greek_and_japanese_stand_side_by_side() {
        assert!(!"Aé ζΩ я →≤ 弾み ハズミ 한글 ｆ".chars().any(is_shaped));
        assert!("שלום".chars().all(is_shaped));
        assert!(
            "سلام हिन्दी ไทย"
                .split(' ')
                .all(|word| word.chars().all(is_shaped))
        );
    }

    #[test]
    fn a_message_shows_what_can_be_seen() {
        assert_eq!(name_of('幅'), "`幅` (U+5E45)");
        assert_eq!(name_of('\t'), "U+0009");
    }
}
