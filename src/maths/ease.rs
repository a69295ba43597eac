//! Eases: how the way between two keys is spread over the time between them.
//!
//! Input u is the share of the time, output the share of the way. The named families are those of
//! easings.net, the CSS words those of CSS Easing Level 1.

use super::bezier::CubicBezier;
use super::functions::{TAU, ceil, cos, floor, pow, sin, sqrt};
use super::spring_ease::SpringEase;

/// Overshoot of `back`: about a tenth of the way.
const BACK: f64 = 1.70158;
/// For `in_out_back`, as easings.net has it.
const BACK_IN_OUT: f64 = BACK * 1.525;
/// One swing of `elastic`, as a share of the segment.
const ELASTIC: f64 = 0.3;
/// For `in_out_elastic`, as a share of half the segment.
const ELASTIC_IN_OUT: f64 = 0.45;
/// A step is taken this share of a step early, so that it falls on the frame it was meant for in spite of rounding.
const STEP_SLACK: f64 = 1e-9;

/// One way to spread a change over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ease {
    /// u itself.
    Linear,
    /// 0 until u reaches 1.
    Hold,
    /// 3u² − 2u³.
    Smoothstep,
    /// A family of easings.net, in one of its three directions.
    Named(Family, Direction),
    /// CSS `cubic-bezier(x1, y1, x2, y2)`.
    CubicBezier(CubicBezier),
    /// n equal steps, each jumping at its end (CSS `jump-end`); 0 counts as 1.
    Steps(u32),
    /// 1 throughout, at u = 0 too: the jump comes first (CSS `step-start`).
    StepStart,
    /// A spring that is cut off, scaled to end at 1.
    Spring(SpringEase),
}

/// Shapes of easings.net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Sine,
    Quad,
    Cubic,
    Quart,
    Quint,
    /// Starts with a jump of 1/1024, as easings.net has it.
    Expo,
    Circ,
    Back,
    Elastic,
    Bounce,
}

/// Where a family is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Slow at the start.
    In,
    /// Slow at the end: `In` turned about the middle.
    Out,
    /// Slow at both: half of each.
    InOut,
}

impl Ease {
    /// Every word `named` knows.
    #[rustfmt::skip]
    pub const NAMES: &[&str] = &[
        "linear", "hold", "smoothstep",
        "ease", "ease_in", "ease_out", "ease_in_out", "step_start", "step_end",
        "in_sine", "out_sine", "in_out_sine",
        "in_quad", "out_quad", "in_out_quad",
        "in_cubic", "out_cubic", "in_out_cubic",
        "in_quart", "out_quart", "in_out_quart",
        "in_quint", "out_quint", "in_out_quint",
        "in_expo", "out_expo", "in_out_expo",
        "in_circ", "out_circ", "in_out_circ",
        "in_back", "out_back", "in_out_back",
        "in_elastic", "out_elastic", "in_out_elastic",
        "in_bounce", "out_bounce", "in_out_bounce",
    ];

    /// The ease with this name; None for a word not in `NAMES`.
    pub fn named(name: &str) -> Option<Self> {
        let bezier = |x1, y1, x2, y2| CubicBezier::new(x1, y1, x2, y2).map(Self::CubicBezier);
        match name {
            "linear" => Some(Self::Linear),
            "hold" => Some(Self::Hold),
            "smoothstep" => Some(Self::Smoothstep),
            "ease" => bezier(0.25, 0.1, 0.25, 1.0),
            "ease_in" => bezier(0.42, 0.0, 1.0, 1.0),
            "ease_out" => bezier(0.0, 0.0, 0.58, 1.0),
            "ease_in_out" => bezier(0.42, 0.0, 0.58, 1.0),
            "step_start" => Some(Self::StepStart),
            "step_end" => Some(Self::Steps(1)),
            _ => {
                let (direction, family) = Direction::split(name)?;
                Some(Self::Named(Family::named(family)?, direction))
            }
        }
    }

    /// Share of the way at u, for u from 0 to 1 (held outside).
    ///
    /// Exactly 0 at 0 and exactly 1 at 1; `StepStart` alone is 1 at 0 too. At a jump: the value after it.
    pub fn at(&self, u: f64) -> f64 {
        if u >= 1.0 || *self == Self::StepStart {
            return 1.0;
        }
        if u.is_nan() || u <= 0.0 {
            return 0.0;
        }
        match self {
            Self::Linear => u,
            Self::Hold => 0.0,
            Self::Smoothstep => u * u * (3.0 - 2.0 * u),
            Self::Named(family, direction) => direction.turn(u, |v| family.rise(v, *direction)),
            Self::CubicBezier(curve) => curve.at(u),
            Self::Steps(n) => {
                let n = steps(*n);
                floor(u * n + STEP_SLACK) / n
            }
            Self::StepStart => 1.0,
            Self::Spring(spring) => spring.at(u),
        }
    }

    /// The limit of `at` from the left: at a jump the value before it, elsewhere the same.
    pub fn before(&self, u: f64) -> f64 {
        match self {
            Self::Hold => 0.0,
            Self::Steps(n) => {
                let n = steps(*n);
                let step = ceil(u.min(1.0) * n - STEP_SLACK) - 1.0;
                step.max(0.0) / n
            }
            Self::StepStart if u > 0.0 => 1.0,
            Self::StepStart => 0.0,
            _ => self.at(u),
        }
    }

    /// Derivative at u = 1 from the left: share of the way per share of the time.
    ///
    /// Zero for what stands still and jumps; infinite for `in_circ` and for Béziers that end upright.
    pub fn exit_slope(&self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Hold | Self::Smoothstep | Self::Steps(_) | Self::StepStart => 0.0,
            Self::Named(family, Direction::In) => family.end_slope(),
            Self::Named(family, direction) => family.start_slope(*direction),
            Self::CubicBezier(curve) => curve.exit_slope(),
            Self::Spring(spring) => spring.exit_slope(),
        }
    }

    /// Every u at which it jumps, rising.
    pub fn jumps(&self) -> Vec<f64> {
        match self {
            Self::Hold => vec![1.0],
            Self::StepStart => vec![0.0],
            Self::Steps(n) => {
                let count = (*n).max(1);
                (1..=count)
                    .map(|k| f64::from(k) / f64::from(count))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it leaves [0, 1] on the way.
    pub fn overshoots(&self) -> bool {
        match self {
            Self::Named(family, _) => matches!(family, Family::Back | Family::Elastic),
            Self::CubicBezier(curve) => curve.overshoots(),
            Self::Spring(spring) => spring.overshoots(),
            _ => false,
        }
    }
}

/// A number of steps to divide by.
fn steps(n: u32) -> f64 {
    f64::from(n.max(1))
}

impl Direction {
    /// The direction a name starts with, and the rest of it.
    fn split(name: &str) -> Option<(Self, &str)> {
        let prefixes = [
            ("in_out_", Self::InOut),
            ("in_", Self::In),
            ("out_", Self::Out),
        ];
        prefixes
            .iter()
            .find_map(|(prefix, direction)| Some((*direction, name.strip_prefix(prefix)?)))
    }

    /// Turns a curve that is slow at the start into this direction.
    fn turn(self, u: f64, rise: impl Fn(f64) -> f64) -> f64 {
        match self {
            Self::In => rise(u),
            Self::Out => 1.0 - rise(1.0 - u),
            Self::InOut if u < 0.5 => 0.5 * rise(2.0 * u),
            Self::InOut => 1.0 - 0.5 * rise(2.0 - 2.0 * u),
        }
    }
}

impl Family {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sine" => Self::Sine,
            "quad" => Self::Quad,
            "cubic" => Self::Cubic,
            "quart" => Self::Quart,
            "quint" => Self::Quint,
            "expo" => Self::Expo,
            "circ" => Self::Circ,
            "back" => Self::Back,
            "elastic" => Self::Elastic,
            "bounce" => Self::Bounce,
            _ => return None,
        })
    }

    /// The curve that is slow at the start, with the constants this direction uses.
    fn rise(self, u: f64, direction: Direction) -> f64 {
        match self {
            Self::Sine => 1.0 - cos(90.0 * u),
            Self::Quad => u * u,
            Self::Cubic => u * u * u,
            Self::Quart => u * u * u * u,
            Self::Quint => u * u * u * u * u,
            Self::Expo => pow(2.0, 10.0 * (u - 1.0)),
            Self::Circ => 1.0 - sqrt(1.0 - u * u),
            Self::Back => {
                let c = back(direction);
                u * u * ((c + 1.0) * u - c)
            }
            Self::Elastic => -pow(2.0, 10.0 * (u - 1.0)) * sin(elastic_angle(u, direction)),
            Self::Bounce => 1.0 - bounce_out(1.0 - u),
        }
    }

    /// Slope of `rise` at u = 1.
    fn end_slope(self) -> f64 {
        let ln_2 = core::f64::consts::LN_2;
        match self {
            Self::Sine => TAU / 4.0,
            Self::Quad => 2.0,
            Self::Cubic => 3.0,
            Self::Quart => 4.0,
            Self::Quint => 5.0,
            Self::Expo | Self::Elastic => 10.0 * ln_2,
            Self::Circ => f64::INFINITY,
            Self::Back => BACK + 3.0,
            Self::Bounce => 0.0,
        }
    }

    /// Slope of `rise` just after u = 0; by symmetry that of the other directions at their end.
    fn start_slope(self, direction: Direction) -> f64 {
        let ln_2 = core::f64::consts::LN_2;
        match self {
            Self::Expo => 10.0 * ln_2 / 1024.0,
            Self::Elastic => {
                let angle = elastic_angle(0.0, direction);
                let turning = TAU / elastic(direction);
                -(10.0 * ln_2 * sin(angle) + turning * cos(angle)) / 1024.0
            }
            Self::Bounce => 0.6875,
            _ => 0.0,
        }
    }
}

fn back(direction: Direction) -> f64 {
    match direction {
        Direction::InOut => BACK_IN_OUT,
        _ => BACK,
    }
}

fn elastic(direction: Direction) -> f64 {
    match direction {
        Direction::InOut => ELASTIC_IN_OUT,
        _ => ELASTIC,
    }
}

/// Angle of the swing in degrees: a quarter turn short of zero at the end.
fn elastic_angle(u: f64, direction: Direction) -> f64 {
    (u - 1.0) / elastic(direction) * 360.0 - 90.0
}

/// Four parabolas: a ball that falls, and bounces three times ever lower.
fn bounce_out(u: f64) -> f64 {
    let parabola = |middle: f64, foot: f64| {
        let v = u - middle / 2.75;
        7.5625 * v * v + foot
    };
    if u < 1.0 / 2.75 {
        parabola(0.0, 0.0)
    } else if u < 2.0 / 2.75 {
        parabola(1.5, 0.75)
    } else if u < 2.5 / 2.75 {
        parabola(2.25, 0.9375)
    } else {
        parabola(2.625, 0.984375)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (String, Ease)> {
        let named = Ease::NAMES
            .iter()
            .map(|n| (n.to_string(), Ease::named(n).expect(n)));
        let springs = [-0.9, 0.0, 0.4, 0.9].map(|b| {
            let spring = SpringEase::new(b).expect("legal");
            (format!("spring {b}"), Ease::Spring(spring))
        });
        let steps = [1, 3, 49].map(|n| (format!("steps {n}"), Ease::Steps(n)));
        named.chain(springs).chain(steps)
    }

    #[test]
    fn every_name_is_known_and_no_other() {
        assert_eq!(Ease::NAMES.len(), 39);
        for name in Ease::NAMES {
            assert!(Ease::named(name).is_some(), "{name}");
        }
        for name in [
            "",
            "in_",
            "in_out",
            "easeInOutCubic",
            "ease-in",
            "in_out_in_sine",
            "sine",
        ] {
            assert_eq!(Ease::named(name), None, "{name}");
        }
    }

    #[test]
    fn ends_are_exact() {
        for (name, ease) in all() {
            let start = if ease == Ease::StepStart { 1.0 } else { 0.0 };
            assert_eq!(ease.at(0.0), start, "{name}");
            assert_eq!(ease.at(-3.0), start, "{name}");
            assert_eq!(ease.at(1.0), 1.0, "{name}");
            assert_eq!(ease.at(7.0), 1.0, "{name}");
            assert!(ease.at(f64::NAN).is_finite(), "{name}");
        }
    }

    /// Formulas as printed on easings.net, in radians.
    #[test]
    fn families_are_those_of_easings_net() {
        use crate::maths::functions::sin_radians;
        let c4 = TAU / 3.0;
        let c5 = TAU / 4.5;
        for i in 1..1000 {
            let x = f64::from(i) / 1000.0;
            let in_out_back = |c2: f64| {
                if x < 0.5 {
                    pow(2.0 * x, 2.0) * ((c2 + 1.0) * 2.0 * x - c2) / 2.0
                } else {
                    (pow(2.0 * x - 2.0, 2.0) * ((c2 + 1.0) * (x * 2.0 - 2.0) + c2) + 2.0) / 2.0
                }
            };
            let in_out_elastic = if x < 0.5 {
                -(pow(2.0, 20.0 * x - 10.0) * sin_radians((20.0 * x - 11.125) * c5)) / 2.0
            } else {
                pow(2.0, -20.0 * x + 10.0) * sin_radians((20.0 * x - 11.125) * c5) / 2.0 + 1.0
            };
            let expected = [
                ("out_sine", sin_radians(x * TAU / 4.0)),
                ("out_quint", 1.0 - pow(1.0 - x, 5.0)),
                ("out_expo", 1.0 - pow(2.0, -10.0 * x)),
                ("out_circ", sqrt(1.0 - pow(x - 1.0, 2.0))),
                ("in_back", 2.70158 * x * x * x - 1.70158 * x * x),
                ("in_out_back", in_out_back(1.70158 * 1.525)),
                (
                    "in_elastic",
                    -pow(2.0, 10.0 * x - 10.0) * sin_radians((x * 10.0 - 10.75) * c4),
                ),
                (
                    "out_elastic",
                    pow(2.0, -10.0 * x) * sin_radians((x * 10.0 - 0.75) * c4) + 1.0,
                ),
                ("in_out_elastic", in_out_elastic),
            ];
            for (name, y) in expected {
                let ours = Ease::named(name).expect(name).at(x);
                assert!((ours - y).abs() < 1e-13, "{name} at {x}: {ours}, {y}");
            }
        }
    }

    #[test]
    fn exit_slope_is_the_slope_of_the_last_stretch() {
        for (name, ease) in all() {
            let slope = ease.exit_slope();
            let h = 1e-6;
            // Measured between two points short of the end, where `expo` and steps still jump.
            let (a, b) = (ease.at(1.0 - 2.0 * h), ease.at(1.0 - h));
            let measured = (b - a) / h;
            if slope.is_finite() {
                assert!(
                    (slope - measured).abs() < 2e-3,
                    "{name}: {slope}, {measured}"
                );
            } else {
                assert!(measured > 100.0, "{name}: {measured}");
            }
        }
    }

    #[test]
    fn only_jumps_jump() {
        for (name, ease) in all() {
            let mut jumps = Vec::new();
            for i in 0..=6000 {
                let u = f64::from(i) / 6000.0;
                if ease.at(u) != ease.before(u) {
                    jumps.push(u);
                }
            }
            if name != "steps 49" {
                assert_eq!(jumps, ease.jumps(), "{name}");
            }
            for u in ease.jumps() {
                assert!(ease.before(u) < ease.at(u), "{name} at {u}");
                if u > 0.0 {
                    assert_eq!(ease.before(u), ease.at(u - 1e-6), "{name} at {u}");
                }
            }
        }
    }

    #[test]
    fn overshooting_eases_say_so() {
        for (name, ease) in all() {
            let outside = (0..=1000)
                .map(|i| ease.at(f64::from(i) / 1000.0))
                .any(|y| !(0.0..=1.0).contains(&y));
            assert_eq!(ease.overshoots(), outside, "{name}");
        }
    }

    #[test]
    fn bounce_touches_the_goal_between_bounces() {
        for u in [1.0 / 2.75, 2.0 / 2.75, 2.5 / 2.75] {
            assert!((bounce_out(u) - 1.0).abs() < 1e-14);
        }
    }
}
