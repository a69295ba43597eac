//! What every verb does with a spec first: read it, resolve it, say what is wrong.

use super::Voice;
use super::inputs::Input;
use crate::load::{Choices, Loaded, Problems, load};
use crate::spec::read::ReadError;
use clap::Args;

/// Choices that every verb offers.
#[derive(Clone, Debug, Args)]
pub struct ChoiceArgs {
    /// Gives one of the spec's `params` another value.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Mixed into every random number of the spec.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write `--set name=value`".into()),
    }
}

impl ChoiceArgs {
    /// As the library takes them.
    pub fn choices(&self, only: &[String]) -> Choices {
        Choices {
            set: self.set.clone(),
            seed: self.seed,
            only: only.to_vec(),
        }
    }
}

/// Reads and resolves a spec; says every problem. Nothing if there is an error.
pub fn open(input: &Input, choices: &Choices, voice: &Voice) -> Option<Loaded> {
    let source = match input.read() {
        Ok(source) => source,
        Err(ReadError::Content(unreadable)) => {
            voice.problems(&Problems {
                sources: vec![unreadable.source],
                list: vec![unreadable.problem],
            });
            return None;
        }
        Err(error) => {
            voice.error(&error.to_string());
            return None;
        }
    };
    match load(source, input.folder(), choices) {
        Ok(loaded) => {
            if !loaded.problems.list.is_empty() {
                voice.problems(&loaded.problems);
            }
            Some(loaded)
        }
        Err(problems) => {
            voice.problems(&problems);
            None
        }
    }
}
