//! A damped spring that pulls towards a moving target, advanced in closed form.
//!
//! x'' = −k·(x − target(t)) − c·x', per unit of mass. Nothing is integrated: over any step in which the target
//! runs straight the result is the true one, so no step size can blow a spring up or change its motion.

use super::functions::{TAU, cos_radians, exp, sin_radians, sqrt};
use super::smooth::mean_decay;

/// z with (1 + z)·e^(−z) = ½: the share ωt after which a critically damped spring, let go at rest, is half way.
const CRITICAL_HALF: f64 = 1.678_346_990_016_660_5;
/// Below these c·dt and k·dt² the power series is used: there the closed forms would cancel.
const SMALL_DAMPING: f64 = 0.5;
const SMALL_STIFFNESS: f64 = 0.25;
/// Terms of the series; the first one left out is below 1e−18 of the sum.
const TERMS: u32 = 18;

/// How strongly a spring pulls and is braked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// k, per unit of mass: 1/T².
    stiffness: f64,
    /// c, per unit of mass: 1/T.
    damping: f64,
}

/// What a spring makes of an offset, a speed and a move of the target in a given time.
///
/// With y = x − target: y1 = yy·y0 + yv·v0 − ym·move and v1 = −vy·y0 + vv·v0 + vm·move.
struct Response {
    yy: f64,
    yv: f64,
    ym: f64,
    vy: f64,
    vv: f64,
    vm: f64,
}

/// The answer of the spring to a unit push in speed, after a time t.
struct Push {
    /// Offset h(t), in T.
    offset: f64,
    /// Speed h'(t).
    speed: f64,
    /// Integral of the offset from 0 to t, in T².
    area: f64,
    /// What is left of a unit offset let go at rest: h' + c·h = 1 − k·area.
    left: f64,
}

impl Spring {
    /// From a stiffness > 0 (force per length), a damping ≥ 0 (force per speed) and a mass > 0.
    ///
    /// None for other numbers, and where stiffness or damping per mass leave the range of numbers.
    pub fn from_stiffness(stiffness: f64, damping: f64, mass: f64) -> Option<Self> {
        let spring = Self {
            stiffness: stiffness / mass,
            damping: damping / mass,
        };
        (mass > 0.0 && spring.is_legal()).then_some(spring)
    }

    /// From an undamped frequency > 0 in cycles per T and a damping ratio ζ ≥ 0: k = (2πf)², c = 2ζ·2πf.
    ///
    /// ζ below 1 swings past the target, 1 arrives soonest without, above 1 creeps. None for other numbers.
    pub fn from_frequency(frequency: f64, damping_ratio: f64) -> Option<Self> {
        Self::from_rate(TAU * frequency, damping_ratio)
    }

    /// From a perceptual duration > 0 in T and a bounce between −1 and 1: k = (2π/duration)², ζ = 1 − bounce,
    /// for a bounce below 0 1/(1 + bounce).
    ///
    /// This is SwiftUI's form. None for other numbers.
    pub fn from_duration(duration: f64, bounce: f64) -> Option<Self> {
        if !(-1.0 < bounce && bounce < 1.0) {
            return None;
        }
        let damping_ratio = if bounce < 0.0 {
            1.0 / (1.0 + bounce)
        } else {
            1.0 - bounce
        };
        Self::from_rate(TAU / duration, damping_ratio)
    }

    /// A critically damped spring which, let go at rest, is half way after `half_life` > 0, in T. None for other numbers.
    pub fn from_half_life(half_life: f64) -> Option<Self> {
        Self::from_rate(CRITICAL_HALF / half_life, 1.0)
    }

    /// From ω, radians per T, and ζ.
    fn from_rate(rate: f64, damping_ratio: f64) -> Option<Self> {
        let spring = Self {
            stiffness: rate * rate,
            damping: 2.0 * damping_ratio * rate,
        };
        (rate > 0.0 && spring.is_legal()).then_some(spring)
    }

    fn is_legal(&self) -> bool {
        let within = |v: f64, least: f64| least <= v && v < f64::INFINITY;
        within(self.stiffness, f64::MIN_POSITIVE) && within(self.damping, 0.0)
    }

    /// k, the stiffness per unit of mass, in 1/T².
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// c, the damping per unit of mass, in 1/T.
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// ζ = c / (2√k).
    pub fn damping_ratio(&self) -> f64 {
        0.5 * self.damping / sqrt(self.stiffness)
    }

    /// Value and speed after a time `dt` ≥ 0 in which the target runs straight from `target0` to `target1`.
    ///
    /// Exact but for rounding, whatever `dt`. A target that jumps is two steps, one to the jump and one from it.
    pub fn advance(&self, x: f64, v: f64, target0: f64, target1: f64, dt: f64) -> (f64, f64) {
        if dt == 0.0 {
            return (x, v);
        }
        let r = self.response(dt);
        // Seen from the target, so that a spring at rest on it stays there to the last bit.
        let (offset, moved) = (x - target0, target1 - target0);
        (
            target1 + (r.yy * offset + r.yv * v - r.ym * moved),
            -r.vy * offset + r.vv * v + r.vm * moved,
        )
    }

    fn response(&self, dt: f64) -> Response {
        let Self { stiffness, damping } = *self;
        let push = self.push(dt);
        Response {
            yy: push.left,
            yv: push.offset,
            // Mean over the step of what is left of an offset: the target moves bit by bit.
            ym: (push.offset + damping * push.area) / dt,
            vy: stiffness * push.offset,
            vv: push.speed,
            vm: stiffness * push.area / dt,
        }
    }

    /// The form that keeps all digits here.
    fn push(&self, t: f64) -> Push {
        let Self { stiffness, damping } = *self;
        let half = 0.5 * damping;
        if damping * t <= SMALL_DAMPING && stiffness * t * t <= SMALL_STIFFNESS {
            self.push_by_series(t)
        } else if half * half < stiffness {
            self.push_that_swings(half, sqrt(stiffness - half * half), t)
        } else {
            self.push_that_creeps(half, sqrt(half * half - stiffness), t)
        }
    }

    /// Taylor series about 0: the derivatives follow from the law itself, h⁽ⁿ⁺²⁾ = −c·h⁽ⁿ⁺¹⁾ − k·h⁽ⁿ⁾.
    fn push_by_series(&self, t: f64) -> Push {
        let (c, k) = (self.damping * t, self.stiffness * t * t);
        let (mut this, mut next) = (1.0, -c);
        let (mut offset, mut speed, mut area) = (0.0, 1.0, 0.0);
        let mut weight = 1.0;
        for n in 1..=TERMS {
            offset += this * weight;
            speed += next * weight;
            weight /= f64::from(n + 1);
            area += this * weight;
            (this, next) = (next, -(c * next + k * this));
        }
        Push {
            offset: offset * t,
            speed,
            area: area * t * t,
            left: 1.0 - k * area,
        }
    }

    /// ζ < 1: h = e^(−at)·sin(bt)/b with a = c/2, b = √(k − a²).
    fn push_that_swings(&self, a: f64, b: f64, t: f64) -> Push {
        let fade = exp(-a * t);
        let cosine = fade * cos_radians(b * t);
        let offset = fade * sin_radians(b * t) / b;
        let left = cosine + a * offset;
        Push {
            offset,
            speed: cosine - a * offset,
            area: (1.0 - left) / self.stiffness,
            left,
        }
    }

    /// ζ ≥ 1: h = (e^(−slow·t) − e^(−fast·t))/(fast − slow), the rates a ∓ b with b = √(a² − k).
    ///
    /// Written without the difference, so that neither equal rates nor very unequal ones cancel.
    fn push_that_creeps(&self, a: f64, b: f64, t: f64) -> Push {
        let fast = a + b;
        let slow = self.stiffness / fast;
        let fade = exp(-slow * t);
        let offset = fade * t * mean_decay(2.0 * b * t);
        Push {
            offset,
            speed: exp(-fast * t) - slow * offset,
            area: (t * mean_decay(slow * t) - offset) / fast,
            left: fade + slow * offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::reference::{list, number, numbers, read};
    use proptest::prelude::*;

    fn spring(stiffness: f64, damping: f64) -> Spring {
        Spring::from_stiffness(stiffness, damping, 1.0).expect("legal")
    }

    /// With a target that stands.
    fn after(spring: Spring, x: f64, v: f64, target: f64, dt: f64) -> (f64, f64) {
        spring.advance(x, v, target, target, dt)
    }

    #[test]
    fn is_the_true_solution() {
        let data = read(include_str!("../../tests/data/spring_exact.json"));
        for row in list(&data["rows"]) {
            let row = numbers(row);
            let [k, c, dt, x, v, target0, target1, true_x, true_v] = row[..] else {
                panic!("nine columns");
            };
            let (got_x, got_v) = spring(k, c).advance(x, v, target0, target1, dt);
            // The phase ωt of a swing is known to a rounding of ω: 1e−12 holds for the first thousand radians.
            let bound = 1e-12_f64.max(1e-15 * sqrt(k) * dt * exp(-0.5 * c * dt));
            let size = x.abs() + target0.abs() + target1.abs() + v.abs() * dt.min(1.0 / sqrt(k));
            let speed = v.abs() + sqrt(k) * size;
            assert!((got_x - true_x).abs() <= bound * size, "{row:?}: {got_x}");
            assert!((got_v - true_v).abs() <= bound * speed, "{row:?}: {got_v}");
        }
    }

    #[test]
    fn small_steps_lose_no_digits_of_the_speed() {
        // Speeds here are k·way·dt: right to the last digits, not merely small.
        let data = read(include_str!("../../tests/data/spring_exact.json"));
        for row in list(&data["rows"]) {
            let row = numbers(row);
            let [k, c, dt, x, v, target0, target1, _, true_v] = row[..] else {
                panic!("nine columns");
            };
            if dt <= 0.05 && v == 0.0 {
                let got = spring(k, c).advance(x, v, target0, target1, dt).1;
                let bound = if sqrt(k) * dt < 1.0 { 1e-13 } else { 1e-11 };
                assert!((got - true_v).abs() <= bound * true_v.abs(), "{row:?}");
            }
        }
    }

    #[test]
    fn neighbours_of_the_critical_spring_agree() {
        for dt in [1e-3, 0.01, 1.0 / 60.0, 0.03125, 0.1, 0.5, 1.0] {
            let at = |ratio| {
                let spring = Spring::from_frequency(2.5, ratio).expect("legal");
                spring.advance(1.0, -3.0, 4.0, 5.0, dt)
            };
            let (x, v) = at(1.0);
            let (under, over) = (at(1.0 - 1e-9), at(1.0 + 1e-9));
            assert!((under.0 - x).abs() < 1e-7 && (over.0 - x).abs() < 1e-7);
            // The slope in ζ is the same from both sides.
            assert!((under.0 + over.0 - 2.0 * x).abs() < 1e-12, "{dt}");
            assert!((under.1 + over.1 - 2.0 * v).abs() < 1e-11, "{dt}");
        }
    }

    #[test]
    fn the_four_forms() {
        let heavy = Spring::from_stiffness(260.0, 26.0, 2.0).expect("legal");
        assert_eq!((heavy.stiffness(), heavy.damping()), (130.0, 13.0));
        let head = spring(260.0, 26.0);
        assert!((head.damping_ratio() - 0.806_225_774_829_855).abs() < 1e-15);
        let swift = Spring::from_duration(0.5, 0.3).expect("legal");
        assert!((swift.stiffness() - 157.913_670_417_429_7).abs() < 1e-12);
        assert!((swift.damping() - 17.592_918_860_102_84).abs() < 1e-13);
        let flat = Spring::from_duration(0.5, -0.3).expect("legal");
        assert!((flat.damping_ratio() - 1.0 / 0.7).abs() < 1e-15);
        let ratio = Spring::from_frequency(2.0, 0.7).expect("legal");
        assert_eq!(ratio, Spring::from_duration(0.5, 0.3).expect("legal"));
        for half_life in [0.01, 0.2, 30.0] {
            let spring = Spring::from_half_life(half_life).expect("legal");
            let (x, _) = after(spring, 7.0, 0.0, 5.0, half_life);
            assert!((x - 6.0).abs() < 1e-14, "{x}");
        }
    }

    #[test]
    fn illegal_springs_are_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Spring::from_stiffness(bad, 1.0, 1.0), None);
            assert_eq!(Spring::from_frequency(bad, 1.0), None);
            assert_eq!(Spring::from_duration(bad, 0.0), None);
            assert_eq!(Spring::from_half_life(bad), None);
            assert_eq!(Spring::from_stiffness(1.0, 1.0, bad), None);
        }
        for bad in [-1e-9, f64::NAN, f64::INFINITY] {
            assert_eq!(Spring::from_stiffness(1.0, bad, 1.0), None);
            assert_eq!(Spring::from_frequency(1.0, bad), None);
        }
        for bad in [-1.0, 1.0, f64::NAN] {
            assert_eq!(Spring::from_duration(1.0, bad), None);
        }
    }

    #[test]
    fn stays_on_its_target_to_the_last_bit() {
        for (k, c) in [(260.0, 26.0), (256.0, 32.0), (3.0, 400.0), (1e4, 0.0)] {
            for dt in [1e-9, 1e-3, 0.02, 1.0, 1e3] {
                assert_eq!(after(spring(k, c), 0.1, 0.0, 0.1, dt), (0.1, 0.0));
            }
        }
    }

    #[test]
    fn no_numbers_blow_it_up() {
        for k in [f64::MIN_POSITIVE, 1e-12, 1.0, 1e12, 1e300] {
            for c in [0.0, 1e-12, 1.0, 1e12, 1e300] {
                for dt in [1e-300, 1e-9, 1.0, 1e3, 1e9] {
                    let (x, _) = after(spring(k, c), 1.0, 0.0, 0.0, dt);
                    assert!(x.abs() <= 1.0 + 1e-12, "{k} {c} {dt}: {x}");
                }
            }
        }
    }

    #[test]
    fn undamped_keeps_its_energy() {
        let (mut x, mut v) = (1.0, 0.0);
        let free = spring(250.0, 0.0);
        for _ in 0..10_000 {
            (x, v) = after(free, x, v, 0.0, 1.0 / 60.0);
            assert!((250.0 * x * x + v * v - 250.0).abs() < 1e-8);
        }
    }

    /// Bound of the overshoot: e^(−πζ/√(1 − ζ²)) of the step.
    fn analytic_overshoot(ratio: f64) -> f64 {
        exp(-0.5 * TAU * ratio / sqrt(1.0 - ratio * ratio))
    }

    #[test]
    fn two_frames_a_second_never_exceed_the_analytic_overshoot() {
        let head = spring(260.0, 26.0);
        let bound = 1.0 + analytic_overshoot(head.damping_ratio());
        assert!((bound - 1.013_825_105_168_337).abs() < 1e-14);
        for fps in [2.0, 7.0, 10.0, 24.0, 60.0, 1000.0] {
            let (mut x, mut v, mut most) = (0.0, 0.0, 0.0_f64);
            for _ in 0..2000 {
                (x, v) = after(head, x, v, 1.0, 1.0 / fps);
                most = most.max(x);
            }
            assert!(most <= bound + 1e-15, "{fps}: {most}");
            assert!((x - 1.0).abs() < 1e-9);
        }
        // And it is reached: the peak is at π/b.
        let peak = 0.5 * TAU / sqrt(260.0 - 169.0);
        assert!((after(head, 0.0, 0.0, 1.0, peak).0 - bound).abs() < 1e-15);
    }

    #[test]
    fn frame_rates_agree_at_one_second() {
        let head = spring(260.0, 26.0);
        let path = |t: f64| 3.0 * t;
        let at = |fps: u32| {
            (0..fps).fold((0.0, 0.0), |(x, v), i| {
                let time = |i: u32| f64::from(i) / f64::from(fps);
                head.advance(x, v, path(time(i)), path(time(i + 1)), 1.0 / f64::from(fps))
            })
        };
        let (x, v) = head.advance(0.0, 0.0, path(0.0), path(1.0), 1.0);
        for fps in [2, 25, 50, 60, 100, 1000] {
            let (got_x, got_v) = at(fps);
            assert!((got_x - x).abs() < 1e-13 && (got_v - v).abs() < 1e-12);
        }
    }

    #[test]
    fn a_fast_entry_keeps_the_stiffness() {
        // The answer to a speed is that speed times the answer to a unit speed, and the ways add up.
        let swift = Spring::from_duration(0.5, 0.3).expect("legal");
        for i in 1..100 {
            let t = f64::from(i) / 100.0;
            let unit = after(swift, 0.0, 1.0, 0.0, t).0;
            let step = after(swift, 0.0, 0.0, 1.0, t).0;
            let both = after(swift, 0.0, 5000.0, 1.0, t).0;
            assert!((both - (5000.0 * unit + step)).abs() < 1e-11);
        }
        let bend = |v: f64| {
            let dt = 1e-6;
            (after(swift, 1.0, v, 0.0, dt).1 - v) / dt
        };
        let force = bend(5000.0) + swift.damping() * 5000.0;
        assert!((force + swift.stiffness()).abs() < 1.0, "{force}");
    }

    /// The stepped traces are semi-implicit Euler: theirs tend to ours as their step shrinks.
    #[test]
    fn the_head_spring_is_what_small_steps_tend_to() {
        let data = read(include_str!("../../tests/data/002_head_spring.json"));
        for case in list(&data["cases"]) {
            let of = |field: &str| number(&case[field]);
            let (k, c, dt) = (of("stiffness"), of("damping"), of("dt"));
            let head = Spring::from_stiffness(k, c, of("mass")).expect("legal");
            let euler = |substeps: f64| {
                let h = dt / substeps;
                let (mut x, mut v) = (0.0, 0.0);
                let mut trace = vec![x];
                for target in list(&case["target"]) {
                    for _ in 0..substeps as u32 {
                        v += (k * (number(&target[0]) - x) - c * v) * h;
                        x += v * h;
                    }
                    trace.push(x);
                }
                trace
            };
            let (mut x, mut v) = (0.0, 0.0);
            let mut exact = vec![x];
            for target in list(&case["target"]) {
                (x, v) = after(head, x, v, number(&target[0]), dt);
                exact.push(x);
            }
            // Our reading of their steps is theirs to the bit, so its finer steps are theirs too.
            let theirs: Vec<f64> = list(&case["trace"])
                .iter()
                .map(|row| number(&row[0]))
                .collect();
            assert_eq!(euler(of("substeps")), theirs);
            let apart = |trace: Vec<f64>| {
                let gaps = trace.iter().zip(&exact).map(|(a, b)| (a - b).abs());
                gaps.fold(0.0, f64::max)
            };
            let (coarse, fine) = (apart(euler(1000.0)), apart(euler(2000.0)));
            assert!((1.95..2.05).contains(&(coarse / fine)), "{coarse} {fine}");
        }
        // The measured fault of one step per frame at 60 fps: 9.8 % of the step.
        let first = list(&data["cases"][0]["trace"]);
        let head = spring(260.0, 26.0);
        let gaps = first.iter().enumerate().map(|(i, row)| {
            let exact = after(head, 0.0, 0.0, 20.0, f64::from(i as u32) / 60.0).0;
            (number(&row[0]) - exact).abs() / 20.0
        });
        let worst = gaps.fold(0.0, f64::max);
        assert!((0.095..0.1).contains(&worst), "{worst}");
    }

    proptest! {
        #[test]
        fn many_steps_are_one(
            rate in 0.1..100.0, ratio in prop_oneof![Just(0.0), Just(1.0), 0.0..2.0, 2.0..500.0],
            x in -10.0..10.0, v in -10.0..10.0, a in -10.0..10.0, b in -10.0..10.0,
            dt in prop_oneof![1e-9..1e-3, 1e-3..1.0], steps in 1_u32..300,
        ) {
            let spring = Spring::from_rate(rate, ratio).expect("legal");
            let target = |i: u32| a + (b - a) * f64::from(i) / f64::from(steps);
            let (end_x, end_v) = (0..steps).fold((x, v), |(x, v), i| {
                spring.advance(x, v, target(i), target(i + 1), dt / f64::from(steps))
            });
            let (one_x, one_v) = spring.advance(x, v, a, b, dt);
            let size = 30.0 + v.abs() / rate;
            prop_assert!((end_x - one_x).abs() <= 1e-12 * size, "{end_x} {one_x}");
            // While the target moves a way in dt, the speed may be that way over dt.
            let speed = size * (rate + 1.0 / dt);
            prop_assert!((end_v - one_v).abs() <= 1e-12 * speed, "{end_v} {one_v}");
        }

        #[test]
        fn a_free_spring_never_gains_energy(
            rate in 0.1..100.0, ratio in 0.0..3.0, x in -10.0..10.0, v in -10.0..10.0, dt in 1e-6..10.0,
        ) {
            let spring = Spring::from_rate(rate, ratio).expect("legal");
            let energy = |(x, v): (f64, f64)| spring.stiffness() * x * x + v * v;
            prop_assert!(energy(after(spring, x, v, 0.0, dt)) <= energy((x, v)) * (1.0 + 1e-13));
        }
    }
}
