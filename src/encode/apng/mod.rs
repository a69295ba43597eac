//! Animated PNG: exact, with full alpha and exact delays.
//!
//! Two passes: the survey finds the colours of all frames, the second pass sends what changes, either in
//! place of what is there or over it with still pixels clear, whichever is smaller. Whoever does not know of
//! animation sees the first frame. (W3C, Portable Network Graphics Specification, third edition.)

pub(crate) mod chunk;
mod deflate;
pub(crate) mod delays;
mod layout;
mod parse;

use std::io::{self, Write};

use self::delays::Delay;
use self::layout::{Colours, Layout};
use self::parse::{Rows, Search};
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
    /// As small as it gets, in several times the time.
    Smallest,
}

impl Level {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Fast => Self::Fast,
            Effort::Usual => Self::Small,
            Effort::Max => Self::Smallest,
        }
    }

    fn search(self) -> Search {
        let (depth, rounds) = match self {
            Self::Fast => (1, 0),
            Self::Small => (12, 1),
            Self::Smallest => (200, 5),
        };
        Search { depth, rounds }
    }
}

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
        let rows = |pixels: &[Colour]| rows(&self.layout, pixels, area.width());
        let candidates: Vec<Rows> = [
            Some(rows(&area.cut(now, width))),
            holes.map(|holes| rows(&holes)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let (which, data) = parse::smallest(&candidates, self.level.search());
        let rest = || {
            let corner = [self::rows(&self.layout, &now[..1], 1)];
            parse::smallest(&corner, self.level.search()).1
        };
        Sent {
            area,
            over: which == 1,
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

/// The rows of an area without filters: flat colours repeat best as they are.
fn rows(layout: &Layout, pixels: &[Colour], width: usize) -> Rows {
    let mut bytes = Vec::with_capacity(pixels.len() * layout.step() + pixels.len() / width);
    for line in pixels.chunks_exact(width) {
        bytes.push(0);
        layout.row(line, &mut bytes);
    }
    Rows {
        length: bytes.len() / (pixels.len() / width),
        step: layout.step(),
        bytes,
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
