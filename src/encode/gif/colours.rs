//! What becomes of colours that a GIF cannot hold.

use super::palette::LARGEST;

/// How the colours of an animation are made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GifColours {
    /// One palette of at most so many, exact while they are enough, else with the smallest error.
    Best { most: u8, dither: bool },
    /// One palette, as small as it can be with every channel of every pixel at most so far off.
    Within(u8),
    /// Exact, with a palette for each frame that needs one; fails where a frame changes to more colours.
    Lossless,
}

impl Default for GifColours {
    fn default() -> Self {
        Self::Best {
            most: LARGEST as u8,
            dither: false,
        }
    }
}
