//! The first pass: which colours there are, which frames are equal, and where pixels vanish.
//!
//! Frames are kept as runs of equal pixels while there is room; the second pass takes them from there, or
//! draws them again, so memory does not grow with the number of frames.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pipeline::{self, Pass, Steps};
use super::runs::{self, CLEAR, Colour, Run};
use super::{Movie, Stop};
use crate::pixels::Pixels;
use crate::raster::Canvas;

/// Runs that are kept for the second pass, over all frames: 48 MiB. What finds no room is drawn again.
pub const ROOM: usize = 6 << 20;

/// How frames are looked at.
#[derive(Clone, Copy)]
pub struct View {
    /// Turns drawn pixels into the colours that the file shows.
    pub collect: fn(&Movie, &Pixels, &mut Vec<Run>),
    /// Frames that equal the one before are one with it.
    pub merge: bool,
    /// So many runs are kept.
    pub room: usize,
}

/// What one look at all frames tells.
pub struct Survey {
    view: View,
    /// The frames that differ from the one before them; all of them where none are merged.
    pub shown: Vec<Shown>,
    /// Per frame of the movie, its runs, if there was room.
    kept: Vec<Option<Vec<Run>>>,
}

/// A frame that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its number in the movie, and those of the equal ones after it.
    pub frames: Range<usize>,
    /// The next frame is clear somewhere where this one shows.
    pub clears: bool,
}

/// What the parallel part finds out about one frame.
struct Seen {
    same: bool,
    clears: bool,
    tally: Tally,
    runs: Option<Vec<Run>>,
}

/// The colours of a frame that is sent.
#[derive(Default)]
pub struct Tally {
    /// With the pixels each covers, sorted by colour.
    pub counts: Vec<(Colour, u64)>,
    /// Those of pixels that differ from the frame before, sorted.
    pub changed: Vec<Colour>,
}

impl Tally {
    fn of(before: Option<&[Run]>, now: &[Run]) -> Self {
        let counts = runs::count(now);
        let changed = match before {
            Some(before) => runs::changed(before, now),
            None => counts.iter().map(|(colour, _)| *colour).collect(),
        };
        Self { counts, changed }
    }
}

impl Seen {
    fn of(before: Option<&[Run]>, now: &[Run], merge: bool, room: usize) -> Self {
        let same = merge && before == Some(now);
        let tally = match same {
            true => Tally::default(),
            false => Tally::of(before, now),
        };
        // Opaque frames need no search.
        let has_clear = tally
            .counts
            .first()
            .is_some_and(|(colour, _)| *colour == CLEAR);
        Self {
            same,
            clears: has_clear && before.is_some_and(|before| runs::clears(before, now)),
            tally,
            runs: (!same && now.len() <= room).then(|| now.to_vec()),
        }
    }
}

/// What it takes to draw a frame again.
#[derive(Default)]
pub struct Scratch {
    canvas: Option<Canvas>,
    runs: Vec<Run>,
}

/// A frame as colours, and what it takes to make one.
#[derive(Default)]
pub struct Drawn {
    pub colours: Vec<Colour>,
    scratch: Scratch,
}

impl Drawn {
    /// Puts another frame in its place.
    pub fn fill(&mut self, movie: &Movie, survey: &Survey, frame: usize) {
        self.colours.clear();
        for run in survey.runs(movie, frame, &mut self.scratch) {
            let length = self.colours.len() + run.length as usize;
            self.colours.resize(length, run.colour);
        }
    }
}

impl Survey {
    /// Draws every frame once, and tells the colours of each that is sent. Fails when cancelled.
    pub fn of(
        movie: &Movie,
        view: View,
        steps: &mut Steps,
        mut count: impl FnMut(&Tally),
    ) -> Result<Self, Stop> {
        let mut survey = Self {
            view,
            shown: Vec::new(),
            kept: Vec::with_capacity(movie.frames),
        };
        // Read in parallel, but the bytes of the file do not depend on what is kept.
        let room = AtomicUsize::new(view.room);
        let pass = Pass {
            new: || (Canvas::new(movie.width, movie.height), Vec::new()),
            make: |i: usize, (canvas, runs): &mut (Canvas, Vec<Run>)| {
                (movie.draw)(i, canvas);
                (view.collect)(movie, canvas, runs);
            },
            encode: |_: usize, before: Option<&(Canvas, Vec<Run>)>, now: &(Canvas, Vec<Run>)| {
                let before = before.map(|(_, runs)| &runs[..]);
                Seen::of(before, &now.1, view.merge, room.load(Ordering::Relaxed))
            },
        };
        pipeline::run(movie.frames, &pass, steps, |i, seen| {
            count(&seen.tally);
            survey.add(i, seen, &room);
            Ok(())
        })?;
        Ok(survey)
    }

    fn add(&mut self, frame: usize, seen: Seen, room: &AtomicUsize) {
        match self.shown.last_mut() {
            Some(last) if seen.same => last.frames.end = frame + 1,
            last => {
                if let Some(last) = last {
                    last.clears = seen.clears;
                }
                self.shown.push(Shown {
                    frames: frame..frame + 1,
                    clears: false,
                });
            }
        }
        let left = room.load(Ordering::Relaxed);
        let runs = seen.runs.filter(|runs| runs.len() <= left);
        room.store(left - runs.as_ref().map_or(0, Vec::len), Ordering::Relaxed);
        self.kept.push(runs);
    }

    /// The runs of a frame: kept, or drawn again.
    pub fn runs<'a>(&'a self, movie: &Movie, frame: usize, scratch: &'a mut Scratch) -> &'a [Run] {
        if let Some(runs) = &self.kept[frame] {
            return runs;
        }
        let blank = || Canvas::new(movie.width, movie.height);
        let canvas = scratch.canvas.get_or_insert_with(blank);
        (movie.draw)(frame, canvas);
        (self.view.collect)(movie, canvas, &mut scratch.runs);
        &scratch.runs
    }
}
