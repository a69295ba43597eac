//! `hazumi completions` and `hazumi man`: made from the arguments themselves.

use super::schema::print;
use super::{Cli, Outcome, Voice};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub fn completions(args: &CompletionsArgs, voice: &Voice) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hazumi", &mut bytes);
    print(&String::from_utf8_lossy(&bytes), voice)
}

pub fn man(voice: &Voice) -> Outcome {
    let mut bytes = Vec::new();
    match clap_mangen::Man::new(Cli::command()).render(&mut bytes) {
        Ok(()) => print(&String::from_utf8_lossy(&bytes), voice),
        Err(error) => {
            voice.error(&error.to_string());
            Outcome::Failed
        }
    }
}
