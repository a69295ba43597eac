//! Pages and files that are made from the program must be in step with it.

use std::fs;
use std::path::Path;

/// Compares a file with what it should be; with `HAZUMI_BLESS` set it is written instead.
fn in_step(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("HAZUMI_BLESS").is_some() {
        fs::write(&path, text).expect("writable");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{} is out of step: run the tests once with HAZUMI_BLESS=1",
        path.display()
    );
}

#[test]
fn the_reference_is_what_the_program_checks() {
    in_step("docs/reference.md", &hazumi::reference::markdown());
}

#[test]
fn the_schema_is_what_the_program_checks() {
    let schema = hazumi::spec::schema::published();
    in_step("specs/schema.json", &format!("{schema:#}\n"));
}
