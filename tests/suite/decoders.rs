//! Other programs read the same pixels and times from the files.

use crate::desk::Desk;
use std::process::Command;

/// A dot over nothing that grows, stands still and fades, so that alpha, holes and merging are all used.
const DOT: &str = r##"{ "hazumi": 1, "alt": "A dot grows and fades.",
  "canvas": { "size": [48, 32], "fps": 30, "duration": 1, "background": BACKGROUND },
  "channels": { "size": { "track": { "keys": [[0, 4], [0.4, 12], [0.7, 12], [1, 3]] } } },
  "draw": [
    { "circle": { "at": [24, 16], "radius": "size", "fill": "tomato" } },
    { "circle": { "at": ["40 - size", 10], "radius": 5, "fill": "#2060c080" } }
  ] }
"##;

/// Compares the frames of an animation with those of a folder, as long as each is shown.
const PILLOW: &str = r#"
import glob, sys
from PIL import Image
film, folder, fps = sys.argv[1], sys.argv[2], 30
stills = [Image.open(path).convert("RGBA") for path in sorted(glob.glob(folder + "/*.png"))]
image = Image.open(film)
time = 0.0
for i in range(image.n_frames):
    image.seek(i)
    frame = image.convert("RGBA")
    duration = image.info["duration"]
    first, last = round(time * fps / 1000), round((time + duration) * fps / 1000)
    assert first < last, (i, time, duration)
    for still in stills[first:last]:
        for a, b in zip(frame.getdata(), still.getdata()):
            assert a == b or a[3] == b[3] == 0, (i, a, b)
    time += duration
assert abs(time - 1000 * len(stills) / fps) < 1e-6, time
assert image.info["loop"] == 0
"#;

/// The first Python on the path that has Pillow.
fn has_pillow() -> bool {
    let mut command = Command::new("python3");
    let output = command.args(["-c", "import PIL.Image"]).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn pillow_reads_animated_pngs_exactly() {
    if !has_pillow() {
        eprintln!("skipped: python3 with Pillow is not here");
        return;
    }
    for background in ["\"white\"", "\"transparent\""] {
        let desk = Desk::new();
        desk.write("dot.json", &DOT.replace("BACKGROUND", background));
        desk.run(&["render", "dot.json", "-o", "out", "--format", "apng,png"])
            .well();
        let path = |name: &str| desk.path(name).into_os_string();
        let mut python = Command::new("python3");
        python.args(["-c", PILLOW]);
        python.args([path("out/dot.png"), path("out/dot")]);
        let output = python.output().expect("python3 runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{background}: {said}");
    }
}

/// A frame as straight RGBA.
type Shown = Vec<u8>;

/// The frames of a PNG sequence as a GIF shows them, equal neighbours once: clear or opaque, over white.
fn expected(desk: &Desk, folder: &str) -> Vec<Shown> {
    let mut frames: Vec<Shown> = Vec::new();
    for (_, file) in desk.contents(folder) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(
            png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
        );
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a small one")];
        reader.next_frame(&mut pixels).expect("a frame");
        for pixel in pixels.as_chunks_mut::<4>().0 {
            if pixel[3] < 128 {
                *pixel = [0; 4];
            }
        }
        if frames.last() != Some(&pixels) {
            frames.push(pixels);
        }
    }
    frames
}

/// What a program writes to standard output, or `None` if it is not here.
fn said_by(program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let Ok(output) = Command::new(program).args(arguments).output() else {
        eprintln!("skipped: {program} is not here");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    Some(output.stdout)
}

/// Compares frames one after another with what they should be; colours of clear pixels do not count.
fn check_frames(who: &str, found: &[u8], wanted: &[Shown]) {
    let size = wanted[0].len();
    assert_eq!(found.len(), size * wanted.len(), "{who}: number of frames");
    for (i, (found, wanted)) in found.chunks_exact(size).zip(wanted).enumerate() {
        let pairs = found
            .as_chunks::<4>()
            .0
            .iter()
            .zip(wanted.as_chunks::<4>().0);
        let wrong = pairs
            .filter(|(a, b)| a != b && (a[3] != 0 || b[3] != 0))
            .count();
        assert_eq!(wrong, 0, "{who}: pixels of frame {i}");
    }
}

/// Whole frames with a colour each pixel, by the decoder of the crate that also writes the blocks.
fn decode_whole(file: &[u8]) -> Vec<u8> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("a GIF");
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        frames.extend_from_slice(&frame.buffer);
    }
    frames
}

/// Every mode whose pixels are exact where there are few colours.
const EXACT_MODES: &[&[&str]] = &[
    &[],
    &["--effort", "fast"],
    &["--effort", "max"],
    &["--lossless"],
];

#[test]
fn other_programs_read_gifs_exactly() {
    // Half transparent pixels would be blended over the matte, so the dots are opaque here.
    let dot = DOT.replace("#2060c080", "#2060c0");
    for mode in EXACT_MODES {
        let desk = Desk::new();
        desk.write("dot.json", &dot.replace("BACKGROUND", "\"white\""));
        let mut arguments = vec!["render", "dot.json", "-o", "out", "--format", "gif,png"];
        arguments.extend_from_slice(mode);
        desk.run(&arguments).well();
        let wanted = expected(&desk, "out/dot");
        let path = desk.path("out/dot.gif");
        let path = path.to_str().expect("a path in UTF-8");
        let ffmpeg = ["-v", "error", "-i", path, "-fps_mode", "passthrough"];
        let raw = ["-f", "rawvideo", "-pix_fmt", "rgba", "-"];
        if let Some(found) = said_by("ffmpeg", &[&ffmpeg[..], &raw].concat()) {
            check_frames("ffmpeg", &found, &wanted);
        }
        if let Some(found) = said_by("convert", &[path, "-coalesce", "-depth", "8", "rgba:-"]) {
            check_frames("ImageMagick", &found, &wanted);
        }
        if let Some(whole) = said_by("gifsicle", &["-U", path]) {
            check_frames("gifsicle", &decode_whole(&whole), &wanted);
        }
        if let Some(text) = said_by("giftext", &[path]) {
            let text = String::from_utf8_lossy(&text);
            assert_eq!(text.matches("Image #").count(), wanted.len(), "giflib");
        }
    }
}

#[test]
fn pillow_reads_gifs_exactly() {
    if !has_pillow() {
        eprintln!("skipped: python3 with Pillow is not here");
        return;
    }
    for background in ["\"white\"", "\"transparent\""] {
        for mode in EXACT_MODES {
            let desk = Desk::new();
            let dot = DOT.replace("#2060c080", "#2060c0");
            desk.write("dot.json", &dot.replace("BACKGROUND", background));
            let mut arguments = vec!["render", "dot.json", "-o", "out", "--format", "gif,png"];
            arguments.extend_from_slice(mode);
            desk.run(&arguments).well();
            let path = |name: &str| desk.path(name).into_os_string();
            let mut python = Command::new("python3");
            python.args(["-c", PILLOW_GIF]);
            python.args([path("out/dot.gif"), path("out/dot")]);
            let output = python.output().expect("python3 runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{background} {mode:?}: {said}");
        }
    }
}

/// As above for a GIF: clear or opaque over white, and time in hundredths of a second.
const PILLOW_GIF: &str = r#"
import glob, sys
from PIL import Image
film, folder, fps = sys.argv[1], sys.argv[2], 30
def shown(path):
    straight = Image.open(path).convert("RGBA")
    over = Image.new("RGBA", straight.size, "white")
    over.alpha_composite(straight)
    return [b if a[3] >= 128 else None for a, b in zip(straight.getdata(), over.getdata())]
stills = [shown(path) for path in sorted(glob.glob(folder + "/*.png"))]
begins = [i * 100 // fps for i in range(len(stills) + 1)]
image = Image.open(film)
time = 0
for i in range(image.n_frames):
    image.seek(i)
    frame = list(image.convert("RGBA").getdata())
    end = time + image.info["duration"] // 10
    assert time in begins and end in begins, (i, time, end)
    for still in stills[begins.index(time):begins.index(end)]:
        for a, b in zip(frame, still):
            near = b is not None and a[3] == 255 and max(abs(x - y) for x, y in zip(a, b)) <= 1
            assert near or (b is None and a[3] == 0), (i, a, b)
    time = end
assert time == begins[-1], time
assert image.info["loop"] == 0
"#;
