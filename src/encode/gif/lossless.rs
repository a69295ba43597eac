//! Exact frames of more colours than one palette holds: each that needs one has a palette of its own, of the
//! colours that change in it.

use super::delta::{self, Sent, Shift};
use super::palette::{Histogram, LARGEST, Palette};
use super::{Queue, TRANSPARENT, delay};
use crate::encode::pipeline::{self, Pass, Steps};
use crate::encode::runs::{self, CLEAR, Colour};
use crate::encode::survey::{Drawn, Scratch, Survey};
use crate::encode::{Movie, Stop};

/// The palette of the whole file: that of the first frame.
pub fn global(movie: &Movie, survey: &Survey) -> Result<Palette, Stop> {
    let mut scratch = Scratch::default();
    let mut histogram = Histogram::default();
    let counts = runs::count(survey.runs(movie, 0, &mut scratch));
    histogram.count(&counts);
    match histogram.is_exact() {
        true => Ok(Palette::of(&histogram, movie)),
        false => Err(too_many(0)),
    }
}

fn too_many(frame: usize) -> Stop {
    Stop::Unsuitable(format!(
        "frame {frame} changes to more than {LARGEST} colours, which no GIF can do without loss; an APNG is \
         exact (`--format apng`), or leave `--lossless` out"
    ))
}

/// The second pass, over frames that stay colours.
pub fn send(
    movie: &Movie,
    survey: &Survey,
    global: &Palette,
    steps: &mut Steps,
    queue: &mut Queue,
) -> Result<(), Stop> {
    let shown = &survey.shown;
    steps.advance(movie.frames - shown.len());
    let pass = Pass {
        new: Drawn::default,
        make: |i: usize, drawn: &mut Drawn| drawn.fill(movie, survey, shown[i].frames.start),
        encode: |i: usize, before: Option<&Drawn>, now: &Drawn| {
            let before = before.map(|before| &before.colours[..]);
            let shift = Shift::of(movie, shown, i, before, &now.colours, CLEAR);
            encode(&shift, global).ok_or(shown[i].frames.start)
        },
    };
    pipeline::run(shown.len(), &pass, steps, |i, sent| {
        let sent = sent.map_err(too_many)?;
        queue.push(sent, delay(movie, &shown[i]))
    })
}

/// What changes, if anything does. The outer `None`: it has too many colours.
fn encode(shift: &Shift<Colour>, global: &Palette) -> Option<Option<Sent>> {
    let Some(area) = shift.area() else {
        return Some(None);
    };
    let now = area.cut(shift.now, shift.width);
    let canvas = match shift.canvas() {
        Some(canvas) => area.cut(canvas, shift.width),
        None => vec![CLEAR; now.len()],
    };
    let is_first = shift.before.is_none();
    let own = match Table::of(&now, &canvas, is_first, global)? {
        Table::Global => None,
        Table::Own(own) => Some(own),
    };
    let index = |colour: Colour| match &own {
        Some(own) => own.find(colour),
        None => global.find(colour),
    };
    // Still pixels whose colour the palette lacks are holes here too.
    let literal: Vec<u8> = now
        .iter()
        .map(|&colour| index(colour).unwrap_or(TRANSPARENT))
        .collect();
    let still = |i: usize| !is_first && now[i] == canvas[i];
    let holes: Vec<u8> = (0..now.len())
        .map(|i| if still(i) { TRANSPARENT } else { literal[i] })
        .collect();
    let (data, transparent) = delta::smallest(&literal, &holes, shift.effort);
    Some(Some(Sent {
        area,
        palette: own.map(|own| own.bytes()),
        transparent: transparent || literal.contains(&TRANSPARENT),
        clears: shift.clears,
        data,
    }))
}

/// Where the colours of a frame are.
enum Table {
    Global,
    Own(Palette),
}

impl Table {
    /// Of the pixels that differ from the canvas; `None` if they have too many colours.
    fn of(now: &[Colour], canvas: &[Colour], whole: bool, global: &Palette) -> Option<Self> {
        let pairs = now.iter().zip(canvas);
        let changed = pairs.filter(|(a, b)| whole || a != b).map(|(a, _)| *a);
        let mut counts = runs::tally(changed.map(|colour| (colour, 1)));
        counts.retain(|(colour, _)| *colour != CLEAR);
        if counts
            .iter()
            .all(|(colour, _)| global.find(*colour).is_some())
        {
            return Some(Self::Global);
        }
        (counts.len() <= LARGEST).then(|| Self::Own(Palette::exact([0; 3], &counts)))
    }
}
