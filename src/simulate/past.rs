//! What was, and what will be: rows at other times than a frame's own.
//!
//! Names without memory are evaluated exactly at the time asked for. Others run straight between the
//! moments at which they were recorded: every tick, and both sides of every jump known beforehand.

use super::Timeline;
use crate::formula::Inputs;
use crate::maths::functions::{floor, lerp, rounding};
use crate::scene::builder::{FRAME, SIDE, TIME};
use crate::scene::{Behaviour, Scene, Step, step_of};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// From which side a moment is approached; it matters at jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

impl Side {
    /// As it stands in the row.
    pub(super) fn in_row(self) -> f64 {
        f64::from(u8::from(self == Self::Before))
    }
}

/// What some columns were at some moments, in order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub(super) columns: Vec<u32>,
    times: Vec<f64>,
    /// Moment by moment.
    values: Vec<f64>,
}

impl Record {
    pub(super) fn of(columns: Vec<u32>) -> Self {
        Self {
            columns,
            ..Self::default()
        }
    }

    /// Makes room for so many moments at once.
    pub(super) fn reserve(&mut self, moments: usize) {
        if !self.columns.is_empty() {
            self.times.reserve(moments);
            self.values.reserve(moments * self.columns.len());
        }
    }

    pub(super) fn push(&mut self, time: f64, row: &[f64]) {
        if self.columns.is_empty() {
            return;
        }
        self.times.push(time);
        self.values
            .extend(self.columns.iter().map(|c| row[*c as usize]));
    }

    /// The value of a recorded column; held before the first moment and after the last.
    pub(super) fn at(&self, column: u32, time: f64, side: Side) -> f64 {
        let Some(slot) = self.columns.iter().position(|c| *c == column) else {
            return 0.0;
        };
        let value = |moment: usize| self.values[moment * self.columns.len() + slot];
        // Of two moments at the same time the later one holds, but for who comes from before.
        let slack = rounding(time);
        let after = match side {
            Side::Before => self.times.partition_point(|t| *t < time - slack),
            Side::After => self.times.partition_point(|t| *t <= time + slack),
        };
        match (after.checked_sub(1), self.times.get(after)) {
            (None, None) => 0.0,
            (None, Some(_)) => value(0),
            (Some(before), None) => value(before),
            (Some(before), Some(end)) => {
                let start = self.times[before];
                let u = ((time - start) / (end - start)).clamp(0.0, 1.0);
                lerp(value(before), value(after), u)
            }
        }
    }
}

/// What is needed to know some columns at any time: steps without memory, and recorded columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// Indices of the scene's steps, in order.
    pub(super) steps: Vec<usize>,
    /// Columns that have to be recorded.
    pub recorded: Vec<u32>,
    /// Times at which the columns jump, ascending.
    pub jumps: Arc<[f64]>,
    /// Operations that it takes to know them once.
    pub operations: f64,
}

impl Chain {
    /// What these columns need.
    pub fn of(steps: &[Step], columns: impl IntoIterator<Item = u32>) -> Self {
        let mut chain = Self::default();
        let mut wanted: Vec<u32> = columns.into_iter().collect();
        chain.jumps = jumps(steps, &wanted);
        let mut seen = BTreeSet::new();
        while let Some(column) = wanted.pop() {
            let Some(index) = step_of(steps, column) else {
                continue;
            };
            if !seen.insert(column) {
                continue;
            }
            let step = &steps[index];
            match &step.behaviour {
                // What it reads is wanted at another time, for which it has a chain of its own.
                Behaviour::LookBack(look) if step.memoryless => {
                    chain.steps.push(index);
                    chain.recorded.extend(&look.chain.recorded);
                }
                _ if step.memoryless => {
                    chain.steps.push(index);
                    wanted.extend(&step.reads);
                }
                _ => chain.recorded.push(column),
            }
        }
        chain.steps.sort_unstable();
        chain.steps.dedup();
        chain.recorded.sort_unstable();
        chain.recorded.dedup();
        let operations = chain.steps.iter().map(|index| steps[*index].operations);
        chain.operations = operations.sum();
        chain
    }
}

/// All times at which columns jump, ascending.
fn jumps(steps: &[Step], columns: &[u32]) -> Arc<[f64]> {
    let steps = columns
        .iter()
        .filter_map(|c| step_of(steps, *c))
        .map(|index| &steps[index]);
    let mut all: Vec<f64> = steps.flat_map(|step| step.jumps.iter().copied()).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.dedup();
    all.into()
}

/// Looks at other times of a simulated scene.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    scene: &'a Scene,
    record: &'a Record,
}

impl<'a> Past<'a> {
    /// The past of a timeline.
    pub fn new(scene: &'a Scene, timeline: &'a Timeline) -> Self {
        Self {
            scene,
            record: &timeline.record,
        }
    }

    /// The scene itself.
    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// Before the start of a loop that repeats lies its end; otherwise there is nothing.
    pub fn wrap(&self, time: f64) -> Option<f64> {
        wrap(self.scene, time)
    }

    /// Fills the columns of a chain at a time, come from one side.
    pub fn row(&self, chain: &Chain, time: f64, side: Side, row: &mut Vec<f64>) {
        row.clear();
        row.resize(self.scene.columns, 0.0);
        fill(self.scene, self.record, chain, (time, side), row);
    }
}

/// A time before 0 in a loop that repeats, as a time of the loop.
pub(super) fn wrap(scene: &Scene, time: f64) -> Option<f64> {
    if time >= -rounding(scene.clock.duration) {
        return Some(time.max(0.0));
    }
    let lap = scene.clock.duration;
    scene.repeats().then(|| time - floor(time / lap) * lap)
}

/// Fills the columns of a chain at a moment.
pub(super) fn fill(
    scene: &Scene,
    record: &Record,
    chain: &Chain,
    (time, side): (f64, Side),
    row: &mut [f64],
) {
    row[TIME as usize] = time;
    row[FRAME as usize] = scene.clock.frame_at(time);
    row[SIDE as usize] = side.in_row();
    for column in &chain.recorded {
        row[*column as usize] = record.at(*column, time, side);
    }
    let violation = Cell::new(None);
    for index in &chain.steps {
        let step = &scene.steps[*index];
        let (before, rest) = row.split_at_mut(step.first as usize);
        let out = &mut rest[..step.outputs as usize];
        match &step.behaviour {
            Behaviour::Signal(signal) => {
                signal.evaluate(&Inputs::new(before, &[], &violation), out);
            }
            Behaviour::LookBack(look) => {
                let mut other = vec![0.0; scene.columns];
                let earlier = wrap(scene, time - look.by).unwrap_or(0.0);
                fill(scene, record, &look.chain, (earlier, side), &mut other);
                out[0] = other[look.of as usize];
            }
            Behaviour::Memory(_) => {}
        }
    }
}
