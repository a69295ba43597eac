use super::{Bounds, BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::formula::Operand;
use crate::kinds::any_of;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How often it bounces in the window: turns from falling to rising, and rises by at least a pixel before it
/// falls again.
///
/// ```json
/// "world": { "gravity": [0, 1800], "walls": { "box": [0, 0, 240, 112], "bounce": 0.7 } },
/// "bodies": { "ball": { "balls": { "items": [ { "at": [120, 20], "radius": 14 } ] } } },
/// "draw": [ { "circle": { "of": "ball", "fill": "#c2402a" } } ],
/// "expect": [ { "bounces": { "of": "ball", "min": 1 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_bounces", extend("allOf" = [any_of(&[&["is"], &["min"], &["max"]])]))]
pub struct Bounces {
    /// A body, whose centre counts, a point, or a number that is a height in px, down.
    pub of: Name,
}

/// How high it must rise to count, in px.
const LEAST_RISE: f64 = 1.0;

impl ClaimKind for Bounces {
    type Shared = Twice<Bounds, Window>;

    fn build(&self, Twice(bounds, window): &Self::Shared, b: &mut Builder) -> Box<dyn Check> {
        Box::new(BouncesCheck {
            what: self.of.describe(),
            height: b.height_of(&self.of),
            bounds: bounds.build(b),
            window: window.build(b),
        })
    }
}

struct BouncesCheck {
    what: String,
    height: Operand,
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for BouncesCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let mut heights = Vec::new();
        self.window.each(film, |_, inputs| {
            heights.push(self.height.value(inputs));
        });
        let count = bounces(&heights) as f64;
        Verdict {
            holds: self.bounds.allows(count),
            value: Some(count),
            bound: Some(self.bounds.describe()),
            frame: None,
            words: format!(
                "{} bounces {count} times, {}",
                self.what,
                self.bounds.describe()
            ),
        }
    }
}

/// Turns from falling to rising of heights in px, down.
fn bounces(heights: &[f64]) -> usize {
    let Some(first) = heights.first() else {
        return 0;
    };
    let (mut count, mut falling) = (0, false);
    // The lowest place of a fall, the highest of a rise.
    let mut extreme = *first;
    for y in heights {
        if falling {
            extreme = extreme.max(*y);
            if extreme - y >= LEAST_RISE {
                (count, falling, extreme) = (count + 1, false, *y);
            }
        } else {
            extreme = extreme.min(*y);
            if *y > extreme {
                (falling, extreme) = (true, *y);
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::bounces;

    #[test]
    fn only_real_rises_count() {
        assert_eq!(bounces(&[0.0, 10.0, 20.0, 12.0, 15.0, 20.0, 19.5, 20.0]), 1);
        assert_eq!(bounces(&[0.0, 10.0, 0.0, 10.0, 0.0, 10.0]), 2);
        // It starts by rising.
        assert_eq!(bounces(&[20.0, 10.0, 20.0]), 0);
        assert_eq!(bounces(&[]), 0);
    }
}
