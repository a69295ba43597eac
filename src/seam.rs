//! Where the end of an animation meets its start.

use crate::picture::Picture;
use crate::scene::Scene;
use crate::simulate::{Frames, Timeline, simulate};
use crate::stage::Frame;

/// Rows at t = 0 and at t = duration; both empty if they cannot be evaluated.
pub fn rows(scene: &Scene) -> (Vec<f64>, Vec<f64>) {
    let (mut start, mut end) = (Vec::new(), Vec::new());
    if let Some(ends) = ends(scene) {
        ends.row(0, &mut start);
        ends.row(1, &mut end);
    }
    (start, end)
}

fn ends(scene: &Scene) -> Option<Timeline> {
    let frames = Frames {
        times: vec![0.0, scene.clock.duration],
    };
    simulate(scene, &frames, &scene.drawn).ok()
}

/// The largest distance in px between what is drawn at t = 0 and what would be drawn at t = duration, and
/// what it belongs to; what texts say does not count. Infinite where something is drawn at one end only.
pub fn drawn(scene: &Scene) -> (f64, String) {
    let Some(ends) = ends(scene) else {
        return (f64::INFINITY, "a value out of range".into());
    };
    let at = |frame: usize| {
        let mut picture = Picture::default();
        let frame = Frame {
            scene,
            timeline: &ends,
            frame,
        };
        frame.places(&mut picture).map(|()| picture)
    };
    let (Ok(start), Ok(end)) = (at(0), at(1)) else {
        return (f64::INFINITY, "a value out of range".into());
    };
    match start.farthest(&end) {
        None => (0.0, "nothing is drawn".into()),
        Some((distance, mark)) => {
            let kind = scene
                .mark_kinds
                .get(mark as usize)
                .copied()
                .unwrap_or("mark");
            (distance, format!("draw[{mark}] ({kind})"))
        }
    }
}
