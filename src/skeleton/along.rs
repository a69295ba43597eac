use super::JointKind;
use crate::formula::{Inputs, Program};
use crate::maths::polyline;
use crate::scene::Signal;
use crate::scene::builder::{Builder, PointList};
use crate::scene::entity::Entity;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A joint on the way through points: at 0.5 it has half of the way's length behind it, however the points
/// are spaced.
///
/// ```json
/// "skeleton": {
///   "track": { "curve": { "x": "120 + 80 * cos(turn * .u)", "y": "60 + 35 * sin(turn * .u)" } },
///   "car": { "along": { "points": "track", "at": "t / duration" } }
/// },
/// "draw": [
///   { "path": { "points": "track", "stroke": "#d6d0c2", "width": 2 } },
///   { "circle": { "at": "car", "radius": 8 } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "along")]
pub struct Along {
    /// The points of the way, straight lines between them.
    #[schemars(extend("x-also" = ["path", "of", "curve", "line"]))]
    pub points: Points,
    /// How far along, as a fraction of the length: 0 is the first point, 1 the last; clamped.
    #[schemars(extend("x-also" = ["progress", "offset", "position", "u", "fraction", "by"]))]
    pub at: Num,
}

impl JointKind for Along {
    fn build(&self, b: &mut Builder) -> Entity {
        let signal = AlongSignal {
            points: b.points(&self.points),
            at: b.num(&self.at),
        };
        Entity::point("a joint", b.point_signal(signal))
    }
}

struct AlongSignal {
    points: PointList,
    at: Program,
}

impl Signal for AlongSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let place = polyline::point_at(self.points.iter(inputs), self.at.eval(inputs));
        out[0] = place.x;
        out[1] = place.y;
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::Probe;

    #[test]
    fn fractions_are_of_the_length() {
        let probe = Probe::new(
            "{}",
            r#"{ "limb": { "curve": { "x": "90 * .u * .u", "y": 0, "points": 4 } },
                 "p": { "along": { "points": "limb", "at": "t / 2" } },
                 "q": { "along": { "points": [[0, 0], [30, 0], "corner"], "at": "t" } },
                 "corner": [30, "10 * t"] }"#,
        );
        for (t, x) in [(0.0, 0.0), (0.5, 22.5), (1.0, 45.0), (1.96, 88.2)] {
            assert!((probe.at(t, "p.x") - x).abs() < 1e-12, "{t}");
        }
        assert_eq!(probe.at(0.0, "q.x"), 0.0);
        assert_eq!((probe.at(1.0, "q.x"), probe.at(1.0, "q.y")), (30.0, 10.0));
        assert_eq!((probe.at(1.5, "q.x"), probe.at(1.5, "q.y")), (30.0, 15.0));
    }
}
