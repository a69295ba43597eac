//! First-order following: what is left of the way halves in every half-life.

use super::functions::{exp, expm1};

/// Value after a time `dt` of following a target that runs straight from `target0` to `target1` meanwhile.
///
/// Solves x' = (ln 2 / half_life)·(target − x) exactly, so any number of steps gives the same. `half_life`
/// and `dt` ≥ 0 in the same unit; a half-life of 0 gives `target1`.
pub fn smooth(x: f64, target0: f64, target1: f64, half_life: f64, dt: f64) -> f64 {
    if dt == 0.0 {
        return x;
    }
    // With y = x − target: y' = −λy − (target1 − target0)/dt.
    let decay = core::f64::consts::LN_2 * dt / half_life;
    let offset = (x - target0) * exp(-decay) - (target1 - target0) * mean_decay(decay);
    target1 + offset
}

/// Mean of e^(−s) over s from 0 to x ≥ 0: (1 − e^(−x))/x, 1 at x = 0.
pub(super) fn mean_decay(x: f64) -> f64 {
    if x > 0.0 { -expm1(-x) / x } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_in_every_half_life() {
        let after = |dt| smooth(3.0, 11.0, 11.0, 0.25, dt);
        for (dt, left) in [(0.0, 8.0), (0.25, 4.0), (0.5, 2.0), (2.5, 0.0078125)] {
            assert!((11.0 - after(dt) - left).abs() < 1e-14, "{dt}");
        }
        assert_eq!(after(1e3), 11.0);
    }

    #[test]
    fn trails_a_moving_target_by_its_way_in_one_time_constant() {
        let (speed, half_life) = (40.0, 0.3);
        let lag = speed * half_life / core::f64::consts::LN_2;
        let settled = smooth(0.0, 0.0, speed * 60.0, half_life, 60.0);
        assert!((speed * 60.0 - settled - lag).abs() < 1e-11);
        // And then for ever.
        let later = smooth(-lag, 0.0, speed * 0.02, half_life, 0.02);
        assert!((later - (speed * 0.02 - lag)).abs() < 1e-13);
    }

    #[test]
    fn no_half_life_is_at_once() {
        assert_eq!(smooth(3.0, 5.0, 7.0, 0.0, 0.1), 7.0);
        assert_eq!(smooth(3.0, 5.0, 7.0, 0.1, 0.0), 3.0);
    }

    proptest! {
        #[test]
        fn many_steps_are_one(
            x in -10.0..10.0, a in -10.0..10.0, b in -10.0..10.0,
            half_life in 0.001..10.0, dt in 1e-9..100.0, steps in 1_u32..200,
        ) {
            let target = |i: u32| a + (b - a) * f64::from(i) / f64::from(steps);
            let stepped = (0..steps).fold(x, |x, i| {
                smooth(x, target(i), target(i + 1), half_life, dt / f64::from(steps))
            });
            prop_assert!((stepped - smooth(x, a, b, half_life, dt)).abs() < 1e-12);
        }
    }
}
