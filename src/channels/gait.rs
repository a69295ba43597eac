use super::ChannelKind;
use crate::formula::{Inputs, Operand, Program, Range};
use crate::maths::gait::{Gait as Numbers, Leg, Step, leg_phase};
use crate::scene::builder::{Builder, Foot};
use crate::scene::cycles::Turns;
use crate::scene::entity::{Entity, List};
use crate::scene::{Memory, MemorySize};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::source::Span as Place;
use crate::spec::suggest::{list_some, nearest};
use schemars::JsonSchema;
use serde::Deserialize;

/// Legs that share one clock. While a foot is down it moves back at constant speed, then it swings forward by
/// smoothstep with half a sine of lift; the ground must pass at stride · frequency / duty, and `.travel` is how far
/// it has come. Draw the ground shifted by −`.travel` and no foot slips, not even while one gait blends into another:
/// then a foot leaves the ground when its share of the cycle is over or it has come to the end of its stride,
/// whichever is first.
///
/// Outputs: `.phase`, 0 to 1; `.speed` of the ground in px/T; `.travel` in px; `.bob` in px, bob ·
/// |sin(turn · (phase − bob_phase))|, upwards; for each leg `.foot[i].x` from the hip line and `.foot[i].y` from the
/// floor, ≤ 0, in px; `.foot[i].down`, 1 while it stands; `.foot[i].swing`, 0 to 1 from lift-off to touch-down.
///
/// The numbers are read at every tick and run straight between ticks; the phase is the exact integral of the
/// frequency. Where a foot will land is settled at the tick before.
///
/// ```json
/// "channels": {
///   "walk": { "gait": { "gaits": { "walk": { "stride": 60, "frequency": "1 / 0.6", "duty": 0.6, "lift": 16 } } } }
/// },
/// "draw": [
///   { "ticks": { "from": [0, 100], "step": [20, 0], "count": 13, "scroll": "-walk.travel", "length": 10 } },
///   { "line": { "from": [120, 40], "to": ["120 + walk.foot[1].x", "90 + walk.foot[1].y"], "width": 6, "opacity": 0.4 } },
///   { "line": { "from": [120, 40], "to": ["120 + walk.foot[0].x", "90 + walk.foot[0].y"], "width": 6 } }
/// ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "gait")]
pub struct Gait {
    /// One or more gaits by name.
    #[schemars(extend("x-also" = ["styles", "modes"]))]
    pub gaits: Map<Style>,
    /// Which two gaits are mixed, and how far; needed if there are several.
    pub blend: Option<Blend>,
    /// How many legs; as many as `phases`, or 2.
    #[schemars(extend("x-also" = ["feet"]))]
    pub legs: Option<Int<1, 16>>,
    /// How far each leg is ahead of the phase, in turns; i / legs if absent.
    #[schemars(length(min = 1, max = 16), extend("x-also" = ["offsets"]))]
    pub phases: Option<Vec<Fixed>>,
    /// Whether a foot that is down keeps its place on the ground (`lock`), or follows the formula of the moment, which
    /// slips while the gait changes (`none`).
    #[serde(default = "lock")]
    pub plant: Choice<Plant>,
    /// Phase and travel stand still while 0.
    #[serde(default = "Num::<Any>::one")]
    pub active: Cond,
}

/// The numbers of a gait.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Style {
    /// Way of a foot below the hip while it is down, in px; below 0 it walks backward, at 0 on the spot.
    pub stride: Num,
    /// Cycles per T.
    #[schemars(extend("x-also" = ["rate", "cadence", "speed"]))]
    pub frequency: Num<Positive>,
    /// Share of the cycle in which a foot is down, above 0 and below 1. Above 0.5 two legs overlap: a walk; below
    /// there is a time in the air: a run.
    #[schemars(extend("x-also" = ["stance"]))]
    pub duty: Num<Share>,
    /// Height of a swing in px.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["height", "step"]))]
    pub lift: Num<NonNegative>,
    /// Height of the hip's rise in px, twice a cycle.
    #[serde(default = "Num::<NonNegative>::zero")]
    #[schemars(extend("x-also" = ["bounce"]))]
    pub bob: Num<NonNegative>,
    /// The rise is highest at phase ¼ + this, in turns, and again half a turn later.
    #[serde(default = "Num::<Any>::zero")]
    pub bob_phase: Num,
}

bounds! {
    /// Strictly between 0 and 1.
    Share = Range { min: Some(0.0), max: Some(1.0), min_exclusive: true, max_exclusive: true };
}

/// A mix of two gaits: every number is interpolated, and speed, phase and feet follow from these.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Blend {
    /// The two gaits.
    pub between: (Plain, Plain),
    /// 0 the first, 1 the second; held within.
    pub by: Num,
}

/// What holds a foot that is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plant {
    #[default]
    Lock,
    None,
}

fn lock() -> Choice<Plant> {
    Choice::literal("lock")
}

impl ChannelKind for Gait {
    fn build(&self, b: &mut Builder) -> Entity {
        let shifts = self.shifts(b);
        // Gaits in another form have been reported.
        if self.gaits.0.is_empty() && !b.has_errors() {
            let message = "`gaits` is empty: a gait needs at least one";
            b.report(Problem::error("no-gaits", b.place(), message));
        }
        let styles: Vec<[Program; NUMBERS]> = self
            .gaits
            .iter()
            .map(|(.., style)| style.build(b))
            .collect();
        let Some((first, second)) = self.blended(b) else {
            return Entity::broken();
        };
        let memory = GaitMemory {
            styles: [styles[first].clone(), styles[second].clone()],
            by: match &self.blend {
                Some(blend) => b.num(&blend.by),
                None => Program::constant_of(0.0),
            },
            active: b.num(&self.active),
            is_locked: b.choice(&self.plant) == Plant::Lock,
            shifts,
        };
        let (legs, turns) = (memory.shifts.len(), memory.turns());
        let phase = b.memory((BODY + FOOT * legs) as u32, memory);
        let Operand::Column(start) = phase else {
            return Entity::broken();
        };
        if let Some((.., style)) = self.gaits.iter().nth(first) {
            b.cycle("frequency", style.frequency.span, phase, turns);
        }
        describe(start, legs, b)
    }
}

/// What the columns mean.
fn describe(start: u32, legs: usize, b: &mut Builder) -> Entity {
    let number = |place: usize| Entity::number("a number", Operand::Column(start + place as u32));
    let feet: Vec<Entity> = (0..legs)
        .map(|leg| {
            let place = BODY + FOOT * leg;
            let column = |i: usize| start + (place + i) as u32;
            b.add_foot(Foot {
                x: column(0),
                y: column(1),
                down: column(2),
                swing: column(3),
                travel: start + TRAVEL,
            });
            let outputs = ["x", "y", "down", "swing"].into_iter().enumerate();
            let foot = Entity {
                what: "a foot",
                ..Entity::default()
            };
            outputs.fold(foot, |foot, (i, name)| foot.with(name, number(place + i)))
        })
        .collect();
    let foot = Entity {
        what: "the feet",
        list: Some(List::Entities(feet.into())),
        ..Entity::default()
    };
    let gait = Entity {
        what: "a gait",
        ..Entity::default()
    };
    let outputs = ["phase", "speed", "travel", "bob"].into_iter().enumerate();
    let gait = outputs.fold(gait, |gait, (i, name)| gait.with(name, number(i)));
    gait.with("foot", foot)
}

impl Gait {
    /// How far each leg is ahead.
    fn shifts(&self, b: &mut Builder) -> Vec<f64> {
        let legs = self.legs.as_ref().map(|legs| b.int(legs) as usize);
        let Some(phases) = &self.phases else {
            let legs = legs.unwrap_or(2);
            return (0..legs).map(|i| i as f64 / legs as f64).collect();
        };
        if let (Some(legs), Some(slot)) = (legs, &self.legs)
            && legs != phases.len()
        {
            let message = format!("{legs} legs, but `phases` has {}", phases.len());
            b.report(
                Problem::error("unequal-lengths", slot.0.span, message)
                    .note("`phases` holds one number for each leg; `legs` may then be left out"),
            );
        }
        phases.iter().map(|phase| b.fixed(phase)).collect()
    }

    /// Which two gaits are mixed, by number; one alone is both.
    fn blended(&self, b: &mut Builder) -> Option<(usize, usize)> {
        let names: Vec<&str> = self.gaits.iter().map(|(name, ..)| name).collect();
        let Some(blend) = &self.blend else {
            if let Some((_, second, _)) = self.gaits.iter().nth(1) {
                b.report(
                    Problem::error("no-blend", second, "several gaits need a `blend`").note(
                        format!(
                            "such as `\"blend\": {{ \"between\": [\"{}\", \"{}\"], \"by\": 0.5 }}`",
                            names[0], names[1]
                        ),
                    ),
                );
            }
            return (!names.is_empty()).then_some((0, 0));
        };
        let first = find(&names, &blend.between.0, b)?;
        let second = find(&names, &blend.between.1, b)?;
        for (i, (name, span, _)) in self.gaits.iter().enumerate() {
            if i != first && i != second {
                let message =
                    format!("the gait `{name}` is never used: `blend` is between two others");
                b.report(Problem::warning("unused-gait", span, message));
            }
        }
        Some((first, second))
    }
}

/// The number of a gait that is named.
fn find(names: &[&str], wanted: &Plain, b: &mut Builder) -> Option<usize> {
    let text = wanted.text.as_deref()?;
    let found = names.iter().position(|name| *name == text);
    if found.is_none() {
        b.report(unknown("gait", text, names, wanted.span));
    }
    found
}

/// A name that is not among those there are.
pub(super) fn unknown(what: &str, text: &str, names: &[&str], span: Place) -> Problem {
    let code = "unknown-name";
    let mut problem = Problem::error(code, span, format!("there is no {what} `{text}` here"));
    if let Some(near) = nearest(text, names.iter().copied()) {
        problem = problem.label(format!("did you mean `{near}`?"));
    }
    problem.note(format!(
        "{what}s here: {}",
        list_some(text, names.iter().copied())
    ))
}

impl Style {
    fn build(&self, b: &mut Builder) -> [Program; NUMBERS] {
        [
            b.num(&self.stride),
            b.num(&self.frequency),
            b.num(&self.duty),
            b.num(&self.lift),
            b.num(&self.bob),
            b.num(&self.bob_phase),
        ]
    }
}

/// Numbers of a gait.
const NUMBERS: usize = 6;
/// Columns before those of the feet.
const BODY: usize = 4;
/// Which of them says how far the ground has come.
const TRAVEL: u32 = 2;
/// Columns of a foot.
const FOOT: usize = 4;
/// States before those of the legs: phase and travel.
const CLOCK: usize = 2;
/// States of a leg: 1 while down, its place or x, and the phase at which it left.
const LEG: usize = 3;

struct GaitMemory {
    styles: [[Program; NUMBERS]; 2],
    by: Program,
    active: Program,
    is_locked: bool,
    shifts: Vec<f64>,
}

impl GaitMemory {
    /// How often its phase comes round.
    fn turns(&self) -> Turns {
        let [a, b] = self.styles.each_ref().map(|style| style[1].constant());
        match (a, self.active.constant()) {
            (Some(frequency), Some(active)) if a == b && active != 0.0 => {
                Turns::Every(1.0 / frequency)
            }
            _ => Turns::Phase,
        }
    }
}

fn numbers(input: &[f64]) -> Numbers {
    Numbers {
        stride: input[0],
        frequency: input[1],
        duty: input[2],
        lift: input[3],
        bob: input[4],
        bob_phase: input[5],
    }
}

/// The gait at rest while it is not active.
fn moving(input: &[f64], is_active: bool) -> Numbers {
    let gait = numbers(input);
    match is_active {
        true => gait,
        false => Numbers {
            frequency: 0.0,
            ..gait
        },
    }
}

fn leg(state: &[f64]) -> Leg {
    match state[0] == 1.0 {
        true => Leg::Down { place: state[1] },
        false => Leg::Up {
            x: state[1],
            lifted: state[2],
        },
    }
}

fn keep(leg: Leg, state: &mut [f64]) {
    let numbers = match leg {
        Leg::Down { place } => [1.0, place, 0.0],
        Leg::Up { x, lifted } => [0.0, x, lifted],
    };
    state.copy_from_slice(&numbers);
}

impl Memory for GaitMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: NUMBERS + 1,
            states: CLOCK + LEG * self.shifts.len(),
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        let [a, b] = self.styles.each_ref().map(|style| {
            let values = style.each_ref().map(|program| program.eval(inputs));
            numbers(&values)
        });
        let mix = Numbers::mix(&a, &b, self.by.eval(inputs));
        let active = f64::from(u8::from(self.active.eval(inputs) != 0.0));
        input.copy_from_slice(&[
            mix.stride,
            mix.frequency,
            mix.duty,
            mix.lift,
            mix.bob,
            mix.bob_phase,
            active,
        ]);
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        let gait = numbers(input);
        state[..CLOCK].fill(0.0);
        let legs = state[CLOCK..].chunks_exact_mut(LEG);
        for (state, shift) in legs.zip(&self.shifts) {
            keep(Leg::at(&gait, leg_phase(0.0, *shift), 0.0), state);
        }
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        // Whether it is active is a switch: over the step what was on at its start stays on.
        let is_active = from[NUMBERS] != 0.0;
        let step = Step {
            from: moving(from, is_active),
            to: moving(to, is_active),
            dt,
        };
        let (clock, legs) = state.split_at_mut(CLOCK);
        let [phase, travel] = [clock[0], clock[1]];
        for (state, shift) in legs.chunks_exact_mut(LEG).zip(&self.shifts) {
            let start = leg_phase(phase, *shift);
            keep(leg(state).after(&step, start, travel), state);
        }
        clock[0] = leg_phase(phase, step.turned(dt));
        clock[1] = travel + step.travelled(dt);
    }

    fn write(&self, state: &[f64], input: &[f64], out: &mut [f64]) {
        let gait = moving(input, input[NUMBERS] != 0.0);
        let [phase, travel] = [state[0], state[1]];
        out[..BODY].copy_from_slice(&[phase, gait.speed(), travel, gait.rise(phase)]);
        let legs = state[CLOCK..].chunks_exact(LEG).zip(&self.shifts);
        for ((state, shift), out) in legs.zip(out[BODY..].chunks_exact_mut(FOOT)) {
            let phase = leg_phase(phase, *shift);
            let leg = leg(state);
            let swing = leg.swing(phase);
            let [x, y, down] = match self.is_locked {
                true => [
                    leg.x(travel),
                    gait.height(swing),
                    f64::from(u8::from(leg.is_down())),
                ],
                false => {
                    let [x, y] = gait.foot(phase);
                    [x, y, f64::from(u8::from(phase < gait.duty))]
                }
            };
            out.copy_from_slice(&[x, y, down, swing]);
        }
    }

    /// Below the hip; the travel itself only counts.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        let place = |state: &[f64], i: usize| {
            let leg = leg(&state[CLOCK + LEG * i..CLOCK + LEG * (i + 1)]);
            leg.x(state[1])
        };
        (0..self.shifts.len()).fold(0.0, |most: f64, i| {
            most.max((place(after, i) - place(before, i)).abs())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    const WALK: &str = r#""stride": 56, "frequency": 1.35, "duty": 0.62, "lift": 14, "bob": 4"#;
    const RUN: &str = r#""stride": 74, "frequency": 2.4, "duty": 0.37, "lift": 34, "bob": 8"#;

    /// A walk that goes over into a run and back, and stops for a while; gait `g`.
    fn blending(more: &str) -> Probe {
        Probe::new(
            &format!(
                r#"{{ "act": {{ "script": {{ "keys": [[0, "walk"], [0.43, "run"], [0.71, "walk"], [0.8, "run"], [1.31, "stop"], [1.52, "walk"]] }} }},
                   "run": {{ "smooth": {{ "to": "act.run", "half_life": 0.14 }} }},
                   "g": {{ "gait": {{ "gaits": {{ "walk": {{ {WALK} }}, "run": {{ {RUN} }} }},
                     "blend": {{ "between": ["walk", "run"], "by": "run" }}, "active": "not act.stop" {more} }} }} }}"#
            ),
            "{}",
        )
    }

    const FEET: [&str; 7] = [
        "g.travel",
        "g.foot[0].x",
        "g.foot[0].down",
        "g.foot[1].x",
        "g.foot[1].down",
        "g.foot[0].y",
        "g.phase",
    ];

    #[test]
    fn no_foot_slips_or_jumps_while_gaits_blend() {
        for fps in [50.0, 47.0, 240.0] {
            let rows = blending("").at_rate(fps, &FEET);
            for pair in rows.windows(2) {
                for foot in [1, 3] {
                    let [before, now] = [&pair[0], &pair[1]];
                    let slip = now[foot] + now[0] - before[foot] - before[0];
                    let both_down = before[foot + 1] == 1.0 && now[foot + 1] == 1.0;
                    assert!(!both_down || slip.abs() < 1e-9, "slips by {slip}");
                    let step = (now[foot] - before[foot]).abs();
                    assert!(step * fps < 900.0, "jumps by {step}");
                    let lift = (now[5] - before[5]).abs();
                    assert!(lift * fps < 500.0, "jumps up by {lift}");
                }
            }
        }
    }

    #[test]
    fn without_a_lock_it_slips() {
        let rows = blending(r#", "plant": "none""#).at_rate(50.0, &FEET);
        let slips = rows
            .windows(2)
            .filter(|pair| pair[0][2] == 1.0 && pair[1][2] == 1.0);
        let most = slips.fold(0.0, |most: f64, pair| {
            most.max((pair[1][1] + pair[1][0] - pair[0][1] - pair[0][0]).abs())
        });
        assert!(most > 0.5, "{most}");
    }

    #[test]
    fn the_frame_rate_changes_nothing() {
        let fine = blending("").at_rate(100.0, &FEET);
        for (fps, every) in [(50.0, 2), (25.0, 4)] {
            let coarse = blending("").at_rate(fps, &FEET);
            for (i, row) in coarse.iter().enumerate() {
                for (a, b) in row.iter().zip(&fine[i * every]) {
                    assert!((a - b).abs() < 1e-9, "{fps} fps, frame {i}");
                }
            }
        }
    }

    #[test]
    fn while_it_is_not_active_everything_stands() {
        let rows = blending("").at_rate(50.0, &["g.phase", "g.travel", "g.speed"]);
        for row in &rows[66..=75] {
            assert_eq!(row[..2], rows[66][..2]);
            assert_eq!(row[2], 0.0);
        }
        assert!(rows[77][1] > rows[75][1]);
    }

    #[test]
    fn quadrupeds_have_phases() {
        let probe = Probe::new(
            &format!(
                r#"{{ "g": {{ "gait": {{ "gaits": {{ "walk": {{ {WALK} }} }}, "phases": [0, 0.25, 0.5, 0.75] }} }} }}"#
            ),
            "{}",
        );
        let rows = probe.at_rate(
            50.0,
            &["g.foot[0].x", "g.foot[1].x", "g.foot[2].x", "g.foot[3].x"],
        );
        // Half a cycle lasts 1 / 2.7 s.
        assert!(
            rows[0][0] == 28.0 && rows[0].iter().all(|x| x.abs() <= 28.0),
            "{:?}",
            rows[0]
        );
        assert!(
            (rows[0][2] - (28.0 - 56.0 * 0.5 / 0.62)).abs() < 1e-12,
            "{:?}",
            rows[0]
        );
    }

    #[test]
    fn what_a_gait_cannot_be() {
        for (gait, message) in [
            (r#""gaits": {}"#.to_owned(), "`gaits` is empty"),
            (
                format!(r#""gaits": {{ "a": {{ {WALK} }}, "b": {{ {RUN} }} }}"#),
                "several gaits need a `blend`",
            ),
            (
                format!(
                    r#""gaits": {{ "walk": {{ {WALK} }} }}, "blend": {{ "between": ["walk", "wolk"], "by": 0 }}"#
                ),
                "did you mean `walk`?",
            ),
            (
                format!(r#""gaits": {{ "walk": {{ {WALK} }} }}, "legs": 3, "phases": [0, 0.5]"#),
                "3 legs, but `phases` has 2",
            ),
            (
                r#""gaits": { "a": { "stride": 5, "frequency": 1, "duty": 1 } }"#.to_owned(),
                "`duty` is 1",
            ),
            (
                format!(
                    r#""gaits": {{ "a": {{ {WALK} }}, "b": {{ {RUN} }}, "c": {{ {RUN} }} }}, "blend": {{ "between": ["a", "b"], "by": 0 }}"#
                ),
                "the gait `c` is never used",
            ),
        ] {
            let said = problems(&format!(
                r#""channels": {{ "g": {{ "gait": {{ {gait} }} }} }}"#
            ));
            assert!(said.contains(message), "{said}");
        }
    }
}
