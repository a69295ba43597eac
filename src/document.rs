//! A whole spec as types: what may stand in a file, and with the schema made from it, what may not.

use crate::bodies::{Body, World};
use crate::channels::Channel;
use crate::claims::Claim;
use crate::kinds::one_of;
use crate::marks::Mark;
use crate::skeleton::Joint;
use crate::spec::de::{Or, Spanned};
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// An animation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "spec")]
pub struct Spec {
    /// Version of the format; always 1.
    pub hazumi: Version,
    /// Where editors find the schema; Hazumi itself does not read it.
    #[serde(rename = "$schema")]
    pub schema: Option<Plain>,
    /// Caption; the file's name if absent.
    pub title: Option<Plain>,
    /// Description of the picture for those who cannot see it.
    pub alt: Option<Plain>,
    /// Size, rate and length.
    pub canvas: Lenient<Canvas>,
    /// The unit of time T of the whole spec: `seconds` or `frames`.
    #[serde(default)]
    pub time: TimeUnit,
    /// Named colours.
    #[serde(default)]
    pub palette: Map<ColourValue>,
    /// Other values for the palette's colours, by theme; the plain palette is the theme `default`.
    #[serde(default)]
    pub themes: Map<Map<ColourValue>>,
    /// Font files in the spec's folder (`.ttf`, `.otf`, `.ttc`): each character comes from the first that
    /// has it, at last from the built-in one.
    #[serde(default)]
    #[schemars(extend("maxItems" = 16))]
    pub fonts: Vec<Plain>,
    /// Inputs that `--set` may change: a number is a number, a string is text, never a formula.
    #[serde(default)]
    pub params: Map<Param>,
    /// Named numbers.
    #[serde(default)]
    pub channels: Map<Lenient<Or<Num, Channel>>>,
    /// Named joints, limbs and transforms.
    #[serde(default)]
    pub skeleton: Map<Lenient<Or<Point, Joint>>>,
    /// What acts on all bodies: gravity, wind, walls.
    pub world: Option<Lenient<World>>,
    /// Named bodies of particles.
    #[serde(default)]
    pub bodies: Map<Lenient<Body>>,
    /// Reusable pieces.
    #[serde(default)]
    pub parts: Map<Lenient<Part>>,
    /// Instances of parts, and rows of them.
    #[serde(default)]
    pub r#use: Map<Lenient<Use>>,
    /// Marks in painter's order.
    pub draw: Vec<Lenient<Mark>>,
    /// How the end meets the start.
    pub r#loop: Option<Spanned<Lenient<Loop>>>,
    /// What must be true.
    #[serde(default)]
    pub expect: Vec<Lenient<Claim>>,
    /// How far frames may be from their golden image; not at all if absent.
    pub golden: Option<Lenient<Golden>>,
}

/// How far frames may be from their golden image.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "golden")]
pub struct Golden {
    /// Largest difference of a number of the simulation, in its unit.
    #[serde(default = "Fixed::<NonNegative>::zero")]
    pub number: Fixed<NonNegative>,
    /// Largest difference of a colour channel, of 255.
    #[serde(default = "Golden::none")]
    pub channel: Int<0, 255>,
    /// How many pixels of a frame may differ by more than that.
    #[serde(default = "Golden::no_pixels")]
    pub pixels: Int<0, 64_000_000>,
    /// Why it cannot be exact; told with every result.
    pub reason: Plain,
}

impl Golden {
    fn none() -> Int<0, 255> {
        Int::literal(0)
    }

    fn no_pixels() -> Int<0, 64_000_000> {
        Int::literal(0)
    }
}

/// The version of the format.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Version(#[expect(dead_code, reason = "there is only one")] Option<i64>);

impl JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "version".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 1, "x-expects": "1" })
    }
}

/// Size, rate and length of the picture.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "canvas",
    extend("allOf" = [one_of(&[&["duration"], &["frames"]])])
)]
pub struct Canvas {
    /// Width and height in px; at most 8192 unless `--limit` allows more.
    pub size: (Int<1, { i64::MAX }>, Int<1, { i64::MAX }>),
    /// Frames per second, also when time is counted in frames.
    #[serde(default = "Canvas::default_fps")]
    pub fps: Fixed<Rate>,
    /// Length in seconds; duration × fps must be whole. Not with `"time": "frames"`.
    pub duration: Option<Fixed<Positive>>,
    /// Length in frames; at most 100,000 unless `--limit` allows more.
    pub frames: Option<Int<1, { i64::MAX }>>,
    /// Colour behind everything, or `transparent`.
    #[serde(default = "Canvas::default_background")]
    pub background: Colour,
}

impl Canvas {
    fn default_fps() -> Fixed<Rate> {
        Fixed::literal(50.0)
    }

    fn default_background() -> Colour {
        Colour::literal("white")
    }
}

/// The unit of time of a spec.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// T is one second.
    #[default]
    Seconds,
    /// T is one frame.
    Frames,
}

/// A reusable piece with inputs of its own. It sees its own names first, then the spec's, and never those
/// of another part.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "part")]
#[serde(default)]
pub struct Part {
    /// Inputs with their defaults; the JSON type of the default is the type of the input. `"act": { "name": "act" }` is
    /// the name of something outside: here of what the spec calls `act`, unless `with` gives another name. So two
    /// figures of one part can follow two scripts.
    pub params: Map<Param>,
    /// Named numbers.
    pub channels: Map<Lenient<Or<Num, Channel>>>,
    /// Named joints, limbs and transforms.
    pub skeleton: Map<Lenient<Or<Point, Joint>>>,
    /// Named bodies of particles.
    pub bodies: Map<Lenient<Body>>,
    /// Parts within this part.
    pub r#use: Map<Lenient<Use>>,
    /// Marks in painter's order.
    pub draw: Vec<Lenient<Mark>>,
    /// A file in the spec's folder that holds the part; then nothing else stands here.
    pub file: Option<Plain>,
}

/// An instance of a part, or with `each` or `times` a row of instances.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "use")]
pub struct Use {
    /// The part.
    pub part: Name,
    /// Values for the part's params: a number or formula for a number, text with `{name}` inserted for a text, for a
    /// name the name of a channel, joint, limb, row or text param that can be seen here; in a row `.i` is the number
    /// of the instance, from 0.
    #[serde(default)]
    pub with: Map<Argument>,
    /// A row: one instance per entry, each with values of its own.
    pub each: Option<Vec<Map<Argument>>>,
    /// How many instances the row has; `each` is repeated as often as needed.
    pub times: Option<Int<1, 10_000>>,
}

/// How the end of the animation meets its start.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "loop", extend("x-kinds" = "loop"))]
pub enum Loop {
    /// What would be shown at t = duration equals frame 0 within 1e-6 px in everything that is drawn.
    /// Outlines are compared point by point: a gear turned by one tooth looks the same, but is not.
    ///
    /// ```json
    /// "channels": { "x": { "wave": { "period": 0.6, "amplitude": 80, "around": 120 } } },
    /// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
    /// "loop": { "exact": {} }
    /// ```
    Exact(Exact),
    /// The animation is played again and again from t = 0 until its memory comes back: time, tracks and
    /// scripts start afresh, springs and bodies go on.
    ///
    /// ```json
    /// "channels": {
    ///   "goal": { "track": { "keys": [[0, 60], [0.6, 180]], "ease": "hold" } },
    ///   "x": { "spring": { "to": "goal", "frequency": 3, "damping_ratio": 0.3 } }
    /// },
    /// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
    /// "loop": { "preroll": {} }
    /// ```
    Preroll(Preroll),
    /// The end is blended into the start: the first `over` of the animation is not shown by itself, but fades in
    /// over its last. So the loop is shorter by `over`.
    ///
    /// ```json
    /// "channels": {
    ///   "x": { "noise": { "frequency": 2, "between": [40, 200] } },
    ///   "y": { "noise": { "frequency": 2, "between": [30, 90] } }
    /// },
    /// "draw": [ { "circle": { "at": ["x", "y"], "radius": 14 } } ],
    /// "loop": { "crossfade": { "over": 0.3 } }
    /// ```
    Crossfade(Crossfade),
    /// The animation runs forth and then back: 2 N − 2 frames of N.
    ///
    /// ```json
    /// "channels": { "x": { "track": { "keys": [[0, 60], [1, 180]], "ease": "out_back" } } },
    /// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
    /// "loop": { "ping_pong": {} }
    /// ```
    PingPong(PingPong),
    /// The animation goes on past its end, and the loop starts at the frame of a stretch of time from which a
    /// whole length leads nearest back to it.
    ///
    /// ```json
    /// "channels": {
    ///   "goal": { "wave": { "period": 0.6, "amplitude": 50, "around": 120 } },
    ///   "x": { "spring": { "to": "goal", "from": 60, "frequency": 1.2, "damping_ratio": 0.3 } }
    /// },
    /// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
    /// "loop": { "search": { "between": [1, 3], "seam": 1 } }
    /// ```
    Search(Search),
}

/// Blending the end into the start.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Crossfade {
    /// How long both are seen, in T: whole frames, at most half the length.
    pub over: Fixed<Positive>,
}

/// No fields.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PingPong {}

/// Looking for the best start of a loop.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// From when to when the loop may start, in T.
    pub between: FixedPair<NonNegative>,
    /// Largest distance in px that may be left between its end and its start.
    #[serde(default = "Fixed::<Positive>::one")]
    pub seam: Fixed<Positive>,
}

/// Playing a loop until its memory comes back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Preroll {
    /// At most so many cycles before the one that is shown.
    #[serde(default = "Preroll::default_cycles")]
    pub cycles: Int<1, 1000>,
    /// Largest difference of any state from one cycle to the next, in px or its own unit.
    #[serde(default = "Preroll::default_seam")]
    pub seam: Fixed<Positive>,
}

impl Preroll {
    fn default_cycles() -> Int<1, 1000> {
        Int::literal(8)
    }

    fn default_seam() -> Fixed<Positive> {
        Fixed::literal(0.5)
    }
}

/// No fields.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Exact {}
