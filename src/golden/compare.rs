//! Frames beside their golden: first the numbers, then the pixels, then how it is played.

use super::container::Change;
use super::file::Golden;
use super::player::Play;
use super::record::{Column, Record, STEPS, rounded};
use super::take::Take;
use super::verdict::{Enough, PixelDifference, Tolerance, Worst};
use crate::digest::Digest;
use crate::encode::runs::Colour;
use crate::encode::{Stop, Watch};
use crate::pixels::Pixels;
use rayon::prelude::*;

/// How frames and their golden differ, before anybody asks why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The first frame whose numbers differ.
    pub state: Option<usize>,
    /// Sizes differ, so that no pixels can be compared.
    pub resized: bool,
    pub pixels: Option<PixelDifference>,
    pub container: Vec<Change>,
    /// The smallest tolerance with which it would pass.
    pub enough: Enough,
    /// The columns as they are now, if the numbers were looked at one by one.
    pub columns: Vec<Column>,
}

/// Why frames could not be compared.
#[derive(Debug)]
pub enum Fault {
    /// Something is wrong with the golden.
    Golden(String),
    Stopped(Stop),
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Comparison {
    /// Whether nothing differs.
    pub fn is_equal(&self) -> bool {
        self.state.is_none() && !self.resized && self.pixels.is_none() && self.container.is_empty()
    }

    /// Compares everything.
    ///
    /// # Errors
    /// When the golden cannot be read to its end, or the work is cancelled.
    pub fn of(
        take: &Take,
        golden: &Golden,
        tolerance: &Tolerance,
        watch: Watch,
    ) -> Result<Self, Fault> {
        let mut found = Self::default();
        found.compare_states(take, golden, tolerance);
        found.container = golden
            .container
            .changes(&take.container, golden.record.is_some());
        found.resized = golden.container.size != take.container.size;
        let mut common = take.frames().min(golden.frames());
        if !found.resized {
            let seen = match &golden.digests {
                Some(digests) => compare_digests(take, digests, watch)?,
                None => {
                    let seen = compare_pixels(take, golden, tolerance.channel, watch)?;
                    if golden.record.is_some() && seen.len() < common {
                        let words = format!("it has no picture of frame {}", seen.len());
                        return Err(Fault::Golden(words));
                    }
                    common = seen.len();
                    seen
                }
            };
            found.judge_pixels(&seen, tolerance);
        }
        let counted = golden.record.is_some() || golden.container.delays.is_empty();
        let expected = if counted { golden.frames() } else { common };
        if expected != take.frames() && (common < take.frames() || counted) {
            let words = format!("frame count: expected {expected}, got {}", take.frames());
            found.container.insert(
                0,
                Change {
                    frame: common,
                    words,
                },
            );
        }
        Ok(found)
    }

    fn compare_states(&mut self, take: &Take, golden: &Golden, tolerance: &Tolerance) {
        let Some(record) = &golden.record else {
            return;
        };
        let common = record.state.len().min(take.frames());
        if record.names == take.names() {
            let states = take.states();
            let mut pairs = record.state.iter().zip(&states);
            self.state = pairs.position(|(was, now)| was != now);
            if self.state.is_none() {
                return;
            }
            self.columns = take.columns(common);
        } else {
            // Other names are drawn, which is no matter of numbers: those that both have tell.
            self.columns = take.columns(common);
            self.state = first_apart(record, &self.columns, 0);
        }
        if tolerance.number == 0.0 || record.columns.is_empty() {
            return;
        }
        let allowed = rounded(tolerance.number).unsigned_abs();
        self.enough.number = farthest(record, &self.columns) as f64 / STEPS;
        if first_apart(record, &self.columns, allowed).is_none() {
            self.state = None;
        }
    }

    fn judge_pixels(&mut self, seen: &[FrameDifference], tolerance: &Tolerance) {
        let within = |frame: &FrameDifference| frame.count <= tolerance.pixels;
        for frame in seen {
            self.enough.channel = self.enough.channel.max(frame.largest);
            self.enough.pixels = self.enough.pixels.max(frame.count);
        }
        let differs: Vec<usize> = (0..seen.len()).filter(|i| !within(&seen[*i])).collect();
        if differs.is_empty() {
            return;
        }
        let worst = differs
            .iter()
            .copied()
            .max_by_key(|i| (seen[*i].count, std::cmp::Reverse(*i)));
        let largest = seen.iter().map(|frame| frame.largest).max().unwrap_or(0);
        self.pixels = Some(PixelDifference {
            runs: runs(&differs),
            frames: differs.len(),
            worst: worst.filter(|_| largest > 0).map(|frame| Worst {
                frame,
                pixels: seen[frame].count,
                largest,
                area: seen[frame].area(),
            }),
            counts: seen.iter().map(|frame| frame.count).collect(),
        });
    }
}

/// Pairs of a column as it was and as it is.
fn both<'a>(record: &'a Record, columns: &'a [Column]) -> impl Iterator<Item = [&'a Column; 2]> {
    let pair = |now: &'a Column| Some([record.column(&now.name)?, now]);
    columns.iter().filter_map(pair)
}

/// The first frame in which a number is farther from what it was than is allowed, in 1024ths.
fn first_apart(record: &Record, columns: &[Column], allowed: u64) -> Option<usize> {
    let first = |[was, now]: [&Column; 2]| {
        let mut pairs = was.values.iter().zip(&now.values);
        pairs.position(|(a, b)| a.abs_diff(*b) > allowed)
    };
    both(record, columns).filter_map(first).min()
}

/// The largest difference of a number from what it was, in 1024ths.
fn farthest(record: &Record, columns: &[Column]) -> u64 {
    let pairs = both(record, columns).flat_map(|[was, now]| was.values.iter().zip(&now.values));
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Neighbouring numbers as runs.
fn runs(numbers: &[usize]) -> Vec<(usize, usize)> {
    let neighbours = numbers.chunk_by(|a, b| a + 1 == *b);
    neighbours
        .filter_map(|run| Some((*run.first()?, *run.last()?)))
        .collect()
}

/// How a frame differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameDifference {
    /// Pixels that differ by more than is allowed.
    pub count: u32,
    /// Largest difference of a channel; 0 where only digests are known.
    pub largest: u8,
    /// Left, top, right and bottom of those pixels.
    edges: [u32; 4],
}

impl FrameDifference {
    const NONE: Self = Self {
        count: 0,
        largest: 0,
        edges: [u32::MAX, u32::MAX, 0, 0],
    };

    /// Compares two frames of a width.
    pub fn of(expected: &[Colour], got: &[Colour], width: usize, channel: u8) -> Self {
        let mut found = Self::NONE;
        if expected == got {
            return found;
        }
        let rows = expected.chunks_exact(width).zip(got.chunks_exact(width));
        for (y, (expected, got)) in (0..).zip(rows) {
            if expected == got {
                continue;
            }
            for (x, (a, b)) in (0..).zip(expected.iter().zip(got)) {
                let apart = apart(*a, *b);
                found.largest = found.largest.max(apart);
                if apart > channel {
                    found.count += 1;
                    let [left, top, right, bottom] = found.edges;
                    found.edges = [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)];
                }
            }
        }
        found
    }

    /// Left, top, width and height.
    fn area(&self) -> [u32; 4] {
        let [left, top, right, bottom] = self.edges;
        match right > left {
            true => [left, top, right - left, bottom - top],
            false => [0; 4],
        }
    }
}

/// The largest difference of a channel of two colours; what is clear in both does not differ.
pub fn apart(a: Colour, b: Colour) -> u8 {
    if a == b || (a & 0xff == 0 && b & 0xff == 0) {
        return 0;
    }
    let pairs = a.to_be_bytes().into_iter().zip(b.to_be_bytes());
    pairs.fold(0, |most, (a, b)| most.max(a.abs_diff(b)))
}

fn compare_pixels(
    take: &Take,
    golden: &Golden,
    channel: u8,
    watch: Watch,
) -> Result<Vec<FrameDifference>, Fault> {
    let width = take.container.size.0 as usize;
    let mut seen = Vec::new();
    let compare = |_: usize, expected: &[Colour], got: &[Colour]| {
        FrameDifference::of(expected, got, width, channel)
    };
    each_pair(take, golden, &|_| true, watch, compare, |frame| {
        seen.push(frame)
    })?;
    Ok(seen)
}

/// One pixel stands for any number where only digests are known.
fn compare_digests(
    take: &Take,
    digests: &[u64],
    watch: Watch,
) -> Result<Vec<FrameDifference>, Fault> {
    let own = pixel_digests(take, watch)?;
    let pairs = own.iter().zip(digests);
    let seen = pairs.map(|(own, digest)| FrameDifference {
        count: u32::from(own != digest),
        ..FrameDifference::NONE
    });
    Ok(seen.collect())
}

/// A digest of the pixels of every frame.
///
/// # Errors
/// When the work is cancelled.
pub fn pixel_digests(take: &Take, watch: Watch) -> Result<Vec<u64>, Stop> {
    let mut digests = Vec::with_capacity(take.frames());
    let batch = (2 * rayon::current_num_threads()).max(1);
    for start in (0..take.frames()).step_by(batch) {
        watch.check()?;
        let end = (start + batch).min(take.frames());
        let frames = (start..end).into_par_iter();
        let buffers = || (take.blank(), Vec::new());
        let drawn = frames.map_init(buffers, |(pixels, colours), frame| {
            take.draw(frame, pixels, colours);
            let mut digest = Digest::default();
            digest.add_words(colours);
            digest.finish()
        });
        digests.extend(drawn.collect::<Vec<u64>>());
        (watch.progress)(end, take.frames());
    }
    Ok(digests)
}

/// One place for a frame and its golden.
struct Pair {
    pixels: Pixels,
    got: Vec<Colour>,
    expected: Vec<Colour>,
}

/// Draws the frames that are wanted and decodes their goldens, as many as both have, and hands the pairs to
/// `work`, in parallel, and what comes of it to `done`, in order.
///
/// # Errors
/// When the golden cannot be read, or the work is cancelled.
pub fn each_pair<T: Send>(
    take: &Take,
    golden: &Golden,
    wanted: &(dyn Fn(usize) -> bool + Sync),
    watch: Watch,
    work: impl Fn(usize, &[Colour], &[Colour]) -> T + Sync,
    mut done: impl FnMut(T),
) -> Result<(), Fault> {
    let frames = match &golden.record {
        Some(record) => take.frames().min(record.state.len()),
        None => take.frames(),
    };
    let mut player = golden
        .play(take.film.fps(), take.frames(), &take.parts)
        .map_err(Fault::Golden)?;
    let batch = (2 * rayon::current_num_threads()).min(frames).max(1);
    let pair = |_| Pair {
        pixels: take.blank(),
        got: Vec::new(),
        expected: Vec::new(),
    };
    let mut pairs: Vec<Pair> = (0..batch).map(pair).collect();
    for start in (0..frames).step_by(batch) {
        watch.check()?;
        let count = batch.min(frames - start);
        let decoded = fill(take, &mut *player, &mut pairs[..count], start, wanted)?;
        let results: Vec<Option<T>> = pairs[..decoded]
            .par_iter()
            .enumerate()
            .map(|(i, pair)| wanted(start + i).then(|| work(start + i, &pair.expected, &pair.got)))
            .collect();
        results.into_iter().flatten().for_each(&mut done);
        (watch.progress)(start + decoded, frames);
        if decoded < count {
            break;
        }
    }
    Ok(())
}

/// Fills pairs from a frame on, and says how many the golden had.
fn fill(
    take: &Take,
    player: &mut dyn Play,
    pairs: &mut [Pair],
    start: usize,
    wanted: &(dyn Fn(usize) -> bool + Sync),
) -> Result<usize, Fault> {
    let mut decoded = 0;
    let mut places: Vec<&mut Vec<Colour>> = Vec::with_capacity(pairs.len());
    let mut drawn: Vec<(&mut Pixels, &mut Vec<Colour>)> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        places.push(&mut pair.expected);
        drawn.push((&mut pair.pixels, &mut pair.got));
    }
    // Decoding goes frame by frame: it is done on one thread while the others draw.
    let decode = || -> Result<(), String> {
        for place in places {
            if !player.next(place)? {
                break;
            }
            decoded += 1;
        }
        Ok(())
    };
    let draw = || {
        let drawn = drawn.into_par_iter().enumerate();
        let drawn = drawn.filter(|(i, _)| wanted(start + i));
        drawn.for_each(|(i, (pixels, got))| take.draw(start + i, pixels, got));
    };
    join(decode, draw).map_err(Fault::Golden)?;
    Ok(decoded)
}

/// Both at once; `here` stays on this thread, for players need not be able to travel.
fn join<T>(here: impl FnOnce() -> T, elsewhere: impl FnOnce() + Send) -> T {
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| elsewhere());
        here()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_compared_pixel_by_pixel() {
        let expected = vec![0x0000_00ff; 12];
        let mut got = expected.clone();
        assert_eq!(FrameDifference::of(&expected, &got, 4, 0).count, 0);
        got[5] = 0x0200_00ff;
        got[10] = 0x0001_00ff;
        let found = FrameDifference::of(&expected, &got, 4, 0);
        assert_eq!(
            (found.count, found.largest, found.area()),
            (2, 2, [1, 1, 2, 2])
        );
        let found = FrameDifference::of(&expected, &got, 4, 1);
        assert_eq!(
            (found.count, found.largest, found.area()),
            (1, 2, [1, 1, 1, 1])
        );
    }

    #[test]
    fn clear_is_clear_whatever_its_colour() {
        assert_eq!(apart(0x1234_5600, 0), 0);
        assert_eq!(apart(0x1234_5601, 0), 0x56);
    }

    #[test]
    fn neighbours_are_runs() {
        assert_eq!(runs(&[1, 2, 3, 7, 9, 10]), [(1, 3), (7, 7), (9, 10)]);
        assert_eq!(runs(&[]), []);
    }
}
