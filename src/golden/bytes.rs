//! Numbers and words as bytes and back; what is read may be anything.

/// Writes.
#[derive(Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// A whole number, seven bits a byte, the lowest first.
    pub fn whole(&mut self, mut v: u64) {
        while v >= 0x80 {
            self.0.push(v as u8 | 0x80);
            v >>= 7;
        }
        self.0.push(v as u8);
    }

    /// A whole number with a sign: 0, −1, 1, −2 … become 0, 1, 2, 3 ….
    pub fn signed(&mut self, v: i64) {
        self.whole((v << 1 ^ v >> 63) as u64);
    }

    /// Eight bytes.
    pub fn word(&mut self, v: u64) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    /// Four bytes.
    pub fn half(&mut self, v: u32) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    /// A length and so many bytes.
    pub fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads; `None` where the bytes end or make no sense.
pub struct In<'b>(pub &'b [u8]);

impl<'b> In<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn whole(&mut self) -> Option<u64> {
        let mut v = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take(1)? else { return None };
            v |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(v);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i64> {
        let v = self.whole()?;
        Some((v >> 1) as i64 ^ -((v & 1) as i64))
    }

    pub fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub fn half(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// A text of at most `most` bytes.
    pub fn text(&mut self, most: usize) -> Option<String> {
        let length = self.count(most)?;
        Some(std::str::from_utf8(self.take(length)?).ok()?.to_owned())
    }

    /// A number of things, at most `most`, each of which takes a byte or more.
    pub fn count(&mut self, most: usize) -> Option<usize> {
        let count = usize::try_from(self.whole()?).ok()?;
        (count <= most && count <= self.0.len()).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut out = Out::default();
        for v in [0, 1, 127, 128, 300, u64::MAX] {
            out.whole(v);
        }
        for v in [0, -1, 1, i64::MIN, i64::MAX] {
            out.signed(v);
        }
        out.word(u64::MAX - 1);
        out.half(7);
        out.text("Füße");
        let mut read = In(&out.0);
        for v in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(read.whole(), Some(v));
        }
        for v in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(read.signed(), Some(v));
        }
        assert_eq!((read.word(), read.half()), (Some(u64::MAX - 1), Some(7)));
        assert_eq!(read.text(10).as_deref(), Some("Füße"));
        assert_eq!(read.whole(), None);
    }

    #[test]
    fn nonsense_ends() {
        assert_eq!(In(&[0xff; 20]).whole(), None);
        assert_eq!(In(&[9, b'a']).text(100), None);
        assert_eq!(In(&[2, b'a', b'b']).text(1), None);
        assert_eq!(In(&[1, 0xff]).text(9), None);
        assert_eq!(In(&[1, 2, 3]).word(), None);
    }
}
