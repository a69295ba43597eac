//! JSON with its places: what the text says, before any of it has a meaning.

use super::source::Span;

/// A JSON value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub span: Span,
    pub value: Value,
}

/// What a value is. Objects keep the order of the text, and duplicates.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Field>),
    /// A value whose problem has been reported; whatever reads it stays silent.
    Hole,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub key: String,
    pub key_span: Span,
    pub node: Node,
}

impl Node {
    /// The member of an object with this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Object(fields) => fields.iter().find(|f| f.key == key).map(|f| &f.node),
            _ => None,
        }
    }

    /// What a person calls this kind of value.
    pub fn describe(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
            Value::Hole => "nothing",
        }
    }
}
