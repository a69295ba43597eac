//! The frames that a report shows, packed: golden and present as differences from what was shown before.
//!
//! A byte per pixel where a palette of 256 holds all colours, else four. Of each frame two pieces: the golden,
//! xor the golden before it, and what is drawn now, xor the golden. All of it is deflated.

use super::compare::{Fault, each_pair};
use super::file::Golden;
use super::take::Take;
use super::verdict::Difference;
use crate::encode::Watch;
use crate::encode::runs::{CLEAR, Colour};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most frames of one film.
const MOST_FRAMES: usize = 120;
/// Most pixels of one film.
const MOST_PIXELS: usize = 16_000_000;
/// Bytes that a film should not go beyond, so that ten of them fit into a page of 5 MB.
const BUDGET: usize = 340 << 10;
/// Smallest scale, as parts of a pixel.
const SMALLEST: usize = 6;
const LEVEL: u8 = 7;

/// Frames for a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pictures {
    pub width: usize,
    pub height: usize,
    /// One pixel stands for so many, each way.
    pub scale: usize,
    /// The numbers of the frames.
    pub frames: Vec<usize>,
    /// Colours by their byte; none if pixels are colours.
    pub palette: Option<Vec<Colour>>,
    /// Deflated, in base 64.
    pub data: String,
}

/// A frame, its golden, and its number.
struct Shot {
    frame: usize,
    golden: Vec<Colour>,
    now: Vec<Colour>,
}

/// Frames of one size.
struct Reel {
    size: (usize, usize),
    /// One pixel stands for so many, each way.
    scale: usize,
    shots: Vec<Shot>,
}

/// Packs the frames about a difference.
pub fn pack(
    take: &Take,
    golden: &Golden,
    difference: &Difference,
    watch: Watch,
) -> Result<Option<Pictures>, Fault> {
    let Some(pixels) = &difference.pixels else {
        return Ok(None);
    };
    let (width, height) = take.container.size;
    let (width, height) = (width as usize, height as usize);
    let area = |scale: usize| width.div_ceil(scale) * height.div_ceil(scale);
    let scale = (1..64).find(|scale| area(*scale) * 2 <= MOST_PIXELS);
    let scale = scale.unwrap_or(64);
    let most = (MOST_PIXELS / (2 * area(scale)).max(1)).clamp(1, MOST_FRAMES);
    let wanted = wanted(&pixels.counts, difference.frame, most);
    let mut shots = Vec::new();
    let work = |frame: usize, expected: &[Colour], got: &[Colour]| Shot {
        frame,
        golden: shrunk(expected, width, scale),
        now: shrunk(got, width, scale),
    };
    let wanted = |frame: usize| wanted.contains(&frame);
    each_pair(take, golden, &wanted, watch, work, |shot| shots.push(shot))?;
    let reel = Reel {
        size: (width.div_ceil(scale), height.div_ceil(scale)),
        scale,
        shots,
    };
    Ok(Some(reel.within_budget(difference.frame)))
}

impl Reel {
    /// Packed so small that it fits: at a smaller scale, or if none will do, with fewer frames; `kept` stays.
    fn within_budget(mut self, kept: usize) -> Pictures {
        let fits = |pictures: &Pictures| pictures.data.len() <= BUDGET * 4 / 3;
        let mut pictures = self.packed();
        for factor in (2..).take_while(|factor| factor * self.scale <= SMALLEST) {
            if fits(&pictures) {
                return pictures;
            }
            pictures = self.smaller(factor).packed();
        }
        while !fits(&pictures) && self.shots.len() > 1 {
            let before = self.shots.len();
            self.thin_out(kept);
            pictures = self.packed();
            if before <= 2 {
                break;
            }
        }
        pictures
    }

    /// Of so many pixels each way one.
    fn smaller(&self, factor: usize) -> Self {
        let (width, height) = self.size;
        let shots = self.shots.iter().map(|shot| Shot {
            frame: shot.frame,
            golden: shrunk(&shot.golden, width, factor),
            now: shrunk(&shot.now, width, factor),
        });
        Self {
            size: (width.div_ceil(factor), height.div_ceil(factor)),
            scale: self.scale * factor,
            shots: shots.collect(),
        }
    }

    /// Leaves every second frame out, but for `kept`.
    fn thin_out(&mut self, kept: usize) {
        let mut number = 0;
        self.shots.retain(|shot| {
            number += 1;
            number % 2 == 1 || shot.frame == kept
        });
    }

    fn packed(&self) -> Pictures {
        packed(&self.shots, self.size, self.scale)
    }
}

/// The frames to show: all if they are few, else those that differ and then those around the first.
fn wanted(counts: &[u32], first: usize, most: usize) -> BTreeSet<usize> {
    let all = 0..counts.len();
    if counts.len() <= most {
        return all.collect();
    }
    let mut order: Vec<usize> = all.collect();
    order.sort_by_key(|frame| (counts[*frame] == 0, frame.abs_diff(first)));
    let mut worst: Vec<usize> = (0..counts.len()).collect();
    worst.sort_by_key(|frame| std::cmp::Reverse(counts[*frame]));
    let mut chosen = BTreeSet::new();
    for frame in worst.into_iter().take(5).chain(order) {
        // The worst come again in their order.
        if chosen.len() < most {
            chosen.insert(frame);
        }
    }
    chosen
}

/// The mean of each square of pixels.
fn shrunk(colours: &[Colour], width: usize, scale: usize) -> Vec<Colour> {
    if scale == 1 {
        return colours.to_vec();
    }
    let mut out = Vec::new();
    let rows: Vec<&[Colour]> = colours.chunks_exact(width.max(1)).collect();
    for band in rows.chunks(scale) {
        for left in (0..width).step_by(scale) {
            let right = (left + scale).min(width);
            out.push(mean(band.iter().flat_map(|row| &row[left..right])));
        }
    }
    out
}

fn mean<'c>(colours: impl Iterator<Item = &'c Colour>) -> Colour {
    let (mut sum, mut count) = ([0u32; 4], 0);
    for colour in colours {
        let [r, g, b, a] = colour.to_be_bytes().map(u32::from);
        sum = [sum[0] + r * a, sum[1] + g * a, sum[2] + b * a, sum[3] + a];
        count += 1;
    }
    if sum[3] == 0 {
        return CLEAR;
    }
    let part = |channel: u32| ((channel + sum[3] / 2) / sum[3]) as u8;
    let alpha = ((sum[3] + count / 2) / count) as u8;
    u32::from_be_bytes([part(sum[0]), part(sum[1]), part(sum[2]), alpha])
}

fn packed(shots: &[Shot], (width, height): (usize, usize), scale: usize) -> Pictures {
    let mut colours: BTreeSet<Colour> = BTreeSet::new();
    for shot in shots {
        for plane in [&shot.golden, &shot.now] {
            plane.chunk_by(|a, b| a == b).for_each(|run| {
                if colours.len() <= 256 {
                    colours.insert(run[0]);
                }
            });
        }
    }
    let palette: Option<Vec<Colour>> =
        (colours.len() <= 256).then(|| colours.iter().copied().collect());
    let bytes_of = |plane: &[Colour]| -> Vec<u8> {
        match &palette {
            Some(palette) => {
                let index = |colour| palette.binary_search(colour).unwrap_or(0) as u8;
                plane.iter().map(index).collect()
            }
            None => plane
                .iter()
                .flat_map(|colour| colour.to_be_bytes())
                .collect(),
        }
    };
    let mut raw: Vec<u8> = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    for shot in shots {
        let (golden, now) = (bytes_of(&shot.golden), bytes_of(&shot.now));
        before.resize(golden.len(), 0);
        raw.extend(golden.iter().zip(&before).map(|(a, b)| a ^ b));
        raw.extend(now.iter().zip(&golden).map(|(a, b)| a ^ b));
        before = golden;
    }
    Pictures {
        width,
        height,
        scale,
        frames: shots.iter().map(|shot| shot.frame).collect(),
        palette,
        data: base64(&compress_to_vec_zlib(&raw, LEVEL)),
    }
}

/// Base 64. (RFC 4648.)
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| chunk.get(i).copied().map_or(0, u32::from);
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_rfc() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn the_frames_shown_are_those_that_differ_and_the_worst() {
        let mut counts = vec![0; 500];
        counts[300..330].fill(4);
        counts[450] = 90;
        let frames = wanted(&counts, 300, 40);
        assert_eq!(frames.len(), 40);
        assert!((300..330).all(|frame| frames.contains(&frame)) && frames.contains(&450));
        assert_eq!(wanted(&counts[..30], 0, 40).len(), 30);
    }

    #[test]
    fn a_square_becomes_its_mean() {
        let colours = [0x1000_00ff, 0x3000_00ff, 0, 0x2000_00ff, 0x2000_00ff, 0];
        assert_eq!(shrunk(&colours, 3, 2), [0x2000_00ff, CLEAR]);
        assert_eq!(shrunk(&[0x8000_00ff, CLEAR], 2, 2), [0x8000_0080]);
    }
}
