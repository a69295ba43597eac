//! Following with play: nothing moves until the target leaves the zone.

use super::functions::clamp;

/// The value moved only as far as keeps `to − value` within `low`…`high` (the play operator).
///
/// `low` ≤ 0 ≤ `high`, in the unit of the value. The way of the target matters, not its speed: while it runs
/// one way, one call at the end does the same as many on the way; where it turns, call once at the turn.
pub fn deadzone(value: f64, to: f64, low: f64, high: f64) -> f64 {
    clamp(value, to - high, to - low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stays_until_pushed() {
        let zone = |value, to| deadzone(value, to, -2.0, 5.0);
        assert_eq!(zone(10.0, 14.0), 10.0);
        assert_eq!(zone(10.0, 15.0), 10.0);
        assert_eq!(zone(10.0, 18.0), 13.0);
        assert_eq!(zone(13.0, 12.0), 13.0);
        assert_eq!(zone(13.0, 9.0), 11.0);
        assert_eq!(deadzone(3.0, 8.0, 0.0, 0.0), 8.0);
    }

    proptest! {
        /// The target's speed does not matter, nor how its way is cut.
        #[test]
        fn one_call_does_for_a_target_that_does_not_turn(
            start in -5.0..5.0, a in -20.0..20.0, b in -20.0..20.0,
            low in -5.0..0.0, high in 0.0..5.0, cuts in prop::collection::vec(0.0..1.0, 0..20),
        ) {
            let value = deadzone(start, a, low, high);
            let mut cuts = cuts;
            cuts.sort_by(f64::total_cmp);
            let cut = cuts.iter().fold(value, |v, u| deadzone(v, a + (b - a) * u, low, high));
            prop_assert_eq!(deadzone(cut, b, low, high), deadzone(value, b, low, high));
        }

        #[test]
        fn keeps_the_target_in_the_zone(
            start in -50.0..50.0, to in -20.0..20.0, low in -5.0..0.0, high in 0.0..5.0,
        ) {
            let gap = to - deadzone(start, to, low, high);
            prop_assert!(low - 1e-13 <= gap && gap <= high + 1e-13);
        }
    }
}
