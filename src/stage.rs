//! Marks on a row: one frame's display list.

use crate::formula::Inputs;
use crate::limits::Limit;
use crate::marks::Pen;
use crate::picture::{Cost, Flaw, ITEM_COST, Picture, Seen};
use crate::scene::Scene;
use crate::simulate::{Failure, Past, Timeline, violated};
use rayon::prelude::*;
use std::cell::Cell;

/// One frame of a simulated scene.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    pub scene: &'a Scene,
    pub timeline: &'a Timeline,
    /// Its number in the timeline.
    pub frame: usize,
}

impl Frame<'_> {
    /// Fills its display list, in device pixels at this scale.
    ///
    /// # Errors
    /// The first of the marks' numbers that is out of range; the list is complete all the same, with the
    /// nearest number that is not.
    pub fn picture(&self, scale: f64, picture: &mut Picture) -> Result<(), Failure> {
        self.draw(scale, picture, |_| {})
    }

    /// As [`Frame::picture`]; too many lines and curves are a failure too.
    fn within_limits(&self, scale: f64, picture: &mut Picture) -> Result<(), Failure> {
        self.picture(scale, picture)?;
        let time = self.timeline.time(self.frame);
        match picture.full {
            Some(mark) => Err(Failure::TooManySegments { time, mark }),
            None => Ok(()),
        }
    }

    /// As [`Frame::picture`] at scale 1, but of texts only where they stand: what they say may change.
    ///
    /// # Errors
    /// As [`Frame::picture`].
    pub fn places(&self, picture: &mut Picture) -> Result<(), Failure> {
        self.draw(1.0, picture, |pen| pen.leave_letters_out())
    }

    /// As [`Frame::places`], with everything that scrolls at rest.
    ///
    /// # Errors
    /// As [`Frame::picture`].
    pub fn unscrolled(&self, picture: &mut Picture) -> Result<(), Failure> {
        self.draw(1.0, picture, |pen| {
            pen.leave_letters_out();
            pen.stop_scrolling();
        })
    }

    fn draw(
        &self,
        scale: f64,
        picture: &mut Picture,
        prepare: impl FnOnce(&mut Pen),
    ) -> Result<(), Failure> {
        let mut row = Vec::new();
        self.timeline.row(self.frame, &mut row);
        picture.clear();
        let violation = Cell::new(None);
        let inputs = Inputs::new(&row, &[], &violation);
        let past = Past::new(self.scene, self.timeline);
        let mut pen = Pen::new(inputs, past, picture, scale);
        prepare(&mut pen);
        for (i, mark) in self.scene.marks.iter().enumerate() {
            pen.set_mark(i as u32);
            mark.draw(&mut pen);
        }
        let time = self.timeline.time(self.frame);
        violated(self.scene, &violation, time).map_or(Ok(()), Err)
    }
}

/// Frames rehearsed at a time.
const BATCH: usize = 256;

/// What all frames come to, known before the first is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rehearsal {
    /// What it takes to paint all frames at scale 1; of layers and clips the most of any frame.
    pub cost: Cost,
    /// What is not drawn as it was asked for, by mark, with the first frame of each.
    pub flaws: Vec<(Flaw, usize)>,
    /// For each mark of the top level whether it draws anything, and whether any of that is inside the picture.
    pub seen: Vec<Seen>,
}

impl Rehearsal {
    /// Takes over what a frame comes to.
    fn add(&mut self, frame: usize, part: Part) {
        self.cost.pixels += part.cost.pixels;
        self.cost.layers = self.cost.layers.max(part.cost.layers);
        self.cost.clips = self.cost.clips.max(part.cost.clips);
        self.seen.resize(part.seen.len(), Seen::Nothing);
        for (seen, now) in self.seen.iter_mut().zip(part.seen) {
            *seen = (*seen).max(now);
        }
        for flaw in part.flaws {
            if !self.flaws.iter().any(|(known, _)| known.is_like(&flaw)) {
                self.flaws.push((flaw, frame));
            }
        }
    }
}

/// What one frame comes to.
struct Part {
    cost: Cost,
    flaws: Vec<Flaw>,
    seen: Vec<Seen>,
}

/// What it takes at least to paint so many frames, known before any of them is.
///
/// # Errors
/// For more than may be painted, and for more looks into the past than there may be operations.
pub fn least_cost(scene: &Scene, frames: usize) -> Result<Cost, Failure> {
    scene.allow(Limit::Work, scene.looks * frames as f64)?;
    let pixels = ITEM_COST * scene.shapes as f64 * frames as f64;
    scene.allow(Limit::Paint, pixels)?;
    Ok(Cost {
        pixels,
        ..Cost::default()
    })
}

/// Runs through all frames without drawing, so that what is wrong is known before the first is drawn.
///
/// # Errors
/// The first frame at which a mark's number is out of range or not finite, or that has too many lines and curves.
pub fn rehearse(scene: &Scene, timeline: &Timeline, scale: f64) -> Result<Rehearsal, Failure> {
    let canvas = [scene.clock.width * scale, scene.clock.height * scale];
    let place = |frame: usize| Frame {
        scene,
        timeline,
        frame,
    };
    let part = |picture: &mut Picture, frame: usize| {
        place(frame).within_limits(scale, picture)?;
        Ok(Part {
            cost: picture.cost(canvas),
            flaws: picture.flaws.clone(),
            seen: picture.seen(scene.marks.len(), canvas),
        })
    };
    let all: Vec<usize> = (0..timeline.frames()).collect();
    least_cost(scene, all.len())?;
    let mut rehearsal = Rehearsal::default();
    if !all.is_empty() {
        // What is too much there already need not be kept, nor made by every thread.
        place(0).within_limits(scale, &mut Picture::counting())?;
    }
    for batch in all.chunks(BATCH) {
        let outcomes: Vec<Result<Part, Failure>> = batch
            .par_iter()
            .map_init(Picture::default, |picture, frame| part(picture, *frame))
            .collect();
        for (frame, outcome) in batch.iter().zip(outcomes) {
            rehearsal.add(*frame, outcome?);
        }
        // Before more time is spent on it.
        scene.allow(Limit::Paint, rehearsal.cost.pixels)?;
    }
    Ok(rehearsal)
}
