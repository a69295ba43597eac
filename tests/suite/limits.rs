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
    assert!(
        run.said.contains("the spec has no param `size`"),
        "{}",
        run.said
    );
    assert!(desk.files().contains(&"new/a.gif".to_owned()));
    assert!(!desk.files().contains(&"new/c.gif".to_owned()));
}
