//! Few colours in place of many, with the largest error kept small.
//!
//! The pinned colours stay as they are. The others are sown farthest first (Gonzalez 1985: at most twice
//! the best possible largest error), moved by a few rounds of Lloyd's method, and at last a colour that is
//! hardly missed is taken to the worst error as long as that lowers it.

use rayon::prelude::*;

/// Red, green, blue; sRGB.
pub type Rgb = [u8; 3];

const LLOYD_ROUNDS: usize = 6;
const RESCUE_ROUNDS: usize = 48;
/// Colours below this number are not worth other threads.
const PARALLEL_FROM: usize = 4096;

/// How far two colours are apart.
///
/// Squared, in sRGB, whose steps are nearly even to the eye, with green counting most and blue least.
/// Whole numbers, so that no order of summing matters.
pub fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |i: usize| {
        let d = u32::from(a[i].abs_diff(b[i]));
        d * d
    };
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

/// Index of the nearest colour, the first of equals, and its distance.
pub fn nearest(colour: Rgb, palette: &[Rgb]) -> (usize, u32) {
    let mut best = (0, u32::MAX);
    for (i, &candidate) in palette.iter().enumerate() {
        let d = distance(colour, candidate);
        if d < best.1 {
            best = (i, d);
        }
    }
    best
}

/// The nearest of the `chosen` for each colour, the first of equals.
pub fn assign(colours: &[(Rgb, u64)], chosen: &[Rgb]) -> Vec<usize> {
    colours
        .par_iter()
        .with_min_len(PARALLEL_FROM)
        .map(|&(colour, _)| nearest(colour, chosen).0)
        .collect()
}

/// At most `count` colours in place of the `colours` (each with its number of pixels), the `pinned` first
/// and unchanged.
pub fn choose(colours: &[(Rgb, u64)], pinned: &[Rgb], count: usize) -> Vec<Rgb> {
    let mut chosen = pinned.to_vec();
    sow(colours, &mut chosen, count);
    let mut best = (worst(colours, &chosen), chosen.clone());
    for _ in 0..LLOYD_ROUNDS {
        settle(colours, &mut chosen, pinned.len());
        let error = worst(colours, &chosen);
        if error < best.0 {
            best = (error, chosen.clone());
        }
    }
    best.1
}

/// Sum and largest of the squared errors.
fn worst(colours: &[(Rgb, u64)], chosen: &[Rgb]) -> u32 {
    colours
        .par_iter()
        .with_min_len(PARALLEL_FROM)
        .map(|&(colour, _)| nearest(colour, chosen).1)
        .max()
        .unwrap_or(0)
}

/// Adds the colour that is farthest from all chosen ones, again and again.
fn sow(colours: &[(Rgb, u64)], chosen: &mut Vec<Rgb>, count: usize) {
    let mut left: Vec<u32> = colours
        .iter()
        .map(|&(colour, _)| nearest(colour, chosen).1)
        .collect();
    while chosen.len() < count {
        // The most used of the farthest, the first of equals.
        let farthest = (0..colours.len())
            .rev()
            .max_by_key(|&i| (left[i], colours[i].1))
            .filter(|&i| left[i] > 0);
        let Some(next) = farthest.map(|i| colours[i].0) else {
            return;
        };
        chosen.push(next);
        for (left, &(colour, _)) in left.iter_mut().zip(colours) {
            *left = distance(colour, next).min(*left);
        }
    }
}

/// A round of Lloyd's method.
fn settle(colours: &[(Rgb, u64)], chosen: &mut [Rgb], fixed: usize) {
    let owners = assign(colours, chosen);
    let mut low = vec![[255u8; 3]; chosen.len()];
    let mut high = vec![[0u8; 3]; chosen.len()];
    for (&owner, &(colour, _)) in owners.iter().zip(colours) {
        for i in 0..3 {
            low[owner][i] = low[owner][i].min(colour[i]);
            high[owner][i] = high[owner][i].max(colour[i]);
        }
    }
    for k in fixed..chosen.len() {
        if low[k][0] <= high[k][0] {
            for i in 0..3 {
                chosen[k][i] = low[k][i].midpoint(high[k][i]);
            }
        }
    }
}
