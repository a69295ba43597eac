//! `hazumi schema`

use super::{Outcome, Voice};
use crate::spec::read::words_of;
use crate::spec::schema::published;
use std::io::{self, BufWriter, Write};

pub fn run(voice: &Voice) -> Outcome {
    let text = format!("{:#}\n", published());
    print(&text, voice)
}

/// Writes to standard output. A reader that has had enough is no failure.
pub fn print(text: &str, voice: &Voice) -> Outcome {
    print_with(|out| out.write_all(text.as_bytes()), voice)
}

/// As [`print`], piece by piece.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>, voice: &Voice) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    // Nobody would hear of what fails when the program ends.
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Outcome::Well,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Well,
        Err(error) => {
            let words = words_of(&error);
            voice.error(&format!("cannot write to standard output: {words}"));
            Outcome::Failed
        }
    }
}
