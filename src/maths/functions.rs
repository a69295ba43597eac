//! Elementary functions that give the same bits on every machine.
//!
//! Everything transcendental comes from `libm`, never from the platform. Angles are degrees unless the
//! name says otherwise: 0 along +x, clockwise on a screen whose y grows downward.

/// One turn in radians.
pub const TAU: f64 = core::f64::consts::TAU;

/// Sine of an angle in degrees; exact at every multiple of 90.
pub fn sin(degrees: f64) -> f64 {
    let (quarter, rest) = quarter_turns(degrees);
    match quarter {
        0 => libm::sin(rest.to_radians()),
        1 => libm::cos(rest.to_radians()),
        2 => -libm::sin(rest.to_radians()),
        _ => -libm::cos(rest.to_radians()),
    }
}

/// Cosine of an angle in degrees; exact at every multiple of 90.
pub fn cos(degrees: f64) -> f64 {
    let (quarter, rest) = quarter_turns(degrees);
    match quarter {
        0 => libm::cos(rest.to_radians()),
        1 => -libm::sin(rest.to_radians()),
        2 => -libm::cos(rest.to_radians()),
        _ => libm::sin(rest.to_radians()),
    }
}

/// Tangent of an angle in degrees.
pub fn tan(degrees: f64) -> f64 {
    sin(degrees) / cos(degrees)
}

/// Splits an angle into whole quarter turns (0…3) and a rest within ±45 degrees, without rounding error.
fn quarter_turns(degrees: f64) -> (u8, f64) {
    let turn = degrees % 360.0;
    let quarter = libm::round(turn / 90.0);
    (modulo(quarter, 4.0) as u8, turn - quarter * 90.0)
}

/// Angle whose sine is `v`, in degrees.
pub fn asin(v: f64) -> f64 {
    libm::asin(v).to_degrees()
}

/// Angle whose cosine is `v`, in degrees.
pub fn acos(v: f64) -> f64 {
    libm::acos(v).to_degrees()
}

/// Direction of the vector (x, y), in degrees, −180…180.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x).to_degrees()
}

/// Sine of an angle in radians.
pub fn sin_radians(radians: f64) -> f64 {
    libm::sin(radians)
}

/// Cosine of an angle in radians.
pub fn cos_radians(radians: f64) -> f64 {
    libm::cos(radians)
}

/// eˣ.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// eˣ − 1, without losing the digits of a small x.
pub fn expm1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// x to the power y.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Cube root, of negative numbers too.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Square root: correctly rounded everywhere, so the hardware's may serve.
#[expect(clippy::disallowed_methods, reason = "correctly rounded by IEEE 754")]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// Length of (x, y): √(x² + y²).
pub fn hypot(x: f64, y: f64) -> f64 {
    sqrt(x * x + y * y)
}

/// Largest whole number not above x.
pub fn floor(x: f64) -> f64 {
    libm::floor(x)
}

/// Smallest whole number not below x.
pub fn ceil(x: f64) -> f64 {
    libm::ceil(x)
}

/// Nearest whole number, halves away from zero.
pub fn round(x: f64) -> f64 {
    libm::round(x)
}

/// Remainder of a ÷ b with the sign of b, in [0, b): never b itself, whatever the rounding.
pub fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 || (rest < 0.0) == (b < 0.0) {
        return rest;
    }
    let wrapped = rest + b;
    // −1e−20 + b rounds to b, which is 0 on the next lap.
    if wrapped == b { 0.0 } else { wrapped }
}

/// How far two times of about this size may lie apart and still be meant as the same: 16 units in the last place.
pub fn rounding(size: f64) -> f64 {
    16.0 * f64::EPSILON * size.abs()
}

/// Time since the lap began, in [0, period): `modulo` for what jumps where a lap starts.
///
/// 0.3 % 0.1 is 0.09999…, a whole lap late; a time that misses the start by rounding alone counts as the start.
pub fn lap(time: f64, period: f64) -> f64 {
    let since = modulo(time, period);
    if period - since <= rounding(time.abs().max(period)) {
        0.0
    } else {
        since
    }
}

/// −1, 0 or 1.
pub fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// From a at u = 0 to b at u = 1, not clamped: a + (b − a)·u.
pub fn lerp(a: f64, b: f64, u: f64) -> f64 {
    a + (b - a) * u
}

/// The smaller one; not a number if either is none, so that a guard sees it.
pub fn minimum(a: f64, b: f64) -> f64 {
    // `f64::min` drops a NaN and may return either of 0 and −0.
    if a < b || a.is_nan() { a } else { b }
}

/// The larger one; not a number if either is none.
pub fn maximum(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// `v` held between `lo` and `hi`; not a number if any of them is none.
pub fn clamp(v: f64, lo: f64, hi: f64) -> f64 {
    maximum(lo, minimum(hi, v))
}

/// 0 before e0, 1 after e1, and 3u² − 2u³ between.
pub fn smoothstep(e0: f64, e1: f64, x: f64) -> f64 {
    let u = clamp((x - e0) / (e1 - e0), 0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_turns_are_exact() {
        for lap in [-720.0, -360.0, 0.0, 360.0, 3600.0] {
            assert_eq!(sin(lap), 0.0);
            assert_eq!(cos(lap), 1.0);
            assert_eq!(sin(lap + 90.0), 1.0);
            assert_eq!(cos(lap + 90.0), 0.0);
            assert_eq!(sin(lap + 180.0), 0.0);
            assert_eq!(cos(lap + 270.0), 0.0);
        }
    }

    #[test]
    fn modulo_never_returns_the_period() {
        assert_eq!(modulo(-1e-20, 120.0), 0.0);
        assert_eq!(modulo(-1.0, 120.0), 119.0);
        assert_eq!(modulo(240.0, 120.0), 0.0);
        assert_eq!(modulo(7.0, -5.0), -3.0);
    }

    #[test]
    fn a_lap_starts_on_its_frame() {
        for i in 0..100_000 {
            assert!(lap(f64::from(i) / 10.0, 0.1) < 1e-9, "{i}");
        }
        assert_eq!(lap(99.999999999, 100.0), 99.999999999);
        assert_eq!(lap(-0.25, 75.0), 74.75);
    }
}
