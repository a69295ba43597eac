//! Walks through time: every step in order at every moment, memory from tick to tick.

use super::past::{Record, Side, fill, wrap};
use super::{Failure, violated};
use crate::formula::Inputs;
use crate::maths::functions::{ceil, rounding};
use crate::scene::builder::{FRAME, SIDE, TIME};
use crate::scene::{Behaviour, Memory, Scene, Step};
use std::cell::Cell;
use std::sync::Arc;

/// Evaluates the steps that are needed.
#[derive(Clone)]
pub struct Engine<'s> {
    scene: &'s Scene,
    /// Indices of the needed steps, in order.
    steps: Vec<usize>,
    row: Vec<f64>,
    /// A row at another time.
    elsewhere: Vec<f64>,
    cells: Vec<MemoryCell>,
    /// Times within the animation at which something jumps, ascending.
    jumps: Arc<[f64]>,
    record: Record,
    /// What was recorded in the cycle before.
    earlier: Option<Record>,
    /// Operations that memories may take beyond those known beforehand.
    room: f64,
}

/// The state of one step with memory.
#[derive(Clone)]
struct MemoryCell {
    /// The moment of `state`.
    time: f64,
    /// Its inputs at that moment, after any jump.
    input: Vec<f64>,
    state: Vec<f64>,
    /// The same at the moment that is being evaluated.
    input_now: Vec<f64>,
    state_now: Vec<f64>,
}

impl<'s> Engine<'s> {
    /// An engine for what these columns depend on.
    pub fn new(scene: &'s Scene, wanted: &[u32]) -> Self {
        let steps = needed(scene, wanted);
        let mut engine = Self {
            row: vec![0.0; scene.columns],
            elsewhere: Vec::new(),
            cells: Vec::new(),
            jumps: Arc::from([]),
            record: Record::of(recorded(scene, &steps)),
            earlier: None,
            room: f64::INFINITY,
            scene,
            steps,
        };
        for index in &engine.steps {
            if let Behaviour::Memory(memory) = &scene.steps[*index].behaviour {
                engine.cells.push(MemoryCell::new(memory.as_ref()));
            }
        }
        if engine.has_memory() {
            let lists = engine.steps.iter().map(|index| &scene.steps[*index].jumps);
            let all = lists.flat_map(|jumps| jumps.iter().copied());
            let within = |t: &f64| *t > rounding(*t) && *t <= scene.clock.horizon;
            let mut jumps: Vec<f64> = all.filter(within).collect();
            jumps.sort_unstable_by(f64::total_cmp);
            jumps.dedup();
            engine.jumps = jumps.into();
        }
        engine
    }

    /// Allows memories so many operations beyond those known beforehand.
    pub fn set_room(&mut self, operations: f64) {
        self.room = operations;
    }

    /// Whether anything depends on what was before.
    pub fn has_memory(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Operations of all steps at a moment, besides formulas.
    pub fn operations(&self) -> f64 {
        let steps = self.steps.iter().map(|index| &self.scene.steps[*index]);
        steps.map(|step| step.operations).sum()
    }

    /// Operations that memories take in a tick.
    pub fn operations_per_tick(&self) -> f64 {
        self.memories().map(|(_, memory)| memory.operations()).sum()
    }

    /// Bytes of what is recorded in a tick.
    pub fn bytes_per_tick(&self) -> f64 {
        match self.record.columns.len() {
            columns if columns > 0 && self.has_memory() => 8.0 * (columns + 1) as f64,
            _ => 0.0,
        }
    }

    /// The row that was evaluated last.
    pub fn row(&self) -> &[f64] {
        &self.row
    }

    /// Indices of the steps that it evaluates.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// The recorded moments.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Evaluates a row of an engine without memory.
    pub fn evaluate(&mut self, time: f64) -> Result<(), Failure> {
        self.evaluate_at(time, Side::After)
    }

    /// Sets every memory as it is at t = 0.
    pub fn start(&mut self) -> Result<(), Failure> {
        for cell in &mut self.cells {
            cell.time = f64::NEG_INFINITY;
        }
        self.evaluate_at(0.0, Side::After)?;
        self.commit(0.0, |_, _| true);
        self.record.push(0.0, &self.row);
        Ok(())
    }

    /// Goes back to t = 0 with the memory as it is.
    pub fn restart(&mut self) -> Result<(), Failure> {
        for cell in &mut self.cells {
            cell.time = 0.0;
        }
        let columns = self.record.columns.clone();
        self.earlier = Some(std::mem::replace(&mut self.record, Record::of(columns)));
        self.evaluate_at(0.0, Side::After)?;
        self.commit(0.0, |_, _| true);
        self.record.push(0.0, &self.row);
        Ok(())
    }

    /// All states, one after another.
    pub fn state(&self) -> Vec<f64> {
        self.cells
            .iter()
            .flat_map(|cell| cell.state.iter().copied())
            .collect()
    }

    /// The largest difference of any state that comes back to one it had, leaving out what only counts, and the
    /// step that it belongs to.
    pub fn farthest(&self, before: &[f64]) -> (f64, usize) {
        let mut rest = before;
        let mut most = (0.0, 0);
        for (cell, (index, memory)) in self.cells.iter().zip(self.memories()) {
            let (old, more) = rest.split_at(cell.state.len());
            let distance = memory.distance(old, &cell.state);
            if distance > most.0 {
                most = (distance, index);
            }
            rest = more;
        }
        most
    }

    fn memories(&self) -> impl Iterator<Item = (usize, &'s dyn Memory)> {
        let scene = self.scene;
        self.steps
            .iter()
            .filter_map(move |index| match &scene.steps[*index].behaviour {
                Behaviour::Memory(memory) => Some((*index, memory.as_ref())),
                _ => None,
            })
    }

    /// Walks from t = 0 to `until` and shows the rows of frames on the way.
    pub fn run(
        &mut self,
        frames: &[f64],
        until: f64,
        show: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<(), Failure> {
        let clock = self.scene.clock;
        let (mut next, mut last) = (0, 0.0);
        let ticks = ceil(until / clock.tick()) as usize;
        self.record.reserve(ticks + 2 * self.jumps.len() + 1);
        let all_jumps = self.jumps.clone();
        let mut jumps = all_jumps.iter().copied().peekable();
        for tick in 1.. {
            let end = clock.tick_time(f64::from(tick)).min(until);
            while last < end {
                let slack = rounding(end);
                // A jump that misses a tick by rounding alone happens at the tick.
                let cut = jumps.peek().copied().filter(|j| *j < end - slack);
                let moment = cut.unwrap_or(end);
                let mut jumping = false;
                while jumps.next_if(|j| *j <= moment + slack).is_some() {
                    jumping = true;
                }
                while let Some(time) = frames.get(next).filter(|f| **f < moment - slack) {
                    self.evaluate_at(time.max(last), Side::After)?;
                    show(next, &self.row);
                    next += 1;
                }
                self.reach(moment, jumping, cut.is_none())?;
                last = moment;
            }
            if end >= until {
                break;
            }
        }
        for time in &frames[next..] {
            self.evaluate_at(time.max(last), Side::After)?;
            show(next, &self.row);
            next += 1;
        }
        Ok(())
    }

    /// Comes to a tick or a jump: what is due there takes its new state.
    fn reach(&mut self, moment: f64, jumping: bool, is_tick: bool) -> Result<(), Failure> {
        let due = move |step: &Step, memory: &dyn Memory| {
            let near = |j: &f64| (*j - moment).abs() <= rounding(moment);
            is_tick || !memory.ticks_only() && step.jumps.iter().any(near)
        };
        if jumping {
            self.evaluate_at(moment, Side::Before)?;
            self.record.push(moment, &self.row);
            self.commit(moment, due);
        }
        self.evaluate_at(moment, Side::After)?;
        self.record.push(moment, &self.row);
        self.commit(moment, due);
        Ok(())
    }

    /// Takes over what was evaluated last as the state at that moment.
    fn commit(&mut self, time: f64, due: impl Fn(&Step, &dyn Memory) -> bool) {
        let mut cells = self.cells.iter_mut();
        for index in &self.steps {
            let step = &self.scene.steps[*index];
            let Behaviour::Memory(memory) = &step.behaviour else {
                continue;
            };
            let Some(cell) = cells.next() else { break };
            if due(step, memory.as_ref()) {
                cell.time = time;
                cell.input.copy_from_slice(&cell.input_now);
                cell.state.copy_from_slice(&cell.state_now);
            }
        }
    }

    /// Fills the row at a moment, leaving every state as it is.
    fn evaluate_at(&mut self, time: f64, side: Side) -> Result<(), Failure> {
        let scene = self.scene;
        self.row[TIME as usize] = time;
        self.row[FRAME as usize] = scene.clock.frame_at(time);
        self.row[SIDE as usize] = side.in_row();
        let violation = Cell::new(None);
        let mut cells = self.cells.iter_mut();
        for index in &self.steps {
            let step = &scene.steps[*index];
            let (before, rest) = self.row.split_at_mut(step.first as usize);
            let inputs = Inputs::new(before, &[], &violation);
            let out = &mut rest[..step.outputs as usize];
            match &step.behaviour {
                Behaviour::Signal(signal) => signal.evaluate(&inputs, out),
                Behaviour::Memory(memory) => {
                    let Some(cell) = cells.next() else { continue };
                    self.room -= cell.carry(self.room, memory.as_ref(), &inputs, time);
                    if self.room < 0.0 {
                        return Err(Failure::TooMuchWork { time });
                    }
                    memory.write(&cell.state_now, &cell.input_now, out);
                    if let Some(trouble) = memory.trouble(&cell.state_now, &cell.input_now) {
                        let tick = time / scene.clock.tick();
                        return Err(violated(scene, &violation, time).unwrap_or(
                            Failure::Trouble {
                                time,
                                tick,
                                trouble,
                            },
                        ));
                    }
                }
                Behaviour::LookBack(look) => {
                    self.elsewhere.resize(scene.columns, 0.0);
                    let other = &mut self.elsewhere;
                    let record = match (wrap(scene, time - look.by), &self.earlier) {
                        (Some(t), Some(earlier)) if time < look.by => (t, earlier),
                        (t, _) => (t.unwrap_or(0.0), &self.record),
                    };
                    fill(scene, record.1, &look.chain, (record.0, side), other);
                    out[0] = other[look.of as usize];
                }
            }
            if let Some(i) = out.iter().position(|v| !v.is_finite()) {
                let column = step.first + i as u32;
                return Err(violated(scene, &violation, time)
                    .unwrap_or(Failure::NotFinite { time, column }));
            }
        }
        violated(scene, &violation, time).map_or(Ok(()), Err)
    }
}

impl MemoryCell {
    fn new(memory: &dyn Memory) -> Self {
        let size = memory.size();
        Self {
            time: f64::NEG_INFINITY,
            input: vec![0.0; size.inputs],
            state: vec![0.0; size.states],
            input_now: vec![0.0; size.inputs],
            state_now: vec![0.0; size.states],
        }
    }

    /// Carries the state to a moment; gives the operations that this took beyond those known beforehand.
    fn carry(&mut self, room: f64, memory: &dyn Memory, inputs: &Inputs, time: f64) -> f64 {
        memory.read(inputs, &mut self.input_now);
        if self.time == f64::NEG_INFINITY {
            memory.start(&self.input_now, &mut self.state_now);
            return 0.0;
        }
        self.state_now.copy_from_slice(&self.state);
        let inputs = [self.input.as_slice(), &self.input_now];
        memory.advance_within(room, &mut self.state_now, inputs, time - self.time)
    }
}

/// Indices of the steps that columns depend on, in order.
pub fn needed(scene: &Scene, wanted: &[u32]) -> Vec<usize> {
    let mut alive = vec![false; scene.columns];
    for column in wanted {
        alive[*column as usize] = true;
    }
    let mut steps = Vec::new();
    for (index, step) in scene.steps.iter().enumerate().rev() {
        let outputs = step.first as usize..(step.first + step.outputs) as usize;
        if alive[outputs].iter().any(|a| *a) {
            for column in &step.reads {
                alive[*column as usize] = true;
            }
            if let Behaviour::LookBack(look) = &step.behaviour {
                for column in &look.chain.recorded {
                    alive[*column as usize] = true;
                }
            }
            steps.push(index);
        }
    }
    steps.reverse();
    steps
}

/// The columns that steps and marks look back on and that have memory.
fn recorded(scene: &Scene, steps: &[usize]) -> Vec<u32> {
    let mut columns: Vec<u32> = scene.recorded.clone();
    for index in steps {
        if let Behaviour::LookBack(look) = &scene.steps[*index].behaviour {
            columns.extend(&look.chain.recorded);
        }
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}
