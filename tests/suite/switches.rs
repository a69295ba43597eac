//! The figure of the examples does not pop: it changes from any motion into any other at every frame of the first
//! one's cycle, also in the middle of the blend and straight back, and no joint is jerked. Neither does a leg fail to
//! reach the foot that it stands on.

use crate::specs;
use hazumi::formula::Operand;
use hazumi::load::{Animation, Choices};
use hazumi::maths::functions::hypot;
use hazumi::simulate::{Frames, simulate};
use rayon::prelude::*;

/// Motions of the figure, how many frames their cycle has, and which of these are tried: each, or one in so many.
const MOTIONS: [(&str, usize, usize); 6] = [
    ("walk", 37, 1),
    ("run", 20, 1),
    ("idle", 125, 10),
    ("jump", 60, 1),
    ("throw", 55, 1),
    ("spear", 450, 9),
];
const JOINTS: [&str; 21] = [
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
];
/// The first joint of the legs.
const LEGS: usize = 14;
/// Where the legs should end, from here to the way of the ground.
const FEET: usize = 18;
const GROUND: usize = 20;
const FLOOR: f64 = 330.0;
/// Frames after which the figure turns back, in the middle of the blend.
const BACK: [usize; 4] = [1, 3, 7, 12];

/// Places of the joints by frame; the last is the way of the ground.
type Motion = Vec<[[f64; 2]; JOINTS.len()]>;

fn figure(part: &str, cues: &[(usize, &str)], frames: usize) -> Motion {
    let keys: Vec<String> = (cues.iter())
        .map(|(frame, word)| format!("[{}, \"{word}\"]", *frame as f64 / 50.0))
        .collect();
    let spec = format!(
        r##"{{ "hazumi": 1, "alt": "", "canvas": {{ "size": [480, 360], "fps": 50, "duration": {} }},
            "palette": {{ "ink": "#000", "rust": "#f00", "wood": "#850" }},
            "channels": {{ "act": {{ "script": {{ "keys": [{}] }} }} }},
            "parts": {{ "biped": {part} }}, "use": {{ "man": {{ "part": "biped" }} }}, "draw": [ {{ "use": "man" }} ] }}"##,
        frames as f64 / 50.0,
        keys.join(", "),
    );
    let animation = Animation::parse("switches", &spec, &Choices::default()).expect("a sound spec");
    places(&animation, frames)
}

fn places(animation: &Animation, frames: usize) -> Motion {
    let scene = animation.scene();
    let column = |path: String| {
        let named = scene.names.iter().find(|named| named.path == path);
        match named.map(|named| named.operand) {
            Some(Operand::Column(column)) => column,
            _ => panic!("{path} does not move"),
        }
    };
    let columns = JOINTS.map(|joint| match joint {
        "gait.travel" => [column(format!("man.{joint}")); 2],
        _ => ["x", "y"].map(|axis| column(format!("man.{joint}.{axis}"))),
    });
    let timeline = simulate(
        scene,
        &Frames::own(scene, 0..frames),
        columns.as_flattened(),
    )
    .expect("numbers");
    let mut row = Vec::new();
    (0..frames)
        .map(|frame| {
            timeline.row(frame, &mut row);
            columns.map(|joint| joint.map(|column| row[column as usize]))
        })
        .collect()
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

/// The worst that is found.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    /// By group, at the switch and at the way back.
    excess: [[f64; 3]; 2],
    jolt: [[f64; 3]; 2],
    demand: f64,
}

impl Worst {
    fn or(self, other: Self) -> Self {
        let more = |a: [[f64; 3]; 2], b: [[f64; 3]; 2]| {
            [0, 1].map(|when| [0, 1, 2].map(|group| a[when][group].max(b[when][group])))
        };
        Self {
            excess: more(self.excess, other.excess),
            jolt: more(self.jolt, other.jolt),
            demand: self.demand.max(other.demand),
        }
    }
}

/// Over all frames of one pair of motions.
fn worst(part: &str, first: (&str, usize, usize), second: &str) -> Worst {
    let (word, cycle, every) = first;
    let frames: Vec<usize> = (0..cycle).step_by(every).collect();
    let all = frames.par_iter().map(|frame| {
        // The legs' clock stands somewhere else each time; a gait has settled.
        let start = 30 + 7 * frame % 37;
        let at = start + frame + if is_gait(word) { 40 } else { 2 };
        let back = at + BACK[frame / every % BACK.len()];
        let cues = [(0, "walk"), (start, word), (at, second), (back, word)];
        let plain = figure(part, &cues[..2], at + 2);
        let there = figure(part, &cues[..3], back + 2);
        // Until the last blend is over.
        let again = figure(part, &cues, back + 20);
        let mut found = Worst {
            demand: demand(&again),
            ..Worst::default()
        };
        for (joint, name) in JOINTS[..FEET].iter().enumerate() {
            let group = group(name);
            for (when, (with, without, at)) in [(&there, &plain, at), (&again, &there, back)]
                .into_iter()
                .enumerate()
            {
                let [most, hardest] = [&mut found.excess, &mut found.jolt];
                most[when][group] = most[when][group].max(excess(with, without, joint, at));
                hardest[when][group] = hardest[when][group].max(jolt(with, without, joint, at));
            }
        }
        found
    });
    all.reduce(Worst::default, Worst::or)
}

/// Most px by which a step may be longer.
const MOST: f64 = 0.5;
/// Most px per frame by which a speed may change more, by group. The trunk does so when a take-off is broken off while
/// the legs still stand, feet when they are set down on ground that moves or are left behind by it.
const HARDEST: [f64; 3] = [1.5, 7.5, 3.5];
/// The length of a leg less its softness: more would lift a foot that stands.
const REACH: f64 = 73.0;

#[test]
fn no_joint_is_jerked_when_the_motion_changes() {
    let path = specs::folder().join("parts/biped.json");
    let part = std::fs::read_to_string(path).expect("the figure");
    for first in MOTIONS {
        for (second, ..) in MOTIONS.into_iter().filter(|second| second.0 != first.0) {
            let found = worst(&part, first, second);
            let steps = found.excess.as_flattened();
            let holds = steps.iter().all(|excess| *excess <= MOST)
                && (found.jolt.iter())
                    .all(|jolt| jolt.iter().zip(HARDEST).all(|(jolt, most)| *jolt <= most))
                && found.demand <= REACH;
            assert!(holds, "{} to {second}: {found:.2?}", first.0);
        }
    }
}
