//! `hazumi schema`

use super::{Outcome, Voice};
use crate::spec::read::words_of;
use crate::spec::schema::published;
use std::io::{self, Write};

pub fn run(voice: &Voice) -> Outcome {
    let text = format!("{:#}\n", published());
    print(&text, voice)
}

/// Writes to standard output. A reader that has had enough is no failure.
pub fn print(text: &str, voice: &Voice) -> Outcome {
    let mut out = io::stdout().lock();
    // Nobody would hear of what fails when the program ends.
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Outcome::Well,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Well,
        Err(error) => {
            voice.error(&format!(
                "cannot write to standard output: {}",
                words_of(&error)
            ));
            Outcome::Failed
        }
    }
}
