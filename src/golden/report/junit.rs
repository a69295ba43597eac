//! JUnit's XML, which every CI system reads.

use super::html::escaped;
use super::text;
use crate::golden::verdict::{Report, Status, Verdict};
use std::fmt::Write;

/// One suite with a case per spec, one per orphan and one per fault.
pub fn page(report: &Report) -> String {
    let mut cases = String::new();
    for spec in &report.specs {
        cases.push_str(&case(spec));
    }
    for orphan in &report.orphans {
        let words = text::orphan(orphan);
        cases.push_str(&broken(&orphan.path, "failure", "orphan", &words, ""));
    }
    for (i, fault) in report.faults.iter().enumerate() {
        cases.push_str(&broken(
            &format!("fault {}", i + 1),
            "error",
            "fault",
            fault,
            "",
        ));
    }
    let tests = report.specs.len() + report.orphans.len() + report.faults.len();
    let failures =
        report.count(Status::Differs) + report.count(Status::Missing) + report.orphans.len();
    let errors =
        report.count(Status::Unreadable) + report.count(Status::Failed) + report.faults.len();
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hazumi check\" {counts}>\n\
         <testsuite name=\"golden\" {counts} skipped=\"0\">\n{cases}</testsuite>\n</testsuites>\n"
    )
}

fn case(spec: &Verdict) -> String {
    let (element, kind) = match spec.status {
        Status::Passes => {
            let name = escaped(&spec.file);
            return format!("<testcase classname=\"golden\" name=\"{name}\"/>\n");
        }
        Status::Differs => ("failure", "differs"),
        Status::Missing => ("failure", "missing"),
        Status::Unreadable => ("error", "unreadable"),
        Status::Failed => ("error", "failed"),
    };
    let message = match &spec.difference {
        Some(difference) => text::difference_in_words(difference),
        None => spec.message.clone(),
    };
    broken(&spec.file, element, kind, &message, &text::verdict(spec))
}

fn broken(name: &str, element: &str, kind: &str, message: &str, details: &str) -> String {
    let mut xml = format!("<testcase classname=\"golden\" name=\"{}\">", escaped(name));
    let details: Vec<String> = details.lines().map(escaped).collect();
    // Writing into a string cannot fail.
    let _ = writeln!(
        xml,
        "<{element} type=\"{kind}\" message=\"{}\">{}</{element}></testcase>",
        escaped(message),
        details.join("\n")
    );
    xml
}
