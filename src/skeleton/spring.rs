use super::JointKind;
use crate::channels::spring::{LiveStrength, Strength};
use crate::formula::{Inputs, Operand, Program};
use crate::maths::vector::Vec2;
use crate::scene::builder::{Builder, PointProgram};
use crate::scene::entity::Entity;
use crate::scene::{Memory, MemorySize};
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A joint on a spring: it goes after a point and may swing past it. Carried exactly from tick to tick, so no
/// stiffness and no frame rate makes it blow up or changes the answer. It starts at rest on `to`.
///
/// Outputs: `.x`, `.y`; `.vx`, `.vy`, the spring's speed in px per T.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 70, "in_out_cubic"], [0.6, 170]] } } },
/// "skeleton": {
///   "body": ["x", 84],
///   "head": { "spring": { "to": ["x", 40], "frequency": 2.5, "damping_ratio": 0.3, "limit": 40 } }
/// },
/// "draw": [
///   { "line": { "from": "body", "to": "head", "width": 6, "stroke": "#6f6a5f" } },
///   { "circle": { "at": "body", "radius": 18 } },
///   { "circle": { "at": "head", "radius": 14, "fill": "#c2402a" } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "joint_spring")]
pub struct SpringFields {
    /// The point it goes after.
    #[schemars(extend("x-also" = ["target", "goal", "of", "at"]))]
    pub to: Point,
    /// It is shown at less than this many px from `to`: an offset d as d · limit / (limit + d). The spring itself
    /// is not held back.
    #[schemars(extend("x-also" = ["max", "max_distance", "clamp"]))]
    pub limit: Option<Num<Positive>>,
}

/// A joint on a spring.
pub type Spring = Twice<SpringFields, Strength>;

impl JointKind for Spring {
    fn build(&self, b: &mut Builder) -> Entity {
        let Twice(fields, strength) = self;
        let memory = SpringMemory {
            to: b.point(&fields.to),
            limit: b.maybe(&fields.limit),
            strength: strength.build(b),
        };
        let Operand::Column(first) = b.memory(4, memory) else {
            return Entity::broken();
        };
        let column = |place: u32| Operand::Column(first + place);
        Entity::point("a joint", [column(0), column(1)])
            .with("vx", Entity::number("a speed", column(2)))
            .with("vy", Entity::number("a speed", column(3)))
    }
}

struct SpringMemory {
    to: PointProgram,
    limit: Option<Program>,
    strength: LiveStrength,
}

/// Inputs: the point, the limit, the strength's numbers. States: x, y and their speeds.
const LIMIT: usize = 2;
const STRENGTH: usize = 3;

impl Memory for SpringMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: STRENGTH + LiveStrength::INPUTS,
            states: 4,
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        let to = self.to.at(inputs);
        (input[0], input[1]) = (to.x, to.y);
        let limit = self.limit.as_ref().map(|limit| limit.eval(inputs));
        input[LIMIT] = limit.unwrap_or(f64::INFINITY);
        self.strength.read(inputs, &mut input[STRENGTH..]);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        state.copy_from_slice(&[input[0], input[1], 0.0, 0.0]);
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        let Some(law) = self.strength.law(&to[STRENGTH..]) else {
            return;
        };
        for axis in 0..2 {
            let (x, v) = (state[axis], state[axis + 2]);
            (state[axis], state[axis + 2]) = law.advance(x, v, from[axis], to[axis], dt);
        }
    }

    fn write(&self, state: &[f64], input: &[f64], out: &mut [f64]) {
        out.copy_from_slice(state);
        let (to, limit) = (Vec2::new(input[0], input[1]), input[LIMIT]);
        if limit < f64::INFINITY {
            let offset = Vec2::new(state[0], state[1]) - to;
            let shown = to + offset * (limit / (limit + offset.length()));
            (out[0], out[1]) = (shown.x, shown.y);
        }
    }

    fn damping(&self) -> Option<&'static str> {
        Some(self.strength.damping())
    }

    /// The speed comes back with the place; in its own unit it would count too much or too little.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        Vec2::new(before[0], before[1]).distance(Vec2::new(after[0], after[1]))
    }
}

#[cfg(test)]
mod tests {
    use crate::maths::functions::hypot;
    use crate::maths::spring::Spring;
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn it_is_the_spring_of_each_coordinate() {
        let law = Spring::from_stiffness(260.0, 26.0, 1.0).unwrap();
        let probe = Probe::new(
            "{}",
            r#"{ "s": { "spring": { "to": ["120 * t", 40], "stiffness": 260, "damping": 26 } } }"#,
        );
        let times = [0.0, 0.013, 0.5, 1.0, 1.99];
        let trace = |name: &str| probe.trace(&times, name);
        for (i, t) in times.into_iter().enumerate() {
            let (x, v) = law.advance(0.0, 0.0, 0.0, 120.0 * t, t);
            assert!((trace("s.x")[i] - x).abs() < 1e-10, "{t}");
            assert!((trace("s.vx")[i] - v).abs() < 1e-9, "{t}");
            assert_eq!((trace("s.y")[i], trace("s.vy")[i]), (40.0, 0.0));
        }
    }

    #[test]
    fn a_limit_holds_back_what_is_shown_and_nothing_else() {
        let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.02).collect();
        let to = r#""to": ["t < 0.5 ? 0 : 300", "t < 0.5 ? 0 : 400"], "half_life": 0.2"#;
        let probe = Probe::new(
            "{}",
            &format!(
                r#"{{ "free": {{ "spring": {{ {to} }} }}, "held": {{ "spring": {{ {to}, "limit": 7 }} }} }}"#
            ),
        );
        let trace = |name: &str| probe.trace(&times, name);
        let offsets = |name: &str| -> Vec<f64> {
            let (x, y) = (trace(&format!("{name}.x")), trace(&format!("{name}.y")));
            let off = |i: usize| match times[i] < 0.5 {
                true => hypot(x[i], y[i]),
                false => hypot(x[i] - 300.0, y[i] - 400.0),
            };
            (0..times.len()).map(off).collect()
        };
        for (free, held) in offsets("free").into_iter().zip(offsets("held")) {
            assert!((held - free * 7.0 / (7.0 + free)).abs() < 1e-9 && held < 7.0);
        }
        assert_eq!(trace("free.vx"), trace("held.vx"));
        assert!(trace("free.vx")[30] > 100.0);
    }

    #[test]
    fn one_strength_only() {
        let said = problems(
            r#""skeleton": { "s": { "spring": { "to": [0, 0], "half_life": 1, "frequency": 2, "damping_ratio": 1 } } }"#,
        );
        assert!(
            said.contains("half_life") && said.contains("frequency"),
            "{said}"
        );
    }
}
