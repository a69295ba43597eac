//! Every example with one thing broken: always a message, at the place, and never a panic.

use crate::specs;
use hazumi::film::Error;
use hazumi::load::{Animation, Choices, Problems};
use hazumi::spec::json;
use hazumi::spec::node::{Field, Node, Value};
use hazumi::spec::report::line_column;
use hazumi::spec::schema;
use hazumi::spec::source::Source;
use std::ops::Range;

/// So many of each kind of mutation are tried in one spec.
const MOST: usize = 120;

/// A change to the text, and the byte on whose line a message must be; `None`: on any line.
struct Mutation {
    range: Range<usize>,
    text: String,
    blamed: Option<usize>,
}

fn document(name: &str, text: &str) -> Node {
    let source = Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    json::parse(&[source], 0, &mut Vec::new()).expect("an example that can be parsed")
}

/// Calls with every field and the fields above it, outermost first.
fn each_field<'n>(
    node: &'n Node,
    above: &[&'n Field],
    work: &mut dyn FnMut(&'n Field, &[&'n Field]),
) {
    match &node.value {
        Value::Object(fields) => {
            for field in fields {
                work(field, above);
                let mut path = above.to_vec();
                path.push(field);
                each_field(&field.node, &path, work);
            }
        }
        Value::List(items) => items.iter().for_each(|item| each_field(item, above, work)),
        _ => {}
    }
}

fn each_value<'n>(node: &'n Node, work: &mut dyn FnMut(&'n Node)) {
    match &node.value {
        Value::Object(fields) => fields.iter().for_each(|f| {
            work(&f.node);
            each_value(&f.node, work);
        }),
        Value::List(items) => items.iter().for_each(|item| {
            work(item);
            each_value(item, work);
        }),
        _ => {}
    }
}

/// Whether the keys below are names that the author chose.
fn holds_names(above: &[&Field]) -> bool {
    const MAPS: [&str; 9] = [
        "palette", "params", "channels", "skeleton", "bodies", "parts", "use", "with", "each",
    ];
    above
        .last()
        .is_some_and(|field| MAPS.contains(&field.key.as_str()))
}

/// Whether the keys below are names that nothing else needs to speak of.
fn holds_free_names(above: &[&Field]) -> bool {
    above
        .last()
        .is_some_and(|field| matches!(field.key.as_str(), "themes" | "gaits"))
}

fn renamed(document: &Node) -> Vec<Mutation> {
    let mut all = Vec::new();
    each_field(document, &[], &mut |field, above| {
        let in_theme = above.len() == 2 && above[0].key == "themes";
        // Where nothing else speaks of it, any other name is as good.
        if holds_free_names(above) || field.key.starts_with('$') {
            return;
        }
        let end = field.key_span.end as usize - 1;
        all.push(Mutation {
            range: end..end,
            text: "q".into(),
            blamed: (!holds_names(above) || in_theme).then_some(end),
        });
    });
    all
}

/// Fields that their kind cannot do without, taken out.
fn dropped(document: &Node, text: &str) -> Vec<Mutation> {
    let schema = schema::published();
    let mut all = Vec::new();
    each_field(document, &[], &mut |field, above| {
        let Some(owner) = above.last() else { return };
        let kind = match above.iter().any(|f| f.key == "expect") {
            true => format!("claim_{}", owner.key),
            false => owner.key.clone(),
        };
        let required = schema["$defs"][kind.as_str()]["required"].as_array();
        let needed = required.is_some_and(|list| list.iter().any(|key| *key == *field.key));
        if !needed {
            return;
        }
        let start = field.key_span.start as usize;
        let mut end = field.node.span.end as usize;
        let rest = text[end..].trim_start();
        if rest.starts_with(',') {
            end = text.len() - rest.len() + 1;
        }
        all.push(Mutation {
            range: start..end,
            text: String::new(),
            blamed: Some(object_of(owner, start)),
        });
    });
    all
}

/// Where the object begins that holds a place: the owner's key, or in a list the item.
fn object_of(owner: &Field, place: usize) -> usize {
    let item = match &owner.node.value {
        Value::List(items) => items.iter().find(|item| item.span.range().contains(&place)),
        _ => None,
    };
    item.map_or(owner.key_span.start, |item| item.span.start) as usize
}

fn swapped(document: &Node) -> Vec<Mutation> {
    let mut all = Vec::new();
    each_value(document, &mut |node| {
        let text = match node.value {
            Value::Bool(_) => "17",
            _ => "true",
        };
        let start = node.span.start as usize;
        all.push(Mutation {
            range: start..node.span.end as usize,
            text: text.into(),
            blamed: Some(start),
        });
    });
    all
}

fn problems_of(name: &str, text: &str) -> Option<Problems> {
    match Animation::parse(name, text, &Choices::default()) {
        Ok(animation) => Some(animation.warnings().clone()),
        Err(Error::Spec(problems)) => Some(problems),
        Err(_) => None,
    }
}

/// What is wrong with how a mutated spec is received, if anything.
fn complaint(name: &str, text: &str, mutation: &Mutation) -> Option<String> {
    let mut broken = text.to_owned();
    broken.replace_range(mutation.range.clone(), &mutation.text);
    let source = Source {
        name: name.to_owned(),
        text: broken.clone(),
    };
    let line = mutation.blamed.map(|byte| line_column(&source, byte).0);
    let problems = problems_of(name, &broken)?;
    let lines: Vec<usize> = problems
        .list
        .iter()
        .map(|problem| {
            let source = &problems.sources[problem.span.file as usize];
            line_column(source, problem.span.start as usize).0
        })
        .collect();
    let told = match line {
        Some(line) => lines.contains(&line),
        None => !lines.is_empty(),
    };
    let (at, column) = line_column(&source, mutation.range.start);
    (!told).then(|| {
        let was = &text[mutation.range.clone()];
        let says = format!("{name}:{at}:{column} `{was}` → `{}`", mutation.text);
        format!("{says}, blamed on line {line:?}:\n{problems}")
    })
}

fn check(mutations: impl Fn(&Node, &str) -> Vec<Mutation>) {
    let mut complaints = Vec::new();
    for name in specs::names() {
        let path = specs::folder().join(format!("{name}.json"));
        let text = std::fs::read_to_string(path).expect("an example");
        let all = mutations(&document(&name, &text), &text);
        assert!(!all.is_empty(), "{name} has nothing to break");
        let stride = all.len().div_ceil(MOST);
        let tried = all.iter().step_by(stride);
        complaints.extend(tried.filter_map(|mutation| complaint(&name, &text, mutation)));
    }
    assert!(
        complaints.is_empty(),
        "{} in silence:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn a_key_with_a_letter_too_many_is_noticed() {
    check(|document, _| renamed(document));
}

#[test]
fn a_field_that_is_missing_is_noticed() {
    check(dropped);
}

#[test]
fn a_value_of_another_type_is_noticed() {
    check(|document, _| swapped(document));
}
