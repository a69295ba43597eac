//! Randomness without state: numbers are a function of a seed and an index, fixed for ever.
//!
//! With γ = 0x9E3779B97F4A7C15 and all arithmetic modulo 2⁶⁴, splitmix64 (Steele, Lea and Flood, 2014)
//! started at s has as its n-th number, from n = 0,
//!
//! ```text
//! splitmix(s, n) = mix(s + (n + 1)·γ)
//! mix(z):  z ← (z xor (z >> 30)) · 0xBF58476D1CE4E5B9
//!          z ← (z xor (z >> 27)) · 0x94D049BB133111EB
//!          z xor (z >> 31)
//! ```
//!
//! and everything here comes from
//!
//! ```text
//! hash(seed, n) = splitmix(splitmix(seed, 0), n)
//! ```
//!
//! so that neighbouring seeds share no part of their sequences. A change here would change every picture
//! that uses `random`, `noise` or `scatter`: the literal numbers in the tests must never be edited.

use super::functions::{floor, modulo};

/// The n-th number of splitmix64 started at `state`.
fn splitmix(state: u64, n: u64) -> u64 {
    let z = state.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    spread(z)
}

/// Lets every bit show in all of them: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub fn spread(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// 64 random bits for index n under a seed; a negative n counts as 2⁶⁴ + n.
pub fn hash(seed: u64, n: i64) -> u64 {
    splitmix(splitmix(seed, 0), n as u64)
}

/// A number in [0, 1) for index n under a seed: the upper 53 bits of `hash`, times 2⁻⁵³.
pub fn unit(seed: u64, n: i64) -> f64 {
    (hash(seed, n) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The seed that belongs to a name under a seed: hash(seed, FNV-1a of the name's UTF-8 bytes, 64 bits).
pub fn seed_for(seed: u64, name: &str) -> u64 {
    hash(seed, fnv1a(name.as_bytes()) as i64)
}

/// The FNV-1a hash of nothing.
pub const FNV_START: u64 = 0xCBF2_9CE4_8422_2325;

/// FNV-1a, 64 bits (Fowler, Noll and Vo).
pub fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_after(FNV_START, bytes)
}

/// Goes on with an FNV-1a hash of what came before.
pub fn fnv1a_after(before: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(before, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Smooth noise in [−1, 1] with one feature per unit of x.
///
/// Each whole x has a random value and a random slope; between two of them their lines are faded into
/// each other by 6u⁵ − 15u⁴ + 10u³, times ⅔. Twice differentiable; it neither stalls nor crosses zero at
/// a fixed beat, as value noise and gradient noise do.
pub fn noise(seed: u64, x: f64) -> f64 {
    let n = floor(x);
    let index = n as i64;
    between(
        lattice(seed, index),
        lattice(seed, index.wrapping_add(1)),
        x - n,
    )
}

/// The same noise, repeating exactly after a whole number of features; 0 counts as 1.
///
/// Over the first features it equals `noise` until the last, which leads back to the first.
pub fn noise_periodic(seed: u64, x: f64, period: u64) -> f64 {
    let period = period.max(1);
    let x = modulo(x, period as f64);
    let n = floor(x);
    let index = n as u64 % period;
    let next = (index + 1) % period;
    between(
        lattice(seed, index as i64),
        lattice(seed, next as i64),
        x - n,
    )
}

/// Value and slope at a whole x, each in [−1, 1): the upper and the lower 32 bits of the hash.
fn lattice(seed: u64, n: i64) -> (f64, f64) {
    let bits = hash(seed, n);
    let signed = |half: u64| half as f64 / 2_147_483_648.0 - 1.0;
    (signed(bits >> 32), signed(bits & 0xFFFF_FFFF))
}

/// Noise at u between two lattice points.
fn between((v0, g0): (f64, f64), (v1, g1): (f64, f64), u: f64) -> f64 {
    let fade = u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
    let from = v0 + g0 * u;
    let to = v1 + g1 * (u - 1.0);
    (from + (to - from) * fade) * (2.0 / 3.0)
}

/// Fibonacci hashing: the high `bits` (at most 31) of key · 2³² / golden ratio. (D. Knuth, The Art of Computer
/// Programming, volume 3, 6.4.)
#[inline]
pub(crate) fn fibonacci(key: u32, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9) >> (u32::BITS - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_fixed_for_ever() {
        // The published first numbers of splitmix64.
        assert_eq!(splitmix(0, 0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(splitmix(0, 1), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(splitmix(1_234_567, 0), 6_457_827_717_110_365_317);
        assert_eq!(hash(0, 0), 0xA706_DD2F_4D19_7E6F);
        assert_eq!(hash(0, 1), 0xB382_A305_F441_4F5E);
        assert_eq!(hash(0, -1), 0x4821_8226_FF3C_D4BF);
        assert_eq!(hash(1, 0), 0x5E41_AB08_7439_611E);
        assert_eq!(hash(42, 1000), 0xB1FC_8C82_4D52_4899);
        assert_eq!(hash(u64::MAX, 7), 0xB94E_C6A0_4D7B_4627);
        assert_eq!(unit(0, 0), 0.6524484863740322);
        assert_eq!(unit(0, -1), 0.28176129772258496);
        assert_eq!(unit(42, 1000), 0.6952598398323256);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
        assert_eq!(seed_for(0, ""), 0xF236_CE74_FC5C_BAF5);
        assert_eq!(seed_for(7, "crowd[3].n"), 0x5861_E762_5387_65E2);
        assert_eq!(seed_for(0, "é"), 0xDEFE_3C29_0472_45FF);
        assert_eq!(noise(0, 0.0), 0.20326464840521413);
        assert_eq!(noise(0, 0.5), 0.018123298340166606);
        assert_eq!(noise(0, -1.25), -0.3780430267835678);
        assert_eq!(noise(9, 1234.75), 0.2995229227699383);
    }

    #[test]
    fn is_spread_evenly() {
        let mut counts = [0_u32; 16];
        for n in -8000..8000 {
            let v = unit(3, n);
            assert!((0.0..1.0).contains(&v));
            counts[(v * 16.0) as usize] += 1;
        }
        for count in counts {
            assert!((850..1150).contains(&count), "{counts:?}");
        }
        // Neither neighbouring indices nor neighbouring seeds go together.
        let product = |a: f64, b: f64| (a - 0.5) * (b - 0.5) * 12.0;
        let along: f64 = (0..10_000)
            .map(|n| product(unit(3, n), unit(3, n + 1)))
            .sum();
        let across: f64 = (0..10_000)
            .map(|n| product(unit(n as u64, 5), unit(n as u64 + 1, 5)))
            .sum();
        assert!(
            along.abs() < 400.0 && across.abs() < 400.0,
            "{along} {across}"
        );
    }

    #[test]
    fn noise_is_bounded_smooth_and_lively() {
        let h = 1e-3;
        let (mut sum, mut squares, mut most) = (0.0, 0.0, 0.0_f64);
        for i in 0..200_000 {
            let x = f64::from(i) * 0.01 - 1000.0;
            let [a, b, c] = [x - h, x, x + h].map(|x| noise(12, x));
            assert!(b.abs() <= 1.0);
            let bend = (a - 2.0 * b + c) / (h * h);
            assert!(bend.abs() < 30.0, "at {x}: {bend}");
            sum += b;
            squares += b * b;
            most = most.max(b.abs());
        }
        assert!((sum / 200_000.0).abs() < 0.02, "mean {sum}");
        assert!((0.09..0.15).contains(&(squares / 200_000.0)), "{squares}");
        assert!(most > 0.85, "{most}");
    }

    #[test]
    fn periodic_noise_repeats_exactly() {
        for period in [1_u64, 2, 5, 64] {
            let span = period as f64;
            for i in 0..1000 {
                let x = f64::from(i) / 64.0;
                let v = noise_periodic(5, x, period);
                assert_eq!(v, noise_periodic(5, x + span, period));
                assert_eq!(v, noise_periodic(5, x - 3.0 * span, period));
                if x < span - 1.0 {
                    assert_eq!(v, noise(5, x));
                }
            }
            let seam = noise_periodic(5, span - 1e-9, period) - noise_periodic(5, 0.0, period);
            assert!(seam.abs() < 1e-8);
        }
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        for x in [f64::NAN, f64::INFINITY, 1e300, -1e300, 9.3e18, -0.0] {
            noise(1, x);
            noise_periodic(1, x, 0);
            noise_periodic(1, x, u64::MAX);
        }
    }
}
