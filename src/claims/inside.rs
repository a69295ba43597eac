use super::places::Places;
use super::{BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::scene::BoxProgram;
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Nothing of it leaves a box; balls count with their rims.
///
/// ```json
/// "channels": { "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } } },
/// "skeleton": { "dot": ["x", 60] },
/// "draw": [ { "circle": { "at": "dot", "radius": 14 } } ],
/// "expect": [ { "inside": { "of": "dot", "box": [40, 0, 200, 120] } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_inside")]
pub struct Inside {
    /// A body, a limb or a point.
    pub of: Name,
    /// `[left, top, right, bottom]` in px.
    pub r#box: Edges,
    /// How far in px it may reach beyond.
    #[serde(default = "Fixed::<NonNegative>::zero")]
    pub within: Fixed<NonNegative>,
}

impl ClaimKind for Inside {
    type Shared = Window;

    fn build(&self, window: &Window, b: &mut Builder) -> Box<dyn Check> {
        Box::new(InsideCheck {
            of: Places::build(&self.of, b),
            edges: b.edges(&self.r#box),
            bounds: BoundsCheck::at_most(b.fixed(&self.within)),
            window: window.build(b),
        })
    }
}

struct InsideCheck {
    of: Places,
    edges: BoxProgram,
    bounds: BoundsCheck,
    window: WindowCheck,
}

impl Check for InsideCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let (mut worst, mut at, mut whose) = (0.0, None, 0);
        self.window.each(film, |frame, inputs| {
            let [left, top, right, bottom] = self.edges.at(inputs);
            for (i, disc) in self.of.discs(inputs).enumerate() {
                let r = disc.radius;
                let beyond = (left - disc.x + r)
                    .max(top - disc.y + r)
                    .max(disc.x + r - right)
                    .max(disc.y + r - bottom);
                if beyond > worst {
                    (worst, at, whose) = (beyond, Some(frame), i);
                }
            }
        });
        let short = self.bounds.short(worst);
        let who = self.of.name_of(whose);
        Verdict {
            holds: self.bounds.allows(worst),
            value: Some(worst),
            bound: Some(self.bounds.describe()),
            frame: at,
            words: format!(
                "{who} reaches {short} px outside, {}",
                self.bounds.describe()
            ),
        }
    }
}
