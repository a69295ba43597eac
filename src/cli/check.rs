//! `hazumi check`: what specs claim, and their frames beside their golden images.

use super::inputs::{Input, find};
use super::progress::Progress;
use super::stage::ChoiceArgs;
use super::{Outcome, Voice};
use crate::encode::Watch;
use crate::golden::verdict::{Listed, Orphan, Report, SCHEMA_VERSION, Status, Verdict};
use crate::golden::{self, Folder, Job};
use crate::load::Animation;
use crate::output;
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub specs: SpecArgs,
    /// The folder for candidates and pictures of what differs.
    #[arg(short, long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Check only part N of COUNT of the specs; `merge` joins the reports.
    #[arg(long, value_name = "N/COUNT", requires = "report")]
    shard: Option<Shard>,
    /// Also write a report into a folder: a page, JSON, JUnit and a summary.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Which specs, and where their goldens are; shared with `bless`.
#[derive(Debug, Args)]
pub struct SpecArgs {
    /// Specs, or folders of specs: of these, goldens without a spec are told too.
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// The folder of goldens.
    #[arg(long, value_name = "DIR", default_value = "golden")]
    pub golden: PathBuf,
    /// Threads to draw with; what is found is the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub choices: ChoiceArgs,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: usize,
    count: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match parts {
            Some((number, count)) if number >= 1 && number <= count => Ok(Self { number, count }),
            _ => Err("write N/COUNT with N from 1 to COUNT, such as 2/5".into()),
        }
    }
}

/// The specs of a command line with their goldens.
pub struct Desk {
    pub inputs: Vec<Input>,
    pub goldens: Folder,
    /// A whole folder was given, so that goldens without a spec can be told.
    pub whole: bool,
    pub pool: rayon::ThreadPool,
}

impl SpecArgs {
    /// Looks for everything that is needed.
    ///
    /// # Errors
    /// A sentence about what is not there or does not go together.
    pub fn desk(&self) -> Result<Desk, String> {
        let inputs = find(&self.specs)?;
        let mut names: Vec<String> = Vec::new();
        for input in &inputs {
            let name = input.name();
            output::check_name(&name)?;
            if input.is_standard_input() {
                return Err("a spec from standard input has no golden: give it a file".into());
            }
            if names.contains(&name) {
                return Err(format!(
                    "two specs are called `{name}`: they cannot share a golden"
                ));
            }
            names.push(name);
        }
        let threads = usize::from(self.jobs.unwrap_or(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Desk {
            inputs,
            goldens: Folder::read(&self.golden)?,
            whole: self.specs.iter().any(|path| path.is_dir()),
            pool: pool.map_err(|error| format!("cannot start threads: {error}"))?,
        })
    }
}

pub fn run(args: &CheckArgs, voice: &Voice) -> Outcome {
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        golden: args.specs.golden.display().to_string(),
        shard: args.shard.map(|shard| (shard.number, shard.count)),
        ..Report::default()
    };
    match args.specs.desk() {
        Ok(desk) => check(args, &desk, &mut report, voice),
        Err(why) => {
            voice.error(&why);
            report.faults.push(why);
        }
    }
    conclude(&mut report, args.report.as_deref(), voice)
}

fn check(args: &CheckArgs, desk: &Desk, report: &mut Report, voice: &Voice) {
    report.judges_orphans = desk.whole;
    report.goldens = listed(desk);
    let mine = |i: &usize| match args.shard {
        Some(shard) => i % shard.count == shard.number - 1,
        None => true,
    };
    let inputs: Vec<&Input> = (0..desk.inputs.len())
        .filter(mine)
        .map(|i| &desk.inputs[i])
        .collect();
    let progress = Progress::new(inputs.len(), voice);
    for input in inputs {
        let verdict = desk
            .pool
            .install(|| one(args, input, &desk.goldens, voice, &progress));
        voice.verdict(&verdict);
        report.specs.push(verdict);
        progress.spec_done();
    }
    if report.shard.is_none() {
        report.orphans = golden::orphans_of(report);
    }
}

/// One spec; what goes wrong is part of the verdict.
fn one(
    args: &CheckArgs,
    input: &Input,
    goldens: &Folder,
    voice: &Voice,
    progress: &Progress,
) -> Verdict {
    let (file, name) = (input.path.display().to_string(), input.name());
    let job = Job {
        file: &file,
        name: &name,
        goldens,
        out: &args.out,
        report: args.report.as_deref(),
    };
    let report = |done: usize, total: usize| progress.frame(&name, done, total);
    let watch = Watch {
        progress: &report,
        ..Watch::default()
    };
    let failed = |words: String| Verdict {
        status: Status::Failed,
        message: words,
        ..job.verdict()
    };
    let choices = args.specs.choices.choices(&[]);
    let checked = Animation::open(&input.path, &choices).and_then(|animation| {
        if !animation.warnings().list.is_empty() {
            voice.problems(animation.warnings());
        }
        golden::check(&animation, &job, watch)
    });
    match checked {
        Ok(verdict) => verdict,
        Err(error) => {
            voice.failure_in(&input.path, &error);
            failed(error.to_string())
        }
    }
}

/// Every golden there is.
fn listed(desk: &Desk) -> Vec<Listed> {
    let mut list = Vec::new();
    for (name, forms) in &desk.goldens.found {
        let claimed = desk.inputs.iter().any(|input| input.name() == *name);
        for form in forms {
            let path = desk.goldens.place(name, *form);
            list.push(Listed {
                name: name.clone(),
                digest: if claimed {
                    None
                } else {
                    golden::file_digest(&path)
                },
                path: path.display().to_string(),
            });
        }
    }
    list
}

/// Tells of orphans and of everything in one line, writes the report, and says how it ends.
pub fn conclude(report: &mut Report, folder: Option<&Path>, voice: &Voice) -> Outcome {
    report
        .orphans
        .iter()
        .for_each(|orphan: &Orphan| voice.orphan(orphan));
    voice.conclusion(report);
    let mut outcome = outcome_of(report);
    if let Some(folder) = folder
        && let Err(failure) = golden::report::write(report, folder)
    {
        voice.error(&failure.to_string());
        outcome = Outcome::Failed;
    }
    outcome
}

fn outcome_of(report: &Report) -> Outcome {
    let specs = report.specs.iter().map(|verdict| match verdict.status {
        Status::Passes => Outcome::Well,
        Status::Differs | Status::Missing => Outcome::Differs,
        Status::Unreadable | Status::Failed => Outcome::Failed,
    });
    let orphans = report.orphans.iter().map(|_| Outcome::Differs);
    let faults = report.faults.iter().map(|_| Outcome::Failed);
    specs.chain(orphans).chain(faults).max().unwrap_or_default()
}
