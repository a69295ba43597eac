use super::{Brush, Draw, Lettering, MarkKind, NoStyle, Pen};
use crate::formula::Program;
use crate::maths::functions::clamp;
use crate::maths::vector::Vec2;
use crate::picture::ColourId;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::slots::*;
use crate::text::{Align, Baseline, Setting};
use schemars::JsonSchema;
use serde::Deserialize;

/// The keys of an axis, side by side, which go down while they are pressed. An axis with one side has one key.
///
/// ```json
/// "channels": { "press": { "axis": { "minus": [[0.1, 0.4]], "plus": [[0.5, 1]] } } },
/// "draw": [ { "keycaps": { "of": "press", "at": [120, 60], "stroke": "#d6d0c2", "down": "#22272e" } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "keycaps")]
pub struct Keycaps {
    /// The axis.
    #[schemars(extend("x-also" = ["axis", "keys", "input"]))]
    pub of: Name,
    /// The middle of all keys.
    #[schemars(extend("x-also" = ["center", "centre", "pos", "position"]))]
    pub at: Point,
    /// What stands on the key that pulls to −1.
    #[serde(default = "left")]
    #[schemars(extend("x-also" = ["left", "negative"]))]
    pub minus: Text,
    /// What stands on the key that pulls to +1.
    #[serde(default = "right")]
    #[schemars(extend("x-also" = ["right", "positive"]))]
    pub plus: Text,
    /// Height of a key in px. It is 7/6 as wide; gaps and corners are a quarter.
    #[serde(default = "twenty_four")]
    #[schemars(extend("x-also" = ["height"]))]
    pub size: Num<Positive>,
    /// Colour of an idle key, and of the sign on a pressed one; that of the background if absent, white if that
    /// is transparent.
    #[schemars(extend("x-also" = ["color", "colour", "background"]))]
    pub fill: Option<Colour>,
    /// Colour of an idle key's rim and lip.
    #[serde(default = "black")]
    #[schemars(extend("x-also" = ["border", "rule"]))]
    pub stroke: Colour,
    /// Colour of a pressed key, and of the sign on an idle one; as `stroke` if absent.
    #[schemars(extend("x-also" = ["pressed", "active"]))]
    pub down: Option<Colour>,
    /// 0 is invisible, 1 opaque; values outside are clamped.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["alpha"]))]
    pub opacity: Num,
    /// Not drawn while 0.
    #[serde(default = "Num::<Any>::one")]
    #[schemars(extend("x-also" = ["visible", "if", "when"]))]
    pub show: Cond,
}

fn left() -> Text {
    Text::literal("←")
}

fn right() -> Text {
    Text::literal("→")
}

fn twenty_four() -> Num<Positive> {
    Num::literal(24.0)
}

fn black() -> Colour {
    Colour::literal("black")
}

impl Keycaps {
    /// The keys that the axis has, from left to right.
    fn keys(&self, b: &mut Builder) -> Vec<Key> {
        let Some(axis) = b.entity(&self.of) else {
            return Vec::new();
        };
        let mut keys = Vec::new();
        for (side, sign) in [("minus", &self.minus), ("plus", &self.plus)] {
            if let Some(down) = axis.member(side).and_then(|member| member.number) {
                keys.push(Key {
                    down: b.read(down),
                    sign: Lettering::build(sign, &None, b),
                });
            }
        }
        if keys.is_empty() && !axis.broken {
            b.wrong_entity(&self.of, &axis, "an axis");
        }
        keys
    }
}

impl MarkKind for Keycaps {
    type Style = NoStyle;

    fn build(&self, _: &NoStyle, b: &mut Builder) -> Box<dyn Draw> {
        let rim = b.colour(&self.stroke);
        let face = match &self.fill {
            Some(fill) => b.colour(fill),
            None if b.is_transparent() => b.colour(&Colour::literal("white")),
            None => b.background(),
        };
        let down = self.down.as_ref().map_or(rim, |down| b.colour(down));
        Box::new(KeycapsMark {
            keys: self.keys(b),
            at: b.point(&self.at),
            size: b.num(&self.size),
            rim,
            face: Tone::new(face),
            down: Tone::new(down),
            opacity: b.opacity(&self.opacity),
            show: b.num(&self.show),
        })
    }
}

struct KeycapsMark {
    keys: Vec<Key>,
    at: PointProgram,
    size: Program,
    rim: ColourId,
    face: Tone,
    down: Tone,
    opacity: Program,
    show: Program,
}

struct Key {
    down: Program,
    sign: Lettering,
}

/// A colour for shapes and for letters.
struct Tone {
    colour: ColourId,
    brush: Brush,
}

impl Tone {
    fn new(colour: ColourId) -> Self {
        Self {
            colour,
            brush: Brush::solid(colour),
        }
    }
}

/// Measures in heights of a key.
const WIDTH: f64 = 7.0 / 6.0;
const GAP: f64 = 1.0 / 4.0;
const CORNER: f64 = 1.0 / 4.0;
const RIM: f64 = 1.0 / 12.0;
const LIP: f64 = 1.0 / 8.0;
/// How much lower a pressed key lies.
const STROKE: f64 = 1.0 / 12.0;
/// Size of the sign's letters, and the room that it has.
const SIGN: f64 = 0.68;
const SIGN_ROOM: f64 = 0.9;

impl Draw for KeycapsMark {
    fn draw(&self, pen: &mut Pen) {
        if !pen.holds(&self.show) {
            return;
        }
        let size = pen.number(&self.size);
        let count = self.keys.len() as f64;
        let whole = count * WIDTH + (count - 1.0) * GAP;
        let corner = pen.point(&self.at) - Vec2::new(whole / 2.0, 0.5) * size;
        pen.layer(clamp(pen.number(&self.opacity), 0.0, 1.0), |pen| {
            for (i, key) in self.keys.iter().enumerate() {
                let left = Vec2::new(i as f64 * (WIDTH + GAP) * size, 0.0);
                self.key(pen, key, corner + left, size);
            }
        });
    }
}

impl KeycapsMark {
    /// One key by the left top corner of its face.
    fn key(&self, pen: &mut Pen, key: &Key, corner: Vec2, size: f64) {
        let face = Vec2::new(WIDTH, 1.0);
        // A rectangle that reaches beyond the face, or not as far, all around; and `lower` further down.
        let block = |pen: &mut Pen, colour: ColourId, corner: Vec2, beyond: f64, lower: f64| {
            let around = Vec2::new(beyond, beyond);
            let tall = (face + around * 2.0 + Vec2::new(0.0, lower)) * size;
            let radius = (CORNER + beyond) * size;
            pen.fill(colour, 1.0, |shape| {
                shape.rect(corner - around * size, tall, radius, |p| p);
            });
        };
        let is_down = pen.holds(&key.down);
        let (corner, sign) = if is_down {
            let corner = corner + Vec2::new(0.0, STROKE * size);
            block(pen, self.down.colour, corner, RIM / 2.0, 0.0);
            (corner, &self.face)
        } else {
            block(pen, self.rim, corner, RIM / 2.0, LIP);
            block(pen, self.face.colour, corner, -RIM / 2.0, 0.0);
            (corner, &self.down)
        };
        let setting = Setting {
            size: SIGN * size,
            align: Align::Center,
            baseline: Baseline::Middle,
            fit: Some(SIGN_ROOM * size),
            rotate: 0.0,
        };
        let line = key.sign.line(pen);
        pen.text(&sign.brush, &line, &setting, corner + face * (size / 2.0));
    }
}

#[cfg(test)]
mod tests {
    use crate::picture::Item;
    use crate::scene::probe::{Probe, problems};

    /// Boxes around everything filled.
    fn boxes(axis: &str, time: f64) -> Vec<[f64; 4]> {
        let probe = Probe::drawing(&format!(
            r#""channels": {{ "press": {{ "axis": {axis} }} }},
               "draw": [{{ "keycaps": {{ "of": "press", "at": [50, 50] }} }}]"#
        ));
        let picture = probe.picture(time);
        let bounds = |item: &Item| match item {
            Item::Fill { outline, .. } => picture.bounds(outline).unwrap(),
            _ => panic!("{item:?}"),
        };
        picture.items.iter().map(bounds).collect()
    }

    #[test]
    fn a_pressed_key_goes_down_and_loses_its_lip() {
        let axis = r#"{ "minus": [[0.5, 1]], "plus": [[1, 2]] }"#;
        // Rim and lip, face, sign; pressed: face, sign.
        let idle = boxes(axis, 0.0);
        assert_eq!(idle.len(), 6);
        assert_eq!(idle[0], [18.0, 37.0, 48.0, 66.0]);
        assert_eq!(idle[1], [20.0, 39.0, 46.0, 61.0]);
        assert_eq!(idle[3], [52.0, 37.0, 82.0, 66.0]);
        let left = boxes(axis, 0.75);
        assert_eq!(left.len(), 5);
        assert_eq!(left[0], [18.0, 39.0, 48.0, 65.0]);
        assert_eq!(left[2], idle[3]);
        assert_eq!(boxes(axis, 1.0)[3], [52.0, 39.0, 82.0, 65.0]);
    }

    #[test]
    fn an_axis_with_one_side_has_one_key() {
        let one = boxes(r#"{ "plus": [[1, 2]] }"#, 0.0);
        assert_eq!(one[0], [35.0, 37.0, 65.0, 66.0]);
        assert_eq!(one.len(), 3);
    }

    #[test]
    fn nothing_else_has_keys() {
        let said = problems(
            r#""channels": { "x": 1 }, "draw": [{ "keycaps": { "of": "x", "at": [0, 0] } }]"#,
        );
        assert!(said.contains("this takes an axis"), "{said}");
    }
}
