//! How long frames stay, as the fractions of a second that APNG knows.

use std::ops::Range;

use crate::encode::{Clock, Movie};

/// The largest numerator and denominator.
const LARGEST: u128 = 65_535;
/// Where a rate has no such fraction, parts of a second that are counted instead; errors never add up.
const TICKS: u128 = 10_000;

/// A delay in seconds: numerator and denominator.
pub type Delay = (u16, u16);

/// How long frames that look the same stay together; several delays where one cannot say it.
pub fn of(movie: &Movie, frames: &Range<usize>) -> Vec<Delay> {
    let held = movie.hold.filter(|_| frames.end == movie.frames);
    let Some(hold) = held else {
        return on_clock(movie.clock, frames);
    };
    let hold = (u128::from(hold.max(1)), 100);
    let before = frames.start..frames.end - 1;
    if before.is_empty() {
        return exact(hold).unwrap_or_default();
    }
    let (count, (rate, seconds)) = (before.len() as u128, movie.clock.fraction());
    let sum = (count * seconds * hold.1 + hold.0 * rate, rate * hold.1);
    exact(sum).unwrap_or_else(|| {
        let mut parts = on_clock(movie.clock, &before);
        parts.extend(exact(hold).unwrap_or_default());
        parts
    })
}

fn on_clock(clock: Clock, frames: &Range<usize>) -> Vec<Delay> {
    let (rate, seconds) = clock.fraction();
    exact((frames.len() as u128 * seconds, rate)).unwrap_or_else(|| {
        let begins = |frame: usize| frame as u128 * TICKS * seconds / rate;
        let ticks = begins(frames.end) - begins(frames.start);
        split(ticks.max(1), TICKS)
    })
}

/// A fraction as delays whose sum it is, or `None` if its denominator is too large.
fn exact((above, below): (u128, u128)) -> Option<Vec<Delay>> {
    let divisor = greatest_common_divisor(above, below);
    let (above, below) = (above / divisor, below / divisor);
    (below <= LARGEST).then(|| split(above, below))
}

/// Parts as equal as can be, so that none is too short for players.
fn split(above: u128, below: u128) -> Vec<Delay> {
    let count = above.div_ceil(LARGEST).max(1);
    let part = |i: u128| (above * (i + 1) / count - above * i / count) as u16;
    (0..count).map(|i| (part(i), below as u16)).collect()
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
    use crate::encode::testing::movie;

    fn delays(fps: f64, hold: Option<u32>, frames: Range<usize>) -> Vec<Delay> {
        let draw = |_: usize, _: &mut crate::pixels::Pixels| {};
        let mut movie = movie((1, 1), 300_000, true, &draw);
        movie.clock = Clock::per_second(fps);
        movie.hold = hold;
        of(&movie, &frames)
    }

    #[test]
    fn rates_are_kept_exactly() {
        assert_eq!(delays(30.0, None, 7..8), [(1, 30)]);
        assert_eq!(delays(30.0, None, 7..22), [(1, 2)]);
        assert_eq!(delays(29.97, None, 7..8), [(100, 2997)]);
        assert_eq!(delays(240.0, None, 0..1), [(1, 240)]);
        // 200 million parts of 2997.
        let long = delays(29.97, None, 0..200_000);
        let sum: u64 = long.iter().map(|delay| u64::from(delay.0)).sum();
        assert_eq!(
            (sum * 2997, long[0].1),
            (20_000_000 * u64::from(long[0].1), 2997)
        );
    }

    #[test]
    fn odd_rates_never_drift() {
        let sum: u32 = (0..2_997_003)
            .take(30_000)
            .map(|frame| u32::from(delays(29.970_03, None, frame..frame + 1)[0].0))
            .sum();
        // 30,000 / 29.97003 s.
        assert_eq!(sum, 10_009_999);
    }

    #[test]
    fn the_last_frame_is_held() {
        assert_eq!(delays(30.0, Some(150), 299_999..300_000), [(3, 2)]);
        assert_eq!(delays(30.0, Some(150), 299_998..300_000), [(23, 15)]);
        assert_eq!(delays(30.0, Some(150), 299_998..299_999), [(1, 30)]);
        let parts = delays(29.97, Some(7), 299_998..300_000);
        assert_eq!(parts, [(100, 2997), (7, 100)]);
    }
}
