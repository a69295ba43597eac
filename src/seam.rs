//! Where the end of an animation meets its start.

use crate::picture::Picture;
use crate::scene::{Scene, Search};
use crate::simulate::{Failure, Frames, Timeline, simulate};
use crate::stage::{Frame, least_cost};

/// How a loop closes.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Largest distance in px between what is drawn at the end and at the start.
    pub distance: f64,
    /// What it belongs to: `draw[3] (path)`.
    pub whose: String,
    /// Largest difference between the last step of a frame and the first, px per frame.
    pub speed: f64,
    /// The largest step of a frame, in the median of some frames, px.
    pub step: f64,
}

/// Steps that stand for all when a typical one is measured.
const STEPS: usize = 16;

/// The frame of a search from which a whole length leads nearest back to what is drawn in it, and how near
/// in px; the first of equals.
///
/// # Errors
/// The first time at which a value is out of range or not finite.
pub fn best_start(scene: &Scene, search: Search) -> Result<(usize, f64), Failure> {
    let frames = scene.clock.frames;
    let starts = search.first..=search.last;
    least_cost(scene, 2 * starts.clone().count())?;
    let both = starts
        .clone()
        .chain(starts.clone().map(|start| start + frames));
    let times = both
        .map(|frame| scene.clock.time_of(frame as f64))
        .collect();
    let timeline = simulate(scene, &Frames { times }, &scene.drawn)?;
    let count = starts.clone().count();
    let mut best = (search.first, f64::INFINITY);
    for (row, start) in starts.enumerate() {
        let (distance, _) = between(scene, &timeline, [row, row + count]);
        if distance < best.1 {
            best = (start, distance);
        }
    }
    Ok(best)
}

/// The largest distance in px between what is drawn in two rows, and what it belongs to; what texts say does
/// not count. Infinite where something is drawn in one only.
pub fn between(scene: &Scene, timeline: &Timeline, rows: [usize; 2]) -> (f64, String) {
    let ends = rows.map(|row| shown(scene, timeline, row, Frame::places));
    let [Some(start), Some(end)] = &ends else {
        return (f64::INFINITY, "a value out of range".into());
    };
    match start.farthest(end) {
        None => (0.0, "nothing is drawn".into()),
        Some((distance, mark)) => (distance, scene.mark_in_words(mark)),
    }
}

/// How a loop closes whose frames are the first rows of a timeline, and whose end is the row after them.
pub fn of(scene: &Scene, timeline: &Timeline, frames: usize) -> Seam {
    let (distance, whose) = between(scene, timeline, [0, frames]);
    let step = |from: usize| between(scene, timeline, [from, from + 1]).0;
    let count = frames.min(STEPS);
    let mut steps: Vec<f64> = (0..count).map(|k| step(k * frames / count)).collect();
    steps.sort_by(f64::total_cmp);
    Seam {
        distance,
        whose,
        speed: change_of_speed(scene, timeline, frames).unwrap_or(f64::INFINITY),
        step: steps[count / 2],
    }
}

/// The largest difference of a point's last step and its first, with everything that scrolls at rest.
fn change_of_speed(scene: &Scene, timeline: &Timeline, frames: usize) -> Option<f64> {
    let rows = [0, 1.min(frames), frames.saturating_sub(1), frames];
    let pictures = rows.map(|row| shown(scene, timeline, row, Frame::unscrolled));
    let [Some(first), Some(second), Some(before), Some(end)] = &pictures else {
        return None;
    };
    let same =
        |other: &&Picture| other.verbs == first.verbs && other.points.len() == first.points.len();
    if ![second, before, end].iter().all(same) {
        return None;
    }
    let change = |i: usize| {
        let last = end.points[i] - before.points[i];
        let next = second.points[i] - first.points[i];
        (next - last).length()
    };
    Some((0..first.points.len()).fold(0.0, |most: f64, i| most.max(change(i))))
}

/// What is drawn in a row, in one of the ways of a [`Frame`]; nothing if something is out of range.
fn shown<'f>(
    scene: &'f Scene,
    timeline: &'f Timeline,
    frame: usize,
    draw: impl Fn(&Frame<'f>, &mut Picture) -> Result<(), Failure>,
) -> Option<Picture> {
    let mut picture = Picture::default();
    let frame = Frame {
        scene,
        timeline,
        frame,
    };
    draw(&frame, &mut picture).ok().map(|()| picture)
}
