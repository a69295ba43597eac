//! Golden files: which there are in a folder, and what stands in them.
//!
//! A golden of a spec NAME is `NAME.png` or `NAME.lock`, written by `bless`; `NAME.gif` and a folder `NAME` of
//! numbered PNG files made elsewhere will do too.

use super::chunks;
use super::container::Container;
use super::lock::Lock;
use super::player::{GifPlayer, Play, PngPlayer, SequencePlayer, Timed, gif_decoder};
use super::record::Record;
use crate::spec::read::{read_bytes, words_of};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Largest golden, in bytes.
const LIMIT: u64 = 256 << 20;
/// Most pixels of a frame, as of a rendering.
const PIXEL_LIMIT: u64 = 64_000_000;
/// What a pointer of Git's large file storage begins with.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// Hundredths of a second, GIF's unit of time.
const PER_SECOND: f64 = 100.0;

/// The forms of a golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// `NAME.png`
    Image,
    /// `NAME.lock`
    Lock,
    /// `NAME.gif`
    Gif,
    /// A folder `NAME` of PNG files.
    Sequence,
}

impl Form {
    /// What stands after the name.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Image => ".png",
            Self::Lock => ".lock",
            Self::Gif => ".gif",
            Self::Sequence => "",
        }
    }
}

/// The goldens of a folder by the name of their spec.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    pub path: PathBuf,
    pub found: BTreeMap<String, Vec<Form>>,
}

impl Folder {
    /// What there is in a folder; nothing if there is no folder.
    ///
    /// # Errors
    /// A sentence about a folder that cannot be read.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut folder = Self {
            path: path.to_owned(),
            found: BTreeMap::new(),
        };
        let cannot = |error: &io::Error| {
            let why = words_of(error);
            format!("cannot read the folder of goldens {path:?}: {why}")
        };
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folder),
            Err(error) => return Err(cannot(&error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| cannot(&error))?;
            if let Some((name, form)) = form_of(&entry.path()) {
                folder.found.entry(name).or_default().push(form);
            }
        }
        folder
            .found
            .values_mut()
            .for_each(|forms| forms.sort_unstable());
        Ok(folder)
    }

    /// Where a golden of a spec is.
    pub fn place(&self, name: &str, form: Form) -> PathBuf {
        self.path.join(format!("{name}{}", form.ending()))
    }
}

fn form_of(path: &Path) -> Option<(String, Form)> {
    let name = path.file_name()?.to_str()?;
    if name.starts_with('.') {
        return None;
    }
    if path.is_dir() {
        return path
            .join("0000.png")
            .is_file()
            .then(|| (name.to_owned(), Form::Sequence));
    }
    [Form::Image, Form::Lock, Form::Gif]
        .into_iter()
        .find_map(|form| Some((name.strip_suffix(form.ending())?.to_owned(), form)))
}

/// A golden that has been read.
pub struct Golden {
    pub path: PathBuf,
    pub form: Form,
    pub container: Container,
    /// Of goldens that `bless` has written.
    pub record: Option<Record>,
    /// The digests of the pixels, in place of them.
    pub digests: Option<Vec<u64>>,
    data: Data,
}

enum Data {
    None,
    Bytes(Vec<u8>),
    Files(Vec<PathBuf>),
}

impl Golden {
    /// Reads a golden.
    ///
    /// # Errors
    /// What is wrong with it, in words that follow its path.
    pub fn read(path: &Path, form: Form) -> Result<Self, String> {
        match form {
            Form::Sequence => Self::sequence(path),
            _ => Self::of_bytes(path, form, bytes_of(path)?),
        }
    }

    /// Reads a golden whose bytes are at hand.
    ///
    /// # Errors
    /// As [`Golden::read`].
    pub fn of_bytes(path: &Path, form: Form, bytes: Vec<u8>) -> Result<Self, String> {
        if bytes.starts_with(POINTER) {
            return Err(
                "it is a pointer of Git LFS, not the file itself: `git lfs pull` fetches that"
                    .into(),
            );
        }
        let golden = Self {
            path: path.to_owned(),
            form,
            container: Container::default(),
            record: None,
            digests: None,
            data: Data::None,
        };
        match form {
            Form::Lock => {
                let lock = Lock::parse(&bytes)?;
                Ok(Self {
                    container: lock.container,
                    record: Some(lock.record),
                    digests: Some(lock.pixels),
                    ..golden
                })
            }
            Form::Gif => Ok(Self {
                container: gif_container(&bytes)?,
                data: Data::Bytes(bytes),
                ..golden
            }),
            Form::Image | Form::Sequence => {
                let facts = chunks::read(&bytes)?;
                let record = facts.record.map(|packed| {
                    Record::of_bytes(packed).ok_or(
                        "its timeline cannot be read: it is damaged, or written by a newer version",
                    )
                });
                Ok(Self {
                    container: within_limits(facts.container)?,
                    record: record.transpose()?,
                    data: Data::Bytes(bytes),
                    ..golden
                })
            }
        }
    }

    fn sequence(path: &Path) -> Result<Self, String> {
        let files: Vec<PathBuf> = (0..)
            .map(|frame| path.join(format!("{frame:04}.png")))
            .take_while(|file| file.is_file())
            .collect();
        let first = files.first().ok_or("it has no `0000.png`")?;
        let first = Self::read(first, Form::Image).map_err(|why| format!("`0000.png`: {why}"))?;
        Ok(Self {
            path: path.to_owned(),
            form: Form::Sequence,
            container: Container {
                delays: Vec::new(),
                plays: None,
                ..first.container
            },
            record: None,
            digests: None,
            data: Data::Files(files),
        })
    }

    /// How many frames it has on a clock of `frames` frames of which each stays so many seconds.
    pub fn frames(&self) -> usize {
        match (&self.record, &self.data) {
            (Some(record), _) => record.state.len(),
            (None, Data::Files(files)) => files.len(),
            (None, _) => self.container.delays.len().max(1),
        }
    }

    /// Goes through its frames as they are at the times of frames that begin every `1 / fps` seconds. `parts`
    /// says how many delays belong to each frame.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn play(
        &self,
        fps: f64,
        frames: usize,
        parts: &[usize],
    ) -> Result<Box<dyn Play + '_>, String> {
        let size = self.container.size;
        match (&self.data, self.form) {
            (Data::Files(files), _) => Ok(Box::new(SequencePlayer::new(files.clone(), size))),
            (Data::Bytes(bytes), Form::Gif) => {
                let steps = self.steps(fps, frames, PER_SECOND);
                Ok(Box::new(Timed::new(GifPlayer::new(bytes, size)?, steps)))
            }
            (Data::Bytes(bytes), _) => {
                let player = PngPlayer::new(bytes, size)?;
                let steps = match self.record {
                    Some(_) => own_steps(parts),
                    None => self.steps(fps, frames, f64::INFINITY),
                };
                Ok(Box::new(Timed::new(player, steps)))
            }
            (Data::None, _) => Err("it has no pixels".into()),
        }
    }

    /// How often the next picture is taken before each frame, on a clock that counts whole parts of a second.
    fn steps(&self, fps: f64, frames: usize, parts: f64) -> Vec<usize> {
        let delays = &self.container.delays;
        if delays.len() <= 1 || delays.len() == frames {
            return vec![1; frames.min(delays.len().max(1))];
        }
        let begins = |frame: usize| {
            let time = frame as f64 / fps;
            match parts.is_finite() {
                true => (time * parts + 1e-6).floor() / parts,
                false => time,
            }
        };
        let (mut taken, mut end) = (0, 0.0);
        let mut steps = Vec::with_capacity(frames);
        for frame in 0..frames {
            let before = taken;
            while taken < delays.len() && end <= begins(frame) + 1e-6 {
                end += super::container::seconds(delays[taken]);
                taken += 1;
            }
            if end <= begins(frame) + 1e-6 {
                break;
            }
            steps.push(taken - before);
        }
        steps
    }
}

/// One picture for each frame, and one more for every further delay of the frame before it.
fn own_steps(parts: &[usize]) -> Vec<usize> {
    let before = [1].into_iter().chain(parts.iter().copied());
    before.take(parts.len()).collect()
}

/// Reads a golden from memory and plays it, as a check does when it is compared with frames of its own size;
/// gives how many frames it has. Those of more than `pixels` pixels are not played.
///
/// # Errors
/// What is wrong with it.
pub fn play_through(form: Form, bytes: Vec<u8>, pixels: u64) -> Result<usize, String> {
    let golden = Golden::of_bytes(Path::new("in memory"), form, bytes)?;
    let frames = golden.frames();
    let (width, height) = golden.container.size;
    if form == Form::Lock || u64::from(width) * u64::from(height) > pixels {
        return Ok(frames);
    }
    let parts = vec![1; frames];
    let mut canvas = Vec::new();
    let mut player = golden.play(PER_SECOND, frames, &parts)?;
    while player.next(&mut canvas)? {}
    Ok(frames)
}

/// All of a file, within the limit.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    read_bytes(path, LIMIT).map_err(|reason| words_of(&reason))
}

fn within_limits(container: Container) -> Result<Container, String> {
    let (width, height) = container.size;
    match u64::from(width) * u64::from(height) {
        1..=PIXEL_LIMIT => Ok(container),
        _ => Err(format!(
            "frames of {width} × {height} px are beyond the limit of {} million pixels",
            PIXEL_LIMIT / 1_000_000
        )),
    }
}

fn gif_container(bytes: &[u8]) -> Result<Container, String> {
    let mut decoder = gif_decoder(bytes, PIXEL_LIMIT as usize, true)?;
    let mut container = Container {
        size: (decoder.width().into(), decoder.height().into()),
        delays: Vec::new(),
        plays: None,
    };
    while let Some(frame) = decoder
        .next_frame_info()
        .map_err(|e| format!("it is damaged: {e}"))?
    {
        container.delays.push((frame.delay, PER_SECOND as u16));
    }
    container.plays = Some(match decoder.repeat() {
        gif::Repeat::Infinite => 0,
        gif::Repeat::Finite(times) => u32::from(times) + 1,
    });
    match container.delays.is_empty() {
        true => Err("it has no frames".into()),
        false => within_limits(container),
    }
}
