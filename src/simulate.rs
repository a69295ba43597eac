//! From a scene to its timeline: one row of numbers per frame.

use crate::formula::Inputs;
use crate::scene::builder::{FRAME, TIME};
use crate::scene::{Guard, Scene, Step};
use rayon::prelude::*;
use std::cell::Cell;

/// The frames of a rendering: the spec's own, or others evenly spaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Times in T, one per frame.
    pub times: Vec<f64>,
}

/// One row per frame, one column per number that is drawn or asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// The scene's columns that are kept, ascending.
    columns: Vec<u32>,
    /// Row by row.
    values: Vec<f64>,
    /// Number of columns of a whole row.
    width: usize,
    times: Vec<f64>,
    numbers: Vec<f64>,
}

/// A simulation that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A value out of its range, or not finite.
    OutOfRange {
        frame: usize,
        time: f64,
        value: f64,
        guard: Guard,
    },
    /// A name whose value is not a finite number.
    NotFinite {
        frame: usize,
        time: f64,
        column: u32,
    },
    /// The timeline would not fit into memory.
    TooLarge { bytes: u64, limit: u64 },
}

/// Most bytes of a timeline.
const TIMELINE_LIMIT: u64 = 2 << 30;

impl Frames {
    /// The spec's own frames in a range.
    pub fn own(scene: &Scene, range: std::ops::Range<usize>) -> Self {
        let times = range.map(|i| scene.clock.time_of(i as f64)).collect();
        Self { times }
    }

    /// Frames of a range at another rate: as many as fit, spread evenly, so that a loop stays closed.
    pub fn at_rate(scene: &Scene, range: std::ops::Range<usize>, fps: f64) -> Self {
        let seconds = range.len() as f64 / scene.clock.fps;
        Self::spread(scene, range, ((seconds * fps + 1e-6) as usize).max(1))
    }

    /// `count` frames spread evenly over the frames of a range: the j-th at start + j · length / count.
    fn spread(scene: &Scene, range: std::ops::Range<usize>, count: usize) -> Self {
        let (start, length) = (range.start as f64, range.len() as f64);
        let frame = |j: usize| start + j as f64 * length / count as f64;
        let times = (0..count).map(|j| scene.clock.time_of(frame(j))).collect();
        Self { times }
    }
}

/// Evaluates the columns that are wanted, and what they depend on, at every frame.
///
/// # Errors
/// The first frame at which a value is out of range or not finite, or a timeline beyond the limit.
pub fn simulate(scene: &Scene, frames: &Frames, wanted: &[u32]) -> Result<Timeline, Failure> {
    let steps = needed(scene, wanted);
    let mut columns: Vec<u32> = wanted.iter().copied().filter(|c| *c > FRAME).collect();
    columns.sort_unstable();
    columns.dedup();
    let bytes = columns.len() as u64 * frames.times.len() as u64 * 8;
    if bytes > TIMELINE_LIMIT {
        return Err(Failure::TooLarge {
            bytes,
            limit: TIMELINE_LIMIT,
        });
    }
    let mut values = vec![0.0; columns.len() * frames.times.len()];
    let width = columns.len().max(1);
    let failures: Vec<Option<Failure>> = values
        .par_chunks_mut(width)
        .zip(frames.times.par_iter().enumerate())
        .map_init(
            || vec![0.0; scene.columns],
            |row, (kept, (i, time))| {
                let failure = evaluate(scene, &steps, *time, i, row);
                for (slot, column) in kept.iter_mut().zip(&columns) {
                    *slot = row[*column as usize];
                }
                failure
            },
        )
        .collect();
    if let Some(failure) = failures.into_iter().flatten().next() {
        return Err(failure);
    }
    let numbers = frames.times.iter().map(|t| scene.clock.frame_at(*t));
    Ok(Timeline {
        numbers: numbers.collect(),
        columns,
        values,
        width: scene.columns,
        times: frames.times.clone(),
    })
}

/// The steps that the wanted columns depend on, in order.
fn needed<'s>(scene: &'s Scene, wanted: &[u32]) -> Vec<&'s Step> {
    let mut alive = vec![false; scene.columns];
    for column in wanted {
        alive[*column as usize] = true;
    }
    let mut steps: Vec<&Step> = Vec::new();
    for step in scene.steps.iter().rev() {
        let outputs = step.first as usize..(step.first + step.outputs) as usize;
        if alive[outputs].iter().any(|a| *a) {
            for column in &step.reads {
                alive[*column as usize] = true;
            }
            steps.push(step);
        }
    }
    steps.reverse();
    steps
}

/// Fills a row; returns what went wrong first.
fn evaluate(
    scene: &Scene,
    steps: &[&Step],
    time: f64,
    frame: usize,
    row: &mut [f64],
) -> Option<Failure> {
    row[TIME as usize] = time;
    row[FRAME as usize] = scene.clock.frame_at(time);
    let violation = Cell::new(None);
    for step in steps {
        let (before, rest) = row.split_at_mut(step.first as usize);
        let inputs = Inputs::new(before, &[], &violation);
        let out = &mut rest[..step.outputs as usize];
        step.signal.evaluate(&inputs, out);
        if let Some(i) = out.iter().position(|v| !v.is_finite()) {
            return Some(
                violated(scene, &violation, frame, time).unwrap_or(Failure::NotFinite {
                    frame,
                    time,
                    column: step.first + i as u32,
                }),
            );
        }
    }
    violated(scene, &violation, frame, time)
}

/// The first guard that was violated, as a failure.
pub fn violated(
    scene: &Scene,
    violation: &Cell<Option<(u32, f64)>>,
    frame: usize,
    time: f64,
) -> Option<Failure> {
    let (guard, value) = violation.get()?;
    Some(Failure::OutOfRange {
        frame,
        time,
        value,
        guard: scene.guards[guard as usize].clone(),
    })
}

impl Timeline {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Time of a frame in T.
    pub fn time(&self, frame: usize) -> f64 {
        self.times[frame]
    }

    /// A whole row, with zeros in the columns that were not kept.
    pub fn row(&self, frame: usize, row: &mut Vec<f64>) {
        row.clear();
        row.resize(self.width, 0.0);
        row[TIME as usize] = self.times[frame];
        row[FRAME as usize] = self.numbers[frame];
        let kept = self.columns.len();
        let values = &self.values[frame * kept..(frame + 1) * kept];
        for (column, value) in self.columns.iter().zip(values) {
            row[*column as usize] = *value;
        }
    }
}
