//! The specs that a command line names: files, folders and standard input.

use crate::spec::json;
use crate::spec::node::Value;
use crate::spec::problem::Problem;
use crate::spec::read::{STANDARD_INPUT, USUAL_LIMIT, read_text, words_of};
use std::path::{Path, PathBuf};

/// A spec to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
}

impl Input {
    /// The file's name without its ending; `stdin` for standard input.
    pub fn name(&self) -> String {
        match self.path.file_stem() {
            Some(stem) if !self.is_standard_input() => stem.to_string_lossy().into_owned(),
            _ => "stdin".into(),
        }
    }

    /// Whether the spec comes from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == STANDARD_INPUT
    }
}

/// All specs that the arguments name, in their order; those of a folder by name.
///
/// # Errors
/// A sentence about a folder that cannot be read or holds no spec.
pub fn find(arguments: &[PathBuf]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for path in arguments {
        if path.is_dir() {
            let found = in_folder(path)?;
            if found.is_empty() {
                return Err(format!("no spec found in `{}`", path.display()));
            }
            inputs.extend(found);
        } else {
            inputs.push(Input { path: path.clone() });
        }
    }
    Ok(inputs)
}

/// The `.json` and `.jsonc` files directly in a folder whose top level has `hazumi`.
fn in_folder(folder: &Path) -> Result<Vec<Input>, String> {
    let cannot = |error| {
        let words = words_of(&error);
        format!("cannot read the folder `{}`: {words}", folder.display())
    };
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let json = path
            .extension()
            .is_some_and(|e| e == "json" || e == "jsonc");
        if json && path.is_file() && is_spec(&path) {
            inputs.push(Input { path });
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(inputs)
}

/// Whether a file says that it is a spec. One that cannot be parsed counts if it mentions the word, so
/// that its mistake is shown.
fn is_spec(path: &Path) -> bool {
    let Ok(source) = read_text(path, 0, USUAL_LIMIT) else {
        return true;
    };
    let mut problems: Vec<Problem> = Vec::new();
    let sources = [source];
    match json::parse(&sources, 0, &mut problems) {
        Some(node) => matches!(&node.value, Value::Object(_)) && node.get("hazumi").is_some(),
        None => sources[0].text.contains("\"hazumi\""),
    }
}
