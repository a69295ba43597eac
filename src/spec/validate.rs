//! Holds a document against the schema and reports everything that does not fit, in one pass.
//!
//! The result is a mended copy of the document: misspelt keys get their likely name, what cannot be mended
//! becomes a hole that later stages pass over in silence. So the check of names, cycles and ranges goes on
//! for the rest of the file, and all problems appear in one run.

use super::foreign;
use super::node::{Field, Node, Value};
use super::problem::short_outside;
use super::problem::{ENOUGH, Problem, Severity};
use super::schema::definition;
use super::source::{Source, Span};
use super::suggest::{list_some, nearest};
use crate::formula;
use serde_json::{Map, Value as Json};

/// Words that no name may be.
pub const RESERVED: &[&str] = &[
    "t", "frame", "fps", "duration", "width", "height", "pi", "turn", "and", "or", "not",
];

/// Checks a document and returns the mended copy.
pub fn validate(
    schema: &Json,
    document: &Node,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) -> Node {
    let empty = Map::new();
    let mut validator = Validator {
        definitions: schema
            .get("$defs")
            .and_then(Json::as_object)
            .unwrap_or(&empty),
        sources,
        problems,
        counted: 0,
        errors: 0,
    };
    let place = Place {
        name: "the spec",
        owner: Span {
            end: document.span.start + 1,
            ..document.span
        },
    };
    validator.check(document, schema, place)
}

/// What a value is called, and where to point when something is missing from it.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The key that led here, or a description.
    name: &'a str,
    owner: Span,
}

struct Validator<'a> {
    definitions: &'a Map<String, Json>,
    sources: &'a [Source],
    problems: &'a mut Vec<Problem>,
    /// So many problems have been looked at for errors, and so many were.
    counted: usize,
    errors: usize,
}

impl<'a> Validator<'a> {
    /// Whether there are more errors than anybody reads: then the rest is a hole.
    fn has_enough(&mut self) -> bool {
        let new = &self.problems[self.counted..];
        let errors = new.iter().filter(|p| p.severity == Severity::Error);
        self.errors += errors.count();
        self.counted = self.problems.len();
        self.errors >= ENOUGH
    }

    fn check(&mut self, node: &Node, schema: &Json, place: Place) -> Node {
        let schema = self.resolve(schema);
        let whole = |value| Node {
            span: node.span,
            value,
        };
        if node.value == Value::Hole || self.has_enough() {
            return whole(Value::Hole);
        }
        if let Some(slot) = text_of(schema, "x-slot") {
            return whole(self.check_slot(node, schema, slot, place));
        }
        if schema.get("x-kinds").is_some() {
            return whole(self.check_kinds(node, schema, place));
        }
        if let Some(branches) = list_of(schema, "anyOf") {
            return match branches.iter().find(|b| self.accepts(b, node)) {
                Some(branch) => {
                    let branch = self.resolve(branch).clone();
                    self.check(node, &branch, place)
                }
                None => whole(self.wrong_type(node, schema, place)),
            };
        }
        if words(schema).is_some() {
            return whole(self.check_word(node, schema, place));
        }
        if !self.accepts(schema, node) {
            return whole(self.wrong_type(node, schema, place));
        }
        match &node.value {
            Value::Object(fields) if schema.get("properties").is_some() => {
                whole(self.check_struct(node.span, fields, schema, place))
            }
            Value::Object(fields) => whole(self.check_map(fields, schema)),
            Value::List(items) => whole(self.check_list(node, items, schema, place)),
            Value::Number(v) => whole(self.in_range(*v, node.span, schema, place)),
            other => whole(other.clone()),
        }
    }

    fn resolve<'s>(&self, schema: &'s Json) -> &'s Json
    where
        'a: 's,
    {
        let mut schema = schema;
        while let Some(target) = text_of(schema, "$ref") {
            let Some(found) = definition(self.definitions, target) else {
                break;
            };
            schema = found;
        }
        schema
    }

    /// Whether the JSON type of the node is one that the schema takes.
    fn accepts(&self, schema: &Json, node: &Node) -> bool {
        let schema = self.resolve(schema);
        if schema.get("x-kinds").is_some() {
            return matches!(node.value, Value::Object(_));
        }
        if let Some(branches) = list_of(schema, "anyOf") {
            return branches.iter().any(|b| self.accepts(b, node));
        }
        if words(schema).is_some() {
            return matches!(node.value, Value::Text(_));
        }
        let is = |name: &str| match (&node.value, name) {
            (Value::Null, "null")
            | (Value::Bool(_), "boolean")
            | (Value::Number(_), "number")
            | (Value::Text(_), "string")
            | (Value::List(_), "array")
            | (Value::Object(_), "object") => true,
            (Value::Number(v), "integer") => *v == (*v as i64) as f64,
            _ => false,
        };
        match schema.get("type") {
            Some(Json::String(name)) => is(name),
            Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).any(is),
            _ => true,
        }
    }

    fn wrong_type(&mut self, node: &Node, schema: &Json, place: Place) -> Value {
        let found = match &node.value {
            Value::Text(_) if node.span.end - node.span.start < 40 => self.written(node.span),
            Value::Number(_) => self.written(node.span),
            _ => node.describe().to_owned(),
        };
        let mut problem = Problem::error(
            "wrong-type",
            node.span,
            format!(
                "`{}` takes {}, not {found}",
                place.name,
                self.expects(schema)
            ),
        );
        if node.value == Value::Null {
            problem = problem.label("leave the field out instead");
        } else if let (Value::Bool(v), Some("num" | "fixed")) =
            (&node.value, text_of(schema, "x-slot"))
        {
            problem = problem.label(format!("write {}", u8::from(*v)));
        } else if let (Value::Object(_), true) = (&node.value, self.is_plain_list(schema)) {
            problem = problem.label("put it in brackets: `[ … ]`");
        } else if let Some(form) = self.form(node, schema, place) {
            problem = problem.label(format!("write `{form}`"));
        }
        if let Some(what) = text_of(schema, "x-kinds") {
            let kinds = self.kinds(schema);
            let names = kinds.iter().map(|(name, _)| *name);
            problem = problem.note(format!("kinds of {what}: {}", list_some("", names)));
        }
        self.problems.push(problem);
        Value::Hole
    }

    /// The form that was probably meant by a value of another.
    fn form(&self, node: &Node, schema: &Json, place: Place) -> Option<String> {
        let slot = text_of(schema, "x-slot");
        match &node.value {
            Value::Text(kind) => self.kind_in_words(kind, schema),
            Value::List(parts) if matches!(slot, Some("colour" | "colour_value")) => {
                let numbers = parts.iter().map(|part| match part.value {
                    Value::Number(v) => Some(format!("{v}")),
                    _ => None,
                });
                let numbers: Vec<String> = numbers.collect::<Option<_>>()?;
                (numbers.len() == 3).then(|| format!("\"rgb({})\"", numbers.join(", ")))
            }
            Value::List(_) if schema.get("x-keys").is_some() => {
                Some("{ \"first\": [x, y], … }".into())
            }
            Value::Number(v) if list_of(schema, "prefixItems").is_some_and(|s| s.len() == 2) => {
                Some(match place.name {
                    "scale" => format!("[{v}, {v}]"),
                    "gravity" => format!("[0, {v}]"),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// A word that names a kind, as the object that it should be.
    fn kind_in_words(&self, word: &str, schema: &Json) -> Option<String> {
        schema.get("x-kinds")?;
        let kinds = self.kinds(schema);
        let meant = nearest(word, kinds.iter().map(|(name, _)| *name))?;
        let (_, inner) = kinds.iter().find(|(name, _)| *name == meant)?;
        let needs = list_of(self.resolve(inner), "required").is_some_and(|all| !all.is_empty());
        let fields = if needs { "{ … }" } else { "{}" };
        Some(format!("{{ \"{meant}\": {fields} }}"))
    }

    /// Whether a schema takes a list of any length and nothing else.
    fn is_plain_list(&self, schema: &Json) -> bool {
        text_of(schema, "type") == Some("array") && schema.get("prefixItems").is_none()
    }

    fn written(&self, span: Span) -> String {
        let text = &self.sources[span.file as usize].text[span.range()];
        format!("`{text}`")
    }

    /// What a person would write here.
    fn expects(&self, schema: &Json) -> String {
        let schema = self.resolve(schema);
        if let Some(expects) = text_of(schema, "x-expects") {
            return expects.to_owned();
        }
        if let Some(kind) = text_of(schema, "x-kinds") {
            return format!("a {kind}: an object with one key that names the kind");
        }
        if let Some(branches) = list_of(schema, "anyOf") {
            let all: Vec<_> = branches.iter().map(|b| self.expects(b)).collect();
            return all.join(" or ");
        }
        if words(schema).is_some() {
            return "one of the words listed".into();
        }
        match schema.get("type").and_then(Json::as_str) {
            Some("boolean") => "`true` or `false`".into(),
            Some("number") => "a number".into(),
            Some("integer") => "a whole number".into(),
            Some("string") => "text".into(),
            Some("array") => match list_of(schema, "prefixItems") {
                Some(items) => format!("a list of {} values", items.len()),
                None => "a list".into(),
            },
            _ => "an object".into(),
        }
    }

    fn check_slot(&mut self, node: &Node, schema: &Json, slot: &str, place: Place) -> Value {
        match (&node.value, slot) {
            (Value::Number(v), "num" | "fixed" | "int") => {
                if slot == "int" && *v != (*v as i64) as f64 {
                    return self.wrong_type(node, schema, place);
                }
                self.in_range(*v, node.span, schema, place)
            }
            (Value::Text(text), "num" | "fixed" | "int") => self.check_formula(node, text),
            (Value::Text(text), "text") => self.check_template(node, text),
            (Value::Text(text), "name") => self.check_name(node, text),
            (Value::Text(_), "choice") => self.check_word(node, schema, place),
            (Value::Number(_) | Value::Text(_), "param" | "argument") => node.value.clone(),
            (Value::Text(_), "plain" | "colour" | "colour_value") => node.value.clone(),
            _ => self.wrong_type(node, schema, place),
        }
    }

    fn in_range(&mut self, v: f64, span: Span, schema: &Json, place: Place) -> Value {
        let bound = |key| schema.get(key).and_then(Json::as_f64);
        let range = formula::Range {
            min: bound("minimum").or(bound("exclusiveMinimum")),
            max: bound("maximum").or(bound("exclusiveMaximum")),
            min_exclusive: bound("exclusiveMinimum").is_some(),
            max_exclusive: bound("exclusiveMaximum").is_some(),
        };
        if range.contains(v) {
            return Value::Number(v);
        }
        self.problems
            .push(out_of_range(place.name, v, &range, span));
        Value::Hole
    }

    fn check_formula(&mut self, node: &Node, text: &str) -> Value {
        match formula::parse(text) {
            Ok(parsed) => {
                for warning in parsed.warnings() {
                    let span = node.span.within(self.sources, warning.range.clone());
                    let problem = Problem::of_formula(warning.clone(), span);
                    self.problems.push(Problem {
                        severity: Severity::Warning,
                        ..problem
                    });
                }
                node.value.clone()
            }
            Err(error) => self.bad_formula(node, error),
        }
    }

    fn check_name(&mut self, node: &Node, text: &str) -> Value {
        match formula::parse_name(text) {
            Ok(_) => node.value.clone(),
            Err(error) => self.bad_formula(node, error),
        }
    }

    fn check_template(&mut self, node: &Node, text: &str) -> Value {
        match formula::parse_template(text) {
            Ok(_) => node.value.clone(),
            Err(error) => self.bad_formula(node, error),
        }
    }

    fn bad_formula(&mut self, node: &Node, error: formula::FormulaError) -> Value {
        let span = node.span.within(self.sources, error.range.clone());
        self.problems.push(Problem::of_formula(error, span));
        Value::Hole
    }

    fn check_word(&mut self, node: &Node, schema: &Json, place: Place) -> Value {
        let Value::Text(word) = &node.value else {
            return self.wrong_type(node, schema, place);
        };
        let allowed = self.all_words(schema);
        let is_slot = schema.get("x-slot").is_some();
        if allowed.contains(&word.as_str()) || (is_slot && is_reference(word)) {
            return node.value.clone();
        }
        let is_ease = allowed.contains(&"ease_in_out");
        let message = match is_ease {
            true => format!("unknown ease `{word}`"),
            false => format!("unknown word `{word}` for `{}`", place.name),
        };
        let mut problem = Problem::error("unknown-word", node.span, message);
        let suggestion = nearest(word, allowed.iter().copied());
        if let (true, Some(list)) = (is_ease, foreign::bezier(word)) {
            self.problems.push(problem.label(format!("write {list}")));
            return Value::Hole;
        }
        if let Some(near) = suggestion {
            problem = problem.label(format!("did you mean `{near}`?"));
        }
        self.problems.push(problem.note(format!(
            "allowed here: {}",
            list_some(word, allowed.iter().copied())
        )));
        suggestion.map_or(Value::Hole, |near| Value::Text(near.to_owned()))
    }

    fn all_words<'s>(&self, schema: &'s Json) -> Vec<&'s str>
    where
        'a: 's,
    {
        let schema = self.resolve(schema);
        if let Some(words) = words(schema) {
            return words;
        }
        let branches = list_of(schema, "anyOf").into_iter().flatten();
        branches.flat_map(|b| self.all_words(b)).collect()
    }

    fn check_list(&mut self, node: &Node, items: &[Node], schema: &Json, place: Place) -> Value {
        let bound = |key| schema.get(key).and_then(Json::as_u64);
        let n = items.len() as u64;
        if bound("minItems").is_some_and(|least| n < least)
            || bound("maxItems").is_some_and(|most| n > most)
        {
            self.problems.push(Problem::error(
                "wrong-length",
                node.span,
                format!(
                    "`{}` takes {}, not {n} {}",
                    place.name,
                    wanted_length(schema, &self.expects(schema)),
                    if n == 1 { "value" } else { "values" },
                ),
            ));
            return Value::Hole;
        }
        let slots = list_of(schema, "prefixItems");
        let every = schema.get("items");
        if let (None, Some(schema)) = (slots, every)
            && self.all_foreign(items, schema, place)
        {
            return Value::Hole;
        }
        let checked = items.iter().enumerate().map(|(i, item)| {
            let schema = slots.and_then(|s| s.get(i)).or(every);
            let place = Place {
                name: place.name,
                owner: Span {
                    end: (item.span.start + 1).min(item.span.end),
                    ..item.span
                },
            };
            match schema {
                Some(schema @ Json::Object(_)) => self.check(item, schema, place),
                _ => item.clone(),
            }
        });
        Value::List(checked.collect())
    }

    /// A list written in a way of its own is one mistake, not one for each of its items.
    fn all_foreign(&mut self, items: &[Node], schema: &Json, place: Place) -> bool {
        let fits = |item: &Node| item.value == Value::Hole || self.accepts(schema, item);
        if items.len() < 2 || items.iter().any(fits) {
            return false;
        }
        self.check(&items[0], schema, place);
        if let Some(problem) = self.problems.last_mut() {
            let n = items.len();
            let words = format!("the same holds for all {n} items of this list");
            problem.notes.push(words);
        }
        true
    }

    fn check_map(&mut self, fields: &[Field], schema: &Json) -> Value {
        let Some(each) = schema.get("additionalProperties") else {
            return Value::Object(fields.to_vec());
        };
        let names = schema.get("x-keys").is_none();
        let mut mended = Vec::new();
        for field in fields {
            let bad_name = self.bad_name(field).filter(|_| names);
            self.problems.extend(bad_name);
            let place = Place {
                name: &field.key,
                owner: field.key_span,
            };
            let plain = plain_name(&field.key).filter(|_| names);
            let free = plain.filter(|plain| !fields.iter().any(|f| f.key == *plain));
            mended.push(Field {
                node: self.check(&field.node, each, place),
                key: free.unwrap_or_else(|| field.key.clone()),
                key_span: field.key_span,
            });
        }
        Value::Object(mended)
    }

    fn bad_name(&self, field: &Field) -> Option<Problem> {
        let name = &field.key;
        if is_plain_name(name) {
            return RESERVED.contains(&name.as_str()).then(|| {
                Problem::error(
                    "reserved-name",
                    field.key_span,
                    format!("`{name}` has a meaning of its own and cannot be a name"),
                )
                .note(format!("reserved: {}", RESERVED.join(", ")))
            });
        }
        let problem = Problem::error(
            "bad-name",
            field.key_span,
            format!("`{name}` cannot be a name"),
        )
        .note("a name is letters a–z, digits and `_`, and does not begin with a digit");
        Some(match plain_name(name) {
            None => problem,
            Some(plain) => problem.label(format!("write `{plain}`")),
        })
    }

    fn check_struct(
        &mut self,
        whole: Span,
        fields: &[Field],
        schema: &Json,
        place: Place,
    ) -> Value {
        let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
            return Value::Object(fields.to_vec());
        };
        let mut mended = self.known_fields(fields, properties, place);
        let hole = |key: &str| Field {
            key: key.to_owned(),
            key_span: place.owner,
            node: Node {
                span: whole,
                value: Value::Hole,
            },
        };
        let required = list_of(schema, "required").into_iter().flatten();
        for key in required.filter_map(Json::as_str) {
            if !mended.iter().any(|f| f.key == key) {
                let problem = missing(place, &format!("`{key}`"));
                self.problems.push(explain(problem, &[key], properties));
                mended.push(hole(key));
            }
        }
        for groups in alternatives(schema) {
            for key in self.check_groups(&groups, &mended, properties, place) {
                mended.push(hole(&key));
            }
        }
        Value::Object(mended)
    }

    /// The fields that are known, checked, under their right names.
    fn known_fields(
        &mut self,
        fields: &[Field],
        properties: &Map<String, Json>,
        place: Place,
    ) -> Vec<Field> {
        let part_of = |field: &Field| match properties.contains_key(&field.key) {
            true => None,
            false => foreign::part_of(&field.key, properties),
        };
        let mut mended: Vec<Field> = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            if self.has_enough() {
                break;
            }
            if let Some(part) = part_of(field) {
                // `x` and `y` are one mistake: the first of them tells.
                let same = |f: &Field| part_of(f).is_some_and(|other| other.field == part.field);
                if fields[..i].iter().any(same) {
                    continue;
                }
                self.problems.push(foreign_part(field, part, place));
                if !fields.iter().any(|f| f.key == part.field) {
                    mended.push(part_filled(field, part));
                }
                continue;
            }
            if let Some((holder, form)) = self.holder(field, properties) {
                // All that belong into one are one mistake: the first of them tells.
                let same = |f: &Field| self.holder(f, properties).is_some_and(|(h, _)| h == holder);
                if !fields[..i].iter().any(same) {
                    let message =
                        format!("`{}` does not stand in `{}` itself", field.key, place.name);
                    let problem = Problem::error("unknown-field", field.key_span, message);
                    self.problems.push(problem.label(format!("write `{form}`")));
                    if !fields.iter().any(|f| f.key == holder) {
                        mended.push(filled(holder, field));
                    }
                }
                continue;
            }
            let Some((key, schema)) = self.known_field(field, fields, properties, place) else {
                continue;
            };
            let inner = Place {
                name: &key,
                owner: field.key_span,
            };
            let node = match key == field.key {
                true => self.check(&field.node, schema, inner),
                false => self.check_guessed(&field.node, schema, inner),
            };
            mended.push(Field {
                node,
                key,
                key_span: field.key_span,
            });
        }
        mended
    }

    /// The field whose objects have a field of this name, while this object has neither, and the form to write.
    fn holder<'s>(
        &self,
        field: &Field,
        properties: &'s Map<String, Json>,
    ) -> Option<(&'s str, String)> {
        let is_alias = |schema: &Json| {
            let aliases = list_of(schema, "x-also").into_iter().flatten();
            aliases
                .filter_map(Json::as_str)
                .any(|alias| alias == field.key)
        };
        if properties.contains_key(&field.key) || properties.values().any(is_alias) {
            return None;
        }
        properties.iter().find_map(|(name, schema)| {
            let schema = self.resolve(schema);
            let (element, form) = match (schema.get("additionalProperties"), schema.get("items")) {
                (Some(each @ Json::Object(_)), _) if name == "gaits" => {
                    (each, ["{ \"walk\": ", " }"])
                }
                (Some(each @ Json::Object(_)), _) => (each, ["{ \"one\": ", " }"]),
                (_, Some(each @ Json::Object(_))) => (each, ["[", "]"]),
                _ => (schema, ["", ""]),
            };
            let fields = self.resolve(element).get("properties")?;
            fields.get(&field.key)?;
            let [open, close] = form;
            let form = format!("\"{name}\": {open}{{ \"{}\": …, … }}{close}", field.key);
            Some((name.as_str(), form))
        })
    }

    /// A value under a name that is a guess: what does not fit there is no mistake of its own, unless there is
    /// much in it that may be.
    fn check_guessed(&mut self, node: &Node, schema: &Json, place: Place) -> Node {
        let hole = Node {
            span: node.span,
            value: Value::Hole,
        };
        if !self.accepts(schema, node) {
            return hole;
        }
        let before = self.problems.len();
        let checked = self.check(node, schema, place);
        let plain = !matches!(node.value, Value::Object(_) | Value::List(_));
        if plain && self.problems.len() > before {
            self.problems.truncate(before);
            self.counted = self.counted.min(before);
            return hole;
        }
        checked
    }

    /// The field's name, mended if it is misspelt, and its schema.
    fn known_field<'s>(
        &mut self,
        field: &Field,
        siblings: &[Field],
        properties: &'s Map<String, Json>,
        place: Place,
    ) -> Option<(String, &'s Json)> {
        if let Some(schema) = properties.get(&field.key) {
            return Some((field.key.clone(), schema));
        }
        // Of very many fields most are strangers themselves.
        let siblings = &siblings[..siblings.len().min(ENOUGH)];
        let free = properties
            .keys()
            .map(String::as_str)
            .filter(|name| !name.starts_with('$') && !siblings.iter().any(|f| f.key == *name));
        let also = properties.iter().find_map(|(name, schema)| {
            let aliases = list_of(schema, "x-also").into_iter().flatten();
            let is_alias = aliases.filter_map(Json::as_str).any(|a| a == field.key);
            is_alias.then_some(name.as_str())
        });
        let foreign = foreign::field(&field.key, properties);
        // What another language calls so may be something else there.
        let fits = |name: &&str| self.accepts(&properties[*name], &field.node);
        let elsewhere = also.or(foreign).filter(fits);
        let suggestion = elsewhere.or_else(|| nearest(&field.key, free));
        let mut problem = Problem::error(
            "unknown-field",
            field.key_span,
            format!("unknown field `{}` in `{}`", field.key, place.name),
        );
        if let Some(near) = suggestion {
            problem = problem.label(format!("did you mean `{near}`?"));
        }
        let names = properties
            .keys()
            .map(String::as_str)
            .filter(|n| !n.starts_with('$'));
        self.problems
            .push(problem.note(format!("allowed here: {}", list_some(&field.key, names))));
        let near = suggestion.filter(|near| !siblings.iter().any(|f| f.key == *near))?;
        Some((near.to_owned(), &properties[near]))
    }

    /// Checks that exactly one group of alternative fields is given; returns what must be filled up.
    fn check_groups(
        &mut self,
        groups: &Groups,
        fields: &[Field],
        properties: &Map<String, Json>,
        place: Place,
    ) -> Vec<String> {
        let given = |key: &String| fields.iter().find(|f| f.key == *key);
        let started: Vec<(&Group, &Field)> = groups
            .groups
            .iter()
            .filter_map(|group| Some((group, group.fields().find_map(given)?)))
            .collect();
        match started.as_slice() {
            [] if groups.optional => Vec::new(),
            [] => {
                let names: Vec<_> = groups.groups.iter().map(Group::describe).collect();
                let keys: Vec<&str> = groups
                    .groups
                    .iter()
                    .flat_map(|g| &g.required)
                    .map(String::as_str)
                    .collect();
                let problem = missing(place, &names.join(" or "));
                self.problems.push(explain(problem, &keys, properties));
                groups.groups[0].required.clone()
            }
            [(group, first)] => {
                let absent = group.required.iter().filter(|key| given(key).is_none());
                let absent: Vec<String> = absent.cloned().collect();
                for key in &absent {
                    let problem = missing(place, &format!("`{key}`"))
                        .related(first.key_span, format!("goes with `{}`", first.key));
                    self.problems.push(explain(problem, &[key], properties));
                }
                absent
            }
            _ if !groups.exclusive => Vec::new(),
            [(_, first), (_, second), ..] => {
                self.problems.push(
                    Problem::error(
                        "two-alternatives",
                        second.key_span,
                        format!(
                            "`{}` takes either `{}` or `{}`, not both",
                            place.name, first.key, second.key
                        ),
                    )
                    .related(first.key_span, "already given here"),
                );
                Vec::new()
            }
        }
    }

    fn check_kinds(&mut self, node: &Node, schema: &Json, place: Place) -> Value {
        let what = text_of(schema, "x-kinds").unwrap_or("kind");
        let kinds = self.kinds(schema);
        let Value::Object(fields) = &node.value else {
            return match list_of(schema, "anyOf")
                .and_then(|b| b.iter().find(|b| self.accepts(b, node)))
            {
                Some(branch) => self.check(node, branch, place).value,
                None => self.wrong_type(node, schema, place),
            };
        };
        let names = || kinds.iter().map(|(name, _)| *name);
        let known = |f: &&Field| names().any(|n| n == f.key);
        let (field, strays): (&Field, Vec<&Field>) = match fields.iter().find(known) {
            Some(kind) => (
                kind,
                fields
                    .iter()
                    .filter(|f| f.key_span != kind.key_span)
                    .collect(),
            ),
            None => match fields.as_slice() {
                [] => {
                    self.problems.push(
                        Problem::error("no-kind", node.span, format!("an empty {what}"))
                            .label("one key names the kind")
                            .note(format!("kinds of {what}: {}", list_some("", names()))),
                    );
                    return Value::Hole;
                }
                [first, rest @ ..] => (first, rest.iter().collect()),
            },
        };
        let Some((kind, inner)) = kinds.iter().find(|(name, _)| *name == field.key) else {
            return self.unknown_kind(fields, what, &kinds);
        };
        for stray in strays {
            let stray = self.stray_key(stray, field, what, inner, names().any(|n| n == stray.key));
            self.problems.push(stray);
        }
        let place = Place {
            name: kind,
            owner: field.key_span,
        };
        Value::Object(vec![Field {
            node: self.check(&field.node, inner, place),
            ..field.clone()
        }])
    }

    /// The kinds of a list of kinds, with the schema of each.
    fn kinds<'s>(&self, schema: &'s Json) -> Vec<(&'s str, &'s Json)>
    where
        'a: 's,
    {
        let branches = list_of(schema, "anyOf").or(list_of(schema, "oneOf"));
        branches
            .into_iter()
            .flatten()
            .filter_map(|b| b.get("properties")?.as_object()?.iter().next())
            .map(|(name, schema)| (name.as_str(), schema))
            .collect()
    }

    fn unknown_kind(&mut self, fields: &[Field], what: &str, kinds: &[(&str, &Json)]) -> Value {
        let names = || kinds.iter().map(|(name, _)| *name);
        let all = format!("kinds of {what}: {}", list_some(&fields[0].key, names()));
        // In other languages a field called `type` or `kind` names the kind.
        let tag = fields
            .iter()
            .find(|f| matches!(f.key.as_str(), "type" | "kind" | "shape" | "mark" | "tag"));
        if let Some(Field {
            node: Node {
                value: Value::Text(kind),
                ..
            },
            key,
            key_span,
        }) = tag
        {
            let meant = names()
                .find(|n| n == kind)
                .or_else(|| nearest(kind, names()))
                .unwrap_or(kind);
            self.problems.push(
                Problem::error(
                    "unknown-kind",
                    *key_span,
                    format!("no field `{key}` names the kind of {what}"),
                )
                .label(format!("write {{ \"{meant}\": {{ … }} }}"))
                .note(all),
            );
            return Value::Hole;
        }
        let field = &fields[0];
        let foreign = foreign::kind(&field.key, names());
        let suggestion = foreign.or_else(|| nearest(&field.key, names()));
        let mut problem = Problem::error(
            "unknown-kind",
            field.key_span,
            format!("unknown kind of {what} `{}`", field.key),
        );
        if let Some(near) = suggestion {
            problem = problem.label(format!("did you mean `{near}`?"));
        }
        self.problems.push(problem.note(all));
        let mended = suggestion.and_then(|near| kinds.iter().find(|(name, _)| *name == near));
        let Some((name, inner)) = mended.filter(|_| foreign.is_none()) else {
            // What another language's kind holds is no use here.
            return Value::Hole;
        };
        let place = Place {
            name,
            owner: field.key_span,
        };
        Value::Object(vec![Field {
            node: self.check(&field.node, inner, place),
            key: (*name).to_owned(),
            key_span: field.key_span,
        }])
    }

    fn stray_key(
        &self,
        stray: &Field,
        kind: &Field,
        what: &str,
        inner: &Json,
        is_kind: bool,
    ) -> Problem {
        if is_kind {
            return Problem::error(
                "two-kinds",
                stray.key_span,
                format!(
                    "two kinds of {what} in one object: `{}` and `{}`",
                    kind.key, stray.key
                ),
            )
            .label("put it in an object of its own")
            .related(kind.key_span, "the first kind");
        }
        let belongs = self
            .resolve(inner)
            .get("properties")
            .is_some_and(|fields| fields.get(&stray.key).is_some());
        let problem = Problem::error(
            "two-kinds",
            stray.key_span,
            format!("`{}` stands beside `{}`, not in it", stray.key, kind.key),
        );
        if belongs {
            problem.label(format!("move it into `{}`", kind.key))
        } else {
            problem.label("one key names the kind, and there is no other")
        }
    }
}

/// A value outside what its slot allows.
pub fn out_of_range(name: &str, v: f64, range: &formula::Range, span: Span) -> Problem {
    Problem::error(
        "out-of-range",
        span,
        format!(
            "`{name}` is {}, but must be {}",
            short_outside(v, |v| range.contains(v)),
            range.describe()
        ),
    )
}

/// A part of a field, written as a field.
fn foreign_part(field: &Field, part: &foreign::PartOf, place: Place) -> Problem {
    Problem::error(
        "unknown-field",
        field.key_span,
        format!("unknown field `{}` in `{}`", field.key, place.name),
    )
    .label(format!("write `{}`", part.form))
}

/// The field that was meant, so that it is not reported as missing too.
fn part_filled(written: &Field, part: &foreign::PartOf) -> Field {
    filled(part.field, written)
}

/// A field of this name in the place of another, of which nothing more is known.
fn filled(name: &str, written: &Field) -> Field {
    Field {
        key: name.to_owned(),
        key_span: written.key_span,
        node: Node {
            span: written.node.span,
            value: Value::Hole,
        },
    }
}

/// Adds what the fields mean.
fn explain(problem: Problem, keys: &[&str], properties: &Map<String, Json>) -> Problem {
    keys.iter().fold(problem, |problem, key| {
        let words = properties.get(*key).and_then(|p| text_of(p, "description"));
        match words {
            Some(words) => problem.note(format!("`{key}`: {}", words.replace('\n', " "))),
            None => problem,
        }
    })
}

fn missing(place: Place, what: &str) -> Problem {
    let verb = if place.name.contains(' ') {
        format!("{} needs {what}", place.name)
    } else {
        format!("`{}` needs {what}", place.name)
    };
    Problem::error("missing-field", place.owner, verb)
}

fn wanted_length(schema: &Json, expects: &str) -> String {
    if text_of(schema, "x-expects").is_some() {
        return expects.to_owned();
    }
    let bound = |key| schema.get(key).and_then(Json::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(a), Some(b)) if a == b => format!("{a} values"),
        (Some(a), Some(b)) => format!("{a} to {b} values"),
        (Some(a), None) => format!("at least {a} {}", if a == 1 { "value" } else { "values" }),
        (None, Some(b)) => format!("at most {b} values"),
        (None, None) => "values".into(),
    }
}

/// Groups of fields of which one must be given.
struct Groups {
    groups: Vec<Group>,
    /// None at all is allowed too.
    optional: bool,
    /// Only one may be given.
    exclusive: bool,
}

struct Group {
    required: Vec<String>,
    more: Vec<String>,
}

impl Group {
    fn fields(&self) -> impl Iterator<Item = &String> {
        self.required.iter().chain(&self.more)
    }

    fn describe(&self) -> String {
        let names: Vec<_> = self.required.iter().map(|n| format!("`{n}`")).collect();
        names.join(" and ")
    }
}

/// Reads the sets of alternatives that [`crate::kinds::one_of`] and its kin write.
fn alternatives(schema: &Json) -> Vec<Groups> {
    let sets = list_of(schema, "allOf").into_iter().flatten();
    sets.filter_map(|set| {
        let exclusive = list_of(set, "oneOf");
        let branches = exclusive.or(list_of(set, "anyOf"))?;
        Some(Groups {
            groups: branches.iter().filter_map(read_group).collect(),
            optional: branches.iter().any(|b| b.get("not").is_some()),
            exclusive: exclusive.is_some(),
        })
    })
    .collect()
}

fn read_group(branch: &Json) -> Option<Group> {
    let required: Vec<String> = list_of(branch, "required")?
        .iter()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    let properties = branch.get("properties").and_then(Json::as_object);
    let more = properties
        .into_iter()
        .flat_map(Map::keys)
        .filter(|name| !required.contains(name))
        .cloned()
        .collect();
    Some(Group { required, more })
}

fn text_of<'j>(schema: &'j Json, key: &str) -> Option<&'j str> {
    schema.get(key).and_then(Json::as_str)
}

fn list_of<'j>(schema: &'j Json, key: &str) -> Option<&'j Vec<Json>> {
    schema.get(key).and_then(Json::as_array)
}

/// The words of a closed choice.
fn words(schema: &Json) -> Option<Vec<&str>> {
    if let Some(words) = list_of(schema, "enum") {
        return Some(words.iter().filter_map(Json::as_str).collect());
    }
    let branches = list_of(schema, "oneOf")?;
    let words: Vec<_> = branches
        .iter()
        .filter_map(|b| text_of(b, "const"))
        .collect();
    (!words.is_empty() && words.len() == branches.len()).then_some(words)
}

/// The nearest word that can be a name, for one that cannot.
fn plain_name(name: &str) -> Option<String> {
    if is_plain_name(name) {
        return None;
    }
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    plain
        .starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(plain)
}

/// Whether a word can be a name: letters a–z, digits and `_`, no digit first.
pub fn is_plain_name(word: &str) -> bool {
    let fits = |(i, c): (usize, char)| {
        c == '_' || c.is_ascii_alphabetic() || (i > 0 && c.is_ascii_digit())
    };
    !word.is_empty() && word.chars().enumerate().all(fits)
}

/// Whether a string is exactly `{name}`.
pub fn is_reference(text: &str) -> bool {
    text.len() > 2 && text.starts_with('{') && text.ends_with('}')
}
