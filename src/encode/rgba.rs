//! Bare pixels for a pipe: four bytes each, frame after frame.

use super::runs;
use super::{Format, Writer, stream};
use crate::pixels::Pixels;

pub const FORMAT: Format = Format {
    name: "rgba",
    extension: "rgba",
    about: "bare pixels, four bytes each, exact, for a pipe to another program",
    writer: Writer::File(|movie, watch, out| {
        stream::write(movie, watch, out, |pixels| straight(pixels, movie.opaque))
    }),
};

/// Red, green, blue and alpha of each pixel, not premultiplied, row by row from the top.
fn straight(pixels: &Pixels, opaque: bool) -> Vec<u8> {
    if opaque {
        return pixels.bytes.clone();
    }
    let pixels = pixels.bytes.as_chunks::<4>().0.iter();
    let straight = pixels.map(|pixel| runs::straight(*pixel).to_be_bytes());
    straight.collect::<Vec<[u8; 4]>>().into_flattened()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::{bytes, movie};
    use crate::raster::Canvas;

    #[test]
    fn pixels_are_straight() {
        let draw = |frame: usize, pixels: &mut Canvas| {
            let alpha = [128, 0][frame];
            pixels
                .bytes
                .copy_from_slice(&[64, 0, alpha, alpha].map(|c| c.min(alpha)));
        };
        let found = bytes(&FORMAT, &movie((1, 1), 2, false, &draw)).unwrap();
        assert_eq!(found, [128, 0, 255, 128, 0, 0, 0, 0]);
        let solid = |_: usize, pixels: &mut Canvas| pixels.bytes.copy_from_slice(&[1, 2, 3, 255]);
        let found = bytes(&FORMAT, &movie((1, 1), 1, true, &solid)).unwrap();
        assert_eq!(found, [1, 2, 3, 255]);
    }
}
