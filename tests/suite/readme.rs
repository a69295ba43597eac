//! The README says nothing that is not so.

use crate::desk::Desk;

const README: &str = include_str!("../../README.md");

/// The first block of code in a language.
fn block(language: &str) -> &'static str {
    let start = format!("```{language}\n");
    let (_, rest) = README.split_once(&start).expect("a block of code");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_first_spec_is_sound() {
    let desk = Desk::new();
    desk.write("hop.json", block("json"));
    let run = desk.run(&["render", "hop.json"]).well();
    assert_eq!(run.said, "");
    assert_eq!(desk.files(), ["hop.gif", "hop.json"]);
}

#[test]
fn its_mistake_is_reported_as_shown() {
    let desk = Desk::new();
    desk.write("hop.json", &block("json").replace("- up", "- upp"));
    let run = desk.run(&["render", "hop.json"]).refused("upp");
    let shown: Vec<&str> = block("text")
        .lines()
        .map(|line| line.trim_start())
        .collect();
    let said: Vec<&str> = run.said.lines().map(|line| line.trim_start()).collect();
    assert_eq!(said[..shown.len() - 1], shown[..shown.len() - 1]);
}
