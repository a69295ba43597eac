//! Animated PNG: exact, with full alpha and exact delays.
//!
//! Two passes: the survey finds the colours of all frames, the second pass sends what changes, either in
//! place of what is there or over it with still pixels clear, whichever is smaller. Whoever does not know of
//! animation sees the first frame. (W3C, Portable Network Graphics Specification, third edition.)

pub(crate) mod chunk;
pub(crate) mod delays;
mod layout;

use std::io::{self, Write};

use self::delays::Delay;
use self::layout::{Colours, Layout};
use super::area::{self, Area, Before, CORNER};
use super::pipeline::{self, Pass, Steps};
use super::runs::{self, Colour, Run};
use super::survey::{self, Drawn, Survey, View};
use super::{Effort, Format, Label, Movie, Plays, Stop, Watch, Writer};
use crate::pixels::Pixels;
pub use chunk::Chunk;

pub const FORMAT: Format = Format {
    name: "apng",
    extension: "png",
    about: "animated PNG, exact, with full alpha, at any frame rate",
    writer: Writer::File(|movie, watch, out| {
        let options = ApngOptions {
            level: Level::of(movie.effort),
            ..ApngOptions::default()
        };
        write(movie, &options, watch, out)
    }),
};

/// How an APNG is made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApngOptions {
    pub level: Level,
    /// Frames that equal the one before become part of its time.
    pub merge: bool,
    /// Written before the first frame, in order.
    pub chunks: Vec<Chunk>,
}

impl Default for ApngOptions {
    fn default() -> Self {
        Self {
            level: Level::Small,
            merge: true,
            chunks: Vec::new(),
        }
    }
}

/// Time or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For files that are read again soon, such as golden images.
    Fast,
    /// For publishing.
    Small,
}

impl Level {
    /// There is nothing above the small level: all variants at the highest cost more than they gain.
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Fast => Self::Fast,
            Effort::Usual | Effort::Max => Self::Small,
        }
    }
}

/// Deflate levels, of 10: for trials and fast files, and for what is published.
const QUICK: u8 = 1;
const THOROUGH: u8 = 9;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Writes a movie as an APNG. Fails when cancelled, or when `out` does.
pub fn write(
    movie: &Movie,
    options: &ApngOptions,
    watch: Watch,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    write_with(movie, options, watch, out, survey::ROOM)
}

/// `room` for so many runs is kept between the passes; the bytes do not depend on it.
fn write_with(
    movie: &Movie,
    options: &ApngOptions,
    watch: Watch,
    out: &mut dyn Write,
    room: usize,
) -> Result<(), Stop> {
    let view = View {
        collect,
        merge: options.merge,
        room,
    };
    let mut colours = Colours::default();
    let mut steps = Steps::new(watch, 2 * movie.frames);
    let survey = Survey::of(movie, view, &mut steps, |tally| colours.add(&tally.counts))?;
    let shown = survey.shown.iter();
    let plan = Plan {
        movie,
        layout: colours.layout(),
        level: options.level,
        delays: shown
            .map(|shown| delays::of(movie, &shown.frames))
            .collect(),
        survey,
    };
    plan.write_head(&options.chunks, out)?;
    plan.write_frames(&mut steps, out)?;
    Ok(chunk::write(out, *b"IEND", &[])?)
}

fn collect(movie: &Movie, pixels: &Pixels, runs: &mut Vec<Run>) {
    match movie.opaque {
        true => runs::collect(pixels, runs, runs::colour),
        false => runs::collect(pixels, runs, runs::straight),
    }
}

/// All that is known before the first byte is written.
struct Plan<'a> {
    movie: &'a Movie<'a>,
    survey: Survey,
    layout: Layout,
    level: Level,
    /// Of each frame that is sent.
    delays: Vec<Vec<Delay>>,
}

/// A frame ready to be written.
struct Sent {
    area: Area,
    /// Drawn over what is there; else put in its place.
    over: bool,
    data: Vec<u8>,
    /// One pixel that changes nothing, where one delay is not enough.
    rest: Option<Vec<u8>>,
}

impl Plan<'_> {
    fn write_head(&self, chunks: &[Chunk], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(SIGNATURE)?;
        self.layout
            .write(out, self.movie.width, self.movie.height)?;
        let frames: usize = self.delays.iter().map(Vec::len).sum();
        let plays = match self.movie.plays {
            Plays::Forever => 0,
            Plays::Times(times) => u32::from(times),
        };
        let frames = u32::try_from(frames).map_err(io::Error::other)?;
        let parts = [frames.to_be_bytes(), plays.to_be_bytes()];
        chunk::write(out, *b"acTL", &[parts.as_flattened()])?;
        let label = self.movie.label.map(Label::chunks).unwrap_or_default();
        let mut all = label.iter().chain(chunks);
        all.try_for_each(|chunk| chunk.write(out))
    }

    fn write_frames(&self, steps: &mut Steps, out: &mut dyn Write) -> Result<(), Stop> {
        let shown = &self.survey.shown;
        steps.advance(self.movie.frames - shown.len());
        let pass = Pass {
            new: Drawn::default,
            make: |i: usize, drawn: &mut Drawn| {
                drawn.fill(self.movie, &self.survey, shown[i].frames.start);
            },
            encode: |i: usize, before: Option<&Drawn>, now: &Drawn| {
                let before = before.map(|drawn| &drawn.colours[..]);
                self.encode(before, &now.colours, self.delays[i].len() > 1)
            },
        };
        let mut sequence = Sequence { next: 0, out };
        pipeline::run(shown.len(), &pass, steps, |i, sent| {
            Ok(sequence.write(&sent, &self.delays[i])?)
        })
    }

    /// The smallest encoding of what changes; the first frame is whole.
    fn encode(&self, before: Option<&[Colour]>, now: &[Colour], long: bool) -> Sent {
        let width = self.movie.width as usize;
        let area = match before {
            None => Area::whole(width, now.len()),
            Some(before) => area::changed(Before::Frame(before), now, width).unwrap_or(CORNER),
        };
        let holes = before.and_then(|before| self.holes(before, now, area));
        let literal = Candidates::of(&self.layout, &area.cut(now, width), area.width());
        let over = holes.map(|holes| Candidates::of(&self.layout, &holes, area.width()));
        let (over, data) = smallest(literal, over, self.level);
        let rest = || Candidates::of(&self.layout, &now[..1], 1).plain(QUICK);
        Sent {
            area,
            over,
            data,
            rest: long.then(rest),
        }
    }

    /// The area with clear pixels where nothing changes, if what does change is opaque.
    fn holes(&self, before: &[Colour], now: &[Colour], area: Area) -> Option<Vec<Colour>> {
        let width = self.movie.width as usize;
        let pairs = area.rows(before, width).zip(area.rows(now, width));
        let mut pairs = pairs.flat_map(|(before, now)| before.iter().zip(now));
        let fits = pairs.all(|(before, now)| before == now || layout::is_opaque(*now));
        let hole = self.layout.hole().filter(|_| fits)?;
        area.holes(before, now, width, hole)
    }
}

/// The rows of an area, filtered in the ways that may be worth it.
struct Candidates(Vec<Vec<u8>>);

impl Candidates {
    fn of(layout: &Layout, pixels: &[Colour], width: usize) -> Self {
        let mut rows = Vec::new();
        let mut ends = Vec::new();
        for line in pixels.chunks_exact(width) {
            layout.row(line, &mut rows);
            ends.push(rows.len());
        }
        let length = ends[0];
        let mut plain = Vec::with_capacity(rows.len() + ends.len());
        for row in rows.chunks_exact(length) {
            plain.push(0);
            plain.extend_from_slice(row);
        }
        match layout.is_direct() {
            true => Self(vec![plain, filtered(&rows, length, layout.step())]),
            false => Self(vec![plain]),
        }
    }

    fn plain(&self, level: u8) -> Vec<u8> {
        deflate(&self.0[0], level)
    }
}

/// The smallest of all candidates, and whether it goes over what is there. A quick trial decides which one
/// is compressed thoroughly.
fn smallest(literal: Candidates, over: Option<Candidates>, level: Level) -> (bool, Vec<u8>) {
    let literal = literal.0.into_iter().map(|rows| (false, rows));
    let over = over.into_iter().flat_map(|over| over.0);
    let all: Vec<(bool, Vec<u8>)> = literal.chain(over.map(|rows| (true, rows))).collect();
    let trials = all.iter().map(|(over, rows)| (*over, deflate(rows, QUICK)));
    let trials: Vec<(bool, Vec<u8>)> = trials.collect();
    let size = |i: &usize| trials[*i].1.len();
    let best = (0..all.len()).min_by_key(size).unwrap_or(0);
    let quick = trials.into_iter().nth(best).unwrap_or_default();
    if level == Level::Fast {
        return quick;
    }
    let thorough = deflate(&all[best].1, THOROUGH);
    match thorough.len() < quick.1.len() {
        true => (quick.0, thorough),
        false => quick,
    }
}

fn deflate(bytes: &[u8], level: u8) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, level)
}

/// Each row through the filter whose bytes, taken as signed, have the smallest sum. (Same, 12.7.)
fn filtered(rows: &[u8], length: usize, step: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(rows.len() + rows.len() / length);
    let mut above = vec![0; length];
    for row in rows.chunks_exact(length) {
        let (_, best) = (0..=4u8)
            .map(|filter| filter_row(filter, row, &above, step))
            .map(|line| (cost(&line), line))
            .reduce(|best, next| if next.0 < best.0 { next } else { best })
            .expect("five filters");
        out.extend_from_slice(&best);
        above.copy_from_slice(row);
    }
    out
}

fn cost(line: &[u8]) -> u64 {
    let bytes = line[1..].iter();
    bytes
        .map(|byte| u64::from((*byte as i8).unsigned_abs()))
        .sum()
}

/// The number of a filter and the row after it.
fn filter_row(filter: u8, row: &[u8], above: &[u8], step: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(row.len() + 1);
    line.push(filter);
    for (i, byte) in row.iter().enumerate() {
        let behind = |of: &[u8]| if i < step { 0 } else { of[i - step] };
        let (left, up, corner) = (behind(row), above[i], behind(above));
        let guess = match filter {
            0 => 0,
            1 => left,
            2 => up,
            3 => left.midpoint(up),
            _ => paeth(left, up, corner),
        };
        line.push(byte.wrapping_sub(guess));
    }
    line
}

/// Whichever of three neighbours is nearest to left + up − corner. (Same, 9.4.)
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let far = |neighbour: u8| guess.abs_diff(i16::from(neighbour));
    if far(left) <= far(up) && far(left) <= far(corner) {
        left
    } else if far(up) <= far(corner) {
        up
    } else {
        corner
    }
}

/// The numbered chunks of an animation.
struct Sequence<'a> {
    next: u32,
    out: &'a mut dyn Write,
}

impl Sequence<'_> {
    fn write(&mut self, sent: &Sent, delays: &[Delay]) -> io::Result<()> {
        self.write_part(sent.area, sent.over, &sent.data, delays[0])?;
        for delay in &delays[1..] {
            let rest = sent.rest.as_deref().unwrap_or_default();
            self.write_part(CORNER, false, rest, *delay)?;
        }
        Ok(())
    }

    fn write_part(
        &mut self,
        area: Area,
        over: bool,
        data: &[u8],
        (above, below): Delay,
    ) -> io::Result<()> {
        let first = self.next == 0;
        let number = self.number();
        let sides = [area.width(), area.height(), area.left, area.top];
        let sides = sides.map(|side| (side as u32).to_be_bytes());
        let delay = [above.to_be_bytes(), below.to_be_bytes()];
        // Nothing is disposed of.
        let how = [0, u8::from(over)];
        let parts: [&[u8]; 4] = [&number, sides.as_flattened(), delay.as_flattened(), &how];
        chunk::write(self.out, *b"fcTL", &parts)?;
        match first {
            true => chunk::write(self.out, *b"IDAT", &[data]),
            false => {
                let number = self.number();
                chunk::write(self.out, *b"fdAT", &[&number, data])
            }
        }
    }

    fn number(&mut self) -> [u8; 4] {
        let number = self.next.to_be_bytes();
        self.next += 1;
        number
    }
}

#[cfg(test)]
mod tests;
