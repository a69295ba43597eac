//! The chunks that a PNG file is made of.

use std::io::{self, Write};

/// A chunk that decoders may skip, to be put before the pixels of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    name: [u8; 4],
    data: Vec<u8>,
}

impl Chunk {
    /// A chunk of four letters, the first of them small: such chunks are not needed to show the picture.
    ///
    /// # Errors
    /// For another name, and for data of 2³¹ bytes or more.
    pub fn ancillary(name: [u8; 4], data: Vec<u8>) -> Result<Self, String> {
        let letters = name.iter().all(u8::is_ascii_alphabetic);
        if !letters || !name[0].is_ascii_lowercase() || !name[2].is_ascii_uppercase() {
            let name = name.escape_ascii();
            return Err(format!(
                "`{name}` cannot name an extra chunk: four letters, the first small, the third capital"
            ));
        }
        match data.len() < 1 << 31 {
            true => Ok(Self { name, data }),
            false => Err("a chunk has less than 2 GiB".into()),
        }
    }

    /// Its four letters.
    pub fn name(&self) -> [u8; 4] {
        self.name
    }

    /// What it holds.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write(out, self.name, &[&self.data])
    }
}

/// Writes a chunk whose data comes in parts.
pub(super) fn write(out: &mut dyn Write, name: [u8; 4], parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).map_err(io::Error::other)?;
    out.write_all(&length.to_be_bytes())?;
    out.write_all(&name)?;
    let mut sum = add(u32::MAX, &name);
    for part in parts {
        out.write_all(part)?;
        sum = add(sum, part);
    }
    out.write_all(&(!sum).to_be_bytes())
}

/// The check sum of a chunk: of its name and its data.
pub(crate) fn check_sum(named_data: &[u8]) -> u32 {
    !add(u32::MAX, named_data)
}

/// Continues a cyclic redundancy check over more bytes. (PNG specification, third edition, annex D.)
fn add(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, byte| {
        TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8)
    })
}

static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = match sum & 1 {
                1 => 0xedb8_8320 ^ (sum >> 1),
                _ => sum >> 1,
            };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_published_one() {
        assert_eq!(!add(u32::MAX, b"123456789"), 0xcbf4_3926);
        let mut out = Vec::new();
        write(&mut out, *b"IEND", &[]).unwrap();
        assert_eq!(out, b"\0\0\0\0IEND\xae\x42\x60\x82");
    }

    #[test]
    fn only_chunks_that_may_be_skipped() {
        assert!(Chunk::ancillary(*b"haZu", vec![1]).is_ok());
        for name in [b"HAZU", b"hazu", b"ha1u"] {
            assert!(Chunk::ancillary(*name, Vec::new()).is_err());
        }
    }
}
