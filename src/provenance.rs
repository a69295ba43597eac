//! Where a file comes from: the spec, its parts and the options that made it, kept inside the file itself.

use crate::encode::label;
use crate::load::Animation;
use crate::maths::random::fnv1a;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// Name and version of this program.
pub const PROGRAM: &str = concat!("hazumi ", env!("CARGO_PKG_VERSION"));
/// How the spec is called that has no file.
const NAMELESS: &str = "spec.json";

/// All that is needed to make a file again, but for fonts of the spec's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name and version of the program that made the file.
    pub program: String,
    /// What `--format` calls the file.
    pub format: String,
    /// Options of `render` that were given, but for those that only say where and how fast.
    pub arguments: Vec<String>,
    /// The spec, then its part files, each where it lies from the spec's folder.
    pub files: Vec<SourceFile>,
}

/// A text file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Relative, with `/` between folders.
    pub name: String,
    pub text: String,
}

impl Provenance {
    /// What a file of this animation comes from.
    pub fn of(animation: &Animation, format: &str, arguments: Vec<String>) -> Self {
        let mut files = animation.files();
        if let Some(spec) = files.first_mut() {
            let name = Path::new(&spec.name).file_name().unwrap_or_default();
            spec.name = match name.to_string_lossy() {
                name if name.ends_with(".json") || name.ends_with(".jsonc") => name.into_owned(),
                _ => NAMELESS.into(),
            };
        }
        Self {
            program: PROGRAM.into(),
            format: format.into(),
            arguments,
            files,
        }
    }

    /// Tells specs apart: FNV-1a of the texts, 64 bits; names and options do not count.
    pub fn hash(&self) -> u64 {
        let texts: Vec<&str> = self.files.iter().map(|file| file.text.as_str()).collect();
        fnv1a(texts.join("\0").as_bytes())
    }

    /// As the text that a file keeps.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("texts only")
    }

    /// What a GIF or PNG says that it comes from.
    ///
    /// # Errors
    /// A sentence without a full stop about a file that does not say, or says nonsense; a name that leads out
    /// of the spec's folder is nonsense too.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let text = label::source_of(file)?;
        let damaged = |_| "the spec inside is damaged".to_owned();
        let found: Self = serde_json::from_str(&text).map_err(damaged)?;
        match &found.files[..] {
            [] => Err("the spec inside is damaged".into()),
            files => match files.iter().find(|file| !is_inside(&file.name)) {
                Some(file) => Err(format!(
                    "the spec inside has a file outside its folder, {:?}",
                    file.name
                )),
                None => Ok(found),
            },
        }
    }

    /// The spec itself.
    pub fn spec(&self) -> &SourceFile {
        &self.files[0]
    }
}

impl SourceFile {
    /// Its name without folders and ending.
    pub fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}

/// Whether a path leads into the folder it starts from, on any system.
fn is_inside(name: &str) -> bool {
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    !name.is_empty() && !name.contains(['\\', ':', '\0']) && Path::new(name).components().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folder_are_taken() {
        for good in ["a.json", "parts/b.json", "日本.json", "./a.json"] {
            assert!(is_inside(good), "{good}");
        }
        for bad in ["", "../a.json", "/etc/x", "a/../../b", "C:x.json", "a\\b"] {
            assert!(!is_inside(bad), "{bad}");
        }
    }
}
