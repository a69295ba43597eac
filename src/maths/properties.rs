//! What must hold for every ease and every limb, whatever its numbers.

use super::bezier::CubicBezier;
use super::ease::Ease;
use super::fabrik::{Stop, reach};
use super::ik::two_bones;
use super::spring_ease::SpringEase;
use super::vector::Vec2;
use proptest::prelude::*;

/// Room for rounding, as a share of the way.
const ROUNDING: f64 = 1e-9;

/// Any ease that a spec may name.
fn eases() -> impl Strategy<Value = Ease> {
    let handle = (0.0..=1.0, -2.0..3.0, 0.0..=1.0, -2.0..3.0);
    prop_oneof![
        4 => prop::sample::select(Ease::NAMES).prop_map(|name| Ease::named(name).unwrap()),
        2 => handle.prop_map(|(x1, y1, x2, y2)| {
            Ease::CubicBezier(CubicBezier::new(x1, y1, x2, y2).unwrap())
        }),
        1 => (0u32..200).prop_map(Ease::Steps),
        1 => (-0.999..0.999).prop_map(|bounce| Ease::Spring(SpringEase::new(bounce).unwrap())),
    ]
}

/// Lengths of bones, from a speck to farther than any canvas.
fn length() -> impl Strategy<Value = f64> {
    prop_oneof![3 => 1.0..90.0, 1 => 1e-6..1e-3, 1 => 1e3..1e5]
}

/// A place for a target: anywhere, on the root itself, next to it, and far away.
fn target() -> impl Strategy<Value = Vec2> {
    let near = prop_oneof![Just(0.0), Just(1e-300), Just(-1e-12), Just(1e-6)];
    let at = |(x, y)| Vec2::new(x, y);
    prop_oneof![
        3 => (-300.0..300.0, -300.0..300.0).prop_map(at),
        1 => (near.clone(), near).prop_map(at),
        1 => (-1e6..1e6, -1e6..1e6).prop_map(at),
    ]
}

fn side() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![-1.0, 1.0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn an_ease_begins_at_0_and_ends_at_1(ease in eases(), outside in 0.0f64..5.0) {
        let start = if ease == Ease::StepStart { 1.0 } else { 0.0 };
        prop_assert_eq!([ease.at(0.0), ease.at(-outside)], [start; 2]);
        prop_assert_eq!([ease.at(1.0), ease.at(1.0 + outside)], [1.0; 2]);
    }

    #[test]
    fn an_ease_stays_within_its_bounds(ease in eases(), u in 0.0f64..=1.0) {
        let share = ease.at(u);
        prop_assert!(share.is_finite());
        let inside = (-ROUNDING..=1.0 + ROUNDING).contains(&share);
        prop_assert!(inside || ease.overshoots(), "{share}");
        // No family and no legal handle goes farther; a spring that hardly loses anything swings to
        // 2 / (1 − cos(2π / 0.55)).
        prop_assert!((-2.0..=3.43).contains(&share), "{share}");
    }

    #[test]
    fn an_ease_that_rises_never_falls(ease in eases(), u in 0.0f64..=1.0, v in 0.0f64..=1.0) {
        // Bounces fall inside of their bounds; the curves between them rise.
        let falls = matches!(ease, Ease::Named(super::ease::Family::Bounce, _));
        let inside = match ease {
            Ease::CubicBezier(curve) => {
                let [_, y1, _, y2] = curve.handles();
                (0.0..=1.0).contains(&y1) && (0.0..=1.0).contains(&y2)
            }
            _ => !ease.overshoots(),
        };
        if inside && !falls {
            let (u, v) = (f64::min(u, v), f64::max(u, v));
            prop_assert!(ease.at(u) <= ease.at(v) + ROUNDING);
        }
    }

    #[test]
    fn the_limit_from_the_left_is_the_value_but_at_jumps(ease in eases(), u in 0.001f64..=1.0) {
        let jumps = ease.jumps();
        if jumps.iter().all(|jump| (jump - u).abs() > 1e-6) {
            prop_assert_eq!(ease.before(u), ease.at(u));
        }
    }

    #[test]
    fn two_bones_keep_their_lengths_wherever_they_reach(
        target in target(), first in length(), second in length(), side in side(),
    ) {
        let [joint, tip] = two_bones(Vec2::ZERO, target, [first, second], side);
        prop_assert!([joint.x, joint.y, tip.x, tip.y].iter().all(|v| v.is_finite()));
        prop_assert!((joint.length() - first).abs() < 1e-9);
        prop_assert!((joint.distance(tip) - second).abs() < 1e-9);
        let forward = super::ik::direction(Vec2::ZERO, target);
        prop_assert!(side * forward.cross(joint) >= -1e-9);
    }

    #[test]
    fn many_bones_keep_their_lengths_wherever_they_reach(
        target in target(), lengths in prop::collection::vec(length(), 3..7), side in side(),
    ) {
        let mut joints = vec![[0.0; 2]; lengths.len() + 1];
        reach(&mut joints, &lengths, target, side, Stop { iterations: 24, tolerance: 1e-3 });
        prop_assert_eq!(joints[0], [0.0; 2]);
        prop_assert!(joints.iter().flatten().all(|v| v.is_finite()));
        for (bone, length) in joints.windows(2).zip(&lengths) {
            let measured = Vec2::from(bone[0]).distance(Vec2::from(bone[1]));
            prop_assert!((measured - length).abs() < 1e-9, "{measured} for {length}");
        }
    }
}
