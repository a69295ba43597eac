use super::JointKind;
use crate::formula::{Inputs, Operand, Program};
use crate::maths::functions::lerp;
use crate::maths::polyline;
use crate::maths::vector::Vec2;
use crate::scene::Signal;
use crate::scene::builder::{Builder, ElementScope};
use crate::scene::entity::{Entity, PointOperand};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::Cell;

/// A limb along a curve that two formulas of `.u` give: a gear, a Lissajous figure, a ground, a graph.
///
/// ```json
/// "skeleton": {
///   "wave": { "curve": { "x": "20 + 200 * .u", "y": "60 + 30 * sin(turn * (2 * .u - t / duration))" } }
/// },
/// "draw": [ { "path": { "points": "wave", "width": 3 } } ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "curve")]
pub struct Curve {
    /// x in px, a formula of `.u`.
    pub x: Num,
    /// y in px, down, a formula of `.u`.
    pub y: Num,
    /// The first and the last `.u`.
    #[serde(default = "whole")]
    #[schemars(extend("x-also" = ["range", "domain", "interval", "u"]))]
    pub over: FixedPair,
    /// How many points lie on it, both ends included, evenly spaced in `.u`.
    #[serde(default = "sixty_four")]
    #[schemars(extend("x-also" = ["samples", "resolution", "steps", "segments", "count"]))]
    pub points: Int<2, 4096>,
}

fn whole() -> FixedPair {
    (Fixed::literal(0.0), Fixed::literal(1.0))
}

fn sixty_four() -> Int<2, 4096> {
    Int::literal(64)
}

impl JointKind for Curve {
    fn build(&self, b: &mut Builder) -> Entity {
        let over = b.fixed_pair(&self.over);
        let points = b.int(&self.points) as usize;
        let (x, y) = b.with_element(ElementScope::slots(&["u"]), |b| {
            (b.num(&self.x), b.num(&self.y))
        });
        let signal = CurveSignal { x, y, over, points };
        let values = match signal.still() {
            Some(values) => values.into_iter().map(Operand::Constant).collect(),
            None => columns(2 * points + 1, signal, b),
        };
        describe(&values)
    }
}

/// A column for each value of the signal.
fn columns(outputs: usize, signal: CurveSignal, b: &mut Builder) -> Vec<Operand> {
    match b.signal(outputs as u32, signal) {
        Operand::Column(first) => (first..).take(outputs).map(Operand::Column).collect(),
        other => vec![other; outputs],
    }
}

/// x and y of all points and then the length, as a limb.
fn describe(values: &[Operand]) -> Entity {
    let (points, rest) = values.as_chunks::<2>();
    let points: Vec<PointOperand> = points.to_vec();
    let entity = Entity::points("a curve", points.into());
    rest.iter().fold(entity, |entity, length| {
        entity.with("length", Entity::number("a number", *length))
    })
}

struct CurveSignal {
    x: Program,
    y: Program,
    over: [f64; 2],
    points: usize,
}

impl CurveSignal {
    /// Its values, if they do not change with time and nothing is wrong with them.
    fn still(&self) -> Option<Vec<f64>> {
        if self.x.reads().chain(self.y.reads()).next().is_some() {
            return None;
        }
        let violation = Cell::new(None);
        let mut values = vec![0.0; 2 * self.points + 1];
        self.evaluate(&Inputs::new(&[], &[], &violation), &mut values);
        violation.get().is_none().then_some(values)
    }
}

impl Signal for CurveSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let (points, length) = out.as_chunks_mut::<2>();
        let last = (self.points - 1) as f64;
        for (k, point) in points.iter_mut().enumerate() {
            let u = [lerp(self.over[0], self.over[1], k as f64 / last)];
            let inputs = Inputs::new(inputs.row, &u, inputs.violation);
            *point = [self.x.eval(&inputs), self.y.eval(&inputs)];
        }
        let way = points.iter().map(|p| Vec2::from(*p));
        length[0] = polyline::length(way);
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn it_goes_from_end_to_end() {
        let probe = Probe::new(
            "{}",
            r#"{ "c": { "curve": { "x": "10 * .u", "y": "t + 10 * .u", "over": [-1, 3], "points": 5 } } }"#,
        );
        for (i, place) in [-10.0, 0.0, 10.0, 20.0, 30.0].into_iter().enumerate() {
            assert_eq!(probe.at(0.5, &format!("c[{i}].x")), place);
            assert_eq!(probe.at(0.5, &format!("c[{i}].y")), place + 0.5);
        }
        assert_eq!(probe.at(0.0, "c.end.x"), 30.0);
        assert!(
            (probe.at(1.5, "c.length") - 40.0 * crate::maths::functions::sqrt(2.0)).abs() < 1e-12
        );
    }

    #[test]
    fn a_curve_that_stands_still_is_fixed() {
        let probe = Probe::new(
            r#"{ "n": { "track": { "keys": [[0, "c[2].y"]] } } }"#,
            r#"{ "c": { "curve": { "x": 0, "y": "100 * .u", "points": 5 } } }"#,
        );
        assert_eq!(probe.at(1.0, "n"), 50.0);
        assert_eq!(probe.at(0.0, "c.length"), 100.0);
    }

    #[test]
    fn what_is_not_finite_is_said() {
        let said = problems(r#""skeleton": { "c": { "curve": { "x": "1 / .u", "y": 0 } } }"#);
        assert!(said.contains("`1 / .u` is inf in frame 0"), "{said}");
        let said = problems(r#""skeleton": { "c": { "curve": { "x": ".v", "y": 0 } } }"#);
        assert!(said.contains("the element here has no `.v`"), "{said}");
    }
}
