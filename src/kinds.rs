//! One list per folder of kinds.
//!
//! `kinds!` turns a list of `name: Type` lines into the modules, the enum that serde reads, its JSON
//! Schema, and the names for messages and help. Adding a kind is one file and one line.

use crate::spec::schema::definition;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// Declares the kinds of a folder. `each Wrapper<_>` says how a kind's fields are read.
macro_rules! kinds {
    (
        $(#[$doc:meta])*
        pub enum $Enum:ident($what:literal): $Trait:ident, each $Wrap:ident<_>;
        $($name:ident: $Type:ident,)*
    ) => {
        $(pub mod $name;)*

        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Debug, serde::Deserialize)]
        pub enum $Enum {
            $($name(Box<$Wrap<$name::$Type>>),)*
        }

        impl $Enum {
            /// The kind's behaviour.
            pub fn kind(&self) -> &dyn $Trait {
                match self {
                    $(Self::$name(kind) => kind.as_ref(),)*
                }
            }

            /// The key that names the kind.
            pub fn name(&self) -> &'static str {
                let name = match self {
                    $(Self::$name(_) => stringify!($name),)*
                };
                name.trim_start_matches("r#")
            }
        }

        impl schemars::JsonSchema for $Enum {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $what.into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let kinds = [
                    $((stringify!($name), generator.subschema_for::<$Wrap<$name::$Type>>()),)*
                ];
                $crate::kinds::schema($what, generator, &kinds)
            }
        }
    };
}
pub(crate) use kinds;

/// For `extend("allOf" = […])`: exactly one of these groups of fields is given. A leading `?` marks a field
/// that goes with its group but may be left out.
pub fn one_of(groups: &[&[&str]]) -> Value {
    json!({ "oneOf": branches(groups) })
}

/// As [`one_of`], or none of them.
pub fn at_most_one_of(groups: &[&[&str]]) -> Value {
    let mut all = branches(groups);
    all.push(json!({ "not": { "anyOf": branches(groups) } }));
    json!({ "oneOf": all })
}

/// As [`one_of`], but several may be given.
pub fn any_of(groups: &[&[&str]]) -> Value {
    json!({ "anyOf": branches(groups) })
}

fn branches(groups: &[&[&str]]) -> Vec<Value> {
    let branch = |group: &&[&str]| {
        let (more, required): (Vec<&str>, Vec<&str>) =
            group.iter().partition(|f| f.starts_with('?'));
        let more: Map<String, Value> = more
            .iter()
            .map(|f| (f[1..].to_owned(), json!(true)))
            .collect();
        match more.is_empty() {
            true => json!({ "required": required }),
            false => json!({ "required": required, "properties": more }),
        }
    };
    groups.iter().map(branch).collect()
}

/// The schema of an object with exactly one key, which names the kind.
pub fn schema(what: &str, generator: &SchemaGenerator, kinds: &[(&str, Schema)]) -> Schema {
    let branches: Vec<Value> = kinds
        .iter()
        .map(|(name, schema)| {
            let name = name.trim_start_matches("r#");
            let mut branch = json_schema!({
                "type": "object",
                "properties": { name: schema },
                "required": [name],
                "additionalProperties": false,
            });
            if let Some(text) = description(schema.as_value(), generator) {
                branch.insert("description".into(), text.into());
            }
            branch.to_value()
        })
        .collect();
    json_schema!({ "x-kinds": what, "oneOf": branches })
}

/// The description of a schema or of what it refers to.
fn description(schema: &Value, generator: &SchemaGenerator) -> Option<String> {
    let of = |schema: &Value| Some(schema.get("description")?.as_str()?.to_owned());
    of(schema).or_else(|| {
        let reference = schema.get("$ref")?.as_str()?;
        of(definition(generator.definitions(), reference)?)
    })
}

/// A kind that is read as it is.
pub type Plain<T> = T;
