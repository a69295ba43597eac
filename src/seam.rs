//! Where the end of an animation meets its start.

use crate::formula::{Inputs, Program};
use crate::maths::functions::{ceil, floor, round};
use crate::picture::Picture;
use crate::scene::cycles::Misfit;
use crate::scene::{Behaviour, Scene, Search};
use crate::simulate::engine::needed;
use crate::simulate::{Failure, Frames, Timeline, misfits, simulate};
use crate::spec::problem::{Problem, digits};
use crate::spec::source::Span;
use crate::stage::{Frame, least_cost};
use std::cell::Cell;

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

/// Less of a seam than so many px is as good as none.
const UNSEEN: f64 = 0.1;
/// Where more than so many numbers do not come back, the first few are told.
const TOLD: usize = 3;

/// A number that is not at the end what it is at the start.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    column: u32,
    name: String,
    start: f64,
    end: f64,
}

/// The end of a loop beside its start.
pub struct Ends<'a> {
    pub scene: &'a Scene,
    pub timeline: &'a Timeline,
    /// How many frames there are; the end is the row after them.
    pub frames: usize,
}

impl Ends<'_> {
    /// What is wrong with a loop that should be exact.
    pub fn not_exact(&self, seam: &Seam) -> Problem {
        let message = format!("the loop is not exact: at its end {}", seam.in_words());
        let problem = Problem::error("not-exact", self.scene.loop_span, message);
        let misfits = misfits(self.scene);
        if !misfits.is_empty() {
            return Misfit::explain(&misfits, &self.scene.clock, problem);
        }
        let (problem, slips) = self.tell_slips(problem);
        if slips {
            return problem;
        }
        let changes = self.changes();
        let remembering = changes
            .iter()
            .find_map(|change| self.memory_of(change.column));
        match remembering {
            Some(name) => problem.note(format!(
                "`{name}` has memory, and goes on at the end from where it is: `\"loop\": {{ \"preroll\": {{}} }}` \
                 plays on until that comes back"
            )),
            None => tell_changes(problem, &changes)
                .note("make every motion end where it began, or leave out `loop`"),
        }
    }

    /// A warning, where a loop is played until it repeats and its seam is seen all the same.
    pub fn visible(&self, seam: &Seam) -> Option<Problem> {
        let allowed = self.scene.preroll()?.seam;
        let misfits = misfits(self.scene);
        let jumps = !misfits.is_empty() && seam.speed > 2.0 * seam.step + 1.0;
        if seam.distance <= allowed && !jumps {
            return None;
        }
        let message = match seam.distance <= allowed {
            true => format!(
                "the loop jumps back at its end, by about {}",
                px(seam.speed)
            ),
            false => format!("the loop does not close: at its end {}", seam.in_words()),
        };
        let problem = Problem::warning("open-loop", self.scene.loop_span, message);
        if !misfits.is_empty() {
            return Some(Misfit::explain(&misfits, &self.scene.clock, problem));
        }
        let (problem, slips) = self.tell_slips(problem);
        Some(match slips {
            true => problem,
            false => tell_changes(problem, &self.changes()),
        })
    }

    /// Tells of what has scrolled by no whole number of steps; whether anything has.
    fn tell_slips(&self, problem: Problem) -> (Problem, bool) {
        let mut told: Vec<Span> = Vec::new();
        let mut problem = problem;
        for scroll in &self.scene.scrolls {
            let way = (self.value(&scroll.way, self.frames) - self.value(&scroll.way, 0)).abs();
            let steps = way / scroll.step;
            let missed = (steps - round(steps)).abs() * scroll.step;
            if missed > UNSEEN && !told.contains(&scroll.span) && told.len() < TOLD {
                told.push(scroll.span);
                let there = format!("{} in the loop", px(way));
                problem = problem
                    .related(scroll.span, there)
                    .note(fitting_steps(way, scroll.step));
            }
        }
        (problem, !told.is_empty())
    }

    fn value(&self, program: &Program, row: usize) -> f64 {
        let mut values = Vec::new();
        self.timeline.row(row, &mut values);
        let violation = Cell::new(None);
        program.eval(&Inputs::new(&values, &[], &violation))
    }

    /// What is drawn and does not come back, in the order of evaluation; what only moves a ground by is no part of it.
    fn changes(&self) -> Vec<Change> {
        let (mut start, mut end) = (Vec::new(), Vec::new());
        self.timeline.row(0, &mut start);
        self.timeline.row(self.frames, &mut end);
        let grounds = self
            .scene
            .scrolls
            .iter()
            .flat_map(|scroll| scroll.way.reads());
        let grounds: Vec<u32> = grounds.collect();
        let labels = self.scene.origins.labels.iter();
        let all = labels.map(|(column, name)| Change {
            column: *column,
            name: name.clone(),
            start: start[*column as usize],
            end: end[*column as usize],
        });
        let changes: Vec<Change> = all
            .filter(|change| !grounds.contains(&change.column))
            .filter(|change| change.size() > 1e-6)
            .collect();
        let most = changes.iter().map(Change::size).fold(0.0, f64::max);
        changes
            .into_iter()
            .filter(|change| change.size() >= most / 2.0)
            .collect()
    }

    /// The first name with memory that a column depends on.
    fn memory_of(&self, column: u32) -> Option<String> {
        let steps = needed(self.scene, &[column]);
        let first = steps.into_iter().map(|index| &self.scene.steps[index]);
        let mut memories = first.filter(|step| matches!(step.behaviour, Behaviour::Memory(_)));
        let origin = memories.find_map(|step| self.scene.origins.of(step.first))?;
        Some(origin.name.clone())
    }
}

impl Change {
    fn size(&self) -> f64 {
        (self.end - self.start).abs()
    }
}

impl Seam {
    fn in_words(&self) -> String {
        match self.distance.is_finite() {
            true => format!(
                "{} is {} from where it starts",
                self.whose,
                px(self.distance)
            ),
            false => format!("{} is not drawn as at the start", self.whose),
        }
    }

    /// Whether it is as good as none.
    pub fn is_unseen(&self) -> bool {
        self.distance <= UNSEEN
    }
}

/// A length for people.
pub fn px(length: f64) -> String {
    format!("{} px", digits(length, 4))
}

/// Which steps would fit into a way.
fn fitting_steps(way: f64, step: f64) -> String {
    let steps = way / step;
    let whole = [ceil(steps), floor(steps)].into_iter().filter(|n| *n > 0.0);
    let fitting: Vec<String> = whole.map(|n| digits(way / n, 4)).collect();
    format!(
        "the way of {} is {} steps of {}: use a `step` of {}, so that a whole number of them fits",
        px(way),
        digits(steps, 3),
        digits(step, 4),
        fitting.join(" or ")
    )
}

fn tell_changes(problem: Problem, changes: &[Change]) -> Problem {
    let told = changes.iter().take(TOLD);
    let problem = told.fold(problem, |problem, change| {
        problem.note(format!(
            "`{}` is {} at the start and {} at the end",
            change.name,
            digits(change.start, 4),
            digits(change.end, 4)
        ))
    });
    match changes.len().saturating_sub(TOLD) {
        0 => problem,
        more => problem.note(format!("and {more} more")),
    }
}
