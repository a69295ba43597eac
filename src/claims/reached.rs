use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::Program;
use crate::scene::builder::Builder;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Limbs come this near to their targets in every frame.
///
/// ```json
/// "skeleton": {
///   "arm": { "ik": { "from": [50, 100], "to": ["120 + 60 * t", 50], "lengths": [90, 80], "bend": -1 } }
/// },
/// "draw": [ { "path": { "points": "arm", "width": 6, "cap": "round" } } ],
/// "expect": [ { "reached": { "of": ["arm"], "max": 0.01 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_reached")]
pub struct Reached {
    /// Limbs of the kind `ik`.
    #[schemars(length(min = 1))]
    pub of: Vec<Name>,
    /// Largest distance from a tip to its target, in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Reached {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        let errors = self.of.iter().filter_map(|name| error_of(name, b));
        Box::new(ReachedCheck {
            of: errors.collect(),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

/// The `.error` of what a name stands for; none if it has none, which is reported.
fn error_of(name: &Name, b: &mut Builder) -> Option<(String, Program)> {
    let entity = b.entity(name)?;
    let error = entity.member("error").and_then(|error| error.number);
    if error.is_none() && !entity.broken {
        let message = format!("`{}` is {}: it has no target", name.describe(), entity.what);
        b.report(
            Problem::error("wrong-kind-of-name", name.span, message)
                .note("limbs of the kind `ik` have one"),
        );
    }
    Some((name.describe(), b.read(error?)))
}

struct ReachedCheck {
    of: Vec<(String, Program)>,
    bounds: BoundsCheck,
}

impl Check for ReachedCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst = (0.0, 0, "none");
        film.all(|frame, inputs| {
            for (name, error) in &self.of {
                let error = error.eval(inputs);
                if error > worst.0 {
                    worst = (error, frame, name);
                }
            }
        });
        let (error, frame, name) = worst;
        let short = self.bounds.short(error);
        let bounds = self.bounds.describe();
        Verdict {
            holds: self.bounds.allows(error),
            value: Some(error),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!("a tip misses its target by {short} px ({name}), {bounds}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::claims::probe::verdict;
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn the_worst_miss_counts() {
        let arm = r#""skeleton": { "arm": { "ik": { "from": [0, 0], "to": ["40 * t", 0], "lengths": [30, 30] } } }"#;
        let claim = |max: &str| {
            verdict(
                arm,
                &format!(r#"{{ "reached": {{ "of": ["arm"], "max": {max} }} }}"#),
            )
        };
        // The last frame is at 1.98 s.
        let (fails, holds) = (claim("19.1"), claim("19.3"));
        assert!(!fails.holds && fails.frame == Some(99), "{}", fails.words);
        assert!(fails.words.contains("19.2 px (arm)"), "{}", fails.words);
        assert!(holds.holds, "{}", holds.words);
    }

    #[test]
    fn what_would_be_shown_after_the_last_frame_does_not_count() {
        let probe = Probe::drawing(
            r#""skeleton": { "arm": { "ik": { "from": [0, 0], "to": ["t < 2 ? 40 : 90", 0], "lengths": [30, 30] } } },
               "draw": [ { "circle": { "at": [50, 50], "radius": 9 } } ],
               "expect": [ { "reached": { "of": ["arm"], "max": 1e-9 } }, { "seam": { "max": 0 } } ]"#,
        );
        let animation = probe.loaded();
        for (claim, verdict) in animation.simulate_plain().unwrap().judge() {
            assert!(verdict.holds, "{claim}: {}", verdict.words);
        }
    }

    #[test]
    fn what_has_no_target_is_refused() {
        let said = problems(
            r#""skeleton": { "p": [0, 0] }, "expect": [ { "reached": { "of": ["p"], "max": 0 } } ]"#,
        );
        assert!(said.contains("it has no target"), "{said}");
    }
}
