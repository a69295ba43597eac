//! What marks and transforms need of the builder: instances to draw, boxes, and how much is drawn at all.

use super::Transform;
use super::builder::{Builder, Context};
use super::entity::List;
use super::names::{ItemId, ROOT, ScopeId};
use crate::document::{Spec, Use};
use crate::formula::{Inputs, Program, Range};
use crate::limits::Limit;
use crate::marks::Draw;
use crate::simulate::{Chain, PER_STEP};
use crate::spec::problem::Problem;
use crate::spec::slots::{Edges, Lenient, Map, Name};
use crate::spec::source::Span;
use crate::spec::suggest::nearest;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A value that formulas give together and that must keep a range, such as the width of a box.
#[derive(Clone, Debug)]
pub struct Check {
    guard: u32,
    range: Range,
}

/// The edges of a box, left, top, right and bottom, which may change with time.
#[derive(Clone, Debug)]
pub struct BoxProgram {
    pub sides: [Program; 4],
    /// Of right − left.
    pub width: Check,
    /// Of bottom − top.
    pub height: Check,
}

/// What is being drawn while marks are built.
pub(super) struct Drawing {
    /// Instances whose marks are being built, outermost first.
    within: Vec<ScopeId>,
    /// Instances whose marks have been asked for.
    drawn: BTreeSet<ScopeId>,
    /// How often what is being built will be drawn.
    copies: usize,
    /// Marks so far, each as often as it is repeated.
    count: usize,
    /// Operations of looking back so far.
    looks: f64,
}

impl Default for Drawing {
    fn default() -> Self {
        Self {
            within: Vec::new(),
            drawn: BTreeSet::new(),
            copies: 1,
            count: 0,
            looks: 0.0,
        }
    }
}

impl Drawing {
    /// Marks so far, each as often as it is repeated.
    pub fn shapes(&self) -> usize {
        self.count
    }

    /// Operations of looking back so far, in a frame.
    pub fn looks(&self) -> f64 {
        self.looks
    }

    /// Counts marks, or shapes of a mark.
    pub fn count(&mut self, drawn: usize) {
        self.count = self.count.saturating_add(drawn.saturating_mul(self.copies));
    }
}

impl Check {
    /// The value itself, or the nearest one allowed; then what was wrong is noted.
    pub fn hold(&self, value: f64, inputs: &Inputs) -> f64 {
        if self.range.contains(value) {
            return value;
        }
        if inputs.violation.get().is_none() {
            inputs.violation.set(Some((self.guard, value)));
        }
        self.range.nearest(value)
    }
}

impl BoxProgram {
    /// The edges at a row; what is inside out is noted and made empty.
    pub fn at(&self, inputs: &Inputs) -> [f64; 4] {
        let [left, top, right, bottom] = self.sides.each_ref().map(|side| side.eval(inputs));
        let width = self.width.hold(right - left, inputs);
        let height = self.height.hold(bottom - top, inputs);
        [left, top, left + width, top + height]
    }
}

impl Builder<'_> {
    /// A value worked out while drawing that must keep a range; `what` names it in messages.
    pub fn check(&mut self, span: Span, what: &str, range: Range) -> Check {
        let guard = self.guard(span, what, range);
        Check { guard, range }
    }

    /// A box: left < right and top < bottom.
    pub fn edges(&mut self, slot: &Edges) -> BoxProgram {
        let Edges(left, top, right, bottom) = slot;
        let sides = [left, top, right, bottom].map(|side| self.num(side));
        let known = sides.each_ref().map(Program::constant);
        self.check_box(known, [right.span, bottom.span]);
        BoxProgram {
            sides,
            width: self.check(right.span, "right - left", Range::above(0.0)),
            height: self.check(bottom.span, "bottom - top", Range::above(0.0)),
        }
    }

    /// Whether the sides of a box that are known leave room between them; it is an error, said at the right or the
    /// bottom one, if not.
    pub fn check_box(&mut self, [l, t, r, b]: [Option<f64>; 4], ends: [Span; 2]) -> bool {
        let mut sound = true;
        for (low, high, from, to, span) in [
            (l, r, "left", "right", ends[0]),
            (t, b, "top", "bottom", ends[1]),
        ] {
            if let (Some(low), Some(high)) = (low, high)
                && low >= high
            {
                sound = false;
                let message =
                    format!("{from} must be less than {to}, but {low} is not below {high}");
                self.problem_once(
                    Problem::error("box-inside-out", span, message)
                        .note("a box is `[left, top, right, bottom]`: edges, not a size"),
                );
            }
        }
        sound
    }

    /// Adds a transform and returns its number.
    pub fn add_transform(&mut self, transform: Transform) -> usize {
        self.transforms.push(transform);
        self.transforms.len() - 1
    }

    /// The number of a transform by its name.
    pub fn transform(&mut self, name: &Name) -> Option<usize> {
        let entity = self.entity(name)?;
        if entity.transform.is_none() && !entity.broken {
            self.wrong_entity(name, &entity, "a transform");
        }
        let number = entity.transform?;
        let reads: Vec<u32> = self.transforms[number]
            .programs()
            .flat_map(Program::reads)
            .collect();
        self.reads.extend(reads);
        Some(number)
    }

    /// Counts how often what is being drawn looks back in a frame.
    pub fn count_looks(&mut self, moments: usize, chain: &Chain) {
        let row = PER_STEP + chain.operations + f64::from(self.columns);
        self.drawing.looks += self.drawing.copies as f64 * moments as f64 * row;
    }

    /// Counts shapes beyond the one that a mark has anyway; too many of them are an error here.
    pub fn count_drawn(&mut self, shapes: usize, span: Span) {
        self.drawing.count(shapes);
        self.check_drawn(span);
    }

    /// Whether more is drawn in a frame than may be, which has been reported.
    pub fn is_overdrawn(&self) -> bool {
        self.drawing.count as u64 > self.limits.of(Limit::Shapes)
    }

    fn check_drawn(&mut self, span: Span) {
        let said = || self.problems.iter().any(|p| p.code == "too-much-drawn");
        if self.is_overdrawn() && !said() {
            let most = self.limits.of(Limit::Shapes);
            self.problem_once(
                Problem::error(
                    "too-much-drawn",
                    span,
                    format!("more than {most} shapes in one frame"),
                )
                .note("counts of nested `repeat`s and rows multiply")
                .note(Limit::Shapes.flag()),
            );
        }
    }

    /// Works on what will be drawn so many times.
    pub fn repeated<T>(
        &mut self,
        count: usize,
        span: Span,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.drawing.copies;
        self.drawing.copies = outer.saturating_mul(count);
        let result = work(self);
        self.drawing.copies = outer;
        self.check_drawn(span);
        result
    }

    /// Whether marks of an instance of a part are being built.
    pub fn is_instance(&self) -> bool {
        self.context.scope != ROOT
    }

    /// The marks of an instance, or of every instance of a row.
    pub fn marks_of(&mut self, name: &Name) -> Vec<Box<dyn Draw>> {
        if self.report_bare_part(name) {
            return Vec::new();
        }
        let Some(entity) = self.entity(name) else {
            return Vec::new();
        };
        let scopes: Rc<[ScopeId]> = match (entity.scope, &entity.list) {
            (Some(scope), _) => Rc::from([scope]),
            (None, Some(List::Rows(rows))) => rows.clone(),
            _ => {
                if !entity.broken {
                    self.wrong_entity(name, &entity, "an instance or a row of `use`");
                }
                return Vec::new();
            }
        };
        let mut marks = Vec::new();
        for scope in scopes.iter() {
            marks.extend(self.marks_in(*scope, name));
        }
        marks
    }

    /// Whether a name is that of a part, of which there is no instance of the same name.
    fn report_bare_part(&mut self, name: &Name) -> bool {
        let Some(text) = name.text.as_deref() else {
            return false;
        };
        if self.visible(text).is_some() || !self.part_places.contains_key(text) {
            return false;
        }
        let near = nearest(text, self.visible_names());
        let message = format!("`{text}` is a part: what is drawn is an instance of it");
        let problem = Problem::error("bare-part", name.span, message).note(format!(
            "make one beside `draw`: `\"use\": {{ \"{text}\": {{ \"part\": \"{text}\" }} }}`"
        ));
        let problem = match near {
            Some(near) => problem.label(format!("did you mean `{near}`?")),
            None => problem,
        };
        self.problem_once(problem);
        true
    }

    fn marks_in(&mut self, scope: ScopeId, name: &Name) -> Vec<Box<dyn Draw>> {
        self.drawing.drawn.insert(scope);
        let draw = self.scopes[scope.index()].draw;
        let is_same = |within: &ScopeId| std::ptr::eq(self.scopes[within.index()].draw, draw);
        if !draw.is_empty() && self.drawing.within.iter().any(is_same) {
            self.problem_once(Problem::error(
                "cycle",
                name.span,
                format!("`{}` draws itself", name.describe()),
            ));
            return Vec::new();
        }
        if self.is_overdrawn() {
            return Vec::new();
        }
        self.drawing.within.push(scope);
        let outer = std::mem::replace(&mut self.context, Context::of_scope(scope));
        let marks = self.marks(draw);
        self.context = outer;
        self.drawing.within.pop();
        self.check_drawn(name.span);
        marks
    }

    /// Warns of parts that nothing takes, and of instances whose marks nothing shows.
    pub(super) fn warn_undrawn(&mut self, spec: &Spec) {
        // A misspelt `use` has been reported; that nothing is drawn follows from it.
        if self.has_errors() {
            return;
        }
        let parts = self.parts;
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        names_of_parts(&spec.r#use, &mut taken);
        for part in parts.iter().filter_map(|(.., part)| *part) {
            names_of_parts(&part.r#use, &mut taken);
        }
        for (name, span, _) in parts.iter().filter(|(name, ..)| !taken.contains(*name)) {
            self.problem_once(Problem::warning(
                "unused-part",
                *span,
                format!("nothing uses the part `{name}`"),
            ));
        }
        for id in 0..self.items.len() {
            let (name, span, outer) = {
                let item = &self.items[id];
                (item.name, item.span, item.scope)
            };
            let drawn = |scope: &ScopeId| self.drawing.drawn.contains(scope);
            if outer != ROOT && !drawn(&outer) {
                continue;
            }
            let instances = self.instances(ItemId::new(id));
            let has_marks = |scope: &ScopeId| !self.scopes[scope.index()].draw.is_empty();
            let drawn = |scope: &ScopeId| self.drawing.drawn.contains(scope);
            if instances.iter().any(has_marks) && !instances.iter().any(drawn) {
                self.problem_once(
                    Problem::warning("undrawn", span, format!("nothing draws `{name}`")).note(
                        format!("its part has marks: add `{{ \"use\": \"{name}\" }}` to `draw`"),
                    ),
                );
            }
        }
    }

    /// The instance that an item is, or those of its row.
    fn instances(&mut self, id: ItemId) -> Rc<[ScopeId]> {
        let entity = self.build_item(id);
        match (entity.scope, &entity.list) {
            (Some(scope), _) => Rc::from([scope]),
            (None, Some(List::Rows(rows))) => rows.clone(),
            _ => Rc::from([]),
        }
    }

    /// How to name a point of every instance, for a row that stands where points are wanted.
    pub(super) fn points_of_row(&mut self, row: &str, first: ScopeId) -> String {
        let items = self.scopes[first.index()].items.clone();
        let points = items.into_iter().filter_map(|id| {
            let entity = self.build_item(id);
            let name = self.items[id.index()].name;
            entity.point.map(|_| format!("`{row}.{name}`"))
        });
        let points: Vec<String> = points.take(4).collect();
        match points.as_slice() {
            [] => format!("`{row}.NAME` is that point of every instance, but its part names none"),
            points => format!(
                "write {}: that point of every instance",
                points.join(" or ")
            ),
        }
    }
}

fn names_of_parts<'u>(uses: &'u Map<Lenient<Use>>, names: &mut BTreeSet<&'u str>) {
    let taken = uses.iter().filter_map(|(.., lenient)| lenient.get());
    names.extend(taken.filter_map(|instance| instance.part.text.as_deref()));
}
