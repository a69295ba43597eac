//! Specs to start from: the examples, the ones with a mistake, and the example of every kind.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Specs as trees, and what was seen in them.
pub struct Seeds {
    pub specs: Vec<Value>,
    /// Every value that a field of that name has; items of a list stand under its name with `[]`.
    pub values: BTreeMap<String, Vec<Value>>,
    /// Every field of the objects that stand under a name.
    pub fields: BTreeMap<String, Vec<(String, Value)>>,
    /// Every text.
    pub texts: Vec<String>,
}

fn project() -> PathBuf {
    let folder = std::env::var_os("HAZUMI_FUZZ_PROJECT").map(PathBuf::from);
    folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
}

impl Seeds {
    /// Reads them from the project's folders.
    pub fn read() -> Self {
        let mut seeds = Self {
            specs: Vec::new(),
            values: BTreeMap::new(),
            fields: BTreeMap::new(),
            texts: Vec::new(),
        };
        let examples = ["specs", "specs/bad"].map(|folder| files_of(&project().join(folder)));
        seeds.specs = examples.into_iter().flatten().chain(kinds()).collect();
        assert!(seeds.specs.len() > 100, "no seeds in {:?}", project());
        for spec in seeds.specs.clone() {
            seeds.note("", &spec);
        }
        seeds
    }

    fn note(&mut self, name: &str, value: &Value) {
        self.values
            .entry(name.into())
            .or_default()
            .push(value.clone());
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let all = self.fields.entry(name.into()).or_default();
                    all.push((key.clone(), value.clone()));
                    self.note(key, value);
                }
            }
            Value::Array(items) => {
                let name = format!("{}[]", name.trim_end_matches("[]"));
                items.iter().for_each(|item| self.note(&name, item));
            }
            Value::String(text) => self.texts.push(text.clone()),
            _ => {}
        }
    }
}

fn files_of(folder: &Path) -> Vec<Value> {
    let entries = std::fs::read_dir(folder).expect("a folder of specs");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let specs = texts.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
    specs.filter(|spec| spec.get("hazumi").is_some()).collect()
}

/// The examples of the reference page.
fn kinds() -> impl Iterator<Item = Value> {
    let page = std::fs::read_to_string(project().join("docs/reference.md")).unwrap_or_default();
    let parts: Vec<String> = page.split("```json\n").skip(1).map(str::to_owned).collect();
    parts.into_iter().filter_map(|part| {
        let members = part.split("```").next()?;
        let rest: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}")).ok()?;
        let mut spec = serde_json::json!({
            "hazumi": 1, "alt": "x", "canvas": { "size": [120, 60], "duration": 1.2 },
        });
        spec.as_object_mut()?.extend(rest);
        Some(spec)
    })
}
