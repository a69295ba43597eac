//! Bodies as a spec has them: the law that a reader knows, what is shown of it, and how loops of them close.

use crate::desk::Desk;
use crate::specs;
use hazumi::formula::Operand;
use hazumi::load::{Animation, Choices};
use hazumi::simulate::{Frames, simulate};
use serde_json::Value;

/// A body in a small spec of two seconds at 50 frames per second.
fn spec(sections: &str) -> Animation {
    let text = format!(
        r##"{{ "hazumi": 1, "alt": "A test.",
            "canvas": {{ "size": [200, 160], "fps": 50, "duration": 2 }}, {sections} }}"##
    );
    Animation::parse("spec", &text, &Choices::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Every value of a name in the spec's own frames.
fn values(animation: &Animation, name: &str) -> Vec<f64> {
    let scene = animation.scene();
    let named = scene.names.iter().find(|named| named.path == name);
    let Operand::Column(column) = named.expect("a name").operand else {
        panic!("{name} is constant");
    };
    let frames = Frames::own(scene, 0..scene.clock.frames);
    let timeline = simulate(scene, &frames, &[column]).expect("numbers in range");
    let mut row = Vec::new();
    (0..timeline.frames())
        .map(|frame| {
            timeline.row(frame, &mut row);
            row[column as usize]
        })
        .collect()
}

/// Frame i of the example is step i of the published program: frame 0 is the ring as built.
#[test]
fn the_membrane_is_the_published_one() {
    let text = include_str!("../data/001_soft_body_480x480.json");
    let reference: Value = serde_json::from_str(text).expect("JSON");
    let membrane = specs::open("membrane");
    let xs: Vec<Vec<f64>> = (0..26)
        .map(|i| values(&membrane, &format!("membrane[{i}].x")))
        .collect();
    let ys: Vec<Vec<f64>> = (0..26)
        .map(|i| values(&membrane, &format!("membrane[{i}].y")))
        .collect();
    let mut compared = 0;
    for checkpoint in reference["checkpoints"].as_array().expect("checkpoints") {
        let step = checkpoint["step"].as_u64().expect("a step") as usize;
        if step >= 240 {
            continue;
        }
        let points = checkpoint["points"].as_array().expect("points");
        for (i, point) in points.iter().enumerate() {
            let [x, y] = [0, 1].map(|side| point[side].as_f64().expect("a number"));
            assert!((xs[i][step] - x).abs() < 1e-9, "x of {i} in step {step}");
            assert!((ys[i][step] - y).abs() < 1e-9, "y of {i} in step {step}");
            compared += 1;
        }
    }
    assert!(compared >= 52, "only {compared} points");
}

#[test]
fn pins_follow_what_moves_in_every_frame() {
    let animation = spec(
        r#""channels": { "hand": { "wave": { "period": 1, "amplitude": 40, "around": 100 } } },
           "world": { "gravity": [0, 900] },
           "bodies": {
             "rope": { "rope": { "from": ["hand", 20], "length": 80, "points": 9, "keep": 0.99 } },
             "flag": { "cloth": { "from": ["hand - 20", 20], "size": [40, 30], "grid": [5, 4],
               "pins": { "top": ["hand - 20", 20] } } } },
           "draw": [ { "path": { "points": "rope" } }, { "mesh": { "of": "flag" } } ]"#,
    );
    let hand = values(&animation, "hand");
    let first = values(&animation, "rope[0].x");
    let corner = values(&animation, "flag[4].x");
    for (frame, hand) in hand.iter().enumerate() {
        assert!((first[frame] - hand).abs() < 1e-9, "frame {frame}");
        assert!((corner[frame] - hand - 20.0).abs() < 1e-9, "frame {frame}");
    }
}

/// A ring keeps the numbers it was written with, whichever way round it runs.
/// A ring of five points held at its second, as written or seen in a mirror: the rows of `trace`.
fn traced_ring(flip: bool) -> Vec<Vec<f64>> {
    let mirror = |x: f64| if flip { 200.0 - x } else { x };
    let points = [
        (60.0, 40),
        (140.0, 40),
        (150.0, 90),
        (100.0, 120),
        (50.0, 90),
    ];
    let shape = points
        .map(|(x, y)| format!("[{}, {y}]", mirror(x)))
        .join(", ");
    let spec = format!(
        r#"{{ "hazumi": 1, "alt": "A ring.", "canvas": {{ "size": [200, 160], "duration": 2 }},
            "world": {{ "gravity": [0, 600] }},
            "bodies": {{ "ring": {{ "soft_body": {{ "shape": [{shape}], "compliance": 0.0005, "keep": 0.98,
                "pressure": {{ "strength": 0, "compliance": 0.0001 }}, "pins": {{ "1": [{}, 40] }} }} }} }},
            "draw": [ {{ "circle": {{ "of": "ring", "radius": 3 }} }} ] }}"#,
        mirror(140.0)
    );
    let desk = Desk::new();
    desk.write("ring.json", &spec);
    let names = (0..5).map(|i| format!("ring[{i}].x,ring[{i}].y,"));
    let names = names.collect::<String>() + "ring.area";
    let run = desk.run(&["trace", "ring.json", "--only", &names]).well();
    let rows = run.text().lines().skip(1);
    // After the frame and its time.
    let numbers = |row: &str| {
        row.split(',')
            .skip(2)
            .map(|n| n.parse().expect("a number"))
            .collect()
    };
    rows.map(numbers).collect()
}

#[test]
fn points_keep_the_numbers_they_were_written_with() {
    let (one, other) = (traced_ring(false), traced_ring(true));
    assert_eq!((one.len(), one[0].len()), (100, 11));
    assert!(one[99][1] != one[0][1], "it moves");
    for (row, seen) in one.iter().zip(&other) {
        assert_eq!((row[2], seen[2]), (140.0, 60.0), "the second point is held");
        for i in 0..5 {
            assert!(
                (200.0 - seen[2 * i] - row[2 * i]).abs() < 1e-6,
                "x of point {i}"
            );
            assert!(
                (seen[2 * i + 1] - row[2 * i + 1]).abs() < 1e-6,
                "y of point {i}"
            );
        }
        assert!(
            row[10] > 0.0 && (row[10] - seen[10]).abs() < 1e-6,
            "its area"
        );
    }
}

/// 37 frames per second fall between steps: links keep their lengths there too.
#[test]
fn links_keep_their_lengths_between_steps() {
    let animation = Animation::parse(
        "spec",
        r#"{ "hazumi": 1, "alt": "A test.", "canvas": { "size": [200, 160], "fps": 37, "frames": 74 },
             "world": { "gravity": [0, 900] },
             "bodies": { "rope": { "rope": { "from": [20, 20], "toward": [1, 0], "spacing": 5, "points": 21 } } },
             "draw": [ { "path": { "points": "rope" } } ],
             "expect": [ { "length": { "of": ["rope"], "max": 1e-6 } } ] }"#,
        &Choices::default(),
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let verdicts = animation.simulate_plain().expect("finite").judge();
    assert!(
        verdicts.iter().all(|(_, verdict)| verdict.holds),
        "{verdicts:?}"
    );
}

#[test]
fn a_driven_body_loops_and_the_report_says_so() {
    let desk = Desk::new();
    desk.write(
        "swing.json",
        r#"{ "hazumi": 1, "alt": "A test.", "canvas": { "size": [120, 90], "fps": 20, "duration": 1 },
             "channels": { "hand": { "wave": { "period": 1, "amplitude": 6, "around": 60 } } },
             "world": { "gravity": [0, 900], "keep": 0.96 },
             "bodies": { "rope": { "rope": { "from": ["hand", 10], "length": 60, "points": 9 } } },
             "draw": [ { "path": { "points": "rope" } } ], "loop": { "preroll": { "cycles": 30 } },
             "expect": [ { "seam": { "max": 0.5 } } ] }"#,
    );
    let run = desk.run(&["render", "swing.json", "-o", "x.gif", "-v"]);
    assert_eq!(run.code, 0, "{}", run.said);
    run.says("the loop closes within");
    assert!(!run.said.contains("does not hold"), "{}", run.said);
}

#[test]
fn loops_show_as_many_frames_as_they_say() {
    let with = |looping: &str| {
        let animation = spec(&format!(
            r#""channels": {{ "x": {{ "noise": {{ "frequency": 1, "between": [20, 180] }} }} }},
               "draw": [ {{ "circle": {{ "at": ["x", 80], "radius": 9 }} }} ], "loop": {looping}"#
        ));
        let frames = animation.simulate().expect("numbers in range").frames();
        assert_eq!(frames, animation.frames());
        frames
    };
    assert_eq!(with(r#"{ "ping_pong": {} }"#), 198);
    assert_eq!(with(r#"{ "crossfade": { "over": 0.5 } }"#), 75);
    assert_eq!(
        with(r#"{ "search": { "between": [0, 2], "seam": 400 } }"#),
        100
    );
}

/// The last frames of a crossfade show more and more of what comes before its first.
#[test]
fn a_crossfade_ends_where_it_starts() {
    let animation = spec(
        r#""channels": { "x": "20 + 80 * t" },
           "draw": [ { "rect": { "at": ["x", 80], "size": [20, 40] } } ], "loop": { "crossfade": { "over": 0.5 } }"#,
    );
    let film = animation.simulate().expect("numbers in range");
    let studio = film
        .studio(&hazumi::Look::default())
        .expect("a small picture");
    let grey = |frame: usize, x: usize| {
        let pixels = studio.frame(frame);
        pixels.bytes[4 * (80 * pixels.width as usize + x)]
    };
    // The first frame is that of t = 0.5, x = 60; the last, one frame before t = 2, x = 178.4.
    assert_eq!((grey(0, 60), grey(0, 178)), (0, 255));
    let (coming, going) = (grey(74, 58), grey(74, 178));
    assert!(coming < 20 && going > 235, "{coming} and {going}");
    let (coming, going) = (grey(62, 40), grey(62, 160));
    assert!(
        (100..160).contains(&coming) && (100..160).contains(&going),
        "{coming} and {going}"
    );
}

/// A search starts where a whole length leads back to the same place.
#[test]
fn a_search_finds_the_best_start() {
    let animation = spec(
        r#""channels": {
             "goal": { "wave": { "period": 2, "amplitude": 40, "around": 100 } },
             "x": { "spring": { "to": "goal", "from": 20, "frequency": 1.5, "damping_ratio": 0.2 } } },
           "draw": [ { "circle": { "at": ["x", 80], "radius": 9 } } ],
           "loop": { "search": { "between": [0, 8], "seam": 0.1 } }"#,
    );
    let times = animation
        .times(0..animation.frames(), None)
        .expect("a loop")
        .times;
    assert!(times[0] > 3.0, "the spring still settles at {}", times[0]);
    assert!((times[99] - times[0] - 1.98).abs() < 1e-9);
}
