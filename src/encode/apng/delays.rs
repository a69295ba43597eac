//! How long frames stay. APNG knows any fraction of a second, but browsers cut each delay down to whole
//! milliseconds: delays are milliseconds from the start, so that a second plays in a second there too.

use std::ops::Range;

use crate::encode::Movie;

/// The largest numerator.
const LARGEST: u128 = 65_535;
/// Milliseconds in a second.
const TICKS: u128 = 1000;

/// A delay in seconds: numerator and denominator.
pub type Delay = (u16, u16);

/// How long frames that look the same stay together; several delays where one cannot say it.
pub fn of(movie: &Movie, frames: &Range<usize>) -> Vec<Delay> {
    let (rate, seconds) = movie.clock.fraction();
    let begins = |frame: usize| frame as u128 * TICKS * seconds / rate;
    let ticks = match movie.hold.filter(|_| frames.end == movie.frames) {
        Some(hold) => {
            begins(frames.end - 1) - begins(frames.start) + u128::from(hold) * TICKS / 100
        }
        None => begins(frames.end) - begins(frames.start),
    };
    split(ticks.max(1))
}

/// Parts as equal as can be, so that none is too short for players.
fn split(ticks: u128) -> Vec<Delay> {
    let count = ticks.div_ceil(LARGEST);
    let part = |i: u128| ticks * (i + 1) / count - ticks * i / count;
    (0..count)
        .map(|i| {
            let divisor = greatest_common_divisor(part(i), TICKS);
            ((part(i) / divisor) as u16, (TICKS / divisor) as u16)
        })
        .collect()
}

/// Euclid's.
fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    match b {
        0 => a.max(1),
        _ => greatest_common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Clock;
    use crate::encode::testing::movie;

    fn delays(fps: f64, hold: Option<u32>, frames: Range<usize>) -> Vec<Delay> {
        let draw = |_: usize, _: &mut crate::raster::Canvas| {};
        let mut movie = movie((1, 1), 300_000, true, &draw);
        movie.clock = Clock::per_second(fps);
        movie.hold = hold;
        of(&movie, &frames)
    }

    #[test]
    fn a_second_plays_in_a_second() {
        let each = |fps: f64, frame: usize| delays(fps, None, frame..frame + 1);
        assert_eq!(each(25.0, 7), [(1, 25)]);
        assert_eq!(
            [each(30.0, 0), each(30.0, 1), each(30.0, 2)],
            [[(33, 1000)], [(33, 1000)], [(17, 500)]]
        );
        for (fps, frames, expected) in
            [(60.0, 60, 1000), (29.97, 2997, 100_000), (240.0, 240, 1000)]
        {
            let sum = |delays: Vec<Delay>| -> u32 {
                delays
                    .iter()
                    .map(|(above, below)| u32::from(*above) * 1000 / u32::from(*below))
                    .sum()
            };
            let all: u32 = (0..frames).map(|frame| sum(each(fps, frame))).sum();
            assert_eq!(all, expected, "{fps}");
            assert_eq!(sum(delays(fps, None, 0..frames)), expected, "{fps}");
        }
    }

    #[test]
    fn the_slowest_rate_takes_few_parts() {
        let parts = delays(0.001, None, 0..1);
        assert_eq!(parts.len(), 16);
        let milliseconds = parts
            .iter()
            .map(|&(above, below)| 1000 * u64::from(above) / u64::from(below));
        assert_eq!(milliseconds.sum::<u64>(), 1_000_000);
    }

    #[test]
    fn no_delay_is_none() {
        assert_eq!(delays(1e6, None, 7..8), [(1, 1000)]);
    }

    #[test]
    fn the_last_frame_is_held() {
        assert_eq!(delays(30.0, Some(150), 299_999..300_000), [(3, 2)]);
        assert_eq!(delays(30.0, Some(150), 299_998..300_000), [(1533, 1000)]);
        assert_eq!(delays(30.0, Some(150), 299_998..299_999), [(33, 1000)]);
    }
}
