//! A spring as an ease: it leaves at rest, follows the spring's own law and is cut off at the end of the segment.

use super::functions::{TAU, cos_radians, exp, expm1, sin_radians, sqrt};

/// Natural rate ω of the unit spring, radians per segment: perceptual duration 0.55 of it, stiffness (2π/0.55)².
const RATE: f64 = TAU / 0.55;

/// A unit spring released at rest one unit from its goal, scaled so that it ends at exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringEase {
    bounce: f64,
    /// ζ: below 1 it swings past, above 1 it creeps.
    damping_ratio: f64,
    /// Where the unscaled spring stands at the end of the segment.
    end: f64,
}

impl SpringEase {
    /// The spring with this bounce: ζ = 1 − bounce, for a negative bounce 1/(1 + bounce).
    ///
    /// None unless −1 < bounce < 1.
    pub fn new(bounce: f64) -> Option<Self> {
        if !(-1.0 < bounce && bounce < 1.0) {
            return None;
        }
        let damping_ratio = if bounce < 0.0 {
            1.0 / (1.0 + bounce)
        } else {
            1.0 - bounce
        };
        Some(Self {
            bounce,
            damping_ratio,
            end: travel(damping_ratio, 1.0),
        })
    }

    /// The bounce it was made with.
    pub fn bounce(&self) -> f64 {
        self.bounce
    }

    /// Share of the way at u; exactly 0 at and before u = 0, exactly 1 at and after u = 1.
    pub fn at(&self, u: f64) -> f64 {
        if u >= 1.0 {
            1.0
        } else if u.is_nan() || u <= 0.0 {
            0.0
        } else {
            travel(self.damping_ratio, u) / self.end
        }
    }

    /// Slope at u = 1, from the left.
    pub fn exit_slope(&self) -> f64 {
        RATE * RATE * impulse(self.damping_ratio, 1.0) / self.end
    }

    /// Whether it swings past the goal before the segment ends.
    pub fn overshoots(&self) -> bool {
        self.damping_ratio < 1.0 && RATE * swing(self.damping_ratio) > TAU / 2.0
    }
}

/// √|1 − ζ²|, without losing digits near ζ = 1.
fn swing(damping_ratio: f64) -> f64 {
    sqrt(((1.0 - damping_ratio) * (1.0 + damping_ratio)).abs())
}

/// Rate at which the slower of the two exponentials of a spring with ζ ≥ 1 decays.
fn slow(damping_ratio: f64) -> f64 {
    RATE / (damping_ratio + swing(damping_ratio))
}

/// Position after a unit push in speed at time 0: e^(−ζωu)·sin(κu)/κ with κ = ω√(1 − ζ²); for ζ ≥ 1 its continuation.
fn impulse(damping_ratio: f64, u: f64) -> f64 {
    let k = RATE * swing(damping_ratio);
    if damping_ratio < 1.0 {
        exp(-damping_ratio * RATE * u) * sin_radians(k * u) / k
    } else {
        let width = if k > 0.0 {
            -expm1(-2.0 * k * u) / (2.0 * k)
        } else {
            u
        };
        exp(-slow(damping_ratio) * u) * width
    }
}

/// Way from the start at rest, towards 1.
fn travel(damping_ratio: f64, u: f64) -> f64 {
    if damping_ratio < 1.0 {
        let decay = damping_ratio * RATE;
        let cosine = cos_radians(RATE * swing(damping_ratio) * u);
        1.0 - exp(-decay * u) * cosine - decay * impulse(damping_ratio, u)
    } else {
        // The textbook difference of two exponentials, rearranged so that neither ζ = 1 nor a huge ζ cancels.
        let slow = slow(damping_ratio);
        -expm1(-slow * u) - slow * impulse(damping_ratio, u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same spring by ten thousand Runge-Kutta steps: (position, speed) at u = 1, unscaled.
    fn integrated(damping_ratio: f64) -> (f64, f64) {
        let pull = |x: f64, v: f64| RATE * RATE * (1.0 - x) - 2.0 * damping_ratio * RATE * v;
        let h = 1e-4;
        let (mut x, mut v) = (0.0, 0.0);
        for _ in 0..10_000 {
            let (a1, v1) = (pull(x, v), v);
            let (a2, v2) = (pull(x + v1 * h / 2.0, v + a1 * h / 2.0), v + a1 * h / 2.0);
            let (a3, v3) = (pull(x + v2 * h / 2.0, v + a2 * h / 2.0), v + a2 * h / 2.0);
            let (a4, v4) = (pull(x + v3 * h, v + a3 * h), v + a3 * h);
            x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        }
        (x, v)
    }

    #[test]
    fn follows_the_law_of_the_spring() {
        for bounce in [0.9, 0.5, 0.15, 1e-9, 0.0, -1e-9, -0.3, -0.8] {
            let spring = SpringEase::new(bounce).expect("legal");
            let (x, v) = integrated(spring.damping_ratio);
            assert!((spring.end - x).abs() < 1e-10, "{bounce}: {}", spring.end);
            let slope = v / x;
            assert!((spring.exit_slope() - slope).abs() < 1e-9, "{bounce}");
        }
    }

    #[test]
    fn neighbours_of_the_critical_spring_agree() {
        for u in [0.01, 0.2, 0.7] {
            let at = |bounce| SpringEase::new(bounce).expect("legal").at(u);
            assert!((at(1e-9) - at(0.0)).abs() < 1e-8);
            assert!((at(1e-9) + at(-1e-9) - 2.0 * at(0.0)).abs() < 1e-12);
        }
    }

    #[test]
    fn a_spring_that_only_creeps_is_straight() {
        let spring = SpringEase::new(-0.999_999_999).expect("legal");
        assert!((spring.at(0.25) - 0.25).abs() < 1e-6);
        assert!((spring.exit_slope() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn swings_past_only_with_bounce() {
        for (bounce, past) in [(0.5, true), (0.0, false), (-0.5, false), (0.01, false)] {
            let spring = SpringEase::new(bounce).expect("legal");
            let most = (0..1000)
                .map(|i| spring.at(f64::from(i) / 1000.0))
                .fold(0.0, f64::max);
            assert_eq!(most > 1.0, past, "{bounce}");
            assert_eq!(spring.overshoots(), past);
        }
    }

    #[test]
    fn illegal_bounces_are_refused() {
        for bounce in [-1.0, 1.0, 2.0, f64::NAN] {
            assert_eq!(SpringEase::new(bounce), None);
        }
    }
}
