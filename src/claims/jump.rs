use super::places::Places;
use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::{Inputs, Program};
use crate::scene::builder::{Builder, TIME};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::Cell;

/// No name moves farther than this from one frame to the next; with `on` only where a script switches, from the
/// frame before the switch to the first one after it.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "jump": { "of": ["x"], "max": 9 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_jump")]
pub struct Jump {
    /// Numbers, points or limbs.
    #[schemars(length(min = 1))]
    pub of: Vec<Name>,
    /// A script: only its switches count.
    #[schemars(extend("x-also" = ["at", "when", "script"]))]
    pub on: Option<Name>,
    /// Largest step in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Jump {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        Box::new(JumpCheck {
            of: Places::build_all(&self.of, b),
            since: self.on.as_ref().and_then(|script| since(script, b)),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

struct JumpCheck {
    of: Vec<Places>,
    /// The time since a script's last switch, if only its switches count.
    since: Option<Program>,
    bounds: BoundsCheck,
}

/// A script's `.since`; none if the name is no script, which is reported.
fn since(script: &Name, b: &mut Builder) -> Option<Program> {
    let entity = b.entity(script)?;
    let since = entity.member("since").and_then(|since| since.number);
    if since.is_none() {
        b.wrong_entity(script, &entity, "a script");
    }
    Some(b.read(since?))
}

impl JumpCheck {
    /// Whether the step between two frames counts.
    fn counts(&self, before: &[f64], now: &[f64]) -> bool {
        let Some(since) = &self.since else {
            return true;
        };
        let violation = Cell::new(None);
        let age = |row: &[f64]| since.eval(&Inputs::new(row, &[], &violation));
        let passed = now[TIME as usize] - before[TIME as usize];
        // Without a switch a motion grows older by just as much.
        age(now) < age(before) + passed - 1e-9
    }
}

impl Check for JumpCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst = (0.0, 0, "");
        film.steps(0..film.frames, |frame, before, now| {
            if self.counts(before, now) {
                for places in &self.of {
                    let (step, _) = places.longest_way(before, now);
                    if step > worst.0 {
                        worst = (step, frame, places.name());
                    }
                }
            }
        });
        let (step, frame, name) = worst;
        let short = self.bounds.short(step);
        Verdict {
            holds: self.bounds.allows(step),
            value: Some(step),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!(
                "largest step is {short} px ({name}), {}",
                self.bounds.describe()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::claims::probe::verdict;
    use crate::scene::probe::problems;

    const CHANNELS: &str = r#""channels": {
        "act": { "script": { "keys": [[0, "a"], [0.4, "b"], [0.71, "b"], [1.5, "a"]] } },
        "x": "(t < 0.2 ? 0 : 90) + (t < 0.4 ? 0 : 5) + (t < 0.71 ? 0 : 7) + (t < 1.5 ? 0 : 6)" }"#;

    fn claim(more: &str) -> crate::claims::Verdict {
        verdict(
            CHANNELS,
            &format!(r#"{{ "jump": {{ "of": ["x"], "max": 6.5{more} }} }}"#),
        )
    }

    #[test]
    fn with_a_script_only_its_switches_count() {
        assert_eq!(claim("").frame, Some(10));
        let worst = claim(r#", "on": "act""#);
        // Also where a motion follows itself, and between two frames.
        assert_eq!(
            (worst.frame, worst.holds),
            (Some(36), false),
            "{}",
            worst.words
        );
        assert!(worst.words.contains("7 px"), "{}", worst.words);
    }

    #[test]
    fn only_scripts_switch() {
        let said = problems(&format!(
            r#"{CHANNELS}, "expect": [ {{ "jump": {{ "of": ["x"], "on": "x", "max": 1 }} }} ]"#
        ));
        assert!(
            said.contains("`x` is a number, but this takes a script"),
            "{said}"
        );
    }
}
