//! The first pass: which colours there are, which frames are equal, and where pixels vanish.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::SHORTEST_DELAY;
use super::palette::Histogram;
use crate::encode::pipeline::{self, Pass, Steps};
use crate::encode::runs::{self, Colour, Run};
use crate::encode::{Movie, Stop};
use crate::pixels::Pixels;

/// Runs that are kept for the second pass, over all frames: 48 MiB. What finds no room is drawn again.
pub const ROOM: usize = 6 << 20;

/// What one look at all frames tells.
pub struct Survey {
    pub histogram: Histogram,
    /// The frames that differ from the one before them.
    pub shown: Vec<Shown>,
    /// Per frame of the movie, its runs, if there was room.
    pub kept: Vec<Option<Vec<Run>>>,
}

/// A frame that is sent.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its number in the movie.
    pub frame: usize,
    /// In hundredths of a second, of this frame and the equal ones after it.
    pub delay: u64,
    /// The next frame is clear somewhere where this one shows.
    pub clears: bool,
}

/// Turns drawn pixels into the colours that the file shows.
pub fn collect(movie: &Movie, pixels: &Pixels, runs: &mut Vec<Run>) {
    match movie.opaque {
        true => runs::collect(pixels, runs, runs::colour),
        false => runs::collect(pixels, runs, |pixel| runs::over(pixel, movie.matte)),
    }
}

/// What the parallel part finds out about one frame.
struct Seen {
    same: bool,
    clears: bool,
    counts: Vec<(Colour, u64)>,
    runs: Option<Vec<Run>>,
}

impl Seen {
    fn of(before: Option<&[Run]>, now: &[Run], room: usize) -> Self {
        let same = before == Some(now);
        Self {
            same,
            clears: !same && before.is_some_and(|before| runs::clears(before, now)),
            counts: match same {
                true => Vec::new(),
                false => runs::count(now),
            },
            runs: (!same && now.len() <= room).then(|| now.to_vec()),
        }
    }
}

impl Survey {
    /// Draws every frame once, keeping up to `room` runs. Fails when cancelled.
    pub fn of(movie: &Movie, steps: &mut Steps, room: usize) -> Result<Self, Stop> {
        let mut survey = Self {
            histogram: Histogram::default(),
            shown: Vec::new(),
            kept: Vec::with_capacity(movie.frames),
        };
        // Read in parallel, but the bytes of the file do not depend on what is kept.
        let room = AtomicUsize::new(room);
        let pass = Pass {
            new: || (Pixels::new(movie.width, movie.height), Vec::new()),
            make: |i: usize, (pixels, runs): &mut (Pixels, Vec<Run>)| {
                (movie.draw)(i, pixels);
                collect(movie, pixels, runs);
            },
            encode: |_: usize, before: Option<&(Pixels, Vec<Run>)>, now: &(Pixels, Vec<Run>)| {
                let before = before.map(|(_, runs)| &runs[..]);
                Seen::of(before, &now.1, room.load(Ordering::Relaxed))
            },
        };
        pipeline::run(movie.frames, &pass, steps, |i, seen| {
            survey.add(movie, i, seen, &room);
            Ok(())
        })?;
        Ok(survey)
    }

    fn add(&mut self, movie: &Movie, frame: usize, seen: Seen, room: &AtomicUsize) {
        let delay = delay(movie, frame);
        self.histogram.add(&seen.counts);
        match self.shown.last_mut() {
            Some(last) if seen.same => last.delay += delay,
            last => {
                if let Some(last) = last {
                    last.clears = seen.clears;
                }
                self.shown.push(Shown {
                    frame,
                    delay,
                    clears: false,
                });
            }
        }
        let left = room.load(Ordering::Relaxed);
        let runs = seen.runs.filter(|runs| runs.len() <= left);
        room.store(left - runs.as_ref().map_or(0, Vec::len), Ordering::Relaxed);
        self.kept.push(runs);
    }
}

fn delay(movie: &Movie, frame: usize) -> u64 {
    match movie.hold {
        Some(hold) if frame + 1 == movie.frames => u64::from(hold).max(SHORTEST_DELAY),
        _ => u64::from(movie.clock.delay(frame)),
    }
}
