//! Regressions planted one by one, each with what a check must say of it: that it is there, in which frame it
//! begins, whether it is the numbers, the drawing or the playing, and the name or the mark that it came from.
//!
//! The frame is found another way, from the traces and the PNG files of both versions.

use crate::desk::Desk;
use crate::pngs::{Chunks, frame_control};
use serde_json::Value;

/// A limb reaches for a spring that follows a track; a tail, a head on a spring and a rope; a gait and a script.
const FIGURE: &str = r##"{ "hazumi": 1, "alt": "A limb reaches for a dot.",
  "canvas": { "size": [120, 90], "fps": 24, "duration": 1, "background": "paper" },
  "palette": { "paper": "#f7f4ec", "ink": "#22272e", "rust": "#c2402a", "teal": "#0c7b7c" },
  "params": { "lift": 12 },
  "channels": {
    "goal": { "track": { "keys": [[0, 40], [0.25, 86], [0.6, 50]], "ease": "in_out_cubic" } },
    "x": { "spring": { "to": "goal", "stiffness": 160, "damping": 9 } },
    "late": { "delay": { "of": "x", "by": 0.125 } },
    "eased": { "smooth": { "to": "goal", "half_life": 0.08 } },
    "sway": { "wave": { "period": 0.5, "amplitude": 14, "around": 40 } },
    "drift": { "noise": { "frequency": 3, "between": [60, 80], "seed": 4 } },
    "step": { "gait": { "gaits": { "walk": { "stride": 30, "frequency": 2, "duty": 0.6, "lift": "lift" } } } },
    "act": { "script": { "keys": [[0, "rest"], [0.5, "hop"]] } },
    "hop": "act.hop * 10 * sin(180 * act.since / 0.5)"
  },
  "skeleton": {
    "limb": { "ik": { "from": [60, 84], "to": ["x", "sway"], "lengths": [40, 38], "bend": 1 } },
    "tail": { "chain": { "from": "limb.end", "angles": ["90 + 20 * sin(turn * t)", 14], "lengths": [12, 10] } },
    "head": { "spring": { "to": "tail.end", "stiffness": 220, "damping": 18 } }
  },
  "world": { "gravity": [0, 600] },
  "bodies": { "rope": { "rope": { "from": [14, 8], "to": [50, 12], "points": 6, "keep": 0.98 } } },
  "draw": [
    { "rect": { "at": [60, 84], "size": [120, 8], "fill": "ink" } },
    { "ribbon": { "points": "limb", "widths": [9, 5], "fill": "teal" } },
    { "path": { "points": "tail", "width": 3, "cap": "round", "stroke": "ink" } },
    { "circle": { "at": "head", "radius": 5, "fill": "rust" } },
    { "path": { "points": "rope", "width": 2, "stroke": "ink" } },
    { "group": { "opacity": 0.5, "draw": [
      { "circle": { "at": ["late", 70], "radius": 6, "fill": "teal" } },
      { "circle": { "at": ["eased", 74], "radius": 6, "fill": "ink" } }
    ] } },
    { "text": { "content": "{x:.1}", "at": [116, 12], "align": "right", "size": 9, "fill": "ink" } },
    { "line": { "from": [100, 30], "to": ["100 + step.foot[0].x / 2", "60 + step.foot[0].y - hop"], "width": 4, "cap": "round", "stroke": "teal" } },
    { "circle": { "at": [100, 22], "radius": 4, "fill": "ink" } },
    { "arc": { "at": [20, 60], "radius": 9, "from": 0, "to": "drift * 3", "width": 3, "stroke": "teal" } }
  ] }
"##;

/// More columns than a golden keeps numbers of.
const BALLS: &str = r##"{ "hazumi": 1, "alt": "Balls fall into a box.",
  "canvas": { "size": [100, 80], "fps": 20, "duration": 1 },
  "world": { "gravity": [0, 500], "walls": { "box": [4, -80, 96, 76], "bounce": 0.5 } },
  "bodies": { "balls": { "balls": { "count": 60, "radius_range": [3, 6], "scatter": { "box": [6, -60, 94, 70], "seed": 3 } } } },
  "draw": [ { "circle": { "of": "balls", "fills": ["#c2402a", "#0c7b7c"] } } ] }
"##;

const BLOB: &str = r##"{ "hazumi": 1, "alt": "A blob falls on the floor.",
  "canvas": { "size": [100, 80], "fps": 20, "duration": 1 },
  "world": { "gravity": [0, 700], "walls": { "box": [0, 0, 100, 72], "bounce": 0.2, "friction": 0.3 } },
  "bodies": { "blob": { "soft_body": { "circle": { "points": 16, "center": [50, 28], "radius": 18 },
    "compliance": 0.0002, "pressure": { "strength": 0, "compliance": 0.00001 } } } },
  "draw": [ { "path": { "points": "blob", "curve": "catmull_rom", "fill": "#c2402a" } } ] }
"##;

/// Time in frames: the rate changes nothing but how long each stays.
const FRAMES: &str = r##"{ "hazumi": 1, "alt": "A dot swings.", "time": "frames",
  "canvas": { "size": [80, 40], "fps": 25, "frames": 20, "background": "transparent" },
  "channels": { "x": { "wave": { "period": 20, "amplitude": 24, "around": 40 } } },
  "draw": [ { "circle": { "at": ["x", 20], "radius": 9, "fill": "#2060c0a0" } } ] }
"##;

/// The end fades into the start.
const FADE: &str = r##"{ "hazumi": 1, "alt": "A dot wanders.",
  "canvas": { "size": [80, 60], "fps": 20, "duration": 1 },
  "channels": { "x": { "noise": { "frequency": 2, "between": [20, 60] } }, "y": { "noise": { "frequency": 2, "between": [15, 45], "seed": 2 } } },
  "draw": [ { "circle": { "at": ["x", "y"], "radius": 8, "fill": "#c2402a" } } ],
  "loop": { "crossfade": { "over": 0.3 } } }
"##;

/// The names that the figure's marks read.
const DRAWN: &str = "x,late,eased,limb,tail,head,rope,step.foot[0],hop,drift";

/// What is done to a spec or to its golden.
enum Edit {
    /// One text for another, which occurs once.
    Spec(&'static str, &'static str),
    /// The file of the golden, and how it is changed; with the frame that must be found.
    Golden(&'static [&'static str], fn(&Desk), usize),
}
use Edit::{Golden, Spec};

/// A name, the spec, what is done, the layer, and what the cause begins with.
type Planted = (&'static str, &'static str, Edit, &'static str, &'static str);

const LOCK: &[&str] = &["--lock-only"];

const PLANTED: &[Planted] = &[
    (
        "stiffness +1 %",
        FIGURE,
        Spec("\"stiffness\": 160", "\"stiffness\": 161.6"),
        "state",
        "x",
    ),
    (
        "damping +1 %",
        FIGURE,
        Spec("\"damping\": 9 ", "\"damping\": 9.09 "),
        "state",
        "x",
    ),
    (
        "key time +0.01 s",
        FIGURE,
        Spec("[0.25, 86]", "[0.26, 86]"),
        "state",
        "goal",
    ),
    (
        "key value +1/16 px",
        FIGURE,
        Spec("[0.25, 86]", "[0.25, 86.0625]"),
        "state",
        "goal",
    ),
    (
        "last key value −1 px",
        FIGURE,
        Spec("[0.6, 50]", "[0.6, 49]"),
        "state",
        "goal",
    ),
    (
        "another ease",
        FIGURE,
        Spec("in_out_cubic", "in_out_quad"),
        "state",
        "goal",
    ),
    (
        "period +1 %",
        FIGURE,
        Spec("\"period\": 0.5", "\"period\": 0.505"),
        "state",
        "sway",
    ),
    (
        "amplitude +1/16 px",
        FIGURE,
        Spec("\"amplitude\": 14", "\"amplitude\": 14.0625"),
        "state",
        "sway",
    ),
    (
        "shift by 1/16 px",
        FIGURE,
        Spec("\"around\": 40", "\"around\": 40.0625"),
        "state",
        "sway",
    ),
    (
        "delay +5 ms",
        FIGURE,
        Spec("\"by\": 0.125", "\"by\": 0.13"),
        "state",
        "late",
    ),
    (
        "half life +1 %",
        FIGURE,
        Spec("0.08 }", "0.0808 }"),
        "state",
        "eased",
    ),
    (
        "seed of the noise",
        FIGURE,
        Spec("\"seed\": 4", "\"seed\": 5"),
        "state",
        "drift",
    ),
    (
        "frequency of the noise",
        FIGURE,
        Spec("\"frequency\": 3,", "\"frequency\": 3.03,"),
        "state",
        "drift",
    ),
    (
        "a param",
        FIGURE,
        Spec("\"lift\": 12 ", "\"lift\": 12.1 "),
        "state",
        "step",
    ),
    (
        "duty of the gait",
        FIGURE,
        Spec("\"duty\": 0.6", "\"duty\": 0.62"),
        "state",
        "step",
    ),
    (
        "script one frame later",
        FIGURE,
        Spec("[0.5, \"hop\"]", "[0.55, \"hop\"]"),
        "state",
        "act",
    ),
    (
        "a constant in a formula",
        FIGURE,
        Spec("act.hop * 10", "act.hop * 10.25"),
        "state",
        "hop",
    ),
    (
        "bone +1/16 px",
        FIGURE,
        Spec("[40, 38]", "[40.0625, 38]"),
        "state",
        "limb",
    ),
    (
        "the knee bends back",
        FIGURE,
        Spec("\"bend\": 1", "\"bend\": -1"),
        "state",
        "limb",
    ),
    (
        "angle +0.1°",
        FIGURE,
        Spec("t)\", 14]", "t)\", 14.1]"),
        "state",
        "tail",
    ),
    (
        "joint stiffness +1 %",
        FIGURE,
        Spec("\"stiffness\": 220", "\"stiffness\": 222.2"),
        "state",
        "head",
    ),
    (
        "joint damping +1 %",
        FIGURE,
        Spec("\"damping\": 18", "\"damping\": 18.18"),
        "state",
        "head",
    ),
    (
        "decay of the rope",
        FIGURE,
        Spec("\"keep\": 0.98", "\"keep\": 0.979"),
        "state",
        "rope",
    ),
    (
        "gravity +1 %",
        FIGURE,
        Spec("[0, 600]", "[0, 606]"),
        "state",
        "rope",
    ),
    (
        "the rope's end +1/16 px",
        FIGURE,
        Spec("[50, 12]", "[50.0625, 12]"),
        "state",
        "rope",
    ),
    (
        "bounce 0.50 → 0.51",
        BALLS,
        Spec("\"bounce\": 0.5", "\"bounce\": 0.51"),
        "state",
        "balls",
    ),
    (
        "seed of the balls",
        BALLS,
        Spec("\"seed\": 3", "\"seed\": 4"),
        "state",
        "balls",
    ),
    (
        "compliance +1 %",
        BLOB,
        Spec("0.0002,", "0.000202,"),
        "state",
        "blob",
    ),
    (
        "friction 0.3 → 0.31",
        BLOB,
        Spec("\"friction\": 0.3", "\"friction\": 0.31"),
        "state",
        "blob",
    ),
    (
        "fade of another length",
        FADE,
        Spec("\"over\": 0.3", "\"over\": 0.25"),
        "state",
        "t",
    ),
    (
        "wander +1 %",
        FADE,
        Spec("[20, 60]", "[20, 60.4]"),
        "state",
        "x",
    ),
    (
        "rate 24 → 25",
        FIGURE,
        Spec("\"fps\": 24", "\"fps\": 25"),
        "state",
        "t",
    ),
    (
        "radius +1/16 px",
        FIGURE,
        Spec("\"head\", \"radius\": 5", "\"head\", \"radius\": 5.0625"),
        "pixels",
        "circle head",
    ),
    (
        "a colour off by one",
        FIGURE,
        Spec("#c2402a", "#c2412a"),
        "pixels",
        "circle head",
    ),
    (
        "a mark of the theme's colour",
        FIGURE,
        Spec("[9, 5], \"fill\": \"teal\"", "[9, 5], \"fill\": \"rust\""),
        "pixels",
        "ribbon limb",
    ),
    (
        "the background off by one",
        FIGURE,
        Spec("#f7f4ec", "#f7f4ed"),
        "pixels",
        "background",
    ),
    (
        "order of two marks",
        FIGURE,
        ORDER,
        "pixels",
        "ribbon limb|path tail",
    ),
    ("a missing mark", FIGURE, Spec(TEXT, ""), "pixels", "text"),
    ("a new mark", FIGURE, Spec(TEXT, NEW), "pixels", "cross"),
    (
        "font size 9 → 9.1",
        FIGURE,
        Spec("\"size\": 9,", "\"size\": 9.1,"),
        "pixels",
        "text",
    ),
    (
        "one more digit",
        FIGURE,
        Spec("{x:.1}", "{x:.2}"),
        "pixels",
        "text",
    ),
    (
        "stroke width 3 → 3.1",
        FIGURE,
        Spec("\"tail\", \"width\": 3", "\"tail\", \"width\": 3.1"),
        "pixels",
        "path tail",
    ),
    (
        "another cap",
        FIGURE,
        Spec(
            "\"width\": 4, \"cap\": \"round\"",
            "\"width\": 4, \"cap\": \"square\"",
        ),
        "pixels",
        "line",
    ),
    (
        "a mark follows another name",
        FIGURE,
        Spec("[\"late\", 70]", "[\"eased\", 70]"),
        "pixels",
        "group",
    ),
    (
        "opacity 0.5 → 0.51",
        FIGURE,
        Spec("\"opacity\": 0.5", "\"opacity\": 0.51"),
        "pixels",
        "group",
    ),
    (
        "a still mark +1/16 px",
        FIGURE,
        Spec("[100, 22]", "[100.0625, 22]"),
        "pixels",
        "circle [100",
    ),
    (
        "an arc's factor",
        FIGURE,
        Spec("drift * 3", "drift * 3.01"),
        "pixels",
        "arc",
    ),
    (
        "alpha off by one",
        FRAMES,
        Spec("#2060c0a0", "#2060c0a1"),
        "pixels",
        "circle",
    ),
    (
        "canvas one px wider",
        FRAMES,
        Spec("[80, 40]", "[81, 40]"),
        "pixels",
        "size",
    ),
    (
        "pixels of one frame",
        FIGURE,
        Golden(LOCK, other_pixels, 7),
        "pixels",
        "raster",
    ),
    (
        "one delay",
        FIGURE,
        Golden(&[], one_delay, 7),
        "container",
        "container",
    ),
    (
        "loop count",
        FIGURE,
        Golden(&[], loop_count, 0),
        "container",
        "container",
    ),
    (
        "two frames more",
        FRAMES,
        Spec("\"frames\": 20", "\"frames\": 22"),
        "container",
        "container",
    ),
    (
        "two frames less",
        FRAMES,
        Spec("\"frames\": 20", "\"frames\": 18"),
        "container",
        "container",
    ),
    (
        "every delay",
        FRAMES,
        Spec("\"fps\": 25", "\"fps\": 24"),
        "container",
        "container",
    ),
];

const TEXT: &str = r##"{ "text": { "content": "{x:.1}", "at": [116, 12], "align": "right", "size": 9, "fill": "ink" } },"##;
const NEW: &str = r##"{ "text": { "content": "{x:.1}", "at": [116, 12], "align": "right", "size": 9, "fill": "ink" } }, { "cross": { "at": [30, 30], "size": 8, "stroke": "rust" } },"##;
const ORDER: Edit = Spec(
    r##"{ "ribbon": { "points": "limb", "widths": [9, 5], "fill": "teal" } },
    { "path": { "points": "tail", "width": 3, "cap": "round", "stroke": "ink" } },"##,
    r##"{ "path": { "points": "tail", "width": 3, "cap": "round", "stroke": "ink" } },
    { "ribbon": { "points": "limb", "widths": [9, 5], "fill": "teal" } },"##,
);

/// The digest of frame 7's pixels.
fn other_pixels(desk: &Desk) {
    let text = String::from_utf8(desk.read("golden/x.lock")).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("frames "))
        .expect("frames")
        + 1;
    let state = lines[first + 7]
        .split(' ')
        .next()
        .expect("a state")
        .to_owned();
    lines[first + 7] = format!("{state} 0123456789abcdef");
    desk.write("golden/x.lock", &(lines.join("\n") + "\n"));
}

/// Frame 7 stays twice as long.
fn one_delay(desk: &Desk) {
    change(desk, |chunks| {
        let control = chunks.all(b"fcTL").nth(7).expect("frame 7");
        frame_control(control).delay = (2, 24);
    });
}

fn loop_count(desk: &Desk) {
    change(desk, |chunks| {
        let control = chunks.all(b"acTL").next().expect("an animation");
        control[4..8].copy_from_slice(&3u32.to_be_bytes());
    });
}

fn change(desk: &Desk, work: impl FnOnce(&mut Chunks)) {
    let mut chunks = Chunks::of(&desk.read("golden/x.png"));
    work(&mut chunks);
    std::fs::write(desk.path("golden/x.png"), chunks.bytes()).expect("the golden can be written");
}

/// What a check says: its exit status, the layer, the frame and the cause.
struct Said {
    code: i32,
    layer: String,
    frame: u64,
    cause: String,
}

fn check(desk: &Desk) -> Said {
    let run = desk.run(&["check", "x.json", "--message-format", "json"]);
    let lines = run
        .said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let verdict = lines
        .into_iter()
        .find_map(|line| line.get("verdict").cloned());
    let difference = verdict
        .map(|verdict| verdict["difference"].clone())
        .unwrap_or_default();
    let cause = &difference["cause"];
    let word = |key: &str| cause[key].as_str().map(str::to_owned);
    Said {
        code: run.code,
        layer: difference["layer"].as_str().unwrap_or("none").to_owned(),
        frame: difference["frame"].as_u64().unwrap_or(u64::MAX),
        cause: word("name")
            .or(word("label"))
            .or(word("kind"))
            .unwrap_or_default(),
    }
}

/// Where two versions of a spec part: the layer and the frame, from traces and pictures.
fn parted(desk: &Desk, before: &str, after: &str) -> (&'static str, u64) {
    // Only what is drawn counts: of the figure some names are not.
    let only =
        match String::from_utf8_lossy(&desk.read(before)).contains("A limb reaches for a dot") {
            true => vec!["--only", DRAWN],
            false => Vec::new(),
        };
    let trace = |file: &str| -> Vec<String> {
        let arguments: Vec<&str> = ["trace", file].into_iter().chain(only.clone()).collect();
        let run = desk.run(&arguments).well();
        // The number of the frame counts for nothing, and −0 is 0.
        let row = |line: &str| {
            let numbers = line.split(',').skip(1);
            let numbers = numbers.map(|number| if number == "-0" { "0" } else { number });
            numbers.collect::<Vec<_>>().join(",")
        };
        run.text().lines().skip(1).map(row).collect()
    };
    let first = |a: &[String], b: &[String]| a.iter().zip(b).position(|(a, b)| a != b);
    let (was, now) = (trace(before), trace(after));
    if let Some(frame) = first(&was, &now) {
        return ("state", frame as u64);
    }
    let pictures = |file: &str, folder: &str| -> Vec<Vec<u8>> {
        desk.run(&["render", file, "-o", folder, "--format", "png"])
            .well();
        desk.contents(folder).into_values().collect()
    };
    let (was, now) = (pictures(before, "was"), pictures(after, "now"));
    match was.iter().zip(&now).position(|(a, b)| a != b) {
        Some(frame) => ("pixels", frame as u64),
        None if was.len() != now.len() => ("container", was.len().min(now.len()) as u64),
        None => ("container", 0),
    }
}

/// What comes of one: found, frame, layer and cause right.
fn outcome(planted: &Planted) -> ([bool; 4], String) {
    let (_, spec, edit, layer, cause) = planted;
    let desk = Desk::new();
    desk.write("x.json", spec);
    let (layer_there, frame) = match edit {
        Spec(from, to) => {
            assert_eq!(spec.matches(from).count(), 1, "{from}");
            desk.run(&["bless", "x.json"]).well();
            desk.write("before.json", spec);
            desk.write("x.json", &spec.replace(from, to));
            parted(&desk, "before.json", "x.json")
        }
        Golden(how, change, frame) => {
            let arguments: Vec<&str> = ["bless", "x.json"].iter().chain(*how).copied().collect();
            desk.run(&arguments).well();
            desk.run(&["check", "x.json"]).well();
            change(&desk);
            (*layer, *frame as u64)
        }
    };
    let said = check(&desk);
    let begins = cause.split('|').any(|cause| said.cause.starts_with(cause));
    let right = [
        said.code == 1,
        said.frame == frame,
        said.layer == *layer && layer_there == *layer,
        begins,
    ];
    (
        right,
        format!("frame {:>2}  {:9}  {}", said.frame, said.layer, said.cause),
    )
}

#[test]
fn every_planted_regression_is_found_and_explained() {
    let mut sums = [0; 4];
    let mut table = String::from("regression                      found frame layer cause  said\n");
    for planted in PLANTED {
        let (right, said) = outcome(planted);
        let words = right.map(|right| if right { "yes" } else { "NO" });
        let [found, frame, layer, cause] = words;
        table += &format!(
            "{:30}  {found:5} {frame:5} {layer:5} {cause:5}  {said}\n",
            planted.0
        );
        for (sum, right) in sums.iter_mut().zip(right) {
            *sum += usize::from(right);
        }
    }
    let all = PLANTED.len();
    println!("{table}{all} planted: {sums:?} found, frame, layer, cause right");
    assert!(all >= 40);
    assert_eq!(sums[..3], [all; 3], "\n{table}");
    assert!(sums[3] * 40 >= all * 38, "\n{table}");
}
