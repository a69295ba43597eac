use super::ChannelKind;
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A number as it was some time ago. Before that much time has passed it is its value at 0; in a loop that
/// repeats it comes from the loop's end.
///
/// ```json
/// "channels": {
///   "x": { "wave": { "period": 1.2, "amplitude": 80, "around": 120 } },
///   "late": { "delay": { "of": "x", "by": 0.2 } }
/// },
/// "draw": [
///   { "circle": { "at": ["late", 60], "radius": 20, "fill": "#d6d0c2" } },
///   { "circle": { "at": ["x", 60], "radius": 14 } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "delay")]
pub struct Delay {
    /// The number.
    pub of: Num,
    /// How long ago, in T.
    #[schemars(extend("x-also" = ["time", "lag", "seconds"]))]
    pub by: Fixed<NonNegative>,
}

impl ChannelKind for Delay {
    fn build(&self, b: &mut Builder) -> Entity {
        let of = b.operand(&self.of);
        let by = b.fixed(&self.by);
        Entity::number("a delayed number", b.earlier(of, by))
    }
}
