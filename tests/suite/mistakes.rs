//! Eleven mistakes in one spec give eleven messages in one run, each at its place: on plain lines, behind
//! tabs, and behind Japanese words.

use crate::desk::Desk;
use serde_json::Value;

/// A mistake begins at each `^`; `@` is a comment that differs from one writing to the next.
const SPEC: &str = r##"{
  @"hazumi": 1, "alt": "Dots.", "time": "frames",
  @"canvas": { "size": [100, 100], "fps": ^400, "frames": 60 },
  @"palette": { "paper": "white", "ink": "black" },
  @"channels": {
    @"swing": { ^"trak": { "keys": [[0, 1], [10, 2]] } },
    @"bead": { "track": { "keys": [[0, 1, ^"in_out"], [10, 2]] } },
    @"still": { ^"track": { "period": 60 } },
    @"sum": "2 + ^nobody",
    @"half": "(3 + ^4 5)",
    @^"hen": "egg + 1", "egg": "hen + 1",
    @"twice": 1, ^"twice": 2
  },
  @"draw": [
    @{ "circle": { "at": ["swing", "bead"], "radius": 9, ^"fil": "ink" } },
    @{ "circle": { "at": ["sum", "half"], "radius": ^true, "fill": "ink" } },
    @{ "circle": { "at": ["hen", "twice"], "radius": 2, "fill": ^"#12345" } },
    @{ "circle": { "at": ["still", "egg"], "radius": 2 } }
  ]
}
"##;

/// The codes of the messages in the order of the file.
const CODES: [&str; 11] = [
    "out-of-range",
    "unknown-kind",
    "unknown-word",
    "missing-field",
    "unknown-name",
    "missing-operator",
    "cycle",
    "duplicate-key",
    "unknown-field",
    "wrong-type",
    "unknown-colour",
];

/// The same mistakes in three ways of writing.
const WRITINGS: [(&str, &str, &str); 3] = [
    ("ascii", "  ", "/* so */ "),
    ("tabs", "\t", "/*\tso\t*/\t"),
    ("japanese", "  ", "/* 弾む、跳ねる */ "),
];

/// The text of a spec without its marks, and line and column of each, counted in characters from 1.
fn written(indent: &str, comment: &str) -> (String, Vec<(u64, u64)>) {
    let marked = SPEC.replace("  ", indent).replace('@', comment);
    let mut places = Vec::new();
    let mut text = String::new();
    for (number, line) in marked.lines().enumerate() {
        let mut column = 1;
        for c in line.chars() {
            if c == '^' {
                places.push((number as u64 + 1, column));
            } else {
                text.push(c);
                column += 1;
            }
        }
        text.push('\n');
    }
    (text, places)
}

#[test]
fn each_gets_its_message_at_its_place() {
    for (name, indent, comment) in WRITINGS {
        let (text, places) = written(indent, comment);
        assert_eq!(places.len(), CODES.len());
        let desk = Desk::new();
        let file = format!("{name}.json");
        desk.write(&file, &text);
        let run = desk
            .run(&["render", &file, "--message-format", "json"])
            .refused("");
        let messages: Vec<Value> = run
            .said
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object a line"))
            .collect();
        let found: Vec<_> = messages
            .iter()
            .map(|message| {
                let (line, column) = (&message["span"]["line"], &message["span"]["column"]);
                let place = (
                    line.as_u64().expect("a line"),
                    column.as_u64().expect("a column"),
                );
                (message["code"].as_str().expect("a code"), place)
            })
            .collect();
        let wanted: Vec<_> = CODES.into_iter().zip(places).collect();
        assert_eq!(found, wanted, "{name}:\n{}", run.said);
        assert!(
            messages
                .iter()
                .all(|message| message["severity"] == "error")
        );
        assert_eq!(desk.files(), [file], "something was written");
    }
}

#[test]
fn people_read_the_same_places() {
    for (name, indent, comment) in WRITINGS {
        let (text, places) = written(indent, comment);
        let desk = Desk::new();
        let file = format!("{name}.json");
        desk.write(&file, &text);
        let run = desk
            .run(&["render", &file, "-o", "out/x.gif"])
            .refused("error: ");
        let errors = run.said.lines().filter(|line| line.starts_with("error: "));
        assert_eq!(errors.count(), CODES.len(), "{}", run.said);
        let arrows = run
            .said
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--> "));
        let wanted = places
            .iter()
            .map(|(line, column)| format!("{file}:{line}:{column}"));
        assert!(arrows.map(str::to_owned).eq(wanted), "{}", run.said);
        run.says("did you mean `track`?");
        assert_eq!(desk.files(), [file], "something was written");
    }
}

#[test]
fn the_same_spec_without_them_is_sound() {
    let desk = Desk::new();
    let mut text = SPEC.replace(['@', '^'], "");
    for (wrong, right) in [
        ("400", "40"),
        ("trak", "track"),
        ("\"in_out\"", "\"in_out_sine\""),
        ("\"period\": 60", "\"keys\": [[0, 1], [9, 2]]"),
        ("nobody", "swing"),
        ("4 5", "4"),
        ("hen + 1", "7"),
        ("\"twice\": 1, ", ""),
        ("fil\"", "fill\""),
        ("true", "2"),
        ("#12345", "#123"),
    ] {
        assert!(text.contains(wrong), "{wrong}");
        text = text.replacen(wrong, right, 1);
    }
    desk.write("sound.json", &text);
    let run = desk.run(&["render", "sound.json"]).well();
    assert_eq!(run.said, "");
}
