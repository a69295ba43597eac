//! What a kind's build step works with: it reads slots, declares outputs, and reports problems.
//!
//! Reading a slot always gives a usable value. A problem is recorded, and building goes on, so that one
//! run finds everything.

use super::colours::Colours;
use super::cycles::{Cycle, Scroll, Turns};
use super::entity::{Entity, List, PointOperand, TextValue};
use super::names::{Item, ItemId, ROOT, Scope, ScopeId, parse_path};
use super::{Behaviour, Clock, Guard, LookBack, Memory, Signal, Step, step_of};
use crate::bodies::World;
use crate::document::Part;
use crate::formula::{self, Operand, Path, Piece, Program, Range, Resolve, StepKind};
use crate::limits::Limits;
use crate::marks::{Draw, Mark};
use crate::maths::bezier::CubicBezier;
use crate::maths::ease::Ease;
use crate::maths::functions::round;
use crate::maths::random;
use crate::maths::spans::{SpanFault, Spans};
use crate::maths::spring_ease::SpringEase;
use crate::maths::vector::Vec2;
use crate::picture::ColourId;
use crate::simulate::{Chain, PER_STEP};
use crate::spec::problem::{ENOUGH, Problem, Severity, short};
use crate::spec::slots::*;
use crate::spec::source::{Source, Span};
use crate::spec::suggest::{list_some, nearest};
use crate::spec::validate::{is_plain_name, is_reference, out_of_range};
use crate::text::FontSet;
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Columns of the row that every scene has.
pub const TIME: u32 = 0;
/// The frame's number.
pub const FRAME: u32 = 1;
/// 1 where the value just before a jump is wanted, else 0.
pub const SIDE: u32 = 2;
/// How many columns every scene has.
pub const BASE_COLUMNS: u32 = 3;

/// What the current element offers behind a leading dot.
#[derive(Clone, Debug, Default)]
pub struct ElementScope {
    /// Numbers by name.
    pub numbers: Vec<(&'static str, Operand)>,
    /// Columns behind a name that is read, if it stands for columns.
    pub columns: Vec<(&'static str, Arc<[Operand]>)>,
    /// Texts behind `.label`.
    pub labels: Option<Arc<[String]>>,
}

impl ElementScope {
    /// A scope whose numbers stand in the element's slots in this order.
    pub fn slots(names: &[&'static str]) -> Self {
        let numbers = (0..).map(Operand::Element);
        Self {
            numbers: names.iter().copied().zip(numbers).collect(),
            ..Self::default()
        }
    }
}

/// Why a text is not known before frame 0.
const CHANGES: &str = "changes with time, but this must be known before frame 0";
const DIFFERS: &str = "is another one for each element, but this is one for all";

/// What to do instead of a colour that changes.
const COLOURS_STAY: &str = "a colour stays as it is: `fills` takes turns by `.i`, each instance of a part may have its own, \
    and what changes with time is two marks, each with `opacity` or `show`";

/// Where slots are being read.
#[derive(Clone)]
pub(super) struct Context {
    pub scope: ScopeId,
    pub item: Option<ItemId>,
    pub element: Option<Rc<ElementScope>>,
}

impl Context {
    pub fn of_item(scope: ScopeId, item: ItemId) -> Self {
        Self {
            scope,
            item: Some(item),
            element: None,
        }
    }

    /// The place of an instance's arguments: `.i` is its number in the row.
    pub fn of_row(scope: ScopeId, index: Option<usize>) -> Self {
        let element = index.map(|i| {
            Rc::new(ElementScope {
                numbers: vec![("i", Operand::Constant(i as f64))],
                ..ElementScope::default()
            })
        });
        Self {
            scope,
            item: None,
            element,
        }
    }

    pub fn of_scope(scope: ScopeId) -> Self {
        Self::of_row(scope, None)
    }
}

/// How much of the canvas is known; it is read in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    Nothing,
    Size,
    Rate,
    /// All of it: names may be built.
    Length,
}

impl Known {
    /// What must be known for a word of formulas.
    fn needed_for(word: &str) -> Self {
        match word {
            "width" | "height" => Self::Size,
            "fps" => Self::Rate,
            "duration" => Self::Length,
            _ => Self::Nothing,
        }
    }
}

/// Builds a scene out of a document.
pub struct Builder<'s> {
    pub(super) sources: &'s [Source],
    pub(super) problems: Vec<Problem>,
    /// How often an error was met, also one that has been told before.
    pub(super) met: usize,
    pub(super) parts: &'s [(&'s str, Span, Option<&'s Part>)],
    /// Where each part stands among them.
    pub(super) part_places: BTreeMap<&'s str, usize>,
    /// Instances that a part stands for at least, by its name.
    pub(super) least_instances: BTreeMap<&'s str, f64>,
    pub(super) scopes: Vec<Scope<'s>>,
    pub(super) items: Vec<Item<'s>>,
    pub(super) building: Vec<ItemId>,
    pub(super) context: Context,
    pub(super) clock: Clock,
    /// How much of the canvas has been read.
    pub(super) known: Known,
    pub(super) colours: Colours,
    /// The canvas's.
    pub(super) background: ColourId,
    pub(super) guards: Vec<Guard>,
    pub(super) steps: Vec<Step>,
    pub(super) transforms: Vec<super::Transform>,
    pub(super) watches: Vec<super::Watch>,
    pub(super) cycles: Vec<Cycle>,
    pub(super) scrolls: Vec<Scroll>,
    pub(super) drawing: super::drawing::Drawing,
    pub(super) columns: u32,
    /// For each column the item that it belongs to.
    pub(super) owners: Vec<Option<ItemId>>,
    pub(super) world: Option<&'s World>,
    /// Columns read since the last [`Builder::signal`] or [`Builder::take_reads`].
    pub(super) reads: BTreeSet<u32>,
    /// Columns with memory that marks read at other times than the frame's own.
    pub(super) recorded: BTreeSet<u32>,
    /// `--seed`.
    pub(super) seed: u64,
    pub(super) fonts: Arc<FontSet>,
    /// What the spec may cost.
    pub(super) limits: Limits,
    /// Operations of all formulas so far.
    pub(super) operations: usize,
    /// Characters already reported as missing in all fonts.
    pub(super) boxed: BTreeSet<char>,
    /// The feet of all gaits built so far.
    pub(super) feet: Vec<Foot>,
}

/// The columns of a foot of a gait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foot {
    pub x: u32,
    pub y: u32,
    /// 1 while it stands.
    pub down: u32,
    /// How much of its swing is over.
    pub swing: u32,
    /// How far the ground has come.
    pub travel: u32,
}

/// A point whose coordinates may change with time.
#[derive(Clone, Debug)]
pub struct PointProgram {
    pub x: Program,
    pub y: Program,
}

/// Points whose number is known and whose places may change with time.
#[derive(Clone, Debug)]
pub enum PointList {
    Operands(Arc<[PointOperand]>),
    Programs(Vec<PointProgram>),
}

/// A text: pieces that are known, and numbers and words that change.
#[derive(Clone, Debug)]
pub enum TextPiece {
    Literal(String),
    Number(Program, Option<u8>),
    /// Of these words the one whose number stands in the operand.
    Word(Operand, Arc<[String]>),
    /// Of these the label of the current element.
    Label(Arc<[String]>),
}

impl From<PointProgram> for [Program; 2] {
    fn from(point: PointProgram) -> Self {
        [point.x, point.y]
    }
}

impl PointProgram {
    /// Where it lies.
    pub fn at(&self, inputs: &formula::Inputs) -> Vec2 {
        Vec2::new(self.x.eval(inputs), self.y.eval(inputs))
    }
}

impl PointList {
    /// How many points there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Operands(points) => points.len(),
            Self::Programs(points) => points.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where point `i` lies.
    pub fn at(&self, i: usize, inputs: &formula::Inputs) -> Vec2 {
        match self {
            Self::Operands(points) => {
                let [x, y] = points[i];
                Vec2::new(x.value(inputs), y.value(inputs))
            }
            Self::Programs(points) => points[i].at(inputs),
        }
    }

    /// Where all points lie.
    pub fn iter<'a>(&'a self, inputs: &'a formula::Inputs) -> impl Iterator<Item = Vec2> + Clone {
        (0..self.len()).map(|i| self.at(i, inputs))
    }
}

impl TextPiece {
    /// How many letters it shows at most; a number is long only if it is written without digits to keep.
    pub fn most_letters(&self) -> usize {
        let longest = |words: &[String]| words.iter().map(|word| word.chars().count()).max();
        match self {
            Self::Literal(literal) => literal.chars().count(),
            Self::Number(..) => 8,
            Self::Word(_, words) | Self::Label(words) => longest(words).unwrap_or(0),
        }
    }

    /// Appends what it shows.
    pub fn write(&self, inputs: &formula::Inputs, text: &mut String) {
        match self {
            Self::Literal(literal) => text.push_str(literal),
            Self::Number(program, decimals) => {
                formula::write_number(text, program.eval(inputs), *decimals);
            }
            Self::Word(which, words) => {
                let word = words.get(which.value(inputs) as usize);
                text.push_str(word.map_or("", String::as_str));
            }
            Self::Label(labels) => {
                // By convention an element's number stands in its first slot.
                let label = inputs.element.first().and_then(|i| labels.get(*i as usize));
                text.push_str(label.map_or("", String::as_str));
            }
        }
    }
}

impl<'s> Builder<'s> {
    /// Adds a problem.
    pub fn report(&mut self, problem: Problem) {
        self.problem_once(problem);
    }

    /// Every instance of a part meets the same problem at the same place: one report is enough.
    pub(super) fn problem_once(&mut self, problem: Problem) {
        self.met += usize::from(problem.severity == Severity::Error);
        let full = self.problems.len() >= ENOUGH;
        let spare = full && (problem.severity != Severity::Error || self.has_errors());
        let told = self
            .problems
            .iter()
            .any(|p| p.span == problem.span && p.code == problem.code);
        if !spare && !told {
            self.problems.push(problem);
        }
    }

    /// Whether an error at a place need not be told: to find words for it may cost time, once per instance.
    pub fn is_told(&mut self, span: Span, code: &str) -> bool {
        let full = self.problems.len() >= ENOUGH && self.has_errors();
        let same = |p: &Problem| p.span == span && p.code == code;
        let told = full || self.problems.iter().any(same);
        self.met += usize::from(told);
        told
    }

    /// Whether an error has been found so far.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Error)
    }

    pub(super) fn within_context<T>(
        &mut self,
        context: Context,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.context, context);
        let reads = std::mem::take(&mut self.reads);
        let result = work(self);
        self.context = outer;
        self.reads = reads;
        result
    }

    pub(super) fn at<T>(&mut self, scope: ScopeId, work: impl FnOnce(&mut Self) -> T) -> T {
        self.within_context(Context::of_scope(scope), work)
    }

    /// What acts on all bodies.
    pub fn world(&self) -> Option<&'s World> {
        self.world
    }

    /// Works where the spec's own names are visible and no others; what is read counts here.
    pub fn in_the_spec<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context.scope, ROOT);
        let result = work(self);
        self.context.scope = outer;
        result
    }

    /// Works where `.name` reads an element.
    pub fn with_element<T>(&mut self, scope: ElementScope, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.context.element.replace(Rc::new(scope));
        let result = work(self);
        self.context.element = outer;
        result
    }

    /// Length, rate and unit of time.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The full name of what is being built, such as `crowd[3].n`.
    pub fn own_name(&self) -> String {
        let name = self.context.item.map(|id| self.full_name(id));
        name.unwrap_or_default()
    }

    /// The seed of what is being built: mixed of a slot's, the one given from outside, and its full name.
    pub fn own_seed(&mut self, slot: &Int<0, { i64::MAX }>) -> u64 {
        let seed = random::hash(self.seed, self.int(slot));
        random::seed_for(seed, &self.own_name())
    }

    /// Where what is being built is named.
    pub fn place(&self) -> Span {
        let item = self.context.item.map(|id| &self.items[id_index(id)]);
        item.map(|item| item.span).unwrap_or_default()
    }

    /// Declares a step of every frame: a function of the columns before it. Returns its first column.
    pub fn signal(&mut self, outputs: u32, signal: impl Signal + 'static) -> Operand {
        let jumps = signal.jumps(self.clock.horizon);
        self.step(outputs, jumps, Behaviour::Signal(Box::new(signal)))
    }

    /// Declares a step with memory. Returns its first column.
    pub fn memory(&mut self, outputs: u32, memory: impl Memory + 'static) -> Operand {
        self.step(outputs, Vec::new(), Behaviour::Memory(Box::new(memory)))
    }

    /// A number at a time earlier by `by` T: before the start its value at 0, in a loop that repeats the
    /// loop's end.
    pub fn earlier(&mut self, of: Operand, by: f64) -> Operand {
        let Operand::Column(column) = of else {
            return of;
        };
        self.reads.insert(column);
        let look = LookBack {
            of: column,
            by,
            chain: Chain::of(&self.steps, [column]),
        };
        self.step(1, Vec::new(), Behaviour::LookBack(look))
    }

    fn step(&mut self, outputs: u32, own_jumps: Vec<f64>, behaviour: Behaviour) -> Operand {
        let first = self.columns;
        self.columns += outputs;
        let owner = self.context.item;
        self.owners.extend((0..outputs).map(|_| owner));
        let reads: Vec<u32> = std::mem::take(&mut self.reads).into_iter().collect();
        if let Some(id) = owner {
            // The latest thing it depends on explains best why it is live.
            self.items[id_index(id)].because = reads.last().copied();
        }
        let before: Vec<&Step> = reads
            .iter()
            .filter_map(|column| step_of(&self.steps, *column))
            .map(|index| &self.steps[index])
            .collect();
        let memoryless =
            before.iter().all(|step| step.memoryless) && !matches!(behaviour, Behaviour::Memory(_));
        let delayed = match &behaviour {
            Behaviour::LookBack(look) => look.by,
            _ => 0.0,
        };
        let jumps = join_jumps(own_jumps, &before, delayed);
        let own = match &behaviour {
            Behaviour::LookBack(look) => look.chain.operations + f64::from(self.columns),
            Behaviour::Memory(_) | Behaviour::Signal(_) => f64::from(outputs),
        };
        self.steps.push(Step {
            first,
            outputs,
            reads,
            jumps,
            operations: PER_STEP + own,
            memoryless,
            behaviour,
        });
        Operand::Column(first)
    }

    /// Makes the columns of a foot known.
    pub fn add_foot(&mut self, foot: Foot) {
        self.feet.push(foot);
    }

    /// The foot that one of these columns belongs to.
    pub fn foot_of(&self, column: u32) -> Option<Foot> {
        let theirs = |foot: &&Foot| foot.x == column || foot.y == column;
        self.feet.iter().find(theirs).copied()
    }

    /// Times at which what stands in a column jumps, ascending.
    pub fn jumps_of(&self, operand: Operand) -> Arc<[f64]> {
        let Operand::Column(column) = operand else {
            return Arc::from([]);
        };
        match step_of(&self.steps, column) {
            Some(index) => self.steps[index].jumps.clone(),
            None => Arc::from([]),
        }
    }

    /// A step with two outputs, x and y.
    pub fn point_signal(&mut self, signal: impl Signal + 'static) -> PointOperand {
        match self.signal(2, signal) {
            Operand::Column(first) => [Operand::Column(first), Operand::Column(first + 1)],
            other => [other; 2],
        }
    }

    /// A number as an operand: a constant, the column it names, or a new column that holds the formula.
    pub fn operand<R: Bounds>(&mut self, slot: &Num<R>) -> Operand {
        let program = self.num(slot);
        self.operand_of(program)
    }

    pub(super) fn argument(&mut self, slot: &Num) -> Operand {
        // The validator could not know that this slot holds a formula.
        if let Written::Formula(text) = &slot.written
            && let Err(error) = formula::parse(text)
        {
            let span = slot.span.within(self.sources, error.range.clone());
            self.problem_once(Problem::of_formula(error, span));
            return Operand::Constant(0.0);
        }
        self.operand(slot)
    }

    /// Has a number looked at in every frame: where it is above 0, the target of the limb that is being built
    /// is out of reach by so many px, which is worth a warning.
    pub fn watch_reach(&mut self, target: Span, missed: Operand) {
        if let Operand::Column(column) = missed {
            self.watches.push(super::Watch {
                span: target,
                limb: self.own_name(),
                column,
            });
        }
    }

    /// Tells that what is being built comes round again and again, as the field at `span` says: where a loop does not
    /// close, it is told whether whole cycles fit. `moved` is what it moves, with [`Turns::Phase`] its phase.
    pub fn cycle(&mut self, field: &'static str, span: Span, moved: Operand, turns: Turns) {
        if let Operand::Column(column) = moved {
            self.cycles.push(Cycle {
                name: self.own_name(),
                field,
                span,
                column,
                turns,
            });
        }
    }

    /// Tells that something scrolls by so many px, as the field at `span` says, and looks the same after every `step` px.
    pub fn scrolls(&mut self, span: Span, way: &Program, step: f64) {
        if step > 0.0 && way.constant().is_none() && !way.reads_element() {
            let way = way.clone();
            self.scrolls.push(Scroll { span, way, step });
        }
    }

    /// A program that reads an operand in what is being built.
    pub fn read(&mut self, operand: Operand) -> Program {
        self.note_reads(&[operand]);
        Program::of(operand)
    }

    fn operand_of(&mut self, program: Program) -> Operand {
        if let Some(v) = program.constant() {
            return Operand::Constant(v);
        }
        if let Some(column) = program.as_column() {
            if let Some(id) = self.context.item {
                self.items[id_index(id)].because = Some(column);
            }
            return Operand::Column(column);
        }
        self.signal(1, Formula(program))
    }

    /// A number that may change with time; out of range or not finite is an error that names the frame.
    pub fn num<R: Bounds>(&mut self, slot: &Num<R>) -> Program {
        self.ranged(&slot.written, slot.span, R::RANGE)
    }

    /// An opacity, which is clamped; one that is written as a share of 100 is worth a warning.
    pub fn opacity(&mut self, slot: &Num) -> Program {
        if let Written::Number(v) = slot.written
            && v > 1.0
        {
            let message = format!("an opacity of {v} is opaque, as 1 is: it goes from 0 to 1");
            let problem = Problem::warning("opaque", slot.span, message);
            self.problem_once(match v <= 100.0 {
                true => problem.label(format!("did you mean {}?", short(v / 100.0))),
                false => problem,
            });
        }
        self.num(slot)
    }

    /// As [`Builder::num`], or nothing if the field is absent.
    pub fn maybe<R: Bounds>(&mut self, slot: &Option<Num<R>>) -> Option<Program> {
        slot.as_ref().map(|slot| self.num(slot))
    }

    fn ranged(&mut self, written: &Written, span: Span, range: Range) -> Program {
        let program = self.program(written, span);
        self.held(program, written, span, range)
    }

    /// A program whose values are held within a range.
    fn held(&mut self, program: Program, written: &Written, span: Span, range: Range) -> Program {
        let Some(v) = program.constant() else {
            return self.guarded(program, written, span, range);
        };
        if *written == Written::Hole || range.contains(v) {
            return Program::constant_of(range.nearest(v));
        }
        if let Written::Formula(text) = written {
            self.problem_once(out_of_range(text, v, &range, span));
        }
        Program::constant_of(range.nearest(v))
    }

    fn guarded(
        &mut self,
        program: Program,
        written: &Written,
        span: Span,
        range: Range,
    ) -> Program {
        // A bare name is guarded where it is computed, unless this slot is narrower.
        if program.as_column().is_some() && range == Range::ANY {
            return program;
        }
        let what = match written {
            Written::Formula(text) => text.as_str(),
            _ => "",
        };
        let id = self.guard(span, what, range);
        program.guarded(id, range)
    }

    /// A range to be kept while frames are evaluated; returns its number.
    pub(super) fn guard(&mut self, span: Span, what: &str, range: Range) -> u32 {
        self.guards.push(Guard {
            span,
            what: what.to_owned(),
            range,
        });
        self.guards.len() as u32 - 1
    }

    fn program(&mut self, written: &Written, span: Span) -> Program {
        match written {
            Written::Number(v) => Program::constant_of(*v),
            Written::Hole => Program::constant_of(0.0),
            Written::Formula(text) => match formula::parse(text) {
                Ok(expr) => {
                    let mut names = Names {
                        builder: &mut *self,
                        span,
                    };
                    let program = formula::compile(&expr, &mut names);
                    self.operations = self.operations.saturating_add(program.operations());
                    program
                }
                Err(_) => Program::constant_of(0.0),
            },
        }
    }

    /// A number known before frame 0.
    pub fn fixed<R: Bounds>(&mut self, slot: &Fixed<R>) -> f64 {
        self.fixed_in(&slot.written, slot.span, R::RANGE)
    }

    fn fixed_in(&mut self, written: &Written, span: Span, range: Range) -> f64 {
        let outer = std::mem::take(&mut self.reads);
        let met = self.met;
        let program = self.program(written, span);
        let reads = std::mem::replace(&mut self.reads, outer);
        // A name that stands for nothing has been reported: what comes of it is no second mistake.
        if self.met > met {
            return range.nearest(1.0);
        }
        let Some(v) = program.constant() else {
            self.report_live(written, span, &reads);
            return range.nearest(1.0);
        };
        if *written != Written::Hole
            && !range.contains(v)
            && let Written::Formula(text) = written
        {
            self.problem_once(out_of_range(text, v, &range, span));
        }
        range.nearest(v)
    }

    /// A live name in a fixed slot: shows the chain of dependence.
    fn report_live(&mut self, written: &Written, span: Span, reads: &BTreeSet<u32>) {
        let Written::Formula(text) = written else {
            return;
        };
        let mut chain = vec![format!("`{text}`")];
        let mut column = reads.last().copied();
        while let Some(c) = column {
            let owner = self.owners.get(c as usize).copied().flatten();
            let Some(id) = owner.filter(|_| chain.len() < 8) else {
                chain.push(if c == FRAME { "`frame`" } else { "`t`" }.to_owned());
                break;
            };
            let name = format!("`{}`", self.full_name(id));
            if chain.last() != Some(&name) {
                chain.push(name);
            }
            column = self.items[id_index(id)].because;
        }
        let mut problem = Problem::error(
            "live-in-fixed",
            span,
            format!("`{text}` changes with time, but this must be known before frame 0"),
        );
        if chain.len() > 1 {
            problem = problem.note(chain_of_dependence(&chain));
        }
        self.problem_once(problem.note("use numbers, `params`, and channels made of these alone"));
    }

    /// A whole number known before frame 0.
    pub fn int<const MIN: i64, const MAX: i64>(&mut self, slot: &Int<MIN, MAX>) -> i64 {
        let end = |v: i64| (v != i64::MIN && v != i64::MAX).then_some(v as f64);
        let range = Range {
            min: end(MIN),
            max: end(MAX),
            ..Range::ANY
        };
        let v = self.fixed_in(&slot.0.written, slot.0.span, range);
        if v != round(v)
            && let Written::Formula(text) = &slot.0.written
        {
            self.problem_once(Problem::error(
                "not-whole",
                slot.0.span,
                format!("`{text}` is {v}, but must be a whole number"),
            ));
        }
        round(v) as i64
    }

    /// Two numbers.
    pub fn pair<R: Bounds>(&mut self, slot: &Pair<R>) -> PointProgram {
        PointProgram {
            x: self.num(&slot.0),
            y: self.num(&slot.1),
        }
    }

    /// Two numbers known before frame 0.
    pub fn fixed_pair<R: Bounds>(&mut self, slot: &FixedPair<R>) -> [f64; 2] {
        [self.fixed(&slot.0), self.fixed(&slot.1)]
    }

    /// Stretches of time, sorted and apart.
    pub fn spans(&mut self, slots: Option<&[crate::spec::slots::Span]>) -> Spans {
        let slots = slots.unwrap_or_default();
        let spans = slots.iter().map(|slot| self.fixed_pair(slot)).collect();
        Spans::new(spans).unwrap_or_else(|fault| {
            let (i, message) = match fault {
                SpanFault::Empty(i) => (i, "a stretch of time ends after it starts"),
                SpanFault::Overlaps(i) => (
                    i,
                    "this stretch of time starts before the one before it ends",
                ),
            };
            self.problem_once(Problem::error("bad-spans", slots[i].0.span, message));
            Spans::default()
        })
    }

    /// A point.
    pub fn point(&mut self, slot: &Point) -> PointProgram {
        match slot {
            Point::At(pair) => self.pair(pair),
            Point::Name(_) => {
                let [x, y] = self.point_operand(slot);
                PointProgram {
                    x: Program::of(x),
                    y: Program::of(y),
                }
            }
        }
    }

    /// A point known before frame 0.
    pub fn fixed_point(&mut self, slot: &Point) -> [f64; 2] {
        if let Point::At(pair) = slot {
            let sides = [&pair.0, &pair.1];
            return sides.map(|side| self.fixed_in(&side.written, side.span, Range::ANY));
        }
        let outer = std::mem::take(&mut self.reads);
        let point = self.point(slot);
        let reads = std::mem::replace(&mut self.reads, outer);
        let (Some(x), Some(y)) = (point.x.constant(), point.y.constant()) else {
            let Point::Name(name) = slot else {
                return [0.0; 2];
            };
            let text = Written::Formula(name.describe());
            self.report_live(&text, name.span, &reads);
            return [0.0; 2];
        };
        [x, y]
    }

    /// A point as two operands, with new columns where formulas stand.
    pub fn point_operand(&mut self, slot: &Point) -> PointOperand {
        let nowhere = [Operand::Constant(0.0); 2];
        match slot {
            Point::At(pair) => {
                let (x, y) = (self.num(&pair.0), self.num(&pair.1));
                self.pair_operand(x, y)
            }
            Point::Name(name) => {
                let Some(entity) = self.entity(name) else {
                    return nowhere;
                };
                if let Some(point) = entity.point {
                    self.note_reads(&point);
                    return point;
                }
                if !entity.broken {
                    self.wrong_entity(name, &entity, "a point");
                }
                nowhere
            }
        }
    }

    /// Both coordinates in one step, so that neither takes the other's reads.
    fn pair_operand(&mut self, x: Program, y: Program) -> PointOperand {
        let simple = |p: &Program| p.constant().is_some() || p.as_column().is_some();
        if simple(&x) || simple(&y) {
            return [self.operand_of(x), self.operand_of(y)];
        }
        self.point_signal(FormulaPair(x, y))
    }

    pub(super) fn note_reads(&mut self, operands: &[Operand]) {
        for operand in operands {
            if let Operand::Column(column) = operand {
                self.reads.insert(*column);
            }
        }
    }

    /// A list of points, by name or written out.
    pub fn points(&mut self, slot: &Points) -> PointList {
        match slot {
            Points::List(points) => {
                PointList::Programs(points.iter().map(|p| self.point(p)).collect())
            }
            Points::Name(name) => PointList::Operands(self.points_of(name)),
        }
    }

    /// The points of a list that a name stands for.
    pub fn points_of(&mut self, name: &Name) -> Arc<[PointOperand]> {
        let Some(entity) = self.entity(name) else {
            return Arc::from([]);
        };
        if let Some(List::Points(points)) = &entity.list {
            self.note_reads(points.as_flattened());
            return points.clone();
        }
        if !entity.broken {
            self.wrong_entity(name, &entity, "a list of points");
        }
        Arc::from([])
    }

    /// Whether the last of these points is a neighbour of the first.
    pub fn is_closed(&mut self, slot: &Points) -> bool {
        let Points::Name(name) = slot else {
            return false;
        };
        let elements = self.entity(name).and_then(|entity| entity.elements);
        elements.is_some_and(|elements| elements.closed)
    }

    /// What a name stands for; `None` if there is no such thing, which has been reported.
    pub fn entity(&mut self, name: &Name) -> Option<Entity> {
        let path = parse_path(name.text.as_deref()?)?;
        self.look_up(&path, name.span)
    }

    /// Reports that a name stands for something else than is wanted.
    pub fn wrong_entity(&mut self, name: &Name, entity: &Entity, wanted: &str) {
        let text = name.text.as_deref().unwrap_or_default();
        let mut problem = Problem::error(
            "wrong-kind-of-name",
            name.span,
            format!("`{text}` is {}, but this takes {wanted}", entity.what),
        );
        let fits = |e: &Entity| match wanted {
            "a point" => e.point.is_some(),
            "a list of points" => e.list.is_some(),
            "a number" => e.number.is_some(),
            "a transform" => e.transform.is_some(),
            _ => false,
        };
        if let Some((output, _)) = entity.members.iter().find(|(_, member)| fits(member)) {
            problem = problem.label(format!("did you mean `{text}.{output}`?"));
        } else if wanted == "a point" && entity.list.as_ref().is_some_and(|l| !l.is_empty()) {
            problem = problem.label(format!("did you mean `{text}[0]`?"));
        } else if wanted == "a point" && entity.number.is_some() {
            problem = problem.label("a point is written `[x, y]`");
        } else if wanted == "a transform" {
            problem = problem.note("a transform stands in `skeleton`: { \"transform\": { … } }");
        }
        if let Some(List::Rows(rows)) = &entity.list
            && let Some(first) = rows.first()
            && wanted == "a list of points"
        {
            problem = problem.note(self.points_of_row(text, *first));
        }
        self.problem_once(problem);
    }

    /// A named number, as a column or constant.
    pub fn named_number(&mut self, name: &Name) -> Operand {
        let zero = Operand::Constant(0.0);
        let Some(entity) = self.entity(name) else {
            return zero;
        };
        match entity.number {
            Some(operand) => {
                self.note_reads(&[operand]);
                operand
            }
            None if entity.broken => zero,
            None => {
                self.wrong_entity(name, &entity, "a number");
                zero
            }
        }
    }

    /// A numeric output of what a name stands for; something without it is an error that says what is wanted.
    pub fn output(&mut self, name: &Name, output: &str, wanted: &str) -> Option<Operand> {
        let entity = self.entity(name)?;
        let number = entity.member(output).and_then(|member| member.number);
        if number.is_none() && !entity.broken {
            self.wrong_entity(name, &entity, wanted);
        }
        self.note_reads(&[number?]);
        number
    }

    /// A number of all elements of what a name stands for, if they have it.
    pub fn element_numbers(&mut self, name: &Name, number: &str) -> Option<Arc<[Operand]>> {
        let elements = self.entity(name)?.elements?;
        let (_, all) = elements.numbers.iter().find(|(n, _)| *n == number)?;
        self.note_reads(all);
        Some(all.clone())
    }

    /// The height in px, down, of a body's centre, of a point, or a number that is one.
    pub fn height_of(&mut self, name: &Name) -> Operand {
        let Some(entity) = self.entity(name) else {
            return Operand::Constant(0.0);
        };
        let center = entity.member("center").and_then(|center| center.point);
        let height = center.or(entity.point).map(|[_, y]| y).or(entity.number);
        if height.is_none() && !entity.broken {
            self.wrong_entity(name, &entity, "a body, a point or a number");
        }
        let height = height.unwrap_or(Operand::Constant(0.0));
        self.note_reads(&[height]);
        height
    }

    /// The places that a name stands for: a number is a place on a line.
    pub fn places(&mut self, name: &Name) -> Vec<PointOperand> {
        let Some(entity) = self.entity(name) else {
            return Vec::new();
        };
        let places = match (&entity.list, entity.point, entity.number) {
            (Some(List::Points(points)), ..) => points.to_vec(),
            (_, Some(point), _) => vec![point],
            (_, _, Some(number)) => vec![[number, Operand::Constant(0.0)]],
            _ => {
                if !entity.broken {
                    self.wrong_entity(name, &entity, "a number, a point or a limb");
                }
                Vec::new()
            }
        };
        self.note_reads(places.as_flattened());
        places
    }

    /// Builds something that is drawn at other times than the frame's own, and says what it then needs.
    pub fn looking_back<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> (T, Chain) {
        let outer = std::mem::take(&mut self.reads);
        let result = build(self);
        let columns = std::mem::replace(&mut self.reads, outer);
        self.reads.extend(&columns);
        let chain = Chain::of(&self.steps, columns);
        self.recorded.extend(&chain.recorded);
        (result, chain)
    }

    /// Whether elements are counted here by `.i`.
    pub fn counts_elements(&self) -> bool {
        let element = self.context.element.as_ref();
        element.is_some_and(|e| e.numbers.first().is_some_and(|(name, _)| *name == "i"))
    }

    /// The marks of a list.
    pub fn marks(&mut self, draw: &[Lenient<Mark>]) -> Vec<Box<dyn Draw>> {
        let mut marks = Vec::new();
        for lenient in draw {
            match lenient.get() {
                Some(mark) => marks.push(mark.kind().build(self)),
                None => {
                    self.lost(lenient, Span::default());
                }
            }
        }
        self.drawing.count(draw.len());
        marks
    }

    /// A word of a closed choice, after `{text param}` is filled in.
    pub fn choice<E: DeserializeOwned + Default>(&mut self, slot: &Choice<E>) -> E {
        let Some(word) = self.word(&slot.word) else {
            return E::default();
        };
        let read = E::deserialize(StrDeserializer::<UnknownWord>::new(&word));
        read.unwrap_or_else(|UnknownWord(allowed)| {
            if self.is_told(slot.word.span, "unknown-word") {
                return E::default();
            }
            let words = || allowed.iter().copied();
            let message = format!("unknown word `{word}`");
            let problem = Problem::error("unknown-word", slot.word.span, message);
            let problem = match nearest(&word, words()) {
                Some(near) => problem.label(format!("did you mean `{near}`?")),
                None => problem,
            };
            self.problem_once(problem.note(format!("allowed here: {}", list_some(&word, words()))));
            E::default()
        })
    }

    /// A word, after `{text param}` is filled in.
    fn word<R>(&mut self, slot: &Word<R>) -> Option<String> {
        let text = slot.text.as_deref()?;
        if is_reference(text) {
            return self.fill_in(text, slot.span, "");
        }
        Some(text.to_owned())
    }

    /// An ease.
    pub fn ease(&mut self, slot: &EaseSlot) -> Ease {
        match slot {
            EaseSlot::Word(word) => {
                let Some(text) = self.word(word) else {
                    return Ease::Linear;
                };
                Ease::named(&text).unwrap_or_else(|| {
                    self.unknown_ease(&text, word.span);
                    Ease::Linear
                })
            }
            EaseSlot::Bezier(span, numbers) => {
                let numbers: Vec<f64> = numbers.iter().map(|n| self.fixed(n)).collect();
                let [x1, y1, x2, y2] = numbers[..] else {
                    return Ease::Linear;
                };
                CubicBezier::new(x1, y1, x2, y2).map(Ease::CubicBezier).unwrap_or_else(|| {
                    self.problem_once(
                        Problem::error(
                            "bad-ease",
                            *span,
                            format!("`[{x1}, {y1}, {x2}, {y2}]` is no ease: x1 and x2 must be 0 to 1"),
                        )
                        .note("a cubic Bézier ease is `[x1, y1, x2, y2]`, as in CSS"),
                    );
                    Ease::Linear
                })
            }
            EaseSlot::Kind(EaseKind::Steps(n)) => Ease::Steps(self.int(n) as u32),
            EaseSlot::Kind(EaseKind::Spring(bounce)) => {
                SpringEase::new(self.fixed(bounce)).map_or(Ease::Linear, Ease::Spring)
            }
        }
    }

    fn unknown_ease(&mut self, text: &str, span: Span) {
        if self.is_told(span, "unknown-word") {
            return;
        }
        let names = || Ease::NAMES.iter().copied();
        let mut problem = Problem::error("unknown-word", span, format!("unknown ease `{text}`"));
        if let Some(near) = nearest(text, names()) {
            problem = problem.label(format!("did you mean `{near}`?"));
        }
        self.problem_once(problem.note(format!("eases: {}", list_some(text, names()))));
    }

    /// The colour behind everything.
    pub fn background(&self) -> ColourId {
        self.background
    }

    /// Whether the background is left out.
    pub fn is_transparent(&self) -> bool {
        self.colours.table(0)[usize::from(self.background.0)][3] == 0
    }

    /// A colour of the palette or of CSS, after `{text param}` is filled in.
    pub fn colour(&mut self, slot: &Colour) -> ColourId {
        let Some(text) = slot.text.as_deref() else {
            return self.colours.black();
        };
        let text = match text.contains('{') {
            true => self.fill_in(text, slot.span, COLOURS_STAY),
            false => Some(text.to_owned()),
        };
        let found = text.as_ref().and_then(|text| self.colours.find(text));
        if let (None, Some(text)) = (found, &text)
            && !self.is_told(slot.span, "unknown-colour")
        {
            self.unknown_colour(text, slot.span);
        }
        found.unwrap_or(self.colours.black())
    }

    fn unknown_colour(&mut self, text: &str, span: Span) {
        if self.is_text_param(text) {
            let message = format!("`{text}` is a text param, not a colour");
            let problem = Problem::error("unknown-colour", span, message);
            return self.problem_once(problem.label(format!("write `{{{text}}}`")));
        }
        let problem = self.colours.unknown(text);
        if span.file == 0 || !is_plain_name(text) {
            return self.problem_once(problem.at(span));
        }
        // A part in a file of its own takes its colours from whoever uses it, each of them once.
        let message =
            format!("the part uses the colour `{text}`, which the spec's `palette` does not have");
        if self.problems.iter().all(|told| told.message != message) {
            let form = format!("give it in the spec: `\"palette\": {{ \"{text}\": \"#22272e\" }}`");
            self.problem_once(Problem::error("unknown-colour", span, message).note(form));
        }
    }

    fn is_text_param(&mut self, name: &str) -> bool {
        let Some(id) = self.visible(name) else {
            return false;
        };
        let is_text = self.items[id_index(id)].is_param() && self.build_item(id).text.is_some();
        // It was meant to be read.
        self.items[id_index(id)].used |= is_text;
        is_text
    }

    /// Text with everything filled in, which must be known before frame 0; nothing if it cannot be, which has been
    /// reported, with this advice.
    pub(super) fn fill_in(&mut self, text: &str, span: Span, advice: &str) -> Option<String> {
        let met = self.met;
        let mut filled = String::new();
        let mut unknown = None;
        for piece in self.pieces(text, span) {
            match piece {
                TextPiece::Literal(literal) => filled.push_str(&literal),
                TextPiece::Number(program, format) => match program.constant() {
                    Some(v) => filled.push_str(&formula::format_number(v, format)),
                    None if program.reads_element() => unknown = Some(DIFFERS),
                    None => unknown = Some(CHANGES),
                },
                TextPiece::Word(..) => unknown = Some(CHANGES),
                TextPiece::Label(_) => unknown = Some(DIFFERS),
            }
        }
        if let Some(why) = unknown {
            let problem = Problem::error("live-in-fixed", span, format!("`{text}` {why}"));
            self.problem_once(match advice {
                "" => problem,
                advice => problem.note(advice),
            });
        }
        (self.met == met).then_some(filled)
    }

    /// Text with `{formula}` in it.
    pub fn text(&mut self, slot: &Text) -> Vec<TextPiece> {
        match slot.text.as_deref() {
            Some(text) => self.pieces(text, slot.span),
            None => Vec::new(),
        }
    }

    fn pieces(&mut self, text: &str, span: Span) -> Vec<TextPiece> {
        let template = match formula::parse_template(text) {
            Ok(template) => template,
            Err(error) => {
                let span = span.within(self.sources, error.range.clone());
                self.problem_once(Problem::of_formula(error, span));
                return Vec::new();
            }
        };
        let mut pieces = Vec::new();
        for piece in template.pieces {
            let hole = match piece {
                Piece::Literal(literal) => {
                    pieces.push(TextPiece::Literal(literal));
                    continue;
                }
                Piece::Hole(hole) => hole,
            };
            if let Some(path) = hole.expr.as_path()
                && let Some(piece) = self.text_piece(path, span)
            {
                // What has no letters stands for something that has been reported.
                let is_lost = matches!(&piece, TextPiece::Literal(text) if text.is_empty());
                if hole.decimals.is_some() && !is_lost {
                    let place = span.within(self.sources, hole.range);
                    self.problem_once(Problem::error(
                        "bad-format",
                        place,
                        format!("`{path}` is text, which has no decimals"),
                    ));
                }
                pieces.push(piece);
                continue;
            }
            let program = formula::compile(
                &hole.expr,
                &mut Names {
                    builder: self,
                    span,
                },
            );
            let written = Written::Formula(text[hole.range.clone()].to_owned());
            let place = span.within(self.sources, hole.range);
            let program = self.held(program, &written, place, Range::ANY);
            pieces.push(TextPiece::Number(program, hole.decimals));
        }
        pieces
    }

    /// A bare name in braces that stands for text, if it does.
    fn text_piece(&mut self, path: &Path, span: Span) -> Option<TextPiece> {
        if path.element {
            let labels = self.context.element.as_ref()?.labels.clone()?;
            return (path.to_string() == ".label").then_some(TextPiece::Label(labels));
        }
        let StepKind::Name(first) = &path.steps.first()?.kind else {
            return None;
        };
        self.visible(first)?;
        let nothing = || TextPiece::Literal(String::new());
        let Some(entity) = self.look_up(path, span).filter(|entity| !entity.broken) else {
            self.met += 1;
            return Some(nothing());
        };
        match entity.text? {
            TextValue::Fixed(text) => Some(TextPiece::Literal(text.to_string())),
            TextValue::OneOf(which, words) => {
                self.note_reads(&[which]);
                Some(TextPiece::Word(which, words))
            }
        }
    }

    /// A number that the current element has of its own, such as a ball's radius.
    pub fn element_number(&mut self, name: &str) -> Option<Program> {
        let scope = self.context.element.clone()?;
        let (_, operand) = scope.numbers.iter().find(|(n, _)| *n == name)?;
        let (_, columns) = scope.columns.iter().find(|(n, _)| *n == name)?;
        self.note_reads(columns);
        Some(Program::of(*operand))
    }

    /// The columns read since the last call, which will have to be kept for drawing.
    pub(super) fn take_reads(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.reads)
    }
}

/// All jumps of a step and of what it reads, ascending; those of a delayed name come later.
fn join_jumps(own: Vec<f64>, before: &[&Step], delayed: f64) -> Arc<[f64]> {
    if let ([], [only], 0.0) = (own.as_slice(), before, delayed) {
        return only.jumps.clone();
    }
    let theirs = before
        .iter()
        .flat_map(|step| step.jumps.iter().map(|t| t + delayed));
    let mut all: Vec<f64> = own.into_iter().chain(theirs).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.dedup();
    all.into()
}

fn id_index(id: ItemId) -> usize {
    id.index()
}

/// A word that a choice does not have, with those it has.
#[derive(Debug)]
struct UnknownWord(&'static [&'static str]);

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not one of {:?}", self.0)
    }
}

impl std::error::Error for UnknownWord {}

impl serde::de::Error for UnknownWord {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}

/// A channel that is a formula.
struct Formula(Program);

impl Signal for Formula {
    fn evaluate(&self, inputs: &formula::Inputs, out: &mut [f64]) {
        out[0] = self.0.eval(inputs);
    }
}

/// A joint that is two formulas.
struct FormulaPair(Program, Program);

impl Signal for FormulaPair {
    fn evaluate(&self, inputs: &formula::Inputs, out: &mut [f64]) {
        out[0] = self.0.eval(inputs);
        out[1] = self.1.eval(inputs);
    }
}

/// Resolves the names of one formula.
struct Names<'b, 's> {
    builder: &'b mut Builder<'s>,
    span: Span,
}

impl Resolve for Names<'_, '_> {
    fn resolve(&mut self, path: &Path) -> Operand {
        let operand = self.find(path).unwrap_or(Operand::Constant(0.0));
        self.builder.note_reads(&[operand]);
        operand
    }
}

impl Names<'_, '_> {
    fn find(&mut self, path: &Path) -> Option<Operand> {
        if path.element {
            return self.element(path);
        }
        if let Some(word) = path.as_word()
            && let Some(operand) = self.constant(word)
        {
            let known = Known::needed_for(word) <= self.builder.known;
            if !known {
                self.not_known_yet(word, path);
            }
            return known.then_some(operand);
        }
        let entity = self.builder.look_up(path, self.span)?;
        self.builder.met += usize::from(entity.broken);
        if entity.number.is_none() && !entity.broken {
            let place = self.span.within(self.builder.sources, path.range.clone());
            self.builder
                .problem_once(not_a_number(path, &entity, place));
        }
        entity.number
    }

    /// The canvas is read one after another, so that its own fields can only need those before them.
    fn not_known_yet(&mut self, word: &str, path: &Path) {
        let place = self.span.within(self.builder.sources, path.range.clone());
        let message = format!("`{word}` is not known here yet");
        self.builder.problem_once(
            Problem::error("canvas-order", place, message)
                .note("the canvas is read in this order: `size`, `fps`, then `duration` or `frames`; each can need those before it")
                .note("write the number itself, or a param that both fields use"),
        );
    }

    fn constant(&self, word: &str) -> Option<Operand> {
        let clock = &self.builder.clock;
        let value = match word {
            "t" => return Some(Operand::Column(TIME)),
            "frame" => return Some(Operand::Column(FRAME)),
            "fps" => clock.fps,
            "duration" => clock.duration,
            "width" => clock.width,
            "height" => clock.height,
            "pi" => std::f64::consts::PI,
            "turn" => 360.0,
            _ => return None,
        };
        Some(Operand::Constant(value))
    }

    fn element(&mut self, path: &Path) -> Option<Operand> {
        let written = path.to_string();
        let name = written.trim_start_matches('.');
        let place = self.span.within(self.builder.sources, path.range.clone());
        let Some(scope) = self.builder.context.element.clone() else {
            self.builder.problem_once(
                Problem::error(
                    "no-element",
                    place,
                    format!("`{written}` reads an element, but there is none here"),
                )
                .note("a leading dot is for marks with `of`, `repeat`, the `with` of a row, `chain` and `curve`"),
            );
            return None;
        };
        let found = scope.numbers.iter().find(|(n, _)| *n == name);
        if found.is_none() {
            let names = || scope.numbers.iter().map(|(n, _)| *n);
            let mut problem = Problem::error(
                "unknown-name",
                place,
                format!("the element here has no `{written}`"),
            );
            if let Some(near) = nearest(name, names()) {
                problem = problem.label(format!("did you mean `.{near}`?"));
            }
            let all: Vec<_> = names().map(|n| format!(".{n}")).collect();
            self.builder
                .problem_once(problem.note(format!("it has: {}", all.join(", "))));
        }
        let columns = scope.columns.iter().find(|(n, _)| *n == name);
        if let Some((_, columns)) = columns {
            self.builder.note_reads(columns);
        }
        found.map(|(_, operand)| *operand)
    }
}

/// `a` reads `b`, which reads `c`, which changes with time.
fn chain_of_dependence(chain: &[String]) -> String {
    match chain {
        [first, second, rest @ ..] => {
            let rest: String = rest
                .iter()
                .map(|name| format!(", which reads {name}"))
                .collect();
            format!("{first} reads {second}{rest}, which changes with time")
        }
        _ => String::new(),
    }
}

/// A name in a formula that stands for something else.
fn not_a_number(path: &Path, entity: &Entity, place: Span) -> Problem {
    let problem = Problem::error(
        "not-a-number",
        place,
        format!("`{path}` is {}, not a number", entity.what),
    );
    let outputs: Vec<_> = entity
        .members
        .iter()
        .filter(|(_, member)| member.number.is_some())
        .map(|(name, _)| format!("`{path}.{name}`"))
        .collect();
    match (outputs.as_slice(), &entity.list) {
        ([], Some(List::Points(_))) => problem.label(format!("write `{path}[0].x`")),
        ([], _) if entity.text.is_some() => {
            problem.note("a param written as a string is text; a formula is written in `channels`")
        }
        ([], _) => problem,
        (outputs, _) => problem.label(format!("write {}", outputs.join(" or "))),
    }
}
