//! What a check finds, for people and for programs: one file per form.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod text;

use super::pictures::Pictures;
use super::verdict::Report;
use crate::output::{self, Destination};
use crate::spec::read::read_bytes;
use std::path::Path;

/// Largest file of a report that is read again, in bytes.
const LIMIT: u64 = 64 << 20;
/// What the findings are called, in the folder of a report.
pub const FINDINGS: &str = "report.json";

/// Writes a report in all its forms into a folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write(report: &Report, folder: &Path) -> Result<(), output::Failure> {
    let pictures = |file: &str| pictures(&folder.join(file));
    let files = [
        (FINDINGS, json::page(report)),
        ("index.html", html::page(report, pictures)),
        ("junit.xml", junit::page(report)),
        ("summary.md", markdown::page(report)),
    ];
    for (name, text) in files {
        output::save_bytes(&Destination::File(folder.join(name)), text.as_bytes())?;
    }
    Ok(())
}

/// The frames in a file, if they can be read.
fn pictures(path: &Path) -> Option<Pictures> {
    serde_json::from_slice(&read_bytes(path, LIMIT).ok()?).ok()
}

/// Reads the findings of a report: its folder, or the file in it.
///
/// # Errors
/// What is wrong with it, in a sentence.
pub fn read(path: &Path) -> Result<Report, String> {
    let file = if path.is_dir() {
        path.join(FINDINGS)
    } else {
        path.to_owned()
    };
    let cannot = |why: String| format!("cannot read the report {file:?}: {why}");
    let bytes = read_bytes(&file, LIMIT);
    let bytes = bytes.map_err(|reason| cannot(crate::spec::read::words_of(&reason)))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| cannot("it is no text".into()))?;
    json::read(text).map_err(cannot)
}

/// Puts the frames of a report into another folder, under names of their own; those that cannot be had are
/// left out of the page.
///
/// # Errors
/// When a file cannot be written.
pub fn take_pictures(report: &mut Report, from: &Path, to: &Path) -> Result<(), output::Failure> {
    for verdict in &mut report.specs {
        let Some(file) = verdict.pictures.take() else {
            continue;
        };
        // Whoever wrote the report chose the name: only a plain one is taken.
        let plain = Path::new(&file)
            .file_name()
            .is_some_and(|name| name == file.as_str());
        let bytes = read_bytes(&from.join(&file), LIMIT);
        if let (true, Ok(bytes)) = (plain, bytes) {
            output::save_bytes(&Destination::File(to.join(&file)), &bytes)?;
            verdict.pictures = Some(file);
        }
    }
    Ok(())
}
