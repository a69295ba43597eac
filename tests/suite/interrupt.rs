//! A run that is told to stop, or killed, leaves the old file or the new one.
#![cfg(unix)]

use crate::desk::Desk;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Takes many seconds to write.
const LONG: &str = r##"{ "hazumi": 1, "alt": "Dots.", "canvas": { "size": [1600, 1200], "frames": 3000 },
  "draw": [{ "repeat": { "count": 60, "draw": [
    { "circle": { "at": ["40 + 25 * .i", "600 + 500 * sin(.i * 9 + frame)"], "radius": 30, "fill": "tomato" } }] } }] }
"##;

/// A desk with a long spec and old outputs.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("long.json", LONG);
    desk.write("out/long.gif", "old");
    desk.write("out/long.png", "old");
    desk.write("out/long/0000.png", "old");
    desk
}

/// Begins to render and waits until something temporary is there.
fn begin(desk: &Desk, format: &str, out: &str) -> Child {
    let mut command = desk.command(&["render", "long.json", "-o", out, "--format", format]);
    let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
    for _ in 0..3000 {
        if desk
            .contents("")
            .keys()
            .any(|name| name.contains(".hazumi-"))
        {
            return child;
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().expect("it ends");
    child.wait().expect("it ends");
    panic!("nothing is written");
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill")
        .arg(signal)
        .arg(child.id().to_string())
        .status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn an_interruption_leaves_what_was_there() {
    for (format, signal, code) in [
        ("gif", "-INT", 130),
        ("apng", "-TERM", 143),
        ("png", "-INT", 130),
    ] {
        let desk = desk();
        let before = desk.contents("");
        let mut child = begin(&desk, format, "out");
        send(&child, signal);
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(code), "{format}");
        assert!(
            desk.contents("") == before,
            "{format}: {:?}",
            desk.contents("").keys()
        );
    }
}

#[test]
fn an_interruption_takes_new_folders_away() {
    let desk = desk();
    let mut child = begin(&desk, "gif", "new/folder");
    send(&child, "-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    assert!(!desk.path("new").exists());
}

#[test]
fn the_next_run_clears_up_after_one_that_was_killed() {
    for format in ["gif", "png"] {
        let desk = desk();
        let before = desk.contents("");
        let mut child = begin(&desk, format, "out");
        send(&child, "-KILL");
        child.wait().expect("it ends");
        let after = desk.contents("");
        assert!(
            before
                .iter()
                .all(|(name, bytes)| after.get(name) == Some(bytes)),
            "{format}"
        );
        assert!(after.len() > before.len(), "{format}");
        let words = [
            "render",
            "long.json",
            "-o",
            "out",
            "--format",
            format,
            "--frames",
            "0..2",
            "--scale",
            "0.1",
        ];
        desk.run(&words).well();
        let names: Vec<String> = desk.contents("").into_keys().collect();
        assert!(
            !names.iter().any(|name| name.contains(".hazumi-")),
            "{names:?}"
        );
    }
}

#[test]
fn two_runs_into_one_folder_do_not_disturb_each_other() {
    let desk = desk();
    let words = [
        "render",
        "long.json",
        "-o",
        "out",
        "--format",
        "gif,png",
        "--frames",
        "0..40",
        "--scale",
        "0.1",
    ];
    let mut runs: Vec<Child> = (0..4)
        .map(|_| {
            desk.command(&words)
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts")
        })
        .collect();
    for run in &mut runs {
        assert!(run.wait().expect("it ends").success());
    }
    let names: Vec<String> = desk.contents("out").into_keys().collect();
    assert_eq!(names.len(), 2 + 40, "{names:?}");
    assert!(desk.read("out/long.gif").starts_with(b"GIF89a"));
}
