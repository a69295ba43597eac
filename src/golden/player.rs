//! The frames of a golden one after another, as straight colours.
//!
//! Whoever made the file decides what is in it, so nothing is taken in advance: its size is known to be that
//! of the frames it is compared with, and each decoder is held to what such a frame needs.

use crate::encode::runs::{CLEAR, Colour, colour};
use crate::spec::read::{read_bytes, words_of};
use std::io::Cursor;
use std::path::PathBuf;

/// Room for a decoder besides its pixels.
const ROOM: usize = 16 << 20;
/// Largest picture of a sequence, in bytes.
const STILL_LIMIT: u64 = 256 << 20;

/// Goes through frames; what is wrong is told in words.
pub trait Play {
    /// Puts the next frame over the one before. False after the last.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn next(&mut self, canvas: &mut Vec<Colour>) -> Result<bool, String>;
}

fn blank((width, height): (u32, u32)) -> Vec<Colour> {
    vec![CLEAR; width as usize * height as usize]
}

fn damaged(error: impl std::fmt::Display) -> String {
    format!("it is damaged: {error}")
}

/// Where a piece of a canvas lies.
#[derive(Clone, Copy)]
struct Place {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Place {
    fn fits(self, (width, height): (u32, u32)) -> bool {
        self.left + self.width <= width as usize && self.top + self.height <= height as usize
    }

    /// The rows of this piece of a canvas.
    fn rows(self, canvas: &mut [Colour], width: usize) -> impl Iterator<Item = &mut [Colour]> {
        let rows = canvas
            .chunks_exact_mut(width)
            .skip(self.top)
            .take(self.height);
        rows.map(move |row| &mut row[self.left..self.left + self.width])
    }
}

/// What has been drawn so far.
struct Canvas {
    size: (u32, u32),
    pixels: Vec<Colour>,
    /// What is to be done to it before the next frame.
    undo: Undo,
}

enum Undo {
    Nothing,
    Clear(Place),
    Restore(Vec<Colour>),
}

/// What becomes of a frame when the next one comes.
enum Disposal {
    Keep,
    Background,
    Previous,
}

const TOO_LARGE: &str = "a frame is larger than the canvas";

impl Canvas {
    fn new(size: (u32, u32)) -> Self {
        Self {
            size,
            pixels: blank(size),
            undo: Undo::Nothing,
        }
    }

    /// Disposes of the frame before, and gives the rows that the next one is painted on.
    fn begin(
        &mut self,
        place: Place,
        disposal: Disposal,
    ) -> Result<impl Iterator<Item = &mut [Colour]>, String> {
        if !place.fits(self.size) {
            return Err(damaged(TOO_LARGE));
        }
        let width = self.size.0 as usize;
        match std::mem::replace(&mut self.undo, Undo::Nothing) {
            Undo::Nothing => {}
            Undo::Clear(place) => place
                .rows(&mut self.pixels, width)
                .for_each(|row| row.fill(CLEAR)),
            Undo::Restore(pixels) => self.pixels = pixels,
        }
        self.undo = match disposal {
            Disposal::Keep => Undo::Nothing,
            Disposal::Background => Undo::Clear(place),
            Disposal::Previous => Undo::Restore(self.pixels.clone()),
        };
        Ok(place.rows(&mut self.pixels, width))
    }
}

/// An animated or a still PNG.
pub struct PngPlayer<'b> {
    reader: png::Reader<Cursor<&'b [u8]>>,
    /// Frames that are still to come, the default image counted if it is none of them.
    left: usize,
    bytes: Vec<u8>,
    canvas: Canvas,
}

impl<'b> PngPlayer<'b> {
    /// # Errors
    /// When it cannot be decoded within what a frame of this size needs.
    pub fn new(bytes: &'b [u8], size: (u32, u32)) -> Result<Self, String> {
        let pixels = size.0 as usize * size.1 as usize;
        let limits = png::Limits {
            bytes: pixels * 8 + ROOM,
        };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let reader = decoder.read_info().map_err(damaged)?;
        let info = reader.info();
        if info.size() != size {
            return Err(damaged("its size is said twice"));
        }
        let animated = info
            .animation_control
            .map(|control| control.num_frames as usize);
        let apart = animated.is_some() && info.frame_control.is_none();
        let length = reader.output_buffer_size().ok_or("it is too large")?;
        Ok(Self {
            left: animated.unwrap_or(1) + usize::from(apart),
            bytes: vec![0; length],
            canvas: Canvas::new(size),
            reader,
        })
    }

    fn step(&mut self) -> Result<bool, String> {
        let shown = self.reader.next_frame(&mut self.bytes).map_err(damaged)?;
        let control = self.reader.info().frame_control;
        let animated = self.reader.info().animation_control.is_some();
        let place = match control {
            None if animated => return Ok(false),
            None => Place {
                left: 0,
                top: 0,
                width: shown.width as usize,
                height: shown.height as usize,
            },
            Some(control) => Place {
                left: control.x_offset as usize,
                top: control.y_offset as usize,
                width: control.width as usize,
                height: control.height as usize,
            },
        };
        if (shown.width as usize) < place.width {
            return Err(damaged(TOO_LARGE));
        }
        let disposal = match control.map(|control| control.dispose_op) {
            Some(png::DisposeOp::Background) => Disposal::Background,
            Some(png::DisposeOp::Previous) => Disposal::Previous,
            _ => Disposal::Keep,
        };
        let rows = self.canvas.begin(place, disposal)?;
        let over = control.is_some_and(|control| control.blend_op == png::BlendOp::Over);
        let lines = self.bytes.chunks_exact(shown.line_size);
        for (row, line) in rows.zip(lines) {
            paint(row, line, shown.color_type, over);
        }
        Ok(true)
    }
}

impl Play for PngPlayer<'_> {
    fn next(&mut self, canvas: &mut Vec<Colour>) -> Result<bool, String> {
        while self.left > 0 {
            self.left -= 1;
            if self.step()? {
                canvas.clone_from(&self.canvas.pixels);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn paint(row: &mut [Colour], line: &[u8], kind: png::ColorType, over: bool) {
    let mut put = |pixels: &mut dyn Iterator<Item = [u8; 4]>| {
        for (under, pixel) in row.iter_mut().zip(pixels) {
            *under = match (over, pixel[3]) {
                (true, 0) => *under,
                (true, 1..=254) => blend(pixel, *under),
                (false, 0) => CLEAR,
                _ => colour(pixel),
            };
        }
    };
    match kind {
        png::ColorType::Rgba => put(&mut line.as_chunks::<4>().0.iter().copied()),
        png::ColorType::Rgb => {
            put(&mut line
                .as_chunks::<3>()
                .0
                .iter()
                .map(|[r, g, b]| [*r, *g, *b, 255]));
        }
        png::ColorType::GrayscaleAlpha => {
            put(&mut line
                .as_chunks::<2>()
                .0
                .iter()
                .map(|[grey, a]| [*grey, *grey, *grey, *a]));
        }
        png::ColorType::Grayscale | png::ColorType::Indexed => {
            put(&mut line.iter().map(|grey| [*grey, *grey, *grey, 255]));
        }
    }
}

/// Straight over straight. (PNG specification, third edition, 13.16.)
fn blend([r, g, b, a]: [u8; 4], under: Colour) -> Colour {
    let [under_r, under_g, under_b, under_a] = under.to_be_bytes();
    let (u, v) = (
        u32::from(a) * 255,
        (255 - u32::from(a)) * u32::from(under_a),
    );
    let whole = u + v;
    let mix = |over: u8, under: u8| ((u * u32::from(over) + v * u32::from(under)) / whole) as u8;
    colour([
        mix(r, under_r),
        mix(g, under_g),
        mix(b, under_b),
        (whole / 255) as u8,
    ])
}

/// A GIF.
pub struct GifPlayer<'b> {
    decoder: gif::Decoder<Cursor<&'b [u8]>>,
    canvas: Canvas,
}

/// Ready to decode a GIF of at most this many pixels a frame.
///
/// # Errors
/// What is wrong with the file.
pub fn gif_decoder(
    bytes: &[u8],
    pixels: usize,
    skip: bool,
) -> Result<gif::Decoder<Cursor<&[u8]>>, String> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    options.skip_frame_decoding(skip);
    let most = std::num::NonZeroU64::new((pixels * 4 + ROOM) as u64).ok_or("no room")?;
    options.set_memory_limit(gif::MemoryLimit::Bytes(most));
    options.check_frame_consistency(true);
    options.read_info(Cursor::new(bytes)).map_err(damaged)
}

impl<'b> GifPlayer<'b> {
    /// # Errors
    /// What is wrong with the file.
    pub fn new(bytes: &'b [u8], size: (u32, u32)) -> Result<Self, String> {
        Ok(Self {
            decoder: gif_decoder(bytes, size.0 as usize * size.1 as usize, false)?,
            canvas: Canvas::new(size),
        })
    }
}

impl Play for GifPlayer<'_> {
    fn next(&mut self, canvas: &mut Vec<Colour>) -> Result<bool, String> {
        let Some(frame) = self.decoder.read_next_frame().map_err(damaged)? else {
            return Ok(false);
        };
        let place = Place {
            left: usize::from(frame.left),
            top: usize::from(frame.top),
            width: usize::from(frame.width),
            height: usize::from(frame.height),
        };
        if place.width == 0 {
            return Err(damaged(TOO_LARGE));
        }
        let disposal = match frame.dispose {
            gif::DisposalMethod::Background => Disposal::Background,
            gif::DisposalMethod::Previous => Disposal::Previous,
            _ => Disposal::Keep,
        };
        let rows = self.canvas.begin(place, disposal)?;
        let lines = frame.buffer.chunks_exact(place.width * 4);
        for (row, line) in rows.zip(lines) {
            paint(row, line, png::ColorType::Rgba, true);
        }
        canvas.clone_from(&self.canvas.pixels);
        Ok(true)
    }
}

/// A folder of PNG files.
pub struct SequencePlayer {
    files: std::vec::IntoIter<PathBuf>,
    size: (u32, u32),
}

impl SequencePlayer {
    pub fn new(files: Vec<PathBuf>, size: (u32, u32)) -> Self {
        Self {
            files: files.into_iter(),
            size,
        }
    }
}

impl Play for SequencePlayer {
    fn next(&mut self, canvas: &mut Vec<Colour>) -> Result<bool, String> {
        let Some(file) = self.files.next() else {
            return Ok(false);
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let bytes = read_bytes(&file, STILL_LIMIT);
        let bytes =
            bytes.map_err(|reason| format!("`{name}` cannot be read: {}", words_of(&reason)))?;
        let in_file = |why: String| format!("`{name}`: {why}");
        super::chunks::read(&bytes).map_err(in_file)?;
        PngPlayer::new(&bytes, self.size)
            .and_then(|mut player| player.next(canvas))
            .map_err(in_file)
    }
}

/// A player that shows every picture of another as long as it stays on a clock of its own.
pub struct Timed<P> {
    inner: P,
    /// For each frame how often the other is asked for the next picture before it.
    steps: std::vec::IntoIter<usize>,
    canvas: Vec<Colour>,
}

impl<P: Play> Timed<P> {
    pub fn new(inner: P, steps: Vec<usize>) -> Self {
        Self {
            inner,
            steps: steps.into_iter(),
            canvas: Vec::new(),
        }
    }
}

impl<P: Play> Play for Timed<P> {
    fn next(&mut self, canvas: &mut Vec<Colour>) -> Result<bool, String> {
        let Some(steps) = self.steps.next() else {
            return Ok(false);
        };
        for _ in 0..steps {
            if !self.inner.next(&mut self.canvas)? {
                return Ok(false);
            }
        }
        canvas.clone_from(&self.canvas);
        Ok(true)
    }
}
