use super::ChannelKind;
use crate::formula::Inputs;
use crate::maths::functions::{lerp, round};
use crate::maths::random;
use crate::scene::Signal;
use crate::scene::builder::{Builder, TIME};
use crate::scene::entity::Entity;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value that wanders smoothly at random, the same in every run. Seeded by `seed`, by `--seed` and by the
/// channel's full name, so that every instance of a part wanders in its own way.
///
/// ```json
/// "channels": {
///   "x": { "noise": { "frequency": 2.5, "period": 1.2, "between": [60, 180] } },
///   "y": { "noise": { "frequency": 5, "period": 1.2, "between": [30, 90], "seed": 1 } }
/// },
/// "draw": [ { "circle": { "at": ["x", "y"], "radius": 12 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "noise")]
pub struct Noise {
    /// How many ups and downs it has per T, about.
    #[schemars(extend("x-also" = ["freq", "speed", "rate", "scale"]))]
    pub frequency: Fixed<Positive>,
    /// Time in T after which it repeats exactly, for loops: a whole number of features, so that
    /// frequency × period is rounded. Without it there is no repeat.
    #[schemars(extend("x-also" = ["loop", "repeat", "length"]))]
    pub period: Option<Fixed<Positive>>,
    /// Smallest and largest value; it seldom comes near them.
    #[serde(default = "signed")]
    #[schemars(extend("x-also" = ["range", "amplitude", "bounds"]))]
    pub between: FixedPair,
    /// Another number gives another course.
    #[serde(default = "Int::<0, { i64::MAX }>::zero")]
    pub seed: Int<0, { i64::MAX }>,
}

fn signed() -> FixedPair {
    (Fixed::literal(-1.0), Fixed::literal(1.0))
}

impl ChannelKind for Noise {
    fn build(&self, b: &mut Builder) -> Entity {
        let seed = b.own_seed(&self.seed);
        let frequency = b.fixed(&self.frequency);
        let signal = NoiseSignal {
            seed,
            course: match &self.period {
                Some(slot) => repeating(slot, frequency, b),
                None => Course::Endless { frequency },
            },
            between: b.fixed_pair(&self.between),
        };
        Entity::number("a noise", b.signal(1, signal))
    }
}

/// A whole number of features in the period; a number that is not whole is rounded, and said.
fn repeating(slot: &Fixed<Positive>, frequency: f64, b: &mut Builder) -> Course {
    let period = b.fixed(slot);
    let wished = frequency * period;
    let features = round(wished).max(1.0);
    if (features - wished).abs() > 1e-6 {
        b.report(
            Problem::warning(
                "rounded-frequency",
                slot.span,
                format!("{wished} features do not repeat after {period}: {features} are used"),
            )
            .note(format!(
                "write `\"frequency\": \"{features} / {}\"`",
                slot.describe()
            )),
        );
    }
    Course::Repeating {
        period,
        features: features as u64,
    }
}

enum Course {
    Endless { frequency: f64 },
    Repeating { period: f64, features: u64 },
}

struct NoiseSignal {
    seed: u64,
    course: Course,
    between: [f64; 2],
}

impl Signal for NoiseSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let time = inputs.row[TIME as usize];
        let value = match self.course {
            Course::Endless { frequency } => random::noise(self.seed, time * frequency),
            Course::Repeating { period, features } => {
                random::noise_periodic(self.seed, time / period * features as f64, features)
            }
        };
        out[0] = lerp(self.between[0], self.between[1], (value + 1.0) / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn it_stays_between_its_bounds_and_repeats() {
        let probe = Probe::new(
            r#"{ "n": { "noise": { "frequency": 2.5, "period": 2, "between": [10, 30] } } }"#,
            "{}",
        );
        let values: Vec<f64> = (0..=200)
            .map(|i| probe.at(f64::from(i) / 50.0, "n"))
            .collect();
        assert!(values.iter().all(|v| (10.0..=30.0).contains(v)));
        for i in 0..100 {
            assert!((values[i] - values[i + 100]).abs() < 1e-9, "{i}");
        }
        let spread = values
            .iter()
            .fold((30.0, 10.0), |(low, high): (f64, f64), v| {
                (low.min(*v), high.max(*v))
            });
        assert!(spread.1 - spread.0 > 4.0, "{spread:?}");
    }

    #[test]
    fn its_numbers_are_fixed_for_ever() {
        let probe = Probe::new(
            r#"{ "n": { "noise": { "frequency": 1 } }, "m": { "noise": { "frequency": 1 } },
                 "o": { "noise": { "frequency": 1, "seed": 1 } } }"#,
            "{}",
        );
        let seed = crate::maths::random::seed_for(crate::maths::random::hash(0, 0), "n");
        assert!((probe.at(0.5, "n") - crate::maths::random::noise(seed, 0.5)).abs() < 1e-15);
        assert_ne!(probe.at(0.5, "n"), probe.at(0.5, "m"));
        assert_ne!(probe.at(0.5, "m"), probe.at(0.5, "o"));
    }

    #[test]
    fn a_part_of_a_feature_is_said() {
        let said = problems(
            r#""channels": { "n": { "noise": { "frequency": 1.2, "period": "duration" } } }"#,
        );
        assert!(
            said.contains("2.4 features do not repeat after 2: 2 are used"),
            "{said}"
        );
        assert!(
            said.contains(r#"write `"frequency": "2 / duration"`"#),
            "{said}"
        );
    }
}
