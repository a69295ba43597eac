//! Golden images: what an animation was once accepted to be, and what has changed since.
//!
//! A golden holds every frame and, in a chunk of its own, the timeline it was drawn from (`record`). So a
//! check can tell not only that pixels differ, but whether the numbers behind them do, which name moved
//! first, or which mark draws the same numbers otherwise.
//!
//! `take` is what the program makes of a spec now, `file` what a golden says; `compare` puts them side by
//! side and `explain` finds the cause. All of it becomes a `verdict`, plain data that every report is made of.

mod bless;
mod bytes;
mod check;
mod chunks;
pub mod compare;
mod container;
mod difference;
pub mod doctor;
mod explain;
mod file;
mod hashes;
mod lock;
mod orphans;
mod pictures;
mod player;
#[cfg(test)]
mod properties;
mod record;
pub mod report;
mod take;
pub mod verdict;

pub use bless::{Blessed, bless};
pub use check::{Job, check};
pub use file::{Folder, Form, play_through};
pub use hashes::Hashes;
pub use orphans::{file_digest, orphans, orphans_of, remove};
