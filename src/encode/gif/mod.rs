//! Looping GIF: one global palette, changed rectangles, own LZW.
//!
//! Two passes: the survey counts the colours of every frame, the second pass sends what changes.
//! (CompuServe, Graphics Interchange Format 89a.)

mod colours;
mod delta;
mod lossless;
mod lzw;
mod order;
mod palette;
mod quantise;
mod symbols;

use std::io::{self, Write};

use ::gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Repeat};

pub use self::colours::GifColours;
use self::delta::{Sent, Shift};
use self::palette::{Histogram, Palette};
use super::pipeline::{self, Pass, Steps};
use super::runs::{self, CLEAR, Colour, Run};
use super::survey::{self, Scratch, Shown, Survey, View};
use super::{Format, Movie, Plays, Stop, Watch, Writer};
use crate::pixels::Pixels;

pub const FORMAT: Format = Format {
    name: "gif",
    extension: "gif",
    about: "looping GIF, exact up to 255 colours, at most 50 frames per second",
    writer: Writer::File(write),
};

/// The index that shows what is behind.
const TRANSPARENT: u8 = 0;
/// The longest delay, in hundredths of a second.
const LONGEST_DELAY: u64 = 65_535;
/// The shortest that players keep to.
const SHORTEST_DELAY: u64 = super::clock::SHORTEST_DELAY as u64;

/// A movie as a GIF, if it has at most `limit` bytes. Fails as every GIF does.
pub fn within(movie: &Movie, watch: Watch, limit: u64) -> Result<Option<Vec<u8>>, Stop> {
    let mut out = Limited {
        bytes: Vec::new(),
        limit,
        full: false,
    };
    match write(movie, watch, &mut out) {
        Err(Stop::Io(_)) if out.full => Ok(None),
        written => written.map(|()| Some(out.bytes)),
    }
}

/// Bytes in memory, no more than a limit.
struct Limited {
    bytes: Vec<u8>,
    limit: u64,
    full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // For good: an encoder that was refused still tries to write its last byte.
        self.full |= (self.bytes.len() + bytes.len()) as u64 > self.limit;
        if self.full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a movie as a GIF. Fails on a side above 65,535 pixels, when cancelled, or when `out` does.
fn write(movie: &Movie, watch: Watch, out: &mut dyn Write) -> Result<(), Stop> {
    write_with(movie, watch, out, survey::ROOM)
}

/// `room` for so many runs is kept between the passes; the bytes do not depend on it.
fn write_with(movie: &Movie, watch: Watch, out: &mut dyn Write, room: usize) -> Result<(), Stop> {
    let side = |length: u32| {
        u16::try_from(length).map_err(|_| {
            let size = format!("{} × {}", movie.width, movie.height);
            Stop::Unsuitable(format!(
                "a GIF is at most 65535 pixels wide and high, not {size}"
            ))
        })
    };
    let (width, height) = (side(movie.width)?, side(movie.height)?);
    let mut steps = Steps::new(watch, 2 * movie.frames);
    let mut histogram = Histogram::default();
    let view = View {
        collect,
        merge: true,
        room,
    };
    let survey = Survey::of(movie, view, &mut steps, |tally| histogram.add(tally))?;
    let local = movie.gif == GifColours::Lossless && !histogram.is_exact();
    let palette = match local {
        true => lossless::global(movie, &survey)?,
        false => Palette::of(&histogram, movie),
    };
    let mut encoder = Encoder::new(out, width, height, &palette.bytes()).map_err(stop)?;
    encoder.set_repeat(repeat(movie.plays)).map_err(stop)?;
    for (code, blocks) in movie.label.iter().flat_map(|label| label.extensions()) {
        let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
        let written = encoder.write_raw_extension(AnyExtension(code), &blocks);
        written.map_err(stop)?;
    }
    let mut queue = Queue {
        encoder,
        waiting: None,
    };
    match local {
        true => lossless::send(movie, &survey, &palette, &mut steps, &mut queue)?,
        false => send(movie, &survey, &palette, &mut steps, &mut queue)?,
    }
    queue.flush()?;
    // Dropped, the encoder would swallow the error of its last byte.
    queue.encoder.into_inner().map_err(stop)?;
    Ok(())
}

/// The colours of a frame as a GIF shows them: clear or opaque.
fn collect(movie: &Movie, pixels: &Pixels, runs: &mut Vec<Run>) {
    match movie.opaque {
        true => runs::collect(pixels, runs, runs::colour),
        false => runs::collect(pixels, runs, |pixel| runs::over(pixel, movie.matte)),
    }
}

/// How long a frame and the equal ones after it stay, in hundredths of a second.
fn delay(movie: &Movie, shown: &Shown) -> u64 {
    let of = |frame: usize| match movie.hold {
        Some(hold) if frame + 1 == movie.frames => u64::from(hold).max(SHORTEST_DELAY),
        _ => u64::from(movie.clock.delay(frame)),
    };
    shown.frames.clone().map(of).sum()
}

/// The second pass: the frames of the survey as palette indices, each sent as its difference to the one before.
fn send(
    movie: &Movie,
    survey: &Survey,
    palette: &Palette,
    steps: &mut Steps,
    queue: &mut Queue,
) -> Result<(), Stop> {
    let shown = &survey.shown;
    steps.advance(movie.frames - shown.len());
    let pass = Pass {
        new: Indexed::default,
        make: |i: usize, buffer: &mut Indexed| {
            buffer.fill(movie, survey, shown[i].frames.start, palette);
        },
        encode: |i: usize, before: Option<&Indexed>, now: &Indexed| {
            let before = before.map(|before| &before.indices[..]);
            Shift::of(movie, shown, i, before, &now.indices, TRANSPARENT).encode()
        },
    };
    pipeline::run(shown.len(), &pass, steps, |i, sent| {
        queue.push(sent, delay(movie, &shown[i]))
    })
}

/// A frame as palette indices, and what it takes to make one.
#[derive(Default)]
struct Indexed {
    indices: Vec<u8>,
    scratch: Scratch,
    recent: Recent,
}

/// Colours whose index was asked for lately: a search in all colours of the movie takes longer.
struct Recent([(Colour, u8); runs::PLACES]);

impl Default for Recent {
    fn default() -> Self {
        Self([(CLEAR, TRANSPARENT); runs::PLACES])
    }
}

impl Recent {
    fn index(&mut self, palette: &Palette, colour: Colour) -> u8 {
        let place = &mut self.0[runs::place(colour)];
        if place.0 != colour {
            *place = (colour, palette.index(colour));
        }
        place.1
    }
}

impl Indexed {
    fn fill(&mut self, movie: &Movie, survey: &Survey, frame: usize, palette: &Palette) {
        self.indices.clear();
        let dither = matches!(movie.gif, GifColours::Best { dither: true, .. });
        for run in survey.runs(movie, frame, &mut self.scratch) {
            let (start, end) = (self.indices.len(), self.indices.len() + run.length as usize);
            if dither {
                let (width, mix) = (movie.width as usize, palette.mix(run.colour));
                self.indices
                    .extend((start..end).map(|i| mix.at(i % width, i / width)));
            } else {
                let index = self.recent.index(palette, run.colour);
                self.indices.resize(end, index);
            }
        }
    }
}

/// Frames on their way to the file; the last one waits in case the next is equal.
struct Queue<'a> {
    encoder: Encoder<&'a mut dyn Write>,
    waiting: Option<(Sent, u64)>,
}

impl Queue<'_> {
    fn push(&mut self, sent: Option<Sent>, delay: u64) -> Result<(), Stop> {
        match (sent, &mut self.waiting) {
            (Some(sent), _) => {
                self.flush()?;
                self.waiting = Some((sent, delay));
            }
            (None, Some((_, waiting))) => *waiting += delay,
            (None, None) => {}
        }
        Ok(())
    }

    /// Writes the waiting frame; one that stays longer than a delay can say is followed by nothing new.
    fn flush(&mut self) -> Result<(), Stop> {
        let Some((mut sent, delay)) = self.waiting.take() else {
            return Ok(());
        };
        let delays = split(delay);
        for (i, &delay) in delays.iter().enumerate() {
            if i > 0 {
                sent.empty();
            }
            let last = i + 1 == delays.len();
            self.write(&sent, delay, sent.clears && last)?;
        }
        Ok(())
    }

    fn write(&mut self, sent: &Sent, delay: u16, dispose: bool) -> Result<(), Stop> {
        let frame = ::gif::Frame {
            delay,
            dispose: match dispose {
                true => DisposalMethod::Background,
                false => DisposalMethod::Keep,
            },
            transparent: sent.transparent.then_some(TRANSPARENT),
            left: sent.area.left as u16,
            top: sent.area.top as u16,
            width: sent.area.width() as u16,
            height: sent.area.height() as u16,
            palette: sent.palette.clone(),
            buffer: (&sent.data[..]).into(),
            ..Default::default()
        };
        self.encoder
            .write_lzw_pre_encoded_frame(&frame)
            .map_err(stop)
    }
}

/// A delay in parts that GIF can hold, none too short for players.
fn split(mut delay: u64) -> Vec<u16> {
    let mut parts = Vec::new();
    while delay > LONGEST_DELAY {
        let part = LONGEST_DELAY.min(delay - SHORTEST_DELAY);
        parts.push(part as u16);
        delay -= part;
    }
    parts.push(delay as u16);
    parts
}

/// The Netscape extension counts repetitions: 0 is for ever, and a movie that plays once has none.
fn repeat(plays: Plays) -> Repeat {
    match plays {
        Plays::Forever => Repeat::Infinite,
        Plays::Times(times) => Repeat::Finite(times.saturating_sub(1)),
    }
}

fn stop(error: EncodingError) -> Stop {
    match error {
        EncodingError::Io(error) => Stop::Io(error),
        other => Stop::Io(std::io::Error::other(other)),
    }
}

#[cfg(test)]
mod tests;
