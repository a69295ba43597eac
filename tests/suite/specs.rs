//! The example specs; the benches use this file too.

use hazumi::load::{Animation, Choices};
use std::path::{Path, PathBuf};

/// The folder of the examples.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs")
}

/// Names of the examples, sorted. Other files, such as a schema, are none.
pub fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder specs");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry of specs").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("a spec that can be read");
            text.contains("\"hazumi\": 1")
        })
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no spec in {}", folder().display());
    names
}

/// An example, read and resolved.
pub fn open(name: &str) -> Animation {
    let path = folder().join(format!("{name}.json"));
    match Animation::open(path, &Choices::default()) {
        Ok(animation) => animation,
        Err(error) => panic!("{name}:\n{error}"),
    }
}
