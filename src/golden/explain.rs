//! Why frames differ: the first name that moved, or the mark that draws otherwise.
//!
//! Columns stand in the order in which they are evaluated, so of those that differ in the first frame that
//! does, the first depends on no other: it is the cause, however much farther others have moved.

use super::compare::{Comparison, Fault, apart, each_pair};
use super::file::Golden;
use super::record::{Aspects, Column, Mark, Record, STEPS};
use super::take::Take;
use super::verdict::{Cause, Curve, Difference, Gap, Layer, MarkChange, Place, Share};
use crate::encode::Watch;
use crate::encode::runs::Colour;
use crate::picture::Picture;
use crate::pixels::Pixels;
use crate::raster;
use crate::scene::builder::TIME;
use crate::scene::step_of;
use crate::spec::report::line_column;
use crate::spec::source::Span;
use std::collections::BTreeSet;

/// Names that are told besides the cause.
const MOST_ALSO: usize = 3;
/// Curves that are kept.
const MOST_CURVES: usize = 6;
/// Marks that are drawn alone to see what they cover.
const MOST_ALONE: usize = 64;
/// Marks that are told.
const MOST_SHARES: usize = 3;
/// Largest list of marks that is compared with another mark by mark.
const MOST_ALIGNED: usize = 512;

/// What differs and why, with the place in the spec that says most about it.
///
/// # Errors
/// When the golden cannot be read to its end, or the work is cancelled.
pub fn explain(
    take: &Take,
    golden: &Golden,
    found: Comparison,
    watch: Watch,
) -> Result<(Difference, Place), Fault> {
    let layer = match &found {
        found if found.state.is_some() => Layer::State,
        found if found.resized || found.pixels.is_some() => Layer::Pixels,
        _ => Layer::Container,
    };
    let pixels_from = found
        .pixels
        .as_ref()
        .and_then(|p| p.runs.first())
        .map(|run| run.0);
    let frame = match layer {
        Layer::State => found.state.unwrap_or(0),
        Layer::Pixels => pixels_from.unwrap_or(0),
        Layer::Container => found.container.iter().map(|c| c.frame).min().unwrap_or(0),
    };
    let marks = match (&golden.record, &found.pixels) {
        (Some(record), Some(_)) => Some(changed_marks(take, record)),
        _ => None,
    };
    let drawn_by = match (&marks, found.pixels.as_ref().and_then(|p| p.worst)) {
        (Some(marks), Some(worst)) => shares(take, golden, marks, worst.frame, watch)?,
        _ => Vec::new(),
    };
    let canvas = take.film.animation().outline.canvas;
    let (cause, span, also) = match (layer, &golden.record) {
        (Layer::State, Some(record)) => Numbers::of(take, record, &found).cause(frame),
        (Layer::Pixels, _) if found.resized => {
            let (expected, got) = (golden.container.size, take.container.size);
            (Cause::Size { expected, got }, canvas, Vec::new())
        }
        (Layer::Pixels, _) => drawing(take, marks.as_deref(), &drawn_by),
        _ => (Cause::Container, canvas, Vec::new()),
    };
    let record = golden.record.as_ref();
    let spec = take.film.animation().outline.digest;
    let difference = Difference {
        layer,
        frame,
        seconds: frame as f64 / take.film.fps(),
        cause,
        largest: record.and_then(|record| largest(record, &found.columns)),
        also,
        pixels: found.pixels,
        drawn_by,
        container: found.container,
        spec_changed: record.map(|record| record.spec != spec),
        version: record.map(|record| record.version.clone()),
        curves: record.map_or(Vec::new(), |record| curves(record, &found.columns)),
    };
    Ok((difference, place(take, span)))
}

/// A span as file, line and column.
pub fn place(take: &Take, span: Span) -> Place {
    let sources = &take.film.animation().warnings().sources;
    let Some(source) = sources.get(usize::from(span.file)) else {
        return Place::default();
    };
    let (line, column) = line_column(source, span.start as usize);
    Place {
        file: source.name.clone(),
        line,
        column,
    }
}

/// The numbers as they were and as they are.
struct Numbers<'a> {
    take: &'a Take<'a>,
    record: &'a Record,
    columns: &'a [Column],
    /// Whether the digests of columns can be compared: they cover the same frames.
    whole: bool,
}

impl<'a> Numbers<'a> {
    fn of(take: &'a Take, record: &'a Record, found: &'a Comparison) -> Self {
        Self {
            take,
            record,
            columns: &found.columns,
            whole: record.state.len() <= take.frames(),
        }
    }

    /// What moved first, where it is declared, and what moved with it.
    fn cause(&self, frame: usize) -> (Cause, Span, Vec<String>) {
        let differs = |now: &&Column| {
            let was = self.record.column(&now.name);
            was.is_some_and(|was| was.values.get(frame) != now.values.get(frame))
        };
        let moved: Vec<&Column> = self.columns.iter().filter(differs).collect();
        if let Some(first) = self.first(&moved) {
            let also = self.independent(&moved);
            return (
                self.number(first, frame, None),
                self.span(&first.name),
                also,
            );
        }
        self.hidden(frame)
            .or_else(|| self.digested())
            .unwrap_or_else(|| self.renamed())
    }

    /// The first that moved; of what belongs to the same name rather a place than what else is known of it, such
    /// as its speed.
    fn first<'c>(&self, moved: &[&'c Column]) -> Option<&'c Column> {
        let scene = self.take.scene();
        let origin = |now: &Column| self.column(&now.name).and_then(|c| scene.origins.of(c));
        let first = *moved.first()?;
        let is_traced = |now: &Column| scene.names.iter().any(|named| named.path == now.name);
        let of_it = moved.iter().filter(|now| origin(now) == origin(first));
        Some(of_it.copied().find(|now| is_traced(now)).unwrap_or(first))
    }

    fn number(&self, now: &Column, frame: usize, hidden_until: Option<usize>) -> Cause {
        let was = self.record.column(&now.name);
        let expected = was
            .and_then(|was| was.values.get(frame))
            .copied()
            .unwrap_or_default();
        let column = self.column(&now.name);
        let mut row = Vec::new();
        self.take.film.timeline().row(frame, &mut row);
        let rounded = now.values.get(frame).copied().unwrap_or_default();
        let exact = column.and_then(|column| row.get(column as usize)).copied();
        Cause::Number {
            name: now.name.clone(),
            what: self.what(&now.name),
            expected: expected as f64 / STEPS,
            got: exact.unwrap_or(rounded as f64 / STEPS),
            hidden_until,
        }
    }

    /// A column that differs by less than is kept, at first.
    fn hidden(&self, frame: usize) -> Option<(Cause, Span, Vec<String>)> {
        let first_seen = |now: &Column| {
            let was = self.record.column(&now.name)?;
            let pairs = was.values.iter().zip(&now.values);
            pairs
                .enumerate()
                .skip(frame)
                .find(|(_, (a, b))| a != b)
                .map(|(frame, _)| frame)
        };
        let differs = |now: &&Column| {
            let was = self.record.column(&now.name);
            self.whole && was.is_some_and(|was| was.digest != now.digest)
        };
        let differing: Vec<&Column> = self.columns.iter().filter(differs).collect();
        let by_digest = self.first(&differing);
        let by_sight = || {
            let seen = self
                .columns
                .iter()
                .filter_map(|now| Some((first_seen(now)?, now)));
            // Of equals the first: it is evaluated before the others.
            seen.min_by_key(|(frame, _)| *frame).map(|(_, now)| now)
        };
        let now = by_digest.or_else(by_sight)?;
        let cause = match first_seen(now) {
            Some(seen) => self.number(now, seen, Some(seen)),
            None => Cause::Unmeasured {
                name: now.name.clone(),
                what: self.what(&now.name),
            },
        };
        Some((cause, self.span(&now.name), self.independent(&differing)))
    }

    /// A column of which only a digest is kept.
    fn digested(&self) -> Option<(Cause, Span, Vec<String>)> {
        if !self.whole {
            return None;
        }
        let frames = self.record.state.len();
        let columns = self.take.columns(frames).into_iter();
        let columns = columns.map(|column| (column.name, column.digest));
        let others = self.take.others(frames).into_iter();
        let mut now: Vec<(String, u32)> = columns
            .chain(others.map(|other| (other.name, other.digest)))
            .collect();
        let order = |name: &str| self.column(name).unwrap_or(u32::MAX);
        now.sort_by_key(|(name, _)| order(name));
        let (name, _) = now.into_iter().find(|(name, digest)| {
            let was = self.record.others.iter().find(|other| other.name == *name);
            was.is_some_and(|was| was.digest != *digest)
        })?;
        let (what, span) = (self.what(&name), self.span(&name));
        Some((Cause::Unmeasured { name, what }, span, Vec::new()))
    }

    /// Nothing that both have differs: there are other names.
    fn renamed(&self) -> (Cause, Span, Vec<String>) {
        let was = self
            .record
            .columns
            .iter()
            .map(|column| column.name.as_str());
        let was: BTreeSet<&str> = was
            .chain(self.record.others.iter().map(|o| o.name.as_str()))
            .collect();
        let now: BTreeSet<&str> = self
            .take
            .labels
            .iter()
            .map(|(_, name)| name.as_str())
            .collect();
        let some = |names: Vec<&&str>| -> Vec<String> {
            names
                .into_iter()
                .take(8)
                .map(|name| (*name).to_owned())
                .collect()
        };
        let new = some(now.difference(&was).collect());
        let span = new.first().map_or(Span::default(), |name| self.span(name));
        let gone = some(was.difference(&now).collect());
        (Cause::Names { gone, new }, span, Vec::new())
    }

    /// Those of the columns that moved on which the first does not act, as far as they stand at the head of
    /// their own dependents.
    fn independent(&self, moved: &[&Column]) -> Vec<String> {
        let scene = self.take.scene();
        let origin = |name: &str| self.column(name).and_then(|c| scene.origins.of(c));
        let Some(first) = moved.first().map(|now| origin(&now.name)) else {
            return Vec::new();
        };
        let mut touched = vec![false; scene.steps.len()];
        let mut also: Vec<String> = Vec::new();
        let steps: Vec<(usize, &str)> = moved
            .iter()
            .filter_map(|now| {
                let step = step_of(&scene.steps, self.column(&now.name)?)?;
                Some((step, now.name.as_str()))
            })
            .collect();
        let mut own = steps.iter().peekable();
        for index in 0..scene.steps.len() {
            let step = &scene.steps[index];
            let reads = |column: &u32| step_of(&scene.steps, *column).is_some_and(|s| touched[s]);
            let follows = step.reads.iter().any(reads);
            touched[index] = follows;
            while let Some((_, name)) = own.next_if(|(at, _)| *at == index) {
                let head = !follows && !touched[index];
                touched[index] = true;
                if head && origin(name) != first {
                    also.push((*name).to_owned());
                }
            }
        }
        also.truncate(MOST_ALSO);
        also
    }

    fn column(&self, name: &str) -> Option<u32> {
        let found = self.take.labels.iter().find(|(_, label)| label == name);
        found.map(|(column, _)| *column)
    }

    fn what(&self, name: &str) -> String {
        let origin = self
            .column(name)
            .and_then(|column| self.take.scene().origins.of(column));
        let kinds = &self.take.film.animation().outline.kinds;
        match origin {
            Some(origin) => match kinds.get(&origin.span) {
                Some(kind) => kind.clone(),
                None => origin.what.to_owned(),
            },
            None => "the time".into(),
        }
    }

    fn span(&self, name: &str) -> Span {
        match self.column(name) {
            Some(TIME) | None => self.take.film.animation().outline.canvas,
            Some(column) => {
                let origin = self.take.scene().origins.of(column);
                origin.map_or(Span::default(), |origin| origin.span)
            }
        }
    }
}

/// The number that is farthest from what it was, and the first frame in which it is; of equals the first.
fn largest(record: &Record, columns: &[Column]) -> Option<Gap> {
    let mut most: Option<(u64, &Column, usize)> = None;
    for now in columns {
        let Some(was) = record.column(&now.name) else {
            continue;
        };
        for (frame, (a, b)) in was.values.iter().zip(&now.values).enumerate() {
            let gap = a.abs_diff(*b);
            if gap > most.map_or(0, |(most, ..)| most) {
                most = Some((gap, now, frame));
            }
        }
    }
    most.map(|(gap, column, frame)| Gap {
        name: column.name.clone(),
        size: gap as f64 / STEPS,
        frame,
    })
}

/// The columns that moved, those that moved first before the others.
fn curves(record: &Record, columns: &[Column]) -> Vec<Curve> {
    let mut moved: Vec<(usize, &Column, &Column)> = columns
        .iter()
        .filter_map(|now| {
            let was = record.column(&now.name)?;
            let mut pairs = was.values.iter().zip(&now.values);
            Some((pairs.position(|(a, b)| a != b)?, was, now))
        })
        .collect();
    moved.sort_by_key(|(first, ..)| *first);
    let numbers = |column: &Column| column.values.iter().map(|v| *v as f64 / STEPS).collect();
    let moved = moved.into_iter().take(MOST_CURVES);
    moved
        .map(|(_, was, now)| Curve {
            name: now.name.clone(),
            expected: numbers(was),
            got: numbers(now),
        })
        .collect()
}

/// A mark that draws otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    label: String,
    /// Its number among the marks there are now, the background being 0.
    now: Option<usize>,
    change: MarkChange,
}

/// The marks that do not draw what they drew.
fn changed_marks(take: &Take, record: &Record) -> Vec<Changed> {
    let whole = record.state.len() <= take.frames();
    let now = take.marks(record.state.len());
    compare_marks(&record.marks, &now, whole)
}

fn compare_marks(was: &[Mark], now: &[Mark], whole: bool) -> Vec<Changed> {
    let pairs = align(was, now);
    let mut changed = Vec::new();
    for (i, j) in &pairs {
        let aspects = differing(was[*i].aspects, now[*j].aspects);
        if whole && !aspects.is_empty() {
            changed.push(Changed {
                label: now[*j].label.clone(),
                now: Some(*j),
                change: MarkChange::Changed(aspects),
            });
        }
    }
    let lost = (0..was.len()).filter(|i| !pairs.iter().any(|(a, _)| a == i));
    let mut lost: Vec<&Mark> = lost.map(|i| &was[i]).collect();
    for j in (0..now.len()).filter(|j| !pairs.iter().any(|(_, b)| b == j)) {
        let moved = lost.iter().position(|mark| mark.label == now[j].label);
        changed.push(Changed {
            label: now[j].label.clone(),
            now: Some(j),
            change: match moved.map(|moved| lost.remove(moved)) {
                Some(_) => MarkChange::Moved,
                None => MarkChange::New,
            },
        });
    }
    changed.extend(lost.into_iter().map(|mark| Changed {
        label: mark.label.clone(),
        now: None,
        change: MarkChange::Gone,
    }));
    changed
}

fn differing(was: Aspects, now: Aspects) -> Vec<String> {
    [
        ("outline", was.outline != now.outline),
        ("colour", was.colour != now.colour),
        ("stroke", was.stroke != now.stroke),
    ]
    .into_iter()
    .filter(|(_, differs)| *differs)
    .map(|(aspect, _)| aspect.to_owned())
    .collect()
}

/// Which mark was which: by place if all kinds stand where they stood, else the longest common sequence of
/// labels. (Wagner and Fischer 1974.)
fn align(was: &[Mark], now: &[Mark]) -> Vec<(usize, usize)> {
    let kind = |mark: &Mark| mark.label.split(' ').next().unwrap_or_default().to_owned();
    let kinds = |marks: &[Mark]| marks.iter().map(kind).collect::<Vec<_>>();
    let labels = |marks: &[Mark]| {
        let mut labels: Vec<String> = marks.iter().map(|mark| mark.label.clone()).collect();
        labels.sort();
        labels
    };
    let same_place = kinds(was) == kinds(now);
    let shuffled =
        labels(was) == labels(now) && was.iter().zip(now).any(|(a, b)| a.label != b.label);
    let large = was.len().max(now.len()) > MOST_ALIGNED;
    if (same_place && !shuffled) || large {
        return (0..was.len().min(now.len())).map(|i| (i, i)).collect();
    }
    let (rows, columns) = (was.len(), now.len());
    let mut longest = vec![vec![0u32; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            longest[i][j] = match was[i].label == now[j].label {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < rows && j < columns {
        if was[i].label == now[j].label {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Why pixels differ whose numbers do not: the mark that covers most of them; and what else draws otherwise.
fn drawing(take: &Take, marks: Option<&[Changed]>, shares: &[Share]) -> (Cause, Span, Vec<String>) {
    let outline = &take.film.animation().outline;
    let whole = outline
        .draw
        .first()
        .map_or(outline.canvas, |entry| entry.span);
    let Some(marks) = marks else {
        return (Cause::Unknown, whole, Vec::new());
    };
    let top = shares
        .iter()
        .find_map(|share| marks.iter().find(|m| m.label == share.label));
    let Some(mark) = top.or(marks.first()) else {
        return (Cause::Raster, whole, Vec::new());
    };
    let span = match mark.now {
        Some(0) => outline.canvas,
        Some(i) => outline.draw.get(i - 1).map_or(whole, |entry| entry.span),
        None => whole,
    };
    let others = marks.iter().filter(|other| *other != mark).take(MOST_ALSO);
    let others = others.map(|other| other.label.clone()).collect();
    let (label, change) = (mark.label.clone(), mark.change.clone());
    (Cause::Mark { label, change }, span, others)
}

/// How much of what differs in a frame each of the marks covers that draw otherwise; all marks if none does.
fn shares(
    take: &Take,
    golden: &Golden,
    changed: &[Changed],
    frame: usize,
    watch: Watch,
) -> Result<Vec<Share>, Fault> {
    let differing = differing_pixels(take, golden, frame, watch)?;
    if differing.is_empty() {
        return Ok(Vec::new());
    }
    let entries = &take.film.animation().outline.draw;
    let mut candidates: Vec<(usize, String)> = changed
        .iter()
        .filter_map(|mark| Some((mark.now?, mark.label.clone())))
        .collect();
    let gone: Vec<&Changed> = changed.iter().filter(|mark| mark.now.is_none()).collect();
    if changed.is_empty() {
        candidates = entries
            .iter()
            .enumerate()
            .map(|(i, e)| (i + 1, e.label.clone()))
            .collect();
    }
    // The one on top comes first.
    candidates.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    candidates.truncate(MOST_ALONE);
    let picture = take.studio.picture(frame);
    let covers: Vec<Cover> = candidates
        .iter()
        .map(|(number, _)| Cover::of(take, &picture, *number))
        .collect();
    let mut counts = vec![0u64; candidates.len() + 1];
    for &pixel in &differing {
        let covering = covers.iter().position(|cover| cover.has(pixel));
        let nearest = || {
            let distances = covers.iter().enumerate();
            let distances = distances.filter_map(|(i, c)| Some((c.distance(pixel)?, i)));
            distances.min().map(|(_, i)| i)
        };
        let owner = match gone.is_empty() {
            true => covering.or_else(nearest),
            false => covering,
        };
        counts[owner.unwrap_or(candidates.len())] += 1;
    }
    let labels = candidates.into_iter().map(|(_, label)| label);
    let rest = gone
        .first()
        .map_or("nothing that is drawn now".into(), |mark| {
            mark.label.clone()
        });
    let mut shares: Vec<Share> = labels
        .chain([rest])
        .zip(counts)
        .map(|(label, count)| Share {
            label,
            percent: ((count * 200 + differing.len() as u64) / (2 * differing.len() as u64)) as u32,
        })
        .filter(|share| share.percent > 0)
        .collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.percent));
    shares.truncate(MOST_SHARES);
    Ok(shares)
}

/// The places of the pixels that differ in a frame.
fn differing_pixels(
    take: &Take,
    golden: &Golden,
    frame: usize,
    watch: Watch,
) -> Result<Vec<usize>, Fault> {
    let mut found = Vec::new();
    let work = |_: usize, expected: &[Colour], got: &[Colour]| -> Vec<usize> {
        let pairs = expected.iter().zip(got).enumerate();
        pairs
            .filter(|(_, (a, b))| apart(**a, **b) > 0)
            .map(|(at, _)| at)
            .collect()
    };
    let wanted = |i: usize| i == frame;
    each_pair(take, golden, &wanted, watch, work, |places| {
        found.extend(places)
    })?;
    Ok(found)
}

/// What a mark covers in a frame.
struct Cover {
    /// A bit per pixel.
    mask: Vec<bool>,
    width: usize,
    /// Left, top, right and bottom; none if it covers nothing.
    edges: Option<[usize; 4]>,
}

impl Cover {
    fn of(take: &Take, picture: &Picture, number: usize) -> Self {
        let mut pixels = take.blank();
        let width = pixels.width as usize;
        if number == 0 {
            return Self {
                mask: vec![true; width * pixels.height as usize],
                width,
                edges: Some([0, 0, width, pixels.height as usize]),
            };
        }
        let alone = only(picture, number as u32 - 1);
        raster::draw(&alone, take.studio.colours(), [0; 4], &mut pixels);
        Self::of_pixels(&pixels, width)
    }

    fn of_pixels(pixels: &Pixels, width: usize) -> Self {
        let mask: Vec<bool> = pixels
            .bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|p| p[3] > 0)
            .collect();
        let mut edges: Option<[usize; 4]> = None;
        for (at, _) in mask.iter().enumerate().filter(|(_, covered)| **covered) {
            let (x, y) = (at % width, at / width);
            let [l, t, r, b] = edges.unwrap_or([x, y, x, y]);
            edges = Some([l.min(x), t.min(y), r.max(x + 1), b.max(y + 1)]);
        }
        Self { mask, width, edges }
    }

    fn has(&self, at: usize) -> bool {
        self.mask.get(at).copied().unwrap_or(false)
    }

    /// From a pixel to its box, in whole pixels along both sides.
    fn distance(&self, at: usize) -> Option<usize> {
        let [left, top, right, bottom] = self.edges?;
        let (x, y) = (at % self.width, at / self.width);
        let along =
            |v: usize, low: usize, high: usize| low.saturating_sub(v) + v.saturating_sub(high);
        Some(along(x, left, right) + along(y, top, bottom))
    }
}

/// The part of a display list that one mark has drawn.
fn only(picture: &Picture, mark: u32) -> Picture {
    let own = picture
        .items
        .iter()
        .zip(&picture.marks)
        .filter(|(_, m)| **m == mark);
    let (items, marks) = own.map(|(item, mark)| (item.clone(), *mark)).unzip();
    Picture {
        items,
        marks,
        ..picture.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(labels: &[(&str, u32)]) -> Vec<Mark> {
        let mark = |(label, outline): &(&str, u32)| Mark {
            label: (*label).into(),
            aspects: Aspects {
                outline: *outline,
                ..Aspects::default()
            },
        };
        labels.iter().map(mark).collect()
    }

    fn changes(was: &[(&str, u32)], now: &[(&str, u32)]) -> Vec<(String, MarkChange)> {
        let changed = compare_marks(&marks(was), &marks(now), true);
        changed
            .into_iter()
            .map(|mark| (mark.label, mark.change))
            .collect()
    }

    #[test]
    fn marks_that_are_gone_new_moved_or_changed() {
        let was = [
            ("background", 0),
            ("rect a", 1),
            ("circle b", 2),
            ("line c", 3),
        ];
        let gone = changes(&was, &[("background", 0), ("rect a", 1), ("line c", 3)]);
        assert_eq!(gone, [("circle b".into(), MarkChange::Gone)]);
        let new = changes(&was[..3], &was);
        assert_eq!(new, [("line c".into(), MarkChange::New)]);
        let moved = changes(&was, &[was[0], was[2], was[1], was[3]]);
        assert_eq!(moved.len(), 1);
        assert_eq!(moved[0].1, MarkChange::Moved);
        let outline = MarkChange::Changed(vec!["outline".into()]);
        let changed = changes(&was, &[was[0], was[1], ("circle b", 9), was[3]]);
        assert_eq!(changed, [("circle b".into(), outline.clone())]);
        let renamed = changes(&was, &[was[0], was[1], ("circle [x, 3]", 9), was[3]]);
        assert_eq!(renamed, [("circle [x, 3]".into(), outline)]);
        assert_eq!(changes(&was, &was), []);
    }
}
