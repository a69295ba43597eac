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
use crate::limits::Limit;
use crate::maths::functions::{ceil, modulo, pow, rounding};
use crate::scene::cycles::{Cycle, Misfit, Turns};
use crate::scene::{Clock, Guard, Preroll, Scene, Trouble};
use engine::Engine;
use rayon::prelude::*;
use std::cell::Cell;

/// The frames of a rendering: the spec's own, or others evenly spaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Times in T, one per frame.
    pub times: Vec<f64>,
}

/// A simulation that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A value out of its range, or not finite.
    OutOfRange { time: f64, value: f64, guard: Guard },
    /// A name whose value is not a finite number.
    NotFinite { time: f64, column: u32 },
    /// A body that goes wrong, and the tick at which it does.
    Trouble {
        time: f64,
        tick: f64,
        trouble: Trouble,
    },
    /// More of something than is allowed.
    TooMuch {
        limit: Limit,
        request: f64,
        allowed: u64,
    },
    /// More operations than are allowed by that time, for what meets on the way.
    TooMuchWork { time: f64 },
    /// A frame with more lines and curves than are allowed, and the top-level mark that draws one too many.
    TooManySegments { time: f64, mark: u32 },
    /// More ticks than can be counted.
    TooLong { ticks: f64, limit: f64 },
    /// No frame of a search from which the end leads near enough back.
    NoLoop {
        start: usize,
        distance: f64,
        wanted: f64,
    },
    /// A loop whose state does not come back.
    NotPeriodic {
        cycles: usize,
        seam: f64,
        /// Largest seam allowed.
        wanted: f64,
        /// The step whose state differs most.
        step: usize,
        /// What each cycle leaves of the difference.
        contraction: Option<f64>,
        /// What does not come round a whole number of times.
        misfits: Vec<Misfit>,
    },
}

/// Most ticks of a simulation.
const TICK_LIMIT: f64 = 2e9;
/// Operations of any step at least.
pub(crate) const PER_STEP: f64 = 16.0;
/// Ticks per second.
const TICKS_PER_SECOND: f64 = 60.0;

impl Frames {
    /// The spec's own frames in a range.
    pub fn own(scene: &Scene, range: std::ops::Range<usize>) -> Self {
        let times = range.map(|i| scene.clock.time_of(i as f64)).collect();
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
    let watched: Vec<u32> = wanted.iter().chain(&scene.recorded).copied().collect();
    let mut engine = Engine::new(scene, &watched);
    let bytes = timeline.bytes() as f64 + ticks(scene) * engine.bytes_per_tick();
    scene.allow(Limit::Memory, bytes)?;
    let work = work(scene, &engine, frames);
    scene.allow(Limit::Work, work)?;
    engine.set_room(scene.limits.of(Limit::Work) as f64 - work);
    if engine.has_memory() {
        play(scene, engine, frames, &mut timeline)?;
    } else {
        evaluate_all(&engine, frames, &mut timeline)?;
    }
    Ok(timeline)
}

impl Scene {
    /// Whether there may be so much of something.
    ///
    /// # Errors
    /// If there may not.
    pub(crate) fn allow(&self, limit: Limit, request: f64) -> Result<(), Failure> {
        match self.limits.forbid(limit, request) {
            false => Ok(()),
            true => Err(Failure::TooMuch {
                limit,
                request,
                allowed: self.limits.of(limit),
            }),
        }
    }
}

/// How many ticks time is walked through.
fn ticks(scene: &Scene) -> f64 {
    ceil(scene.clock.horizon / scene.clock.tick())
}

/// Operations that a simulation takes: formulas and steps at every frame and, with memory, at every tick of
/// every cycle.
fn work(scene: &Scene, engine: &Engine, frames: &Frames) -> f64 {
    let ticks = match engine.has_memory() {
        true => ticks(scene),
        false => 0.0,
    };
    let cycles = scene.preroll().map_or(0, |preroll| preroll.cycles) + 1;
    let moments = frames.times.len() as f64 + ticks * cycles as f64;
    let claims = scene.claims.len() as f64 * (PER_STEP + scene.columns as f64);
    let own = scene.operations as f64 + engine.operations() + engine.operations_per_tick();
    moments * own + frames.times.len() as f64 * claims
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
    let ticks = ticks(scene);
    if ticks > TICK_LIMIT {
        return Err(Failure::TooLong {
            ticks,
            limit: TICK_LIMIT,
        });
    }
    engine.start()?;
    if let Some(preroll) = scene.preroll() {
        settle(scene, preroll, &mut engine)?;
    }
    let end = scene.clock.duration;
    let (order, times) = in_order(&frames.times);
    let within = match scene.preroll() {
        Some(_) => times.partition_point(|t| *t < end - rounding(end)),
        None => times.len(),
    };
    let (shown, next) = times.split_at(within);
    let last = shown.last().copied().unwrap_or(0.0).max(end);
    engine.run(shown, last, &mut |frame, row| {
        timeline.take(order[frame], row)
    })?;
    timeline.record = engine.record().clone();
    if next.is_empty() {
        return Ok(());
    }
    // Beyond the end of a loop that repeats its next cycle begins.
    engine.restart()?;
    let next: Vec<f64> = next.iter().map(|t| (t - end).max(0.0)).collect();
    engine.run(&next, end, &mut |frame, row| {
        timeline.take(order[within + frame], row)
    })?;
    for (frame, time) in next.iter().enumerate() {
        timeline.retime(scene, order[within + frame], *time);
    }
    Ok(())
}

/// Which frame comes when, and all times ascending.
fn in_order(times: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let sorted = order.iter().map(|frame| times[*frame]).collect();
    (order, sorted)
}

/// Plays whole cycles until the state comes back.
fn settle(scene: &Scene, preroll: Preroll, engine: &mut Engine) -> Result<(), Failure> {
    let mut seams: Vec<f64> = Vec::new();
    loop {
        let before = engine.state();
        engine.run(&[], scene.clock.duration, &mut |_, _| {})?;
        engine.restart()?;
        let (seam, step) = engine.farthest(&before);
        seams.push(seam);
        if seam <= preroll.seam {
            return Ok(());
        }
        let left = preroll.cycles.saturating_sub(seams.len());
        if left == 0 || is_hopeless(&seams, preroll.seam, left) {
            let misfits = misfits_of(scene, engine)?;
            return Err(not_periodic(&seams, preroll.seam, step, misfits));
        }
    }
}

/// Cycles over which progress is measured.
const PATIENCE: usize = 6;

/// Whether at the measured rate not even twice the cycles that are left would do.
fn is_hopeless(seams: &[f64], wanted: f64, left: usize) -> bool {
    if seams.len() < 2 * PATIENCE {
        return false;
    }
    contraction(seams).is_some_and(|contraction| {
        let best = least(&seams[seams.len() - PATIENCE..]);
        contraction >= 1.0 || best * pow(contraction, 2.0 * left as f64) > wanted
    })
}

/// What each cycle leaves of the difference: the best of the last few against the best of those before, since
/// a difference may swing on its way down.
fn contraction(seams: &[f64]) -> Option<f64> {
    let window = PATIENCE.min(seams.len() / 2);
    let (before, last) = seams.split_at(seams.len() - window);
    let before = least(&before[before.len().checked_sub(window)?..]);
    let usable = window > 0 && before > 0.0;
    usable.then(|| pow(least(last) / before, 1.0 / window as f64))
}

fn least(seams: &[f64]) -> f64 {
    seams.iter().copied().fold(f64::INFINITY, f64::min)
}

/// What is drawn and does not come round a whole number of times in the loop, if that is known beforehand.
pub(crate) fn misfits(scene: &Scene) -> Vec<Misfit> {
    let steps = engine::needed(scene, &scene.drawn);
    scene.misfits(|cycle| match cycle.turns {
        Turns::Every(period) if is_among(scene, &steps, cycle.column) => {
            Some(scene.clock.duration / period)
        }
        _ => None,
    })
}

/// The same of a state that does not come back, seen in one more cycle.
fn misfits_of(scene: &Scene, engine: &mut Engine) -> Result<Vec<Misfit>, Failure> {
    let columns: Vec<u32> = scene.cycles.iter().map(|cycle| cycle.column).collect();
    let mut phases: Vec<f64> = columns.iter().map(|c| engine.row()[*c as usize]).collect();
    let mut turned = vec![0.0; columns.len()];
    let duration = scene.clock.duration;
    let times = (1..=scene.clock.frames).map(|frame| scene.clock.time_of(frame as f64));
    engine.run(&times.collect::<Vec<_>>(), duration, &mut |_, row| {
        for ((column, phase), turned) in columns.iter().zip(&mut phases).zip(&mut turned) {
            let now = row[*column as usize];
            *turned += modulo(now - *phase, 1.0);
            *phase = now;
        }
    })?;
    let count = |cycle: &Cycle| {
        let at = columns.iter().position(|column| *column == cycle.column)?;
        match cycle.turns {
            _ if !is_among(scene, engine.steps(), cycle.column) => None,
            Turns::Every(period) => Some(duration / period),
            Turns::Phase => Some(turned[at]),
        }
    };
    Ok(scene.misfits(count))
}

/// Whether a column is filled by one of these steps.
fn is_among(scene: &Scene, steps: &[usize], column: u32) -> bool {
    let step = scene.step_of(column);
    step.is_some_and(|step| steps.contains(&step))
}

fn not_periodic(seams: &[f64], wanted: f64, step: usize, misfits: Vec<Misfit>) -> Failure {
    Failure::NotPeriodic {
        cycles: seams.len(),
        seam: seams.last().copied().unwrap_or(0.0),
        wanted,
        step,
        contraction: contraction(seams),
        misfits,
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
