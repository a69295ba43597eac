//! For programs: the findings as they are.

use crate::golden::verdict::{Report, SCHEMA_VERSION, Status, Verdict};
use serde_json::json;

/// The whole report.
pub fn page(report: &Report) -> String {
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    format!("{text}\n")
}

/// Reads a report.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<Report, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match report.schema_version {
        SCHEMA_VERSION => Ok(report),
        other => Err(format!(
            "its schema version is {other}, but this reads {SCHEMA_VERSION}"
        )),
    }
}

/// A verdict as one line; nothing for a pass.
pub fn line(verdict: &Verdict) -> String {
    let code = match verdict.status {
        Status::Passes => return String::new(),
        Status::Differs => "golden-differs",
        Status::Missing => "golden-missing",
        Status::Unreadable => "golden-unreadable",
        // Its problems have been told already.
        Status::Failed => return String::new(),
    };
    let object = json!({
        "schema_version": crate::spec::report::SCHEMA_VERSION,
        "code": code,
        "severity": "error",
        "file": verdict.file,
        "message": verdict.message,
        "verdict": verdict,
    });
    format!("{object}\n")
}
