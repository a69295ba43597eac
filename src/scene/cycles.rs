//! What comes round again and again, and whether it fits a loop.

use super::{Clock, Scene};
use crate::document::TimeUnit;
use crate::formula::Program;
use crate::maths::functions::{ceil, floor, round};
use crate::spec::problem::{Problem, short};
use crate::spec::source::Span;

/// Something that comes round again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// Its full name.
    pub name: String,
    /// The field that says how often, and where it is written.
    pub field: &'static str,
    pub span: Span,
    /// A column of what it moves.
    pub column: u32,
    pub turns: Turns,
}

/// How often something comes round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turns {
    /// Once in so many T.
    Every(f64),
    /// As the column goes that grows from 0 to 1 in each cycle.
    Phase,
}

/// Something that scrolls by, and looks the same after every step.
#[derive(Clone, Debug)]
pub struct Scroll {
    /// Where the way is written.
    pub span: Span,
    /// In px.
    pub way: Program,
    /// In px.
    pub step: f64,
}

/// A cycle that is not over when the loop is.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    pub cycle: Cycle,
    /// How often it comes round in the loop.
    pub count: f64,
}

/// So near to a whole number counts as whole.
const WHOLE: f64 = 1e-9;
/// Longest loop that is proposed, in frames, and most cycles in it.
const MOST_FRAMES: f64 = 1000.0;
const MOST_CYCLES: u32 = 100;
/// Misfits that are told.
const TOLD: usize = 3;

fn is_whole(count: f64, within: f64) -> bool {
    (count - round(count)).abs() <= within
}

impl Scene {
    /// The cycles that do not fit the loop; `count` tells how often one comes round, if it matters.
    pub fn misfits(&self, count: impl Fn(&Cycle) -> Option<f64>) -> Vec<Misfit> {
        let counted = self.cycles.iter().filter_map(|cycle| {
            let cycle = cycle.clone();
            count(&cycle).map(|count| Misfit { cycle, count })
        });
        counted
            .filter(|misfit| misfit.count > 0.0 && !is_whole(misfit.count, WHOLE))
            .collect()
    }
}

impl Misfit {
    /// Tells of the misfits in a problem.
    pub fn explain(all: &[Self], clock: &Clock, problem: Problem) -> Problem {
        let told = all.iter().take(TOLD);
        let problem = told.fold(problem, |problem, misfit| {
            let there = format!("{} cycles in the loop", short(misfit.count));
            problem
                .related(misfit.cycle.span, there)
                .note(misfit.advice(clock))
        });
        match all.len().saturating_sub(TOLD) {
            0 => problem,
            more => problem.note(format!("{more} more do not make a whole number of cycles")),
        }
    }

    /// How often it comes round, and what would fit: the two nearest rates, and the nearest loops.
    fn advice(&self, clock: &Clock) -> String {
        let Cycle { name, field, .. } = &self.cycle;
        let whole = [floor(self.count), ceil(self.count)];
        let rates: Vec<String> = (whole.into_iter().filter(|n| *n > 0.0))
            .map(|n| match *field {
                "period" => format!("`duration / {n}` ({})", short(clock.duration / n)),
                _ => format!("`{n} / duration` ({})", short(n / clock.duration)),
            })
            .collect();
        let mean = match self.cycle.turns {
            Turns::Every(_) => "",
            Turns::Phase => " in the mean",
        };
        let fits = format!(
            "`{name}` makes {} cycles in the loop; a whole number needs a {field}{mean} of {}",
            short(self.count),
            rates.join(" or ")
        );
        match self.lengths(clock).join(" or ") {
            none if none.is_empty() => fits,
            lengths => format!("{fits}, or a loop of {lengths}"),
        }
    }

    /// The nearest lengths of the loop, shorter and longer, that hold whole cycles in whole frames.
    fn lengths(&self, clock: &Clock) -> Vec<String> {
        let now = clock.frames as f64;
        let fitting: Vec<f64> = (1..=MOST_CYCLES)
            .map(|n| f64::from(n) * now / self.count)
            .filter(|frames| *frames <= MOST_FRAMES && is_whole(*frames, 1e-6))
            .map(round)
            .collect();
        let shorter = fitting.iter().rev().find(|frames| **frames < now);
        let longer = fitting.iter().find(|frames| **frames > now);
        let words = |frames: &f64| match clock.unit {
            TimeUnit::Frames => format!("{frames} frames"),
            TimeUnit::Seconds => {
                format!("{frames} frames ({} s)", short(clock.time_of(*frames)))
            }
        };
        [shorter, longer].into_iter().flatten().map(words).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::load::{Animation, Choices};

    /// What is said of a loop of 1.5 s, at 50 frames a second, with these channels and a circle at `x`.
    fn said(r#loop: &str, channels: &str, x: &str) -> String {
        let spec = format!(
            r##"{{ "hazumi": 1, "alt": "", "canvas": {{ "size": [100, 100], "fps": 50, "duration": 1.5 }},
                "channels": {{ {channels} }},
                "draw": [ {{ "circle": {{ "at": ["{x}", 50], "radius": 5 }} }} ],
                "loop": {{ {loop} }} }}"##
        );
        let animation = Animation::parse("loop", &spec, &Choices::default()).unwrap();
        match animation.simulate_plain() {
            Err(error) => error.to_string(),
            Ok(film) => film
                .check_exact()
                .err()
                .map_or_else(String::new, |error| error.to_string()),
        }
    }

    const PREROLL: &str = r#""preroll": {}"#;
    const EXACT: &str = r#""exact": {}"#;

    fn gait(frequency: &str) -> String {
        format!(
            r#""hurry": "t < 0.5 ? 1 : 1", "g": {{ "gait": {{ "gaits": {{ "walk": {{ "stride": 56, "frequency": "{frequency}", "duty": 0.62 }} }} }} }}"#
        )
    }

    #[test]
    fn a_gait_that_does_not_fit_is_named_with_what_would() {
        let said = said(PREROLL, &gait("50 / 37"), "50 + g.foot[0].x");
        let expected = "`g` makes 2.02703 cycles in the loop; a whole number needs a frequency of `2 / duration` (1.33333) \
            or `3 / duration` (2), or a loop of 74 frames (1.48 s) or 111 frames (2.22 s)";
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains("damping"), "{said}");
    }

    #[test]
    fn a_frequency_that_changes_is_told_in_the_mean() {
        let said = said(PREROLL, &gait("1 + hurry"), "50 + g.foot[0].x");
        assert_eq!(said, "", "3 cycles fit");
        let said = self::said(PREROLL, &gait("0.5 + 0.8 * hurry"), "50 + g.foot[0].x");
        let expected = "`g` makes 1.95 cycles in the loop; a whole number needs a frequency in the mean of \
            `1 / duration` (0.666667) or `2 / duration` (1.33333)";
        assert!(said.contains(expected), "{said}");
    }

    #[test]
    fn every_kind_that_comes_round_tells_its_period() {
        for (channels, expected) in [
            (
                r#""x": { "wave": { "period": 1, "amplitude": 30, "phase": 0.2 } }"#,
                "`x` makes 1.5 cycles in the loop; a whole number needs a period of `duration / 1` (1.5) or `duration / 2` \
                 (0.75), or a loop of 50 frames (1 s) or 100 frames (2 s)",
            ),
            (
                r#""x": { "wave": { "frequency": 1.7, "amplitude": 30 } }"#,
                "`x` makes 2.55 cycles in the loop; a whole number needs a frequency of `2 / duration` (1.33333) or \
                 `3 / duration` (2), or a loop of 500 frames (10 s)",
            ),
            (
                r#""x": { "track": { "keys": [[0, 0], [0.3, 40], [0.6, 0]], "return": "loop", "period": 0.6 } }"#,
                "`x` makes 2.5 cycles in the loop; a whole number needs a period of `duration / 2` (0.75) or \
                 `duration / 3` (0.5), or a loop of 60 frames (1.2 s) or 90 frames (1.8 s)",
            ),
        ] {
            let said = said(EXACT, channels, "50 + x");
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn what_fits_or_is_not_drawn_is_not_told() {
        let channels = r#""x": { "wave": { "period": 0.75 } }, "y": { "wave": { "period": 1 } },
            "z": { "track": { "keys": [[0, 0], [1, 9]] } }"#;
        let said = said(EXACT, channels, "50 + x + z");
        assert!(
            said.contains("make every motion end where it began"),
            "{said}"
        );
        assert!(!said.contains("cycles in the loop"), "{said}");
    }

    #[test]
    fn what_goes_on_for_ever_is_told_of_damping() {
        for (strength, way) in [
            (
                r#""frequency": 1.3, "damping_ratio": 0"#,
                "a larger `damping_ratio`",
            ),
            (r#""stiffness": 60, "damping": 0"#, "a larger `damping`"),
            (r#""duration": 0.8, "bounce": 0.999"#, "a smaller `bounce`"),
        ] {
            let channels =
                format!(r#""x": {{ "spring": {{ "to": 40, "from": 20, {strength} }} }}"#);
            let said = said(PREROLL, &channels, "x");
            assert!(
                said.contains("cycles `x` (a spring) still differs by"),
                "{said}"
            );
            assert!(said.contains(way), "{said}");
        }
        let said = said(
            PREROLL,
            r#""x": { "approach": { "to": 20, "max": 20 } }"#,
            "x",
        );
        let expected = "the difference does not shrink: make every motion end where it began";
        assert!(said.contains(expected), "{said}");
    }
}
