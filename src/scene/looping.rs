//! How the end of an animation meets its start: which moments are shown, and in which order.

use super::Clock;

/// How the end meets the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Looping {
    /// It need not.
    None,
    /// Frame N would be frame 0.
    Exact,
    /// It is played until its state comes back.
    Preroll(Preroll),
    /// The last so many frames are blended with those before the first that is shown.
    Crossfade { frames: usize },
    /// Forth and back, without the two ends twice.
    PingPong,
    /// It starts where the state a whole length later is nearest.
    Search(Search),
}

/// Playing a loop until its state comes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preroll {
    /// At most so many cycles before the shown one.
    pub cycles: usize,
    /// Largest difference of the state from cycle to cycle.
    pub seam: f64,
}

/// Looking for the best start of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The first and the last frame that it may start with.
    pub first: usize,
    pub last: usize,
    /// Largest seam in px.
    pub seam: f64,
}

/// One frame that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// In T.
    pub time: f64,
    /// Another time that is blended over it, and how much of that is seen, 0 to 1.
    pub over: Option<(f64, f64)>,
}

impl Moment {
    /// A time with nothing blended over it.
    pub fn of(time: f64) -> Self {
        Self { time, over: None }
    }
}

impl Looping {
    /// Whether the spec's own frames are shown, each once and in order.
    pub fn is_plain(self) -> bool {
        matches!(self, Self::None | Self::Exact | Self::Preroll(_))
    }

    /// Whether what was before frame 0 is the end of the loop.
    pub fn repeats(self) -> bool {
        matches!(self, Self::Exact | Self::Preroll(_))
    }

    /// How many frames of a spec of `frames` are shown.
    pub fn shown(self, frames: usize) -> usize {
        match self {
            Self::PingPong => (2 * frames).saturating_sub(2).max(1),
            Self::Crossfade { frames: over } => frames - over,
            _ => frames,
        }
    }

    /// The last frame, past the end, that may be needed.
    pub fn horizon(self, frames: usize) -> usize {
        match self {
            Self::Search(search) => frames + search.last,
            _ => frames,
        }
    }

    /// What stands at a place in the row of shown frames, counted from 0, fractions between them; a search
    /// has found the start with frame `start`.
    pub fn moment(self, clock: &Clock, at: f64, start: usize) -> Moment {
        let plain = |frame: f64| Moment::of(clock.time_of(frame));
        let last = clock.frames as f64 - 1.0;
        match self {
            Self::None | Self::Exact | Self::Preroll(_) => plain(at),
            Self::PingPong if at <= last => plain(at),
            Self::PingPong => plain(2.0 * last - at),
            Self::Search(_) => plain(start as f64 + at),
            Self::Crossfade { frames } => {
                let over = frames as f64;
                let frame = over + at;
                let before = frame - (clock.frames as f64 - over);
                let blended = (before > 0.0).then(|| (clock.time_of(before), before / over));
                Moment {
                    over: blended,
                    ..plain(frame)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::TimeUnit;

    const CLOCK: Clock = Clock {
        width: 10.0,
        height: 10.0,
        fps: 10.0,
        frames: 6,
        duration: 6.0,
        unit: TimeUnit::Frames,
        horizon: 6.0,
    };

    fn shown(looping: Looping, start: usize) -> Vec<Moment> {
        let count = looping.shown(CLOCK.frames);
        (0..count)
            .map(|i| looping.moment(&CLOCK, i as f64, start))
            .collect()
    }

    #[test]
    fn forth_and_back_shows_each_end_once() {
        let times: Vec<f64> = shown(Looping::PingPong, 0).iter().map(|m| m.time).collect();
        assert_eq!(times, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!(Looping::PingPong.shown(1), 1);
    }

    #[test]
    fn a_crossfade_ends_on_what_comes_before_its_first_frame() {
        let shown = shown(Looping::Crossfade { frames: 2 }, 0);
        let times: Vec<f64> = shown.iter().map(|m| m.time).collect();
        assert_eq!(times, [2.0, 3.0, 4.0, 5.0]);
        let over: Vec<_> = shown.iter().map(|m| m.over).collect();
        // One frame later all of frame 2 would be seen: that is the first frame again.
        assert_eq!(over, [None, None, None, Some((1.0, 0.5))]);
    }

    #[test]
    fn a_search_shows_a_whole_length_from_its_start() {
        let search = Looping::Search(Search {
            first: 1,
            last: 3,
            seam: 1.0,
        });
        let times: Vec<f64> = shown(search, 2).iter().map(|m| m.time).collect();
        assert_eq!(times, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(search.horizon(6), 9);
    }
}
