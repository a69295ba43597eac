//! `hazumi doctor`: whether this machine gives the published numbers and pixels.

use super::inputs::{self, Input};
use super::schema::print;
use super::stage::open;
use super::{Outcome, Voice};
use crate::golden::Hashes;
use crate::golden::doctor::{Diagnosis, examine};
use crate::load::Choices;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print two hashes of each of these specs instead, of its numbers and of its pixels, to compare with
    /// what another machine prints: files, or folders of them.
    #[arg(value_name = "SPEC")]
    specs: Vec<PathBuf>,
}

pub fn run(args: &DoctorArgs, voice: &Voice) -> Outcome {
    match args.specs.is_empty() {
        true => diagnose(voice),
        false => hash(&args.specs, voice),
    }
}

/// A line for each spec: its name and its hashes. One that fails does not stop the others.
fn hash(specs: &[PathBuf], voice: &Voice) -> Outcome {
    let inputs = match inputs::find(specs) {
        Ok(inputs) => inputs,
        Err(why) => {
            voice.error(&why);
            return Outcome::Failed;
        }
    };
    let outcomes = inputs.iter().map(|input| hash_one(input, voice));
    outcomes.max().unwrap_or_default()
}

fn hash_one(input: &Input, voice: &Voice) -> Outcome {
    let Some(animation) = open(input, &Choices::default(), voice) else {
        return Outcome::Failed;
    };
    match Hashes::of(&animation) {
        Ok(hashes) => print(&format!("{} {hashes}\n", input.name()), voice),
        Err(error) => {
            voice.failure(&error);
            Outcome::Failed
        }
    }
}

fn diagnose(voice: &Voice) -> Outcome {
    let diagnosis = match examine() {
        Ok(diagnosis) => diagnosis,
        Err(error) => {
            voice.failure(&error);
            return Outcome::Failed;
        }
    };
    let printed = print(&page(&diagnosis), voice);
    match (diagnosis.other_state, diagnosis.other_pixels) {
        (None, None) => printed,
        _ => printed.max(Outcome::Differs),
    }
}

fn page(diagnosis: &Diagnosis) -> String {
    let simd = if cfg!(feature = "simd") {
        "with"
    } else {
        "without"
    };
    let end = if cfg!(target_endian = "big") {
        "big"
    } else {
        "little"
    };
    let build = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let judged = |other: Option<usize>| match other {
        None => "as published".into(),
        Some(frame) => format!("NOT as published from frame {frame} on"),
    };
    format!(
        "hazumi    {}, {build}\nmachine   {}-{}, {end} endian, {simd} vector instructions, {} threads\n\
         numbers   {:016x}  {}\npixels    {:016x}  {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        rayon::current_num_threads(),
        diagnosis.state,
        judged(diagnosis.other_state),
        diagnosis.pixels,
        judged(diagnosis.other_pixels),
    )
}
