//! A golden without pictures: a text with a line per frame, digests of its numbers and of its pixels.
//!
//! ```text
//! hazumi lock 1
//! version 0.1.0
//! spec 9c1f0e2a7b3d4c5e
//! names 4f2e38316c726ac5
//! size 480 270
//! plays 0
//! delay 1/50 120
//! column leg_n[1].x 1a2b3c4d
//! mark 11223344 55667788 99aabbcc ribbon leg_n
//! frames 120
//! 0123456789abcdef fedcba9876543210
//! ```

use super::container::Container;
use super::record::{Aspects, Mark, Named, Record};
use crate::encode::apng::delays::Delay;
use std::fmt::Write;

const HEAD: &str = "hazumi lock 1";
/// Most lines of names.
const MOST_NAMES: usize = 256;
const MOST_FRAMES: usize = 1_000_000;

/// What stands in a lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    pub container: Container,
    /// Without the numbers of the columns.
    pub record: Record,
    /// A digest of the pixels of every frame.
    pub pixels: Vec<u64>,
}

impl Lock {
    /// A lock of what is known of an animation.
    pub fn of(container: &Container, record: Record, pixels: Vec<u64>) -> Self {
        let columns = record.columns.into_iter().map(|column| Named {
            name: column.name,
            digest: column.digest,
        });
        Self {
            container: container.clone(),
            record: Record {
                others: columns.chain(record.others).take(MOST_NAMES).collect(),
                columns: Vec::new(),
                ..record
            },
            pixels,
        }
    }

    /// As a text.
    pub fn write(&self) -> String {
        let mut text = format!("{HEAD}\nversion {}\n", self.record.version);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "spec {:016x}", self.record.spec);
        let _ = writeln!(text, "names {:016x}", self.record.names);
        let (width, height) = self.container.size;
        let _ = writeln!(text, "size {width} {height}");
        let _ = writeln!(text, "plays {}", self.container.plays.unwrap_or(0));
        for run in self.container.delays.chunk_by(|a, b| a == b) {
            let (above, below) = run[0];
            let _ = writeln!(text, "delay {above}/{below} {}", run.len());
        }
        for other in &self.record.others {
            let _ = writeln!(text, "column {} {:08x}", other.name, other.digest);
        }
        for Mark { label, aspects } in &self.record.marks {
            let [outline, colour, stroke] = [aspects.outline, aspects.colour, aspects.stroke];
            let _ = writeln!(text, "mark {outline:08x} {colour:08x} {stroke:08x} {label}");
        }
        let _ = writeln!(text, "frames {}", self.pixels.len());
        for (state, pixels) in self.record.state.iter().zip(&self.pixels) {
            let _ = writeln!(text, "{state:016x} {pixels:016x}");
        }
        text
    }

    /// Reads a lock.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is no text")?;
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            Some((HEAD, _)) => {}
            _ => return Err(format!("its first line is not `{HEAD}`")),
        }
        let mut lock = Self::default();
        let mut frames = None;
        for (line, number) in lines {
            let wrong = || format!("line {number} makes no sense");
            match (frames, line.split_once(' ')) {
                (Some(_), Some((state, pixels))) => {
                    lock.record.state.push(word(state).ok_or_else(wrong)?);
                    lock.pixels.push(word(pixels).ok_or_else(wrong)?);
                }
                (None, Some(("frames", count))) => {
                    frames = Some(count.parse::<usize>().map_err(|_| wrong())?);
                }
                (None, Some((key, value))) => lock.take(key, value).ok_or_else(wrong)?,
                (_, None) => return Err(wrong()),
            }
        }
        match frames {
            Some(count) if count == lock.pixels.len() && count > 0 => Ok(lock),
            Some(count) => Err(format!(
                "it is cut short: {} of {count} frames",
                lock.pixels.len()
            )),
            None => Err("it is cut short: it has no frames".into()),
        }
    }

    fn take(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "version" => value.clone_into(&mut self.record.version),
            "spec" => self.record.spec = word(value)?,
            "names" => self.record.names = word(value)?,
            "size" => {
                let (width, height) = value.split_once(' ')?;
                self.container.size = (width.parse().ok()?, height.parse().ok()?);
            }
            "plays" => self.container.plays = Some(value.parse().ok()?),
            "delay" => {
                let (delay, count) = value.split_once(' ')?;
                let (above, below) = delay.split_once('/')?;
                let delay: Delay = (above.parse().ok()?, below.parse().ok()?);
                let known = self.container.delays.len();
                let length = known.checked_add(count.parse().ok()?)?;
                (length <= MOST_FRAMES).then_some(())?;
                self.container.delays.resize(length, delay);
            }
            "column" => {
                let (name, digest) = value.rsplit_once(' ')?;
                let name = name.to_owned();
                let digest = half(digest)?;
                self.record.others.push(Named { name, digest });
            }
            "mark" => {
                let mut words = value.splitn(4, ' ');
                let mut next = || half(words.next()?);
                let aspects = Aspects {
                    outline: next()?,
                    colour: next()?,
                    stroke: next()?,
                };
                let label = words.next()?.to_owned();
                self.record.marks.push(Mark { label, aspects });
            }
            _ => return None,
        }
        Some(())
    }
}

fn word(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok())?
}

fn half(text: &str) -> Option<u32> {
    (text.len() == 8).then(|| u32::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        Lock {
            container: Container {
                size: (480, 270),
                delays: vec![(1, 50), (1, 50), (3, 50)],
                plays: Some(0),
            },
            record: Record {
                version: "0.1.0".into(),
                spec: 7,
                names: 9,
                state: vec![1, 2, u64::MAX],
                others: vec![Named {
                    name: "leg_n[1].x".into(),
                    digest: 0xab,
                }],
                marks: vec![Mark {
                    label: "line [a, b]".into(),
                    aspects: Aspects {
                        outline: 1,
                        colour: 2,
                        stroke: u32::MAX,
                    },
                }],
                ..Record::default()
            },
            pixels: vec![4, 5, 6],
        }
    }

    #[test]
    fn a_lock_comes_back() {
        let text = lock().write();
        assert_eq!(Lock::parse(text.as_bytes()), Ok(lock()));
        let longest = text.lines().rev().take(3).map(str::len).max();
        assert_eq!(longest, Some(33));
    }

    #[test]
    fn a_lock_cut_short_or_damaged_says_so() {
        let text = lock().write();
        let lines: Vec<&str> = text.lines().collect();
        for end in 0..lines.len() {
            let short = lines[..end].join("\n");
            assert!(Lock::parse(short.as_bytes()).is_err(), "{short}");
        }
        for (good, bad, line) in [
            ("size 480 270", "size 480", "line 5"),
            ("delay 1/50 2", "delay 1/50 99999999999", "line 7"),
            ("delay 3/50 1", "delay 3/50 18446744073709551615", "line 8"),
            ("0000000000000001", "000000000000001", "line 12"),
            ("plays 0", "play 0", "line 6"),
        ] {
            let broken = text.replace(good, bad);
            let said = Lock::parse(broken.as_bytes()).unwrap_err();
            assert!(said.contains(line), "{said}");
        }
        assert!(Lock::parse(&[0xff, 0xfe]).is_err());
    }
}
