//! What a check writes: well formed, harmless whatever things are called, and useful in a browser.

use crate::desk::{Desk, Run, finish};
use crate::golden::RUN;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A name that would do harm wherever it is printed as it is.
const HOSTILE: &str = "a\n::error::b<script>alert(1)<%2F&\"'|`]]>@x";

/// Specs that pass, differ, are new and are broken, and a golden too many; checked with a report.
fn reported() -> Desk {
    let desk = Desk::new();
    for name in ["good", "numbers", "drawing", "orphan"] {
        desk.write(&format!("specs/{name}.json"), RUN);
    }
    desk.write(&format!("specs/{HOSTILE}.json"), RUN);
    desk.run(&["bless", "specs"]).well();
    desk.write("specs/numbers.json", &RUN.replace("60.3", "61"));
    desk.write(
        "specs/drawing.json",
        &RUN.replace("\"radius\": 4", "\"radius\": 4.5"),
    );
    desk.write(&format!("specs/{HOSTILE}.json"), &RUN.replace("60.3", "59"));
    desk.write(
        "specs/new.json",
        &RUN.replace("\"radius\": 4", "\"radius\": 7"),
    );
    desk.write("specs/broken.json", "{ \"hazumi\": 1 }");
    std::fs::remove_file(desk.path("specs/orphan.json")).expect("there");
    desk
}

fn text(desk: &Desk, file: &str) -> String {
    String::from_utf8(desk.read(file)).expect("text")
}

#[test]
fn all_reports_are_written_also_after_errors() {
    let desk = reported();
    let run = desk.run(&["check", "specs", "--report", "r"]);
    assert_eq!(run.code, 2);
    for file in ["index.html", "junit.xml", "report.json", "summary.md"] {
        assert!(!desk.read(&format!("r/{file}")).is_empty(), "{file}");
    }
    let report: Value = serde_json::from_slice(&desk.read("r/report.json")).expect("JSON");
    assert_eq!(report["schema_version"], 1);
    let statuses: Vec<&str> = report["specs"]
        .as_array()
        .expect("specs")
        .iter()
        .map(|s| s["status"].as_str().expect("a status"))
        .collect();
    assert_eq!(
        statuses,
        [
            "differs", "failed", "differs", "passes", "missing", "differs"
        ]
    );
    assert_eq!(report["orphans"][0]["path"], "golden/orphan.png");
    // Nothing could be checked at all.
    let run = desk.run(&["check", "nowhere", "--report", "empty"]);
    assert_eq!(run.code, 2);
    assert!(text(&desk, "empty/junit.xml").contains("errors=\"1\""));
    assert!(text(&desk, "empty/index.html").contains("nowhere"));
}

#[test]
fn hostile_names_are_harmless_everywhere() {
    let desk = reported();
    for form in ["text", "json", "github"] {
        let run = desk.run(&["check", "specs", "--report", "r", "--message-format", form]);
        let lines = run.said.lines().filter(|line| line.starts_with("::"));
        for line in lines {
            assert!(
                form == "github" && !line.starts_with("::error::b"),
                "{line}"
            );
        }
    }
    let page = text(&desk, "r/index.html");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"));
    assert!(!page.contains("http"), "the page asks the network");
    let junit = text(&desk, "r/junit.xml");
    assert!(!junit.contains("<script") && junit.contains("&lt;script&gt;"));
    let summary = text(&desk, "r/summary.md");
    assert!(!summary.contains("<script") && !summary.lines().any(|line| line.starts_with("::")));
    assert!(!summary.contains("@x"), "{summary}");
    let rows: Vec<&str> = summary
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    for row in &rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
    }
    assert_eq!(rows.len(), 2 + 5);
}

#[test]
fn annotations_are_few_and_stand_at_the_cause() {
    let desk = Desk::new();
    for i in 0..14 {
        desk.write(&format!("specs/s{i:02}.json"), RUN);
    }
    desk.run(&["bless", "specs"]).well();
    for i in 0..14 {
        desk.write(&format!("specs/s{i:02}.json"), &RUN.replace("60.3", "61"));
    }
    let run = desk.run(&["check", "specs", "-q", "--message-format", "github"]);
    let lines: Vec<&str> = run.said.lines().collect();
    assert_eq!(lines.len(), 11, "{}", run.said);
    assert!(lines[0].starts_with("::error file=specs/s00.json,line=3,col=17,title=s00 differs::golden differs from frame 1"), "{}", lines[0]);
    assert_eq!(lines[10], "::error::+4 more");
}

#[test]
fn shards_are_one_report_again() {
    let desk = reported();
    let mut arguments = vec!["merge"];
    let folders = ["s1", "s2", "s3"];
    for (i, folder) in folders.iter().enumerate() {
        let shard = format!("{}/3", i + 1);
        let run = desk.run(&["check", "specs", "--shard", &shard, "--report", folder]);
        assert!(
            !run.said.contains("no spec has this golden"),
            "{}",
            run.said
        );
        arguments.push(folder);
    }
    arguments.extend(["--report", "whole"]);
    let run = desk.run(&arguments);
    assert_eq!(run.code, 2);
    assert!(
        run.said
            .contains("golden/orphan.png: no spec has this golden"),
        "{}",
        run.said
    );
    desk.run(&["check", "specs", "--report", "once"]);
    let report = |folder: &str| -> Value {
        let mut report: Value =
            serde_json::from_slice(&desk.read(&format!("{folder}/report.json"))).expect("JSON");
        report["shard"] = Value::Null;
        report
    };
    assert_eq!(report("whole"), report("once"));
    assert!(
        text(&desk, "whole/index.html") == text(&desk, "once/index.html"),
        "another page"
    );
    // A shard too few, and one twice.
    let run = desk.run(&["merge", "s1", "s3", "--report", "part"]);
    assert_eq!(run.code, 2);
    run.says("the report of shard 2/3 is missing");
    let run = desk.run(&["merge", "s1", "s1", "s2", "s3", "--report", "part"]);
    run.says("the report of shard 1/3 is there twice");
    desk.write("bad/report.json", "{}");
    assert_eq!(desk.run(&["merge", "bad", "--report", "part"]).code, 2);
}

#[test]
fn junit_keeps_to_a_schema() {
    if Command::new("xmllint").arg("--version").output().is_err() {
        eprintln!("skipped: xmllint is not here");
        return;
    }
    let desk = reported();
    desk.run(&["check", "specs", "--report", "r"]);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/junit.xsd");
    let mut command = Command::new("xmllint");
    command
        .arg("--noout")
        .arg("--schema")
        .arg(schema)
        .arg(desk.path("r/junit.xml"));
    let run = finish(command, "");
    assert_eq!(run.code, 0, "{}", run.said);
    let junit = text(&desk, "r/junit.xml");
    assert!(
        junit.contains("tests=\"7\" failures=\"5\" errors=\"1\""),
        "{junit}"
    );
}

/// A browser, if there is one.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// What a reader does, and what becomes of it.
const READER: &str = r#"<script>
addEventListener("load", async () => {
  const out = {};
  const press = (key, more) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
  const pixels = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const apart = (film) => {
    const [a, b] = film.canvases.map(pixels);
    let count = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2, 3].some((k) => a[i + k] !== b[i + k])) count++;
    return count;
  };
  const film = shown.get(articles[0]);
  await film.load();
  out.articles = articles.length;
  out.start = film.wanted;
  out.counts = film.film.counts;
  film.show(0);
  out.seen = [];
  for (let i = 0; i < film.film.frames.length; i++) { out.seen.push(apart(film)); press("ArrowRight"); }
  out.end = film.wanted;
  press("Home");
  out.home = film.wanted;
  out.back = apart(film);
  film.slider.value = 3;
  film.slider.dispatchEvent(new Event("input"));
  out.scrubbed = [film.wanted, apart(film), film.label.textContent];
  press("j");
  out.active = articles.indexOf(active);
  out.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  out.paper = getComputedStyle(document.body).backgroundColor;
  out.ink = getComputedStyle(document.body).color;
  document.documentElement.dataset.result = JSON.stringify(out);
});
</script></html>"#;

/// Opens a page and says what its reader saw. The browser may print the page before the reader is done: then it
/// is asked again.
fn read(browser: &Path, desk: &Desk, scheme: &str) -> Value {
    let mut said = String::new();
    for _ in 0..8 {
        let run = open(browser, desk, scheme);
        let page = run.text();
        let result = page
            .split_once("data-result=\"")
            .and_then(|(_, rest)| rest.split_once('"'));
        if let Some((result, _)) = result {
            let json = result.replace("&quot;", "\"").replace("&amp;", "&");
            return serde_json::from_str(&json).expect("JSON");
        }
        said = run.said;
    }
    panic!("the reader never came to an end: {said}");
}

fn open(browser: &Path, desk: &Desk, scheme: &str) -> Run {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--dump-dom",
    ]);
    command.args([
        "--virtual-time-budget=20000",
        &format!("--blink-settings=preferredColorScheme={scheme}"),
    ]);
    command.arg(format!(
        "--user-data-dir={}",
        desk.path("browser").display()
    ));
    command.arg(format!("file://{}", desk.path("r/test.html").display()));
    finish(command, "")
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: Chromium is not here");
        return;
    };
    let desk = reported();
    desk.run(&["check", "specs", "--report", "r"]);
    let page = text(&desk, "r/index.html").replace("</html>", READER);
    desk.write("r/test.html", &page);
    let light = read(&browser, &desk, "1");
    assert_eq!(light["articles"], 3);
    assert_eq!(light["seen"], light["counts"], "{light}");
    assert_eq!(
        (&light["end"], &light["home"], &light["active"]),
        (&Value::from(4), &Value::from(0), &Value::from(1))
    );
    assert_eq!(light["back"], light["counts"][0]);
    assert_eq!(light["scrubbed"][0], 3);
    assert_eq!(light["scrubbed"][1], light["counts"][3]);
    let words = format!("frame 3: {} pixels differ", light["counts"][3]);
    assert_eq!(light["scrubbed"][2], Value::from(words));
    let dark = read(&browser, &desk, "0");
    assert_eq!(
        (&light["dark"], &dark["dark"]),
        (&Value::from(false), &Value::from(true))
    );
    assert_ne!(light["paper"], dark["paper"]);
    assert_ne!(light["ink"], dark["ink"]);
}
