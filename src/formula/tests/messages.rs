use super::super::{FormulaError, parse, parse_name};

/// Formula, the text the caret stands under, code, message, label.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

#[track_caller]
fn assert_mistakes(cases: &[Case]) {
    for (text, place, code, message, label) in cases {
        let found = parse(text).expect_err(text);
        let FormulaError {
            range,
            code: found_code,
            message: found_message,
            label: found_label,
            ..
        } = found;
        let found_place = text.get(range).expect("the range lies in the text");
        assert_eq!(
            (
                found_place,
                found_code,
                found_message.as_str(),
                found_label.as_str()
            ),
            (*place, *code, *message, *label),
            "{text}"
        );
    }
}

#[test]
fn operators_of_other_languages() {
    let code = "foreign-operator";
    assert_mistakes(&[
        (
            "x ^ 2",
            "^",
            code,
            "`^` is not part of a formula",
            "for a power write `pow(a, b)`",
        ),
        (
            "x ** 2",
            "**",
            code,
            "`**` is not part of a formula",
            "for a power write `pow(a, b)`",
        ),
        (
            "a && b",
            "&&",
            code,
            "`&&` is not part of a formula",
            "write `and`",
        ),
        (
            "a || b",
            "||",
            code,
            "`||` is not part of a formula",
            "write `or`",
        ),
        (
            "!a",
            "!",
            code,
            "`!` is not part of a formula",
            "write `not`",
        ),
        (
            "a = b",
            "=",
            code,
            "`=` is not part of a formula",
            "to compare write `==`",
        ),
        (
            "a === b",
            "===",
            code,
            "`===` is not part of a formula",
            "write `==`",
        ),
        (
            "a !== b",
            "!==",
            code,
            "`!==` is not part of a formula",
            "write `!=`",
        ),
        (
            "a <> b",
            "<>",
            code,
            "`<>` is not part of a formula",
            "write `!=`",
        ),
        (
            "a => b",
            "=>",
            code,
            "`=>` is not part of a formula",
            "write `>=`",
        ),
        (
            "a // b",
            "//",
            code,
            "`//` is not part of a formula",
            "for a whole quotient write `floor(a / b)`",
        ),
        (
            "2 × a",
            "×",
            code,
            "`×` is not part of a formula",
            "write `*`",
        ),
        (
            "2 − a",
            "−",
            code,
            "`−` is not part of a formula",
            "write `-`",
        ),
        (
            "2 * π",
            "π",
            code,
            "`π` is not part of a formula",
            "write `pi`",
        ),
        (
            "2π",
            "π",
            code,
            "`π` is not part of a formula",
            "write `pi`",
        ),
        (
            "a ≤ b",
            "≤",
            code,
            "`≤` is not part of a formula",
            "write `<=`",
        ),
        (
            "a² + b",
            "²",
            code,
            "`²` is not part of a formula",
            "for a square write `pow(a, 2)`",
        ),
        (
            "30°",
            "°",
            code,
            "`°` is not part of a formula",
            "angles are degrees already",
        ),
    ]);
}

#[test]
fn letters_that_have_no_meaning() {
    assert_mistakes(&[
        (
            "a $ b",
            "$",
            "unknown-character",
            "`$` is not part of a formula",
            "",
        ),
        (
            "{a}",
            "{",
            "unknown-character",
            "`{` is not part of a formula",
            "",
        ),
        (
            "a \u{0}",
            "\u{0}",
            "unknown-character",
            "`\\0` is not part of a formula",
            "",
        ),
        (
            "2 * größe",
            "größe",
            "unknown-character",
            "`größe` is not a name",
            "names are made of a–z, A–Z, 0–9 and _",
        ),
        (
            "'walk'",
            "'",
            "quotes",
            "a formula has no text in quotes",
            "write names without quotes",
        ),
        (
            "a == \"b\"",
            "\"",
            "quotes",
            "a formula has no text in quotes",
            "write names without quotes",
        ),
    ]);
}

#[test]
fn missing_operators() {
    let code = "missing-operator";
    assert_mistakes(&[
        (
            "2pi",
            "2pi",
            code,
            "an operator is missing between `2` and `pi`",
            "for a product write `2 * pi`",
        ),
        (
            "2 x",
            "2 x",
            code,
            "an operator is missing between `2` and `x`",
            "for a product write `2 * x`",
        ),
        (
            "3 walk.phase",
            "3 walk.phase",
            code,
            "an operator is missing between `3` and `walk.phase`",
            "for a product write `3 * walk.phase`",
        ),
        (
            "2(x + 1)",
            "2(",
            code,
            "an operator is missing between `2` and `(`",
            "for a product write `2 * (…)`",
        ),
        (
            "(a + b) c",
            "(a + b) c",
            code,
            "an operator is missing between `(a + b)` and `c`",
            "for a product write `(a + b) * c`",
        ),
        (
            "(a + b + c + d + e + f + g + h) i",
            ") i",
            code,
            "an operator is missing between `)` and `i`",
            "for a product write `) * i`",
        ),
        (
            "walk .x",
            "walk .x",
            code,
            "an operator is missing between `walk` and `.x`",
            "for a product write `walk * .x`",
        ),
        (
            "sin x",
            "sin x",
            code,
            "an operator is missing between `sin` and `x`",
            "to call it write `sin(x)`",
        ),
        (
            "min(a b)",
            "a b",
            code,
            "an operator is missing between `a` and `b`",
            "for a product write `a * b`",
        ),
        (
            "a not b",
            "not",
            code,
            "an operator is missing before `not`",
            "write `and not` or `or not`",
        ),
    ]);
}

#[test]
fn units() {
    assert_mistakes(&[
        (
            "10px + a",
            "10px",
            "unit",
            "a number has no unit, but `px` follows `10`",
            "write `10`",
        ),
        (
            "30deg",
            "30deg",
            "unit",
            "a number has no unit, but `deg` follows `30`",
            "write `30`",
        ),
        (
            "0.5s",
            "0.5s",
            "unit",
            "a number has no unit, but `s` follows `0.5`",
            "write `0.5`",
        ),
        (
            "200ms",
            "200ms",
            "unit",
            "a number has no unit, but `ms` follows `200`",
            "write `200 / 1000`",
        ),
        (
            "50%",
            "50%",
            "percent",
            "`50%` is not a number here",
            "write `0.5 * width` or `0.5 * height`",
        ),
        (
            "50% * a",
            "50%",
            "percent",
            "`50%` is not a number here",
            "write `0.5 * width` or `0.5 * height`",
        ),
        (
            "a + 12.5% - b",
            "12.5%",
            "percent",
            "`12.5%` is not a number here",
            "write `0.125 * width` or `0.125 * height`",
        ),
        (
            "min(50%, a)",
            "50%",
            "percent",
            "`50%` is not a number here",
            "write `0.5 * width` or `0.5 * height`",
        ),
    ]);
    assert_eq!(
        parse("0.5s").unwrap_err().notes,
        [
            "times are seconds, or frames with `\"time\": \"frames\"`",
            "if `s` is a name, write `0.5 * s`"
        ]
    );
    for remainder in ["50%a", "50 % a", "50% a", "50%-a", "50 % -a", "7%3"] {
        assert!(parse(remainder).is_ok(), "{remainder}");
    }
}

#[test]
fn commas() {
    assert_mistakes(&[
        (
            "1,5",
            "1,5",
            "decimal-comma",
            "a number has no comma",
            "write `1.5`",
        ),
        (
            "(1,5) * a",
            "1,5",
            "decimal-comma",
            "a number has no comma",
            "write `1.5`",
        ),
        (
            "1,000.5",
            "1,000.5",
            "decimal-comma",
            "a number has no comma",
            "write `1000.5`",
        ),
        (
            "a, b",
            ",",
            "stray-comma",
            "a comma stands only between the arguments of a function",
            "",
        ),
        (
            "min(a, b,)",
            ",)",
            "missing-value",
            "a value is missing between `,` and `)`",
            "",
        ),
        (
            "min(, b)",
            "(,",
            "missing-value",
            "a value is missing between `(` and `,`",
            "",
        ),
    ]);
}

#[test]
fn brackets() {
    assert_mistakes(&[
        (
            "(a + b",
            "(",
            "unclosed-bracket",
            "the bracket `(` is never closed",
            "",
        ),
        (
            "a * (b + (c)",
            "(",
            "unclosed-bracket",
            "the bracket `(` is never closed",
            "",
        ),
        (
            "a * sin(b",
            "(",
            "unclosed-bracket",
            "the bracket `(` is never closed",
            "",
        ),
        (
            "a[3",
            "[",
            "unclosed-bracket",
            "the bracket `[` is never closed",
            "",
        ),
        (
            "(a]",
            "(",
            "unclosed-bracket",
            "the bracket `(` is never closed",
            "",
        ),
        (
            "a + b)",
            ")",
            "stray-bracket",
            "the bracket `)` was never opened",
            "",
        ),
        (
            "a]",
            "]",
            "stray-bracket",
            "the bracket `]` was never opened",
            "",
        ),
        (
            "()",
            "()",
            "missing-value",
            "a value is missing between `(` and `)`",
            "",
        ),
    ]);
    assert_eq!(
        parse("a * (b + (c)").unwrap_err().range,
        4..5,
        "the outer one is open"
    );
}

#[test]
fn missing_values() {
    let code = "missing-value";
    assert_mistakes(&[
        (
            "",
            "",
            "empty-formula",
            "the formula is empty",
            "write a number, such as `0`",
        ),
        (
            "  ",
            "  ",
            "empty-formula",
            "the formula is empty",
            "write a number, such as `0`",
        ),
        (
            "a +",
            "+",
            code,
            "the formula ends after `+`, where a value is missing",
            "",
        ),
        (
            "a and",
            "and",
            code,
            "the formula ends after `and`, where a value is missing",
            "",
        ),
        (
            "sin(",
            "(",
            code,
            "the formula ends after `(`, where a value is missing",
            "",
        ),
        ("* a", "*", code, "a value is missing before `*`", ""),
        (
            "a + * b",
            "+ *",
            code,
            "a value is missing between `+` and `*`",
            "",
        ),
        (
            "-",
            "-",
            code,
            "the formula ends after `-`, where a value is missing",
            "",
        ),
        (
            "a == not b",
            "not",
            "missing-brackets",
            "`not` needs brackets here",
            "write `(not …)`",
        ),
    ]);
}

#[test]
fn conditions() {
    let colon = "write `condition ? this : that`";
    assert_mistakes(&[
        (
            "a < b < c",
            "<",
            "chained-comparison",
            "comparisons cannot be chained: join two of them with `and`",
            "write `a < b and b < …`",
        ),
        (
            "0 <= x == 1",
            "==",
            "chained-comparison",
            "comparisons cannot be chained: join two of them with `and`",
            "write `0 <= x and x == …`",
        ),
        ("a ? b", "?", "missing-colon", "this `?` has no `:`", colon),
        (
            "(a ? b)",
            "?",
            "missing-colon",
            "this `?` has no `:`",
            colon,
        ),
        (
            "max(a ? b, c)",
            "?",
            "missing-colon",
            "this `?` has no `:`",
            colon,
        ),
        ("a : b", ":", "stray-colon", "this `:` has no `?`", colon),
    ]);
    assert_eq!(parse("a < b < c").unwrap_err().range, 6..7);
}

#[test]
fn calls() {
    let (unknown, count) = ("unknown-function", "argument-count");
    assert_mistakes(&[
        (
            "Math.sin(x)",
            "Math.sin",
            unknown,
            "there is no function `Math.sin`",
            "write `sin(degrees)`",
        ),
        (
            "Math.log(x)",
            "Math.log",
            unknown,
            "there is no function `Math.log`",
            "the natural logarithm is `ln(x)`",
        ),
        (
            "flor(x)",
            "flor",
            unknown,
            "there is no function `flor`",
            "did you mean `floor`?",
        ),
        (
            "Sqrt(x)",
            "Sqrt",
            unknown,
            "there is no function `Sqrt`",
            "did you mean `sqrt`?",
        ),
        (
            "smooth_step(0, 1, x)",
            "smooth_step",
            unknown,
            "there is no function `smooth_step`",
            "did you mean `smoothstep`?",
        ),
        (
            "atan(x)",
            "atan",
            unknown,
            "there is no function `atan`",
            "write `atan2(y, x)`",
        ),
        (
            "t(2 + a)",
            "t",
            unknown,
            "there is no function `t`",
            "for a product write `t * (…)`",
        ),
        (
            "sin()",
            "sin()",
            count,
            "`sin` takes 1 argument, but none is given",
            "write `sin(degrees)`",
        ),
        (
            "1 + clamp(a, b)",
            "clamp(a, b)",
            count,
            "`clamp` takes 3 arguments, but 2 are given",
            "write `clamp(v, lo, hi)`",
        ),
        (
            "min(a)",
            "min(a)",
            count,
            "`min` takes 2 arguments or more, but 1 is given",
            "write `min(a, b, …)`",
        ),
        (
            "random(1, 2, 3)",
            "random(1, 2, 3)",
            count,
            "`random` takes 1 or 2 arguments, but 3 are given",
            "write `random(n, seed)`",
        ),
    ]);
}

#[test]
fn names_and_indices() {
    let index = "an index is a whole number, written as digits";
    let example = "as in `balls[3]`; counting starts at 0";
    assert_mistakes(&[
        ("a[i]", "i", "bad-index", index, example),
        ("a[i + 1].x", "i + 1", "bad-index", index, example),
        ("a[-1]", "-1", "bad-index", index, example),
        ("a[1.5]", "1.5", "bad-index", index, example),
        ("a[]", "", "bad-index", index, example),
        ("a[1 2]", "1 2", "bad-index", index, example),
        ("a[99999999999]", "99999999999", "bad-index", index, example),
        (
            "leg.2.x",
            "leg.2.x",
            "bad-index",
            "indices stand in brackets",
            "write `leg[2]`",
        ),
        (
            "(a)[1]",
            "[",
            "bad-index",
            "only a name can have an index",
            "as in `balls[3]`",
        ),
        (
            "a. b",
            ".",
            "missing-name",
            "a name is missing after this dot",
            "",
        ),
        (
            "a.",
            ".",
            "missing-name",
            "a name is missing after this dot",
            "",
        ),
        (
            "a.not",
            "not",
            "reserved-word",
            "`not` is a word of the language and cannot be a name",
            "",
        ),
        (
            "1e999",
            "1e999",
            "number-too-large",
            "this number is too large",
            "the largest is about 1.8e308",
        ),
    ]);
}

#[test]
fn names_alone() {
    for name in [
        "tip",
        " arm.end ",
        "balls[3]",
        "row.at",
        ".at",
        "crowd[3].leg[0].end",
    ] {
        assert_eq!(parse_name(name).unwrap().to_string(), name.trim());
    }
    for (text, message) in [
        ("", "the name is empty"),
        ("3", "`3` is not a name"),
        ("a + b", "`a + b` is not a name"),
        ("sin(a)", "`sin(a)` is not a name"),
        ("a b", "`a b` is not a name"),
    ] {
        let mistake = parse_name(text).unwrap_err();
        assert_eq!(
            (mistake.code, mistake.message.as_str()),
            ("not-a-name", message)
        );
        assert_eq!(
            mistake.label,
            "a name is written as in `tip`, `arm.end` or `balls[3]`"
        );
    }
}

#[test]
fn radians_are_warned_about() {
    let warnings = |text: &str| -> Vec<_> {
        let warnings = parse(text).unwrap().warnings().to_vec();
        warnings
            .into_iter()
            .map(|warning| (warning.range, warning.message))
            .collect()
    };
    let sin = String::from("`sin` takes degrees: use `turn`");
    let cos = String::from("`cos` takes degrees: use `turn`");
    assert_eq!(warnings("sin(2 * pi * t)"), [(8..10, sin.clone())]);
    assert_eq!(warnings("cos(max(pi, 1)) + pi"), [(8..10, cos.clone())]);
    assert_eq!(
        warnings("sin(pi + cos(pi) + pi)"),
        [(4..6, sin.clone()), (13..15, cos), (19..21, sin)]
    );
    assert_eq!(warnings("2 * pi * radius + sin(turn)"), []);
    assert_eq!(warnings("sin(.pi)"), []);
    assert_eq!(parse("sin(pi)").unwrap().warnings()[0].code, "radians");
}
