//! Straight lines from point to point: how long they are, and what lies how far along.

use super::functions::clamp;
use super::vector::Vec2;

/// Length of the way along all points; 0 for fewer than two.
pub fn length(points: impl Iterator<Item = Vec2>) -> f64 {
    // Not `sum`, whose empty result is −0 on newer compilers.
    sides(points).fold(0.0, |sum, (from, to)| sum + from.distance(to))
}

/// Each point with the next one.
fn sides(points: impl Iterator<Item = Vec2>) -> impl Iterator<Item = (Vec2, Vec2)> {
    let side = |before: &mut Option<Vec2>, p: Vec2| Some(before.replace(p).map(|from| (from, p)));
    points.scan(None, side).flatten()
}

/// The point at a fraction of the length, clamped to 0…1; the ends are exact.
///
/// The first point if there is no length, (0, 0) if there are no points.
pub fn point_at(points: impl Iterator<Item = Vec2> + Clone, fraction: f64) -> Vec2 {
    let Some(first) = points.clone().next() else {
        return Vec2::ZERO;
    };
    let total = length(points.clone());
    if total == 0.0 {
        return first;
    }
    // The rest of a subtraction could stop just short of the end.
    let mut left = if fraction >= 1.0 {
        f64::INFINITY
    } else {
        clamp(fraction, 0.0, 1.0) * total
    };
    let mut last = first;
    for (from, to) in sides(points) {
        let step = from.distance(to);
        if left < step {
            return from.lerp(to, left / step);
        }
        left -= step;
        last = to;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> [Vec2; 4] {
        [[0.0, 0.0], [30.0, 0.0], [30.0, 0.0], [30.0, 10.0]].map(Vec2::from)
    }

    #[test]
    fn fractions_are_of_length_not_of_points() {
        assert_eq!(length(corner().into_iter()), 40.0);
        let at = |fraction| point_at(corner().into_iter(), fraction);
        assert_eq!(at(0.5), Vec2::new(20.0, 0.0));
        assert_eq!(at(0.75), Vec2::new(30.0, 0.0));
        assert_eq!(at(0.875), Vec2::new(30.0, 5.0));
        assert_eq!(at(0.0), Vec2::ZERO);
        assert_eq!(at(1.0), Vec2::new(30.0, 10.0));
        assert_eq!(at(-4.0), at(0.0));
        assert_eq!(at(4.0), at(1.0));
    }

    #[test]
    fn the_end_is_exact() {
        let curve: Vec<Vec2> = (0..1000)
            .map(|i| Vec2::from_direction(f64::from(i) * 0.37) * 0.1)
            .collect();
        assert_eq!(point_at(curve.iter().copied(), 1.0), curve[999]);
        let mut last = curve[0];
        for i in 0..=5000 {
            let p = point_at(curve.iter().copied(), f64::from(i) / 5000.0);
            assert!(p.distance(last) < 1.01 * length(curve.iter().copied()) / 5000.0);
            last = p;
        }
    }

    #[test]
    fn little_does_no_harm() {
        assert_eq!(point_at([].into_iter(), 0.5), Vec2::ZERO);
        let p = Vec2::new(1.0, 2.0);
        assert_eq!(point_at([p].into_iter(), 0.5), p);
        assert_eq!(point_at([p, p].into_iter(), 0.5), p);
        assert_eq!(length([p].into_iter()).to_bits(), 0.0_f64.to_bits());
    }
}
