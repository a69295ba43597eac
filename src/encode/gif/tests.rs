//! GIFs written and read back.

use super::*;
use crate::encode::clock::Clock;
use crate::encode::runs;
use crate::encode::testing::*;
use proptest::prelude::*;

fn gif(movie: &Movie) -> Vec<u8> {
    bytes(&FORMAT, movie).unwrap()
}

/// The frames as a GIF shows them at best, equal neighbours merged.
fn expected(movie: &Movie) -> Vec<Still> {
    let mut stills: Vec<Still> = Vec::new();
    let mut pixels = Pixels::new(movie.width, movie.height);
    for frame in 0..movie.frames {
        (movie.draw)(frame, &mut pixels);
        let delay = movie.clock.delay(frame) as u16;
        let shown: Vec<u8> = pixels
            .bytes
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|&pixel| runs::over(pixel, movie.matte).to_be_bytes())
            .collect();
        match stills.last_mut() {
            Some(last) if last.0 == shown => last.1 += delay,
            _ => stills.push((shown, delay)),
        }
    }
    stills
}

/// The largest difference of any channel, alpha too; the delays must be equal.
fn worst_error(movie: &Movie, file: &[u8]) -> u8 {
    let (wanted, found) = (expected(movie), play(file));
    let delays = |stills: &[Still]| stills.iter().map(|still| still.1).collect::<Vec<_>>();
    assert_eq!(delays(&wanted), delays(&found));
    let pairs = wanted.iter().zip(&found).flat_map(|(a, b)| a.0.iter().zip(&b.0));
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

fn few_colours(frame: usize, pixels: &mut Pixels) {
    fill(pixels, [250, 248, 240, 255]);
    balls(frame, 24, pixels, 3);
}

fn many_colours(frame: usize, pixels: &mut Pixels) {
    fill(pixels, [250, 248, 240, 255]);
    balls(frame, 24, pixels, 12);
}

fn on_nothing(frame: usize, pixels: &mut Pixels) {
    fill(pixels, [0; 4]);
    balls(frame, 24, pixels, 3);
}

#[test]
fn few_colours_are_exact() {
    let movie = movie((120, 90), 24, true, &few_colours);
    assert_eq!(worst_error(&movie, &gif(&movie)), 0);
}

#[test]
fn many_colours_are_close() {
    let mut movie = movie((240, 180), 24, true, &many_colours);
    let flat: Vec<[u8; 4]> = std::iter::once([250, 248, 240, 255]).chain(VIVID).collect();
    movie.flat = &flat;
    let file = gif(&movie);
    let error = worst_error(&movie, &file);
    eprintln!("error {error}, {} bytes", file.len());
    assert!(error <= 9, "{error}");
}
