use super::ChannelKind;
use crate::formula::{Inputs, Operand};
use crate::maths::functions::rounding;
use crate::scene::Signal;
use crate::scene::builder::{Builder, SIDE, TIME};
use crate::scene::entity::{Entity, TextValue};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::validate::{RESERVED, is_plain_name};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// Which motion is on when. `{act}` in a text shows the motion's name; `act.walk` is 1 while `walk` is on,
/// else 0; `act.since` is the time since it began.
///
/// ```json
/// "channels": {
///   "act": { "script": { "keys": [[0, "rest"], [0.4, "hop"], [0.9, "rest"]] } },
///   "y": "90 - act.hop * 60 * sin(180 * act.since / 0.5)"
/// },
/// "draw": [ { "circle": { "at": [120, "y"], "radius": 14 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "script")]
pub struct Script {
    /// `[time, "motion"]`, sorted by time; the first at time 0. A motion that follows itself begins anew.
    #[schemars(length(min = 1), extend("x-also" = ["motions", "states", "cues", "timeline", "steps"]))]
    pub keys: Vec<ScriptKey>,
}

/// `[time, "motion"]`: from this time in T on the motion is on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "script key", extend("x-expects" = "a key: `[time, \"motion\"]`"))]
pub struct ScriptKey(pub Fixed, pub Plain);

/// Outputs of a script that no motion may be named after.
const OUTPUTS: [&str; 2] = ["since", "previous_since"];

impl ChannelKind for Script {
    fn build(&self, b: &mut Builder) -> Entity {
        let mut motions: Vec<String> = Vec::new();
        let mut cues: Vec<Cue> = Vec::new();
        for ScriptKey(time, motion) in &self.keys {
            let Some(name) = motion.text.as_deref() else {
                continue;
            };
            check_name(name, motion, b);
            let known = motions.iter().position(|known| known == name);
            let motion = known.unwrap_or_else(|| {
                motions.push(name.to_owned());
                motions.len() - 1
            });
            cues.push(Cue {
                time: b.fixed(time),
                motion,
            });
        }
        self.check_times(b);
        if cues.is_empty() {
            return Entity::broken();
        }
        let outputs = FIRST_MOTION + motions.len();
        let start = b.signal(outputs as u32, ScriptSignal(cues));
        describe(start, motions)
    }
}

/// What the script's columns mean.
fn describe(start: Operand, motions: Vec<String>) -> Entity {
    let column = |place: usize| match start {
        Operand::Column(first) => Operand::Column(first + place as u32),
        other => other,
    };
    let entity = Entity {
        what: "a script",
        text: Some(TextValue::OneOf(column(0), Arc::from(motions.as_slice()))),
        ..Entity::default()
    };
    let outputs = OUTPUTS.into_iter().map(str::to_owned).chain(motions);
    (1..).zip(outputs).fold(entity, |entity, (place, output)| {
        entity.with(&output, Entity::number("a number", column(place)))
    })
}

fn check_name(name: &str, motion: &Plain, b: &mut Builder) {
    if OUTPUTS.contains(&name) || RESERVED.contains(&name) {
        b.report(
            Problem::error(
                "reserved-name",
                motion.span,
                format!("a motion cannot be called `{name}`"),
            )
            .note("`.since` and `.previous_since` are the script's own outputs"),
        );
    } else if !is_plain_name(name) {
        b.report(
            Problem::error(
                "bad-name",
                motion.span,
                format!("`{name}` cannot be the name of a motion"),
            )
            .note("a name is letters a–z, digits and `_`, and does not begin with a digit"),
        );
    }
}

impl Script {
    fn check_times(&self, b: &mut Builder) {
        let times: Vec<f64> = self.keys.iter().map(|key| b.fixed(&key.0)).collect();
        if let Some(first) = times.first().filter(|first| **first != 0.0) {
            let span = self.keys[0].0.span;
            b.report(Problem::error(
                "late-start",
                span,
                format!("a script begins at 0, not at {first}: some motion is always on"),
            ));
        }
        for (i, pair) in times.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                let message = format!(
                    "the times of a script must rise: {} comes after {}",
                    pair[1], pair[0]
                );
                let span = self.keys[i + 1].0.span;
                b.report(
                    Problem::error("unsorted-keys", span, message)
                        .related(self.keys[i].0.span, "the key before"),
                );
            }
        }
    }
}

/// From a time on a motion is on.
struct Cue {
    time: f64,
    motion: usize,
}

/// Columns before those of the motions: the motion's number and the two times.
const FIRST_MOTION: usize = 1 + OUTPUTS.len();

struct ScriptSignal(Vec<Cue>);

impl Signal for ScriptSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let time = inputs.row[TIME as usize];
        let is_after = inputs.row[SIDE as usize] == 0.0;
        // A frame that misses its cue by rounding alone is on it.
        let begun = |cue: &Cue| match is_after {
            true => cue.time <= time + rounding(time),
            false => cue.time < time - rounding(time),
        };
        let now = self.0.partition_point(begun).saturating_sub(1);
        let motion = self.0[now].motion;
        out[0] = motion as f64;
        out[1] = (time - self.0[now].time).max(0.0);
        out[2] = time - self.0[now.saturating_sub(1)].time;
        let flags = &mut out[FIRST_MOTION..];
        flags.fill(0.0);
        flags[motion] = 1.0;
    }

    fn jumps(&self, _: f64) -> Vec<f64> {
        self.0.iter().map(|cue| cue.time).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    const ACT: &str =
        r#"{ "act": { "script": { "keys": [[0, "walk"], [0.3, "jump"], [0.9, "walk"]] } } }"#;

    #[test]
    fn motions_and_times() {
        let probe = Probe::new(ACT, "{}");
        for (time, walk, since, previous) in [
            (0.0, 1.0, 0.0, 0.0),
            (0.28, 1.0, 0.28, 0.28),
            (0.3, 0.0, 0.0, 0.3),
            (0.88, 0.0, 0.58, 0.88),
            (0.9, 1.0, 0.0, 0.6),
            (1.5, 1.0, 0.6, 1.2),
        ] {
            assert_eq!(probe.at(time, "act.walk"), walk, "{time}");
            assert_eq!(probe.at(time, "act.jump"), 1.0 - walk, "{time}");
            assert!(
                (probe.at(time, "act.since") - since).abs() < 1e-12,
                "{time}"
            );
            let previous_since = probe.at(time, "act.previous_since");
            assert!((previous_since - previous).abs() < 1e-12, "{time}");
        }
    }

    #[test]
    fn a_text_shows_the_motion_that_is_on() {
        let probe = Probe::new(ACT, "{}");
        let text = "now: {act} ({t:.1} s)";
        assert_eq!(probe.text(0.0, text), "now: walk (0.0 s)");
        assert_eq!(probe.text(0.5, text), "now: jump (0.5 s)");
        assert_eq!(probe.text(0.9, text), "now: walk (0.9 s)");
    }

    #[test]
    fn a_text_param_takes_no_live_text() {
        let said = problems(&format!(
            r#""channels": {ACT}, "parts": {{ "p": {{ "params": {{ "say": "" }} }} }},
               "use": {{ "one": {{ "part": "p", "with": {{ "say": "{{act}}" }} }} }}"#
        ));
        assert!(said.contains("`{act}` changes with time"), "{said}");
    }

    #[test]
    fn what_a_script_cannot_be() {
        for (keys, message) in [
            (r#"[[0, "since"]]"#, "a motion cannot be called `since`"),
            (r#"[[0, "not"]]"#, "a motion cannot be called `not`"),
            (
                r#"[[0, "long jump"]]"#,
                "`long jump` cannot be the name of a motion",
            ),
            (r#"[[1, "walk"]]"#, "a script begins at 0, not at 1"),
            (
                r#"[[0, "a"], [2, "b"], [1, "a"]]"#,
                "must rise: 1 comes after 2",
            ),
            (r#"[["t", "a"]]"#, "`t` changes with time"),
            ("[]", "`keys` takes at least 1 value, not 0 values"),
            (r#"[[0]]"#, "`keys` takes a key: `[time, \"motion\"]`"),
        ] {
            let said = problems(&format!(
                r#""channels": {{ "act": {{ "script": {{ "keys": {keys} }} }} }}"#
            ));
            assert!(said.contains(message), "{said}");
        }
    }

    #[test]
    fn it_is_no_number() {
        let said = problems(&format!(
            r#""channels": {ACT}, "skeleton": {{ "at": ["act", 0] }}"#
        ));
        assert!(said.contains("`act` is a script, not a number"), "{said}");
        assert!(said.contains("`act.walk`"), "{said}");
    }
}
