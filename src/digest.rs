//! Short names for long data: 64 bits that differ where the data does, the same on every machine.
//!
//! Each word is mixed in by rotation, exclusive or and multiplication, and the sum is spread over all bits at
//! the end (Steele, Lea and Flood 2014, the finaliser of SplitMix64). It guards against accidents, not against
//! malice.

use crate::maths::random::spread;

/// Odd, and without a pattern in its bits: 2⁶⁴ over the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bits of a number; −0 counts as 0, and what is not a number has one bit pattern.
pub(crate) fn plain_bits(number: f64) -> u64 {
    match number.is_nan() {
        true => 0x7ff8_0000_0000_0000,
        false => (number + 0.0).to_bits(),
    }
}

/// What has been added so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(FACTOR)
    }
}

impl Digest {
    /// Adds a word.
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }

    /// Adds a number; −0 counts as 0, and what is not a number has one bit pattern.
    pub fn add_number(&mut self, number: f64) {
        self.add(plain_bits(number));
    }

    /// Adds bytes and their number.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words
            .iter()
            .for_each(|word| self.add(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(last));
        }
    }

    /// Adds words two at a time, and their number.
    pub fn add_words(&mut self, words: &[u32]) {
        self.add(words.len() as u64);
        let (pairs, rest) = words.as_chunks::<2>();
        let joined = |[low, high]: &[u32; 2]| u64::from(*high) << 32 | u64::from(*low);
        pairs.iter().for_each(|pair| self.add(joined(pair)));
        rest.iter().for_each(|word| self.add(u64::from(*word)));
    }

    /// The 64 bits.
    pub fn finish(self) -> u64 {
        spread(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(add: impl FnOnce(&mut Digest)) -> u64 {
        let mut digest = Digest::default();
        add(&mut digest);
        digest.finish()
    }

    #[test]
    fn every_bit_counts() {
        let mut bytes = vec![0x5au8; 41];
        let whole = of(|d| d.add_bytes(&bytes));
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(of(|d| d.add_bytes(&bytes)), whole, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert_ne!(of(|d| d.add_bytes(&bytes[..40])), whole);
    }

    #[test]
    fn order_and_number_count() {
        assert_ne!(
            of(|d| d.add_words(&[1, 2, 3])),
            of(|d| d.add_words(&[2, 1, 3]))
        );
        assert_ne!(of(|d| d.add_words(&[1])), of(|d| d.add_words(&[1, 0])));
        assert_ne!(of(|d| d.add_bytes(&[0])), of(|d| d.add_bytes(&[0, 0])));
    }

    #[test]
    fn the_same_on_every_machine() {
        // Worked out from the definition, in whole numbers.
        let digest = of(|d| d.add_bytes(b"Hazumi, frame by frame"));
        assert_eq!(digest, 0x9f36_f595_f31f_a0c5);
    }

    #[test]
    fn zeros_and_nans_have_one_form() {
        assert_eq!(of(|d| d.add_number(0.0)), of(|d| d.add_number(-0.0)));
        assert_eq!(
            of(|d| d.add_number(f64::NAN)),
            of(|d| d.add_number(-f64::NAN))
        );
        assert_ne!(of(|d| d.add_number(1.0)), of(|d| d.add_number(-1.0)));
    }
}
