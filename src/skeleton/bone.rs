use super::JointKind;
use crate::formula::{Inputs, Program};
use crate::maths::functions::{cos, sin};
use crate::scene::Signal;
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A joint at the end of a bone.
///
/// ```json
/// "channels": { "angle": { "wave": { "period": 1.2, "amplitude": 40, "around": 90 } } },
/// "skeleton": {
///   "pivot": [120, 10],
///   "tip": { "bone": { "from": "pivot", "angle": "angle", "length": 80 } }
/// },
/// "draw": [
///   { "line": { "from": "pivot", "to": "tip", "width": 3 } },
///   { "circle": { "at": "tip", "radius": 12 } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "bone")]
pub struct Bone {
    /// Where the bone starts.
    pub from: Point,
    /// Its direction in degrees: 0 along +x, clockwise.
    #[schemars(extend("x-also" = ["rotation", "rotate", "direction"]))]
    pub angle: Num,
    /// Its length in px; negative: the other way.
    pub length: Num,
}

impl JointKind for Bone {
    fn build(&self, b: &mut Builder) -> Entity {
        let signal = BoneSignal {
            from: b.point(&self.from),
            angle: b.num(&self.angle),
            length: b.num(&self.length),
        };
        let at = b.point_signal(signal);
        Entity::point("a joint", at)
    }
}

struct BoneSignal {
    from: PointProgram,
    angle: Program,
    length: Program,
}

impl Signal for BoneSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let (angle, length) = (self.angle.eval(inputs), self.length.eval(inputs));
        out[0] = self.from.x.eval(inputs) + length * cos(angle);
        out[1] = self.from.y.eval(inputs) + length * sin(angle);
    }
}
