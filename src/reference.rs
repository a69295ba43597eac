//! The language's reference and lists of kinds, made from the schema.

use crate::spec::schema::{definition, of_spec};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A folder of kinds, as a person looks for it.
struct Section {
    title: &'static str,
    /// Name of the schema's definition.
    definition: &'static str,
    about: &'static str,
}

const SECTIONS: &[Section] = &[
    Section {
        title: "Channels",
        definition: "channel",
        about: "Named numbers, in `channels`. A number or a formula is a channel too.",
    },
    Section {
        title: "Joints",
        definition: "joint",
        about: "Named joints, limbs and transforms, in `skeleton`. A point `[x, y]` is a joint too.",
    },
    Section {
        title: "Bodies",
        definition: "body",
        about: "Simulated particles, in `bodies`: soft bodies, ropes, cloths and balls, in a `world`. Bodies of different names do not touch.",
    },
    Section {
        title: "Marks",
        definition: "mark",
        about: "What is drawn, in `draw`, in painter's order.",
    },
    Section {
        title: "Loops",
        definition: "loop",
        about: "How the end meets the start, in `loop`.",
    },
    Section {
        title: "Claims",
        definition: "claim",
        about: "What must be true, in `expect`.",
    },
];

/// Objects with a heading, and the names of their definitions.
const HEADINGS: &[(&str, &str)] = &[
    ("Canvas", "canvas"),
    ("A part", "part"),
    ("A use of a part", "use"),
];

/// A kind of something.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    pub name: String,
    pub text: String,
    schema: Value,
}

impl Kind {
    /// The first sentence of its description.
    pub fn summary(&self) -> String {
        let text = prose(&self.text).replace('\n', " ");
        match text.split_once(". ") {
            Some((first, _)) => format!("{first}."),
            None => text,
        }
    }

    /// Its example: members of a spec's top level.
    pub fn example(&self) -> Option<&str> {
        let (_, rest) = self.text.split_once("```json\n")?;
        rest.split_once("```").map(|(example, _)| example)
    }
}

/// Every section's title and kinds.
pub fn kinds() -> Vec<(&'static str, Vec<Kind>)> {
    SECTIONS
        .iter()
        .map(|section| (section.title, kinds_of(section.definition)))
        .collect()
}

fn kinds_of(definition: &str) -> Vec<Kind> {
    let schema = &of_spec()["$defs"][definition];
    let branches = schema["oneOf"].as_array().into_iter().flatten();
    branches
        .filter_map(|branch| {
            let (name, inner) = branch["properties"].as_object()?.iter().next()?;
            Some(Kind {
                name: name.clone(),
                text: branch["description"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                schema: resolve(inner).clone(),
            })
        })
        .collect()
}

fn resolve(schema: &Value) -> &Value {
    let target = schema.get("$ref").and_then(Value::as_str);
    let definitions = of_spec()["$defs"].as_object();
    match (target, definitions) {
        (Some(target), Some(all)) => definition(all, target).unwrap_or(schema),
        _ => schema,
    }
}

/// The description without its example.
fn prose(text: &str) -> &str {
    text.split("```").next().unwrap_or_default().trim()
}

/// The whole reference as Markdown.
pub fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str("\n## The spec\n\n");
    table(&mut page, of_spec());
    for (title, name) in HEADINGS {
        heading(&mut page, title, &of_spec()["$defs"][*name]);
    }
    for section in SECTIONS {
        let _ = write!(page, "\n## {}\n\n{}\n", section.title, section.about);
        for kind in kinds_of(section.definition) {
            kind_page(&mut page, &kind, section.definition == "mark");
        }
        if section.definition == "mark" {
            page.push_str(STYLE);
            table(&mut page, &style());
        }
    }
    page
}

const INTRODUCTION: &str = include_str!("reference/introduction.md");
const STYLE: &str = "\n### Style\n\nFields of every mark that is drawn itself.\n\n";

fn heading(page: &mut String, title: &str, schema: &Value) {
    let text = schema["description"].as_str().unwrap_or_default();
    let _ = write!(page, "\n### {title}\n\n{}\n\n", prose(text));
    table(page, schema);
}

fn kind_page(page: &mut String, kind: &Kind, is_mark: bool) {
    let _ = write!(page, "\n### `{}`\n\n{}\n\n", kind.name, prose(&kind.text));
    let mut schema = kind.schema.clone();
    if is_mark {
        leave_style_out(&mut schema);
    }
    table(page, &schema);
    if let Some(example) = kind.example() {
        let _ = write!(page, "\n```json\n{}\n```\n", example.trim_end());
    }
}

/// The fields that a mark shares with all others have a table of their own.
fn leave_style_out(schema: &mut Value) {
    let style = style();
    let shared = |name: &str| style["properties"].get(name).is_some();
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    let has_style = fields.contains_key("stroke") && fields.contains_key("dash");
    if has_style {
        let own = |name: &str, field: &Value| !shared(name) || *field != style["properties"][name];
        fields.retain(|name, field| own(name, field));
    }
}

fn style() -> Value {
    crate::spec::schema::generate::<crate::marks::Style>()
}

fn table(page: &mut String, schema: &Value) {
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    if fields.is_empty() {
        page.push_str("No fields.\n");
        return;
    }
    page.push_str("| field | type | default | meaning |\n| --- | --- | --- | --- |\n");
    let required = required(schema);
    for (name, field) in fields {
        row(page, name, field, &required);
    }
    for note in alternatives(schema) {
        let _ = write!(page, "\n{note}\n");
    }
    elements(page, "", schema);
}

/// Tables of the objects in lists and maps that have no page of their own.
fn elements(page: &mut String, path: &str, schema: &Value) {
    let fields = schema["properties"].as_object().into_iter().flatten();
    for (name, field) in fields {
        let path = format!("{path}{name}");
        for inner in objects_in(field) {
            let text = inner["description"].as_str().unwrap_or_default();
            // A param may be a number, too.
            let which = match is_one_of_several(field) {
                true => " that is an object",
                false => "",
            };
            let _ = write!(page, "\nEach of `{path}`{which}: {}\n\n", prose(text));
            table(page, &as_fields(inner));
        }
        if !nested(field).is_empty() {
            elements(page, &format!("{path}."), resolve(field));
        }
    }
}

/// Whether what a list or a map holds need not be an object.
fn is_one_of_several(field: &Value) -> bool {
    let schema = resolve(field);
    let element = schema.get("items").or(schema.get("additionalProperties"));
    element.is_some_and(|element| resolve(element)["anyOf"].is_array())
}

/// The kinds of object that a list or a map holds, but for those with a page.
fn objects_in(field: &Value) -> Vec<&Value> {
    let schema = resolve(field);
    let element = match schema.get("properties") {
        Some(_) => None,
        None => schema.get("items").or(schema.get("additionalProperties")),
    };
    let Some(element) = element.filter(|element| element.is_object() && !has_page(element)) else {
        return Vec::new();
    };
    let element = resolve(element);
    let branches = match element["anyOf"].as_array() {
        Some(branches) => branches.iter().filter(|branch| !has_page(branch)).collect(),
        None => vec![element],
    };
    let described = |schema: &&Value| {
        let kinds = schema["x-kinds"].as_str();
        let other = kinds.is_some_and(|name| !SECTIONS.iter().any(|s| s.definition == name));
        other || schema.get("properties").is_some()
    };
    let branches = branches.into_iter().map(resolve);
    branches.filter(described).collect()
}

/// An object with one key that names the kind, as an object with one field for each kind.
fn as_fields(schema: &Value) -> Value {
    if schema.get("x-kinds").is_none() {
        return schema.clone();
    }
    let mut fields = Map::new();
    for branch in schema["oneOf"].as_array().into_iter().flatten() {
        for (name, inner) in branch["properties"].as_object().into_iter().flatten() {
            let mut field = inner.clone();
            field["description"] = branch["description"].clone();
            fields.insert(name.clone(), field);
        }
    }
    let names = fields.keys();
    let one: Vec<Value> = names.map(|name| json!({ "required": [name] })).collect();
    json!({ "properties": fields, "allOf": [{ "oneOf": one }] })
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema["required"].as_array().into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

fn row(page: &mut String, name: &str, field: &Value, required: &[&str]) {
    let default = match field.get("default") {
        _ if required.contains(&name) => "required".into(),
        Some(Value::String(word)) => format!("`{word}`"),
        Some(Value::Object(_)) | None => String::new(),
        Some(Value::Array(items)) if items.is_empty() => String::new(),
        Some(value) => format!("`{value}`"),
    };
    let own = field["description"].as_str();
    let text = own
        .or(resolve(field)["description"].as_str())
        .unwrap_or_default();
    let range = range(resolve(field))
        .map(|range| format!(" ({range})"))
        .unwrap_or_default();
    let inner = nested(field);
    let mut meaning = prose(text).replace('\n', " ").replace('|', "\\|");
    if !inner.is_empty() {
        for note in alternatives(resolve(field)) {
            let _ = write!(meaning, " {note}");
        }
    }
    let _ = writeln!(
        page,
        "| `{name}` | {}{range} | {default} | {meaning} |",
        type_of(field).replace('|', "\\|")
    );
    for (key, field) in inner {
        row(page, &format!("{name}.{key}"), &field, &[]);
    }
}

/// Whether a reference leads to what has a page of its own.
fn has_page(field: &Value) -> bool {
    let target = field.get("$ref").and_then(Value::as_str);
    let name = target.and_then(|target| target.strip_prefix("#/$defs/"));
    let headed = HEADINGS.iter().map(|(_, name)| *name);
    name.is_some_and(|name| {
        headed
            .chain(SECTIONS.iter().map(|s| s.definition))
            .any(|n| n == name)
    })
}

/// Fields of an object that has no page of its own.
fn nested(field: &Value) -> Map<String, Value> {
    let schema = resolve(field);
    match schema.get("properties").and_then(Value::as_object) {
        Some(fields) if !has_page(field) && schema.get("x-kinds").is_none() => fields.clone(),
        _ => Map::new(),
    }
}

fn type_of(field: &Value) -> String {
    let schema = resolve(field);
    if let Some(slot) = schema["x-slot"].as_str() {
        return match slot {
            "choice" => choice(schema),
            "plain" => "text as it is".into(),
            "colour_value" => "CSS colour".into(),
            "num" => "number".into(),
            "fixed" => "fixed number".into(),
            "int" => "fixed whole number".into(),
            "param" | "argument" => "number or text".into(),
            other => other.into(),
        };
    }
    if let Some(kind) = schema["x-kinds"].as_str() {
        return format!("a {kind}");
    }
    if let Some(name) = ["point", "points", "ease", "key"].iter().find(|name| {
        schema["x-expects"]
            .as_str()
            .is_some_and(|e| expects(e, name))
    }) {
        return (*name).into();
    }
    if let Some(words) = words(schema) {
        return words;
    }
    if let Some(branches) = schema["anyOf"].as_array() {
        let all: Vec<_> = branches.iter().map(type_of).collect();
        return all.join(" or ");
    }
    match schema["type"].as_str() {
        Some("boolean") => "`true` / `false`".into(),
        Some("array") => list(schema),
        Some("object") if schema.get("properties").is_none() => {
            format!("names → {}", type_of(&schema["additionalProperties"]))
        }
        Some(name) => name.into(),
        None => String::new(),
    }
}

fn expects(text: &str, name: &str) -> bool {
    let first = text
        .split([':', ' '])
        .find(|word| !matches!(*word, "a" | "an"));
    first == Some(name)
}

fn list(schema: &Value) -> String {
    match schema["prefixItems"].as_array() {
        Some(items) => {
            let all: Vec<_> = items.iter().map(type_of).collect();
            format!("[{}]", all.join(", "))
        }
        None => format!("list of {}", type_of(&schema["items"])),
    }
}

fn choice(schema: &Value) -> String {
    let branches = schema["anyOf"].as_array().into_iter().flatten();
    branches
        .filter_map(|b| words(resolve(b)))
        .next()
        .unwrap_or_default()
}

fn words(schema: &Value) -> Option<String> {
    let plain = schema["enum"]
        .as_array()
        .map(|words| words.iter().collect::<Vec<_>>());
    let described = || -> Option<Vec<&Value>> {
        schema["oneOf"]
            .as_array()?
            .iter()
            .map(|b| b.get("const"))
            .collect()
    };
    let words: Vec<_> = plain
        .or_else(described)?
        .iter()
        .filter_map(|w| w.as_str())
        .collect();
    Some(
        words
            .iter()
            .map(|w| format!("`{w}`"))
            .collect::<Vec<_>>()
            .join(" / "),
    )
}

fn range(schema: &Value) -> Option<String> {
    let bound = |key: &str| {
        schema
            .get(key)
            .filter(|v| v.is_number())
            .map(Value::to_string)
    };
    let low = bound("minimum").map(|v| format!("≥ {v}"));
    let low = low.or(bound("exclusiveMinimum").map(|v| format!("> {v}")));
    let high = bound("maximum").map(|v| format!("≤ {v}"));
    let high = high.or(bound("exclusiveMaximum").map(|v| format!("< {v}")));
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("{low}, {high}")),
        (low, high) => low.or(high),
    }
}

/// Sentences about fields that exclude or need one another.
fn alternatives(schema: &Value) -> Vec<String> {
    let sets = schema["allOf"].as_array().into_iter().flatten();
    sets.map(|set| {
        let exclusive = set["oneOf"].as_array();
        let branches = exclusive.or(set["anyOf"].as_array());
        let groups: Vec<String> = branches.into_iter().flatten().filter_map(group).collect();
        let optional = exclusive.is_some_and(|all| all.iter().any(|b| b.get("not").is_some()));
        let how = match (exclusive.is_some(), optional) {
            (true, false) => "Exactly one of",
            (true, true) => "At most one of",
            (false, _) => "At least one of",
        };
        format!("{how}: {}.", groups.join(" · "))
    })
    .collect()
}

fn group(branch: &Value) -> Option<String> {
    let required = branch["required"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str);
    let required: Vec<_> = required.map(|name| format!("`{name}`")).collect();
    let all = branch["properties"].as_object();
    let more = all
        .into_iter()
        .flat_map(Map::keys)
        .map(|name| format!("`{name}`"));
    let more: Vec<_> = more.filter(|name| !required.contains(name)).collect();
    Some(match more.is_empty() {
        true => required.join(" and "),
        false => format!("{} (with {})", required.join(" and "), more.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Animation, Choices};

    /// Every example is a whole little animation, without even a warning, and what it expects is true.
    #[test]
    fn examples_of_kinds_are_sound() {
        let mut wrong = Vec::new();
        for (title, kinds) in kinds() {
            for kind in kinds {
                let name = format!("{title} `{}`", kind.name);
                match kind.example() {
                    None => wrong.push(format!("{name} has no example")),
                    Some(example) => wrong.extend(faults(&name, example)),
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// What the schema says of a field stands on the page.
    #[test]
    fn every_field_is_explained() {
        let page = markdown();
        let mut missing = Vec::new();
        for (name, schema) in of_spec()["$defs"].as_object().expect("definitions") {
            for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
                let text = inner["description"].as_str().unwrap_or_default();
                let words = prose(text).replace('\n', " ").replace('|', "\\|");
                if !page.contains(&words) {
                    missing.push(format!("{name}.{field}: {words}"));
                }
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
        assert!(!page.contains("list of  ") && !page.contains("→  "));
    }

    fn faults(name: &str, example: &str) -> Vec<String> {
        let text = format!(
            "{{ \"hazumi\": 1, \"alt\": \"x\", \"canvas\": {{ \"size\": [240, 120], \"duration\": 1.2 }},\n{example} }}"
        );
        let animation = match Animation::parse(name, &text, &Choices::default()) {
            Ok(animation) => animation,
            Err(error) => return vec![error.to_string()],
        };
        let mut faults = Vec::new();
        if !animation.warnings().list.is_empty() {
            faults.push(animation.warnings().to_string());
        }
        match animation.simulate_plain() {
            Err(error) => faults.push(error.to_string()),
            Ok(film) => {
                if !film.warnings().list.is_empty() {
                    faults.push(film.warnings().to_string());
                }
                let untrue = film
                    .judge()
                    .into_iter()
                    .filter(|(_, verdict)| !verdict.holds);
                faults.extend(
                    untrue.map(|(claim, verdict)| format!("{name}: {claim}: {}", verdict.words)),
                );
                if example.contains("\"exact\"")
                    && film.seam().is_some_and(|seam| seam.distance > 1e-6)
                {
                    faults.push(format!("{name} does not loop: {:?}", film.seam()));
                }
                let studio = film.studio(&crate::film::Look::default()).expect("small");
                let blank = studio.frame(30).bytes.iter().all(|b| *b == 255);
                if blank {
                    faults.push(format!("{name} draws nothing"));
                }
            }
        }
        faults
    }
}
