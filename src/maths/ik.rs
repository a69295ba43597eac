//! A limb of two bones that reaches for a target, in closed form.
//!
//! Law of cosines: the joint lies (d² + l₁² − l₂²) / 2d along the line to the target, d being the distance, and
//! beside it on the side of the bend. Targets farther than l₁ + l₂ or nearer than |l₁ − l₂| are cut to these.

use super::functions::{clamp, sign, sqrt};
use super::vector::Vec2;

/// From root to target; to the right if they coincide.
pub fn direction(root: Vec2, target: Vec2) -> Vec2 {
    (target - root).normalized().unwrap_or(Vec2::new(1.0, 0.0))
}

/// How far a tip goes for a target at `distance` ≥ 0, when it may slow down within `softness` ≥ 0 of `reach`.
///
/// Spine's soft reach: d′ = L − s(1 − q)² with q = (d − L + s) / 2s clamped to 0…1. Its slope is 1 at L − s and
/// 0 at L + s, where the limb is straight.
pub fn soften(distance: f64, reach: f64, softness: f64) -> f64 {
    let softness = softness.min(reach);
    if softness <= 0.0 {
        return distance;
    }
    if distance <= reach - softness {
        return distance;
    }
    let q = clamp((distance - reach + softness) / (2.0 * softness), 0.0, 1.0);
    reach - softness * (1.0 - q) * (1.0 - q)
}

/// Joint and tip of two bones of `lengths` > 0; `side` 1 bends the first bone clockwise from the line to the
/// target, −1 the other way.
pub fn two_bones(root: Vec2, target: Vec2, lengths: [f64; 2], side: f64) -> [Vec2; 2] {
    let [first, second] = lengths;
    let forward = direction(root, target);
    let distance = clamp(
        root.distance(target),
        (first - second).abs(),
        first + second,
    );
    let along = along_line(distance, first, second);
    let across = side * sqrt((first - along) * (first + along));
    let beside = forward.perpendicular();
    let joint = root + along * forward + across * beside;
    let tip = joint + (distance - along) * forward - across * beside;
    [joint, tip]
}

/// Where the foot of the joint stands on the line to the target.
fn along_line(distance: f64, first: f64, second: f64) -> f64 {
    if distance == 0.0 {
        return 0.0;
    }
    // The quotient is at most 1, so that a short distance neither overflows nor cancels.
    let along = 0.5 * (distance + (first - second) / distance * (first + second));
    clamp(along, -first, first)
}

/// Turns every bone towards the line from the root in the direction `forward`: its angle from it is multiplied by
/// `share`, 0 being straight. Lengths stay.
pub fn unbend(joints: &mut [[f64; 2]], lengths: &[f64], forward: Vec2, share: f64) {
    let mut at = Vec2::from(joints[0]);
    let mut before = at;
    for (joint, length) in joints[1..].iter_mut().zip(lengths) {
        let bone = Vec2::from(*joint) - before;
        before = Vec2::from(*joint);
        let angle = Vec2::new(forward.dot(bone), forward.cross(bone)).direction();
        at += forward.rotate(angle * share) * *length;
        *joint = at.into();
    }
}

/// The side a bend asks for: 1, −1, or none if it is 0.
pub fn side_of(bend: f64) -> Option<f64> {
    (bend != 0.0).then(|| sign(bend))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::functions::hypot;
    use crate::maths::reference::{list, number, numbers, read};
    use proptest::prelude::*;

    fn point(value: &serde_json::Value) -> Vec2 {
        let numbers = numbers(value);
        Vec2::new(numbers[0], numbers[1])
    }

    /// The published code stops 0.01 short of a straight and of a folded limb: its targets, cut as it cuts them.
    fn cut(root: Vec2, target: Vec2, [first, second]: [f64; 2]) -> Vec2 {
        let distance = hypot(target.x - root.x, target.y - root.y);
        let (least, most) = ((first - second).abs() + 0.01, first + second - 0.01);
        root + direction(root, target) * distance.min(most).max(least)
    }

    #[test]
    fn joints_are_those_of_the_reference() {
        let data = read(include_str!("../../tests/data/002_ik.json"));
        let mut compared = 0;
        for case in list(&data["cases"]) {
            let lengths = [number(&case["L1"]), number(&case["L2"])];
            // Bones without length are no bones here.
            if lengths.contains(&0.0) {
                continue;
            }
            let (root, side) = (point(&case["root"]), number(&case["sign"]));
            let target = cut(root, point(&case["target"]), lengths);
            let [joint, tip] = two_bones(root, target, lengths, side);
            let huge = root.x.abs() > 1e6;
            let bound = if huge { 1e-7 } else { 1e-11 };
            let name = &case["name"];
            assert!(joint.distance(point(&case["joint"])) < bound, "{name}");
            assert!(tip.distance(target) < bound, "{name}");
            compared += 1;
        }
        assert_eq!(compared, 68);
    }

    #[test]
    fn knees_are_those_of_the_reference() {
        let data = read(include_str!("../../tests/data/002_leg_pullback.json"));
        for case in list(&data["cases"]) {
            let (hip, foot) = (point(&case["hip"]), point(&case["target"]));
            let [knee, tip] = two_bones(hip, foot, [37.0, 37.0], number(&case["sign"]));
            assert!(knee.distance(point(&case["knee"])) < 1e-11);
            assert!(tip.distance(foot) < 1e-12);
        }
    }

    #[test]
    fn softness_starts_and_ends_without_a_corner() {
        let (reach, softness) = (74.0, 6.0);
        let at = |d: f64| soften(d, reach, softness);
        assert_eq!((at(30.0), at(68.0)), (30.0, 68.0));
        assert_eq!((at(80.0), at(1e9)), (74.0, 74.0));
        assert_eq!(at(74.0), 74.0 - softness / 4.0);
        let slope = |d: f64| (at(d + 1e-5) - at(d - 1e-5)) / 2e-5;
        for (d, expected) in [(68.0, 1.0), (74.0, 0.5), (80.0, 0.0)] {
            assert!((slope(d) - expected).abs() < 1e-5, "{d}");
        }
        assert_eq!(soften(50.0, reach, 0.0), 50.0);
        assert_eq!(soften(0.0, reach, 1e9), 0.0);
    }

    #[test]
    fn nothing_coincident_does_harm() {
        let root = Vec2::new(50.0, 60.0);
        for lengths in [[37.0, 37.0], [27.0, 25.0], [25.0, 27.0], [1e-9, 300.0]] {
            for side in [1.0, -1.0] {
                let [joint, tip] = two_bones(root, root, lengths, side);
                assert!((root.distance(joint) - lengths[0]).abs() < 1e-12);
                assert!((joint.distance(tip) - lengths[1]).abs() < 1e-12);
            }
        }
        let [joint, tip] = two_bones(root, root, [37.0, 37.0], 1.0);
        assert_eq!((joint, tip), (Vec2::new(50.0, 97.0), root));
    }

    #[test]
    fn an_unbent_limb_is_straight_and_one_that_stays_bent_is_the_same() {
        let root = Vec2::new(3.0, 4.0);
        let lengths = [30.0, 20.0];
        let target = Vec2::new(-20.0, 30.0);
        let [joint, tip] = two_bones(root, target, lengths, 1.0);
        let bent = [root.into(), joint.into(), tip.into()];
        let forward = direction(root, target);
        let with = |share: f64| {
            let mut joints = bent;
            unbend(&mut joints, &lengths, forward, share);
            joints.map(Vec2::from)
        };
        assert!(with(0.0)[2].distance(root + forward * 50.0) < 1e-12);
        assert!(with(1.0)[1].distance(joint) < 1e-12 && with(1.0)[2].distance(tip) < 1e-12);
        let [mirrored, _] = two_bones(root, target, lengths, -1.0);
        assert!(with(-1.0)[1].distance(mirrored) < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn the_knee_stays_on_its_side_and_bones_keep_their_lengths(
            x in -200.0..200.0, y in -200.0..200.0, first in 1.0..90.0, second in 1.0..90.0, clockwise: bool,
        ) {
            let (root, target) = (Vec2::new(12.0, -7.0), Vec2::new(x, y));
            let side = if clockwise { 1.0 } else { -1.0 };
            let [joint, tip] = two_bones(root, target, [first, second], side);
            prop_assert!(side * (target - root).cross(joint - root) >= -1e-9);
            prop_assert!((root.distance(joint) - first).abs() < 1e-12);
            prop_assert!((joint.distance(tip) - second).abs() < 1e-12);
            let distance = root.distance(target);
            let missed = (distance - first - second).max((first - second).abs() - distance).max(0.0);
            prop_assert!((tip.distance(target) - missed).abs() < 1e-11);
        }
    }
}
