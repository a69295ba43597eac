//! How long frames stay, in the whole hundredths of a second that GIF knows.

/// Hundredths of a second, GIF's unit of time.
const PER_SECOND: u128 = 100;
/// Players slow a delay of 0 or 1 down to 10.
pub const SHORTEST_DELAY: u32 = 2;
/// The fastest rate whose every delay is at least 2, in frames per second.
const GIF_FASTEST: f64 = 50.0;

/// A steady frame rate, kept as the fraction that its decimal digits say: 29.97 is 2997/100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    frames: u128,
    seconds: u128,
}

impl Clock {
    /// A clock of so many frames per second, above 0 and at most a million; digits after the twelfth
    /// decimal are dropped.
    ///
    /// # Panics
    /// When the rate is out of that range.
    pub fn per_second(fps: f64) -> Self {
        assert!(fps > 0.0 && fps <= 1e6, "frame rate out of range");
        let digits = format!("{fps}");
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        let decimals = &decimals[..decimals.len().min(12)];
        let frames: u128 = format!("{whole}{decimals}")
            .parse()
            .expect("a positive number prints as digits");
        let seconds = 10u128.pow(decimals.len() as u32);
        Self {
            // A rate whose first twelve decimals are all 0 counts as the smallest that has one.
            frames: frames.max(1),
            seconds,
        }
    }

    /// So many frames in so many seconds.
    pub fn fraction(&self) -> (u128, u128) {
        (self.frames, self.seconds)
    }

    /// When a frame begins, in hundredths of a second rounded down: ⌊frame · 100 / fps⌋.
    fn begins(&self, frame: usize) -> u128 {
        frame as u128 * PER_SECOND * self.seconds / self.frames
    }

    /// How long a frame stays, in hundredths of a second, never below 2:
    /// ⌊(frame + 1) · 100 / fps⌋ − ⌊frame · 100 / fps⌋, so errors never add up.
    pub fn delay(&self, frame: usize) -> u32 {
        let delay = self.begins(frame + 1) - self.begins(frame);
        u32::try_from(delay).unwrap_or(u32::MAX).max(SHORTEST_DELAY)
    }
}

/// How often a movie plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plays {
    #[default]
    Forever,
    /// So many times, at least once.
    Times(u16),
}

/// The rate that a movie is resampled to before it becomes a GIF, or `None` if its own, in frames per second,
/// is one a GIF can hold.
pub fn resampled_for_gif(fps: f64) -> Option<f64> {
    (fps > GIF_FASTEST).then_some(GIF_FASTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(fps: f64, count: usize) -> Vec<u32> {
        let clock = Clock::per_second(fps);
        (0..count).map(|frame| clock.delay(frame)).collect()
    }

    #[test]
    fn a_second_plays_in_a_second() {
        assert_eq!(delays(30.0, 6), [3, 3, 4, 3, 3, 4]);
        assert_eq!(delays(25.0, 3), [4, 4, 4]);
        assert_eq!(delays(12.5, 3), [8, 8, 8]);
        assert_eq!(delays(50.0, 3), [2, 2, 2]);
        for fps in 1..=50u32 {
            let sum: u32 = delays(f64::from(fps), fps as usize).iter().sum();
            assert_eq!(sum, 100, "{fps} frames per second");
        }
    }

    #[test]
    fn decimal_rates_mean_their_digits() {
        let sum: u32 = delays(29.97, 2997).iter().sum();
        assert_eq!(sum, 10_000);
        // 0.07 is above its decimal in binary: a quotient of floats falls short of the whole number.
        let sum: u64 = delays(0.07, 7).iter().map(|&delay| u64::from(delay)).sum();
        assert_eq!(sum, 10_000);
        let sum: u32 = delays(23.976, 23_976).iter().sum();
        assert_eq!(sum, 100_000);
    }

    #[test]
    fn no_delay_is_too_short_for_players() {
        assert!(delays(1000.0, 50).iter().all(|&delay| delay == 2));
        assert!(delays(1e-300, 2).iter().all(|&delay| delay > 2));
        assert!(delays(49.99, 5000).iter().all(|&delay| delay >= 2));
    }

    #[test]
    fn fast_movies_are_resampled() {
        assert_eq!(resampled_for_gif(50.0), None);
        assert_eq!(resampled_for_gif(60.0), Some(50.0));
        assert_eq!(resampled_for_gif(100.0), Some(50.0));
    }
}
