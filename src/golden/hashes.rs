//! Two numbers for a spec that are the same on every machine and in every build: of what it computes, and of
//! what it draws.

use crate::digest::plain_bits;
use crate::film::{Error, Film, Look};
use crate::load::Animation;
use crate::maths::random::{FNV_START, fnv1a_after};
use std::fmt;

/// Frames that are looked at, evenly spread.
const FRAMES: usize = 24;
/// Pixels per spec pixel.
const SCALE: f64 = 0.5;

/// Hashes of 24 frames at half scale, or of all where there are fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// Of the times and of every number that is drawn or claimed.
    pub state: u64,
    /// Of the pixels.
    pub pixels: u64,
}

impl fmt::Display for Hashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} {:016x}", self.state, self.pixels)
    }
}

impl Hashes {
    /// # Errors
    /// When the spec cannot be simulated, or its frames are too large.
    pub fn of(animation: &Animation) -> Result<Self, Error> {
        let film = animation.simulate()?;
        Ok(Self {
            state: state(&film, animation),
            pixels: pixels(&film)?,
        })
    }
}

fn frames(film: &Film) -> impl Iterator<Item = usize> {
    let (count, all) = (FRAMES.min(film.frames()), film.frames());
    (0..count).map(move |i| i * all / count)
}

fn state(film: &Film, animation: &Animation) -> u64 {
    let mut columns = animation.scene().drawn.clone();
    columns.sort_unstable();
    columns.dedup();
    let mut hash = Fnv::new();
    let mut row = Vec::new();
    for frame in frames(film) {
        film.timeline().row(frame, &mut row);
        hash.add_number(film.timeline().time(frame));
        for column in &columns {
            hash.add_number(row[*column as usize]);
        }
    }
    hash.0
}

fn pixels(film: &Film) -> Result<u64, Error> {
    let studio = film.studio(&Look {
        scale: SCALE,
        ..Look::default()
    })?;
    let mut hash = Fnv::new();
    for frame in frames(film) {
        hash.add(&studio.frame(frame).bytes);
    }
    Ok(hash.0)
}

/// An FNV-1a hash that grows.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(FNV_START)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0 = fnv1a_after(self.0, bytes);
    }

    /// Little-endian bytes; −0 counts as 0, and what is not a number has one bit pattern.
    fn add_number(&mut self, number: f64) {
        self.add(&plain_bits(number).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn the_hash_is_the_published_one() {
        let of = |text: &str| {
            let mut hash = Fnv::new();
            hash.add(text.as_bytes());
            hash.0
        };
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn zeros_and_nans_have_one_form() {
        let of = |number: f64| {
            let mut hash = Fnv::new();
            hash.add_number(number);
            hash.0
        };
        assert_eq!(of(0.0), of(-0.0));
        assert_eq!(of(f64::NAN), of(-f64::NAN));
        assert_ne!(of(1.0), of(-1.0));
    }
}
