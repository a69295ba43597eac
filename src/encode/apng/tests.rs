//! APNGs written and read back.

use super::*;
use crate::encode::testing::*;
use crate::raster::Canvas;
use proptest::prelude::*;
use std::ops::Range;

/// A frame as shown, straight RGBA, and its delay.
type Shot = (Vec<u8>, Delay);

fn apng(movie: &Movie, options: &ApngOptions) -> Vec<u8> {
    let mut out = Vec::new();
    write(movie, options, Watch::default(), &mut out).unwrap();
    out
}

fn options(level: Level, merge: bool) -> ApngOptions {
    ApngOptions {
        level,
        merge,
        chunks: Vec::new(),
    }
}

fn decoder(file: &[u8]) -> ::png::Reader<io::Cursor<&[u8]>> {
    let mut decoder = ::png::Decoder::new(io::Cursor::new(file));
    decoder.set_transformations(
        ::png::Transformations::normalize_to_color8() | ::png::Transformations::ALPHA,
    );
    decoder.read_info().unwrap()
}

/// Reads a file as a player does.
fn play(file: &[u8]) -> Vec<Shot> {
    let mut reader = decoder(file);
    let width = reader.info().width as usize;
    let mut canvas = vec![0; width * reader.info().height as usize * 4];
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let mut shots = Vec::new();
    for _ in 0..reader.info().animation_control.unwrap().num_frames {
        reader.next_frame(&mut buffer).unwrap();
        let frame = *reader.info().frame_control().unwrap();
        assert_eq!(frame.dispose_op, ::png::DisposeOp::None);
        let line = frame.width as usize * 4;
        for (y, row) in buffer
            .chunks_exact(line)
            .take(frame.height as usize)
            .enumerate()
        {
            let at = ((frame.y_offset as usize + y) * width + frame.x_offset as usize) * 4;
            let pixels = canvas[at..][..line].chunks_exact_mut(4);
            for (below, pixel) in pixels.zip(row.chunks_exact(4)) {
                match (frame.blend_op, pixel[3]) {
                    (::png::BlendOp::Source, _) | (_, 255) => below.copy_from_slice(pixel),
                    (::png::BlendOp::Over, alpha) => assert_eq!(alpha, 0, "never mixed"),
                }
            }
        }
        shots.push((canvas.clone(), (frame.delay_num, frame.delay_den)));
    }
    shots
}

/// The frames of a movie as they must be shown.
fn drawn(movie: &Movie) -> Vec<Vec<u8>> {
    let mut pixels = Canvas::new(movie.width, movie.height);
    let draw = |frame| {
        (movie.draw)(frame, &mut pixels);
        let pixels = pixels.bytes.as_chunks::<4>().0.iter();
        pixels
            .flat_map(|&pixel| runs::straight(pixel).to_be_bytes())
            .collect()
    };
    (0..movie.frames).map(draw).collect()
}

fn milliseconds((above, below): Delay) -> usize {
    usize::from(above) * 1000 / usize::from(below)
}

/// Every frame and every delay must come back, with and without merging, at all levels.
fn exact(movie: &Movie) {
    let wanted = drawn(movie);
    for level in [Level::Fast, Level::Small, Level::Smallest] {
        let all = play(&apng(movie, &options(level, false)));
        assert!(all.iter().map(|shot| &shot.0).eq(&wanted));
        assert!(
            all.iter()
                .all(|shot| [33, 34].contains(&milliseconds(shot.1)))
        );
        let merged = play(&apng(movie, &options(level, true)));
        let mut distinct = wanted.clone();
        distinct.dedup();
        assert!(merged.iter().map(|shot| &shot.0).eq(&distinct));
        let time: usize = merged.iter().map(|shot| milliseconds(shot.1)).sum();
        assert_eq!(time, wanted.len() * 1000 / 30);
    }
}

fn colour_type(file: &[u8]) -> ::png::ColorType {
    let mut decoder = ::png::Decoder::new(io::Cursor::new(file));
    decoder.read_header_info().unwrap().color_type
}

const PAPER: [u8; 4] = [250, 248, 240, 255];

fn scene(frame: usize, pixels: &mut Canvas, background: [u8; 4], colours: usize) {
    fill(pixels, background);
    balls(frame, 12, pixels, colours);
}

/// A gradient of so many colours below the balls.
fn gradient(pixels: &mut Canvas, rows: Range<usize>, alpha: u8) {
    let width = pixels.width as usize;
    for y in rows {
        for x in 0..width {
            let channel = |c: usize| (c * usize::from(alpha) / 255) as u8;
            let bytes = [channel(x * 3), channel(y * 5), channel(40), alpha];
            pixels.bytes[(y * width + x) * 4..][..4].copy_from_slice(&bytes);
        }
    }
}

#[test]
fn every_layout_comes_back_exactly() {
    let few = |frame: usize, pixels: &mut Canvas| scene(frame, pixels, PAPER, 3);
    let clear = |frame: usize, pixels: &mut Canvas| scene(frame, pixels, [0; 4], 3);
    let rgb = |frame: usize, pixels: &mut Canvas| {
        scene(frame, pixels, PAPER, 8);
        gradient(pixels, 0..20, 255);
    };
    let rgba = |frame: usize, pixels: &mut Canvas| {
        scene(frame, pixels, [0; 4], 8);
        gradient(pixels, 0..20, 180);
    };
    let size = (80, 60);
    for (movie, kind) in [
        (movie(size, 12, true, &few), ::png::ColorType::Indexed),
        (movie(size, 12, false, &clear), ::png::ColorType::Indexed),
        (movie(size, 12, true, &rgb), ::png::ColorType::Rgb),
        (movie(size, 12, false, &rgb), ::png::ColorType::Rgb),
        (movie(size, 12, false, &rgba), ::png::ColorType::Rgba),
    ] {
        exact(&movie);
        assert_eq!(colour_type(&apng(&movie, &ApngOptions::default())), kind);
    }
}

/// Frames of four columns: `.` is clear, capitals are half clear, other letters opaque.
fn stripes<'a>(frames: &'a [&'a str]) -> impl Fn(usize, &mut Canvas) + Sync + 'a {
    move |frame, pixels| {
        let columns = frames[frame].as_bytes();
        let width = pixels.width as usize;
        for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
            let letter = columns[i % width * columns.len() / width];
            pixel.copy_from_slice(&match letter {
                b'.' => [0; 4],
                b'A'..=b'Z' => [letter - 50, 3, 9, 120],
                _ => [letter, letter / 2, 255 - letter, 255],
            });
        }
    }
}

#[test]
fn equal_frames_merge_only_when_they_may() {
    let frames = ["ab", "ab", "ab", "cb", "ab", "ab"];
    let draw = stripes(&frames);
    let mut movie = movie((8, 2), 6, true, &draw);
    movie.hold = Some(150);
    let delays = |merge: bool| -> Vec<Delay> {
        let file = apng(&movie, &options(Level::Fast, merge));
        play(&file).iter().map(|shot| shot.1).collect()
    };
    assert_eq!(delays(true), [(1, 10), (33, 1000), (1533, 1000)]);
    let (short, long) = ((33, 1000), (17, 500));
    assert_eq!(delays(false), [short, short, long, short, short, (3, 2)]);
}

#[test]
fn a_very_long_delay_is_split() {
    let frames = ["ab.", "a.B"];
    let draw = stripes(&frames);
    let mut movie = movie((9, 2), 2, false, &draw);
    movie.hold = Some(200_001);
    let shots = play(&apng(&movie, &ApngOptions::default()));
    assert_eq!(shots.len(), 1 + 31);
    let held: usize = shots[1..].iter().map(|shot| milliseconds(shot.1)).sum();
    assert_eq!(held, 2_000_010);
    assert!(shots[1..].iter().all(|shot| shot.0 == shots[1].0));
}

#[test]
fn a_full_palette_has_no_hole() {
    for (colours, hole) in [(255, true), (256, false)] {
        let draw = |frame: usize, pixels: &mut Canvas| {
            for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
                pixel.copy_from_slice(&[((i + frame * (i % 2)) % colours) as u8, 7, 9, 255]);
            }
        };
        let movie = movie((32, 16), 3, true, &draw);
        exact(&movie);
        let file = apng(&movie, &ApngOptions::default());
        assert_eq!(file.windows(4).any(|window| window == b"tRNS"), hole);
    }
}

#[test]
fn plays_and_chunks_are_written() {
    let draw = stripes(&["ab"]);
    let mut movie = movie((4, 4), 1, true, &draw);
    let options = ApngOptions {
        chunks: vec![Chunk::ancillary(*b"haZu", b"hello".to_vec()).unwrap()],
        ..ApngOptions::default()
    };
    for (plays, count) in [
        (Plays::Forever, 0),
        (Plays::Times(1), 1),
        (Plays::Times(3), 3),
    ] {
        movie.plays = plays;
        let file = apng(&movie, &options);
        let control = decoder(&file).info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (1, count));
        let found = |name: &[u8]| file.windows(name.len()).position(|w| w == name).unwrap();
        assert!(found(b"haZuhello") < found(b"IDAT"));
    }
}

#[test]
fn bytes_are_equal_at_any_number_of_threads_and_any_room() {
    let draw = |frame: usize, pixels: &mut Canvas| scene(frame, pixels, [0; 4], 12);
    let movie = movie((60, 45), 24, false, &draw);
    let of = |room: usize| {
        let (mut out, options) = (Vec::new(), ApngOptions::default());
        write_with(&movie, &options, Watch::default(), &mut out, room).unwrap();
        out
    };
    let one = on_threads(1, || of(survey::ROOM));
    for threads in [2, 8] {
        assert!(one == on_threads(threads, || of(survey::ROOM)));
    }
    assert!(one == of(5_000) && one == of(0));
}

#[test]
fn every_error_of_the_writer_is_told() {
    let draw = |frame: usize, pixels: &mut Canvas| scene(frame, pixels, PAPER, 3);
    let movie = movie((30, 20), 4, true, &draw);
    let whole = apng(&movie, &ApngOptions::default());
    for limit in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        let mut out = Failing::after(limit, Vec::new());
        let result = write(&movie, &ApngOptions::default(), Watch::default(), &mut out);
        assert!(matches!(result, Err(Stop::Io(_))), "byte {limit}");
    }
}

proptest! {
    #[test]
    fn random_stripes(frames in prop::collection::vec("[.abAB]{4}", 1..9)) {
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let draw = stripes(&frames);
        exact(&movie((8, 3), frames.len(), false, &draw));
    }
}
