//! Few colours in place of many, with the largest error of any channel as small as can be found.
//!
//! A palette of error e is a cover of the colours with cubes of side 2e. The smallest e whose greedy cover
//! fits is found by bisection; colours left over go where most error is, and a few rounds of Lloyd's method,
//! held inside the cubes, lower the error of the many without raising that of the worst.

use rayon::prelude::*;

/// Red, green, blue; sRGB.
pub type Rgb = [u8; 3];

/// The chosen colours, and how far from its replacement any channel of any colour is at most.
pub struct Choice {
    pub colours: Vec<Rgb>,
    pub reach: u8,
}

/// More than any [`distance`].
const FAR: u32 = 1 << 24;
/// A cube is tried around a corner colour and each pair of at most so many neighbours.
const NEIGHBOURS: usize = 12;
const LLOYD_ROUNDS: usize = 6;
/// So few colours are not worth another thread.
const PARALLEL_FROM: usize = 2048;

/// What a pixel of a rare colour is off by adds up to little: below so much per pixel of the whole movie, as
/// a [`distance`], a colour of its own would not pay.
const LITTLE: u64 = 30;

/// At most `count` colours in place of the `colours` (each with its number of pixels); the `pinned` come
/// first and unchanged, and are fewer. No channel is off by more than it has to, or than `slight`, which nobody
/// sees; where pixels times error are many, colours are spent.
pub fn choose(colours: &[(Rgb, u64)], pinned: &[Rgb], count: usize, slight: u8) -> Choice {
    let mut ordered: Vec<Rgb> = colours.iter().map(|&(colour, _)| colour).collect();
    ordered.sort_by_key(|&colour| (brightness(colour), colour));
    let mut choice = Choice {
        colours: pinned.to_vec(),
        reach: u8::MAX,
    };
    // No reach below `low` is enough.
    let mut low = slight;
    while low < choice.reach {
        let reach = low.midpoint(choice.reach);
        match cover(&ordered, pinned, count, reach) {
            Some(colours) => choice = Choice { colours, reach },
            None => low = reach + 1,
        }
    }
    let total: u64 = colours.iter().map(|(_, pixels)| pixels).sum();
    spend(colours, &mut choice, count, total / LITTLE);
    for _ in 0..LLOYD_ROUNDS {
        settle(colours, &mut choice, pinned.len());
    }
    choice
}

/// As few colours as a cover with cubes of `reach` has, in place of the `colours`; `None` if they are more
/// than `count`.
pub fn within(colours: &[(Rgb, u64)], pinned: &[Rgb], count: usize, reach: u8) -> Option<Choice> {
    let mut ordered: Vec<Rgb> = colours.iter().map(|&(colour, _)| colour).collect();
    ordered.sort_by_key(|&colour| (brightness(colour), colour));
    let colours_of_cover = cover(&ordered, pinned, count, reach)?;
    let mut choice = Choice {
        colours: colours_of_cover,
        reach,
    };
    for _ in 0..LLOYD_ROUNDS {
        settle(colours, &mut choice, pinned.len());
    }
    Some(choice)
}

/// For each colour, which of the chosen takes its place: the nearest within reach, the first of equals.
pub fn assign(colours: &[(Rgb, u64)], choice: &Choice) -> Vec<usize> {
    let near = Near::to(choice);
    colours
        .par_iter()
        .with_min_len(PARALLEL_FROM)
        .map(|&(colour, _)| near.nearest(colour))
        .collect()
}

/// The chosen colours by lightness, so that few have to be looked at.
struct Near {
    /// With their positions.
    sorted: Vec<(u32, usize, Rgb)>,
    reach: u8,
}

impl Near {
    fn to(choice: &Choice) -> Self {
        let colours = choice.colours.iter().enumerate();
        let mut sorted: Vec<(u32, usize, Rgb)> = colours
            .map(|(i, &colour)| (lightness(colour), i, colour))
            .collect();
        sorted.sort_unstable();
        Self {
            sorted,
            reach: choice.reach,
        }
    }

    /// Position of the nearest.
    fn nearest(&self, colour: Rgb) -> usize {
        let own = lightness(colour);
        let start = self.sorted.partition_point(|entry| entry.0 < own);
        let (darker, lighter) = self.sorted.split_at(start);
        let mut best = (u32::MAX, 0);
        self.look(colour, lighter.iter(), &mut best);
        self.look(colour, darker.iter().rev(), &mut best);
        best.1
    }

    /// Goes away from a colour until lightness alone is farther than the best.
    fn look<'a>(
        &self,
        colour: Rgb,
        candidates: impl Iterator<Item = &'a (u32, usize, Rgb)>,
        best: &mut (u32, usize),
    ) {
        let own = lightness(colour);
        for &(lightness, i, candidate) in candidates {
            let apart_at_least = lightness.abs_diff(own);
            if apart_at_least * apart_at_least / WEIGHTS > best.0 {
                return;
            }
            let beyond = FAR * u32::from(apart(colour, candidate) > self.reach);
            *best = (*best).min((distance(colour, candidate) + beyond, i));
        }
    }
}

/// Of all channels in [`distance`].
const WEIGHTS: u32 = 3 + 4 + 2;

/// Differs by at most the root of [`WEIGHTS`] times the [`distance`]. (Cauchy and Schwarz.)
fn lightness([red, green, blue]: Rgb) -> u32 {
    3 * u32::from(red) + 4 * u32::from(green) + 2 * u32::from(blue)
}

/// The difference of the channel that differs most.
fn apart(a: Rgb, b: Rgb) -> u8 {
    let [red, green, blue] = [0, 1, 2].map(|i| a[i].abs_diff(b[i]));
    red.max(green).max(blue)
}

/// How far two colours are apart to the eye, squared: in sRGB, whose steps look nearly even, green counting
/// most and blue least. Whole numbers, so that no order of summing matters.
pub fn distance(a: Rgb, b: Rgb) -> u32 {
    let [red, green, blue] = [0, 1, 2].map(|i| {
        let d = u32::from(a[i].abs_diff(b[i]));
        d * d
    });
    3 * red + 4 * green + 2 * blue
}

fn brightness(colour: Rgb) -> u32 {
    colour.iter().map(|&channel| u32::from(channel)).sum()
}

/// Covers all colours (from dark to bright) with cubes of `reach` around at most `count` centres, or gives
/// up. Each cube holds the darkest colour left, which is at a corner of what is left.
fn cover(ordered: &[Rgb], pinned: &[Rgb], count: usize, reach: u8) -> Option<Vec<Rgb>> {
    let mut centres = pinned.to_vec();
    let mut left = ordered.to_vec();
    left.retain(|&colour| pinned.iter().all(|&centre| apart(colour, centre) > reach));
    while let Some(&darkest) = left.first() {
        if centres.len() == count {
            return None;
        }
        let centre = best_cube(darkest, &left, reach);
        left.retain(|&colour| apart(colour, centre) > reach);
        centres.push(centre);
    }
    Some(centres)
}

/// The centre of the cube that holds the darkest of the colours left and most others, of those tried.
fn best_cube(darkest: Rgb, left: &[Rgb], reach: u8) -> Rgb {
    let side = reach.saturating_mul(2);
    let brightest = brightness(darkest) + 3 * u32::from(side);
    let near: Vec<Rgb> = left
        .iter()
        .copied()
        .take_while(|&colour| brightness(colour) <= brightest)
        .filter(|&colour| apart(colour, darkest) <= side)
        .collect();
    let step = near.len().div_ceil(NEIGHBOURS);
    let mut best = (0, darkest);
    for (i, a) in near.iter().enumerate().step_by(step) {
        for b in near[i..].iter().step_by(step) {
            let low = [0, 1, 2].map(|i| darkest[i].min(a[i]).min(b[i]));
            let high = [0, 1, 2].map(|i| darkest[i].max(a[i]).max(b[i]));
            if apart(low, high) > side {
                continue;
            }
            let from_low = low.map(|channel| channel.saturating_add(reach));
            let from_high = high.map(|channel| channel.saturating_sub(reach));
            let middle = [0, 1, 2].map(|i| low[i].midpoint(high[i]));
            for centre in [from_low, from_high, middle] {
                let holds = |colour: &&Rgb| apart(**colour, centre) <= reach;
                let held = near.iter().filter(holds).count();
                if held > best.0 && holds(&&darkest) {
                    best = (held, centre);
                }
            }
        }
    }
    best.1
}

/// Adds colours where pixels times error is largest, until there are `count` or that is `little`.
fn spend(colours: &[(Rgb, u64)], choice: &mut Choice, count: usize, little: u64) {
    let owners = assign(colours, choice);
    let mut errors: Vec<u64> = owners
        .iter()
        .zip(colours)
        .map(|(&owner, &(colour, pixels))| {
            u64::from(distance(colour, choice.colours[owner])) * pixels
        })
        .collect();
    while choice.colours.len() < count {
        let worst = (0..colours.len()).max_by_key(|&i| errors[i]);
        let Some(worst) = worst.filter(|&i| errors[i] > little) else {
            return;
        };
        let added = colours[worst].0;
        choice.colours.push(added);
        for (error, &(colour, pixels)) in errors.iter_mut().zip(colours) {
            *error = (u64::from(distance(colour, added)) * pixels).min(*error);
        }
    }
}

/// The colours that one of the chosen stands for.
#[derive(Clone, Copy)]
struct Share {
    low: Rgb,
    high: Rgb,
    /// Of each channel, weighted by pixels.
    sum: [u64; 3],
    pixels: u64,
}

/// A round of Lloyd's method: each colour moves to the mean of those it stands for, as near as its reach lets it.
fn settle(colours: &[(Rgb, u64)], choice: &mut Choice, fixed: usize) {
    let empty = Share {
        low: [u8::MAX; 3],
        high: [0; 3],
        sum: [0; 3],
        pixels: 0,
    };
    let mut shares = vec![empty; choice.colours.len()];
    for (owner, &(colour, pixels)) in assign(colours, choice).into_iter().zip(colours) {
        let share = &mut shares[owner];
        share.pixels += pixels;
        for (i, &channel) in colour.iter().enumerate() {
            share.low[i] = share.low[i].min(channel);
            share.high[i] = share.high[i].max(channel);
            share.sum[i] += pixels * u64::from(channel);
        }
    }
    let moving = choice.colours.iter_mut().zip(&shares).skip(fixed);
    for (colour, share) in moving.filter(|(_, share)| share.pixels > 0) {
        for (i, channel) in colour.iter_mut().enumerate() {
            let mean = (share.sum[i] + share.pixels / 2) / share.pixels;
            let lowest = share.high[i].saturating_sub(choice.reach);
            let highest = share.low[i].saturating_add(choice.reach);
            *channel = (mean as u8).clamp(lowest, highest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ramp(from: Rgb, to: Rgb, steps: u32) -> Vec<(Rgb, u64)> {
        (0..=steps)
            .map(|step| {
                let mix = |i: usize| {
                    let (a, b) = (u32::from(from[i]), u32::from(to[i]));
                    ((a * (steps - step) + b * step) / steps) as u8
                };
                ([mix(0), mix(1), mix(2)], 1 + u64::from(step))
            })
            .collect()
    }

    fn worst(colours: &[(Rgb, u64)], choice: &Choice) -> u8 {
        let owners = assign(colours, choice);
        let errors = owners.iter().zip(colours);
        errors
            .map(|(&owner, &(colour, _))| apart(colour, choice.colours[owner]))
            .max()
            .unwrap()
    }

    #[test]
    fn a_ramp_is_cut_evenly() {
        let colours = ramp([0, 0, 0], [255, 255, 255], 255);
        // 128 cubes of 2 colours, 64 of 4, 52 of 5: an odd number has its colour in the middle.
        for (count, reach) in [(256, 0), (128, 1), (64, 2), (52, 2), (16, 8), (1, 128)] {
            let choice = choose(&colours, &[], count, 0);
            assert!(worst(&colours, &choice) <= reach, "{count}");
            assert!(choice.colours.len() <= count);
        }
    }

    #[test]
    fn pinned_colours_stay() {
        let pinned = [[7, 200, 9], [250, 3, 3]];
        let mut colours = ramp(pinned[0], pinned[1], 100);
        colours.extend(ramp([0, 0, 255], pinned[1], 100));
        let choice = choose(&colours, &pinned, 20, 0);
        assert_eq!(choice.colours[..2], pinned);
        let near = Near::to(&choice);
        assert_eq!(near.nearest(pinned[0]), 0);
        assert_eq!(near.nearest(pinned[1]), 1);
        assert!(worst(&colours, &choice) <= 14);
    }

    /// Position of the nearest within reach, the first of equals, looked for among all.
    fn nearest_of_all(colour: Rgb, choice: &Choice) -> usize {
        let all = choice.colours.iter().enumerate();
        let nearest = all.min_by_key(|(_, candidate)| {
            let beyond = apart(colour, **candidate) > choice.reach;
            (beyond, distance(colour, **candidate))
        });
        nearest.unwrap().0
    }

    proptest! {
        #[test]
        fn the_nearest_is_found(
            colours in prop::collection::vec(any::<Rgb>(), 1..60),
            wanted in prop::collection::vec(any::<Rgb>(), 20),
            reach: u8,
        ) {
            let choice = Choice { colours, reach };
            let near = Near::to(&choice);
            for colour in wanted.into_iter().chain(choice.colours.clone()) {
                prop_assert_eq!(near.nearest(colour), nearest_of_all(colour, &choice));
            }
        }

        #[test]
        fn no_error_is_beyond_the_reach(
            colours in prop::collection::btree_map(any::<Rgb>(), 1u64..99, 1..400),
            count in 1usize..64,
            slight in 0u8..9,
        ) {
            let colours: Vec<(Rgb, u64)> = colours.into_iter().collect();
            let choice = choose(&colours, &[], count, slight);
            prop_assert!(choice.colours.len() <= count);
            prop_assert!(worst(&colours, &choice) <= choice.reach);
            prop_assert!(choice.reach >= slight);
        }
    }
}
