//! YUV4MPEG2: uncompressed video that names its size and rate, for a pipe to a video encoder.
//!
//! Full resolution in all three planes, 8 bits, limited range, the matrix of BT.709. (ITU-R BT.709-6, items
//! 3.2 to 3.5; the container as the mjpegtools' `yuv4mpeg(5)` describes it.)

use super::{Format, Movie, Stop, Watch, Writer, runs, stream};
use crate::pixels::Pixels;
use std::io::Write;

pub const FORMAT: Format = Format {
    name: "y4m",
    extension: "y4m",
    about: "uncompressed video (4:4:4, BT.709), for a pipe to a video encoder",
    writer: Writer::File(write),
};

/// What red, green and blue add to a plane, in parts of 65,536. Rows of the chroma planes sum to 0, so that
/// greys have none.
type Plane = [i32; 3];
/// 219 of 255 parts of 0.2126, 0.7152 and 0.0722.
const LUMA: Plane = [11_966, 40_254, 4_064];
/// 224 of 255 parts of (blue − luma) / 1.8556.
const BLUE: Plane = [-6_596, -22_188, 28_784];
/// 224 of 255 parts of (red − luma) / 1.5748.
const RED: Plane = [28_784, -26_145, -2_639];
const DARKEST: i32 = 16;
const NEUTRAL: i32 = 128;

fn write(movie: &Movie, watch: Watch, out: &mut dyn Write) -> Result<(), Stop> {
    let (frames, seconds) = movie.clock.fraction();
    let (width, height) = (movie.width, movie.height);
    let header = format!(
        "YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
    );
    out.write_all(header.as_bytes())?;
    stream::write(movie, watch, out, |pixels| frame(pixels, movie.matte))
}

/// A frame with its line before it: luma, then blue, then red.
fn frame(pixels: &Pixels, matte: [u8; 3]) -> Vec<u8> {
    let pixels = pixels.bytes.as_chunks::<4>().0;
    let mut bytes = b"FRAME\n".to_vec();
    bytes.reserve(3 * pixels.len());
    for (plane, base) in [(LUMA, DARKEST), (BLUE, NEUTRAL), (RED, NEUTRAL)] {
        bytes.extend(pixels.iter().map(|pixel| {
            let seen = runs::blend(*pixel, matte);
            let sum: i32 = plane
                .iter()
                .zip(seen)
                .map(|(part, channel)| part * i32::from(channel))
                .sum();
            // To nearest; a shift rounds down, below 0 too.
            (base + ((sum + (1 << 15)) >> 16)) as u8
        }));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::{bytes, movie};
    use crate::raster::Canvas;

    /// The three numbers of a colour.
    fn video(colour: [u8; 4]) -> [u8; 3] {
        let pixels = Pixels {
            width: 1,
            height: 1,
            bytes: colour.to_vec(),
        };
        let bytes = frame(&pixels, [255; 3]);
        bytes[6..].try_into().unwrap()
    }

    #[test]
    fn colours_are_those_of_the_standard() {
        assert_eq!(video([0, 0, 0, 255]), [16, 128, 128]);
        assert_eq!(video([255, 255, 255, 255]), [235, 128, 128]);
        assert_eq!(
            video([0, 0, 0, 0]),
            [235, 128, 128],
            "the matte shows through"
        );
        for grey in 0..=255 {
            assert_eq!(video([grey, grey, grey, 255])[1..], [128, 128]);
        }
        for i in 0..4096u32 {
            let [red, green, blue] = [(i >> 8) * 17, (i >> 4 & 15) * 17, (i & 15) * 17];
            let share = |v: u32| f64::from(v) / 255.0;
            let luma = 0.2126 * share(red) + 0.7152 * share(green) + 0.0722 * share(blue);
            let exact = [
                16.0 + 219.0 * luma,
                128.0 + 224.0 * (share(blue) - luma) / 1.8556,
                128.0 + 224.0 * (share(red) - luma) / 1.5748,
            ];
            for (ours, exact) in video([red as u8, green as u8, blue as u8, 255])
                .iter()
                .zip(exact)
            {
                assert!(
                    (f64::from(*ours) - exact).abs() < 0.51,
                    "{red} {green} {blue}: {ours} {exact}"
                );
            }
        }
    }

    #[test]
    fn the_header_names_size_and_rate() {
        let draw = |_: usize, pixels: &mut Canvas| pixels.bytes.fill(255);
        let found = bytes(&FORMAT, &movie((2, 1), 2, true, &draw)).unwrap();
        let expected: &[u8] = b"YUV4MPEG2 W2 H1 F30:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n\
            FRAME\n\xeb\xeb\x80\x80\x80\x80FRAME\n\xeb\xeb\x80\x80\x80\x80";
        assert_eq!(found, expected);
    }
}
