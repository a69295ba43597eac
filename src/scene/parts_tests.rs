//! Parts, their instances and rows.

use super::probe::{Probe, problems};
use crate::picture::Item;

/// A part `p` with these sections, and these uses.
fn with_part(part: &str, uses: &str) -> String {
    format!(r#""parts": {{ "p": {{ {part} }} }}, "use": {{ {uses} }}"#)
}

const STONE: &str = r#""params": { "x": 5, "y": 7 }, "skeleton": { "at": ["x", "10 * y"] }"#;

#[test]
fn a_row_is_a_list_of_points() {
    let probe = Probe::drawing(&format!(
        r#"{}, "skeleton": {{ "middle": {{ "along": {{ "points": "row.at", "at": 0.5 }} }} }},
           "draw": [{{ "path": {{ "points": "row.at" }} }}]"#,
        with_part(
            STONE,
            r#""row": { "part": "p", "times": 5, "with": { "x": "10 * .i", "y": 2 }, "each": [{}, { "y": "3 + .i" }] }"#
        )
    ));
    let points: Vec<_> = probe
        .picture(0.0)
        .points
        .iter()
        .map(|p| (p.x, p.y))
        .collect();
    let expected = [
        (0.0, 20.0),
        (10.0, 40.0),
        (20.0, 20.0),
        (30.0, 60.0),
        (40.0, 20.0),
    ];
    assert_eq!(points, expected);
    assert_eq!(probe.at(0.0, "row[3].y"), 6.0);
    assert_eq!(probe.at(0.0, "row[3].at.x"), 30.0);
    assert!(probe.at(0.0, "middle.x") > 20.0);
}

#[test]
fn its_own_names_come_first_and_then_those_of_the_spec() {
    let probe = Probe::drawing(&format!(
        r#""channels": {{ "a": 1, "b": 2, "sum": "one.c" }}, {}"#,
        with_part(
            r#""params": { "a": 10 }, "channels": { "c": "a + b" }"#,
            r#""one": { "part": "p" }, "two": { "part": "p", "with": { "a": "a + b" } }"#
        )
    ));
    assert_eq!(probe.at(0.0, "sum"), 12.0);
    // What is given to a param is read outside.
    assert_eq!(probe.at(0.0, "two.c"), 5.0);
}

#[test]
fn a_part_within_a_part_does_not_see_it() {
    let said = problems(
        r#""parts": {
             "outer": { "channels": { "secret": 3 }, "use": { "in": { "part": "inner" } } },
             "inner": { "channels": { "c": "secret" } } },
           "use": { "one": { "part": "outer" } }"#,
    );
    assert!(said.contains("unknown name `secret`"), "{said}");
}

#[test]
fn every_instance_has_a_state_of_its_own() {
    let probe = Probe::drawing(&with_part(
        r#""channels": { "n": { "noise": { "frequency": 2 } } }"#,
        r#""row": { "part": "p", "times": 2 }, "one": { "part": "p" }"#,
    ));
    let values = ["row[0].n", "row[1].n", "one.n"].map(|name| probe.at(0.7, name));
    assert!(
        values[0] != values[1] && values[1] != values[2],
        "{values:?}"
    );
}

#[test]
fn arguments_may_be_live() {
    let probe = Probe::drawing(&with_part(
        STONE,
        r#""row": { "part": "p", "times": 3, "with": { "x": "t * .i" } }"#,
    ));
    assert_eq!(probe.at(1.5, "row[2].at.x"), 3.0);
    let said = problems(&with_part(
        r#""params": { "n": 3 }, "channels": { "a": { "noise": { "frequency": "n" } } }"#,
        r#""one": { "part": "p", "with": { "n": "1 + t" } }"#,
    ));
    assert!(said.contains("`n` changes with time"), "{said}");
    assert!(
        said.contains("`n` reads `one.n`, which reads `t`"),
        "{said}"
    );
}

#[test]
fn text_fills_words_colours_and_eases() {
    let part = r#""params": { "form": "triangle", "tone": "red", "way": "linear", "end": "butt" },
        "channels": {
          "w": { "wave": { "period": 4, "shape": "{form}" } },
          "k": { "track": { "keys": [[0, 0], [1, 1]], "ease": "{way}" } } },
        "draw": [{ "line": { "from": [0, 0], "to": [1, 1], "stroke": "{tone}", "cap": "{end}" } }]"#;
    let uses = r#""row": { "part": "p", "each": [{}, { "form": "square", "tone": "blue", "way": "in_quad", "end": "round" }] }"#;
    let probe = Probe::drawing(&format!(
        r#"{}, "draw": [{{ "use": "row" }}]"#,
        with_part(part, uses)
    ));
    assert_eq!(probe.at(0.5, "row[0].w"), 0.5);
    assert_eq!(probe.at(0.5, "row[1].w"), 1.0);
    assert_eq!(probe.at(0.5, "row[0].k"), 0.5);
    assert_eq!(probe.at(0.5, "row[1].k"), 0.25);
    let items = probe.picture(0.0).items;
    let [
        Item::Stroke {
            colour: a, nib: m, ..
        },
        Item::Stroke {
            colour: b, nib: n, ..
        },
    ] = &items[..]
    else {
        panic!("{items:?}");
    };
    assert!(a != b && m.cap != n.cap);
    let wrong = |with: &str| {
        problems(&with_part(
            part,
            &format!(r#""one": {{ "part": "p", "with": {{ {with} }} }}"#),
        ))
    };
    assert!(wrong(r#""form": "sinus""#).contains("unknown word `sinus`"));
    assert!(wrong(r#""way": "in_qad""#).contains("did you mean `in_quad`?"));
    assert!(wrong(r#""tone": 3"#).contains("`tone` takes text, not `3`"));
}

#[test]
fn text_is_handed_on_whatever_the_order() {
    let probe = Probe::drawing(
        r#""parts": {
             "outer": { "params": { "tone": "red" }, "use": { "in": { "part": "inner", "with": { "tone": "{tone}" } } },
                        "draw": [{ "use": "in" }] },
             "inner": { "params": { "tone": "blue" }, "draw": [{ "line": { "from": [0, 0], "to": [1, 1], "stroke": "{tone}" } }] } },
           "use": { "named": { "part": "outer", "with": { "tone": "{late[0].tone}" } },
                    "late": { "part": "inner", "times": 1, "with": { "tone": "green" } } },
           "draw": [{ "use": "named" }, { "use": "late[0]" }]"#,
    );
    let items = probe.picture(0.0).items;
    let [
        Item::Stroke { colour: a, .. },
        Item::Stroke { colour: b, .. },
    ] = &items[..]
    else {
        panic!("{items:?}");
    };
    assert_eq!(a, b);
}

#[test]
fn mistakes_with_parts_are_said() {
    let uses = |uses: &str| problems(&with_part(STONE, uses));
    let said = uses(r#""one": { "part": "q" }"#);
    assert!(said.contains("unknown part `q`"), "{said}");
    let said = uses(r#""one": { "part": "p", "with": { "z": 1 } }"#);
    assert!(said.contains("the part `p` has no param `z`"), "{said}");
    assert!(said.contains("its params: x, y"), "{said}");
    let said = uses(r#""row": { "part": "p", "each": [] }"#);
    assert!(said.contains("`each` has no entries"), "{said}");
    let said = uses(r#""row": { "part": "p", "times": 10001 }"#);
    assert!(
        said.contains("`times` is 10001, but must be 1 to 10000"),
        "{said}"
    );
    let said = uses(r#""row": { "part": "p", "times": "t" }"#);
    assert!(said.contains("`t` changes with time"), "{said}");
    let said = uses(r#""one": { "part": "p", "with": { "x": ".i" } }"#);
    assert!(
        said.contains("`.i` reads an element, but there is none here"),
        "{said}"
    );
    let said = uses(r#""one": { "part": "p", "with": { "x": "1 +" } }"#);
    assert!(said.contains("error"), "{said}");
}

#[test]
fn parts_in_a_circle_are_said() {
    let said = problems(
        r#""parts": { "a": { "use": { "x": { "part": "b" } } }, "b": { "use": { "y": { "part": "a" } } } },
           "use": { "one": { "part": "a" } }"#,
    );
    assert!(
        said.contains("parts use one another in a circle: `a` → `b` → `a`"),
        "{said}"
    );
    let said = problems(&format!(
        r#"{}, "draw": [{{ "use": "row" }}]"#,
        with_part(
            r#""draw": [{ "use": "row" }]"#,
            r#""row": { "part": "p", "times": 1000 }"#
        )
    ));
    assert!(said.contains("`row` draws itself"), "{said}");
    let said = problems(&with_part(
        r#""channels": { "a": "row[0].a" }"#,
        r#""row": { "part": "p", "times": 2 }"#,
    ));
    assert!(said.contains("`row[0].a` needs its own value"), "{said}");
}

#[test]
fn drawing_takes_an_instance_a_row_or_one_of_a_row() {
    let part =
        r#""params": { "n": 0 }, "draw": [{ "line": { "from": ["n", 0], "to": ["n", 1] } }]"#;
    let uses = r#""one": { "part": "p", "with": { "n": 9 } }, "row": { "part": "p", "times": 3, "with": { "n": ".i" } }"#;
    let probe = Probe::drawing(&format!(
        r#"{}, "draw": [{{ "use": "row" }}, {{ "use": "one" }}, {{ "use": "row[1]" }}]"#,
        with_part(part, uses)
    ));
    let picture = probe.picture(0.0);
    let places: Vec<f64> = picture.points.iter().step_by(2).map(|p| p.x).collect();
    assert_eq!(places, [0.0, 1.0, 2.0, 9.0, 1.0]);
    assert_eq!(picture.marks, [0, 0, 0, 1, 2]);
    let said = problems(r#""channels": { "a": 1 }, "draw": [{ "use": "a" }]"#);
    assert!(
        said.contains("`a` is a number, but this takes an instance or a row of `use`"),
        "{said}"
    );
}

#[test]
fn what_is_forgotten_is_said() {
    let part = r#""params": { "n": 0 }, "draw": [{ "circle": { "at": [0, 0], "radius": "n" } }]"#;
    let said = problems(&with_part(part, r#""row": { "part": "p", "times": 3 }"#));
    assert!(said.contains("nothing draws `row`"), "{said}");
    let said = problems(&with_part(part, ""));
    assert!(said.contains("nothing uses the part `p`"), "{said}");
    let said = problems(&with_part(
        r#""params": { "n": 0 }"#,
        r#""row": { "part": "p", "times": 3 }"#,
    ));
    assert!(said.contains("nothing reads the param `n`"), "{said}");
    let said = problems(&format!(
        r#""channels": {{ "a": "row[1].n" }}, {}"#,
        with_part(
            r#""params": { "n": 0 }"#,
            r#""row": { "part": "p", "times": 3 }"#
        )
    ));
    assert_eq!(said, "");
}

#[test]
fn the_row_itself_is_no_list_of_points() {
    let said = problems(&format!(
        r#"{}, "draw": [{{ "path": {{ "points": "row" }} }}]"#,
        with_part(STONE, r#""row": { "part": "p", "times": 3 }"#)
    ));
    assert!(
        said.contains("`row` is a row, but this takes a list of points"),
        "{said}"
    );
    assert!(
        said.contains("write `row.at`: that point of every instance"),
        "{said}"
    );
}

#[test]
fn turns_by_number_are_no_matter_of_rows() {
    let said = problems(&format!(
        r#"{}, "draw": [{{ "use": "row" }}]"#,
        with_part(
            r#""draw": [{ "circle": { "at": [0, 0], "radius": 1, "fills": ["red", "blue"] } }]"#,
            r#""row": { "part": "p", "times": 3 }"#
        )
    ));
    assert!(said.contains("give the part a text param"), "{said}");
}

#[test]
fn five_parts_deep_and_a_thousand_wide() {
    let level = |n: usize| {
        format!(
            r#""p{n}": {{ "params": {{ "x": 0 }}, "use": {{ "in": {{ "part": "p{}", "with": {{ "x": "x + 1" }} }} }},
                "draw": [{{ "use": "in" }}] }}"#,
            n + 1
        )
    };
    let levels: Vec<String> = (0..5).map(level).collect();
    let probe = Probe::drawing(&format!(
        r#""parts": {{ {}, "p5": {{ "params": {{ "x": 0 }}, "skeleton": {{ "at": ["x + t", 0] }},
             "draw": [{{ "circle": {{ "at": "at", "radius": 1 }} }}] }} }},
           "use": {{ "row": {{ "part": "p0", "times": 1000, "with": {{ "x": "10 * .i" }} }} }},
           "draw": [{{ "use": "row" }}]"#,
        levels.join(", ")
    ));
    let picture = probe.picture(0.5);
    assert_eq!(picture.items.len(), 1000);
    assert_eq!(probe.at(0.5, "row[999].in.in.in.in.in.at.x"), 9995.5);
}

#[test]
fn instances_that_multiply_have_an_end() {
    let level = |n: usize| {
        format!(
            r#""p{n}": {{ "use": {{ "in": {{ "part": "p{}", "times": 100 }} }} }}"#,
            n + 1
        )
    };
    let levels: Vec<String> = (0..5).map(level).collect();
    let said = problems(&format!(
        r#""parts": {{ {}, "p5": {{}} }}, "use": {{ "row": {{ "part": "p0", "times": 100 }} }}"#,
        levels.join(", ")
    ));
    assert!(
        said.contains("more than 100000 instances of parts"),
        "{said}"
    );
}

#[test]
fn drawing_the_same_again_and_again_has_an_end() {
    let level = |n: usize| {
        let again = r#"{ "use": "in" }, "#.repeat(40);
        format!(
            r#""p{n}": {{ "use": {{ "in": {{ "part": "p{}" }} }}, "draw": [{}] }}"#,
            n + 1,
            again.trim_end_matches(", ")
        )
    };
    let levels: Vec<String> = (0..8).map(level).collect();
    let said = problems(&format!(
        r#""parts": {{ {}, "p8": {{ "draw": [{{ "line": {{ "from": [0, 0], "to": [1, 1] }} }}] }} }},
           "use": {{ "one": {{ "part": "p0" }} }}, "draw": [{{ "use": "one" }}]"#,
        levels.join(", ")
    ));
    assert!(
        said.contains("more than 1000000 shapes in one frame"),
        "{said}"
    );
}

/// A part that follows a script from outside.
const DANCER: &str = r#""params": { "act": { "name": "act" } },
    "channels": { "pose": { "pose": { "select": "act", "rest": { "x": 0 }, "switch": { "inertialize": 0.1 },
      "clips": { "left": { "formulas": { "x": -10 } }, "right": { "formulas": { "x": "10 + act.left" } } } } } }"#;

#[test]
fn two_instances_follow_two_scripts() {
    let script = |first: &str| format!(r#"{{ "script": {{ "keys": [[0, "{first}"]] }} }}"#);
    let probe = Probe::drawing(&format!(
        r#""channels": {{ "act": {}, "other": {} }}, "draw": [{{ "path": {{ "points": [["one.pose.x", 0], ["two.pose.x", 0]] }} }}], {}"#,
        script("left"),
        script("right"),
        with_part(
            DANCER,
            r#""one": { "part": "p" }, "two": { "part": "p", "with": { "act": "other" } }"#
        )
    ));
    let points = probe.picture(0.0).points;
    assert_eq!((points[0].x, points[1].x), (-10.0, 10.0));
}

#[test]
fn what_stands_outside_may_be_any_named_thing() {
    let probe = Probe::drawing(&format!(
        r#""skeleton": {{ "pin": [3, 4] }}, {}"#,
        with_part(
            r#""params": { "at": { "name": "pin" } }, "skeleton": { "below": ["at.x", "at.y + 10"], "same": { "mix": { "between": ["at", "below"], "by": 0.5 } } }"#,
            r#""one": { "part": "p" }, "two": { "part": "p", "with": { "at": "one.below" } }"#
        )
    ));
    assert_eq!(probe.at(0.0, "one.same.y"), 9.0);
    assert_eq!(probe.at(0.0, "two.same.y"), 19.0);
}

#[test]
fn what_a_name_from_outside_cannot_be() {
    let of = |with: &str| {
        problems(&format!(
            r#""channels": {{ "act": {{ "script": {{ "keys": [[0, "left"]] }} }} }}, {}"#,
            with_part(
                DANCER,
                &format!(r#""one": {{ "part": "p", "with": {{ "act": {with} }} }}"#)
            )
        ))
    };
    assert!(
        of(r#""ackt""#).contains("did you mean `act`?"),
        "{}",
        of(r#""ackt""#)
    );
    assert!(
        of("3").contains("`act` takes a name, not `3`"),
        "{}",
        of("3")
    );
    assert!(of(r#""2 + 2""#).contains("error"), "{}", of(r#""2 + 2""#));
    let said = problems(&with_part(DANCER, r#""one": { "part": "p" }"#));
    assert!(said.contains("unknown name `act`"), "{said}");
    let said = problems(r#""params": { "act": { "name": "act" } }"#);
    assert!(said.contains("nothing stands outside the spec"), "{said}");
}
