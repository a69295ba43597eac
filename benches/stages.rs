//! What the stages cost for every example: simulate, draw, encode.
//!
//! Each works on 24 frames at full size in one thread, so that examples can be compared with one another;
//! the figures in frames per second are what to look at.

#[path = "../tests/suite/specs.rs"]
mod specs;

#[path = "../tests/suite/large.rs"]
mod large;

mod bodies;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use hazumi::encode::{self, Clock, Format, Movie, Watch, Writer};
use hazumi::film::{Film, Look};
use hazumi::load::{Animation, Choices};
use hazumi::pixels::Pixels;
use hazumi::raster::Canvas;

/// Frames that are drawn and encoded, from the start.
const FRAMES: usize = 24;

fn main() {
    // The stages share the pool in force; the first to build it decides its size.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global();
    pool.expect("no pool before this one");
    divan::main();
}

fn first_frames(animation: &Animation) -> Film<'_> {
    let range = 0..FRAMES.min(animation.frames());
    animation.simulate_range(range).expect("numbers in range")
}

/// From the text of the spec to the scene.
#[divan::bench(args = specs::names(), sample_count = 20)]
fn load(bencher: Bencher, name: &str) {
    bencher.bench(|| specs::open(name));
}

/// A spec of 100 kB with some hundred channels and marks, from its text to the scene.
#[divan::bench(sample_count = 50)]
fn compile(bencher: Bencher) {
    let text = large::spec(100_000);
    let count = BytesCount::of_str(&text);
    bencher.counter(count).bench(
        || match Animation::parse("large", &text, &Choices::default()) {
            Ok(animation) => animation.frames(),
            Err(error) => panic!("{error}"),
        },
    );
}

/// Every frame of the spec, and whether all its numbers can be drawn.
#[divan::bench(args = specs::names(), sample_count = 20)]
fn simulate(bencher: Bencher, name: &str) {
    let animation = specs::open(name);
    let count = ItemsCount::new(animation.frames());
    bencher
        .counter(count)
        .bench(|| animation.simulate().expect("numbers in range").frames());
}

/// A body by itself, at a size and at twice that: bodies cost in proportion to their points.
#[divan::bench(args = bodies::ALL, sample_count = 10)]
fn body(bencher: Bencher, case: &bodies::Case) {
    let text = case.spec();
    let animation = Animation::parse("body", &text, &Choices::default()).expect("a spec");
    bencher
        .counter(ItemsCount::new(animation.frames() * case.points))
        .bench(|| animation.simulate().expect("numbers in range").frames());
}

/// Numbers to pixels.
#[divan::bench(args = specs::names(), sample_count = 20)]
fn draw(bencher: Bencher, name: &str) {
    let animation = specs::open(name);
    let film = first_frames(&animation);
    let studio = film.studio(&Look::default()).expect("a size in range");
    let mut pixels = studio.frame(0);
    bencher
        .counter(ItemsCount::new(film.frames()))
        .bench_local(|| {
            for frame in 0..film.frames() {
                studio.draw(frame, &mut pixels);
            }
        });
}

/// Pixels to a GIF.
#[divan::bench(args = specs::names(), sample_count = 10)]
fn encode_gif(bencher: Bencher, name: &str) {
    encode(bencher, name, "gif");
}

/// Pixels to a PNG sequence.
#[divan::bench(args = specs::names(), sample_count = 10)]
fn encode_png(bencher: Bencher, name: &str) {
    encode(bencher, name, "png");
}

/// Frames are drawn beforehand, and copied when the encoder asks for them.
fn encode(bencher: Bencher, name: &str, format: &str) {
    let format = encode::format(format).expect("a format");
    let animation = specs::open(name);
    let film = first_frames(&animation);
    let studio = film.studio(&Look::default()).expect("a size in range");
    let frames: Vec<Pixels> = (0..film.frames())
        .map(|frame| studio.frame(frame))
        .collect();
    let draw =
        |frame: usize, pixels: &mut Canvas| pixels.bytes.copy_from_slice(&frames[frame].bytes);
    let flat = animation.scene().colours.table(0);
    let clock = Clock::per_second(film.fps().min(50.0));
    let movie = Movie {
        opaque: studio.is_opaque(),
        flat: &flat,
        ..Movie::new(studio.size(), frames.len(), clock, &draw)
    };
    bencher
        .counter(ItemsCount::new(frames.len()))
        .bench(|| write(format, &movie));
}

/// The number of bytes that a movie takes.
fn write(format: &Format, movie: &Movie) -> usize {
    let mut size = 0;
    let written = match format.writer {
        Writer::File(write) => {
            let mut bytes = Vec::new();
            let written = write(movie, Watch::default(), &mut bytes);
            size = bytes.len();
            written
        }
        Writer::Folder(write) => write(movie, Watch::default(), &mut |_, bytes| {
            size += bytes.len();
            Ok(())
        }),
    };
    written.expect("a movie that can be written");
    size
}
