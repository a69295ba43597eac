//! What is written where.

use super::inputs::Input;
use super::render::RenderArgs;
use crate::encode::{FORMATS, Format};
use crate::output::{self, Destination};
use std::path::{Path, PathBuf};

/// What is written for one spec.
#[derive(Clone, Debug)]
pub struct Target {
    /// `None`: a single still, a PNG file.
    pub format: Option<&'static Format>,
    pub destination: Destination,
}

impl Target {
    /// The same for a theme: `NAME.dark.gif`.
    pub fn in_theme(&self, theme: Option<&str>) -> Self {
        let Some(theme) = theme else {
            return self.clone();
        };
        let destination = match &self.destination {
            Destination::Stdout => Destination::Stdout,
            Destination::File(path) => Destination::File(with_word(path, theme)),
            Destination::Folder(path) => {
                let mut name = path.clone().into_os_string();
                name.push(format!(".{theme}"));
                Destination::Folder(name.into())
            }
        };
        Self {
            destination,
            ..self.clone()
        }
    }

    /// Where its still for reduced motion goes: `NAME.poster.png`.
    pub fn poster(&self) -> Destination {
        match &self.destination {
            Destination::Stdout => Destination::Stdout,
            Destination::File(path) => {
                Destination::File(with_word(path, "poster").with_extension("png"))
            }
            Destination::Folder(path) => {
                let mut name = path.clone().into_os_string();
                name.push(".poster.png");
                Destination::File(name.into())
            }
        }
    }
}

/// A word before the ending of a file's name.
fn with_word(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(ending) => format!("{stem}.{word}.{}", ending.to_string_lossy()),
        None => format!("{stem}.{word}"),
    };
    path.with_file_name(name)
}

/// The targets of one spec.
///
/// # Errors
/// A sentence about what does not go together.
pub fn targets(args: &RenderArgs, input: &Input, several: bool) -> Result<Vec<Target>, String> {
    let name = input.name();
    let out = args.out.as_deref();
    if out.is_some_and(|out| out.as_os_str() == "-") {
        let [format] = formats(args) else {
            return Err("only one format goes to standard output".into());
        };
        if several {
            return Err("only one spec goes to standard output".into());
        }
        if args.poster || args.html || args.theme.as_deref() == Some("all") {
            return Err("only one file goes to standard output".into());
        }
        return Ok(vec![Target {
            format: Some(format),
            destination: Destination::Stdout,
        }]);
    }
    if let Some((file, extension)) = out.and_then(|out| Some((out, out.extension()?))) {
        if several {
            return Err(format!(
                "several specs cannot be one file, `{}`",
                file.display()
            ));
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
        return Err(
            "the ending of the file is the format: leave `--format` out, or name a folder".into(),
        );
    }
    if extension == "png" {
        if !args.select.is_still() {
            return Err(
                "a PNG file holds one frame: choose it with `--frame` or `--at`, \
                or write all frames into a folder with `--format png -o FOLDER`"
                    .into(),
            );
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
            let endings: Vec<_> = files()
                .map(|format| format!(".{}", format.extension))
                .collect();
            Err(format!(
                "no format has the ending `.{extension}`: {} or .png",
                endings.join(", ")
            ))
        }
    }
}
