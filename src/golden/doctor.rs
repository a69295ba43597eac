//! Whether this machine makes of a spec what every machine should.

use super::compare::{Comparison, pixel_digests};
use super::file::{Form, Golden};
use super::take::{Films, Take};
use super::verdict::Tolerance;
use crate::digest::Digest;
use crate::encode::Watch;
use crate::film::Error;
use crate::load::{Animation, Choices};
use std::path::Path;

const SPEC: &str = include_str!("doctor.json");
/// What `bless --lock-only` made of the spec where it was published.
const LOCK: &[u8] = include_bytes!("doctor.lock");

/// What is found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Digests of the numbers and of the pixels of all frames.
    pub state: u64,
    pub pixels: u64,
    /// The first frame whose numbers are not those published.
    pub other_state: Option<usize>,
    /// The first frame whose pixels are not those published.
    pub other_pixels: Option<usize>,
}

/// Draws the built-in spec and compares.
///
/// # Errors
/// When it cannot be drawn at all, or the published digests not be read.
pub fn examine() -> Result<Diagnosis, Error> {
    let animation = Animation::parse("built-in", SPEC, &Choices::default())?;
    let films = Films::of(&animation)?;
    let take = Take::of(films.shown())?;
    let golden = Golden::of_bytes(Path::new("built-in"), Form::Lock, LOCK.to_vec());
    let golden = golden.map_err(Error::Choice)?;
    let (exact, watch) = (Tolerance::default(), Watch::default());
    let found = Comparison::of(&take, &golden, &exact, watch);
    let found =
        found.map_err(|_| Error::Choice("the built-in frames cannot be compared".into()))?;
    let sum = |words: &[u64]| {
        let mut digest = Digest::default();
        words.iter().for_each(|word| digest.add(*word));
        digest.finish()
    };
    Ok(Diagnosis {
        state: sum(&take.states()),
        pixels: sum(&pixel_digests(&take, watch)?),
        other_state: found.state,
        other_pixels: found
            .pixels
            .and_then(|pixels| pixels.runs.first().map(|run| run.0)),
    })
}
