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
