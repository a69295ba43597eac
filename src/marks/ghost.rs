use super::{Draw, Mark, MarkKind, NoStyle, Pen};
use crate::formula::Program;
use crate::maths::functions::{floor, rounding};
use crate::scene::builder::Builder;
use crate::simulate::Chain;
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// Past poses of marks, fainter the older they are: where things were a moment ago. Before t = 0 nothing was,
/// but in a loop that repeats its end.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0, 40, "in_out_cubic"], [1, 200]] } } },
/// "draw": [
///   { "ghost": { "every": 0.08, "back": 0.24, "now": true, "draw": [
///     { "rect": { "at": ["x", 60], "size": [26, 26], "radius": 7 } }
///   ] } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ghost")]
pub struct Ghost {
    /// Marks in painter's order; each pose is composited once.
    #[schemars(extend("x-also" = ["children", "marks", "items", "of"]))]
    pub draw: Vec<Lenient<Mark>>,
    /// Time in T from one pose to the next.
    #[schemars(extend("x-also" = ["step", "interval", "spacing"]))]
    pub every: Fixed<Positive>,
    /// How far back the oldest pose lies, in T.
    #[schemars(extend("x-also" = ["length", "history", "duration"]))]
    pub back: Fixed<Positive>,
    /// Of the newest pose: 0 is invisible, 1 opaque.
    #[serde(default = "faint")]
    #[schemars(extend("x-also" = ["alpha"]))]
    pub opacity: Num<Unit>,
    /// Whether older poses are fainter: of n poses the k-th newest has (n + 1 − k) / n of `opacity`.
    #[serde(default = "yes")]
    pub fade: bool,
    /// Whether the present is drawn too, whole, on top.
    #[serde(default)]
    #[schemars(extend("x-also" = ["present", "current"]))]
    pub now: bool,
}

fn faint() -> Num<Unit> {
    Num::literal(0.3)
}

fn yes() -> bool {
    true
}

/// Most poses.
const POSE_LIMIT: f64 = 1000.0;

impl Ghost {
    /// How many past poses there are: those at k · every ≤ back.
    fn poses(&self, every: f64, back: f64, b: &mut Builder) -> u32 {
        let poses = floor((back + rounding(back)) / every);
        let wrong = match poses {
            _ if poses < 1.0 => format!("no pose lies within {back}: `every` is {every}"),
            _ if poses > POSE_LIMIT => format!("{poses} poses are more than {POSE_LIMIT}"),
            _ => return poses as u32,
        };
        let span = self.back.span;
        b.report(
            Problem::error("bad-poses", span, wrong)
                .note("past poses lie `every`, 2 · `every`, … up to `back` before the present"),
        );
        1
    }
}

impl MarkKind for Ghost {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        let (every, back) = (b.fixed(&self.every), b.fixed(&self.back));
        let poses = self.poses(every, back, b);
        let copies = poses as usize + usize::from(self.now);
        let (marks, chain) = b.repeated(copies, self.every.span, |b| {
            b.looking_back(|b| b.marks(&self.draw))
        });
        b.count_looks(copies, &chain);
        Box::new(GhostMark {
            marks,
            chain,
            every,
            poses,
            opacity: b.num(&self.opacity),
            fade: self.fade,
            now: self.now,
        })
    }
}

struct GhostMark {
    marks: Vec<Box<dyn Draw>>,
    chain: Chain,
    every: f64,
    poses: u32,
    opacity: Program,
    fade: bool,
    now: bool,
}

impl GhostMark {
    /// Opacity of the k-th newest pose as a share of the newest one's.
    fn strength(&self, k: u32) -> f64 {
        match self.fade {
            true => f64::from(self.poses + 1 - k) / f64::from(self.poses),
            false => 1.0,
        }
    }

    fn marks(&self, pen: &mut Pen) {
        for mark in &self.marks {
            mark.draw(pen);
        }
    }
}

impl Draw for GhostMark {
    fn draw(&self, pen: &mut Pen) {
        let opacity = pen.number(&self.opacity);
        for k in (1..=self.poses).rev() {
            let Some(time) = pen.wrap(pen.time() - f64::from(k) * self.every) else {
                continue;
            };
            pen.layer(opacity * self.strength(k), |pen| {
                pen.at(&self.chain, time, |pen| self.marks(pen));
            });
        }
        if self.now {
            self.marks(pen);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::picture::{Item, Picture};
    use crate::scene::probe::{Probe, problems};

    /// Where every disc lies, and how strong it is.
    fn discs(picture: &Picture) -> Vec<(f64, f64)> {
        let disc = |item: &Item| match item {
            Item::Fill {
                outline, opacity, ..
            } => {
                let [left, _, right, _] = picture.bounds(outline).unwrap();
                let round = |v: f64| (v * 1e6).round() / 1e6;
                (round((left + right) / 2.0), round(*opacity))
            }
            _ => panic!("{item:?}"),
        };
        picture.items.iter().map(disc).collect()
    }

    fn probe(fields: &str, more: &str) -> Probe {
        Probe::drawing(&format!(
            r#""draw": [{{ "ghost": {{ {fields},
                 "draw": [{{ "circle": {{ "at": ["10 * t", 50], "radius": 1 }} }}] }} }}] {more}"#
        ))
    }

    #[test]
    fn poses_fade_with_age_and_the_oldest_comes_first() {
        let ghost = probe(r#""every": 0.2, "back": 0.6, "now": true"#, "");
        let shown = discs(&ghost.picture(1.0));
        assert_eq!(shown, [(4.0, 0.1), (6.0, 0.2), (8.0, 0.3), (10.0, 1.0)]);
        let even = probe(
            r#""every": 0.2, "back": 0.5, "fade": false, "opacity": 0.5"#,
            "",
        );
        assert_eq!(discs(&even.picture(1.0)), [(6.0, 0.5), (8.0, 0.5)]);
    }

    #[test]
    fn before_the_start_was_nothing_but_in_a_loop_its_end() {
        let fields = r#""every": 0.2, "back": 0.6"#;
        let once = probe(fields, "");
        assert_eq!(discs(&once.picture(0.0)), []);
        assert_eq!(discs(&once.picture(0.2)), [(0.0, 0.3)]);
        // Within the cycle of 2 s.
        let again = probe(fields, r#", "loop": { "preroll": {} }"#);
        let shown = discs(&again.picture(0.2));
        assert_eq!(shown, [(16.0, 0.1), (18.0, 0.2), (0.0, 0.3)]);
    }

    #[test]
    fn memory_has_ghosts_too() {
        let probe = Probe::drawing(
            r#""channels": { "x": { "integrate": { "of": 10 } } },
               "parts": { "ball": { "draw": [{ "ghost": { "every": 0.5, "back": 0.5, "draw": [
                 { "circle": { "at": ["x", 50], "radius": 1 } }] } }] } },
               "use": { "one": { "part": "ball" } },
               "draw": [{ "use": "one" }, { "repeat": { "count": 2, "draw": [
                 { "ghost": { "every": 0.5, "back": 0.5, "draw": [
                   { "circle": { "at": ["x + 100 * .i", 50], "radius": 1 } }] } }] } }]"#,
        );
        let shown = discs(&probe.picture(1.5));
        assert_eq!(shown, [(10.0, 0.3), (10.0, 0.3), (110.0, 0.3)]);
    }

    #[test]
    fn a_pose_is_composited_once() {
        let probe = Probe::drawing(
            r#""draw": [{ "ghost": { "every": 0.5, "back": 0.5, "draw": [
                 { "circle": { "at": [40, 50], "radius": 9 } }, { "circle": { "at": [50, 50], "radius": 9 } }] } }]"#,
        );
        let items = probe.picture(1.0).items;
        assert!(
            matches!(items[0], Item::Layer { opacity: 0.3, .. }),
            "{items:?}"
        );
        assert_eq!(items.len(), 4);
    }

    #[test]
    fn poses_are_neither_none_nor_endless() {
        let ghost = |every: &str| {
            problems(&format!(
                r#""draw": [{{ "ghost": {{ "every": {every}, "back": 0.5, "draw": [] }} }}]"#
            ))
        };
        let said = ghost("0.6");
        assert!(
            said.contains("no pose lies within 0.5: `every` is 0.6"),
            "{said}"
        );
        let said = ghost("0.0001");
        assert!(said.contains("5000 poses are more than 1000"), "{said}");
        assert!(!ghost("0.5").contains("error"));
    }
}
