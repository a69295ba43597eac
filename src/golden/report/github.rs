//! Remarks beside the changed lines of a pull request on GitHub.

use super::text::{claim, details, difference_in_words};
use crate::golden::verdict::{Report, Status, Verdict};
use crate::spec::report::{escape_message, escape_property, printable};
use std::fmt::Write;

/// Most remarks: GitHub shows no more of one step.
const MOST: usize = 10;

/// At most one remark per spec and ten in all, the worst first.
pub fn annotations(report: &Report) -> String {
    let mut text = String::new();
    let failures = report.failures();
    // What could not be read has been told where it was read.
    let told = failures
        .iter()
        .filter(|verdict| verdict.status != Status::Failed);
    let specs = told.map(|verdict| remark(verdict));
    let orphans = report.orphans.iter().map(|orphan| {
        let words = super::text::orphan(orphan);
        format!(
            "::error title=orphan::{}\n",
            escape_message(&printable(&words))
        )
    });
    let all: Vec<String> = specs.chain(orphans).collect();
    all.iter()
        .take(MOST)
        .for_each(|remark| text.push_str(remark));
    if all.len() > MOST {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "::error::+{} more", all.len() - MOST);
    }
    text
}

fn remark(verdict: &Verdict) -> String {
    let place = verdict.place.clone().unwrap_or_default();
    let file = if place.file.is_empty() {
        &verdict.file
    } else {
        &place.file
    };
    let (line, column) = (place.line.max(1), place.column.max(1));
    let mut words: Vec<String> = verdict.claims.untrue.iter().map(claim).collect();
    if let Some(difference) = &verdict.difference {
        words.push(difference_in_words(difference));
        let details = details(difference).into_iter();
        words.extend(details.map(|(word, words)| format!("{word}: {words}")));
    } else if verdict.status != Status::Differs {
        words.push(verdict.message.clone());
    }
    let words: Vec<_> = words.iter().map(|words| printable(words)).collect();
    format!(
        "::error file={},line={line},col={column},title={}::{}\n",
        escape_property(file),
        escape_property(&format!("{} differs", verdict.name)),
        escape_message(&words.join("\n"))
    )
}
