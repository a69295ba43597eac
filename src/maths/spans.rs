//! Spans of time in which a button is held, and the two buttons that make an axis.
//!
//! A span is half-open, [from, to): at `from` the button is down, at `to` it is up. A time that misses an edge by
//! rounding alone counts as on it.

use super::functions::rounding;

/// Spans of time, sorted and apart; they may touch (let go and pressed again at one instant).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    spans: Vec<[f64; 2]>,
}

/// What is wrong with a span, with its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanFault {
    /// Its end is not after its start, or one of them is no number.
    Empty(usize),
    /// It starts before the one before it has ended.
    Overlaps(usize),
}

/// What an axis shows while both its buttons are down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Both {
    /// 0.
    #[default]
    Zero,
    /// The side pressed later; the other again once that one is let go. Pressed at one instant: 0.
    Last,
}

/// Two buttons that pull a value to +1 and to −1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// When the value is +1.
    pub plus: Spans,
    /// When it is −1.
    pub minus: Spans,
    /// What it is when both are down.
    pub both: Both,
}

impl Spans {
    /// Spans from `[from, to]` pairs; the first fault otherwise. Infinite ends are allowed.
    pub fn new(spans: Vec<[f64; 2]>) -> Result<Self, SpanFault> {
        let mut last = f64::NEG_INFINITY;
        for (i, &[from, to]) in spans.iter().enumerate() {
            if from.is_nan() || to.is_nan() || from >= to {
                return Err(SpanFault::Empty(i));
            }
            if from < last {
                return Err(SpanFault::Overlaps(i));
            }
            last = to;
        }
        Ok(Self { spans })
    }

    /// The spans, as given.
    pub fn as_slice(&self) -> &[[f64; 2]] {
        &self.spans
    }

    /// Whether the time lies in a span.
    pub fn is_inside(&self, time: f64) -> bool {
        self.start_of(time).is_some()
    }

    /// Whether the instants just before the time lie in a span.
    pub fn before(&self, time: f64) -> bool {
        self.start_before(time).is_some()
    }

    /// Times at which `is_inside` changes, sorted.
    pub fn jumps(&self) -> Vec<f64> {
        let edges = self.spans.iter().flatten().copied();
        edges
            .filter(|&time| time.is_finite() && self.is_inside(time) != self.before(time))
            .collect()
    }

    /// Start of the span the time lies in.
    pub fn start_of(&self, time: f64) -> Option<f64> {
        let reached = time + rounding(time);
        let begun = self.spans.partition_point(|span| span[0] <= reached);
        let [from, to] = *self.spans.get(begun.checked_sub(1)?)?;
        (reached < to).then_some(from)
    }

    /// Start of the span that the instants just before the time lie in.
    pub fn start_before(&self, time: f64) -> Option<f64> {
        let short = time - rounding(time);
        let begun = self.spans.partition_point(|span| span[0] < short);
        let [from, to] = *self.spans.get(begun.checked_sub(1)?)?;
        (short <= to).then_some(from)
    }
}

impl Axis {
    /// Value at a time: −1, 0 or 1. At an edge, the value after it.
    pub fn at(&self, time: f64) -> f64 {
        self.value(self.plus.start_of(time), self.minus.start_of(time))
    }

    /// Limit of `at` from earlier times.
    pub fn before(&self, time: f64) -> f64 {
        self.value(self.plus.start_before(time), self.minus.start_before(time))
    }

    /// Times at which the value jumps, sorted.
    pub fn jumps(&self) -> Vec<f64> {
        let edges = [&self.plus, &self.minus]
            .into_iter()
            .flat_map(|side| side.spans.iter().flatten().copied());
        let mut times: Vec<f64> = edges
            .filter(|&time| time.is_finite() && self.at(time) != self.before(time))
            .collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|b, a| *b - *a <= rounding(*b));
        times
    }

    /// From the times at which the buttons that are down were pressed.
    fn value(&self, plus: Option<f64>, minus: Option<f64>) -> f64 {
        match (plus, minus) {
            (None, None) => 0.0,
            (Some(_), None) => 1.0,
            (None, Some(_)) => -1.0,
            (Some(plus), Some(minus)) => match self.both {
                Both::Last if plus > minus => 1.0,
                Both::Last if minus > plus => -1.0,
                _ => 0.0,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(list: &[[f64; 2]]) -> Spans {
        Spans::new(list.to_vec()).expect("legal")
    }

    fn axis(plus: &[[f64; 2]], minus: &[[f64; 2]], both: Both) -> Axis {
        Axis {
            plus: spans(plus),
            minus: spans(minus),
            both,
        }
    }

    #[test]
    fn spans_are_half_open() {
        let held = spans(&[[0.4, 1.4], [2.0, 2.1]]);
        let at = |time| (held.before(time), held.is_inside(time));
        assert_eq!(at(0.0), (false, false));
        assert_eq!(at(0.4), (false, true));
        assert_eq!(at(1.0), (true, true));
        assert_eq!(at(1.4), (true, false));
        assert_eq!(at(1.7), (false, false));
        assert_eq!(at(2.1), (true, false));
        assert_eq!(at(9.0), (false, false));
        assert_eq!(held.jumps(), [0.4, 1.4, 2.0, 2.1]);
        assert_eq!(held.start_of(1.0), Some(0.4));
    }

    #[test]
    fn an_edge_missed_by_rounding_is_on_time() {
        for tenth in 1..1000_u32 {
            let (exact, summed) = (f64::from(tenth) / 10.0, f64::from(tenth) * 0.1);
            let held = spans(&[[exact, exact + 0.05]]);
            assert!(held.is_inside(summed) && !held.before(summed), "{tenth}");
            let held = spans(&[[exact - 0.05, exact]]);
            assert!(!held.is_inside(summed) && held.before(summed), "{tenth}");
        }
    }

    #[test]
    fn faults_are_named() {
        let fault = |list: &[[f64; 2]]| Spans::new(list.to_vec()).expect_err("a fault");
        assert_eq!(fault(&[[0.0, 1.0], [2.0, 2.0]]), SpanFault::Empty(1));
        assert_eq!(fault(&[[1.0, 0.0]]), SpanFault::Empty(0));
        assert_eq!(fault(&[[f64::NAN, 0.0]]), SpanFault::Empty(0));
        assert_eq!(fault(&[[0.0, 1.0], [0.9, 2.0]]), SpanFault::Overlaps(1));
        assert_eq!(fault(&[[3.0, 4.0], [0.0, 1.0]]), SpanFault::Overlaps(1));
        assert_eq!(spans(&[]), Spans::default());
    }

    #[test]
    fn touching_spans_do_not_jump() {
        let held = spans(&[[0.0, 1.0], [1.0, 2.0]]);
        assert_eq!(held.jumps(), [0.0, 2.0]);
        assert_eq!(held.start_before(1.0), Some(0.0));
        assert_eq!(held.start_of(1.0), Some(1.0));
    }

    #[test]
    fn both_buttons_cancel() {
        let axis = axis(&[[1.0, 3.0]], &[[2.0, 4.0]], Both::Zero);
        let values = [0.5, 1.0, 2.0, 3.0, 4.0].map(|t| axis.at(t));
        assert_eq!(values, [0.0, 1.0, 0.0, -1.0, 0.0]);
        assert_eq!(axis.before(3.0), 0.0);
        assert_eq!(axis.jumps(), [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn the_newer_press_wins_and_the_older_returns() {
        let held = axis(&[[1.0, 9.0]], &[[2.0, 3.0], [5.0, 6.0]], Both::Last);
        let values = [1.5, 2.5, 4.0, 5.5, 8.0, 9.0].map(|t| held.at(t));
        assert_eq!(values, [1.0, -1.0, 1.0, -1.0, 1.0, 0.0]);
        assert_eq!(held.jumps(), [1.0, 2.0, 3.0, 5.0, 6.0, 9.0]);
        let again = axis(&[[0.0, 1.0], [1.0, 2.0]], &[[0.5, 3.0]], Both::Last);
        assert_eq!((again.before(1.0), again.at(1.0)), (-1.0, 1.0));
        let tie = axis(&[[0.0, 1.0]], &[[0.0, 2.0]], Both::Last);
        assert_eq!((tie.at(0.5), tie.at(1.5)), (0.0, -1.0));
    }

    #[test]
    fn a_straight_turn_is_one_jump() {
        let turn = axis(&[[2.55, 3.45]], &[[3.45, 4.55]], Both::Zero);
        assert_eq!(turn.jumps(), [2.55, 3.45, 4.55]);
        assert_eq!((turn.before(3.45), turn.at(3.45)), (1.0, -1.0));
    }

    #[test]
    fn one_side_is_a_button() {
        let button = axis(&[[1.0, 2.0]], &[], Both::Zero);
        assert_eq!([0.0, 1.0, 2.0].map(|t| button.at(t)), [0.0, 1.0, 0.0]);
        assert_eq!(Axis::default().at(1.0), 0.0);
        assert_eq!(Axis::default().jumps(), [0.0; 0]);
    }
}
