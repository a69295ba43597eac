use super::{Draw, Mark, MarkKind, NoStyle, Pen};
use crate::scene::builder::{Builder, ElementScope};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The same marks many times over, each time with another `.i`.
///
/// ```json
/// "draw": [
///   { "repeat": { "count": 8, "draw": [
///     { "circle": { "at": ["50 + 20 * .i", "60 + 20 * sin(turn * (t / duration - .i / 8))"], "radius": 7 } }
///   ] } }
/// ],
/// "loop": { "exact": {} }
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "repeat")]
pub struct Repeat {
    /// How often; `.i` counts from 0.
    #[schemars(extend("x-also" = ["times", "n", "number"]))]
    pub count: Int<1, 10_000>,
    /// Marks in painter's order: all of them for one `.i`, then for the next. Inside an inner `repeat` or a
    /// mark with `of`, `.i` is that one's.
    #[schemars(extend("x-also" = ["children", "marks", "items", "of"]))]
    pub draw: Vec<Lenient<Mark>>,
}

impl MarkKind for Repeat {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        let count = b.int(&self.count) as usize;
        let marks = b.repeated(count, self.count.0.span, |b| {
            b.with_element(ElementScope::slots(&["i"]), |b| b.marks(&self.draw))
        });
        Box::new(RepeatMark { count, marks })
    }
}

struct RepeatMark {
    count: usize,
    marks: Vec<Box<dyn Draw>>,
}

impl Draw for RepeatMark {
    fn draw(&self, pen: &mut Pen) {
        for i in 0..self.count {
            pen.with_element(&[i as f64], |pen| {
                for mark in &self.marks {
                    mark.draw(pen);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::picture::Item;
    use crate::scene::probe::{Probe, problems};

    #[test]
    fn the_innermost_number_counts() {
        let probe = Probe::drawing(
            r#""draw": [{ "repeat": { "count": 3, "draw": [
                 { "line": { "from": [".i", 0], "to": [".i", 1] } },
                 { "repeat": { "count": 2, "draw": [{ "line": { "from": [".i", 10], "to": [".i", 11] } }] } }
               ] } }]"#,
        );
        let starts: Vec<_> = probe
            .picture(0.0)
            .points
            .iter()
            .step_by(2)
            .map(|p| (p.x, p.y))
            .collect();
        let round = |i| [(i, 0.0), (0.0, 10.0), (1.0, 10.0)];
        assert_eq!(starts, [round(0.0), round(1.0), round(2.0)].concat());
    }

    #[test]
    fn fills_take_turns() {
        let probe = Probe::drawing(
            r#""draw": [{ "repeat": { "count": 5, "draw": [
                 { "circle": { "at": [".i", 0], "radius": 1, "fills": ["red", "blue", "red"] } }] } }]"#,
        );
        let colours: Vec<_> = probe
            .picture(0.0)
            .items
            .iter()
            .map(|item| match item {
                Item::Fill { colour, .. } => *colour,
                _ => panic!("{item:?}"),
            })
            .collect();
        assert_eq!(colours[0], colours[2]);
        assert_eq!(colours[0], colours[3]);
        assert_ne!(colours[0], colours[1]);
        assert_eq!(colours[1], colours[4]);
    }

    #[test]
    fn counts_that_multiply_have_an_end() {
        let inner = r#"{ "repeat": { "count": 1000, "draw": [{ "line": { "from": [0, 0], "to": [1, 1] } }] } }"#;
        let said = problems(&format!(
            r#""draw": [{{ "repeat": {{ "count": 1001, "draw": [{inner}] }} }}]"#
        ));
        assert!(
            said.contains("more than 1000000 shapes in one frame"),
            "{said}"
        );
        let said = problems(r#""draw": [{ "repeat": { "count": 10001, "draw": [] } }]"#);
        assert!(
            said.contains("`count` is 10001, but must be 1 to 10000"),
            "{said}"
        );
        let said = problems(r#""draw": [{ "repeat": { "count": "t", "draw": [] } }]"#);
        assert!(said.contains("`t` changes with time"), "{said}");
    }
}
