//! The command line as a user types it.

use crate::desk::{Desk, Run, finish};
use hazumi::load::{Animation, Choices};
use std::process::Stdio;

/// Ten frames a second for half a second: a dot that runs to the right.
const RUN: &str = r##"{ "hazumi": 1, "alt": "A dot runs to the right.",
  "canvas": { "size": [40, 30], "fps": 10, "duration": 0.5, "background": "paper" },
  "palette": { "paper": "#ffffff", "ink": "#000000" },
  "themes": { "dark": { "paper": "#000000", "ink": "#ffffff" } },
  "params": { "size": 4, "tone": "ink" },
  "channels": { "x": "5 + 60.3 * t", "far": "x / 3" },
  "draw": [{ "circle": { "at": ["x", 15], "radius": "size", "fill": "{tone}" } }] }
"##;

/// A spec that lasts two seconds at some rate.
fn at_rate(fps: &str) -> String {
    let rate = format!("\"fps\": {fps}, \"duration\": 2,");
    let spec = RUN.replace("\"fps\": 10, \"duration\": 0.5,", &rate);
    // So slow that the dot stays in the picture, so fast that no two frames are equal.
    spec.replace("60.3", "15")
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("run.json", RUN);
    desk
}

/// Refused with these words, and nothing written.
fn refuses(desk: &Desk, arguments: &[&str], words: &str) -> Run {
    let before = desk.contents("");
    let run = desk.run(arguments).refused(words);
    let after = desk.contents("");
    assert!(before == after, "written all the same: {:?}", after.keys());
    run
}

/// Delays of a GIF's frames, in hundredths of a second.
fn delays(bytes: &[u8]) -> Vec<u16> {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
    }
    delays
}

/// Number of frames of an APNG.
fn apng_frames(bytes: &[u8]) -> u32 {
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().expect("a PNG");
    let control = reader.info().animation_control.expect("an animation");
    control.num_frames
}

/// What a PNG shows first.
fn pixels(bytes: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
    reader.next_frame(&mut pixels).expect("a frame");
    pixels
}

fn gif_size(bytes: &[u8]) -> (u16, u16) {
    let decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    (decoder.width(), decoder.height())
}

#[test]
fn a_gif_is_what_comes_of_a_spec() {
    let desk = desk();
    let run = desk.run(&["render", "run.json"]).well();
    assert_eq!((run.text(), run.said.as_str()), ("", ""));
    assert_eq!(desk.files(), ["run.gif", "run.json"]);
    assert_eq!(gif_size(&desk.read("run.gif")), (40, 30));
}

#[test]
fn a_gif_is_as_small_as_was_asked_and_says_what_that_cost() {
    let desk = Desk::new();
    desk.write("run.json", &at_rate("50"));
    desk.run(&["render", "run.json", "--no-source"]).well();
    let whole = desk.read("run.gif").len();
    for percent in [99, 70, 40, 20] {
        let most = whole * percent / 100;
        let bytes = most.to_string();
        let asked = ["render", "run.json", "--no-source", "--max-bytes", &bytes];
        let run = desk.run(&asked).well();
        // A little is gained by effort alone.
        let is_told = run.said.contains("at a price: ");
        assert!(is_told || percent > 50, "{}", run.said);
        assert!(desk.read("run.gif").len() <= most, "{percent} %");
    }
    refuses(
        &desk,
        &["render", "run.json", "--max-bytes", "20"],
        "no way was found to write a GIF of at most 20 bytes",
    );
}

#[test]
fn an_ending_is_a_format_and_a_folder_takes_names() {
    let desk = desk();
    desk.run(&["render", "run.json", "-o", "new/folder/x.gif"])
        .well();
    desk.run(&["render", "run.json", "-o", "out"]).well();
    let x = desk.read("new/folder/x.gif");
    assert!(x == desk.read("out/run.gif"));
    let stream = desk.run(&["render", "run.json", "-o", "-"]).well();
    assert!(stream.out == x, "standard output has other bytes");
    refuses(&desk, &["render", "run.json", "-o", "x.mp3"], ".gif");
    refuses(
        &desk,
        &["render", "run.json", "-o", "x.gif", "--format", "apng"],
        "`apng` is not written into `x.gif`: leave `--format` out",
    );
}

#[test]
fn formats_can_be_several() {
    let desk = desk();
    desk.run(&["render", "run.json", "-o", "out", "--format", "gif,png"])
        .well();
    let names: Vec<String> = desk.contents("out").into_keys().collect();
    let wanted = ["run.gif", "run/0000.png", "run/0001.png", "run/0002.png"];
    assert_eq!(names[..4], wanted);
    assert_eq!(names[4..], ["run/0003.png", "run/0004.png"]);
    refuses(
        &desk,
        &["render", "run.json", "--format", "gyf"],
        "gif, apng, png",
    );
    refuses(
        &desk,
        &["render", "run.json", "-o", "-", "--format", "gif,png"],
        "one format",
    );
}

#[test]
fn a_folder_means_the_specs_in_it() {
    let desk = Desk::new();
    desk.write("in/b.json", RUN);
    desk.write("in/a.jsonc", &format!("// A comment.\n{RUN}"));
    desk.write("in/other.json", "{ \"name\": \"no spec\" }");
    desk.write("in/deeper/c.json", RUN);
    desk.run(&["render", "in", "-o", "out"]).well();
    let made: Vec<String> = desk.contents("out").into_keys().collect();
    assert_eq!(made, ["a.gif", "b.gif"]);
    desk.write("none/other.json", "{}");
    refuses(&desk, &["render", "none"], "no spec found in `none`");
}

#[test]
fn frames_can_be_chosen() {
    let desk = desk();
    desk.run(&["render", "run.json", "-o", "all", "--format", "png"])
        .well();
    let all = desk.contents("all/run");
    for (range, wanted) in [
        ("1..3", 1..3),
        ("1..=3", 1..4),
        ("3..", 3..5),
        ("..2", 0..2),
    ] {
        let arguments = [
            "render", "run.json", "-o", "some", "--format", "png", "--frames", range,
        ];
        desk.run(&arguments).well();
        // Numbered from 0; those of a longer sequence before are gone.
        let some: Vec<Vec<u8>> = desk.contents("some/run").into_values().collect();
        let wanted: Vec<Vec<u8>> = wanted
            .map(|i| all[&format!("{i:04}.png")].clone())
            .collect();
        assert!(some == wanted, "{range}");
    }
    desk.run(&["render", "run.json", "--frame", "3", "-o", "x.png"])
        .well();
    desk.run(&["render", "run.json", "--at", "0.3", "-o", "y.png"])
        .well();
    assert!(pixels(&desk.read("x.png")) == pixels(&all["0003.png"]));
    assert!(pixels(&desk.read("y.png")) == pixels(&all["0003.png"]));
}

#[test]
fn frames_that_are_not_there_are_refused() {
    let desk = desk();
    for range in ["5..6", "2..2", "4..9"] {
        let arguments = ["render", "run.json", "-o", "x.gif", "--frames", range];
        refuses(&desk, &arguments, "frames 0 to 4");
    }
    refuses(&desk, &["render", "run.json", "--frames", "two"], "10..60");
    refuses(
        &desk,
        &["render", "run.json", "--frame", "5", "-o", "x.png"],
        "frames 0 to 4",
    );
    refuses(
        &desk,
        &["render", "run.json", "--at", "0.5", "-o", "x.png"],
        "0 to 0.4",
    );
    refuses(
        &desk,
        &["render", "run.json", "--at", "nan", "-o", "x.png"],
        "",
    );
    refuses(
        &desk,
        &["render", "run.json", "--frame", "1", "--at", "0"],
        "cannot be used with",
    );
    desk.run(&["render", "run.json", "-o", "all.png"]).well();
    desk.run(&["render", "run.json", "-o", ".", "--format", "apng"])
        .well();
    assert!(desk.read("all.png") == desk.read("run.png"));
    assert_eq!(apng_frames(&desk.read("run.png")), 5);
}

#[test]
fn gif_delays_are_honest() {
    let desk = Desk::new();
    desk.write("thirty.json", &at_rate("30"));
    desk.write("sixty.json", &at_rate("60"));
    let run = desk.run(&["render", "thirty.json"]).well();
    assert_eq!(run.said, "");
    let thirty = delays(&desk.read("thirty.gif"));
    assert_eq!(thirty.iter().map(|d| u32::from(*d)).sum::<u32>(), 200);
    assert_eq!(thirty[..6], [3, 3, 4, 3, 3, 4]);
    let run = desk.run(&["render", "sixty.json"]).well();
    assert_eq!(run.said.lines().count(), 1, "{}", run.said);
    assert!(
        run.said.starts_with("note: sixty: 60 frames per second"),
        "{}",
        run.said
    );
    assert_eq!(delays(&desk.read("sixty.gif")), [2; 100]);
    // What was asked for is no news to anybody, and a sequence has no clock.
    let arguments = ["render", "sixty.json", "--fps", "25"];
    assert_eq!(desk.run(&arguments).well().said, "");
    assert_eq!(delays(&desk.read("sixty.gif")), [4; 50]);
    let arguments = ["render", "sixty.json", "--format", "png", "-o", "out"];
    assert_eq!(desk.run(&arguments).well().said, "");
    assert_eq!(desk.contents("out/sixty").len(), 120);
}

#[test]
fn another_rate_leaves_the_motion_alone() {
    let desk = desk();
    let render = |folder: &str, fps: &str| {
        let arguments = [
            "render", "run.json", "--format", "png", "-o", folder, "--fps", fps,
        ];
        desk.run(&arguments).well();
        desk.contents(&format!("{folder}/run"))
    };
    let (own, twice) = (render("a", "10"), render("b", "20"));
    assert_eq!((own.len(), twice.len()), (5, 10));
    for i in 0..5 {
        let (same, name) = (&twice[&format!("{:04}.png", 2 * i)], format!("{i:04}.png"));
        assert!(own[&name] == *same, "{name}");
    }
    for wrong in ["0", "-1", "nan", "241", "fast"] {
        let rate = format!("--fps={wrong}");
        refuses(&desk, &["render", "run.json", &rate], "frame rate");
    }
}

#[test]
fn scale_theme_hold_and_loop() {
    let desk = desk();
    // A file keeps the options that made it.
    let words = ["render", "run.json", "-o", "-", "--no-source"];
    let plain = desk.run(&words).well().out;
    let gif = |arguments: &[&str]| {
        let all = [&words, arguments].concat();
        desk.run(&all).well().out
    };
    assert_eq!(gif_size(&gif(&["--scale", "2"])), (80, 60));
    assert_eq!(gif_size(&gif(&["--scale", "0.5"])), (20, 15));
    assert!(gif(&["--theme", "default"]) == plain);
    assert!(gif(&["--theme", "dark"]) != plain);
    assert_eq!(delays(&gif(&["--hold", "1.5"])), [10, 10, 10, 10, 150]);
    assert!(gif(&["--loop", "0"]) == plain);
    assert!(gif(&["--loop", "3"]) != plain);
    refuses(
        &desk,
        &["render", "run.json", "--scale", "0"],
        "greater than 0",
    );
    refuses(
        &desk,
        &["render", "run.json", "--scale", "1000"],
        "too large",
    );
    refuses(&desk, &["render", "run.json", "--theme", "drak"], "dark");
}

#[test]
fn params_can_be_set() {
    let desk = desk();
    let gif = |arguments: &[&str]| {
        let all = [&["render", "run.json", "-o", "-", "--no-source"], arguments].concat();
        desk.run(&all).well().out
    };
    let plain = gif(&[]);
    assert!(gif(&["--set", "size=4"]) == plain);
    assert!(gif(&["--set", "size=8e0"]) != plain);
    assert!(gif(&["--set", "tone=#000"]) == plain);
    let (one, two) = (
        gif(&["--set", "tone=red"]),
        ["--set", "tone=red", "--set", "size=8"],
    );
    assert!(one != plain && gif(&two) != one);
    let set =
        |value: &str, words: &str| refuses(&desk, &["render", "run.json", "--set", value], words);
    set("siez=3", "did you mean `size`?");
    set("size=big", "`size` is a number");
    set("size=-1", "radius");
    set("tone=pnik", "pink");
    set("x=3", "no param `x`");
    set("size", "name=value");
}

#[test]
fn a_spec_can_come_from_standard_input() {
    let desk = desk();
    let file = desk
        .run(&["render", "run.json", "-o", "-", "--no-source"])
        .well();
    let piped = desk
        .run_with(&["render", "-", "-o", "-", "--no-source"], RUN)
        .well();
    assert!(piped.out == file.out);
    desk.run_with(&["render", "-", "--no-source"], RUN).well();
    assert!(desk.read("stdin.gif") == file.out);
    let trace = desk.run_with(&["trace", "-"], RUN).well();
    assert_eq!(trace.out, desk.run(&["trace", "run.json"]).well().out);
    let bad = desk
        .run_with(&["render", "-", "-o", "x.gif"], "{ \"hazumi\": 1, ")
        .refused("<stdin>:1:");
    bad.says("error: ");
}

#[test]
fn two_specs_never_share_an_output() {
    let desk = Desk::new();
    desk.write("a/run.json", RUN);
    desk.write("b/run.json", RUN);
    refuses(&desk, &["render", "a", "b", "-o", "x.gif"], "several specs");
    refuses(&desk, &["render", "a", "b", "-o", "out"], "the same place");
    refuses(&desk, &["render", "a", "b", "-o", "-"], "one spec");
    refuses(
        &desk,
        &["render", "a/run.json", "a/run.json"],
        "the same place",
    );
}

#[test]
fn outputs_that_will_not_do_are_refused() {
    let desk = desk();
    desk.write("x.gif/file", "");
    desk.write("seq/run", "");
    refuses(
        &desk,
        &["render", "run.json", "-o", "x.gif"],
        "it is a folder",
    );
    refuses(
        &desk,
        &["render", "run.json", "-o", "seq", "--format", "png"],
        "it is not a folder",
    );
    desk.write("spec.gif", RUN);
    refuses(
        &desk,
        &["render", "spec.gif", "-o", "spec.gif"],
        "it is an input",
    );
    refuses(
        &desk,
        &["render", "run.json", "-o", "run.json/x.gif"],
        "it is not a folder",
    );
}

#[test]
fn one_bad_spec_does_not_stop_the_others() {
    let desk = Desk::new();
    desk.write("in/a.json", &RUN.replace("60.3", "60.3 +"));
    desk.write("in/b.json", RUN);
    desk.write("in/c.json", "{ \"hazumi\": 1");
    let run = desk
        .run(&["render", "in", "-o", "out"])
        .refused("in/a.json:6:");
    run.says("in/c.json:1:");
    let made: Vec<String> = desk.contents("out").into_keys().collect();
    assert_eq!(made, ["b.gif"]);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let desk = Desk::new();
    refuses(&desk, &["render", "no.json"], "cannot read `no.json`");
    refuses(&desk, &["trace", "no.json"], "cannot read `no.json`");
    desk.write("empty.json", "");
    refuses(&desk, &["render", "empty.json"], "empty");
    refuses(&desk, &["render"], "SPEC");
    refuses(&desk, &["rendr", "x.json"], "render");
    refuses(&desk, &[], "Usage");
}

#[test]
fn a_number_out_of_range_on_the_way_writes_nothing() {
    let desk = Desk::new();
    let spec = RUN.replace("\"radius\": \"size\"", "\"radius\": \"size - 12 * t\"");
    desk.write("x.json", &spec);
    let run = refuses(&desk, &["render", "x.json", "-o", "out"], "x.json:7:");
    run.says("frame 4");
    refuses(&desk, &["render", "x.json", "-o", "-"], "radius");
    let open = RUN.replace("\"draw\"", "\"loop\": { \"exact\": {} }, \"draw\"");
    desk.write("y.json", &open);
    refuses(&desk, &["render", "y.json", "-o", "out"], "not exact");
    // A part of a loop is no loop.
    desk.run(&["render", "y.json", "--frames", "..2"]).well();
}

#[test]
fn traced_numbers_read_back_exactly() {
    let desk = Desk::new();
    let path = crate::specs::folder().join("letter-i.json");
    let path = path.to_str().expect("a path in UTF-8");
    let run = desk.run(&["trace", path]).well();
    assert_eq!(run.said, "");
    let mut lines = run.text().lines();
    assert_eq!(lines.next(), Some("frame,t,bottom,top,dot"));
    let animation = Animation::open(path, &Choices::default()).expect("a sound spec");
    let film = animation.simulate().expect("numbers in range");
    let names = &animation.scene().names;
    let mut row = Vec::new();
    for frame in 0..film.frames() {
        let line = lines.next().expect("a line per frame");
        let read: Vec<f64> = line
            .split(',')
            .map(|n| n.parse().expect("a number"))
            .collect();
        film.timeline().row(frame, &mut row);
        let mut wanted = vec![frame as f64, film.timeline().time(frame)];
        wanted.extend(names.iter().map(|named| match named.operand {
            hazumi::formula::Operand::Column(column) => row[column as usize],
            other => panic!("{} is {other:?}", named.path),
        }));
        let bits = |row: &[f64]| row.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&wanted), "{line}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_trace_can_be_narrowed() {
    let desk = desk();
    let text = |arguments: &[&str]| {
        let all = [&["trace", "run.json"], arguments].concat();
        desk.run(&all).well().text().to_owned()
    };
    assert_eq!(
        text(&["--only", "far", "--frame", "0"]),
        format!("frame,t,far\n0,0,{}\n", 5.0 / 3.0)
    );
    assert_eq!(text(&["--frames", "1..=2"]).lines().count(), 3);
    assert_eq!(
        text(&["--fps", "20"]).lines().nth(3),
        text(&[]).lines().nth(2)
    );
    let json: serde_json::Value =
        serde_json::from_str(&text(&["--format", "json", "--only", "x"])).expect("JSON");
    assert_eq!(json["names"], serde_json::json!(["x"]));
    assert_eq!(
        json["frames"][0],
        serde_json::json!({ "frame": 0.0, "t": 0.0, "values": [5.0] })
    );
    refuses(&desk, &["trace", "run.json", "--only", "fra"], "far");
}

#[test]
fn colours_come_when_asked_for() {
    let desk = Desk::new();
    desk.write("x.json", "{}");
    let said = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = desk.command(&[&["render", "x.json"], arguments].concat());
        command.envs(variables.iter().copied());
        let run = finish(command, "").refused("error");
        run.said.contains('\u{1b}')
    };
    assert!(!said(&[], &[]), "a pipe is no terminal");
    assert!(said(&["--color", "always"], &[]));
    assert!(said(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(said(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!said(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!said(&[], &[("NO_COLOR", "1")]));
}

#[test]
fn quiet_and_verbose() {
    let desk = Desk::new();
    desk.write("x.json", &at_rate("60"));
    assert_eq!(desk.run(&["render", "x.json", "-q"]).well().said, "");
    let verbose = desk.run(&["render", "x.json", "-v"]).well();
    verbose.says("note: x: 100 frames");
    desk.write("bad.json", "{}");
    desk.run(&["render", "bad.json", "-q"]).refused("error");
}

#[test]
fn messages_never_mix_with_data() {
    let desk = Desk::new();
    desk.write("x.json", &at_rate("60"));
    let run = desk.run(&["render", "x.json", "-o", "-", "-v"]).well();
    assert_eq!(delays(&run.out).len(), 100);
    assert!(run.said.starts_with("note: "), "{}", run.said);
    let run = desk.run(&["schema"]).well();
    let schema: serde_json::Value = serde_json::from_str(run.text()).expect("JSON");
    assert!(schema["properties"]["hazumi"].is_object());
    assert_eq!(run.said, "");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let desk = Desk::new();
    desk.write(
        "x.json",
        &RUN.replace("\"duration\": 0.5", "\"frames\": 90000"),
    );
    let mut command = desk.command(&["trace", "x.json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said, "");
}

#[test]
fn a_new_spec_is_a_start() {
    let desk = Desk::new();
    desk.run(&["new", "ball"]).well();
    desk.run(&["new", "i.json", "--like", "letter-i"]).well();
    let run = desk.run(&["render", "ball.json", "i.json", "-q"]).well();
    assert_eq!(run.said, "");
    assert_eq!(desk.files(), ["ball.gif", "ball.json", "i.gif", "i.json"]);
    refuses(&desk, &["new", "ball"], "--force");
    refuses(&desk, &["new", "x", "--like", "leter-i"], "letter-i");
}

#[test]
fn a_target_out_of_reach_is_one_warning() {
    let desk = desk();
    let spec = RUN.replace(
        "\"draw\"",
        r#""skeleton": { "leg": { "ik": { "from": [5, 15], "to": ["x", 15], "lengths": [4.5, 4.5] } } }, "draw""#,
    );
    desk.write("leg.json", &spec);
    let run = desk
        .run(&["render", "leg.json", "--format", "gif,png", "--poster"])
        .well();
    assert_eq!(run.said.matches("warning").count(), 1, "{}", run.said);
    let words =
        "`leg` cannot reach its target from frame 2 (0.20 s) on: it misses it by up to 15.12 px";
    run.says(words);
}

#[test]
fn themes_posters_and_pictures_of_many_frames() {
    let desk = Desk::new();
    desk.write(
        "dot.json",
        r##"{ "hazumi": 1, "alt": "A dot.", "canvas": { "size": [40, 20], "frames": 4 },
        "palette": { "ink": "#000" }, "themes": { "dark": { "ink": "#fff" } },
        "draw": [ { "circle": { "at": ["10 + 5 * frame", 10], "radius": 4, "fill": "ink" } } ] }"##,
    );
    let run = desk.run(&[
        "render",
        "dot.json",
        "-o",
        "out",
        "--format",
        "gif,sheet,onion",
        "--theme",
        "all",
        "--poster",
        "--html",
    ]);
    let page = run.well();
    for file in [
        "dot.gif",
        "dot.dark.gif",
        "dot.sheet.png",
        "dot.dark.sheet.png",
        "dot.onion.png",
        "dot.dark.onion.png",
        "dot.poster.png",
        "dot.dark.poster.png",
    ] {
        assert!(
            desk.files().contains(&format!("out/{file}")),
            "{file}: {:?}",
            desk.files()
        );
    }
    let html = page.text();
    for part in [
        "<picture>",
        "srcset=\"dot.dark.poster.png\"",
        "src=\"dot.gif\"",
        "alt=\"A dot.\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}
