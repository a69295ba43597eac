//! Many moments in one picture: the contact sheet and the onion skin.

use crate::film::{Error, Film, Look, Studio};
use crate::limits::Limit;
use crate::marks::Shape;
use crate::maths::functions::ceil;
use crate::maths::vector::Vec2;
use crate::picture::{ColourId, Item, Outline, Overlap, Picture};
use crate::pixels::Pixels;
use crate::raster;
use crate::scene::colours::Rgba;
use crate::text::{Align, Baseline, FontId, FontSet, Setting};

/// Width of a sheet's cell in px at scale 1.
const CELL: f64 = 240.0;
/// Space between cells, and around them.
const GAP: f64 = 8.0;
/// Height of the line with the time below a cell.
const CAPTION: f64 = 20.0;
/// Cells side by side.
const COLUMNS: usize = 4;
/// Readable on light and on dark paper.
const CAPTION_COLOUR: Rgba = [128, 128, 128, 255];

/// Frames spread evenly over a film: the first, and so on.
fn spread(film: &Film, poses: usize) -> Vec<usize> {
    let (count, all) = (poses.clamp(1, film.frames()), film.frames());
    (0..count).map(|i| i * all / count).collect()
}

/// A contact sheet: so many frames with their times, in rows, for print and for reviewers.
///
/// # Errors
/// For a theme that the spec does not have, and a sheet that would be too large.
pub fn sheet(film: &Film, look: &Look, poses: usize) -> Result<Pixels, Error> {
    let width = film.animation().scene().clock.width;
    let small = Look {
        scale: look.scale * CELL / width,
        theme: look.theme.clone(),
    };
    let studio = film.studio(&small)?;
    let frames = spread(film, poses);
    let layout = Layout::of(&studio, frames.len(), look.scale);
    let pixels = f64::from(layout.size.0) * f64::from(layout.size.1);
    let limits = film.animation().scene().limits;
    if layout.size.0.max(layout.size.1) > 16_384 || limits.forbid(Limit::Pixels, pixels) {
        return Err(Error::Choice(
            "the sheet would be too large: fewer poses or a smaller scale".into(),
        ));
    }
    let mut pixels = Pixels::new(layout.size.0, layout.size.1);
    let captions = layout.captions(film, &frames);
    raster::draw(
        &captions,
        &[CAPTION_COLOUR],
        studio.background(),
        &mut pixels,
    );
    for (i, frame) in frames.iter().enumerate() {
        pixels.paste(&studio.frame(*frame), layout.corner(i));
    }
    Ok(pixels)
}

/// Where the cells of a sheet lie, in pixels.
struct Layout {
    cell: (u32, u32),
    gap: u32,
    caption: u32,
    scale: f64,
    size: (u32, u32),
}

impl Layout {
    fn of(studio: &Studio, cells: usize, scale: f64) -> Self {
        let (cell, whole) = (studio.size(), |length: f64| ceil(length * scale) as u32);
        let (gap, caption) = (whole(GAP), whole(CAPTION));
        let columns = cells.min(COLUMNS) as u32;
        let rows = cells.div_ceil(COLUMNS) as u32;
        let size = (
            columns * (cell.0 + gap) + gap,
            rows * (cell.1 + caption + gap) + gap,
        );
        Self {
            cell,
            gap,
            caption,
            scale,
            size,
        }
    }

    /// The left top corner of a cell.
    fn corner(&self, cell: usize) -> (u32, u32) {
        let (column, row) = ((cell % COLUMNS) as u32, (cell / COLUMNS) as u32);
        (
            self.gap + column * (self.cell.0 + self.gap),
            self.gap + row * (self.cell.1 + self.caption + self.gap),
        )
    }

    /// The times below the cells.
    fn captions(&self, film: &Film, frames: &[usize]) -> Picture {
        let clock = film.animation().scene().clock;
        let lines = frames.iter().enumerate().map(|(i, frame)| {
            let (left, top) = self.corner(i);
            let bottom = top + self.cell.1 + self.caption;
            let at = Vec2::new(f64::from(left), f64::from(bottom) - 5.0 * self.scale);
            let time = film.timeline().time(*frame);
            (at, format!("{:.2} s", clock.seconds(time)))
        });
        captions(lines, 12.0 * self.scale, None)
    }
}

/// Lines of text in the first colour, each from its place to the right and at most `fit` px wide.
pub(crate) fn captions(
    lines: impl IntoIterator<Item = (Vec2, String)>,
    size: f64,
    fit: Option<f64>,
) -> Picture {
    let fonts = FontSet::default();
    let setting = Setting {
        size,
        align: Align::Left,
        baseline: Baseline::Alphabetic,
        fit,
        rotate: 0.0,
    };
    let mut picture = Picture::default();
    for (at, words) in lines {
        let line = fonts.line(FontId::default(), &words);
        Shape::on(&mut picture).text(&line, &setting, at);
    }
    let outline = Outline {
        verbs: 0..picture.verbs.len(),
        points: 0..picture.points.len(),
    };
    picture.items.push(Item::Fill {
        outline,
        colour: ColourId(0),
        opacity: 1.0,
    });
    picture.marks.push(0);
    picture
}

/// An onion skin: so many poses in one picture, the older the fainter.
///
/// # Errors
/// For poses that together have too many lines and curves.
pub fn onion(studio: &Studio, film: &Film, poses: usize) -> Result<Pixels, Error> {
    let frames = spread(film, poses);
    let limits = film.animation().scene().limits;
    let mut picture = Picture::default();
    for (i, frame) in frames.iter().enumerate() {
        let opacity = (i + 1) as f64 / frames.len() as f64;
        picture.append(&studio.picture(*frame), opacity);
        if limits.forbid(Limit::Segments, picture.verbs.len() as f64) {
            return Err(Error::Choice(format!(
                "{} poses have too many lines and curves: choose fewer `--poses`; {}",
                frames.len(),
                Limit::Segments.flag()
            )));
        }
    }
    let (width, height) = studio.size();
    let mut pixels = Pixels::new(width, height);
    raster::draw(&picture, studio.colours(), studio.background(), &mut pixels);
    Ok(pixels)
}

impl Picture {
    /// Adds another picture on top, as a layer.
    fn append(&mut self, other: &Picture, opacity: f64) {
        let (verbs, points, dashes) = (self.verbs.len(), self.points.len(), self.dashes.len());
        self.verbs.extend(&other.verbs);
        self.points.extend(&other.points);
        self.dashes.extend(&other.dashes);
        self.items.push(Item::Layer {
            opacity,
            overlap: Overlap::Over,
        });
        self.items
            .extend(other.items.iter().cloned().map(|mut item| {
                match &mut item {
                    Item::Fill { outline, .. } | Item::Clip { outline } => {
                        outline.shift(verbs, points)
                    }
                    Item::Stroke { outline, nib, .. } => {
                        outline.shift(verbs, points);
                        nib.dash = nib.dash.start + dashes..nib.dash.end + dashes;
                    }
                    Item::Layer { .. } | Item::Close => {}
                }
                item
            }));
        self.items.push(Item::Close);
        self.marks.resize(self.items.len(), 0);
    }
}

impl Outline {
    fn shift(&mut self, verbs: usize, points: usize) {
        self.verbs = self.verbs.start + verbs..self.verbs.end + verbs;
        self.points = self.points.start + points..self.points.end + points;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Animation, Choices};

    const SPEC: &str = r##"{ "hazumi": 1, "alt": "x", "canvas": { "size": [120, 60], "duration": 1 },
        "channels": { "x": { "track": { "keys": [[0, 20], [1, 100]] } } },
        "draw": [ { "circle": { "at": ["x", 30], "radius": 8, "fill": "#000" } } ] }"##;

    fn animation() -> Animation {
        Animation::parse("x", SPEC, &Choices::default()).expect("sound")
    }

    #[test]
    fn a_sheet_has_a_cell_for_every_pose() {
        let animation = animation();
        let film = animation.simulate().expect("in range");
        let pixels = sheet(&film, &Look::default(), 6).expect("small");
        // Four cells of 240 × 120 side by side, in two rows.
        assert_eq!((pixels.width, pixels.height), (4 * 248 + 8, 2 * 148 + 8));
        let dark = |x: usize, y: usize| pixels.bytes[(y * pixels.width as usize + x) * 4] < 40;
        // The first frame's circle is at 20 of 120 px, the second's at 20 + 80 · 8/50.
        assert!(dark(8 + 40, 8 + 60));
        assert!(dark(8 + 248 + 65, 8 + 60));
    }

    #[test]
    fn older_poses_are_fainter() {
        let animation = animation();
        let film = animation.simulate().expect("in range");
        let studio = film.studio(&Look::default()).expect("small");
        let pixels = onion(&studio, &film, 4).expect("few lines");
        let red = |x: usize| pixels.bytes[(30 * 120 + x) * 4];
        // Frames 0, 12, 25 and 37: at 20, 39, 60 and 79 px.
        let shades = [red(20), red(39), red(60), red(79)];
        assert!(shades.is_sorted_by(|a, b| a > b), "{shades:?}");
        assert_eq!(shades[3], 0);
    }
}
