//! Every example is sound, and what it expects of itself is true.

use crate::specs;

#[test]
fn load_without_a_word() {
    for name in specs::names() {
        let animation = specs::open(&name);
        let warnings = animation.warnings();
        assert!(warnings.list.is_empty(), "{name}:\n{warnings}");
        assert!(animation.title().is_some(), "{name} has no title");
        assert!(animation.alt().is_some(), "{name} has no alt");
    }
}

#[test]
fn keep_their_own_claims() {
    let mut broken = Vec::new();
    for name in specs::names() {
        let animation = specs::open(&name);
        let film = animation.simulate_plain().expect("numbers in range");
        assert!(
            film.warnings().list.is_empty(),
            "{name}: {}",
            film.warnings()
        );
        for (kind, verdict) in film.judge() {
            if !verdict.holds {
                let frame = verdict
                    .frame
                    .map_or("no frame".into(), |f| format!("frame {f}"));
                broken.push(format!("{name}, {kind}, {frame}: {}", verdict.words));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn four_other_numbers_make_another_walk_that_does_not_slip() {
    let walk = std::fs::read_to_string(specs::folder().join("walk.json")).expect("the walk");
    let walk = walk.replacen("\"rust\": \"#c2402a\"", "\"rust\": \"seagreen\"", 1);
    for numbers in [
        ["40", "0.9", "0.7"],
        ["80", "1.8", "0.55"],
        ["110", "1", "0.65"],
        ["20", "3", "0.3"],
        ["64", "1.35", "0.5"],
        ["90", "2.6", "0.35"],
        // On the spot, and backward.
        ["0", "1", "0.6"],
        ["-40", "1", "0.65"],
        ["-56", "1.35", "0.62"],
        ["-80", "1.8", "0.55"],
    ] {
        let names = ["stride", "frequency", "duty"].into_iter();
        let set = names.zip(numbers).map(|(name, v)| (name.into(), v.into()));
        let choices = hazumi::load::Choices {
            set: set.collect(),
            ..Default::default()
        };
        let animation =
            hazumi::load::Animation::parse("walk", &walk, &choices).expect("a sound spec");
        keeps_its_claims(&animation, &format!("{numbers:?}"));
    }
}

/// Its feet do not slip, no leg is out of reach, and the loop closes.
fn keeps_its_claims(animation: &hazumi::load::Animation, name: &str) {
    let film = animation.simulate_plain().expect("numbers in range");
    assert!(
        film.warnings().list.is_empty(),
        "{name}: {}",
        film.warnings()
    );
    let verdicts = film.judge();
    let slips = verdicts.iter().filter(|(kind, _)| kind.contains("slip"));
    assert_eq!(slips.count(), 2, "{name}");
    for (kind, verdict) in verdicts {
        assert!(verdict.holds, "{name}, {kind}: {}", verdict.words);
    }
}

#[test]
fn the_figure_with_a_walk_of_its_own_is_twenty_lines() {
    let part =
        std::fs::read_to_string(specs::folder().join("parts/biped.json")).expect("the figure");
    for (cycles, numbers) in [
        (2, r#""walk_stride": 40, "walk_duty": 0.72"#),
        (1, r#""walk_stride": 70, "walk_duty": 0.6"#),
        (
            3,
            r#""walk_stride": 30, "walk_duty": 0.55, "hip_height": 68"#,
        ),
        (2, r#""walk_stride": -44, "walk_duty": 0.66"#),
    ] {
        let spec = format!(
            r##"{{
            "hazumi": 1, "alt": "A figure walks.",
            "canvas": {{ "size": [480, 360], "fps": 50, "duration": 1.5, "background": "#f7f4ec" }},
            "palette": {{ "ink": "#22272e", "rust": "seagreen", "wood": "#8a6534" }},
            "channels": {{ "act": {{ "script": {{ "keys": [[0, "walk"]] }} }} }},
            "parts": {{ "biped": {part} }},
            "use": {{ "man": {{ "part": "biped", "with": {{ "walk_frequency": "{cycles} / duration", {numbers} }} }} }},
            "draw": [ {{ "use": "man" }} ],
            "loop": {{ "preroll": {{ "cycles": 20 }} }},
            "expect": [
                {{ "seam": {{ "max": 0.5 }} }},
                {{ "slip": {{ "of": "man.leg_n.end", "against": "man.gait.travel", "while": "man.gait.foot[0].down", "max": 1e-9 }} }},
                {{ "slip": {{ "of": "man.leg_f.end", "against": "man.gait.travel", "while": "man.gait.foot[1].down", "max": 1e-9 }} }}
            ] }}"##
        );
        let animation = hazumi::load::Animation::parse("figure", &spec, &Default::default())
            .expect("a sound spec");
        keeps_its_claims(&animation, numbers);
    }
}

#[test]
fn the_letter_meets_its_start() {
    let letter = specs::open("letter-i");
    let seam = letter
        .simulate_plain()
        .expect("numbers in range")
        .seam()
        .expect("a loop");
    assert!(seam.distance < 1e-9, "{seam:?}");
}

#[test]
fn a_claim_that_does_not_hold_is_noticed() {
    let spec = r##"{ "hazumi": 1, "alt": "A dot.", "canvas": { "size": [20, 20], "fps": 10, "duration": 1 },
        "channels": { "x": "20 * t" },
        "draw": [{ "circle": { "at": ["x", 10], "radius": 3 } }],
        "expect": [
            { "value": { "of": "x", "at": 0.5, "is": 10 } },
            { "value": { "of": "x", "max": 15 } },
            { "jump": { "of": ["x"], "max": 1 } },
            { "seam": { "max": 1 } }
        ] }"##;
    let animation =
        hazumi::load::Animation::parse("dot", spec, &Default::default()).expect("a sound spec");
    let verdicts = animation
        .simulate_plain()
        .expect("numbers in range")
        .judge();
    let held: Vec<bool> = verdicts.iter().map(|(_, verdict)| verdict.holds).collect();
    assert_eq!(held, [true, false, false, false]);
    let (_, value) = &verdicts[1];
    assert_eq!(value.frame, Some(9));
    assert!(value.words.contains("18"), "{}", value.words);
}
