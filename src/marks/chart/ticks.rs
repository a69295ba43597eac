//! Round numbers along an axis.

use crate::maths::functions::{ceil, floor};

/// Evenly spaced numbers: whole multiples of 1, 2 or 5 times a power of ten.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    pub step: f64,
    pub values: Vec<f64>,
    /// Digits that every one of them needs after the point.
    pub decimals: u8,
}

/// How far beyond an end a tick may lie by rounding, in steps.
const SLACK: f64 = 1e-9;

impl Ticks {
    /// The closest ticks from `low` to `high` with at most `most` steps.
    pub fn new(low: f64, high: f64, most: f64) -> Self {
        let (step, decimals) = step((high - low) / most);
        let first = ceil(low / step - SLACK);
        let count = floor(high / step + SLACK) - first;
        let values = (0..=count.max(-1.0) as i64).filter(|_| count >= 0.0);
        Self {
            step,
            values: values.map(|i| (first + i as f64) * step).collect(),
            decimals,
        }
    }
}

/// The smallest of 1, 2, 5, 10, … and of 0.5, 0.2, 0.1, … that is not smaller, and the digits that it needs.
fn step(least: f64) -> (f64, u8) {
    let (mut unit, mut digits) = (1.0, 0);
    while unit < least / 10.0 {
        unit *= 10.0;
    }
    while unit >= least && digits < 15 {
        digits += 1;
        unit = 1.0 / ten_to(digits);
    }
    let round = [1.0, 2.0, 5.0].into_iter().find(|m| unit * m >= least);
    match round {
        Some(m) => (unit * m, digits),
        None => (unit * 10.0, digits.saturating_sub(1)),
    }
}

/// Exact for all powers in use.
fn ten_to(power: u8) -> f64 {
    (0..power).fold(1.0, |product, _| product * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(low: f64, high: f64) -> Vec<String> {
        let ticks = Ticks::new(low, high, 6.0);
        let decimals = usize::from(ticks.decimals);
        ticks
            .values
            .iter()
            .map(|v| format!("{v:.decimals$}"))
            .collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(shown(0.0, 5.6), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(shown(-0.4, 1.4), ["0.0", "0.5", "1.0"]);
        assert_eq!(
            shown(0.0, 1.2),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2"]
        );
        assert_eq!(shown(-307.0, 307.0), ["-200", "0", "200"]);
        assert_eq!(shown(0.0, 60.0), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(
            shown(1e6, 1.2e6),
            ["1000000", "1050000", "1100000", "1150000", "1200000"]
        );
        assert_eq!(
            shown(0.001, 0.0021),
            ["0.0010", "0.0012", "0.0014", "0.0016", "0.0018", "0.0020"]
        );
    }

    #[test]
    fn there_are_neither_few_nor_many() {
        for i in 1..2000 {
            let high = f64::from(i) * 0.37;
            let count = Ticks::new(0.0, high, 6.0).values.len();
            assert!((3..=7).contains(&count), "{high}: {count}");
        }
    }
}
