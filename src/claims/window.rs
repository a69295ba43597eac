//! Fields that claims share: when something is measured, and what the measure may be.

use super::Film;
use crate::formula::Inputs;
use crate::kinds::at_most_one_of;
use crate::maths::functions::{ceil, floor, round};
use crate::scene::builder::Builder;
use crate::spec::problem::Problem;
use crate::spec::problem::{digits, short_outside};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// When something is measured; the whole animation if absent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("allOf" = [at_most_one_of(&[&["at"], &["during"]])]))]
pub struct Window {
    /// One moment, in T; a frame must lie on it.
    pub at: Option<Fixed>,
    /// From one moment to another, in T, both included.
    pub during: Option<FixedPair>,
}

/// What a measure may be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Bounds {
    /// The value itself, give or take `within`.
    pub is: Option<Fixed>,
    /// Half width around `is`.
    #[serde(default = "billionth")]
    pub within: Fixed<NonNegative>,
    /// Smallest value allowed.
    pub min: Option<Fixed>,
    /// Largest value allowed.
    pub max: Option<Fixed>,
}

/// No shared fields.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Nothing {}

fn billionth() -> Fixed<NonNegative> {
    Fixed::literal(1e-9)
}

/// A range of frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowCheck {
    pub frames: Range<usize>,
}

/// Smallest and largest value allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundsCheck {
    pub min: Option<f64>,
    pub max: Option<f64>,
}

impl Window {
    /// The frames it means.
    pub fn build(&self, b: &mut Builder) -> WindowCheck {
        let clock = *b.clock();
        let all = 0..clock.frames;
        let frames = match (&self.at, &self.during) {
            (Some(at), _) => {
                let time = b.fixed(at);
                let exact = clock.frame_at(time);
                let frame = round(exact);
                if (exact - frame).abs() > 1e-6 || frame < 0.0 || frame >= clock.frames as f64 {
                    let last = clock.frames as f64 - 1.0;
                    let near =
                        [floor(exact), ceil(exact)].map(|f| clock.time_of(f.clamp(0.0, last)));
                    b.report(
                        Problem::error(
                            "no-such-frame",
                            at.span,
                            format!("there is no frame at {time}"),
                        )
                        .note(format!("the nearest are at {} and {}", near[0], near[1])),
                    );
                    return WindowCheck { frames: 0..0 };
                }
                frame as usize..frame as usize + 1
            }
            (None, Some(during)) => {
                let [from, to] = b.fixed_pair(during).map(|time| clock.frame_at(time));
                let first = ceil(from - 1e-6).max(0.0) as usize;
                let last = floor(to + 1e-6).max(-1.0) + 1.0;
                let frames = first..(last as usize).min(clock.frames);
                if frames.is_empty() {
                    b.report(Problem::error(
                        "no-such-frame",
                        during.0.span,
                        "no frame lies in this window",
                    ));
                }
                frames
            }
            (None, None) => all,
        };
        WindowCheck { frames }
    }
}

impl WindowCheck {
    /// Calls with every frame of the window and what formulas read in it.
    pub fn each(&self, film: &Film, visit: impl FnMut(usize, &Inputs)) {
        film.each(self.frames.clone(), visit);
    }
}

impl Bounds {
    /// The bounds as numbers.
    pub fn build(&self, b: &mut Builder) -> BoundsCheck {
        let within = b.fixed(&self.within);
        let is = self.is.as_ref().map(|is| b.fixed(is));
        let min = self.min.as_ref().map(|min| b.fixed(min));
        let max = self.max.as_ref().map(|max| b.fixed(max));
        BoundsCheck {
            min: min.or(is.map(|is| is - within)),
            max: max.or(is.map(|is| is + within)),
        }
    }
}

impl BoundsCheck {
    /// At most so much.
    pub fn at_most(max: f64) -> Self {
        Self {
            min: None,
            max: Some(max),
        }
    }

    /// Whether a value is allowed.
    pub fn allows(&self, value: f64) -> bool {
        self.excess(value) <= 0.0
    }

    /// How far beyond the bounds a value lies; what is not a number lies infinitely far.
    pub fn excess(&self, value: f64) -> f64 {
        let below = self.min.map_or(f64::NEG_INFINITY, |min| min - value);
        let above = self.max.map_or(f64::NEG_INFINITY, |max| value - max);
        if value.is_nan() {
            return f64::INFINITY;
        }
        below.max(above)
    }

    /// A value in words, short but never so that it seems to keep the bounds when it does not.
    pub fn short(&self, value: f64) -> String {
        short_outside(value, |v| self.allows(v))
    }

    /// The bounds in words, such as `at least 3 and at most 4`.
    pub fn describe(&self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!("{} to {}", bound(min), bound(max)),
            (Some(min), None) => format!("at least {}", bound(min)),
            (None, Some(max)) => format!("at most {}", bound(max)),
            (None, None) => "anything".into(),
        }
    }
}

/// A bound in words: it may be a hair from a round number.
fn bound(v: f64) -> String {
    digits(v, 12)
}
