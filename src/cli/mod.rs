//! The command line: one file per verb; typed arguments become one resolved job each.

mod bless;
mod budget;
mod check;
mod doctor;
mod extract;
mod generated;
mod html;
mod inputs;
mod interrupt;
mod list;
mod merge;
mod new;
mod progress;
mod render;
mod schema;
mod select;
mod size;
mod stage;
mod targets;
mod trace;
mod voice;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
pub use voice::Voice;

/// Renders animations described in JSON: the same bytes on every machine.
#[derive(Debug, Parser)]
#[command(name = "hazumi", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    voice: VoiceArgs,
}

const EXAMPLES: &str = "\
Examples:
  hazumi render specs -o out                 every spec in a folder, one GIF each
  hazumi render swing.json --theme dark      a theme of its palette
  hazumi render swing.json --frame 0 -o swing.png
  hazumi trace swing.json > swing.csv        the numbers behind the picture
  hazumi bless specs                         accept what specs show now
  hazumi check specs                         and later: what has changed, and why";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Simulate, draw, write.
    Render(render::RenderArgs),
    /// Compare with golden images: which frame differs, where, and why.
    Check(check::CheckArgs),
    /// Accept what is shown now as golden images.
    Bless(bless::BlessArgs),
    /// Print the numbers of every frame.
    Trace(trace::TraceArgs),
    /// Write a spec to start from.
    New(new::NewArgs),
    /// Print the kinds of channels, joints and marks, the eases and the formats.
    List(list::ListArgs),
    /// Print the spec inside a GIF or PNG, or write it with its parts into a folder.
    Extract(extract::ExtractArgs),
    /// Render the spec inside GIFs or PNGs again and compare.
    Verify(extract::VerifyArgs),
    /// Print the JSON Schema of a spec.
    Schema,
    /// Join the reports of `check --shard`.
    Merge(merge::MergeArgs),
    /// Draw a built-in spec and say whether this machine gives the published pixels.
    Doctor(doctor::DoctorArgs),
    /// Print a shell's completions.
    Completions(generated::CompletionsArgs),
    /// Print the manual page.
    Man,
}

/// How and how much is said, on standard error.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Messages")]
struct VoiceArgs {
    /// Say only what is wrong.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say more about what is done.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: voice::ColorWhen,
    /// For people, for programs (one JSON object a line), or as annotations of a pull request.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM")]
    message_format: voice::MessageFormat,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All well.
    #[default]
    Well,
    /// A check ran and something differs.
    Differs,
    /// Something could not run.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Well => Self::SUCCESS,
            Outcome::Differs => Self::from(1),
            Outcome::Failed => Self::from(2),
        }
    }
}

/// Whether this is a run of continuous integration.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false" && ci != "0")
}

/// Prints help, the version or what is wrong with the arguments.
fn answer(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => Outcome::Failed.into(),
        _ if error.use_stderr() => Outcome::Failed.into(),
        _ => Outcome::Well.into(),
    }
}

/// Options that people look for, and what there is.
const LOOKED_FOR: [(&[&str], &str); 5] = [
    (
        &["--width", "--height", "--size", "--resize"],
        "the spec's `canvas` has the size; `--scale 2` makes the picture larger, strokes and text too",
    ),
    (&["--output"], "the place to write to is `-o PATH`"),
    (
        &["--duration", "--speed"],
        "the spec's `canvas` has the length; `--frames 10..60` takes a part of it",
    ),
    (&["--colours"], "a smaller palette is `--colors N`"),
    (
        &["--param", "--params"],
        "params are changed by `--set NAME=VALUE`",
    ),
];

/// An error about an option that there is not, with what there is.
fn hinted(mut error: clap::Error) -> clap::Error {
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if error.kind() == ErrorKind::UnknownArgument => option,
        _ => return error,
    };
    let known = LOOKED_FOR
        .iter()
        .find(|(options, _)| options.contains(&option.as_str()));
    if let Some((_, hint)) = known {
        error.remove(ContextKind::SuggestedArg);
        let hints = ContextValue::StyledStrs(vec![(*hint).into()]);
        error.insert(ContextKind::Suggested, hints);
    }
    error
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let matches = match Cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return answer(&hinted(error)),
    };
    let arguments = render::kept_arguments(&matches);
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    interrupt::watch();
    let voice = Voice::new(&cli.voice);
    let outcome = match cli.verb {
        Verb::Render(args) => render::run(&args, &arguments, &voice),
        Verb::Check(args) => check::run(&args, &voice),
        Verb::Bless(args) => bless::run(&args, &voice),
        Verb::Merge(args) => merge::run(&args, &voice),
        Verb::Doctor(args) => doctor::run(&args, &voice),
        Verb::Trace(args) => trace::run(&args, &voice),
        Verb::New(args) => new::run(&args, &voice),
        Verb::List(args) => list::run(&args, &voice),
        Verb::Extract(args) => extract::extract(&args, &voice),
        Verb::Verify(args) => extract::verify(&args, &voice),
        Verb::Schema => schema::run(&voice),
        Verb::Completions(args) => generated::completions(&args, &voice),
        Verb::Man => generated::man(&voice),
    };
    outcome.into()
}
