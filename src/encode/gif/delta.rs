//! What a frame sends: the rectangle that changes, its still pixels literal or transparent.

use super::TRANSPARENT;
use super::lzw::{self, Symbols};

/// A rectangle of pixels, right and bottom excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

impl Area {
    pub fn width(&self) -> usize {
        self.right - self.left
    }

    pub fn height(&self) -> usize {
        self.bottom - self.top
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The smallest area a frame can have.
const CORNER: Area = Area {
    left: 0,
    top: 0,
    right: 1,
    bottom: 1,
};

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
        let literal = self.cut(area);
        let data = compress(&literal);
        let holes = self
            .canvas()
            .map(|canvas| self.holes(canvas, area, &literal))
            .filter(|holes| *holes != literal);
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
            return Some(Area {
                left: 0,
                top: 0,
                right: self.width,
                bottom: self.now.len() / self.width,
            });
        }
        let changed = changed(self.canvas(), self.now, self.width);
        let cleared = match self.clears {
            true => self::changed(None, self.now, self.width),
            false => None,
        };
        match (changed, cleared) {
            (Some(a), Some(b)) => Some(a.union(b)),
            // The frame before would come back if nothing were sent.
            (None, None) if self.after_clearing => Some(CORNER),
            (a, b) => a.or(b),
        }
    }

    /// The pixels of an area.
    fn cut(&self, area: Area) -> Vec<u8> {
        let mut cut = Vec::with_capacity(area.width() * area.height());
        for y in area.top..area.bottom {
            cut.extend_from_slice(row(self.now, self.width, y, area));
        }
        cut
    }

    /// The pixels of an area, transparent where they are on the canvas already.
    fn holes(&self, canvas: &[u8], area: Area, literal: &[u8]) -> Vec<u8> {
        let mut holes = literal.to_vec();
        for (y, line) in (area.top..area.bottom).zip(holes.chunks_exact_mut(area.width())) {
            for (pixel, &there) in line.iter_mut().zip(row(canvas, self.width, y, area)) {
                if *pixel == there {
                    *pixel = TRANSPARENT;
                }
            }
        }
        holes
    }
}

/// Pixels as they are.
fn compress(pixels: &[u8]) -> Vec<u8> {
    let (preferred, other) = (pixels, pixels);
    lzw::encode(Symbols { preferred, other }, usize::MAX).expect("no limit, no refusal")
}

fn row(frame: &[u8], width: usize, y: usize, area: Area) -> &[u8] {
    &frame[y * width..][area.left..area.right]
}

/// The smallest area outside of which nothing differs; before `None` is a blank canvas.
fn changed(before: Option<&[u8]>, now: &[u8], width: usize) -> Option<Area> {
    let blank = vec![TRANSPARENT; if before.is_none() { width } else { 0 }];
    let mut area: Option<Area> = None;
    for (y, line) in now.chunks_exact(width).enumerate() {
        let old = before.map_or(&blank[..], |before| &before[y * width..][..width]);
        if old == line {
            continue;
        }
        let differs = |(a, b): (&u8, &u8)| a != b;
        let mut pairs = old.iter().zip(line);
        let left = pairs.clone().position(differs).unwrap_or(0);
        let right = pairs.rposition(differs).map_or(0, |last| last + 1);
        let line = Area {
            left,
            top: y,
            right,
            bottom: y + 1,
        };
        area = Some(area.map_or(line, |area| area.union(line)));
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_tight() {
        let before = [1; 12];
        let mut now = before;
        assert_eq!(changed(Some(&before), &now, 4), None);
        now[5] = 2;
        now[10] = 3;
        let expected = Area {
            left: 1,
            top: 1,
            right: 3,
            bottom: 3,
        };
        assert_eq!(changed(Some(&before), &now, 4), Some(expected));
        assert_eq!(changed(None, &[0; 12], 4), None);
    }
}
