//! Which frames, and how they are spaced.

use crate::maths::functions::round;
use crate::scene::Scene;
use crate::spec::slots::{Bounds, Rate};
use clap::Args;
use std::ops::Range;
use std::str::FromStr;

/// Which of the spec's frames.
#[derive(Clone, Debug, Args)]
pub struct SelectArgs {
    /// A range of the spec's frames, from 0: `10..60` without frame 60, `10..=60` with it.
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["frame", "at"])]
    frames: Option<FrameRange>,
    /// One of the spec's frames, from 0.
    #[arg(long, value_name = "N", conflicts_with = "at")]
    frame: Option<usize>,
    /// The frame at a time, in the spec's own unit.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<f64>,
    /// Another frame rate; the motion is unchanged.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub fps: Option<f64>,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if Rate::RANGE.contains(fps) => Ok(fps),
        _ => Err(format!("a frame rate is {}", Rate::RANGE.describe())),
    }
}

fn time(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    text.parse().map_err(|_| match digits.parse::<f64>() {
        Ok(time) => format!("a time is a number in the spec's own unit: write `--at {time}`"),
        Err(_) => "a time is a number in the spec's own unit, such as `1.5`".into(),
    })
}

/// `a..b`, `a..=b`, `a..`, `..b`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FrameRange {
    start: usize,
    end: Option<usize>,
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "a range of frames looks like `10..60`, `10..=60`, `10..` or `..60`".to_owned();
        let (start, end) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let start = if start.is_empty() { 0 } else { number(start)? };
        let end = match end.strip_prefix('=') {
            Some(last) => Some(number(last)?.saturating_add(1)),
            None if end.is_empty() => None,
            None => Some(number(end)?),
        };
        match end {
            Some(end) if end < start => Err(format!(
                "this range ends before it starts: write `{end}..{start}`"
            )),
            _ => Ok(Self { start, end }),
        }
    }
}

impl SelectArgs {
    /// Whether one single frame was asked for.
    pub fn is_still(&self) -> bool {
        self.frame.is_some() || self.at.is_some()
    }

    /// The one frame that was asked for, as it was written: its number or its time.
    pub fn still_in_words(&self) -> Option<String> {
        let frame = self.frame.map(|frame| frame.to_string());
        frame.or(self.at.map(|time| time.to_string()))
    }

    /// Which of the spec's frames are meant.
    ///
    /// # Errors
    /// A sentence about frames that the spec does not have.
    pub fn range(&self, scene: &Scene) -> Result<Range<usize>, String> {
        let count = scene.shown();
        let range = match (&self.frames, self.frame, self.at) {
            (Some(range), ..) => range.start..range.end.unwrap_or(count),
            (_, Some(frame), _) => frame..frame.saturating_add(1),
            (_, _, Some(time)) => {
                let frame = round(scene.clock.frame_at(time));
                if frame < 0.0 || frame >= count as f64 || !time.is_finite() {
                    let last = scene.clock.time_of(count as f64 - 1.0);
                    return Err(format!(
                        "no frame at {time}: the spec's times go from 0 to {last}"
                    ));
                }
                frame as usize..frame as usize + 1
            }
            (None, None, None) => 0..count,
        };
        if range.is_empty() || range.end > count {
            return Err(format!(
                "no frames {}..{}: the spec has frames 0 to {}",
                range.start,
                range.end,
                count - 1
            ));
        }
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let range = |text: &str| text.parse::<FrameRange>().map(|r| (r.start, r.end));
        assert_eq!(range("10..60"), Ok((10, Some(60))));
        assert_eq!(range("10..=60"), Ok((10, Some(61))));
        assert_eq!(range("..5"), Ok((0, Some(5))));
        assert_eq!(range("5.."), Ok((5, None)));
        assert!(range("30..10").is_err_and(|why| why.contains("write `10..30`")));
        assert!(time("5s").is_err_and(|why| why.contains("write `--at 5`")));
        assert_eq!(time("0.5"), Ok(0.5));
        assert!(range("5").is_err());
        assert!(range("a..b").is_err());
    }
}
