//! What is written where.

use super::inputs::Input;
use super::render::RenderArgs;
use crate::encode::{self, FORMATS, Format};
use crate::output::{self, Destination};
use std::path::{Path, PathBuf};

/// What a file holds.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// All frames, in one of the formats.
    Movie(&'static Format),
    /// One frame, as PNG.
    Still,
    /// A contact sheet, as PNG.
    Sheet,
    /// An onion skin, as PNG.
    Onion,
    /// Every frame in one PNG, and a JSON file that says where.
    Sprite,
}

/// Formats that are one picture made of many frames, with a line of help each.
pub const PICTURES: &[(&str, Content, &str)] = &[
    (
        "sheet",
        Content::Sheet,
        "a contact sheet of frames with their times, NAME.sheet.png",
    ),
    (
        "onion",
        Content::Onion,
        "many poses in one picture, NAME.onion.png",
    ),
    (
        "sprite",
        Content::Sprite,
        "every frame in one picture for game engines, NAME.sprite.png and NAME.sprite.json",
    ),
];

/// Every format with a line of help, for `--help`.
pub fn formats_in_words() -> String {
    let movies = FORMATS.iter().map(|format| (format.name, format.about));
    let all = movies.chain(PICTURES.iter().map(|(word, _, about)| (*word, *about)));
    let lines = all.map(|(word, about)| format!("\n- {word}: {about}"));
    format!(
        "What to write, separated by commas; gif if absent:{}",
        lines.collect::<String>()
    )
}

impl Content {
    /// What a word after `--format` means.
    ///
    /// # Errors
    /// A sentence with all words.
    pub fn named(name: &str) -> Result<Self, String> {
        let picture = PICTURES.iter().find(|(word, ..)| *word == name);
        let found = encode::format(name).map(Self::Movie);
        found
            .or(picture.map(|(_, content, _)| *content))
            .ok_or_else(|| {
                let movies = FORMATS.iter().map(|format| format.name);
                let all: Vec<_> = movies
                    .chain(PICTURES.iter().map(|(word, ..)| *word))
                    .collect();
                format!("the formats are {}", all.join(", "))
            })
    }

    /// The format of a movie.
    pub fn movie(self) -> Option<&'static Format> {
        match self {
            Self::Movie(format) => Some(format),
            _ => None,
        }
    }

    /// Whether it is all frames, in the format of that name.
    pub fn is_movie(self, name: &str) -> bool {
        self.movie().is_some_and(|format| format.name == name)
    }

    /// Its word after `--format`; `still` for one frame.
    pub fn word(self) -> &'static str {
        match self {
            Self::Movie(format) => format.name,
            Self::Still => "still",
            Self::Sheet => "sheet",
            Self::Onion => "onion",
            Self::Sprite => "sprite",
        }
    }

    /// Whether it is one file with such an ending.
    fn fits(self, extension: &str) -> bool {
        match self {
            Self::Movie(format) => !format.writer.is_folder() && format.extension == extension,
            Self::Still | Self::Sheet | Self::Onion => extension == "png",
            Self::Sprite => false,
        }
    }

    /// What `-o` names to write it for a spec of that name into a folder, and the file that appears there.
    pub fn places(self, folder: &Path, name: &str) -> (PathBuf, PathBuf) {
        let first = match self.destination(folder, name) {
            Destination::Folder(path) | Destination::File(path) => path,
            Destination::Stdout => PathBuf::new(),
        };
        match self {
            Self::Still => (first.clone(), first),
            _ => (folder.to_owned(), first),
        }
    }

    /// Where it goes in a folder.
    fn destination(self, folder: &Path, name: &str) -> Destination {
        let file = |ending: &str| Destination::File(folder.join(format!("{name}.{ending}")));
        match self {
            Self::Movie(format) if format.writer.is_folder() => {
                Destination::Folder(folder.join(name))
            }
            Self::Movie(format) => file(format.extension),
            Self::Still => file("png"),
            Self::Sheet => file("sheet.png"),
            Self::Onion => file("onion.png"),
            Self::Sprite => file("sprite.png"),
        }
    }
}

/// What is written for one spec.
#[derive(Clone, Debug)]
pub struct Target {
    pub content: Content,
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
            Destination::File(path) => match self.content {
                // The theme comes before the format's word.
                Content::Sheet | Content::Onion | Content::Sprite if has_word(path) => {
                    let word = path.file_stem().unwrap_or_default();
                    let plain = Path::new(word).with_extension("png");
                    let format = Path::new(word).extension().unwrap_or_default();
                    let themed = with_word(&path.with_file_name(plain), theme);
                    Destination::File(with_word(&themed, &format.to_string_lossy()))
                }
                _ => Destination::File(with_word(path, theme)),
            },
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

    /// Every place it is written to.
    pub fn places(&self) -> Vec<Destination> {
        let atlas = match (self.content, &self.destination) {
            (Content::Sprite, Destination::File(path)) => {
                Some(Destination::File(path.with_extension("json")))
            }
            _ => None,
        };
        [self.destination.clone()]
            .into_iter()
            .chain(atlas)
            .collect()
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

/// Whether a file's name has a word before its ending.
fn has_word(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default();
    Path::new(stem).extension().is_some()
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
        let [content] = contents(args) else {
            return Err("only one format goes to standard output".into());
        };
        if matches!(content, Content::Sprite) {
            return Err("a sprite sheet is two files: name a folder".into());
        }
        if several {
            return Err("only one spec goes to standard output".into());
        }
        if args.poster || args.html || args.theme.as_deref() == Some("all") {
            return Err("only one file goes to standard output".into());
        }
        return Ok(vec![Target {
            content: *content,
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
    if let (Some(which), []) = (args.select.still_in_words(), args.format.as_slice()) {
        // One frame is no movie: it must not take the place of one.
        return Ok(vec![Target {
            content: Content::Still,
            destination: Content::Still.destination(folder, &format!("{name}-{which}")),
        }]);
    }
    Ok(contents(args)
        .iter()
        .map(|content| Target {
            content: *content,
            destination: content.destination(folder, &name),
        })
        .collect())
}

/// Endings of what a video encoder writes.
const VIDEO: [&str; 6] = ["mp4", "webm", "mov", "mkv", "avi", "m4v"];

/// The formats asked for; a GIF if none is.
fn contents(args: &RenderArgs) -> &[Content] {
    const DEFAULT: &[Content] = &[Content::Movie(&FORMATS[0])];
    match args.format.as_slice() {
        [] => DEFAULT,
        some => some,
    }
}

fn file_target(args: &RenderArgs, file: &Path, extension: &str) -> Result<Target, String> {
    let destination = Destination::File(file.to_owned());
    if let [content] = args.format.as_slice()
        && content.fits(extension)
    {
        let content = *content;
        return Ok(Target {
            content,
            destination,
        });
    }
    if let Some(content) = args.format.first() {
        return Err(format!(
            "`{}` is not written into `{}`: leave `--format` out to have the format of the ending, or name a folder",
            content.word(),
            file.display()
        ));
    }
    if extension == "png" && args.select.is_still() {
        return Ok(Target {
            content: Content::Still,
            destination,
        });
    }
    let files = || FORMATS.iter().filter(|format| !format.writer.is_folder());
    match files().find(|format| format.extension == extension) {
        Some(format) => Ok(Target {
            content: Content::Movie(format),
            destination,
        }),
        None => {
            let endings: Vec<_> = files()
                .map(|format| format!(".{}", format.extension))
                .collect();
            let wrong = format!(
                "no format has the ending `.{extension}`: there are {}",
                endings.join(", ")
            );
            match VIDEO.contains(&extension) {
                true => Err(format!(
                    "{wrong}; a video is made by a pipe: `hazumi render SPEC --format y4m -o - | ffmpeg -i - {}`",
                    file.display()
                )),
                false => Err(wrong),
            }
        }
    }
}
