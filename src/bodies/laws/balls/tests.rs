//! What the stable solver promises, measured.

use super::super::testing::{FINE, NOTHING, Run, TICK, boxed, falling};
use super::super::{Around, Pace, Particles, scatter};
use super::*;
use crate::load::{Animation, Choices};
use crate::maths::functions::hypot;
use crate::maths::random::unit;

const BOX: [f64; 4] = [0.0, 0.0, 480.0, 480.0];

fn ball(x: f64, y: f64, vx: f64, vy: f64, radius: f64) -> Ball {
    Ball {
        at: [x, y],
        velocity: [vx, vy],
        radius,
    }
}

fn pile(count: usize, area: [f64; 4], radius: impl Fn(i64) -> f64) -> Vec<Ball> {
    let radii: Vec<f64> = (0..count as i64).map(radius).collect();
    let places = scatter(area, &radii, 0.0, 3).expect("room for all");
    let one = |(at, &radius): (&[f64; 2], &f64)| ball(at[0], at[1], 0.0, 0.0, radius);
    places.iter().zip(&radii).map(one).collect()
}

fn overlap(p: &Particles, balls: &[Ball]) -> f64 {
    let mut most = 0.0_f64;
    for i in 0..balls.len() {
        for j in 0..i {
            let apart = hypot(p.x[i] - p.x[j], p.y[i] - p.y[j]);
            most = most.max(balls[i].radius + balls[j].radius - apart);
        }
    }
    most
}

fn outside(p: &Particles, balls: &[Ball], [left, top, right, bottom]: [f64; 4]) -> f64 {
    let one = |(i, ball): (usize, &Ball)| {
        let r = ball.radius;
        let (x, y) = (p.x[i], p.y[i]);
        (left + r - x)
            .max(x - right + r)
            .max(top + r - y)
            .max(y - bottom + r)
    };
    balls.iter().enumerate().map(one).fold(f64::MIN, f64::max)
}

#[test]
fn apexes_at_restitution_one_never_rise_nor_fall() {
    let mut run = Run::new(
        Balls::new(vec![ball(100.0, 80.0, 37.0, 0.0, 20.0)], false),
        &[],
    );
    let around = boxed(1000.0, BOX, 1.0);
    let first = run.energy(&around);
    let (mut bounces, mut was, mut low, mut high) = (0, 0.0, f64::MAX, f64::MIN);
    while bounces < 1000 {
        run.step(&around, &[], FINE);
        let p = run.p();
        let (y, v) = (p.y[0], p.vy[0]);
        // The apex that this flight leads to.
        let apex = y - v * v / 2000.0;
        (low, high) = (low.min(apex), high.max(apex));
        bounces += usize::from(was > 0.0 && v < 0.0);
        was = v;
        assert!(y <= 460.0);
    }
    println!(
        "apex {low} … {high} over 1000 bounces, energy {:e}",
        run.energy(&around) / first - 1.0
    );
    assert!(
        low >= 80.0 - 1e-9 && high < 80.0 + 0.001 * 380.0,
        "{low} {high}"
    );
}

#[test]
fn bounces_fade_without_an_abrupt_stop() {
    let mut run = Run::new(
        Balls::new(vec![ball(100.0, 80.0, 0.0, 0.0, 20.0)], false),
        &[],
    );
    let around = boxed(1000.0, BOX, 0.9);
    let (mut apexes, mut rise) = (Vec::new(), 460.0_f64);
    let mut was = 0.0;
    for _ in 0..30_000 {
        run.step(&around, &[], FINE);
        let p = run.p();
        rise = rise.min(p.y[0]);
        if was > 0.0 && p.vy[0] <= 0.0 {
            apexes.push(460.0 - rise);
            rise = 460.0;
        }
        was = p.vy[0];
    }
    println!(
        "{} bounces, last {:?}",
        apexes.len(),
        &apexes[apexes.len() - 3..]
    );
    for pair in apexes[1..apexes.len() - 1].windows(2) {
        assert!((0.78..0.84).contains(&(pair[1] / pair[0])), "{pair:?}");
    }
    assert!(apexes[apexes.len() - 2] < 1.0);
    assert_eq!((run.p().y[0], run.p().vy[0]), (460.0, 0.0));
}

fn settle(balls: &[Ball], bounce: f64, seconds: usize, edges: [f64; 4]) -> (f64, f64, f64, f64) {
    let law = Balls::new(balls.to_vec(), false).bounce(bounce);
    let mut run = Run::new(law, &[]);
    let around = boxed(1000.0, edges, bounce);
    let scale = 1000.0 * (edges[3] - edges[1]) * balls.len() as f64;
    let (mut rise, mut least) = (0.0_f64, run.energy(&around));
    let mut still_from = 0;
    for tick in 0..60 * seconds {
        let was = run.state[..2 * balls.len()].to_vec();
        for _ in 0..5 {
            run.step(&around, &[], FINE);
        }
        let now = run.energy(&around);
        rise = rise.max((now - least) / scale);
        least = least.min(now);
        let moved = was
            .iter()
            .zip(&run.state)
            .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        if moved > 0.0 {
            still_from = tick + 1;
        }
    }
    run.sound(&[]);
    let p = run.p();
    let (lap, out) = (overlap(&p, balls), outside(&p, balls, edges));
    (still_from as f64 / 60.0, lap, out, rise)
}

#[test]
fn piles_come_to_rest() {
    let fourteen = pile(14, [0.0, 0.0, 480.0, 300.0], |i| {
        22.0 + (i % 4) as f64 * 4.0
    });
    let many = pile(200, [0.0, -1500.0, 480.0, 480.0], |i| {
        8.0 + 12.0 * unit(1, i)
    });
    let equal = pile(300, [0.0, -300.0, 480.0, 480.0], |_| 12.0);
    let poured = pile(300, [0.0, -1500.0, 480.0, 480.0], |_| 12.0);
    let mixed = pile(150, [0.0, -1500.0, 480.0, 480.0], |i| {
        if i % 25 == 0 { 40.0 } else { 6.0 }
    });
    let tower: Vec<Ball> = (0..12)
        .map(|i| ball(240.0, 460.0 - 40.0 * i as f64, 0.0, 0.0, 20.0))
        .collect();
    let mut failed = false;
    for (name, balls, bounce) in [
        ("fourteen", &fourteen, 0.55),
        ("many", &many, 0.5),
        ("equal", &equal, 0.3),
        ("poured", &poured, 0.3),
        ("lively", &many, 0.8),
        ("mixed", &mixed, 0.5),
        ("tower", &tower, 0.5),
    ] {
        let edges = [0.0, -2000.0, 480.0, 480.0];
        let (still, lap, out, rise) = settle(balls, bounce, 20, edges);
        println!(
            "{name}: still from {still} s, overlap {lap:.4}, outside {out:.1e}, energy rose {rise:.1e}"
        );
        failed |= !(still < 20.0 && lap <= 0.5 && out <= 1e-9 && rise < 1e-12);
    }
    assert!(!failed);
}

#[test]
fn a_full_box_comes_to_rest() {
    let balls = pile(110, BOX, |_| 18.0);
    let (still, lap, out, rise) = settle(&balls, 0.8, 30, BOX);
    println!(
        "full box: still from {still} s, overlap {lap:.4}, outside {out:.1e}, energy rose {rise:.1e}"
    );
    assert!(still < 30.0 && lap <= 0.5 && out <= 1e-9 && rise < 1e-12);
}

/// A box that is turned slowly: the pile must neither stick to its old floor nor be squeezed on its way.
#[test]
fn a_pile_flows_when_gravity_turns() {
    use crate::maths::functions::{cos, sin};
    let balls = pile(300, [0.0, 0.0, 240.0, 240.0], |i| 4.0 + 2.0 * unit(4, i));
    let law = Balls::new(balls.clone(), false).bounce(0.3).friction(0.02);
    let edges = [0.0, 0.0, 240.0, 240.0];
    let mut run = Run::new(law, &[]);
    let centre = |p: &Particles| [&p.x, &p.y].map(|side| side.iter().sum::<f64>() / 300.0);
    let (mut most, mut deep) = (0.0_f64, 0);
    for step in 0..3600 {
        let angle = 30.0 * f64::from((step - 900).max(0)) / 300.0;
        let around = Around {
            gravity: [900.0 * sin(angle), 900.0 * cos(angle)],
            ..boxed(0.0, edges, 0.2)
        };
        run.step(&around, &[], FINE);
        if step % 5 == 0 {
            let now = overlap(&run.p(), &balls);
            most = most.max(now);
            deep += usize::from(now > 0.5);
            assert!(outside(&run.p(), &balls, edges) <= 1e-9);
        }
        if step == 899 || step == 1800 {
            println!(
                "at {angle} degrees: centre {:?}, overlap so far {most}",
                centre(&run.p())
            );
        }
    }
    run.sound(&[]);
    // Gravity points up and to the left by now: 270 degrees.
    let [x, y] = centre(&run.p());
    println!("in the end: centre {x} {y}, overlap {most}, deep in {deep} of 720");
    // Under way a pair may be squeezed for a while, by a quarter of the smallest radius at most.
    assert!(most <= 1.25 && deep < 72, "{most} {deep}");
    assert!(x < 110.0, "{x} {y}");
}

#[test]
fn fast_balls_hit_walls_and_balls() {
    let balls = vec![
        ball(50.0, 240.0, 4000.0, 0.0, 5.0),
        ball(300.0, 241.0, 0.0, 0.0, 5.0),
    ];
    let mut run = Run::new(Balls::new(balls, false).bounce(1.0), &[]);
    let around = boxed(0.0, BOX, 1.0);
    let mut most = 0.0_f64;
    for _ in 0..25 {
        run.step(&around, &[], FINE);
        let p = run.p();
        assert!(p.x.iter().all(|x| (5.0..=475.0).contains(x)));
        most = most.max(p.vx[1]);
    }
    assert!(most > 3000.0, "{most}");
}

#[test]
fn balls_at_one_place_part() {
    for around in [NOTHING, boxed(1000.0, BOX, 0.5)] {
        let balls = vec![ball(200.0, 200.0, 0.0, 0.0, 20.0); 3];
        let mut run = Run::new(Balls::new(balls.clone(), false), &[]);
        for _ in 0..600 {
            run.step(&around, &[], FINE);
        }
        run.sound(&[]);
        let lap = overlap(&run.p(), &balls);
        println!("three at one place: overlap {lap}");
        assert!(lap < 0.5);
    }
}

#[test]
fn colliding_balls_keep_momentum_and_energy() {
    let balls = vec![
        ball(100.0, 200.0, 300.0, 10.0, 10.0),
        ball(300.0, 205.0, -200.0, 0.0, 25.0),
    ];
    let law = Balls::new(balls, false).bounce(1.0);
    let mass = law.mass.clone();
    let mut run = Run::new(law, &[]);
    let momentum = |p: &Particles| {
        [
            mass[0] * p.vx[0] + mass[1] * p.vx[1],
            mass[0] * p.vy[0] + mass[1] * p.vy[1],
        ]
    };
    let (before, energy) = (momentum(&run.p()), run.energy(&NOTHING));
    for _ in 0..300 {
        run.step(&NOTHING, &[], FINE);
    }
    let after = momentum(&run.p());
    assert!(run.p().vx[0] < 0.0);
    assert!((before[0] - after[0]).abs() < 1e-9 && (before[1] - after[1]).abs() < 1e-9);
    assert!((run.energy(&NOTHING) / energy - 1.0).abs() < 1e-12);
}

const GRAB: Grab = Grab {
    pick: Pick::Nearest,
    reach: Some(10.0),
    offset: Offset::Keep,
    throw: 1.0,
    average: 0.05,
};

/// Speed after a throw to the right at 600 px/s, with a stop of some steps before release.
fn throw(stop: usize) -> f64 {
    let law = Balls::new(vec![ball(100.0, 100.0, 0.0, 0.0, 20.0)], false).grab(GRAB);
    let mut run = Run::new(law, &[110.0, 100.0, 0.0]);
    for i in 0..60 {
        run.step(&NOTHING, &[110.0 + 2.0 * f64::from(i), 100.0, 1.0], FINE);
        let law = run.law.clone();
        assert_eq!(law.held(&run.p()), Some(0));
        let x = run.p().x[0];
        assert!((x - 100.0 - 2.0 * f64::from(i)).abs() < 1e-9, "{i}: {x}");
    }
    for _ in 0..stop {
        run.step(&NOTHING, &[228.0, 100.0, 1.0], FINE);
    }
    run.step(&NOTHING, &[230.0, 100.0, 0.0], FINE);
    let law = run.law.clone();
    assert_eq!(law.held(&run.p()), None);
    run.p().vx[0]
}

#[test]
fn a_thrown_ball_has_the_mean_speed_of_the_pointer() {
    assert!((throw(0) - 600.0).abs() < 1e-9, "{}", throw(0));
    // 60 ms.
    assert_eq!(throw(18), 0.0);
}

#[test]
fn a_pointer_takes_what_is_within_reach() {
    let balls = vec![
        ball(100.0, 100.0, 0.0, 0.0, 20.0),
        ball(150.0, 100.0, 0.0, 0.0, 20.0),
    ];
    for (pick, x, want) in [
        (Pick::Nearest, 127.0, Some(1)),
        (Pick::First, 127.0, Some(0)),
        (Pick::Index(1), 122.0, Some(1)),
        (Pick::Index(0), 150.0, None),
        (Pick::Nearest, 60.0, None),
        (Pick::Nearest, 71.0, Some(0)),
    ] {
        let law = Balls::new(balls.clone(), false).grab(Grab { pick, ..GRAB });
        let mut run = Run::new(law.clone(), &[x, 100.0, 0.0]);
        run.step(&NOTHING, &[x, 100.0, 1.0], FINE);
        assert_eq!(law.held(&run.p()), want, "{pick:?} at {x}");
    }
}

#[test]
fn a_held_ball_pushes_and_taking_one_away_wakes_the_pile() {
    let balls = pile(60, [0.0, 0.0, 480.0, 480.0], |_| 20.0);
    let law = Balls::new(balls.clone(), false).grab(GRAB);
    let mut run = Run::new(law, &[0.0, 0.0, 0.0]);
    let around = boxed(1000.0, BOX, 0.4);
    for _ in 0..6000 {
        run.step(&around, &[0.0, 0.0, 0.0], FINE);
    }
    let still = run.state.clone();
    run.step(&around, &[0.0, 0.0, 0.0], FINE);
    assert_eq!(still, run.state);
    // A ball of the bottom row is dragged up through the pile.
    let low = (0..60)
        .max_by(|&i, &j| still[60 + i].total_cmp(&still[60 + j]))
        .unwrap();
    let [x, y] = [still[low], still[60 + low]];
    for i in 0..300 {
        run.step(&around, &[x, y - f64::from(i), 1.0], FINE);
        run.sound(&[0.0; 3]);
    }
    assert!((run.p().y[low] - (y - 299.0).max(20.0)).abs() < 1e-6);
    for _ in 0..6000 {
        run.step(&around, &[x, 20.0, 0.0], FINE);
    }
    let (lap, out) = (overlap(&run.p(), &balls), outside(&run.p(), &balls, BOX));
    println!("after the drag: overlap {lap}, outside {out}");
    assert!(lap <= 0.5 && out <= 1e-9);
    // Nothing floats: every ball touches the floor or a ball below it.
    let p = run.p();
    for i in 0..60 {
        let borne = p.y[i] > 459.0
            || (0..60).any(|j| p.y[j] > p.y[i] && hypot(p.x[j] - p.x[i], p.y[j] - p.y[i]) < 41.0);
        assert!(borne, "{i} floats");
    }
}

#[test]
fn free_fall_is_exact() {
    let mut run = Run::new(Balls::new(vec![ball(0.0, 0.0, 10.0, 0.0, 5.0)], false), &[]);
    for _ in 0..300 {
        run.step(&falling(1000.0), &[], FINE);
    }
    assert!((run.p().y[0] - 500.0).abs() < 1e-9 && (run.p().x[0] - 10.0).abs() < 1e-12);
}

#[test]
fn scatter_is_fixed_for_ever_and_never_overlaps() {
    let radii: Vec<f64> = (0..40).map(|i| 5.0 + f64::from(i % 7)).collect();
    let places = scatter([10.0, 20.0, 300.0, 200.0], &radii, 2.0, 7).unwrap();
    println!("first places {:?} {:?}", places[0], places[39]);
    for i in 0..40 {
        let [x, y] = places[i];
        let r = radii[i];
        assert!(x >= 10.0 + r && x <= 300.0 - r && y >= 20.0 + r && y <= 200.0 - r);
        for j in 0..i {
            let apart = hypot(x - places[j][0], y - places[j][1]);
            assert!(apart >= r + radii[j] + 2.0 - 1e-9);
        }
    }
    assert_eq!(
        places,
        scatter([10.0, 20.0, 300.0, 200.0], &radii, 2.0, 7).unwrap()
    );
    let full = scatter([0.0, 0.0, 100.0, 100.0], &[10.0; 100], 0.0, 1).unwrap_err();
    println!("{full} of at most 25 or so fitted");
    assert!((14..=30).contains(&full));
    assert_eq!(scatter([0.0, 0.0, 5.0, 5.0], &[10.0], 0.0, 1), Err(0));
}

#[test]
fn state_is_the_same_in_any_cut_of_work() {
    let around = Around {
        wind: [30.0, 0.0],
        ..boxed(900.0, BOX, 0.5)
    };
    let run = || {
        let mut run = Run::new(
            Balls::new(pile(50, BOX, |_| 15.0), false).friction(0.2),
            &[],
        );
        for _ in 0..300 {
            run.step(
                &around,
                &[],
                Pace {
                    keep: 0.999,
                    ..FINE
                },
            );
        }
        run.state
    };
    assert_eq!(run(), run());
    let _ = TICK;
}

/// Its mass is 0 in all digits that there are: bounds of what pushes it have no value.
#[test]
fn a_ball_too_small_to_weigh_anything_is_pushed_aside() {
    let spec = r##"{ "hazumi": 1, "alt": "x", "canvas": { "size": [120, 60], "duration": 1.2 },
        "world": { "gravity": [0, 900], "walls": { "box": [20, 24, 220, 112], "bounce": 0.8 } },
        "bodies": { "balls": { "balls": { "items": [
            { "at": [80, 30], "radius": 14, "velocity": [90, 0] }, { "at": [150, 20], "radius": 1e-300 }
        ] } } },
        "draw": [ { "circle": { "of": "balls" } } ] }"##;
    let animation = Animation::parse("x", spec, &Choices::default()).expect("sound");
    assert!(animation.simulate().is_ok(), "every place has a value");
}
