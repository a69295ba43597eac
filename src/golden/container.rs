//! How a golden is played: its size, how long each frame stays, how often it plays.

use crate::encode::apng::delays::{self, Delay};
use crate::encode::{Movie, Plays};
use serde::{Deserialize, Serialize};

/// How frames are played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// Width and height in px.
    pub size: (u32, u32),
    /// How long each frame stays, in seconds, as fractions; empty where the file does not say.
    pub delays: Vec<Delay>,
    /// How often it plays; 0 is for ever. None where the file does not say.
    pub plays: Option<u32>,
}

/// Something about the playing that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The first frame it concerns.
    pub frame: usize,
    /// In words: `delay of frame 17: expected 1/50 s, got 1/25 s`.
    pub words: String,
}

impl Container {
    /// As a movie is written, each frame by itself; and how many delays belong to each frame.
    pub fn of(movie: &Movie) -> (Self, Vec<usize>) {
        let delays: Vec<Vec<Delay>> = (0..movie.frames)
            .map(|frame| delays::of(movie, &(frame..frame + 1)))
            .collect();
        let parts = delays.iter().map(Vec::len).collect();
        let container = Self {
            size: (movie.width, movie.height),
            delays: delays.concat(),
            plays: Some(match movie.plays {
                Plays::Forever => 0,
                Plays::Times(times) => u32::from(times),
            }),
        };
        (container, parts)
    }

    /// How long all frames stay, in seconds.
    pub fn length(&self) -> f64 {
        self.delays.iter().map(|delay| seconds(*delay)).sum()
    }

    /// What of the playing is not as this golden says; frames are counted alike in both.
    pub fn changes(&self, now: &Self, exact: bool) -> Vec<Change> {
        let mut changes = Vec::new();
        if let (Some(expected), Some(got)) = (self.plays, now.plays)
            && expected != got
        {
            changes.push(Change {
                frame: 0,
                words: format!(
                    "loop count: expected {}, got {}",
                    times(expected),
                    times(got)
                ),
            });
        }
        if exact {
            changes.extend(self.changed_delays(now));
        } else if !self.delays.is_empty() && (self.length() - now.length()).abs() > 0.0101 {
            let (expected, got) = (self.length(), now.length());
            changes.push(Change {
                frame: 0,
                words: format!("length: expected {expected:.2} s, got {got:.2} s"),
            });
        }
        changes
    }

    /// Runs of frames whose delays differ.
    fn changed_delays(&self, now: &Self) -> Option<Change> {
        let pairs = self.delays.iter().zip(&now.delays);
        let differing: Vec<usize> = pairs
            .enumerate()
            .filter(|(_, (expected, got))| !equal(**expected, **got))
            .map(|(frame, _)| frame)
            .collect();
        let first = *differing.first()?;
        let (expected, got) = (self.delays[first], now.delays[first]);
        let more = match differing.len() {
            1 => String::new(),
            count => format!(" ({count} delays differ)"),
        };
        Some(Change {
            frame: first,
            words: format!(
                "delay of frame {first}: expected {}, got {}{more}",
                in_words(expected),
                in_words(got)
            ),
        })
    }
}

/// A delay in seconds; APNG takes a denominator of 0 for 100.
pub fn seconds((above, below): Delay) -> f64 {
    f64::from(above) / f64::from(if below == 0 { 100 } else { below })
}

fn equal((a, b): Delay, (c, d): Delay) -> bool {
    let below = |below: u16| u32::from(if below == 0 { 100 } else { below });
    u32::from(a) * below(d) == u32::from(c) * below(b)
}

fn in_words((above, below): Delay) -> String {
    format!("{above}/{below} s")
}

/// How often something plays, in words.
pub fn times(plays: u32) -> String {
    match plays {
        0 => "for ever".into(),
        1 => "once".into(),
        times => format!("{times} times"),
    }
}
