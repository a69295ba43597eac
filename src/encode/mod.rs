//! Frames become bytes: one file per format, behind one list.

pub mod apng;
pub mod area;
pub mod clock;
mod effort;
pub mod gif;
pub mod label;
pub mod pipeline;
pub mod png;
pub mod rgba;
pub mod runs;
mod stream;
pub mod survey;
pub mod y4m;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::raster::Canvas;
pub use clock::{Clock, Plays};
pub use effort::Effort;
pub use gif::GifColours;
pub use label::Label;

/// Every format, the default first. A new one is a file of its own and a line here.
pub const FORMATS: &[Format] = &[
    gif::FORMAT,
    apng::FORMAT,
    png::FORMAT,
    y4m::FORMAT,
    rgba::FORMAT,
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// One way to write a movie.
#[derive(Debug)]
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// One line of help.
    pub about: &'static str,
    pub writer: Writer,
}

/// Whether a format is one file or a folder of them, and how it is written.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// The bytes of the file, in order. Whoever calls flushes.
    File(fn(&Movie, Watch, &mut dyn io::Write) -> Result<(), Stop>),
    /// Whole files, in order, each with its name.
    Folder(fn(&Movie, Watch, &mut Files) -> Result<(), Stop>),
}

/// Takes a whole file by its name.
pub type Files<'a> = dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a;

impl Writer {
    /// Whether the format is a folder of files.
    pub fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(_))
    }
}

/// What there is to write: its size, its clock and a function that draws any of its frames.
pub struct Movie<'a> {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Number of frames, at least 1.
    pub frames: usize,
    pub clock: Clock,
    pub plays: Plays,
    /// How long the last frame stays, in hundredths of a second, in place of what the clock says.
    pub hold: Option<u32>,
    /// The background is opaque, so every alpha is 255.
    pub opaque: bool,
    /// The colours of the spec, straight RGBA, the background first: a palette keeps the opaque ones as they are.
    pub flat: &'a [[u8; 4]],
    /// What half transparent pixels are blended over where the format has no alpha, RGB.
    pub matte: [u8; 3],
    /// What the file says about itself, where its format has a place for it.
    pub label: Option<&'a Label>,
    pub effort: Effort,
    pub gif: GifColours,
    /// Draws a frame over whatever the canvas holds. The same frame is drawn the same each time.
    pub draw: &'a (dyn Fn(usize, &mut Canvas) + Sync),
}

impl<'a> Movie<'a> {
    /// An opaque movie that plays for ever, with nothing said of its colours.
    pub fn new(
        (width, height): (u32, u32),
        frames: usize,
        clock: Clock,
        draw: &'a (dyn Fn(usize, &mut Canvas) + Sync),
    ) -> Self {
        Self {
            width,
            height,
            frames,
            clock,
            plays: Plays::Forever,
            hold: None,
            opaque: true,
            flat: &[],
            matte: [255; 3],
            label: None,
            effort: Effort::default(),
            gif: GifColours::default(),
            draw,
        }
    }
}

/// How the caller follows the work and ends it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Told the steps done and their total, from one thread at a time. Formats that look at every frame
    /// before they write the first have more steps than frames.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Set from anywhere, it ends the work at the next few frames.
    pub cancelled: &'a AtomicBool,
}

impl Watch<'_> {
    /// Fails once the work is cancelled.
    pub fn check(&self) -> Result<(), Stop> {
        match self.cancelled.load(Ordering::Relaxed) {
            true => Err(Stop::Cancelled),
            false => Ok(()),
        }
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Watch<'_> {
    /// Nobody watches and nobody cancels.
    fn default() -> Self {
        Self {
            progress: &|_, _| {},
            cancelled: &NEVER,
        }
    }
}

/// Why writing ended early.
#[derive(Debug)]
pub enum Stop {
    Cancelled,
    /// The format cannot hold this movie; a sentence without a full stop.
    Unsuitable(String),
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Unsuitable(why) => f.write_str(why),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod testing;
