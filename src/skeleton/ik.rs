use super::JointKind;
use super::limb;
use crate::formula::{Inputs, Program};
use crate::maths::fabrik::{self, Stop};
use crate::maths::ik::{direction, side_of, soften, two_bones, unbend};
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize, Signal};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A limb that reaches for a target: inverse kinematics. Its points are the solved ones, never the wish, so
/// bones always keep their lengths; `.error` tells what was missed.
///
/// Two bones follow the law of cosines. More bones follow FABRIK, which starts afresh in every frame, from the
/// bones on an arc of a circle whose ends are as far apart as root and target. So the pose hangs on the moment
/// alone: it moves smoothly with its target, elbows do not pop over, loops close exactly, and any frame can be
/// drawn without those before it. Most arcs reach the target by themselves; `iterations` and `tolerance` matter
/// for targets close to the root and bones of very unequal lengths.
///
/// A target out of reach leaves the limb straight, or folded if it is too near, and is a warning that names the
/// first frame; the claim `reached` makes it strict. A target exactly on the root counts as one to its right.
///
/// Outputs: `[0]`, the root, to `[n]` and `.end`, each with `.x` and `.y`; `.length`, of all bones together;
/// `.error`, the distance from `.end` to the target in px.
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "amplitude": 50, "around": 150 } },
///   "y": { "wave": { "period": 0.6, "amplitude": 12, "around": 64 } }
/// },
/// "skeleton": {
///   "arm": { "ik": { "from": [60, 100], "to": ["x", "y"], "lengths": [80, 80], "bend": -1 } }
/// },
/// "draw": [
///   { "path": { "points": "arm", "width": 9, "cap": "round", "join": "round", "stroke": "#0c7b7c" } },
///   { "cross": { "at": ["x", "y"], "size": 16, "width": 2, "stroke": "#c2402a" } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ik")]
pub struct Ik {
    /// The root: hip, shoulder.
    #[schemars(extend("x-also" = ["root", "at", "start", "origin"]))]
    pub from: Point,
    /// The target.
    #[schemars(extend("x-also" = ["target", "goal", "tip", "effector"]))]
    pub to: Point,
    /// The lengths of the bones in px, from the root on.
    #[schemars(length(min = 2, max = 1000), extend("x-also" = ["bones", "segments"]))]
    pub lengths: Vec<Num<Positive>>,
    /// Which way it bends; only the sign counts. Positive: the first bone lies clockwise of the line to the
    /// target, so a figure that faces right has elbows of 1 and knees of -1. When a formula changes the sign, the
    /// bend opens and closes again on the other side, as angles, and the tip leaves its target meanwhile; 0 keeps
    /// the side that was.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["side", "flip_x", "clockwise", "sign", "bendPositive", "pole"]))]
    pub bend: Num,
    /// How long a change of side takes, in T.
    #[serde(default = "eighth")]
    pub flip: Fixed<NonNegative>,
    /// Within so many px of full reach the tip slows down and stays a little short, so that the knee does not
    /// snap straight. From so many px beyond full reach on the limb is straight.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["soft", "softIK", "soft_ik"]))]
    pub softness: Num<NonNegative>,
    /// FABRIK: most passes per frame.
    #[serde(default = "thirty_two")]
    #[schemars(extend("x-also" = ["passes", "steps", "max_iterations"]))]
    pub iterations: Int<1, 1000>,
    /// FABRIK: how near to the target the tip must come, in px.
    #[serde(default = "thousandth")]
    #[schemars(extend("x-also" = ["epsilon", "threshold"]))]
    pub tolerance: Fixed<Positive>,
}

fn eighth() -> Fixed<NonNegative> {
    Fixed::literal(0.12)
}

fn thirty_two() -> Int<1, 1000> {
    Int::literal(32)
}

fn thousandth() -> Fixed<Positive> {
    Fixed::literal(0.001)
}

/// A target is out of reach from so many px on: less is not seen.
const UNSEEN: f64 = 1e-3;

impl JointKind for Ik {
    fn build(&self, b: &mut Builder) -> Entity {
        let side = self.side(b);
        let bones = self.lengths.len();
        let signal = IkSignal {
            from: b.point(&self.from),
            to: b.point(&self.to),
            lengths: self.lengths.iter().map(|length| b.num(length)).collect(),
            side,
            softness: b.num(&self.softness),
            stop: Stop {
                iterations: b.int(&self.iterations) as usize,
                tolerance: b.fixed(&self.tolerance),
            },
        };
        if bones < 2 {
            return Entity::broken();
        }
        let first = b.signal((limb::columns(bones) + MORE) as u32, signal);
        let more = |place: usize| limb::column(first, limb::columns(bones) + place);
        b.watch_reach(self.to.span(), more(1));
        let error = Entity::number("a distance", more(0));
        limb::describe("a limb", first, bones).with("error", error)
    }
}

/// Columns besides those of every limb: the error, and by how much the target is out of reach.
const MORE: usize = 2;

impl Ik {
    /// The side of the bend, −1 to 1: a constant, or a number that travels when the sign changes.
    fn side(&self, b: &mut Builder) -> Program {
        let bend = b.num(&self.bend);
        let flip = b.fixed(&self.flip);
        let Some(constant) = bend.constant() else {
            let side = b.memory(1, SideMemory { bend, flip });
            return b.read(side);
        };
        if constant == 0.0 && !self.bend.is_hole() {
            let message = "a limb bends one way or the other: `bend` cannot be 0";
            b.report(
                Problem::error("out-of-range", self.bend.span, message).label("write 1 or -1"),
            );
        }
        Program::constant_of(side_of(constant).unwrap_or(1.0))
    }
}

struct IkSignal {
    from: PointProgram,
    to: PointProgram,
    lengths: Vec<Program>,
    side: Program,
    softness: Program,
    stop: Stop,
}

impl Signal for IkSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let (root, target) = (self.from.at(inputs), self.to.at(inputs));
        let limb = limb::parts(self.lengths.len(), out);
        for (length, program) in limb.lengths.iter_mut().zip(&self.lengths) {
            *length = program.eval(inputs);
        }
        let reach = limb.lengths.iter().sum();
        let distance = root.distance(target);
        let forward = direction(root, target);
        let softness = self.softness.eval(inputs);
        let aim = root + soften(distance, reach, softness) * forward;
        let side = self.side.eval(inputs);
        limb.joints[0] = root.into();
        self.pose(limb.joints, limb.lengths, aim, side);
        let missed = limb::miss(limb.joints, aim);
        if side.abs() < 1.0 {
            unbend(limb.joints, limb.lengths, forward, side.abs());
        }
        *limb.length = reach;
        limb.more[0] = limb::miss(limb.joints, target);
        limb.more[1] = match limb::out_of_reach(limb.lengths, distance) {
            out if out > UNSEEN => out,
            // Within reach, but not found.
            _ if missed > self.stop.tolerance.max(UNSEEN) => missed,
            _ => 0.0,
        };
    }
}

impl IkSignal {
    /// Bent in full to the side of the sign.
    fn pose(&self, joints: &mut [[f64; 2]], lengths: &[f64], aim: Vec2, side: f64) {
        let side = side_of(side).unwrap_or(1.0);
        if let ([root, joint, tip], [first, second]) = (&mut *joints, lengths) {
            let solved = two_bones(Vec2::from(*root), aim, [*first, *second], side);
            (*joint, *tip) = (solved[0].into(), solved[1].into());
            return;
        }
        fabrik::reach(joints, lengths, aim, side, self.stop);
    }
}

/// The side of a bend whose sign changes with time: it travels from −1 to 1 and back, each in `flip`.
struct SideMemory {
    bend: Program,
    flip: f64,
}

impl SideMemory {
    fn travel(&self, side: &mut f64, to: f64, dt: f64) {
        if self.flip == 0.0 {
            *side = to;
            return;
        }
        let way = 2.0 * dt / self.flip;
        *side += (to - *side).clamp(-way, way);
    }
}

impl Memory for SideMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: 1,
            states: 1,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        input[0] = self.bend.eval(inputs);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state[0] = side_of(input[0]).unwrap_or(1.0);
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        let (start, end) = (side_of(from[0]), side_of(to[0]));
        // On a straight way between two signs the sign changes where it crosses 0.
        let before = match (start, end) {
            (Some(a), Some(b)) if a != b => from[0] / (from[0] - to[0]),
            (Some(_), None) => 1.0,
            _ => 0.0,
        };
        if let Some(side) = start.filter(|_| before > 0.0) {
            self.travel(&mut state[0], side, before * dt);
        }
        if let Some(side) = end {
            self.travel(&mut state[0], side, (1.0 - before) * dt);
        }
    }

    fn write(&self, state: &[f64], _: &[f64], out: &mut [f64]) {
        // Softly off one side and onto the other.
        out[0] = 0.5 * state[0] * (3.0 - state[0] * state[0]);
    }

    /// A side is no length in px: half of one must not pass for a closed loop.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        1e3 * (before[0] - after[0]).abs()
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    fn leg(fields: &str) -> Probe {
        Probe::new(
            "{}",
            &format!(
                r#"{{ "leg": {{ "ik": {{ "from": [10, 20], "lengths": [30, 40], {fields} }} }} }}"#
            ),
        )
    }

    #[test]
    fn it_bends_clockwise_unless_told() {
        let at = |fields: &str, name: &str| leg(fields).at(0.0, name);
        let to = r#""to": [60, 20]"#;
        // 30, 40, 50: a right angle at the knee.
        assert!((at(to, "leg[1].x") - 28.0).abs() < 1e-12);
        assert!((at(to, "leg[1].y") - 44.0).abs() < 1e-12);
        assert!((at(&format!(r#"{to}, "bend": -0.1"#), "leg[1].y") + 4.0).abs() < 1e-12);
        assert!(at(to, "leg.error") < 1e-12);
        assert_eq!(at(to, "leg.length"), 70.0);
        assert_eq!(at(to, "leg[0].x"), 10.0);
    }

    #[test]
    fn the_tip_is_the_solved_one() {
        let far = leg(r#""to": [110, 20]"#);
        assert_eq!(
            (far.at(0.0, "leg.end.x"), far.at(0.0, "leg.error")),
            (80.0, 30.0)
        );
        let near = leg(r#""to": [13, 20]"#);
        assert!((near.at(0.0, "leg.end.x") - 20.0).abs() < 1e-12);
        assert!((near.at(0.0, "leg.error") - 7.0).abs() < 1e-12);
        let soft = leg(r#""to": [80, 20], "softness": 8"#);
        assert!((soft.at(0.0, "leg.error") - 2.0).abs() < 1e-12);
        let there = leg(r#""to": [10, 20]"#);
        assert!((there.at(0.0, "leg.error") - 10.0).abs() < 1e-12);
    }

    #[test]
    fn more_bones_keep_their_lengths_and_reach() {
        let probe = Probe::new(
            "{}",
            r#"{ "eye": ["60 + 50 * sin(turn * t)", "50 + 40 * cos(turn * 3 * t)"],
                 "trunk": { "ik": { "from": [50, 95], "to": "eye", "lengths": [30, "28 + 6 * t", 30, 25], "bend": -1 } } }"#,
        );
        for frame in 0..50 {
            let t = f64::from(frame) / 50.0;
            let at = |name: String| probe.at(t, &name);
            for (i, length) in [30.0, 28.0 + 6.0 * t, 30.0, 25.0].into_iter().enumerate() {
                let side = |axis: &str| {
                    at(format!("trunk[{}].{axis}", i + 1)) - at(format!("trunk[{i}].{axis}"))
                };
                let error = crate::maths::functions::hypot(side("x"), side("y")) - length;
                assert!(error.abs() < 1e-9, "{t} {i}: {error}");
            }
            assert!(at("trunk.error".into()) <= 1e-3, "{t}");
        }
    }

    /// Values of a name in every frame of two seconds.
    fn trace(skeleton: &str, name: &str) -> Vec<f64> {
        let channels = r#"{
            "turn_once": { "track": { "keys": [[0, 1, "hold"], [1, -1]] } },
            "turn_back": { "track": { "keys": [[0, 1, "hold"], [1, -1, "hold"], [1.1, 1]] } } }"#;
        let times: Vec<f64> = (0..100).map(|i| f64::from(i) / 50.0).collect();
        Probe::new(channels, skeleton).trace(&times, name)
    }

    #[test]
    fn a_change_of_side_travels_as_an_angle() {
        let leg = |bend: &str| {
            format!(
                r#"{{ "leg": {{ "ik": {{ "from": [10, 20], "to": [60, 20], "lengths": [30, 40], "bend": "{bend}", "flip": 0.2 }} }} }}"#
            )
        };
        let turns = leg("turn_once");
        let (knee, error) = (trace(&turns, "leg[1].y"), trace(&turns, "leg.error"));
        assert!((knee[49] - 44.0).abs() < 1e-9 && (knee[50] - 44.0).abs() < 1e-9);
        // Half way the limb is straight, 20 px beyond its target.
        assert!((knee[55] - 20.0).abs() < 1e-9 && (error[55] - 20.0).abs() < 1e-9);
        assert!((knee[60] + 4.0).abs() < 1e-9 && error[60] < 1e-9);
        assert!(knee[50..=60].windows(2).all(|two| two[1] <= two[0]));
        let back = trace(&leg("turn_back"), "leg[1].y");
        assert!((back[55] - 20.0).abs() < 1e-9 && (back[60] - 44.0).abs() < 1e-9);
        // The sign changes at 1.005 s, between two frames and two ticks.
        let slow = trace(&leg("1.005 - t"), "leg[1].y");
        assert!((slow[50] - 44.0).abs() < 1e-9 && slow[51] < 44.0 && (slow[61] + 4.0).abs() < 1e-9);
        let zero = trace(&leg("t < 1 ? -1 : 0"), "leg[1].y");
        assert!(zero.iter().all(|y| (y + 4.0).abs() < 1e-9));
        let at_once = trace(&leg("turn_once").replace("0.2", "0"), "leg[1].y");
        assert!((at_once[49] - 44.0).abs() < 1e-9 && (at_once[50] + 4.0).abs() < 1e-9);
        let trunk = turns.replace("[30, 40]", "[20, 20, 20, 20]");
        let (mid, error) = (trace(&trunk, "leg[2].y"), trace(&trunk, "leg.error"));
        assert!(mid[49] > 40.0 && (mid[55] - 20.0).abs() < 1e-9 && mid[60] < 0.0);
        assert!((error[55] - 30.0).abs() < 1e-9);
    }

    #[test]
    fn a_target_out_of_reach_is_one_warning_with_the_first_frame() {
        let said = |to: &str, more: &str| {
            problems(&format!(
                r#""skeleton": {{ "leg": {{ "ik": {{ "from": [10, 20], "to": {to}, "lengths": [30, 40]{more} }} }} }}"#
            ))
        };
        let out = said(r#"["60 + 40 * t", 20]"#, "");
        assert!(out.contains("`leg` cannot reach its target"), "{out}");
        assert!(out.contains("from frame 26 (0.52 s) on"), "{out}");
        assert!(out.contains("misses it by up to 59.2 px"), "{out}");
        assert_eq!(out.matches("warning").count(), 1, "{out}");
        assert!(said(r#"[15, "20 - t"]"#, "").contains("from frame 0"));
        assert_eq!(said("[80, 20]", r#", "softness": 9"#), "");
        assert_eq!(said(r#"["30 + 25 * t", 20]"#, r#", "bend": "1 - t""#), "");
    }

    #[test]
    fn what_a_limb_cannot_be() {
        for (fields, message) in [
            (r#""lengths": [30]"#, "`lengths` takes 2 to 1000 values"),
            (r#""lengths": [30, 0]"#, "must be greater than 0"),
            (r#""lengths": [30, "t"]"#, "`t` is 0 in frame 0"),
            (r#""lengths": [30, 30], "bend": 0"#, "`bend` cannot be 0"),
            (r#""lengths": [30, 30], "softness": -1"#, "`softness` is -1"),
        ] {
            let said = problems(&format!(
                r#""skeleton": {{ "c": {{ "ik": {{ "from": [0, 0], "to": [9, 9], {fields} }} }} }}"#
            ));
            assert!(said.contains(message), "{fields}: {said}");
        }
    }
}
