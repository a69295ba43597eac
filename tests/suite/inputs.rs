//! Inputs that are no specs, or that reach for what is not theirs: said exactly, read within bounds.

use crate::desk::{Desk, finish};
use std::process::Stdio;

const SPEC: &str = r#"{ "hazumi": 1, "alt": "A dot.", "canvas": { "size": [40, 30], "frames": 2 },
  "draw": [ { "circle": { "at": [20, 15], "radius": 9 } } ] }
"#;

/// Renders bytes as a spec; what is said if they are refused.
fn refusal(bytes: &[u8]) -> String {
    let desk = Desk::new();
    std::fs::write(desk.path("x.json"), bytes).expect("writable");
    let run = desk.run(&["render", "x.json"]).refused("error: ");
    assert_eq!(desk.files(), ["x.json"]);
    run.said
}

#[test]
fn a_canvas_has_a_size() {
    for (size, words) in [
        ("[0, 30]", "`size` is 0, but must be at least 1"),
        ("[40, -5]", "`size` is -5, but must be at least 1"),
        ("[4.5, 30]", "`size` takes a whole number"),
    ] {
        let said = refusal(SPEC.replace("[40, 30]", size).as_bytes());
        assert!(
            said.contains("x.json:1:") && said.contains(words),
            "{size}:\n{said}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let wide: Vec<u8> = SPEC.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, place, words) in [
        (&b""[..], "x.json", "empty spec"),
        (b" \n\t", "x.json", "empty spec"),
        (b"\xef\xbb\xbf", "x.json", "empty spec"),
        (&wide, "x.json", "the text is UTF-16, and a spec is UTF-8"),
        (
            b"\x7fELF\x02\x01\x01\x00\x00",
            "x.json",
            "this is a binary file, not a text",
        ),
        (
            b"{\n \"alt\": \"caf\xe9\" }",
            "x.json:2:13",
            "the text is not UTF-8: byte 0xe9",
        ),
        (
            b"{ \"hazumi\": 1e999 }",
            "x.json:1:13",
            "`1e999` is too large for a number",
        ),
        (b"{ \"hazumi\": NaN }", "x.json:1:13", "NaN"),
        (
            b"{ \"hazumi\": 1, \"draw\": [ {",
            "x.json:1:",
            "the spec ends while `{` is open",
        ),
    ] {
        let said = refusal(bytes);
        assert!(
            said.contains(place) && said.contains(words),
            "{place} {words}:\n{said}"
        );
    }
    let desk = Desk::new();
    desk.write("x.json", &format!("\u{feff}{SPEC}"));
    assert_eq!(desk.run(&["render", "x.json"]).well().said, "");
}

#[test]
fn what_never_ends_is_read_as_far_as_the_limit() {
    let words = "larger than the limit of 16 MiB";
    let desk = Desk::new();
    let large = std::fs::File::create(desk.path("large.json")).expect("writable");
    // A hole in a file: it takes no room.
    large.set_len(100_000_000).expect("a file with a hole");
    desk.run(&["render", "large.json"]).refused(words);
    #[cfg(unix)]
    {
        desk.run(&["render", "/dev/zero", "-o", "x.gif"])
            .refused(words);
        let mut command = desk.command(&["render", "-", "-o", "x.gif"]);
        let endless = std::fs::File::open("/dev/zero").expect("a device");
        command.stdin(endless).stdout(Stdio::piped());
        let output = command.output().expect("it ends");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(words));
    }
    assert_eq!(desk.files(), ["large.json"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_as_a_spec_but_not_as_a_part() {
    let desk = Desk::new();
    desk.write("spec.json", SPEC);
    let shell = |script: &str, arguments: &[&str]| {
        let plain = desk.command(arguments);
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, "sh"]).arg(plain.get_program());
        command.args(arguments).current_dir(desk.path(""));
        finish(command, "")
    };
    shell(
        "mkfifo fifo && { cat spec.json > fifo & } && exec \"$@\"",
        &["render", "fifo", "-o", "x.gif"],
    )
    .well();
    shell(
        "{ yes ' ' > fifo 2> /dev/null & } && exec \"$@\"",
        &["render", "fifo", "-o", "y.gif"],
    )
    .refused("larger than the limit of 16 MiB");
    // Nobody writes into it: to open it would be to wait for ever.
    let part = SPEC.replace(
        "\"draw\"",
        r#""parts": { "p": { "file": "fifo" } }, "draw""#,
    );
    desk.write("part.json", &part);
    desk.run(&["render", "part.json"])
        .refused("`fifo` is no file");
    desk.write(
        "font.json",
        &SPEC.replace("\"draw\"", r#""fonts": ["fifo"], "draw""#),
    );
    desk.run(&["render", "font.json"])
        .refused("`fifo` is no file");
}

#[test]
fn files_outside_the_specs_folder_are_not_read() {
    let desk = Desk::new();
    desk.write("secret.json", r#"{ "draw": [] }"#);
    desk.write("in/sub/ok.json", r#"{ "draw": [] }"#);
    let mut paths = vec!["../secret.json", "sub/../../secret.json", "/etc/passwd", ""];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../secret.json", desk.path("in/link.json")).expect("a link");
        symlink("..", desk.path("in/up")).expect("a link");
        paths.extend(["link.json", "up/secret.json"]);
    }
    for path in paths {
        for section in [
            format!(r#""parts": {{ "p": {{ "file": "{path}" }} }}, "draw""#),
            format!(r#""fonts": ["{path}"], "draw""#),
        ] {
            desk.write("in/x.json", &SPEC.replace("\"draw\"", &section));
            let run = desk.run(&["render", "in/x.json"]).refused("in/x.json:2:");
            let words = format!("`{path}` lies outside the spec's folder");
            assert!(run.said.contains(&words), "{section}: {}", run.said);
        }
    }
    let nested = r#"{ "file": "sub/other.json" }"#;
    desk.write("in/sub/nested.json", nested);
    let section = r#""parts": { "p": { "file": "sub/nested.json" } }, "draw""#;
    desk.write("in/x.json", &SPEC.replace("\"draw\"", section));
    desk.run(&["render", "in/x.json"])
        .refused("a part's file cannot name another file");
}

#[test]
fn outputs_with_names_that_will_not_do_are_refused() {
    let desk = Desk::new();
    for name in ["..", "CON", "nul", "com1", "x.", "lpt9.y"] {
        desk.write(&format!("in/{name}.json"), SPEC);
        let path = format!("in/{name}.json");
        let run = desk
            .run(&["render", &path, "-o", "out"])
            .refused("cannot name a file");
        assert!(run.said.contains(&format!("{name:?}")), "{}", run.said);
    }
    desk.write("x.json", SPEC);
    // Names of themes become names of files.
    let themed = SPEC.replace(
        "\"draw\"",
        r##""palette": { "ink": "#000" }, "themes": { "../../up": { "ink": "#fff" } }, "draw""##,
    );
    desk.write("theme.json", &themed);
    let run = desk.run(&["render", "theme.json", "--theme", "all", "-o", "out"]);
    assert_eq!(run.code, 2, "{}", run.said);
    assert!(!desk.path("up.gif").exists());
    desk.run(&["render", "x.json", "-o", "x.json"]).refused("");
    let run = desk
        .run(&["render", "x.json", "x.json", "-o", "out"])
        .refused("the same place");
    run.says("`x.json` and `x.json`");
}

#[test]
fn what_a_spec_says_cannot_pass_for_what_the_program_says() {
    let desk = Desk::new();
    let evil = r"a\n::error file=x::b\u001b[31m<script>";
    let spec = SPEC.replace("\"radius\"", &format!("\"{evil}\": 1, \"radius\""));
    desk.write("x.json", &spec);
    for form in ["text", "github", "json"] {
        let run = desk
            .run(&["render", "x.json", "--message-format", form])
            .refused("");
        assert!(!run.said.contains('\u{1b}'), "{form}: {}", run.said);
        let fakes = run
            .said
            .lines()
            .filter(|line| line.starts_with("::error file=x::"));
        assert_eq!(fakes.count(), 0, "{form}: {}", run.said);
    }
    // Names of files are no better.
    #[cfg(unix)]
    {
        let name = "a\n::error::b\u{1b}[31m.json";
        desk.write(name, "{");
        for form in ["text", "github", "json"] {
            let run = desk
                .run(&["render", name, "--message-format", form])
                .refused("");
            assert!(!run.said.contains('\u{1b}'), "{form}: {}", run.said);
            let fakes = run
                .said
                .lines()
                .filter(|line| line.starts_with("::error::b"));
            assert_eq!(fakes.count(), 0, "{form}: {}", run.said);
        }
    }
}

#[test]
fn a_character_that_no_font_has_is_a_box_and_a_warning() {
    let desk = Desk::new();
    let text = r#""draw": [ { "text": { "at": [5, 20], "content": "a\u{5b57}", "size": 12 } } ] }"#;
    let head = SPEC.split("\"draw\"").next().expect("a start");
    desk.write(
        "x.json",
        &format!("{head}{}", text.replace("\\u{5b57}", "字")),
    );
    let run = desk.run(&["render", "x.json"]).well();
    assert!(
        run.said.contains("warning: ") && run.said.contains('字'),
        "{}",
        run.said
    );
}
