//! What the laws promise, measured.

use super::testing::{FINE, NOTHING, Run, TICK, boxed, circle, falling};
use super::*;
use crate::maths::functions::{atan2, hypot, modulo};

fn disc(points: usize) -> Vec<[f64; 2]> {
    circle([200.0, 200.0], 60.0, points)
}

fn area_of(p: &Particles) -> f64 {
    let n = p.count();
    let cross = |i: usize| p.x[i] * p.y[(i + 1) % n] - p.x[(i + 1) % n] * p.y[i];
    (0..n).map(cross).sum::<f64>() / 2.0
}

fn built(points: usize) -> f64 {
    let mut run = Run::new(
        SoftForce::new(disc(points), 1.0, 1.0, 0.0, vec![]),
        &[1.0, 0.0, 0.0],
    );
    area_of(&run.p())
}

/// How far the ring as a whole has turned, degrees: the mean turn of its points about their centre.
fn turned(p: &Particles, shape: &[[f64; 2]]) -> f64 {
    let n = p.count() as f64;
    let (cx, cy) = (p.x.iter().sum::<f64>() / n, p.y.iter().sum::<f64>() / n);
    let (sx, sy) = (
        shape.iter().map(|at| at[0]).sum::<f64>() / n,
        shape.iter().map(|at| at[1]).sum::<f64>() / n,
    );
    let each = |(i, at): (usize, &[f64; 2])| {
        let turn = atan2(p.y[i] - cy, p.x[i] - cx) - atan2(at[1] - sy, at[0] - sx);
        modulo(turn + 180.0, 360.0) - 180.0
    };
    shape.iter().enumerate().map(each).sum::<f64>() / n
}

const BOX: [f64; 4] = [0.0, 0.0, 400.0, 400.0];

#[test]
fn area_without_compliance_is_kept() {
    for compliance in [0.0, 1e-6, 1e-4] {
        let area = built(32);
        let live = [area, 200.0, 200.0];
        let law = SoftConstraint::new(disc(32), compliance, Pressure::Constraint(0.0), 0.0, vec![]);
        let mut run = Run::new(law, &live);
        let around = boxed(1200.0, BOX, 0.5);
        let mut worst = 0.0_f64;
        for _ in 0..1500 {
            run.step(&around, &live, FINE);
            run.sound(&live);
            worst = worst.max((area_of(&run.p()) / area - 1.0).abs());
        }
        println!("area off by {worst:e} with edges of {compliance:e}");
        assert!(worst < 1e-3, "{compliance}: {worst}");
    }
}

#[test]
fn breathing_area_follows_its_target() {
    let law = SoftConstraint::new(disc(24), 0.0, Pressure::Constraint(0.0), 0.0, vec![]);
    let area = built(24);
    let mut run = Run::new(law, &[area, 200.0, 200.0]);
    for i in 0..600 {
        let target = area * (1.0 + 0.3 * f64::from(i) / 600.0);
        let live = [target, 200.0, 200.0];
        run.step(&NOTHING, &live, FINE);
        run.sound(&live);
        let off = area_of(&run.p()) / target - 1.0;
        assert!(off.abs() < 1e-3, "{i}: {off}");
    }
}

/// Which way round a ring is numbered makes no difference: the mirror image moves as the mirror image.
#[test]
fn both_ways_round_move_alike() {
    let half: Vec<[f64; 2]> = disc(15)
        .iter()
        .map(|[x, y]| [x - 200.0, y - 60.0])
        .collect();
    let mirrored: Vec<[f64; 2]> = half.iter().map(|[x, y]| [-x, *y]).collect();
    let around = boxed(900.0, [-150.0, 0.0, 150.0, 260.0], 0.4);
    let area = built(15);
    let live = |sign: f64| [1.2 * area, sign * 12.0, 150.0, sign * 20.0, 190.0];
    fn alike(one: impl Law, other: impl Law, around: &Around, lives: [[f64; 5]; 2]) {
        let (mut one, mut other) = (Run::new(one, &lives[0]), Run::new(other, &lives[1]));
        for step in 0..900 {
            one.step(around, &lives[0], FINE);
            other.step(around, &lives[1], FINE);
            other.sound(&lives[1]);
            let (p, q) = (one.p(), other.p());
            for i in 0..p.count() {
                assert_eq!(
                    (p.x[i], p.y[i]),
                    (-q.x[i], q.y[i]),
                    "point {i} in step {step}"
                );
            }
        }
    }
    let force = |shape: &Vec<[f64; 2]>| SoftForce::new(shape.clone(), 900.0, 3000.0, 8.0, vec![3]);
    alike(
        force(&half),
        force(&mirrored),
        &around,
        [live(1.0), live(-1.0)],
    );
    for pressure in [Pressure::Constraint(1e-5), Pressure::Force(900.0)] {
        let constraint = |shape: &Vec<[f64; 2]>| {
            SoftConstraint::new(shape.clone(), 1e-4, pressure, 8.0, vec![3])
        };
        alike(
            constraint(&half),
            constraint(&mirrored),
            &around,
            [live(1.0), live(-1.0)],
        );
    }
}

fn momentum(p: &Particles) -> [f64; 2] {
    [p.vx.iter().sum(), p.vy.iter().sum()]
}

#[test]
fn no_soft_body_pushes_itself() {
    let area = built(32);
    let live = [1.3 * area, 200.0, 200.0];
    let mut drift = 0.0_f64;
    for pressure in [
        Pressure::Constraint(0.0),
        Pressure::Constraint(1e-4),
        Pressure::Force(900.0),
    ] {
        let law = SoftConstraint::new(disc(32), 1e-5, pressure, 0.0, vec![]);
        let mut run = Run::new(law, &live);
        for (i, v) in run.p().vx.iter_mut().enumerate() {
            *v = if i % 3 == 0 { 60.0 } else { -20.0 };
        }
        let [px, py] = momentum(&run.p());
        for _ in 0..18_000 {
            run.step(&NOTHING, &live, FINE);
        }
        run.sound(&live);
        let [qx, qy] = momentum(&run.p());
        println!("{pressure:?}: momentum off by {:e} {:e}", qx - px, qy - py);
        if let Pressure::Constraint(_) = pressure {
            drift = drift.max((qx - px).abs()).max((qy - py).abs());
        }
    }
    assert!(drift < 1e-9, "{drift}");
}

fn roll(name: &str, law: impl Law) {
    let live = [built(32), 200.0, 200.0];
    let around = boxed(1200.0, BOX, 0.3);
    let pace = Pace { keep: 0.99, ..FINE };
    let mut run = Run::new(law, &live);
    // It falls and settles; a stiff ring that comes to stand on a point tips onto an edge, and rightly so.
    for _ in 0..9000 {
        run.step(&around, &live, pace);
    }
    let settled: Vec<[f64; 2]> = (0..32).map(|i| run.p().at(i)).collect();
    for _ in 0..18_000 {
        run.step(&around, &live, pace);
    }
    run.sound(&live);
    let turn = turned(&run.p(), &settled);
    println!("{name}: turned by {turn:e} degrees in 60 s");
    assert!(turn.abs() < 0.5, "{name}: {turn}");
}

#[test]
fn a_soft_body_on_a_flat_floor_does_not_roll() {
    roll(
        "forces",
        SoftForce::new(disc(32), 800.0, 4000.0, 0.0, vec![]),
    );
    for (name, compliance, area) in [
        ("soft", 1e-4, 0.0),
        ("stiff", 0.0, 0.0),
        ("jelly", 1e-3, 1e-4),
    ] {
        let pressure = Pressure::Constraint(area);
        roll(
            name,
            SoftConstraint::new(disc(32), compliance, pressure, 0.0, vec![]),
        );
    }
}

#[test]
fn a_crushed_soft_body_recovers_or_says_so() {
    let area = built(32);
    let live = [area, 200.0, 200.0];
    for compliance in [0.0, 1e-6, 1e-4, 1e-2] {
        let law = SoftConstraint::new(disc(32), compliance, Pressure::Constraint(0.0), 0.0, vec![]);
        let mut run = Run::new(law, &live);
        for y in run.p().y.iter_mut() {
            *y = 380.0 + 0.1 * (*y - 200.0);
        }
        let pace = Pace { keep: 0.98, ..FINE };
        let mut said = None;
        for i in 0..3000 {
            run.step(&boxed(1200.0, BOX, 0.3), &live, pace);
            let law = run.law.clone();
            said = law
                .trouble(run.p().read(), &live)
                .map(|trouble| (i, trouble));
            if said.is_some() {
                break;
            }
        }
        let ratio = area_of(&run.p()) / area;
        println!("crushed, edges {compliance:e}: area {ratio}, {said:?}");
        assert!(said.is_some() || (ratio - 1.0).abs() < 0.01);
    }
}

/// A little stretch is the same whether springs push or constraints do.
#[test]
fn compliance_is_one_over_stiffness() {
    let shape = disc(12);
    let live = [1.0, 200.0, 200.0];
    let pace = Pace {
        h: 1e-4,
        share: 1.0,
        keep: 1.0,
    };
    let mut force = Run::new(
        SoftForce::new(shape.clone(), 50.0, 0.0, 0.0, vec![0]),
        &[1.0, 200.0, 200.0, 260.0, 200.0],
    );
    let law = SoftConstraint::new(shape, 0.02, Pressure::Force(0.0), 0.0, vec![0]);
    let mut constraint = Run::new(law, &[1.0, 200.0, 200.0, 260.0, 200.0]);
    let live = [live[0], live[1], live[2], 260.0, 200.0];
    for _ in 0..5000 {
        force.step(&falling(100.0), &live, pace);
        constraint.step(&falling(100.0), &live, pace);
    }
    for i in 0..12 {
        let off = hypot(
            force.p().x[i] - constraint.p().x[i],
            force.p().y[i] - constraint.p().y[i],
        );
        assert!(off < 0.05, "{i}: {off}");
    }
}

#[test]
fn the_stability_limit_is_where_the_ring_diverges() {
    let points = 26;
    let pace = Pace { keep: 0.97, ..TICK };
    let limit = stability_limit(points, pace);
    let grows = |k: f64| {
        let law = SoftForce::new(disc(points), k, 0.0, 0.0, vec![]);
        let live = [built(points), 200.0, 200.0];
        let mut run = Run::new(law, &live);
        run.p().x[0] += 1e-6;
        for _ in 0..600 {
            run.step(&NOTHING, &live, pace);
        }
        let fastest = |p: &Particles| p.vx.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let fastest = fastest(&run.p());
        fastest.is_nan() || fastest >= 1e-3
    };
    println!("limit {limit}");
    assert!(!grows(0.98 * limit) && grows(1.05 * limit));
}

fn swung(points: usize, spacing: f64) -> (DirectRope, [f64; 2]) {
    let end = [200.0 + spacing * (points - 1) as f64, 100.0];
    let law = DirectRope::new(
        straight([200.0, 100.0], end, points),
        vec![1.0; points],
        vec![0],
    );
    (law, [200.0, 100.0])
}

fn worst_link(p: &Particles, rest: f64) -> f64 {
    let off = |i: usize| (hypot(p.x[i] - p.x[i - 1], p.y[i] - p.y[i - 1]) - rest).abs();
    (1..p.count()).map(off).fold(0.0, f64::max)
}

#[test]
fn direct_links_hold_and_energy_never_rises() {
    for (points, spacing, steps) in [
        (2, 150.0, 6000),
        (3, 100.0, 6000),
        (30, 10.0, 3000),
        (300, 2.0, 1500),
    ] {
        let (law, live) = swung(points, spacing);
        let mut run = Run::new(law, &live);
        let around = falling(1200.0);
        let (mut worst, mut rise) = (0.0_f64, 0.0_f64);
        let first = run.energy(&around);
        let mut least = first;
        let scale = 1200.0 * spacing * (points * points) as f64 / 2.0;
        for _ in 0..steps {
            run.step(&around, &live, FINE);
            worst = worst.max(worst_link(&run.p(), spacing));
            let now = run.energy(&around);
            rise = rise.max((now - least) / scale);
            least = least.min(now);
        }
        println!(
            "{points} points: links off by {worst:e}, energy rose by {rise:e}, lost {:e} of {scale:e}",
            (first - least) / scale
        );
        assert!(worst < 1e-9, "{points}: {worst}");
        assert!(rise < 1e-12, "{points}: {rise}");
    }
}

/// Fine ropes turn wildly about their pin: their links hold as well as those of coarse ones.
#[test]
fn a_rope_of_many_points_keeps_its_links() {
    for (points, spacing) in [(3000, 0.2), (1000, 1.0)] {
        let (law, live) = swung(points, spacing);
        let mut run = Run::new(law, &live);
        let around = falling(900.0);
        let mut least = run.energy(&around);
        let scale = 900.0 * spacing * (points * points) as f64 / 2.0;
        for _ in 0..200 {
            run.step(&around, &live, FINE);
            assert!(worst_link(&run.p(), spacing) < 1e-9);
            let now = run.energy(&around);
            assert!((now - least) / scale < 1e-12);
            least = least.min(now);
        }
        run.sound(&live);
        assert!(run.p().y[points - 1] > 150.0);
    }
}

/// Without a pin and without gravity a rope keeps its centre on its way.
#[test]
fn a_free_rope_keeps_its_momentum() {
    let law = DirectRope::new(straight([0.0; 2], [290.0, 0.0], 30), vec![1.0; 30], vec![]);
    let mut run = Run::new(law, &[]);
    for (i, v) in run.p().vy.iter_mut().enumerate() {
        *v = if i < 10 { 300.0 } else { -30.0 };
    }
    let [px, py] = momentum(&run.p());
    for _ in 0..900 {
        run.step(&NOTHING, &[], FINE);
    }
    let ([qx, qy], p) = (momentum(&run.p()), run.p());
    let centre = [&p.x, &p.y].map(|side| side.iter().sum::<f64>() / 30.0);
    println!(
        "free rope: momentum off by {:e} {:e}, centre {centre:?}",
        qx - px,
        qy - py
    );
    assert!((qx - px).abs() < 1e-9 && (qy - py).abs() < 1e-9);
    assert!((centre[0] - 145.0).abs() < 1e-9 && (centre[1] - 3.0 * py / 30.0).abs() < 1e-9);
}

#[test]
fn a_rope_of_pins_alone_is_where_they_are() {
    let law = DirectRope::new(straight([0.0; 2], [10.0, 0.0], 2), vec![1.0; 2], vec![0, 1]);
    let mut run = Run::new(law, &[0.0, 0.0, 10.0, 0.0]);
    for _ in 0..5 {
        run.step(&falling(900.0), &[1.0, 0.0, 12.0, 0.0], FINE);
        run.sound(&[1.0, 0.0, 12.0, 0.0]);
    }
    assert_eq!(run.p().at(1), [12.0, 0.0]);
}

#[test]
fn a_heavy_double_pendulum_swings_on() {
    let shape = vec![[200.0, 100.0], [300.0, 100.0], [400.0, 100.0]];
    let law = DirectRope::new(shape, vec![1.0, 1.0, 20.0], vec![0]);
    let live = [200.0, 100.0];
    let mut run = Run::new(law, &live);
    let around = falling(1200.0);
    let first = run.energy(&around);
    for _ in 0..9000 {
        run.step(&around, &live, FINE);
        assert!(worst_link(&run.p(), 100.0) < 1e-6);
    }
    let lost = (first - run.energy(&around)) / (20.0 * 1200.0 * 400.0);
    println!("double pendulum lost {lost:e} of its energy in 30 s");
    assert!((-1e-9..0.02).contains(&lost), "{lost}");
}

/// Period of a pendulum of length L at small angles: 2π√(L/g).
#[test]
fn a_pendulum_keeps_time() {
    let shape = vec![[200.0, 100.0], [202.0, 299.99]];
    let law = DirectRope::new(shape, vec![1.0; 2], vec![0]);
    let mut run = Run::new(law, &[200.0, 100.0]);
    let (mut crossings, mut last, mut step) = (0, 2.0, 0);
    while crossings < 41 {
        run.step(&falling(1000.0), &[200.0, 100.0], FINE);
        step += 1;
        let side = run.p().x[1] - 200.0;
        if (side > 0.0) != (last > 0.0) {
            crossings += 1;
            if crossings == 1 {
                step = 0;
            }
        }
        last = side;
    }
    let period = f64::from(step) / 300.0 / 20.0;
    let want = crate::maths::functions::TAU * crate::maths::functions::sqrt(0.2);
    println!("period {period}, wanted {want}");
    assert!((period / want - 1.0).abs() < 1e-3);
}

#[test]
fn pins_too_far_apart_stretch_the_rope_evenly() {
    let law = DirectRope::new(
        straight([0.0, 0.0], [100.0, 0.0], 21),
        vec![1.0; 21],
        vec![0, 20],
    );
    let mut run = Run::new(law, &[0.0, 0.0, 100.0, 0.0]);
    for i in 0..600 {
        let live = [0.0, 0.0, 100.0 + f64::from(i.min(300)) * 0.5, 0.0];
        run.step(&falling(1000.0), &live, FINE);
        run.sound(&live);
    }
    let off = worst_link(&run.p(), 12.5);
    println!("stretched links differ by {off:e}");
    assert!(off < 0.05, "{off}");
}

#[test]
fn a_pin_in_the_middle_parts_a_rope_and_jumping_pins_are_survived() {
    let law = DirectRope::new(
        straight([0.0, 0.0], [290.0, 0.0], 30),
        vec![1.0; 30],
        vec![15],
    );
    let mut run = Run::new(law, &[150.0, 0.0]);
    let mut worst = 0.0_f64;
    for i in 0..3000 {
        let live = [
            150.0 + f64::from((i / 200) % 2) * 300.0,
            f64::from((i / 300) % 3) * 100.0,
        ];
        run.step(&falling(1000.0), &live, FINE);
        run.sound(&live);
        let off = worst_link(&run.p(), 10.0);
        worst = worst.max(off);
    }
    println!("jumping pin: links off by {worst:e}");
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn a_rope_falls_on_the_floor_and_stays_whole() {
    let law = DirectRope::new(
        straight([100.0, 50.0], [250.0, 120.0], 40),
        vec![1.0; 40],
        vec![],
    );
    let rest = hypot(150.0, 70.0) / 39.0;
    let mut run = Run::new(law, &[]);
    let pace = Pace { keep: 0.99, ..FINE };
    let (mut worst, mut below) = (0.0_f64, 0.0_f64);
    for _ in 0..3000 {
        run.step(&boxed(1000.0, BOX, 0.2), &[], pace);
        run.sound(&[]);
        worst = worst.max(worst_link(&run.p(), rest));
        below = run.p().y.iter().fold(below, |most, y| most.max(y - 400.0));
    }
    println!("rope on the floor: links off by {worst:e}, {below:e} below");
    assert!(worst < 1e-6 && below < 0.5);
}

#[test]
fn mending_restores_links_between_steps() {
    let (law, live) = swung(30, 10.0);
    let mut run = Run::new(law, &live);
    for _ in 0..100 {
        run.step(&falling(1200.0), &live, FINE);
    }
    let before = run.state.clone();
    run.step(&falling(1200.0), &live, FINE);
    for (now, was) in run.state.iter_mut().zip(&before) {
        *now = was + (*now - was) * 0.4;
    }
    let live = [201.0, 100.5];
    let law = run.law.clone();
    law.mend(&mut run.p(), &live);
    assert_eq!(run.p().at(0), live);
    assert!(worst_link(&run.p(), 10.0) < 1e-8);
}

#[test]
fn hanging_ropes_have_their_length() {
    for (to, length) in [
        ([300.0, 100.0], 250.0),
        ([200.0, 180.0], 400.0),
        ([100.0, 100.0], 80.0),
    ] {
        let line = hanging([100.0, 100.0], to, length, [0.0, 1.0], 25);
        let total: f64 = line
            .windows(2)
            .map(|w| hypot(w[1][0] - w[0][0], w[1][1] - w[0][1]))
            .sum();
        assert!((total / length - 1.0).abs() < 0.02, "{total} {length}");
        assert_eq!((line[0], line[24]), ([100.0, 100.0], to));
        let law = DirectRope::new(line, vec![1.0; 25], vec![0, 24]).with_length(length);
        let mut run = Run::new(law, &[100.0, 100.0, to[0], to[1]]);
        assert!(worst_link(&run.p(), length / 24.0) < 1e-8);
    }
}

#[test]
fn cloth_hangs_and_is_finite() {
    let cloth = Cloth {
        from: [50.0, 50.0],
        size: [200.0, 150.0],
        grid: [21, 16],
        shear: 1.0,
        bend: 0.2,
    };
    let law = Sweep::cloth(&cloth, 12, vec![0, 20]);
    let live = [50.0, 50.0, 250.0, 50.0];
    let mut run = Run::new(law, &live);
    let pace = Pace { keep: 0.98, ..FINE };
    for _ in 0..3000 {
        run.step(&falling(600.0), &live, pace);
    }
    run.sound(&live);
    assert_eq!(run.p().at(20), [250.0, 50.0]);
    let low = run.p().y.iter().copied().fold(0.0, f64::max);
    assert!((190.0..240.0).contains(&low), "{low}");
}
