//! Limbs of many bones that reach for a target: FABRIK (Aristidou and Lasenby, 2011).
//!
//! One pass puts the tip on the target and every joint, back to the root, at its bone's length from the next
//! one; then the root back to its place and every joint, on to the tip, at its length from the one before.

use super::functions::{clamp, sin_radians};
use super::ik::direction;
use super::vector::Vec2;

/// How often the arc that a limb starts from is corrected.
const CORRECTIONS: usize = 12;
/// A start this near, as a share of the limb's length, needs no more correction.
const NEAR: f64 = 1e-13;
/// Halvings that find an arc's angle to the last bit.
const HALVINGS: usize = 53;
/// How far a straight limb's joints are nudged aside, as a share of its length.
const NUDGE: f64 = 0.1;
/// A limb is straight if its joints are nearer to the line than this share of its length.
const STRAIGHT: f64 = 1e-9;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// After so many passes.
    pub iterations: usize,
    /// When the tip is this near to the target, in px.
    pub tolerance: f64,
}

/// Poses a limb of bones of `lengths` > 0 with its root in `joints[0]`, which has one more entry; what the
/// others hold does not matter. `side` 1 bends the first bone clockwise from the line to the target, −1 the other way.
///
/// Out of reach it is straight. Else FABRIK starts from the bones on an arc of a circle, as long from root to tip
/// as the way to the target: a pose that goes smoothly with the target, without any memory.
pub fn reach(joints: &mut [[f64; 2]], lengths: &[f64], target: Vec2, side: f64, stop: Stop) {
    let root = Vec2::from(joints[0]);
    let total = lengths.iter().sum::<f64>();
    let forward = direction(root, target);
    let distance = root.distance(target);
    if distance >= total {
        return straighten(joints, lengths, forward);
    }
    let half_turn = half_turn_of_chord(lengths, distance);
    lay_arc(joints, lengths, forward, side * half_turn);
    converge(joints, lengths, target, side, stop);
}

/// Passes until the tip is near enough. A straight limb with its target on its own line is bent first.
pub fn converge(joints: &mut [[f64; 2]], lengths: &[f64], target: Vec2, side: f64, stop: Stop) {
    let missed = |joints: &[[f64; 2]]| Vec2::from(joints[joints.len() - 1]).distance(target);
    if missed(joints) > stop.tolerance && is_straight(joints, lengths, target) {
        nudge(joints, lengths, side);
    }
    for _ in 0..stop.iterations {
        if missed(joints) <= stop.tolerance {
            return;
        }
        pass(joints, lengths, target);
    }
}

/// One pass: from the tip to the root, then from the root to the tip.
pub fn pass(joints: &mut [[f64; 2]], lengths: &[f64], target: Vec2) {
    let (root, last) = (joints[0], joints.len() - 1);
    joints[last] = target.into();
    for i in (0..last).rev() {
        joints[i] = placed(joints[i + 1], joints[i], lengths[i]);
    }
    joints[0] = root;
    for i in 1..=last {
        joints[i] = placed(joints[i - 1], joints[i], lengths[i - 1]);
    }
}

/// Where a joint comes to lie at a length from a fixed one, on the way to where it was.
fn placed(fixed: [f64; 2], moving: [f64; 2], length: f64) -> [f64; 2] {
    let (fixed, moving) = (Vec2::from(fixed), Vec2::from(moving));
    let distance = fixed.distance(moving);
    if distance == 0.0 {
        return (fixed + Vec2::new(length, 0.0)).into();
    }
    (fixed + (moving - fixed) * (length / distance)).into()
}

/// Puts all joints on one line.
pub fn straighten(joints: &mut [[f64; 2]], lengths: &[f64], forward: Vec2) {
    let root = Vec2::from(joints[0]);
    let mut run = 0.0;
    for (joint, length) in joints[1..].iter_mut().zip(lengths) {
        run += length;
        *joint = (root + run * forward).into();
    }
}

/// Whether all joints and the target lie on one line.
fn is_straight(joints: &[[f64; 2]], lengths: &[f64], target: Vec2) -> bool {
    let root = Vec2::from(joints[0]);
    let forward = direction(root, joints[1].into());
    let total = lengths.iter().sum::<f64>();
    let joints = joints.iter().map(|joint| Vec2::from(*joint));
    let off = |p: Vec2| forward.cross(p - root).abs() > STRAIGHT * total;
    !joints.chain([target]).any(off)
}

/// Moves the inner joints aside, those in the middle farthest.
fn nudge(joints: &mut [[f64; 2]], lengths: &[f64], side: f64) {
    let forward = direction(joints[0].into(), joints[1].into());
    let total = lengths.iter().sum::<f64>();
    let mut run = 0.0;
    for (joint, length) in joints[1..].iter_mut().zip(lengths) {
        run += length;
        let share = run / total;
        let aside = side * 4.0 * NUDGE * total * share * (1.0 - share);
        *joint = (Vec2::from(*joint) + aside * forward.perpendicular()).into();
    }
}

/// Half of the angle, in radians, that an arc turns through if the bones that lie along it end at a distance.
///
/// A true arc of length L and half turn φ has the chord L·sin φ / φ. Bones are straight, so the chord that is
/// asked for is corrected by what theirs is off.
fn half_turn_of_chord(lengths: &[f64], distance: f64) -> f64 {
    let total = lengths.iter().sum::<f64>();
    let mut wish = distance;
    let mut half_turn = inverse_sinc(wish / total);
    for _ in 0..CORRECTIONS {
        let off = distance - end_of_arc(lengths, half_turn).length();
        if off.abs() <= NEAR * total {
            break;
        }
        wish = clamp(wish + off, 0.0, total);
        half_turn = inverse_sinc(wish / total);
    }
    half_turn
}

/// φ in 0…π with sin φ / φ = `ratio`, which is 0…1.
fn inverse_sinc(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0, core::f64::consts::PI);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if sin_radians(middle) > ratio * middle {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The direction of each bone along an arc whose middle runs along +x, turned through twice `half_turn`.
fn bones_of_arc(lengths: &[f64], half_turn: f64) -> impl Iterator<Item = Vec2> {
    let total = lengths.iter().sum::<f64>();
    let degrees = half_turn.to_degrees();
    let mut run = 0.0;
    lengths.iter().map(move |length| {
        let middle = (run + 0.5 * length) / total;
        run += length;
        Vec2::from_direction(degrees * (1.0 - 2.0 * middle)) * *length
    })
}

fn end_of_arc(lengths: &[f64], half_turn: f64) -> Vec2 {
    bones_of_arc(lengths, half_turn).fold(Vec2::ZERO, |sum, bone| sum + bone)
}

/// Lays the bones along an arc whose end lies in a direction from the root.
fn lay_arc(joints: &mut [[f64; 2]], lengths: &[f64], forward: Vec2, half_turn: f64) {
    let end = end_of_arc(lengths, half_turn);
    // The bones of a whole circle end where they began: no direction to turn.
    let is_circle = end.length() <= STRAIGHT * lengths.iter().sum::<f64>();
    let chord = if is_circle {
        Vec2::new(1.0, 0.0)
    } else {
        end / end.length()
    };
    let mut at = Vec2::from(joints[0]);
    for (joint, bone) in joints[1..].iter_mut().zip(bones_of_arc(lengths, half_turn)) {
        at += chord.dot(bone) * forward + chord.cross(bone) * forward.perpendicular();
        *joint = at.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::reference::{list, number, numbers, read};
    use proptest::prelude::*;

    const STOP: Stop = Stop {
        iterations: 32,
        tolerance: 1e-3,
    };

    fn points(value: &serde_json::Value) -> Vec<[f64; 2]> {
        let point = |p| [numbers(p)[0], numbers(p)[1]];
        list(value).iter().map(point).collect()
    }

    fn farthest(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
        assert_eq!(a.len(), b.len());
        let pairs = a.iter().zip(b);
        pairs.fold(0.0, |most: f64, (p, q)| {
            most.max(Vec2::from(*p).distance(Vec2::from(*q)))
        })
    }

    fn link_error(joints: &[[f64; 2]], lengths: &[f64]) -> f64 {
        let links = joints.windows(2).zip(lengths);
        links.fold(0.0, |most: f64, (two, length)| {
            most.max((Vec2::from(two[0]).distance(Vec2::from(two[1])) - length).abs())
        })
    }

    /// A limb that starts at the origin.
    fn reached(lengths: &[f64], target: Vec2, side: f64, stop: Stop) -> Vec<[f64; 2]> {
        let mut joints = vec![[0.0; 2]; lengths.len() + 1];
        reach(&mut joints, lengths, target, side, stop);
        joints
    }

    fn missed(joints: &[[f64; 2]], target: Vec2) -> f64 {
        Vec2::from(joints[joints.len() - 1]).distance(target)
    }

    /// Area between the limb and the way back from its tip, positive if it bends clockwise from that way.
    fn swept(joints: &[[f64; 2]]) -> f64 {
        let root = Vec2::from(joints[0]);
        let sides = joints.windows(2);
        sides.fold(0.0, |sum, two| {
            sum - (Vec2::from(two[0]) - root).cross(Vec2::from(two[1]) - root)
        })
    }

    #[test]
    fn passes_are_those_of_the_reference() {
        let data = read(include_str!("../../tests/data/001_fabrik.json"));
        let mut compared = 0;
        for case in list(&data["cases"]) {
            let mut joints = points(&case["joints"]);
            let lengths = numbers(&case["lengths"]);
            let target = numbers(&case["target"]);
            let target = Vec2::new(target[0], target[1]);
            if case["unreachable"] == "stretch" {
                reach(&mut joints, &lengths, target, 1.0, STOP);
                for after in list(&case["after"]) {
                    assert!(farthest(&joints, &points(after)) < 1e-9);
                    compared += 1;
                }
                continue;
            }
            for (after, error) in list(&case["after"]).iter().zip(list(&case["tip_error"])) {
                pass(&mut joints, &lengths, target);
                assert!(farthest(&joints, &points(after)) < 1e-9, "{}", case["name"]);
                assert!((missed(&joints, target) - number(error)).abs() < 1e-9);
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }

    #[test]
    fn a_straight_limb_reaches_a_target_on_its_own_line() {
        let lengths = [50.0, 40.0, 30.0];
        for (x, side) in [
            (70.0, 1.0),
            (70.0, -1.0),
            (119.0, 1.0),
            (-60.0, 1.0),
            (45.0, -1.0),
        ] {
            let mut joints = vec![[0.0, 0.0], [50.0, 0.0], [90.0, 0.0], [120.0, 0.0]];
            let target = Vec2::new(x, 0.0);
            let stop = Stop {
                iterations: 200,
                tolerance: 1e-3,
            };
            converge(&mut joints, &lengths, target, side, stop);
            assert!(missed(&joints, target) <= 1e-3, "{x} {side}: {joints:?}");
            assert!(link_error(&joints, &lengths) < 1e-9);
            assert!(side * joints[1][1] > 0.0, "{x} {side}: {joints:?}");
        }
    }

    #[test]
    fn unreachable_and_coincident_targets_are_finite() {
        for lengths in [
            vec![40.0; 3],
            vec![100.0, 10.0, 10.0],
            vec![5.0, 90.0, 3.0],
            vec![8.0; 30],
        ] {
            let total: f64 = lengths.iter().sum();
            for x in [
                0.0,
                1e-300,
                1e-9,
                3.0,
                total,
                total * (1.0 - 1e-15),
                total + 1e-9,
                1e12,
            ] {
                let joints = reached(&lengths, Vec2::new(x, 0.0), 1.0, STOP);
                assert!(
                    joints.as_flattened().iter().all(|v| v.is_finite()),
                    "{lengths:?} {x}"
                );
                assert!(link_error(&joints, &lengths) < 1e-9, "{lengths:?} {x}");
            }
        }
        let far = reached(&[40.0; 3], Vec2::new(0.0, 1e5), 1.0, STOP);
        assert_eq!(far, [[0.0, 0.0], [0.0, 40.0], [0.0, 80.0], [0.0, 120.0]]);
    }

    /// The pose follows the target smoothly: no elbow pops over, no matter how small the steps.
    #[test]
    fn small_steps_of_the_target_are_small_steps_of_every_joint() {
        let lengths = [92.0, 80.0, 66.0, 46.0];
        let way = |k: u32| {
            let angle = f64::from(k) * 0.036;
            let distance = 150.0 + 110.0 * crate::maths::functions::sin(3.0 * angle);
            Vec2::from_direction(angle) * distance
        };
        let mut last = reached(&lengths, way(0), -1.0, STOP);
        let mut most: f64 = 0.0;
        for k in 1..=10_000 {
            let joints = reached(&lengths, way(k), -1.0, STOP);
            most = most.max(farthest(&joints, &last));
            last = joints;
        }
        // The target moves up to 0.22 px a step.
        assert!(most < 0.4, "{most}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn whatever_is_in_reach_is_reached(
            lengths in proptest::collection::vec(10.0..60.0, 3..9), x in -1.0..1.0, y in -1.0..1.0, clockwise: bool,
        ) {
            let total: f64 = lengths.iter().sum();
            let longest = lengths.iter().fold(0.0, |a: f64, b: &f64| a.max(*b));
            let target = Vec2::new(x, y) * total;
            let distance = target.length();
            let side = if clockwise { 1.0 } else { -1.0 };
            let joints = reached(&lengths, target, side, STOP);
            prop_assert!(link_error(&joints, &lengths) < 1e-9);
            // Just outside of the disc that the longest bone shields FABRIK only creeps.
            if distance > (2.0 * longest - total) + 0.05 * total {
                let out = (distance - total).max(0.0);
                prop_assert!((missed(&joints, target) - out).abs() <= 1e-3, "{}", missed(&joints, target));
                prop_assert!(side * swept(&joints) >= -1e-6);
            }
        }
    }
}
