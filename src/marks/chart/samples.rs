//! A number over time: sampled once for all frames, since neither what was nor what will be depends on the
//! frame that shows it.

use super::super::Pen;
use crate::formula::Program;
use crate::maths::functions::{lerp, rounding};
use crate::scene::builder::Builder;
use crate::simulate::{Chain, Side};
use crate::spec::slots::Num;
use std::borrow::Cow;
use std::sync::OnceLock;

/// When a number is looked at: evenly, both ends included, and on both sides of every jump.
#[derive(Clone, Debug)]
pub struct Moments {
    pub from: f64,
    pub to: f64,
    /// Number of steps.
    pub count: usize,
}

/// A number at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub time: f64,
    pub value: f64,
}

/// A number's values over time.
pub struct Curve {
    of: Program,
    chain: Chain,
    moments: Vec<(f64, Side)>,
    /// The samples, unless they depend on the current element.
    known: Option<OnceLock<Samples>>,
}

/// Samples, and the first guard that was violated in them.
#[derive(Clone, Debug, Default)]
struct Samples {
    list: Vec<Sample>,
    violation: Option<(u32, f64)>,
}

impl Moments {
    /// All of them, ascending; of two at a jump the side before comes first.
    fn list(&self, jumps: &[f64]) -> Vec<(f64, Side)> {
        let near = |a: f64, b: f64| (a - b).abs() <= rounding(self.to);
        let within = |t: &&f64| **t > self.from && **t <= self.to + rounding(self.to);
        let mut jumps = jumps
            .iter()
            .filter(within)
            .map(|t| t.min(self.to))
            .peekable();
        let mut moments = Vec::with_capacity(self.count + 1);
        for i in 0..=self.count {
            let time = lerp(self.from, self.to, i as f64 / self.count as f64);
            let mut jumped = false;
            while let Some(jump) = jumps.next_if(|j| *j <= time + rounding(self.to)) {
                moments.extend([(jump, Side::Before), (jump, Side::After)]);
                jumped = near(jump, time);
            }
            if !jumped {
                moments.push((time, Side::After));
            }
        }
        moments
    }
}

impl Curve {
    /// Reads the number.
    pub fn build(of: &Num, moments: Moments, b: &mut Builder) -> Self {
        let (of, chain) = b.looking_back(|b| b.num(of));
        Self {
            moments: moments.list(&chain.jumps),
            known: (!of.reads_element()).then(OnceLock::new),
            of,
            chain,
        }
    }

    /// Its samples, ascending in time; two at the same time are a jump.
    pub fn samples(&self, pen: &Pen) -> Cow<'_, [Sample]> {
        let Some(known) = &self.known else {
            let fresh = self.take(pen);
            fresh.report(pen);
            return Cow::Owned(fresh.list);
        };
        let samples = known.get_or_init(|| self.take(pen));
        // Whoever took them, every frame that shows them is wrong.
        samples.report(pen);
        Cow::Borrowed(&samples.list)
    }

    fn take(&self, pen: &Pen) -> Samples {
        let (values, violation) = pen.sample(&self.of, &self.chain, &self.moments);
        let times = self.moments.iter().map(|(time, _)| *time);
        let samples = times
            .zip(values)
            .map(|(time, value)| Sample { time, value });
        let list = upright(samples.collect(), |time| {
            let (values, _) = pen.sample(&self.of, &self.chain, &[(time, Side::After)]);
            values.first().copied().unwrap_or_default()
        });
        Samples { list, violation }
    }

    /// Its value at a time, exactly.
    pub fn value_at(&self, pen: &mut Pen, time: f64) -> f64 {
        let mut value = 0.0;
        pen.at(&self.chain, time, |pen| value = pen.number(&self.of));
        value
    }
}

impl Samples {
    fn report(&self, pen: &Pen) {
        if pen.inputs.violation.get().is_none() {
            pen.inputs.violation.set(self.violation);
        }
    }
}

/// A step of at least this share of the whole height may be a jump.
const STEEP: f64 = 0.02;
/// Halvings until two times are next to one another.
const HALVINGS: u32 = 50;

/// Makes jumps upright that nobody knew beforehand, such as those of `floor`: between two samples far apart
/// the larger part of the difference is followed, half by half; where most of it stays, there is a jump.
fn upright(samples: Vec<Sample>, value_at: impl Fn(f64) -> f64) -> Vec<Sample> {
    let values = || samples.iter().map(|s| s.value);
    let height =
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
    let mut all = Vec::with_capacity(samples.len());
    for (i, sample) in samples.iter().enumerate() {
        all.push(*sample);
        let Some(next) = samples.get(i + 1) else {
            break;
        };
        let rise = |a: &Sample, b: &Sample| (b.value - a.value).abs();
        if next.time == sample.time || rise(sample, next) < STEEP * height || height == 0.0 {
            continue;
        }
        let (mut before, mut after) = (*sample, *next);
        for _ in 0..HALVINGS {
            let time = before.time + (after.time - before.time) / 2.0;
            let value = value_at(time);
            let middle = Sample { time, value };
            match rise(&before, &middle) > rise(&middle, &after) {
                true => after = middle,
                false => before = middle,
            }
        }
        if rise(&before, &after) > rise(sample, next) / 2.0 {
            before.time = after.time;
            all.push(before);
            all.extend((after.time < next.time).then_some(after));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_that_nobody_knew_stand_upright() {
        let stairs = |time: f64| crate::maths::functions::floor(3.0 * time);
        let sample = |i: u32| Sample {
            time: f64::from(i) / 10.0,
            value: stairs(f64::from(i) / 10.0),
        };
        let all = upright((0..=10).map(sample).collect(), stairs);
        let jumps: Vec<_> = all
            .windows(2)
            .filter(|two| two[0].time == two[1].time)
            .collect();
        assert_eq!(jumps.len(), 3, "{all:?}");
        assert!((jumps[0][0].time - 1.0 / 3.0).abs() < 1e-14);
        assert_eq!((jumps[0][0].value, jumps[0][1].value), (0.0, 1.0));
        let steep = |time: f64| 1000.0 * time * time * time;
        let sample = |i: u32| Sample {
            time: f64::from(i) / 10.0,
            value: steep(f64::from(i) / 10.0),
        };
        assert_eq!(upright((0..=10).map(sample).collect(), steep).len(), 11);
    }

    #[test]
    fn both_ends_and_both_sides_of_jumps_are_looked_at() {
        let moments = Moments {
            from: 1.0,
            to: 2.0,
            count: 4,
        };
        let list = moments.list(&[0.5, 1.0, 1.1, 1.5, 2.0, 2.5]);
        let (b, a) = (Side::Before, Side::After);
        assert_eq!(
            list,
            [
                (1.0, a),
                (1.1, b),
                (1.1, a),
                (1.25, a),
                (1.5, b),
                (1.5, a),
                (1.75, a),
                (2.0, b),
                (2.0, a)
            ]
        );
    }
}
