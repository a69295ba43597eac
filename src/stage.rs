//! Marks on a row: one frame's display list.

use crate::formula::Inputs;
use crate::marks::Pen;
use crate::picture::Picture;
use crate::scene::Scene;
use crate::simulate::{Failure, Timeline, violated};
use rayon::prelude::*;
use std::cell::Cell;

/// Fills the display list of a frame, in device pixels at this scale. Returns what was out of range.
pub fn picture_at(
    scene: &Scene,
    timeline: &Timeline,
    frame: usize,
    scale: f64,
    picture: &mut Picture,
) -> Option<Failure> {
    let mut row = Vec::new();
    timeline.row(frame, &mut row);
    picture.clear();
    let violation = Cell::new(None);
    let inputs = Inputs::new(&row, &[], &violation);
    let mut pen = Pen::new(inputs, picture, &scene.transforms, scale);
    for (i, mark) in scene.marks.iter().enumerate() {
        pen.set_mark(i as u32);
        mark.draw(&mut pen);
    }
    violated(scene, &violation, frame, timeline.time(frame))
}

/// Runs through all frames without drawing, so that what is wrong is known before the first is drawn.
///
/// # Errors
/// The first frame at which a mark's number is out of range or not finite.
pub fn rehearse(scene: &Scene, timeline: &Timeline) -> Result<(), Failure> {
    let failures: Vec<Option<Failure>> = (0..timeline.frames())
        .into_par_iter()
        .map_init(Picture::default, |picture, frame| {
            picture_at(scene, timeline, frame, 1.0, picture)
        })
        .collect();
    match failures.into_iter().flatten().next() {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}
