use super::testing::tiny_font;
use super::*;
use crate::maths::vector::Vec2;
use std::borrow::Cow;
use std::sync::Arc;

/// Units of the embedded font per em.
const UNITS: f64 = 2048.0;

fn width(text: &str) -> f64 {
    FontSet::default().line(FontId::default(), text).width * UNITS
}

fn setting() -> Setting {
    Setting {
        size: 20.0,
        align: Align::Left,
        baseline: Baseline::Alphabetic,
        fit: None,
        rotate: 0.0,
    }
}

fn with_tiny_font() -> FontSet {
    let font = Font::read(Cow::Owned(tiny_font())).expect("a font");
    FontSet::new(vec![("tiny.ttf".into(), Arc::new(font))])
}

#[test]
fn a_line_is_as_wide_as_its_advances() {
    assert_eq!(width(""), 0.0);
    assert_eq!(width("H"), 1525.0);
    assert_eq!(width("HH"), 3050.0);
    assert_eq!(width("A A"), 2.0 * 1452.0 + 550.0);
}

#[test]
fn neighbours_are_kerned() {
    // As HarfBuzz has them.
    const AV: f64 = -147.0;
    const TO: f64 = -160.0;
    assert_eq!(width("AV"), 2.0 * 1452.0 + AV);
    assert_eq!(width("VA"), 2.0 * 1452.0 + AV);
    assert_eq!(width("To"), 1337.0 + 1237.0 + TO);
    let fonts = FontSet::default();
    let line = fonts.line(FontId::default(), "AVA");
    assert_eq!(line.glyphs[2].x * UNITS, 2.0 * (1452.0 + AV));
}

#[test]
fn digits_stand_in_columns() {
    for digit in '0'..='9' {
        assert_eq!(width(&digit.to_string()), 1327.0);
        for other in ['0', '1', '7', '.', '-', ',', ' ', 's', 'T', '%', '°'] {
            for pair in [format!("{digit}{other}"), format!("{other}{digit}")] {
                assert_eq!(width(&pair), 1327.0 + width(&other.to_string()), "{pair}");
            }
        }
    }
}

#[test]
fn every_printable_ascii_character_has_a_glyph() {
    let fonts = FontSet::default();
    for c in ' '..='~' {
        let (font, id) = fonts
            .find(FontId::default(), c)
            .unwrap_or_else(|| panic!("{c}"));
        let glyph = fonts.font(font).glyph(id).unwrap();
        assert_eq!(glyph.outline.is_empty(), c == ' ', "{c}");
        assert!(glyph.advance > 0.0);
    }
    assert!(
        "äéßČ←→↑↓≈≤ζπΔ×·…–−°"
            .chars()
            .all(|c| fonts.find(FontId::default(), c).is_some())
    );
}

#[test]
fn a_lines_point_is_where_align_and_baseline_say() {
    let fonts = FontSet::default();
    let line = fonts.line(FontId::default(), "HH");
    let (at, capitals) = (Vec2::new(100.0, 50.0), 1490.0 / UNITS * 20.0);
    let start = |align, baseline| {
        let setting = Setting {
            align,
            baseline,
            ..setting()
        };
        line.placement(&setting, at).apply(Vec2::ZERO)
    };
    let wide = 3050.0 / UNITS * 20.0;
    assert_eq!(start(Align::Left, Baseline::Alphabetic), at);
    assert_eq!(
        start(Align::Center, Baseline::Alphabetic).x,
        100.0 - wide / 2.0
    );
    assert_eq!(start(Align::Right, Baseline::Alphabetic).x, 100.0 - wide);
    assert_eq!(
        start(Align::Left, Baseline::Middle).y,
        50.0 + capitals / 2.0
    );
    assert_eq!(start(Align::Left, Baseline::Top).y, 50.0 + capitals);
    let turned = Setting {
        align: Align::Right,
        rotate: 90.0,
        ..setting()
    };
    assert_eq!(
        line.placement(&turned, at).apply(Vec2::ZERO),
        Vec2::new(100.0, 50.0 - wide)
    );
}

#[test]
fn fit_only_shrinks() {
    let fonts = FontSet::default();
    let line = fonts.line(FontId::default(), "HH");
    let size = |most| {
        line.size(&Setting {
            fit: Some(most),
            ..setting()
        })
    };
    assert_eq!(size(1000.0), 20.0);
    assert!((size(10.0) * line.width - 10.0).abs() < 1e-12);
    assert_eq!(fonts.line(FontId::default(), "").size(&setting()), 20.0);
}

#[test]
fn each_character_comes_from_the_first_font_that_has_it() {
    let fonts = with_tiny_font();
    let embedded = fonts.named(EMBEDDED).unwrap();
    assert_eq!(
        fonts.find(FontId::default(), '弾'),
        fonts.find(embedded, '弾')
    );
    assert_eq!(fonts.find(FontId::default(), 'A').unwrap().0, embedded);
    assert_eq!(fonts.named("tiny.ttf"), Some(FontId::default()));
    assert_eq!(fonts.named("other.ttf"), None);
    assert_eq!(fonts.find(FontId::default(), '幅'), None);
    // The older `kern` table, but never across fonts.
    assert_eq!(fonts.line(FontId::default(), "弾み").width, 1.9);
    assert_eq!(fonts.line(FontId::default(), "み弾").width, 2.0);
    assert_eq!(fonts.line(embedded, "弾H").width, 1.0 + 1525.0 / UNITS);
}

#[test]
fn a_font_that_does_not_say_it_has_its_capitals_measured_or_guessed() {
    assert_eq!(Font::embedded().cap_height(), 1490.0 / UNITS);
    assert_eq!(with_tiny_font().font(FontId::default()).cap_height(), 0.7);
}

#[test]
fn outlines_are_in_em_with_y_down() {
    let fonts = with_tiny_font();
    let line = fonts.line(FontId::default(), "弾");
    let corners: Vec<_> = [(0.1, 0.0), (0.1, -0.8), (0.9, -0.8), (0.9, 0.0)]
        .map(|(x, y)| Vec2::new(x, y))
        .to_vec();
    let mut seen = Vec::new();
    for segment in &line.glyphs[0].glyph.outline {
        match segment {
            Segment::Move(p) | Segment::Line(p) => seen.push(*p),
            Segment::Close => {}
            curve => panic!("{curve:?}"),
        }
    }
    seen.dedup();
    assert_eq!(seen[..4], corners);
}

#[test]
fn a_missing_glyph_is_a_box_and_invisible_characters_are_nothing() {
    let fonts = FontSet::default();
    let line = fonts.line(FontId::default(), "a弾\u{200b}\u{fe0f}");
    assert_eq!(line.glyphs.len(), 2);
    assert_eq!(line.glyphs[1].glyph, FontSet::missing());
    assert_eq!(FontSet::missing().outline.len(), 10);
}

#[test]
fn what_is_no_font_is_refused_without_panic() {
    let why = |bytes: &[u8]| {
        Font::read(Cow::Owned(bytes.to_vec()))
            .map(|_| ())
            .unwrap_err()
    };
    let no_font = "is no font: it must be a `.ttf`, `.otf` or `.ttc` file";
    assert_eq!(why(b""), no_font);
    assert_eq!(why(b"{ \"hazumi\": 1 }"), no_font);
    assert_eq!(
        why(b"wOF2..............."),
        "is packed for the web: unpack it to `.ttf` or `.otf`"
    );
    let whole = tiny_font();
    for length in 0..whole.len() {
        if let Ok(font) = Font::read(Cow::Owned(whole[..length].to_vec())) {
            let fonts = FontSet::new(vec![("cut".into(), Arc::new(font))]);
            fonts.line(FontId::default(), "弾み");
        }
    }
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xff;
        if let Ok(font) = Font::read(Cow::Owned(bytes)) {
            let fonts = FontSet::new(vec![("bent".into(), Arc::new(font))]);
            fonts.line(FontId::default(), "弾み");
        }
    }
}

#[test]
fn fonts_may_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<FontSet>();
}
