//! The numbers of every frame.

use super::Frames;
use super::past::Record;
use crate::scene::Scene;
use crate::scene::builder::{BASE_COLUMNS, FRAME, TIME};
use rayon::prelude::*;

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
    /// What names with memory were at the ticks, for marks that look back.
    pub(super) record: Record,
}

/// The kept part of one row.
pub(super) struct Kept<'t> {
    columns: &'t [u32],
    values: &'t mut [f64],
}

impl Kept<'_> {
    /// Copies what is kept of a whole row.
    pub fn take_from(self, row: &[f64]) {
        for (value, column) in self.values.iter_mut().zip(self.columns) {
            *value = row[*column as usize];
        }
    }
}

impl Timeline {
    pub(super) fn new(scene: &Scene, frames: &Frames, wanted: &[u32]) -> Self {
        let mut columns: Vec<u32> = wanted
            .iter()
            .copied()
            .filter(|c| *c >= BASE_COLUMNS)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let number = |time: &f64| scene.clock.frame_at(*time);
        Self {
            columns,
            values: Vec::new(),
            width: scene.columns,
            numbers: frames.times.iter().map(number).collect(),
            times: frames.times.clone(),
            record: Record::default(),
        }
    }

    /// How many bytes its values take.
    pub(super) fn bytes(&self) -> u64 {
        self.columns.len() as u64 * self.times.len() as u64 * 8
    }

    fn allocate(&mut self) {
        self.values
            .resize(self.columns.len() * self.times.len(), 0.0);
    }

    /// The kept part of every row.
    pub(super) fn rows_mut(&mut self) -> impl IndexedParallelIterator<Item = Kept<'_>> {
        self.allocate();
        let columns = self.columns.as_slice();
        let width = columns.len();
        // Frames without any kept number still are evaluated: they may be wrong all the same.
        let slots: Vec<&mut [f64]> = match width {
            0 => self.times.iter().map(|_| Default::default()).collect(),
            _ => self.values.chunks_mut(width).collect(),
        };
        slots
            .into_par_iter()
            .map(move |values| Kept { columns, values })
    }

    /// Keeps what is kept of a frame's whole row.
    pub(super) fn take(&mut self, frame: usize, row: &[f64]) {
        self.allocate();
        let width = self.columns.len();
        let kept = Kept {
            columns: &self.columns,
            values: &mut self.values[frame * width..(frame + 1) * width],
        };
        kept.take_from(row);
    }

    /// Gives a frame another time.
    pub(super) fn retime(&mut self, scene: &Scene, frame: usize, time: f64) {
        self.times[frame] = time;
        self.numbers[frame] = scene.clock.frame_at(time);
    }

    /// The scene's columns that are kept, ascending.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

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
