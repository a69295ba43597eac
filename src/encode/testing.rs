//! What the tests of the encoders share: small scenes and a reader of GIFs.

use std::io;

use super::{Clock, Movie, Stop, Watch};
use crate::maths::functions::{cos, sin, sqrt};
use crate::pixels::Pixels;
use crate::raster::Canvas;

/// A movie of 30 frames per second that plays for ever.
pub fn movie(
    size: (u32, u32),
    frames: usize,
    opaque: bool,
    draw: &(dyn Fn(usize, &mut Canvas) + Sync),
) -> Movie<'_> {
    Movie {
        opaque,
        ..Movie::new(size, frames, Clock::per_second(30.0), draw)
    }
}

/// The movie as a file in memory.
pub fn bytes(format: &super::Format, movie: &Movie) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    match format.writer {
        super::Writer::File(write) => write(movie, Watch::default(), &mut out)?,
        super::Writer::Folder(write) => write(movie, Watch::default(), &mut |_, bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        })?,
    }
    Ok(out)
}

/// Runs something in a rayon pool of its own.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

/// Fills a frame with one straight colour.
pub fn fill(pixels: &mut Pixels, colour: [u8; 4]) {
    for pixel in pixels.bytes.as_chunks_mut::<4>().0 {
        *pixel = premultiplied(colour, 1.0);
    }
}

fn premultiplied([red, green, blue, alpha]: [u8; 4], coverage: f64) -> [u8; 4] {
    let alpha = f64::from(alpha) * coverage;
    let channel = |channel: u8| (f64::from(channel) * alpha / 255.0 + 0.5) as u8;
    [
        channel(red),
        channel(green),
        channel(blue),
        (alpha + 0.5) as u8,
    ]
}

/// Draws an antialiased circle of a straight colour over a frame.
pub fn circle(pixels: &mut Pixels, (x, y): (f64, f64), radius: f64, colour: [u8; 4]) {
    let width = pixels.width as usize;
    for (i, pixel) in pixels.bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let dx = (i % width) as f64 + 0.5 - x;
        let dy = (i / width) as f64 + 0.5 - y;
        let coverage = (radius - sqrt(dx * dx + dy * dy) + 0.5).clamp(0.0, 1.0);
        if coverage > 0.0 {
            // Sixteen samples a pixel, as the rasteriser has.
            let top = premultiplied(colour, (coverage * 16.0) as u8 as f64 / 16.0);
            for (below, &above) in pixel.iter_mut().zip(&top) {
                let rest = u16::from(*below) * u16::from(255 - top[3]);
                *below = above + ((rest + 127) / 255) as u8;
            }
        }
    }
}

/// Twelve vivid colours.
pub const VIVID: [[u8; 4]; 12] = [
    [230, 57, 70, 255],
    [244, 162, 97, 255],
    [233, 196, 106, 255],
    [42, 157, 143, 255],
    [38, 70, 83, 255],
    [29, 53, 87, 255],
    [69, 123, 157, 255],
    [168, 218, 220, 255],
    [131, 56, 236, 255],
    [255, 0, 110, 255],
    [58, 134, 255, 255],
    [6, 214, 160, 255],
];

/// Circles of the first `colours` vivid colours going round each other.
pub fn balls(frame: usize, frames: usize, pixels: &mut Pixels, colours: usize) {
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let turn = 360.0 * frame as f64 / frames as f64;
    for (i, &colour) in VIVID.iter().enumerate().take(colours) {
        let angle = turn + 360.0 * i as f64 / colours as f64;
        let reach = 0.12 + 0.22 * (i % 3) as f64 / 2.0;
        let centre = (
            width * (0.5 + reach * cos(angle)),
            height * (0.5 + reach * sin(2.0 * angle)),
        );
        circle(pixels, centre, width.min(height) * 0.14, colour);
    }
}

/// A shown frame of a GIF: straight RGBA bytes and its delay in hundredths of a second.
pub type Still = (Vec<u8>, u16);

/// Reads a GIF as a player does, each frame as shown.
pub fn play(file: &[u8]) -> Vec<Still> {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::Indexed);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(file).unwrap();
    let width = usize::from(decoder.width());
    let palette = decoder.global_palette().unwrap().to_vec();
    let mut canvas = vec![0; width * usize::from(decoder.height()) * 4];
    let mut stills = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let bytes = usize::from(frame.width) * 4;
        let palette = frame.palette.as_ref().unwrap_or(&palette);
        let place = |y: usize| ((top + y) * width + left) * 4;
        for (y, line) in frame.buffer.chunks_exact(bytes / 4).enumerate() {
            let row = canvas[place(y)..][..bytes].chunks_exact_mut(4);
            for (pixel, &index) in row
                .zip(line)
                .filter(|(_, index)| Some(**index) != frame.transparent)
            {
                pixel[..3].copy_from_slice(&palette[usize::from(index) * 3..][..3]);
                pixel[3] = 255;
            }
        }
        stills.push((canvas.clone(), frame.delay));
        if frame.dispose == ::gif::DisposalMethod::Background {
            for y in 0..usize::from(frame.height) {
                canvas[place(y)..][..bytes].fill(0);
            }
        }
    }
    stills
}

/// A writer that fails after so many bytes, as a full disk does.
pub struct Failing<W> {
    pub inner: W,
    left: usize,
}

impl<W> Failing<W> {
    pub fn after(limit: usize, inner: W) -> Self {
        Self { inner, left: limit }
    }
}

impl<W: io::Write> io::Write for Failing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = self.inner.write(&bytes[..bytes.len().min(self.left)])?;
        self.left -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
