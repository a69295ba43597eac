use super::JointKind;
use super::limb;
use crate::formula::{Inputs, Program};
use crate::kinds::one_of;
use crate::maths::vector::Vec2;
use crate::scene::Signal;
use crate::scene::builder::{Builder, ElementScope, PointProgram};
use crate::scene::entity::Entity;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A limb of bones, each at its own angle from the one before: forward kinematics. Either every bone is
/// listed, or all follow one rule, numbered `.i` from 0.
///
/// Outputs: `[0]`, the root, to `[n]` and `.end`, each with `.x` and `.y`; `.length`, of all bones together.
///
/// ```json
/// "skeleton": {
///   "tail": { "chain": {
///     "from": [40, 60], "count": 12, "length": 14,
///     "angle": "14 * sin(turn * (t / duration - .i / 12))"
///   } }
/// },
/// "draw": [ { "path": { "points": "tail", "curve": "catmull_rom", "width": 6, "cap": "round" } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "chain", extend("allOf" = [one_of(&[
    &["angles", "lengths"],
    &["count", "angle", "length"],
])]))]
pub struct Chain {
    /// Where the first bone starts.
    #[schemars(extend("x-also" = ["root", "at", "start", "origin"]))]
    pub from: Point,
    /// The direction of every bone in degrees, clockwise: of the first from +x, of the others from the bone before.
    #[schemars(length(min = 1, max = 1000), extend("x-also" = ["rotations"]))]
    pub angles: Option<Vec<Num>>,
    /// The length of every bone in px; negative: the other way.
    #[schemars(length(min = 1, max = 1000))]
    pub lengths: Option<Vec<Num>>,
    /// How many bones follow the rule.
    #[schemars(extend("x-also" = ["bones", "links", "segments", "n"]))]
    pub count: Option<Int<1, 1000>>,
    /// The direction of bone `.i` in degrees, clockwise: of the first from +x, of the others from the bone before.
    #[schemars(extend("x-also" = ["rotation"]))]
    pub angle: Option<Num>,
    /// The length of bone `.i` in px; negative: the other way.
    pub length: Option<Num>,
    /// Whether all angles are from +x, as in linkages and circles that ride on circles.
    #[serde(default)]
    pub absolute: bool,
}

impl JointKind for Chain {
    fn build(&self, b: &mut Builder) -> Entity {
        let from = b.point(&self.from);
        let (bones, rule) = self.rule(b);
        let signal = ChainSignal {
            from,
            bones,
            rule,
            absolute: self.absolute,
        };
        let first = b.signal(limb::columns(bones) as u32, signal);
        limb::describe("a chain", first, bones)
    }
}

impl Chain {
    /// How many bones there are, and what they do.
    fn rule(&self, b: &mut Builder) -> (usize, Rule) {
        if let (Some(angles), Some(lengths)) = (&self.angles, &self.lengths) {
            check_lengths(angles, lengths, b);
            let bones = angles.len().min(lengths.len());
            let angles = angles[..bones].iter().map(|angle| b.num(angle)).collect();
            let lengths = lengths[..bones]
                .iter()
                .map(|length| b.num(length))
                .collect();
            return (bones, Rule::Listed { angles, lengths });
        }
        let bones = self.count.as_ref().map_or(1, |count| b.int(count)) as usize;
        b.with_element(ElementScope::slots(&["i"]), |b| {
            let mut program = |slot| b.maybe(slot).unwrap_or_else(|| Program::constant_of(0.0));
            let angle = program(&self.angle);
            let length = program(&self.length);
            (bones, Rule::Formula { angle, length })
        })
    }
}

fn check_lengths(angles: &[Num], lengths: &[Num], b: &mut Builder) {
    let (angles, lengths) = (angles.len(), lengths);
    if angles == lengths.len() || lengths.is_empty() {
        return;
    }
    let message = format!(
        "{angles} angles, but {} lengths: every bone takes both",
        lengths.len()
    );
    b.report(Problem::error("wrong-length", lengths[0].span, message));
}

/// The angle and length of every bone.
enum Rule {
    Listed {
        angles: Vec<Program>,
        lengths: Vec<Program>,
    },
    Formula {
        angle: Program,
        length: Program,
    },
}

impl Rule {
    fn bone(&self, i: usize, inputs: &Inputs) -> (f64, f64) {
        match self {
            Self::Listed { angles, lengths } => (angles[i].eval(inputs), lengths[i].eval(inputs)),
            Self::Formula { angle, length } => {
                let element = [i as f64];
                let inputs = Inputs {
                    element: &element,
                    ..*inputs
                };
                (angle.eval(&inputs), length.eval(&inputs))
            }
        }
    }
}

struct ChainSignal {
    from: PointProgram,
    bones: usize,
    rule: Rule,
    absolute: bool,
}

impl Signal for ChainSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let limb = limb::parts(self.bones, out);
        let mut at = self.from.at(inputs);
        let mut heading = 0.0;
        limb.joints[0] = at.into();
        *limb.length = 0.0;
        for i in 0..self.bones {
            let (angle, length) = self.rule.bone(i, inputs);
            heading = if self.absolute {
                angle
            } else {
                heading + angle
            };
            at += Vec2::from_direction(heading) * length;
            limb.joints[i + 1] = at.into();
            limb.lengths[i] = length.abs();
            *limb.length += length.abs();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::reference::{list, number, numbers, read};
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn elbow_and_hand_are_those_of_the_reference() {
        let data = read(include_str!("../../tests/data/002_arm_fk.json"));
        for case in list(&data["cases"]) {
            let shoulder = numbers(&case["shoulder"]);
            // There angles are radians from straight down, and grow the other way.
            let first = 90.0 - number(&case["aUp"]).to_degrees();
            let second = -number(&case["flex"]).to_degrees();
            let probe = Probe::new(
                "{}",
                &format!(
                    r#"{{ "arm": {{ "chain": {{ "from": [{:?}, {:?}], "angles": [{first:?}, {second:?}], "lengths": [27, 25] }} }} }}"#,
                    shoulder[0], shoulder[1]
                ),
            );
            for (joint, name) in [("arm[1]", "elbow"), ("arm.end", "hand")] {
                let expected = numbers(&case[name]);
                assert!((probe.at(0.0, &format!("{joint}.x")) - expected[0]).abs() < 1e-11);
                assert!((probe.at(0.0, &format!("{joint}.y")) - expected[1]).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn a_rule_is_a_list_written_shorter() {
        let probe = Probe::new(
            "{}",
            r#"{ "a": { "chain": { "from": [1, 2], "angles": ["90 * t", 30, 60], "lengths": [10, 20, -30] } },
                 "b": { "chain": { "from": "a[0]", "count": 3, "angle": ".i == 0 ? 90 * t : 30 * .i",
                                   "length": ".i == 2 ? -30 : 10 * (.i + 1)" } },
                 "c": { "chain": { "from": "a[0]", "absolute": true,
                                   "angles": ["90 * t", "90 * t + 30", "90 * t + 90"], "lengths": [10, 20, -30] } } }"#,
        );
        for t in [0.0, 0.5, 1.7] {
            for joint in ["[0].x", "[1].y", "[2].x", ".end.x", ".end.y", ".length"] {
                let at = |limb: &str| probe.at(t, &format!("{limb}{joint}"));
                assert!((at("a") - at("b")).abs() < 1e-12, "{joint}");
                assert!((at("a") - at("c")).abs() < 1e-12, "{joint}");
            }
        }
        assert_eq!(probe.at(0.0, "a[1].x"), 11.0);
        assert_eq!(probe.at(0.3, "a.length"), 60.0);
        // The last bone goes the other way from straight down.
        assert_eq!(probe.at(0.0, "a.end.y"), probe.at(0.0, "a[2].y") - 30.0);
    }

    #[test]
    fn what_a_chain_cannot_be() {
        for (fields, message) in [
            (
                r#""angles": [1, 2], "lengths": [3]"#,
                "2 angles, but 1 lengths",
            ),
            (
                r#""angles": [], "lengths": []"#,
                "`angles` takes 1 to 1000 values",
            ),
            (r#""angles": [".i"], "lengths": [3]"#, "reads an element"),
            (
                r#""count": 2, "angle": ".u", "length": 1"#,
                "the element here has no `.u`",
            ),
            (
                r#""count": "t", "angle": 0, "length": 1"#,
                "`t` changes with time",
            ),
            (
                r#""count": 5000, "angle": 0, "length": 1"#,
                "`count` is 5000, but must be 1 to 1000",
            ),
            (
                r#""count": 3, "angle": "1 / .i", "length": 1"#,
                "`1 / .i` is inf in frame 0",
            ),
            (
                r#""count": 2, "angle": 0, "length": 1, "lengths": [2]"#,
                "takes either `lengths` or `count`",
            ),
        ] {
            let said = problems(&format!(
                r#""skeleton": {{ "c": {{ "chain": {{ "from": [0, 0], {fields} }} }} }}"#
            ));
            assert!(said.contains(message), "{fields}: {said}");
        }
    }
}
