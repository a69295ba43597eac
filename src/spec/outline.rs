//! What a document says in a few words: its marks and claims with their places, and a digest of the whole.

use super::node::{Field, Node, Value};
use super::report::printable;
use super::source::Span;
use crate::digest::Digest;
use std::collections::BTreeMap;

/// A mark or a claim of the top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its kind and what it is about: `ribbon leg_n`.
    pub label: String,
    /// The key that names its kind.
    pub span: Span,
}

/// A document in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub draw: Vec<Entry>,
    pub expect: Vec<Entry>,
    /// The key of the canvas.
    pub canvas: Span,
    /// For the key of each channel, joint and body its kind: `spring in skeleton`.
    pub kinds: BTreeMap<Span, String>,
    /// Of everything that is said, whatever its layout and the order of its keys.
    pub digest: u64,
}

/// Characters of a label.
const LONGEST: usize = 48;
/// More items of a list than fit a label.
const MOST_ITEMS: usize = LONGEST;
/// Fields that say best what a mark is about, the best first.
const TELLING: [&str; 12] = [
    "of", "points", "content", "along", "at", "from", "to", "keys", "end", "corner", "center",
    "use",
];

impl Outline {
    /// The outline of a document.
    pub fn of(document: &Node) -> Self {
        let entries = |key: &str| match document.get(key).map(|node| &node.value) {
            Some(Value::List(items)) => items.iter().map(entry).collect(),
            _ => Vec::new(),
        };
        let mut outline = Self {
            draw: entries("draw"),
            expect: entries("expect"),
            canvas: field(document, "canvas").map_or(Span::default(), |field| field.key_span),
            kinds: BTreeMap::new(),
            digest: digest(document),
        };
        outline.add_kinds(document, 0);
        outline
    }

    /// Counts a part's file in.
    pub fn add_document(&mut self, document: &Node) {
        self.add(digest(document));
        self.add_kinds(document, 0);
    }

    /// The kinds of a document's names, and of those of the parts in it.
    fn add_kinds(&mut self, document: &Node, depth: usize) {
        for section in ["channels", "skeleton", "bodies"] {
            for named in fields(document.get(section)) {
                let kind = match fields(Some(&named.node)).first() {
                    Some(kind) => format!("{} in {section}", kind.key),
                    None => format!("formula in {section}"),
                };
                self.kinds.insert(named.key_span, kind);
            }
        }
        if depth == 0 {
            for part in fields(document.get("parts")) {
                self.add_kinds(&part.node, depth + 1);
            }
        }
    }

    /// Counts something in that the document brings in, such as the file of a part.
    pub fn add(&mut self, other: u64) {
        let mut sum = Digest::default();
        sum.add(self.digest);
        sum.add(other);
        self.digest = sum.finish();
    }
}

fn fields(node: Option<&Node>) -> &[Field] {
    match node.map(|node| &node.value) {
        Some(Value::Object(fields)) => fields,
        _ => &[],
    }
}

fn field<'n>(node: &'n Node, key: &str) -> Option<&'n Field> {
    match &node.value {
        Value::Object(fields) => fields.iter().find(|field| field.key == key),
        _ => None,
    }
}

fn entry(node: &Node) -> Entry {
    Entry {
        label: cut(&printable(&label(node, 0))),
        span: match &node.value {
            Value::Object(fields) => fields.first().map_or(node.span, |kind| kind.key_span),
            _ => node.span,
        },
    }
}

fn cut(label: &str) -> String {
    match label.chars().count() > LONGEST {
        true => label.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => label.to_owned(),
    }
}

/// The kind of a mark or claim and what it is about; of a group, what it begins with.
fn label(node: &Node, depth: usize) -> String {
    let Value::Object(fields) = &node.value else {
        return "something".into();
    };
    let Some(Field { key, node, .. }) = fields.first() else {
        return "something".into();
    };
    if let Value::Text(name) = &node.value {
        return format!("{key} {name}");
    }
    if let (Some(Value::List(marks)), true) = (node.get("draw").map(|d| &d.value), depth < 2) {
        let first = marks
            .first()
            .map_or(String::new(), |mark| label(mark, depth + 1));
        let more = if marks.len() > 1 { ", …" } else { "" };
        return format!("{key} ({first}{more})");
    }
    match TELLING.iter().find_map(|key| node.get(key)) {
        Some(about) => format!("{key} {}", words(about)),
        None => key.clone(),
    }
}

fn words(node: &Node) -> String {
    match &node.value {
        Value::Number(v) => format!("{v}"),
        Value::Text(text) => text.clone(),
        Value::List(items) => {
            let deep = items
                .iter()
                .any(|item| matches!(item.value, Value::List(_)));
            let items: Vec<String> = items.iter().take(MOST_ITEMS).map(words).collect();
            match deep {
                true => "[…]".into(),
                false => format!("[{}]", items.join(", ")),
            }
        }
        _ => "…".into(),
    }
}

/// Of a value, whatever its layout and the order of its keys.
pub fn digest(node: &Node) -> u64 {
    let mut sum = Digest::default();
    match &node.value {
        Value::Null | Value::Hole => sum.add(0),
        Value::Bool(truth) => sum.add(1 + u64::from(*truth)),
        Value::Number(v) => {
            sum.add(3);
            sum.add_number(*v);
        }
        Value::Text(text) => {
            sum.add(4);
            sum.add_bytes(text.as_bytes());
        }
        Value::List(items) => {
            sum.add(5);
            items.iter().for_each(|item| sum.add(digest(item)));
        }
        Value::Object(fields) => {
            sum.add(6);
            let mut fields: Vec<&Field> = fields.iter().collect();
            fields.sort_by(|a, b| a.key.cmp(&b.key));
            for field in fields {
                sum.add_bytes(field.key.as_bytes());
                sum.add(digest(&field.node));
            }
        }
    }
    sum.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::json;
    use crate::spec::source::Source;

    fn outline(text: &str) -> Outline {
        let sources = [Source {
            name: "x".into(),
            text: text.into(),
        }];
        Outline::of(&json::parse(&sources, 0, &mut Vec::new()).expect("JSON"))
    }

    #[test]
    fn comments_layout_and_the_order_of_keys_do_not_count() {
        let one = outline(r#"{ "a": 1, "b": [true, "x"] }"#);
        let other = outline("{ // A comment.\n \"b\": [ true, \"x\" ], \"a\": 1.0 }");
        assert_eq!(one.digest, other.digest);
        for changed in [
            r#"{ "a": 1, "b": ["x", true] }"#,
            r#"{ "a": 1, "b": [true, "y"] }"#,
            r#"{ "a": 2, "b": [true, "x"] }"#,
            r#"{ "a": 1, "c": [true, "x"] }"#,
            r#"{ "a": 1, "b": [[true, "x"]] }"#,
        ] {
            assert_ne!(one.digest, outline(changed).digest, "{changed}");
        }
    }

    #[test]
    fn marks_are_named_by_what_they_are_about() {
        let outline = outline(
            r#"{ "draw": [
                { "ribbon": { "widths": [1, 2], "points": "leg_n" } },
                { "circle": { "at": ["x", 60], "radius": 3 } },
                { "group": { "opacity": 0.5, "draw": [ { "line": { "from": "a", "to": "b" } }, { "use": "row" } ] } },
                { "use": "links[2]" },
                { "chart": {} } ] }"#,
        );
        let labels: Vec<&str> = outline
            .draw
            .iter()
            .map(|entry| entry.label.as_str())
            .collect();
        let wanted = [
            "ribbon leg_n",
            "circle [x, 60]",
            "group (line a, …)",
            "use links[2]",
            "chart",
        ];
        assert_eq!(labels, wanted);
    }
}
