//! Names and where they are visible: the spec's, and those of every instance of a part.
//!
//! A name is built when something first asks for it. So the order of evaluation comes out by itself,
//! JSON order never matters, and a name that asks for itself on the way is a cycle.

use super::builder::{Builder, Context, Known};
use super::entity::{Entity, List, PointOperand, TextValue};
use crate::bodies::Body;
use crate::channels::Channel;
use crate::document::{Part, Spec, Use};
use crate::formula::{self, Operand, Path, StepKind};
use crate::limits::Limit;
use crate::marks::Mark;
use crate::skeleton::Joint;
use crate::spec::de::Or;
use crate::spec::problem::Problem;
use crate::spec::slots::{Argument, Lenient, Map, Name, Num, Param, Point, Written};
use crate::spec::source::Span;
use crate::spec::suggest::{list_some, nearest};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One set of names: the spec's or an instance's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScopeId(usize);

/// One named thing in one scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemId(usize);

/// The spec's own scope.
pub const ROOT: ScopeId = ScopeId(0);

/// Parts within parts.
const NESTING_LIMIT: usize = 32;
/// Names that need one another in a row.
const CHAIN_LIMIT: usize = 1000;

pub(super) struct Scope<'s> {
    /// What stands before a name in messages and `trace`: empty, or `links[3].`.
    pub prefix: String,
    pub names: BTreeMap<&'s str, ItemId>,
    pub items: Vec<ItemId>,
    pub draw: &'s [Lenient<Mark>],
}

pub(super) struct Item<'s> {
    pub name: &'s str,
    pub span: Span,
    pub scope: ScopeId,
    declared: Declared<'s>,
    state: State,
    /// Something else has asked for it.
    pub used: bool,
    /// A column that made it live, for explanations.
    pub because: Option<u32>,
}

#[derive(Clone)]
enum Declared<'s> {
    Channel(&'s Lenient<Or<Num, Channel>>),
    Joint(&'s Lenient<Or<Point, Joint>>),
    Body(&'s Lenient<Body>),
    Param(&'s Param),
    /// A number given to an instance's param, read where the instance stands.
    Argument(&'s Num, Context),
    /// A text given to an instance's param, filled in where the instance stands.
    TextArgument(&'s str, Span, Context),
    /// The name of something outside, looked up where it is written.
    Alias(&'s str, Span, Context),
    Instance(ScopeId),
    Row(Rc<[ScopeId]>),
    Broken,
}

enum State {
    Waiting,
    Building,
    Built(Rc<Entity>),
}

impl<'s> Builder<'s> {
    /// Declares the spec's own names.
    pub(super) fn declare_spec(&mut self, spec: &'s Spec) {
        let scope = self.add_scope(String::new(), &spec.draw);
        for (name, span, param) in spec.params.iter() {
            if let Param::Named(_) = param {
                self.problem_once(
                    Problem::error(
                        "name-outside-part",
                        span,
                        format!("`{name}` cannot be a name here: nothing stands outside the spec"),
                    )
                    .note("a param that is a name belongs to a part, whose instances may be given other names"),
                );
            }
            self.add_item(scope, name, span, Declared::Param(param));
        }
        self.declare_names(scope, &spec.channels, &spec.skeleton, &spec.bodies);
    }

    /// Declares every instance of a part; their number may need the canvas.
    pub(super) fn declare_instances(&mut self, spec: &'s Spec) {
        self.declare_uses(ROOT, &spec.r#use, &mut Vec::new());
    }

    fn add_scope(&mut self, prefix: String, draw: &'s [Lenient<Mark>]) -> ScopeId {
        self.scopes.push(Scope {
            prefix,
            names: BTreeMap::new(),
            items: Vec::new(),
            draw,
        });
        ScopeId(self.scopes.len() - 1)
    }

    fn add_item(&mut self, scope: ScopeId, name: &'s str, span: Span, declared: Declared<'s>) {
        let id = ItemId(self.items.len());
        if let Some(first) = self.scopes[scope.0].names.get(name) {
            let first = self.items[first.0].span;
            let message = format!("the name `{name}` is already taken");
            let problem = Problem::error("name-twice", span, message);
            self.problem_once(problem.related(first, "first used here"));
            return;
        }
        self.items.push(Item {
            name,
            span,
            scope,
            declared,
            state: State::Waiting,
            used: false,
            because: None,
        });
        self.scopes[scope.0].names.insert(name, id);
        self.scopes[scope.0].items.push(id);
    }

    fn declare_names(
        &mut self,
        scope: ScopeId,
        channels: &'s Map<Lenient<Or<Num, Channel>>>,
        skeleton: &'s Map<Lenient<Or<Point, Joint>>>,
        bodies: &'s Map<Lenient<Body>>,
    ) {
        for (name, span, channel) in channels.iter() {
            self.add_item(scope, name, span, Declared::Channel(channel));
        }
        for (name, span, joint) in skeleton.iter() {
            self.add_item(scope, name, span, Declared::Joint(joint));
        }
        for (name, span, body) in bodies.iter() {
            self.add_item(scope, name, span, Declared::Body(body));
        }
    }

    fn declare_uses(
        &mut self,
        scope: ScopeId,
        uses: &'s Map<Lenient<Use>>,
        within: &mut Vec<&'s str>,
    ) {
        for (name, span, lenient) in uses.iter() {
            let declared = match lenient.get() {
                Some(instance) => self.declare_use(scope, name, span, instance, within),
                None => {
                    self.lost(lenient, span);
                    Declared::Broken
                }
            };
            self.add_item(scope, name, span, declared);
        }
    }

    fn declare_use(
        &mut self,
        scope: ScopeId,
        name: &'s str,
        span: Span,
        instance: &'s Use,
        within: &mut Vec<&'s str>,
    ) -> Declared<'s> {
        let Some(wanted) = instance.part.text.as_deref() else {
            return Declared::Broken;
        };
        let Some((part_name, part)) = self.find_part(wanted, instance.part.span) else {
            return Declared::Broken;
        };
        if within.contains(&part_name) || within.len() >= NESTING_LIMIT {
            let cycle = [within.as_slice(), &[part_name]].concat().join("` → `");
            self.problems.push(Problem::error(
                "cycle",
                instance.part.span,
                format!("parts use one another in a circle: `{cycle}`"),
            ));
            return Declared::Broken;
        }
        // Only where all that it brings is known: in the spec itself.
        if within.is_empty() {
            let least = self.least_of_use(instance, 0);
            if self.has_too_many_instances(least, instance.part.span) {
                return Declared::Broken;
            }
        }
        within.push(part_name);
        let declared = match (&instance.each, &instance.times) {
            (None, None) => {
                let prefix = format!("{}{name}.", self.scopes[scope.0].prefix);
                let inner = self.instantiate(scope, prefix, None, part, instance, None, within);
                inner.map_or(Declared::Broken, Declared::Instance)
            }
            (each, times) => {
                let empty = each.as_ref().is_some_and(Vec::is_empty);
                if empty {
                    self.problems
                        .push(Problem::error("no-rows", span, "`each` has no entries"));
                }
                let each = each.as_deref().filter(|e| !e.is_empty());
                let count = match times {
                    Some(times) => self.at(scope, |b| b.int(times)) as usize,
                    None => each.map_or(0, <[_]>::len),
                };
                let rows: Option<Vec<_>> = (0..count)
                    .map(|i| {
                        let prefix = format!("{}{name}[{i}].", self.scopes[scope.0].prefix);
                        let own = each.map(|e| &e[i % e.len()]);
                        self.instantiate(scope, prefix, Some(i), part, instance, own, within)
                    })
                    .collect();
                rows.map_or(Declared::Broken, |rows| Declared::Row(rows.into()))
            }
        };
        within.pop();
        declared
    }

    fn find_part(&mut self, wanted: &str, span: Span) -> Option<(&'s str, &'s Part)> {
        let parts = self.parts;
        match self.part_places.get(wanted).copied() {
            Some(place) => {
                let (name, _, part) = parts[place];
                part.map(|part| (name, part))
            }
            None if self.is_told(span, "unknown-part") => None,
            None => {
                let names = || parts.iter().map(|(name, ..)| *name);
                let problem =
                    Problem::error("unknown-part", span, format!("unknown part `{wanted}`"));
                self.problem_once(suggest(problem, wanted, names, "parts"));
                None
            }
        }
    }

    /// Whether there would be too many instances with so many more; then it has been reported.
    fn has_too_many_instances(&mut self, more: f64, span: Span) -> bool {
        let most = self.limits.of(Limit::Instances);
        // The spec's own scope is no instance.
        let too_many = (self.scopes.len() - 1) as f64 + more > most as f64;
        let said = || self.problems.iter().any(|p| p.code == "too-many-instances");
        if too_many && !said() {
            let message = format!("more than {most} instances of parts");
            let problem = Problem::error("too-many-instances", span, message);
            self.problems.push(problem.note(Limit::Instances.flag()));
        }
        too_many
    }

    /// Instances that a `use` stands for at least, by its numbers alone: a formula may give none.
    fn least_of_use(&mut self, instance: &'s Use, depth: usize) -> f64 {
        let rows = match (&instance.times, &instance.each) {
            (Some(times), _) => match times.0.written {
                Written::Number(rows) => rows,
                _ => 0.0,
            },
            (None, Some(each)) => each.len() as f64,
            (None, None) => 1.0,
        };
        let wanted = instance.part.text.as_deref();
        wanted.map_or(0.0, |part| rows * self.least_of_part(part, depth))
    }

    /// Instances that one of a part stands for at least, itself included.
    fn least_of_part(&mut self, name: &'s str, depth: usize) -> f64 {
        if let Some(least) = self.least_instances.get(name) {
            return *least;
        }
        // What uses itself is reported where it is laid out.
        self.least_instances.insert(name, 1.0);
        let part = self
            .part_places
            .get(name)
            .and_then(|place| self.parts[*place].2);
        let mut least = 1.0;
        for (.., inner) in part.iter().flat_map(|part| part.r#use.iter()) {
            if let (Some(inner), true) = (inner.get(), depth < NESTING_LIMIT) {
                least += self.least_of_use(inner, depth + 1);
            }
        }
        self.least_instances.insert(name, least);
        least
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "all of them differ from instance to instance"
    )]
    fn instantiate(
        &mut self,
        outer: ScopeId,
        prefix: String,
        index: Option<usize>,
        part: &'s Part,
        instance: &'s Use,
        own: Option<&'s Map<Argument>>,
        within: &mut Vec<&'s str>,
    ) -> Option<ScopeId> {
        if self.has_too_many_instances(1.0, instance.part.span) {
            return None;
        }
        let scope = self.add_scope(prefix, &part.draw);
        let context = Context::of_row(outer, index);
        for (name, span, param) in part.params.iter() {
            let given = own
                .and_then(|own| own.get(name))
                .or(instance.with.get(name));
            let declared = match given {
                Some(argument) => self.declare_argument(name, param, &argument.0, context.clone()),
                None => match param {
                    Param::Named(name) => {
                        let text = name.text.as_deref().unwrap_or_default();
                        Declared::Alias(text, name.span, Context::of_scope(ROOT))
                    }
                    _ => Declared::Param(param),
                },
            };
            self.add_item(scope, name, span, declared);
        }
        self.check_arguments(part, instance, own, index);
        self.declare_names(scope, &part.channels, &part.skeleton, &part.bodies);
        self.declare_uses(scope, &part.r#use, within);
        Some(scope)
    }

    fn declare_argument(
        &mut self,
        name: &str,
        param: &Param,
        given: &'s Num,
        context: Context,
    ) -> Declared<'s> {
        match (param, &given.written) {
            (Param::Hole, _) | (_, Written::Hole) => Declared::Broken,
            (Param::Number(_), _) => Declared::Argument(given, context),
            (Param::Text(_), Written::Formula(text)) => {
                Declared::TextArgument(text, given.span, context)
            }
            (Param::Named(_), Written::Formula(text)) => Declared::Alias(text, given.span, context),
            (Param::Text(_) | Param::Named(_), Written::Number(v)) => {
                let what = match param {
                    Param::Named(_) => "a name",
                    _ => "text",
                };
                self.problem_once(Problem::error(
                    "wrong-type",
                    given.span,
                    format!("`{name}` takes {what}, not `{v}`: its default is {what}"),
                ));
                Declared::Broken
            }
        }
    }

    /// Reports values for params that the part does not have.
    fn check_arguments(
        &mut self,
        part: &'s Part,
        instance: &'s Use,
        own: Option<&'s Map<Argument>>,
        index: Option<usize>,
    ) {
        let shared = (index.unwrap_or(0) == 0).then_some(&instance.with);
        for (name, span, _) in shared.into_iter().chain(own).flat_map(Map::iter) {
            if part.params.get(name).is_none() && !self.is_told(span, "unknown-param") {
                let part_name = instance.part.text.as_deref().unwrap_or_default();
                let problem = Problem::error(
                    "unknown-param",
                    span,
                    format!("the part `{part_name}` has no param `{name}`"),
                );
                let names = || part.params.iter().map(|(name, ..)| name);
                self.problem_once(suggest(problem, name, names, "its params"));
            }
        }
    }

    /// The name as it is written from the spec's own scope, such as `links[3].x`.
    pub(super) fn full_name(&self, id: ItemId) -> String {
        let item = &self.items[id.0];
        format!("{}{}", self.scopes[item.scope.0].prefix, item.name)
    }

    /// What a person calls it, once it is built.
    pub(super) fn what(&self, id: ItemId) -> &'static str {
        match &self.items[id.0].state {
            State::Built(entity) => entity.what,
            _ => "something",
        }
    }

    /// What a name stands for; built on first use. Broken names have been reported.
    pub(super) fn build_item(&mut self, id: ItemId) -> Rc<Entity> {
        match &self.items[id.0].state {
            State::Built(entity) => return entity.clone(),
            State::Building => {
                self.report_cycle(id);
                return Rc::new(Entity::broken());
            }
            State::Waiting => {}
        }
        if self.building.len() >= CHAIN_LIMIT {
            self.problem_once(Problem::error(
                "chain-too-long",
                self.items[id.0].span,
                format!("more than {CHAIN_LIMIT} names need one another in a row"),
            ));
            return Rc::new(Entity::broken());
        }
        if self.known < Known::Length && !self.items[id.0].is_param() {
            self.problem_once(Problem::error(
                "canvas-first",
                self.items[id.0].span,
                format!(
                    "the canvas is read first, so it cannot need `{}`: only `params`",
                    self.full_name(id)
                ),
            ));
            return Rc::new(Entity::broken());
        }
        self.items[id.0].state = State::Building;
        self.building.push(id);
        let entity = Rc::new(self.build_declared(id));
        self.building.pop();
        self.items[id.0].state = State::Built(entity.clone());
        entity
    }

    fn build_declared(&mut self, id: ItemId) -> Entity {
        let (scope, span) = (self.items[id.0].scope, self.items[id.0].span);
        let context = Context::of_item(scope, id);
        match self.items[id.0].declared.clone() {
            Declared::Channel(lenient) => match lenient.get() {
                Some(Or::Literal(formula)) => {
                    self.within_context(context, |b| Entity::number("a number", b.operand(formula)))
                }
                Some(Or::Kind(channel)) => {
                    self.within_context(context, |b| channel.kind().build(b))
                }
                None => self.lost(lenient, span),
            },
            Declared::Joint(lenient) => match lenient.get() {
                Some(Or::Literal(point)) => self.within_context(context, |b| {
                    let at = b.point_operand(point);
                    Entity::point("a joint", at)
                }),
                Some(Or::Kind(joint)) => self.within_context(context, |b| joint.kind().build(b)),
                None => self.lost(lenient, span),
            },
            Declared::Body(lenient) => match lenient.get() {
                Some(body) => self.within_context(context, |b| body.kind().build(b)),
                None => self.lost(lenient, span),
            },
            Declared::Param(Param::Number(v)) => Entity::number("a number", Operand::Constant(*v)),
            Declared::Param(Param::Text(text)) => Entity::text("a text", text),
            Declared::Param(Param::Hole | Param::Named(_)) | Declared::Broken => Entity::broken(),
            Declared::Alias(text, span, outer) => {
                self.within_context(outer, |b| b.alias(text, span))
            }
            Declared::TextArgument(text, span, outer) => {
                match self.within_context(outer, |b| b.fill_in(text, span, "")) {
                    Some(text) => Entity::text("a text", &text),
                    None => Entity::broken(),
                }
            }
            Declared::Argument(given, outer) => {
                let context = Context {
                    item: Some(id),
                    ..outer
                };
                self.within_context(context, |b| Entity::number("a number", b.argument(given)))
            }
            Declared::Instance(scope) => Entity {
                what: "an instance",
                scope: Some(scope),
                ..Entity::default()
            },
            Declared::Row(rows) => Entity {
                what: "a row",
                list: Some(List::Rows(rows)),
                ..Entity::default()
            },
        }
    }

    /// What a param that is a name stands for.
    fn alias(&mut self, text: &str, span: Span) -> Entity {
        let path = match formula::parse_name(text) {
            Ok(path) => path,
            Err(error) => {
                let place = span.within(self.sources, error.range.clone());
                self.problem_once(Problem::of_formula(error, place));
                return Entity::broken();
            }
        };
        self.look_up(&path, span).unwrap_or_else(Entity::broken)
    }

    /// A value that could not be read: silent if its problem has been reported, else said as it is.
    pub(super) fn lost<T>(&mut self, lenient: &Lenient<T>, span: Span) -> Entity {
        if let Err(why) = &lenient.0
            && !self.has_errors()
        {
            self.problem_once(Problem::error(
                "unreadable",
                span,
                format!("cannot be read: {why}"),
            ));
        }
        Entity::broken()
    }

    fn report_cycle(&mut self, id: ItemId) {
        let from = self.building.iter().position(|b| *b == id).unwrap_or(0);
        let members = self.building[from..].to_vec();
        let first = (0..members.len())
            .min_by_key(|i| self.items[members[*i].0].span)
            .unwrap_or(0);
        let round = members.iter().cycle().skip(first).take(members.len() + 1);
        let names: Vec<_> = round
            .map(|id| format!("`{}`", self.full_name(*id)))
            .collect();
        let span = self.items[members[first].0].span;
        self.problem_once(Problem::error(
            "cycle",
            span,
            if members.len() == 1 {
                format!("{} needs its own value", names[0])
            } else {
                format!(
                    "a cycle: {} needs {}",
                    names[0],
                    names[1..].join(", which needs ")
                )
            },
        ));
    }

    /// Looks a path up. `None` means that nothing has that name, which has been reported.
    pub(super) fn look_up(&mut self, path: &Path, span: Span) -> Option<Entity> {
        let [first, rest @ ..] = path.steps.as_slice() else {
            return None;
        };
        let StepKind::Name(name) = &first.kind else {
            return None;
        };
        let Some(id) = self.visible(name) else {
            let place = span.within(self.sources, first.range.clone());
            self.unknown_name(name, place);
            return None;
        };
        self.items[id.0].used = true;
        let mut entity = (*self.build_item(id)).clone();
        let mut so_far = name.clone();
        for step in rest {
            if entity.broken {
                return Some(entity);
            }
            let place = span.within(self.sources, step.range.clone());
            entity = match &step.kind {
                StepKind::Name(output) => self.member(&entity, output, &so_far, place)?,
                StepKind::Index(index) => self.element_of(&entity, *index, &so_far, place)?,
            };
            match &step.kind {
                StepKind::Name(output) => so_far = format!("{so_far}.{output}"),
                StepKind::Index(index) => so_far = format!("{so_far}[{index}]"),
            }
        }
        Some(entity)
    }

    /// What a name stands for here: in the part that is being built, or else in the spec.
    pub(super) fn visible(&self, name: &str) -> Option<ItemId> {
        let mut scopes = [self.context.scope, ROOT].into_iter();
        scopes.find_map(|scope| self.scopes[scope.0].names.get(name).copied())
    }

    /// All names that [`Builder::visible`] knows, some of them twice.
    pub(super) fn visible_names(&self) -> impl Iterator<Item = &'s str> {
        let scopes = [self.context.scope, ROOT].into_iter();
        scopes.flat_map(|scope| self.scopes[scope.0].names.keys().copied())
    }

    fn unknown_name(&mut self, name: &str, place: Span) {
        if self.is_told(place, "unknown-name") {
            return;
        }
        let problem = Problem::error("unknown-name", place, format!("unknown name `{name}`"));
        let mut names: Vec<&'s str> = self.visible_names().chain(formula_words()).collect();
        names.sort_unstable();
        names.dedup();
        let near = nearest(name, names.iter().copied());
        let in_row = self.context.element.is_some() && matches!(name, "i" | "u");
        let problem = match near {
            _ if in_row => problem.label(format!("of the current element: write `.{name}`")),
            Some(near) => problem.label(format!("did you mean `{near}`?")),
            None => problem,
        };
        let names = names
            .iter()
            .copied()
            .filter(|n| !formula_words().any(|w| w == *n));
        let known = list_some(name, names);
        let problem = if known.is_empty() {
            problem
                .note("the spec names nothing yet: `channels`, `skeleton` and `params` hold names")
        } else {
            problem.note(format!("names here: {known}"))
        };
        self.problem_once(problem);
    }

    fn member(&mut self, of: &Entity, name: &str, so_far: &str, place: Span) -> Option<Entity> {
        if let Some((_, member)) = of.members.iter().find(|(n, _)| n == name) {
            return Some(member.clone());
        }
        if let Some(scope) = of.scope {
            let id = self.scopes[scope.0].names.get(name).copied();
            if let Some(id) = id {
                self.items[id.0].used = true;
                return Some((*self.build_item(id)).clone());
            }
        }
        if let Some(List::Rows(rows)) = &of.list {
            return self.member_of_every(rows.clone(), name, so_far, place);
        }
        if let Some(TextValue::OneOf(which, _)) = &of.text
            && self.has_clip(*which, name)
        {
            // A motion that a pose knows and the script never calls is never on.
            return Some(Entity::number("a number", Operand::Constant(0.0)));
        }
        if self.is_told(place, "unknown-output") {
            return None;
        }
        let problem = Problem::error(
            "unknown-output",
            place,
            format!("`{so_far}` ({}) has no `{name}`", of.what),
        );
        let inner = of.scope.map(|scope| self.scopes[scope.0].names.clone());
        let names = || {
            let outputs = of.members.iter().map(|(n, _)| n.as_str());
            outputs.chain(inner.iter().flat_map(|names| names.keys().copied()))
        };
        let problem = if names().next().is_some() {
            suggest(problem, name, names, "it has")
        } else if of.list.is_some() {
            problem.label(format!("write `{so_far}[0].{name}`"))
        } else {
            problem.note("it is a plain number")
        };
        self.problem_once(problem);
        None
    }

    /// Whether something that selects by this script has such a clip.
    fn has_clip(&mut self, script: Operand, clip: &str) -> bool {
        let selecting: Vec<(ScopeId, &'s Name)> = self
            .items
            .iter()
            .filter_map(|item| match &item.declared {
                Declared::Channel(Lenient(Ok(Or::Kind(channel)))) => {
                    Some((item.scope, channel.kind().selects_for(clip)?))
                }
                _ => None,
            })
            .collect();
        selecting.into_iter().any(|(scope, select)| {
            let entity = self.at(scope, |b| b.entity(select));
            let text = entity.and_then(|entity| entity.text);
            matches!(text, Some(TextValue::OneOf(which, _)) if which == script)
        })
    }

    /// `row.name`: that point of every instance.
    fn member_of_every(
        &mut self,
        rows: Rc<[ScopeId]>,
        name: &str,
        so_far: &str,
        place: Span,
    ) -> Option<Entity> {
        let mut points: Vec<PointOperand> = Vec::new();
        for (i, scope) in rows.iter().enumerate() {
            let instance = Entity {
                what: "an instance",
                scope: Some(*scope),
                ..Entity::default()
            };
            let each = self.member(&instance, name, &format!("{so_far}[{i}]"), place)?;
            if each.broken {
                return Some(each);
            }
            let Some(point) = each.point else {
                self.problem_once(Problem::error(
                    "not-a-point",
                    place,
                    format!("`{so_far}.{name}` stands for every instance's point, but `{name}` is {}", each.what),
                ).label(format!("one instance's is `{so_far}[0].{name}`")));
                return None;
            };
            points.push(point);
        }
        Some(Entity::points("points", points.into()))
    }

    fn element_of(
        &mut self,
        of: &Entity,
        index: usize,
        so_far: &str,
        place: Span,
    ) -> Option<Entity> {
        let Some(list) = &of.list else {
            self.problem_once(Problem::error(
                "not-a-list",
                place,
                format!("`{so_far}` is {}: it has no elements", of.what),
            ));
            return None;
        };
        let element = match list {
            List::Points(_) => of.element(index),
            List::Rows(rows) => rows.get(index).map(|scope| Entity {
                what: "an instance",
                scope: Some(*scope),
                ..Entity::default()
            }),
            List::Entities(entities) => entities.get(index).cloned(),
        };
        if element.is_none() {
            self.problem_once(Problem::error(
                "no-such-element",
                place,
                format!(
                    "`{so_far}` has {} elements: the last is `{so_far}[{}]`",
                    list.len(),
                    list.len().saturating_sub(1)
                ),
            ));
        }
        element
    }
}

/// Outputs as others call them, and as they are called here.
const OUTPUTS_ELSEWHERE: [(&str, &str); 4] = [
    ("velocity", "speed"),
    ("centre", "center"),
    ("middle", "center"),
    ("position", "center"),
];

/// Words that formulas know without any declaration.
fn formula_words<'s>() -> impl Iterator<Item = &'s str> {
    [
        "t", "frame", "fps", "duration", "width", "height", "pi", "turn",
    ]
    .into_iter()
}

fn suggest<'n, I: Iterator<Item = &'n str>>(
    problem: Problem,
    word: &str,
    names: impl Fn() -> I,
    what: &str,
) -> Problem {
    let elsewhere = OUTPUTS_ELSEWHERE.iter().find(|(called, _)| *called == word);
    let elsewhere = elsewhere.and_then(|(_, meant)| names().find(|name| name == meant));
    let problem = match elsewhere.or_else(|| nearest(word, names())) {
        Some(near) => problem.label(format!("did you mean `{near}`?")),
        None => problem,
    };
    let list = list_some(word, names());
    if list.is_empty() {
        return problem.note(format!("{what}: none"));
    }
    problem.note(format!("{what}: {list}"))
}

/// Reads the path of a slot that takes a name; what is wrong with it has been reported.
pub(super) fn parse_path(text: &str) -> Option<Path> {
    formula::parse_name(text).ok()
}

impl ScopeId {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

impl Item<'_> {
    /// Whether it is an input, of the spec or of an instance.
    pub(super) fn is_param(&self) -> bool {
        matches!(
            self.declared,
            Declared::Param(_)
                | Declared::Argument(..)
                | Declared::TextArgument(..)
                | Declared::Alias(..)
        )
    }
}

impl ItemId {
    pub(super) fn new(index: usize) -> Self {
        Self(index)
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}
