//! The search for a file within a number of bytes: what is given up, and in what order.

use crate::encode::{Effort, GifColours, clock};
use std::fmt;

/// Colours that are tried, each about half as many as the ones before: a bit less per pixel at most.
const COLOURS: [u8; 4] = [127, 63, 31, 15];
/// Rates that are tried, in frames per second.
const RATES: [f64; 6] = [30.0, 25.0, 20.0, 15.0, 12.0, 10.0];
/// Sizes that are tried, as parts of what was asked for.
const SIZES: [f64; 5] = [0.8, 0.65, 0.5, 0.35, 0.25];

/// A way to write a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    pub effort: Effort,
    pub colours: GifColours,
    /// In frames per second, where it is not the film's own.
    pub fps: Option<f64>,
    /// Of the scale that was asked for.
    pub size: f64,
}

impl Attempt {
    /// The first that fits: effort is raised, then colours are taken away, then frames, then pixels. At the
    /// rate and size that fit, as many colours as fit come back. `fits` makes the file, and returns it if it
    /// is small enough; `fps` is the film's own rate.
    ///
    /// # Errors
    /// Those of `fits`.
    pub fn search<File, Error>(
        asked: Self,
        fps: f64,
        mut fits: impl FnMut(&Self) -> Result<Option<File>, Error>,
    ) -> Result<Option<(Self, File)>, Error> {
        let steps = asked.steps(fps);
        for (i, step) in steps.iter().enumerate() {
            let Some(mut file) = fits(step)? else {
                continue;
            };
            let mut found = *step;
            if i > 0 && (step.fps, step.size) != (asked.fps, asked.size) {
                for colours in asked.colour_steps() {
                    let richer = Self { colours, ..*step };
                    if colours == step.colours {
                        break;
                    }
                    if let Some(larger) = fits(&richer)? {
                        (found, file) = (richer, larger);
                        break;
                    }
                }
            }
            return Ok(Some((found, file)));
        }
        Ok(None)
    }

    /// What is tried, in order; each keeps what the one before has given up.
    fn steps(self, fps: f64) -> Vec<Self> {
        let mut steps = vec![self];
        let mut last = self;
        let mut add = |step: Self| {
            if steps.last() != Some(&step) {
                steps.push(step);
            }
        };
        last.effort = Effort::Max;
        add(last);
        for colours in self.colour_steps() {
            last.colours = colours;
            add(last);
        }
        let fps = clock::resampled_for_gif(fps).unwrap_or(fps);
        for rate in RATES.into_iter().filter(|rate| *rate < fps) {
            last.fps = Some(rate);
            add(last);
        }
        for size in SIZES {
            last.size = size;
            add(last);
        }
        steps
    }

    /// Colours from many to few, as far as what was asked for allows.
    fn colour_steps(self) -> Vec<GifColours> {
        let GifColours::Best { most, dither } = self.colours else {
            return vec![self.colours];
        };
        let fewer = COLOURS.into_iter().filter(|fewer| *fewer < most);
        let counts = std::iter::once(most).chain(fewer);
        counts
            .map(|most| GifColours::Best { most, dither })
            .collect()
    }

    /// What it gives up of what was asked for, in words; empty if nothing.
    pub fn given_up(&self, asked: &Self, fps: f64, pixels: (u32, u32)) -> String {
        let mut words: Vec<String> = Vec::new();
        if let (GifColours::Best { most, .. }, true) = (self.colours, self.colours != asked.colours)
        {
            words.push(format!("{most} colours"));
        }
        if self.fps != asked.fps {
            words.push(format!(
                "{} of {fps} frames per second",
                self.fps.unwrap_or(fps)
            ));
        }
        if self.size != asked.size {
            let (width, height) = pixels;
            words.push(format!(
                "{width} × {height} pixels ({} of the size)",
                Percent(self.size)
            ));
        }
        words.join(", ")
    }
}

/// A share, as a whole number of hundredths.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", self.0 * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Attempt {
        Attempt {
            effort: Effort::Usual,
            colours: GifColours::default(),
            fps: None,
            size: 1.0,
        }
    }

    /// What is found if a file has so many bytes per colour, frame per second and pixel.
    fn found(limit: f64) -> Option<Attempt> {
        let fits = |attempt: &Attempt| {
            let GifColours::Best { most, .. } = attempt.colours else {
                panic!("colours stay what they were asked to be");
            };
            let effort = if attempt.effort == Effort::Max {
                0.9
            } else {
                1.0
            };
            let rate = attempt.fps.unwrap_or(50.0);
            let bytes = effort * f64::from(most) * rate * attempt.size * attempt.size;
            Ok::<_, ()>((bytes <= limit).then_some(()))
        };
        let found = Attempt::search(asked(), 60.0, fits).unwrap();
        found.map(|(attempt, ())| attempt)
    }

    #[test]
    fn as_little_as_possible_is_given_up() {
        let colours = |most| GifColours::Best {
            most,
            dither: false,
        };
        let max = Attempt {
            effort: Effort::Max,
            ..asked()
        };
        assert_eq!(found(255.0 * 50.0), Some(asked()));
        assert_eq!(found(255.0 * 46.0), Some(max));
        assert_eq!(
            found(6_000.0).unwrap(),
            Attempt {
                colours: colours(127),
                ..max
            }
        );
        let slow = found(0.9 * 15.0 * 25.5).unwrap();
        assert_eq!((slow.fps, slow.colours), (Some(25.0), colours(15)));
        // At the smallest rate there are bytes left for more colours.
        let small = found(0.9 * 15.0 * 10.0 * 0.9).unwrap();
        assert_eq!(
            (small.fps, small.size, small.colours),
            (Some(10.0), 0.8, colours(15))
        );
        assert_eq!(found(1.0), None);
    }

    #[test]
    fn what_is_given_up_is_said() {
        let less = Attempt {
            colours: GifColours::Best {
                most: 31,
                dither: false,
            },
            fps: Some(25.0),
            size: 0.5,
            ..asked()
        };
        assert_eq!(
            less.given_up(&asked(), 50.0, (240, 180)),
            "31 colours, 25 of 50 frames per second, 240 × 180 pixels (50 % of the size)"
        );
        assert_eq!(asked().given_up(&asked(), 50.0, (1, 1)), "");
    }
}
