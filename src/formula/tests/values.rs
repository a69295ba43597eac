use std::cell::Cell;

use super::super::{DEPTH_LIMIT, Inputs, Range, compile, parse};
use super::{eval, program, value};

#[track_caller]
fn assert_values(cases: &[(&str, f64)]) {
    for (text, expected) in cases {
        let found = value(text);
        assert!(
            (found - expected).abs() < 1e-12,
            "{text} gives {found}, not {expected}"
        );
    }
}

#[test]
fn operators() {
    assert_values(&[
        ("a + b", 5.0),
        ("a - b", -1.0),
        ("a * b", 6.0),
        ("c / a", 2.5),
        ("c % b", 2.0),
        ("d % b", 1.5),
        ("c % -b", -1.0),
        ("-a", -2.0),
        ("+a", 2.0),
        ("- - a", 2.0),
        ("a - -b", 5.0),
        ("a < b", 1.0),
        ("b < a", 0.0),
        ("a <= 2", 1.0),
        ("a > b", 0.0),
        ("a >= 2", 1.0),
        ("a == 2", 1.0),
        ("a != 2", 0.0),
        ("a and e", 0.0),
        ("a and b", 1.0),
        ("e or d", 1.0),
        ("e or e", 0.0),
        ("not a", 0.0),
        ("not e", 1.0),
        ("not not c", 1.0),
        ("a ? b : c", 3.0),
        ("e ? b : c", 5.0),
        ("d ? b : c", 3.0),
    ]);
    assert_eq!(value("a / e"), f64::INFINITY);
    assert!(value("e / e").is_nan());
}

#[test]
fn functions() {
    assert_values(&[
        ("sin(90 * f)", 1.0),
        ("cos(30 * a)", 0.5),
        ("tan(45 * f)", 1.0),
        ("asin(f)", 90.0),
        ("acos(e)", 90.0),
        ("atan2(f, e)", 90.0),
        ("atan2(-f, f)", -45.0),
        ("sqrt(a * 8)", 4.0),
        ("abs(d)", 1.5),
        ("sign(d)", -1.0),
        ("sign(e)", 0.0),
        ("sign(a)", 1.0),
        ("floor(d)", -2.0),
        ("ceil(d)", -1.0),
        ("round(d)", -2.0),
        ("round(a + 0.5)", 3.0),
        ("min(a, b)", 2.0),
        ("min(c, b, d, a)", -1.5),
        ("max(c, b, d, a)", 5.0),
        ("clamp(c, e, b)", 3.0),
        ("clamp(d, e, b)", 0.0),
        ("lerp(a, b, c)", 7.0),
        ("smoothstep(e, a, f)", 0.5),
        ("smoothstep(0, 1, c)", 1.0),
        ("mod(d, b)", 1.5),
        ("pow(a, 10)", 1024.0),
        ("exp(e)", 1.0),
        ("ln(exp(a))", 2.0),
        ("hypot(b, 4)", 5.0),
    ]);
    assert_eq!(value("random(c)"), value("random(5, 0)"));
    assert_ne!(value("random(c)"), value("random(c, 1)"));
}

#[test]
fn constants_and_names() {
    assert_values(&[
        ("pi", std::f64::consts::PI),
        ("turn * a", 720.0),
        (".x + a", 12.0),
        (".5 + .x", 10.5),
        ("walk.phase", 7.0),
        ("balls[3].speed", 7.0),
        ("floor + 1", 8.0),
        ("floor(floor / 2)", 3.0),
    ]);
    let names = parse(" .radius*leg[ 2 ].end.x").unwrap();
    let names: Vec<_> = names
        .paths()
        .map(|path| (path.to_string(), path.range.clone()))
        .collect();
    assert_eq!(
        names,
        [
            (String::from(".radius"), 1..8),
            (String::from("leg[2].end.x"), 9..23)
        ]
    );
}

#[test]
fn precedence() {
    for (text, same) in [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a / b / c", "(a / b) / c"),
        ("c % b * a", "(c % b) * a"),
        ("-a * b", "(-a) * b"),
        ("-a % b", "(-a) % b"),
        ("a * -b + c", "(a * (-b)) + c"),
        ("a + b < c + d", "(a + b) < (c + d)"),
        ("not a < b", "not (a < b)"),
        ("not e and e", "(not e) and e"),
        ("f or e and e", "f or (e and e)"),
        ("a < b and b < c", "(a < b) and (b < c)"),
        ("f ? e : a ? b : c", "f ? e : (a ? b : c)"),
        ("f ? e ? a : b : c", "f ? (e ? a : b) : c"),
        ("e or f ? a + 1 : b + 1", "(e or f) ? (a + 1) : (b + 1)"),
    ] {
        assert_eq!(value(text), value(same), "{text}");
    }
}

#[test]
fn constants_are_folded() {
    assert_eq!(
        program("2 * pi * (3 + min(4, 5, 6))").constant(),
        Some(14.0 * std::f64::consts::PI)
    );
    assert_eq!(program("width / 2").constant(), Some(3.5));
    assert_eq!(program("a * 0").constant(), None);
    assert_eq!(program("1 < 2 ? 3 : 4").constant(), Some(3.0));
}

#[test]
fn bare_columns_are_known() {
    assert_eq!(program("b").as_column(), Some(1));
    assert_eq!(program("(b)").as_column(), Some(1));
    assert_eq!(program("+b").as_column(), Some(1));
    assert_eq!(program("-b").as_column(), None);
    assert_eq!(program(".x").as_column(), None);
    assert_eq!(program("b").guarded(0, Range::ANY).as_column(), None);
}

#[test]
fn what_is_read_is_known() {
    let program = program("a + sin(c) * .x + a + width");
    assert_eq!(program.reads().collect::<Vec<_>>(), [0, 2, 0]);
    assert!(program.reads_element());
    assert!(!super::program("a + b").reads_element());
}

#[test]
fn every_node_knows_its_text() {
    let text = " max(a, -b) * (c + 1) ";
    let expr = parse(text).unwrap();
    let texts: Vec<_> = expr
        .nodes()
        .iter()
        .map(|node| &text[node.range.clone()])
        .collect();
    assert_eq!(
        texts,
        [
            "a",
            "b",
            "-b",
            "max(a, -b)",
            "c",
            "1",
            "(c + 1)",
            "max(a, -b) * (c + 1)"
        ]
    );
}

#[test]
fn long_chains_need_no_depth() {
    for joint in [" + ", " - ", "*", " and ", " or "] {
        let text = vec!["1"; 5000].join(joint);
        assert!(program(&text).constant().is_some());
        let text = vec!["f"; 5000].join(joint);
        assert!(value(&text).is_finite());
    }
    assert_eq!(value(&vec!["f"; 5000].join(" + ")), 5000.0);
    assert_eq!(value(&format!("max({})", vec!["a"; 5000].join(", "))), 2.0);
    assert_eq!(value(&format!("a{}", ".b".repeat(5000))), 7.0);
}

#[test]
fn nesting_ends_at_the_limit() {
    let nested = |levels: usize| format!("{}a{}", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(value(&nested(DEPTH_LIMIT)), 2.0);
    let openings: [&str; 7] = ["(", "-", "not ", "sin(", "a ? ", "a ? b : ", "max(1, "];
    for opening in openings {
        let mistake = parse(&opening.repeat(DEPTH_LIMIT + 1)).unwrap_err();
        assert_eq!(mistake.code, "nested-too-deep", "{opening}");
        assert_eq!(
            mistake.message,
            "the formula is nested more than 64 levels deep"
        );
        assert_eq!(
            parse(&opening.repeat(5_000)).unwrap_err().code,
            "nested-too-deep"
        );
    }
    let long = format!("1{}", " + 1".repeat(20_000));
    assert_eq!(parse(&long).unwrap_err().code, "long-formula");
}

#[test]
fn the_stack_holds_the_worst_nesting() {
    let level = "1 or a and a < a + a * clamp(a, a, ";
    let text = format!(
        "{}a or a and a < a + a * a{}",
        level.repeat(DEPTH_LIMIT),
        ")".repeat(DEPTH_LIMIT)
    );
    assert_eq!(value(&text.replace('1', "a")), 1.0);
}

#[test]
fn a_guard_notes_the_first_violation_and_holds_the_value() {
    let violation = Cell::new(None);
    let run = |text: &str, id, range: Range, a: f64| {
        let program = program(text).guarded(id, range);
        program.eval(&Inputs {
            row: &[a],
            element: &[],
            violation: &violation,
        })
    };
    assert_eq!(run("a", 1, Range::above(0.0), 4.0), 4.0);
    assert_eq!(run("a + 1", 1, Range::between(0.0, 1.0), -0.5), 0.5);
    assert_eq!(violation.get(), None);

    assert_eq!(run("a", 2, Range::between(0.0, 1.0), 3.0), 1.0);
    assert_eq!(violation.get(), Some((2, 3.0)));
    assert_eq!(run("1 / a", 3, Range::at_least(2.0), 0.0), 2.0);
    assert_eq!(violation.get(), Some((2, 3.0)), "the first one stays");

    violation.set(None);
    assert_eq!(run("1 / a", 3, Range::ANY, 0.0), 0.0);
    assert_eq!(violation.get(), Some((3, f64::INFINITY)));

    violation.set(None);
    assert_eq!(run("a / a", 4, Range::between(1.0, 2.0), 0.0), 1.0);
    assert!(matches!(violation.get(), Some((4, value)) if value.is_nan()));

    violation.set(None);
    assert_eq!(run("min(0 / 0, a)", 5, Range::ANY, 1.0), 0.0);
    assert!(
        violation.get().is_some(),
        "`min` does not hide what is no number"
    );

    violation.set(None);
    assert_eq!(run("0 - 3", 6, Range::above(0.0), 0.0), 1e-9);
    assert_eq!(
        violation.get(),
        Some((6, -3.0)),
        "constants are guarded too"
    );
}

#[test]
fn resolvers_may_keep_a_record() {
    let mut seen = Vec::new();
    let mut names = |path: &super::Path| {
        seen.push(path.to_string());
        super::Operand::Constant(1.0)
    };
    let program = compile(&parse("t + walk.phase * pi + t").unwrap(), &mut names);
    assert_eq!(seen, ["t", "walk.phase", "t"]);
    assert_eq!(eval(&program), 2.0 + std::f64::consts::PI);
}
