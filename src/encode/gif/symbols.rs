//! The pixels of a frame's rectangle as LZW sees them: for each, one symbol or a choice of two.

use crate::encode::runs;

/// Pixels in a row that may be sent alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first pixel after it.
    pub end: u32,
    /// What is sent where both would do.
    pub preferred: u8,
    /// The other choice; equal to the preferred where there is none.
    pub other: u8,
}

impl Stretch {
    /// The symbol of its pixels, if they have no choice.
    #[inline]
    pub fn only(&self) -> Option<u8> {
        (self.preferred == self.other).then_some(self.preferred)
    }
}

/// A pixel, and the stretch it is in.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub at: u32,
    pub stretch: usize,
}

impl Place {
    /// The pixel after.
    #[inline]
    pub fn next(self, stretches: &[Stretch]) -> Self {
        let at = self.at + 1;
        Self {
            at,
            stretch: self.stretch + usize::from(at == stretches[self.stretch].end),
        }
    }

    /// So many pixels before.
    #[inline]
    pub fn back(self, by: u32, stretches: &[Stretch]) -> Self {
        let at = self.at - by;
        let before = stretches[..self.stretch].iter().rev();
        Self {
            at,
            stretch: self.stretch - before.take_while(|stretch| stretch.end > at).count(),
        }
    }
}

/// All pixels of a rectangle; neighbours that may be sent alike are one stretch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols(Vec<Stretch>);

impl Symbols {
    /// Without a choice.
    pub fn all(pixels: &[u8]) -> Self {
        Self::choice(pixels, pixels)
    }

    /// Of as many symbols each.
    pub fn choice(preferred: &[u8], other: &[u8]) -> Self {
        let both = preferred.iter().zip(other);
        let both: Vec<[u8; 2]> = both.map(|(&a, &b)| [a, b]).collect();
        let mut stretches = Vec::new();
        runs::each(&both, |[preferred, other], end| {
            stretches.push(Stretch {
                end: end as u32,
                preferred,
                other,
            });
        });
        Self(stretches)
    }

    /// With each stretch as `change` makes it, given its number.
    pub fn map(&self, mut change: impl FnMut(usize, &Stretch) -> (u8, u8)) -> Self {
        let mut changed: Vec<Stretch> = Vec::with_capacity(self.0.len());
        for (i, stretch) in self.0.iter().enumerate() {
            let (preferred, other) = change(i, stretch);
            match changed.last_mut() {
                Some(last) if (last.preferred, last.other) == (preferred, other) => {
                    last.end = stretch.end;
                }
                _ => changed.push(Stretch {
                    preferred,
                    other,
                    ..*stretch
                }),
            }
        }
        Self(changed)
    }

    #[inline]
    pub fn stretches(&self) -> &[Stretch] {
        &self.0
    }

    #[inline]
    pub fn pixels(&self) -> u32 {
        self.0.last().map_or(0, |last| last.end)
    }

    /// The minimum code size in bits.
    pub fn bits(&self) -> u32 {
        let largest = self.0.iter().map(|it| it.preferred.max(it.other)).max();
        bits(largest.unwrap_or(0))
    }

    /// Whether a symbol may be sent.
    pub fn have(&self, symbol: u8) -> bool {
        (self.0.iter()).any(|it| it.preferred == symbol || it.other == symbol)
    }
}

fn bits(largest: u8) -> u32 {
    (8 - largest.leading_zeros()).max(2)
}

/// The largest symbol that needs no longer codes than this one.
pub fn most_for_bits_of(largest: u8) -> u8 {
    ((1 << bits(largest)) - 1) as u8
}
