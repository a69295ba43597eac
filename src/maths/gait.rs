//! Legs that share one clock: a foot stands while the ground carries it back, then swings forward.
//!
//! A cycle is one turn of the phase. For the share `duty` of it the foot is down and moves from +stride/2
//! to −stride/2 below the hip, so the ground must pass at stride · frequency / duty. While the numbers of
//! the gait change, a foot that is down keeps its place on the ground until its share of the cycle is over or
//! the ground has carried it to the end of its stride, and a swing goes from where the foot left to where it
//! will land.

use super::functions::{clamp, floor, lerp, minimum, modulo, sign, sin, sqrt};

/// The numbers of a gait at an instant. Lengths in px, the rate in cycles per T.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gait {
    /// Way of a foot below the hip while it is down; below 0 when walking backward.
    pub stride: f64,
    pub frequency: f64,
    /// Share of the cycle in which a foot is down, 0 < duty < 1.
    pub duty: f64,
    /// Height of a swing.
    pub lift: f64,
    /// Height of the hip's rise, twice a cycle.
    pub bob: f64,
    /// Shift of that rise in turns.
    pub bob_phase: f64,
}

impl Gait {
    /// Between two gaits, number by number; `by` is held within 0 to 1.
    pub fn mix(a: &Self, b: &Self, by: f64) -> Self {
        let u = clamp(by, 0.0, 1.0);
        Self {
            stride: lerp(a.stride, b.stride, u),
            frequency: lerp(a.frequency, b.frequency, u),
            duty: lerp(a.duty, b.duty, u),
            lift: lerp(a.lift, b.lift, u),
            bob: lerp(a.bob, b.bob, u),
            bob_phase: lerp(a.bob_phase, b.bob_phase, u),
        }
    }

    /// Speed of the ground in px/T: stride · frequency / duty.
    pub fn speed(&self) -> f64 {
        self.stride * self.frequency / self.duty
    }

    /// Way of the ground in one cycle, in px.
    pub fn pace(&self) -> f64 {
        self.stride / self.duty
    }

    /// A foot at a phase of its leg in [0, 1): [x from the hip line, y up negative], both in px. At constant
    /// speed while down, then by smoothstep with half a sine of lift.
    pub fn foot(&self, phase: f64) -> [f64; 2] {
        let half = self.stride / 2.0;
        if phase < self.duty {
            return [lerp(half, -half, phase / self.duty), 0.0];
        }
        let u = (phase - self.duty) / (1.0 - self.duty);
        [lerp(-half, half, smooth(u)), self.height(u)]
    }

    /// Height of a swing at a share of it, in px, up negative.
    pub fn height(&self, u: f64) -> f64 {
        -self.lift * sin(180.0 * u)
    }

    /// Rise of the hip at a phase, in px, up positive: highest at ¼ + `bob_phase`, twice a cycle.
    pub fn rise(&self, phase: f64) -> f64 {
        self.bob * sin(360.0 * (phase - self.bob_phase)).abs()
    }
}

/// 3u² − 2u³.
fn smooth(u: f64) -> f64 {
    u * u * (3.0 - 2.0 * u)
}

/// A stretch of time over which a gait's rate, speed and duty run straight from one value to another.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub from: Gait,
    pub to: Gait,
    /// Its length in T, ≥ 0.
    pub dt: f64,
}

impl Step {
    /// Turns of the phase after a time: the integral of the frequency.
    pub fn turned(&self, time: f64) -> f64 {
        self.integral(self.from.frequency, self.to.frequency, time)
    }

    /// Way of the ground after a time in px: the integral of the speed.
    pub fn travelled(&self, time: f64) -> f64 {
        self.integral(self.from.speed(), self.to.speed(), time)
    }

    fn integral(&self, from: f64, to: f64, time: f64) -> f64 {
        if self.dt == 0.0 {
            return 0.0;
        }
        from * time + 0.5 * (to - from) * time * (time / self.dt)
    }

    /// When the phase has turned so far.
    fn when_turned(&self, turns: f64) -> f64 {
        let bend = self.per_time(self.to.frequency - self.from.frequency);
        let time = first_root(0.5 * bend, self.from.frequency, -turns);
        time.map_or(self.dt, |time| time.min(self.dt))
    }

    fn per_time(&self, change: f64) -> f64 {
        match self.dt == 0.0 {
            true => 0.0,
            false => change / self.dt,
        }
    }

    /// The first time from `since` on at which a foot leaves the ground: its leg's phase, `start` at the step's
    /// beginning, reaches the duty, or the ground has carried it from `x` to the end of its stride.
    ///
    /// Both come at once in a steady gait. The second keeps a foot that landed in a long fast stride from being
    /// dragged along by the long stance of a slow one.
    fn lift_off(&self, start: f64, x: f64, since: f64) -> Option<f64> {
        let by_phase = Line {
            start: start - self.from.duty,
            rate: self.from.frequency - self.per_time(self.to.duty - self.from.duty),
            bend: 0.5 * self.per_time(self.to.frequency - self.from.frequency),
        };
        let way = sign(self.from.stride);
        let by_place = Line {
            start: way * (-x - 0.5 * self.from.stride),
            rate: way
                * (self.from.speed() - 0.5 * self.per_time(self.to.stride - self.from.stride)),
            bend: way * 0.5 * self.per_time(self.to.speed() - self.from.speed()),
        };
        let by_place = by_place.crosses_zero(since).filter(|_| way != 0.0);
        let times = [by_phase.crosses_zero(since), by_place];
        let first = times.into_iter().flatten().reduce(minimum)?;
        (first <= self.dt).then_some(first)
    }
}

/// start + rate · t + bend · t².
struct Line {
    start: f64,
    rate: f64,
    bend: f64,
}

impl Line {
    /// The first time from `since` on at which it is not below 0.
    fn crosses_zero(&self, since: f64) -> Option<f64> {
        let value = self.start + since * (self.rate + self.bend * since);
        if value >= 0.0 {
            return Some(since);
        }
        let rate = self.rate + 2.0 * self.bend * since;
        Some(since + first_root(self.bend, rate, value)?)
    }
}

/// The smallest positive root of a·t² + b·t + c with c < 0 (or the root 0 of c = 0).
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let inner = b * b - 4.0 * a * c;
    if inner < 0.0 {
        return None;
    }
    let root = match b > 0.0 {
        true => -2.0 * c / (b + sqrt(inner)),
        false => (sqrt(inner) - b) / (2.0 * a),
    };
    (root.is_finite() && root >= 0.0).then_some(root)
}

/// A leg: standing on the ground, or swinging.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leg {
    /// Its place in `travel`: below the hip it is at place − travel.
    Down { place: f64 },
    /// Its x from the hip line, and the leg's phase when it left the ground.
    Up { x: f64, lifted: f64 },
}

/// A touch-down that is missed by rounding alone has happened.
const SLACK: f64 = 1e-12;

impl Leg {
    /// A leg that has kept to this gait for ever.
    pub fn at(gait: &Gait, phase: f64, travel: f64) -> Self {
        let [x, _] = gait.foot(phase);
        match phase < gait.duty {
            true => Self::Down { place: travel + x },
            false => Self::Up {
                x,
                lifted: gait.duty,
            },
        }
    }

    /// The leg after a step, which began at this phase of the leg and at this travel.
    ///
    /// Where the foot lands is settled by the gait at the beginning of the step alone. So it does not depend on
    /// where within the step somebody looks.
    pub fn after(self, step: &Step, phase: f64, travel: f64) -> Self {
        let turned = step.turned(step.dt);
        let landings = floor(phase + turned + SLACK);
        let (leg, since) = match landings >= 1.0 {
            true => {
                let aim = step.from.stride / 2.0 + step.from.pace() * (landings - phase);
                let place = travel + aim;
                (Self::Down { place }, step.when_turned(landings - phase))
            }
            false => (self, 0.0),
        };
        let now = phase + turned - landings;
        // Where it would land if the ground went on as it began.
        let strayed = step.travelled(step.dt) - step.from.pace() * turned;
        let aim = step.from.stride / 2.0 - strayed;
        match leg {
            Self::Up { x, lifted } => {
                let (before, after) = (share(phase, lifted), share(now, lifted));
                let part = (smooth(after) - smooth(before)) / (1.0 - smooth(before));
                let x = if part.is_finite() {
                    lerp(x, aim, part)
                } else {
                    aim
                };
                Self::Up { x, lifted }
            }
            Self::Down { place } => match step.lift_off(phase - landings, place - travel, since) {
                None => leg,
                Some(time) => {
                    let lifted = phase - landings + step.turned(time);
                    let left = place - travel - step.travelled(time);
                    let x = lerp(left, aim, smooth(share(now, lifted)));
                    Self::Up { x, lifted }
                }
            },
        }
    }

    /// x from the hip line in px.
    pub fn x(&self, travel: f64) -> f64 {
        match self {
            Self::Down { place } => place - travel,
            Self::Up { x, .. } => *x,
        }
    }

    /// How much of the swing is over, 0 to 1; 0 while down.
    pub fn swing(&self, phase: f64) -> f64 {
        match self {
            Self::Down { .. } => 0.0,
            Self::Up { lifted, .. } => share(phase, *lifted),
        }
    }

    /// Whether the foot stands.
    pub fn is_down(&self) -> bool {
        matches!(self, Self::Down { .. })
    }
}

fn share(phase: f64, lifted: f64) -> f64 {
    clamp((phase - lifted) / (1.0 - lifted), 0.0, 1.0)
}

/// The phase of a leg that is shifted by so many turns, in [0, 1).
pub fn leg_phase(phase: f64, shift: f64) -> f64 {
    modulo(phase + shift, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::reference::{list, number, numbers, read};
    use proptest::prelude::*;

    #[test]
    fn matches_the_article() {
        let data = read(include_str!("../../tests/data/002_gait.json"));
        for case in list(&data["gaits"]) {
            let gait = Gait {
                stride: number(&case["stride"]),
                frequency: number(&case["cyc"]),
                duty: number(&case["duty"]),
                lift: number(&case["stepH"]),
                ..Gait::default()
            };
            assert_eq!(gait.speed(), number(&case["scroll"]));
            let ground = number(&case["groundY"]);
            let phases = numbers(&case["pph"]);
            let feet = list(&case["foot"]).iter().zip(&phases);
            let far = list(&case["far_foot"]).iter().zip(&phases);
            let far = far.map(|(foot, phase)| (foot, leg_phase(*phase, 0.5)));
            for (foot, phase) in feet.map(|(foot, phase)| (foot, *phase)).chain(far) {
                let [x, y] = numbers(foot)[..] else { panic!() };
                let [ours_x, ours_y] = gait.foot(phase);
                let within = if phase < gait.duty { 0.0 } else { 1e-11 };
                assert!((ours_x - x).abs() <= within, "{phase}: {ours_x} {x}");
                assert!((ground + ours_y - y).abs() <= 1e-11, "{phase}: {ours_y}");
            }
        }
    }

    fn any_gait() -> impl Strategy<Value = Gait> {
        (10.0..120.0, 0.3..4.0, 0.15..0.85).prop_map(|(stride, frequency, duty)| Gait {
            stride,
            frequency,
            duty,
            lift: 20.0,
            ..Gait::default()
        })
    }

    /// Travel, foot and whether it is down, tick by tick.
    fn walk(a: Gait, b: Gait, ticks: usize, by: impl Fn(f64) -> f64) -> Vec<(f64, Leg)> {
        let dt = 1.0 / 60.0;
        let at = |k: usize| Gait::mix(&a, &b, by(k as f64 * dt));
        let (mut phase, mut travel) = (0.0, 0.0);
        let mut leg = Leg::at(&at(0), phase, travel);
        let mut steps = vec![(travel, leg)];
        for k in 0..ticks {
            let step = Step {
                from: at(k),
                to: at(k + 1),
                dt,
            };
            leg = leg.after(&step, phase, travel);
            phase = leg_phase(phase, step.turned(dt));
            travel += step.travelled(dt);
            steps.push((travel, leg));
        }
        steps
    }

    #[test]
    fn a_constant_gait_is_the_plain_formula() {
        let gait = Gait {
            stride: 56.0,
            frequency: 1.35,
            duty: 0.62,
            ..Gait::default()
        };
        for (k, (travel, leg)) in walk(gait, gait, 2000, |_| 0.0).iter().enumerate() {
            let phase = leg_phase(k as f64 * 1.35 / 60.0, 0.0);
            let x = gait.foot(phase)[0];
            assert!((leg.x(*travel) - x).abs() < 1e-9, "{k}");
        }
    }

    proptest! {
        #[test]
        fn a_foot_that_is_down_does_not_slip_and_never_jumps(
            a in any_gait(), b in any_gait(), rate in 0.2..3.0
        ) {
            let steps = walk(a, b, 600, |t| 0.5 - 0.5 * crate::maths::functions::cos(360.0 * rate * t));
            let fastest = |g: &Gait| g.speed().max(1.5 * g.stride * g.frequency / (1.0 - g.duty));
            let speed = 3.0 * (fastest(&a).max(fastest(&b)) + fastest(&Gait {
                stride: a.stride.max(b.stride),
                frequency: a.frequency.max(b.frequency),
                duty: a.duty.max(b.duty),
                ..a
            }));
            for pair in steps.windows(2) {
                let ((travel, before), (later, after)) = (pair[0], pair[1]);
                let moved = after.x(later) - before.x(travel);
                if let (Leg::Down { place: a }, Leg::Down { place: b }) = (before, after) {
                    // A whole swing may fit between two ticks only where the phase turns that fast.
                    prop_assert!(a == b, "slipped by {}", b - a);
                }
                prop_assert!(moved.abs() < speed / 60.0 + 1e-9, "{moved}");
            }
        }

        #[test]
        fn where_it_lands_does_not_depend_on_who_looks(
            a in any_gait(), b in any_gait(), phase in 0.0..1.0, early in 0.0..1.0
        ) {
            let dt = 1.0 / 60.0;
            let whole = Step { from: a, to: b, dt };
            // Somebody looks before the end of the step, where the gait is not quite on the straight line.
            let seen = Gait::mix(&a, &b, 0.9 * early);
            let part = Step { from: a, to: seen, dt: early * dt };
            let leg = Leg::at(&a, phase, 0.0);
            let (end, middle) = (leg.after(&whole, phase, 0.0), leg.after(&part, phase, 0.0));
            if let (Leg::Down { place: x }, Leg::Down { place: y }) = (end, middle) {
                prop_assert!((x - y).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_negative_stride_walks_backward_and_none_on_the_spot() {
        let gait = |stride| Gait {
            stride,
            frequency: 1.35,
            duty: 0.62,
            ..Gait::default()
        };
        let forward = walk(gait(56.0), gait(40.0), 500, |t| t / 8.0);
        let backward = walk(gait(-56.0), gait(-40.0), 500, |t| t / 8.0);
        for ((there, ahead), (back, behind)) in forward.iter().zip(&backward) {
            assert_eq!(*back, -there);
            assert!((behind.x(*back) + ahead.x(*there)).abs() < 1e-9);
            assert_eq!(behind.is_down(), ahead.is_down());
        }
        let on_the_spot = walk(gait(0.0), gait(0.0), 500, |_| 0.0);
        assert!(
            on_the_spot
                .iter()
                .all(|(travel, leg)| leg.x(*travel) == 0.0)
        );
        assert!(on_the_spot.iter().filter(|(_, leg)| leg.is_down()).count() > 250);
    }

    #[test]
    fn a_foot_of_a_long_stride_is_not_dragged_along_by_a_short_one() {
        let (run, stroll) = (
            Gait {
                stride: 74.0,
                frequency: 2.46,
                duty: 0.37,
                ..Gait::default()
            },
            Gait {
                stride: 56.0,
                frequency: 1.35,
                duty: 0.62,
                ..Gait::default()
            },
        );
        for late in 0..40 {
            let start = f64::from(late) / 60.0;
            for (travel, leg) in walk(run, stroll, 120, |t| (t - start) / 0.2) {
                assert!(leg.x(travel) > -37.0 - 1e-9, "{}", leg.x(travel));
            }
        }
    }

    #[test]
    fn very_fast_gaits_cost_no_time() {
        let gait = Gait {
            stride: 1.0,
            frequency: 1e9,
            duty: 0.5,
            ..Gait::default()
        };
        let step = Step {
            from: gait,
            to: gait,
            dt: 1.0,
        };
        let leg = Leg::at(&gait, 0.25, 0.0).after(&step, 0.25, 0.0);
        assert!((leg.x(step.travelled(1.0)) - gait.foot(0.25)[0]).abs() < 1e-5);
    }
}
