use super::ChannelKind;
use super::gait::unknown;
use crate::formula::{Inputs, Operand, Program};
use crate::maths::functions::ceil;
use crate::maths::inertialize::{Carried, Contact, Footing, Ground, Lengths, Pace, Stage};
use crate::maths::track::{Key as TrackKey, Return, Track as Keyed};
use crate::scene::builder::{Builder, SIDE, TIME};
use crate::scene::entity::{Entity, TextValue};
use crate::scene::{Memory, MemorySize, Signal};
use crate::spec::problem::Problem;
use crate::spec::slots::*;
use crate::spec::source::Span as Place;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Named parameters of a figure, moved by one clip at a time; a `script` says which. At a switch every parameter keeps
/// its place and its speed: the old motion coasts to rest, in 15 % of `switch.inertialize`, while its weight sinks
/// to 0 over all of it (dead blending), cyclic parameters (`wrap`) go the short way, and exactly at the end of that time the new clip is alone.
/// This holds also in the middle of such a transition and straight back. The speed is that of the instant: keys tell
/// theirs, that of a formula is measured over the last ticks.
///
/// A parameter whose formula is exactly `G.foot[i].x` of a gait is the x of a foot. If that foot is down at the switch,
/// it stays where it is until it next leaves the ground, and makes up the difference during the swing; if it is in the
/// air, it lands as near to its place as the rest of the swing allows. So feet neither slip nor jump; one that would
/// stand too far off takes a step instead (`unlock`), and so does one that stands when a clip without a gait begins or
/// ends. Before such a step a foot stays where it is on the ground for a tenth of `switch.inertialize`, unless the gait
/// lifts it sooner.
///
/// Outputs: `.PARAMETER` for each parameter of `rest`; for the x of a foot also `.PARAMETER.planted`, 1 while the foot
/// keeps its place on the ground, 0 in the air, on the way to another place, and, but for the first moment, in clips that
/// have no gait. A clip's time starts at the switch.
///
/// ```json
/// "channels": {
///   "act": { "script": { "keys": [[0, "nod"], [0.5, "hop"]] } },
///   "pose": { "pose": {
///     "select": "act",
///     "rest": { "y": 90, "tilt": 0 },
///     "clips": {
///       "nod": { "formulas": { "tilt": "30 * sin(turn * t / 0.4)" } },
///       "hop": { "tracks": { "length": 0.7, "ease": "smoothstep", "of": { "y": [[0, 90], [0.25, 96, "out_quad"], [0.55, 40, "in_quad"], [0.9, 90]] } } }
///     }
///   } }
/// },
/// "draw": [ { "rect": { "at": [120, "pose.y"], "size": [44, 26], "radius": 7, "rotate": "pose.tilt" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "pose")]
pub struct Pose {
    /// A script whose words are the names of clips; needed if there are several. A clip that the script never calls is
    /// never on: `act.jump` is then 0.
    #[schemars(extend("x-also" = ["script", "by", "state"]))]
    pub select: Option<Name>,
    /// Every parameter, with its value where a clip does not move it.
    #[schemars(extend("x-also" = ["default", "defaults", "parameters", "params"]))]
    pub rest: Map<Num>,
    /// Motions by name.
    #[schemars(extend("x-also" = ["motions", "animations", "actions"]))]
    pub clips: Map<Clip>,
    /// How one clip passes into another.
    #[serde(default)]
    #[schemars(extend("x-also" = ["transition", "blend"]))]
    pub switch: Switch,
    /// Cyclic parameters with their period, such as 360 for an angle: a switch goes the short way.
    #[serde(default)]
    pub wrap: Map<Fixed<Positive>>,
}

/// How one clip passes into another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Switch {
    /// Time in T over which the old motion dies away; 0 cuts.
    #[serde(default = "a_fifth")]
    #[schemars(extend("x-also" = ["inertialise", "duration", "over", "time"]))]
    pub inertialize: Fixed<NonNegative>,
    /// A foot that is down, but would have to stand farther than this from where the new clip has it, in px, does not
    /// stay: it goes there meanwhile. Nor does a foot coast farther than this. Without it every foot stays.
    #[schemars(extend("x-also" = ["unlock_radius", "lock_radius", "radius"]))]
    pub unlock: Option<Fixed<NonNegative>>,
}

impl Default for Switch {
    fn default() -> Self {
        Self {
            inertialize: a_fifth(),
            unlock: None,
        }
    }
}

fn a_fifth() -> Fixed<NonNegative> {
    Fixed::literal(0.2)
}

/// One motion: what its parameters do.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "clip", extend("x-kinds" = "clip"))]
pub enum Clip {
    /// Parameters as formulas.
    Formulas(Map<Num>),
    /// Each parameter with keys of its own.
    Tracks(Tracks),
    /// One row of keys for all parameters, with one ease: a list of poses.
    Table(Table),
    /// The same as another clip.
    Like(Plain),
}

/// Each parameter with keys of its own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "clip_tracks")]
pub struct Tracks {
    /// How long the clip is, in T.
    pub length: Fixed<Positive>,
    /// What follows its end: the last values hold, or it starts again.
    #[serde(default = "hold")]
    pub then: Choice<Then>,
    /// Ease of keys that have none.
    #[serde(default = "linear")]
    #[schemars(extend("x-also" = ["easing"]))]
    pub ease: EaseSlot,
    /// Parameters that are constant while the clip is on.
    #[serde(default)]
    pub set: Map<Num>,
    /// Parameters with their keys `[at, value, ease?]`, where `at` runs from 0 to 1 over the length.
    pub of: Map<Vec<Key>>,
}

/// One row of keys for all parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "clip_table")]
pub struct Table {
    /// How long the clip is, in T.
    pub length: Fixed<Positive>,
    /// What follows its end: the last values hold, or it starts again.
    #[serde(default = "hold")]
    pub then: Choice<Then>,
    /// Ease of rows that have none.
    #[serde(default = "linear")]
    #[schemars(extend("x-also" = ["easing"]))]
    pub ease: EaseSlot,
    /// Parameters that are constant while the clip is on.
    #[serde(default)]
    pub set: Map<Num>,
    /// The parameters, in the order of the values of a row.
    #[schemars(length(min = 1))]
    pub columns: Vec<Plain>,
    /// Poses: `[at, [values…], ease?]`, where `at` runs from 0 to 1 over the length.
    #[schemars(length(min = 1), extend("x-also" = ["keys", "poses"]))]
    pub rows: Vec<Row>,
}

/// What follows the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    #[default]
    Hold,
    Loop,
}

fn hold() -> Choice<Then> {
    Choice::literal("hold")
}

fn linear() -> EaseSlot {
    EaseSlot::literal("linear")
}

/// `[at, [values…], ease?]`: a pose; the ease belongs to the way that leaves it.
#[derive(Clone, Debug)]
pub struct Row {
    pub at: Fixed,
    pub values: Vec<Fixed>,
    pub ease: Option<EaseSlot>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Row;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a row `[at, [values…]]` or `[at, [values…], ease]`")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Row, A::Error> {
                let missing = |n| de::Error::invalid_length(n, &"a row");
                Ok(Row {
                    at: seq.next_element()?.ok_or_else(|| missing(0))?,
                    values: seq.next_element()?.ok_or_else(|| missing(1))?,
                    ease: seq.next_element()?,
                })
            }
        }
        deserializer.deserialize_seq(V)
    }
}

impl JsonSchema for Row {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "pose_row".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let fixed = generator.subschema_for::<Fixed>();
        let ease = generator.subschema_for::<EaseSlot>();
        schemars::json_schema!({
            "description": "`[at, [values…]]` or `[at, [values…], ease]`; the ease belongs to the way that leaves \
                the pose.",
            "x-expects": "a row: `[at, [values…]]` or `[at, [values…], ease]`",
            "type": "array",
            "prefixItems": [fixed.clone(), { "type": "array", "items": fixed, "x-expects": "a list of numbers" }, ease],
            "items": false,
            "minItems": 2,
            "maxItems": 3,
        })
    }
}

impl ChannelKind for Pose {
    fn build(&self, b: &mut Builder) -> Entity {
        let names: Vec<&str> = self.rest.iter().map(|(name, ..)| name).collect();
        let rest: Vec<Program> = self.rest.iter().map(|(.., value)| b.num(value)).collect();
        let mut writer = Writer {
            names: &names,
            rest: &rest,
            b,
        };
        let motions: Vec<Motion> = (self.clips.iter())
            .map(|(.., clip)| writer.motion(clip))
            .collect();
        let Some(places) = self.resolved(b) else {
            return Entity::broken();
        };
        let periods = self.periods(&names, b);
        let lengths = self.lengths(b);
        let Some((motion, since, cues, of_word)) = self.selected(&places, b) else {
            return Entity::broken();
        };
        let feet = motions.iter().map(|motion| motion.feet(b)).collect();
        let keyed = motions.iter().map(Motion::keyed).collect();
        let signal = ClipSignal {
            motion: b.read(motion),
            since: b.read(since),
            cues,
            of_word,
            motions,
        };
        let count = names.len();
        let Operand::Column(first) = b.signal((CLIP + 2 * count) as u32, signal) else {
            return Entity::broken();
        };
        self.carried(first, (feet, keyed), periods, lengths, b)
    }

    fn selects_for(&self, clip: &str) -> Option<&Name> {
        self.clips.get(clip)?;
        self.select.as_ref()
    }
}

impl Pose {
    fn carried(
        &self,
        first: u32,
        (feet, keyed): (Vec<Vec<Option<Sole>>>, Vec<Vec<bool>>),
        periods: Vec<Option<f64>>,
        lengths: Lengths,
        b: &mut Builder,
    ) -> Entity {
        let count = periods.len();
        let clips = (first..first + (CLIP + 2 * count) as u32)
            .map(|column| b.read(Operand::Column(column)))
            .collect();
        for sole in feet.iter().flatten().flatten() {
            for column in sole.columns() {
                b.read(Operand::Column(column));
            }
        }
        let soles: Vec<Option<Sole>> = (0..count)
            .map(|i| feet.iter().find_map(|feet| feet[i]))
            .collect();
        let lengths = soles.iter().map(|sole| match sole {
            Some(_) => lengths,
            None => Lengths {
                unlock: f64::INFINITY,
                ..lengths
            },
        });
        let planted: Vec<usize> = (0..count).filter(|i| soles[*i].is_some()).collect();
        let memory = PoseMemory {
            clips,
            lengths: lengths.collect(),
            planted: planted.clone(),
            feet,
            soles,
            keyed,
            periods,
        };
        let Operand::Column(shown) = b.memory((count + planted.len()) as u32, memory) else {
            return Entity::broken();
        };
        self.describe(shown, &planted)
    }

    /// What the columns mean: the parameters, then whether each foot is planted.
    fn describe(&self, shown: u32, planted: &[usize]) -> Entity {
        let column = |what, i: usize| Entity::number(what, Operand::Column(shown + i as u32));
        let pose = Entity {
            what: "a pose",
            ..Entity::default()
        };
        let count = self.rest.iter().count();
        (self.rest.iter().enumerate()).fold(pose, |pose, (i, (name, ..))| {
            let parameter = column("a parameter", i);
            let parameter = match planted.iter().position(|foot| *foot == i) {
                Some(foot) => parameter.with("planted", column("a number", count + foot)),
                None => parameter,
            };
            pose.with(name, parameter)
        })
    }

    /// For each clip the number of the one that it is like in the end; nothing if a name leads nowhere.
    fn resolved(&self, b: &mut Builder) -> Option<Vec<usize>> {
        let names: Vec<&str> = self.clips.iter().map(|(name, ..)| name).collect();
        if names.is_empty() {
            let message = "`clips` is empty: a pose needs at least one";
            b.report(Problem::error("no-clips", b.place(), message));
            return None;
        }
        let mut all = Vec::new();
        for start in 0..names.len() {
            let (mut at, mut way) = (start, vec![names[start]]);
            while let Clip::Like(other) = &self.clips.0[at].1 {
                let text = other.text.as_deref()?;
                let Some(next) = names.iter().position(|name| *name == text) else {
                    b.report(unknown("clip", text, &names, other.span));
                    return None;
                };
                way.push(names[next]);
                if way[..way.len() - 1].contains(&names[next]) {
                    let message = format!(
                        "clips are like one another in a circle: `{}`",
                        way.join("` → `")
                    );
                    b.report(Problem::error("cycle", other.span, message));
                    return None;
                }
                at = next;
            }
            all.push(at);
        }
        Some(all)
    }

    fn periods(&self, names: &[&str], b: &mut Builder) -> Vec<Option<f64>> {
        let mut periods = vec![None; names.len()];
        for (name, span, period) in self.wrap.iter() {
            let period = b.fixed(period);
            match names.iter().position(|known| *known == name) {
                Some(i) => periods[i] = Some(period),
                None => b.report(unknown("parameter", name, names, span)),
            }
        }
        periods
    }

    fn lengths(&self, b: &mut Builder) -> Lengths {
        let slot = &self.switch.inertialize;
        let transition = b.fixed(slot);
        if transition == 0.0 && self.clips.0.len() > 1 {
            b.report(Problem::warning(
                "cut",
                slot.span,
                "`inertialize` is 0: the figure jumps from clip to clip",
            ));
        }
        let unlock = self.switch.unlock.as_ref().map(|unlock| b.fixed(unlock));
        Lengths {
            transition,
            tick: b.clock().tick(),
            unlock: unlock.unwrap_or(f64::INFINITY),
        }
    }

    /// The number of the motion, the time since it began, when it changes, and the clip of every motion.
    fn selected(&self, places: &[usize], b: &mut Builder) -> Option<Selected> {
        let Some(select) = &self.select else {
            if let Some((name, span, _)) = self.clips.iter().nth(1) {
                let message =
                    format!("two clips and more need `select`: who says when `{name}` is on?");
                let note = "`select` is the name of a `script` channel whose words are the clips";
                b.report(Problem::error("no-select", span, message).note(note));
            }
            let still = (Operand::Constant(0.0), Operand::Column(TIME));
            return Some((still.0, still.1, Arc::from([0.0]), vec![places[0]]));
        };
        let entity = b.entity(select)?;
        let since = entity.member("since").and_then(|since| since.number);
        let (Some(TextValue::OneOf(motion, words)), Some(since)) = (&entity.text, since) else {
            if !entity.broken {
                b.wrong_entity(select, &entity, "a script");
            }
            return None;
        };
        let names: Vec<&str> = self.clips.iter().map(|(name, ..)| name).collect();
        let mut of_word = Vec::new();
        for word in words.iter() {
            match names.iter().position(|name| name == word) {
                Some(i) => of_word.push(places[i]),
                None => {
                    let problem = unknown("clip", word, &names, select.span);
                    let script = select.text.as_deref().unwrap_or_default();
                    b.report(problem.note(format!("the script `{script}` calls `{word}`")));
                    return None;
                }
            }
        }
        Some((*motion, since, b.jumps_of(*motion), of_word))
    }
}

/// The number of the motion, the time since it began, when it changes, and the clip of every motion.
type Selected = (Operand, Operand, Arc<[f64]>, Vec<usize>);

/// Writes clips as functions of their time.
struct Writer<'a, 'b, 's> {
    names: &'a [&'a str],
    rest: &'a [Program],
    b: &'b mut Builder<'s>,
}

/// A clip: a value for each parameter.
struct Motion {
    /// In T; for tracks.
    length: f64,
    is_looping: bool,
    values: Vec<Value>,
}

enum Value {
    Formula(Program),
    /// Over a time from 0 to 1.
    Track(Keyed),
}

impl Writer<'_, '_, '_> {
    fn motion(&mut self, clip: &Clip) -> Motion {
        let mut values: BTreeMap<usize, Value> = BTreeMap::new();
        let (mut length, mut is_looping) = (1.0, false);
        match clip {
            Clip::Formulas(formulas) => self.set(formulas, &mut values),
            Clip::Tracks(tracks) => {
                length = self.b.fixed(&tracks.length);
                is_looping = self.b.choice(&tracks.then) == Then::Loop;
                self.set(&tracks.set, &mut values);
                self.tracks(tracks, is_looping, &mut values);
            }
            Clip::Table(table) => {
                length = self.b.fixed(&table.length);
                is_looping = self.b.choice(&table.then) == Then::Loop;
                self.set(&table.set, &mut values);
                self.table(table, is_looping, &mut values);
            }
            Clip::Like(_) => {}
        }
        let rest = |i: usize| Value::Formula(self.rest[i].clone());
        let values = (0..self.names.len())
            .map(|i| values.remove(&i).unwrap_or_else(|| rest(i)))
            .collect();
        Motion {
            length,
            is_looping,
            values,
        }
    }

    fn set(&mut self, formulas: &Map<Num>, values: &mut BTreeMap<usize, Value>) {
        for (name, span, formula) in formulas.iter() {
            let value = Value::Formula(self.b.num(formula));
            self.put(name, span, value, values);
        }
    }

    fn put(&mut self, name: &str, span: Place, value: Value, values: &mut BTreeMap<usize, Value>) {
        let Some(i) = self.names.iter().position(|known| *known == name) else {
            let problem = unknown("parameter", name, self.names, span);
            self.b
                .report(problem.note("`rest` names every parameter of a pose"));
            return;
        };
        if values.insert(i, value).is_some() {
            let message = format!("`{name}` is given twice in this clip");
            self.b.report(Problem::error("given-twice", span, message));
        }
    }

    fn tracks(&mut self, tracks: &Tracks, is_looping: bool, values: &mut BTreeMap<usize, Value>) {
        let ease = self.b.ease(&tracks.ease);
        for (name, span, written) in tracks.of.iter() {
            let keys: Vec<TrackKey> = written
                .iter()
                .map(|key| TrackKey {
                    time: self.b.fixed(&key.time),
                    value: self.b.fixed(&key.value),
                    ease: key.ease.as_ref().map_or(ease, |ease| self.b.ease(ease)),
                })
                .collect();
            if keys.is_empty() {
                let message = format!("`{name}` has no keys");
                self.b.report(Problem::error("no-keys", span, message));
            }
            let spans: Vec<Place> = written.iter().map(|key| key.time.span).collect();
            self.check_times(&keys, &spans);
            self.put(name, span, Value::Track(keyed(keys, is_looping)), values);
        }
    }

    fn table(&mut self, table: &Table, is_looping: bool, values: &mut BTreeMap<usize, Value>) {
        let ease = self.b.ease(&table.ease);
        let mut columns: Vec<Vec<TrackKey>> = vec![Vec::new(); table.columns.len()];
        let mut times = Vec::new();
        for row in &table.rows {
            let time = self.b.fixed(&row.at);
            let ease = row.ease.as_ref().map_or(ease, |ease| self.b.ease(ease));
            self.check_width(row, table.columns.len());
            for (column, value) in columns.iter_mut().zip(&row.values) {
                let value = self.b.fixed(value);
                column.push(TrackKey { time, value, ease });
            }
            times.push(TrackKey {
                time,
                value: 0.0,
                ease,
            });
        }
        let spans: Vec<Place> = table.rows.iter().map(|row| row.at.span).collect();
        self.check_times(&times, &spans);
        for (column, keys) in table.columns.iter().zip(columns) {
            if let Some(name) = column.text.as_deref() {
                self.put(
                    name,
                    column.span,
                    Value::Track(keyed(keys, is_looping)),
                    values,
                );
            }
        }
    }

    fn check_width(&mut self, row: &Row, columns: usize) {
        let n = row.values.len();
        if n == columns {
            return;
        }
        let message = format!("this row has {n} values, but there are {columns} `columns`");
        let span = row.values.last().map_or(row.at.span, |last| Place {
            start: row.values[0].span.start,
            ..last.span
        });
        self.b
            .report(Problem::error("unequal-lengths", span, message));
    }

    /// Within the clip, and never falling.
    fn check_times(&mut self, keys: &[TrackKey], spans: &[Place]) {
        for (key, span) in keys.iter().zip(spans) {
            if !(0.0..=1.0).contains(&key.time) {
                let message = format!(
                    "a key of a clip stands at 0 to 1 of its length, not at {}",
                    key.time
                );
                self.b
                    .report(Problem::error("out-of-range", *span, message));
            }
        }
        for (pair, spans) in keys.windows(2).zip(spans.windows(2)) {
            if pair[1].time < pair[0].time {
                let message = format!(
                    "key times must not fall: {} comes after {}",
                    pair[1].time, pair[0].time
                );
                let problem = Problem::error("unsorted-keys", spans[1], message);
                self.b.report(problem.related(spans[0], "the key before"));
            }
        }
    }
}

fn keyed(keys: Vec<TrackKey>, is_looping: bool) -> Keyed {
    let returns = match is_looping {
        true => Return::Loop,
        false => Return::None,
    };
    Keyed::new(keys, returns, 1.0, None)
}

impl Motion {
    /// For each parameter the foot whose x it is.
    fn feet(&self, b: &Builder) -> Vec<Option<Sole>> {
        let foot = |value: &Value| match value {
            Value::Formula(program) => {
                let column = program.as_column()?;
                Some((column, b.foot_of(column)?))
            }
            Value::Track(_) => None,
        };
        let feet: Vec<_> = self.values.iter().map(foot).collect();
        let x_of = |found: &Option<(u32, crate::scene::builder::Foot)>| {
            let (column, foot) = (*found)?;
            let height = feet.iter().position(|other| *other == Some((foot.y, foot)));
            (column == foot.x).then_some(Sole {
                down: foot.down,
                swing: foot.swing,
                travel: foot.travel,
                height,
            })
        };
        feet.iter().map(x_of).collect()
    }

    /// Which parameters have keys, and so a speed of their own.
    fn keyed(&self) -> Vec<bool> {
        let is_track = |value: &Value| matches!(value, Value::Track(_));
        self.values.iter().map(is_track).collect()
    }

    /// Times of its jumps since it began, up to a time.
    fn jumps(&self, until: f64) -> Vec<f64> {
        let laps = match self.is_looping {
            true => ceil(until / self.length).clamp(1.0, MOST_LAPS) as u32,
            false => 0,
        };
        let tracks = self.values.iter().filter_map(|value| match value {
            Value::Track(track) => Some(track.jumps()),
            Value::Formula(_) => None,
        });
        let once: Vec<f64> = tracks.flatten().collect();
        (0..=laps)
            .flat_map(|lap| once.iter().map(move |u| u + f64::from(lap)))
            .map(|u| u * self.length)
            .filter(|t| *t <= until)
            .collect()
    }
}

/// Jumps of more laps are seen at the ticks only.
const MOST_LAPS: f64 = 1000.0;

/// The x of a foot: where the gait says whether it is down and how far the ground has come, and which parameter is its
/// height.
#[derive(Clone, Copy, Debug)]
struct Sole {
    down: u32,
    swing: u32,
    travel: u32,
    height: Option<usize>,
}

impl Sole {
    fn columns(&self) -> [u32; SOLE] {
        [self.down, self.swing, self.travel]
    }
}

/// Columns of a foot.
const SOLE: usize = 3;

/// Columns before those of the parameters: the clip's number and its time.
const CLIP: usize = 2;

/// Share of a clip over which the speed of a track is taken.
const MOMENT: f64 = 1e-4;

/// The value of a track at a share of its clip, and its speed per clip: at a jump or a corner that of the slower side.
fn keyed_at(track: &Keyed, at: f64, is_after: bool) -> [f64; 2] {
    let value = match is_after {
        true => track.at(at),
        false => track.before(at),
    };
    let ahead = track.before(at + MOMENT) - value;
    let behind = match at < MOMENT {
        true => ahead,
        false => value - track.at(at - MOMENT),
    };
    let moved = match behind.abs() < ahead.abs() {
        true => behind,
        false => ahead,
    };
    [value, moved / MOMENT]
}

/// What the clip that is on asks for, and then how fast that moves, 0 where nobody knows.
struct ClipSignal {
    motion: Program,
    since: Program,
    /// When the motion changes.
    cues: Arc<[f64]>,
    of_word: Vec<usize>,
    motions: Vec<Motion>,
}

impl Signal for ClipSignal {
    fn evaluate(&self, inputs: &Inputs, out: &mut [f64]) {
        let word = self.motion.eval(inputs) as usize;
        let clip = self.of_word.get(word).copied().unwrap_or_default();
        let since = self.since.eval(inputs);
        let motion = &self.motions[clip];
        let is_after = inputs.row[SIDE as usize] == 0.0;
        out[..CLIP].copy_from_slice(&[clip as f64, since]);
        let (values, speeds) = out[CLIP..].split_at_mut(motion.values.len());
        for ((out, speed), value) in values.iter_mut().zip(speeds).zip(&motion.values) {
            [*out, *speed] = match value {
                Value::Formula(program) => [program.eval(inputs), 0.0],
                Value::Track(track) => {
                    let [value, moved] = keyed_at(track, since / motion.length, is_after);
                    [value, moved / motion.length]
                }
            };
        }
    }

    fn jumps(&self, duration: f64) -> Vec<f64> {
        let all = self.cues.iter().flat_map(|cue| {
            let motions = self.motions.iter();
            motions.flat_map(move |motion| {
                motion
                    .jumps(duration - cue)
                    .into_iter()
                    .map(move |t| cue + t)
            })
        });
        let mut times: Vec<f64> = all.collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// The figure's parameters, carried over every switch.
struct PoseMemory {
    /// What the clip signal gives.
    clips: Vec<Program>,
    /// The parameters that are feet.
    planted: Vec<usize>,
    /// By clip and parameter: the foot that the gait moves.
    feet: Vec<Vec<Option<Sole>>>,
    /// By parameter: the foot that it is in any clip.
    soles: Vec<Option<Sole>>,
    /// By clip and parameter: whether the clip knows its speed.
    keyed: Vec<Vec<bool>>,
    periods: Vec<Option<f64>>,
    /// By parameter.
    lengths: Vec<Lengths>,
}

/// States of a parameter.
const STATES: usize = 17;
/// A parameter that goes on within this, in its unit, when its own clip begins anew is not switched.
const SAME: f64 = 1e-9;
/// A foot within this of the floor, in px, stands on it.
const ON_FLOOR: f64 = 0.5;

fn carried(state: &[f64]) -> Carried {
    Carried {
        value: state[0],
        speed: state[1],
        pace: Pace {
            speeds: [state[2], state[3], state[4]],
            age: state[5],
        },
        target: state[6],
        old: [state[7], state[8]],
        elapsed: state[9],
        held: state[10],
        start: state[11],
        stage: match state[12] as u8 {
            0 => Stage::Settled,
            1 => Stage::Timed,
            2 => Stage::Swinging,
            3 => Stage::Standing,
            4 => Stage::Shedding,
            _ => Stage::Waiting,
        },
        waited: state[13],
        ground: Ground {
            travel: state[14],
            speed: state[15],
            slide: state[16],
        },
    }
}

fn keep(it: &Carried, state: &mut [f64]) {
    let stage = match it.stage {
        Stage::Settled => 0.0,
        Stage::Timed => 1.0,
        Stage::Swinging => 2.0,
        Stage::Standing => 3.0,
        Stage::Shedding => 4.0,
        Stage::Waiting => 5.0,
    };
    let ([last, before, earlier], [old, speed]) = (it.pace.speeds, it.old);
    state.copy_from_slice(&[
        it.value,
        it.speed,
        last,
        before,
        earlier,
        it.pace.age,
        it.target,
        old,
        speed,
        it.elapsed,
        it.held,
        it.start,
        stage,
        it.waited,
        it.ground.travel,
        it.ground.speed,
        it.ground.slide,
    ]);
}

impl PoseMemory {
    fn count(&self) -> usize {
        self.periods.len()
    }

    /// Where a parameter's foot is, after what the clips ask for.
    fn footing(&self, input: &[f64], i: usize) -> Option<Footing> {
        self.soles[i]?;
        let place = CLIP + 2 * self.count() + SOLE * i;
        Some(Footing {
            is_led: self.feet[input[0] as usize][i].is_some(),
            is_down: input[place] != 0.0,
            swing: input[place + 1],
            travel: input[place + 2],
        })
    }

    /// Whether a parameter is a foot that keeps its place on the ground.
    fn is_planted(&self, state: &[f64], input: &[f64], i: usize) -> bool {
        let is_down = |foot: Footing| foot.is_led && foot.is_down;
        match carried(&state[STATES * i..STATES * (i + 1)]).stage {
            Stage::Waiting => true,
            Stage::Settled | Stage::Standing => self.footing(input, i).is_some_and(is_down),
            _ => false,
        }
    }

    /// How a parameter's foot meets the floor; it may be kept there by the gait or not.
    fn contact(&self, state: &[f64], input: &[f64], i: usize) -> Contact {
        let height = self.soles[i].and_then(|sole| sole.height);
        if height.is_some_and(|y| state[STATES * y] < -ON_FLOOR) {
            return Contact::Above;
        }
        let it = carried(&state[STATES * i..STATES * (i + 1)]);
        match self.is_planted(state, input, i) || it.is_still(self.lengths[i].tick) {
            true => Contact::Standing,
            false => Contact::Sliding,
        }
    }

    /// Whether a parameter is the height of a foot that stands.
    fn is_height_of(&self, height: usize, contacts: &[Contact]) -> bool {
        let of = |sole: &Option<Sole>| sole.is_some_and(|sole| sole.height == Some(height));
        let mut feet = contacts.iter().zip(&self.soles);
        feet.any(|(contact, sole)| *contact == Contact::Standing && of(sole))
    }

    /// Another clip is on, or the same one has begun anew.
    fn switch(&self, state: &mut [f64], from: &[f64], to: &[f64]) {
        let is_same = from[0] == to[0];
        let contacts: Vec<Contact> = (0..self.count())
            .map(|i| self.contact(state, from, i))
            .collect();
        for i in 0..self.count() {
            let mut it = carried(&state[STATES * i..STATES * (i + 1)]);
            let target = to[CLIP + i];
            if is_same && (target - it.target).abs() <= SAME {
                continue;
            }
            if self.is_height_of(i, &contacts) {
                it.speed = 0.0;
            }
            let foot = (self.footing(to, i)).map(|foot| (foot, contacts[i]));
            it.switch(target, foot, self.periods[i], self.lengths[i]);
            keep(&it, &mut state[STATES * i..STATES * (i + 1)]);
        }
    }
}

impl Memory for PoseMemory {
    fn size(&self) -> MemorySize {
        MemorySize {
            inputs: CLIP + (2 + SOLE) * self.count(),
            states: STATES * self.count(),
        }
    }

    fn read(&self, inputs: &Inputs, input: &mut [f64]) {
        let (clips, feet) = input.split_at_mut(CLIP + 2 * self.count());
        for (slot, program) in clips.iter_mut().zip(&self.clips) {
            *slot = program.eval(inputs);
        }
        let led = &self.feet[clips[0] as usize];
        let soles = led.iter().zip(&self.soles);
        for (slots, (led, own)) in feet.chunks_exact_mut(SOLE).zip(soles) {
            let columns = led.or(*own).map_or([0.0; SOLE], |sole| {
                sole.columns().map(|column| inputs.row[column as usize])
            });
            slots.copy_from_slice(&columns);
        }
    }

    fn start(&self, input: &[f64], state: &mut [f64]) {
        for (i, state) in state.chunks_exact_mut(STATES).enumerate() {
            let mut it = Carried::at(input[CLIP + i]);
            it.ground.travel = self.footing(input, i).map_or(0.0, |foot| foot.travel);
            keep(&it, state);
        }
    }

    fn advance(&self, state: &mut [f64], from: &[f64], to: &[f64], dt: f64) {
        if from[0] != to[0] || to[1] < from[1] {
            self.switch(state, from, to);
        }
        for (i, state) in state.chunks_exact_mut(STATES).enumerate() {
            let mut it = carried(state);
            let footing = self.footing(to, i);
            let speed = to[CLIP + self.count() + i];
            let speed = self.keyed[to[0] as usize][i].then_some(speed);
            it.advance(to[CLIP + i], speed, footing, dt, self.lengths[i]);
            keep(&it, state);
        }
    }

    fn write(&self, state: &[f64], input: &[f64], out: &mut [f64]) {
        let (values, planted) = out.split_at_mut(self.count());
        for (out, state) in values.iter_mut().zip(state.chunks_exact(STATES)) {
            *out = state[0];
        }
        for (out, i) in planted.iter_mut().zip(&self.planted) {
            *out = f64::from(u8::from(self.is_planted(state, input, *i)));
        }
    }

    /// In what is shown and in what a foot still has to make good.
    fn distance(&self, before: &[f64], after: &[f64]) -> f64 {
        let pairs = before.chunks_exact(STATES).zip(after.chunks_exact(STATES));
        pairs
            .zip(&self.periods)
            .fold(0.0, |most: f64, ((a, b), period)| {
                let (a, b) = (carried(a), carried(b));
                let shown = match period {
                    Some(period) => {
                        crate::maths::inertialize::short_way(a.value, b.value, *period) - b.value
                    }
                    None => a.value - b.value,
                };
                most.max(shown.abs()).max((a.held - b.held).abs())
            })
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::probe::{Probe, problems};

    /// A figure with this script and a gait: pose `p` of `x`, `y`, a wrapped `turned`, and a foot.
    fn figure(script: &str) -> Probe {
        Probe::new(
            &format!(
                r#"{{ "act": {{ "script": {{ "keys": {script} }} }},
                "g": {{ "gait": {{ "gaits": {{ "walk": {{ "stride": 56, "frequency": 1.35, "duty": 0.62, "lift": 14 }} }} }} }},
                "p": {{ "pose": {{
                  "select": "act", "switch": {{ "inertialize": 0.28 }}, "wrap": {{ "turned": 360 }},
                  "rest": {{ "x": 0, "turned": 0, "foot": 13, "up": 0 }},
                  "clips": {{
                    "walk": {{ "formulas": {{ "x": "30 * sin(turn * t / 0.74)", "foot": "g.foot[0].x", "up": "g.foot[0].y" }} }},
                    "run": {{ "like": "walk" }},
                    "jump": {{ "tracks": {{ "length": 1.2, "ease": "smoothstep", "set": {{ "turned": 350 }},
                      "of": {{ "x": [[0, 0], [0.25, 90], [0.5, -60], [1, 0]] }} }} }},
                    "form": {{ "table": {{ "length": 0.6, "then": "loop", "columns": ["x", "turned"],
                      "rows": [[0, [0, 0]], [0.5, [20, 180], "smoothstep"], [1, [0, 360]]] }} }}
                  }} }} }},
                "planted": "p.foot.planted",
                "unused": "act.form + act.run" }}"#
            ),
            "{}",
        )
    }

    const ALL: [&str; 7] = [
        "p.x",
        "p.foot",
        "p.up",
        "g.foot[0].x",
        "g.foot[0].down",
        "g.travel",
        "planted",
    ];

    #[test]
    fn a_switch_at_any_frame_also_in_mid_blend_and_straight_back_keeps_place_and_speed() {
        for cue in 3..40 {
            for back in [1, 3, 8, 30] {
                let (first, second) = (f64::from(cue) / 50.0, f64::from(cue + back) / 50.0);
                let script = format!(r#"[[0, "walk"], [{first}, "jump"], [{second}, "walk"]]"#);
                let rows = figure(&script).at_rate(50.0, &ALL);
                for (at, held) in [(cue, false), (cue + back, true)] {
                    let at = at as usize;
                    for column in [0, 1, 2] {
                        let step = |i: usize| rows[i][column] - rows[i - 1][column];
                        // A foot that stands is taken along by the ground at once.
                        if column == 1 && held && rows[at][4] == 1.0 {
                            continue;
                        }
                        // A motion may go on speeding up as it did.
                        let gain = (step(at) - step(at - 1)).abs();
                        let more = step(at + 1).abs() - step(at).abs() - gain;
                        // A foot about to land must take the ground's speed, 2 px a frame.
                        let lands = column == 1 && rows[at..at + 5].iter().any(|row| row[4] == 1.0);
                        assert!(
                            more <= if lands { 2.5 } else { 0.5 },
                            "{column} at {at}: {more}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_foot_that_is_down_at_a_switch_does_not_slip() {
        for cue in 30..70 {
            let time = f64::from(cue) / 50.0;
            let script = format!(r#"[[0, "jump"], [{time}, "walk"]]"#);
            for fps in [50.0, 47.0] {
                let rows = figure(&script).at_rate(fps, &ALL);
                let from = (time * fps) as usize + 1;
                for pair in rows[from..].windows(2) {
                    let [before, now] = [&pair[0], &pair[1]];
                    if before[4] == 1.0 && now[4] == 1.0 {
                        let slip = now[1] + now[5] - before[1] - before[5];
                        assert!(slip.abs() < 1e-9, "{cue}: {slip}");
                        assert_eq!(now[2], 0.0);
                    }
                }
                // Two cycles later nothing of the old place is left.
                let last = rows.last().unwrap();
                if 2.0 - time > 2.0 / 1.35 {
                    assert_eq!(last[1], last[3]);
                }
            }
        }
    }

    #[test]
    fn a_foot_is_planted_while_it_stands_in_a_gait_and_never_slips_then() {
        for (cue, back) in (10..47).map(|cue| (cue, cue + 4 + cue % 9)) {
            let [first, second] = [cue, back].map(|frame| f64::from(frame) / 50.0);
            let script = format!(r#"[[0, "walk"], [{first}, "jump"], [{second}, "walk"]]"#);
            let rows = figure(&script).at_rate(50.0, &ALL);
            let (before, rest) = rows.split_at(cue as usize);
            assert!(before.iter().all(|row| row[6] == row[4]));
            let (between, after) = rest.split_at((back - cue) as usize);
            // A foot that stood stays for 28 ms, and may stand again when the other clip comes back.
            assert!(between[3..].iter().all(|row| row[6] == 0.0));
            assert_eq!(between[0][6], between[0][4]);
            assert!(after[3..].iter().all(|row| row[6] <= row[4]));
            assert!(after.iter().any(|row| row[6] == 1.0));
            for pair in rows
                .windows(2)
                .filter(|pair| pair[0][6] * pair[1][6] == 1.0)
            {
                let slip = pair[1][1] + pair[1][5] - pair[0][1] - pair[0][5];
                assert!(slip.abs() < 1e-9, "{cue}: {slip}");
            }
        }
    }

    #[test]
    fn the_same_motion_under_another_name_is_no_switch() {
        let rows = figure(r#"[[0, "walk"], [0.5, "run"]]"#).at_rate(50.0, &ALL);
        for row in rows {
            assert_eq!(row[1], row[3]);
        }
    }

    #[test]
    fn a_clip_begins_at_its_switch_and_is_alone_when_the_old_one_is_gone() {
        let rows = figure(r#"[[0, "walk"], [0.5, "jump"]]"#).at_rate(50.0, &["p.x", "p.turned"]);
        // 0.3 s of 1.2 into the jump its x is 90.
        assert_eq!(rows[40][0], 90.0);
        // From 0 to 350 is 10 back.
        assert_eq!(rows[25][1], 360.0);
        assert!(
            rows[25..]
                .iter()
                .all(|row| (350.0..=360.0).contains(&row[1]))
        );
        assert_eq!(rows[39][1], 350.0);
    }

    #[test]
    fn a_table_goes_round() {
        let rows = figure(r#"[[0, "form"]]"#).at_rate(50.0, &["p.x", "p.turned"]);
        for (frame, x, turned) in [
            (0, 0.0, 0.0),
            (15, 20.0, 180.0),
            (45, 20.0, 180.0),
            (60, 0.0, 0.0),
        ] {
            assert!((rows[frame][0] - x).abs() < 1e-9, "{frame}");
            assert!((rows[frame][1] - turned).abs() < 1e-9, "{frame}");
        }
    }

    #[test]
    fn the_frame_rate_changes_nothing() {
        let probe =
            figure(r#"[[0, "walk"], [0.41, "jump"], [0.63, "walk"], [0.7, "form"], [1.3, "run"]]"#);
        let fine = probe.at_rate(100.0, &ALL);
        for (fps, every) in [(50.0, 2), (25.0, 4)] {
            for (i, row) in probe.at_rate(fps, &ALL).iter().enumerate() {
                for (a, b) in row.iter().zip(&fine[i * every]) {
                    assert!((a - b).abs() < 1e-9, "{fps} fps, frame {i}");
                }
            }
        }
    }

    #[test]
    fn a_motion_that_is_never_called_is_never_on() {
        let probe = figure(r#"[[0, "walk"]]"#);
        assert_eq!(probe.at(1.0, "unused"), 0.0);
        let said = problems(
            r#""channels": { "act": { "script": { "keys": [[0, "walk"]] } }, "n": "act.wolk" }"#,
        );
        assert!(said.contains("did you mean `walk`?"), "{said}");
    }

    fn pose(fields: &str) -> String {
        problems(&format!(
            r#""channels": {{ "act": {{ "script": {{ "keys": [[0, "a"], [1, "b"]] }} }}, "n": 3,
                "p": {{ "pose": {{ {fields} }} }} }}"#
        ))
    }

    #[test]
    fn what_a_pose_cannot_be() {
        const REST: &str = r#""rest": { "lean": 0, "knee": 0 }"#;
        for (fields, message) in [
            (r#""clips": {}"#, "`clips` is empty"),
            (
                r#""clips": { "a": { "formulas": {} }, "b": { "formulas": {} } }"#,
                "two clips and more need `select`",
            ),
            (
                r#""select": "n", "clips": { "a": { "formulas": {} } }"#,
                "`n` is a number, but this takes a script",
            ),
            (
                r#""select": "act", "clips": { "a": { "formulas": {} }, "c": { "formulas": {} } }"#,
                "the script `act` calls `b`",
            ),
            (
                r#""clips": { "a": { "formulas": { "leen": 3 } } }"#,
                "did you mean `lean`?",
            ),
            (
                r#""clips": { "a": { "formulas": {} } }, "wrap": { "leen": 360 }"#,
                "there is no parameter `leen` here",
            ),
            (
                r#""select": "act", "clips": { "a": { "like": "c" }, "b": { "formulas": {} } }"#,
                "there is no clip `c` here",
            ),
            (
                r#""select": "act", "clips": { "a": { "like": "b" }, "b": { "like": "a" } }"#,
                "`a` → `b` → `a`",
            ),
            (
                r#""clips": { "a": { "table": { "length": 1, "columns": ["lean", "knee"], "rows": [[0, [1]]] } } }"#,
                "this row has 1 values, but there are 2 `columns`",
            ),
            (
                r#""clips": { "a": { "table": { "length": 1, "columns": ["lean"], "set": { "lean": 2 }, "rows": [[0, [1]]] } } }"#,
                "`lean` is given twice",
            ),
            (
                r#""clips": { "a": { "tracks": { "length": 1, "of": { "lean": [[0, 1], [1.5, 2]] } } } }"#,
                "not at 1.5",
            ),
            (
                r#""clips": { "a": { "tracks": { "length": 1, "of": { "lean": [[0.5, 1], [0.2, 2]] } } } }"#,
                "key times must not fall: 0.2 comes after 0.5",
            ),
            (
                r#""clips": { "a": { "tracks": { "length": "t", "of": {} } } }"#,
                "`t` changes with time",
            ),
            (
                r#""select": "act", "switch": { "inertialize": 0 }, "clips": { "a": { "formulas": {} }, "b": { "formulas": {} } }"#,
                "the figure jumps from clip to clip",
            ),
        ] {
            let said = pose(&format!("{REST}, {fields}"));
            assert!(said.contains(message), "{message}: {said}");
        }
    }
}
