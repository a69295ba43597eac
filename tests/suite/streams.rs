//! Bare pixels and uncompressed video, as other programs take them from a pipe.

use crate::desk::Desk;
use std::process::{Command, Stdio};

/// Flat colours and one that lets the paper through.
const SPEC: &str = r##"{ "hazumi": 1, "alt": "Two dots cross.",
  "canvas": { "size": [64, 48], "fps": 12.5, "duration": 0.8, "background": "PAPER" },
  "draw": [
    { "rect": { "at": ["10 + 40 * t", 20], "size": [16, 12], "fill": "#c2402a" } },
    { "circle": { "at": ["54 - 40 * t", 24], "radius": 9, "fill": "#2060c080" } }
  ] }
"##;

fn desk(paper: &str) -> Desk {
    let desk = Desk::new();
    desk.write("cross.json", &SPEC.replace("PAPER", paper));
    desk
}

/// Straight RGBA of every frame of a sequence.
fn stills(desk: &Desk) -> Vec<u8> {
    let mut all = Vec::new();
    for (_, file) in desk.contents("cross") {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(
            png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
        );
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut bytes).expect("a frame");
        all.extend(bytes);
    }
    all
}

#[test]
fn bare_pixels_are_those_of_the_sequence() {
    for paper in ["white", "transparent"] {
        let desk = desk(paper);
        desk.run(&["render", "cross.json", "--format", "png"])
            .well();
        let stream = desk
            .run(&["render", "cross.json", "--format", "rgba", "-o", "-"])
            .well();
        assert_eq!(stream.out.len(), 10 * 64 * 48 * 4);
        assert!(stream.out == stills(&desk), "{paper}");
    }
}

/// Sends a stream through ffmpeg; nothing if it is not here.
fn ffmpeg(input: &[u8], arguments: &str) -> Option<Vec<u8>> {
    let words = arguments.split_whitespace();
    let mut child = Command::new("ffmpeg")
        .args(["-v", "error"])
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &input));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all of it is read");
    assert!(output.status.success());
    Some(output.stdout)
}

/// Largest difference of a channel, alpha left out.
fn worst(ours: &[u8], theirs: &[u8]) -> u8 {
    assert_eq!(ours.len(), theirs.len());
    let pairs = ours.chunks(4).zip(theirs.chunks(4));
    let differences = pairs.flat_map(|(a, b)| (0..3).map(|i| a[i].abs_diff(b[i])));
    differences.max().expect("pixels")
}

#[test]
fn ffmpeg_reads_the_video() {
    let desk = desk("white");
    desk.run(&["render", "cross.json", "--format", "png"])
        .well();
    let video = desk
        .run(&["render", "cross.json", "--format", "y4m", "-o", "-"])
        .well();
    let Some(pixels) = ffmpeg(
        &video.out,
        "-i - -vf scale=in_color_matrix=bt709:flags=accurate_rnd -pix_fmt rgba -f rawvideo -",
    ) else {
        eprintln!("skipped: ffmpeg is not here");
        return;
    };
    // Limited range has fewer levels than eight bits.
    let worst = worst(&stills(&desk), &pixels);
    assert!(worst <= 2, "{worst}");
}
