//! The JSON Schema of a spec, made from the types.

use crate::document::{Part, Spec};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The schema that the validator reads, with its `x-` hints.
pub fn of_spec() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(generate::<Spec>)
}

/// The schema of a part in a file of its own.
pub fn of_part() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(generate::<Part>)
}

/// The schema that a `$ref` leads to; spaces in its name stand as `%20`.
pub fn definition<'s>(definitions: &'s Map<String, Value>, reference: &str) -> Option<&'s Value> {
    let name = reference.strip_prefix("#/$defs/")?;
    definitions.get(&name.replace("%20", " "))
}

/// The schema for editors: pure JSON Schema.
pub fn published() -> Value {
    let mut schema = of_spec().clone();
    strip_hints(&mut schema);
    schema["title"] = "Hazumi animation spec, version 1".into();
    schema
}

/// The schema of a type, as the validator reads it.
pub(crate) fn generate<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .with_transform(NoNull)
        .with_transform(Closed)
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Optional fields are left out, never null.
#[derive(Clone, Debug)]
struct NoNull;

impl Transform for NoNull {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|t| t != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".into(), only);
            }
        }
        if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
            branches.retain(|branch| branch.get("type").is_none_or(|t| t != "null"));
            if let [Value::Object(only)] = branches.as_slice() {
                let only = only.clone();
                schema.remove("anyOf");
                for (key, value) in only {
                    if schema.get(&key).is_none() {
                        schema.insert(key, value);
                    }
                }
            }
        }
        if schema.get("default") == Some(&Value::Null) {
            schema.remove("default");
        }
        transform_subschemas(self, schema);
    }
}

/// Objects with fields have no others.
#[derive(Clone, Debug)]
struct Closed;

impl Transform for Closed {
    fn transform(&mut self, schema: &mut Schema) {
        let is_struct = schema.get("type").is_some_and(|t| t == "object");
        if is_struct && schema.get("additionalProperties").is_none() {
            schema.insert("additionalProperties".into(), false.into());
        }
        transform_subschemas(self, schema);
    }
}

fn strip_hints(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|key, _| !key.starts_with("x-"));
            fields.values_mut().for_each(strip_hints);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_hints),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references<'s>(schema: &'s Value, found: &mut Vec<&'s str>) {
        match schema {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|inner| references(inner, found));
            }
            Value::Array(items) => items.iter().for_each(|inner| references(inner, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let schema = of_spec();
        let definitions = schema["$defs"].as_object().unwrap();
        let mut found = Vec::new();
        references(schema, &mut found);
        assert!(found.iter().any(|reference| reference.contains("%20")));
        for reference in found {
            assert!(definition(definitions, reference).is_some(), "{reference}");
        }
    }
}
