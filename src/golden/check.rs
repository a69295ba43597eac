//! One spec beside its golden: what it says of itself first, then its frames.

use super::bless::candidate;
use super::compare::{Comparison, Fault};
use super::difference;
use super::explain::{explain, place};
use super::file::{Folder, Form, Golden};
use super::orphans::file_digest;
use super::pictures;
use super::take::{Films, Take};
use super::verdict::{Claims, Status, Tolerance, Untrue, Verdict};
use crate::encode::Watch;
use crate::film::Error;
use crate::load::Animation;
use crate::output::{self, Destination};
use std::path::Path;

/// Where one spec's golden is looked for, and where what does not fit is put.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The spec as it was given.
    pub file: &'a str,
    pub name: &'a str,
    pub goldens: &'a Folder,
    /// The folder for candidates and pictures.
    pub out: &'a Path,
    /// The folder of the report, if there will be one.
    pub report: Option<&'a Path>,
}

impl Job<'_> {
    /// What is known before the spec is read.
    pub fn verdict(&self) -> Verdict {
        Verdict {
            file: self.file.to_owned(),
            name: self.name.to_owned(),
            status: Status::Passes,
            place: None,
            message: String::new(),
            claims: Claims::default(),
            difference: None,
            tolerance: None,
            frames: 0,
            golden: None,
            written: Vec::new(),
            candidate: None,
            pictures: None,
        }
    }
}

/// Checks a spec.
///
/// # Errors
/// When it cannot be simulated or drawn, or something not be written. What is wrong with a golden is a
/// verdict.
pub fn check(animation: &Animation, job: &Job, watch: Watch) -> Result<Verdict, Error> {
    animation.check_frames(1.0, animation.frames())?;
    let films = Films::of(animation)?;
    films.plain.check_exact()?;
    let take = Take::of(films.shown())?;
    let mut verdict = job.verdict();
    verdict.frames = take.frames();
    verdict.claims = claims(&films, &take);
    verdict.tolerance = animation.scene().tolerance.as_ref().map(Tolerance::of);
    if let Some(untrue) = verdict.claims.untrue.first() {
        verdict.status = Status::Differs;
        verdict.place = Some(untrue.place.clone());
        verdict.message = format!("a claim does not hold: {}", untrue.words);
    }
    let forms = job
        .goldens
        .found
        .get(job.name)
        .map_or(&[][..], Vec::as_slice);
    match forms {
        [] => {
            verdict.worsen(Status::Missing, "there is no golden");
            let written = candidate(&take, job, Form::Image, watch)?;
            verdict.candidate = file_digest(Path::new(&written));
            verdict.written.push(written);
        }
        [form] => {
            let path = job.goldens.place(job.name, *form);
            verdict.golden = Some(shown(&path));
            match Golden::read(&path, *form) {
                Ok(golden) => compare(&take, &golden, job, &mut verdict, watch)?,
                Err(why) => verdict.unreadable(&why),
            }
        }
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|form| format!("`{}{}`", job.name, form.ending()))
                .collect();
            let why = format!("there are several: {}", names.join(" and "));
            verdict.golden = Some(shown(&job.goldens.place(job.name, several[0])));
            verdict.unreadable(&why);
        }
    }
    Ok(verdict)
}

/// A path as it is told.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn compare(
    take: &Take,
    golden: &Golden,
    job: &Job,
    verdict: &mut Verdict,
    watch: Watch,
) -> Result<(), Error> {
    let tolerance = verdict.tolerance.clone().unwrap_or_default();
    match compare_or_fault(take, golden, job, (verdict, &tolerance), watch) {
        Ok(done) => done,
        Err(Fault::Golden(why)) => {
            verdict.unreadable(&why);
            Ok(())
        }
        Err(Fault::Stopped(stop)) => Err(stop.into()),
    }
}

fn compare_or_fault(
    take: &Take,
    golden: &Golden,
    job: &Job,
    (verdict, tolerance): (&mut Verdict, &Tolerance),
    watch: Watch,
) -> Result<Result<(), Error>, Fault> {
    let found = Comparison::of(take, golden, tolerance, watch)?;
    if let Some(tolerance) = &mut verdict.tolerance {
        tolerance.enough = Some(found.enough);
    }
    if found.is_equal() {
        return Ok(Ok(()));
    }
    let (difference, place) = explain(take, golden, found, watch)?;
    verdict.worsen(Status::Differs, "the golden differs");
    verdict.place = Some(place);
    let written = match candidate(take, job, golden.form, watch) {
        Ok(written) => written,
        Err(error) => return Ok(Err(error)),
    };
    verdict.written.push(written);
    if difference.pixels.is_some() && golden.digests.is_none() {
        let path = job.out.join(format!("{}.diff.gif", job.name));
        if let Err(failure) = difference::save(take, golden, &difference, &path, watch)? {
            return Ok(Err(failure.into()));
        }
        verdict.written.push(shown(&path));
    }
    if let (Some(report), None) = (job.report, &golden.digests)
        && let Some(pictures) = pictures::pack(take, golden, &difference, watch)?
    {
        let file = format!("{}.frames.json", job.name);
        let text = serde_json::to_string(&pictures).unwrap_or_default();
        let path = Destination::File(report.join(&file));
        if let Err(failure) = output::save_bytes(&path, text.as_bytes()) {
            return Ok(Err(failure.into()));
        }
        verdict.pictures = Some(file);
    }
    verdict.difference = Some(difference);
    Ok(Ok(()))
}

impl Verdict {
    /// A status at least as bad as this one; its words come first.
    fn worsen(&mut self, status: Status, message: &str) {
        self.status = self.status.max(status);
        message.clone_into(&mut self.message);
    }

    fn unreadable(&mut self, why: &str) {
        self.worsen(
            Status::Unreadable,
            &format!("the golden cannot be read: {why}"),
        );
    }
}

/// Judges the claims.
pub fn claims(films: &Films, take: &Take) -> Claims {
    let mut claims = Claims::default();
    let entries = &take.film.animation().outline.expect;
    for (number, (kind, verdict)) in films.plain.judge().into_iter().enumerate() {
        if verdict.holds {
            claims.hold += 1;
            continue;
        }
        let entry = entries.get(number);
        claims.untrue.push(Untrue {
            number,
            label: entry.map_or(kind.to_owned(), |entry| entry.label.clone()),
            words: verdict.words,
            value: verdict.value,
            bound: verdict.bound,
            frame: verdict.frame,
            place: place(
                take,
                entry.map_or_else(Default::default, |entry| entry.span),
            ),
        });
    }
    claims
}

/// Writes bytes into the out folder and says where.
pub fn put(job: &Job, file: &str, bytes: &[u8]) -> Result<String, output::Failure> {
    let path = job.out.join(file);
    output::save_bytes(&Destination::File(path.clone()), bytes)?;
    Ok(shown(&path))
}
