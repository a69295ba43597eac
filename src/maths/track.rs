//! Keyframed functions of time: a leg from key to key, played once, mirrored, backwards or again,
//! and the swing that follows.
//!
//! Follow-through without a chosen amplitude: the speed at which the last segment ends is the speed
//! with which the ring leaves. Times are in any one unit, values in any other.

use super::ease::Ease;
use super::functions::{clamp, lap, modulo, rounding};
use super::ring::Ring;

/// A value at a time, and how the way to the next key is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    pub time: f64,
    pub value: f64,
    /// Of the segment that leaves this key.
    pub ease: Ease,
}

/// What happens after the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    /// The last value holds.
    None,
    /// The second half of the period plays first + last − leg.
    Mirror,
    /// The second half of the period plays the leg backwards.
    PingPong,
    /// The leg starts again after each period.
    Loop,
}

/// A keyframed function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    keys: Vec<Key>,
    returns: Return,
    period: f64,
    ring: Option<Ring>,
    exit_speed: f64,
}

/// From which side an instant is approached; it matters where the track jumps.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

impl Track {
    /// A track through keys sorted by time.
    ///
    /// `period` is that of the return, > 0, and without meaning for `Return::None`. A ring needs `Mirror`
    /// or `None` and a finite exit speed; otherwise it is left out. No keys: 0 throughout.
    pub fn new(keys: Vec<Key>, returns: Return, period: f64, ring: Option<Ring>) -> Self {
        let exit_speed = exit_speed(&keys);
        let rings = exit_speed.is_finite() && matches!(returns, Return::None | Return::Mirror);
        Self {
            keys,
            returns,
            period,
            ring: ring.filter(|_| rings),
            exit_speed,
        }
    }

    /// The keys, as given.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Value at a time: the keyed motion and the ring. At a jump, the value after it.
    pub fn at(&self, time: f64) -> f64 {
        self.keyed(time) + self.rung(time)
    }

    /// Limit of `at` from earlier times: at a jump the value before it, elsewhere the same.
    pub fn before(&self, time: f64) -> f64 {
        self.played(time, Side::Before) + self.rung(time)
    }

    /// Value at a time without the ring.
    pub fn keyed(&self, time: f64) -> f64 {
        self.played(time, Side::After)
    }

    /// Speed at which the last segment arrives at the last key: exit slope · Δvalue / Δtime.
    ///
    /// May be infinite. Zero without a last segment, and where the last key is reached by a jump.
    pub fn exit_speed(&self) -> f64 {
        self.exit_speed
    }

    /// Times at which the value jumps, sorted: within [0, period), or all of them for `Return::None`.
    pub fn jumps(&self) -> Vec<f64> {
        let half = self.half();
        let leg = self.leg_jumps();
        let within = |end: f64| leg.iter().copied().filter(move |t| (0.0..=end).contains(t));
        let mut times: Vec<f64> = match self.returns {
            Return::None => leg.clone(),
            Return::Mirror => within(half)
                .flat_map(|t| [t, t + half])
                .chain([0.0, half])
                .collect(),
            Return::PingPong => within(half)
                .flat_map(|t| [t, self.period - t])
                .chain([half])
                .collect(),
            Return::Loop => within(self.period).chain([0.0]).collect(),
        };
        if self.returns != Return::None {
            for time in &mut times {
                *time = lap(*time, self.period);
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|b, a| *b - *a <= rounding(self.period.max(b.abs())));
        times.retain(|&time| self.differs(time));
        times
    }

    /// Whether the value just before a time is another than at it, beyond rounding.
    fn differs(&self, time: f64) -> bool {
        let size = self
            .keys
            .iter()
            .fold(0.0, |size: f64, key| size.max(key.value.abs()));
        (self.played(time, Side::Before) - self.keyed(time)).abs() > 1e-12 * size
    }

    /// Times at which the leg itself may jump.
    fn leg_jumps(&self) -> Vec<f64> {
        let mut times = Vec::new();
        for pair in self.keys.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if a.time == b.time {
                times.push(b.time);
                continue;
            }
            for u in a.ease.jumps() {
                // The end itself, not a sum that may miss it by rounding.
                times.push(if u == 1.0 {
                    b.time
                } else {
                    a.time + u * (b.time - a.time)
                });
            }
        }
        times
    }

    fn half(&self) -> f64 {
        0.5 * self.period
    }

    /// The leg as the return plays it.
    fn played(&self, time: f64, side: Side) -> f64 {
        if self.returns == Return::None {
            return self.leg(time, side, rounding(time));
        }
        let slack = rounding(time.abs().max(self.period));
        let half = self.half();
        let mut t = lap(time, self.period);
        if matches!(side, Side::Before) && t == 0.0 {
            t = self.period;
        }
        match (self.returns, side) {
            (Return::Mirror, Side::Before) if t > half + slack => self.mirrored(t, side, slack),
            (Return::Mirror, Side::After) if t >= half - slack => self.mirrored(t, side, slack),
            // The turn itself still belongs to the way there, so that a key at the turn is seen.
            (Return::PingPong, _) if t > half + slack => {
                self.leg(self.period - t, side.opposite(), slack)
            }
            _ => self.leg(t, side, slack),
        }
    }

    /// The second half of a mirrored track: first + last − leg.
    fn mirrored(&self, t: f64, side: Side, slack: f64) -> f64 {
        let ends = match self.keys.as_slice() {
            [] => 0.0,
            [only] => 2.0 * only.value,
            [first, .., last] => first.value + last.value,
        };
        ends - self.leg((t - self.half()).max(0.0), side, slack)
    }

    /// The keyed motion itself. Keys count as reached when a time misses them by rounding (`slack`) alone.
    fn leg(&self, t: f64, side: Side, slack: f64) -> f64 {
        let next = match side {
            Side::Before => self.keys.partition_point(|key| key.time < t - slack),
            Side::After => self.keys.partition_point(|key| key.time <= t + slack),
        };
        let last = next.checked_sub(1).and_then(|i| self.keys.get(i));
        match (last, self.keys.get(next)) {
            (Some(a), Some(b)) => segment(a, b, t, side),
            (Some(key), None) | (None, Some(key)) => key.value,
            (None, None) => 0.0,
        }
    }

    /// The ring alone: once for a leg that is played once, for a mirrored one after both arrivals of every lap.
    fn rung(&self, time: f64) -> f64 {
        let (Some(ring), Some(last)) = (self.ring, self.keys.last()) else {
            return 0.0;
        };
        if self.returns == Return::None {
            return ring.once(self.exit_speed, time - last.time);
        }
        // Wrapped before the key's time is taken off: a far lap must not cost digits.
        let t = modulo(time, self.period);
        let after = |arrival: f64| {
            let since = modulo(t - arrival, self.period);
            ring.all_laps(self.exit_speed, since, self.period)
        };
        after(last.time) - after(last.time + self.half())
    }
}

impl Side {
    fn opposite(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }
}

/// Value on the way from key a to key b.
fn segment(a: &Key, b: &Key, t: f64, side: Side) -> f64 {
    let u = clamp((t - a.time) / (b.time - a.time), 0.0, 1.0);
    let share = match side {
        Side::Before => a.ease.before(u),
        Side::After => a.ease.at(u),
    };
    // a + (b − a) need not be b.
    if share == 1.0 {
        b.value
    } else {
        a.value + (b.value - a.value) * share
    }
}

fn exit_speed(keys: &[Key]) -> f64 {
    let [.., a, b] = keys else {
        return 0.0;
    };
    // Also spares 0 · ∞.
    if a.value == b.value || a.time >= b.time {
        return 0.0;
    }
    (b.value - a.value) / (b.time - a.time) * a.ease.exit_slope()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::bezier::CubicBezier;
    use crate::maths::reference::{list, number, numbers, read};
    use crate::maths::spring_ease::SpringEase;
    use proptest::prelude::*;
    use serde_json::Value;

    const NAN: f64 = f64::NAN;

    fn keys(spec: &[(f64, f64, &str)]) -> Vec<Key> {
        spec.iter()
            .map(|&(time, value, ease)| Key {
                time,
                value,
                ease: Ease::named(ease).expect("an ease"),
            })
            .collect()
    }

    fn track(spec: &[(f64, f64, &str)], returns: Return, period: f64) -> Track {
        Track::new(keys(spec), returns, period, None)
    }

    /// The articles' channel: keys, eases between them, and a ring.
    fn channel(channel: &Value, period: f64) -> (Track, Ring) {
        let eases = list(&channel["eases"]);
        let ease = |i: usize| {
            let [x1, y1, x2, y2] = numbers(&eases[i])[..] else {
                panic!("four handles")
            };
            Ease::CubicBezier(CubicBezier::new(x1, y1, x2, y2).expect("legal"))
        };
        let key = |(i, key): (usize, &Value)| Key {
            time: number(&key["t"]),
            value: number(&key["x"]),
            ease: ease(i.min(eases.len() - 1)),
        };
        let ring = Ring {
            decay: number(&channel["settleDecay"]),
            rate: number(&channel["settleRate"]),
        };
        let keys = list(&channel["keys"]).iter().enumerate().map(key).collect();
        (Track::new(keys, Return::Mirror, period, Some(ring)), ring)
    }

    /// Keyed motion and ring over a number of laps, added one by one.
    fn by_laps(track: &Track, ring: Ring, time: f64, laps: u32) -> f64 {
        let period = track.period;
        let last = track.keys.last().expect("keys").time;
        let t = modulo(time, period);
        let after = |arrival: f64| -> f64 {
            let d = modulo(t - arrival, period);
            (0..laps)
                .map(|lap| ring.once(track.exit_speed(), d + period * f64::from(lap)))
                .sum()
        };
        track.keyed(time) + after(last) - after(last + period / 2.0)
    }

    fn assert_close(ours: f64, theirs: f64, within: f64, what: &str) {
        let miss = (ours - theirs).abs();
        assert!(
            miss <= within,
            "{what}: {ours} instead of {theirs}, {miss:e}"
        );
    }

    /// The articles cut the ring after two laps: so cut ours is theirs, and whole it differs by the published cut.
    fn check_two_laps(track: &Track, ring: Ring, frames: &[f64], x: &[f64], cut: f64, name: &str) {
        for (&frame, &x) in frames.iter().zip(x) {
            let what = format!("{name} at {frame}");
            assert_close(by_laps(track, ring, frame, 2), x, 1e-11, &what);
            assert_close(track.at(frame), x, cut + 1e-11, &what);
            assert_close(
                track.at(frame),
                by_laps(track, ring, frame, 50),
                1e-11,
                &what,
            );
        }
    }

    #[test]
    fn matches_the_letter() {
        let data = read(include_str!("../../tests/data/000_glyph_i.json"));
        let params = &data["params"];
        let frames = numbers(&data["frames"]);
        let parts = [("topMove", "top"), ("botMove", "bot"), ("dotMove", "dot")];
        for (column, (part, speed)) in parts.into_iter().enumerate() {
            let (track, ring) = channel(&params[part], number(&params["loopFrames"]));
            assert_close(
                track.exit_speed(),
                number(&data["exitSpeed"][speed]),
                1e-12,
                part,
            );
            let x: Vec<f64> = list(&data["glyph"])
                .iter()
                .map(|row| number(&row[column]))
                .collect();
            let cut = number(&data["max_dev"][part]["all_laps_vs_two"]);
            check_two_laps(&track, ring, &frames, &x, cut, part);
        }
    }

    #[test]
    fn matches_the_chain() {
        let data = read(include_str!("../../tests/data/000_chain4.json"));
        let frames = numbers(&data["frames"]);
        for (i, part) in list(&data["moves"]).iter().enumerate() {
            let (track, ring) = channel(part, number(&data["loopFrames"]));
            assert_close(
                track.exit_speed(),
                number(&data["exitSpeed"][i]),
                1e-12,
                "chain",
            );
            let cut = number(&data["max_dev"][i]["all_laps_vs_two"]);
            check_two_laps(&track, ring, &frames, &numbers(&data["x"][i]), cut, "chain");
        }
    }

    /// The article lets the key before a jump win at the very instant, ours the one after it.
    #[test]
    fn matches_the_stickman_but_for_jump_keys() {
        let data = read(include_str!("../../tests/data/002_track.json"));
        for case in list(&data["cases"]) {
            let name = case["name"].as_str().expect("a name");
            let ease = match case["ease"].as_str() {
                Some("smooth") => Ease::Smoothstep,
                Some("easeOutCubic") => Ease::named("out_cubic").expect("an ease"),
                Some("easeInCubic") => Ease::named("in_cubic").expect("an ease"),
                _ => Ease::Linear,
            };
            let key = |key: &Value| Key {
                time: number(&key[0]),
                value: number(&key[1]),
                ease,
            };
            let keys: Vec<Key> = list(&case["keys"]).iter().map(key).collect();
            let track = Track::new(keys.clone(), Return::None, 1.0, None);
            for (t, v) in numbers(&case["t"]).into_iter().zip(numbers(&case["v"])) {
                let what = format!("{name} at {t}");
                assert_close(track.before(t), v, 1e-14, &what);
                let after = keys.iter().rev().find(|key| key.time == t);
                assert_close(track.at(t), after.map_or(v, |key| key.value), 1e-14, &what);
            }
        }
    }

    #[test]
    fn matches_the_edge_cases() {
        let data = read(include_str!("../../tests/data/000_edge.json"));
        for case in list(&data["cases"]) {
            let name = case["name"].as_str().expect("a name");
            let (track, ring) = channel(&case["move"], number(&case["loopFrames"]));
            let exit = number(&case["exitSpeed"]);
            // Their formula has no value here: the limits of the exit slope, 1.2 and 1.
            let exit = match name {
                "handleX_1_handleY_1_nan" => 1.2 * 100.0 / 35.0,
                "linear_ease" => -2.5,
                _ => exit,
            };
            let frames = numbers(&case["frames"]);
            let keyed = numbers(&case["keyed"]);
            let whole = numbers(&case["x_all_laps"]);
            if exit.is_infinite() {
                assert_eq!(track.exit_speed(), exit, "{name}");
            } else {
                assert_close(track.exit_speed(), exit, 1e-12 * exit.abs(), name);
            }
            let tolerance = if name == "handleX_near_1" {
                1e-10
            } else {
                1e-11
            };
            for ((&frame, &keyed), &whole) in frames.iter().zip(&keyed).zip(&whole) {
                let what = format!("{name} at {frame}");
                assert_close(track.keyed(frame), keyed, tolerance, &what);
                if exit.is_infinite() {
                    assert_eq!(track.at(frame), track.keyed(frame), "{what}");
                } else if whole.is_finite() {
                    assert_close(track.at(frame), whole, tolerance, &what);
                } else {
                    assert_close(
                        track.at(frame),
                        by_laps(&track, ring, frame, 50),
                        1e-11,
                        &what,
                    );
                }
            }
        }
    }

    #[test]
    fn holds_outside_the_keys() {
        let once = track(
            &[(1.0, 5.0, "linear"), (3.0, 9.0, "linear")],
            Return::None,
            0.0,
        );
        assert_eq!(once.at(-10.0), 5.0);
        assert_eq!(once.at(1.0), 5.0);
        assert_eq!(once.at(2.0), 7.0);
        assert_eq!(once.at(3.0), 9.0);
        assert_eq!(once.at(1e9), 9.0);
        assert_eq!(once.exit_speed(), 2.0);
        assert_eq!(once.jumps(), [0.0; 0]);
    }

    #[test]
    fn a_hold_jumps_at_exactly_its_frame() {
        for fps in [10.0, 12.0, 24.0, 25.0, 30.0, 50.0, 60.0] {
            for frame in 1..200 {
                let time = f64::from(frame) / fps;
                let spec = [
                    (0.0, 1.0, "hold"),
                    (time, 2.0, "linear"),
                    (time + 1.0, 2.0, "linear"),
                ];
                let hold = track(&spec, Return::None, 0.0);
                assert_eq!(hold.at(f64::from(frame - 1) / fps), 1.0);
                assert_eq!(hold.at(time), 2.0);
                assert_eq!(hold.before(time), 1.0);
                assert_eq!(hold.jumps(), [time]);
                // Half a period later the same jump, downward, on the frame it is meant for.
                let mirror = track(&spec[..2], Return::Mirror, 8.0 * time);
                assert_eq!(mirror.at(5.0 * time), 1.0);
                assert_eq!(mirror.before(5.0 * time), 2.0);
                assert_eq!(mirror.at(f64::from(5 * frame) / fps), 1.0);
                assert_eq!(mirror.at(f64::from(13 * frame) / fps), 1.0);
            }
        }
    }

    #[test]
    fn steps_fall_on_their_frames() {
        for tenths in 0..50 {
            let start = f64::from(tenths) / 10.0;
            let key = |time, value| Key {
                time,
                value,
                ease: Ease::Steps(3),
            };
            let end = f64::from(tenths + 6) / 10.0;
            let steps = Track::new(
                vec![key(start, 0.0), key(end, 3.0)],
                Return::None,
                0.0,
                None,
            );
            let at = |tenth: i32| steps.at(f64::from(tenth) / 10.0);
            let values = [1, 2, 3, 4, 6].map(|k| at(tenths + k));
            assert_eq!(values, [0.0, 1.0, 1.0, 2.0, 3.0], "from {start}");
            assert_eq!(steps.jumps().len(), 3);
        }
    }

    #[test]
    fn equal_times_jump_to_the_later_key() {
        let spec = [
            (0.0, 0.0, "linear"),
            (1.0, 10.0, "linear"),
            (1.0, 50.0, "linear"),
            (2.0, 60.0, "linear"),
        ];
        let jump = track(&spec, Return::None, 0.0);
        assert_eq!(jump.at(1.0), 50.0);
        assert_eq!(jump.before(1.0), 10.0);
        assert_eq!(jump.at(1.5), 55.0);
        assert_eq!(jump.jumps(), [1.0]);
        let mirror = track(&spec, Return::Mirror, 6.0);
        assert_eq!(mirror.jumps(), [1.0, 4.0]);
        assert_eq!((mirror.before(4.0), mirror.at(4.0)), (50.0, 10.0));
        let back = track(&spec, Return::PingPong, 6.0);
        assert_eq!(back.jumps(), [1.0, 5.0]);
        assert_eq!((back.before(5.0), back.at(5.0)), (50.0, 10.0));
        let again = track(&spec, Return::Loop, 3.0);
        assert_eq!(again.jumps(), [0.0, 1.0]);
        assert_eq!((again.before(3.0), again.at(3.0)), (60.0, 0.0));
    }

    #[test]
    fn a_jump_at_the_last_key_has_no_speed() {
        let spec = [
            (0.0, 0.0, "linear"),
            (1.0, 10.0, "linear"),
            (1.0, 50.0, "linear"),
        ];
        assert_eq!(track(&spec, Return::None, 0.0).exit_speed(), 0.0);
        let held = track(
            &[(0.0, 0.0, "hold"), (1.0, 10.0, "linear")],
            Return::None,
            0.0,
        );
        assert_eq!(held.exit_speed(), 0.0);
        let flat = track(
            &[(0.0, 4.0, "in_circ"), (1.0, 4.0, "linear")],
            Return::None,
            0.0,
        );
        assert_eq!(flat.exit_speed(), 0.0);
    }

    #[test]
    fn returns_play_the_second_half() {
        let spec = [(1.0, 10.0, "in_quad"), (4.0, 40.0, "linear")];
        let mirror = track(&spec, Return::Mirror, 12.0);
        let back = track(&spec, Return::PingPong, 12.0);
        let again = track(&spec, Return::Loop, 12.0);
        for i in 0..60 {
            let t = f64::from(i) / 10.0;
            let leg = mirror.at(t);
            assert_close(mirror.at(t + 6.0), 50.0 - leg, 1e-12, "mirror");
            assert_close(back.at(12.0 - t), leg, 1e-12, "back");
            assert_close(again.at(t - 24.0), leg, 1e-12, "again");
            assert_close(mirror.at(t - 120.0), leg, 1e-12, "wrapped");
        }
        assert_eq!(mirror.jumps(), [0.0; 0]);
        assert_eq!(back.jumps(), [0.0; 0]);
        assert_eq!(again.jumps(), [0.0]);
    }

    #[test]
    fn step_start_jumps_at_its_first_key() {
        let start = track(
            &[(1.0, 0.0, "step_start"), (2.0, 7.0, "linear")],
            Return::None,
            0.0,
        );
        assert_eq!(
            (start.before(1.0), start.at(1.0), start.at(1.5)),
            (0.0, 7.0, 7.0)
        );
        assert_eq!(start.jumps(), [1.0]);
    }

    #[test]
    fn a_short_loop_starts_on_its_frame() {
        let saw = track(
            &[(0.0, 0.0, "linear"), (0.1, 10.0, "linear")],
            Return::Loop,
            0.1,
        );
        for i in 0..1000 {
            assert_close(saw.at(f64::from(i) / 10.0), 0.0, 1e-9, "start of a lap");
        }
        assert_eq!(saw.before(0.3), 10.0);
    }

    #[test]
    fn one_arrival_leaves_with_the_speed_of_the_last_segment() {
        let ring = Ring {
            decay: 3.0,
            rate: 20.0,
        };
        let spec = keys(&[(0.0, 0.0, "in_quad"), (1.0, 100.0, "linear")]);
        let once = Track::new(spec, Return::None, 0.0, Some(ring));
        assert_eq!(once.exit_speed(), 200.0);
        assert_eq!(once.at(0.5), once.keyed(0.5));
        let h = 1e-6;
        assert_close((once.at(1.0) - once.at(1.0 - h)) / h, 200.0, 1e-2, "before");
        assert_close((once.at(1.0 + h) - once.at(1.0)) / h, 200.0, 1e-2, "after");
        assert_close(once.at(9.0), 100.0, 1e-9, "at rest");
        assert_eq!(once.at(1.1), 100.0 + ring.once(200.0, 1.1 - 1.0));
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        let ring = Some(Ring {
            decay: 0.0,
            rate: 0.0,
        });
        let odd = [
            vec![],
            keys(&[(0.0, 1.0, "hold")]),
            keys(&[(NAN, NAN, "linear"), (f64::INFINITY, 1.0, "hold")]),
            keys(&[
                (5.0, 1.0, "in_circ"),
                (-5.0, 2.0, "step_start"),
                (1.0, 3.0, "linear"),
            ]),
        ];
        for keys in odd {
            for returns in [Return::None, Return::Mirror, Return::PingPong, Return::Loop] {
                for period in [0.0, -1.0, NAN, f64::INFINITY, 1e-300] {
                    let track = Track::new(keys.clone(), returns, period, ring);
                    track.jumps();
                    for time in [0.0, -1.0, 1e300, NAN, f64::INFINITY] {
                        track.at(time);
                        track.before(time);
                    }
                }
            }
        }
    }

    fn any_ease() -> impl Strategy<Value = Ease> {
        prop_oneof![
            prop::sample::select(Ease::NAMES).prop_map(|name| Ease::named(name).expect("listed")),
            (1_u32..9).prop_map(Ease::Steps),
            (-0.9..0.9).prop_map(|b| Ease::Spring(SpringEase::new(b).expect("legal"))),
        ]
    }

    fn any_return() -> impl Strategy<Value = Return> {
        prop::sample::select(vec![Return::Mirror, Return::PingPong, Return::Loop])
    }

    proptest! {
        /// Between the jumps it announces, a track moves little in a little time.
        #[test]
        fn jumps_only_where_announced(
            spec in prop::collection::vec((0_i32..20, -100.0..100.0, any_ease()), 1..6),
            returns in any_return(),
        ) {
            let mut keys: Vec<Key> = spec
                .into_iter()
                .map(|(tenth, value, ease)| Key { time: f64::from(tenth) / 10.0, value, ease })
                .collect();
            keys.sort_by(|a, b| a.time.total_cmp(&b.time));
            let track = Track::new(keys, returns, 4.0, None);
            let jumps = track.jumps();
            for i in 0..4000 {
                let (a, b) = (f64::from(i) / 1000.0, f64::from(i + 1) / 1000.0);
                // Steepest without a jump: 200 in a tenth of a second, by a spring or a circ.
                let near = |&t: &f64| a - 1e-9 < t && t <= b + 1e-9;
                if !jumps.iter().any(near) {
                    let step = (track.before(b) - track.at(a)).abs();
                    prop_assert!(step < 70.0, "{step} from {a} to {b}, jumps {jumps:?}");
                }
            }
            for &t in &jumps {
                prop_assert!((0.0..4.0).contains(&t));
                prop_assert!(track.before(t) != track.at(t));
                // Not closer: there an `out_expo` may end, with its last 1/1024 of the way.
                prop_assert!((track.at(t) - track.at(t + 4.0)).abs() < 0.2);
            }
        }

        #[test]
        fn a_mirrored_track_with_ring_never_jumps(
            start in 0.0..1.0, length in 0.1..1.0, value in -100.0..100.0,
            decay in 0.5..20.0, rate in 1.0..60.0,
        ) {
            let last = start + length;
            let spec = keys(&[(start, 3.0, "in_cubic"), (last, value, "linear")]);
            let track = Track::new(spec, Return::Mirror, 4.0, Some(Ring { decay, rate }));
            for seam in [0.0, start, last, 2.0, 2.0 + start, 2.0 + last, 4.0] {
                let step = (track.at(seam + 1e-9) - track.at(seam - 1e-9)).abs();
                prop_assert!(step < 1e-4, "{step} at {seam}");
            }
        }
    }
}
