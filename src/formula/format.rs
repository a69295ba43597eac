//! Numbers as text, for labels and messages.

use std::fmt::Write;

/// Decimals of a number without a format.
const MOST_DECIMALS: usize = 3;

/// The number as text: with `decimals` exactly that many, without at most 3 and no trailing zeros.
///
/// Rounds to nearest, ties to even. Never `-0`; what is no finite number gives `NaN`, `inf` or `-inf`.
pub fn format_number(value: f64, decimals: Option<u8>) -> String {
    let mut text = String::new();
    write_number(&mut text, value, decimals);
    text
}

/// Appends what [`format_number`] gives; allocates only to let `text` grow.
pub fn write_number(text: &mut String, value: f64, decimals: Option<u8>) {
    let start = text.len();
    let digits = decimals.map_or(MOST_DECIMALS, usize::from);
    let written = write!(text, "{value:.digits$}");
    debug_assert!(written.is_ok(), "a String takes everything");
    if decimals.is_none() && value.is_finite() {
        cut_zeros(text, start);
    }
    let shown = text.get(start..).unwrap_or_default();
    if shown.starts_with('-')
        && shown
            .bytes()
            .skip(1)
            .all(|byte| matches!(byte, b'0' | b'.'))
    {
        text.remove(start);
    }
}

fn cut_zeros(text: &mut String, start: usize) {
    let shown = text.get(start..).unwrap_or_default();
    let kept = shown.trim_end_matches('0').trim_end_matches('.').len();
    text.truncate(start + kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_format_zeros_are_cut() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (100.0, "100"),
            (1.5, "1.5"),
            (-2.25, "-2.25"),
            (0.12345, "0.123"),
            (2.0 / 3.0, "0.667"),
            (-0.0001, "0"),
            (1e15, "1000000000000000"),
            (f64::NAN, "NaN"),
            (-f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(format_number(value, None), text);
        }
    }

    #[test]
    fn with_a_format_the_digits_are_fixed() {
        assert_eq!(format_number(2.0, Some(2)), "2.00");
        assert_eq!(format_number(-0.001, Some(2)), "0.00");
        assert_eq!(format_number(-0.0, Some(0)), "0");
        assert_eq!(format_number(1.0 / 3.0, Some(12)), "0.333333333333");
        assert_eq!(format_number(f64::NAN, Some(2)), "NaN");
        assert_eq!(format_number(f64::NEG_INFINITY, Some(2)), "-inf");
    }

    #[test]
    fn ties_go_to_the_even_digit() {
        for (value, text) in [
            (0.5, "0"),
            (1.5, "2"),
            (2.5, "2"),
            (-0.5, "0"),
            (-1.5, "-2"),
            (-2.5, "-2"),
        ] {
            assert_eq!(format_number(value, Some(0)), text, "{value}");
        }
        assert_eq!(format_number(0.125, Some(2)), "0.12");
        assert_eq!(format_number(0.375, Some(2)), "0.38");
        assert_eq!(format_number(0.0625, None), "0.062");
    }
}
