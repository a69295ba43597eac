//! What a check finds, for people and for programs: one file per form.

pub mod github;
pub mod json;
pub mod text;

use super::verdict::Report;
use crate::output::{self, Destination};
use std::path::Path;

/// Writes a report in all its forms into a folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write(report: &Report, folder: &Path) -> Result<(), output::Failure> {
    let files = [("report.json", json::page(report))];
    for (name, text) in files {
        output::save_bytes(&Destination::File(folder.join(name)), text.as_bytes())?;
    }
    Ok(())
}
