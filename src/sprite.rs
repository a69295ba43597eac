//! A sprite sheet: every frame in one picture, and an atlas that says where each lies and how long it stays.
//!
//! The atlas is JSON in the form that Aseprite exports as an array and that most game engines read.

use crate::digest::Digest;
use crate::encode::Clock;
use crate::film::{Error, Film, Studio};
use crate::limits::{Limit, Limits};
use crate::maths::functions::{ceil, sqrt};
use crate::pixels::Pixels;
use crate::provenance::PROGRAM;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Frames drawn at a time, if they are small.
const BATCH: usize = 32;
/// Pixels drawn at a time, or one frame.
const BATCH_PIXELS: usize = 64_000_000;

/// A picture and its atlas.
pub struct Sprite {
    pub pixels: Pixels,
    /// JSON text.
    pub atlas: String,
}

/// Puts all frames of a film into one picture, equal ones once; `image` is how the atlas calls the picture.
///
/// # Errors
/// For a picture that would be larger than a frame may be.
pub fn sprite(
    film: &Film,
    studio: &Studio,
    image: &str,
    hold: Option<f64>,
) -> Result<Sprite, Error> {
    let (cells, which) = unique(film, studio)?;
    let limits = &film.animation().scene().limits;
    let grid = Grid::of(limits, studio.size(), cells.len())?;
    let mut pixels = Pixels::new(grid.size.0, grid.size.1);
    for (i, cell) in cells.iter().enumerate() {
        pixels.paste(cell, grid.corner(i));
    }
    let last = film.frames() - 1;
    let durations = (0..=last).map(|frame| match hold {
        Some(seconds) if frame == last => (seconds * 1000.0 + 0.5) as u128,
        _ => milliseconds(film.fps(), frame),
    });
    let stem = image.split('.').next().unwrap_or(image);
    let frames = durations
        .zip(&which)
        .enumerate()
        .map(|(frame, (duration, cell))| grid.entry(&format!("{stem} {frame}"), *cell, duration));
    let atlas = json!({
        "frames": frames.collect::<Vec<_>>(),
        "meta": {
            "app": PROGRAM,
            "image": image,
            "format": "RGBA8888",
            "size": { "w": grid.size.0, "h": grid.size.1 },
            "scale": "1",
            "frameTags": [{ "name": stem, "from": 0, "to": last, "direction": "forward" }],
        },
    });
    let atlas = format!("{atlas:#}\n");
    Ok(Sprite { pixels, atlas })
}

/// How long a frame stays, in thousandths of a second; their sum never strays.
fn milliseconds(fps: f64, frame: usize) -> u128 {
    let (frames, seconds) = Clock::per_second(fps).fraction();
    let begins = |frame: usize| (frame as u128 * 1000 * seconds * 2 + frames) / (2 * frames);
    begins(frame + 1) - begins(frame)
}

/// The frames that differ from each other, and for each frame which of them it is.
fn unique(film: &Film, studio: &Studio) -> Result<(Vec<Pixels>, Vec<usize>), Error> {
    let mut cells: Vec<Pixels> = Vec::new();
    let mut by_digest: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut which = Vec::new();
    let limits = &film.animation().scene().limits;
    let all: Vec<usize> = (0..film.frames()).collect();
    let pixels = studio.size().0 as usize * studio.size().1 as usize;
    for batch in all.chunks((BATCH_PIXELS / pixels).clamp(1, BATCH)) {
        let drawn: Vec<Pixels> = batch.par_iter().map(|frame| studio.frame(*frame)).collect();
        for frame in drawn {
            let mut digest = Digest::default();
            digest.add_bytes(&frame.bytes);
            let alike = by_digest.entry(digest.finish()).or_default();
            let cell = alike.iter().find(|cell| cells[**cell] == frame);
            which.push(cell.copied().unwrap_or(cells.len()));
            if cell.is_none() {
                alike.push(cells.len());
                cells.push(frame);
            }
        }
        // Before memory is spent on what will not fit.
        Grid::of(limits, studio.size(), cells.len())?;
    }
    Ok((cells, which))
}

/// Cells in rows, without gaps.
struct Grid {
    cell: (u32, u32),
    columns: usize,
    size: (u32, u32),
}

impl Grid {
    /// As square as whole cells allow.
    fn of(limits: &Limits, cell: (u32, u32), count: usize) -> Result<Self, Error> {
        let (width, height) = (f64::from(cell.0), f64::from(cell.1));
        let longest = limits.of(Limit::Side) as f64;
        let square = ceil(sqrt(count as f64 * height / width));
        let most = (longest / width).max(1.0) as usize;
        let columns = (square as usize).clamp(1, count.min(most));
        let rows = count.div_ceil(columns);
        let (width, height) = (width * columns as f64, height * rows as f64);
        for (limit, request) in [(Limit::Side, height), (Limit::Pixels, width * height)] {
            if limits.forbid(limit, request) {
                return Err(Error::Choice(format!(
                    "{count} different frames of {} × {} px are too many for one picture: choose a range with \
                     `--frames`, a lower `--fps` or a smaller `--scale`; {}",
                    cell.0,
                    cell.1,
                    limit.remedy(request)
                )));
            }
        }
        Ok(Self {
            cell,
            columns,
            size: (width as u32, height as u32),
        })
    }

    /// The left top corner of a cell.
    fn corner(&self, cell: usize) -> (u32, u32) {
        let (column, row) = (cell % self.columns, cell / self.columns);
        (column as u32 * self.cell.0, row as u32 * self.cell.1)
    }

    /// What the atlas says of a frame.
    fn entry(&self, name: &str, cell: usize, duration: u128) -> Value {
        let ((x, y), (w, h)) = (self.corner(cell), self.cell);
        json!({
            "filename": name,
            "frame": { "x": x, "y": y, "w": w, "h": h },
            "rotated": false,
            "trimmed": false,
            "spriteSourceSize": { "x": 0, "y": 0, "w": w, "h": h },
            "sourceSize": { "w": w, "h": h },
            "duration": duration as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::Look;
    use crate::load::{Animation, Choices};

    /// A square that stands still every other frame.
    const SPEC: &str = r##"{ "hazumi": 1, "alt": "x", "canvas": { "size": [20, 10], "frames": 6, "fps": 30 },
        "channels": { "x": "4 + 5 * floor(t * 15 + 0.01)" },
        "draw": [ { "rect": { "at": ["x", 5], "size": [4, 4], "fill": "#000" } } ] }"##;

    #[test]
    fn equal_frames_share_a_cell() {
        let animation = Animation::parse("x", SPEC, &Choices::default()).expect("sound");
        let film = animation.simulate().expect("in range");
        let studio = film.studio(&Look::default()).expect("small");
        let sprite = sprite(&film, &studio, "x.sprite.png", Some(0.5)).expect("small");
        let atlas: Value = serde_json::from_str(&sprite.atlas).expect("JSON");
        let frames = atlas["frames"].as_array().expect("frames");
        assert_eq!(frames.len(), 6);
        let durations: Vec<u64> = frames
            .iter()
            .filter_map(|f| f["duration"].as_u64())
            .collect();
        assert_eq!(durations, [33, 34, 33, 33, 34, 500]);
        assert_eq!(frames[0]["frame"], frames[1]["frame"]);
        assert_ne!(frames[1]["frame"], frames[2]["frame"]);
        // Three cells of 20 × 10 in two columns.
        assert_eq!((sprite.pixels.width, sprite.pixels.height), (40, 20));
        assert_eq!(atlas["meta"]["size"], json!({ "w": 40, "h": 20 }));
        for (i, entry) in frames.iter().enumerate() {
            let at = |axis: &str| entry["frame"][axis].as_u64().expect("a number") as usize;
            let frame = studio.frame(i);
            for y in 0..10 {
                let row = ((at("y") + y) * 40 + at("x")) * 4;
                assert_eq!(
                    sprite.pixels.bytes[row..row + 80],
                    frame.bytes[y * 80..(y + 1) * 80]
                );
            }
        }
    }

    #[test]
    fn a_sheet_that_is_too_large_is_refused() {
        let mut limits = Limits::default();
        assert!(Grid::of(&limits, (4000, 4000), 4).is_ok());
        let Err(Error::Choice(why)) = Grid::of(&limits, (4000, 4000), 5) else {
            panic!("it is too large");
        };
        assert!(why.ends_with("`--limit side=12000` allows it"), "{why}");
        let grid = Grid::of(&limits, (8000, 10), 100).expect("it fits");
        assert_eq!((grid.columns, grid.size), (1, (8000, 1000)));
        limits.set(Limit::Side, 16_000).expect("a limit");
        limits.set(Limit::Pixels, 96_000_000).expect("a limit");
        assert!(Grid::of(&limits, (4000, 4000), 5).is_ok());
    }
}
