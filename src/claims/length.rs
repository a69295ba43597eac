use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::{Inputs, Program};
use crate::scene::builder::{Builder, PointList};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Every bone or link keeps its length: the largest error in any frame is at most this.
///
/// ```json
/// "skeleton": {
///   "arm": { "ik": { "from": [50, 100], "to": ["110 + 60 * t", 50], "lengths": [60, 60, 50], "bend": -1 } }
/// },
/// "draw": [ { "path": { "points": "arm", "width": 6, "cap": "round" } } ],
/// "expect": [ { "length": { "of": ["arm"], "max": 1e-9 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_length")]
pub struct Length {
    /// Limbs and ropes: what has links of a length that was asked for.
    #[schemars(length(min = 1))]
    pub of: Vec<Name>,
    /// Largest error in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Length {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        let links = self.of.iter().filter_map(|name| links(name, b));
        Box::new(LengthCheck {
            of: links.collect(),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

/// The links of what a name stands for; none if it has none, which is reported.
fn links(name: &Name, b: &mut Builder) -> Option<Links> {
    let entity = b.entity(name)?;
    let Some(lengths) = &entity.lengths else {
        if !entity.broken {
            let what = format!("`{}` is {}", name.describe(), entity.what);
            let message = format!("{what}: it has no links whose length was asked for");
            b.report(
                Problem::error("wrong-kind-of-name", name.span, message)
                    .note("there are such links in `chain`, `ik` and `rope`"),
            );
        }
        return None;
    };
    Some(Links {
        name: name.describe(),
        lengths: lengths.iter().map(|length| b.read(*length)).collect(),
        points: PointList::Operands(b.points_of(name)),
    })
}

/// A limb's joints, and what the links between them should be long.
struct Links {
    name: String,
    points: PointList,
    lengths: Vec<Program>,
}

impl Links {
    /// The largest error of any link, and which.
    fn worst(&self, inputs: &Inputs) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for (i, length) in self.lengths.iter().enumerate() {
            let drawn = self
                .points
                .at(i, inputs)
                .distance(self.points.at(i + 1, inputs));
            let error = (drawn - length.eval(inputs)).abs();
            if error > worst.0 || error.is_nan() {
                worst = (error, i);
            }
        }
        worst
    }
}

struct LengthCheck {
    of: Vec<Links>,
    bounds: BoundsCheck,
}

impl Check for LengthCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst = (0.0, 0, String::from("none"));
        film.all(|frame, inputs| {
            for links in &self.of {
                let (error, link) = links.worst(inputs);
                if error > worst.0 {
                    worst = (
                        error,
                        frame,
                        format!("{}[{link}] to [{}]", links.name, link + 1),
                    );
                }
            }
        });
        let (error, frame, which) = worst;
        let short = self.bounds.short(error);
        let bounds = self.bounds.describe();
        Verdict {
            holds: self.bounds.allows(error),
            value: Some(error),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!("largest error of a length is {short} px ({which}), {bounds}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::claims::probe::verdict;
    use crate::scene::probe::problems;

    #[test]
    fn solved_limbs_keep_their_lengths() {
        let limbs = r#""skeleton": {
            "two": { "ik": { "from": [50, 50], "to": ["50 + 60 * t", 10], "lengths": [30, "20 + t"] } },
            "many": { "ik": { "from": [50, 50], "to": ["50 + 60 * t", 10], "lengths": [30, 20, 20] } },
            "tail": { "chain": { "from": [0, 0], "count": 5, "angle": "30 * t + .i", "length": "-3 * t - .i" } } }"#;
        let said = verdict(
            limbs,
            r#"{ "length": { "of": ["two", "many", "tail"], "max": 1e-9 } }"#,
        );
        assert!(said.holds, "{}", said.words);
    }

    #[test]
    fn what_has_no_links_is_refused() {
        let said = problems(
            r#""skeleton": { "p": [0, 0], "c": { "curve": { "x": ".u", "y": 0 } } },
               "expect": [ { "length": { "of": ["p", "c"], "max": 0 } } ]"#,
        );
        assert_eq!(said.matches("it has no links").count(), 2, "{said}");
    }
}
