//! `hazumi merge`: the reports of shards as one.

use super::check::conclude;
use super::{Outcome, Voice};
use crate::golden::report;
use crate::golden::verdict::{Report, SCHEMA_VERSION};
use crate::golden::{self};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The folders that `check --shard --report` wrote.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// The folder for the whole report.
    #[arg(long, value_name = "DIR")]
    report: PathBuf,
}

pub fn run(args: &MergeArgs, voice: &Voice) -> Outcome {
    let mut whole = Report {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        ..Report::default()
    };
    let mut shards: Vec<(usize, usize)> = Vec::new();
    for path in &args.reports {
        match read(path, &args.report) {
            Ok(part) => {
                shards.extend(part.shard);
                join(&mut whole, part);
            }
            Err(why) => whole.faults.push(why),
        }
    }
    whole.faults.extend(missing(&shards));
    whole.faults.iter().for_each(|fault| voice.error(fault));
    whole.specs.sort_by(|a, b| a.file.cmp(&b.file));
    whole
        .specs
        .iter()
        .for_each(|verdict| voice.verdict(verdict));
    whole.orphans = golden::orphans_of(&whole);
    conclude(&mut whole, Some(&args.report), voice)
}

fn read(path: &Path, to: &Path) -> Result<Report, String> {
    let mut part = report::read(path)?;
    let folder = if path.is_dir() {
        Some(path)
    } else {
        path.parent()
    };
    let folder = folder.unwrap_or(Path::new(""));
    report::take_pictures(&mut part, folder, to).map_err(|failure| failure.to_string())?;
    Ok(part)
}

fn join(whole: &mut Report, part: Report) {
    whole.judges_orphans |= part.judges_orphans;
    whole.golden = part.golden;
    for golden in part.goldens {
        if !whole.goldens.contains(&golden) {
            whole.goldens.push(golden);
        }
    }
    whole.specs.extend(part.specs);
    whole.faults.extend(part.faults);
}

/// Sentences about shards that are not there, that are there twice, or that are of another number.
fn missing(shards: &[(usize, usize)]) -> Vec<String> {
    let Some((_, count)) = shards.first() else {
        return Vec::new();
    };
    if shards.iter().any(|(_, other)| other != count) {
        return vec!["these reports are not of the same number of shards".into()];
    }
    let mut faults = Vec::new();
    for number in 1..=*count {
        match shards.iter().filter(|(n, _)| *n == number).count() {
            0 => faults.push(format!("the report of shard {number}/{count} is missing")),
            1 => {}
            _ => faults.push(format!(
                "the report of shard {number}/{count} is there twice"
            )),
        }
    }
    faults
}
