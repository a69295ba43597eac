//! What every verb does with a spec first: read it, resolve it, say what is wrong.

use super::Voice;
use super::inputs::Input;
use super::size::count;
use crate::limits::{Limit, Limits};
use crate::load::{Animation, Choices};
use clap::Args;

/// Choices that every verb offers.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The spec")]
pub struct ChoiceArgs {
    /// Gives one of the spec's `params` another value.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Mixed into every random number of the spec.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Limits that may be raised.
#[derive(Clone, Debug, Default, Args)]
pub struct LimitArgs {
    /// Another limit on what a spec may cost, such as `frames=200000`; `--help` lists them.
    #[arg(long = "limit", value_name = "NAME=N,…", value_delimiter = ',', value_parser = limit, long_help = limits_in_words())]
    pub limit: Vec<(Limit, u64)>,
}

impl LimitArgs {
    /// The usual limits, but for those given.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for (limit, value) in &self.limit {
            // What is too much has been refused as it was read.
            let _ = limits.set(*limit, *value);
        }
        limits
    }
}

fn limit(text: &str) -> Result<(Limit, u64), String> {
    let wrong =
        || "write `--limit NAME=N` with a whole number, such as `frames=200000` or `memory=4G`";
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let (limit, value) = (Limit::named(name)?, count(value).ok_or_else(wrong)?);
    Limits::default().set(limit, value)?;
    Ok((limit, value))
}

fn limits_in_words() -> String {
    let mut text = String::from(
        "Another limit on what a spec may cost, such as `frames=200000` or `memory=4G`:",
    );
    for (name, usual, about) in Limits::listed() {
        text.push_str(&format!("\n- {name}: {about}; {usual} if absent"));
    }
    text
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write `--set name=value`".into()),
    }
}

impl ChoiceArgs {
    /// The same within other limits.
    pub fn within(self, limits: LimitArgs) -> Self {
        Self { limits, ..self }
    }

    /// As the library takes them.
    pub fn choices(&self, only: &[String]) -> Choices {
        Choices {
            set: self.set.clone(),
            seed: self.seed,
            only: only.to_vec(),
            limits: self.limits.limits(),
        }
    }
}

/// Reads and resolves a spec; says every problem. Nothing if there is an error.
pub fn open(input: &Input, choices: &Choices, voice: &Voice) -> Option<Animation> {
    match Animation::open(&input.path, choices) {
        Ok(animation) => {
            if !animation.warnings().list.is_empty() {
                voice.problems(animation.warnings());
            }
            Some(animation)
        }
        Err(error) => {
            voice.failure(&error);
            None
        }
    }
}
