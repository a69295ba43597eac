//! Ring-down: how a thing that arrives with speed swings out about the place where it stopped.
//!
//! After an arrival with speed v, the offset at a time d later is v/ω · e^(−λd) · sin(ωd): it leaves with
//! exactly the speed of the arrival, so no amplitude has to be chosen.

use super::functions::{cos_radians, exp, expm1, sin_radians};

/// How fast a swing dies out, and how fast it swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// λ, per unit of time, > 0.
    pub decay: f64,
    /// ω, radians per unit of time, > 0.
    pub rate: f64,
}

impl Ring {
    /// Offset at time d after one arrival with this speed; 0 before it.
    pub fn once(&self, speed: f64, d: f64) -> f64 {
        if d <= 0.0 {
            return 0.0;
        }
        exp(-self.decay * d) * sin_radians(self.rate * d) * speed / self.rate
    }

    /// Offset at time d after the latest of arrivals that have recurred every `period` for ever; d in [0, period).
    ///
    /// Im(e^(zd) / (1 − e^(zT))) · v/ω with z = −λ + iω: the geometric sum of `once` at d, d + T, d + 2T …
    /// Without decay the sum has no limit and this is its mean, infinite where ωT is a whole number of turns.
    pub fn all_laps(&self, speed: f64, d: f64, period: f64) -> f64 {
        let Self { decay, rate } = *self;
        let kept = exp(-decay * period);
        let half = sin_radians(0.5 * rate * period);
        // 1 − e^(zT), its real part without cancellation when a lap loses or turns little.
        let re = -expm1(-decay * period) + 2.0 * kept * half * half;
        let im = -kept * sin_radians(rate * period);
        let (sine, cosine) = (sin_radians(rate * d), cos_radians(rate * d));
        exp(-decay * d) * (sine * re - cosine * im) / (re * re + im * im) * speed / rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_laps_is_the_sum_of_every_lap() {
        for (decay, rate, period) in [
            (0.1, 0.4, 60.0),
            (0.012, 0.27, 60.0),
            (3.0, 25.0, 2.4),
            (0.001, 6.0, 1.0),
        ] {
            let ring = Ring { decay, rate };
            for i in 0..50 {
                let d = period * f64::from(i) / 50.0;
                let sum: f64 = (0..40_000)
                    .map(|lap| ring.once(7.0, d + period * f64::from(lap)))
                    .sum();
                let closed = ring.all_laps(7.0, d, period);
                assert!(
                    (closed - sum).abs() < 1e-9 * (1.0 + sum.abs()),
                    "{d}: {closed}, {sum}"
                );
            }
        }
    }

    #[test]
    fn nothing_jumps_when_a_lap_ends() {
        let ring = Ring {
            decay: 0.05,
            rate: 0.3,
        };
        let end = ring.all_laps(4.0, 60.0, 60.0);
        assert!((ring.all_laps(4.0, 0.0, 60.0) - end).abs() < 1e-14);
    }

    #[test]
    fn leaves_with_the_speed_of_the_arrival() {
        let ring = Ring {
            decay: 0.2,
            rate: 0.6,
        };
        assert!((ring.once(5.0, 1e-6) / 1e-6 - 5.0).abs() < 1e-5);
        assert_eq!(ring.once(5.0, -1.0), 0.0);
        assert_eq!(ring.once(5.0, 1e9), 0.0);
    }
}
