//! Broken specs, each a mistake that people make, and exactly what the program says about it.
//!
//! The texts beside the specs are written anew with `HAZUMI_BLESS` set; read them as a stranger would.

use crate::desk::{Desk, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/bad")
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder specs/bad");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    names
}

/// Renders a broken spec on a desk of its own, at the path it has in the repository.
fn render(name: &str, more: &[&str]) -> (Desk, Run, String) {
    let file = format!("specs/bad/{name}.json");
    let text = std::fs::read_to_string(folder().join(format!("{name}.json")));
    let desk = Desk::new();
    desk.write(&file, &text.expect("a spec"));
    let mut arguments = vec!["render", file.as_str(), "-o", "out/x.gif"];
    arguments.extend(more);
    let run = desk.run(&arguments);
    (desk, run, file)
}

#[test]
fn every_mistake_has_its_exact_message() {
    let names = names();
    assert!(names.len() >= 40, "only {} broken specs", names.len());
    let bless = std::env::var_os("HAZUMI_BLESS").is_some();
    let mut differing = Vec::new();
    for name in &names {
        let (desk, run, file) = render(name, &[]);
        let path = folder().join(format!("{name}.txt"));
        if bless {
            std::fs::write(&path, &run.said).expect("writable");
        }
        let wanted = std::fs::read_to_string(&path).unwrap_or_default();
        if run.said != wanted {
            differing.push(format!("{name} says:\n{}", run.said));
        }
        assert!(!run.said.is_empty(), "{name} is accepted in silence");
        let warning = !run.said.contains("error: ");
        assert_eq!(run.code, if warning { 0 } else { 2 }, "{name}");
        if !warning {
            assert_eq!(desk.files(), [file], "{name}: something was written");
        }
    }
    let how = "run the tests once with HAZUMI_BLESS=1";
    assert!(differing.is_empty(), "{}\n{how}", differing.join("\n"));
}

#[test]
fn every_text_belongs_to_a_spec() {
    let names = names();
    for entry in std::fs::read_dir(folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        assert!(names.iter().any(|n| *n == name), "{name} has no spec");
    }
}

#[test]
fn programs_read_the_same_as_an_object_a_line() {
    for (name, code, severity, place) in [
        ("type-field", "unknown-kind", "error", (6, 7)),
        ("hex-without-hash", "unknown-colour", "error", (6, 57)),
        ("fixed-by-live", "live-in-fixed", "error", (8, 43)),
        ("unused-param", "unused-param", "warning", (5, 27)),
    ] {
        let (_, run, file) = render(name, &["--message-format", "json"]);
        let message: Value = serde_json::from_str(run.said.lines().next().expect("a line"))
            .unwrap_or_else(|error| panic!("{name}: {error}\n{}", run.said));
        assert_eq!(message["schema_version"], 1, "{name}");
        assert_eq!(message["code"], code, "{name}");
        assert_eq!(message["severity"], severity, "{name}");
        assert_eq!(message["file"], file.as_str(), "{name}");
        let span = &message["span"];
        assert_eq!(
            (&span["line"], &span["column"]),
            (&place.0.into(), &place.1.into()),
            "{name}"
        );
        assert!(span["start"].as_u64() < span["end"].as_u64(), "{name}");
        assert!(message["message"].is_string() && message["label"].is_string());
        assert!(message["help"].is_array() && message["related"].is_array());
    }
}

#[test]
fn github_shows_them_beside_the_line() {
    for (name, start) in [
        (
            "type-field",
            "::error file=specs/bad/type-field.json,line=6,col=7,endColumn=13,title=unknown-kind::",
        ),
        (
            "unused-param",
            "::warning file=specs/bad/unused-param.json,line=5,col=27,endColumn=34,title=unused-param::",
        ),
    ] {
        let (_, run, _) = render(name, &["--message-format", "github"]);
        assert!(run.said.starts_with(start), "{name}:\n{}", run.said);
        assert_eq!(run.said.lines().count(), 1, "{name}:\n{}", run.said);
    }
}
