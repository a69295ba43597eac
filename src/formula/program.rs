//! A compiled formula and its evaluation.

use std::cell::Cell;

use super::compile::Operand;
use super::functions::Apply;
use super::parse::DEPTH_LIMIT;
use super::range::Range;

/// At most seven values wait at each level of nesting: two arguments and one operand each of `or`, `and`,
/// a comparison, a sum and a product.
const HIGHEST_STACK: usize = 8 * DEPTH_LIMIT;

/// A formula ready to be evaluated, as often as wished, without allocation.
#[derive(Clone, Debug)]
pub struct Program {
    body: Body,
    guard: Option<Guard>,
}

#[derive(Clone, Debug)]
enum Body {
    Operand(Operand),
    Code { ops: Box<[Op]>, height: usize },
}

/// One step of the stack machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Push(Operand),
    Apply(Apply),
}

#[derive(Clone, Debug)]
struct Guard {
    id: u32,
    range: Range,
}

/// What a program reads when it is evaluated, and where its guard reports.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The frame: one value per column.
    pub row: &'a [f64],
    /// The current element's values; empty outside of elements.
    pub element: &'a [f64],
    /// The first guard that was violated and the value it saw; never overwritten.
    pub violation: &'a Cell<Option<(u32, f64)>>,
}

impl<'a> Inputs<'a> {
    /// What a program may read, and where its guard reports.
    pub fn new(
        row: &'a [f64],
        element: &'a [f64],
        violation: &'a Cell<Option<(u32, f64)>>,
    ) -> Self {
        Self {
            row,
            element,
            violation,
        }
    }
}

impl Program {
    /// The ops of one expression, in the order of evaluation.
    pub(super) fn new(ops: Vec<Op>) -> Self {
        let body = match ops.as_slice() {
            [Op::Push(operand)] => Body::Operand(*operand),
            _ => Body::Code {
                height: stack_height(&ops),
                ops: ops.into_boxed_slice(),
            },
        };
        Self { body, guard: None }
    }

    /// A program that always gives this number.
    pub fn constant_of(value: f64) -> Self {
        Self::of(Operand::Constant(value))
    }

    /// A program that reads this column.
    pub fn column_of(column: u32) -> Self {
        Self::of(Operand::Column(column))
    }

    /// A program that gives an operand's value.
    pub fn of(operand: Operand) -> Self {
        Self {
            body: Body::Operand(operand),
            guard: None,
        }
    }

    /// How many operations an evaluation takes.
    pub fn operations(&self) -> usize {
        match &self.body {
            Body::Operand(_) => 1,
            Body::Code { ops, .. } => ops.len(),
        }
    }

    /// The value, if it is the same for all inputs; as written, not as a guard would hold it.
    pub fn constant(&self) -> Option<f64> {
        match self.body {
            Body::Operand(Operand::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// The column, if the program does nothing but read it, unguarded.
    pub fn as_column(&self) -> Option<u32> {
        match self.body {
            Body::Operand(Operand::Column(column)) if self.guard.is_none() => Some(column),
            _ => None,
        }
    }

    /// The columns it reads, in the order of reading, as often as they are read.
    pub fn reads(&self) -> impl Iterator<Item = u32> {
        self.operands().filter_map(|operand| match operand {
            Operand::Column(column) => Some(column),
            _ => None,
        })
    }

    /// Whether it reads the current element.
    pub fn reads_element(&self) -> bool {
        self.operands()
            .any(|operand| matches!(operand, Operand::Element(_)))
    }

    fn operands(&self) -> impl Iterator<Item = Operand> {
        let (single, ops) = match &self.body {
            Body::Operand(operand) => (Some(*operand), &[][..]),
            Body::Code { ops, .. } => (None, &ops[..]),
        };
        let pushed = ops.iter().filter_map(|op| match op {
            Op::Push(operand) => Some(*operand),
            Op::Apply(_) => None,
        });
        single.into_iter().chain(pushed)
    }

    /// The same program, whose values are held within a range; `id` tells the caller which guard spoke.
    ///
    /// A guard replaces the one before.
    pub fn guarded(self, id: u32, range: Range) -> Self {
        Self {
            guard: Some(Guard { id, range }),
            ..self
        }
    }

    /// The value for these inputs.
    ///
    /// A value that is not finite or lies outside of the guard's range is noted in `inputs.violation`, and
    /// the nearest number of the range is returned. Panics if row or element are shorter than the resolver said.
    pub fn eval(&self, inputs: &Inputs<'_>) -> f64 {
        let value = match &self.body {
            Body::Operand(operand) => operand.value(inputs),
            // A short stack is cleared sooner.
            Body::Code { ops, height } if *height <= 8 => run::<8>(ops, inputs),
            Body::Code { ops, height } if *height <= 64 => run::<64>(ops, inputs),
            Body::Code { ops, .. } => run::<HIGHEST_STACK>(ops, inputs),
        };
        match &self.guard {
            Some(guard) if !guard.range.contains(value) => guard.refuse(value, inputs),
            _ => value,
        }
    }
}

impl Guard {
    #[cold]
    fn refuse(&self, value: f64, inputs: &Inputs<'_>) -> f64 {
        if inputs.violation.get().is_none() {
            inputs.violation.set(Some((self.id, value)));
        }
        self.range.nearest(value)
    }
}

impl Operand {
    /// The value that stands there. Panics if row or element are shorter than the resolver said.
    pub fn value(self, inputs: &Inputs<'_>) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::Column(column) => inputs.row[column as usize],
            Self::Element(place) => inputs.element[place as usize],
        }
    }
}

fn run<const HEIGHT: usize>(ops: &[Op], inputs: &Inputs<'_>) -> f64 {
    let mut stack = [0.0; HEIGHT];
    let mut top = 0;
    for op in ops {
        match *op {
            Op::Push(operand) => {
                stack[top] = operand.value(inputs);
                top += 1;
            }
            Op::Apply(Apply::One(f)) => stack[top - 1] = f(stack[top - 1]),
            Op::Apply(Apply::Two(f)) => {
                top -= 1;
                stack[top - 1] = f(stack[top - 1], stack[top]);
            }
            Op::Apply(Apply::Three(f)) => {
                top -= 2;
                stack[top - 1] = f(stack[top - 1], stack[top], stack[top + 1]);
            }
        }
    }
    stack[0]
}

/// How many values wait at once, at most.
fn stack_height(ops: &[Op]) -> usize {
    let (mut height, mut highest) = (0, 0);
    for op in ops {
        match op {
            Op::Push(_) => height += 1,
            Op::Apply(apply) => height -= apply.arity() - 1,
        }
        highest = highest.max(height);
    }
    debug_assert!(highest <= HIGHEST_STACK, "the parser limits the nesting");
    highest
}
