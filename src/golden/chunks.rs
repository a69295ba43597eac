//! A PNG file as its chunks: whether it is whole, how it is played, and what we left in it.

use super::container::Container;
use crate::encode::apng::chunk::check_sum;

/// Our chunk: not needed to show the picture, private, and of no use once the pixels are changed: whoever
/// edits them and does not know it must drop it.
pub const NAME: [u8; 4] = *b"hzGL";

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Length and name before the data, check sum after it.
const AROUND: usize = 12;
/// Most frames.
const MOST_FRAMES: usize = 1_000_000;

/// What the chunks of a PNG say.
#[derive(Clone, Debug, Default)]
pub struct Facts<'b> {
    pub container: Container,
    /// What stands in our chunk.
    pub record: Option<&'b [u8]>,
    /// It is animated.
    pub animated: bool,
}

/// Reads the chunks of a PNG.
///
/// # Errors
/// Words for what is wrong: it is cut short, or a check sum does not match.
pub fn read(bytes: &[u8]) -> Result<Facts<'_>, String> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or("it is no PNG")?;
    let mut facts = Facts::default();
    loop {
        let Some((length, name)) = head(rest) else {
            return Err("it is cut short: the end is missing".into());
        };
        let whole = length
            .checked_add(AROUND)
            .filter(|whole| *whole <= rest.len());
        let Some(whole) = whole else {
            return Err(format!(
                "it is cut short: it ends within `{}`",
                name.escape_ascii()
            ));
        };
        let (chunk, after) = rest.split_at(whole);
        let (named_data, sum) = chunk[4..].split_at(4 + length);
        if sum != check_sum(named_data).to_be_bytes() {
            let name = name.escape_ascii();
            return Err(format!(
                "it is damaged: the check sum of `{name}` does not match"
            ));
        }
        facts.take(name, &named_data[4..])?;
        if name == *b"IEND" {
            return Ok(facts);
        }
        rest = after;
    }
}

fn head(rest: &[u8]) -> Option<(usize, [u8; 4])> {
    let length = u32::from_be_bytes(rest.get(..4)?.try_into().ok()?);
    Some((length as usize, rest.get(4..8)?.try_into().ok()?))
}

fn word(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

fn half(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

impl<'b> Facts<'b> {
    fn take(&mut self, name: [u8; 4], data: &'b [u8]) -> Result<(), String> {
        let short = || format!("it is damaged: `{}` is too short", name.escape_ascii());
        match &name {
            b"IHDR" => {
                let side = |at| word(data, at).ok_or_else(short);
                self.container.size = (side(0)?, side(4)?);
            }
            b"acTL" => {
                self.animated = true;
                self.container.plays = Some(word(data, 4).ok_or_else(short)?);
            }
            b"fcTL" => {
                let delay = half(data, 20).zip(half(data, 22)).ok_or_else(short)?;
                if self.container.delays.len() >= MOST_FRAMES {
                    return Err(format!("it has more than {MOST_FRAMES} frames"));
                }
                self.container.delays.push(delay);
            }
            name if *name == NAME => self.record = Some(data),
            _ => {}
        }
        Ok(())
    }
}
