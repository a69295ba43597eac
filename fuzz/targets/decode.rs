//! Bytes → the readers of files that others made: goldens, the source inside a file, fonts.

#![no_main]

use hazumi::golden::{Form, play_through};
use hazumi::provenance::Provenance;
use hazumi::text::Font;
use hazumi_fuzz::in_time;
use libfuzzer_sys::fuzz_target;
use std::borrow::Cow;

/// Glyphs of a font that are looked at.
const GLYPHS: u32 = 400;

fuzz_target!(|bytes: &[u8]| {
    in_time("decoding", || {
        let form = match bytes {
            [b'G', ..] => Form::Gif,
            [b'h', ..] => Form::Lock,
            [0x89, ..] => Form::Image,
            _ => return font(bytes),
        };
        // Drawn frames are what a golden must be as large as: small ones here.
        let _ = play_through(form, bytes.to_vec(), 1 << 14);
        let _ = Provenance::read(bytes);
    });
});

fn font(bytes: &[u8]) {
    let Ok(font) = Font::read(Cow::Owned(bytes.to_vec())) else {
        return;
    };
    assert!(font.cap_height().is_finite());
    for id in 0..GLYPHS {
        if let Some(glyph) = font.glyph(id) {
            assert!(glyph.advance.is_finite());
        }
        assert!(font.kerning(id, id / 2).is_finite());
    }
    for c in (' '..='ÿ').chain(['\u{10ffff}', '中']) {
        font.find(c);
    }
}
