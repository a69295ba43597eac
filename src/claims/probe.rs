//! For tests: what one claim says about a small spec.

use super::{Film, Verdict};
use crate::scene::probe::Probe;
use crate::simulate::{Frames, simulate};

/// The verdict of a claim about a spec with these sections.
pub fn verdict(sections: &str, claim: &str) -> Verdict {
    let scene = Probe::drawing(&format!(r#"{sections}, "expect": [{claim}]"#))
        .loaded()
        .scene;
    let frames = Frames::own(&scene, 0..scene.clock.frames);
    let timeline = simulate(&scene, &frames, &scene.drawn).unwrap();
    let film = Film {
        scene: &scene,
        timeline: &timeline,
    };
    scene.claims[0].claim.judge(&film)
}
