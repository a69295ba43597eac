//! The output rate never changes the motion: at 25, 50 and 100 frames per second every number of every
//! example is the same where the times are.

use crate::specs;
use hazumi::formula::Operand;
use hazumi::load::Animation;
use hazumi::simulate::simulate;

const RATES: [f64; 3] = [25.0, 50.0, 100.0];
const SAME: f64 = 1e-9;

/// Every named column at so many frames per second, with the time in seconds of each row.
fn rows(animation: &Animation, columns: &[u32], fps: f64) -> Vec<(f64, Vec<f64>)> {
    let scene = animation.scene();
    let frames = animation
        .times(0..animation.frames(), Some(fps))
        .expect("frames");
    let timeline = simulate(scene, &frames, columns).expect("numbers in range");
    let mut row = Vec::new();
    (0..timeline.frames())
        .map(|frame| {
            timeline.row(frame, &mut row);
            let values = columns.iter().map(|column| row[*column as usize]);
            (scene.clock.seconds(timeline.time(frame)), values.collect())
        })
        .collect()
}

#[test]
fn numbers_agree_at_common_times() {
    for name in specs::names() {
        let animation = specs::open(&name);
        let scene = animation.scene();
        let (names, columns): (Vec<&str>, Vec<u32>) = scene
            .names
            .iter()
            .filter_map(|named| match named.operand {
                Operand::Column(column) => Some((named.path.as_str(), column)),
                _ => None,
            })
            .unzip();
        let [slow, usual, fast] = RATES.map(|fps| rows(&animation, &columns, fps));
        let mut compared = 0;
        for (time, values) in slow.iter().chain(&usual) {
            // Lengths that do not fit a rate are spread over it: such times have no counterpart.
            let Some((_, others)) = fast.iter().find(|(t, _)| (t - time).abs() < 1e-12) else {
                continue;
            };
            compared += 1;
            for (path, (a, b)) in names.iter().zip(values.iter().zip(others)) {
                let near = SAME * a.abs().max(1.0);
                assert!((a - b).abs() <= near, "{name} {path} at {time} s: {a} {b}");
            }
        }
        assert!(compared > 10, "{name}: nothing to compare");
    }
}
