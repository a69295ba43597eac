//! The same numbers and pixels on every machine and in every build: two hashes per example, of 24 frames
//! at half scale, compared with `golden/hashes.txt`.
//!
//! `HAZUMI_BLESS=1 cargo test --release hashes` writes the file anew.

use crate::specs;
use hazumi::film::{Film, Look};
use hazumi::scene::Scene;
use std::fmt::Write;
use std::path::Path;

/// Frames that are looked at, evenly spread.
const FRAMES: usize = 24;

/// FNV-1a, 64 bits (Fowler, Noll and Vo).
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Little-endian bytes; −0 counts as 0, and what is not a number has one bit pattern.
    fn add_number(&mut self, number: f64) {
        let plain = match number {
            n if n.is_nan() => f64::from_bits(0x7ff8_0000_0000_0000),
            n => n + 0.0,
        };
        self.add(&plain.to_bits().to_le_bytes());
    }
}

fn frames(film: &Film) -> impl Iterator<Item = usize> {
    let (count, all) = (FRAMES.min(film.frames()), film.frames());
    (0..count).map(move |i| i * all / count)
}

/// The rows: the time and every number that is drawn or claimed.
fn state(film: &Film, scene: &Scene) -> u64 {
    let mut columns = scene.drawn.clone();
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

fn pixels(film: &Film) -> u64 {
    let mut look = Look::default();
    look.scale = 0.5;
    let studio = film.studio(&look).expect("a size in range");
    let mut hash = Fnv::new();
    for frame in frames(film) {
        hash.add(&studio.frame(frame).bytes);
    }
    hash.0
}

fn line(name: &str) -> String {
    let animation = specs::open(name);
    let film = animation.simulate().expect("numbers in range");
    let (state, pixels) = (state(&film, animation.scene()), pixels(&film));
    format!("{name} {state:016x} {pixels:016x}")
}

const HEAD: &str = "# name, hash of the state, hash of the pixels\n";

#[test]
fn equal_the_published_ones() {
    let mut measured = String::from(HEAD);
    for name in specs::names() {
        let _ = writeln!(measured, "{}", line(&name));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hashes.txt");
    if std::env::var_os("HAZUMI_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &measured).expect("golden/hashes.txt can be written");
    }
    let published = std::fs::read_to_string(&path).expect("golden/hashes.txt can be read");
    assert_eq!(
        published, measured,
        "\nleft: golden/hashes.txt, right: this build; HAZUMI_BLESS=1 accepts it"
    );
}

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
