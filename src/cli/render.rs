//! `hazumi render`: simulate, draw, write.

use super::inputs::{Input, find};
use super::progress::Progress;
use super::select::{SelectArgs, Selection, resample};
use super::stage::{ChoiceArgs, open};
use super::{Outcome, Voice};
use crate::encode::{self, Clock, FORMATS, Format, Movie, Plays, Stop, Watch, clock};
use crate::load::{Choices, Loaded};
use crate::output::{self, Destination};
use crate::picture::Picture;
use crate::pixels::Pixels;
use crate::scene::{Looping, Scene};
use crate::simulate::{Failure, Timeline, simulate};
use crate::stage::{Frame, rehearse};
use crate::{raster, seam};
use clap::Args;
use std::path::{Path, PathBuf};

/// Largest seam of an exact loop, px.
const EXACT_SEAM: f64 = 1e-6;
/// Most pixels of a frame.
const PIXEL_LIMIT: f64 = 64e6;
/// Longest side of a frame.
const SIDE_LIMIT: f64 = 8192.0;

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Specs, folders of specs, or `-` for standard input.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    /// A folder, or a file whose ending is the format; `-` for standard output.
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// What to write, separated by commas.
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = format_named)]
    format: Vec<&'static Format>,
    /// Pixels per spec pixel; strokes and text grow too.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive)]
    scale: f64,
    /// A theme of the palette.
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// How often it plays; 0 is for ever.
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    r#loop: u16,
    /// How long the last frame stays, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    hold: Option<f64>,
    /// Threads to draw with; the bytes are the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    #[command(flatten)]
    select: SelectArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
}

fn format_named(name: &str) -> Result<&'static Format, String> {
    encode::format(name).ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        format!("the formats are {}", names.join(", "))
    })
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if v > 0.0 && v.is_finite() => Ok(v),
        _ => Err("a number greater than 0".into()),
    }
}

/// What is written for one spec.
#[derive(Clone, Debug)]
struct Target {
    /// `None`: a single still, a PNG file.
    format: Option<&'static Format>,
    destination: Destination,
}

/// One spec with everything decided that does not need its text.
#[derive(Debug)]
struct Job<'a> {
    input: Input,
    targets: Vec<Target>,
    args: &'a RenderArgs,
}

pub fn run(args: &RenderArgs, voice: &Voice) -> Outcome {
    let jobs = match plan(args) {
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
    let outcomes = jobs.iter().map(|job| pool.install(|| job.run(voice, &progress)));
    outcomes.max().unwrap_or_default()
}

/// What will be written where; everything that can be known before a spec is read.
fn plan(args: &RenderArgs) -> Result<Vec<Job<'_>>, String> {
    let inputs = find(&args.specs)?;
    let sources: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let several = inputs.len() > 1;
    let mut taken: Vec<(Destination, PathBuf)> = Vec::new();
    let mut jobs = Vec::new();
    for input in inputs {
        let targets = targets(args, &input, several)?;
        for target in &targets {
            let clash = taken.iter().find(|(taken, _)| *taken == target.destination);
            if let (Some((_, other)), true) = (clash, target.destination != Destination::Stdout) {
                return Err(format!(
                    "`{}` and `{}` would be written to the same place",
                    other.display(),
                    input.path.display()
                ));
            }
            output::check(&target.destination, &sources).map_err(|failure| failure.to_string())?;
            taken.push((target.destination.clone(), input.path.clone()));
        }
        jobs.push(Job {
            input,
            targets,
            args,
        });
    }
    Ok(jobs)
}

fn targets(args: &RenderArgs, input: &Input, several: bool) -> Result<Vec<Target>, String> {
    let name = input.name();
    let out = args.out.as_deref();
    if out.is_some_and(|out| out.as_os_str() == "-") {
        let [format] = formats(args) else {
            return Err("only one format goes to standard output".into());
        };
        if several {
            return Err("only one spec goes to standard output".into());
        }
        return Ok(vec![Target {
            format: Some(format),
            destination: Destination::Stdout,
        }]);
    }
    if let Some((file, extension)) = out.and_then(|out| Some((out, out.extension()?))) {
        if several {
            return Err(format!("several specs cannot be one file, `{}`", file.display()));
        }
        return file_target(args, file, &extension.to_string_lossy()).map(|target| vec![target]);
    }
    output::check_name(&name)?;
    let folder = out.unwrap_or(Path::new(""));
    Ok(formats(args)
        .iter()
        .map(|format| Target {
            format: Some(format),
            destination: match format.writer.is_folder() {
                true => Destination::Folder(folder.join(&name)),
                false => Destination::File(folder.join(format!("{name}.{}", format.extension))),
            },
        })
        .collect())
}

/// The formats asked for; a GIF if none is.
fn formats(args: &RenderArgs) -> &[&'static Format] {
    const DEFAULT: &[&Format] = &[&FORMATS[0]];
    match args.format.as_slice() {
        [] => DEFAULT,
        some => some,
    }
}

fn file_target(args: &RenderArgs, file: &Path, extension: &str) -> Result<Target, String> {
    let destination = Destination::File(file.to_owned());
    if !args.format.is_empty() {
        return Err("the ending of the file is the format: leave `--format` out, or name a folder".into());
    }
    if extension == "png" {
        if !args.select.is_still() {
            return Err("a PNG file holds one frame: choose it with `--frame` or `--at`, \
                or write all frames into a folder with `--format png -o FOLDER`"
                .into());
        }
        return Ok(Target {
            format: None,
            destination,
        });
    }
    let files = || FORMATS.iter().filter(|format| !format.writer.is_folder());
    match files().find(|format| format.extension == extension) {
        Some(format) => Ok(Target {
            format: Some(format),
            destination,
        }),
        None => {
            let endings: Vec<_> = files().map(|format| format!(".{}", format.extension)).collect();
            Err(format!("no format has the ending `.{extension}`: {} or .png", endings.join(", ")))
        }
    }
}

impl Job<'_> {
    fn run(&self, voice: &Voice, progress: &Progress) -> Outcome {
        let choices: Choices = self.args.choices.choices(&[]);
        let Some(loaded) = open(&self.input, &choices, voice) else {
            progress.spec_done();
            return Outcome::Failed;
        };
        let result = self.render(&loaded, voice, progress);
        progress.spec_done();
        match result {
            Ok(()) => Outcome::Well,
            Err(Trouble::Spec(failure)) => {
                voice.problems(&loaded.problems.of_failure(&failure, &loaded.scene));
                Outcome::Failed
            }
            Err(Trouble::Said(why)) => {
                voice.error(&format!("{}: {why}", self.input.path.display()));
                Outcome::Failed
            }
        }
    }

    fn render(&self, loaded: &Loaded, voice: &Voice, progress: &Progress) -> Result<(), Trouble> {
        let scene = &loaded.scene;
        let theme = self.theme(scene)?;
        let (width, height) = self.size(scene)?;
        let selection = self.args.select.select(scene)?;
        if selection.whole && scene.looping == Looping::Exact {
            let (distance, whose) = seam::drawn(scene);
            if distance > EXACT_SEAM {
                return Err(format!(
                    "the loop is not exact: at its end {whose} is {distance} px from where it starts"
                )
                .into());
            }
        }
        for target in &self.targets {
            let selection = self.playable(scene, &selection, target, voice);
            let timeline = simulate(scene, &selection.frames, &scene.drawn)?;
            rehearse(scene, &timeline)?;
            let studio = Studio {
                scene,
                timeline: &timeline,
                colours: scene.colours.table(theme),
                background: scene.background_in(theme),
                scale: self.args.scale,
            };
            self.write(target, &studio, selection.fps, (width, height), progress)?;
            voice.detail(&format!(
                "{}: {} frames, {width} × {height}",
                self.input.name(),
                timeline.frames()
            ));
        }
        Ok(())
    }

    fn theme(&self, scene: &Scene) -> Result<usize, String> {
        let Some(wanted) = &self.args.theme else {
            return Ok(0);
        };
        let themes = scene.colours.themes();
        themes.iter().position(|theme| theme == wanted).ok_or_else(|| {
            format!("no theme `{wanted}`: there are {}", themes.join(", "))
        })
    }

    /// Width and height in device pixels.
    fn size(&self, scene: &Scene) -> Result<(u32, u32), String> {
        let scaled = |side: f64| crate::maths::functions::round(side * self.args.scale).max(1.0);
        let (width, height) = (scaled(scene.clock.width), scaled(scene.clock.height));
        if width.max(height) > SIDE_LIMIT || width * height > PIXEL_LIMIT {
            return Err(format!(
                "frames of {width} × {height} px are too large: at most {SIDE_LIMIT} px a side and \
                 {} million in all",
                PIXEL_LIMIT / 1e6
            ));
        }
        Ok((width as u32, height as u32))
    }

    /// The frames of a target: a GIF cannot play faster than 50 frames per second.
    fn playable(
        &self,
        scene: &Scene,
        selection: &Selection,
        target: &Target,
        voice: &Voice,
    ) -> Selection {
        let is_gif = target.format.is_some_and(|format| format.name == "gif");
        if !is_gif || selection.fps <= clock::GIF_FASTEST {
            return selection.clone();
        }
        voice.note(&format!(
            "{}: {} frames per second are more than a GIF can play: resampled to {}",
            self.input.name(),
            selection.fps,
            clock::GIF_FASTEST
        ));
        resample(scene, selection.range.clone(), clock::GIF_FASTEST)
    }

    fn write(
        &self,
        target: &Target,
        studio: &Studio,
        fps: f64,
        (width, height): (u32, u32),
        progress: &Progress,
    ) -> Result<(), Trouble> {
        let opaque = studio.background[3] == 255;
        let Some(format) = target.format else {
            return studio.still(&target.destination, (width, height), opaque);
        };
        let draw = |frame: usize, pixels: &mut Pixels| studio.draw(frame, pixels);
        let mut flat = vec![studio.background];
        flat.extend(&studio.colours);
        let movie = Movie {
            width,
            height,
            frames: studio.timeline.frames(),
            clock: Clock::per_second(fps),
            plays: match self.args.r#loop {
                0 => Plays::Forever,
                times => Plays::Times(times),
            },
            hold: self.args.hold.map(|seconds| (seconds * 100.0 + 0.5) as u32),
            opaque,
            flat: &flat,
            matte: [255; 3],
            draw: &draw,
        };
        let name = self.input.name();
        let report = |done: usize, total: usize| progress.frame(&name, done, total);
        let watch = Watch {
            progress: &report,
            ..Watch::default()
        };
        output::save(format, &movie, &target.destination, watch).map_err(|f| f.to_string().into())
    }
}

/// Draws the frames of one scene in one theme.
struct Studio<'a> {
    scene: &'a Scene,
    timeline: &'a Timeline,
    colours: Vec<[u8; 4]>,
    background: [u8; 4],
    scale: f64,
}

impl Studio<'_> {
    fn draw(&self, frame: usize, pixels: &mut Pixels) {
        let mut picture = Picture::default();
        let place = Frame {
            scene: self.scene,
            timeline: self.timeline,
            frame,
        };
        // Nothing can be out of range any more: the rehearsal has seen every frame.
        let _ = place.picture(self.scale, &mut picture);
        raster::draw(&picture, &self.colours, self.background, pixels);
    }

    fn still(
        &self,
        destination: &Destination,
        (width, height): (u32, u32),
        opaque: bool,
    ) -> Result<(), Trouble> {
        let Destination::File(path) = destination else {
            return Ok(());
        };
        let mut pixels = Pixels::new(width, height);
        self.draw(0, &mut pixels);
        let file = encode::png::still(&pixels, opaque).map_err(|stop| stop.to_string())?;
        let write = output::write_file(path, |out| out.write_all(&file).map_err(Stop::Io));
        write.map_err(|failure| failure.to_string().into())
    }
}

/// Why a spec was not rendered.
enum Trouble {
    /// The simulation went wrong at a place in the spec.
    Spec(Failure),
    Said(String),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Spec(failure)
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Said(why)
    }
}
