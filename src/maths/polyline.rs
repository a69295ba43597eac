//! Straight lines from point to point: how long they are, and what lies how far along.

use super::functions::clamp;
use super::vector::Vec2;

/// Length of the way along all points; 0 for fewer than two.
pub fn length(points: &[Vec2]) -> f64 {
    // Not `sum`, whose empty result is −0 on newer compilers.
    points
        .windows(2)
        .fold(0.0, |sum, p| sum + p[0].distance(p[1]))
}

/// The point at a fraction of the length, clamped to 0…1; the ends are exact.
///
/// The first point if there is no length, (0, 0) if there are no points.
pub fn point_at(points: &[Vec2], fraction: f64) -> Vec2 {
    let [first, .., last] = points else {
        return points.first().copied().unwrap_or(Vec2::ZERO);
    };
    let total = length(points);
    if total == 0.0 {
        return *first;
    }
    // The rest of a subtraction could stop just short of it.
    if fraction >= 1.0 {
        return *last;
    }
    let mut left = clamp(fraction, 0.0, 1.0) * total;
    for pair in points.windows(2) {
        let step = pair[0].distance(pair[1]);
        if left < step {
            return pair[0].lerp(pair[1], left / step);
        }
        left -= step;
    }
    *last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> [Vec2; 4] {
        [[0.0, 0.0], [30.0, 0.0], [30.0, 0.0], [30.0, 10.0]].map(Vec2::from)
    }

    #[test]
    fn fractions_are_of_length_not_of_points() {
        assert_eq!(length(&corner()), 40.0);
        let at = |fraction| point_at(&corner(), fraction);
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
        assert_eq!(point_at(&curve, 1.0), curve[999]);
        let mut last = curve[0];
        for i in 0..=5000 {
            let p = point_at(&curve, f64::from(i) / 5000.0);
            assert!(p.distance(last) < 1.01 * length(&curve) / 5000.0);
            last = p;
        }
    }

    #[test]
    fn little_does_no_harm() {
        assert_eq!(point_at(&[], 0.5), Vec2::ZERO);
        let p = Vec2::new(1.0, 2.0);
        assert_eq!(point_at(&[p], 0.5), p);
        assert_eq!(point_at(&[p, p], 0.5), p);
        assert_eq!(length(&[p]).to_bits(), 0.0_f64.to_bits());
    }
}
