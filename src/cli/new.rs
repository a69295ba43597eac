//! `hazumi new`: a spec to start from.

use super::{Outcome, Voice};
use crate::output::{self, Destination};
use crate::spec::suggest::{list_some, nearest};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The new file; `.json` is added if it has no ending.
    name: PathBuf,
    /// An example to start from, instead of an almost empty spec.
    #[arg(long, value_name = "EXAMPLE", default_value = "starter")]
    like: String,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
}

/// The examples by name, each with the files it needs besides, as (path, text).
const EXAMPLES: &[(&str, &str, &[(&str, &str)])] = &[
    ("starter", include_str!("starter.json"), &[]),
    ("chain", include_str!("../../specs/chain.json"), &[]),
    ("crossing", include_str!("../../specs/crossing.json"), &[]),
    ("drive", include_str!("../../specs/drive.json"), &[]),
    ("gears", include_str!("../../specs/gears.json"), &[]),
    ("letter-i", include_str!("../../specs/letter-i.json"), &[]),
    (
        "loader-grid",
        include_str!("../../specs/loader-grid.json"),
        &[],
    ),
    ("meadow", include_str!("../../specs/meadow.json"), &[]),
    (
        "pendulum-wave",
        include_str!("../../specs/pendulum-wave.json"),
        &[],
    ),
    ("stopwatch", include_str!("../../specs/stopwatch.json"), &[]),
    ("strings", include_str!("../../specs/strings.json"), &[]),
];

pub fn run(args: &NewArgs, voice: &Voice) -> Outcome {
    match create(args) {
        Ok(path) => {
            voice.note(&format!(
                "wrote `{0}`: try `hazumi render {0}`",
                path.display()
            ));
            Outcome::Well
        }
        Err(why) => {
            voice.error(&why);
            Outcome::Failed
        }
    }
}

fn create(args: &NewArgs) -> Result<PathBuf, String> {
    let names = || EXAMPLES.iter().map(|(name, ..)| *name);
    let Some((_, text, more)) = EXAMPLES.iter().find(|(name, ..)| *name == args.like) else {
        let hint = match nearest(&args.like, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", list_some(&args.like, names())),
        };
        return Err(format!("no example `{}`: {hint}", args.like));
    };
    let path = match args.name.extension() {
        Some(_) => args.name.clone(),
        None => args.name.with_extension("json"),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = std::iter::once((path.clone(), *text))
        .chain(more.iter().map(|(name, text)| (folder.join(name), *text)));
    let files: Vec<_> = files.collect();
    if let Some((there, _)) = files.iter().find(|(path, _)| path.exists() && !args.force) {
        return Err(format!(
            "`{}` is there already; `--force` writes over it",
            there.display()
        ));
    }
    for (path, text) in files {
        let destination = Destination::File(path);
        output::save_bytes(&destination, text.as_bytes()).map_err(|failure| failure.to_string())?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Animation, Choices};

    #[test]
    fn every_spec_is_an_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        for entry in std::fs::read_dir(folder).expect("specs/").flatten() {
            let path = entry.path();
            let is_json = path
                .extension()
                .is_some_and(|e| e == "json" || e == "jsonc");
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if is_json && stem != "schema" {
                assert!(EXAMPLES.iter().any(|(name, ..)| *name == stem), "{stem}");
            }
        }
    }

    #[test]
    fn the_starter_is_a_spec() {
        let starter = EXAMPLES[0].1;
        let animation = Animation::parse("starter", starter, &Choices::default()).expect("sound");
        assert!(animation.warnings().list.is_empty());
        assert!(animation.seam().0 < 1e-9);
    }
}
