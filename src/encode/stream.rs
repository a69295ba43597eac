//! Frames one after another without compression, for a pipe to another program.

use std::io::Write;

use super::pipeline::{self, Pass, Steps};
use super::{Movie, Plays, Stop, Watch};
use crate::pixels::Pixels;
use crate::raster::Canvas;

/// Writes every frame as `encode` gives it. A stream has no clock of its own beyond a steady rate, so a frame
/// that is held comes again and again, and so does the movie if it plays several times.
pub fn write(
    movie: &Movie,
    watch: Watch,
    out: &mut dyn Write,
    encode: impl Fn(&Pixels) -> Vec<u8> + Sync,
) -> Result<(), Stop> {
    let round = movie.frames + held(movie);
    let rounds = match movie.plays {
        Plays::Forever => 1,
        Plays::Times(times) => usize::from(times),
    };
    let pass = Pass {
        new: || Canvas::new(movie.width, movie.height),
        make: |i: usize, canvas: &mut Canvas| {
            (movie.draw)((i % round).min(movie.frames - 1), canvas)
        },
        encode: |_: usize, _: Option<&Canvas>, now: &Canvas| encode(now),
    };
    let mut steps = Steps::new(watch, round * rounds);
    pipeline::run(round * rounds, &pass, &mut steps, |_, bytes| {
        Ok(out.write_all(&bytes)?)
    })
}

/// How often the last frame comes again until its time is over, rounded to whole frames.
fn held(movie: &Movie) -> usize {
    let Some(hold) = movie.hold else {
        return 0;
    };
    let (frames, seconds) = movie.clock.fraction();
    let frames = (u128::from(hold) * frames + 50 * seconds) / (100 * seconds);
    (frames as usize).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::movie;

    /// The numbers of the frames of a stream.
    fn sent(plays: Plays, hold: Option<u32>) -> Vec<u8> {
        let draw = |frame: usize, pixels: &mut Canvas| pixels.bytes.fill(frame as u8);
        let movie = Movie {
            plays,
            hold,
            ..movie((1, 1), 3, true, &draw)
        };
        let mut out = Vec::new();
        let first = |pixels: &Pixels| vec![pixels.bytes[0]];
        write(&movie, Watch::default(), &mut out, first).unwrap();
        out
    }

    #[test]
    fn frames_come_again_for_as_long_as_they_are_seen() {
        assert_eq!(sent(Plays::Forever, None), [0, 1, 2]);
        assert_eq!(sent(Plays::Times(2), None), [0, 1, 2, 0, 1, 2]);
        // 30 frames per second: a tenth of a second is three frames.
        assert_eq!(sent(Plays::Forever, Some(10)), [0, 1, 2, 2, 2]);
        assert_eq!(sent(Plays::Times(2), Some(7)), [0, 1, 2, 2, 0, 1, 2, 2]);
        assert_eq!(sent(Plays::Forever, Some(1)), [0, 1, 2]);
    }
}
