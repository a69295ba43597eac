//! `hazumi new`: a spec to start from.

use super::{Outcome, Voice};
use crate::output::{self, Destination};
use crate::spec::read::words_of;
use crate::spec::suggest::{list_some, nearest};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The new file; `.json` is added if it has no ending.
    name: PathBuf,
    /// An example to start from, instead of an almost empty spec.
    #[arg(long, value_name = "EXAMPLE", default_value = "starter", long_help = examples_in_words())]
    like: String,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
}

/// The examples, by name and text.
const EXAMPLES: &[(&str, &str)] = &[
    ("starter", include_str!("starter.json")),
    (
        "acceleration",
        include_str!("../../specs/acceleration.json"),
    ),
    ("arm", include_str!("../../specs/arm.json")),
    ("blob-drop", include_str!("../../specs/blob-drop.json")),
    ("blob-hop", include_str!("../../specs/blob-hop.json")),
    ("camera", include_str!("../../specs/camera.json")),
    ("chain", include_str!("../../specs/chain.json")),
    ("crossing", include_str!("../../specs/crossing.json")),
    ("crowd", include_str!("../../specs/crowd.json")),
    ("drive", include_str!("../../specs/drive.json")),
    ("easing", include_str!("../../specs/easing.json")),
    (
        "easing-gallery",
        include_str!("../../specs/easing-gallery.json"),
    ),
    ("epicycles", include_str!("../../specs/epicycles.json")),
    ("gears", include_str!("../../specs/gears.json")),
    ("letter-i", include_str!("../../specs/letter-i.json")),
    ("loader-grid", include_str!("../../specs/loader-grid.json")),
    ("meadow", include_str!("../../specs/meadow.json")),
    ("membrane", include_str!("../../specs/membrane.json")),
    (
        "pendulum-wave",
        include_str!("../../specs/pendulum-wave.json"),
    ),
    ("playground", include_str!("../../specs/playground.json")),
    ("relatives", include_str!("../../specs/relatives.json")),
    ("sand", include_str!("../../specs/sand.json")),
    ("run", include_str!("../../specs/run.json")),
    ("spear-form", include_str!("../../specs/spear-form.json")),
    (
        "spring-damping",
        include_str!("../../specs/spring-damping.json"),
    ),
    ("springs", include_str!("../../specs/springs.json")),
    ("stickman", include_str!("../../specs/stickman.json")),
    ("stopwatch", include_str!("../../specs/stopwatch.json")),
    ("strings", include_str!("../../specs/strings.json")),
    ("tentacles", include_str!("../../specs/tentacles.json")),
    ("walk", include_str!("../../specs/walk.json")),
];

/// Files that examples need beside them, by the name that they use.
const PARTS: &[(&str, &str)] = &[(
    "parts/biped.json",
    include_str!("../../specs/parts/biped.json"),
)];

fn examples_in_words() -> String {
    let names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
    format!(
        "An example to start from, instead of an almost empty spec: {}",
        names.join(", ")
    )
}

/// A path as a shell takes it.
fn in_shell(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/\\._-:".contains(c);
    match path.chars().all(plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

pub fn run(args: &NewArgs, voice: &Voice) -> Outcome {
    match create(args) {
        Ok(path) => {
            voice.note(&format!(
                "wrote `{}`: try `hazumi render {}`",
                path.display(),
                in_shell(&path)
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
    let names = || EXAMPLES.iter().map(|(name, _)| *name);
    let Some((_, text)) = EXAMPLES.iter().find(|(name, _)| *name == args.like) else {
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
    if path.exists() && !args.force {
        return Err(format!(
            "`{}` is there already; `--force` writes over it",
            path.display()
        ));
    }
    save(&path, text)?;
    write_parts(&path, text)?;
    Ok(path)
}

/// Writes the parts that an example uses; one that is there already is kept.
fn write_parts(spec: &Path, text: &str) -> Result<(), String> {
    for (name, part) in PARTS {
        let path = spec.with_file_name("").join(name);
        if !text.contains(name) || path.exists() {
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|why| {
                let words = words_of(&why);
                format!("cannot make the folder `{}`: {words}", folder.display())
            })?;
        }
        save(&path, part)?;
    }
    Ok(())
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let destination = Destination::File(path.to_owned());
    output::save_bytes(&destination, text.as_bytes()).map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Animation, Choices};

    #[test]
    fn every_spec_is_an_example() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        for entry in std::fs::read_dir(folder).expect("specs/").flatten() {
            let path = entry.path();
            let is_json = path
                .extension()
                .is_some_and(|e| e == "json" || e == "jsonc");
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if is_json && stem != "schema" {
                assert!(EXAMPLES.iter().any(|(name, _)| *name == stem), "{stem}");
            }
        }
    }

    #[test]
    fn an_example_brings_its_parts() {
        let folder = std::env::temp_dir().join(format!("hazumi-new-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        write_parts(
            &folder.join("mine.json"),
            r#"{ "file": "parts/biped.json" }"#,
        )
        .expect("written");
        let written = std::fs::read_to_string(folder.join("parts/biped.json"));
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(written.expect("a part"), PARTS[0].1);
    }

    #[test]
    fn a_path_is_written_for_a_shell() {
        assert_eq!(in_shell(Path::new("a/ball-2.json")), "a/ball-2.json");
        assert_eq!(in_shell(Path::new("my ball.json")), "'my ball.json'");
        assert_eq!(in_shell(Path::new("it's.json")), "'it'\\''s.json'");
    }

    #[test]
    fn the_starter_is_a_spec() {
        let starter = EXAMPLES[0].1;
        let animation = Animation::parse("starter", starter, &Choices::default()).expect("sound");
        assert!(animation.warnings().list.is_empty());
        let film = animation.simulate_plain().expect("numbers in range");
        assert!(film.seam().expect("a loop").distance < 1e-9);
    }
}
