//! The progress bar, on a terminal only.

use super::Voice;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One bar for all specs: each counts as a thousand steps.
pub struct Progress {
    bar: ProgressBar,
}

const STEPS: usize = 1000;

impl Progress {
    /// A bar for so many specs; hidden where nobody looks.
    pub fn new(specs: usize, voice: &Voice) -> Self {
        let target = match voice.shows_progress() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some((specs * STEPS) as u64), target);
        let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {wide_msg}");
        bar.set_style(
            style
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("━╸─"),
        );
        Self { bar }
    }

    /// So many steps of the current spec are done.
    pub fn frame(&self, name: &str, done: usize, total: usize) {
        let before = self.bar.position() as usize / STEPS * STEPS;
        // The last step is the spec's own end.
        let share = (done * STEPS / total.max(1)).min(STEPS - 1);
        self.bar.set_position((before + share) as u64);
        self.bar.set_message(name.to_owned());
    }

    /// The current spec is done.
    pub fn spec_done(&self) {
        let before = self.bar.position() as usize / STEPS;
        self.bar.set_position(((before + 1) * STEPS) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
