//! What a spec may cost: refused from its numbers alone, in little memory, with the flag that allows more; and what
//! cannot be drawn is left out by name.

use crate::desk::{Desk, Run};
use std::process::{Command, Stdio};

/// A small spec with a canvas, sections and marks of a test's own.
fn spec(canvas: &str, sections: &str, draw: &str) -> String {
    format!(
        r#"{{ "hazumi": 1, "alt": "A test.", "canvas": {{ {canvas} }}, {sections}
  "draw": [ {draw} ] }}
"#
    )
}

const SMALL: &str = r#""size": [120, 80], "fps": 10, "frames": 4"#;
const DOT: &str = r#"{ "circle": { "at": [60, 40], "radius": 9 } }"#;

fn body(kind: &str) -> String {
    format!(r#""bodies": {{ "b": {{ {kind} }} }}, "#)
}

/// More than is allowed.
struct Request {
    name: &'static str,
    spec: String,
    /// Options of `render`.
    options: &'static [&'static str],
    /// What is said.
    words: &'static [&'static str],
}

fn request(
    name: &'static str,
    spec: String,
    options: &'static [&'static str],
    words: &'static [&'static str],
) -> Request {
    Request {
        name,
        spec,
        options,
        words,
    }
}

/// A dot on a canvas.
fn dot(canvas: &str) -> String {
    spec(canvas, "", DOT)
}

const LARGE: &str = r#""size": [8000, 8000], "frames": 2"#;

fn canvases() -> Vec<Request> {
    vec![
        request(
            "side",
            dot(r#""size": [100000, 100000], "frames": 2"#),
            &[],
            &[
                ":1:55",
                ":1:63",
                "a side of 100000 px is more than the limit of 8192",
                "`--limit side=N`",
                "to 65535 at most",
            ],
        ),
        request(
            "pixels",
            dot(r#""size": [8192, 8192], "frames": 2"#),
            &[],
            &[
                ":1:55",
                "a frame of 67108864 px is more than the limit of 64000000",
                "`--limit pixels=67108864` allows it",
            ],
        ),
        request(
            "paint",
            dot(r#""size": [5000, 5000], "frames": 100000"#),
            &["--jobs", "1"],
            &[
                "would paint 2500050000000 px",
                "`--limit paint=2500050000000` allows it",
            ],
        ),
    ]
}

fn lengths() -> Vec<Request> {
    vec![
        request(
            "frames",
            dot(r#""size": [9, 9], "frames": 1000000000"#),
            &[],
            &[
                ":1:72",
                "a length of 1000000000 frames is more than the limit of 100000",
                "`--limit frames=N`",
            ],
        ),
        request(
            "duration",
            dot(r#""size": [9, 9], "duration": 1e9"#),
            &[],
            &[
                ":1:74",
                "a length of 50000000000 frames is more than the limit of 100000",
                "`--limit frames=N`",
            ],
        ),
        request(
            "rate",
            dot(r#""size": [9, 9], "fps": 1, "frames": 90000"#),
            &["--fps", "50"],
            &[
                "4500000 frames are more than the limit of 100000",
                "`--fps`",
                "`--limit frames=4500000` allows it",
            ],
        ),
        request("hold", dot(SMALL), &["--hold", "1e300"], &["at most 600"]),
    ]
}

fn balls(count: usize, substeps: usize) -> String {
    body(&format!(
        r#""balls": {{ "count": {count}, "radius": 1, "scatter": {{ "box": [0, 0, 999, 999] }}, "substeps": {substeps} }}"#
    ))
}

const BALLS: &str = r#"{ "circle": { "of": "b" } }"#;

fn simulations() -> Vec<Request> {
    vec![
        request(
            "substeps",
            spec(SMALL, &balls(9, 1_000_000_000), DOT),
            &[],
            &["`substeps` is 1000000000, but must be 1 to 256"],
        ),
        request(
            "work",
            spec(
                r#""size": [9, 9], "frames": 90000"#,
                &balls(500, 256),
                BALLS,
            ),
            &[],
            &[
                "operations, more than the limit of 50000000000",
                "`substeps`",
                "`--limit work=",
            ],
        ),
        request(
            "ticks",
            spec(
                r#""size": [9, 9], "fps": 0.001, "frames": 90000"#,
                r#""channels": { "x": { "smooth": { "to": "t", "half_life": 1 } } }, "#,
                r#"{ "circle": { "at": ["x", 0], "radius": 2 } }"#,
            ),
            &[],
            &[
                "operations, more than the limit of 50000000000",
                "`--limit work=",
            ],
        ),
        request(
            "memory",
            spec(
                r#""size": [9, 9], "frames": 100000"#,
                &balls(3000, 1),
                BALLS,
            ),
            &[],
            &[
                "the numbers of all frames would take 4578 MiB",
                "`--limit memory=",
            ],
        ),
    ]
}

fn many(count: usize, draw: &str) -> String {
    format!(r#"{{ "repeat": {{ "count": {count}, "draw": [ {draw} ] }} }}"#)
}

const PARTS: &str = r#""parts": { "a": { "use": { "r": { "part": "b", "times": 1000 } }, "draw": [ { "use": "r" } ] },
        "b": { "use": { "r": { "part": "c", "times": 1000 } }, "draw": [ { "use": "r" } ] },
        "c": { "draw": [] } }, "use": { "all": { "part": "a" } }, "#;

fn drawings() -> Vec<Request> {
    vec![
        request(
            "shapes",
            spec(SMALL, "", &many(10_000, &many(101, DOT))),
            &[],
            &[
                "more than 1000000 shapes in one frame",
                "`--limit shapes=N` raises the limit",
            ],
        ),
        request(
            "segments",
            spec(SMALL, "", &many(700, &many(1000, DOT))),
            &[],
            &[
                "more than 2000000 lines and curves in frame 0",
                "`--limit segments=N` raises the limit",
            ],
        ),
        request(
            "shapes in all",
            spec(r#""size": [9, 9], "frames": 90000"#, "", &many(10_000, DOT)),
            &[],
            &["all frames together would paint", "`--limit paint="],
        ),
        request(
            "instances",
            spec(SMALL, PARTS, r#"{ "use": "all" }"#),
            &[],
            &[
                "more than 100000 instances of parts",
                "`--limit instances=N` raises the limit",
            ],
        ),
    ]
}

/// Most bytes of a text.
const LONGEST_TEXT: usize = 1 << 16;

fn documents() -> Vec<Request> {
    let text = |content: &str| {
        let mark = format!(r#"{{ "text": {{ "at": [9, 9], "content": "{content}" }} }}"#);
        spec(SMALL, "", &mark)
    };
    let formula = format!("{}1", "1 + ".repeat(2_000_000));
    let too_long = &[
        "a text longer than the limit of 65536 bytes",
        "`--limit text=N` raises the limit",
    ];
    vec![
        request("text", text(&"word ".repeat(600_000)), &[], too_long),
        request("escapes", text(&r"\u0041".repeat(2_000_000)), &[], too_long),
        request(
            "one too many",
            text(&"a".repeat(LONGEST_TEXT + 1)),
            &[],
            too_long,
        ),
        request(
            "formula",
            spec(
                SMALL,
                &format!(r#""channels": {{ "x": "{formula}" }}, "#),
                DOT,
            ),
            &[],
            too_long,
        ),
        request(
            "name",
            spec(SMALL, &format!(r#""{}": 1, "#, "k".repeat(8 << 20)), DOT),
            &[],
            too_long,
        ),
        request(
            "values",
            spec(SMALL, "", &format!("[{}0]", "0,".repeat(1_000_000))),
            &[],
            &[
                "more values than the limit of 1000000",
                "`--limit values=N`",
            ],
        ),
        request(
            "file",
            format!("{}{}", dot(SMALL), " ".repeat(16 << 20)),
            &[],
            &["larger than the limit of 16 MiB", "`--limit file=N`"],
        ),
        request(
            "depth",
            format!("{{ \"hazumi\": 1, \"alt\": {}", "[".repeat(128)),
            &[],
            &[
                ":1:86",
                "nested deeper than the limit of 64",
                "`--limit depth=N` raises the limit, to 256 at most",
            ],
        ),
    ]
}

fn pictures() -> Vec<Request> {
    vec![
        request(
            "scale",
            dot(LARGE),
            &["--scale", "2"],
            &[
                "frames of 16000 × 16000 px are too large: at most 8192 px a side",
                "`--limit side=16000`",
            ],
        ),
        request(
            "threads",
            dot(LARGE),
            &["--jobs", "256"],
            &[
                "256 threads that draw frames of 8000 × 8000 px would take 125000 MiB, more than 2048 MiB",
                "`--jobs 4`",
                "`--limit memory=",
            ],
        ),
        request(
            "jobs",
            dot(SMALL),
            &["--jobs", "100000"],
            &["100000 is not in 1..=256"],
        ),
        request(
            "poses",
            dot(SMALL),
            &["--poses", "60000", "--format", "sheet"],
            &["60000 is not in 1..=256"],
        ),
        request(
            "sheet",
            dot(SMALL),
            &["--format", "sheet", "--scale", "30"],
            &["the sheet would be too large"],
        ),
        request(
            "sprite",
            dot(r#""size": [4000, 4000], "fps": 10, "frames": 1"#),
            &["--format", "sprite", "--scale", "3"],
            &["12000 × 12000 px are too large"],
        ),
    ]
}

/// The largest memory of a run in KiB and its time in seconds, where a program measures them.
fn measured(desk: &Desk, arguments: &[&str]) -> Option<(u64, String)> {
    let plain = desk.command(arguments);
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "%M %e", "-o", "cost"]);
    command.arg(plain.get_program()).args(arguments);
    command.current_dir(desk.path(""));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()?;
    let text = String::from_utf8(desk.read("cost")).ok()?;
    let (memory, seconds) = text.lines().last()?.split_once(' ')?;
    Some((memory.parse().ok()?, seconds.to_owned()))
}

/// What a refusal may take, in KiB.
const SMALL_COST: u64 = 32 << 10;

/// Fails if a run takes more memory than a refusal may, where that can be measured.
fn is_cheap(desk: &Desk, arguments: &[&str], name: &str) {
    if let Some((memory, seconds)) = measured(desk, arguments) {
        println!("{name}: {memory} KiB, {seconds} s");
        assert!(memory < SMALL_COST, "{name}: {memory} KiB");
    }
}

#[test]
fn too_much_is_refused_before_it_costs_anything() {
    if !std::path::Path::new("/usr/bin/time").exists() {
        println!("skipped: what refusals cost needs `/usr/bin/time`, which is not here");
    }
    let groups = [
        canvases(),
        lengths(),
        simulations(),
        drawings(),
        documents(),
        pictures(),
    ];
    for Request {
        name,
        spec,
        options,
        words,
    } in groups.into_iter().flatten()
    {
        let desk = Desk::new();
        desk.write("x.json", &spec);
        let arguments = [&["render", "x.json", "-o", "out"], options].concat();
        let run = desk.run(&arguments).refused("error: ");
        for word in words {
            assert!(
                run.said.contains(word),
                "{name}: {word:?} is not in:\n{}",
                run.said
            );
        }
        assert!(run.said.len() < 4096, "{name}: {} bytes", run.said.len());
        assert_eq!(desk.files(), ["x.json"], "{name}");
        is_cheap(&desk, &arguments, name);
    }
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let desk = Desk::new();
    for (file, sections, words) in [
        (
            "font.ttf",
            r#""fonts": ["font.ttf"], "#,
            "cannot read `font.ttf`: larger than the limit of 32 MiB",
        ),
        (
            "part.json",
            r#""parts": { "p": { "file": "part.json" } }, "#,
            "larger than the limit of ",
        ),
    ] {
        let length = 1 << 30;
        let made = std::fs::File::create(desk.path(file)).and_then(|file| file.set_len(length));
        made.expect("a file without contents");
        desk.write("x.json", &spec(SMALL, sections, DOT));
        desk.run(&["render", "x.json", "-o", "out"]).refused(words);
        is_cheap(&desk, &["render", "x.json", "-o", "out"], file);
    }
}

/// Balls in one another cost more than can be known from their number.
#[test]
fn what_balls_meet_counts_as_work() {
    let heap = |limit: &str| {
        let balls: Vec<String> = (0..800)
            .map(|_| r#"{ "at": [50, 50], "radius": 2 }"#.to_owned())
            .collect();
        let heap = body(&format!(
            r#""balls": {{ "items": [ {} ] }}"#,
            balls.join(", ")
        ));
        let desk = Desk::new();
        desk.write("x.json", &spec(SMALL, &heap, BALLS));
        desk.run(&["render", "x.json", "--limit", limit])
    };
    let run = heap("work=100000000")
        .refused("the simulation has taken more than the limit of 100000000 operations in frame ");
    run.says("`--limit work=N` raises the limit");
}

#[test]
fn a_limit_can_be_raised_and_lowered() {
    let desk = Desk::new();
    let run = |text: &str, options: &[&str]| -> Run {
        desk.write("x.json", text);
        desk.run(&[&["render", "x.json", "-o", "out"], options].concat())
    };
    let wide = spec(r#""size": [8200, 2], "frames": 1"#, "", DOT);
    run(&wide, &[]).refused("`--limit side=8200` allows it");
    run(&wide, &["--limit", "side=8200"]).well();
    let plain = spec(SMALL, "", DOT);
    run(&plain, &["--limit", "frames=3"])
        .refused("a length of 4 frames is more than the limit of 3");
    run(&plain, &["--limit", "frames=3,side=100"]).refused("a side of 120 px");
    run(&plain, &["--limit", "shapes=0"]).refused("a whole number");
    run(&plain, &["--limit", "frame=3"]).refused("the limits are side, pixels, frames");
    run(&plain, &["--limit", "side=70000"]).refused("`side` can be 65535 at most");
    run(&plain, &["--limit", "memory=1k"]).refused("more than 1 MiB");
    run(&plain, &["--limit", "file=100"]).refused("larger than the limit of 100 bytes");
    run(&plain, &["--limit", "values=5"]).refused("more values than the limit of 5");
    run(&plain, &["--limit", "text=5"]).refused("a text longer than the limit of 5 bytes");
    let long = spec(
        SMALL,
        &format!(r#""title": "{}", "#, "a".repeat(LONGEST_TEXT + 1)),
        DOT,
    );
    run(&long, &["--limit", "text=70000"]).well();
    let deep = format!(
        "{}{DOT}{}",
        r#"{ "group": { "draw": [ "#.repeat(70),
        " ] } }".repeat(70)
    );
    let deep = spec(SMALL, "", &deep);
    run(&deep, &[]).refused("nested deeper than the limit of 64");
    run(&deep, &["--limit", "depth=256"]).well();
    // A file does not say what it may cost: whoever makes it again does.
    desk.run(&["verify", "out/x.gif"])
        .refused("nested deeper than the limit of 64");
    desk.run(&["verify", "out/x.gif", "--limit", "depth=256"])
        .well();
    // Also where nothing is drawn.
    run(&plain, &[]).well();
    desk.run(&["trace", "x.json", "--limit", "frames=3"])
        .refused("the limit of 3");
    desk.run(&["check", "x.json", "--limit", "frames=3"])
        .refused("the limit of 3");
    desk.run(&["bless", "x.json", "--limit", "frames=3"])
        .refused("the limit of 3");
}

/// Every kind of mark with a number that grows.
fn marks(v: &str) -> Vec<String> {
    [
        r#"{ "circle": { "at": [V, 40], "radius": 9 } }"#,
        r#"{ "circle": { "at": [60, 40], "radius": V, "fill": "red", "stroke": "black" } }"#,
        r#"{ "circle": { "at": [60, 40], "radius": 9, "stroke": "black", "width": V } }"#,
        r#"{ "ellipse": { "at": [60, 40], "size": [V, 20] } }"#,
        r#"{ "rect": { "at": [60, 40], "size": [V, V], "radius": 5, "rotate": 30, "stroke": "red" } }"#,
        r#"{ "line": { "from": [0, 0], "to": [V, 40], "dash": [5, 3], "cap": "round" } }"#,
        r#"{ "line": { "from": [-V, -V], "to": [V, V], "width": 3 } }"#,
        r#"{ "path": { "points": [[0, 0], [V, 20], [30, V], [60, 40]], "curve": "catmull_rom" } }"#,
        r#"{ "polygon": { "points": [[0, 0], [V, 20], [30, V]], "stroke": "red", "join": "miter" } }"#,
        r#"{ "arc": { "at": [60, 40], "radius": V, "from": 0, "to": 250, "width": 5 } }"#,
        r#"{ "arc": { "at": [60, 40], "radius": 20, "from": V, "to": 0 } }"#,
        r#"{ "coil": { "from": [10, 10], "to": [V, 40], "radius": 9 } }"#,
        r#"{ "arrow": { "from": [10, 10], "to": [V, 40], "head": V } }"#,
        r#"{ "cross": { "at": [V, 40], "size": V } }"#,
        r#"{ "ribbon": { "points": [[10, 10], [V, 40], [90, 60]], "widths": [V, 3] } }"#,
        r#"{ "ticks": { "from": [0, 40], "step": [V, 0], "count": 40, "length": V } }"#,
        r#"{ "text": { "at": [60, 40], "content": "Ag", "size": V } }"#,
        r#"{ "text": { "at": [V, V], "content": "{frame * V}", "rotate": V } }"#,
        r#"{ "trail": { "of": ["V * t", 40], "width": V, "dash": [4, 2] } }"#,
        r#"{ "group": { "clip": [-V, -V, V, V], "opacity": 0.5, "draw": [ { "circle": { "at": [60, 40], "radius": 9 } }, { "line": { "from": [0, 0], "to": [V, V] } } ] } }"#,
        r#"{ "cursor": { "at": [V, 40] } }"#,
    ]
    .iter()
    .map(|mark| mark.replace('V', v))
    .collect()
}

#[test]
fn what_lies_too_far_out_is_left_out_by_name() {
    for v in [
        "9e5", "1e6", "1.1e6", "1e8", "3e8", "1e9", "1e12", "1e38", "1e200", "1e308",
    ] {
        let all = marks(v);
        for scale in ["1", "3"] {
            let desk = Desk::new();
            desk.write("x.json", &spec(SMALL, "", &all.join(",\n")));
            let run = desk.run(&["render", "x.json", "--scale", scale]);
            // Not every mark allows every number; what is allowed is drawn or named.
            let sound = run.code == 0 || run.code == 2 && run.said.contains("error: ");
            assert!(sound, "{v} at {scale}: {} {}", run.code, run.said);
        }
        for (i, mark) in all.iter().enumerate() {
            let desk = Desk::new();
            desk.write("x.json", &spec(SMALL, "", mark));
            let run = desk.run(&["render", "x.json"]);
            let sound = run.code == 0 || run.code == 2 && run.said.contains("error: ");
            assert!(sound, "{i} with {v}: {} {}", run.code, run.said);
        }
    }
}

#[test]
fn a_mark_that_cannot_be_drawn_is_named() {
    let desk = Desk::new();
    let render = |draw: &str, options: &[&str]| {
        desk.write("x.json", &spec(SMALL, "", draw));
        desk.run(&[&["render", "x.json"], options].concat()).well()
    };
    let far =
        format!(r#"{DOT}, {{ "circle": {{ "at": ["60 + frame * 5e5", 40], "radius": 9 }} }}"#);
    let run = render(&far, &[]);
    let words = "warning: `draw[1] (circle)` is not drawn whole from frame 2 (0.20 s) on: it reaches beyond ±1000000 px";
    run.says(words);
    run.says("x.json:2:");
    assert_eq!(run.said.matches("warning").count(), 1, "{}", run.said);
    let half = r#"{ "line": { "from": [0, 0], "to": [6e5, 40] } }"#;
    assert_eq!(render(half, &[]).said, "");
    let run = render(half, &["--scale", "2"]);
    run.says("`draw[0] (line)` is not drawn whole");
    let dashed = r#"{ "line": { "from": [0, 0], "to": [9e5, 40], "dash": [0.001, 0.001] } }"#;
    let run = render(dashed, &[]);
    let words = "`draw[0] (line)` is drawn without gaps from frame 0 (0.00 s) on: about 450000000 dashes are more than 20000";
    run.says(words);
    // A clip as wide as that clips nothing.
    let clipped = |clip: &str| format!(r#"{{ "group": {{ "clip": {clip}, "draw": [ {DOT} ] }} }}"#);
    render(
        &clipped("[-1e30, -1e30, 1e30, 1e30]"),
        &["-o", "wide.rgba", "--no-source"],
    );
    render(
        &clipped("[-1, -1, 121, 81]"),
        &["-o", "same.rgba", "--no-source"],
    );
    assert!(desk.read("wide.rgba") == desk.read("same.rgba"));
}

#[test]
fn too_many_lines_in_a_frame_are_refused() {
    let desk = Desk::new();
    let curve = r#"{ "repeat": { "count": 300, "draw": [ { "ellipse": { "at": [60, 40], "size": [9, 9] } } ] } }"#;
    desk.write("x.json", &spec(SMALL, "", &format!("{DOT}, {curve}")));
    desk.run(&["render", "x.json", "--limit", "segments=1000"])
        .refused("more than 1000 lines and curves in frame 0 (0.00 s)\n --> x.json:2:");
    desk.run(&["render", "x.json", "--limit", "segments=2000"])
        .well();
}

#[test]
fn what_is_said_of_a_stroke_needs_one() {
    let desk = Desk::new();
    for (field, value) in [
        ("width", "3"),
        ("dash", "[4, 2]"),
        ("cap", "\"round\""),
        ("join", "\"round\""),
        ("dash_offset", "1"),
    ] {
        let mark = |more: &str| {
            format!(
                r#"{{ "circle": {{ "at": [60, 40], "radius": 9, "{field}": {value}{more} }} }}"#
            )
        };
        desk.write("x.json", &spec(SMALL, "", &mark("")));
        let run = desk.run(&["render", "x.json"]).refused("x.json:2:");
        let words = format!("error: `{field}` is the stroke's, but this mark has none");
        run.says(&words);
        desk.write("x.json", &spec(SMALL, "", &mark(", \"stroke\": \"red\"")));
        desk.run(&["render", "x.json"]).well();
    }
}

#[test]
fn a_rate_that_does_not_fit_is_told() {
    let desk = Desk::new();
    desk.write("x.json", &spec(SMALL, "", DOT));
    let run = desk
        .run(&["render", "x.json", "--fps", "12", "--format", "png"])
        .well();
    let words =
        "note: x: 0.4 s at 12 frames per second are 4.8 frames: 4 are shown, spread evenly\n";
    assert_eq!(run.said, words);
    assert_eq!(
        desk.run(&["render", "x.json", "--fps", "5"]).well().said,
        ""
    );
}
