//! `hazumi extract` and `hazumi verify`: the spec inside a file, and whether it still makes that file.

use super::render::{self, kept_arguments};
use super::schema::print;
use super::stage::LimitArgs;
use super::targets::Content;
use super::{Cli, Outcome, Verb, Voice};
use crate::output::{self, Destination};
use crate::provenance::{PROGRAM, Provenance};
use crate::spec::read::{read_bytes, words_of};
use clap::{Args, CommandFactory, FromArgMatches};
use std::path::{Path, PathBuf};

/// Largest file that is looked into.
const FILE_LIMIT: u64 = 1 << 30;

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// A GIF or PNG that was rendered here.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A folder for the spec and its part files; the spec alone goes to standard output if absent.
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// GIFs or PNGs that were rendered here.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

pub fn extract(args: &ExtractArgs, voice: &Voice) -> Outcome {
    let done = provenance_of(&args.file).and_then(|found| match &args.out {
        Some(folder) => write_all(&found, folder, args.force, voice),
        None => {
            for part in &found.files[1..] {
                voice.note(&format!(
                    "it uses {:?}: `-o FOLDER` writes that too",
                    part.name
                ));
            }
            Ok(print(&found.spec().text, voice))
        }
    });
    done.unwrap_or_else(|why| {
        voice.error(&why);
        Outcome::Failed
    })
}

fn provenance_of(path: &Path) -> Result<Provenance, String> {
    let bytes = bytes_of(path)?;
    Provenance::read(&bytes).map_err(|why| format!("{path:?}: {why}"))
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    read_bytes(path, FILE_LIMIT)
        .map_err(|error| format!("cannot read {path:?}: {}", words_of(&error)))
}

fn write_all(
    found: &Provenance,
    folder: &Path,
    force: bool,
    voice: &Voice,
) -> Result<Outcome, String> {
    let places = || found.files.iter().map(|file| folder.join(&file.name));
    if let Some(place) = places().find(|place| !force && place.exists()) {
        return Err(format!(
            "{place:?} is there already; `--force` writes over it"
        ));
    }
    for (file, place) in found.files.iter().zip(places()) {
        let written = output::save_bytes(&Destination::File(place.clone()), file.text.as_bytes());
        written.map_err(|failure| failure.to_string())?;
        voice.note(&format!("wrote {place:?}"));
    }
    Ok(Outcome::Well)
}

pub fn verify(args: &VerifyArgs, voice: &Voice) -> Outcome {
    let outcomes = args
        .files
        .iter()
        .map(|path| match verify_one(path, &args.limits, voice) {
            Ok(outcome) => outcome,
            Err(why) => {
                voice.error(&why);
                Outcome::Failed
            }
        });
    outcomes.max().unwrap_or_default()
}

/// Renders a file's own spec with its own options, and compares.
fn verify_one(path: &Path, limits: &LimitArgs, voice: &Voice) -> Result<Outcome, String> {
    let file = bytes_of(path)?;
    let found = Provenance::read(&file).map_err(|why| format!("{path:?}: {why}"))?;
    let desk = tempfile::tempdir()
        .map_err(|error| format!("cannot make a folder: {}", words_of(&error)))?;
    write_all(&found, &desk.path().join("spec"), false, &voice.hushed())?;
    let again = render_again(&found, desk.path(), limits, voice)?;
    if again == file {
        voice.note(&format!("{path:?}: its spec gives the same bytes"));
        return Ok(Outcome::Well);
    }
    let equal = again.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let program = match found.program.as_str() {
        PROGRAM => String::new(),
        other => format!("; it was made by {other}, this is {PROGRAM}"),
    };
    voice.warning(&format!(
        "{path:?}: its spec gives other bytes, from byte {equal} on{program}"
    ));
    Ok(Outcome::Differs)
}

/// The bytes that the spec in the folder `spec` gives now.
fn render_again(
    found: &Provenance,
    desk: &Path,
    limits: &LimitArgs,
    voice: &Voice,
) -> Result<Vec<u8>, String> {
    let nonsense = || "the options inside are none of this program".to_owned();
    let content = match found.format.as_str() {
        "still" => Content::Still,
        name => Content::named(name).map_err(|_| nonsense())?,
    };
    let spec = desk.join("spec").join(&found.spec().name);
    let (out, place) = content.places(&desk.join("out"), &found.spec().stem());
    let options = found.arguments.iter().map(String::as_str);
    let words = ["hazumi", "render", "-"].into_iter().chain(options);
    let matches = Cli::command().try_get_matches_from(words);
    let matches = matches.map_err(|_| nonsense())?;
    let Ok(Cli {
        verb: Verb::Render(args),
        ..
    }) = Cli::from_arg_matches(&matches)
    else {
        return Err(nonsense());
    };
    let (args, kept) = (
        args.again(spec, out, content, limits.clone()),
        kept_arguments(&matches),
    );
    match render::run(&args, &kept, &voice.hushed()) {
        Outcome::Failed => Err("its spec cannot be rendered".into()),
        _ => bytes_of(&place),
    }
}
