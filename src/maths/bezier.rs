//! The timing curve of CSS: a cubic Bézier from (0, 0) to (1, 1), read as y over x.
//!
//! Solving x(s) = u loses digits where x stands still. With handles inside [0, 1] that can happen at
//! s = 0 (x1 = 0), at s = 1 (x2 = 1) and at s = ½ (x1 = 1 with x2 = 0), and nowhere else. So each part of
//! the curve is solved in a variable that is zero at its own dangerous place, where sums stay exact.

use super::functions::cbrt;

/// Half the width of the middle part in s; wider than the quarter it has to cover, for rounding's sake.
const REACH: f64 = 0.3;

/// A monotone timing curve with handles (x1, y1) and (x2, y2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicBezier {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
    /// x at s = ¼ and s = ¾.
    quarters: [f64; 2],
    /// x − ½ as a polynomial in s − ½, lowest power first.
    middle: [f64; 4],
}

impl CubicBezier {
    /// The curve with these handles.
    ///
    /// None if x1 or x2 lies outside [0, 1] (y would not be a function of x) or a number is not finite.
    pub fn new(x1: f64, y1: f64, x2: f64, y2: f64) -> Option<Self> {
        let unit = 0.0..=1.0;
        if !unit.contains(&x1) || !unit.contains(&x2) || !y1.is_finite() || !y2.is_finite() {
            return None;
        }
        // Expanded in 1 − x1 instead of x1: both are small together near [1, ·, 0, ·].
        let e1 = 1.0 - x1;
        Some(Self {
            x1,
            y1,
            x2,
            y2,
            quarters: [polynomial(x1, x2, 0.25), polynomial(x1, x2, 0.75)],
            middle: [
                0.375 * (x2 - e1),
                0.75 * (x2 + e1),
                1.5 * (e1 - x2),
                4.0 - 3.0 * (x2 + e1),
            ],
        })
    }

    /// The handles: x1, y1, x2, y2.
    pub fn handles(&self) -> [f64; 4] {
        [self.x1, self.y1, self.x2, self.y2]
    }

    /// y where x = u; exactly 0 at and before u = 0, exactly 1 at and after u = 1.
    ///
    /// Within a few units in the last place of the true value, on every legal curve.
    pub fn at(&self, u: f64) -> f64 {
        let Self { x1, y1, x2, y2, .. } = *self;
        if u >= 1.0 {
            1.0
        } else if u.is_nan() || u <= 0.0 {
            0.0
        } else if x1 == y1 && x2 == y2 {
            u
        } else if u < self.quarters[0] {
            polynomial(y1, y2, from_start(x1, x2, u))
        } else if u > self.quarters[1] {
            let r = from_start(1.0 - x2, 1.0 - x1, 1.0 - u);
            1.0 - polynomial(1.0 - y2, 1.0 - y1, r)
        } else {
            polynomial(y1, y2, 0.5 + self.around_middle(u - 0.5))
        }
    }

    /// s − ½ where x − ½ = w, in the middle half of the curve.
    fn around_middle(&self, w: f64) -> f64 {
        let [c0, c1, c2, c3] = self.middle;
        root(-REACH, REACH, |s| {
            (
                (c0 - w) + s * (c1 + s * (c2 + s * c3)),
                c1 + s * (2.0 * c2 + s * 3.0 * c3),
            )
        })
    }

    /// Slope dy/dx at u = 1, from the left.
    ///
    /// (1 − y2)/(1 − x2); where that handle sits on the end point, the limit, which the other handle gives.
    /// May be infinite.
    pub fn exit_slope(&self) -> f64 {
        let Self { x1, y1, x2, y2, .. } = *self;
        if (x2, y2) != (1.0, 1.0) {
            (1.0 - y2) / (1.0 - x2)
        } else if (x1, y1) != (1.0, 1.0) {
            (1.0 - y1) / (1.0 - x1)
        } else {
            1.0
        }
    }

    /// Whether y leaves [0, 1] on the way.
    pub fn overshoots(&self) -> bool {
        dips(self.y1, self.y2) || dips(1.0 - self.y2, 1.0 - self.y1)
    }
}

/// The cubic with Bernstein coefficients 0, a, b, 1. For a, b ≥ 0 no digits are lost, however small s is.
fn polynomial(a: f64, b: f64, s: f64) -> f64 {
    let m = 1.0 - s;
    s * (3.0 * m * (a * m + b * s) + s * s)
}

/// Its derivative.
fn derivative(a: f64, b: f64, s: f64) -> f64 {
    let m = 1.0 - s;
    3.0 * (a * m * m + 2.0 * (b - a) * m * s + (1.0 - b) * s * s)
}

/// Whether the cubic 0, a, b, 1 is negative anywhere in (0, 1): it is s times the quadratic 3a, 3b/2, 1.
fn dips(a: f64, b: f64) -> bool {
    a < 0.0 || (b < 0.0 && 3.0 * b * b > 4.0 * a)
}

/// s where the cubic 0, a, b, 1 equals u, in its first quarter.
fn from_start(a: f64, b: f64, u: f64) -> f64 {
    // The cubic is never below s³: a bound that keeps the search short for a tiny u.
    let high = cbrt(u).min(REACH);
    root(0.0, high, |s| {
        (polynomial(a, b, s) - u, derivative(a, b, s))
    })
}

/// Zero of a rising function, given as (value, slope): Newton's method, bisection where that leaves the bracket.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut s = 0.5 * (low + high);
    for _ in 0..100 {
        let (value, slope) = f(s);
        if value == 0.0 {
            break;
        }
        if value > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let newton = s - value / slope;
        let next = if low < newton && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - s).abs();
        s = next;
        if step <= f64::EPSILON * s.abs() {
            break;
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::reference::{list, number, numbers, read};
    use proptest::prelude::*;

    fn curve(c: [f64; 4]) -> CubicBezier {
        CubicBezier::new(c[0], c[1], c[2], c[3]).expect("a legal curve")
    }

    #[test]
    fn matches_the_reference() {
        let data = read(include_str!("../../tests/data/000_cubic_bezier.json"));
        let us = numbers(&data["u"]);
        for case in list(&data["curves"]) {
            let c: [f64; 4] = numbers(&case["c"]).try_into().expect("four handles");
            let curve = curve(c);
            for (&u, y) in us.iter().zip(numbers(&case["y"])) {
                let miss = (curve.at(u) - y).abs();
                assert!(miss <= 1e-14, "{c:?} at {u}: {miss:e}");
            }
        }
    }

    #[test]
    fn matches_the_reference_slopes() {
        let data = read(include_str!("../../tests/data/000_exit_slope.json"));
        for case in list(&data["cases"]) {
            let c: [f64; 4] = numbers(&case["c"]).try_into().expect("four handles");
            let slope = curve(c).exit_slope();
            let limit = number(&case["limit_slope"]);
            assert!(
                slope == limit || (slope - limit).abs() < 1e-12,
                "{c:?}: {slope} instead of {limit}"
            );
        }
    }

    #[test]
    fn survives_the_reports() {
        let y = curve([0.0, 0.0, 0.58, 1.0]).at(0.8964);
        assert!((y - 0.9817882980606432).abs() < 1e-15, "{y}");
        let steep = curve([1.0, 0.0, 0.0, 1.0]);
        // 4(s − ½)³ = u − ½ has a closed form: true to the last digits even one unit beside ½.
        for w in [-f64::EPSILON / 4.0, 1e-16, 1e-12, 1e-6, 0.01, 0.167, 0.499] {
            let u = 0.5 + w;
            let s = 0.5 + cbrt((u - 0.5) / 4.0);
            let y = s * s * (3.0 - 2.0 * s);
            assert!((steep.at(u) - y).abs() < 1e-15, "{w:e}");
        }
        let not_linear = curve([0.0, 0.0, 0.0, 1.0]);
        for u in [1e-9, 0.001, 0.125, 0.5, 0.9] {
            let s = cbrt(u);
            let y = s * s * (3.0 - 2.0 * s);
            assert!((not_linear.at(u) - y).abs() < 1e-14);
        }
    }

    #[test]
    fn is_strictly_monotone_and_in_bounds() {
        let curves = [
            [0.25, 0.1, 0.25, 1.0],
            [0.0, 0.0, 0.58, 1.0],
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0, 1.0],
            [0.0, 1.0, 0.0, 1.0],
            [1.0, 0.0, 1.0, 0.0],
            [0.0, 0.5, 1.0, 0.5],
        ];
        for c in curves {
            let curve = curve(c);
            let mut last = 0.0;
            for i in 1..=10_000 {
                let y = curve.at(f64::from(i) / 10_000.0);
                assert!(last < y && y <= 1.0, "{c:?} at {i}: {y} after {last}");
                last = y;
            }
        }
    }

    #[test]
    fn slope_at_the_end_where_handles_coincide() {
        let infinite = f64::INFINITY;
        assert_eq!(curve([1.0, 0.3, 1.0, 0.5]).exit_slope(), infinite);
        assert_eq!(curve([1.0, 0.3, 1.0, 1.0]).exit_slope(), infinite);
        assert_eq!(curve([0.2, 0.3, 1.0, 1.5]).exit_slope(), -infinite);
        assert_eq!(curve([1.0, 1.0, 1.0, 1.0]).exit_slope(), 1.0);
        assert_eq!(curve([1.0, 1.0, 0.5, 0.5]).exit_slope(), 1.0);
    }

    #[test]
    fn illegal_handles_are_refused() {
        assert_eq!(CubicBezier::new(-0.1, 0.0, 1.0, 1.0), None);
        assert_eq!(CubicBezier::new(0.0, 0.0, 1.1, 1.0), None);
        assert_eq!(CubicBezier::new(f64::NAN, 0.0, 1.0, 1.0), None);
        assert_eq!(CubicBezier::new(0.0, f64::INFINITY, 1.0, 1.0), None);
    }

    proptest! {
        /// Any legal curve: bounded by its hull, monotone where y is, and true when put back into x(s), y(s).
        #[test]
        fn any_legal_curve(x1 in 0.0..=1.0, y1 in 0.0..=1.0, x2 in 0.0..=1.0, y2 in 0.0..=1.0) {
            let curve = curve([x1, y1, x2, y2]);
            let mut last = 0.0;
            for i in 0..=400 {
                let s = f64::from(i) / 400.0;
                let u = polynomial(x1, x2, s);
                let y = curve.at(u);
                let slope = derivative(y1, y2, s) / derivative(x1, x2, s).max(1e-3);
                let miss = (y - polynomial(y1, y2, s)).abs();
                prop_assert!(miss <= 1e-14 * (1.0 + slope.abs()), "s = {s}: {miss:e}");
                prop_assert!((0.0..=1.0).contains(&y));
                if y1 <= y2 {
                    prop_assert!(last <= y + 1e-15);
                }
                last = y;
            }
        }

        #[test]
        fn overshoot_is_what_samples_show(y1 in -2.0..3.0, y2 in -2.0..3.0) {
            let curve = curve([0.3, y1, 0.6, y2]);
            let worst = (1..2000)
                .map(|i| curve.at(f64::from(i) / 2000.0))
                .map(|y| (y - 1.0).max(-y))
                .fold(-1.0, f64::max);
            if worst > 1e-9 {
                prop_assert!(curve.overshoots());
            } else if worst < -1e-2 {
                prop_assert!(!curve.overshoots());
            }
        }
    }
}
