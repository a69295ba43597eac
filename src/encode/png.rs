//! PNG sequences: a file per frame, with a palette where its colours allow one.
//!
//! (W3C, Portable Network Graphics Specification, third edition.)

use std::borrow::Cow;
use std::io;

use ::png::chunk::ChunkType;
use ::png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};

use super::apng::Chunk;
use super::pipeline::{self, Pass, Steps};
use super::runs::{self, Colour, Run};
use super::{Files, Format, Label, Movie, Stop, Watch, Writer};
use crate::pixels::Pixels;
use crate::raster::Canvas;

pub const FORMAT: Format = Format {
    name: "png",
    extension: "png",
    about: "a folder of PNG files, exact, one for each frame",
    writer: Writer::Folder(write),
};

/// Of 9. Flat art with a palette is hardly smaller at higher levels, and several times slower.
const LEVEL: u8 = 4;
const LARGEST_PALETTE: usize = 256;

/// Writes each frame of a movie as a PNG file. Fails when cancelled, or when `out` does.
fn write(movie: &Movie, watch: Watch, out: &mut Files) -> Result<(), Stop> {
    let pass = Pass {
        new: || Canvas::new(movie.width, movie.height),
        make: |i: usize, canvas: &mut Canvas| (movie.draw)(i, canvas),
        // Nothing but pixels: a sequence is for other programs, which compare such files.
        encode: |_: usize, _: Option<&Canvas>, now: &Canvas| still(now, movie.opaque, None),
    };
    let mut steps = Steps::new(watch, movie.frames);
    pipeline::run(movie.frames, &pass, &mut steps, |i, file| {
        Ok(out(&name(i, movie.frames), &file?)?)
    })
}

/// The name of frame `i` of so many: four digits, or as many as the last frame needs.
fn name(i: usize, frames: usize) -> String {
    let digits = frames.saturating_sub(1).to_string().len().max(4);
    format!("{i:0digits$}.png")
}

/// One frame as a PNG file: indexed up to 256 colours, else RGBA, or RGB where all of it is opaque.
pub fn still(pixels: &Pixels, opaque: bool, label: Option<&Label>) -> Result<Vec<u8>, Stop> {
    let mut runs = Vec::new();
    match opaque {
        true => runs::collect(pixels, &mut runs, runs::colour),
        false => runs::collect(pixels, &mut runs, runs::straight),
    }
    let chunks = label.map(Label::chunks).unwrap_or_default();
    let file = match palette(&runs) {
        Some(palette) => indexed(pixels, &runs, &palette, &chunks),
        None => direct(pixels, &runs, opaque, &chunks),
    };
    file.map_err(|error| match error {
        EncodingError::IoError(error) => Stop::Io(error),
        other => Stop::Io(io::Error::other(other)),
    })
}

/// The colours of a frame: those that are not opaque first, as the transparency chunk wants them, then by
/// use; or `None` if they are too many.
fn palette(runs: &[Run]) -> Option<Vec<Colour>> {
    let mut counts = runs::count(runs);
    counts.sort_by_key(|&(colour, count)| (colour & 0xff == 0xff, std::cmp::Reverse(count)));
    let few = counts.len() <= LARGEST_PALETTE;
    few.then(|| counts.into_iter().map(|(colour, _)| colour).collect())
}

fn indexed(
    pixels: &Pixels,
    runs: &[Run],
    palette: &[Colour],
    chunks: &[Chunk],
) -> Result<Vec<u8>, EncodingError> {
    let mut indices: Vec<(Colour, u8)> = (0..=u8::MAX).zip(palette).map(|(i, &c)| (c, i)).collect();
    indices.sort_unstable();
    let mut data = Vec::with_capacity(pixels.bytes.len() / 4);
    for run in runs {
        let at = indices.binary_search_by_key(&run.colour, |entry| entry.0);
        let index = at.map_or(0, |at| indices[at].1);
        data.resize(data.len() + run.length as usize, index);
    }
    let (depth, bits) = depth(palette.len());
    let data = pack(&data, pixels.width as usize, bits);
    let bytes = palette.iter().map(|colour| colour.to_be_bytes());
    let alphas: Vec<u8> = bytes
        .clone()
        .map(|[.., alpha]| alpha)
        .filter(|&a| a < 255)
        .collect();
    let colours: Vec<u8> = bytes
        .flat_map(|[red, green, blue, _]| [red, green, blue])
        .collect();
    let mut out = Vec::new();
    let mut encoder = encoder(&mut out, pixels, ColorType::Indexed, depth);
    encoder.set_palette(colours);
    if !alphas.is_empty() {
        encoder.set_trns(alphas);
    }
    finish(encoder, chunks, &data)?;
    Ok(out)
}

/// The fewest bits an index of so many colours takes.
fn depth(colours: usize) -> (BitDepth, usize) {
    match colours {
        0..=2 => (BitDepth::One, 1),
        3..=4 => (BitDepth::Two, 2),
        5..=16 => (BitDepth::Four, 4),
        _ => (BitDepth::Eight, 8),
    }
}

/// Several indices to a byte, the first in the high bits, each row on a byte of its own.
fn pack(indices: &[u8], width: usize, bits: usize) -> Cow<'_, [u8]> {
    if bits == 8 {
        return indices.into();
    }
    let per_byte = 8 / bits;
    let pack = |group: &[u8]| {
        let shifted = group.iter().enumerate();
        shifted.fold(0, |byte, (i, index)| byte | index << (8 - bits * (i + 1)))
    };
    indices
        .chunks_exact(width)
        .flat_map(|row| row.chunks(per_byte).map(pack))
        .collect()
}

fn direct(
    pixels: &Pixels,
    runs: &[Run],
    opaque: bool,
    chunks: &[Chunk],
) -> Result<Vec<u8>, EncodingError> {
    let mut data = Vec::with_capacity(pixels.bytes.len());
    for run in runs {
        let bytes = run.colour.to_be_bytes();
        let kept = &bytes[..if opaque { 3 } else { 4 }];
        for _ in 0..run.length {
            data.extend_from_slice(kept);
        }
    }
    let colour = match opaque {
        true => ColorType::Rgb,
        false => ColorType::Rgba,
    };
    let mut out = Vec::new();
    let mut encoder = encoder(&mut out, pixels, colour, BitDepth::Eight);
    encoder.set_filter(Filter::Adaptive);
    finish(encoder, chunks, &data)?;
    Ok(out)
}

fn encoder<'a>(
    out: &'a mut Vec<u8>,
    pixels: &Pixels,
    colour: ColorType,
    depth: BitDepth,
) -> Encoder<'static, &'a mut Vec<u8>> {
    let mut encoder = Encoder::new(out, pixels.width, pixels.height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
    encoder
}

fn finish(
    encoder: Encoder<&mut Vec<u8>>,
    chunks: &[Chunk],
    data: &[u8],
) -> Result<(), EncodingError> {
    let mut writer = encoder.write_header()?;
    for chunk in chunks {
        writer.write_chunk(ChunkType(chunk.name()), chunk.data())?;
    }
    writer.write_image_data(data)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::*;
    use proptest::prelude::*;

    /// Straight RGBA and whether the file has a palette.
    fn decode(file: &[u8]) -> (Vec<u8>, bool) {
        let mut decoder = ::png::Decoder::new(io::Cursor::new(file));
        let indexed = decoder.read_header_info().unwrap().color_type == ColorType::Indexed;
        decoder.set_transformations(
            ::png::Transformations::normalize_to_color8() | ::png::Transformations::ALPHA,
        );
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        (bytes, indexed)
    }

    fn straight(pixels: &Pixels) -> Vec<u8> {
        let pixels = pixels.bytes.as_chunks::<4>().0.iter();
        pixels
            .flat_map(|&pixel| runs::straight(pixel).to_be_bytes())
            .collect()
    }

    /// Whether the frame, which must come back as it was, got a palette.
    fn round_trip(pixels: &Pixels, opaque: bool) -> bool {
        let (bytes, indexed) = decode(&still(pixels, opaque, None).unwrap());
        assert!(bytes == straight(pixels));
        indexed
    }

    #[test]
    fn scenes_come_back_exactly() {
        let mut pixels = Pixels::new(90, 70);
        for (background, opaque) in [([250, 248, 240, 255], true), ([0; 4], false)] {
            for (colours, indexed) in [(1, true), (3, true), (12, false)] {
                fill(&mut pixels, background);
                balls(5, 24, &mut pixels, colours);
                circle(&mut pixels, (40.0, 30.0), 25.0, [90, 20, 200, 120]);
                if !indexed {
                    for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate().take(400) {
                        pixel.copy_from_slice(&[i as u8, (i / 256) as u8, 0, 255]);
                    }
                }
                assert_eq!(round_trip(&pixels, opaque), indexed, "{colours} {opaque}");
            }
        }
    }

    #[test]
    fn every_depth_and_width() {
        for colours in [1, 2, 3, 4, 5, 16, 17, 255, 256, 257] {
            for width in [1, 2, 3, 7, 8, 9, 33] {
                let mut pixels = Pixels::new(width, 300 / width + 1);
                for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
                    let colour = i % colours;
                    pixel.copy_from_slice(&[colour as u8, (colour >> 8) as u8, 9, 255]);
                }
                assert_eq!(round_trip(&pixels, true), colours <= 256);
            }
        }
    }

    #[test]
    fn names_have_four_digits_or_more() {
        assert_eq!(name(0, 1), "0000.png");
        assert_eq!(name(9_999, 10_000), "9999.png");
        assert_eq!(name(7, 10_001), "00007.png");
    }

    #[test]
    fn bytes_are_equal_at_any_number_of_threads() {
        let draw = |frame: usize, pixels: &mut Canvas| {
            fill(pixels, [0; 4]);
            balls(frame, 24, pixels, 5);
        };
        let files = [1, 2, 8].map(|threads| {
            on_threads(threads, || {
                bytes(&FORMAT, &movie((60, 45), 24, false, &draw)).unwrap()
            })
        });
        assert!(files[0] == files[1] && files[0] == files[2]);
    }

    proptest! {
        #[test]
        fn random_frames(width in 1u32..20, height in 1u32..20, seed in prop::collection::vec(any::<u8>(), 1600)) {
            let mut pixels = Pixels::new(width, height);
            for (pixel, noise) in pixels.bytes.chunks_exact_mut(4).zip(seed.chunks_exact(4)) {
                // Premultiplied: no channel above alpha.
                pixel.copy_from_slice(&[noise[0], noise[1], noise[2], noise[3]].map(|c| c.min(noise[3])));
            }
            round_trip(&pixels, false);
        }
    }
}
