//! How the pixels of an animation are stored: one palette up to 256 colours, else RGB or RGBA.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::chunk;
use crate::encode::runs::{CLEAR, Colour};

/// Colours of a palette.
const LARGEST_PALETTE: usize = 256;
/// Opaque colours there are.
const OPAQUE: usize = 1 << 24;

/// The colours of an animation, as far as it takes to choose a layout.
#[derive(Default)]
pub struct Colours {
    /// Pixels by colour, while a palette could hold them.
    few: BTreeMap<Colour, u64>,
    many: Option<Many>,
}

/// What is still asked once there are too many for a palette.
struct Many {
    /// A bit for each opaque colour that occurs.
    opaque: Vec<u64>,
    alpha: bool,
}

impl Many {
    fn add(&mut self, colour: Colour) {
        let at = (colour >> 8) as usize;
        self.opaque[at / 64] |= 1 << (at % 64);
        self.alpha |= !is_opaque(colour);
    }

    /// An opaque colour that never occurs.
    fn unused(&self) -> Option<Colour> {
        let word = self.opaque.iter().position(|word| *word != u64::MAX)?;
        let at = word as u32 * 64 + self.opaque[word].trailing_ones();
        Some(at << 8 | 0xff)
    }
}

impl Colours {
    /// Adds the colours of a frame.
    pub fn add(&mut self, counts: &[(Colour, u64)]) {
        for &(colour, count) in counts {
            match &mut self.many {
                Some(many) => many.add(colour),
                None => *self.few.entry(colour).or_default() += count,
            }
            if self.many.is_none() && self.few.len() > LARGEST_PALETTE {
                let mut many = Many {
                    opaque: vec![0; OPAQUE / 64],
                    alpha: false,
                };
                self.few.keys().for_each(|&colour| many.add(colour));
                self.many = Some(many);
            }
        }
    }

    /// The smallest layout that holds them all.
    pub fn layout(self) -> Layout {
        match &self.many {
            Some(many) if many.alpha => Layout::Rgba,
            Some(many) => Layout::Rgb {
                hole: many.unused(),
            },
            None => Layout::indexed(self.few),
        }
    }
}

/// How pixels are stored.
pub enum Layout {
    Indexed {
        /// Clear first, then what is not opaque, as the transparency chunk wants it; then by use.
        palette: Vec<Colour>,
        /// The index of each colour, sorted.
        indices: Vec<(Colour, u8)>,
        bits: usize,
    },
    Rgb {
        /// A colour that no pixel has: decoders take it for clear.
        hole: Option<Colour>,
    },
    Rgba,
}

impl Layout {
    fn indexed(mut counts: BTreeMap<Colour, u64>) -> Self {
        if counts.len() < LARGEST_PALETTE {
            // Also for what stands still.
            counts.entry(CLEAR).or_default();
        }
        let mut counts: Vec<(Colour, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|&(colour, count)| (is_opaque(colour), colour != CLEAR, Reverse(count)));
        let palette: Vec<Colour> = counts.into_iter().map(|(colour, _)| colour).collect();
        let mut indices: Vec<(Colour, u8)> = palette.iter().copied().zip(0..=u8::MAX).collect();
        indices.sort_unstable();
        Self::Indexed {
            bits: match palette.len() {
                0..=2 => 1,
                3..=4 => 2,
                5..=16 => 4,
                _ => 8,
            },
            palette,
            indices,
        }
    }

    /// The colour that lets through what is behind, if there is one.
    pub fn hole(&self) -> Option<Colour> {
        match self {
            Self::Indexed { palette, .. } => palette.first().copied().filter(|c| *c == CLEAR),
            Self::Rgb { hole } => *hole,
            Self::Rgba => Some(CLEAR),
        }
    }

    /// Writes what says how pixels are stored: IHDR, PLTE and tRNS.
    pub fn write(&self, out: &mut dyn Write, width: u32, height: u32) -> io::Result<()> {
        let (kind, bits) = match self {
            Self::Indexed { bits, .. } => (3, *bits as u8),
            Self::Rgb { .. } => (2, 8),
            Self::Rgba => (6, 8),
        };
        let (width, height) = (width.to_be_bytes(), height.to_be_bytes());
        let rest = [bits, kind, 0, 0, 0];
        chunk::write(out, *b"IHDR", &[&width, &height, &rest])?;
        match self {
            Self::Indexed { palette, .. } => write_palette(out, palette),
            Self::Rgb { hole: Some(hole) } => {
                let [red, green, blue, _] = hole.to_be_bytes();
                chunk::write(out, *b"tRNS", &[&[0, red, 0, green, 0, blue]])
            }
            Self::Rgb { hole: None } | Self::Rgba => Ok(()),
        }
    }

    /// Bytes from a pixel to the one before it in a row.
    pub fn step(&self) -> usize {
        match self {
            Self::Indexed { .. } => 1,
            Self::Rgb { .. } => 3,
            Self::Rgba => 4,
        }
    }

    /// Appends a row of pixels.
    pub fn row(&self, pixels: &[Colour], out: &mut Vec<u8>) {
        match self {
            Self::Indexed { indices, bits, .. } => indexed_row(indices, *bits, pixels, out),
            Self::Rgb { .. } | Self::Rgba => {
                for pixel in pixels {
                    out.extend_from_slice(&pixel.to_be_bytes()[..self.step()]);
                }
            }
        }
    }
}

fn write_palette(out: &mut dyn Write, palette: &[Colour]) -> io::Result<()> {
    let entries = palette.iter().map(|colour| colour.to_be_bytes());
    let colours: Vec<u8> = entries.clone().flat_map(|[r, g, b, _]| [r, g, b]).collect();
    let alphas: Vec<u8> = entries
        .map(|[.., alpha]| alpha)
        .filter(|a| *a < 255)
        .collect();
    chunk::write(out, *b"PLTE", &[&colours])?;
    match alphas.is_empty() {
        true => Ok(()),
        false => chunk::write(out, *b"tRNS", &[&alphas]),
    }
}

/// Several indices to a byte, the first in the high bits.
fn indexed_row(indices: &[(Colour, u8)], bits: usize, pixels: &[Colour], out: &mut Vec<u8>) {
    let mut last = indices[0];
    for group in pixels.chunks(8 / bits) {
        let mut byte = 0;
        for (i, &pixel) in group.iter().enumerate() {
            if pixel != last.0 {
                let at = indices.binary_search_by_key(&pixel, |entry| entry.0);
                last = indices[at.expect("the survey has seen every colour")];
            }
            byte |= last.1 << (8 - bits * (i + 1));
        }
        out.push(byte);
    }
}

/// Whether a pixel hides what is behind it.
pub fn is_opaque(pixel: Colour) -> bool {
    pixel & 0xff == 0xff
}
