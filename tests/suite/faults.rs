//! Faults of the system while something is written: disks that are full, files that may not grow, folders that may
//! not be written to, readers that leave, and a program that is killed at any of its steps.
#![cfg(target_os = "linux")]

use crate::desk::{Desk, Run, finish};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A picture that GIF and PNG need some kilobytes for.
fn spec(frames: usize, colour: &str) -> String {
    format!(
        r##"{{ "hazumi": 1, "alt": "Dots.", "canvas": {{ "size": [192, 144], "fps": 10, "frames": {frames} }},
  "draw": [{{ "repeat": {{ "count": 60, "draw": [
    {{ "circle": {{ "at": ["96 + 80 * sin(.i * 77 + frame * 31)", "72 + 60 * sin(.i * 50 + frame * 43)"],
      "radius": "4 + .i / 10", "fill": "{colour}", "opacity": 0.5 }} }}] }} }}] }}
"##
    )
}

type Contents = BTreeMap<String, Vec<u8>>;

/// A format, what stands in its place, and what would.
struct Case {
    desk: Desk,
    format: &'static str,
    old: Contents,
    new: Contents,
}

/// The formats that take the place of something: two files, and a folder of them.
const FORMATS: [&str; 3] = ["gif", "apng", "png"];

impl Case {
    fn of(format: &'static str) -> Self {
        let desk = Desk::new();
        desk.write("old/x.json", &spec(6, "tomato"));
        desk.write("new/x.json", &spec(4, "teal"));
        let made = |which: &str| {
            let spec = format!("{which}/x.json");
            let words = [
                "render", &spec, "-o", "made", "--format", format, "--jobs", "1",
            ];
            desk.run(&words).well();
            desk.contents("made")
        };
        let (old, new) = (made("old"), made("new"));
        assert!(old != new && !old.is_empty());
        Self {
            desk,
            format,
            old,
            new,
        }
    }

    /// Puts the old files where the new ones are to go.
    fn lay(&self) {
        let out = self.desk.path("out");
        if out.exists() {
            std::fs::remove_dir_all(&out).expect("a folder of the test's own");
        }
        for (name, bytes) in &self.old {
            let place = out.join(name);
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("writable");
            std::fs::write(place, bytes).expect("writable");
        }
    }

    fn words(&self) -> [&str; 8] {
        let format = self.format;
        [
            "render",
            "new/x.json",
            "-o",
            "out",
            "--format",
            format,
            "--jobs",
            "1",
        ]
    }

    /// The command that renders, behind another program.
    fn behind(&self, program: &str, arguments: &[&str]) -> Command {
        let plain = self.desk.command(&self.words());
        let mut command = Command::new(program);
        command.args(arguments).arg(plain.get_program());
        command.args(self.words()).current_dir(self.desk.path(""));
        command
    }

    /// What is there without what is temporary, which must be all old or all new. Whether it is new.
    fn judge(&self, when: &str) -> bool {
        let mut found = self.desk.contents("out");
        found.retain(|name, _| !name.contains(".hazumi-"));
        let (is_old, is_new) = (found == self.old, found == self.new);
        let names = found.keys().collect::<Vec<_>>();
        assert!(is_old || is_new, "{} {when}: {names:?}", self.format);
        is_new
    }

    /// Fails if anything temporary is left.
    fn is_tidy(&self, when: &str) {
        let names = self.desk.contents("out").into_keys();
        let left: Vec<String> = names.filter(|name| name.contains(".hazumi-")).collect();
        assert!(left.is_empty(), "{} {when}: {left:?}", self.format);
    }
}

/// What was said is a sentence about writing, for people.
fn says_why(run: &Run, words: &str, when: &str) {
    assert_eq!(run.code, 2, "{when}: {}", run.said);
    assert!(run.said.starts_with("error: "), "{when}: {}", run.said);
    assert!(run.said.contains(words), "{when}: {}", run.said);
    assert!(!run.said.contains("os error"), "{when}: {}", run.said);
}

/// Whether a program can be run here; if not, says which test goes without it.
fn has(program: &str, arguments: &[&str], test: &str) -> bool {
    let run = Command::new(program).args(arguments).output();
    let works = run.is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: {test} needs `{program}`, which does not run here");
    }
    works
}

/// A small disk of its own, which goes away with the test.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: PathBuf, options: &str, test: &str) -> Option<Self> {
        std::fs::create_dir_all(&at).expect("writable");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "hazumi-test"]);
        let run = command.arg(&at).output();
        if run.is_ok_and(|output| output.status.success()) {
            return Some(Self(at));
        }
        println!("skipped: {test} needs to mount a disk, which is not permitted here");
        None
    }

    fn make_read_only(&self) {
        let mut command = Command::new("mount");
        let run = command.args(["-o", "remount,ro"]).arg(&self.0).status();
        assert!(run.expect("mount runs").success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_file_that_may_not_grow_leaves_the_old_one() {
    if !has(
        "prlimit",
        &["--version"],
        "a_file_that_may_not_grow_leaves_the_old_one",
    ) {
        return;
    }
    for format in FORMATS {
        let case = Case::of(format);
        let largest = case.new.values().map(Vec::len).max().expect("files");
        let step = largest / 12 + 1;
        // The last one lacks a single byte.
        let sizes = (0..largest).step_by(step).chain([largest - 1]);
        for size in sizes {
            case.lay();
            let when = format!("at {size} of {largest} bytes");
            let limit = format!("--fsize={size}");
            let run = finish(case.behind("prlimit", &[&limit]), "");
            says_why(&run, "File too large", &when);
            assert!(!case.judge(&when), "{format} {when}: new all the same");
            case.is_tidy(&when);
        }
        case.lay();
        let limit = format!("--fsize={largest}");
        finish(case.behind("prlimit", &[&limit]), "").well();
        assert!(case.judge("with room enough"));
    }
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    for format in FORMATS {
        let case = Case::of(format);
        let whole: usize = case.new.values().map(Vec::len).sum();
        let old: usize = case.old.values().map(Vec::len).sum();
        // Pages are what a disk in memory counts.
        let pages = |bytes: usize| bytes.div_ceil(4096);
        let many = (pages(old) + case.old.len()) + pages(whole) + case.new.len() + 4;
        let mut reached = false;
        for room in (1..=many).rev() {
            let test = "a_full_disk_leaves_the_old_file";
            let options = format!("size={}k", 4 * room);
            let Some(_disk) = Disk::mount(case.desk.path("out"), &options, test) else {
                return;
            };
            let fits = case.old.iter().all(|(name, bytes)| {
                let place = case.desk.path("out").join(name);
                std::fs::create_dir_all(place.parent().expect("a folder")).is_ok()
                    && std::fs::write(place, bytes).is_ok()
            });
            if !fits {
                break;
            }
            let when = format!("with {room} pages");
            let run = case.desk.run(&case.words());
            match case.judge(&when) {
                true => assert_eq!(run.code, 0, "{format} {when}: {}", run.said),
                false => {
                    reached = true;
                    says_why(&run, "No space left on device", &when);
                }
            }
            case.is_tidy(&when);
        }
        assert!(reached, "{format}: there was always room");
    }
}

#[test]
fn a_disk_without_room_for_one_more_file_is_said() {
    for format in FORMATS {
        let case = Case::of(format);
        // The root, the old files and their folder are all there may be.
        let inodes = 1 + case.old.len() + usize::from(format == "png");
        let test = "a_disk_without_room_for_one_more_file_is_said";
        let options = format!("size=1m,nr_inodes={inodes}");
        let Some(_disk) = Disk::mount(case.desk.path("out"), &options, test) else {
            return;
        };
        for (name, bytes) in &case.old {
            let place = case.desk.path("out").join(name);
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("room");
            std::fs::write(place, bytes).expect("room");
        }
        let run = case.desk.run(&case.words());
        says_why(&run, "No space left on device", format);
        assert!(!case.judge(format));
        case.is_tidy(format);
    }
}

#[test]
fn a_folder_that_may_only_be_read_is_said() {
    for format in FORMATS {
        let case = Case::of(format);
        let test = "a_folder_that_may_only_be_read_is_said";
        let Some(disk) = Disk::mount(case.desk.path("out"), "size=1m", test) else {
            return;
        };
        for (name, bytes) in &case.old {
            let place = case.desk.path("out").join(name);
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("room");
            std::fs::write(place, bytes).expect("room");
        }
        disk.make_read_only();
        let run = case.desk.run(&case.words());
        says_why(&run, "Read-only file system", format);
        assert!(!case.judge(format));
    }
}

/// Steps of writing at which a fault may strike, and the faults that the system knows there.
const STEPS: &[(&str, &[&str])] = &[
    ("write", &["ENOSPC", "EIO"]),
    ("fsync", &["EIO"]),
    ("rename", &["EIO"]),
    ("renameat2", &["EIO", "EINVAL"]),
    ("mkdir", &["ENOSPC"]),
    ("linkat", &["EMLINK"]),
    ("chmod", &["EPERM"]),
];

/// So many times a step is taken at most before a test gives up.
const MOST: usize = 60;

/// Runs a case with something done to the `n`th call of a step; whether it came to that.
fn injected(case: &Case, step: &str, what: &str, n: usize) -> (Option<i32>, String, bool) {
    let log = case.desk.path("log");
    let log_word = log.to_string_lossy().into_owned();
    let inject = format!("inject={step}:{what}:when={n}");
    let trace = format!("trace={step}");
    let arguments = ["-f", "-qq", "-o", &log_word, "-e", &trace, "-e", &inject];
    let output = case.behind("strace", &arguments).output();
    let output = output.expect("strace runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let log = std::fs::read_to_string(&log).unwrap_or_default();
    let struck = log.contains("(INJECTED)") || log.contains("killed by SIGKILL");
    (output.status.code(), said, struck)
}

/// Whether strace may follow a program here.
fn may_trace(test: &str) -> bool {
    has("strace", &["-f", "-e", "trace=none", "true"], test)
}

#[test]
fn a_fault_at_any_step_leaves_the_old_file_or_the_new_one() {
    if !may_trace("a_fault_at_any_step_leaves_the_old_file_or_the_new_one") {
        return;
    }
    for format in FORMATS {
        let case = Case::of(format);
        let mut struck_in_all = 0;
        for (step, faults) in STEPS {
            for fault in *faults {
                for n in 1..=MOST {
                    case.lay();
                    let when = format!("{fault} at {step} {n}");
                    let what = format!("error={fault}");
                    let (code, said, struck) = injected(&case, step, &what, n);
                    let is_new = case.judge(&when);
                    assert!(
                        matches!(code, Some(0 | 2)),
                        "{format} {when}: {code:?} {said}"
                    );
                    assert_eq!(code == Some(0), is_new, "{format} {when}: {said}");
                    assert!(!said.contains("os error"), "{format} {when}: {said}");
                    case.is_tidy(&when);
                    if !struck {
                        break;
                    }
                    struck_in_all += 1;
                }
            }
        }
        println!("{format}: {struck_in_all} faults");
        assert!(struck_in_all >= 4, "{format}: only {struck_in_all} faults");
    }
}

#[test]
fn killed_at_any_step_it_leaves_the_old_file_or_the_new_one() {
    if !may_trace("killed_at_any_step_it_leaves_the_old_file_or_the_new_one") {
        return;
    }
    for format in FORMATS {
        let case = Case::of(format);
        let mut struck_in_all = 0;
        let steps = STEPS.iter().map(|(step, _)| *step);
        for step in steps.chain(["openat", "unlink", "unlinkat", "rmdir", "flock"]) {
            for n in 1..=MOST {
                case.lay();
                let when = format!("killed at {step} {n}");
                let (_, _, struck) = injected(&case, step, "signal=KILL", n);
                case.judge(&when);
                if !struck {
                    break;
                }
                struck_in_all += 1;
                // The next run clears up.
                case.desk.run(&case.words()).well();
                assert!(case.judge(&when), "{format} {when}: the next run");
                case.is_tidy(&when);
            }
        }
        println!("{format}: killed {struck_in_all} times");
        assert!(
            struck_in_all >= 4,
            "{format}: killed only {struck_in_all} times"
        );
    }
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_file_or_the_new_one() {
    for format in FORMATS {
        let case = Case::of(format);
        for moment in 0..24 {
            case.lay();
            let mut command = case.desk.command(&case.words());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("it starts");
            sleep(Duration::from_millis(2 * moment));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            case.judge(&format!("killed after {} ms", 2 * moment));
        }
        case.desk.run(&case.words()).well();
        case.is_tidy("after the last");
    }
}

/// What a sequence's folder holds besides goes with it, whichever way the new one gets there.
#[test]
fn what_else_is_in_a_folder_stays() {
    let case = Case::of("png");
    case.lay();
    case.desk.write("out/x/notes.txt", "mine");
    std::os::unix::fs::symlink("notes.txt", case.desk.path("out/x/link")).expect("a link");
    case.desk.run(&case.words()).well();
    assert_eq!(case.desk.read("out/x/notes.txt"), b"mine");
    let link = std::fs::read_link(case.desk.path("out/x/link")).expect("still a link");
    assert_eq!(link, Path::new("notes.txt"));
    case.desk.write("out/x/folder/more.txt", "mine too");
    case.desk.run(&case.words()).well();
    assert_eq!(case.desk.read("out/x/folder/more.txt"), b"mine too");
    let names = case.desk.contents("out").into_keys().collect::<Vec<_>>();
    let wanted = [
        "x/0000.png",
        "x/0001.png",
        "x/0002.png",
        "x/0003.png",
        "x/folder/more.txt",
        "x/link",
        "x/notes.txt",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn a_link_is_replaced_and_what_it_points_to_is_not_touched() {
    use std::os::unix::fs::symlink;
    for (format, name) in [("gif", "x.gif"), ("apng", "x.png"), ("png", "x")] {
        let case = Case::of(format);
        let at = |name: &str| case.desk.path(name);
        for dangling in [true, false] {
            let out = at("out");
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir_all(&out).expect("writable");
            let target = match format {
                "png" => "target/0000.png",
                _ => "target",
            };
            let _ = std::fs::remove_dir_all(at("target"));
            let _ = std::fs::remove_file(at("target"));
            if !dangling {
                case.desk.write(target, "old");
            }
            symlink(at("target"), out.join(name)).expect("a link");
            case.desk.run(&case.words()).well();
            assert!(case.judge(&format!("dangling: {dangling}")));
            assert!(!out.join(name).is_symlink(), "{format}");
            match dangling {
                true => assert!(!at("target").exists(), "{format}"),
                false => assert_eq!(case.desk.read(target), b"old", "{format}"),
            }
        }
    }
}

/// A shell that runs the program as `"$@"` in a script.
fn shell(desk: &Desk, script: &str, arguments: &[&str]) -> Run {
    let plain = desk.command(arguments);
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(plain.get_program());
    command.args(arguments).current_dir(desk.path(""));
    finish(command, "")
}

/// Every verb that writes to standard output.
const TALKERS: &[&[&str]] = &[
    &["render", "new/x.json", "-o", "-"],
    &["render", "new/x.json", "-o", "-", "--format", "png"],
    &["render", "new/x.json", "-o", "-", "--format", "y4m"],
    &["render", "new/x.json", "-o", "made", "--html"],
    &["trace", "new/x.json"],
    &["trace", "new/x.json", "--format", "json"],
    &["extract", "made/x.gif"],
    &["schema"],
    &["list"],
    &["doctor"],
    &["completions", "bash"],
    &["man"],
    &["--help"],
    &["--version"],
];

#[test]
fn a_full_device_as_standard_output_is_said() {
    let case = Case::of("gif");
    for arguments in TALKERS {
        let run = shell(&case.desk, "exec \"$@\" > /dev/full", arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.said);
        assert!(!run.said.contains("os error") && !run.said.contains("panicked"));
        if !arguments[0].starts_with('-') {
            says_why(&run, "No space left on device", &format!("{arguments:?}"));
        }
    }
}

#[test]
fn a_reader_that_is_gone_is_no_failure() {
    let case = Case::of("gif");
    for arguments in TALKERS {
        // The reader ends before the program starts.
        let script = "{ sleep 0.1; \"$@\"; echo \"code $?\" >&2; } | true";
        let run = shell(&case.desk, script, arguments);
        assert!(
            run.said.ends_with("code 0\n"),
            "{arguments:?}: {}",
            run.said
        );
        assert_eq!(run.said.lines().count(), 1, "{arguments:?}: {}", run.said);
    }
}

#[test]
fn streams_that_are_closed_are_no_reason_to_panic() {
    let case = Case::of("gif");
    case.desk.write("bad.json", "{");
    let more: [&[&str]; 3] = [
        &["render", "bad.json"],
        &["render", "new/x.json", "-o", "made", "-v"],
        &["render", "--nonsense"],
    ];
    for arguments in TALKERS.iter().chain(&more) {
        for script in [
            "exec \"$@\" >&-",
            "exec \"$@\" > /dev/null 2>&-",
            "exec \"$@\" <&- >&- 2>&-",
            "exec \"$@\" > /dev/null 2> /dev/full",
        ] {
            let run = shell(&case.desk, script, arguments);
            let wrong = arguments
                .iter()
                .any(|word| word.contains("bad") || word.contains("nonsense"));
            let wanted = if wrong { 2 } else { 0 };
            assert_eq!(run.code, wanted, "{arguments:?} {script}: {}", run.said);
        }
    }
}

#[test]
fn every_verb_that_writes_files_says_why_it_cannot() {
    let case = Case::of("gif");
    let desk = &case.desk;
    desk.run(&[
        "check", "new", "--golden", "none", "-o", "check", "--shard", "1/1", "--report", "shard",
    ]);
    let writers: &[&[&str]] = &[
        &["render", "new/x.json", "-o", "disk/x.gif"],
        &["render", "new/x.json", "-o", "disk", "--format", "y4m"],
        &["render", "new/x.json", "-o", "disk", "--format", "rgba"],
        &["render", "new/x.json", "-o", "disk", "--format", "sheet"],
        &["render", "new/x.json", "-o", "disk", "--format", "onion"],
        &["render", "new/x.json", "-o", "disk", "--format", "sprite"],
        &["render", "new/x.json", "-o", "disk/x.png", "--frame", "0"],
        &["render", "new/x.json", "-o", "disk", "--max-bytes", "900k"],
        &["bless", "new", "--golden", "disk"],
        &["bless", "new", "--golden", "disk", "--lock-only"],
        &["check", "new", "--golden", "none", "-o", "disk"],
        &[
            "check", "new", "--golden", "none", "-o", "check", "--report", "disk",
        ],
        &["merge", "shard", "--report", "disk"],
        &["extract", "made/x.gif", "-o", "disk"],
        &["new", "disk/ball"],
    ];
    let Some(_disk) = Disk::mount(
        desk.path("disk"),
        "size=4k",
        "every_verb_that_writes_files_says_why_it_cannot",
    ) else {
        return;
    };
    // The only page is taken.
    desk.write("disk/full", &"x".repeat(4096));
    for arguments in writers {
        let run = desk.run(arguments);
        let when = format!("{arguments:?}");
        assert_eq!(run.code, 2, "{when}: {}", run.said);
        assert!(
            run.said.contains("No space left on device"),
            "{when}: {}",
            run.said
        );
        assert!(!run.said.contains("os error"), "{when}: {}", run.said);
        let names = desk.contents("disk").into_keys().collect::<Vec<_>>();
        assert_eq!(names, ["full"], "{when}");
    }
}
