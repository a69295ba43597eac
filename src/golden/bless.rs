//! Accepting: what a golden is made of, and writing those that changed.

use super::check::{Job, claims, put};
use super::chunks;
use super::compare::{Comparison, Fault, pixel_digests};
use super::explain::explain;
use super::file::{Folder, Form, Golden, bytes_of};
use super::lock::Lock;
use super::orphans::remove;
use super::report::text::{cause_in_words, runs_in_words};
use super::take::{Films, Take};
use super::verdict::{Claims, Tolerance};
use crate::encode::apng::{self, ApngOptions, Chunk, Level};
use crate::encode::{Movie, Watch};
use crate::film::{Error, Play};
use crate::load::Animation;
use crate::output::{self, Destination};
use std::path::PathBuf;

/// What became of a golden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blessed {
    /// Nothing had changed, so nothing was written.
    Unchanged,
    /// It was written; in words, what is new about it.
    Written(String),
    /// It was made elsewhere and stays as it is.
    Foreign(PathBuf),
}

/// A golden image: every frame, never merged, and the record before the first.
fn image(take: &Take, watch: Watch) -> Result<Vec<u8>, Error> {
    let record = take.record().to_bytes();
    let chunk = Chunk::ancillary(chunks::NAME, record).map_err(Error::Choice)?;
    let options = ApngOptions {
        level: Level::Fast,
        merge: false,
        chunks: vec![chunk],
    };
    let mut bytes = Vec::new();
    let write = |movie: &Movie| apng::write(movie, &options, watch, &mut bytes);
    take.studio.with_movie(Play::default(), write)?;
    Ok(bytes)
}

fn lock(take: &Take, watch: Watch) -> Result<Lock, Error> {
    let pixels = pixel_digests(take, watch)?;
    Ok(Lock::of(&take.container, take.record(), pixels))
}

fn golden(take: &Take, form: Form, watch: Watch) -> Result<Vec<u8>, Error> {
    match form {
        Form::Lock => Ok(lock(take, watch)?.write().into_bytes()),
        _ => image(take, watch),
    }
}

/// Writes what could become the golden into the out folder, and says where.
pub fn candidate(take: &Take, job: &Job, form: Form, watch: Watch) -> Result<String, Error> {
    let form = if form == Form::Lock {
        form
    } else {
        Form::Image
    };
    let bytes = golden(take, form, watch)?;
    Ok(put(job, &format!("{}{}", job.name, form.ending()), &bytes)?)
}

/// Writes a spec's golden if it has changed; also says which of its claims do not hold.
///
/// # Errors
/// When the spec cannot be simulated or drawn, or the golden not be written.
pub fn bless(
    animation: &Animation,
    name: &str,
    folder: &Folder,
    lock_only: bool,
    watch: Watch,
) -> Result<(Blessed, Claims), Error> {
    animation.check_frames(1.0, animation.frames())?;
    let films = Films::of(animation)?;
    films.plain.check_exact()?;
    let take = Take::of(films.shown())?;
    let blessed = accept(&take, name, folder, lock_only, watch)?;
    Ok((blessed, claims(&films, &take)))
}

fn accept(
    take: &Take,
    name: &str,
    folder: &Folder,
    lock_only: bool,
    watch: Watch,
) -> Result<Blessed, Error> {
    let forms = folder.found.get(name).map_or(&[][..], Vec::as_slice);
    if let Some(foreign) = forms
        .iter()
        .find(|form| !matches!(form, Form::Image | Form::Lock))
    {
        return Ok(Blessed::Foreign(folder.place(name, *foreign)));
    }
    let form = match forms {
        [Form::Lock] => Form::Lock,
        _ if lock_only => Form::Lock,
        _ => Form::Image,
    };
    let news = news(take, name, folder, (forms, form), watch)?;
    let Some(news) = news else {
        return Ok(Blessed::Unchanged);
    };
    let bytes = golden(take, form, watch)?;
    let path = folder.place(name, form);
    if bytes_of(&path).is_ok_and(|old| old == bytes) {
        return Ok(Blessed::Unchanged);
    }
    output::save_bytes(&Destination::File(path), &bytes)?;
    for other in forms.iter().filter(|other| **other != form) {
        remove(&folder.place(name, *other))?;
    }
    Ok(Blessed::Written(format!(
        "{news}, {}",
        size_in_words(bytes.len())
    )))
}

/// What is new about a golden, in words; none if nothing is.
fn news(
    take: &Take,
    name: &str,
    folder: &Folder,
    (forms, form): (&[Form], Form),
    watch: Watch,
) -> Result<Option<String>, Error> {
    let [old] = forms else {
        return Ok(Some(format!("new: {} frames", take.frames())));
    };
    if *old != form {
        return Ok(Some(format!("now a lock: {} frames", take.frames())));
    }
    let golden = match Golden::read(&folder.place(name, *old), *old) {
        Ok(golden) if golden.record.is_some() => golden,
        Ok(_) => return Ok(Some("now with a timeline".into())),
        Err(why) => return Ok(Some(format!("could not be read before: {why}"))),
    };
    let exact = Tolerance::default();
    let difference =
        Comparison::of(take, &golden, &exact, watch).and_then(|found| match found.is_equal() {
            true => Ok(None),
            false => Ok(Some(explain(take, &golden, found, watch)?.0)),
        });
    match difference {
        Ok(difference) => Ok(difference.map(|difference| {
            let frames = difference.pixels.as_ref().map(runs_in_words);
            let frames = frames.unwrap_or(format!("from frame {}", difference.frame));
            format!("{frames}, {}", cause_in_words(&difference.cause))
        })),
        Err(Fault::Golden(why)) => Ok(Some(format!("could not be read before: {why}"))),
        Err(Fault::Stopped(stop)) => Err(stop.into()),
    }
}

fn size_in_words(bytes: usize) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        _ => format!("{} KiB", bytes / 1024),
    }
}
