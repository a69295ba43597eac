//! What a golden keeps of an animation besides its pixels: enough to say later which name moved first.

use super::bytes::{In, Out};
use crate::digest::Digest;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Parts of a unit that numbers are rounded to.
pub const STEPS: f64 = 1024.0;
/// Most columns with their numbers.
pub const MOST_COLUMNS: usize = 256;
/// Most columns of which only a digest is kept.
pub const MOST_DIGESTS: usize = 1024;
/// Most marks.
const MOST_MARKS: usize = 4096;
/// Most frames, as in a spec.
const MOST_FRAMES: usize = 100_000;
/// Largest name, in bytes.
pub const LONGEST_NAME: usize = 1000;
/// Largest record, unpacked.
const LARGEST: usize = 64 << 20;
/// Version of this layout.
const LAYOUT: u64 = 1;
const THOROUGH: u8 = 9;

/// An animation as its golden remembers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Of the program.
    pub version: String,
    /// Digest of the spec.
    pub spec: u64,
    /// Digest of the names whose numbers are drawn.
    pub names: u64,
    /// For each frame a digest of every number that is drawn.
    pub state: Vec<u64>,
    /// In order of evaluation.
    pub columns: Vec<Column>,
    /// Further columns, of which there is only a digest.
    pub others: Vec<Named>,
    pub marks: Vec<Mark>,
}

/// A number in every frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Of its exact values.
    pub digest: u32,
    /// Rounded, in 1024ths.
    pub values: Vec<i64>,
}

/// A name with a digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub digest: u32,
}

/// A mark of the top level with digests of what it drew, over all frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pub label: String,
    pub aspects: Aspects,
}

/// What can change about a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aspects {
    pub outline: u32,
    pub colour: u32,
    /// Width, ends, corners and dashes of its strokes.
    pub stroke: u32,
}

/// A number as a record keeps it.
pub fn rounded(v: f64) -> i64 {
    // Casts saturate.
    crate::maths::functions::round(v * STEPS) as i64
}

/// The upper half of a digest.
pub fn half(digest: Digest) -> u32 {
    (digest.finish() >> 32) as u32
}

impl Record {
    /// Packed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.whole(LAYOUT);
        out.text(&self.version);
        out.word(self.spec);
        out.word(self.names);
        out.whole(self.state.len() as u64);
        self.state.iter().for_each(|state| out.word(*state));
        out.whole(self.columns.len() as u64);
        for column in &self.columns {
            out.text(&column.name);
            out.half(column.digest);
        }
        for column in &self.columns {
            let mut last = 0i64;
            for value in &column.values {
                out.signed(value.wrapping_sub(last));
                last = *value;
            }
        }
        out.whole(self.others.len() as u64);
        for other in &self.others {
            out.text(&other.name);
            out.half(other.digest);
        }
        out.whole(self.marks.len() as u64);
        for mark in &self.marks {
            out.text(&mark.label);
            out.half(mark.aspects.outline);
            out.half(mark.aspects.colour);
            out.half(mark.aspects.stroke);
        }
        compress_to_vec_zlib(&out.0, THOROUGH)
    }

    /// Unpacked; `None` for what is no record of this layout.
    pub fn of_bytes(packed: &[u8]) -> Option<Self> {
        let bytes = decompress_to_vec_zlib_with_limit(packed, LARGEST).ok()?;
        let mut from = In(&bytes);
        if from.whole()? != LAYOUT {
            return None;
        }
        let mut record = Self {
            version: from.text(100)?,
            spec: from.word()?,
            names: from.word()?,
            ..Self::default()
        };
        let frames = from.count(MOST_FRAMES)?;
        record.state = (0..frames).map(|_| from.word()).collect::<Option<_>>()?;
        for _ in 0..from.count(MOST_COLUMNS)? {
            record.columns.push(Column {
                name: from.text(LONGEST_NAME)?,
                digest: from.half()?,
                values: Vec::new(),
            });
        }
        for column in &mut record.columns {
            let mut last = 0i64;
            let mut next = || {
                last = last.wrapping_add(from.signed()?);
                Some(last)
            };
            column.values = (0..frames).map(|_| next()).collect::<Option<_>>()?;
        }
        for _ in 0..from.count(MOST_DIGESTS)? {
            record.others.push(Named {
                name: from.text(LONGEST_NAME)?,
                digest: from.half()?,
            });
        }
        for _ in 0..from.count(MOST_MARKS)? {
            record.marks.push(Mark {
                label: from.text(LONGEST_NAME)?,
                aspects: Aspects {
                    outline: from.half()?,
                    colour: from.half()?,
                    stroke: from.half()?,
                },
            });
        }
        from.0.is_empty().then_some(record)
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            version: "0.1.0".into(),
            spec: 77,
            names: 78,
            state: vec![1, u64::MAX, 3],
            columns: vec![Column {
                name: "leg_n[1].x".into(),
                digest: 5,
                values: vec![rounded(212.4023), i64::MIN, i64::MAX],
            }],
            others: vec![Named {
                name: "balls[3].x".into(),
                digest: 9,
            }],
            marks: vec![Mark {
                label: "ribbon leg_n".into(),
                aspects: Aspects {
                    outline: 1,
                    colour: 2,
                    stroke: 3,
                },
            }],
        }
    }

    #[test]
    fn a_record_comes_back() {
        let record = record();
        assert_eq!(Record::of_bytes(&record.to_bytes()), Some(record));
    }

    #[test]
    fn a_record_cut_short_or_damaged_is_none() {
        let bytes = record().to_bytes();
        for end in 0..bytes.len() {
            assert_eq!(Record::of_bytes(&bytes[..end]), None, "{end} bytes");
        }
        // A bomb: more than any record holds.
        let zeros = compress_to_vec_zlib(&vec![0; LARGEST + 1], 9);
        assert_eq!(Record::of_bytes(&zeros), None);
        let many = compress_to_vec_zlib(
            &[
                1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 3,
            ],
            1,
        );
        assert_eq!(Record::of_bytes(&many), None);
    }

    #[test]
    fn numbers_are_kept_to_a_1024th() {
        assert_eq!(rounded(1.0 / 1024.0), 1);
        assert_eq!(rounded(-0.5), -512);
        assert_eq!(rounded(1e300), i64::MAX);
    }
}
