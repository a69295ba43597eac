//! Points and directions in the plane, and transforms of it.
//!
//! y grows downward; angles are degrees, clockwise on screen.

use super::functions::{atan2, cos, hypot, lerp, sin, tan};
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A point or a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    pub x: f64,
    pub y: f64,
}

impl Vec2 {
    /// The corner of the picture, and the vector without length.
    pub const ZERO: Self = Self::new(0.0, 0.0);

    /// The vector (x, y).
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The unit vector in a direction, in degrees from +x.
    pub fn from_direction(degrees: f64) -> Self {
        Self::new(cos(degrees), sin(degrees))
    }

    /// √(x² + y²).
    pub fn length(self) -> f64 {
        hypot(self.x, self.y)
    }

    /// x² + y².
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// Length of the way to another point.
    pub fn distance(self, other: Self) -> f64 {
        (other - self).length()
    }

    /// Angle from +x in degrees, −180…180; 0 for the zero vector.
    pub fn direction(self) -> f64 {
        atan2(self.y, self.x)
    }

    /// x₁x₂ + y₁y₂.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// x₁y₂ − y₁x₂: positive if `other` lies clockwise of `self` on screen.
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// A quarter turn clockwise on screen: (−y, x), exact.
    pub fn perpendicular(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// The vector of length 1 in the same direction; None for the zero vector.
    pub fn normalized(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0).then(|| self / length)
    }

    /// From `self` at u = 0 to `other` at u = 1, not clamped.
    pub fn lerp(self, other: Self, u: f64) -> Self {
        Self::new(lerp(self.x, other.x, u), lerp(self.y, other.y, u))
    }

    /// Turned about the origin, clockwise on screen; exact for multiples of 90°.
    pub fn rotate(self, degrees: f64) -> Self {
        let (c, s) = (cos(degrees), sin(degrees));
        Self::new(c * self.x - s * self.y, s * self.x + c * self.y)
    }
}

impl From<[f64; 2]> for Vec2 {
    fn from([x, y]: [f64; 2]) -> Self {
        Self::new(x, y)
    }
}

impl From<Vec2> for [f64; 2] {
    fn from(v: Vec2) -> Self {
        [v.x, v.y]
    }
}

impl Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Mul<Vec2> for f64 {
    type Output = Vec2;
    fn mul(self, vector: Vec2) -> Vec2 {
        vector * self
    }
}

impl Div<f64> for Vec2 {
    type Output = Self;
    fn div(self, divisor: f64) -> Self {
        Self::new(self.x / divisor, self.y / divisor)
    }
}

impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec2 {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// A transform that keeps straight lines straight: x′ = a·x + c·y + e, y′ = b·x + d·y + f, as in SVG's `matrix`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
    pub f: f64,
}

impl Affine {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self::new(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);

    const fn new(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) -> Self {
        Self { a, b, c, d, e, f }
    }

    /// Moves by a vector.
    pub const fn translate(by: Vec2) -> Self {
        Self::new(1.0, 0.0, 0.0, 1.0, by.x, by.y)
    }

    /// Stretches x and y about the origin.
    pub const fn scale(by: Vec2) -> Self {
        Self::new(by.x, 0.0, 0.0, by.y, 0.0, 0.0)
    }

    /// Turns about the origin, clockwise on screen.
    pub fn rotate(degrees: f64) -> Self {
        let (c, s) = (cos(degrees), sin(degrees));
        Self::new(c, s, -s, c, 0.0, 0.0)
    }

    /// CSS `skew(x, y)`, degrees: x′ = x + y·tan(x degrees), y′ = y + x·tan(y degrees).
    pub fn skew(x_degrees: f64, y_degrees: f64) -> Self {
        Self::new(1.0, tan(y_degrees), tan(x_degrees), 1.0, 0.0, 0.0)
    }

    /// This transform first, then the next.
    pub fn then(self, next: Self) -> Self {
        let x = next.apply_vector(Vec2::new(self.a, self.b));
        let y = next.apply_vector(Vec2::new(self.c, self.d));
        let origin = next.apply(Vec2::new(self.e, self.f));
        Self::new(x.x, x.y, y.x, y.y, origin.x, origin.y)
    }

    /// Done about a pivot instead of the origin.
    pub fn about(self, pivot: Vec2) -> Self {
        Self::translate(-pivot)
            .then(self)
            .then(Self::translate(pivot))
    }

    /// Where a point comes to lie.
    pub fn apply(&self, point: Vec2) -> Vec2 {
        self.apply_vector(point) + Vec2::new(self.e, self.f)
    }

    /// What becomes of a difference of two points: `apply` without the move.
    pub fn apply_vector(&self, vector: Vec2) -> Vec2 {
        Vec2::new(
            self.a * vector.x + self.c * vector.y,
            self.b * vector.x + self.d * vector.y,
        )
    }

    /// The nearest transform that keeps circles, with the same image of a point: turned as the x axis is,
    /// mirrored if this one mirrors, at the mean scale.
    pub fn similar_at(&self, point: Vec2) -> Self {
        let turn = Self::rotate(Vec2::new(self.a, self.b).direction());
        let mirrors = self.a * self.d < self.b * self.c;
        let scale = self.mean_scale();
        Self::translate(-point)
            .then(Self::scale(Vec2::new(
                scale,
                if mirrors { -scale } else { scale },
            )))
            .then(turn)
            .then(Self::translate(self.apply(point)))
    }

    /// Mean of the lengths to which the unit vectors along x and y grow: the factor for radii and widths.
    pub fn mean_scale(&self) -> f64 {
        0.5 * (hypot(self.a, self.b) + hypot(self.c, self.d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quarter_turns_are_exact() {
        let right = Vec2::new(3.0, 1.0);
        assert_eq!(right.rotate(90.0), Vec2::new(-1.0, 3.0));
        assert_eq!(right.rotate(90.0), right.perpendicular());
        assert_eq!(right.rotate(-720.0), right);
        assert_eq!(Vec2::new(0.0, 2.0).direction(), 90.0);
        assert_eq!(Vec2::ZERO.direction(), 0.0);
        assert_eq!(Vec2::ZERO.normalized(), None);
        assert_eq!(Vec2::new(3.0, 4.0).normalized(), Some(Vec2::new(0.6, 0.8)));
    }

    #[test]
    fn clockwise_is_positive() {
        assert!(Vec2::new(1.0, 0.0).cross(Vec2::new(0.0, 1.0)) > 0.0);
        assert_eq!(
            Affine::rotate(90.0).apply(Vec2::new(1.0, 0.0)),
            Vec2::new(0.0, 1.0)
        );
    }

    #[test]
    fn skew_is_that_of_css() {
        let leaned = Affine::skew(45.0, 0.0).apply(Vec2::new(0.0, 10.0));
        assert!(leaned.distance(Vec2::new(10.0, 10.0)) < 1e-12);
        let sunk = Affine::skew(0.0, 45.0).apply(Vec2::new(10.0, 0.0));
        assert!(sunk.distance(Vec2::new(10.0, 10.0)) < 1e-12);
    }

    #[test]
    fn mean_scale_ignores_turning() {
        let grown = Affine::scale(Vec2::new(2.0, -4.0)).then(Affine::rotate(33.0));
        assert!((grown.mean_scale() - 3.0).abs() < 1e-12);
        assert_eq!(Affine::IDENTITY.mean_scale(), 1.0);
    }

    proptest! {
        #[test]
        fn then_is_one_after_the_other(a in -2.0..2.0, b in -720.0..720.0, x in -1e3..1e3, y in -1e3..1e3) {
            let first = Affine::skew(10.0 * a, 5.0).then(Affine::translate(Vec2::new(a, b)));
            let second = Affine::rotate(b).about(Vec2::new(7.0, a));
            let p = Vec2::new(x, y);
            let both = first.then(second).apply(p);
            prop_assert!(both.distance(second.apply(first.apply(p))) < 1e-9);
            prop_assert!((p.rotate(b).length() - p.length()).abs() < 1e-9);
            let turned = Vec2::from_direction(b) * p.length();
            prop_assert!(turned.distance(Vec2::new(p.length(), 0.0).rotate(b)) < 1e-9);
        }

        #[test]
        fn the_pivot_stays(degrees in -360.0..360.0, x in -1e3..1e3) {
            let pivot = Vec2::new(x, 3.0);
            prop_assert!(Affine::rotate(degrees).about(pivot).apply(pivot).distance(pivot) < 1e-9);
        }
    }
}
