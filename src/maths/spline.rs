//! Smooth curves through points: uniform Catmull-Rom splines, handed out as cubic Béziers.
//!
//! Tension ½: at each point the curve runs parallel to the line between that point's neighbours
//! (Catmull and Rom, 1974). An open curve doubles its end points.

use super::vector::Vec2;

/// One cubic Bézier segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    pub from: Vec2,
    pub control1: Vec2,
    pub control2: Vec2,
    pub to: Vec2,
}

impl Cubic {
    /// Point at u, 0 at `from` and 1 at `to`, both exact.
    pub fn at(&self, u: f64) -> Vec2 {
        let m = 1.0 - u;
        m * m * m * self.from
            + 3.0 * u * m * m * self.control1
            + 3.0 * u * u * m * self.control2
            + u * u * u * self.to
    }

    /// Derivative at u: along the curve, as long as the curve is fast.
    pub fn tangent(&self, u: f64) -> Vec2 {
        let m = 1.0 - u;
        3.0 * m * m * (self.control1 - self.from)
            + 6.0 * u * m * (self.control2 - self.control1)
            + 3.0 * u * u * (self.to - self.control2)
    }
}

/// The spline through points, one segment from each point to the next; closed: and from the last to the first.
///
/// Nothing for fewer than two points.
pub fn catmull_rom(points: &[Vec2], closed: bool) -> impl Iterator<Item = Cubic> {
    let n = points.len();
    let count = match (n, closed) {
        (0 | 1, _) => 0,
        (_, true) => n,
        (_, false) => n - 1,
    };
    (0..count).map(move |i| {
        let point = |k: usize| points[if closed { k % n } else { k.min(n - 1) }];
        // One place back is n − 1 ahead around a closed curve.
        let before = if closed {
            point(i + n - 1)
        } else {
            point(i.saturating_sub(1))
        };
        segment(before, point(i), point(i + 1), point(i + 2))
    })
}

/// The segment between p1 and p2, seen with its neighbours.
fn segment(p0: Vec2, p1: Vec2, p2: Vec2, p3: Vec2) -> Cubic {
    Cubic {
        from: p1,
        control1: p1 + (p2 - p0) / 6.0,
        control2: p2 - (p3 - p1) / 6.0,
        to: p2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::reference::{list, number, numbers, read};

    fn points(value: &serde_json::Value) -> Vec<Vec2> {
        let pair = |p| Vec2::new(numbers(p)[0], numbers(p)[1]);
        list(value).iter().map(pair).collect()
    }

    #[test]
    fn matches_the_reference() {
        let data = read(include_str!("../../tests/data/002_catmull_rom.json"));
        for case in list(&data["cases"]) {
            let through = points(&case["points"]);
            let segments = number(&case["segments"]) as usize;
            let mut ours: Vec<Vec2> = catmull_rom(&through, false)
                .flat_map(|cubic| (0..segments).map(move |k| cubic.at(k as f64 / segments as f64)))
                .collect();
            ours.push(through[through.len() - 1]);
            let curve = points(&case["curve"]);
            assert_eq!(ours.len(), curve.len());
            for (a, b) in ours.iter().zip(&curve) {
                assert!(a.distance(*b) < 1e-12, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn passes_through_its_points_without_a_corner() {
        let square = [[0.0, 0.0], [10.0, 1.0], [9.0, 8.0], [1.0, 12.0]].map(Vec2::from);
        let cubics: Vec<Cubic> = catmull_rom(&square, true).collect();
        assert_eq!(cubics.len(), 4);
        for (i, cubic) in cubics.iter().enumerate() {
            let next = cubics[(i + 1) % 4];
            assert_eq!(cubic.at(0.0), square[i]);
            assert_eq!(cubic.at(1.0), next.from);
            assert!(cubic.tangent(1.0).distance(next.tangent(0.0)) < 1e-12);
        }
        assert_eq!(catmull_rom(&square, false).count(), 3);
    }

    #[test]
    fn few_points_do_no_harm() {
        let p = Vec2::new(1.0, 2.0);
        for closed in [false, true] {
            assert_eq!(catmull_rom(&[], closed).count(), 0);
            assert_eq!(catmull_rom(&[p], closed).count(), 0);
            for cubic in catmull_rom(&[p, p], closed) {
                assert!(cubic.at(0.3).distance(p) < 1e-12);
            }
        }
    }
}
