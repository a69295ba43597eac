//! A summary in Markdown, as job summaries take it.

use super::text::{cause_in_words, difference_in_words, orphan, runs_in_words, summary};
use crate::golden::verdict::{Report, Status, Verdict};
use crate::spec::report::printable;
use std::fmt::Write;

/// Most rows of the table.
const MOST: usize = 50;

/// The whole report in short.
pub fn page(report: &Report) -> String {
    let mut text = format!("## Golden check\n\n{}\n", escaped(&summary(report)));
    let failures = report.failures();
    if !failures.is_empty() {
        text.push_str("\n| spec | what | frames | first cause | drawn by |\n| --- | --- | --- | --- | --- |\n");
    }
    for verdict in failures.iter().take(MOST) {
        text.push_str(&row(verdict));
    }
    if failures.len() > MOST {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n… and {} more", failures.len() - MOST);
    }
    let orphans = report.orphans.iter().map(orphan);
    let faults = report.faults.iter().cloned();
    let others: Vec<String> = orphans.chain(faults).collect();
    if !others.is_empty() {
        text.push('\n');
    }
    for words in others {
        let _ = writeln!(text, "- {}", escaped(&words));
    }
    text
}

fn row(verdict: &Verdict) -> String {
    let mut cells = vec![verdict.file.clone()];
    match (&verdict.difference, verdict.status) {
        (Some(difference), _) => {
            cells.push(difference_in_words(difference));
            cells.push(
                difference
                    .pixels
                    .as_ref()
                    .map(runs_in_words)
                    .unwrap_or_default(),
            );
            cells.push(match difference.container.first() {
                Some(change) if difference.pixels.is_none() => change.words.clone(),
                _ => cause_in_words(&difference.cause),
            });
            let shares = difference.drawn_by.iter();
            let shares: Vec<String> = shares
                .map(|share| format!("{} {} %", share.label, share.percent))
                .collect();
            cells.push(shares.join(", "));
        }
        (None, Status::Passes) => {}
        (None, _) => cells.extend([verdict.message.clone(), "".into(), "".into(), "".into()]),
    }
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// As plain words, whatever stands in them.
fn escaped(words: &str) -> String {
    let mut out = String::new();
    for c in printable(words).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
