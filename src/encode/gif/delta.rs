//! What a frame sends: the rectangle that changes, its still pixels literal or transparent.

use super::TRANSPARENT;
use super::lzw::{self, Symbols};
use crate::encode::area::{self, Area, Before, CORNER};

/// A frame ready to be written.
#[derive(Debug)]
pub struct Sent {
    pub area: Area,
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
        self.data = compress(&holes);
        self.transparent = true;
    }
}

/// From one frame to the next, in palette indices.
pub struct Shift<'a> {
    /// Of a row, in pixels.
    pub width: usize,
    /// The frame before, or `None` for the first.
    pub before: Option<&'a [u8]>,
    /// The frame before has been cleared away, all of it.
    pub after_clearing: bool,
    pub now: &'a [u8],
    /// This frame will be cleared away: its area covers all that shows of it.
    pub clears: bool,
}

impl Shift<'_> {
    /// The smaller of two encodings of what changes (all pixels literal, or still ones transparent where
    /// that helps), or `None` if nothing does. The first frame is whole and literal.
    pub fn encode(&self) -> Option<Sent> {
        let area = self.area()?;
        let literal = area.cut(self.now, self.width);
        let data = compress(&literal);
        let holes = self
            .canvas()
            .and_then(|canvas| area.holes(canvas, self.now, self.width, TRANSPARENT));
        let smaller = holes.and_then(|holes| {
            let (preferred, other) = (&holes[..], &literal[..]);
            lzw::encode(Symbols { preferred, other }, data.len())
        });
        Some(Sent {
            area,
            transparent: smaller.is_some() || literal.contains(&TRANSPARENT),
            clears: self.clears,
            data: smaller.unwrap_or(data),
        })
    }

    /// What is on the canvas, or `None` where it is blank.
    fn canvas(&self) -> Option<&[u8]> {
        self.before.filter(|_| !self.after_clearing)
    }

    fn area(&self) -> Option<Area> {
        if self.before.is_none() {
            return Some(Area::whole(self.width, self.now.len()));
        }
        let canvas = self
            .canvas()
            .map_or(Before::Blank(TRANSPARENT), Before::Frame);
        let changed = area::changed(canvas, self.now, self.width);
        let cleared = match self.clears {
            true => area::changed(Before::Blank(TRANSPARENT), self.now, self.width),
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
fn compress(pixels: &[u8]) -> Vec<u8> {
    let (preferred, other) = (pixels, pixels);
    lzw::encode(Symbols { preferred, other }, usize::MAX).expect("no limit, no refusal")
}
