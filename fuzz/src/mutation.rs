//! Specs that are nearly right, made from bytes: a seed and a list of changes to its tree.

use crate::seeds::Seeds;
use serde_json::{Map, Value, json};

/// Most changes to one seed.
const MOST: usize = 24;

/// Numbers on the edge of something.
const EDGES: [f64; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    4.0,
    0.5,
    -0.5,
    0.1,
    0.25,
    0.999_999_999,
    1.000_000_001,
    1e-9,
    -1e-9,
    1e-300,
    5e-324,
    1e-17,
    7.0,
    16.0,
    60.0,
    64.0,
    90.0,
    100.0,
    180.0,
    255.0,
    256.0,
    360.0,
    -360.0,
    1000.0,
    65_535.0,
    65_536.0,
    -65_536.0,
    999_999.0,
    1e6,
    4_294_967_296.0,
    9_007_199_254_740_993.0,
    1e18,
    1e300,
    f64::MAX,
];

/// Formulas on the edge of something.
const FORMULAS: [&str; 16] = [
    "t",
    "1 / 0",
    "0 / 0",
    "frame",
    "-1e300 * t",
    "exp(800 * t)",
    "sin(360 * t)",
    "i",
    ".i",
    ".u",
    "sqrt(-1)",
    "random(frame)",
    "t > 0.1 ? 1 : 0",
    "1e-320",
    "t % 0",
    "width * t",
];

/// Decisions read from bytes; without bytes they are all zero.
struct Decisions<'b>(&'b [u8]);

impl Decisions<'_> {
    fn byte(&mut self) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        let word = self.byte() << 8 | self.byte();
        word % count.max(1)
    }

    fn of<'s, T>(&mut self, all: &'s [T]) -> Option<&'s T> {
        all.get(self.below(all.len()))
    }
}

/// The spec that the bytes stand for.
pub fn spec(seeds: &Seeds, bytes: &[u8]) -> Value {
    let mut decisions = Decisions(bytes);
    let mut spec = decisions.of(&seeds.specs).cloned().unwrap_or(Value::Null);
    for _ in 0..MOST {
        if decisions.0.is_empty() {
            break;
        }
        let count = size(&spec);
        let at = decisions.below(count);
        let mut left = at;
        if let Some((name, node)) = find("", &mut spec, &mut left) {
            change(&name, node, seeds, &mut decisions);
        }
    }
    spec
}

/// Number of values in a tree.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(size).sum(),
        Value::Array(items) => items.iter().map(size).sum(),
        _ => 0usize,
    }
}

/// The value at a place in the order of the text, with the name that it stands under.
fn find<'v>(name: &str, value: &'v mut Value, left: &mut usize) -> Option<(String, &'v mut Value)> {
    if *left == 0 {
        return Some((name.into(), value));
    }
    *left -= 1;
    match value {
        Value::Object(fields) => fields
            .iter_mut()
            .find_map(|(key, value)| find(key, value, left)),
        Value::Array(items) => {
            let name = format!("{}[]", name.trim_end_matches("[]"));
            items.iter_mut().find_map(|item| find(&name, item, left))
        }
        _ => None,
    }
}

fn change(name: &str, node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    match decisions.byte() % 14 {
        0..=2 => same_name(name, node, seeds, decisions),
        3 => *node = json!(EDGES[decisions.byte() % EDGES.len()]),
        4 => nudge(node, decisions),
        5 => text(node, seeds, decisions),
        6 | 7 => insert(name, node, seeds, decisions),
        8 => remove(node, decisions),
        9 => repeat(node, decisions),
        10 => rename(name, node, seeds, decisions),
        11 => *node = other_type(decisions),
        12 => anything(node, seeds, decisions),
        _ => graft(node, seeds, decisions),
    }
}

/// What another field of that name has: most likely right, and often of another kind.
fn same_name(name: &str, node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    if let Some(value) = seeds.values.get(name).and_then(|all| decisions.of(all)) {
        *node = value.clone();
    }
}

fn nudge(node: &mut Value, decisions: &mut Decisions) {
    let by = decisions.byte();
    let scale = [0.01, 0.1, 0.5, -1.0, 1.001, 2.0, 10.0, 1000.0][by % 8];
    *node = match node.as_f64() {
        Some(number) if by < 128 => json!(number * scale),
        Some(number) => json!(number + by as f64 - 192.0),
        None => json!(by as f64 / 16.0),
    };
}

fn text(node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    *node = match decisions.byte() % 4 {
        0 => json!(FORMULAS[decisions.byte() % FORMULAS.len()]),
        1 if node.is_number() => json!(format!("{node} * (t + 0.5)")),
        _ => decisions
            .of(&seeds.texts)
            .map_or(Value::Null, |text| json!(text)),
    };
}

/// A field or an item that stands elsewhere under the same name.
fn insert(name: &str, node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    match node {
        Value::Object(fields) => {
            if let Some((key, value)) = seeds.fields.get(name).and_then(|all| decisions.of(all)) {
                fields.insert(key.clone(), value.clone());
            }
        }
        Value::Array(items) => {
            let name = format!("{}[]", name.trim_end_matches("[]"));
            if let Some(value) = seeds.values.get(&name).and_then(|all| decisions.of(all)) {
                items.insert(decisions.below(items.len() + 1), value.clone());
            }
        }
        other => same_name(name, other, seeds, decisions),
    }
}

fn remove(node: &mut Value, decisions: &mut Decisions) {
    match node {
        Value::Object(fields) => {
            if let Some(key) = fields.keys().nth(decisions.below(fields.len())).cloned() {
                fields.shift_remove(&key);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.remove(decisions.below(items.len()));
        }
        other => *other = Value::Null,
    }
}

/// Items once more, up to a few dozen of them; fields under one more name.
fn repeat(node: &mut Value, decisions: &mut Decisions) {
    match node {
        Value::Array(items) if !items.is_empty() => {
            let item = items[decisions.below(items.len())].clone();
            let count = 1 + decisions.byte() % 40;
            items.extend(std::iter::repeat_n(item, count));
        }
        Value::Object(fields) => {
            if let Some((key, value)) = fields.iter().nth(decisions.below(fields.len())) {
                let (key, value) = (format!("{key}_2"), value.clone());
                fields.insert(key, value);
            }
        }
        _ => nudge(node, decisions),
    }
}

fn rename(name: &str, node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    let Value::Object(fields) = node else {
        return text(node, seeds, decisions);
    };
    let at = decisions.below(fields.len());
    let other = seeds.fields.get(name).and_then(|all| decisions.of(all));
    if let Some((other, _)) = other {
        let old = std::mem::take(fields);
        let renamed = old.into_iter().enumerate();
        *fields = renamed
            .map(|(i, (key, value))| (if i == at { other.clone() } else { key }, value))
            .collect();
    }
}

fn other_type(decisions: &mut Decisions) -> Value {
    match decisions.byte() % 8 {
        0 => Value::Null,
        1 => json!(true),
        2 => json!([]),
        3 => json!({}),
        4 => json!(""),
        5 => json!([0, 0]),
        6 => json!([[0, 0], [1, 1], [1, 1]]),
        _ => json!([1e9, "t"]),
    }
}

fn anything(node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    let Some(mut other) = decisions.of(&seeds.specs).cloned() else {
        return;
    };
    let mut left = decisions.below(size(&other));
    if let Some((_, found)) = find("", &mut other, &mut left) {
        *node = found.take();
    }
}

/// All of another spec's names and marks besides those of this one.
fn graft(node: &mut Value, seeds: &Seeds, decisions: &mut Decisions) {
    let Some(Value::Object(other)) = decisions.of(&seeds.specs) else {
        return;
    };
    match node {
        Value::Object(fields) if fields.contains_key("hazumi") => merge(fields, other),
        _ => *node = other.get("draw").cloned().unwrap_or(Value::Null),
    }
}

fn merge(fields: &mut Map<String, Value>, other: &Map<String, Value>) {
    for (key, theirs) in other {
        match (fields.get_mut(key), theirs) {
            (Some(Value::Object(own)), Value::Object(theirs)) => {
                own.extend(
                    theirs
                        .iter()
                        .map(|(key, value)| (key.clone(), value.clone())),
                );
            }
            (Some(Value::Array(own)), Value::Array(theirs)) => own.extend(theirs.iter().cloned()),
            (Some(_), _) => {}
            (None, _) => {
                fields.insert(key.clone(), theirs.clone());
            }
        }
    }
}
