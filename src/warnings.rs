//! What only frames show, and what may surprise: found in a timeline, said at its place in the spec.

use crate::document::TimeUnit;
use crate::limits::Limit;
use crate::maths::functions::round;
use crate::picture::{FARTHEST, Flaw, FlawKind, Seen};
use crate::scene::{Clock, Scene, Watch};
use crate::simulate::Timeline;
use crate::spec::problem::{Problem, short};

impl Clock {
    /// A moment in words, with the number of the spec's own frame.
    pub fn frame_in_words(&self, time: f64) -> String {
        let frame = round(self.frame_at(time));
        match self.unit {
            TimeUnit::Seconds => format!("frame {frame} ({time:.2} s)"),
            TimeUnit::Frames => format!("frame {frame}"),
        }
    }
}

/// Warnings about what happens in the frames of a timeline, one per place.
pub fn of_timeline(scene: &Scene, timeline: &Timeline) -> Vec<Problem> {
    let mut found: Vec<Missed> = Vec::new();
    let mut seen: Vec<Option<Missed>> = vec![None; scene.watches.len()];
    let mut row = Vec::new();
    for frame in 0..timeline.frames() {
        if scene.watches.is_empty() {
            break;
        }
        timeline.row(frame, &mut row);
        for (watch, seen) in scene.watches.iter().zip(&mut seen) {
            let missed = row[watch.column as usize];
            if missed > 0.0 {
                let first = timeline.time(frame);
                let known = seen.get_or_insert(Missed {
                    watch,
                    first,
                    most: missed,
                });
                known.most = known.most.max(missed);
            }
        }
    }
    // Every instance of a part has its limb at the same place: the first one speaks for all.
    for missed in seen.into_iter().flatten() {
        if !found
            .iter()
            .any(|other| other.watch.span == missed.watch.span)
        {
            found.push(missed);
        }
    }
    found
        .iter()
        .map(|missed| missed.problem(&scene.clock))
        .collect()
}

/// Warnings about marks that cannot be drawn as they are, each with the first frame of it.
pub fn of_marks(scene: &Scene, timeline: &Timeline, flaws: &[(Flaw, usize)]) -> Vec<Problem> {
    let problem = |(flaw, frame): &(Flaw, usize)| {
        let mark = scene.mark_in_words(flaw.mark);
        let when = scene.clock.frame_in_words(timeline.time(*frame));
        let span = scene.mark_span(flaw.mark);
        match flaw.kind {
            FlawKind::TooFar => Problem::warning(
                "too-far",
                span,
                format!("`{mark}` is not drawn whole from {when} on: it reaches beyond ±{FARTHEST} px"),
            )
            .note("what lies so far out cannot be drawn; smaller coordinates, widths or scales"),
            FlawKind::TooManyDashes(count) => Problem::warning(
                "too-many-dashes",
                span,
                format!(
                    "`{mark}` is drawn without gaps from {when} on: about {} dashes are more than {}",
                    short(count),
                    scene.limits.of(Limit::Dashes)
                ),
            )
            .note("longer dashes, or a shorter line")
            .note(Limit::Dashes.remedy(count)),
        }
    };
    flaws.iter().map(problem).collect()
}

/// Warnings about marks that no frame shows, for a film of all frames.
pub fn of_unseen(scene: &Scene, seen: &[Seen]) -> Vec<Problem> {
    let outside = seen
        .iter()
        .zip(0..)
        .filter(|(seen, _)| **seen == Seen::Outside);
    let problem = |mark: u32| {
        let Clock { width, height, .. } = scene.clock;
        let message = format!(
            "`{}` lies outside the picture in every frame",
            scene.mark_in_words(mark)
        );
        Problem::warning("outside", scene.mark_span(mark), message).note(format!(
            "the picture is {width} × {height} px, from [0, 0] at the left top"
        ))
    };
    outside.map(|(_, mark)| problem(mark)).collect()
}

/// A limb that missed its target.
#[derive(Clone)]
struct Missed<'s> {
    watch: &'s Watch,
    first: f64,
    most: f64,
}

impl Missed<'_> {
    fn problem(&self, clock: &Clock) -> Problem {
        let message = format!(
            "`{}` cannot reach its target from {} on: it misses it by up to {} px",
            self.watch.limb,
            clock.frame_in_words(self.first),
            short(self.most)
        );
        Problem::warning("out-of-reach", self.watch.span, message).note(
            "longer bones, or a target nearer to the root; the claim `reached` makes this strict",
        )
    }
}
