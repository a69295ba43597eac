use super::{Draw, MarkKind, NoStyle, Pen};
use crate::scene::builder::Builder;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Draws an instance of a part, or every instance of a row: `{ "use": "links" }`, `{ "use": "links[2]" }`.
///
/// ```json
/// "parts": {
///   "ball": {
///     "params": { "n": 0 },
///     "channels": { "y": { "wave": { "period": 1.2, "amplitude": 25, "around": 60, "phase": "n / 5" } } },
///     "draw": [ { "circle": { "at": ["60 + 30 * n", "y"], "radius": 11 } } ]
///   }
/// },
/// "use": { "balls": { "part": "ball", "times": 5, "with": { "n": ".i" } } },
/// "draw": [ { "use": "balls" } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "mark use")]
pub struct Use(pub Name);

impl MarkKind for Use {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        Box::new(UseMark(b.marks_of(&self.0)))
    }
}

struct UseMark(Vec<Box<dyn Draw>>);

impl Draw for UseMark {
    fn draw(&self, pen: &mut Pen) {
        for mark in &self.0 {
            mark.draw(pen);
        }
    }
}
