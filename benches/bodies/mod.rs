//! Bodies of a size, each alone in a spec of 12 frames.

use std::fmt;

/// A body and how many points it has.
pub struct Case {
    kind: &'static str,
    pub points: usize,
}

const fn case(kind: &'static str, points: usize) -> Case {
    Case { kind, points }
}

pub const ALL: &[Case] = &[
    case("balls", 1000),
    case("balls", 2000),
    case("rope", 1000),
    case("rope", 2000),
    case("sweep", 1000),
    case("sweep", 2000),
    case("cloth", 1000),
    case("cloth", 2000),
    case("ring", 1000),
    case("ring", 2000),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}", self.kind, self.points)
    }
}

impl Case {
    /// A spec of this body alone.
    pub fn spec(&self) -> String {
        let (body, mark) = (self.body(), self.mark());
        format!(
            r##"{{ "hazumi": 1, "alt": "A body.",
                "canvas": {{ "size": [400, 400], "fps": 20, "frames": 12 }},
                "world": {{ "gravity": [0, 900], "walls": {{ "box": [0, -1600, 400, 400], "bounce": 0.3 }} }},
                "bodies": {{ "body": {body} }}, "draw": [ {mark} ] }}"##
        )
    }

    fn body(&self) -> String {
        let n = self.points;
        match self.kind {
            "balls" => format!(
                r#"{{ "balls": {{ "count": {n}, "radius_range": [2, 3], "bounce": 0.3,
                    "scatter": {{ "box": [0, {}, 400, 400], "gap": 0.4 }} }} }}"#,
                400.0 - n as f64 * 0.15
            ),
            // Let go from horizontal.
            "rope" | "sweep" => format!(
                r#"{{ "rope": {{ "from": [20, 20], "toward": [1, 0], "length": 360, "points": {n},
                    "solver": "{}" }} }}"#,
                if self.kind == "rope" {
                    "direct"
                } else {
                    "sweep"
                }
            ),
            "cloth" => format!(
                r#"{{ "cloth": {{ "from": [50, 20], "size": [300, 300], "grid": [{}, 40] }} }}"#,
                n / 40
            ),
            _ => format!(
                r#"{{ "soft_body": {{ "circle": {{ "points": {n}, "center": [200, 280], "radius": 100 }},
                    "compliance": 0.0001, "pressure": {{ "strength": 0, "compliance": 0.00001 }} }} }}"#
            ),
        }
    }

    fn mark(&self) -> &'static str {
        match self.kind {
            "balls" => r#"{ "circle": { "of": "body" } }"#,
            "cloth" => r#"{ "mesh": { "of": "body" } }"#,
            _ => r#"{ "path": { "points": "body" } }"#,
        }
    }
}
