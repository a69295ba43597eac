use crate::maths::vector::Vec2;
use crate::picture::{Item, Picture};
use crate::scene::probe::{Probe, problems};
use crate::simulate::{Frames, simulate};
use crate::stage::Frame;

fn chart(channels: &str, fields: &str) -> Probe {
    Probe::drawing(&format!(
        r#""channels": {{ {channels} }},
           "draw": [{{ "chart": {{ "box": [0, 0, 100, 100], "axes": false, {fields} }} }}]"#
    ))
}

/// The points of every stroke, in order.
fn strokes(picture: &Picture) -> Vec<Vec<(f64, f64)>> {
    let strokes = picture.items.iter().filter_map(|item| match item {
        Item::Stroke { outline, .. } => Some(picture.points_of(outline)),
        _ => None,
    });
    let pair = |p: &Vec2| ((p.x * 1e6).round() / 1e6, (p.y * 1e6).round() / 1e6);
    strokes
        .map(|points| points.iter().map(pair).collect())
        .collect()
}

const STEP: &str =
    r#""step": { "track": { "keys": [[0, 0], [0.51, 1], [1.3, -1]], "ease": "hold" } }"#;

#[test]
fn jumps_stand_upright() {
    let series = r#""series": [{ "of": "step" }], "range": [-1, 1], "zero": false"#;
    let shown = strokes(&chart(STEP, series).picture(0.0));
    let corners = [
        (0.0, 50.0),
        (25.5, 50.0),
        (25.5, 0.0),
        (65.0, 0.0),
        (65.0, 100.0),
        (100.0, 100.0),
    ];
    assert_eq!(shown[0], corners);
    // With memory behind it, and where a formula makes the jump.
    let channels = format!(r#"{STEP}, "x": {{ "smooth": {{ "to": "step", "half_life": 0.1 }} }}"#);
    let series = r#""series": [{ "of": "step + 0 * x" }, { "of": "step > 0" }], "range": [-1, 1]"#;
    let shown = strokes(&chart(&channels, series).picture(0.0));
    assert_eq!(shown[1], corners);
    assert_eq!(shown[2][1..3], [(25.5, 50.0), (25.5, 0.0)]);
}

#[test]
fn samples_are_taken_once_for_all_frames() {
    let probe = Probe::drawing(
        r#""channels": { "x": { "smooth": { "to": "t > 0.5", "half_life": 0.1 } } },
           "draw": [{ "chart": { "box": [0, 0, 100, 100], "series": [{ "of": "x", "dot": 3 }] } }]"#,
    );
    let scene = probe.loaded().scene;
    let timeline = simulate(&scene, &Frames::own(&scene, 0..100), &scene.drawn).unwrap();
    let mut first = None;
    for frame in 0..100 {
        let mut picture = Picture::default();
        let frame = Frame {
            scene: &scene,
            timeline: &timeline,
            frame,
        };
        frame.picture(1.0, &mut picture).unwrap();
        // Only playhead and dot move.
        let longest = strokes(&picture).into_iter().max_by_key(Vec::len).unwrap();
        assert_eq!(*first.get_or_insert(longest.clone()), longest);
    }
    assert!(first.unwrap().len() > 20);
}

#[test]
fn elements_have_curves_of_their_own() {
    let probe = Probe::drawing(
        r#""draw": [{ "repeat": { "count": 2, "draw": [
             { "chart": { "box": [0, 0, 100, 100], "axes": false, "zero": false, "range": [0, 1],
               "series": [{ "of": ".i" }] } }] } }]"#,
    );
    let shown = strokes(&probe.picture(0.0));
    assert_eq!(shown[0], [(0.0, 100.0), (100.0, 100.0)]);
    assert_eq!(shown[2], [(0.0, 0.0), (100.0, 0.0)]);
}

#[test]
fn the_playhead_stands_at_its_time() {
    let head = |more: &str, time: f64| {
        let series = format!(r#""series": [{{ "of": "t" }}], "zero": false {more}"#);
        strokes(&chart("", &series).picture(time))[1][0].0
    };
    assert_eq!(head("", 0.5), 25.0);
    assert_eq!(head(r#", "span": [1, 2]"#, 0.5), 0.0);
    assert_eq!(head(r#", "span": [1, 2]"#, 1.5), 50.0);
    assert_eq!(head(r#", "time": "2 - t""#, 0.5), 75.0);
    // In a loop the end is the start.
    let looped = Probe::drawing(
        r#""draw": [{ "chart": { "box": [0, 0, 100, 100], "axes": false, "zero": false,
             "series": [{ "of": "sin(180 * t)" }] } }], "loop": { "exact": {} }"#,
    );
    assert_eq!(strokes(&looped.picture(2.0))[1][0].0, 0.0);
}

#[test]
fn what_is_to_come_is_fainter_and_both_parts_are_cut_at_the_playhead() {
    let series = r#""series": [{ "of": "t", "stroke": "red" }], "zero": false, "ahead": 0.25"#;
    let items = chart("", series).picture(0.5).items;
    let opacities: Vec<f64> = items
        .iter()
        .filter_map(|item| match item {
            Item::Stroke { opacity, .. } => Some(*opacity),
            _ => None,
        })
        .collect();
    assert_eq!(opacities, [1.0, 0.25, 1.0]);
    let clips = items
        .iter()
        .filter(|item| matches!(item, Item::Clip { .. }))
        .count();
    assert_eq!(clips, 2);
}

#[test]
fn only_curves_that_leave_the_range_are_cut_and_only_at_axes() {
    let clips = |axes: bool, range: &str| {
        let probe = Probe::drawing(&format!(
            r#""draw": [{{ "chart": {{ "box": [0, 0, 100, 100], "axes": {axes}, "range": {range},
                 "series": [{{ "of": "t" }}] }} }}]"#
        ));
        let items = probe.picture(0.5).items;
        items
            .iter()
            .filter(|item| matches!(item, Item::Clip { .. }))
            .count()
    };
    assert_eq!(clips(true, "[0, 2]"), 0);
    assert!(clips(true, "[0, 1]") > 0);
    assert_eq!(clips(false, "[0, 1]"), 0);
}

#[test]
fn bands_reach_to_zero() {
    let series = r#""series": [{ "of": "step", "fill": "red" }], "range": [-1, 1]"#;
    let picture = chart(STEP, series).picture(0.0);
    let Item::Fill { outline, .. } = &picture.items[0] else {
        panic!("{:?}", picture.items[0]);
    };
    let points = picture.points_of(outline);
    assert_eq!(
        points[points.len() - 2..],
        [Vec2::new(100.0, 50.0), Vec2::new(0.0, 50.0)]
    );
    // A series with `fill` alone has no curve: zero line and playhead are left.
    assert_eq!(strokes(&picture).len(), 2);
}

#[test]
fn the_range_comes_from_the_data() {
    let series = r#""series": [{ "of": "1 + t" }], "zero": false"#;
    let shown = &strokes(&chart("", series).picture(0.0))[0];
    // 8 % of air on both sides: 1 and 3 of 0.84 … 3.16.
    assert!((shown[0].1 - 100.0 / 1.16 * 1.08).abs() < 1e-6, "{shown:?}");
    let flat = r#""series": [{ "of": 5 }], "zero": false"#;
    assert_eq!(strokes(&chart("", flat).picture(0.0))[0][0].1, 50.0);
}

#[test]
fn everything_with_axes_stays_inside_the_box() {
    let probe = Probe::drawing(
        r#""draw": [{ "chart": { "box": [10, 10, 90, 90], "label": "a long label that has to shrink", "size": 9,
             "series": [{ "of": "1000 * t", "label": "one" }, { "of": "t", "label": "a name that is too long" }] } }]"#,
    );
    let [left, top, right, bottom] = probe.bounds(1.0);
    assert!(
        left >= 10.0 && top >= 10.0 && right <= 90.0 && bottom <= 90.0,
        "{left} {top} {right} {bottom}"
    );
}

#[test]
fn what_cannot_be_shown_is_said() {
    let said = |fields: &str| {
        problems(&format!(
            r#""draw": [{{ "chart": {{ "box": [0, 0, 100, 100], {fields} }} }}]"#
        ))
    };
    let series = r#""series": [{ "of": "t" }]"#;
    let wrong = said(&format!(r#"{series}, "span": [1, 1]"#));
    assert!(
        wrong.contains("the span ends at 1, not after its start at 1"),
        "{wrong}"
    );
    let wrong = said(&format!(r#"{series}, "span": [1, 3]"#));
    assert!(
        wrong.contains("1 to 3 is not within the animation, 0 to 2"),
        "{wrong}"
    );
    let wrong = said(&format!(r#"{series}, "range": [1, "t"]"#));
    assert!(wrong.contains("`range[1] - range[0]`"), "{wrong}");
    let wrong = said(r#""series": [{ "of": "1 / (t - 1)" }]"#);
    assert!(wrong.contains("`1 / (t - 1)`"), "{wrong}");
    let wrong = said(r#""series": []"#);
    assert!(wrong.contains("error"), "{wrong}");
}
