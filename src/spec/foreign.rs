//! What other languages call things: kinds, fields, eases.

use serde_json::{Map, Value as Json};

/// Kinds of other languages, in lower case, and the kind meant.
const KINDS: &[(&str, &str)] = &[
    ("polyline", "path"),
    ("spline", "path"),
    ("segment", "line"),
    ("oval", "ellipse"),
    ("square", "rect"),
    ("rectangle", "rect"),
    ("box", "rect"),
    ("label", "text"),
    ("triangle", "polygon"),
    ("g", "group"),
    ("layer", "group"),
    ("container", "group"),
    ("for", "repeat"),
    ("tween", "track"),
    ("animate", "track"),
    ("animation", "track"),
    ("keyframes", "track"),
    ("keyframe", "track"),
    ("transition", "track"),
    ("sine", "wave"),
    ("sin", "wave"),
    ("oscillator", "wave"),
    ("lfo", "wave"),
    ("lerp", "smooth"),
    ("follow", "smooth"),
    ("perlin", "noise"),
    ("random", "noise"),
    ("wiggle", "noise"),
    ("mouse", "pointer"),
    ("lag", "delay"),
];

/// Fields of other languages, in lower case, and the field meant, if the object has it.
const FIELDS: &[(&str, &str)] = &[
    ("position", "at"),
    ("pos", "at"),
    ("center", "at"),
    ("centre", "at"),
    ("color", "fill"),
    ("colour", "fill"),
    ("thickness", "width"),
    ("strokewidth", "width"),
    ("alpha", "opacity"),
    ("visible", "show"),
    ("rotation", "rotate"),
    ("angle", "rotate"),
    ("vertices", "points"),
    ("easing", "ease"),
    ("timing", "ease"),
    ("children", "draw"),
    ("shapes", "draw"),
    ("layers", "draw"),
    ("elements", "draw"),
    ("colors", "palette"),
    ("colours", "palette"),
    ("variables", "channels"),
    ("length", "duration"),
    ("target", "to"),
    ("tension", "stiffness"),
    ("friction", "damping"),
];

/// A field of other languages that is a part of one here.
pub struct PartOf {
    spelling: &'static str,
    pub field: &'static str,
    /// What to write.
    pub form: &'static str,
}

const fn part(spelling: &'static str, field: &'static str, form: &'static str) -> PartOf {
    PartOf {
        spelling,
        field,
        form,
    }
}

const PARTS: &[PartOf] = &[
    part("x", "at", "\"at\": [x, y]"),
    part("y", "at", "\"at\": [x, y]"),
    part("cx", "at", "\"at\": [x, y]"),
    part("cy", "at", "\"at\": [x, y]"),
    part("left", "at", "\"at\": [x, y]"),
    part("top", "at", "\"at\": [x, y]"),
    part("x1", "from", "\"from\": [x, y]"),
    part("y1", "from", "\"from\": [x, y]"),
    part("x2", "to", "\"to\": [x, y]"),
    part("y2", "to", "\"to\": [x, y]"),
    part("width", "size", "\"size\": [width, height]"),
    part("height", "size", "\"size\": [width, height]"),
    part("rx", "size", "\"size\": [width, height]"),
    part("ry", "size", "\"size\": [width, height]"),
];

/// The kind that is called so elsewhere.
pub fn kind<'a>(word: &str, kinds: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let (_, meant) = KINDS.iter().find(|(spelling, _)| *spelling == word)?;
    kinds.into_iter().find(|kind| kind == meant)
}

/// The field of an object that is called so elsewhere.
pub fn field(word: &str, properties: &Map<String, Json>) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let known = FIELDS.iter().find(|(spelling, _)| *spelling == word);
    known
        .map(|(_, meant)| *meant)
        .filter(|meant| properties.contains_key(*meant))
}

/// The field of an object of which another language makes several.
pub fn part_of(word: &str, properties: &Map<String, Json>) -> Option<&'static PartOf> {
    PARTS
        .iter()
        .find(|part| part.spelling == word && properties.contains_key(part.field))
}

/// The list for a `cubic-bezier(…)` of CSS.
pub fn bezier(word: &str) -> Option<String> {
    let numbers = word
        .trim()
        .strip_prefix("cubic-bezier(")?
        .strip_suffix(')')?;
    let numbers: Option<Vec<f64>> = numbers.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers?.as_slice() {
        [x1, y1, x2, y2] => Some(format!("`[{x1}, {y1}, {x2}, {y2}]`, without quotes")),
        _ => None,
    }
}
