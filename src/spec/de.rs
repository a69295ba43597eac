//! Reads typed values out of [`Node`]s with serde, keeping places.
//!
//! Two private names make serde carry what it has no word for: a struct called `SPANNED` receives the
//! value together with its place, and a tuple struct called `TWICE` reads the same object into both of
//! its fields, which is how a mark and its style share one object without losing places (serde's
//! `flatten` would lose them).

use super::node::{Field, Node, Value};
use super::source::Span;
use serde::de::value::{BorrowedStrDeserializer, U32Deserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

const SPANNED: &str = "$spanned";
const TWICE: &str = "$twice";
const OR: &str = "$or";

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename = "$spanned")]
pub struct Spanned<T> {
    file: u32,
    start: u32,
    end: u32,
    pub value: T,
}

impl<T> Spanned<T> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        Span {
            file: self.file as u16,
            start: self.start,
            end: self.end,
        }
    }
}

/// Reads one object as two structs, each taking the fields it knows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename = "$twice")]
pub struct Twice<A, B>(pub A, pub B);

/// A literal, or an object whose key names the kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename = "$or")]
pub enum Or<L, K> {
    Literal(L),
    Kind(K),
}

/// What serde found wrong. The validator has said it before, and better, so this rarely reaches a person.
#[derive(Debug)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Reads a typed value.
///
/// # Errors
/// When the node does not have the type's shape.
pub fn read<'n, T: Deserialize<'n>>(node: &'n Node) -> Result<T, Mismatch> {
    T::deserialize(Reader(node))
}

#[derive(Clone, Copy)]
struct Reader<'n>(&'n Node);

impl<'n> Deserializer<'n> for Reader<'n> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match &self.0.value {
            Value::Null | Value::Hole => visitor.visit_unit(),
            Value::Bool(v) => visitor.visit_bool(*v),
            Value::Number(v) => visit_number(*v, visitor),
            Value::Text(v) => visitor.visit_borrowed_str(v),
            Value::List(items) => visitor.visit_seq(Items(items.iter())),
            Value::Object(fields) => visitor.visit_map(Members {
                fields: fields.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'n>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == SPANNED {
            return visitor.visit_map(Place {
                span: self.0.span,
                step: 0,
                value: Some(self),
            });
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == TWICE {
            return visitor.visit_seq(Items([self.0, self.0].into_iter()));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == OR {
            return visitor.visit_enum(Either(self.0));
        }
        match &self.0.value {
            Value::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Value::Object(fields) => match fields.as_slice() {
                [only] => visitor.visit_enum(Kind(only)),
                _ => Err(Mismatch("expected exactly one key".into())),
            },
            _ => Err(Mismatch("expected a word or an object".into())),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'n>> bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple map identifier ignored_any
    }
}

/// Whole numbers are offered as integers, so that integer fields take `3` and `3.0` alike.
fn visit_number<'n, V: Visitor<'n>>(v: f64, visitor: V) -> Result<V::Value, Mismatch> {
    if v == (v as i64) as f64 && v.abs() < 9e15 {
        visitor.visit_i64(v as i64)
    } else {
        visitor.visit_f64(v)
    }
}

struct Items<I>(I);

impl<'n, I: Iterator<Item = &'n Node>> de::SeqAccess<'n> for Items<I> {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'n>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mismatch> {
        self.0
            .next()
            .map(|node| seed.deserialize(Reader(node)))
            .transpose()
    }
}

struct Members<'n> {
    fields: std::slice::Iter<'n, Field>,
    value: Option<&'n Node>,
}

impl<'n> de::MapAccess<'n> for Members<'n> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'n>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some(field) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some(&field.node);
        seed.deserialize(Key(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'n>>(&mut self, seed: V) -> Result<V::Value, Mismatch> {
        let node = self
            .value
            .take()
            .ok_or_else(|| Mismatch("value before key".into()))?;
        seed.deserialize(Reader(node))
    }
}

/// A key of an object: a string with a place.
struct Key<'n>(&'n Field);

impl<'n> Deserializer<'n> for Key<'n> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_borrowed_str(&self.0.key)
    }

    fn deserialize_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == SPANNED {
            return visitor.visit_map(Place {
                span: self.0.key_span,
                step: 0,
                value: Some(BorrowedStrDeserializer::new(&self.0.key)),
            });
        }
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'n>> bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The four members of a [`Spanned`].
struct Place<D> {
    span: Span,
    step: usize,
    value: Option<D>,
}

impl<'n, D: Deserializer<'n, Error = Mismatch>> de::MapAccess<'n> for Place<D> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'n>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some(name) = ["file", "start", "end", "value"].get(self.step) else {
            return Ok(None);
        };
        self.step += 1;
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'n>>(&mut self, seed: V) -> Result<V::Value, Mismatch> {
        let number = |n: u32| U32Deserializer::new(n);
        match (self.step, self.value.take()) {
            (4, Some(value)) => seed.deserialize(value),
            (step, value) => {
                self.value = value;
                seed.deserialize(number(match step {
                    1 => self.span.file.into(),
                    2 => self.span.start,
                    _ => self.span.end,
                }))
            }
        }
    }
}

/// The same node as one of the two variants of [`Or`].
struct Either<'n>(&'n Node);

impl<'n> de::EnumAccess<'n> for Either<'n> {
    type Error = Mismatch;
    type Variant = Reader<'n>;

    fn variant_seed<V: DeserializeSeed<'n>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Reader<'n>), Mismatch> {
        let variant = match self.0.value {
            Value::Object(_) => "Kind",
            _ => "Literal",
        };
        let variant = seed.deserialize(BorrowedStrDeserializer::new(variant))?;
        Ok((variant, Reader(self.0)))
    }
}

/// An object whose one key names the kind.
struct Kind<'n>(&'n Field);

impl<'n> de::EnumAccess<'n> for Kind<'n> {
    type Error = Mismatch;
    type Variant = Reader<'n>;

    fn variant_seed<V: DeserializeSeed<'n>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Reader<'n>), Mismatch> {
        let kind = seed.deserialize(Key(self.0))?;
        Ok((kind, Reader(&self.0.node)))
    }
}

impl<'n> de::VariantAccess<'n> for Reader<'n> {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'n>>(self, seed: T) -> Result<T::Value, Mismatch> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'n>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'n>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_any(visitor)
    }
}
