//! From a scene to its timeline: one row of numbers per frame.
//!
//! What has no memory is evaluated at each frame's own time, in parallel. What has memory advances on fixed
//! ticks (1/60 s, or one frame when time is counted in frames) and is carried exactly from the last tick to
//! the frame's time, so the output rate never changes the motion.

#[doc(hidden)]
pub mod engine;
mod past;
mod timeline;

pub use past::{Chain, Past, Side};
pub use timeline::Timeline;

use crate::document::TimeUnit;
use crate::maths::functions::rounding;
use crate::scene::{Clock, Guard, Scene};
use engine::Engine;
use rayon::prelude::*;
use std::cell::Cell;

/// The frames of a rendering: the spec's own, or others evenly spaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Times in T, ascending, one per frame.
    pub times: Vec<f64>,
}

/// A simulation that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A value out of its range, or not finite.
    OutOfRange { time: f64, value: f64, guard: Guard },
    /// A name whose value is not a finite number.
    NotFinite { time: f64, column: u32 },
    /// The timeline would not fit into memory.
    TooLarge { bytes: u64, limit: u64 },
    /// More ticks than can be simulated.
    TooLong { ticks: f64, limit: f64 },
    /// A loop whose state does not come back.
    NotPeriodic {
        cycles: usize,
        seam: f64,
        contraction: f64,
    },
}

/// Most bytes of a timeline.
const TIMELINE_LIMIT: u64 = 2 << 30;
/// Most ticks of a simulation.
const TICK_LIMIT: f64 = 1e7;
/// Ticks per second.
const TICKS_PER_SECOND: f64 = 60.0;

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

impl Clock {
    /// Length of a tick in T.
    pub fn tick(&self) -> f64 {
        match self.unit {
            TimeUnit::Seconds => 1.0 / TICKS_PER_SECOND,
            TimeUnit::Frames => 1.0,
        }
    }

    /// The time of a tick in T.
    fn tick_time(&self, tick: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => tick / TICKS_PER_SECOND,
            TimeUnit::Frames => tick,
        }
    }
}

/// Evaluates the columns that are wanted, and what they depend on, at every frame.
///
/// # Errors
/// The first time at which a value is out of range or not finite, or a limit that the request is beyond.
pub fn simulate(scene: &Scene, frames: &Frames, wanted: &[u32]) -> Result<Timeline, Failure> {
    let mut timeline = Timeline::new(scene, frames, wanted);
    let bytes = timeline.bytes();
    if bytes > TIMELINE_LIMIT {
        return Err(Failure::TooLarge {
            bytes,
            limit: TIMELINE_LIMIT,
        });
    }
    let watched: Vec<u32> = wanted.iter().chain(&scene.recorded).copied().collect();
    let engine = Engine::new(scene, &watched);
    if engine.has_memory() {
        play(scene, engine, frames, &mut timeline)?;
    } else {
        evaluate_all(&engine, frames, &mut timeline)?;
    }
    Ok(timeline)
}

/// Without memory every frame stands for itself.
fn evaluate_all(engine: &Engine, frames: &Frames, timeline: &mut Timeline) -> Result<(), Failure> {
    let outcomes: Vec<Result<(), Failure>> = timeline
        .rows_mut()
        .zip(frames.times.par_iter())
        .map_init(
            || engine.clone(),
            |engine, (kept, time)| {
                engine.evaluate(*time)?;
                kept.take_from(engine.row());
                Ok(())
            },
        )
        .collect();
    outcomes.into_iter().collect()
}

/// With memory time is walked through once, or in a loop with `preroll` as often as its state needs to
/// come back.
fn play(
    scene: &Scene,
    mut engine: Engine,
    frames: &Frames,
    timeline: &mut Timeline,
) -> Result<(), Failure> {
    let ticks = scene.clock.duration / scene.clock.tick();
    if ticks > TICK_LIMIT {
        return Err(Failure::TooLong {
            ticks,
            limit: TICK_LIMIT,
        });
    }
    engine.start()?;
    let mut seams: Vec<f64> = Vec::new();
    if let Some(preroll) = scene.preroll() {
        loop {
            let before = engine.state();
            engine.run(&[], &mut |_, _| {})?;
            engine.restart()?;
            seams.push(engine.distance(&before));
            if *seams.last().unwrap_or(&0.0) <= preroll.seam {
                break;
            }
            if seams.len() >= preroll.cycles {
                return Err(not_periodic(&seams));
            }
        }
    }
    let end = scene.clock.duration;
    let within = match scene.preroll() {
        Some(_) => frames.times.partition_point(|t| *t < end - rounding(end)),
        None => frames.times.len(),
    };
    let (shown, next) = frames.times.split_at(within);
    engine.run(shown, &mut |frame, row| timeline.take(frame, row))?;
    timeline.record = engine.record().clone();
    if next.is_empty() {
        return Ok(());
    }
    // Beyond the end of a loop that repeats its next cycle begins.
    engine.restart()?;
    let next: Vec<f64> = next.iter().map(|t| (t - end).max(0.0)).collect();
    engine.run(&next, &mut |frame, row| timeline.take(within + frame, row))?;
    for (frame, time) in next.iter().enumerate() {
        timeline.retime(scene, within + frame, *time);
    }
    Ok(())
}

fn not_periodic(seams: &[f64]) -> Failure {
    let seam = seams.last().copied().unwrap_or(0.0);
    let contraction = match seams {
        [.., before, last] if *before > 0.0 => last / before,
        _ => f64::NAN,
    };
    Failure::NotPeriodic {
        cycles: seams.len(),
        seam,
        contraction,
    }
}

/// The first guard that was violated, as a failure.
pub fn violated(scene: &Scene, violation: &Cell<Option<(u32, f64)>>, time: f64) -> Option<Failure> {
    let (guard, value) = violation.get()?;
    Some(Failure::OutOfRange {
        time,
        value,
        guard: scene.guards[guard as usize].clone(),
    })
}
