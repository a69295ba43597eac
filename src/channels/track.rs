use super::ChannelKind;
use crate::formula::Inputs;
use crate::kinds::one_of;
use crate::maths::functions::ceil;
use crate::maths::ring::Ring;
use crate::maths::track::{Key as TrackKey, Return, Track as Keyed};
use crate::scene::Signal;
use crate::scene::builder::{Builder, SIDE, TIME};
use crate::scene::cycles::Turns;
use crate::scene::entity::Entity;
use crate::spec::problem::{Problem, short};
use crate::spec::slots::*;
use crate::spec::source::Span;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value keyed at times, with an ease from each key to the next. `return: mirror` with a `ring` is
/// follow-through: the speed of the last arrival is the size of the swing that follows.
///
/// ```json
/// "channels": {
///   "x": { "track": { "keys": [[0.1, 170, [0.6, 0, 0.8, 0.5]], [0.3, 70]],
///     "return": "mirror", "ring": { "frequency": 4, "half_life": 0.1 } } }
/// },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "track")]
pub struct Track {
    /// `[time, value, ease?]`, sorted by time; the ease belongs to the segment that leaves the key. Of two
    /// keys at the same time the later one holds at that instant: a jump.
    #[schemars(length(min = 1), extend("x-also" = ["keyframes", "frames", "points", "values"]))]
    pub keys: Vec<Key>,
    /// Ease of keys that have none.
    #[serde(default = "linear")]
    #[schemars(extend("x-also" = ["easing", "interpolation"]))]
    pub ease: EaseSlot,
    /// What follows the last key: it holds (`none`), the second half of the period plays first + last − leg
    /// (`mirror`) or the leg backwards (`ping_pong`), or the leg starts again (`loop`).
    #[serde(default = "none")]
    #[schemars(extend("x-also" = ["repeat", "loop", "direction"]))]
    pub r#return: Choice<ReturnWord>,
    /// Period of `return` in T; the spec's duration if absent.
    pub period: Option<Fixed<Positive>>,
    /// Swing after an arrival; with `return: mirror`, or without `return` (one arrival).
    pub ring: Option<RingField>,
}

/// What follows the last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnWord {
    #[default]
    None,
    Mirror,
    PingPong,
    Loop,
}

/// A damped swing: `decay` and `rate`, or `frequency` and `half_life`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "ring",
    extend("allOf" = [one_of(&[&["decay", "rate"], &["frequency", "half_life"]])])
)]
pub struct RingField {
    /// How fast it dies out, per T: the swing shrinks as e^(−decay·d).
    pub decay: Option<Fixed<Positive>>,
    /// How fast it swings, in radians per T.
    pub rate: Option<Fixed<Positive>>,
    /// Swings per T.
    pub frequency: Option<Fixed<Positive>>,
    /// Time in T in which the swing halves.
    pub half_life: Option<Fixed<Positive>>,
}

fn linear() -> EaseSlot {
    EaseSlot::literal("linear")
}

fn none() -> Choice<ReturnWord> {
    Choice::literal("none")
}

impl ChannelKind for Track {
    fn build(&self, b: &mut Builder) -> Entity {
        let returns = match b.choice(&self.r#return) {
            ReturnWord::None => Return::None,
            ReturnWord::Mirror => Return::Mirror,
            ReturnWord::PingPong => Return::PingPong,
            ReturnWord::Loop => Return::Loop,
        };
        let period = match &self.period {
            Some(period) => b.fixed(period),
            None => b.clock().duration,
        };
        if let (Some(slot), Return::None) = (&self.period, returns) {
            b.report(Problem::warning(
                "unused-period",
                slot.span,
                "without `return` a `period` does nothing",
            ));
        }
        let keys = self.keys(b);
        self.check_times(&keys, returns, period, b);
        let ring = self.ring.as_ref().map(|ring| ring.build(b));
        let extent = extent(&keys);
        let track = Keyed::new(keys, returns, period, ring);
        self.check_ring(&track, returns, b);
        let operand = b.signal(
            1,
            TrackSignal {
                track,
                period: (returns != Return::None).then_some(period),
            },
        );
        if let (Some(slot), true) = (&self.period, returns != Return::None) {
            b.cycle("period", slot.span, operand, Turns::Every(period));
        }
        Entity {
            extent: Some(extent),
            ..Entity::number("a track", operand)
        }
    }
}

impl Track {
    fn keys(&self, b: &mut Builder) -> Vec<TrackKey> {
        let default = b.ease(&self.ease);
        let keys: Vec<TrackKey> = self
            .keys
            .iter()
            .map(|key| TrackKey {
                time: b.fixed(&key.time),
                value: b.fixed(&key.value),
                ease: key.ease.as_ref().map_or(default, |ease| b.ease(ease)),
            })
            .collect();
        for (written, pair) in self.keys.iter().zip(keys.windows(2)) {
            let flat = pair[0].value == pair[1].value && pair[0].time < pair[1].time;
            if let (true, Some(ease)) = (flat && pair[0].ease.overshoots(), &written.ease) {
                let span = ease.span().unwrap_or(written.value.span);
                b.report(Problem::warning(
                    "flat-segment",
                    span,
                    "this ease overshoots, but both keys have the same value: nothing will move",
                ));
            }
        }
        keys
    }

    fn check_times(&self, keys: &[TrackKey], returns: Return, period: f64, b: &mut Builder) {
        for (i, pair) in keys.windows(2).enumerate() {
            if pair[1].time < pair[0].time {
                let problem = Problem::error(
                    "unsorted-keys",
                    self.keys[i + 1].time.span,
                    format!(
                        "key times must not fall: {} comes after {}",
                        pair[1].time, pair[0].time
                    ),
                );
                b.report(problem.related(self.keys[i].time.span, "the key before"));
            }
        }
        let (word, end) = match returns {
            Return::None => return self.check_start(keys, b),
            Return::Mirror => ("mirror", period / 2.0),
            Return::PingPong => ("ping_pong", period / 2.0),
            Return::Loop => ("loop", period),
        };
        let outside = |key: &TrackKey| key.time < 0.0 || key.time > end;
        if let Some(i) = keys.iter().position(outside) {
            b.report(
                Problem::error(
                    "key-outside-period",
                    self.keys[i].time.span,
                    format!(
                        "with `return: {word}` keys lie between 0 and {end}, not at {}",
                        keys[i].time
                    ),
                )
                .note(match returns {
                    Return::Loop => format!("the period is {period}"),
                    _ => format!("the period is {period}; its second half plays the return"),
                }),
            );
        }
    }

    /// A track that begins after the end shows nothing of itself: time and value may be exchanged.
    fn check_start(&self, keys: &[TrackKey], b: &mut Builder) {
        let end = b.clock().duration;
        if let [_, second, ..] = keys
            && keys[0].time < end
            && second.time >= FAR_BEYOND * end
        {
            let message = format!(
                "this key is at {}, but the animation ends at {}: the value hardly changes",
                short(second.time),
                short(end)
            );
            b.report(
                Problem::warning("key-after-end", self.keys[1].time.span, message)
                    .note(format!("times are in {}", b.clock().unit_in_words())),
            );
        }
        if let (Some(first), Some(written)) = (keys.first(), self.keys.first())
            && first.time >= end
            && keys.len() > 1
        {
            b.report(
                Problem::warning(
                    "key-after-end",
                    written.time.span,
                    format!(
                        "the first key is at {}, but the animation ends at {}: the value never changes",
                        short(first.time),
                        short(end)
                    ),
                )
                .note("a key is `[time, value]` or `[time, value, ease]`"),
            );
        }
    }

    fn check_ring(&self, track: &Keyed, returns: Return, b: &mut Builder) {
        let Some(ring) = &self.ring else { return };
        let span = ring.span();
        if matches!(returns, Return::PingPong | Return::Loop) {
            b.report(
                Problem::error(
                    "ring-without-arrival",
                    span,
                    "a `ring` needs `return: mirror`, or no `return`",
                )
                .note("a leg played backwards or again has no arrival to swing after"),
            );
            return;
        }
        let [.., from, _] = self.keys.as_slice() else {
            b.report(Problem::error(
                "ring-without-arrival",
                span,
                "a `ring` needs an arrival: at least two keys",
            ));
            return;
        };
        let ease_span = from
            .ease
            .as_ref()
            .or(Some(&self.ease))
            .and_then(EaseSlot::span);
        let ease_span = ease_span
            .filter(|s| *s != Span::default())
            .unwrap_or(from.time.span);
        let speed = track.exit_speed();
        if speed.is_infinite() || speed.is_nan() {
            b.report(
                Problem::error("infinite-exit", ease_span, "this ease arrives infinitely fast, so the `ring` would be infinite")
                    .note("with `[x1, y1, x2, y2]`, x2 = 1 and y2 < 1 end upright: lower x2 or use y2 = 1"),
            );
        } else if speed == 0.0 {
            b.report(
                Problem::warning(
                    "ring-without-speed",
                    ease_span,
                    "this ease arrives at rest, so the `ring` does nothing",
                )
                .note("end with speed: for instance `[0.58, 0, 0.74, 0.6]` or `in_quad`"),
            );
        }
    }
}

impl RingField {
    fn build(&self, b: &mut Builder) -> Ring {
        let mut read = |slot: &Option<Fixed<Positive>>| slot.as_ref().map(|slot| b.fixed(slot));
        let (decay, rate) = (read(&self.decay), read(&self.rate));
        let (frequency, half_life) = (read(&self.frequency), read(&self.half_life));
        Ring {
            decay: decay
                .or(half_life.map(|h| std::f64::consts::LN_2 / h))
                .unwrap_or(1.0),
            rate: rate
                .or(frequency.map(|f| std::f64::consts::TAU * f))
                .unwrap_or(1.0),
        }
    }

    fn span(&self) -> Span {
        let slots = [&self.decay, &self.rate, &self.frequency, &self.half_life];
        let mut spans = slots
            .iter()
            .filter_map(|slot| slot.as_ref())
            .map(|slot| slot.span);
        spans.next().unwrap_or_default()
    }
}

/// Smallest and largest key value.
fn extent(keys: &[TrackKey]) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    keys.iter().fold(start, |(low, high), key| {
        (low.min(key.value), high.max(key.value))
    })
}

/// A second key so many times later than the end is probably in another unit.
const FAR_BEYOND: f64 = 20.0;

struct TrackSignal {
    track: Keyed,
    /// Of the return, if there is one.
    period: Option<f64>,
}

/// Jumps are known beforehand for so many laps; later ones are seen at the tick.
const MOST_LAPS: f64 = 10_000.0;

impl Signal for TrackSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let time = inputs.row[TIME as usize];
        out[0] = match inputs.row[SIDE as usize] == 0.0 {
            true => self.track.at(time),
            false => self.track.before(time),
        };
    }

    fn jumps(&self, duration: f64) -> Vec<f64> {
        let once = self.track.jumps();
        let Some(period) = self.period else {
            return once;
        };
        let laps = ceil(duration / period).clamp(1.0, MOST_LAPS) as u32;
        (0..=laps)
            .flat_map(|lap| once.iter().map(move |t| t + f64::from(lap) * period))
            .filter(|t| *t <= duration)
            .collect()
    }
}
