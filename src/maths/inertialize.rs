//! Carrying a motion over into another: the old one coasts to rest while its weight sinks to 0.
//!
//! This is dead blending (D. Holden, 2023), a form of inertialisation: place and speed are kept at the switch,
//! nothing of the old motion has to be played on, and the value stays between the coasting old motion
//! and the new one, so that it cannot swing out however fast the new motion begins.

use super::functions::{clamp, round, rounding, sign};

/// Weight of the old motion at a share u of the transition: 1 at 0, 0 from 1 on, flat to the third order at both
/// ends (1 − 35u⁴ + 84u⁵ − 70u⁶ + 20u⁷), so that next to nothing of a far new motion shows in the first frame.
pub fn weight(u: f64) -> f64 {
    let u = clamp(u, 0.0, 1.0);
    let square = u * u;
    1.0 - square * square * (35.0 - u * (84.0 - u * (70.0 - 20.0 * u)))
}

/// The slope of [`weight`].
fn slope(u: f64) -> f64 {
    let u = clamp(u, 0.0, 1.0);
    let both = u * (1.0 - u);
    -140.0 * both * both * both
}

/// Where something is that brakes steadily from `speed` to rest over `length` T, after `elapsed` T.
pub fn coast(from: f64, speed: f64, elapsed: f64, length: f64) -> f64 {
    if length <= 0.0 {
        return from;
    }
    let time = clamp(elapsed, 0.0, length);
    from + speed * time * (1.0 - 0.5 * time / length)
}

/// How fast it then is.
fn braked(speed: f64, elapsed: f64, length: f64) -> f64 {
    match elapsed < length {
        true => speed * (1.0 - elapsed.max(0.0) / length),
        false => 0.0,
    }
}

/// The value that is a whole number of periods from `from` and nearest to `to`.
pub fn short_way(from: f64, to: f64, period: f64) -> f64 {
    from + period * round((to - from) / period)
}

/// What tells the speed of a value at an instant: its mean speeds over ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Per T, over the last ticks, the latest first.
    pub speeds: [f64; 3],
    /// How long ago the latest of them ended, in T.
    pub age: f64,
}

/// A tick that is so many times as fast as those before it is a jump.
const SUDDEN: f64 = 8.0;

impl Pace {
    /// After a step of `dt` T by `way`. One shorter than half a tick stands at a jump, where a quotient says nothing.
    fn note(&mut self, way: f64, dt: f64, tick: f64) {
        if dt < 0.5 * tick {
            self.age += dt;
            return;
        }
        let [last, before, _] = self.speeds;
        *self = Self {
            speeds: [way / dt, last, before],
            age: 0.0,
        };
    }

    /// The speed now: that of the last tick, or less if it was falling. One that grows may have done so at a corner.
    pub fn now(&self, tick: f64) -> f64 {
        let [last, before, earlier] = self.speeds;
        if last.abs() > SUDDEN * before.abs().max(earlier.abs()) {
            return 0.0;
        }
        let change = lesser(last - before, before - earlier) * (0.5 + self.age / tick);
        last - clamp(-change * sign(last), 0.0, last.abs()) * sign(last)
    }
}

/// Of two changes the smaller if they have one direction, else 0.
fn lesser(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        false => 0.0,
        true if a.abs() < b.abs() => a,
        true => b,
    }
}

/// How a value comes from the old motion to the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The value is the new motion's.
    Settled,
    /// A foot that stood at the switch and stays a moment where it is, before it goes to another place.
    Waiting,
    /// Carried over within the length of a transition.
    Timed,
    /// A foot in the air: carried over until it comes down.
    Swinging,
    /// A foot that stands where the old motion left it.
    Standing,
    /// That foot in its next swing, at the end of which it is where the new motion has it.
    Shedding,
}

/// Share of the transition in which the old motion comes to rest: a longer way on would carry a fast foot far past
/// where it ever goes.
const BRAKING: f64 = 0.15;

/// Share of the transition for which a foot that stood waits: of a usual one some 1/30 s, so that the frame after a
/// switch does not show it slip.
const WAITING: f64 = 0.1;

/// A foot that goes less than this over the ground in a tick, in px, stands.
const STILL: f64 = 0.1;

/// A foot at a moment, as the gait has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// Whether the motion that is on lets the gait move it.
    pub is_led: bool,
    pub is_down: bool,
    /// How much of its swing is over, 0 to 1.
    pub swing: f64,
    /// How far the ground has come, in px.
    pub travel: f64,
}

/// How a foot meets the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    Above,
    /// On the floor, but not still.
    Sliding,
    Standing,
}

/// The ground below a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// How far it has come, in px.
    pub travel: f64,
    /// Its speed over the last tick, in px/T.
    pub speed: f64,
    /// The speed of the foot over it, in px/T.
    pub slide: f64,
}

/// How long a transition takes and how long a tick, both in T.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    pub transition: f64,
    pub tick: f64,
    /// How far a foot may stand from where the new motion has it, and how far it coasts at most, in px.
    pub unlock: f64,
}

impl Lengths {
    /// How long a motion of this speed takes to come to rest.
    fn braking(&self, speed: f64) -> f64 {
        let usual = BRAKING * self.transition;
        let short = 2.0 * self.unlock / speed.abs();
        if short < usual { short } else { usual }
    }
}

/// A value that follows one motion and is carried over when another takes its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    pub value: f64,
    /// Its speed now, per T. All values of a figure are told theirs of the same instant: where two make up for one
    /// another, a stale one would show.
    pub speed: f64,
    /// Of the value; while it is carried over within a time, of what the motion asks for.
    pub pace: Pace,
    /// What the motion asks for.
    pub target: f64,
    /// Value and speed at the switch.
    pub old: [f64; 2],
    /// T since the switch.
    pub elapsed: f64,
    /// How far a foot stands from where the motion has it.
    pub held: f64,
    /// Share of the swing that was over at the switch; of a foot that waits, whether the gait has it down.
    pub start: f64,
    /// How long it waited before, in T.
    pub waited: f64,
    pub ground: Ground,
    pub stage: Stage,
}

impl Carried {
    /// A value that has followed its motion for ever.
    pub fn at(target: f64) -> Self {
        Self {
            value: target,
            speed: 0.0,
            pace: Pace::default(),
            target,
            old: [target, 0.0],
            elapsed: 0.0,
            held: 0.0,
            start: 0.0,
            waited: 0.0,
            ground: Ground::default(),
            stage: Stage::Settled,
        }
    }

    /// Whether a foot has stayed where it is on the ground over the last tick, and does so now.
    pub fn is_still(&self, tick: f64) -> bool {
        let slides = [self.ground.slide, self.speed + self.ground.speed];
        slides.iter().all(|slide| slide.abs() * tick < STILL)
    }

    /// Another motion takes over, which asks for `target` now. `foot` is the foot that the value is the x of, and
    /// how it meets the floor; `period` that of a cyclic value.
    pub fn switch(
        &mut self,
        target: f64,
        foot: Option<(Footing, Contact)>,
        period: Option<f64>,
        lengths: Lengths,
    ) {
        self.target = target;
        if lengths.transition <= 0.0 {
            *self = Self::at(target);
            return;
        }
        if let Some(period) = period {
            self.value = short_way(self.value, target, period);
        }
        self.waited = 0.0;
        self.set_out(foot, lengths);
        let goes = matches!(self.stage, Stage::Timed | Stage::Swinging);
        if let Some((foot, Contact::Standing)) = foot.filter(|_| goes)
            && self.may_wait(foot, lengths)
        {
            (self.stage, self.held) = (Stage::Waiting, 0.0);
            self.start = f64::from(u8::from(foot.is_down));
        }
    }

    /// A foot that the gait does not hold down is not dragged far by the ground.
    fn may_wait(&self, foot: Footing, lengths: Lengths) -> bool {
        let way = self.ground.speed.abs() * WAITING * lengths.transition;
        foot.is_down || way <= lengths.unlock
    }

    /// From where it is now towards the motion.
    fn set_out(&mut self, foot: Option<(Footing, Contact)>, lengths: Lengths) {
        self.old = [self.value, self.speed];
        self.pace = Pace::default();
        self.elapsed = 0.0;
        let Some((foot, contact)) = foot.filter(|(foot, _)| foot.is_led) else {
            (self.stage, self.held, self.start) = (Stage::Timed, 0.0, 0.0);
            return;
        };
        // What cannot be made good in the rest of the swing is left for the next one.
        let late = clamp(2.0 * foot.swing - 0.5, 0.0, 1.0);
        let share = if foot.is_down { 1.0 } else { late };
        self.held = share * (self.value - self.target);
        self.start = foot.swing;
        self.stage = match foot.is_down {
            _ if self.held.abs() > lengths.unlock => Stage::Timed,
            true if contact != Contact::Above => Stage::Standing,
            true => Stage::Timed,
            false => Stage::Swinging,
        };
        if self.held.abs() > lengths.unlock {
            self.held = 0.0;
        }
        // A foot that has left the ground no longer goes back with it.
        if !foot.is_down {
            self.old[1] = self.old[1].max(0.0);
        }
        if self.stage != Stage::Timed {
            self.pace.speeds = [self.old[1]; 3];
        }
    }

    /// After a time `dt` the motion asks for `target`, which moves at `speed` per T if that is known.
    pub fn advance(
        &mut self,
        target: f64,
        speed: Option<f64>,
        foot: Option<Footing>,
        dt: f64,
        lengths: Lengths,
    ) {
        let asked = std::mem::replace(&mut self.target, target);
        self.elapsed += dt;
        if self.stage == Stage::Waiting {
            self.wait(foot, dt, lengths);
            return;
        }
        let led = foot.filter(|foot| foot.is_led);
        self.stage = self.next_stage(led, self.rest(lengths));
        if self.stage == Stage::Settled {
            self.held = 0.0;
        }
        let before = self.value;
        self.value = self.shown(led, lengths);
        let moved = self.value - before;
        self.feel(moved, foot, dt, lengths.tick);
        let way = match self.stage {
            Stage::Timed => target - asked,
            _ => moved,
        };
        self.pace.note(way, dt, lengths.tick);
        let speed = speed.unwrap_or_else(|| self.pace.now(lengths.tick));
        self.speed = self.shown_speed(speed, lengths);
    }

    /// A foot that waits goes with the ground, until its time is over or the gait lifts it.
    fn wait(&mut self, foot: Option<Footing>, dt: f64, lengths: Lengths) {
        let way = foot.map_or(0.0, |foot| self.ground.travel - foot.travel);
        self.value += way;
        self.feel(way, foot, dt, lengths.tick);
        self.speed = -self.ground.speed;
        let is_lifted = self.start > 0.0 && foot.is_some_and(|foot| !foot.is_down);
        if is_lifted || self.elapsed >= WAITING * lengths.transition {
            self.waited = self.elapsed;
            self.set_out(foot.map(|foot| (foot, Contact::Standing)), lengths);
        }
    }

    /// Notes the ground that has passed below a foot that has moved by `way`. A step shorter than half a tick stands at
    /// a jump, where a quotient says nothing.
    fn feel(&mut self, way: f64, foot: Option<Footing>, dt: f64, tick: f64) {
        let Some(foot) = foot else { return };
        let passed = foot.travel - self.ground.travel;
        self.ground.travel = foot.travel;
        if dt >= 0.5 * tick {
            self.ground.speed = passed / dt;
            self.ground.slide = (passed + way) / dt;
        }
    }

    /// How long the transition takes from when it set out.
    fn rest(&self, lengths: Lengths) -> f64 {
        (lengths.transition - self.waited).max(f64::MIN_POSITIVE)
    }

    /// The speed of what is shown, when the motion has this one.
    fn shown_speed(&self, speed: f64, lengths: Lengths) -> f64 {
        if self.stage != Stage::Timed {
            return speed;
        }
        let share = self.elapsed / self.rest(lengths);
        let [from, fast] = self.old;
        let braking = lengths.braking(fast);
        let apart = coast(from, fast, self.elapsed, braking) - self.target - self.held;
        let weight = weight(share);
        (1.0 - weight) * speed
            + weight * braked(fast, self.elapsed, braking)
            + slope(share) / self.rest(lengths) * apart
    }

    fn next_stage(&self, foot: Option<Footing>, transition: f64) -> Stage {
        let is_over = self.elapsed >= transition - rounding(transition);
        match (self.stage, foot) {
            (Stage::Timed, None) if is_over => Stage::Settled,
            (Stage::Timed, Some(foot)) if is_over && foot.is_down => Stage::Standing,
            (Stage::Swinging, Some(foot)) if foot.is_down => Stage::Standing,
            (Stage::Standing, Some(foot)) if !foot.is_down => Stage::Shedding,
            (Stage::Shedding, Some(foot)) if foot.is_down => Stage::Settled,
            (stage, _) => stage,
        }
    }

    fn shown(&self, foot: Option<Footing>, lengths: Lengths) -> f64 {
        let swing = foot.map_or(0.0, |foot| foot.swing);
        let base = self.target + self.held;
        let share = match self.stage {
            Stage::Settled => return self.target,
            Stage::Waiting => return self.value,
            Stage::Standing => return base,
            Stage::Shedding => return self.target + self.held * weight(swing),
            Stage::Timed => self.elapsed / self.rest(lengths),
            Stage::Swinging if self.start < 1.0 => (swing - self.start) / (1.0 - self.start),
            Stage::Swinging => 1.0,
        };
        let [from, speed] = self.old;
        let old = coast(from, speed, self.elapsed, lengths.braking(speed));
        base + weight(share) * (old - base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::functions::sin;

    #[test]
    fn the_weight_is_flat_at_both_ends_and_never_rises() {
        assert_eq!((weight(0.0), weight(0.5), weight(1.0)), (1.0, 0.5, 0.0));
        assert_eq!((weight(-1.0), weight(7.0)), (1.0, 0.0));
        assert!(1.0 - weight(1e-3) < 4e-11 && weight(1.0 - 1e-3) < 4e-11);
        for k in 0..1000 {
            let u = f64::from(k) / 1000.0;
            assert!(weight(u + 1e-3) <= weight(u));
        }
    }

    #[test]
    fn it_coasts_to_rest() {
        assert_eq!(coast(5.0, 10.0, 0.0, 0.4), 5.0);
        assert!((coast(5.0, 10.0, 1e-6, 0.4) - 5.0 - 1e-5).abs() < 1e-10);
        assert!((coast(5.0, 10.0, 0.4, 0.4) - 7.0).abs() < 1e-12);
        assert_eq!(coast(5.0, 10.0, 9.0, 0.4), coast(5.0, 10.0, 0.4, 0.4));
    }

    #[test]
    fn angles_go_the_short_way() {
        assert_eq!(short_way(350.0, 10.0, 360.0), -10.0 + 0.0);
        assert_eq!(short_way(-90.0, 270.0, 360.0), 270.0);
        assert_eq!(short_way(10.0, 20.0, 360.0), 10.0);
    }

    #[test]
    fn the_speed_is_that_of_the_instant() {
        let tick = 1.0 / 60.0;
        let place = |t: f64| 5.0 * t - 30.0 * t * t;
        let mut pace = Pace::default();
        for k in 1..4 {
            let [a, b] = [k - 1, k].map(|k| place(f64::from(k) * tick));
            pace.note(b - a, tick, tick);
        }
        assert!((pace.now(tick) - 2.0).abs() < 1e-9);
        pace.note(0.1, 0.3 * tick, tick);
        assert!((pace.now(tick) - 1.7).abs() < 1e-9);
        let growing = Pace {
            speeds: [3.0, 2.0, 1.0],
            age: 0.0,
        };
        assert_eq!(growing.now(tick), 3.0);
    }

    #[test]
    fn one_jump_is_no_speed() {
        for speeds in [[6000.0, 3.0, 2.0], [6000.0, 0.0, 0.0], [0.0, 6000.0, 0.0]] {
            let pace = Pace { speeds, age: 0.0 };
            assert_eq!(pace.now(1.0 / 60.0), 0.0);
        }
        let after = Pace {
            speeds: [3.0, 6000.0, 2.0],
            age: 0.0,
        };
        assert_eq!(after.now(1.0 / 60.0), 3.0);
    }

    const LENGTHS: Lengths = Lengths {
        transition: 0.28,
        tick: 1.0 / 60.0,
        unlock: f64::INFINITY,
    };

    /// Two seconds of a value whose motion changes at the given ticks, from one wave to another.
    fn play(switches: &[usize]) -> Vec<f64> {
        let motion = |which: usize, t: f64| match which % 2 {
            0 => 40.0 * sin(360.0 * 1.35 * t),
            _ => 90.0 - 60.0 * sin(360.0 * 2.4 * t + 50.0),
        };
        let (mut which, mut values) = (0, Vec::new());
        let mut carried = Carried::at(motion(0, 0.0));
        for tick in 0..140 {
            let time = tick as f64 * LENGTHS.tick;
            if tick > 0 {
                carried.advance(motion(which, time), None, None, LENGTHS.tick, LENGTHS);
            }
            if switches.contains(&tick) {
                which += 1;
                carried.switch(motion(which, time), None, None, LENGTHS);
                carried.advance(motion(which, time), None, None, 0.0, LENGTHS);
            }
            values.push(carried.value);
        }
        values
    }

    #[test]
    fn no_switch_jumps_at_any_tick_nor_in_mid_blend_and_straight_back() {
        for first in 3..60 {
            for later in [1, 4, 9, 60] {
                let values = play(&[first, first + later]);
                let step = |values: &[f64], to: usize| (values[to] - values[to - 1]).abs();
                for (at, without) in [(first, play(&[])), (first + later, play(&[first]))] {
                    let allowed = step(&values, at).max(step(&without, at + 1)) + 0.5;
                    let found = step(&values, at + 1);
                    assert!(found <= allowed, "{first}+{later}: {found} {allowed}");
                }
                let most = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
                assert!(most < 165.0, "it swings out to {most}");
            }
        }
    }

    #[test]
    fn it_is_the_new_motion_exactly_when_the_time_is_over() {
        let mut carried = Carried::at(5.0);
        carried.switch(80.0, None, None, LENGTHS);
        for (elapsed, settled) in [(0.1, false), (0.17, false), (0.01, true), (0.3, true)] {
            carried.advance(80.0, None, None, elapsed, LENGTHS);
            assert_eq!(carried.value == 80.0, settled, "{elapsed}");
        }
    }

    fn footing(is_down: bool, swing: f64, travel: f64) -> Footing {
        Footing {
            is_led: true,
            is_down,
            swing,
            travel,
        }
    }

    #[test]
    fn a_foot_that_stands_waits_before_it_takes_a_step() {
        for (is_led, lifts, waits) in [(true, 9, 2), (false, 9, 2), (false, 1, 1)] {
            let at = |tick: usize| Footing {
                is_led,
                ..footing(tick < lifts, 0.0, 2.0 * tick as f64)
            };
            let mut carried = Carried::at(13.0);
            let lengths = Lengths {
                unlock: 10.0,
                ..LENGTHS
            };
            carried.switch(-10.0, Some((at(0), Contact::Standing)), None, lengths);
            for tick in 1..=waits {
                assert_eq!(carried.stage, Stage::Waiting, "{tick}");
                carried.advance(-10.0, None, Some(at(tick)), lengths.tick, lengths);
                assert_eq!(carried.value, 13.0 - 2.0 * tick as f64);
            }
            assert_ne!(carried.stage, Stage::Waiting);
            // It sets out with the speed of the ground and is there in time.
            assert!((carried.speed + 120.0).abs() < 1e-9);
            let rest = lengths.transition - lengths.tick * waits as f64;
            let steps = [0.5, 0.5, 0.1];
            for share in steps {
                carried.advance(-10.0, None, Some(at(waits)), share * rest, lengths);
            }
            assert_eq!(carried.value, -10.0);
        }
    }

    #[test]
    fn a_foot_that_stands_keeps_its_place_and_sheds_it_in_the_next_swing() {
        let foot = |is_down, swing| footing(is_down, swing, 0.0);
        let mut carried = Carried::at(13.0);
        carried.switch(
            -10.0,
            Some((foot(true, 0.0), Contact::Standing)),
            None,
            LENGTHS,
        );
        for x in [-10.0, -12.0, -20.0] {
            carried.advance(x, None, Some(foot(true, 0.0)), 0.2, LENGTHS);
            assert_eq!(carried.value, x + 23.0);
        }
        carried.advance(-20.0, None, Some(foot(false, 0.5)), 0.2, LENGTHS);
        assert_eq!(carried.value, -20.0 + 11.5);
        carried.advance(20.0, None, Some(foot(true, 0.0)), 0.2, LENGTHS);
        assert_eq!((carried.value, carried.held), (20.0, 0.0));
    }

    #[test]
    fn a_foot_in_the_air_lands_where_it_can() {
        for (swing, lands) in [(0.2, 20.0), (0.5, 20.0 + 0.5 * 23.0), (0.8, 43.0)] {
            let mut carried = Carried::at(13.0);
            let up = footing(false, swing, 0.0);
            carried.switch(-10.0, Some((up, Contact::Above)), None, LENGTHS);
            carried.advance(-10.0, None, Some(up), 0.0, LENGTHS);
            assert_eq!(carried.value, 13.0);
            let down = footing(true, 0.0, 0.0);
            carried.advance(20.0, None, Some(down), 0.1, LENGTHS);
            assert_eq!(carried.value, lands);
        }
    }

    #[test]
    fn a_foot_too_far_away_takes_a_step() {
        let near = Lengths {
            unlock: 20.0,
            ..LENGTHS
        };
        for (is_down, swing) in [(true, 0.0), (false, 0.8)] {
            for (unlock, held) in [(20.0, 0.0), (24.0, 23.0)] {
                let lengths = Lengths { unlock, ..near };
                let mut carried = Carried::at(13.0);
                let foot = footing(is_down, swing, 0.0);
                carried.switch(-10.0, Some((foot, Contact::Above)), None, lengths);
                let down = footing(true, 0.0, 0.0);
                carried.advance(-10.0, None, Some(down), 0.14, lengths);
                let half_way = if held == 0.0 { 1.5 } else { 13.0 };
                assert!((carried.value - half_way).abs() < 1e-12);
                for x in [-12.0, -13.0] {
                    carried.advance(x, None, Some(down), 0.14, lengths);
                    assert_eq!(carried.value, x + held);
                }
            }
        }
    }

    #[test]
    fn a_cut_is_a_cut() {
        let mut carried = Carried::at(13.0);
        let none = Lengths {
            transition: 0.0,
            ..LENGTHS
        };
        carried.switch(80.0, None, None, none);
        carried.advance(80.0, None, None, 0.0, none);
        assert_eq!(carried.value, 80.0);
    }
}
