use super::places::{Disc, Places};
use super::{BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::maths::functions::hypot;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// No two balls overlap by more than this.
///
/// ```json
/// "world": { "gravity": [0, 900], "walls": { "box": [20, 0, 220, 112] } },
/// "bodies": {
///   "balls": { "balls": { "count": 12, "radius": 12, "scatter": { "box": [20, 0, 220, 80] } } }
/// },
/// "draw": [ { "circle": { "of": "balls", "fill": "#c2402a" } } ],
/// "expect": [ { "overlap": { "of": "balls", "at": 0, "max": 0 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_overlap")]
pub struct Overlap {
    /// Balls.
    pub of: Name,
    /// Largest overlap in px.
    pub max: Fixed<NonNegative>,
}

impl ClaimKind for Overlap {
    type Shared = Window;

    fn build(&self, window: &Window, b: &mut Builder) -> Box<dyn Check> {
        Box::new(OverlapCheck {
            of: Places::build_balls(&self.of, b),
            bounds: BoundsCheck::at_most(b.fixed(&self.max)),
            window: window.build(b),
        })
    }
}

struct OverlapCheck {
    of: Places,
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for OverlapCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let (mut worst, mut at, mut pair) = (0.0, None, [0, 1]);
        self.window.each(film, |frame, inputs| {
            let (overlap, whose) = deepest(&self.of.discs(inputs).collect::<Vec<_>>());
            if overlap > worst {
                (worst, at, pair) = (overlap, Some(frame), whose);
            }
        });
        let short = self.bounds.short(worst);
        let [a, b] = pair.map(|i| self.of.name_of(i));
        Verdict {
            holds: self.bounds.allows(worst),
            value: Some(worst),
            bound: Some(self.bounds.describe()),
            frame: at,
            words: match at {
                Some(_) => format!(
                    "{a} and {b} overlap by {short} px, {}",
                    self.bounds.describe()
                ),
                None => format!("nothing overlaps, {}", self.bounds.describe()),
            },
        }
    }
}

/// The deepest overlap and its two discs: swept from left to right, so that only neighbours meet.
fn deepest(discs: &[Disc]) -> (f64, [usize; 2]) {
    let left = |i: usize| discs[i].x - discs[i].radius;
    let mut order: Vec<usize> = (0..discs.len()).collect();
    order.sort_by(|a, b| left(*a).total_cmp(&left(*b)).then(a.cmp(b)));
    let mut worst = (0.0, [0, 0]);
    let mut open: Vec<usize> = Vec::new();
    for i in order {
        open.retain(|j| discs[*j].x + discs[*j].radius > left(i));
        for j in &open {
            let (a, b) = (discs[i], discs[*j]);
            let overlap = a.radius + b.radius - hypot(a.x - b.x, a.y - b.y);
            if overlap > worst.0 {
                worst = (overlap, [i.min(*j), i.max(*j)]);
            }
        }
        open.push(i);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(x: f64, y: f64, radius: f64) -> Disc {
        Disc { x, y, radius }
    }

    #[test]
    fn the_deepest_pair_is_found() {
        let discs = [
            disc(50.0, 0.0, 5.0),
            disc(0.0, 0.0, 10.0),
            disc(15.0, 0.0, 6.0),
            disc(41.0, 0.0, 5.0),
            disc(0.0, 14.0, 6.0),
        ];
        assert_eq!(deepest(&discs), (2.0, [1, 4]));
        assert_eq!(deepest(&discs[..1]).0, 0.0);
        let inside = [disc(0.0, 0.0, 10.0), disc(1.0, 0.0, 2.0)];
        assert_eq!(deepest(&inside), (11.0, [0, 1]));
    }
}
