//! What the program says where a message alone is not the whole matter: files, claims, options.

use crate::desk::Desk;

const RUN: &str = r#"{
  "hazumi": 1, "alt": "A dot.",
  "canvas": { "size": [60, 30], "fps": 10, "duration": 0.5 },
  "channels": { "x": "10 + 40 * t", "y": "15 + x / 1000" },
  "draw": [ { "circle": { "at": ["x", "y"], "radius": 4 } } ]
}"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("run.json", RUN);
    desk
}

#[test]
fn one_frame_does_not_take_the_place_of_the_movie() {
    let desk = desk();
    desk.run(&["render", "run.json"]).well();
    let movie = desk.read("run.gif");
    desk.run(&["render", "run.json", "--frame", "3"]).well();
    desk.run(&["render", "run.json", "--at", "0.2", "-o", "out"])
        .well();
    assert!(desk.read("run.gif") == movie);
    assert_eq!(
        desk.files(),
        ["out/run-0.2.png", "run-3.png", "run.gif", "run.json"]
    );
    // A format that was asked for is kept.
    desk.run(&["render", "run.json", "--frame", "3", "--format", "gif"])
        .well();
    assert!(desk.read("run.gif") != movie);
}

#[test]
fn a_file_may_have_the_format_that_its_ending_allows() {
    let desk = desk();
    desk.run(&["render", "run.json", "--format", "sheet", "-o", "walk.png"])
        .well();
    desk.run(&["render", "run.json", "--format", "sheet"])
        .well();
    assert!(desk.read("walk.png") == desk.read("run.sheet.png"));
    desk.run(&["render", "run.json", "--format", "gif", "-o", "x.gif"])
        .well();
    desk.run(&["render", "run.json", "--format", "gif", "-o", "x.png"])
        .refused("`gif` is not written into `x.png`");
    desk.run(&["render", "run.json", "-o", "x.mp4"])
        .refused("--format y4m -o - | ffmpeg -i - x.mp4");
}

#[test]
fn options_that_people_look_for_are_told_of() {
    let desk = desk();
    for (option, words) in [
        ("--width", "`--scale 2`"),
        ("--param", "`--set NAME=VALUE`"),
    ] {
        desk.run(&["render", "run.json", option, "300"])
            .refused(words);
    }
    desk.run(&["render", "run.json", "--frames", "30..10"])
        .refused("write `10..30`");
    desk.run(&["render", "run.json", "--at", "5s"])
        .refused("write `--at 5`");
    let help = desk.run(&["render", "--help"]).well();
    for word in ["- gif: ", "- sheet: ", "The spec:"] {
        assert!(help.text().contains(word), "{word}\n{}", help.text());
    }
    let help = desk.run(&["new", "--help"]).well();
    assert!(help.text().contains("pendulum-wave"), "{}", help.text());
}

#[test]
fn a_path_with_a_space_can_be_copied_to_a_shell() {
    let run = Desk::new().run(&["new", "my ball"]).well();
    run.says("try `hazumi render 'my ball.json'`");
}

#[test]
fn a_part_asks_for_each_of_its_colours_once() {
    let desk = Desk::new();
    let part = r#"{ "draw": [
        { "circle": { "at": [20, 15], "radius": 4, "fill": "ink", "stroke": "wood" } },
        { "circle": { "at": [40, 15], "radius": 4, "fill": "ink" } } ] }"#;
    desk.write("parts/two.json", part);
    let spec = r#"{ "hazumi": 1, "alt": "Two dots.", "canvas": { "size": [60, 30], "frames": 2 },
        "parts": { "two": { "file": "parts/two.json" } }, "use": { "a": { "part": "two" } }, "draw": [ { "use": "a" } ] }"#;
    desk.write("two.json", spec);
    let run = desk
        .run(&["render", "two.json"])
        .refused("the part uses the colour `ink`");
    assert_eq!(run.said.matches("error: ").count(), 2, "{}", run.said);
    run.says("\"palette\": { \"wood\": \"#22272e\" }");
}

#[test]
fn what_is_accepted_though_it_is_not_true_is_said() {
    let desk = desk();
    let claims = r#""expect": [ { "value": { "of": "x", "max": 20 } },
        { "jump": { "of": ["x", "y", "a_long_name", "x", "y"], "max": 1 } } ], "draw""#;
    let spec = RUN.replace("\"draw\"", claims);
    desk.write(
        "run.json",
        &spec.replace("\"y\": ", "\"a_long_name\": 3, \"y\": "),
    );
    let run = desk.run(&["bless", "run.json"]).well();
    run.says("expect[0] `value x` does not hold");
    run.says("accepted all the same");
    let run = desk.run(&["check", "run.json"]);
    run.says("jump [x, y, a_long_name, x, y]");
}

#[test]
fn a_check_tells_the_largest_difference_too() {
    let desk = desk();
    desk.run(&["bless", "run.json"]).well();
    let changed = RUN.replace("10 + 40 * t", "10 + 40 * t + (t > 0 ? 0.01 : 0)");
    desk.write(
        "run.json",
        &changed.replace("15 + x / 1000", "15 + x / 1000 + 6 * t"),
    );
    let run = desk.run(&["check", "run.json"]);
    assert_eq!(run.code, 1, "{}", run.said);
    run.says("first cause   x (formula in channels)");
    run.says("largest       y by 2.4 in frame 4");
}

#[test]
fn a_loop_that_closes_is_not_spoken_of() {
    let desk = Desk::new();
    let spec = RUN.replace(
        "\"10 + 40 * t\"",
        r#"{ "spring": { "to": 30, "half_life": 0.1 } }"#,
    );
    desk.write(
        "run.json",
        &spec.replace("\"draw\"", "\"loop\": { \"preroll\": {} }, \"draw\""),
    );
    assert_eq!(desk.run(&["render", "run.json"]).well().said, "");
    let run = desk.run(&["render", "run.json", "-v"]).well();
    run.says("note: run: the loop closes within 0 px");
}
