//! A spec with its meaning: names resolved to columns of numbers, ranges checked, the order of evaluation
//! fixed.
//!
//! A frame is a row of numbers. Column 0 is the time, column 1 the number of the frame; every named output
//! has a column after those it depends on.

pub mod builder;
pub mod colours;
mod compile;
pub mod cycles;
mod drawing;
pub mod entity;
mod letters;
mod looping;
mod names;
mod origins;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
pub(crate) mod probe;

pub use compile::{Options, compile};
pub use drawing::{BoxProgram, Check};
pub use looping::{Looping, Moment, Preroll, Search};
pub use names::ScopeId;
pub use origins::{Origin, Origins};

use crate::claims::NamedClaim;
use crate::document::TimeUnit;
use crate::formula::{Inputs, Operand, Program, Range};
use crate::limits::Limits;
use crate::marks::Draw;
use crate::maths::functions::{round, rounding};
use crate::picture::ColourId;
use crate::simulate::Chain;
use crate::spec::source::Span;
use builder::PointProgram;
use colours::Colours;
use std::sync::Arc;

/// Size, rate and length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// px.
    pub width: f64,
    /// px.
    pub height: f64,
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// Length in T.
    pub duration: f64,
    /// What T is.
    pub unit: TimeUnit,
    /// The last time that may be looked at, in T: the length, or more where a loop is looked for.
    pub horizon: f64,
}

impl Clock {
    /// What frame `i` shows, in T.
    pub fn time_of(&self, frame: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => frame / self.fps,
            TimeUnit::Frames => frame,
        }
    }

    /// The number of the frame at a time in T; fractional between frames.
    pub fn frame_at(&self, time: f64) -> f64 {
        let number = match self.unit {
            TimeUnit::Seconds => time * self.fps,
            TimeUnit::Frames => time,
        };
        let whole = round(number);
        // A frame's own time must lead back to its number, whatever the division lost.
        if (number - whole).abs() <= rounding(number) {
            whole
        } else {
            number
        }
    }

    /// What times are counted in.
    pub fn unit_in_words(&self) -> &'static str {
        match self.unit {
            TimeUnit::Seconds => "seconds",
            TimeUnit::Frames => "frames",
        }
    }

    /// How many T are in a second.
    pub fn per_second(&self) -> f64 {
        match self.unit {
            TimeUnit::Seconds => 1.0,
            TimeUnit::Frames => self.fps,
        }
    }

    /// A time in T, in seconds.
    pub fn seconds(&self, time: f64) -> f64 {
        match self.unit {
            TimeUnit::Seconds => time,
            TimeUnit::Frames => time / self.fps,
        }
    }
}

/// A value that must keep a range, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    pub span: Span,
    /// The formula as written.
    pub what: String,
    pub range: Range,
}

/// A function of the columns before it.
pub trait Signal: Send + Sync {
    /// Fills its columns from those before it.
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]);

    /// Times at which it jumps by itself, ascending, up to `horizon`. At such a time
    /// [`builder::SIDE`] tells which side is wanted.
    fn jumps(&self, _horizon: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// How many numbers a memory takes and keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySize {
    pub inputs: usize,
    pub states: usize,
}

/// A function of what was before: it keeps a state from tick to tick.
pub trait Memory: Send + Sync {
    /// How many inputs it reads and states it keeps.
    fn size(&self) -> MemorySize;

    /// Reads its inputs from the columns before it.
    fn read(&self, inputs: &Inputs, input: &mut [f64]);

    /// The state at t = 0.
    fn start(&self, input: &[f64], state: &mut [f64]);

    /// Carries the state on by a time `dt` ≥ 0 in T, over which every input runs straight from `from` to
    /// `to`. With `dt` 0 only what happens at once happens.
    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64);

    /// As [`Memory::advance`], and the operations that this took beyond [`Memory::operations`]; once they are
    /// more than `room` it may stop.
    fn advance_within(
        &self,
        _room: f64,
        state: &mut [f64],
        [from, to]: [&[f64]; 2],
        dt: f64,
    ) -> f64 {
        self.advance(state, from, to, dt);
        0.0
    }

    /// Fills its columns.
    fn write(&self, state: &[f64], input: &[f64], out: &mut [f64]);

    /// Whether its state moves on by whole ticks only: what lies between is shown, but not kept.
    fn ticks_only(&self) -> bool {
        false
    }

    /// Operations of a step of one tick: about as many as a formula needs for the same time.
    fn operations(&self) -> f64 {
        let size = self.size();
        (size.inputs + size.states) as f64
    }

    /// What is wrong with a state, if anything.
    fn trouble(&self, _state: &[f64], _input: &[f64]) -> Option<Trouble> {
        None
    }

    /// What would damp it, in words, where it may swing for ever.
    fn damping(&self) -> Option<&'static str> {
        None
    }

    /// How far two states are apart, for loops; a memory that only counts may say 0.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        let pairs = before.iter().zip(after);
        pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    }
}

/// A simulation that goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// Where it is declared.
    pub span: Span,
    /// Its name, with the element: `blob[3]`.
    pub name: String,
    /// The quantity: "x", "the area".
    pub what: &'static str,
    pub value: f64,
    /// What would help: the likely field and its limit.
    pub advice: String,
}

/// A column at an earlier time.
#[derive(Clone, Debug)]
pub struct LookBack {
    pub of: u32,
    /// How much earlier, in T.
    pub by: f64,
    pub chain: Chain,
}

/// What a step does.
pub enum Behaviour {
    Signal(Box<dyn Signal>),
    Memory(Box<dyn Memory>),
    LookBack(LookBack),
}

/// One step of evaluating a row.
pub struct Step {
    pub first: u32,
    pub outputs: u32,
    /// Columns it reads.
    pub reads: Vec<u32>,
    /// Times at which it, or what it reads, jumps; ascending.
    pub jumps: Arc<[f64]>,
    /// Operations of an evaluation, besides those of its formulas.
    pub operations: f64,
    /// Neither it nor anything it reads has memory: it can be evaluated at any time.
    pub memoryless: bool,
    pub behaviour: Behaviour,
}

/// A limb whose target may be out of reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// Where the target is written.
    pub span: Span,
    /// The limb's full name.
    pub limb: String,
    /// By how many px the target is out of reach; 0 or less if it is not.
    pub column: u32,
}

/// Scale, skew and rotation about a pivot, then a move.
#[derive(Clone, Debug)]
pub struct Transform {
    pub pivot: PointProgram,
    pub shift: PointProgram,
    pub scale: PointProgram,
    pub rotate: Program,
    pub skew: PointProgram,
}

impl Transform {
    /// Every formula in it.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        let pairs = [&self.pivot, &self.shift, &self.scale, &self.skew];
        let sides = pairs.into_iter().flat_map(|pair| [&pair.x, &pair.y]);
        sides.chain([&self.rotate])
    }
}

/// How far frames may be from their golden image.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Largest difference of a number.
    pub number: f64,
    /// Largest difference of a channel.
    pub channel: u8,
    /// Most pixels of a frame that differ by more.
    pub pixels: u32,
    pub reason: String,
}

/// A name of the spec with its value, for `trace`.
#[derive(Clone, Debug)]
pub struct Named {
    pub path: String,
    pub operand: Operand,
}

/// Everything that is needed to simulate and draw; read-only.
pub struct Scene {
    pub title: Option<String>,
    pub alt: Option<String>,
    pub clock: Clock,
    pub background: ColourId,
    pub colours: Colours,
    pub columns: usize,
    pub steps: Vec<Step>,
    pub guards: Vec<Guard>,
    pub transforms: Vec<Transform>,
    /// What is worth a warning when frames show it.
    pub watches: Vec<Watch>,
    /// What comes round again and again.
    pub cycles: Vec<cycles::Cycle>,
    /// What scrolls by, and looks the same after every step.
    pub scrolls: Vec<cycles::Scroll>,
    pub marks: Vec<Box<dyn Draw>>,
    /// The kind of each mark of the top level.
    pub mark_kinds: Vec<&'static str>,
    /// Where each of them stands.
    pub mark_spans: Vec<Span>,
    /// Columns that marks and claims read, and those that are watched.
    pub drawn: Vec<u32>,
    /// Columns with memory that marks read at other times than the frame's own: they are recorded.
    pub recorded: Vec<u32>,
    /// Every name in the order of the file.
    pub names: Vec<Named>,
    /// The names asked for, if any.
    pub wanted: Vec<Named>,
    pub looping: Looping,
    /// Where the loop is written.
    pub loop_span: Span,
    pub claims: Vec<NamedClaim>,
    /// How far frames may be from their golden image.
    pub tolerance: Option<Tolerance>,
    /// What columns are called and where they are declared.
    pub origins: Origins,
    pub limits: Limits,
    /// Shapes in a frame, each as often as it is repeated.
    pub shapes: usize,
    /// Operations of all formulas together.
    pub operations: usize,
    /// Operations of looking back in a frame.
    pub looks: f64,
}

impl Scene {
    /// Index of the step that a column belongs to; none for time itself.
    pub fn step_of(&self, column: u32) -> Option<usize> {
        step_of(&self.steps, column)
    }

    /// A mark of the top level in words: `draw[3]` and its kind.
    pub fn mark_in_words(&self, mark: u32) -> String {
        let kind = self.mark_kinds.get(mark as usize).copied();
        format!("draw[{mark}] ({})", kind.unwrap_or("mark"))
    }

    /// Where a mark of the top level stands.
    pub fn mark_span(&self, mark: u32) -> Span {
        let span = self.mark_spans.get(mark as usize);
        span.copied().unwrap_or_default()
    }

    /// What the memory of a step belongs to, and what would damp it.
    pub fn memory_in_words(&self, step: usize) -> (String, Option<&'static str>) {
        let Some(step) = self.steps.get(step) else {
            return ("the state".into(), None);
        };
        let damping = match &step.behaviour {
            Behaviour::Memory(memory) => memory.damping(),
            _ => None,
        };
        let name = self.origins.of(step.first);
        let name = name.map_or("the state of a mark".into(), |origin| {
            format!("`{}` ({})", origin.name, origin.what)
        });
        (name, damping)
    }

    /// Whether its end leads back to its start.
    pub fn repeats(&self) -> bool {
        self.looping.repeats()
    }

    /// How many frames are shown.
    pub fn shown(&self) -> usize {
        self.looping.shown(self.clock.frames)
    }

    /// How it is played before the shown cycle, if it is.
    pub fn preroll(&self) -> Option<Preroll> {
        match self.looping {
            Looping::Preroll(preroll) => Some(preroll),
            _ => None,
        }
    }
}

/// Index of the step that a column belongs to.
pub(crate) fn step_of(steps: &[Step], column: u32) -> Option<usize> {
    let after = steps.partition_point(|step| step.first <= column);
    let index = after.checked_sub(1)?;
    (column < steps[index].first + steps[index].outputs).then_some(index)
}
