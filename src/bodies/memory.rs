//! A body as a memory of the engine: its particles move on tick by tick, in equal steps.

use super::laws::{Around, Law, Particles, Snapshot};
use super::world::Surroundings;
use crate::formula::{Inputs, Operand, Program};
use crate::maths::functions::{floor, hypot, lerp};
use crate::scene::builder::Builder;
use crate::scene::entity::{Elements, Entity, List, PointOperand};
use crate::scene::{Memory, MemorySize, Trouble};
use crate::spec::source::Span;
use std::rc::Rc;
use std::sync::Arc;

/// Outputs of every element: x, y, vx, vy, speed, and one more that depends on the kind.
const PER_ELEMENT: usize = 6;
/// Outputs of every body as a whole.
const WHOLE: [&str; 8] = [
    "left", "top", "right", "bottom", "center.x", "center.y", "energy", "speed",
];
/// Part of a step that rounding may be off by.
const STEP_SLACK: f64 = 1e-6;

/// What a kind of body shows besides its points.
pub trait Quantities: Send + Sync {
    /// What the body is called: "a rope".
    fn what(&self) -> &'static str;

    /// The name of the sixth number of every element.
    fn element_name(&self) -> &'static str;

    /// The sixth number of every element.
    fn element(&self, particles: Snapshot, i: usize) -> f64;

    /// Names of further numbers of the whole body.
    fn names(&self) -> &'static [&'static str];

    /// Further numbers of the whole body.
    fn whole(&self, particles: Snapshot, live: &[f64], out: &mut [f64]);

    /// How far an element reaches around its point, in px.
    fn radius(&self, _: usize) -> f64 {
        0.0
    }

    /// Mass of an element as a multiple of any unit.
    fn mass(&self, _: usize) -> f64 {
        1.0
    }

    /// `.speed` of the whole body; the mean of all elements.
    fn speed(&self, speeds: &mut dyn ExactSizeIterator<Item = f64>) -> f64 {
        let count = speeds.len().max(1) as f64;
        speeds.fold(0.0, |sum, speed| sum + speed) / count
    }

    /// Whether its last point is its `.end`.
    fn has_end(&self) -> bool {
        false
    }

    /// Further things of the elements: constants, labels, how they hang together.
    fn describe(&self, _: &mut Elements) {}
}

/// An input of a law: a formula, times a factor, plus an offset.
#[derive(Clone, Debug)]
pub struct LiveNumber {
    pub program: Program,
    pub times: f64,
    pub plus: f64,
}

impl LiveNumber {
    /// A formula as it is.
    pub fn of(program: Program) -> Self {
        Self {
            program,
            times: 1.0,
            plus: 0.0,
        }
    }

    /// A number that does not change.
    pub fn constant(value: f64) -> Self {
        Self::of(Program::constant_of(value))
    }
}

/// Gives the places of all particles when these numbers were read.
type Places = dyn Fn(&[f64]) -> Vec<[f64; 2]> + Send + Sync;

/// Where the particles are at t = 0.
pub struct Built {
    inputs: Vec<Program>,
    places: Box<Places>,
}

impl Built {
    /// Places that are known.
    pub fn known(places: Vec<[f64; 2]>) -> Self {
        Self {
            inputs: Vec::new(),
            places: Box::new(move |_| places.clone()),
        }
    }

    /// Places that depend on what numbers are at t = 0.
    pub fn live(
        inputs: Vec<Program>,
        places: impl Fn(&[f64]) -> Vec<[f64; 2]> + Send + Sync + 'static,
    ) -> Self {
        Self {
            inputs,
            places: Box::new(places),
        }
    }
}

/// The particles of one body.
pub struct BodyMemory {
    name: String,
    span: Span,
    law: Box<dyn Law>,
    quantities: Arc<dyn Quantities>,
    surroundings: Surroundings,
    /// The law's own inputs.
    live: Vec<LiveNumber>,
    built: Built,
    /// Length of a tick in T.
    tick: f64,
}

impl BodyMemory {
    /// Declares the body's outputs.
    pub fn declare(
        law: Box<dyn Law>,
        quantities: Arc<dyn Quantities>,
        surroundings: Surroundings,
        live: Vec<LiveNumber>,
        built: Built,
        b: &mut Builder,
    ) -> Entity {
        debug_assert_eq!(live.len(), law.live_inputs(), "each law says what it takes");
        let memory = Self {
            name: b.own_name(),
            span: b.place(),
            law,
            quantities,
            surroundings,
            live,
            built,
            tick: b.clock().tick(),
        };
        let (count, outputs) = (memory.law.count(), memory.outputs() as u32);
        let quantities = memory.quantities.clone();
        match b.memory(outputs, memory) {
            Operand::Column(first) => describe(quantities.as_ref(), first, count),
            _ => Entity::broken(),
        }
    }

    fn outputs(&self) -> usize {
        PER_ELEMENT * self.law.count() + WHOLE.len() + self.quantities.names().len()
    }

    /// What acts, and the law's own inputs, on the straight way from one tick to the next.
    fn inputs_at(&self, from: &[f64], to: &[f64], u: f64, now: &mut [f64]) -> Around {
        for ((now, from), to) in now.iter_mut().zip(from).zip(to) {
            *now = lerp(*from, *to, u);
        }
        self.surroundings.around(now)
    }

    /// The law's own inputs, and those of the places at t = 0.
    fn own_inputs<'i>(&self, input: &'i [f64]) -> (&'i [f64], &'i [f64]) {
        input[Surroundings::INPUTS..].split_at(self.live.len())
    }

    /// Positions and velocities between two steps.
    fn between(&self, state: &mut [f64], next: &[f64], u: f64) {
        let moving = 4 * self.law.count();
        for (now, next) in state[..moving].iter_mut().zip(next) {
            *now = lerp(*now, *next, u);
        }
    }
}

impl Memory for BodyMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: Surroundings::INPUTS + self.live.len() + self.built.inputs.len(),
            states: 4 * self.law.count() + self.law.extra(),
        }
    }

    fn damping(&self) -> Option<&'static str> {
        Some("a smaller `keep`")
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        let (around, rest) = input.split_at_mut(Surroundings::INPUTS);
        let (live, built) = rest.split_at_mut(self.live.len());
        self.surroundings.read(inputs, around);
        for (slot, program) in built.iter_mut().zip(&self.built.inputs) {
            *slot = program.eval(inputs);
        }
        for (slot, number) in live.iter_mut().zip(&self.live) {
            *slot = number.program.eval(inputs) * number.times + number.plus;
        }
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        let (live, built) = self.own_inputs(input);
        let particles = &mut Particles::split(state, self.law.count());
        self.law.start(live, particles);
        for (i, [x, y]) in (self.built.places)(built).into_iter().enumerate() {
            (particles.x[i], particles.y[i]) = (x, y);
        }
        // What is held starts where it is held.
        self.law.mend(particles, live);
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        self.advance_within(f64::INFINITY, state, [from, to], dt);
    }

    fn advance_within(
        &self,
        room: f64,
        state: &mut [f64],
        [from, to]: [&[f64]; 2],
        dt: f64,
    ) -> f64 {
        let count = self.law.count();
        let mut spent = 0.0;
        let pace = self.surroundings.pace(self.tick);
        let steps = dt / pace.h;
        let whole = floor(steps + STEP_SLACK);
        let mut now = to.to_vec();
        let mut step = |state: &mut [f64], number: f64| {
            let around = self.inputs_at(from, to, number / steps, &mut now);
            let (live, _) = self.own_inputs(&now);
            let mut particles = Particles::split(state, count);
            particles.room = room - spent;
            self.law.step(&mut particles, &around, live, pace);
            spent += particles.spent;
            spent <= room
        };
        for number in 1..=whole as u32 {
            if !step(state, f64::from(number)) {
                return spent;
            }
        }
        if steps - whole > STEP_SLACK {
            let mut next = state.to_vec();
            step(&mut next, whole + 1.0);
            self.between(state, &next, steps - whole);
            let (live, _) = self.own_inputs(to);
            self.law.mend(&mut Particles::split(state, count), live);
        }
        spent
    }

    fn write(&self, state: &[f64], input: &[f64], out: &mut [f64]) {
        let count = self.law.count();
        let p = Snapshot::split(state, count);
        let (elements, whole) = out.split_at_mut(PER_ELEMENT * count);
        for (i, out) in elements.chunks_exact_mut(PER_ELEMENT).enumerate() {
            let speed = hypot(p.vx[i], p.vy[i]);
            let sixth = self.quantities.element(p, i);
            out.copy_from_slice(&[p.x[i], p.y[i], p.vx[i], p.vy[i], speed, sixth]);
        }
        let (common, own) = whole.split_at_mut(WHOLE.len());
        let (live, _) = self.own_inputs(input);
        self.write_whole(p, &self.surroundings.around(input), common);
        let mut speeds = elements.chunks_exact(PER_ELEMENT).map(|element| element[4]);
        common[7] = self.quantities.speed(&mut speeds);
        self.quantities.whole(p, live, own);
    }

    fn ticks_only(&self) -> bool {
        true
    }

    fn operations(&self) -> f64 {
        self.law.operations() * self.surroundings.substeps() as f64
    }

    fn trouble(&self, state: &[f64], input: &[f64]) -> Option<Trouble> {
        let particles = Snapshot::split(state, self.law.count());
        let trouble = self.law.trouble(particles, self.own_inputs(input).0)?;
        let name = match trouble.element {
            Some(i) => format!("{}[{i}]", self.name),
            None => self.name.clone(),
        };
        Some(Trouble {
            span: self.span,
            name,
            what: trouble.what,
            value: trouble.value,
            advice: trouble.advice,
        })
    }

    /// The largest distance of any particle.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        let count = self.law.count();
        let along = |i: usize| after[i] - before[i];
        (0..count).fold(0.0, |most: f64, i| {
            most.max(hypot(along(i), along(count + i)))
        })
    }
}

impl BodyMemory {
    /// Box, centre of mass and energy.
    fn write_whole(&self, p: Snapshot, around: &Around, out: &mut [f64]) {
        let mut edges = [
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ];
        let (mut mass, mut x, mut y) = (0.0, 0.0, 0.0);
        for i in 0..self.law.count() {
            let (radius, m) = (self.quantities.radius(i), self.quantities.mass(i));
            edges[0] = edges[0].min(p.x[i] - radius);
            edges[1] = edges[1].min(p.y[i] - radius);
            edges[2] = edges[2].max(p.x[i] + radius);
            edges[3] = edges[3].max(p.y[i] + radius);
            mass += m;
            x += m * p.x[i];
            y += m * p.y[i];
        }
        out[..4].copy_from_slice(&edges);
        out[4..7].copy_from_slice(&[x / mass, y / mass, self.law.energy(p, around)]);
    }
}

/// The outputs of a body of so many elements, from its first column on.
fn describe(quantities: &dyn Quantities, first: u32, count: usize) -> Entity {
    let column = |i: usize, k: usize| Operand::Column(first + (PER_ELEMENT * i + k) as u32);
    let point = |i: usize| -> PointOperand { [column(i, 0), column(i, 1)] };
    let mut elements = Elements::default();
    quantities.describe(&mut elements);
    for (k, name) in ["vx", "vy", "speed", quantities.element_name()]
        .into_iter()
        .enumerate()
    {
        let all: Arc<[Operand]> = (0..count).map(|i| column(i, k + 2)).collect();
        elements.numbers.push((name, all));
    }
    let mut entity = Entity {
        what: quantities.what(),
        list: Some(List::Points((0..count).map(point).collect())),
        elements: Some(Rc::new(elements)),
        ..Entity::default()
    };
    let whole = |k: usize| column(count, k);
    let number = |k: usize| Entity::number("a number", whole(k));
    for (k, name) in WHOLE.into_iter().enumerate() {
        if !name.contains('.') {
            entity = entity.with(name, number(k));
        }
    }
    entity = entity.with("center", Entity::point("a point", [whole(4), whole(5)]));
    if quantities.has_end() {
        entity = entity.with("end", Entity::point("a point", point(count - 1)));
    }
    for (k, name) in quantities.names().iter().enumerate() {
        entity = entity.with(name, number(WHOLE.len() + k));
    }
    entity
}
