//! `hazumi schema`

use super::{Outcome, Voice};
use crate::spec::schema::published;
use std::io::{self, Write};

pub fn run(voice: &Voice) -> Outcome {
    let text = format!("{:#}\n", published());
    print(&text, voice)
}

/// Writes to standard output. A reader that has had enough is no failure.
pub fn print(text: &str, voice: &Voice) -> Outcome {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Outcome::Well,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Well,
        Err(error) => {
            voice.error(&format!("cannot write to standard output: {error}"));
            Outcome::Failed
        }
    }
}
