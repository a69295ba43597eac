//! Reports of others' animations going wrong, as specs: what a user would see if they went wrong here.

use crate::desk::Desk;

/// A spec of so many frames a second and seconds, with sections of a test's own.
fn spec(fps: u32, duration: f64, sections: &str) -> String {
    format!(
        r#"{{ "hazumi": 1, "alt": "A test.", "canvas": {{ "size": [200, 160], "fps": {fps}, "duration": {duration} }},
  {sections} }}
"#
    )
}

/// The values of names in every frame.
fn traced(text: &str, names: &str) -> Vec<Vec<f64>> {
    let desk = Desk::new();
    desk.write("x.json", text);
    let run = desk.run(&["trace", "x.json", "--only", names]).well();
    let numbers = |line: &str| {
        let values = line.split(',').skip(2);
        values.map(|n| n.parse().expect("a number")).collect()
    };
    run.text().lines().skip(1).map(numbers).collect()
}

#[test]
fn a_segment_that_cannot_move_is_a_warning() {
    let desk = Desk::new();
    let text = |value: &str| {
        spec(
            50,
            1.0,
            &format!(
                r#""channels": {{ "x": {{ "track": {{ "keys": [[0, 50, "out_back"], [0.5, {value}], [1, 90]] }} }} }},
  "draw": [ {{ "circle": {{ "at": ["x", 80], "radius": 9 }} }} ]"#
            ),
        )
    };
    desk.write("x.json", &text("50"));
    let run = desk.run(&["render", "x.json"]).well();
    let words = "this ease overshoots, but both keys have the same value: nothing will move";
    assert!(
        run.said.contains(words) && run.said.contains("x.json:2:"),
        "{}",
        run.said
    );
    desk.write("x.json", &text("51"));
    assert_eq!(desk.run(&["render", "x.json"]).well().said, "");
}

#[test]
fn a_hold_jumps_at_exactly_its_frame() {
    let rows = traced(
        &spec(
            10,
            1.0,
            r#""channels": { "x": { "track": { "keys": [[0, 1, "hold"], [0.3, 2, "hold"], [0.7, 3]] } } }, "draw": []"#,
        ),
        "x",
    );
    let values: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(values, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
}

#[test]
fn hair_at_half_the_frame_rate_sags_the_same() {
    let hair = r#""world": { "gravity": [0, 900] },
  "channels": { "head": { "wave": { "period": 1, "amplitude": 20, "around": 100 } } },
  "bodies": { "hair": { "rope": { "from": ["head", 20], "toward": [1, 0], "length": 90, "points": 9, "keep": 0.98 } } },
  "draw": [ { "path": { "points": "hair" } } ]"#;
    let names = "hair[4].x,hair[4].y,hair[8].x,hair[8].y";
    let (slow, fast) = (
        traced(&spec(30, 3.0, hair), names),
        traced(&spec(60, 3.0, hair), names),
    );
    assert_eq!((slow.len(), fast.len()), (90, 180));
    for (i, row) in slow.iter().enumerate() {
        for (a, b) in row.iter().zip(&fast[2 * i]) {
            assert!((a - b).abs() < 1e-9, "frame {i}: {a} {b}");
        }
    }
    // It does hang: at times its end lies well below its root.
    assert!(fast.iter().any(|row| row[3] > 90.0));
}

#[test]
fn a_loop_that_is_played_before_has_no_frame_twice() {
    let sections = r#""channels": {
    "goal": { "wave": { "period": 1, "amplitude": 40, "around": 100 } },
    "x": { "spring": { "to": "goal", "frequency": 2, "damping_ratio": 0.4 } } },
  "draw": [ { "circle": { "at": ["x", 80], "radius": 9 } } ],
  "loop": { "preroll": { "cycles": 60, "seam": 1e-9 } }"#;
    let rows = traced(&spec(20, 1.0, sections), "x");
    assert_eq!(rows.len(), 20);
    let steps: Vec<f64> = (0..20)
        .map(|i| rows[(i + 1) % 20][0] - rows[i][0])
        .collect();
    // A swing is never still, but where it turns: no step is missing at the seam, and none is there twice.
    let (last, first, before) = (steps[19], steps[0], steps[18]);
    assert!((last - (first + before) / 2.0).abs() < 3.0, "{steps:?}");
    let desk = Desk::new();
    desk.write("x.json", &spec(20, 1.0, sections));
    desk.run(&["render", "x.json", "--format", "png", "-o", "out"])
        .well();
    let frames: Vec<Vec<u8>> = desk.contents("out/x").into_values().collect();
    assert_eq!(frames.len(), 20);
    assert!(frames[19] != frames[0] && frames[19] != frames[18]);
}
