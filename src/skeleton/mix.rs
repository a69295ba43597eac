use super::JointKind;
use crate::formula::{Inputs, Program};
use crate::scene::Signal;
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A joint on the straight line through two points.
///
/// ```json
/// "channels": { "share": { "wave": { "period": 1.2, "amplitude": 0.5, "around": 0.5 } } },
/// "skeleton": {
///   "left": [40, 90], "right": [200, 30],
///   "middle": { "mix": { "between": ["left", "right"], "by": "share" } }
/// },
/// "draw": [
///   { "dots": { "points": ["left", "right"], "size": 8, "fill": "#d6d0c2" } },
///   { "circle": { "at": "middle", "radius": 12 } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "mix")]
pub struct Mix {
    /// The two points.
    #[schemars(extend("x-also" = ["points", "of", "joints", "a", "from"]))]
    pub between: (Point, Point),
    /// 0 is the first point, 1 the second, 0.5 halfway; not clamped, so that 1.2 lies beyond the second.
    #[schemars(extend("x-also" = ["at", "amount", "u", "weight", "ratio"]))]
    pub by: Num,
}

impl JointKind for Mix {
    fn build(&self, b: &mut Builder) -> Entity {
        let signal = MixSignal {
            from: b.point(&self.between.0),
            to: b.point(&self.between.1),
            by: b.num(&self.by),
        };
        Entity::point("a joint", b.point_signal(signal))
    }
}

struct MixSignal {
    from: PointProgram,
    to: PointProgram,
    by: Program,
}

impl Signal for MixSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let by = self.by.eval(inputs);
        let place = self.from.at(inputs).lerp(self.to.at(inputs), by);
        out[0] = place.x;
        out[1] = place.y;
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn it_goes_beyond_both_ends() {
        let probe = Probe::new(
            "{}",
            r#"{ "a": [10, 20], "m": { "mix": { "between": ["a", [20, 40]], "by": "t" } },
                 "n": { "mix": { "between": ["m", "a"], "by": -1 } } }"#,
        );
        assert_eq!((probe.at(0.5, "m.x"), probe.at(0.5, "m.y")), (15.0, 30.0));
        assert_eq!(probe.at(1.5, "m.y"), 50.0);
        assert_eq!(probe.at(1.0, "n.x"), 30.0);
    }

    #[test]
    fn it_takes_two_points() {
        let said = problems(
            r#""skeleton": { "m": { "mix": { "between": [[0, 0], [1, 1], [2, 2]], "by": 0 } } }"#,
        );
        assert!(
            said.contains("`between` takes 2 values, not 3 values"),
            "{said}"
        );
    }
}
