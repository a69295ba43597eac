//! Memory does not grow with the number of frames, beyond what is kept on purpose.

use crate::desk::{Desk, finish};
use std::process::Command;

/// What an encoder that looks at all frames twice may keep of them, in KiB.
const KEPT: u64 = 48 << 10;
/// The numbers of the longer animation, and what differs between any two runs, in KiB.
const SLACK: u64 = 4 << 10;

/// Dots that are somewhere else in every frame; its frames as pixels would be 64 KB each.
fn spec(frames: usize) -> String {
    format!(
        r##"{{ "hazumi": 1, "alt": "Dots.",
  "canvas": {{ "size": [160, 100], "fps": 50, "frames": {frames}, "background": "#f7f2ea" }},
  "channels": {{ "x": "80 + 50 * sin(77 * t)", "y": "50 + 30 * cos(131 * t)" }},
  "draw": [ {{ "repeat": {{ "count": 6, "draw": [
    {{ "circle": {{ "at": ["x + 3 * .i * sin(40 * t)", "y"], "radius": "12 - .i", "fills": ["tomato", "teal"] }} }}
  ] }} }} ] }}
"##
    )
}

/// The largest resident set of a rendering, in KiB.
fn peak(desk: &Desk, frames: usize, format: &str) -> u64 {
    let name = format!("{format}-{frames}");
    desk.write(&format!("{name}.json"), &spec(frames));
    let mut command = Command::new("/usr/bin/time");
    command.current_dir(desk.path("."));
    command.args(["-f", "%M", env!("CARGO_BIN_EXE_hazumi"), "render", "-q"]);
    command.args([&format!("{name}.json"), "--format", format, "--jobs", "2"]);
    command.args(match format {
        "y4m" | "rgba" => ["-o", "-"],
        _ => ["-o", "out"],
    });
    let run = finish(command, "").well();
    let size = run.said.lines().last().expect("a size");
    size.parse().expect("a number")
}

#[test]
fn memory_is_flat_in_the_number_of_frames() {
    if !std::path::Path::new("/usr/bin/time").exists() {
        println!("skipped: what memory is used needs `/usr/bin/time`, which is not here");
        return;
    }
    let desk = Desk::new();
    for (format, kept) in [
        ("gif", KEPT),
        ("apng", KEPT),
        ("png", 0),
        ("y4m", 0),
        ("rgba", 0),
    ] {
        let [short, long] = [200, 2000].map(|frames| peak(&desk, frames, format));
        assert!(
            long <= short + kept + SLACK,
            "{format}: {short} KiB, then {long}"
        );
    }
}
