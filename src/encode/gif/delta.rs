//! What a frame sends: the rectangle that changes, its still pixels literal or transparent.

use super::TRANSPARENT;
use super::lzw::{self, Parse, Symbols};
use crate::encode::Effort;
use crate::encode::area::{self, Area, Before, CORNER};

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

impl Shift<'_, u8> {
    /// The smaller of two encodings of what changes (all pixels literal, or still ones transparent where
    /// that helps), or `None` if nothing does. The first frame is whole and literal.
    pub fn encode(&self) -> Option<Sent> {
        let area = self.area()?;
        let literal = area.cut(self.now, self.width);
        let holes = self
            .canvas()
            .and_then(|canvas| area.holes(canvas, self.now, self.width, TRANSPARENT));
        let (data, transparent) = match holes {
            // The choice is near the smaller of both, in half the time.
            Some(holes) if self.effort == Effort::Fast => {
                let (preferred, other) = (&holes[..], &literal[..]);
                let symbols = Symbols { preferred, other };
                let data = smallest(symbols, usize::MAX, self.effort).expect("no limit, no refusal");
                (data, true)
            }
            Some(holes) => {
                let data = compress(&literal, self.effort);
                let (preferred, other) = (&holes[..], &literal[..]);
                match smallest(Symbols { preferred, other }, data.len(), self.effort) {
                    Some(smaller) => (smaller, true),
                    None => (data, literal.contains(&TRANSPARENT)),
                }
            }
            None => (compress(&literal, self.effort), literal.contains(&TRANSPARENT)),
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

/// Pixels as they are.
pub fn compress(pixels: &[u8], effort: Effort) -> Vec<u8> {
    let (preferred, other) = (pixels, pixels);
    smallest(Symbols { preferred, other }, usize::MAX, effort).expect("no limit, no refusal")
}

/// The smallest of the encodings that are worth the effort, if it is below `limit` bytes.
pub fn smallest(symbols: Symbols, mut limit: usize, effort: Effort) -> Option<Vec<u8>> {
    let mut best = None;
    for parse in parses(effort) {
        if let Some(data) = lzw::encode(symbols, *parse, limit) {
            limit = data.len();
            best = Some(data);
        }
    }
    best
}

fn parses(effort: Effort) -> &'static [Parse] {
    const PLAIN: Parse = Parse {
        gives: 0,
        keeps: false,
    };
    const ALL: [Parse; 8] = {
        let mut all = [PLAIN; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Parse {
                gives: i / 2,
                keeps: i % 2 == 1,
            };
            i += 1;
        }
        all
    };
    match effort {
        Effort::Fast | Effort::Usual => &[PLAIN],
        Effort::Max => &ALL,
    }
}
