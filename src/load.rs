//! From a file to a scene: reading, checking, resolving, with every problem found on the way.

use crate::digest::Digest;
use crate::document::{Part, Spec};
use crate::film::Error;
use crate::formula::Operand;
use crate::limits::{Limit, Limits, mebibytes};
use crate::maths::functions::{ceil, ln, round};
use crate::provenance::SourceFile;
use crate::scene::cycles::Misfit;
use crate::scene::{self, Guard, Scene, Trouble};
use crate::simulate::Failure;
use crate::spec::node::{Field, Node, Value};
use crate::spec::outline::Outline;
use crate::spec::problem::{Problem, Severity, short, short_outside};
use crate::spec::slots::{Map, Name, Plain, Word};
use crate::spec::source::{Source, Sources, Span};
use crate::spec::suggest::{list_some, nearest};
use crate::spec::{de, json, read, report, schema, validate};
use crate::text::{Font, FontSet};
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Largest font file.
const FONT_LIMIT: u64 = 32 << 20;
/// Most bytes of all font files together.
const FONTS_LIMIT: u64 = 64 << 20;
/// Most part files.
const MOST_PART_FILES: usize = 1000;

/// What may be chosen from outside, besides the spec itself.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// `name=value` for the spec's own params; the type of the default decides how the value is read.
    pub set: Vec<(String, String)>,
    /// Mixed into every random number.
    pub seed: u64,
    /// Names to trace.
    pub only: Vec<String>,
    /// What the spec may cost.
    pub limits: Limits,
}

/// Problems with the texts they are about.
#[derive(Clone, Debug)]
pub struct Problems {
    pub sources: Sources,
    pub list: Vec<Problem>,
}

/// A spec that has been read, checked and resolved.
pub struct Animation {
    pub(crate) scene: Scene,
    /// Warnings only.
    pub(crate) problems: Problems,
    /// Where the sources of its part files are, by the names that the spec gives them.
    part_files: Vec<(String, u16)>,
    /// The frame that a loop was found to start with.
    pub(crate) start: OnceLock<usize>,
    pub(crate) outline: Outline,
}

impl Animation {
    /// Reads a spec from a file.
    ///
    /// # Errors
    /// All problems of the spec, if any of them is an error; or why the file cannot be read.
    pub fn open(path: impl AsRef<Path>, choices: &Choices) -> Result<Self, Error> {
        let path = path.as_ref();
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        match read::read_text(path, 0, choices.limits.of(Limit::File)) {
            Ok(source) => load(source, parent.or(Some(Path::new("."))), choices),
            Err(read::ReadError::Content(unreadable)) => Err(Problems {
                sources: vec![unreadable.source],
                list: vec![unreadable.problem],
            }),
            Err(error) => return Err(Error::Input(error)),
        }
        .map_err(Error::Spec)
    }

    /// Reads a spec from text; its parts cannot have files of their own.
    ///
    /// # Errors
    /// All problems of the spec, if any of them is an error.
    pub fn parse(name: &str, text: &str, choices: &Choices) -> Result<Self, Error> {
        let source = Source {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        load(source, None, choices).map_err(Error::Spec)
    }

    /// Caption, if the spec has one.
    pub fn title(&self) -> Option<&str> {
        self.scene.title.as_deref()
    }

    /// Description of the picture, if the spec has one.
    pub fn alt(&self) -> Option<&str> {
        self.scene.alt.as_deref()
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.scene.shown()
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.scene.clock.fps
    }

    /// The names of the themes; the first is `default`.
    pub fn themes(&self) -> &[String] {
        self.scene.colours.themes()
    }

    /// Warnings about the spec.
    pub fn warnings(&self) -> &Problems {
        &self.problems
    }

    /// The texts it was read from: the spec, then its part files, by the names that the spec gives them.
    pub fn files(&self) -> Vec<SourceFile> {
        let parts = self.part_files.iter().map(|(name, i)| (name, *i));
        let spec = (&self.problems.sources[0].name, 0);
        let mut files: Vec<SourceFile> = Vec::new();
        for (name, i) in [spec].into_iter().chain(parts) {
            if files.iter().all(|file| file.name != *name) {
                let text = self.problems.sources[usize::from(i)].text.clone();
                files.push(SourceFile {
                    name: name.clone(),
                    text,
                });
            }
        }
        files
    }

    /// What the spec means, for those who look closer.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&report::text(&self.list, &self.sources, false))
    }
}

impl std::error::Error for Problems {}

impl Problems {
    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|p| p.severity == Severity::Error)
    }

    /// Other problems of the same spec.
    pub(crate) fn others(&self, list: Vec<Problem>) -> Problems {
        Problems {
            sources: self.sources.clone(),
            list,
        }
    }

    /// What a simulation that went wrong looks like in the spec.
    pub fn of_failure(&self, failure: &Failure, scene: &Scene) -> Problems {
        self.others(vec![failure.problem(scene)])
    }
}

/// Reads and resolves a spec. `folder` is where part files may lie; without one there are none.
///
/// # Errors
/// All problems of the spec, if any of them is an error.
pub(crate) fn load(
    source: Source,
    folder: Option<&Path>,
    choices: &Choices,
) -> Result<Animation, Problems> {
    let mut problems = Problems {
        sources: vec![source],
        list: Vec::new(),
    };
    let Some(mut document) =
        json::parse_within(&choices.limits, &problems.sources, 0, &mut problems.list)
    else {
        return Err(problems);
    };
    set_params(&mut document, &choices.set, &mut problems);
    let mut outline = Outline::of(&document);
    outline.add(choices.seed);
    let document = validate::validate(
        schema::of_spec(),
        &document,
        &problems.sources,
        &mut problems.list,
    );
    let Some(spec) = read_typed::<Spec>(&document, &mut problems.list) else {
        return Err(problems);
    };
    let part_files = read_parts(
        &spec.parts,
        folder,
        &choices.limits,
        &mut problems,
        &mut outline,
    );
    let fonts = read_fonts(&spec.fonts, folder, &mut problems.list, &mut outline);
    match resolve(&spec, &part_files, fonts, choices, &mut problems) {
        Some(scene) => Ok(Animation {
            scene: Scene {
                mark_spans: marks_in(&document),
                ..scene
            },
            problems,
            part_files: part_sources(&spec.parts, &part_files),
            start: OnceLock::new(),
            outline,
        }),
        None => Err(problems),
    }
}

/// From names to columns, with the parts' files in their places.
fn resolve(
    spec: &Spec,
    part_files: &[PartFile],
    fonts: FontSet,
    choices: &Choices,
    problems: &mut Problems,
) -> Option<Scene> {
    let own = spec.parts.iter().zip(part_files);
    let parts: Vec<(&str, Span, Option<&Part>)> = own
        .map(|((name, span, own), file)| match (own.get(), file) {
            (Some(part), PartFile::None) => (name, span, Some(part)),
            (_, PartFile::Read(part, _)) => (name, span, Some(part.as_ref())),
            _ => (name, span, None),
        })
        .collect();
    let only = choices
        .only
        .iter()
        .map(|name| named(name, &mut problems.sources));
    let options = scene::Options {
        seed: choices.seed,
        only: only.collect(),
        fonts: Arc::new(fonts),
        limits: choices.limits,
    };
    let list = std::mem::take(&mut problems.list);
    let (scene, list) = scene::compile(spec, &parts, &problems.sources, list, &options);
    problems.list = list;
    scene
}

/// Where the marks of the top level stand.
fn marks_in(document: &Node) -> Vec<Span> {
    match document.get("draw").map(|draw| &draw.value) {
        Some(Value::List(marks)) => marks.iter().map(|mark| mark.span).collect(),
        _ => Vec::new(),
    }
}

/// A typed value; what does not fit has been reported, or is reported here.
fn read_typed<'n, T: Deserialize<'n>>(node: &'n Node, problems: &mut Vec<Problem>) -> Option<T> {
    match de::read(node) {
        Ok(value) => Some(value),
        Err(mismatch) => {
            if !problems.iter().any(|p| p.severity == Severity::Error) {
                let message = format!("cannot be read: {mismatch}");
                problems.push(Problem::error("unreadable", node.span, message));
            }
            None
        }
    }
}

/// A name from the command line, as a source of its own.
fn named(name: &str, sources: &mut Sources) -> Name {
    let file = sources.len() as u16;
    sources.push(Source {
        name: "--only".into(),
        text: format!("\"{name}\""),
    });
    let span = Span {
        file,
        start: 0,
        end: name.len() as u32 + 2,
    };
    Word::written(span, name)
}

/// Puts values from outside in the place of the params' defaults.
fn set_params(document: &mut Node, set: &[(String, String)], problems: &mut Problems) {
    for (name, value) in set {
        let file = problems.sources.len() as u16;
        problems.sources.push(Source {
            name: "--set".into(),
            text: format!("{name}={value}"),
        });
        let place = |start: usize, end: usize| Span {
            file,
            start: start as u32,
            end: end as u32,
        };
        let (key, whole) = (
            place(0, name.len()),
            place(name.len() + 1, name.len() + 1 + value.len()),
        );
        let Some(param) = param_of(document, name) else {
            problems.list.push(unknown_param(document, name, key));
            continue;
        };
        param.value = match &param.value {
            Value::Number(_) => match serde_json::from_str::<f64>(value) {
                Ok(number) if number.is_finite() => Value::Number(number),
                _ => {
                    let message = format!("`{name}` is a number, but `{value}` is none");
                    problems
                        .list
                        .push(Problem::error("wrong-type", whole, message));
                    Value::Hole
                }
            },
            Value::Text(_) => Value::Text(value.clone()),
            other => other.clone(),
        };
        param.span = whole;
    }
}

fn param_of<'n>(document: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Value::Object(fields) = &mut document.value else {
        return None;
    };
    let params = fields.iter_mut().find(|f| f.key == "params")?;
    let Value::Object(params) = &mut params.node.value else {
        return None;
    };
    let param = params.iter_mut().find(|f| f.key == name)?;
    Some(&mut param.node)
}

fn unknown_param(document: &Node, name: &str, span: Span) -> Problem {
    let params: &[Field] = match document.get("params").map(|node| &node.value) {
        Some(Value::Object(fields)) => fields,
        _ => &[],
    };
    let names = || params.iter().map(|f| f.key.as_str());
    let problem = Problem::error(
        "unknown-param",
        span,
        format!("the spec has no param `{name}`"),
    );
    let problem = match nearest(name, names()) {
        Some(near) => problem.label(format!("did you mean `{near}`?")),
        None => problem,
    };
    problem.note(match params {
        [] => "it has no `params` at all".into(),
        _ => format!("its params: {}", list_some(name, names())),
    })
}

/// A part's file, if it has one.
enum PartFile {
    None,
    /// With the number of its source.
    Read(Box<Part>, u16),
    Failed,
}

/// The numbers of the sources that part files were read into, by the names that the spec gives the files.
fn part_sources(
    parts: &Map<crate::spec::slots::Lenient<Part>>,
    files: &[PartFile],
) -> Vec<(String, u16)> {
    let pairs = parts.iter().zip(files);
    let sources = pairs.filter_map(|((_, _, part), file)| match (file, part.get()) {
        (PartFile::Read(_, source), Some(part)) => Some((part.file.as_ref()?.describe(), *source)),
        _ => None,
    });
    sources.collect()
}

fn read_parts(
    parts: &Map<crate::spec::slots::Lenient<Part>>,
    folder: Option<&Path>,
    limits: &Limits,
    problems: &mut Problems,
    outline: &mut Outline,
) -> Vec<PartFile> {
    let mut files = Vec::new();
    let mut count = 0;
    for (_, _, part) in parts.iter() {
        let file = part.get().and_then(|part| part.file.as_ref());
        count += usize::from(file.is_some());
        files.push(match file {
            None => PartFile::None,
            Some(file) if count > MOST_PART_FILES => {
                if count == MOST_PART_FILES + 1 {
                    let message = format!("more than {MOST_PART_FILES} part files");
                    let problem = Problem::error("limit", file.span, message);
                    problems.list.push(problem);
                }
                PartFile::Failed
            }
            Some(file) => match read_part(file, folder, limits, problems, outline) {
                Some((part, source)) => PartFile::Read(Box::new(part), source),
                None => PartFile::Failed,
            },
        });
    }
    files
}

fn read_part(
    name: &Plain,
    folder: Option<&Path>,
    limits: &Limits,
    problems: &mut Problems,
    outline: &mut Outline,
) -> Option<(Part, u16)> {
    let (file, span) = (name.describe(), name.span);
    let path = match inside(&file, folder) {
        Ok(path) => path,
        Err(why) => {
            problems
                .list
                .push(Problem::error("outside-folder", span, why));
            return None;
        }
    };
    let index = problems.sources.len() as u16;
    // All texts of a spec share one limit.
    let before = problems
        .sources
        .iter()
        .map(|source| source.text.len() as u64);
    let left = limits.of(Limit::File).saturating_sub(before.sum());
    let source = match read::read_text(&path, index, left) {
        Ok(source) => source,
        Err(read::ReadError::File { reason, .. }) => {
            let message = format!("cannot read `{file}`: {reason}");
            problems
                .list
                .push(Problem::error("unreadable-file", span, message));
            return None;
        }
        Err(read::ReadError::Content(unreadable)) => {
            problems.sources.push(unreadable.source);
            problems.list.push(unreadable.problem);
            return None;
        }
    };
    problems.sources.push(source);
    let document = json::parse_within(limits, &problems.sources, index, &mut problems.list)?;
    outline.add_document(&document);
    let document = validate::validate(
        schema::of_part(),
        &document,
        &problems.sources,
        &mut problems.list,
    );
    let part: Part = read_typed(&document, &mut problems.list)?;
    if let Some(nested) = &part.file {
        let message = "a part's file cannot name another file";
        problems
            .list
            .push(Problem::error("nested-file", nested.span, message));
    }
    Some((part, index))
}

fn read_fonts(
    files: &[Plain],
    folder: Option<&Path>,
    problems: &mut Vec<Problem>,
    outline: &mut Outline,
) -> FontSet {
    let mut fonts = Vec::new();
    let mut left = FONTS_LIMIT;
    for file in files.iter().filter(|file| file.text.is_some()) {
        let name = file.describe();
        let font = read_font(&name, file.span, folder, &mut left, problems, outline);
        // Something has to stand for a font that is none, or its name would be reported as unknown.
        fonts.push((name, font.unwrap_or_else(Font::embedded)));
    }
    FontSet::new(fonts)
}

fn read_font(
    file: &str,
    span: Span,
    folder: Option<&Path>,
    left: &mut u64,
    problems: &mut Vec<Problem>,
    outline: &mut Outline,
) -> Option<Arc<Font>> {
    let mut fail = |code: &'static str, why: String| problems.push(Problem::error(code, span, why));
    let path = match inside(file, folder) {
        Ok(path) => path,
        Err(why) => {
            fail("outside-folder", why);
            return None;
        }
    };
    let bytes = match read::read_bytes(&path, FONT_LIMIT.min(*left)) {
        Ok(bytes) => {
            *left -= bytes.len() as u64;
            bytes
        }
        Err(reason) => {
            let words = read::words_of(&reason);
            fail("unreadable-file", format!("cannot read `{file}`: {words}"));
            return None;
        }
    };
    let mut sum = Digest::default();
    sum.add_bytes(&bytes);
    outline.add(sum.finish());
    match Font::read(Cow::Owned(bytes)) {
        Ok(font) => Some(Arc::new(font)),
        Err(why) => {
            fail("bad-font", format!("`{file}` {why}"));
            None
        }
    }
}

/// The path of a file that must lie in the spec's folder, links followed.
fn inside(file: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    let Some(folder) = folder else {
        return Err(format!("`{file}` cannot be read: this spec has no folder"));
    };
    let outside = || format!("`{file}` lies outside the spec's folder");
    let relative = Path::new(file);
    let plain = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
    if file.is_empty() || !relative.components().all(plain) {
        return Err(outside());
    }
    let path = folder.join(relative);
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(real)) if !real.starts_with(&folder) => return Err(outside()),
        _ => {}
    }
    // To open a pipe may be to wait for ever.
    let found = path.metadata();
    match found.is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        true => Err(format!("`{file}` is no file")),
        false => Ok(path),
    }
}

impl Failure {
    /// The failure at its place in the spec.
    pub fn problem(&self, scene: &Scene) -> Problem {
        let when = |time: f64| format!("in {}", scene.clock.frame_in_words(time));
        match self {
            Self::OutOfRange { time, value, guard } => out_of_range(*value, guard, &when(*time)),
            Self::NotFinite { time, column } => not_finite(scene, *column, &when(*time)),
            Self::Trouble {
                time,
                tick,
                trouble,
            } => of_body(trouble, &when(*time), *tick),
            Self::TooLong { ticks, limit } => Problem::error(
                "tick-limit",
                Span::default(),
                format!("the simulation would take {ticks} ticks, more than {limit}"),
            ),
            Self::NoLoop {
                start,
                distance,
                wanted,
            } => no_loop(scene, *start, *distance, *wanted),
            Self::NotPeriodic {
                cycles,
                seam,
                wanted,
                step,
                contraction,
                misfits,
            } => {
                let (name, damping) = scene.memory_in_words(*step);
                let problem = not_periodic(scene, *cycles, &name, *seam, *wanted);
                match misfits.is_empty() {
                    true => {
                        problem.note(more_cycles(*cycles, wanted / seam, *contraction, damping))
                    }
                    false => Misfit::explain(misfits, &scene.clock, problem),
                }
            }
            Self::TooMuch {
                limit,
                request,
                allowed,
            } => too_much(*limit, *request, *allowed),
            Self::TooMuchWork { time } => too_much_work(scene, &when(*time)),
            Self::TooManySegments { time, mark } => too_many_segments(scene, *mark, &when(*time)),
        }
    }
}

/// A value that does not keep its range.
fn out_of_range(value: f64, guard: &Guard, when: &str) -> Problem {
    let message = format!(
        "`{}` is {} {when}, but must be {}",
        guard.what,
        short_outside(value, |v| guard.range.contains(v)),
        guard.range.describe()
    );
    Problem::error("out-of-range", guard.span, message)
}

/// A column without a finite value, by the name that it has.
fn not_finite(scene: &Scene, column: u32, when: &str) -> Problem {
    let operand = Operand::Column(column);
    let name = scene.names.iter().find(|n| n.operand == operand);
    let name = name.map_or("a value", |n| n.path.as_str());
    let message = format!("`{name}` is not a finite number {when}");
    Problem::error("not-finite", Span::default(), message)
}

/// A loop whose state does not come back.
fn not_periodic(scene: &Scene, cycles: usize, name: &str, seam: f64, wanted: f64) -> Problem {
    let message = format!(
        "after {cycles} cycles {name} still differs by {} from the cycle before, more than {}",
        short(seam),
        short(wanted)
    );
    Problem::error("not-periodic", scene.loop_span, message)
}

/// A frame with more lines and curves than are allowed.
fn too_many_segments(scene: &Scene, mark: u32, when: &str) -> Problem {
    let most = scene.limits.of(Limit::Segments);
    let message = format!("more than {most} lines and curves {when}");
    Problem::error("limit", scene.mark_span(mark), message)
        .note("fewer or plainer marks; counts of nested `repeat`s and rows multiply")
        .note(Limit::Segments.flag())
}

/// More operations than are allowed, for what could not be known beforehand: balls that meet.
fn too_much_work(scene: &Scene, when: &str) -> Problem {
    let most = scene.limits.of(Limit::Work);
    let message =
        format!("the simulation has taken more than the limit of {most} operations {when}");
    Problem::error("limit", Span::default(), message)
        .note("fewer balls, or balls that do not lie in one another")
        .note(Limit::Work.flag())
}

/// More of something than is allowed.
fn too_much(limit: Limit, request: f64, allowed: u64) -> Problem {
    let (what, most, advice) = match limit {
        Limit::Memory => (
            format!(
                "the numbers of all frames would take {}",
                mebibytes(request)
            ),
            mebibytes(allowed as f64),
            "fewer frames, or fewer names that are drawn",
        ),
        Limit::Paint => (
            format!("all frames together would paint {} px", short(request)),
            short(allowed as f64),
            "fewer frames, a smaller canvas, or fewer large marks",
        ),
        _ => (
            format!("the simulation would take {} operations", short(request)),
            short(allowed as f64),
            "fewer frames, fewer particles, or fewer `substeps`",
        ),
    };
    let message = format!("{what}, more than the limit of {most}");
    let problem = Problem::error("limit", Span::default(), message).note(advice);
    problem.note(limit.remedy(request))
}

/// A body that went wrong in a tick.
fn of_body(trouble: &Trouble, when: &str, tick: f64) -> Problem {
    let message = format!(
        "{} of `{}` is {} {when}, tick {}",
        trouble.what,
        trouble.name,
        short(trouble.value),
        short(round(tick)),
    );
    Problem::error("diverged", trouble.span, message).note(trouble.advice.clone())
}

/// A search whose best start, a frame, leaves too large a seam in px.
fn no_loop(scene: &Scene, start: usize, distance: f64, wanted: f64) -> Problem {
    let message = format!(
        "no start gives a loop: the best, frame {start} ({}), leaves {} px, more than {}",
        short(scene.clock.time_of(start as f64)),
        short(distance),
        short(wanted)
    );
    Problem::error("no-loop", scene.loop_span, message)
        .note("look in a longer stretch of time, choose a length that is a whole number of periods, or allow a larger `seam`")
}

/// What would bring a state back, if each cycle leaves this much of the difference, which is to shrink by `share`;
/// `damping` says what would damp it.
fn more_cycles(
    cycles: usize,
    share: f64,
    contraction: Option<f64>,
    damping: Option<&str>,
) -> String {
    match contraction {
        Some(c) if c < 0.999 => {
            let enough = cycles as f64 + ceil(ln(share) / ln(c));
            let damping = damping.map_or(String::new(), |way| format!(", or {way}"));
            format!(
                "each cycle leaves {c:.3} of the difference: about {enough} cycles would do{damping}, or a larger `seam`"
            )
        }
        _ => {
            let damping = damping.map_or(String::new(), |way| format!("damp it with {way}, or "));
            format!("the difference does not shrink: {damping}make every motion end where it began")
        }
    }
}
