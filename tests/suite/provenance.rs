//! Files say where they come from, and can be made again from that.

use crate::desk::Desk;
use crate::specs;

/// A dot in a part's file, on paper that a theme darkens.
const SPEC: &str = r##"{ "hazumi": 1, "title": "Dot", "alt": "A dot runs.", // A remark that must come back.
  "canvas": { "size": [40, 30], "fps": 10, "duration": 1, "background": "paper" },
  "palette": { "paper": "#fff" }, "themes": { "dark": { "paper": "#000" } }, "params": { "size": 4 },
  "parts": { "dot": { "file": "parts/dot.json" } },
  "use": { "runner": { "part": "dot", "with": { "x": "4 + 20 * t", "size": "size" } } },
  "draw": [{ "use": "runner" }] }
"##;
const PART: &str = r##"{ "params": { "x": 0, "size": 2 },
  "draw": [{ "circle": { "at": ["x", 15], "radius": "size", "fill": "tomato" } }] }
"##;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("in/run.json", SPEC);
    desk.write("in/parts/dot.json", PART);
    desk
}

#[test]
fn the_spec_inside_makes_the_same_file_again() {
    let desk = desk();
    let options = "--scale 2 --set size=6 --frames 2..8 --hold 0.5 --loop 3 --fps 20 --theme all --format \
                   gif,apng,sheet,onion,sprite";
    let mut words = vec!["render", "in/run.json", "-o", "out"];
    words.extend(options.split_whitespace());
    desk.run(&words).well();
    desk.run(&[
        "render",
        "in/run.json",
        "--at",
        "0.5",
        "-o",
        "out/still.png",
    ])
    .well();
    // Far from the spec and its part.
    std::fs::remove_dir_all(desk.path("in")).expect("removed");
    let mut files: Vec<String> = desk.contents("out").into_keys().collect();
    files.retain(|name| !name.ends_with(".json"));
    assert_eq!(files.len(), 11, "{files:?}");
    for file in files {
        let path = format!("out/{file}");
        let run = desk.run(&["verify", &path]);
        assert_eq!(run.code, 0, "{file}: {}", run.said);
        run.says("the same bytes");
    }
}

#[test]
fn a_file_that_was_changed_is_found_out() {
    let desk = desk();
    desk.run(&["render", "in/run.json"]).well();
    let mut bytes = desk.read("run.gif");
    let middle = bytes.len() - 40;
    bytes[middle] ^= 1;
    std::fs::write(desk.path("run.gif"), bytes).expect("written");
    let run = desk.run(&["verify", "run.gif"]);
    assert_eq!(run.code, 1, "{}", run.said);
    run.says("\"run.gif\"");
}

#[test]
fn the_spec_and_its_parts_come_back_as_they_were() {
    let desk = desk();
    desk.run(&["render", "in/run.json", "--format", "gif,apng"])
        .well();
    for file in ["run.gif", "run.png"] {
        let run = desk.run(&["extract", file]).well();
        assert_eq!(run.text(), SPEC);
        run.says("parts/dot.json");
        desk.run(&[
            "extract",
            file,
            "-o",
            file.split('.').next_back().expect("an ending"),
        ])
        .well();
    }
    for folder in ["gif", "png"] {
        assert_eq!(desk.read(&format!("{folder}/run.json")), SPEC.as_bytes());
        assert_eq!(
            desk.read(&format!("{folder}/parts/dot.json")),
            PART.as_bytes()
        );
    }
    desk.run(&["extract", "run.gif", "-o", "gif"])
        .refused("`--force`");
    desk.run(&["extract", "run.gif", "-o", "gif", "--force"])
        .well();
}

#[test]
fn a_file_without_a_spec_says_so() {
    let desk = desk();
    desk.run(&["render", "in/run.json", "--no-source"]).well();
    desk.run(&["extract", "run.gif"]).refused("`--no-source`");
    desk.run(&["verify", "run.gif"]).refused("`--no-source`");
    desk.run(&["verify", "in/run.json"])
        .refused("neither a GIF nor a PNG");
    desk.run(&["verify", "nowhere.gif"]).refused("nowhere.gif");
    desk.run(&["verify", "in"]).refused("\"in\"");
}

#[test]
fn a_real_example_with_its_part_verifies() {
    let desk = Desk::new();
    let spec = specs::folder().join("run.json");
    let spec = spec.to_str().expect("a path in UTF-8");
    desk.run(&["render", spec, "--scale", "0.2"]).well();
    desk.run(&["verify", "run.gif"]).well();
}
