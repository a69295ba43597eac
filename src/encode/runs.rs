//! A frame as runs of equal pixels: what flat art is made of, and quick to count, compare and keep.

use crate::maths::random::fibonacci;
use crate::pixels::Pixels;

/// A colour as one number: red in the highest byte, then green, blue and alpha; straight.
pub type Colour = u32;

/// The colour that nothing shows of.
pub const CLEAR: Colour = 0;

/// Packs a straight colour.
pub fn colour([red, green, blue, alpha]: [u8; 4]) -> Colour {
    u32::from_be_bytes([red, green, blue, alpha])
}

/// Equal pixels in a row; a run goes on into the next line of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub colour: Colour,
    /// In pixels, at least 1.
    pub length: u32,
}

/// Writes a frame as runs, each pixel passed through `convert` (premultiplied bytes to a straight colour).
/// Neighbours that become equal are one run.
pub fn collect(pixels: &Pixels, runs: &mut Vec<Run>, convert: impl Fn([u8; 4]) -> Colour) {
    runs.clear();
    let mut start = 0;
    each(pixels.bytes.as_chunks::<4>().0, |pixel, end| {
        push(runs, convert(pixel), (end - start) as u32);
        start = end;
    });
}

/// Tells the item of every stretch of equal ones, and where it ends.
#[inline]
pub fn each<T: Copy + PartialEq>(items: &[T], mut tell: impl FnMut(T, usize)) {
    let Some((&last, others)) = items.split_last() else {
        return;
    };
    let (these, these_left) = others.as_chunks::<BLOCK>();
    let (next, next_left) = items[1..].as_chunks::<BLOCK>();
    let mut start = 0;
    for (these, next) in these.iter().zip(next) {
        // Without an early end, the compiler compares all pairs of a block at once.
        let any = (these.iter().zip(next)).fold(false, |any, (a, b)| any | (a != b));
        if any {
            edges(these, next, |i| tell(these[i], start + i + 1));
        }
        start += BLOCK;
    }
    edges(these_left, next_left, |i| {
        tell(these_left[i], start + i + 1);
    });
    tell(last, items.len());
}

/// Tells where items differ from the next.
#[inline]
fn edges<T: PartialEq>(these: &[T], next: &[T], tell: impl FnMut(usize)) {
    let pairs = these.iter().zip(next).enumerate();
    pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(i, _)| i)
        .for_each(tell);
}

/// Items that are compared at once.
const BLOCK: usize = 16;

fn push(runs: &mut Vec<Run>, colour: Colour, length: u32) {
    match runs.last_mut() {
        Some(last) if last.colour == colour => last.length += length,
        _ => runs.push(Run { colour, length }),
    }
}

/// Colours and the pixels each covers, sorted by colour.
pub fn count(runs: &[Run]) -> Vec<(Colour, u64)> {
    tally(runs.iter().map(|run| (run.colour, u64::from(run.length))))
}

/// Adds up what each colour covers; sorted by colour.
pub fn tally(parts: impl Iterator<Item = (Colour, u64)>) -> Vec<(Colour, u64)> {
    // Most are of few colours: these are added up before anything is sorted.
    let mut recent = [(CLEAR, 0); PLACES];
    let mut counts: Vec<(Colour, u64)> = Vec::new();
    for (colour, pixels) in parts {
        let at = &mut recent[place(colour)];
        if at.0 == colour {
            at.1 += pixels;
        } else {
            counts.push(std::mem::replace(at, (colour, pixels)));
        }
    }
    counts.extend(recent);
    counts.retain(|(_, pixels)| *pixels > 0);
    counts.sort_unstable();
    counts.dedup_by(|next, kept| {
        let equal = next.0 == kept.0;
        if equal {
            kept.1 += next.1;
        }
        equal
    });
    counts
}

/// Places for colours that were met lately.
pub const PLACES: usize = 256;

/// Where a colour that was met lately would be.
pub fn place(colour: Colour) -> usize {
    fibonacci(colour, PLACES.ilog2())
}

/// The colours of `after` where it differs from `before`, sorted; both cover the same pixels.
pub fn changed(before: &[Run], after: &[Run]) -> Vec<Colour> {
    let mut changed = Vec::new();
    let mut recent = [None; PLACES];
    overlap(before, after, |old, new| {
        if old != new && recent[place(new)].replace(new) != Some(new) {
            changed.push(new);
        }
        true
    });
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// Tells the colours before and after of every stretch of pixels where both are the same all along, until
/// `go_on` says no.
fn overlap(before: &[Run], after: &[Run], mut go_on: impl FnMut(Colour, Colour) -> bool) {
    let mut after = after.iter();
    let (mut left, mut now) = (0, CLEAR);
    for run in before {
        let mut length = run.length;
        while length > 0 {
            if left == 0 {
                let Some(next) = after.next() else {
                    return;
                };
                (left, now) = (next.length, next.colour);
            }
            if !go_on(run.colour, now) {
                return;
            }
            let step = length.min(left);
            length -= step;
            left -= step;
        }
    }
}

/// Whether some pixel shows in `before` and not in `after`; both cover the same pixels.
pub fn clears(before: &[Run], after: &[Run]) -> bool {
    let mut found = false;
    overlap(before, after, |old, new| {
        found = old != CLEAR && new == CLEAR;
        !found
    });
    found
}

/// Takes the alpha out of a premultiplied pixel: channel · 255 / alpha, to nearest, half up.
pub fn straight([red, green, blue, alpha]: [u8; 4]) -> Colour {
    if alpha == 0 {
        return CLEAR;
    }
    let whole = u16::from(alpha);
    let divide = |channel: u8| ((u16::from(channel.min(alpha)) * 255 + whole / 2) / whole) as u8;
    colour([divide(red), divide(green), divide(blue), alpha])
}

/// The pixel as a format without alpha shows it: clear below alpha 128, else opaque, blended over the matte.
pub fn over(pixel: [u8; 4], matte: [u8; 3]) -> Colour {
    if pixel[3] < 128 {
        return CLEAR;
    }
    let [red, green, blue] = blend(pixel, matte);
    colour([red, green, blue, 255])
}

/// A premultiplied pixel over an opaque colour.
pub fn blend([red, green, blue, alpha]: [u8; 4], matte: [u8; 3]) -> [u8; 3] {
    let blend = |channel: u8, matte: u8| {
        let behind = (u16::from(matte) * u16::from(255 - alpha) + 127) / 255;
        channel.saturating_add(behind as u8)
    };
    let [matte_red, matte_green, matte_blue] = matte;
    [
        blend(red, matte_red),
        blend(green, matte_green),
        blend(blue, matte_blue),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: &[[u8; 4]]) -> Pixels {
        Pixels {
            width: bytes.len() as u32,
            height: 1,
            bytes: bytes.concat(),
        }
    }

    fn runs(lengths: &[(Colour, u32)]) -> Vec<Run> {
        lengths
            .iter()
            .map(|&(colour, length)| Run { colour, length })
            .collect()
    }

    #[test]
    fn equal_pixels_are_one_run() {
        let mut found = runs(&[(9, 9)]);
        collect(
            &frame(&[[1, 2, 3, 255], [1, 2, 3, 255], [9, 9, 9, 10], [8, 8, 8, 20]]),
            &mut found,
            |pixel| over(pixel, [0; 3]),
        );
        assert_eq!(found, runs(&[(0x0102_03ff, 2), (CLEAR, 2)]));
        assert_eq!(
            count(&runs(&[(5, 2), (CLEAR, 1), (5, 7)])),
            [(CLEAR, 1), (5, 9)]
        );
    }

    #[test]
    fn stretches_end_where_items_change() {
        for length in (1..70).chain([160, 161]) {
            for edges in [1, 3, 16, 17, 50] {
                let items: Vec<u8> = (0..length).map(|i| (i / edges) as u8).collect();
                let mut again = Vec::new();
                each(&items, |item, end| {
                    assert!(again.last() != Some(&item) && again.len() < end);
                    again.resize(end, item);
                });
                assert_eq!(again, items);
            }
        }
        each(&[0u8; 0], |_, _| unreachable!());
    }

    #[test]
    fn clearing_is_seen_across_runs() {
        let before = runs(&[(CLEAR, 3), (5, 2), (6, 2)]);
        assert!(!clears(&before, &before));
        assert!(!clears(&before, &runs(&[(7, 7)])));
        assert!(!clears(&before, &runs(&[(CLEAR, 3), (1, 4)])));
        assert!(clears(&before, &runs(&[(CLEAR, 4), (1, 3)])));
        assert!(clears(&before, &runs(&[(1, 6), (CLEAR, 1)])));
    }

    #[test]
    fn changed_colours_are_found_across_runs() {
        let before = runs(&[(CLEAR, 3), (5, 2), (6, 2)]);
        assert!(changed(&before, &before).is_empty());
        assert_eq!(changed(&before, &runs(&[(CLEAR, 2), (5, 5)])), [5]);
        assert_eq!(changed(&before, &runs(&[(9, 1), (CLEAR, 6)])), [CLEAR, 9]);
    }

    #[test]
    fn straight_colours_are_rounded_to_nearest() {
        assert_eq!(straight([0, 0, 0, 0]), 0);
        assert_eq!(straight([64, 128, 1, 128]), colour([128, 255, 2, 128]));
        for alpha in 1..=255u8 {
            for channel in 0..=alpha {
                let exact = f64::from(channel) * 255.0 / f64::from(alpha);
                let [red, ..] = straight([channel, 0, 0, alpha]).to_be_bytes();
                assert!((f64::from(red) - exact).abs() <= 0.5, "{channel}/{alpha}");
            }
        }
    }

    #[test]
    fn the_matte_shows_through() {
        assert_eq!(over([0, 0, 0, 127], [255; 3]), CLEAR);
        assert_eq!(over([0, 0, 0, 128], [255; 3]), colour([127, 127, 127, 255]));
        assert_eq!(over([9, 8, 7, 255], [255; 3]), colour([9, 8, 7, 255]));
    }
}
