use super::super::{FormulaError, Piece, parse_template};

/// The pieces in short: literals as they are, holes as `<formula|decimals>`.
fn pieces(text: &str) -> Vec<String> {
    let template = parse_template(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
    let show = |piece: &Piece| match piece {
        Piece::Literal(text) => text.clone(),
        Piece::Hole(hole) => format!("<{}|{:?}>", &text[hole.expr.range()], hole.decimals),
    };
    template.pieces.iter().map(show).collect()
}

fn mistake(text: &str) -> FormulaError {
    parse_template(text).unwrap_err()
}

#[test]
fn texts_are_cut_at_their_holes() {
    assert_eq!(pieces(""), [""; 0]);
    assert_eq!(pieces("plain ζ"), ["plain ζ"]);
    assert_eq!(
        pieces("ζ {zeta:.2} of {n}"),
        ["ζ ", "<zeta|Some(2)>", " of ", "<n|None>"]
    );
    assert_eq!(pieces("{a}{b}"), ["<a|None>", "<b|None>"]);
    assert_eq!(pieces("{{a}} {{{a}}}"), ["{a} {", "<a|None>", "}"]);
    assert_eq!(pieces("{ .label }"), ["<.label|None>"]);
    assert_eq!(pieces("{t * 2 :.0} s"), ["<t * 2|Some(0)>", " s"]);
}

#[test]
fn a_colon_belongs_to_its_question_mark() {
    assert_eq!(pieces("{a ? b : c}"), ["<a ? b : c|None>"]);
    assert_eq!(pieces("{a ? b : c:.12}"), ["<a ? b : c|Some(12)>"]);
    assert_eq!(pieces("{a ? b : .5}"), ["<a ? b : .5|None>"]);
    assert_eq!(pieces("{(a ? b : .5):.1}"), ["<(a ? b : .5)|Some(1)>"]);
}

#[test]
fn bare_names_and_literals_are_told_apart() {
    let name = |text| {
        parse_template(text)
            .unwrap()
            .as_name()
            .map(ToString::to_string)
    };
    assert_eq!(name("{ease}").as_deref(), Some("ease"));
    assert_eq!(name("{.tone}").as_deref(), Some(".tone"));
    assert_eq!(name("{ease:.2}"), None);
    assert_eq!(name("{ease} "), None);
    assert_eq!(name("{ease + 1}"), None);
    assert_eq!(parse_template("{{}}").unwrap().as_literal(), Some("{}"));
    assert_eq!(parse_template("").unwrap().as_literal(), Some(""));
    assert_eq!(parse_template("{a}").unwrap().as_literal(), None);
}

#[test]
fn mistakes_stand_where_they_are_in_the_text() {
    let cases = [
        (
            "a {b",
            2..3,
            "the brace `{` is never closed",
            "for a brace in the text write `{{`",
        ),
        (
            "a {b {c}",
            2..3,
            "the brace `{` is never closed",
            "for a brace in the text write `{{`",
        ),
        (
            "a } b",
            2..3,
            "the brace `}` was never opened",
            "for a brace in the text write `}}`",
        ),
        (
            "a {} b",
            2..4,
            "there is no formula between the braces",
            "for braces in the text write `{{` and `}}`",
        ),
        (
            "ζ {2x} b",
            4..6,
            "an operator is missing between `2` and `x`",
            "for a product write `2 * x`",
        ),
        (
            "{x +}",
            3..4,
            "the formula ends after `+`, where a value is missing",
            "",
        ),
        ("{(x}", 1..2, "the bracket `(` is never closed", ""),
        (
            "{x:2}",
            2..4,
            "`:2` is not a format",
            "for two decimals write `:.2`",
        ),
        (
            "{x:.2f}",
            2..6,
            "`:.2f` is not a format",
            "for two decimals write `:.2`",
        ),
        (
            "{x:}",
            2..3,
            "`:` is not a format",
            "for two decimals write `:.2`",
        ),
        ("{x:.13}", 2..6, "a number shows at most 12 decimals", ""),
        ("{x:.999}", 2..7, "a number shows at most 12 decimals", ""),
    ];
    for (text, range, message, label) in cases {
        let found = mistake(text);
        assert_eq!(
            (found.range, found.message.as_str(), found.label.as_str()),
            (range, message, label),
            "{text}"
        );
    }
}
