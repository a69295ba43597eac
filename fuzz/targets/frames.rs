//! Bytes → a spec that is nearly right → a few small frames.

#![no_main]

use hazumi::encode::{Clock, Effort, Movie, Watch, Writer, format};
use hazumi::film::{Film, Look};
use hazumi::limits::{Limit, Limits};
use hazumi::load::Animation;
use hazumi_fuzz::mutation;
use hazumi_fuzz::seeds::Seeds;
use hazumi_fuzz::{in_time, parse, parse_within};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;
use std::sync::LazyLock;

static SEEDS: LazyLock<Seeds> = LazyLock::new(Seeds::read);

/// Longest side of a drawn frame, px.
const SIDE: f64 = 64.0;
/// Most frames of a film.
const FRAMES: usize = 4;
/// Most items of a list.
const ITEMS: usize = 24;
/// One input in so many is read as it is, too.
const WHOLE: usize = 16;

fuzz_target!(init: LazyLock::force(&SEEDS), |bytes: &[u8]| -> Corpus {
    let mut spec = mutation::spec(&SEEDS, bytes);
    // What a find stands for.
    if std::env::var_os("HAZUMI_FUZZ_PRINT").is_some() {
        println!("{spec:#}");
    }
    // Whether it can be read as it is, too: now and then, since that takes much longer.
    if bytes.len().is_multiple_of(WHOLE) {
        in_time("reading", || parse(&spec.to_string()));
    }
    tighten("", &mut spec);
    let text = spec.to_string();
    if let Some(animation) = in_time("reading what is small", || parse_within(&text, tight())) {
        play(&animation);
    }
    Corpus::Keep
});

/// Little enough of everything for hundreds of specs a second.
fn tight() -> Limits {
    let mut limits = Limits::default();
    for (limit, most) in [
        (Limit::Work, 20_000_000),
        (Limit::Paint, 20_000_000),
        (Limit::Pixels, 1 << 16),
        (Limit::Frames, 500),
        (Limit::Memory, 64 << 20),
        (Limit::Instances, 100),
        (Limit::Shapes, 2_000),
        (Limit::Segments, 20_000),
        (Limit::Dashes, 500),
    ] {
        limits.set(limit, most).expect("less than usual");
    }
    limits
}

/// Makes it small, so that many can be tried.
fn tighten(name: &str, value: &mut Value) {
    match value {
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(key, value)| tighten(key, value)),
        Value::Array(items) => {
            items.truncate(ITEMS);
            items.iter_mut().for_each(|item| tighten(name, item));
        }
        Value::Number(number) => {
            let most = match name {
                "size" => 240.0,
                "duration" => 1.5,
                "frames" | "fps" => 30.0,
                "substeps" | "iterations" => 4.0,
                "count" | "points" | "columns" | "rows" => 12.0,
                "cycles" | "times" => 6.0,
                _ => return,
            };
            if number.as_f64().is_some_and(|number| number > most) {
                *value = most.into();
            }
        }
        _ => {}
    }
}

fn play(animation: &Animation) {
    let frames = animation.frames().min(FRAMES);
    let film = in_time("simulating", || animation.simulate_range(0..frames));
    let film = match film {
        Ok(film) => film,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let _ = film.warnings().to_string();
    if animation.frames() <= 12 * FRAMES
        && let Ok(film) = in_time("simulating for claims", || animation.simulate_plain())
    {
        in_time("judging", || film.judge());
        film.seam();
    }
    in_time("drawing and writing", || draw(&film, animation));
}

fn draw(film: &Film, animation: &Animation) {
    let clock = &animation.scene().clock;
    let mut look = Look::default();
    look.scale = (SIDE / clock.width.max(clock.height)).min(1.0);
    look.theme = animation.themes().last().cloned();
    let Ok(studio) = film.studio(&look) else {
        return;
    };
    let draw = |frame: usize, canvas: &mut hazumi::raster::Canvas| studio.draw(frame, canvas);
    let flat = studio.flat();
    let movie = Movie {
        opaque: studio.is_opaque(),
        flat: &flat,
        effort: Effort::Fast,
        ..Movie::new(
            studio.size(),
            film.frames(),
            Clock::per_second(film.fps()),
            &draw,
        )
    };
    for name in ["gif", "apng"] {
        let mut bytes = Vec::new();
        let Some(Writer::File(write)) = format(name).map(|format| format.writer) else {
            unreachable!("there is a writer of {name}")
        };
        // A delay that a format cannot hold is refused.
        let _ = write(&movie, Watch::default(), &mut bytes);
    }
}
