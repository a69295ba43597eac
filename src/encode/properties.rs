//! Any small animation, written in every way and read by decoders that are not ours: the pixels and the time
//! that each is shown come back.

use super::apng::{self, ApngOptions, Level};
use super::runs;
use super::testing::play as play_gif;
use super::{Clock, Effort, GifColours, Movie, Plays, Watch, Writer, format};
use crate::pixels::Pixels;
use crate::raster::Canvas;
use proptest::prelude::*;
use std::io::Cursor;

/// Straight RGBA of a frame.
type Shown = Vec<u8>;

/// Rectangles of a colour: left, top, width, height, index.
type Patches = Vec<(u32, u32, u32, u32, usize)>;

/// A small animation as patches that are painted over what stands there.
#[derive(Clone, Debug)]
struct Small {
    size: (u32, u32),
    colours: Vec<[u8; 4]>,
    /// What each frame adds; a frame may add nothing, or begin anew.
    frames: Vec<(bool, Patches)>,
    opaque: bool,
}

impl Small {
    fn pixels(&self) -> Vec<Pixels> {
        let (width, height) = self.size;
        let mut pixels = Pixels::new(width, height);
        let clear = |pixels: &mut Pixels| {
            let colour = if self.opaque {
                [250, 248, 240, 255]
            } else {
                [0; 4]
            };
            pixels.bytes.as_chunks_mut::<4>().0.fill(colour);
        };
        clear(&mut pixels);
        let frames = self.frames.iter().map(|(anew, patches)| {
            if *anew {
                clear(&mut pixels);
            }
            for (left, top, across, down, colour) in patches {
                let colour = self.colours[colour % self.colours.len()];
                for y in *top..(top + down).min(height) {
                    for x in *left..(left + across).min(width) {
                        let at = (y * width + x) as usize * 4;
                        pixels.bytes[at..at + 4].copy_from_slice(&colour);
                    }
                }
            }
            pixels.clone()
        });
        frames.collect()
    }
}

fn smalls(alpha: bool) -> impl Strategy<Value = Small> {
    let colour = (any::<[u8; 3]>(), any::<u8>());
    let opaque = if alpha {
        any::<bool>().boxed()
    } else {
        Just(true).boxed()
    };
    let patch = (0u32..20, 0u32..20, 1u32..12, 1u32..12, 0usize..300);
    let frame = (
        prop::bool::weighted(0.2),
        prop::collection::vec(patch, 0..5),
    );
    (
        (1u32..20, 1u32..20),
        prop::collection::vec(colour, 1..12),
        prop::collection::vec(frame, 1..10),
        opaque,
    )
        .prop_map(|(size, colours, frames, opaque)| Small {
            size,
            colours: colours
                .into_iter()
                .map(|([r, g, b], a)| {
                    if opaque {
                        [r, g, b, 255]
                    } else {
                        premultiplied([r, g, b, a])
                    }
                })
                .collect(),
            frames,
            opaque,
        })
}

fn premultiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let by = |channel: u8| (u32::from(channel) * u32::from(a) / 255) as u8;
    [by(r), by(g), by(b), a]
}

fn straight(pixels: &Pixels) -> Shown {
    let all = pixels.bytes.as_chunks::<4>().0.iter();
    all.flat_map(|pixel| runs::straight(*pixel).to_be_bytes())
        .collect()
}

fn rates() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 7.5, 12.0, 24.0, 25.0, 29.97, 30.0, 50.0])
}

fn efforts() -> impl Strategy<Value = Effort> {
    prop::sample::select(vec![Effort::Fast, Effort::Usual, Effort::Max])
}

/// A player of APNGs, by the letter of the specification. (PNG, third edition, 13.16.)
fn play_apng(file: &[u8]) -> Vec<(Shown, (u16, u16))> {
    let mut decoder = ::png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(
        ::png::Transformations::normalize_to_color8() | ::png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().unwrap();
    let (width, height) = reader.info().size();
    let mut canvas = vec![0; width as usize * height as usize * 4];
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let mut shown = Vec::new();
    for _ in 0..reader
        .info()
        .animation_control
        .map_or(1, |control| control.num_frames)
    {
        let info = reader.next_frame(&mut buffer).unwrap();
        let Some(control) = reader.info().frame_control else {
            return vec![(buffer[..canvas.len()].to_vec(), (0, 1))];
        };
        let before = canvas.clone();
        let place = (
            control.x_offset as usize,
            control.y_offset as usize,
            control.width as usize,
        );
        for (y, line) in buffer
            .chunks_exact(info.line_size)
            .take(info.height as usize)
            .enumerate()
        {
            for x in 0..place.2 {
                let over: [u8; 4] = match info.color_type {
                    ::png::ColorType::Rgba => line[x * 4..x * 4 + 4].try_into().unwrap(),
                    ::png::ColorType::GrayscaleAlpha => {
                        let grey = line[x * 2];
                        [grey, grey, grey, line[x * 2 + 1]]
                    }
                    other => panic!("{other:?}"),
                };
                let at = ((place.1 + y) * width as usize + place.0 + x) * 4;
                // Ours are either kept or replaced: nothing is ever mixed.
                if control.blend_op == ::png::BlendOp::Source || over[3] != 0 {
                    assert!(control.blend_op == ::png::BlendOp::Source || over[3] == 255);
                    canvas[at..at + 4].copy_from_slice(&over);
                }
            }
        }
        shown.push((canvas.clone(), (control.delay_num, control.delay_den)));
        match control.dispose_op {
            ::png::DisposeOp::None => {}
            ::png::DisposeOp::Previous => canvas = before,
            ::png::DisposeOp::Background => {
                for y in 0..control.height as usize {
                    let at = ((place.1 + y) * width as usize + place.0) * 4;
                    canvas[at..at + place.2 * 4].fill(0);
                }
            }
        }
    }
    shown
}

/// What is clear has no colour.
fn seen(shown: &[u8]) -> Shown {
    let pixels = shown.as_chunks::<4>().0.iter();
    pixels
        .flat_map(|pixel| if pixel[3] == 0 { [0; 4] } else { *pixel })
        .collect()
}

/// For each hundredth of a second, or another part, what is shown: so that merged frames count alike.
fn parts(shown: impl Iterator<Item = (Shown, u64)>) -> Vec<(Shown, u64)> {
    let mut parts: Vec<(Shown, u64)> = Vec::new();
    for (pixels, time) in shown {
        match parts.last_mut() {
            Some((last, sum)) if *last == pixels => *sum += time,
            _ => parts.push((pixels, time)),
        }
    }
    parts
}

/// Runs a check on a movie of these frames.
fn with_movie<T>(small: &Small, frames: &[Pixels], fps: f64, work: impl FnOnce(Movie) -> T) -> T {
    let draw = |frame: usize, canvas: &mut Canvas| canvas.clone_from(&frames[frame]);
    work(Movie {
        opaque: small.opaque,
        ..Movie::new(small.size, frames.len(), Clock::per_second(fps), &draw)
    })
}

fn written(name: &str, movie: &Movie) -> Vec<u8> {
    let Some(Writer::File(write)) = format(name).map(|format| format.writer) else {
        panic!("no format {name}");
    };
    let mut file = Vec::new();
    write(movie, Watch::default(), &mut file).unwrap();
    file
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_apng_shows_every_frame_for_its_time(
        small in smalls(true), fps in rates(), fast: bool, merge: bool,
    ) {
        let frames = small.pixels();
        let options = ApngOptions {
            level: if fast { Level::Fast } else { Level::Small },
            merge,
            chunks: Vec::new(),
        };
        let shown = with_movie(&small, &frames, fps, |movie| {
            let mut file = Vec::new();
            apng::write(&movie, &options, Watch::default(), &mut file).map(|()| play_apng(&file))
        });
        // Parts of a second of which all rates and delays are whole multiples.
        const MILLISECOND: f64 = 29_970.0;
        let part = |(above, below): (u16, u16)| u64::from(above) * 30_000 * 999 / u64::from(below);
        let wanted = parts(frames.iter().map(|pixels| (straight(pixels), 1)));
        let shown = parts(shown.unwrap().into_iter().map(|(pixels, delay)| (seen(&pixels), part(delay))));
        prop_assert_eq!(shown.len(), wanted.len());
        for ((pixels, time), (wanted, count)) in shown.iter().zip(&wanted) {
            prop_assert!(pixels == wanted);
            let right = *count as f64 * 30_000.0 * 999.0 / fps;
            prop_assert!(frames.len() == 1 || (*time as f64 - right).abs() <= MILLISECOND, "{time} for {right}");
        }
    }

    #[test]
    fn a_gif_of_few_colours_shows_every_frame_for_its_time(
        small in smalls(false), fps in rates(), effort in efforts(),
        colours in prop::sample::select(vec![
            GifColours::default(),
            GifColours::Lossless,
            GifColours::Within(0),
            GifColours::Best { most: 255, dither: true },
        ]),
        plays in prop::sample::select(vec![Plays::Forever, Plays::Times(1), Plays::Times(3)]),
    ) {
        let frames = small.pixels();
        let file = with_movie(&small, &frames, fps, |movie| {
            written("gif", &Movie { gif: colours, effort, plays, ..movie })
        });
        let clock = Clock::per_second(fps);
        let wanted = frames.iter().enumerate();
        let wanted = parts(wanted.map(|(frame, pixels)| (straight(pixels), clock.delay(frame).into())));
        let shown = play_gif(&file).into_iter();
        let shown = parts(shown.map(|(pixels, delay)| (pixels, delay.into())));
        prop_assert_eq!(shown.len(), wanted.len());
        for (shown, wanted) in shown.iter().zip(&wanted) {
            prop_assert!(shown.0 == wanted.0, "{:?} for {:?}", shown, wanted);
            prop_assert!(frames.len() == 1 || shown.1 == wanted.1, "{} for {}", shown.1, wanted.1);
        }
    }

    #[test]
    fn a_gif_with_alpha_is_clear_where_little_is_seen(
        small in smalls(true), effort in efforts(),
    ) {
        let frames = small.pixels();
        let file = with_movie(&small, &frames, 25.0, |movie| written("gif", &Movie { effort, ..movie }));
        let matte = [255; 3];
        let wanted = frames.iter().map(|pixels| {
            let pixels = pixels.bytes.as_chunks::<4>().0.iter();
            let shown = pixels.flat_map(|pixel| runs::over(*pixel, matte).to_be_bytes());
            (shown.collect::<Shown>(), 4)
        });
        let wanted = parts(wanted);
        let shown = parts(play_gif(&file).into_iter().map(|(pixels, delay)| (seen(&pixels), delay.into())));
        prop_assert_eq!(shown.len(), wanted.len());
        prop_assert!(shown.iter().zip(&wanted).all(|(shown, wanted)| shown.0 == wanted.0));
    }
}
