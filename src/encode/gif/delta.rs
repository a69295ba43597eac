//! What a frame sends: the rectangle that changes, its still pixels literal or transparent.

use super::TRANSPARENT;
use super::lzw::{self, Dictionary, Parse};
use super::symbols::{self, Stretch, Symbols};
use crate::encode::area::{self, Area, Before, CORNER};
use crate::encode::survey::Shown;
use crate::encode::{Effort, Movie};

/// A frame ready to be written.
#[derive(Debug)]
pub struct Sent {
    pub area: Area,
    /// Red, green, blue of every index, where they are not those of the whole file.
    pub palette: Option<Vec<u8>>,
    /// Whether its pixels use the transparent index.
    pub transparent: bool,
    /// Its area becomes clear when its time is over.
    pub clears: bool,
    /// Minimum code size and code stream.
    pub data: Vec<u8>,
}

impl Sent {
    /// Takes the pixels away; what remains shows what is there already.
    pub fn empty(&mut self) {
        if !self.clears {
            self.area = CORNER;
        }
        let holes = vec![TRANSPARENT; self.area.width() * self.area.height()];
        self.data = compress(&holes, Effort::Usual);
        self.transparent = true;
        self.palette = None;
    }
}

/// From one frame to the next.
pub struct Shift<'a, Pixel> {
    /// Of a row, in pixels.
    pub width: usize,
    /// The frame before, or `None` for the first.
    pub before: Option<&'a [Pixel]>,
    /// The frame before has been cleared away, all of it.
    pub after_clearing: bool,
    pub now: &'a [Pixel],
    /// What nothing shows of.
    pub clear: Pixel,
    /// This frame will be cleared away: its area covers all that shows of it.
    pub clears: bool,
    pub effort: Effort,
}

impl<'a, Pixel> Shift<'a, Pixel> {
    /// To the i-th of the frames that are sent.
    pub fn of(
        movie: &Movie,
        shown: &[Shown],
        i: usize,
        before: Option<&'a [Pixel]>,
        now: &'a [Pixel],
        clear: Pixel,
    ) -> Self {
        Self {
            width: movie.width as usize,
            before,
            after_clearing: i > 0 && shown[i - 1].clears,
            now,
            clear,
            clears: shown[i].clears,
            effort: movie.effort,
        }
    }
}

impl Shift<'_, u8> {
    /// The smallest encoding of what changes, or `None` if nothing does. The first frame is whole and
    /// literal.
    pub fn encode(&self) -> Option<Sent> {
        let area = self.area()?;
        let literal = area.cut(self.now, self.width);
        let holes = self
            .canvas()
            .and_then(|canvas| area.holes(canvas, self.now, self.width, TRANSPARENT));
        let (data, transparent) = match holes {
            Some(holes) => smallest(&literal, &holes, self.effort),
            None => (
                compress(&literal, self.effort),
                literal.contains(&TRANSPARENT),
            ),
        };
        Some(Sent {
            area,
            palette: None,
            transparent,
            clears: self.clears,
            data,
        })
    }
}

impl<Pixel: Copy + PartialEq> Shift<'_, Pixel> {
    /// What is on the canvas, or `None` where it is blank.
    pub fn canvas(&self) -> Option<&[Pixel]> {
        self.before.filter(|_| !self.after_clearing)
    }

    /// What is sent, if anything.
    pub fn area(&self) -> Option<Area> {
        if self.before.is_none() {
            return Some(Area::whole(self.width, self.now.len()));
        }
        let blank = Before::Blank(self.clear);
        let canvas = self.canvas().map_or(blank, Before::Frame);
        let changed = area::changed(canvas, self.now, self.width);
        let cleared = match self.clears {
            true => area::changed(blank, self.now, self.width),
            false => None,
        };
        match (changed, cleared) {
            (Some(a), Some(b)) => Some(a.union(b)),
            // The frame before would come back if nothing were sent.
            (None, None) if self.after_clearing => Some(CORNER),
            (a, b) => a.or(b),
        }
    }
}

/// The smallest of some ways to send still pixels as colours or as holes, and whether it may have holes.
pub fn smallest(literal: &[u8], holes: &[u8], effort: Effort) -> (Vec<u8>, bool) {
    let mut dictionary = Dictionary::new();
    let ways = ways(&Symbols::choice(holes, literal), effort);
    let mut tries: Vec<(Symbols, Vec<u8>)> = (ways.into_iter())
        .map(|symbols| {
            let data = greedy(&mut dictionary, &symbols);
            (symbols, data)
        })
        .collect();
    tries.sort_by_key(|(_, data)| data.len());
    tries.truncate(match effort {
        Effort::Max => 2,
        _ => 1,
    });
    let improved = tries.into_iter().map(|(symbols, data)| {
        let data = improve(&mut dictionary, &symbols, data, effort);
        (data, symbols.have(TRANSPARENT))
    });
    improved
        .min_by_key(|(data, _)| data.len())
        .expect("there is a way at any effort")
}

/// Ways to choose between holes (the preferred) and colours: no holes; few edges; whatever makes each match longer;
/// few edges, but holes where they make a match longer. Which is best differs from frame to frame.
fn ways(choice: &Symbols, effort: Effort) -> Vec<Symbols> {
    let with = |tie| few_edges(choice, tie);
    match effort {
        Effort::Fast => vec![chosen(choice, &with(Tie::Hole))],
        Effort::Usual => {
            let colours = with(Tie::Colour);
            vec![
                chosen(choice, &colours),
                affordable(choice),
                chosen_or_hole(choice, &colours),
            ]
        }
        Effort::Max => {
            let (colours, holes) = (with(Tie::Colour), with(Tie::Hole));
            vec![
                chosen(choice, &vec![false; colours.len()]),
                chosen(choice, &colours),
                chosen(choice, &holes),
                affordable(choice),
                chosen_or_hole(choice, &colours),
                chosen_or_hole(choice, &holes),
            ]
        }
    }
}

/// What is taken where holes and colours have as many edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    Hole,
    Colour,
}

/// Which stretches are holes (the preferred), so that neighbours have the fewest edges between them.
fn few_edges(choice: &Symbols, tie: Tie) -> Vec<bool> {
    let prefers_hole = |hole: u32, colour: u32| match tie {
        Tie::Hole => hole <= colour,
        Tie::Colour => hole < colour,
    };
    let stretches = choice.stretches();
    // Forwards: the edges so far if a stretch is a colour or a hole, and whether a hole came before each.
    let mut after_hole = Vec::with_capacity(stretches.len());
    let (mut colour, mut hole) = (0, 0);
    let mut last = stretches[0];
    for &now in stretches {
        let after = |symbol: u8| {
            let from_colour = colour + u32::from(last.other != symbol);
            let from_hole = hole + u32::from(last.preferred != symbol);
            let best = from_colour.min(from_hole);
            (best, prefers_hole(from_hole, from_colour))
        };
        let (to_colour, to_hole) = (after(now.other), after(now.preferred));
        after_hole.push([to_colour.1, to_hole.1]);
        (colour, hole, last) = (to_colour.0, to_hole.0, now);
    }
    // Backwards: which it is.
    let mut is_hole = prefers_hole(hole, colour);
    let mut holes = vec![false; stretches.len()];
    for (own, after) in holes.iter_mut().zip(after_hole).rev() {
        *own = is_hole;
        is_hole = after[usize::from(is_hole)];
    }
    holes
}

/// Holes where `holes` says so, else colours.
fn chosen(choice: &Symbols, holes: &[bool]) -> Symbols {
    choice.map(|i, stretch| {
        let symbol = chosen_of(stretch, holes[i]);
        (symbol, symbol)
    })
}

/// As [`chosen`], or a hole where that makes a match longer.
fn chosen_or_hole(choice: &Symbols, holes: &[bool]) -> Symbols {
    choice.map(|i, stretch| (chosen_of(stretch, holes[i]), stretch.preferred))
}

fn chosen_of(stretch: &Stretch, is_hole: bool) -> u8 {
    match is_hole {
        true => stretch.preferred,
        false => stretch.other,
    }
}

/// Whatever makes a match longer, but no colours that would make every code longer.
fn affordable(choice: &Symbols) -> Symbols {
    let needed = choice.stretches().iter().map(|stretch| stretch.preferred);
    let most = symbols::most_for_bits_of(needed.max().unwrap_or(0));
    choice.map(|_, stretch| match stretch.other > most {
        true => (stretch.preferred, stretch.preferred),
        false => (stretch.preferred, stretch.other),
    })
}

/// Pixels as they are.
pub fn compress(pixels: &[u8], effort: Effort) -> Vec<u8> {
    let symbols = Symbols::all(pixels);
    let mut dictionary = Dictionary::new();
    let data = greedy(&mut dictionary, &symbols);
    improve(&mut dictionary, &symbols, data, effort)
}

fn greedy(dictionary: &mut Dictionary, symbols: &Symbols) -> Vec<u8> {
    lzw::encode(dictionary, symbols, GREEDY, usize::MAX).expect("no limit, no refusal")
}

/// Bytes that fill a dictionary.
const FULL: usize = 5_500;
const GREEDY: Parse = Parse {
    gives: 0,
    keeps: false,
    wide: false,
};

/// The smallest encoding that is worth the effort, given a good one.
fn improve(
    dictionary: &mut Dictionary,
    symbols: &Symbols,
    mut data: Vec<u8>,
    effort: Effort,
) -> Vec<u8> {
    let is_long = data.len() > FULL;
    let quick = Parse {
        gives: 1,
        keeps: is_long,
        wide: is_long,
    };
    let thorough = Parse {
        gives: lzw::MOST_GIVEN,
        keeps: is_long,
        wide: true,
    };
    let parses: &[Parse] = match effort {
        Effort::Fast => &[],
        Effort::Usual => &[quick],
        // It is not always the one that looks farther.
        Effort::Max => &[quick, thorough],
    };
    for &parse in parses {
        data = lzw::encode(dictionary, symbols, parse, data.len()).unwrap_or(data);
    }
    data
}
