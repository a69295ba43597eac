//! The slots of the language: what a value in a spec may be.
//!
//! A slot keeps what was written and where; the scene gives it its meaning. Each slot also writes its own
//! JSON Schema, whose `x-slot` tells the validator how to read it and what to call it.

use super::de::Spanned;
use super::source::Span as Place;
use crate::formula::Range;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The values that a numeric slot allows.
pub trait Bounds: 'static {
    const RANGE: Range;
}

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident = $range:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name;
        impl Bounds for $name { const RANGE: Range = $range; }
    )*};
}
pub(crate) use bounds;

bounds! {
    /// Every finite number.
    Any = Range::ANY;
    /// Greater than 0.
    Positive = Range { min: Some(0.0), min_exclusive: true, ..Range::ANY };
    /// 0 or more.
    NonNegative = Range { min: Some(0.0), ..Range::ANY };
    /// 0 to 1, both included.
    Unit = Range { min: Some(0.0), max: Some(1.0), ..Range::ANY };
    /// Greater than 0 and at most 1.
    Share = Range { min: Some(0.0), max: Some(1.0), min_exclusive: true, ..Range::ANY };
    /// Frames per second: a frame of a quarter of an hour can still be said by a file, one of years cannot.
    Rate = Range { min: Some(0.001), max: Some(240.0), ..Range::ANY };
}

/// May change with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Live;
/// Evaluated once, before frame 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Before;

/// When a slot is evaluated.
pub trait When: 'static {
    const SLOT: &'static str;
    const EXPECTS: &'static str;
}

impl When for Live {
    const SLOT: &'static str = "num";
    const EXPECTS: &'static str = "a number or a formula";
}

impl When for Before {
    const SLOT: &'static str = "fixed";
    const EXPECTS: &'static str = "a number or a fixed formula";
}

/// What was written in a numeric slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    Number(f64),
    Formula(String),
    /// Its problem has been reported.
    Hole,
}

/// A number or a formula, with the range that its value must keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Number<W, R> {
    pub span: Place,
    pub written: Written,
    marks: PhantomData<(W, R)>,
}

/// A number that may change with time.
pub type Num<R = Any> = Number<Live, R>;
/// A number known before frame 0.
pub type Fixed<R = Any> = Number<Before, R>;
/// 0 is false, all else true.
pub type Cond = Num<Any>;

impl<W, R> Number<W, R> {
    /// The default 0.
    pub fn zero() -> Self {
        Self::literal(0.0)
    }

    /// The default 1.
    pub fn one() -> Self {
        Self::literal(1.0)
    }

    /// A number that no text wrote: a default.
    pub fn literal(value: f64) -> Self {
        Self {
            span: Place::default(),
            written: Written::Number(value),
            marks: PhantomData,
        }
    }
}

impl<W, R> Number<W, R> {
    /// Whether its problem has been reported already.
    pub fn is_hole(&self) -> bool {
        self.written == Written::Hole
    }

    /// The number or formula as written, for messages.
    pub fn describe(&self) -> String {
        match &self.written {
            Written::Number(v) => v.to_string(),
            Written::Formula(text) => text.clone(),
            Written::Hole => String::new(),
        }
    }
}

impl<W, R> Serialize for Number<W, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.written {
            Written::Number(v) if *v == (*v as i64) as f64 => serializer.serialize_i64(*v as i64),
            Written::Number(v) => serializer.serialize_f64(*v),
            Written::Formula(text) => serializer.serialize_str(text),
            Written::Hole => serializer.serialize_unit(),
        }
    }
}

impl<'de, W, R> Deserialize<'de> for Number<W, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Written>::deserialize(deserializer)?;
        Ok(Self {
            span: spanned.span(),
            written: spanned.value,
            marks: PhantomData,
        })
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl Visitor<'_> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number or a formula")
    }

    fn visit_i64<E>(self, v: i64) -> Result<Written, E> {
        Ok(Written::Number(v as f64))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Written, E> {
        Ok(Written::Number(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Written, E> {
        Ok(Written::Formula(v.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Written, E> {
        Ok(Written::Hole)
    }
}

impl<W: When, R: Bounds> JsonSchema for Number<W, R> {
    fn schema_name() -> Cow<'static, str> {
        W::SLOT.into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({
            "type": ["number", "string"],
            "x-slot": W::SLOT,
            "x-expects": W::EXPECTS,
        });
        limit(&mut schema, R::RANGE);
        schema
    }
}

/// Writes a range in JSON Schema's words.
fn limit(schema: &mut Schema, range: Range) {
    let mut set = |key: &str, v: f64| {
        let v = if v == (v as i64) as f64 {
            (v as i64).into()
        } else {
            v.into()
        };
        schema.insert(key.into(), v);
    };
    match range.min {
        Some(v) if range.min_exclusive => set("exclusiveMinimum", v),
        Some(v) => set("minimum", v),
        None => {}
    }
    match range.max {
        Some(v) if range.max_exclusive => set("exclusiveMaximum", v),
        Some(v) => set("maximum", v),
        None => {}
    }
}

/// A whole number known before frame 0, between MIN and MAX.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Int<const MIN: i64, const MAX: i64>(pub Fixed<Any>);

impl<const MIN: i64, const MAX: i64> Int<MIN, MAX> {
    /// The default 0.
    pub fn zero() -> Self {
        Self::literal(0)
    }

    /// A number that no text wrote: a default.
    pub fn literal(value: i64) -> Self {
        Self(Fixed::literal(value as f64))
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Int<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        "int".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({
            "type": ["integer", "string"],
            "x-slot": "int",
            "x-expects": "a whole number or a fixed formula",
        });
        let some = |v: i64| (v != i64::MIN && v != i64::MAX).then_some(v as f64);
        limit(
            &mut schema,
            Range {
                min: some(MIN),
                max: some(MAX),
                ..Range::ANY
            },
        );
        schema
    }
}

/// A string with a place and a rôle; [`Word::text`] is `None` where its problem has been reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Word<Role> {
    pub span: Place,
    pub text: Option<String>,
    role: PhantomData<Role>,
}

impl<Role> Word<Role> {
    /// A word that no text wrote: a default.
    pub fn literal(text: &str) -> Self {
        Self {
            span: Place::default(),
            text: Some(text.to_owned()),
            role: PhantomData,
        }
    }
}

impl<Role> Word<Role> {
    /// A word at a place.
    pub fn written(span: Place, text: &str) -> Self {
        Self {
            span,
            text: Some(text.to_owned()),
            role: PhantomData,
        }
    }

    /// The word as written, for messages.
    pub fn describe(&self) -> String {
        self.text.clone().unwrap_or_default()
    }
}

impl<Role> Serialize for Word<Role> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text.as_deref().unwrap_or_default())
    }
}

impl<'de, Role> Deserialize<'de> for Word<Role> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Option_>::deserialize(deserializer)?;
        Ok(Self {
            span: spanned.span(),
            text: spanned.value.0,
            role: PhantomData,
        })
    }
}

/// A string, or nothing where a problem stood.
struct Option_(Option<String>);

impl<'de> Deserialize<'de> for Option_ {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Option_;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E>(self, v: &str) -> Result<Option_, E> {
                Ok(Option_(Some(v.to_owned())))
            }
            fn visit_unit<E>(self) -> Result<Option_, E> {
                Ok(Option_(None))
            }
        }
        deserializer.deserialize_any(V)
    }
}

/// What a string slot is for.
pub trait Role: 'static {
    const SLOT: &'static str;
    const EXPECTS: &'static str;
}

macro_rules! words {
    ($($(#[$doc:meta])* $alias:ident = $role:ident($slot:literal, $expects:literal);)*) => {$(
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $role;
        impl Role for $role {
            const SLOT: &'static str = $slot;
            const EXPECTS: &'static str = $expects;
        }
        $(#[$doc])*
        pub type $alias = Word<$role>;
    )*};
}

words! {
    /// Text with `{formula}` and `{text param}` in it.
    Text = TextRole("text", "text");
    /// Text taken as it is.
    Plain = PlainRole("plain", "text");
    /// A palette name, a CSS colour, or `{text param}`.
    Colour = ColourRole("colour", "a colour: a palette name or a CSS colour");
    /// A CSS colour.
    ColourValue = ColourValueRole("colour_value", "a CSS colour");
    /// The name of a channel, joint, limb, body, row, or of an output.
    Name = NameRole("name", "a name");
}

impl<R: Role> JsonSchema for Word<R> {
    fn schema_name() -> Cow<'static, str> {
        R::SLOT.into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "x-slot": R::SLOT, "x-expects": R::EXPECTS })
    }
}

/// One of the words of `E`, or exactly `"{text param}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<E> {
    pub word: Word<PlainRole>,
    of: PhantomData<E>,
}

impl<E> Choice<E> {
    /// A word that no text wrote: a default.
    pub fn literal(text: &str) -> Self {
        Self {
            word: Word::literal(text),
            of: PhantomData,
        }
    }
}

impl<E> Serialize for Choice<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.word.serialize(serializer)
    }
}

impl<'de, E> Deserialize<'de> for Choice<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            word: Word::deserialize(deserializer)?,
            of: PhantomData,
        })
    }
}

impl<E: JsonSchema> JsonSchema for Choice<E> {
    fn schema_name() -> Cow<'static, str> {
        format!("choice of {}", E::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let words = generator.subschema_for::<E>();
        json_schema!({
            "x-slot": "choice",
            "x-expects": "one of the words listed",
            "anyOf": [words, { "type": "string", "pattern": "^\\{.*\\}$" }],
        })
    }
}

/// Two numbers.
pub type Pair<R = Any> = (Num<R>, Num<R>);
/// Two numbers known before frame 0.
pub type FixedPair<R = Any> = (Fixed<R>, Fixed<R>);

/// The edges of a box in px: left, top, right, bottom.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(inline, extend("x-expects" = "a box: `[left, top, right, bottom]`"))]
pub struct Edges(pub Num, pub Num, pub Num, pub Num);

/// `[x, y]`, or the name of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    At(Box<Pair>),
    Name(Name),
}

/// The name of a list of points, or two or more points.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    List(Vec<Point>),
    Name(Name),
}

impl Point {
    /// Where it stands.
    pub fn span(&self) -> Place {
        match self {
            Self::At(pair) => Place {
                end: pair.1.span.end,
                ..pair.0.span
            },
            Self::Name(name) => name.span,
        }
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Spanned::<Listed<Num>>::deserialize(deserializer)? {
            Spanned {
                value: Listed::Items(items),
                ..
            } => {
                let [x, y] = <[Num; 2]>::try_from(items)
                    .map_err(|items| de::Error::invalid_length(items.len(), &"two numbers"))?;
                Ok(Self::At(Box::new((x, y))))
            }
            named => Ok(Self::Name(named_word(named))),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Spanned::<Listed<Point>>::deserialize(deserializer)? {
            Spanned {
                value: Listed::Items(items),
                ..
            } => Ok(Self::List(items)),
            named => Ok(Self::Name(named_word(named))),
        }
    }
}

fn named_word<T>(spanned: Spanned<Listed<T>>) -> Name {
    let span = spanned.span();
    let text = match spanned.value {
        Listed::Named(text) => Some(text),
        _ => None,
    };
    Word {
        span,
        text,
        role: PhantomData,
    }
}

/// A list, or the name of what stands for one.
enum Listed<T> {
    Items(Vec<T>),
    Named(String),
    Hole,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Listed<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list or a name")
            }
            fn visit_str<E>(self, v: &str) -> Result<Listed<T>, E> {
                Ok(Listed::Named(v.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Listed<T>, E> {
                Ok(Listed::Hole)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Listed<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Listed::Items(items))
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}

impl JsonSchema for Point {
    fn schema_name() -> Cow<'static, str> {
        "point".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let pair = generator.subschema_for::<Pair>();
        let name = generator.subschema_for::<Name>();
        json_schema!({
            "x-expects": "a point: `[x, y]` or the name of one",
            "anyOf": [pair, name],
        })
    }
}

impl JsonSchema for Points {
    fn schema_name() -> Cow<'static, str> {
        "points".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let point = generator.subschema_for::<Point>();
        let name = generator.subschema_for::<Name>();
        json_schema!({
            "x-expects": "points: a list of them, or the name of a list of points",
            "anyOf": [{ "type": "array", "items": point, "minItems": 2 }, name],
        })
    }
}

/// How a segment runs from one key to the next: a word such as `out_cubic`, a CSS cubic Bézier
/// `[x1, y1, x2, y2]`, `{"steps": n}` or `{"spring": bounce}`.
#[derive(Clone, Debug, PartialEq)]
pub enum EaseSlot {
    Word(Word<PlainRole>),
    Bezier(Place, Vec<Fixed>),
    Kind(EaseKind),
}

/// An ease with a number.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(extend("x-kinds" = "ease"))]
pub enum EaseKind {
    /// Jumps at the end of each of so many steps.
    Steps(Int<1, 10000>),
    /// A spring with this bounce, −1 < bounce < 1, which ends at exactly 1.
    Spring(Fixed<Bounce>),
}

bounds! {
    /// Strictly between −1 and 1.
    Bounce = Range { min: Some(-1.0), max: Some(1.0), min_exclusive: true, max_exclusive: true };
}

impl EaseSlot {
    /// A word that no text wrote: a default.
    pub fn literal(word: &str) -> Self {
        Self::Word(Word::literal(word))
    }

    /// Where it stands, or nothing for a kind, whose number has its own place.
    pub fn span(&self) -> Option<Place> {
        match self {
            Self::Word(word) => Some(word.span),
            Self::Bezier(span, _) => Some(*span),
            Self::Kind(_) => None,
        }
    }
}

impl Serialize for EaseSlot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(word) => word.serialize(serializer),
            Self::Bezier(_, numbers) => numbers.serialize(serializer),
            Self::Kind(_) => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for EaseSlot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        enum Shape {
            Listed(Listed<Fixed>),
            Kind(EaseKind),
        }
        impl<'de> Visitor<'de> for V {
            type Value = Shape;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an ease")
            }
            fn visit_str<E>(self, v: &str) -> Result<Shape, E> {
                Ok(Shape::Listed(Listed::Named(v.to_owned())))
            }
            fn visit_unit<E>(self) -> Result<Shape, E> {
                Ok(Shape::Listed(Listed::Hole))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Shape, A::Error> {
                let items = Vec::deserialize(de::value::SeqAccessDeserializer::new(seq))?;
                Ok(Shape::Listed(Listed::Items(items)))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Shape, A::Error> {
                let kind = EaseKind::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Shape::Kind(kind))
            }
        }
        impl<'de> Deserialize<'de> for Shape {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(V)
            }
        }
        let spanned = Spanned::<Shape>::deserialize(deserializer)?;
        let span = spanned.span();
        Ok(match spanned.value {
            Shape::Kind(kind) => Self::Kind(kind),
            Shape::Listed(Listed::Items(numbers)) => Self::Bezier(span, numbers),
            Shape::Listed(Listed::Named(text)) => Self::Word(Word {
                span,
                text: Some(text),
                role: PhantomData,
            }),
            Shape::Listed(Listed::Hole) => Self::Word(Word {
                span,
                text: None,
                role: PhantomData,
            }),
        })
    }
}

impl JsonSchema for EaseSlot {
    fn schema_name() -> Cow<'static, str> {
        "ease".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fixed = generator.subschema_for::<Fixed>();
        let kind = generator.subschema_for::<EaseKind>();
        json_schema!({
            "description": "How a segment runs: a word, a CSS cubic Bézier `[x1, y1, x2, y2]`, \
                `{\"steps\": n}` or `{\"spring\": bounce}`.",
            "x-expects": "an ease: a word, `[x1, y1, x2, y2]`, `{\"steps\": n}` or `{\"spring\": bounce}`",
            "anyOf": [
                {
                    "x-slot": "choice",
                    "anyOf": [
                        { "type": "string", "enum": crate::maths::ease::Ease::NAMES },
                        { "type": "string", "pattern": "^\\{.*\\}$" },
                    ],
                },
                { "type": "array", "items": fixed, "minItems": 4, "maxItems": 4 },
                kind,
            ],
        })
    }
}

/// `[time, value, ease?]`: the ease belongs to the segment that leaves the key.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub time: Fixed,
    pub value: Fixed,
    pub ease: Option<EaseSlot>,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Key;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a key `[time, value]` or `[time, value, ease]`")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Key, A::Error> {
                let missing = |n| de::Error::invalid_length(n, &"a key");
                Ok(Key {
                    time: seq.next_element()?.ok_or_else(|| missing(0))?,
                    value: seq.next_element()?.ok_or_else(|| missing(1))?,
                    ease: seq.next_element()?,
                })
            }
        }
        deserializer.deserialize_seq(V)
    }
}

impl JsonSchema for Key {
    fn schema_name() -> Cow<'static, str> {
        "key".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fixed = generator.subschema_for::<Fixed>();
        let ease = generator.subschema_for::<EaseSlot>();
        json_schema!({
            "description": "`[time, value]` or `[time, value, ease]`; the ease belongs to the segment \
                that leaves the key.",
            "x-expects": "a key: `[time, value]` or `[time, value, ease]`",
            "type": "array",
            "prefixItems": [fixed, fixed, ease],
            "items": false,
            "minItems": 2,
            "maxItems": 3,
        })
    }
}

/// A value for a part's param: what it may be is known only with the param.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Argument(pub Num);

impl JsonSchema for Argument {
    fn schema_name() -> Cow<'static, str> {
        "argument".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "x-slot": "argument",
            "x-expects": "a number, a formula, text or a name, as the param's default",
        })
    }
}

/// `[from, to]`: a stretch of time, `to` not included.
pub type Span = FixedPair;

/// `[time, x, y, ease?]`: a place at a time; the ease belongs to the way that leaves it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceKey {
    pub time: Fixed,
    pub x: Fixed,
    pub y: Fixed,
    pub ease: Option<EaseSlot>,
}

impl<'de> Deserialize<'de> for PlaceKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = PlaceKey;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a key `[time, x, y]` or `[time, x, y, ease]`")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PlaceKey, A::Error> {
                let missing = |n| de::Error::invalid_length(n, &"a key");
                Ok(PlaceKey {
                    time: seq.next_element()?.ok_or_else(|| missing(0))?,
                    x: seq.next_element()?.ok_or_else(|| missing(1))?,
                    y: seq.next_element()?.ok_or_else(|| missing(2))?,
                    ease: seq.next_element()?,
                })
            }
        }
        deserializer.deserialize_seq(V)
    }
}

impl JsonSchema for PlaceKey {
    fn schema_name() -> Cow<'static, str> {
        "place_key".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fixed = generator.subschema_for::<Fixed>();
        let ease = generator.subschema_for::<EaseSlot>();
        json_schema!({
            "description": "`[time, x, y]` or `[time, x, y, ease]`; the ease belongs to the way that leaves \
                the place.",
            "x-expects": "a key: `[time, x, y]` or `[time, x, y, ease]`",
            "type": "array",
            "prefixItems": [fixed, fixed, fixed, ease],
            "items": false,
            "minItems": 3,
            "maxItems": 4,
        })
    }
}

/// A param: a number, text that is never a formula, or the name of something outside the part.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    Number(f64),
    Text(String),
    Named(Name),
    Hole,
}

/// What a part takes by name: a channel, a joint, a limb of the spec that uses it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "named")]
pub struct Named {
    /// The name that it stands for unless `with` gives another.
    pub name: Name,
}

impl<'de> Deserialize<'de> for Param {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Param;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number, a text or a name")
            }
            fn visit_i64<E>(self, v: i64) -> Result<Param, E> {
                Ok(Param::Number(v as f64))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Param, E> {
                Ok(Param::Number(v))
            }
            fn visit_str<E>(self, v: &str) -> Result<Param, E> {
                Ok(Param::Text(v.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Param, E> {
                Ok(Param::Hole)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Param, A::Error> {
                let named = Named::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Param::Named(named.name))
            }
        }
        deserializer.deserialize_any(V)
    }
}

impl JsonSchema for Param {
    fn schema_name() -> Cow<'static, str> {
        "param".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let named = generator.subschema_for::<Named>();
        json_schema!({
            "x-expects": "a number, text (a string is text here, never a formula), or `{ \"name\": \"…\" }`",
            "anyOf": [{ "type": ["number", "string"], "x-slot": "param" }, named],
        })
    }
}

/// A value that could not be read, whose problem has been reported, is kept out of the way of the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Lenient<T>(pub Result<T, String>);

impl<T> Lenient<T> {
    /// The value, if it could be read.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref().ok()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(
            T::deserialize(deserializer).map_err(|mismatch| mismatch.to_string()),
        ))
    }
}

impl<T: JsonSchema> JsonSchema for Lenient<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Named things in the order of the text, and their places in the order of their names.
#[derive(Clone, Debug, PartialEq)]
pub struct Map<T>(pub Vec<(Name, T)>, Vec<u32>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T> Map<T> {
    fn new(entries: Vec<(Name, T)>) -> Self {
        let mut by_name: Vec<u32> = (0..entries.len() as u32).collect();
        by_name.sort_by_key(|place| &entries[*place as usize].0.text);
        Self(entries, by_name)
    }

    /// Names and values in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Place, &T)> {
        self.0
            .iter()
            .map(|(name, value)| (name.text.as_deref().unwrap_or_default(), name.span, value))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        let entry = |place: u32| &self.0[place as usize];
        let by_name = |place: &u32| entry(*place).0.text.as_deref().cmp(&Some(name));
        let found = self.1.binary_search_by(by_name).ok()?;
        Some(&entry(self.1[found]).1)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Map<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_unit<E>(self) -> Result<Map<T>, E> {
                Ok(Map::default())
            }
            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Map<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Map::new(entries))
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Map<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("map of {}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({
            "type": "object",
            "additionalProperties": value,
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
        })
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Values by the particle they belong to: `first`, `3`, `top_left`; which keys there are the owner says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Pins<T>(pub Map<T>);

impl<T> Default for Pins<T> {
    fn default() -> Self {
        Self(Map::default())
    }
}

impl<T: JsonSchema> JsonSchema for Pins<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("pins of {}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({
            "type": "object",
            "additionalProperties": value,
            "propertyNames": { "pattern": "^([a-z_]+|[0-9]+|[0-9]+,[0-9]+)$" },
            "x-keys": "particles",
        })
    }
}

impl<A: JsonSchema, B: JsonSchema> JsonSchema for super::de::Twice<A, B> {
    fn schema_name() -> Cow<'static, str> {
        A::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{} and {}", A::schema_id(), B::schema_id()).into()
    }

    /// The fields of both; the first type's own win, and its description is the whole's.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut whole = A::json_schema(generator);
        let more = B::json_schema(generator);
        for part in ["properties", "required", "allOf"] {
            let Some(more) = more.get(part) else { continue };
            match whole.get_mut(part) {
                Some(serde_json::Value::Object(fields)) => {
                    for (name, schema) in more.as_object().into_iter().flatten() {
                        fields.entry(name).or_insert_with(|| schema.clone());
                    }
                }
                Some(serde_json::Value::Array(names)) => {
                    names.extend(more.as_array().into_iter().flatten().cloned());
                }
                _ => {
                    whole.insert(part.into(), more.clone());
                }
            }
        }
        whole
    }
}

impl<L: JsonSchema, K: JsonSchema> JsonSchema for super::de::Or<L, K> {
    fn schema_name() -> Cow<'static, str> {
        format!("{} or {}", L::schema_name(), K::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let literal = generator.subschema_for::<L>();
        let kind = generator.subschema_for::<K>();
        json_schema!({ "anyOf": [literal, kind] })
    }
}
