//! A picture of what differs: golden, present and difference side by side, as a GIF.

use super::compare::{Fault, apart, each_pair};
use super::file::Golden;
use super::take::Take;
use super::verdict::Difference;
use crate::encode::runs::Colour;
use crate::encode::{self, Clock, Movie, Watch};
use crate::maths::vector::Vec2;
use crate::output::{self, Destination};
use crate::picture::Picture;
use crate::pixels::Pixels;
use crate::raster::{self, Canvas};
use crate::stills::captions;
use std::ops::Range;
use std::path::Path;

/// Frames before the first that differs.
const BEFORE: usize = 2;
/// Most frames.
const MOST_FRAMES: usize = 60;
/// Most pixels of all frames together.
const MOST_PIXELS: usize = 24_000_000;
/// Frames per second: slow enough to see.
const RATE: f64 = 8.0;
/// Between the pictures, px.
const GAP: u32 = 6;
/// Height of the captions, px.
const CAPTION: u32 = 18;
const PAPER: [u8; 4] = [245, 245, 245, 255];
const INK: [u8; 4] = [60, 60, 60, 255];
/// What differs least, and what differs most.
const MARKED: [[u8; 3]; 2] = [[255, 176, 0], [216, 0, 80]];

/// A pair of frames.
type Both = (Vec<Colour>, Vec<Colour>);

/// The frames to look at: from shortly before the first that differs.
fn window(difference: &Difference, frames: usize, pixels: usize) -> Range<usize> {
    let first = match difference
        .pixels
        .as_ref()
        .and_then(|pixels| pixels.runs.first())
    {
        Some((first, _)) => *first,
        None => difference.frame,
    };
    let most = (MOST_PIXELS / pixels.max(1)).clamp(1, MOST_FRAMES);
    let start = first.saturating_sub(BEFORE);
    let last = difference
        .pixels
        .as_ref()
        .and_then(|pixels| pixels.runs.last());
    let end = last.map_or(start + 1, |(_, last)| last + BEFORE + 1);
    start..end.min(start + most).min(frames)
}

/// Writes the picture.
///
/// # Errors
/// When the golden cannot be read, or the picture not be written.
pub fn save(
    take: &Take,
    golden: &Golden,
    difference: &Difference,
    path: &Path,
    watch: Watch,
) -> Result<Result<(), output::Failure>, Fault> {
    let (width, height) = take.container.size;
    let common = take.frames().min(golden.frames().max(1));
    let window = window(difference, common.max(1), width as usize * height as usize);
    let mut pairs: Vec<Both> = Vec::new();
    let work = |_: usize, expected: &[Colour], got: &[Colour]| (expected.to_vec(), got.to_vec());
    let wanted = |frame: usize| window.contains(&frame);
    each_pair(take, golden, &wanted, watch, work, |pair| pairs.push(pair))?;
    let page = Page {
        width,
        height,
        first: window.start,
        pairs,
    };
    Ok(page.save(path, watch))
}

struct Page {
    width: u32,
    height: u32,
    /// Number of the first pair's frame.
    first: usize,
    pairs: Vec<Both>,
}

impl Page {
    fn save(&self, path: &Path, watch: Watch) -> Result<(), output::Failure> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let draw = |frame: usize, canvas: &mut Canvas| self.draw(frame, canvas);
        let format = encode::format("gif").unwrap_or(&encode::FORMATS[0]);
        let size = (3 * self.width + 4 * GAP, self.height + 2 * GAP + CAPTION);
        let movie = Movie {
            flat: &[PAPER, INK],
            ..Movie::new(size, self.pairs.len(), Clock::per_second(RATE), &draw)
        };
        output::save(format, &movie, &Destination::File(path.to_owned()), watch)
    }

    fn draw(&self, frame: usize, pixels: &mut Pixels) {
        let captions = self.captions(frame);
        raster::draw(&captions, &[INK], PAPER, pixels);
        let (expected, got) = &self.pairs[frame];
        let at = |panel: u32| GAP + panel * (self.width + GAP);
        self.paste(pixels, at(0), |i| over_paper(expected[i]));
        self.paste(pixels, at(1), |i| over_paper(got[i]));
        self.paste(pixels, at(2), |i| marked(expected[i], got[i]));
    }

    fn paste(&self, pixels: &mut Pixels, left: u32, pixel: impl Fn(usize) -> [u8; 3]) {
        let stride = pixels.width as usize;
        let target = pixels.bytes.as_chunks_mut::<4>().0;
        for y in 0..self.height as usize {
            let from = (y + GAP as usize + CAPTION as usize) * stride + left as usize;
            for x in 0..self.width as usize {
                let [r, g, b] = pixel(y * self.width as usize + x);
                target[from + x] = [r, g, b, 255];
            }
        }
    }

    fn captions(&self, frame: usize) -> Picture {
        let number = format!("golden, frame {}", self.first + frame);
        let words = [number, "now".into(), "difference".into()];
        let lines = (0u32..).zip(words).map(|(panel, words)| {
            let left = GAP + panel * (self.width + GAP);
            let at = Vec2::new(f64::from(left), f64::from(GAP + CAPTION) - 5.0);
            (at, words)
        });
        captions(lines, 12.0, Some(f64::from(self.width)))
    }
}

fn over_paper(colour: Colour) -> [u8; 3] {
    let [r, g, b, a] = colour.to_be_bytes().map(u32::from);
    let over = |channel: u32| ((channel * a + 255 * (255 - a) + 127) / 255) as u8;
    [over(r), over(g), over(b)]
}

/// Faint where nothing differs, else a colour that tells how much.
fn marked(expected: Colour, got: Colour) -> [u8; 3] {
    let apart = u32::from(apart(expected, got));
    if apart == 0 {
        let [r, g, b] = over_paper(expected).map(u32::from);
        let grey = 255 - (255 - (r * 2 + g * 5 + b) / 8) / 4;
        return [grey as u8; 3];
    }
    let mix = |i: usize| {
        let (least, most) = (u32::from(MARKED[0][i]), u32::from(MARKED[1][i]));
        ((least * (255 - apart) + most * apart) / 255) as u8
    };
    [mix(0), mix(1), mix(2)]
}
