use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::formula::Program;
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A planted point does not slip: while the condition holds, it keeps its place on the ground. Measured from the
/// first frame of every stretch in which it holds.
///
/// ```json
/// "channels": { "travel": "60 * t", "lift": { "track": { "keys": [[0, 0], [0.6, 0], [0.9, 40], [1.2, 0]] } } },
/// "skeleton": { "foot": ["180 - 60 * t", "100 - lift"] },
/// "draw": [
///   { "ticks": { "from": [0, 104], "step": [20, 0], "count": 13, "scroll": "-travel" } },
///   { "circle": { "at": "foot", "radius": 6 } }
/// ],
/// "expect": [ { "slip": { "of": "foot", "against": "travel", "while": "lift == 0", "max": 1e-9 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_slip")]
pub struct Slip {
    /// The point.
    pub of: Point,
    /// How far the ground has moved to the left, in px, such as the `travel` of a gait; 0 if it stands.
    #[schemars(extend("x-also" = ["ground", "travel", "relative_to"]))]
    pub against: Num,
    /// It must not slip while this is not 0.
    #[schemars(extend("x-also" = ["when", "during", "if"]))]
    pub r#while: Cond,
    /// Largest distance on the ground in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Slip {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        Box::new(SlipCheck {
            what: match &self.of {
                Point::Name(name) => name.describe(),
                Point::At(pair) => format!("[{}, {}]", pair.0.describe(), pair.1.describe()),
            },
            of: b.point(&self.of),
            against: b.num(&self.against),
            planted: b.num(&self.r#while),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

struct SlipCheck {
    what: String,
    of: PointProgram,
    against: Program,
    planted: Program,
    bounds: BoundsCheck,
}

impl Check for SlipCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut worst: Option<(f64, usize)> = None;
        let mut planted: Option<Vec2> = None;
        film.all(|frame, inputs| {
            if self.planted.eval(inputs) == 0.0 {
                planted = None;
                return;
            }
            let ground = Vec2::new(self.against.eval(inputs), 0.0);
            let place = self.of.at(inputs) + ground;
            let slip = planted.get_or_insert(place).distance(place);
            if worst.is_none_or(|(most, _)| slip > most) {
                worst = Some((slip, frame));
            }
        });
        let Some((slip, frame)) = worst else {
            return Verdict {
                holds: false,
                value: None,
                bound: None,
                frame: None,
                words: format!("{} is never planted", self.what),
            };
        };
        let short = self.bounds.short(slip);
        Verdict {
            holds: self.bounds.allows(slip),
            value: Some(slip),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words: format!(
                "{} slips by {short} px, {}",
                self.what,
                self.bounds.describe()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::claims::probe::verdict;

    fn said(x: &str, condition: &str) -> (bool, Option<usize>, String) {
        let claim = format!(
            r#"{{ "slip": {{ "of": ["{x}", 50], "against": "30 * t", "while": "{condition}", "max": 1e-9 }} }}"#
        );
        let verdict = verdict(r#""channels": {}"#, &claim);
        (verdict.holds, verdict.frame, verdict.words)
    }

    #[test]
    fn every_stretch_counts_from_its_own_start() {
        // It jumps on while it is not planted.
        let jumping = "(t < 1 ? 50 : 90) - 30 * t";
        assert!(said(jumping, "t < 0.9 or t > 1.1").0);
        let slipped = said(jumping, "1");
        assert!(!slipped.0 && slipped.1 == Some(50), "{}", slipped.2);
        assert!(slipped.2.contains("slips by 40 px"), "{}", slipped.2);
        assert!(!said("50 - 29 * t", "t < 0.9").0);
    }

    #[test]
    fn what_is_never_planted_proves_nothing() {
        let (holds, frame, words) = said("0", "t < 0");
        assert!(!holds && frame.is_none() && words.contains("never planted"));
    }
}
