//! `hazumi list`: what the language has, one line each.

use super::schema::print;
use super::targets::PICTURES;
use super::{Outcome, Voice};
use crate::encode::FORMATS;
use crate::maths::ease::Ease;
use crate::reference;
use clap::Args;
use std::fmt::Write;

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print the whole reference of the language, as Markdown.
    #[arg(long)]
    reference: bool,
}

pub fn run(args: &ListArgs, voice: &Voice) -> Outcome {
    let text = match args.reference {
        true => reference::markdown(),
        false => list(),
    };
    print(&text, voice)
}

fn list() -> String {
    let mut text = String::new();
    for (title, kinds) in reference::kinds() {
        let _ = writeln!(text, "{title}");
        for kind in kinds {
            let _ = writeln!(text, "  {:<12} {}", kind.name, kind.summary());
        }
        text.push('\n');
    }
    text.push_str("Eases\n");
    let mut line = String::from(" ");
    for name in Ease::NAMES {
        if line.len() + name.len() > 90 {
            let _ = writeln!(text, "{line}");
            line = String::from(" ");
        }
        line.push(' ');
        line.push_str(name);
    }
    let _ = writeln!(text, "{line}\n\nFormats");
    for format in FORMATS {
        let _ = writeln!(text, "  {:<12} {}", format.name, format.about);
    }
    for (name, _, about) in PICTURES {
        let _ = writeln!(text, "  {name:<12} {about}");
    }
    text
}
