//! A browser sees the same pixels for the same time.

use crate::desk::Desk;
use std::process::{Command, Stdio};

/// A dot that goes and rests, so that frames are cropped and merged; 30 frames per second, so that a GIF's
/// delays differ.
const SPEC: &str = r##"{ "hazumi": 1, "alt": "A dot goes and rests.",
  "canvas": { "size": [60, 40], "fps": 30, "duration": 1, "background": "#f7f2ea" },
  "channels": { "x": { "track": { "keys": [[0, 12], [0.4, 46], [0.7, 46], [1, 12]] } } },
  "draw": [
    { "circle": { "at": [30, 20], "radius": 14, "fill": "#2060c0" } },
    { "circle": { "at": ["x", 20], "radius": 8, "fill": "tomato" } }
  ] }
"##;

/// Writes how often the file plays, then for each frame its microseconds and the FNV-1a hash of its pixels.
const PAGE: &str = r#"<!doctype html><pre>nothing</pre><script>
const say = text => document.querySelector("pre").textContent = text;
const hash = bytes => bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619) >>> 0, 2166136261);
async function look(file, type) {
  const data = Uint8Array.from(atob(file), letter => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type });
  await decoder.completed;
  await decoder.tracks.ready;
  const track = decoder.tracks.selectedTrack;
  const lines = [track.repetitionCount];
  for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const pixels = new Uint8Array(image.allocationSize({ format: "RGBA" }));
    await image.copyTo(pixels, { format: "RGBA" });
    lines.push(image.duration + " " + hash(pixels));
  }
  return lines.join("\n");
}
look("FILE", "TYPE").then(say, say);
</script>"#;

/// What a headless browser makes of a page; nothing if there is no browser.
fn browse(desk: &Desk, page: &str) -> Option<String> {
    desk.write("page.html", page);
    let address = format!("file://{}", desk.path("page.html").display());
    let profile = format!("--user-data-dir={}", desk.path("profile").display());
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let output = names.iter().find_map(|name| {
        let mut command = Command::new(name);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ]);
        command.args([
            "--disable-background-networking",
            "--disable-sync",
            "--disable-component-update",
        ]);
        command.args([
            "--virtual-time-budget=20000",
            "--dump-dom",
            &profile,
            &address,
        ]);
        command.stderr(Stdio::null()).output().ok()
    })?;
    let text = String::from_utf8(output.stdout).expect("text");
    let inside = text.split_once("<pre>").expect("the page").1;
    Some(inside.split_once("</pre>").expect("its end").0.to_owned())
}

fn hash(bytes: &[u8]) -> u32 {
    let add = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(16_777_619);
    bytes.iter().fold(2_166_136_261, add)
}

/// The hash that is seen at a moment, in microseconds.
fn seen(lines: &[(u64, u32)], moment: u64) -> u32 {
    let mut end = 0;
    let shown = lines.iter().find(|(duration, _)| {
        end += duration;
        moment < end
    });
    shown.expect("a frame").1
}

#[test]
fn a_browser_shows_every_frame_for_its_time() {
    let desk = Desk::new();
    desk.write("dot.json", SPEC);
    desk.run(&["render", "dot.json", "--format", "gif,apng"])
        .well();
    let frames = desk
        .run(&["render", "dot.json", "--format", "rgba", "-o", "-"])
        .well();
    let frames: Vec<u32> = frames.out.chunks(60 * 40 * 4).map(hash).collect();
    for (file, kind) in [("dot.gif", "image/gif"), ("dot.png", "image/png")] {
        let page = PAGE
            .replace("FILE", &base64(&desk.read(file)))
            .replace("TYPE", kind);
        let Some(found) = browse(&desk, &page) else {
            eprintln!("skipped: Chromium is not here");
            return;
        };
        let mut lines = found.lines();
        assert_eq!(lines.next(), Some("Infinity"), "{file}: {found}");
        let lines: Vec<(u64, u32)> = lines
            .filter_map(|line| line.split_once(' '))
            .map(|(duration, hash)| {
                (
                    duration.parse().expect("a time"),
                    hash.parse().expect("a hash"),
                )
            })
            .collect();
        let length: u64 = lines.iter().map(|(duration, _)| duration).sum();
        assert!(
            length.abs_diff(1_000_000) <= frames.len() as u64,
            "{file}: {length}"
        );
        for (i, expected) in frames.iter().enumerate() {
            // The middle of the frame's time: a GIF's frame begins up to 10 ms early.
            let moment = (i as u64 * 2 + 1) * 1_000_000 / 60;
            assert_eq!(seen(&lines, moment), *expected, "{file}, frame {i}");
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .enumerate()
            .fold(0, |sum, (i, b)| sum | u32::from(*b) << (16 - 8 * i));
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= group.len() { letter.into() } else { '=' });
        }
    }
    text
}
