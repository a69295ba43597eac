//! What the program makes of a spec now: its numbers, its display lists and its pixels, as a golden would
//! keep them.

use super::container::Container;
use super::record::{
    Aspects, Column, LONGEST_NAME, MOST_COLUMNS, MOST_DIGESTS, Mark, Named, Record, half, rounded,
};
use crate::digest::Digest;
use crate::encode::runs::{self, Colour};
use crate::film::{Error, Film, Look, Play, Studio};
use crate::formula::Operand;
use crate::load::Animation;
use crate::picture::{Cap, Item, Join, Overlap, Picture};
use crate::pixels::Pixels;
use crate::scene::Scene;
use crate::scene::builder::TIME;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Frames whose display lists are looked at in one go.
const BATCH: usize = 64;
/// What the canvas's colour is called among the marks.
pub const BACKGROUND: &str = "background";

/// The films of an animation with every name that there is in them.
pub struct Films<'a> {
    /// The spec's own frames, as claims speak of them.
    pub plain: Film<'a>,
    /// The frames that are shown, if they are others.
    other: Option<Film<'a>>,
}

impl<'a> Films<'a> {
    /// Simulates everything once.
    ///
    /// # Errors
    /// As [`Animation::simulate`].
    pub fn of(animation: &'a Animation) -> Result<Self, Error> {
        let scene = animation.scene();
        let named = scene.origins.labels.iter().map(|(column, _)| *column);
        let all: BTreeSet<u32> = scene.drawn.iter().copied().chain(named).collect();
        let all: Vec<u32> = all.into_iter().collect();
        // Names that nothing draws may be out of range or too many: then they are left out.
        Self::with(animation, &all).or_else(|_| Self::with(animation, &scene.drawn))
    }

    fn with(animation: &'a Animation, columns: &[u32]) -> Result<Self, Error> {
        let plain = animation.simulate_plain_columns(columns)?;
        let other = match animation.scene().looping.is_plain() {
            true => None,
            false => Some(animation.simulate_columns(columns)?),
        };
        Ok(Self { plain, other })
    }

    /// The frames that are shown.
    pub fn shown(&self) -> &Film<'a> {
        self.other.as_ref().unwrap_or(&self.plain)
    }
}

/// A column and its name.
type Label = (u32, String);

/// What the program makes of a spec now.
pub struct Take<'a> {
    pub film: &'a Film<'a>,
    pub studio: Studio<'a>,
    pub container: Container,
    /// How many delays of the container belong to each frame.
    pub parts: Vec<usize>,
    /// Every column that has a name, in order of evaluation.
    pub labels: Vec<Label>,
    /// Those that count for the state, by name.
    drawn: Vec<u32>,
    /// Of their names.
    seed: Digest,
}

impl<'a> Take<'a> {
    /// # Errors
    /// When frames would be too large.
    pub fn of(film: &'a Film<'a>) -> Result<Self, Error> {
        let studio = film.studio(&Look::default())?;
        let scene = film.animation().scene();
        let (container, parts) = studio.with_movie(Play::default(), Container::of);
        let labels = labels(scene, film.timeline().columns());
        let (drawn, seed) = drawn(scene);
        Ok(Self {
            film,
            studio,
            container,
            parts,
            labels,
            drawn,
            seed,
        })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.film.frames()
    }

    pub fn scene(&self) -> &'a Scene {
        self.film.animation().scene()
    }

    /// A digest of the names whose numbers are drawn.
    pub fn names(&self) -> u64 {
        self.seed.finish()
    }

    /// A digest of every number that is drawn in a frame.
    pub fn state(&self, frame: usize, row: &mut Vec<f64>) -> u64 {
        let timeline = self.film.timeline();
        let mut digest = self.seed;
        let mut add = |digest: &mut Digest, frame: usize| {
            timeline.row(frame, row);
            digest.add_number(row[TIME as usize]);
            for column in &self.drawn {
                digest.add_number(row[*column as usize]);
            }
        };
        add(&mut digest, frame);
        if let Some((over, share)) = self.film.over(frame) {
            digest.add_number(share);
            add(&mut digest, over);
        }
        digest.finish()
    }

    /// The states of all frames.
    pub fn states(&self) -> Vec<u64> {
        let frames = (0..self.frames()).into_par_iter();
        frames
            .map_init(Vec::new, |row, frame| self.state(frame, row))
            .collect()
    }

    /// Draws a frame as straight colours.
    pub fn draw(&self, frame: usize, pixels: &mut Pixels, colours: &mut Vec<Colour>) {
        self.studio.draw(frame, pixels);
        let straight: fn([u8; 4]) -> Colour = match self.studio.is_opaque() {
            true => runs::colour,
            false => runs::straight,
        };
        colours.clear();
        colours.extend(
            pixels
                .bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|pixel| straight(*pixel)),
        );
    }

    /// A buffer for a frame.
    pub fn blank(&self) -> Pixels {
        let (width, height) = self.studio.size();
        Pixels::new(width, height)
    }

    /// The columns that a golden keeps with their numbers, over the first so many frames.
    pub fn columns(&self, frames: usize) -> Vec<Column> {
        let [kept, _] = self.split();
        let mut columns: Vec<(Column, Digest)> = kept
            .iter()
            .map(|(_, name)| (named_column(name), Digest::default()))
            .collect();
        self.each_row(frames, |row| {
            for ((column, digest), (index, _)) in columns.iter_mut().zip(&kept) {
                let value = row[*index as usize];
                digest.add_number(value);
                column.values.push(rounded(value));
            }
        });
        columns
            .into_iter()
            .map(|(column, digest)| Column {
                digest: half(digest),
                ..column
            })
            .collect()
    }

    /// The columns of which a golden keeps only a digest, over the first so many frames.
    pub fn others(&self, frames: usize) -> Vec<Named> {
        let [_, others] = self.split();
        let mut digests = vec![Digest::default(); others.len()];
        self.each_row(frames, |row| {
            for (digest, (index, _)) in digests.iter_mut().zip(&others) {
                digest.add_number(row[*index as usize]);
            }
        });
        let pairs = others.into_iter().zip(digests);
        pairs
            .map(|((_, name), digest)| Named {
                name: name.clone(),
                digest: half(digest),
            })
            .collect()
    }

    fn each_row(&self, frames: usize, mut visit: impl FnMut(&[f64])) {
        let mut row = Vec::new();
        for frame in 0..frames.min(self.frames()) {
            self.film.timeline().row(frame, &mut row);
            visit(&row);
        }
    }

    /// Columns that a golden keeps with their numbers, and those of which it keeps a digest.
    fn split(&self) -> [Vec<&Label>; 2] {
        let chosen = chosen(self.scene(), &self.labels);
        let (kept, others): (Vec<_>, Vec<_>) = self
            .labels
            .iter()
            .partition(|(column, _)| chosen.contains(column));
        [kept, others.into_iter().take(MOST_DIGESTS).collect()]
    }

    /// The marks with digests of what they draw in the first so many frames.
    pub fn marks(&self, frames: usize) -> Vec<Mark> {
        let frames = frames.min(self.frames());
        let entries = &self.film.animation().outline.draw;
        let mut sums = vec![Sums::default(); entries.len() + 1];
        sums[0]
            .colour
            .add(u64::from(runs::colour(self.studio.background())));
        for start in (0..frames).step_by(BATCH) {
            let batch = start..(start + BATCH).min(frames);
            let seen: Vec<Vec<Sums>> = batch
                .into_par_iter()
                .map(|frame| self.aspects(frame, entries.len()))
                .collect();
            for frame in seen {
                for (sum, own) in sums[1..].iter_mut().zip(frame) {
                    sum.outline.add(own.outline.finish());
                    sum.colour.add(own.colour.finish());
                    sum.stroke.add(own.stroke.finish());
                }
            }
        }
        let labels = entries.iter().map(|entry| entry.label.as_str());
        [BACKGROUND]
            .into_iter()
            .chain(labels)
            .zip(sums)
            .map(|(label, sums)| Mark {
                label: label.to_owned(),
                aspects: sums.halves(),
            })
            .collect()
    }

    /// Digests of each mark's part of a frame's display list.
    fn aspects(&self, frame: usize, marks: usize) -> Vec<Sums> {
        let mut sums = vec![Sums::default(); marks];
        let over = self.film.over(frame).map(|(row, _)| row);
        for row in [Some(frame), over].into_iter().flatten() {
            let picture = self.studio.picture(row);
            for (item, mark) in picture.items.iter().zip(&picture.marks) {
                if let Some(sums) = sums.get_mut(*mark as usize) {
                    sums.add(item, &picture, self.studio.colours());
                }
            }
        }
        sums
    }

    /// Everything that a golden keeps besides the pixels.
    pub fn record(&self) -> Record {
        let frames = self.frames();
        Record {
            version: env!("CARGO_PKG_VERSION").into(),
            spec: self.film.animation().outline.digest,
            names: self.names(),
            state: self.states(),
            columns: self.columns(frames),
            others: self.others(frames),
            marks: self.marks(frames),
        }
    }
}

fn named_column(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        ..Column::default()
    }
}

/// The names of those columns that are in a timeline, and of time.
fn labels(scene: &Scene, kept: &[u32]) -> Vec<Label> {
    let labels = scene.origins.labels.iter();
    let kept = labels
        .filter(|(column, name)| kept.binary_search(column).is_ok() && name.len() <= LONGEST_NAME);
    [(TIME, "t".to_owned())]
        .into_iter()
        .chain(kept.cloned())
        .collect()
}

/// The columns that marks and claims read, by name, and a digest of the names: the order in which they are
/// evaluated does not count.
fn drawn(scene: &Scene) -> (Vec<u32>, Digest) {
    let labels = &scene.origins.labels;
    let mut named: Vec<(String, u32)> = Vec::new();
    let mut nameless: BTreeMap<&str, usize> = BTreeMap::new();
    for column in &scene.drawn {
        let found = labels.binary_search_by_key(column, |(column, _)| *column);
        let name = match found {
            Ok(found) => labels[found].1.clone(),
            Err(_) => {
                let origin = scene.origins.of(*column);
                let origin = origin.map_or("", |origin| origin.name.as_str());
                let count = nameless.entry(origin).or_default();
                *count += 1;
                format!("{origin}~{count}")
            }
        };
        named.push((name, *column));
    }
    named.sort();
    let mut seed = Digest::default();
    named
        .iter()
        .for_each(|(name, _)| seed.add_bytes(name.as_bytes()));
    (named.into_iter().map(|(_, column)| column).collect(), seed)
}

/// Which columns are kept with their numbers: all, or else not what elements have besides their places, or
/// else of the largest bodies nothing of single elements, or else the first.
fn chosen(scene: &Scene, labels: &[Label]) -> BTreeSet<u32> {
    let all = || labels.iter().map(|(column, _)| *column);
    if labels.len() <= MOST_COLUMNS {
        return all().collect();
    }
    let traced: BTreeSet<u32> = scene
        .names
        .iter()
        .filter_map(|named| match named.operand {
            Operand::Column(column) => Some(column),
            _ => None,
        })
        .collect();
    let is_element = |name: &str| name.contains('[');
    let mut chosen: BTreeSet<u32> = labels
        .iter()
        .filter(|(column, name)| traced.contains(column) || !is_element(name))
        .map(|(column, _)| *column)
        .collect();
    let mut bodies: Vec<(usize, Vec<u32>)> = Vec::new();
    for (i, body) in scene.origins.list.iter().enumerate() {
        let energy = format!("{}.energy", body.name);
        if !labels.iter().any(|(_, name)| *name == energy) {
            continue;
        }
        let start = format!("{}[", body.name);
        let elements = labels.iter().filter(|(_, name)| name.starts_with(&start));
        bodies.push((i, elements.map(|(column, _)| *column).collect()));
    }
    bodies.sort_by_key(|(i, elements)| (std::cmp::Reverse(elements.len()), *i));
    for (_, elements) in bodies {
        if chosen.len() <= MOST_COLUMNS {
            break;
        }
        elements.iter().for_each(|column| {
            chosen.remove(column);
        });
    }
    chosen.into_iter().take(MOST_COLUMNS).collect()
}

/// Digests of what can change about a mark.
#[derive(Clone, Copy, Default)]
struct Sums {
    outline: Digest,
    colour: Digest,
    stroke: Digest,
}

impl Sums {
    fn halves(self) -> Aspects {
        Aspects {
            outline: half(self.outline),
            colour: half(self.colour),
            stroke: half(self.stroke),
        }
    }

    fn add(&mut self, item: &Item, picture: &Picture, colours: &[[u8; 4]]) {
        let mut paint = |colour: u16, opacity: f64| {
            let straight = colours
                .get(usize::from(colour))
                .copied()
                .unwrap_or_default();
            self.colour.add(u64::from(runs::colour(straight)));
            self.colour.add_number(opacity);
        };
        let (kind, outline) = match item {
            Item::Fill {
                outline,
                colour,
                opacity,
            } => {
                paint(colour.0, *opacity);
                (1, Some(outline))
            }
            Item::Stroke {
                outline,
                colour,
                opacity,
                nib,
            } => {
                paint(colour.0, *opacity);
                self.stroke.add_number(nib.width);
                self.stroke.add(match nib.cap {
                    Cap::Butt => 0,
                    Cap::Round => 1,
                    Cap::Square => 2,
                });
                self.stroke.add(match nib.join {
                    Join::Miter => 0,
                    Join::Round => 1,
                    Join::Bevel => 2,
                });
                let dashes = &picture.dashes[nib.dash.clone()];
                dashes.iter().for_each(|dash| self.stroke.add_number(*dash));
                self.stroke.add_number(nib.dash_offset);
                (2, Some(outline))
            }
            Item::Layer { opacity, overlap } => {
                self.colour.add_number(*opacity);
                self.colour.add(u64::from(*overlap == Overlap::Strongest));
                (3, None)
            }
            Item::Clip { outline } => (4, Some(outline)),
            Item::Close => (5, None),
        };
        self.outline.add(kind);
        let Some(outline) = outline else { return };
        for verb in &picture.verbs[outline.verbs.clone()] {
            self.outline.add(*verb as u64);
        }
        for point in picture.points_of(outline) {
            self.outline.add_number(point.x);
            self.outline.add_number(point.y);
        }
    }
}
