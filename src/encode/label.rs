//! What a file says about itself beside its pixels: title, description, program and the spec it was made from.
//!
//! In a GIF, a comment with the words and an application extension `HAZUMI  1.0` with the source; in a PNG,
//! chunks `iTXt` (title, description, software, and `hazumi` with the source). The source is compressed by
//! zlib; nobody needs it to see the picture.

use super::apng::Chunk;
/// Largest source that is read back, in bytes.
const SOURCE_LIMIT: usize = 64 << 20;
/// Deflate level, of 10; a source is small.
const LEVEL: u8 = 9;
/// Codes of GIF's extensions.
const COMMENT: u8 = 0xfe;
const APPLICATION: u8 = 0xff;
/// Name and code of whose application extension it is.
const PROGRAM: &[u8; 11] = b"HAZUMI  1.0";
/// Keyword of the source's chunk.
const KEYWORD: &str = "hazumi";

/// Words for a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub title: Option<String>,
    /// Description of the picture for those who do not see it.
    pub alt: Option<String>,
    /// Name and version of the program.
    pub program: String,
    /// The spec with all that is needed to make the file again, as text; or nothing.
    pub source: Option<String>,
    /// Tells specs apart, whether or not the source is there.
    pub hash: u64,
}

impl Label {
    fn software(&self) -> String {
        format!("{}, spec {:016x}", self.program, self.hash)
    }

    fn compressed(source: &str) -> Vec<u8> {
        miniz_oxide::deflate::compress_to_vec_zlib(source.as_bytes(), LEVEL)
    }

    /// Its chunks, for before the pixels.
    pub fn chunks(&self) -> Vec<Chunk> {
        let words = [
            ("Title", self.title.clone()),
            ("Description", self.alt.clone()),
            ("Software", Some(self.software())),
        ];
        let words = words
            .into_iter()
            .filter_map(|(keyword, text)| Some((keyword, 0, text?.into_bytes())));
        let source = self.source.as_deref().map(Self::compressed);
        let source = source.map(|bytes| (KEYWORD, 1, bytes));
        words
            .chain(source)
            .filter_map(|(keyword, packed, text)| {
                // No language and no translated keyword.
                let data = [keyword.as_bytes(), &[0, packed, 0, 0, 0], &text].concat();
                Chunk::ancillary(*b"iTXt", data).ok()
            })
            .collect()
    }

    /// Its extensions of GIF, for before the first frame: the code of each and what its blocks hold.
    pub fn extensions(&self) -> Vec<(u8, Vec<Vec<u8>>)> {
        let words = [self.title.clone(), self.alt.clone(), Some(self.software())];
        let words: Vec<String> = words.into_iter().flatten().collect();
        let comment = (COMMENT, vec![words.join("\n").into_bytes()]);
        let source = self.source.as_deref().map(Self::compressed);
        let source = source.map(|bytes| (APPLICATION, vec![PROGRAM.to_vec(), bytes]));
        [comment].into_iter().chain(source).collect()
    }
}

/// The source in a file, if it has one.
///
/// # Errors
/// A sentence without a full stop about a file that is neither GIF nor PNG, is cut off, or has no source.
pub fn source_of(file: &[u8]) -> Result<String, String> {
    let gif = file
        .strip_prefix(b"GIF87a")
        .or(file.strip_prefix(b"GIF89a"));
    let compressed = if let Some(rest) = gif {
        in_gif(rest)
    } else if let Some(rest) = file.strip_prefix(b"\x89PNG\r\n\x1a\n") {
        in_png(rest)
    } else {
        return Err("it is neither a GIF nor a PNG".into());
    };
    let none = "it carries no spec: it was made by another program, or with `--no-source`";
    inflate(&compressed?.ok_or(none)?)
}

fn inflate(bytes: &[u8]) -> Result<String, String> {
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(bytes, SOURCE_LIMIT).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or("the spec inside is damaged".into())
}

/// The compressed source of a PNG, whose signature has been read.
fn in_png(rest: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let prefix = [KEYWORD.as_bytes(), &[0, 1, 0, 0, 0]].concat();
    let mut rest = Bytes(rest);
    loop {
        let length = u32::from_be_bytes(rest.array()?);
        let name: [u8; 4] = rest.array()?;
        let data = rest.take(length as usize)?;
        rest.take(4)?;
        match &name {
            b"iTXt" if data.starts_with(&prefix) => return Ok(Some(data[prefix.len()..].to_vec())),
            b"IEND" => return Ok(None),
            _ => {}
        }
    }
}

/// The compressed source of a GIF, whose signature has been read. (Graphics Interchange Format, version 89a.)
fn in_gif(rest: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let mut rest = Bytes(rest);
    let screen: [u8; 7] = rest.array()?;
    rest.take(table_size(screen[4]))?;
    loop {
        match rest.array::<1>()? {
            [0x21] => {
                let [label] = rest.array::<1>()?;
                let blocks = rest.blocks()?;
                if label == APPLICATION && blocks.starts_with(PROGRAM) {
                    return Ok(Some(blocks[PROGRAM.len()..].to_vec()));
                }
            }
            [0x2c] => {
                let image: [u8; 9] = rest.array()?;
                rest.take(table_size(image[8]) + 1)?;
                rest.blocks()?;
            }
            _ => return Ok(None),
        }
    }
}

/// How many bytes of colours follow a descriptor with such flags.
fn table_size(flags: u8) -> usize {
    match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    }
}

/// What is left to be read of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let cut = "it is cut off";
        let (taken, rest) = self.0.split_at_checked(count).ok_or(cut)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// What a row of GIF's blocks holds.
    fn blocks(&mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        loop {
            let [length] = self.array::<1>()?;
            match length {
                0 => return Ok(bytes),
                length => bytes.extend_from_slice(self.take(length.into())?),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::{bytes, fill, movie};
    use crate::encode::{FORMATS, Movie};
    use crate::raster::Canvas;

    fn label() -> Label {
        Label {
            title: Some("Swing".into()),
            alt: Some("A ball.".into()),
            program: "hazumi 1.2".into(),
            source: Some("{ \"spec\": \"é\" }".repeat(90)),
            hash: 7,
        }
    }

    /// A labelled file of the format with that name.
    fn file(format: &str, label: &Label) -> Vec<u8> {
        let draw = |frame: usize, pixels: &mut Canvas| fill(pixels, [frame as u8, 0, 0, 255]);
        let movie = Movie {
            label: Some(label),
            ..movie((9, 7), 3, true, &draw)
        };
        bytes(crate::encode::format(format).unwrap(), &movie).unwrap()
    }

    #[test]
    fn the_source_comes_back_from_every_format_that_keeps_it() {
        for format in FORMATS.iter().filter(|f| ["gif", "apng"].contains(&f.name)) {
            let name = format.name;
            let found = source_of(&file(name, &label()));
            assert_eq!(
                found.as_ref(),
                Ok(label().source.as_ref().unwrap()),
                "{name}"
            );
            let bare = Label {
                source: None,
                ..label()
            };
            let bare = file(name, &bare);
            assert!(
                source_of(&bare).unwrap_err().contains("--no-source"),
                "{name}"
            );
            let text = String::from_utf8_lossy(&bare).into_owned();
            for word in ["Swing", "A ball.", "hazumi 1.2, spec "] {
                assert!(text.contains(word), "{name}: {word}");
            }
        }
    }

    #[test]
    fn a_damaged_file_is_told_from_a_foreign_one() {
        assert!(source_of(b"RIFF").unwrap_err().contains("neither"));
        for name in ["gif", "apng"] {
            let whole = file(name, &label());
            for end in 0..whole.len() {
                if let Ok(found) = source_of(&whole[..end]) {
                    assert_eq!(Some(found), label().source);
                }
            }
            let at = whole
                .windows(7)
                .position(|w| w == b"HAZUMI " || w == b"hazumi\0")
                .unwrap();
            let mut spoilt = whole.clone();
            spoilt[at + 40] ^= 0x55;
            assert!(source_of(&spoilt).is_err(), "{name}");
        }
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![32; SOURCE_LIMIT + 1], 1);
        assert_eq!(inflate(&bomb).unwrap_err(), "the spec inside is damaged");
    }
}
