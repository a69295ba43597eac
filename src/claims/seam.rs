use super::places::Places;
use super::{BoundsCheck, Check, ClaimKind, Film, Nothing, Verdict};
use crate::scene::builder::Builder;
use crate::seam;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The end of the animation meets its start: what would be shown at t = duration lies this near to frame 0.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "seam": { "max": 1e-9 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_seam")]
pub struct Seam {
    /// Numbers, points or limbs; everything that is drawn if absent.
    pub of: Option<Vec<Name>>,
    /// Largest distance in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Seam {
    type Shared = Nothing;

    fn build(&self, _: &Nothing, b: &mut Builder) -> Box<dyn Check> {
        Box::new(SeamCheck {
            of: self.of.as_ref().map(|names| Places::build_all(names, b)),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
        })
    }
}

struct SeamCheck {
    of: Option<Vec<Places>>,
    bounds: BoundsCheck,
}

impl Check for SeamCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let ends = film.end().map(|end| [0, end]);
        let (distance, whose) = match (&self.of, ends) {
            (_, None) => (f64::INFINITY, "the end is not known".into()),
            (None, Some(ends)) => seam::between(film.scene, film.timeline, ends),
            (Some(places), Some(ends)) => between_ends(film, ends, places),
        };
        let short = self.bounds.short(distance);
        Verdict {
            holds: self.bounds.allows(distance),
            value: Some(distance),
            bound: Some(self.bounds.describe()),
            frame: Some(0),
            words: format!("seam is {short} px ({whose}), {}", self.bounds.describe()),
        }
    }

    fn needs_end(&self) -> bool {
        true
    }
}

fn between_ends(film: &Film, ends: [usize; 2], places: &[Places]) -> (f64, String) {
    let [start, end] = ends.map(|frame| {
        let mut row = Vec::new();
        film.timeline.row(frame, &mut row);
        row
    });
    let mut worst = (0.0, "nothing moves");
    for places in places {
        let (distance, _) = places.longest_way(&start, &end);
        if distance > worst.0 {
            worst = (distance, places.name());
        }
    }
    (worst.0, worst.1.to_owned())
}
