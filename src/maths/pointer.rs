//! The way of a pointer: keyed places, held before the first and after the last.

use super::ease::Ease;
use super::functions::rounding;
use super::track::{Key, Return, Track};

/// A place at a time, and how the way to the next one is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathKey {
    pub time: f64,
    pub x: f64,
    pub y: f64,
    /// Of the segment that leaves this key; the segment itself is straight.
    pub ease: Ease,
}

/// A keyed place: two tracks with the same times and eases.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    x: Track,
    y: Track,
}

impl Path {
    /// A path through keys sorted by time. Equal times: a jump, the later key holds at that instant.
    pub fn new(keys: &[PathKey]) -> Self {
        Self {
            x: along(keys, |key| key.x),
            y: along(keys, |key| key.y),
        }
    }

    /// Place at a time. At a jump, the place after it.
    pub fn at(&self, time: f64) -> [f64; 2] {
        [self.x.at(time), self.y.at(time)]
    }

    /// Limit of `at` from earlier times.
    pub fn before(&self, time: f64) -> [f64; 2] {
        [self.x.before(time), self.y.before(time)]
    }

    /// Times at which the place jumps, sorted.
    pub fn jumps(&self) -> Vec<f64> {
        let mut times = self.x.jumps();
        times.extend(self.y.jumps());
        times.sort_by(f64::total_cmp);
        times.dedup_by(|b, a| *b - *a <= rounding(*b));
        times
    }
}

fn along(keys: &[PathKey], value: impl Fn(&PathKey) -> f64) -> Track {
    let key = |key: &PathKey| Key {
        time: key.time,
        value: value(key),
        ease: key.ease,
    };
    Track::new(keys.iter().map(key).collect(), Return::None, 0.0, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f64, x: f64, y: f64, ease: Ease) -> PathKey {
        PathKey { time, x, y, ease }
    }

    #[test]
    fn holds_before_and_after() {
        let path = Path::new(&[
            key(1.0, 10.0, 20.0, Ease::Linear),
            key(2.0, 30.0, 60.0, Ease::Linear),
        ]);
        assert_eq!(path.at(0.0), [10.0, 20.0]);
        assert_eq!(path.at(1.25), [15.0, 30.0]);
        assert_eq!(path.at(7.0), [30.0, 60.0]);
        assert_eq!(path.jumps(), [0.0; 0]);
    }

    #[test]
    fn eased_ways_stay_straight() {
        let path = Path::new(&[
            key(0.0, 0.0, 0.0, Ease::Smoothstep),
            key(1.0, 8.0, -4.0, Ease::Linear),
        ]);
        for i in 0..=20 {
            let [x, y] = path.at(f64::from(i) / 20.0);
            assert!((x + 2.0 * y).abs() < 1e-14);
        }
    }

    #[test]
    fn jumps_of_either_coordinate_are_told_once() {
        let path = Path::new(&[
            key(0.0, 0.0, 0.0, Ease::Hold),
            key(1.0, 5.0, 5.0, Ease::Linear),
            key(2.0, 5.0, 9.0, Ease::Linear),
            key(2.0, 5.0, 0.0, Ease::Linear),
        ]);
        assert_eq!(path.jumps(), [1.0, 2.0]);
        assert_eq!((path.before(1.0), path.at(1.0)), ([0.0, 0.0], [5.0, 5.0]));
        assert_eq!(path.before(2.0), [5.0, 9.0]);
        assert_eq!(path.at(2.0), [5.0, 0.0]);
    }
}
