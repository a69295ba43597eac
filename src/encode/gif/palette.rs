//! The global colour table: exact while it can be, else the best 255 colours.

use std::collections::BTreeMap;

use super::colours::GifColours;
use super::order::{self, Set};
use super::quantise::{self, Choice, Rgb};
use crate::encode::Movie;
use crate::encode::runs::{CLEAR, Colour, colour};
use crate::encode::survey::Tally;

/// Colours beside the transparent index.
pub const LARGEST: usize = 255;
/// Colours that are told apart while counting; beyond, the low bits of every channel are dropped.
const DISTINCT: usize = 1 << 14;
/// A colour of at least one pixel in so many is kept as it is, like those of the spec…
const COMMON: u64 = 2000;
/// …but at most so many are.
const MOST_PINNED: usize = 128;

/// Colours of frames that are remembered one by one: 4 MiB. What frames after that send does not count.
const MOST_NEEDS: usize = 1 << 20;

/// How often each colour is shown, and together with which others it is sent.
#[derive(Default)]
pub struct Histogram {
    counts: BTreeMap<Colour, u64>,
    /// The colours of frames that send few enough to profit from an order.
    needs: Vec<Vec<Colour>>,
    /// Of all needs.
    needed: usize,
    /// Low bits of each channel that are dropped.
    dropped: u32,
}

impl Histogram {
    /// Adds a frame.
    pub fn add(&mut self, tally: &Tally) {
        let changed = &tally.changed;
        if (1..LARGEST).contains(&changed.len()) && self.needed + changed.len() <= MOST_NEEDS {
            self.needed += changed.len();
            self.needs.push(changed.clone());
        }
        self.count(&tally.counts);
    }

    /// Adds the colours of a frame; clear pixels do not count.
    pub fn count(&mut self, counts: &[(Colour, u64)]) {
        for &(colour, count) in counts.iter().filter(|(colour, _)| *colour != CLEAR) {
            *self.counts.entry(self.cell(colour)).or_default() += count;
            while self.counts.len() > DISTINCT {
                self.coarsen();
            }
        }
    }

    /// Whether a palette holds all its colours.
    pub fn is_exact(&self) -> bool {
        self.dropped == 0 && self.counts.len() <= LARGEST
    }

    /// For each frame that is remembered, which colours of a palette it needs, given the position of each of
    /// the counted.
    fn sets(&self, owners: &[usize]) -> Vec<Set> {
        let cells: Vec<Colour> = self.counts.keys().copied().collect();
        let set_of = |colours: &Vec<Colour>| {
            let mut set = Set::default();
            for &colour in colours.iter().filter(|colour| **colour != CLEAR) {
                if let Ok(at) = cells.binary_search(&self.cell(colour)) {
                    set.insert(owners[at]);
                }
            }
            set
        };
        self.needs.iter().map(set_of).collect()
    }

    fn coarsen(&mut self) {
        self.dropped += 1;
        for (colour, count) in std::mem::take(&mut self.counts) {
            *self.counts.entry(self.cell(colour)).or_default() += count;
        }
    }

    /// The colour without its dropped bits.
    fn cell(&self, colour: Colour) -> Colour {
        let low = (1 << self.dropped) - 1;
        colour & !(low * 0x0101_0100)
    }

    /// The colour in the middle of a cell.
    fn middle(&self, cell: Colour) -> Rgb {
        rgb(cell + ((1 << self.dropped) >> 1) * 0x0101_0100)
    }
}

fn rgb(colour: Colour) -> Rgb {
    let [red, green, blue, _] = colour.to_be_bytes();
    [red, green, blue]
}

/// The colours of the file and the index of every colour of the movie.
pub struct Palette {
    /// By index, the transparent one first; then by use, the most used first.
    table: Vec<Rgb>,
    /// Colours that have an index of their own, sorted.
    exact: Vec<(Colour, u8)>,
    /// Indices by cell of the histogram, sorted; empty where `exact` has every colour.
    cells: Vec<(Colour, u8)>,
    dropped: u32,
}

impl Palette {
    /// Chooses the palette of a movie from the colours it shows.
    pub fn of(histogram: &Histogram, movie: &Movie) -> Self {
        let behind = match movie.opaque {
            true => movie
                .flat
                .first()
                .map_or(movie.matte, |&[r, g, b, _]| [r, g, b]),
            false => movie.matte,
        };
        let colours: Vec<(Rgb, u64)> = histogram
            .counts
            .iter()
            .map(|(&cell, &count)| (histogram.middle(cell), count))
            .collect();
        let choice = choose(histogram, &colours, movie);
        let nearest = quantise::assign(&colours, &choice);
        let mut used = vec![0; choice.colours.len()];
        for (owner, &(_, count)) in nearest.iter().zip(&colours) {
            used[*owner] += count;
        }
        let order = order::order(&used, &histogram.sets(&nearest));
        let rank = rank(&order);
        let sorted: Vec<Rgb> = order.iter().map(|&i| choice.colours[i]).collect();
        let cells: Vec<(Colour, u8)> = histogram
            .counts
            .keys()
            .zip(&nearest)
            .map(|(&cell, &owner)| (cell, rank[owner]))
            .collect();
        Self::with(behind, &sorted, cells, histogram.dropped)
    }

    fn with(behind: Rgb, sorted: &[Rgb], cells: Vec<(Colour, u8)>, dropped: u32) -> Self {
        let table: Vec<Rgb> = std::iter::once(behind)
            .chain(sorted.iter().copied())
            .collect();
        let (exact, cells) = match dropped {
            0 => (cells, Vec::new()),
            _ => {
                let own = |(i, &[red, green, blue]): (usize, &Rgb)| {
                    (colour([red, green, blue, 255]), i as u8 + 1)
                };
                let mut exact: Vec<(Colour, u8)> = sorted.iter().enumerate().map(own).collect();
                exact.sort_unstable();
                (exact, cells)
            }
        };
        Self {
            table,
            exact,
            cells,
            dropped,
        }
    }

    /// A palette of these colours, sorted and at most [`LARGEST`], as they are; `behind` is what the transparent index would be.
    pub fn exact(behind: Rgb, counts: &[(Colour, u64)]) -> Self {
        let used: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
        let order = order::order(&used, &[]);
        let sorted: Vec<Rgb> = order.iter().map(|&i| rgb(counts[i].0)).collect();
        let cells = counts.iter().zip(rank(&order)).map(|(&(c, _), i)| (c, i));
        Self::with(behind, &sorted, cells.collect(), 0)
    }

    /// The index of exactly this colour, if it has one.
    pub fn find(&self, colour: Colour) -> Option<u8> {
        let at = self.exact.binary_search_by_key(&colour, |entry| entry.0);
        at.ok().map(|at| self.exact[at].1)
    }

    /// The index that shows a colour of the movie.
    pub fn index(&self, colour: Colour) -> u8 {
        if colour == CLEAR {
            return super::TRANSPARENT;
        }
        if let Ok(at) = self.exact.binary_search_by_key(&colour, |entry| entry.0) {
            return self.exact[at].1;
        }
        let low = (1 << self.dropped) - 1;
        let cell = colour & !(low * 0x0101_0100);
        match self.cells.binary_search_by_key(&cell, |entry| entry.0) {
            Ok(at) => self.cells[at].1,
            Err(_) => unreachable!("a frame was drawn with other colours the second time"),
        }
    }

    /// Two indices between which a colour lies, and how many of 16 pixels should have the second.
    pub fn mix(&self, colour: Colour) -> Mix {
        let first = self.index(colour);
        if colour == CLEAR || self.table[usize::from(first)] == rgb(colour) {
            return Mix::plain(first);
        }
        let (wanted, near) = (rgb(colour), self.table[usize::from(first)]);
        // As far from the colour as the nearest is, on the other side.
        let across =
            [0, 1, 2].map(|i| (2 * i16::from(wanted[i]) - i16::from(near[i])).clamp(0, 255) as u8);
        let others = self.table.iter().enumerate().skip(1);
        let far = others.min_by_key(|(_, other)| quantise::distance(**other, across));
        let second = far.map_or(first, |(i, _)| i as u8);
        Mix {
            first,
            second,
            share: share(wanted, near, self.table[usize::from(second)]),
        }
    }

    /// Red, green, blue of every index in turn.
    pub fn bytes(&self) -> Vec<u8> {
        self.table.concat()
    }
}

/// Two indices that stand for a colour together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    first: u8,
    second: u8,
    /// Of 16 pixels, those of the second.
    share: u8,
}

impl Mix {
    fn plain(index: u8) -> Self {
        Self {
            first: index,
            second: index,
            share: 0,
        }
    }

    /// The index at a place, in a pattern that stands still. (Bayer, An optimum method for two-level rendition
    /// of continuous-tone pictures, 1973.)
    pub fn at(self, x: usize, y: usize) -> u8 {
        const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        match BAYER[y % 4][x % 4] < self.share {
            true => self.second,
            false => self.first,
        }
    }
}

/// How many sixteenths of the way from `near` to `far` the nearest place to `wanted` is, at most half of it:
/// beyond, `far` would be the nearest.
fn share(wanted: Rgb, near: Rgb, far: Rgb) -> u8 {
    let axis = [0, 1, 2].map(|i| i32::from(far[i]) - i32::from(near[i]));
    let way = [0, 1, 2].map(|i| i32::from(wanted[i]) - i32::from(near[i]));
    let along: i32 = (0..3).map(|i| axis[i] * way[i]).sum();
    let whole: i32 = axis.iter().map(|a| a * a).sum();
    match whole {
        0 => 0,
        _ => ((16 * along + whole / 2) / whole).clamp(0, 8) as u8,
    }
}

/// The colours of the palette, as the movie wants them.
fn choose(histogram: &Histogram, colours: &[(Rgb, u64)], movie: &Movie) -> Choice {
    let best = |most: usize, slight: u8| match histogram.dropped == 0 && colours.len() <= most {
        true => Choice {
            colours: colours.iter().map(|&(colour, _)| colour).collect(),
            reach: 0,
        },
        false => quantise::choose(colours, &pinned(histogram, movie, most), most, slight),
    };
    match movie.gif {
        GifColours::Best { most, .. } => best(usize::from(most), slight(colours.len())),
        GifColours::Lossless => best(LARGEST, 0),
        GifColours::Within(error) => {
            let pinned = pinned(histogram, movie, LARGEST);
            let found = quantise::within(colours, &pinned, LARGEST, error);
            found.unwrap_or_else(|| best(LARGEST, 0))
        }
    }
}

/// How far off a channel may be where nobody sees it: a movie that has many more colours than a palette gets a
/// shorter one, whose pixels repeat more.
fn slight(colours: usize) -> u8 {
    const MOST: usize = 4;
    MOST.min(colours.saturating_sub(1) / (LARGEST + 1)) as u8
}

/// The index of each position (1 for the first), given their order.
fn rank(order: &[usize]) -> Vec<u8> {
    let mut rank = vec![0; order.len()];
    for (place, &i) in order.iter().enumerate() {
        rank[i] = place as u8 + 1;
    }
    rank
}

/// Colours that stay as they are: the opaque ones of the spec that are shown, then the most common.
fn pinned(histogram: &Histogram, movie: &Movie, most: usize) -> Vec<Rgb> {
    let mut pinned: Vec<Rgb> = Vec::new();
    for &[red, green, blue, alpha] in movie.flat {
        let cell = histogram.cell(colour([red, green, blue, alpha]));
        let shown = alpha == 255 && histogram.counts.contains_key(&cell);
        if shown && !pinned.contains(&[red, green, blue]) {
            pinned.push([red, green, blue]);
        }
    }
    let total: u64 = histogram.counts.values().sum();
    let mut common: Vec<(u64, Colour)> = histogram
        .counts
        .iter()
        .filter(|&(_, &count)| histogram.dropped == 0 && count >= total.div_ceil(COMMON))
        .map(|(&colour, &count)| (count, colour))
        .collect();
    common.sort_unstable_by(|a, b| b.cmp(a));
    for (_, colour) in common {
        if pinned.len() < MOST_PINNED.min(most / 2) && !pinned.contains(&rgb(colour)) {
            pinned.push(rgb(colour));
        }
    }
    pinned.truncate(most);
    pinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_histogram_grows_coarse() {
        let mut histogram = Histogram::default();
        let counts: Vec<(Colour, u64)> = (0..100_000u32)
            .map(|i| (colour([(i >> 12) as u8, (i >> 6) as u8, i as u8, 255]), 1))
            .collect();
        histogram.count(&counts);
        assert!(histogram.counts.len() <= DISTINCT && histogram.dropped > 0);
        assert_eq!(histogram.counts.values().sum::<u64>(), 100_000);
        assert_eq!(histogram.cell(0xffff_ffff) & 0xff, 0xff);
    }
}
