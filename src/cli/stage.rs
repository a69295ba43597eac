//! What every verb does with a spec first: read it, resolve it, say what is wrong.

use super::Voice;
use super::inputs::Input;
use crate::load::{Animation, Choices};
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
