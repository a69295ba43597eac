//! The figure of the examples does not pop: it changes from any motion into any other at every frame of the first
//! one's cycle, also in the middle of the blend and straight back, and no joint is jerked. Neither does a foot that
//! stands slip in the frame after, nor a leg fail to reach the foot that it stands on.

use crate::specs;
use hazumi::formula::Operand;
use hazumi::load::{Animation, Choices};
use hazumi::maths::functions::hypot;
use hazumi::scene::Scene;
use hazumi::simulate::{Frames, simulate};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// Motions of the figure, and how many frames their cycle has.
const MOTIONS: [(&str, usize); 6] = [
    ("walk", 37),
    ("run", 20),
    ("idle", 125),
    ("jump", 60),
    ("throw", 55),
    ("spear", 450),
];
const JOINTS: [&str; 23] = [
    "pelvis",
    "belly",
    "chest",
    "shoulder",
    "crown",
    "head",
    "nape",
    "hold",
    "tip",
    "butt",
    "arm_n[1]",
    "arm_n[2]",
    "arm_f[1]",
    "arm_f[2]",
    "leg_n[1]",
    "leg_n[2]",
    "leg_f[1]",
    "leg_f[2]",
    "foot_n",
    "foot_f",
    "gait.travel",
    "gait.foot[0].down",
    "gait.foot[1].down",
];
/// The first joint of the legs.
const LEGS: usize = 14;
/// The ends of the legs.
const TIPS: [usize; 2] = [15, 17];
/// Where the legs should end, from here to the way of the ground.
const FEET: usize = 18;
const GROUND: usize = 20;
/// Whether the gait has the feet down.
const DOWN: usize = 21;
const FLOOR: f64 = 330.0;
/// Frames after which the figure turns back, in the middle of the blend.
const BACK: [usize; 4] = [1, 3, 7, 12];
/// Frames that are looked at before a switch, and until the last blend is over.
const BEFORE: usize = 2;
const AFTER: usize = 32;

/// Places of the joints by frame; the last are the way of the ground and what the gait says.
type Motion = Vec<[[f64; 2]; JOINTS.len()]>;
/// When which motion begins.
type Cues<'w> = Vec<(usize, &'w str)>;

/// Figures with these scripts, side by side.
fn figures(part: &str, scripts: &[Cues], frames: Range<usize>) -> Vec<Motion> {
    let key = |(frame, word): &(usize, &str)| format!("[{}, \"{word}\"]", *frame as f64 / 50.0);
    let act = |(i, cues): (usize, &Cues)| {
        let keys: Vec<String> = cues.iter().map(key).collect();
        format!(
            r#""act{i}": {{ "script": {{ "keys": [{}] }} }}"#,
            keys.join(", ")
        )
    };
    let acts: Vec<String> = scripts.iter().enumerate().map(act).collect();
    let man = |i| format!(r#""man{i}": {{ "part": "biped", "with": {{ "act": "act{i}" }} }}"#);
    let men: Vec<String> = (0..scripts.len()).map(man).collect();
    let spec = format!(
        r##"{{ "hazumi": 1, "alt": "", "canvas": {{ "size": [480, 360], "fps": 50, "duration": {} }},
            "palette": {{ "ink": "#000", "rust": "#f00", "wood": "#850" }},
            "channels": {{ {} }}, "parts": {{ "biped": {part} }}, "use": {{ {} }}, "draw": [] }}"##,
        frames.end as f64 / 50.0,
        acts.join(", "),
        men.join(", "),
    );
    let animation = Animation::parse("switches", &spec, &Choices::default()).expect("a sound spec");
    places(animation.scene(), scripts.len(), frames)
}

fn places(scene: &Scene, men: usize, frames: Range<usize>) -> Vec<Motion> {
    let moving = |named: &hazumi::scene::Named| match named.operand {
        Operand::Column(column) => Some((named.path.clone(), column)),
        _ => None,
    };
    let named: BTreeMap<String, u32> = scene.names.iter().filter_map(moving).collect();
    let of = |man: usize| {
        JOINTS.map(|joint| match joint.starts_with("gait") {
            true => [named[&format!("man{man}.{joint}")]; 2],
            false => ["x", "y"].map(|axis| named[&format!("man{man}.{joint}.{axis}")]),
        })
    };
    let columns: Vec<_> = (0..men).map(of).collect();
    let wanted: Vec<u32> = columns.as_flattened().as_flattened().to_vec();
    let timeline = simulate(scene, &Frames::own(scene, frames.clone()), &wanted).expect("numbers");
    let mut motions = vec![Motion::new(); men];
    let mut row = Vec::new();
    for frame in 0..frames.len() {
        timeline.row(frame, &mut row);
        for (motion, joints) in motions.iter_mut().zip(&columns) {
            motion.push(joints.map(|joint| joint.map(|column| row[column as usize])));
        }
    }
    motions
}

/// How far a joint goes from a frame to the next.
fn step(motion: &Motion, joint: usize, from: usize) -> f64 {
    let [a, b] = [motion[from][joint], motion[from + 1][joint]];
    hypot(a[0] - b[0], a[1] - b[1])
}

/// How much the speed of a joint changes at a frame, in px per frame.
fn turn(motion: &Motion, joint: usize, at: usize) -> f64 {
    let [a, b, c] = [at - 1, at, at + 1].map(|frame| motion[frame][joint]);
    hypot(a[0] - 2.0 * b[0] + c[0], a[1] - 2.0 * b[1] + c[1])
}

/// By how much it changes more at a switch than a frame before and than without the switch.
fn jolt(with: &Motion, without: &Motion, joint: usize, at: usize) -> f64 {
    let usual = turn(with, joint, at - 1).max(turn(without, joint, at));
    turn(with, joint, at) - usual
}

/// The farthest that a foot on the floor stands from the hips.
fn demand(motion: &Motion) -> f64 {
    let legs = motion.iter().flat_map(|joints| {
        let [x, y] = joints[0];
        let stands = |foot: &&[f64; 2]| foot[1] > FLOOR - 0.5;
        let feet = joints[FEET..GROUND].iter().filter(stands);
        feet.map(move |foot| hypot(foot[0] - x, foot[1] - y))
    });
    legs.fold(0.0, f64::max)
}

/// By how much the first step after a switch is longer than the one before and than the one without the switch. A
/// foot that stands may be taken along by the ground.
fn excess(with: &Motion, without: &Motion, joint: usize, at: usize) -> f64 {
    let usual = step(with, joint, at - 1).max(step(without, joint, at));
    let ground = (with[at + 1][GROUND][0] - with[at][GROUND][0]).abs();
    let allowed = if joint < LEGS {
        usual
    } else {
        usual.max(ground)
    };
    step(with, joint, at) - allowed
}

/// What a joint belongs to: trunk, head and spear; hands and feet; elbows and knees, which are quick where the limb
/// is nearly straight or nearly folded.
fn group(joint: &str) -> usize {
    match joint {
        _ if joint.ends_with("[2]") => 1,
        _ if joint.ends_with("[1]") => 2,
        _ => 0,
    }
}

fn is_gait(word: &str) -> bool {
    ["walk", "run"].contains(&word)
}

/// How far a foot that has stood slips in the first frame after a switch. On its way up it may: where the gait lifts it,
/// or has lifted it and the ground is quick.
fn slip(motion: &Motion, foot: usize, at: usize) -> f64 {
    let tip = |frame: usize| motion[frame][TIPS[foot]];
    let is_low = (at - 1..=at + 1).all(|frame| tip(frame)[1] > FLOOR - 0.5);
    let passed = |frame: usize| motion[frame + 1][GROUND][0] - motion[frame][GROUND][0];
    let slid = |frame: usize| (tip(frame + 1)[0] - tip(frame)[0] + passed(frame)).abs();
    let is_down = |frame: usize| motion[frame][DOWN + foot][0] == 1.0;
    let is_lifted = !is_down(at + 1) && (is_down(at) || passed(at) > QUICK);
    match is_low && slid(at - 1) <= EXACT && !is_lifted {
        true => slid(at),
        false => 0.0,
    }
}

/// The worst that is found.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    /// By group, at the switch and at the way back.
    excess: [[f64; 3]; 2],
    jolt: [[f64; 3]; 2],
    demand: f64,
    slip: f64,
}

impl Worst {
    /// Looks at a switch, the first or the one back, which comes at a frame.
    fn look(&mut self, when: usize, with: &Motion, without: &Motion, at: usize) {
        for (joint, name) in JOINTS[..FEET].iter().enumerate() {
            let group = group(name);
            let [most, hardest] =
                [&mut self.excess, &mut self.jolt].map(|all| &mut all[when][group]);
            *most = most.max(excess(with, without, joint, at));
            *hardest = hardest.max(jolt(with, without, joint, at));
        }
        let slips = [0, 1].map(|foot| slip(with, foot, at));
        self.slip = slips.into_iter().fold(self.slip, f64::max);
    }

    fn holds(&self) -> bool {
        let jolts = self.jolt.iter().flat_map(|jolt| jolt.iter().zip(HARDEST));
        self.excess
            .as_flattened()
            .iter()
            .all(|excess| *excess <= MOST)
            && jolts.into_iter().all(|(jolt, most)| *jolt <= most)
            && self.demand <= REACH
            && self.slip <= EXACT
    }
}

/// From one motion at a frame of its cycle into each other one and back; what is found by that one's name.
fn worst<'w>(part: &str, word: &'w str, frame: usize) -> Vec<(&'w str, Worst)> {
    // The legs' clock stands somewhere else each time; a gait has settled.
    let start = 5 + 7 * frame % 37;
    let at = start + frame + if is_gait(word) { 40 } else { 2 };
    let begun = vec![(0, "walk"), (start, word)];
    let mut scripts = vec![begun.clone()];
    let others = || {
        MOTIONS
            .into_iter()
            .map(|other| other.0)
            .filter(|other| *other != word)
    };
    for second in others() {
        let there = [begun.as_slice(), &[(at, second)]].concat();
        let again = |back| [there.as_slice(), &[(at + back, word)]].concat();
        let back: Vec<Cues> = BACK.into_iter().map(again).collect();
        scripts.push(there.clone());
        scripts.extend(back);
    }
    let all = figures(part, &scripts, at - BEFORE..at + AFTER);
    let (plain, pairs) = (&all[0], all[1..].chunks(1 + BACK.len()));
    let found = pairs.zip(others()).map(|(motions, second)| {
        let mut worst = Worst {
            demand: motions.iter().map(demand).fold(0.0, f64::max),
            ..Worst::default()
        };
        worst.look(0, &motions[0], plain, BEFORE);
        for (again, back) in motions[1..].iter().zip(BACK) {
            worst.look(1, again, &motions[0], BEFORE + back);
        }
        (second, worst)
    });
    found.collect()
}

/// Most px by which a step may be longer.
const MOST: f64 = 0.5;
/// Most px per frame by which a speed may change more, by group. The trunk and the spear do so when a take-off or a
/// blow is broken off, feet when they are stopped in a quick step or are set down on ground that moves.
const HARDEST: [f64; 3] = [4.0, 9.5, 7.5];
/// The length of a leg less its softness: more would lift a foot that stands.
const REACH: f64 = 73.0;
/// Most px by which a foot that stands slips.
const EXACT: f64 = 1e-9;
/// Ground that passes by more px per frame does not hold a foot back that the gait has lifted.
const QUICK: f64 = 2.0;

#[test]
fn no_joint_is_jerked_when_the_motion_changes() {
    let path = specs::folder().join("parts/biped.json");
    let part = std::fs::read_to_string(path).expect("the figure");
    for (word, cycle) in MOTIONS {
        let frames: Vec<usize> = (0..cycle).collect();
        let found: Vec<_> = (frames.par_iter())
            .map(|frame| (frame, worst(&part, word, *frame)))
            .collect();
        for (frame, pairs) in found {
            for (second, worst) in pairs {
                assert!(worst.holds(), "{word} to {second} at {frame}: {worst:.2?}");
            }
        }
    }
}
