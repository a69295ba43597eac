use super::value::ValueCheck;
use super::{Bounds, Check, ClaimKind, Window};
use crate::formula::{Operand, Program};
use crate::kinds::any_of;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The area of a soft body, as a share of its target, keeps its bounds in every frame of the window.
///
/// ```json
/// "world": { "gravity": [0, 600], "walls": { "box": [0, 0, 240, 112], "bounce": 0.2 } },
/// "bodies": {
///   "blob": { "soft_body": {
///     "circle": { "points": 20, "center": [120, 50], "radius": 30 },
///     "compliance": 0.00002, "pressure": { "strength": 0, "compliance": 0 }
///   } }
/// },
/// "draw": [ { "path": { "points": "blob", "curve": "catmull_rom", "fill": "#c2402a" } } ],
/// "expect": [ { "area": { "of": "blob", "is": 1, "within": 0.01 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "claim_area", extend("allOf" = [any_of(&[&["is"], &["min"], &["max"]])]))]
pub struct Area {
    /// A soft body.
    pub of: Name,
}

impl ClaimKind for Area {
    type Shared = Twice<Bounds, Window>;

    fn build(&self, Twice(bounds, window): &Self::Shared, b: &mut Builder) -> Box<dyn Check> {
        let ratio = b.output(&self.of, "area_ratio", "a soft body");
        Box::new(ValueCheck {
            what: format!("{}.area_ratio", self.of.describe()),
            of: Program::of(ratio.unwrap_or(Operand::Constant(1.0))),
            bounds: bounds.build(b),
            window: window.build(b),
        })
    }
}
