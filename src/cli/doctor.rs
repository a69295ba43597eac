//! `hazumi doctor`: whether this machine gives the published numbers and pixels.

use super::schema::print;
use super::{Outcome, Voice};
use crate::golden::doctor::{Diagnosis, examine};

pub fn run(voice: &Voice) -> Outcome {
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
