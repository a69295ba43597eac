//! Where times and values lie in a chart.

use super::samples::Sample;
use crate::maths::functions::rounding;
use crate::maths::vector::Vec2;

/// How far a sample may lie from the line that replaces it, in px.
const TOLERANCE: f64 = 0.02;

/// The part of a chart in which curves are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    /// Times at the left and at the right.
    pub span: [f64; 2],
    /// Values at the bottom and at the top.
    pub range: [f64; 2],
}

impl Plane {
    /// Where a time lies.
    pub fn x(&self, time: f64) -> f64 {
        let [from, to] = self.span;
        self.left + (time - from) / (to - from) * (self.right - self.left)
    }

    /// Where a value lies.
    pub fn y(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        self.bottom - (value - low) / (high - low) * (self.bottom - self.top)
    }

    /// Whether a value lies in the range.
    pub fn holds(&self, value: f64) -> bool {
        let [low, high] = self.range;
        let slack = rounding(low.abs().max(high.abs()));
        value >= low - slack && value <= high + slack
    }

    /// A curve with as few points as show no difference.
    pub fn curve(&self, samples: &[Sample]) -> Vec<Vec2> {
        thin(
            samples
                .iter()
                .map(|s| Vec2::new(self.x(s.time), self.y(s.value))),
        )
    }
}

/// Leaves out points of a curve that runs to the right, as long as a straight line passes all those left out
/// within the tolerance: the slopes that do so, seen from the last point kept, are an interval that shrinks.
fn thin(points: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
    const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
    const NONE: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut kept: Vec<Vec2> = Vec::new();
    let mut last: Option<Vec2> = None;
    let mut slopes = ALL;
    for p in points {
        let (Some(before), Some(anchor)) = (last, kept.last().copied()) else {
            kept.push(p);
            last = Some(p);
            continue;
        };
        let slope = (p.y - anchor.y) / (p.x - anchor.x);
        let mut from = anchor;
        if !(slopes.0 <= slope && slope <= slopes.1) && before != anchor {
            kept.push(before);
            from = before;
            slopes = ALL;
        }
        let along = p.x - from.x;
        slopes = match along > 0.0 {
            true => (
                slopes.0.max((p.y - TOLERANCE - from.y) / along),
                slopes.1.min((p.y + TOLERANCE - from.y) / along),
            ),
            // Nothing but the point itself lies straight above or below.
            false => NONE,
        };
        last = Some(p);
    }
    if let Some(last) = last.filter(|last| kept.last() != Some(last)) {
        kept.push(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_pieces_keep_their_ends_only() {
        let corner = (0..=100).map(|i| Vec2::new(f64::from(i), (f64::from(i) - 40.0).max(0.0)));
        let ends = [(0.0, 0.0), (40.0, 0.0), (100.0, 60.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(thin(corner), ends);
    }

    #[test]
    fn jumps_stay_upright() {
        let steps = [
            (0.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (2.0, 5.0),
            (3.0, 5.0),
            (4.0, 5.0),
            (4.0, 1.0),
        ];
        let steps = steps.map(|(x, y)| Vec2::new(x, y));
        assert_eq!(thin(steps.into_iter()), [0, 2, 3, 5, 6].map(|i| steps[i]));
    }

    #[test]
    fn a_curve_stays_within_the_tolerance() {
        let y = |x: f64| 0.002 * (x - 150.0) * (x - 150.0);
        let kept = thin((0..=600).map(|i| Vec2::new(0.5 * f64::from(i), y(0.5 * f64::from(i)))));
        assert!(kept.len() < 120, "{}", kept.len());
        for two in kept.windows(2) {
            for i in 0..=10 {
                let on = two[0].lerp(two[1], f64::from(i) / 10.0);
                assert!((on.y - y(on.x)).abs() < 2.0 * TOLERANCE, "{on:?}");
            }
        }
    }
}
