//! The laws against numbers computed by published code.

use serde_json::Value;

use super::testing::{NOTHING, Run, TICK, boxed, circle};
use super::*;
use crate::maths::reference::{list, number, numbers, read};

fn text(name: &str) -> &'static str {
    match name {
        "480x480" => include_str!("../../../tests/data/001_soft_body_480x480.json"),
        "640x360" => include_str!("../../../tests/data/001_soft_body_640x360.json"),
        "variants" => include_str!("../../../tests/data/001_soft_body_variants.json"),
        "rope_cloth" => include_str!("../../../tests/data/001_rope_cloth.json"),
        "spring" => include_str!("../../../tests/data/001_spring_limit.json"),
        "hair" => include_str!("../../../tests/data/002_hair.json"),
        _ => include_str!("../../../tests/data/004_balls.json"),
    }
}

fn pairs(value: &Value) -> Vec<[f64; 2]> {
    let pair = |row: &Value| {
        let row = numbers(row);
        [row[0], row[1]]
    };
    list(value).iter().map(pair).collect()
}

fn index(value: &Value) -> usize {
    number(value) as usize
}

/// The largest difference between rows x, y, vx, vy and the state.
fn off(run: &mut Run<impl Law>, rows: &Value) -> f64 {
    let p = run.p();
    let mut most = 0.0_f64;
    for (i, row) in list(rows).iter().enumerate() {
        let now = [p.x[i], p.y[i], p.vx[i], p.vy[i]];
        for (want, is) in numbers(row).iter().zip(now) {
            most = most.max((want - is).abs());
        }
    }
    most
}

/// The membrane of the reference numbers, its surroundings, its live inputs.
fn membrane(canvas: &Value, constants: &Value) -> (SoftForce, Around, Pace, [f64; 3]) {
    let get = |key: &str| number(&constants[key]);
    let (width, height) = (number(&canvas["width"]), number(&canvas["height"]));
    let center = [width / 2.0, height / 2.0];
    let shape = circle(center, get("radius"), index(&constants["count"]));
    let law = SoftForce::new(shape, get("k"), get("press"), get("anchor"), vec![]);
    let m = get("margin");
    let around = boxed(get("gravity"), [m, m, width - m, height - m], get("bounce"));
    let pace = Pace {
        keep: get("damp"),
        ..TICK
    };
    let live = [get("targetArea"), center[0], center[1]];
    (law, around, pace, live)
}

fn follow_membrane(case: &Value, canvas: &Value) -> f64 {
    let (law, around, pace, live) = membrane(canvas, &case["constants"]);
    let mut run = Run::new(law, &live);
    let (mut step, mut most) = (0, 0.0_f64);
    for checkpoint in list(&case["checkpoints"]) {
        while step < index(&checkpoint["step"]) {
            run.step(&around, &live, pace);
            step += 1;
        }
        most = most.max(off(&mut run, &checkpoint["points"]));
    }
    most
}

#[test]
fn soft_force_is_the_published_membrane() {
    for name in ["480x480", "640x360"] {
        let case = read(text(name));
        let most = follow_membrane(&case, &case["canvas"]);
        println!("membrane {name}: {most:e}");
        assert!(most < 1e-9, "{name}: {most:e}");
    }
}

#[test]
fn soft_force_is_the_published_membrane_with_other_constants() {
    let file = read(text("variants"));
    assert_eq!(list(&file["cases"]).len(), 10);
    for case in list(&file["cases"]) {
        let name = case["name"].as_str().unwrap();
        let most = follow_membrane(case, &file["canvas"]);
        println!("membrane {name}: {most:e}");
        let limit = match name {
            "bounce_1_hits_floor" | "anchor_0" => 1e-5,
            _ => 1e-9,
        };
        assert!(most < limit, "{name}: {most:e}");
    }
}

/// Three points that only the pull home moves are one mass on a spring.
#[test]
fn soft_force_is_the_semi_implicit_spring() {
    let file = read(text("spring"));
    let mut cases = 0;
    for case in list(&file["cases"]) {
        if case["scheme"] != "semi_implicit" {
            continue;
        }
        cases += 1;
        let (x, v) = (numbers(&case["x"]), numbers(&case["v"]));
        let pace = Pace {
            keep: number(&case["damp"]),
            ..TICK
        };
        let shape = vec![[x[0], 0.0], [x[0], 1.0], [x[0] - 1.0, 1.0]];
        let center = x[0] - 1.0 / 3.0;
        let law = SoftForce::new(shape, 0.0, 0.0, number(&case["k"]), vec![]);
        let live = [1.0, center - x[0], 2.0 / 3.0];
        let mut run = Run::new(law, &live);
        run.p().vx.fill(v[0]);
        for i in 1..x.len() {
            run.step(&NOTHING, &live, pace);
            let size = x[i].abs().max(1.0) + v[i].abs();
            let (dx, dv) = (run.p().x[0] - x[i], run.p().vx[0] - v[i]);
            assert!(
                dx.abs() < 1e-9 * size && dv.abs() < 1e-9 * size,
                "{} {i}",
                case["name"]
            );
        }
    }
    assert!(cases >= 4, "{cases}");
}

fn links(case: &Value) -> Links {
    let link = |row: &Value| {
        let row = numbers(row);
        Link {
            a: row[0] as usize,
            b: row[1] as usize,
            length: row[2],
            stiffness: 1.0,
        }
    };
    Links {
        list: list(&case["links"]).iter().map(link).collect(),
        iterations: index(&case["iterations"]),
    }
}

/// Where the pins are at a step: at their points, unless the case moves them.
fn pins_at(case: &Value, pins: &[usize], step: usize) -> Vec<f64> {
    let shape = pairs(&case["pts"]);
    let mut live: Vec<f64> = pins.iter().flat_map(|&i| shape[i]).collect();
    for path in case["move"].as_array().into_iter().flatten() {
        let k = pins.iter().position(|&i| i == index(&path["i"])).unwrap();
        let at = |from: &str, by: &str| number(&path[from]) + number(&path[by]) * step as f64;
        live[2 * k] = at("x0", "ax");
        live[2 * k + 1] = at("y0", "ay");
    }
    live
}

#[test]
fn sweep_is_the_reference_rope_and_cloth_straight_and_aslant() {
    let file = read(text("rope_cloth"));
    for case in list(&file["cases"]) {
        let shape = pairs(&case["pts"]);
        let pins: Vec<usize> = numbers(&case["pinned"])
            .iter()
            .map(|&i| i as usize)
            .collect();
        let mass = vec![1.0; shape.len()];
        let law = Sweep::new(shape, links(case), mass, pins.clone());
        let around = Around {
            gravity: [number(&case["gx"]), number(&case["gy"])],
            ..NOTHING
        };
        let pace = Pace {
            keep: number(&case["damp"]),
            ..TICK
        };
        let mut run = Run::new(law, &pins_at(case, &pins, 0));
        let (mut step, mut most) = (0, 0.0_f64);
        for result in list(&case["result"]) {
            while step < index(&result["step"]) {
                step += 1;
                run.step(&around, &pins_at(case, &pins, step), pace);
            }
            most = most.max(off(&mut run, &result["pos"]));
        }
        println!("{}: {most:e}", case["name"]);
        assert!(most < 1e-9, "{}: {most:e}", case["name"]);
    }
}

#[test]
fn cloth_links_come_in_the_reference_order() {
    let file = read(text("rope_cloth"));
    let case = &file["cases"][3];
    let cloth = Cloth {
        from: [120.0, 40.0],
        size: [120.0, 100.0],
        grid: [7, 6],
        shear: 0.0,
        bend: 0.0,
    };
    let shape = cloth.shape();
    assert_eq!(shape, pairs(&case["pts"]));
    assert_eq!(cloth.links(&shape), links(case).list);
}

#[test]
fn sweep_is_the_reference_hair() {
    let file = read(text("hair"));
    for case in list(&file["cases"]) {
        let (roots, wind) = (pairs(&case["roots"]), numbers(&case["wind"]));
        let (points, spacing) = (index(&case["points"]), number(&case["spacing"]));
        let dt = number(&case["dt"]);
        // The reference adds a force of 60·dt² to the place.
        let weigh = 60.0 * dt * dt;
        let shape: Vec<[f64; 2]> = (0..points)
            .map(|i| [roots[0][0] - spacing * i as f64, roots[0][1]])
            .collect();
        let law = Sweep::rope(
            shape,
            index(&case["iterations"]),
            vec![1.0; points],
            vec![0],
        );
        let pace = Pace {
            keep: number(&case["drag"]),
            ..TICK
        };
        let mut run = Run::new(law, &roots[0]);
        let (mut step, mut most) = (0, 0.0_f64);
        for result in list(&case["result"]) {
            while step < index(&result["step"]) {
                let around = Around {
                    gravity: [0.0, number(&case["gravity"]) * weigh],
                    wind: [wind[step] * weigh, 0.0],
                    walls: None,
                };
                step += 1;
                run.step(&around, &roots[step], pace);
            }
            most = most.max(off(&mut run, &result["pos"]));
        }
        println!("hair {}: {most:e}", case["name"]);
        assert!(most < 1e-9, "{}: {most:e}", case["name"]);
    }
}

/// The balls of a case under the textbook's numbers; `ball` is the one that is grabbed, however far away.
fn balls(case: &Value, ball: Option<usize>) -> Balls {
    let one = |ball: &Value| Ball {
        at: [number(&ball["x"]), number(&ball["y"])],
        velocity: [number(&ball["vx"]), number(&ball["vy"])],
        radius: number(&ball["r"]),
    };
    let all = list(&case["start"]).iter().map(one).collect();
    let balls = Balls::new(all, true).bounce(0.55).solver(Solver::Simple);
    match ball {
        None => balls,
        Some(ball) => balls.grab(Grab {
            pick: Pick::Index(ball),
            reach: f64::INFINITY,
            offset: Offset::Zero,
            throw: 0.9,
            average: 1.0,
        }),
    }
}

/// One script after the other: a law grabs one named ball, so each grab has a law of its own over one state.
fn follow_balls(case: &Value) -> Vec<(usize, f64)> {
    let scripts: Vec<&Value> = case["script"].as_array().into_iter().flatten().collect();
    let named = |script: &&Value| balls(case, Some(index(&script["ball"])));
    let laws: Vec<Balls> = scripts.iter().map(named).collect();
    let ceiling = case["ceiling"].as_bool().unwrap();
    let top = if ceiling { 0.0 } else { -1e12 };
    let edges = [0.0, top, number(&case["W"]), number(&case["H"])];
    let around = boxed(0.34, edges, 0.55);
    let pace = Pace {
        keep: 0.995,
        ..TICK
    };
    let mut run = Run::new(balls(case, None), &[]);
    run.state.resize(run.state.len() + 1000, 0.0);
    let (mut frame, mut result) = (0, Vec::new());
    for checkpoint in list(&case["checkpoints"]) {
        while frame < index(&checkpoint["frame"]) {
            frame += 1;
            // A script reigns from its first frame to the one after its last, which lets go.
            let reigns = |s: &&&Value| (index(&s["from"])..=index(&s["to"]) + 1).contains(&frame);
            match scripts
                .iter()
                .find(reigns)
                .zip(scripts.iter().position(|s| reigns(&s)))
            {
                None => run.step(&around, &[], pace),
                Some((script, k)) => {
                    let path = pairs(&script["path"]);
                    let i = frame - index(&script["from"]);
                    let [x, y] = path[i.min(path.len() - 1)];
                    let down = f64::from(u8::from(i < path.len()));
                    let mut p = Particles::split(&mut run.state, laws[k].count());
                    laws[k].step(&mut p, &around, &[x, y, down], pace);
                }
            }
        }
        result.push((frame, off(&mut run, &checkpoint["balls"])));
    }
    result
}

#[test]
fn simple_balls_are_the_published_ones() {
    let file = read(text("balls"));
    let mut most = [0.0_f64; 3];
    for case in list(&file["cases"]) {
        if case["name"] == "dist_zero_nan" {
            continue;
        }
        for (frame, off) in follow_balls(case) {
            let (k, limit) = match frame {
                0..=60 => (0, 1e-9),
                61..=120 => (1, 1e-6),
                _ => (2, 1e-4),
            };
            most[k] = most[k].max(off);
            assert!(off < limit, "{} at {frame}: {off:e}", case["name"]);
        }
    }
    println!("balls up to frame 60, 120, 300: {most:?}");
}

/// The published code gives no number here; this one must part the balls.
#[test]
fn simple_balls_at_one_place_part() {
    let file = read(text("balls"));
    let case = list(&file["cases"])
        .iter()
        .find(|case| case["name"] == "dist_zero_nan");
    let mut run = Run::new(balls(case.unwrap(), None), &[]);
    for _ in 0..3 {
        run.step(&boxed(0.34, [0.0, 0.0, 480.0, 480.0], 0.55), &[], TICK);
    }
    let p = run.p();
    let apart = crate::maths::functions::hypot(p.x[1] - p.x[0], p.y[1] - p.y[0]);
    assert!((40.0 - 1e-9..41.0).contains(&apart), "{apart}");
}
