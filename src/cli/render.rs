//! `hazumi render`: simulate, draw, write.

use super::budget::Attempt;
use super::html::Written;
use super::inputs::{Input, find};
use super::progress::Progress;
use super::select::SelectArgs;
use super::size::SizeArgs;
use super::stage::{ChoiceArgs, LimitArgs, open};
use super::targets::{Content, Target, formats_in_words, targets};
use super::{Outcome, Voice};
use crate::encode::{self, Format, Label, Plays, Watch, clock};
use crate::film::{Error, Film, Look, Play, Studio};
use crate::load::Animation;
use crate::output::{self, Destination};
use crate::provenance::{PROGRAM, Provenance};
use crate::seam::px;
use crate::spec::problem::short;
use crate::sprite;
use crate::stills;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};
use std::path::{Path, PathBuf};

/// What `--theme` says for every theme.
const ALL_THEMES: &str = "all";

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Specs, folders of specs, or `-` for standard input.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    /// A folder, or a file whose ending is the format; `-` for standard output.
    #[arg(short, long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// What to write, separated by commas.
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = Content::named, long_help = formats_in_words())]
    pub format: Vec<Content>,
    /// How many frames a sheet or an onion skin has; 12 and 6 if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    poses: Option<u16>,
    /// Pixels per spec pixel; strokes and text grow too.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive)]
    scale: f64,
    /// A theme of the palette; `all` writes NAME.gif and one NAME.THEME.gif each.
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Also write the first frame as NAME.poster.png, for readers who prefer reduced motion.
    #[arg(long)]
    pub poster: bool,
    /// Print a `<picture>` element for what was written, to standard output.
    #[arg(long)]
    pub html: bool,
    /// How often it plays; 0 is for ever.
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    r#loop: u16,
    /// How long the last frame stays, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = hold)]
    hold: Option<f64>,
    /// Leave the spec out of the files; title and description stay.
    #[arg(long)]
    no_source: bool,
    /// Threads to draw with; the bytes are the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    size: SizeArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
}

/// Arguments that do not show in the bytes of a file, or of which another one is kept.
const NOT_KEPT: &[&str] = &[
    "specs",
    "out",
    "format",
    "theme",
    "poster",
    "html",
    "jobs",
    "no_source",
    "limit",
];

/// The options of `render` that a file keeps to be made again: those that were given and show in its bytes.
pub fn kept_arguments(matches: &ArgMatches) -> Vec<String> {
    let Some(("render", matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let command = RenderArgs::augment_args(Command::new("render"));
    let options = command.get_arguments().filter(|option| {
        let id = option.get_id().as_str();
        !NOT_KEPT.contains(&id) && matches.value_source(id) == Some(ValueSource::CommandLine)
    });
    let words = options.flat_map(|option| {
        let long = option.get_long().unwrap_or_default();
        let values = matches
            .get_raw(option.get_id().as_str())
            .into_iter()
            .flatten();
        values.map(move |value| match option.get_action().takes_values() {
            true => format!("--{long}={}", value.to_string_lossy()),
            false => format!("--{long}"),
        })
    });
    words.collect()
}

impl RenderArgs {
    /// The same for another spec and place.
    pub fn again(self, spec: PathBuf, out: PathBuf, content: Content, limits: LimitArgs) -> Self {
        let format = match content {
            Content::Still => Vec::new(),
            other => vec![other],
        };
        Self {
            specs: vec![spec],
            out: Some(out),
            size: match content.is_movie("gif") {
                true => self.size,
                false => self.size.beside_gif(),
            },
            format,
            poster: false,
            html: false,
            jobs: None,
            choices: self.choices.within(limits),
            ..self
        }
    }
}

/// Longest time that the last frame stays, in seconds: about what one frame of a GIF can say.
const LONGEST_HOLD: f64 = 600.0;

fn hold(text: &str) -> Result<f64, String> {
    match positive(text) {
        Ok(seconds) if seconds <= LONGEST_HOLD => Ok(seconds),
        _ => Err(format!(
            "a number of seconds greater than 0, at most {LONGEST_HOLD}"
        )),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if v > 0.0 && v.is_finite() => Ok(v),
        _ => Err("a number greater than 0".into()),
    }
}

/// One spec with everything decided that does not need its text.
#[derive(Debug)]
struct Job<'a> {
    input: Input,
    targets: Vec<Target>,
    args: &'a RenderArgs,
    /// Those that the files keep.
    arguments: &'a [String],
}

/// Renders. `arguments` are kept in the files, so that they can be made again.
pub fn run(args: &RenderArgs, arguments: &[String], voice: &Voice) -> Outcome {
    let jobs = match plan(args, arguments) {
        Ok(jobs) => jobs,
        Err(why) => {
            voice.error(&why);
            return Outcome::Failed;
        }
    };
    let threads = usize::from(args.jobs.unwrap_or(0));
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            voice.error(&format!("cannot start threads: {error}"));
            return Outcome::Failed;
        }
    };
    let progress = Progress::new(jobs.len(), voice);
    let mut written: Vec<PathBuf> = Vec::new();
    let mut worst = Outcome::Well;
    for job in &jobs {
        let outcome = pool.install(|| job.run(voice, &progress));
        if outcome == Outcome::Well {
            let places = job.targets.iter().flat_map(Target::places);
            written.extend(places.filter_map(file_of));
        }
        worst = worst.max(outcome);
    }
    // The bar goes before the last words.
    drop(progress);
    if let Some(words) = written_in_words(&written) {
        voice.on_terminal(&words);
    }
    worst
}

fn file_of(place: Destination) -> Option<PathBuf> {
    match place {
        Destination::File(path) | Destination::Folder(path) => Some(path),
        Destination::Stdout => None,
    }
}

/// More files than these are counted.
const MOST_NAMED: usize = 3;

/// What was written, in a line; nothing if nothing was.
fn written_in_words(paths: &[PathBuf]) -> Option<String> {
    let named = |path: &PathBuf| format!("`{}`", path.display());
    let first = paths.first()?;
    if paths.len() <= MOST_NAMED {
        let all: Vec<String> = paths.iter().map(named).collect();
        return Some(format!("wrote {}", all.join(", ")));
    }
    let folder = first
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or("here".into(), |folder| {
        format!("into `{}`", folder.display())
    });
    Some(format!("wrote {} files {folder}", paths.len()))
}

/// What will be written where; everything that can be known before a spec is read.
fn plan<'a>(args: &'a RenderArgs, arguments: &'a [String]) -> Result<Vec<Job<'a>>, String> {
    let inputs = find(&args.specs)?;
    let sources: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let several = inputs.len() > 1;
    let (mut has_gif, mut has_flat) = (false, false);
    let mut taken: Vec<(Destination, PathBuf)> = Vec::new();
    let mut jobs = Vec::new();
    for input in inputs {
        let targets = targets(args, &input, several)?;
        has_gif |= targets.iter().any(is_gif);
        has_flat |= targets.iter().any(|target| target.content.is_movie("y4m"));
        for place in targets.iter().flat_map(Target::places) {
            let clash = taken.iter().find(|(taken, _)| *taken == place);
            if let (Some((_, other)), true) = (clash, place != Destination::Stdout) {
                return Err(format!(
                    "`{}` and `{}` would be written to the same place",
                    other.display(),
                    input.path.display()
                ));
            }
            output::check(&place, &sources).map_err(|failure| failure.to_string())?;
            taken.push((place, input.path.clone()));
        }
        jobs.push(Job {
            input,
            targets,
            args,
            arguments,
        });
    }
    if let Some(flag) = args.size.only_for_gif().filter(|_| !has_gif) {
        return Err(format!("`{flag}` is for GIFs, and none is written"));
    }
    match args.size.has_matte() && !has_gif && !has_flat {
        true => Err(
            "`--matte` is for formats without full alpha, gif and y4m, and none is written".into(),
        ),
        false => Ok(jobs),
    }
}

impl Job<'_> {
    fn run(&self, voice: &Voice, progress: &Progress) -> Outcome {
        let choices = self.args.choices.choices(&[]);
        let animation = open(&self.input, &choices, voice);
        let outcome = match animation.as_ref().map(|a| self.render(a, voice, progress)) {
            None => Outcome::Failed,
            Some(Ok(outcome)) => outcome,
            // Whoever reads standard output may have had enough.
            Some(Err(Error::Output(failure))) if failure.is_reader_gone() => Outcome::Well,
            Some(Err(error)) => {
                voice.failure_in(&self.input.path, &error);
                Outcome::Failed
            }
        };
        progress.spec_done();
        outcome
    }

    fn render(
        &self,
        animation: &Animation,
        voice: &Voice,
        progress: &Progress,
    ) -> Result<Outcome, Error> {
        let range = self
            .args
            .select
            .range(animation.scene())
            .map_err(Error::Choice)?;
        self.check_cost(animation, range.len())?;
        let plain = match range.len() == animation.frames() {
            true => Some(animation.simulate_plain()?),
            false => None,
        };
        if let Some(plain) = &plain {
            self.check_loop(plain, voice)?;
            self.warn_untrue(plain, voice);
        }
        let shown = Shown {
            animation,
            plain: plain.filter(|_| animation.scene().looping.is_plain()),
            range,
        };
        for (i, target) in self.targets.iter().enumerate() {
            self.with_film(target, &shown, voice, |film| {
                if i == 0 {
                    warn_of_frames(film, self.args.scale, voice);
                }
                self.make(target, &shown, film, voice, progress)
            })?;
        }
        match self.args.html {
            true => self.print_html(animation, voice),
            false => Ok(Outcome::Well),
        }
    }

    /// Refuses what is too large before anything is simulated.
    fn check_cost(&self, animation: &Animation, frames: usize) -> Result<(), Error> {
        for target in &self.targets {
            let count = animation.count_at(frames, self.playable(animation, target))?;
            let drawn = match target.content {
                Content::Movie(_) | Content::Sprite => count,
                Content::Still | Content::Sheet | Content::Onion => 1,
            };
            animation.check_frames(self.args.scale, drawn)?;
        }
        Ok(())
    }

    /// Works on the frames that a target shows, at its rate.
    fn with_film(
        &self,
        target: &Target,
        shown: &Shown,
        voice: &Voice,
        work: impl FnOnce(&Film) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (animation, range) = (shown.animation, || shown.range.clone());
        match (self.rate(animation, target, voice), &shown.plain) {
            (None, Some(film)) => work(film),
            (None, None) => work(&animation.simulate_range(range())?),
            (Some(fps), _) => {
                let film = animation.resample(range(), fps)?;
                let seconds = shown.range.len() as f64 / animation.fps();
                self.note_rate(seconds, fps, film.frames(), voice);
                work(&film)
            }
        }
    }

    /// Writes what a target asks for.
    fn make(
        &self,
        target: &Target,
        shown: &Shown,
        film: &Film,
        voice: &Voice,
        progress: &Progress,
    ) -> Result<(), Error> {
        match self.limit(target) {
            Some(limit) => {
                let source = Source {
                    animation: shown.animation,
                    range: shown.range.clone(),
                    film,
                };
                self.write_within(limit, target, &source, voice, progress)?;
            }
            None => self.write(target, film, progress)?,
        }
        voice.detail(&format!("{}: {} frames", self.input.name(), film.frames()));
        Ok(())
    }

    fn print_html(&self, animation: &Animation, voice: &Voice) -> Result<Outcome, Error> {
        let written = Written {
            targets: &self.targets,
            all_themes: self.args.theme.as_deref() == Some(ALL_THEMES),
            poster: self.args.poster,
        };
        Ok(super::schema::print(&written.html(animation)?, voice))
    }

    /// Says which of the spec's claims do not hold; the picture is drawn all the same.
    fn warn_untrue(&self, film: &Film, voice: &Voice) {
        for (i, (claim, verdict)) in film.judge().iter().enumerate() {
            if !verdict.holds {
                let when = verdict.frame.map(|frame| format!(" (frame {frame})"));
                voice.warning(&format!(
                    "{}: expect[{i}] `{claim}` does not hold: {}{}",
                    self.input.path.display(),
                    verdict.words,
                    when.unwrap_or_default()
                ));
            }
        }
    }

    /// Says how a loop closes; an exact one must.
    fn check_loop(&self, film: &Film, voice: &Voice) -> Result<(), Error> {
        let Some(seam) = film.check_exact()? else {
            return Ok(());
        };
        let name = self.input.name();
        let closes = format!("{name}: the loop closes within {}", px(seam.distance));
        match film.open_loop(&seam) {
            Some(problems) => voice.problems(&problems),
            None if seam.is_unseen() => voice.detail(&closes),
            None => voice.note(&format!("{closes} ({})", seam.whose)),
        }
        Ok(())
    }

    /// The rate to resample to, if any: a GIF cannot play faster than 50 frames per second.
    fn playable(&self, animation: &Animation, target: &Target) -> Option<f64> {
        let chosen = self.args.select.fps;
        let fps = chosen.unwrap_or(animation.fps());
        let playable = clock::resampled_for_gif(fps).filter(|_| is_gif(target));
        playable.or(chosen)
    }

    /// As [`Job::playable`]; says so where it is not the rate that was wanted.
    fn rate(&self, animation: &Animation, target: &Target, voice: &Voice) -> Option<f64> {
        let wanted = self.args.select.fps.unwrap_or(animation.fps());
        let playable = self.playable(animation, target);
        if let Some(playable) = playable.filter(|playable| *playable != wanted) {
            voice.note(&format!(
                "{}: {wanted} frames per second are more than a GIF can play: resampled to {playable}",
                self.input.name()
            ));
        }
        playable
    }

    /// Says so where the length is no whole number of frames at a rate.
    fn note_rate(&self, seconds: f64, fps: f64, shown: usize, voice: &Voice) {
        let exact = seconds * fps;
        if (exact - shown as f64).abs() > 1e-6 {
            voice.note(&format!(
                "{}: {} s at {} frames per second are {} frames: {shown} are shown, spread evenly",
                self.input.name(),
                short(seconds),
                short(fps),
                short(exact)
            ));
        }
    }

    /// Writes a film in every theme that was asked for.
    fn write(&self, target: &Target, film: &Film, progress: &Progress) -> Result<(), Error> {
        for theme in self.themes(film)? {
            let look = Look {
                scale: self.args.scale,
                theme: theme.look,
            };
            let studio = film.studio(&look)?;
            let target = target.in_theme(theme.suffix.as_deref());
            self.write_one(&target, film, &studio, &look, progress)?;
            self.write_poster(&target, &studio)?;
        }
        Ok(())
    }

    fn write_poster(&self, target: &Target, studio: &Studio) -> Result<(), Error> {
        if self.args.poster && target.content.movie().is_some() {
            output::save_bytes(&target.poster(), &studio.still(0, None)?)?;
        }
        Ok(())
    }

    /// The bytes that a file may have.
    fn limit(&self, target: &Target) -> Option<u64> {
        self.args.size.max_bytes.filter(|_| is_gif(target))
    }

    /// Writes a GIF in every theme that was asked for, each with as little given up as its limit allows.
    fn write_within(
        &self,
        limit: u64,
        target: &Target,
        source: &Source,
        voice: &Voice,
        progress: &Progress,
    ) -> Result<(), Error> {
        for theme in self.themes(source.film)? {
            let target = target.in_theme(theme.suffix.as_deref());
            let label = self.label(target.content, source.film, theme.look.as_deref());
            let play = self.play(label);
            let asked = Attempt {
                effort: play.effort,
                colours: play.gif,
                fps: None,
                size: 1.0,
            };
            let fps = source.film.fps();
            let look = |size: f64| Look {
                scale: self.args.scale * size,
                theme: theme.look.clone(),
            };
            let found = Attempt::search(asked, fps, |attempt| {
                let look = look(attempt.size);
                self.encode_within(limit, attempt, play.clone(), source, &look, progress)
            })?;
            let Some((attempt, file)) = found else {
                return Err(Error::Choice(format!(
                    "no way was found to write a GIF of at most {limit} bytes: choose fewer frames, or \
                     allow more bytes"
                )));
            };
            let size = source.animation.size(look(attempt.size).scale)?;
            let price = attempt.given_up(&asked, fps, size);
            if !price.is_empty() {
                let (name, bytes) = (self.input.name(), file.len());
                voice.note(&format!("{name}: {bytes} bytes, at a price: {price}"));
            }
            output::save_bytes(&target.destination, &file)?;
            self.write_poster(&target, &source.film.studio(&look(1.0))?)?;
        }
        Ok(())
    }

    /// The file of an attempt, if it is within the limit.
    fn encode_within(
        &self,
        limit: u64,
        attempt: &Attempt,
        play: Play,
        source: &Source,
        look: &Look,
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, Error> {
        let play = Play {
            effort: attempt.effort,
            gif: attempt.colours,
            ..play
        };
        let slower = match attempt.fps {
            Some(fps) => Some(source.animation.resample(source.range.clone(), fps)?),
            None => None,
        };
        let studio = slower.as_ref().unwrap_or(source.film).studio(look)?;
        let name = self.input.name();
        let report = |done: usize, total: usize| progress.frame(&name, done, total);
        let watch = Watch {
            progress: &report,
            ..Watch::default()
        };
        Ok(studio.with_movie(play, |movie| encode::gif::within(movie, watch, limit))?)
    }

    /// The themes to draw; only those beside the default one have a suffix.
    fn themes(&self, film: &Film) -> Result<Vec<Theme>, Error> {
        if self.args.theme.as_deref() != Some(ALL_THEMES) {
            return Ok(vec![Theme {
                look: self.args.theme.clone(),
                suffix: None,
            }]);
        }
        let names = film.animation().themes().iter().enumerate();
        names
            .map(|(i, name)| {
                output::check_name(name).map_err(Error::Choice)?;
                Ok(Theme {
                    look: Some(name.clone()),
                    suffix: (i > 0).then(|| name.clone()),
                })
            })
            .collect()
    }

    fn write_one(
        &self,
        target: &Target,
        film: &Film,
        studio: &Studio,
        look: &Look,
        progress: &Progress,
    ) -> Result<(), Error> {
        let label = self.label(target.content, film, look.theme.as_deref());
        let poses = |usual: usize| self.args.poses.map_or(usual, usize::from);
        let picture = match target.content {
            Content::Movie(format) => {
                return self.write_movie(format, target, studio, label, progress);
            }
            Content::Sprite => return self.write_sprite(target, film, studio, &label),
            Content::Still => studio.frame(0),
            Content::Sheet => stills::sheet(film, look, poses(12))?,
            Content::Onion => stills::onion(studio, film, poses(6))?,
        };
        let file = encode::png::still(&picture, studio.is_opaque(), Some(&label))?;
        Ok(output::save_bytes(&target.destination, &file)?)
    }

    fn write_sprite(
        &self,
        target: &Target,
        film: &Film,
        studio: &Studio,
        label: &Label,
    ) -> Result<(), Error> {
        let [Destination::File(image), Destination::File(atlas)] = &target.places()[..] else {
            return Ok(());
        };
        let name = image.file_name().unwrap_or_default().to_string_lossy();
        let sprite = sprite::sprite(film, studio, &name, self.args.hold)?;
        let file = encode::png::still(&sprite.pixels, studio.is_opaque(), Some(label))?;
        output::save_bytes(&Destination::File(image.clone()), &file)?;
        Ok(output::save_bytes(
            &Destination::File(atlas.clone()),
            sprite.atlas.as_bytes(),
        )?)
    }

    /// What a file of the film says about itself.
    fn label(&self, content: Content, film: &Film, theme: Option<&str>) -> Label {
        let theme = theme.iter().map(|theme| format!("--theme={theme}"));
        let arguments = self.arguments.iter().cloned().chain(theme).collect();
        let animation = film.animation();
        let source = Provenance::of(animation, content.word(), arguments);
        Label {
            title: animation.title().map(str::to_owned),
            alt: animation.alt().map(str::to_owned),
            program: PROGRAM.into(),
            hash: source.hash(),
            source: (!self.args.no_source).then(|| source.text()),
        }
    }

    fn write_movie(
        &self,
        format: &Format,
        target: &Target,
        studio: &Studio,
        label: Label,
        progress: &Progress,
    ) -> Result<(), Error> {
        let name = self.input.name();
        let report = |done: usize, total: usize| progress.frame(&name, done, total);
        let watch = Watch {
            progress: &report,
            ..Watch::default()
        };
        studio.save(format, self.play(label), &target.destination, watch)
    }

    fn play(&self, label: Label) -> Play {
        let mut play = Play {
            plays: match self.args.r#loop {
                0 => Plays::Forever,
                times => Plays::Times(times),
            },
            hold: self.args.hold,
            label: Some(label),
            ..Play::default()
        };
        self.args.size.apply(&mut play);
        play
    }
}

/// Says what only the frames show.
fn warn_of_frames(film: &Film, scale: f64, voice: &Voice) {
    let found = film.warnings_at(scale);
    if !found.list.is_empty() {
        voice.problems(&found);
    }
}

fn is_gif(target: &Target) -> bool {
    target.content.is_movie("gif")
}

/// What is shown of a spec.
struct Shown<'a> {
    animation: &'a Animation,
    range: std::ops::Range<usize>,
    /// Its own frames, where those are shown.
    plain: Option<Film<'a>>,
}

/// What a file is made from.
struct Source<'a> {
    animation: &'a Animation,
    range: std::ops::Range<usize>,
    film: &'a Film<'a>,
}

/// A theme to draw.
struct Theme {
    look: Option<String>,
    suffix: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_told_in_a_line() {
        let words =
            |names: &[&str]| written_in_words(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(words(&[]), None);
        assert_eq!(words(&["hop.gif"]).as_deref(), Some("wrote `hop.gif`"));
        let four = ["out/a.gif", "out/b.gif", "out/c.gif", "out/d.gif"];
        assert_eq!(words(&four).as_deref(), Some("wrote 4 files into `out`"));
        assert_eq!(
            words(&["a", "b", "c", "d"]).as_deref(),
            Some("wrote 4 files here")
        );
    }
}
