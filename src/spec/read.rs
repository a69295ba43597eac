//! Reading a text from outside: bounded, and clear about what is not text.

use super::problem::Problem;
use super::source::{Source, Span};
use super::suggest::ticked;
use crate::limits::Limit;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::{error, fmt};

/// The size of a spec unless the caller allows more.
pub const USUAL_LIMIT: u64 = 16 << 20;

/// The path that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// Why a text could not be had.
#[derive(Debug)]
pub enum ReadError {
    /// The file could not be opened or read.
    File { name: String, reason: io::Error },
    /// It was read, but it is not a text that could be a spec.
    Content(Box<Unreadable>),
}

/// A file that is no text: the problem, and as much of a source as can be shown with it.
#[derive(Debug)]
pub struct Unreadable {
    pub source: Source,
    pub problem: Problem,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, reason } => {
                write!(f, "cannot read {}: {}", ticked(name), words_of(reason))
            }
            Self::Content(unreadable) => f.write_str(&unreadable.problem.message),
        }
    }
}

impl error::Error for ReadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::File { reason, .. } => Some(reason),
            Self::Content(_) => None,
        }
    }
}

/// Reads the text at a path (`-` is standard input), which is to become source number `file`.
///
/// Fails if the path cannot be read, is a folder, or holds more than `limit` bytes or no UTF-8.
pub fn read_text(path: &Path, file: u16, limit: u64) -> Result<Source, ReadError> {
    if path == Path::new(STANDARD_INPUT) {
        return read_from("<stdin>", file, io::stdin().lock(), limit);
    }
    let name = path.display().to_string();
    match open(path) {
        Ok((_, length)) if length > limit => Err(too_large(&name, file, limit)),
        Ok((opened, _)) => read_from(&name, file, opened, limit),
        Err(reason) => Err(ReadError::File { name, reason }),
    }
}

/// Reads the bytes at a path.
///
/// Fails if the path cannot be read, is a folder, or holds more than `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (opened, length) = open(path)?;
    if length <= limit {
        opened
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > limit {
        let message = format!("larger than the limit of {}", size_in_words(limit));
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

/// Why a file could not be read; the number at the end says nothing that the words before it do not.
pub fn words_of(reason: &io::Error) -> String {
    let reason = reason.to_string();
    let words = reason.split(" (os error").next().unwrap_or_default();
    words.to_owned()
}

/// A file and its length, which is 0 where none is known.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let opened = File::open(path)?;
    let found = opened.metadata()?;
    match found.is_dir() {
        true => Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder",
        )),
        false => Ok((opened, found.len())),
    }
}

/// Reads a text from anywhere, never more than `limit` bytes and one.
pub fn read_from(
    name: &str,
    file: u16,
    reader: impl Read,
    limit: u64,
) -> Result<Source, ReadError> {
    let mut bytes = Vec::new();
    let most = limit.saturating_add(1);
    reader
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|reason| ReadError::File {
            name: name.into(),
            reason,
        })?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, file, limit));
    }
    from_bytes(name, file, bytes)
}

fn too_large(name: &str, file: u16, limit: u64) -> ReadError {
    let message = format!("larger than the limit of {}", size_in_words(limit));
    let mut error = unreadable(name, file, "size-limit", message);
    if let ReadError::Content(unreadable) = &mut error {
        unreadable.problem.notes.push(Limit::File.flag());
    }
    error
}

/// Takes bytes for a text. A byte order mark is kept, so that every offset is that of the file.
///
/// Fails if they are not UTF-8 or hold a NUL, and says what they are instead where that is clear.
pub fn from_bytes(name: &str, file: u16, bytes: Vec<u8>) -> Result<Source, ReadError> {
    if let Some(encoding) = wide_encoding(&bytes) {
        let message = format!("the text is {encoding}, and a spec is UTF-8");
        return Err(unreadable(name, file, "encoding", message));
    }
    if bytes.contains(&0) {
        let message = "this is a binary file, not a text: it holds NUL bytes";
        return Err(unreadable(name, file, "encoding", message.into()));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source {
            name: name.into(),
            text,
        }),
        Err(error) => Err(bad_byte(name, file, error)),
    }
}

/// The name of the encoding if the bytes begin as a text of wide characters does.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        // Text begins with a bracket, a space or a comment, all of them ASCII.
        [1..=0x7f, 0, 1..=0x7f, 0, ..] | [0, 1..=0x7f, 0, 1..=0x7f, ..] => Some("UTF-16"),
        _ => None,
    }
}

/// A problem of the file as a whole.
fn unreadable(name: &str, file: u16, code: &'static str, message: String) -> ReadError {
    let span = Span {
        file,
        start: 0,
        end: 0,
    };
    ReadError::Content(Box::new(Unreadable {
        source: Source {
            name: name.into(),
            text: String::new(),
        },
        problem: Problem::error(code, span, message),
    }))
}

/// A problem at the first byte that is not UTF-8, with the text before it and the rest of its line.
fn bad_byte(name: &str, file: u16, error: std::string::FromUtf8Error) -> ReadError {
    let start = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let line = bytes[start..].split(|&byte| byte == b'\n').next();
    let text = [
        String::from_utf8_lossy(&bytes[..start]),
        String::from_utf8_lossy(line.unwrap_or_default()),
    ]
    .concat();
    let span = Span {
        file,
        start: start as u32,
        end: (start + char::REPLACEMENT_CHARACTER.len_utf8()) as u32,
    };
    let message = format!("the text is not UTF-8: byte 0x{:02x}", bytes[start]);
    ReadError::Content(Box::new(Unreadable {
        source: Source {
            name: name.into(),
            text,
        },
        problem: Problem::error("encoding", span, message).label("save the file as UTF-8"),
    }))
}

fn size_in_words(bytes: u64) -> String {
    match bytes {
        0 => "0 bytes".into(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::report::line_column;

    fn content(result: Result<Source, ReadError>) -> Unreadable {
        match result {
            Err(ReadError::Content(unreadable)) => *unreadable,
            other => panic!("not a content problem: {other:?}"),
        }
    }

    fn message(bytes: &[u8]) -> String {
        content(from_bytes("x", 0, bytes.into())).problem.message
    }

    #[test]
    fn text_and_byte_order_marks_are_kept() {
        let source = from_bytes("x", 0, b"\xef\xbb\xbf{}".to_vec()).unwrap();
        assert_eq!(source.text, "\u{feff}{}");
        assert_eq!(from_bytes("x", 0, vec![]).unwrap().text, "");
    }

    #[test]
    fn a_bad_byte_has_a_line_and_a_column() {
        let unreadable = content(from_bytes(
            "x",
            0,
            "{\n\t\"幅\": \"".bytes().chain([0xe9, b'"']).collect(),
        ));
        let place = unreadable.problem.span;
        assert_eq!(
            line_column(&unreadable.source, place.start as usize),
            (2, 8)
        );
        assert_eq!(&unreadable.source.text[place.range()], "\u{fffd}");
        assert_eq!(
            unreadable.problem.message,
            "the text is not UTF-8: byte 0xe9"
        );
        // A character cut in two at the end of the file.
        let cut = content(from_bytes("x", 0, vec![b'{', 0xe5, 0xb9]));
        assert_eq!(&cut.source.text[cut.problem.span.range()], "\u{fffd}");
    }

    #[test]
    fn other_encodings_are_named() {
        assert_eq!(
            message(b"\xff\xfe{\0}\0"),
            "the text is UTF-16, and a spec is UTF-8"
        );
        assert_eq!(
            message(b"{\0}\0"),
            "the text is UTF-16, and a spec is UTF-8"
        );
        assert_eq!(
            message(b"\0{\0}"),
            "the text is UTF-16, and a spec is UTF-8"
        );
        assert_eq!(
            message(b"\xff\xfe\0\0{\0\0\0"),
            "the text is UTF-32, and a spec is UTF-8"
        );
        assert_eq!(
            message(b"\x89PNG\r\n\x1a\n\0\0\0\r"),
            "this is a binary file, not a text: it holds NUL bytes"
        );
    }

    #[test]
    fn reading_stops_one_byte_after_the_limit() {
        struct Endless(u64);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b' ');
                self.0 += buffer.len() as u64;
                assert!(self.0 <= 1025, "read too much");
                Ok(buffer.len())
            }
        }
        let problem = content(read_from("x", 0, Endless(0), 1024)).problem;
        assert_eq!(problem.message, "larger than the limit of 1 KiB");
        assert_eq!(read_from("x", 0, &b"{}"[..], 2).unwrap().text, "{}");
    }

    #[test]
    fn a_path_that_cannot_be_read_is_another_kind_of_failure() {
        let folder = tempfile::tempdir().unwrap();
        let missing = read_text(&folder.path().join("no.json"), 0, USUAL_LIMIT).unwrap_err();
        assert!(matches!(missing, ReadError::File { .. }));
        assert!(!missing.to_string().contains("os error"), "{missing}");
        let folder = read_text(folder.path(), 0, USUAL_LIMIT).unwrap_err();
        assert!(folder.to_string().ends_with(": it is a folder"), "{folder}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_refused() {
        let problem = content(read_text(Path::new("/dev/zero"), 0, 1 << 20)).problem;
        assert_eq!(problem.message, "larger than the limit of 1 MiB");
    }
}
