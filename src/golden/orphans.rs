//! Goldens that no spec has.

use super::file::{Folder, Form, Golden, bytes_of};
use super::verdict::{Orphan, Report, Status};
use crate::digest::Digest;
use crate::film::Error;
use crate::output;
use std::path::{Path, PathBuf};

/// A digest of a file's bytes, in hexadecimal.
pub fn file_digest(path: &Path) -> Option<String> {
    let bytes = bytes_of(path).ok()?;
    let mut digest = Digest::default();
    digest.add_bytes(&bytes);
    Some(format!("{:016x}", digest.finish()))
}

/// The goldens of a report that none of its specs has, if it can tell; a spec that has none and shows just
/// what one of them does may be its new name.
pub fn orphans_of(report: &Report) -> Vec<Orphan> {
    if !report.judges_orphans {
        return Vec::new();
    }
    let is_claimed = |name: &str| report.specs.iter().any(|spec| spec.name == name);
    let orphaned = report
        .goldens
        .iter()
        .filter(|golden| !is_claimed(&golden.name));
    orphaned
        .map(|golden| Orphan {
            path: golden.path.clone(),
            renamed_to: report
                .specs
                .iter()
                .filter(|spec| spec.status == Status::Missing && golden.digest.is_some())
                .find(|spec| spec.candidate == golden.digest)
                .map(|spec| spec.file.clone()),
        })
        .collect()
}

/// Removes a golden that nothing needs any more.
///
/// # Errors
/// When it cannot be removed.
pub fn remove(path: &Path) -> Result<(), Error> {
    std::fs::remove_file(path).map_err(|source| {
        Error::Output(output::Failure::Io {
            path: path.to_owned(),
            source,
        })
    })
}

/// The goldens of a folder that no spec has: those that `bless` wrote, which may go, and others.
pub fn orphans(folder: &Folder, names: &[String]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let orphaned = folder
        .found
        .iter()
        .filter(|(name, _)| !names.contains(name));
    let places = orphaned.flat_map(|(name, forms)| {
        forms
            .iter()
            .map(move |form| (folder.place(name, *form), *form))
    });
    let (own, others): (Vec<_>, Vec<_>) = places.partition(|(path, form)| is_own(path, *form));
    let paths = |list: Vec<(PathBuf, Form)>| list.into_iter().map(|(path, _)| path).collect();
    (paths(own), paths(others))
}

/// Whether `bless` wrote a golden.
fn is_own(path: &Path, form: Form) -> bool {
    match form {
        Form::Image | Form::Lock => {
            Golden::read(path, form).is_ok_and(|golden| golden.record.is_some())
        }
        Form::Gif | Form::Sequence => false,
    }
}
