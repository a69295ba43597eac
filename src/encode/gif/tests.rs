//! GIFs written and read back.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::encode::Effort;
use crate::encode::runs;
use crate::encode::testing::*;
use crate::raster::Canvas;
use proptest::prelude::*;

const PAPER: [u8; 4] = [250, 248, 240, 255];
const CLEAR: [u8; 4] = [0; 4];

fn gif(movie: &Movie) -> Vec<u8> {
    bytes(&FORMAT, movie).unwrap()
}

/// The frames as a GIF shows them at best, equal neighbours merged.
fn expected(movie: &Movie) -> Vec<Still> {
    let mut stills: Vec<Still> = Vec::new();
    let mut pixels = Canvas::new(movie.width, movie.height);
    for frame in 0..movie.frames {
        (movie.draw)(frame, &mut pixels);
        let delay = movie.clock.delay(frame) as u16;
        let shown: Vec<u8> = pixels
            .bytes
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|&pixel| runs::over(pixel, movie.matte).to_be_bytes())
            .collect();
        match stills.last_mut() {
            Some(last) if last.0 == shown => last.1 += delay,
            _ => stills.push((shown, delay)),
        }
    }
    stills
}

/// The largest difference of any channel, alpha too; the delays must be equal.
fn worst_error(movie: &Movie, file: &[u8]) -> u8 {
    let (wanted, found) = (expected(movie), play(file));
    assert_eq!(delays(&wanted), delays(&found));
    let pairs = wanted
        .iter()
        .zip(&found)
        .flat_map(|(a, b)| a.0.iter().zip(&b.0));
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

fn delays(stills: &[Still]) -> Vec<u16> {
    stills.iter().map(|still| still.1).collect()
}

fn few_colours(frame: usize, pixels: &mut Canvas) {
    fill(pixels, PAPER);
    balls(frame, 24, pixels, 3);
}

fn many_colours(frame: usize, pixels: &mut Canvas) {
    fill(pixels, PAPER);
    balls(frame, 24, pixels, 8);
}

fn on_nothing(frame: usize, pixels: &mut Canvas) {
    fill(pixels, CLEAR);
    balls(frame, 24, pixels, 3);
}

/// Frames of three columns of one colour each: `.` is clear, letters are colours.
fn stripes<'a>(frames: &'a [&'a str]) -> impl Fn(usize, &mut Canvas) + Sync + 'a {
    move |frame, pixels| {
        let columns = frames[frame].as_bytes();
        let width = pixels.width as usize;
        for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
            let column = columns[i % width * columns.len() / width];
            pixel.copy_from_slice(&match column {
                b'.' => CLEAR,
                letter => [letter, letter / 2, 255 - letter, 255],
            });
        }
    }
}

#[test]
fn few_colours_are_exact() {
    let movie = movie((120, 90), 24, true, &few_colours);
    assert_eq!(worst_error(&movie, &gif(&movie)), 0);
}

#[test]
fn many_colours_are_close_and_pinned_ones_exact() {
    let mut movie = movie((240, 180), 24, true, &many_colours);
    let flat: Vec<[u8; 4]> = std::iter::once(PAPER).chain(VIVID).collect();
    movie.flat = &flat;
    let file = gif(&movie);
    let error = worst_error(&movie, &file);
    assert!(error <= 9, "{error}");
    for (wanted, found) in expected(&movie).iter().zip(&play(&file)) {
        let pairs = wanted.0.chunks_exact(4).zip(found.0.chunks_exact(4));
        for (wanted, found) in pairs.filter(|(wanted, _)| flat.iter().any(|f| f == wanted)) {
            assert_eq!(wanted, found);
        }
    }
}

#[test]
fn a_gradient_that_fills_the_histogram_is_close() {
    let draw = |frame: usize, pixels: &mut Canvas| {
        let width = pixels.width as usize;
        for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
            let (x, y) = (i % width, i / width);
            pixel.copy_from_slice(&[x as u8, y as u8, ((x + y) / 4 + 40 * frame) as u8, 255]);
        }
    };
    let movie = movie((256, 256), 2, true, &draw);
    let error = worst_error(&movie, &gif(&movie));
    assert!(error <= 17, "{error}");
}

#[test]
fn transparent_movies_clear_what_vanishes() {
    let movie = movie((120, 90), 24, false, &on_nothing);
    assert_eq!(worst_error(&movie, &gif(&movie)), 0);
}

#[test]
fn every_way_to_appear_and_vanish() {
    for frames in [
        &["abc", "ab.", ".b.", ".b.", "...", "..."][..],
        &["...", "a..", "ab.", "abc", "abc", "..c"],
        &["a..", ".a.", "..a", "..."],
        &["a..", "ab.", ".bc", ".bc", ".bd", "aaa", ".aa"],
        &["..."],
        &["...", "..."],
    ] {
        let draw = stripes(frames);
        let movie = movie((9, 4), frames.len(), false, &draw);
        assert_eq!(worst_error(&movie, &gif(&movie)), 0, "{frames:?}");
    }
}

#[test]
fn half_clear_pixels_are_blended_over_the_matte() {
    let draw = |frame: usize, pixels: &mut Canvas| {
        fill(pixels, CLEAR);
        circle(pixels, (8.0 + frame as f64, 8.0), 5.0, [200, 30, 40, 160]);
    };
    let mut movie = movie((20, 16), 4, false, &draw);
    movie.matte = [20, 30, 200];
    assert_eq!(worst_error(&movie, &gif(&movie)), 0);
}

#[test]
fn equal_frames_merge_and_time_adds_up() {
    let frames = ["ab", "ab", "ab", "cb", "ab", "ab"];
    let draw = stripes(&frames);
    let mut movie = movie((8, 2), 6, true, &draw);
    let stills = play(&gif(&movie));
    assert_eq!(delays(&stills), [10, 3, 7]);
    movie.hold = Some(150);
    assert_eq!(delays(&play(&gif(&movie))), [10, 3, 3 + 150]);
}

#[test]
fn a_very_long_delay_is_split() {
    let frames = ["ab.", "a.b"];
    for (opaque, hold, parts) in [
        (false, 65_535, vec![65_535]),
        (false, 65_536, vec![65_534, 2]),
        (false, 200_000, vec![65_535, 65_535, 65_535, 3_395]),
        (true, 131_071, vec![65_535, 65_534, 2]),
    ] {
        let draw = stripes(&frames);
        let mut movie = movie((9, 2), 2, opaque, &draw);
        movie.hold = Some(hold);
        let stills = play(&gif(&movie));
        assert_eq!(delays(&stills)[1..], parts);
        assert!(stills[1..].iter().all(|still| still.0 == stills[1].0));
    }
}

#[test]
fn a_long_frame_that_is_cleared_is_cleared_at_its_end() {
    let frames = ["ab.", "..b"];
    let draw = stripes(&frames);
    let mut movie = movie((9, 2), 2, false, &draw);
    movie.clock = crate::encode::Clock::per_second(0.001);
    let stills = play(&gif(&movie));
    assert_eq!(delays(&stills), [65_535, 34_465, 65_535, 34_465]);
    assert_eq!(stills[0].0, stills[1].0);
    assert_eq!(stills[2].0[..12], [0; 12]);
}

#[test]
fn plays_are_repetitions_after_the_first() {
    let draw = stripes(&["ab"]);
    let mut movie = movie((4, 4), 1, true, &draw);
    for (plays, repeat) in [
        (Plays::Forever, Repeat::Infinite),
        (Plays::Times(1), Repeat::Finite(0)),
        (Plays::Times(3), Repeat::Finite(2)),
    ] {
        movie.plays = plays;
        let file = gif(&movie);
        let mut decoder = ::gif::DecodeOptions::new().read_info(&file[..]).unwrap();
        decoder.read_next_frame().unwrap();
        assert_eq!(decoder.repeat(), repeat);
        let netscape = file.windows(8).any(|window| window == b"NETSCAPE");
        assert_eq!(netscape, plays != Plays::Times(1));
    }
}

#[test]
fn the_palette_is_no_larger_than_it_must_be() {
    for (columns, entries) in [("a", 2), ("abc", 4), ("abcd", 8), ("abcdefg", 8)] {
        let frames = [columns];
        let draw = stripes(&frames);
        let file = gif(&movie((21, 1), 1, true, &draw));
        assert_eq!(2 << (file[10] & 7), entries);
    }
}

#[test]
fn bytes_are_equal_at_any_number_of_threads() {
    let draw = |scene: usize, frame: usize, pixels: &mut Canvas| match scene {
        0 => few_colours(frame, pixels),
        1 => many_colours(frame, pixels),
        _ => on_nothing(frame, pixels),
    };
    for scene in 0..3 {
        let draw = |frame: usize, pixels: &mut Canvas| draw(scene, frame, pixels);
        let files = [1, 2, 8]
            .map(|threads| on_threads(threads, || gif(&movie((60, 45), 24, scene < 2, &draw))));
        assert!(files[0] == files[1] && files[0] == files[2]);
    }
}

#[test]
fn frames_that_find_no_room_are_drawn_again_to_the_same_bytes() {
    let drawn = AtomicUsize::new(0);
    let draw = |frame: usize, pixels: &mut Canvas| {
        drawn.fetch_add(1, Ordering::Relaxed);
        many_colours(frame, pixels);
    };
    let movie = movie((60, 45), 24, true, &draw);
    let mut files = [survey::ROOM, 5_000, 0].map(|room| {
        let before = drawn.load(Ordering::Relaxed);
        let mut out = Vec::new();
        write_with(&movie, Watch::default(), &mut out, room).unwrap();
        (drawn.load(Ordering::Relaxed) - before, out)
    });
    assert_eq!(files[0].0, 24);
    assert!(files[1].0 > 24 && files[1].0 < 48);
    assert_eq!(files[2].0, 48);
    let first = std::mem::take(&mut files[0].1);
    assert!(files[1..].iter().all(|file| file.1 == first));
}

#[test]
fn a_canvas_too_large_is_refused_before_it_is_drawn() {
    let draw = |_: usize, _: &mut Canvas| panic!("nothing to draw");
    let stop = bytes(&FORMAT, &movie((65_536, 1), 1, true, &draw)).unwrap_err();
    assert!(
        matches!(&stop, Stop::Unsuitable(why) if why.contains("65536 × 1")),
        "{stop}"
    );
}

#[test]
fn every_error_of_the_writer_is_told() {
    let movie = movie((30, 20), 6, true, &few_colours);
    let whole = gif(&movie);
    for limit in 0..whole.len() {
        let mut out = Failing::after(limit, Vec::new());
        let result = write(&movie, Watch::default(), &mut out);
        assert!(matches!(result, Err(Stop::Io(_))), "byte {limit}");
    }
    let mut out = Failing::after(whole.len(), Vec::new());
    write(&movie, Watch::default(), &mut out).unwrap();
    assert_eq!(out.inner, whole);
}

/// A square of colours that drift a little with every frame.
fn gradient(frame: usize, pixels: &mut Canvas) {
    let width = pixels.width as usize;
    for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
        let (x, y) = (i % width, i / width);
        pixel.copy_from_slice(&[(4 * x) as u8, (4 * y) as u8, (8 * frame) as u8, 255]);
    }
}

/// A square of few colours each time, many over all frames.
fn changing(frame: usize, pixels: &mut Canvas) {
    fill(pixels, PAPER);
    let width = pixels.width as usize;
    for (i, pixel) in pixels.bytes.chunks_exact_mut(4).enumerate() {
        let (x, y) = (i % width, i / width);
        if (4..20).contains(&x) && (4 + frame..10 + frame).contains(&y) {
            pixel.copy_from_slice(&[
                (8 * x) as u8,
                (9 * (y - frame)) as u8,
                (20 * frame) as u8,
                255,
            ]);
        }
    }
}

fn in_colours<'a>(movie: Movie<'a>, gif: GifColours) -> Movie<'a> {
    Movie { gif, ..movie }
}

#[test]
fn every_effort_shows_the_same() {
    for (opaque, draw) in [
        (true, few_colours as fn(usize, &mut Canvas)),
        (false, on_nothing),
    ] {
        let sizes = [Effort::Fast, Effort::Usual, Effort::Max].map(|effort| {
            let movie = Movie {
                effort,
                ..movie((120, 90), 24, opaque, &draw)
            };
            let file = gif(&movie);
            assert_eq!(worst_error(&movie, &file), 0, "{effort:?}");
            file.len()
        });
        assert!(sizes[1] <= sizes[0] && sizes[2] <= sizes[1], "{sizes:?}");
    }
}

#[test]
fn lossless_frames_have_palettes_of_their_own() {
    let plain = movie((32, 32), 12, true, &changing);
    assert!(worst_error(&plain, &gif(&plain)) > 0);
    let movie = in_colours(plain, GifColours::Lossless);
    for effort in [Effort::Fast, Effort::Usual, Effort::Max] {
        let movie = Movie { effort, ..movie };
        assert_eq!(worst_error(&movie, &gif(&movie)), 0);
    }
}

#[test]
fn lossless_frames_may_be_clear() {
    let draw = |frame: usize, pixels: &mut Canvas| {
        changing(frame, pixels);
        for pixel in pixels
            .bytes
            .chunks_exact_mut(4)
            .filter(|pixel| pixel[..3] == PAPER[..3])
        {
            pixel.copy_from_slice(&CLEAR);
        }
    };
    let movie = in_colours(movie((32, 32), 12, false, &draw), GifColours::Lossless);
    assert_eq!(worst_error(&movie, &gif(&movie)), 0);
}

#[test]
fn a_frame_that_cannot_be_lossless_is_named() {
    let draw = |frame: usize, pixels: &mut Canvas| match frame {
        0..3 => changing(frame, pixels),
        _ => gradient(frame, pixels),
    };
    let movie = in_colours(movie((32, 32), 6, true, &draw), GifColours::Lossless);
    let stop = bytes(&FORMAT, &movie).unwrap_err().to_string();
    assert!(
        stop.contains("frame 3") && stop.contains("--format apng"),
        "{stop}"
    );
}

#[test]
fn errors_are_within_what_was_asked() {
    let plain = movie((120, 90), 12, true, &many_colours);
    for most in [8, 24] {
        let movie = in_colours(
            movie((120, 90), 12, true, &many_colours),
            GifColours::Within(most),
        );
        let file = gif(&movie);
        assert!(worst_error(&movie, &file) <= most);
        assert!(file.len() < gif(&plain).len());
    }
}

#[test]
fn colours_are_as_many_as_asked() {
    for most in [2, 3, 16, 100] {
        let gif_colours = GifColours::Best {
            most,
            dither: false,
        };
        let file = gif(&in_colours(
            movie((32, 32), 4, true, &gradient),
            gif_colours,
        ));
        let stills = play(&file);
        let mut colours: Vec<[u8; 4]> = stills
            .iter()
            .flat_map(|still| still.0.as_chunks::<4>().0.to_vec())
            .collect();
        colours.sort_unstable();
        colours.dedup();
        assert!(colours.len() <= usize::from(most), "{most}");
        assert!(file[10] & 7 == most.ilog2() as u8, "table for {most}");
    }
}

#[test]
fn dots_come_nearer_on_average() {
    let average_error = |dither: bool| {
        let movie = in_colours(
            movie((32, 32), 1, true, &gradient),
            GifColours::Best { most: 16, dither },
        );
        let (wanted, found) = (expected(&movie), play(&gif(&movie)));
        // Over squares of the pattern's size.
        let sum = |still: &[u8], square: usize, channel: usize| -> i32 {
            let place = |i: usize| (square / 8 * 4 + i / 4) * 32 + square % 8 * 4 + i % 4;
            (0..16)
                .map(|i| i32::from(still[place(i) * 4 + channel]))
                .sum()
        };
        let squares = (0..64).flat_map(|square| [(square, 0), (square, 1)]);
        squares
            .map(|(square, channel)| {
                sum(&wanted[0].0, square, channel).abs_diff(sum(&found[0].0, square, channel))
            })
            .sum::<u32>()
    };
    let (dots, plain) = (average_error(true), average_error(false));
    assert!(3 * dots < 2 * plain, "{dots} {plain}");
}

#[test]
fn a_file_is_within_its_limit_or_there_is_none() {
    let movie = movie((30, 20), 6, true, &few_colours);
    let size = gif(&movie).len() as u64;
    let file = within(&movie, Watch::default(), size).unwrap();
    assert_eq!(file.map(|file| file.len() as u64), Some(size));
    for less in (0..size).step_by(7).chain([size - 1]) {
        let file = within(&movie, Watch::default(), less).unwrap();
        assert!(file.is_none(), "{less} of {size}");
    }
}

proptest! {
    #[test]
    fn random_stripes(frames in prop::collection::vec("[.ab]{4}", 1..9), opaque: bool) {
        let frames: Vec<String> = frames
            .iter()
            .map(|frame| if opaque { frame.replace('.', "c") } else { frame.clone() })
            .collect();
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let draw = stripes(&frames);
        let movie = movie((8, 3), frames.len(), opaque, &draw);
        prop_assert_eq!(worst_error(&movie, &gif(&movie)), 0);
    }
}
