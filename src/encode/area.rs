//! Rectangles of pixels, and the smallest that holds what changes between two frames.

/// A rectangle of pixels, right and bottom excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

/// The smallest area a frame can have.
pub const CORNER: Area = Area {
    left: 0,
    top: 0,
    right: 1,
    bottom: 1,
};

impl Area {
    /// All of a frame of so many pixels in rows of `width`.
    pub fn whole(width: usize, pixels: usize) -> Self {
        Self {
            left: 0,
            top: 0,
            right: width,
            bottom: pixels / width,
        }
    }

    pub fn width(&self) -> usize {
        self.right - self.left
    }

    pub fn height(&self) -> usize {
        self.bottom - self.top
    }

    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The rows of a frame, `width` pixels each, as far as they lie in the area.
    pub fn rows<'a, T>(&self, frame: &'a [T], width: usize) -> impl Iterator<Item = &'a [T]> {
        let (left, right) = (self.left, self.right);
        let lines = frame[self.top * width..self.bottom * width].chunks_exact(width);
        lines.map(move |line| &line[left..right])
    }

    /// The pixels of a frame, in rows of `width`, that lie in the area.
    pub fn cut<T: Copy>(&self, frame: &[T], width: usize) -> Vec<T> {
        let mut cut = Vec::with_capacity(self.width() * self.height());
        for line in self.rows(frame, width) {
            cut.extend_from_slice(line);
        }
        cut
    }

    /// The pixels of the area in `now`, or `hole` where `before` has the same. `None` if none is the same.
    pub fn holes<T: Copy + PartialEq>(
        &self,
        before: &[T],
        now: &[T],
        width: usize,
        hole: T,
    ) -> Option<Vec<T>> {
        let mut holes = self.cut(now, width);
        let mut found = false;
        let lines = holes.chunks_exact_mut(self.width());
        for (line, old) in lines.zip(self.rows(before, width)) {
            // Without branches, so that many pixels are compared at once.
            for (pixel, there) in line.iter_mut().zip(old) {
                let same = *pixel == *there;
                found |= same & (*there != hole);
                *pixel = if same { hole } else { *pixel };
            }
        }
        found.then_some(holes)
    }
}

/// What a frame is compared with.
#[derive(Clone, Copy)]
pub enum Before<'a, T> {
    Frame(&'a [T]),
    /// The same everywhere.
    Blank(T),
}

/// The smallest area outside of which nothing differs, in rows of `width` pixels.
pub fn changed<T: Copy + PartialEq>(before: Before<T>, now: &[T], width: usize) -> Option<Area> {
    let blank = match before {
        Before::Frame(_) => Vec::new(),
        Before::Blank(colour) => vec![colour; width],
    };
    let mut area: Option<Area> = None;
    for (y, line) in now.chunks_exact(width).enumerate() {
        let old = match before {
            Before::Frame(frame) => &frame[y * width..][..width],
            Before::Blank(_) => &blank[..],
        };
        if let Some((left, right)) = differing(old, line) {
            let line = Area {
                left,
                top: y,
                right,
                bottom: y + 1,
            };
            area = Some(area.map_or(line, |area| area.union(line)));
        }
    }
    area
}

/// Pixels that are compared at once.
const BLOCK: usize = 32;

/// From where to where two lines differ.
fn differing<T: PartialEq>(old: &[T], line: &[T]) -> Option<(usize, usize)> {
    if old == line {
        return None;
    }
    // By blocks first, which are compared at once.
    let blocks = || old.chunks(BLOCK).zip(line.chunks(BLOCK));
    let first = blocks().position(|(a, b)| a != b)? * BLOCK;
    let last = blocks().rposition(|(a, b)| a != b)? * BLOCK;
    let mut pairs = old[first..].iter().zip(&line[first..]);
    let left = first + pairs.position(|(a, b)| a != b)?;
    let end = line.len().min(last + BLOCK);
    let mut pairs = old[last..end].iter().zip(&line[last..end]);
    Some((left, last + pairs.rposition(|(a, b)| a != b)? + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_tight() {
        let before = [1; 12];
        let mut now = before;
        assert_eq!(changed(Before::Frame(&before), &now, 4), None);
        now[5] = 2;
        now[10] = 3;
        let expected = Area {
            left: 1,
            top: 1,
            right: 3,
            bottom: 3,
        };
        assert_eq!(changed(Before::Frame(&before), &now, 4), Some(expected));
        assert_eq!(changed(Before::Blank(0), &[0; 12], 4), None);
        assert_eq!(expected.cut(&now, 4), [2, 1, 1, 3]);
        let holes = expected.holes(&before, &now, 4, 0);
        assert_eq!(holes, Some(vec![2, 0, 0, 3]));
        assert_eq!(expected.holes(&[9; 12], &now, 4, 0), None);
    }
}
