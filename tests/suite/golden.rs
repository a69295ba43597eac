//! Golden images from outside: exit statuses, what is written and what is not, files made elsewhere, and bad ones.

use crate::desk::{Desk, Run, finish};
use crate::pngs::Chunks;

/// Half a second of a dot that runs to the right.
pub const RUN: &str = r##"{ "hazumi": 1, "alt": "A dot runs to the right.",
  "canvas": { "size": [40, 30], "fps": 10, "duration": 0.5, "background": "white" },
  "channels": { "x": "5 + 60.3 * t" },
  "draw": [ { "circle": { "at": ["x", 15], "radius": 4, "fill": "black" } } ],
  "expect": [ { "value": { "of": "x", "max": 40 } } ] }
"##;

/// As [`RUN`], but slower.
fn slow() -> String {
    RUN.replace("60.3", "60.2")
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("specs/run.json", RUN);
    desk
}

/// A desk with a golden.
fn blessed() -> Desk {
    let desk = desk();
    desk.run(&["bless", "specs"]).well();
    desk
}

fn run_in(desk: &Desk, ci: bool, arguments: &[&str]) -> Run {
    let mut command = desk.command(arguments);
    if ci {
        command.env("CI", "true");
    }
    finish(command, "")
}

/// Exit statuses with and without CI.
fn codes(desk: &Desk, arguments: &[&str]) -> [i32; 2] {
    [false, true].map(|ci| run_in(desk, ci, arguments).code)
}

const CHECK: &[&str] = &["check", "specs"];

#[test]
fn a_pass_is_0() {
    let desk = blessed();
    assert_eq!(codes(&desk, CHECK), [0, 0]);
    let run = desk.run(CHECK).well();
    assert_eq!(
        (run.text(), run.said.as_str()),
        ("", "note: 1 spec: 1 as before\n")
    );
    assert_eq!(desk.files(), ["golden/run.png", "specs/run.json"]);
}

#[test]
fn a_difference_is_1() {
    let desk = blessed();
    desk.write("specs/run.json", &slow());
    assert_eq!(codes(&desk, CHECK), [1, 1]);
    let said = desk.run(CHECK).said;
    for words in [
        "specs/run.json:3:17: golden differs from frame 1 (0.10 s)",
        "first cause   x (formula in channels)  expected 11.0303   got 11.0200   (-0.0103)   simulation",
        "pixels        frames 1–4 (4), worst frame",
        "drawn by      circle [x, 15] 100 %",
        "spec          changed since the golden was accepted",
        "look at       out/run.diff.gif",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    assert!(desk.read("out/run.diff.gif").starts_with(b"GIF89a"));
}

#[test]
fn numbers_of_pixels_are_no_exit_status() {
    for (size, pixels) in [("[16, 16]", 256), ("[32, 16]", 512)] {
        let desk = Desk::new();
        let spec = RUN.replace(
            "{ \"circle\": { \"at\": [\"x\", 15], \"radius\": 4, \"fill\": \"black\" } }",
            &format!(
                "{{ \"rect\": {{ \"at\": [20, 15], \"size\": {size}, \"fill\": \"black\" }} }}"
            ),
        );
        desk.write("specs/run.json", &spec);
        desk.run(&["bless", "specs"]).well();
        desk.write("specs/run.json", &spec.replace("black", "#000001"));
        let run = desk.run(CHECK);
        assert_eq!(run.code, 1);
        assert!(
            run.said
                .contains(&format!("{pixels} px, largest difference 1,")),
            "{}",
            run.said
        );
    }
}

#[test]
fn a_claim_that_does_not_hold_is_1_also_without_a_golden() {
    let desk = blessed();
    desk.write("specs/run.json", &RUN.replace("\"max\": 40", "\"max\": 20"));
    assert_eq!(codes(&desk, CHECK), [1, 1]);
    let run = desk.run(&["check", "specs", "--message-format", "json"]);
    for words in [
        "\"number\":0",
        "\"value\":29.1",
        "\"bound\":\"at most 20\"",
        "\"frame\":4",
        "\"line\":5",
        "\"label\":\"value x\"",
    ] {
        assert!(run.said.contains(words), "{words}\n{}", run.said);
    }
    std::fs::remove_file(desk.path("golden/run.png")).expect("the golden is there");
    let said = desk.run(CHECK).said;
    assert!(said.contains("specs/run.json:5:17: expect[0] `value x` does not hold: x is 29.12, at most 20 (frame 4)"), "{said}");
}

#[test]
fn a_missing_golden_is_1_and_a_candidate_is_written() {
    let desk = desk();
    assert_eq!(codes(&desk, CHECK), [1, 1]);
    let said = desk.run(CHECK).said;
    assert!(
        said.contains("specs/run.json: there is no golden"),
        "{said}"
    );
    assert!(said.contains("hazumi bless specs/run.json"), "{said}");
    let candidate = desk.read("out/run.png");
    assert!(!desk.path("golden").exists());
    desk.run(&["bless", "specs"]).well();
    assert!(
        candidate == desk.read("golden/run.png"),
        "the candidate is another file"
    );
}

#[test]
fn an_orphan_is_1_and_a_renamed_spec_is_known() {
    let desk = blessed();
    desk.write("specs/other.json", &slow());
    desk.run(&["bless", "specs"]).well();
    std::fs::rename(desk.path("specs/other.json"), desk.path("specs/new.json")).expect("renamed");
    assert_eq!(codes(&desk, CHECK), [1, 1]);
    let said = desk.run(CHECK).said;
    assert!(said.contains("golden/other.png: no spec has this golden, but `specs/new.json` has none and shows just this"), "{said}");
    // Of single files nobody knows which others there are.
    desk.run(&["check", "specs/run.json"]).well();
    let run = desk.run(&["bless", "specs"]).well();
    run.says("\"golden/other.png\": removed");
    desk.run(CHECK).well();
}

#[test]
fn bless_leaves_what_it_did_not_write() {
    let desk = blessed();
    desk.write("golden/other.gif", "GIF89a");
    desk.write("golden/picture.png", "a picture");
    desk.write("golden/README.md", "Golden images.");
    let run = desk.run(&["bless", "specs"]).well();
    run.says("made elsewhere and stays");
    assert!(desk.path("golden/other.gif").exists() && desk.path("golden/picture.png").exists());
    assert_eq!(codes(&desk, CHECK), [1, 1]);
}

/// Each with words that must be said of it.
fn bad_goldens(good: &[u8]) -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mut huge = Chunks::of(good);
    let header = huge.all(b"IHDR").next().expect("a header");
    header[..8].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let mut record = Chunks::of(good);
    *record.all(b"hzGL").next().expect("a record") = vec![0; 40];
    let mut pixels = Chunks::of(good);
    *pixels.all(b"IDAT").next().expect("pixels") = vec![0x78, 0x9c, 1, 2, 3];
    let mut few = Chunks::of(good);
    let end = few
        .0
        .iter()
        .rposition(|(name, _)| name == b"fcTL")
        .expect("a frame");
    few.0.drain(end..end + 2);
    let mut flipped = good.to_vec();
    flipped[good.len() - 20] ^= 1;
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n";
    vec![
        ("empty", Vec::new(), "it is no PNG"),
        ("text", b"{}".to_vec(), "it is no PNG"),
        ("half", good[..good.len() / 2].to_vec(), "it is cut short"),
        (
            "without its end",
            good[..good.len() - 12].to_vec(),
            "it is cut short",
        ),
        ("a bit", flipped, "it is damaged: the check sum"),
        ("pointer", pointer.to_vec(), "git lfs pull"),
        (
            "bomb",
            huge.bytes(),
            "60000 × 60000 px are beyond the limit",
        ),
        ("record", record.bytes(), "its timeline cannot be read"),
        ("pixels", pixels.bytes(), "it is damaged"),
        ("a frame less", few.bytes(), "it is damaged"),
    ]
}

#[test]
fn a_golden_that_cannot_be_read_is_2_and_stays() {
    let desk = blessed();
    let good = desk.read("golden/run.png");
    for (name, bytes, words) in bad_goldens(&good) {
        std::fs::write(desk.path("golden/run.png"), &bytes).expect("written");
        assert_eq!(codes(&desk, CHECK), [2, 2], "{name}");
        let said = desk.run(CHECK).said;
        assert!(
            said.contains("golden/run.png: the golden cannot be read: "),
            "{name}: {said}"
        );
        assert!(said.contains(words), "{name}: {said}");
        assert!(desk.read("golden/run.png") == bytes, "{name}");
    }
    desk.run(&["bless", "specs"]).well();
    assert!(desk.read("golden/run.png") == good);
}

#[test]
fn no_byte_of_a_golden_can_make_it_panic() {
    let desk = blessed();
    let good = desk.read("golden/run.png");
    for at in (8..good.len()).step_by(37) {
        let mut chunks = good.clone();
        chunks[at] ^= 0x55;
        std::fs::write(desk.path("golden/run.png"), &chunks).expect("written");
        let run = desk.run(CHECK);
        assert!(matches!(run.code, 0..=2), "byte {at}: {}", run.said);
    }
    // Also where every check sum matches.
    for chunk in 0..Chunks::of(&good).0.len() {
        for at in 0..30 {
            let mut chunks = Chunks::of(&good);
            let data = &mut chunks.0[chunk].1;
            let Some(byte) = data.get_mut(at) else { break };
            *byte ^= 0xa5;
            std::fs::write(desk.path("golden/run.png"), chunks.bytes()).expect("written");
            let run = desk.run(CHECK);
            assert!(
                matches!(run.code, 0..=2),
                "chunk {chunk}, byte {at}: {}",
                run.said
            );
        }
    }
}

#[test]
fn no_spec_at_all_is_2() {
    let desk = Desk::new();
    desk.write("specs/readme.txt", "no spec");
    assert_eq!(codes(&desk, CHECK), [2, 2]);
    assert_eq!(codes(&desk, &["check", "nowhere"]), [2, 2]);
}

#[test]
fn a_wrong_command_line_is_2() {
    let desk = blessed();
    for arguments in [
        &["check"][..],
        &["check", "specs", "--shard", "3/2", "--report", "r"],
        &["check", "specs", "--shard", "1/2"],
        &["check", "specs", "--nonsense"],
        &["check", "-"],
        &["merge", "nowhere", "--report", "r"],
    ] {
        assert_eq!(codes(&desk, arguments), [2, 2], "{arguments:?}");
    }
    desk.write("more/run.json", RUN);
    assert_eq!(codes(&desk, &["check", "specs", "more"]), [2, 2]);
}

#[test]
fn a_limit_is_2() {
    let desk = blessed();
    desk.write("specs/large.json", &RUN.replace("[40, 30]", "[9000, 30]"));
    assert_eq!(codes(&desk, CHECK), [2, 2]);
    let said = desk.run(CHECK).said;
    assert!(said.contains("8192"), "{said}");
}

#[test]
fn an_error_of_reading_or_writing_is_2() {
    let desk = blessed();
    desk.write("file", "");
    assert_eq!(
        codes(&desk, &["check", "specs", "--golden", "file"]),
        [2, 2]
    );
    assert_eq!(
        codes(&desk, &["check", "specs", "--report", "file"]),
        [2, 2]
    );
    desk.write("specs/run.json", &slow());
    assert_eq!(codes(&desk, &["check", "specs", "-o", "file/x"]), [2, 2]);
    desk.write("specs/broken.json", "{ \"hazumi\": 1, ");
    assert_eq!(codes(&desk, CHECK), [2, 2]);
}

#[test]
fn one_that_fails_does_not_stop_the_others() {
    let desk = blessed();
    desk.write("specs/a.json", "{ \"hazumi\": 1 }");
    desk.write("specs/run.json", &slow());
    let run = desk.run(CHECK);
    assert_eq!(run.code, 2);
    run.says("golden differs from frame 1");
    run.says("2 specs: 1 not as before, 1 failed");
}

#[test]
fn bless_refuses_under_ci_unless_forced() {
    let desk = desk();
    let run = run_in(&desk, true, &["bless", "specs"]).refused("--force");
    assert!(run.text().is_empty() && !desk.path("golden").exists());
    assert_eq!(run_in(&desk, true, &["bless", "specs", "--force"]).code, 0);
    let mut command = desk.command(&["bless", "specs"]);
    command.env("CI", "false");
    assert_eq!(finish(command, "").code, 0);
}

#[test]
fn bless_writes_only_what_changed() {
    let desk = blessed();
    desk.write("specs/two.json", &slow());
    let run = desk.run(&["bless", "specs"]).well();
    assert!(
        run.said.starts_with("note: two: new: 5 frames, "),
        "{}",
        run.said
    );
    assert_eq!(run.said.lines().count(), 1, "{}", run.said);
    let time = |name: &str| {
        desk.path(name)
            .metadata()
            .and_then(|m| m.modified())
            .expect("a time")
    };
    let before = [time("golden/run.png"), time("golden/two.png")];
    // Neither comments, nor layout, nor the order of keys.
    let moved = RUN.replace(
        "\"alt\": \"A dot runs to the right.\",",
        "// Fast.\n \"title\": \"A dot\",",
    );
    desk.write("specs/run.json", &moved);
    let run = desk.run(&["bless", "specs", "-q"]).well();
    assert!(!run.said.contains("run:"), "{}", run.said);
    assert_eq!(before, [time("golden/run.png"), time("golden/two.png")]);
    desk.write("specs/run.json", &slow());
    let said = desk.run(&["bless", "specs"]).well().said;
    let words =
        "note: run: frames 1–4 (4), x (formula in channels)  expected 11.0303   got 11.0200";
    assert!(said.starts_with(words), "{said}");
}

#[test]
fn a_lock_says_which_frame_and_which_name() {
    let desk = desk();
    desk.run(&["bless", "specs", "--lock-only"]).well();
    assert_eq!(desk.files(), ["golden/run.lock", "specs/run.json"]);
    let lock = String::from_utf8(desk.read("golden/run.lock")).expect("text");
    assert!(
        lock.lines().rev().take(5).all(|line| line.len() <= 40),
        "{lock}"
    );
    assert_eq!(codes(&desk, CHECK), [0, 0]);
    desk.write("specs/run.json", &slow());
    let said = desk.run(CHECK).said;
    for words in [
        "specs/run.json:3:17: golden differs from frame 1 (0.10 s)",
        "x (formula in channels)",
        "pixels        frames 1–4 (4)\n",
        "look at       out/run.lock",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    // A lock stays one, and an image becomes one when asked.
    desk.run(&["bless", "specs"]).well();
    assert_eq!(
        desk.contents("golden").into_keys().collect::<Vec<_>>(),
        ["run.lock"]
    );
    std::fs::remove_file(desk.path("golden/run.lock")).expect("the lock is there");
    desk.run(&["bless", "specs"]).well();
    desk.run(&["bless", "specs", "--lock-only"]).well();
    assert_eq!(
        desk.contents("golden").into_keys().collect::<Vec<_>>(),
        ["run.lock"]
    );
    let half = &lock.as_bytes()[..lock.len() - 20];
    std::fs::write(desk.path("golden/run.lock"), half).expect("written");
    assert_eq!(codes(&desk, CHECK), [2, 2]);
}

#[test]
fn two_goldens_of_one_spec_are_one_too_many() {
    let desk = blessed();
    desk.write("golden/run.lock", "hazumi lock 1\n");
    let run = desk.run(CHECK);
    assert_eq!(run.code, 2);
    assert!(
        run.said
            .contains("there are several: `run.png` and `run.lock`"),
        "{}",
        run.said
    );
}

#[test]
fn goldens_made_elsewhere_are_compared_by_their_pixels() {
    for (format, file) in [("gif", "run.gif"), ("apng", "run.png"), ("png", "run")] {
        let desk = desk();
        desk.run(&[
            "render",
            "specs/run.json",
            "-o",
            "golden",
            "--format",
            format,
        ])
        .well();
        assert!(desk.path("golden").join(file).exists());
        desk.run(CHECK).well();
        desk.write("specs/run.json", &slow());
        let run = desk.run(CHECK);
        assert_eq!(run.code, 1, "{format}");
        assert!(
            run.said.contains("golden differs from frame 1"),
            "{format}: {}",
            run.said
        );
        assert!(
            run.said.contains("made elsewhere"),
            "{format}: {}",
            run.said
        );
    }
}

#[test]
fn frames_that_others_have_merged_are_told_apart_by_their_times() {
    // The dot stands still for half of the time.
    let still = RUN.replace("5 + 60.3 * t", "5 + 60 * max(0, t - 0.2)");
    for format in ["gif", "apng"] {
        let desk = Desk::new();
        desk.write("specs/run.json", &still);
        desk.run(&[
            "render",
            "specs/run.json",
            "-o",
            "golden",
            "--format",
            format,
        ])
        .well();
        desk.run(CHECK).well();
        desk.write("specs/run.json", &still.replace("t - 0.2", "t - 0.3"));
        let run = desk.run(CHECK);
        assert!(
            run.said.contains("golden differs from frame 3"),
            "{format}: {}",
            run.said
        );
        desk.write(
            "specs/run.json",
            &still.replace("\"duration\": 0.5", "\"duration\": 0.7"),
        );
        let run = desk.run(CHECK);
        assert_eq!(run.code, 1, "{format}: {}", run.said);
        assert!(
            run.said.contains("expected 0.50 s, got 0.70 s"),
            "{format}: {}",
            run.said
        );
    }
}

#[test]
fn a_tolerance_needs_a_reason_and_is_told() {
    let desk = blessed();
    let with =
        |golden: &str| RUN.replace("\"expect\"", &format!("\"golden\": {golden}, \"expect\""));
    desk.write("specs/run.json", &with(r#"{ "channel": 9 }"#));
    desk.run(CHECK).refused("reason");
    desk.write(
        "specs/run.json",
        &with(r#"{ "channel": 9, "reason": " " }"#),
    );
    desk.run(CHECK).refused("the reason is empty");
    let said =
        "{ \"channel\": 9, \"pixels\": 40, \"number\": 0.1, \"reason\": \"a font of the system\" }";
    desk.write("specs/run.json", &with(said).replace("60.3", "60.2"));
    let run = desk.run(CHECK).well();
    let words = "specs/run.json: tolerance: numbers 0.1, channels 9, pixels 40: a font of the system (warning: wider than needed;";
    run.says(words);
    desk.write("specs/run.json", &with(said).replace("60.3", "55"));
    let run = desk.run(CHECK);
    assert_eq!(run.code, 1, "{}", run.said);
    run.says("a font of the system");
}

#[test]
fn the_numbers_count_even_where_no_pixel_changes() {
    let desk = blessed();
    desk.write("specs/run.json", &RUN.replace("60.3", "60.3000000001"));
    let run = desk.run(CHECK);
    assert_eq!(run.code, 1);
    for words in [
        "golden differs from frame 1",
        "x (formula in channels)  differs by less than the golden tells",
        "pixels        equal",
    ] {
        assert!(run.said.contains(words), "{words}\n{}", run.said);
    }
}

#[test]
fn names_that_change_nothing_change_nothing() {
    let desk = blessed();
    let more = RUN.replace("\"x\": ", "\"helper\": \"2 * x\", \"x\": ");
    desk.write("specs/run.json", &more);
    desk.run(CHECK).well();
    let renamed = RUN.replace("\"x\"", "\"way\"");
    desk.write("specs/run.json", &renamed);
    desk.run(CHECK).well();
}

#[test]
fn golden_images_are_read_by_others() {
    let desk = blessed();
    let bytes = desk.read("golden/run.png");
    let names: Vec<[u8; 4]> = Chunks::of(&bytes).0.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.iter().filter(|name| *name == b"fcTL").count(), 5);
    // Not needed, private, and not to be copied by whoever changes pixels.
    let record = names.iter().find(|name| name[0] == b'h').expect("a record");
    assert_eq!(
        record.map(|letter| letter.is_ascii_uppercase()),
        [false, false, true, true]
    );
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().expect("a PNG");
    assert_eq!(
        reader
            .info()
            .animation_control
            .expect("an animation")
            .num_frames,
        5
    );
}

#[test]
fn the_doctor_finds_this_machine_well() {
    let desk = Desk::new();
    let run = desk.run(&["doctor"]).well();
    assert_eq!(
        run.text().matches("as published").count(),
        2,
        "{}",
        run.text()
    );
}

#[test]
fn the_doctor_prints_hashes_of_specs_and_goes_on_after_a_mistake() {
    let desk = Desk::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = std::fs::read_to_string(folder.join("golden/hashes.txt")).expect("hashes");
    let line = published.lines().find(|line| line.starts_with("arm "));
    let line = line.expect("an example that is called arm");
    let spec = std::fs::read_to_string(folder.join("specs/arm.json")).expect("an example");
    desk.write("arm.json", &spec);
    desk.write("wrong.json", r#"{ "hazumi": 1 }"#);
    let run = desk.run(&["doctor", "wrong.json", "arm.json"]);
    assert_eq!(run.code, 2, "{}", run.said);
    assert_eq!(run.text(), format!("{line}\n"));
}

/// `HAZUMI_BLESS=1 cargo test --release doctor` publishes the digests anew.
#[test]
fn the_doctors_digests_are_those_of_its_spec() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/golden");
    let spec = std::fs::read_to_string(folder.join("doctor.json")).expect("the doctor's spec");
    let desk = Desk::new();
    desk.write("doctor.json", &spec);
    desk.run(&["bless", "doctor.json", "--lock-only"]).well();
    let measured = desk.read("golden/doctor.lock");
    let path = folder.join("doctor.lock");
    if std::env::var_os("HAZUMI_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &measured).expect("written");
    }
    let published = std::fs::read(&path).expect("the doctor's digests");
    assert!(published == measured, "HAZUMI_BLESS=1 accepts it");
}
