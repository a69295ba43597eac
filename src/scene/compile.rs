//! From a document to a scene.

use super::builder::{BASE_COLUMNS, Builder, Context, Known};
use super::colours::{Colours, Rgba};
use super::entity::{Entity, List};
use super::names::{ItemId, ROOT, ScopeId};
use super::origins::Origins;
use super::{Clock, Looping, Named, Preroll, Scene, Search, Tolerance};
use crate::claims::NamedClaim;
use crate::document::{self, Canvas, Loop, Part, Spec, TimeUnit};
use crate::formula::Operand;
use crate::limits::{Limit, Limits};
use crate::marks::Draw;
use crate::maths::functions::{ceil, floor, round};
use crate::spec::de::Spanned;
use crate::spec::problem::{Problem, Severity, short};
use crate::spec::slots::{Lenient, Name};
use crate::spec::source::{Source, Span};
use crate::text::FontSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What may be chosen from outside.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Mixed into every random number.
    pub seed: u64,
    /// The spec's fonts.
    pub fonts: Arc<FontSet>,
    /// Names to trace besides, or instead of, the spec's own; each is the text of its own source.
    pub only: Vec<Name>,
    /// What the spec may cost.
    pub limits: Limits,
}

/// Longer animations than so many seconds are probably a mistake.
const LONG: f64 = 300.0;

/// Stack for building names that need one another; only what is used is ever touched.
const STACK: usize = 64 << 20;

/// Resolves a document. The problems are complete; there is a scene if none of them is an error.
pub fn compile(
    spec: &Spec,
    parts: &[(&str, Span, Option<&Part>)],
    sources: &[Source],
    problems: Vec<Problem>,
    options: &Options,
) -> (Option<Scene>, Vec<Problem>) {
    std::thread::scope(|scope| {
        let work = || compile_here(spec, parts, sources, problems.clone(), options);
        match std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
        {
            Ok(thread) => match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(_) => compile_here(spec, parts, sources, problems.clone(), options),
        }
    })
}

fn compile_here(
    spec: &Spec,
    parts: &[(&str, Span, Option<&Part>)],
    sources: &[Source],
    problems: Vec<Problem>,
    options: &Options,
) -> (Option<Scene>, Vec<Problem>) {
    let mut b = start(spec, parts, sources, problems, options);
    if let Some(canvas) = spec.canvas.get() {
        b.background = b.colour(&canvas.background);
    }
    let looping = b.looping(spec);
    b.clock.horizon = b.clock.time_of(looping.horizon(b.clock.frames) as f64);
    b.build_everything();
    let seen = b.seen(spec, options);
    b.warn_unused(spec);
    let sound = !b.problems.iter().any(|p| p.severity == Severity::Error);
    let problems = std::mem::take(&mut b.problems);
    let scene = sound.then(|| scene(b, spec, looping, seen));
    (scene, problems)
}

/// What is made of a scene's columns: pictures, judgements and tables.
struct Seen {
    marks: Vec<Box<dyn Draw>>,
    claims: Vec<NamedClaim>,
    drawn: BTreeSet<u32>,
    names: Vec<Named>,
    origins: Origins,
    wanted: Vec<Named>,
    tolerance: Option<Tolerance>,
}

impl<'s> Builder<'s> {
    /// Builds the marks and the claims, and what is asked for by name.
    fn seen(&mut self, spec: &'s Spec, options: &Options) -> Seen {
        let marks = self.marks(&spec.draw);
        let mut drawn = self.take_reads();
        let claims = self.claims(spec);
        drawn.extend(self.take_reads());
        drawn.extend(self.watches.iter().map(|watch| watch.column));
        let tolerance = self.tolerance(spec);
        let names = self.names();
        Seen {
            origins: self.origins(&names),
            wanted: self.wanted(&options.only),
            marks,
            claims,
            drawn,
            names,
            tolerance,
        }
    }
}

/// The scene of a builder that is done.
fn scene(b: Builder, spec: &Spec, looping: Looping, seen: Seen) -> Scene {
    let text = |word: &Option<crate::spec::slots::Plain>| word.as_ref()?.text.clone();
    let kinds = spec.draw.iter().filter_map(Lenient::get);
    Scene {
        title: text(&spec.title),
        alt: text(&spec.alt),
        clock: b.clock,
        background: b.background,
        columns: b.columns as usize,
        looping,
        loop_span: spec.r#loop.as_ref().map_or(Span::default(), Spanned::span),
        names: seen.names,
        wanted: seen.wanted,
        marks: seen.marks,
        mark_kinds: kinds.map(|mark| mark.name()).collect(),
        mark_spans: Vec::new(),
        drawn: seen.drawn.into_iter().collect(),
        recorded: b.recorded.into_iter().collect(),
        claims: seen.claims,
        origins: seen.origins,
        tolerance: seen.tolerance,
        colours: b.colours,
        steps: b.steps,
        guards: b.guards,
        transforms: b.transforms,
        watches: b.watches,
        limits: b.limits,
        shapes: b.drawing.shapes(),
        looks: b.drawing.looks(),
        operations: b.operations,
        cycles: b.cycles,
        scrolls: b.scrolls,
    }
}

/// A builder that knows the canvas and every name.
pub(super) fn start<'s>(
    spec: &'s Spec,
    parts: &'s [(&'s str, Span, Option<&'s Part>)],
    sources: &'s [Source],
    mut problems: Vec<Problem>,
    options: &Options,
) -> Builder<'s> {
    let colours = Colours::new(spec, &mut problems);
    let mut b = Builder {
        sources,
        problems,
        met: 0,
        parts,
        least_instances: BTreeMap::new(),
        part_places: (0..).zip(parts).map(|(i, (name, ..))| (*name, i)).collect(),
        scopes: Vec::new(),
        items: Vec::new(),
        building: Vec::new(),
        context: Context::of_scope(ROOT),
        clock: Clock {
            width: 1.0,
            height: 1.0,
            fps: 50.0,
            frames: 1,
            duration: 1.0,
            unit: spec.time,
            horizon: 1.0,
        },
        known: Known::Nothing,
        background: colours.black(),
        colours,
        guards: Vec::new(),
        steps: Vec::new(),
        transforms: Vec::new(),
        watches: Vec::new(),
        cycles: Vec::new(),
        scrolls: Vec::new(),
        drawing: super::drawing::Drawing::default(),
        columns: BASE_COLUMNS,
        owners: vec![None; BASE_COLUMNS as usize],
        reads: BTreeSet::new(),
        recorded: BTreeSet::new(),
        world: spec.world.as_ref().and_then(Lenient::get),
        seed: options.seed,
        fonts: options.fonts.clone(),
        limits: options.limits,
        operations: 0,
        boxed: BTreeSet::new(),
        feet: Vec::new(),
    };
    b.declare_spec(spec);
    b.clock = b.read_clock(spec);
    b.known = Known::Length;
    b.declare_instances(spec);
    b
}

/// A length in seconds that is so many frames: a short number, or a formula where there is none.
fn length_of(frames: f64, fps: f64) -> String {
    let text = short(frames / fps);
    match text.parse::<f64>() {
        Ok(seconds) if (seconds * fps - frames).abs() < 1e-9 => format!("`{text}`"),
        _ => format!("`\"{frames} / {}\"`", short(fps)),
    }
}

impl Scene {
    /// The background's colour in a theme.
    pub fn background_in(&self, theme: usize) -> Rgba {
        self.colours.table(theme)[self.background.0 as usize]
    }
}

impl<'s> Builder<'s> {
    fn read_clock(&mut self, spec: &'s Spec) -> Clock {
        let unit = spec.time;
        let mut clock = Clock { unit, ..self.clock };
        let Some(canvas) = spec.canvas.get() else {
            self.lost(&spec.canvas, Span::default());
            return clock;
        };
        let met = self.met;
        [clock.width, clock.height] = self.size_of(canvas);
        self.learn(clock, Known::Size);
        clock.fps = self.fixed(&canvas.fps);
        self.learn(clock, Known::Rate);
        clock.frames = match (&canvas.frames, &canvas.duration) {
            (Some(frames), _) => {
                let count = self.int(frames) as f64;
                self.within(Limit::Frames, count, frames.0.span, "a length", "frames") as usize
            }
            (None, Some(_)) => self.frames_of_duration(canvas, clock, met),
            (None, None) => 1,
        };
        clock.duration = clock.time_of(clock.frames as f64);
        if let (Some(duration), TimeUnit::Seconds) = (&canvas.duration, unit) {
            clock.duration = self.fixed(duration);
        }
        clock.horizon = clock.duration;
        clock
    }

    /// Makes a part of the canvas known to the formulas of the next.
    fn learn(&mut self, clock: Clock, known: Known) {
        (self.clock, self.known) = (clock, known);
    }

    /// Width and height in px, each within its limit and both together.
    fn size_of(&mut self, canvas: &Canvas) -> [f64; 2] {
        let sides = [&canvas.size.0, &canvas.size.1];
        let [width, height] = sides.map(|side| {
            let length = self.int(side) as f64;
            self.within(Limit::Side, length, side.0.span, "a side", "px")
        });
        let (whole, span) = (width * height, canvas.size.0.0.span);
        match self.within(Limit::Pixels, whole, span, "a frame", "px") < whole {
            true => [1.0; 2],
            false => [width, height],
        }
    }

    /// So much of something, if a limit allows it; else it is an error here, and 1 will do.
    fn within(&mut self, limit: Limit, request: f64, span: Span, what: &str, unit: &str) -> f64 {
        if !self.limits.forbid(limit, request) {
            return request;
        }
        let most = self.limits.of(limit);
        let message = format!("{what} of {request} {unit} is more than the limit of {most}");
        self.problem_once(Problem::error("limit", span, message).note(limit.remedy(request)));
        1.0
    }

    fn looping(&mut self, spec: &Spec) -> Looping {
        match spec.r#loop.as_ref().and_then(|written| written.value.get()) {
            None => Looping::None,
            Some(Loop::Exact(_)) => Looping::Exact,
            Some(Loop::PingPong(_)) => Looping::PingPong,
            Some(Loop::Preroll(preroll)) => Looping::Preroll(self.preroll(preroll)),
            Some(Loop::Crossfade(crossfade)) => self.crossfade(crossfade),
            Some(Loop::Search(search)) => self.search(search),
        }
    }

    fn crossfade(&mut self, written: &document::Crossfade) -> Looping {
        let over = self.fixed(&written.over);
        let frames = self.clock.frame_at(over);
        let whole = round(frames);
        let most = self.clock.frames / 2;
        if (frames - whole).abs() > 1e-6 || whole < 1.0 || whole as usize > most {
            let longest = short(self.clock.time_of(most as f64));
            self.problem_once(
                Problem::error(
                    "bad-crossfade",
                    written.over.span,
                    format!(
                        "a crossfade over {} is {} frames",
                        short(over),
                        short(frames)
                    ),
                )
                .note(format!(
                    "it takes whole frames, at least one and at most half the length: {longest}"
                )),
            );
        }
        Looping::Crossfade {
            frames: (whole.max(1.0) as usize).min(most),
        }
    }

    fn search(&mut self, written: &document::Search) -> Looping {
        let [from, to] = self.fixed_pair(&written.between);
        let first = ceil(self.clock.frame_at(from) - 1e-6).max(0.0);
        let last = floor(self.clock.frame_at(to) + 1e-6).min(100_000.0);
        if first > last {
            self.problem_once(Problem::error(
                "no-such-frame",
                written.between.0.span,
                "no frame lies between these times",
            ));
        }
        Looping::Search(Search {
            first: first as usize,
            last: last.max(first) as usize,
            seam: self.fixed(&written.seam),
        })
    }

    fn preroll(&mut self, written: &document::Preroll) -> Preroll {
        Preroll {
            cycles: self.int(&written.cycles) as usize,
            seam: self.fixed(&written.seam),
        }
    }

    /// A length that nobody means is probably written in milliseconds.
    fn warn_long(&mut self, duration: f64, span: Span) {
        if duration >= LONG {
            let minutes = short(round(duration / 6.0) / 10.0);
            let message = format!(
                "{} s are an animation of {minutes} minutes",
                short(duration)
            );
            self.problem_once(Problem::warning("long", span, message).label(format!(
                "`duration` is in seconds: did you mean {}?",
                short(duration / 1000.0)
            )));
        }
    }

    /// `met`: how many errors there were before the canvas.
    fn frames_of_duration(&mut self, canvas: &Canvas, clock: Clock, met: usize) -> usize {
        let Some(slot) = &canvas.duration else {
            return 1;
        };
        let duration = self.fixed(slot);
        if clock.unit == TimeUnit::Frames {
            self.problem_once(
                Problem::error(
                    "frames-wanted",
                    slot.span,
                    "with `\"time\": \"frames\"` the length is `frames`",
                )
                .label(format!("write `\"frames\": {}`", round(duration))),
            );
            return 1;
        }
        // What has been reported already is no reason to complain about the product.
        if slot.is_hole() || canvas.fps.is_hole() || self.met > met {
            return 1;
        }
        self.warn_long(duration, slot.span);
        let frames = duration * clock.fps;
        let whole = round(frames);
        if (frames - whole).abs() > 1e-6 || whole < 1.0 {
            let below = length_of(frames.floor().max(1.0), clock.fps);
            let above = length_of(frames.ceil().max(1.0), clock.fps);
            let given = short(frames);
            self.problem_once(
                Problem::error(
                    "not-whole",
                    slot.span,
                    format!("{duration} s at {} frames per second is {given} frames: not a whole number", clock.fps),
                )
                .note(format!("the nearest lengths are {below} and {above}, or give `frames` instead")),
            );
        }
        self.within(
            Limit::Frames,
            whole.max(1.0),
            slot.span,
            "a length",
            "frames",
        ) as usize
    }

    /// Builds what nothing has asked for yet, in the order of the file.
    fn build_everything(&mut self) {
        for id in 0..self.items.len() {
            self.build_item(ItemId::new(id));
        }
    }

    fn claims(&mut self, spec: &'s Spec) -> Vec<NamedClaim> {
        let mut claims = Vec::new();
        for lenient in &spec.expect {
            match lenient.get() {
                Some(claim) => claims.push(NamedClaim {
                    name: claim.name(),
                    claim: claim.kind().build(self),
                }),
                None => {
                    self.lost(lenient, Span::default());
                }
            }
        }
        claims
    }

    fn tolerance(&mut self, spec: &'s Spec) -> Option<Tolerance> {
        let lenient = spec.golden.as_ref()?;
        let Some(golden) = lenient.get() else {
            self.lost(lenient, Span::default());
            return None;
        };
        let reason = golden.reason.text.clone().unwrap_or_default();
        if reason.trim().is_empty() && golden.reason.text.is_some() {
            self.problem_once(
                Problem::error("no-reason", golden.reason.span, "the reason is empty").note(
                    "say why frames cannot be exact: whoever reads a result will want to know",
                ),
            );
        }
        Some(Tolerance {
            number: self.fixed(&golden.number),
            channel: self.int(&golden.channel) as u8,
            pixels: self.int(&golden.pixels) as u32,
            reason,
        })
    }

    fn names(&mut self) -> Vec<Named> {
        let mut names = Vec::new();
        self.names_in(ROOT, &mut names);
        names
    }

    fn names_in(&mut self, scope: ScopeId, names: &mut Vec<Named>) {
        for id in self.scopes[scope.index()].items.clone() {
            if self.items[id.index()].is_param() {
                continue;
            }
            let entity = self.build_item(id);
            let path = self.full_name(id);
            match (&entity.scope, &entity.list) {
                (Some(scope), _) => self.names_in(*scope, names),
                (None, Some(List::Rows(rows))) => {
                    for scope in rows.iter() {
                        self.names_in(*scope, names);
                    }
                }
                _ => flatten(&path, &entity, names),
            }
        }
    }

    fn wanted(&mut self, only: &[Name]) -> Vec<Named> {
        let mut wanted = Vec::new();
        for name in only {
            let Some(entity) = self.entity(name) else {
                continue;
            };
            let instances: Vec<ScopeId> = match (entity.scope, &entity.list) {
                (Some(scope), _) => vec![scope],
                (None, Some(List::Rows(rows))) => rows.to_vec(),
                _ => Vec::new(),
            };
            for scope in instances {
                self.names_in(scope, &mut wanted);
            }
            flatten(
                name.text.as_deref().unwrap_or_default(),
                &entity,
                &mut wanted,
            );
        }
        wanted
    }

    fn warn_unused(&mut self, spec: &'s Spec) {
        let params = || self.items.iter().filter(|item| item.is_param());
        // A param of a part is unused only if every instance leaves it unused.
        let used: BTreeSet<Span> = params().filter(|p| p.used).map(|p| p.span).collect();
        let all: BTreeSet<(Span, &str)> = params().map(|p| (p.span, p.name)).collect();
        for (span, name) in all.into_iter().filter(|(span, _)| !used.contains(span)) {
            self.problem_once(Problem::warning(
                "unused-param",
                span,
                format!("nothing reads the param `{name}`"),
            ));
        }
        self.warn_undrawn(spec);
        if spec.alt.is_none() {
            let first = Span {
                file: 0,
                start: 0,
                end: 0,
            };
            self.problem_once(Problem::warning(
                "no-alt",
                first,
                "no `alt`: a description for those who cannot see the picture",
            ));
        }
    }
}

/// The numbers of an entity as `trace` shows them: those of the bare name, or else its outputs.
fn flatten(path: &str, entity: &Entity, names: &mut Vec<Named>) {
    let mut add = |path: String, operand: Operand| names.push(Named { path, operand });
    if let Some(number) = entity.number {
        add(path.to_owned(), number);
    } else if let Some([x, y]) = entity.point {
        add(format!("{path}.x"), x);
        add(format!("{path}.y"), y);
    } else if let Some(List::Points(points)) = &entity.list {
        for (i, [x, y]) in points.iter().enumerate() {
            add(format!("{path}[{i}].x"), *x);
            add(format!("{path}[{i}].y"), *y);
        }
    } else if let Some(List::Entities(entities)) = &entity.list {
        for (i, each) in entities.iter().enumerate() {
            flatten(&format!("{path}[{i}]"), each, names);
        }
    } else {
        for (output, member) in &entity.members {
            flatten(&format!("{path}.{output}"), member, names);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::load::{Animation, Choices};

    /// What is made of a canvas with these fields.
    fn made(unit: &str, canvas: &str) -> Result<Animation, String> {
        let spec = format!(
            r#"{{ "hazumi": 1, "alt": "", "time": "{unit}", "params": {{ "rate": 1.35, "more": 2 }},
                "canvas": {{ "size": [100, 80], {canvas} }}, "draw": [] }}"#
        );
        Animation::parse("canvas", &spec, &Choices::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_known_of_the_canvas_can_be_used_in_it() {
        for (canvas, fps, frames) in [
            (r#""fps": 25, "frames": "fps""#, 25.0, 25),
            (r#""fps": 25, "duration": "10 / fps""#, 25.0, 10),
            (r#""frames": "width""#, 50.0, 100),
            (
                r#""fps": "height / 4", "frames": "more * height""#,
                20.0,
                160,
            ),
            (r#""fps": 50, "frames": "round(fps / rate)""#, 50.0, 37),
        ] {
            let animation = made("seconds", canvas).expect(canvas);
            assert_eq!(
                (animation.fps(), animation.frames()),
                (fps, frames),
                "{canvas}"
            );
        }
        let animation = made("frames", r#""fps": 12, "frames": "2 * fps""#).expect("sound");
        assert_eq!(animation.frames(), 24);
    }

    #[test]
    fn what_is_not_known_yet_is_said_once() {
        for (canvas, word) in [
            (r#""duration": 2, "fps": "10 / duration""#, "duration"),
            (r#""frames": "25 * duration / 2""#, "duration"),
            (r#""frames": 5, "fps": "fps / 3""#, "fps"),
        ] {
            let said = made("seconds", canvas).err().expect(canvas);
            assert!(
                said.contains(&format!("`{word}` is not known here yet")),
                "{said}"
            );
            assert_eq!(said.matches("error: ").count(), 1, "{said}");
        }
        let said = made("seconds", r#""frames": "t""#).err().expect("live");
        assert!(said.contains("`t` changes with time"), "{said}");
    }
}
