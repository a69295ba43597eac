//! Large and deep things: done, or refused with a clear message.

use crate::desk::Desk;
use crate::large;
use hazumi::load::{Animation, Choices};

const HEAD: &str =
    r#""hazumi": 1, "alt": "A dot.", "canvas": { "size": [120, 80], "fps": 10, "duration": 1 }"#;

fn simulated(spec: &str) -> usize {
    let animation = match Animation::parse("large", spec, &Choices::default()) {
        Ok(animation) => animation,
        Err(error) => panic!("{error}"),
    };
    animation.simulate().expect("numbers in range").frames()
}

fn refusal(spec: &str) -> String {
    let refused = Animation::parse("large", spec, &Choices::default());
    match refused {
        Ok(_) => panic!("accepted"),
        Err(error) => error.to_string(),
    }
}

fn with_x(formula: &str) -> String {
    format!(
        r#"{{ {HEAD}, "channels": {{ "x": "{formula}" }},
  "draw": [ {{ "circle": {{ "at": ["x", 40], "radius": 4 }} }} ] }}"#
    )
}

#[test]
fn a_formula_of_ten_kilobytes() {
    let sum = format!("60{}", " + 0.001 * t".repeat(850));
    assert!(sum.len() > 10_000);
    assert_eq!(simulated(&with_x(&sum)), 10);
    let deep = format!("{}60{}", "(".repeat(5000), ")".repeat(5000));
    let said = refusal(&with_x(&deep));
    assert!(said.contains("error: ") && said.len() < 4000, "{said}");
}

#[test]
fn a_row_of_a_thousand_instances() {
    let spec = format!(
        r#"{{ {HEAD},
  "parts": {{ "ball": {{
    "params": {{ "n": 0 }},
    "channels": {{ "x": {{ "smooth": {{ "to": "60 + n / 100", "from": 0, "half_life": 0.2 }} }} }},
    "draw": [ {{ "circle": {{ "at": ["x", "n / 20"], "radius": 2 }} }} ] }} }},
  "use": {{ "balls": {{ "part": "ball", "with": {{ "n": ".i" }}, "times": 1000 }} }},
  "draw": [ {{ "use": "balls" }} ] }}"#
    );
    assert_eq!(simulated(&spec), 10);
    let said = refusal(&spec.replace("1000", "1000000"));
    assert!(
        said.contains("`times` is 1000000, but must be 1 to 10000"),
        "{said}"
    );
}

/// Parts within parts, each a row of some instances of the next.
fn nested(depth: usize, times: usize) -> String {
    let mut parts: Vec<String> = (1..depth)
        .map(|level| {
            format!(
                r#""p{level}": {{ "use": {{ "row": {{ "part": "p{}", "times": {times} }} }}, "draw": [ {{ "use": "row" }} ] }}"#,
                level + 1
            )
        })
        .collect();
    parts.push(format!(
        r#""p{depth}": {{ "channels": {{ "x": "60 + 9 * sin(360 * t)" }}, "draw": [ {{ "circle": {{ "at": ["x", 40], "radius": 2 }} }} ] }}"#
    ));
    format!(
        r#"{{ {HEAD}, "parts": {{ {} }}, "use": {{ "all": {{ "part": "p1" }} }}, "draw": [ {{ "use": "all" }} ] }}"#,
        parts.join(", ")
    )
}

#[test]
fn parts_five_deep() {
    assert_eq!(simulated(&nested(5, 4)), 10);
    // A hundred to the fourth is more than anybody wants to see.
    let said = refusal(&nested(5, 100));
    assert!(said.contains("error: ") && said.len() < 4000, "{said}");
}

#[test]
fn a_spec_of_a_hundred_kilobytes() {
    let spec = large::spec(100_000);
    assert!(spec.len() >= 100_000);
    assert_eq!(simulated(&spec), 10);
}

#[test]
fn a_value_for_every_spec_of_a_folder() {
    let dot = |params: &str| {
        format!(
            r#"{{ {HEAD}, "params": {{ {params} }}, "draw": [ {{ "circle": {{ "at": [60, 40], "radius": "size" }} }} ] }}"#
        )
    };
    let desk = Desk::new();
    desk.write("specs/a.json", &dot(r#""size": 4"#));
    desk.write("specs/b.json", &dot(r#""size": 9"#));
    desk.run(&[
        "render",
        "specs",
        "-o",
        "out",
        "--set",
        "size=6",
        "--no-source",
    ])
    .well();
    assert!(desk.files().contains(&"out/a.gif".to_owned()));
    assert_eq!(desk.read("out/a.gif").len(), desk.read("out/b.gif").len());
    // A spec that has no such param is named, and does not stop the others.
    desk.write(
        "specs/c.json",
        &dot(r#""size": 3"#).replace("size\"", "girth\""),
    );
    let run = desk.run(&["render", "specs", "-o", "new", "--set", "size=6"]);
    assert_eq!(run.code, 2);
    run.says("the spec has no param `size`");
    assert!(desk.files().contains(&"new/a.gif".to_owned()));
    assert!(!desk.files().contains(&"new/c.gif".to_owned()));
}

/// Part files count together, however often one is named.
#[test]
fn files_of_one_spec_share_a_limit() {
    let desk = Desk::new();
    let part = r#"{ "draw": [ { "circle": { "at": [9, 9], "radius": 4 } } ] }"#;
    desk.write("part.json", part);
    desk.write("large.json", &format!("{part}{}", " ".repeat(6 << 20)));
    let spec = |count: usize, file: &str| {
        let parts = (0..count).map(|i| format!(r#""p{i}": {{ "file": "{file}" }}"#));
        let parts = parts.collect::<Vec<_>>().join(", ");
        format!(r#"{{ {HEAD}, "parts": {{ {parts} }}, "draw": [] }}"#)
    };
    let said = |spec: &str| {
        desk.write("spec.json", spec);
        match Animation::open(desk.path("spec.json"), &Choices::default()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(said(&spec(2, "large.json")), "");
    let three = said(&spec(3, "large.json"));
    assert!(three.contains("larger than the limit of"), "{three}");
    assert_eq!(said(&spec(1000, "part.json")), "");
    // More sources than 16 bits can count once stood for one another.
    let many = said(&spec(66_000, "part.json"));
    assert_eq!(many.matches("error").count(), 1, "{many}");
    assert!(many.contains("more than 1000 part files"), "{many}");
}

fn problems_of(spec: &str) -> Vec<String> {
    match Animation::parse("large", spec, &Choices::default()) {
        Ok(_) => panic!("accepted"),
        Err(hazumi::Error::Spec(problems)) => {
            let all = problems.list.iter();
            all.map(|problem| problem.message.clone()).collect()
        }
        Err(other) => panic!("{other}"),
    }
}

/// To find out what was meant takes time: once per mistake, not once per instance, and not for more mistakes
/// than anybody reads. Each of these took minutes.
#[test]
fn mistakes_in_great_numbers_are_told_in_no_time() {
    let row = r#""parts": { "ball": { "draw": [ { "circle": { "at": ["swing", 4], "radius": 2, "fill": "inc" } } ] } },
        "use": { "balls": { "part": "ball", "times": 10000 } }, "draw": [ { "use": "balls" } ]"#;
    let said = problems_of(&format!("{{ {HEAD}, {row} }}"));
    assert_eq!(said, ["unknown name `swing`", "unknown colour `inc`"]);

    let many =
        |what: &dyn Fn(usize) -> String| (0..50_000).map(what).collect::<Vec<_>>().join(", ");
    let keys = many(&|i| format!(r#""zz{i}": 0"#));
    let said = problems_of(&format!("{{ {HEAD}, {keys} }}")).len();
    assert!((1000..1100).contains(&said), "{said}");

    let marks =
        many(&|i| format!(r#"{{ "circle": {{ "at": [1, 2], "radius": 3, "fill": "rde{i}" }} }}"#));
    let said = problems_of(&format!("{{ {HEAD}, \"draw\": [ {marks} ] }}")).len();
    assert!((1000..1100).contains(&said), "{said}");
}

/// Colours are counted in 16 bits: one too many must not become the first one.
#[test]
fn more_colours_than_can_be_counted_are_refused() {
    let mark = |i: usize| {
        format!(r##"{{ "rect": {{ "at": [1, 2], "size": [3, 3], "fill": "#{i:06x}" }} }}"##)
    };
    let marks = (0..66_000).map(mark).collect::<Vec<_>>().join(", ");
    let said = problems_of(&format!("{{ {HEAD}, \"draw\": [ {marks} ] }}"));
    assert_eq!(said[0], "more than 65535 colours");
}
