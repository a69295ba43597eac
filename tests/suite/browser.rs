//! A browser sees the same pixels for the same time.

use crate::desk::Desk;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

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

/// Sends back how often the file plays, then for each frame its microseconds and the FNV-1a hash of its pixels.
const PAGE: &str = r#"<!doctype html><script>
const hash = bytes => bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619) >>> 0, 2166136261);
async function look(type) {
  const data = await (await fetch("file")).arrayBuffer();
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
const say = body => fetch("seen", { method: "POST", body });
look("TYPE").then(say, say);
</script>"#;

/// A minute, in tenths of a second.
const PATIENCE: u32 = 600;

/// What a headless browser says of a file; nothing if there is no such browser.
fn browse(browser: Browser, desk: &Desk, file: &[u8], kind: &str) -> Option<String> {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/", server.local_addr().expect("an address"));
    let mut browser = start(browser, desk, &address)?;
    server.set_nonblocking(true).expect("no waiting");
    let page = PAGE.replace("TYPE", kind);
    for _ in 0..PATIENCE {
        while let Ok((stream, _)) = server.accept() {
            if let Some(seen) = answer(stream, page.as_bytes(), file) {
                browser.kill().expect("it ends");
                browser.wait().expect("it ends");
                return Some(seen);
            }
        }
        sleep(Duration::from_millis(100));
    }
    browser.kill().expect("it ends");
    panic!("the browser says nothing");
}

/// Browsers with engines of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    /// What its program may be called.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromium", "chromium-browser", "google-chrome"],
            Self::Firefox => &["firefox-esr", "firefox"],
        }
    }

    fn arguments(self, profile: &str) -> Vec<String> {
        let arguments: &[&str] = match self {
            Self::Chromium => &[
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-sync",
                "--disable-component-update",
                "--no-proxy-server",
                &format!("--user-data-dir={profile}"),
            ],
            Self::Firefox => &["--headless", "--new-instance", "--profile", profile],
        };
        arguments.iter().map(|&argument| argument.into()).collect()
    }
}

fn start(browser: Browser, desk: &Desk, address: &str) -> Option<Child> {
    let profile = desk.path(&format!("{browser:?}"));
    std::fs::create_dir_all(&profile).expect("a folder");
    let arguments = browser.arguments(profile.to_str().expect("a path in UTF-8"));
    browser.names().iter().find_map(|name| {
        Command::new(name)
            .args(&arguments)
            .arg(address)
            // Firefox refuses to start in the home of somebody else.
            .env("HOME", &profile)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    })
}

/// Answers one request; gives what was posted.
fn answer(mut stream: TcpStream, page: &[u8], file: &[u8]) -> Option<String> {
    stream.set_nonblocking(false).expect("waiting");
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .expect("a limit");
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).ok()? > 0 {}
    let length = head.to_ascii_lowercase();
    let length = length
        .split_once("content-length: ")
        .and_then(|(_, rest)| rest.lines().next());
    let mut posted = vec![0; length.map_or(0, |length| length.parse().expect("a length"))];
    reader.read_exact(&mut posted).ok()?;
    let body = match head.split(' ').nth(1) {
        Some("/") => page,
        Some("/file") => file,
        _ => &[],
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n",
        body.len()
    );
    let kind = "Content-Type: text/html; charset=utf-8\r\n\r\n";
    let _ = stream.write_all(&[head.as_bytes(), kind.as_bytes(), body].concat());
    (!posted.is_empty()).then(|| String::from_utf8(posted).expect("text"))
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
fn chromium_shows_every_frame_for_its_time() {
    shows_every_frame_for_its_time(Browser::Chromium);
}

#[test]
fn firefox_shows_every_frame_for_its_time() {
    shows_every_frame_for_its_time(Browser::Firefox);
}

fn shows_every_frame_for_its_time(browser: Browser) {
    let desk = Desk::new();
    desk.write("dot.json", SPEC);
    desk.run(&["render", "dot.json", "--format", "gif,apng"])
        .well();
    let frames = desk
        .run(&["render", "dot.json", "--format", "rgba", "-o", "-"])
        .well();
    let frames: Vec<u32> = frames.out.chunks(60 * 40 * 4).map(hash).collect();
    for (file, kind) in [("dot.gif", "image/gif"), ("dot.png", "image/png")] {
        let Some(found) = browse(browser, &desk, &desk.read(file), kind) else {
            eprintln!("skipped: {browser:?} is not here");
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
        assert_eq!(length, 1_000_000, "{file}");
        for (i, expected) in frames.iter().enumerate() {
            // The middle of the frame's time: a GIF's frame begins up to 10 ms early.
            let moment = (i as u64 * 2 + 1) * 1_000_000 / 60;
            assert_eq!(seen(&lines, moment), *expected, "{file}, frame {i}");
        }
    }
}
