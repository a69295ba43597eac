//! The road of every encoder: frames are made and compressed in parallel and written in order.
//!
//! Frames travel in batches of two per thread of the rayon pool in force, through buffers that are reused,
//! so memory does not grow with the number of frames and no byte depends on the number of threads.

use rayon::prelude::*;

use super::{Stop, Watch};

/// Progress over all passes of an encoder, and the wish to end it.
pub struct Steps<'a> {
    watch: Watch<'a>,
    done: usize,
    total: usize,
}

impl<'a> Steps<'a> {
    /// Work of `total` steps, one per frame and pass.
    pub fn new(watch: Watch<'a>, total: usize) -> Self {
        Self {
            watch,
            done: 0,
            total,
        }
    }

    /// Counts steps that are done.
    pub fn advance(&mut self, steps: usize) {
        self.done += steps;
        (self.watch.progress)(self.done, self.total);
    }
}

/// What happens to the frames of one pass.
pub struct Pass<New, Make, Encode> {
    /// A buffer for one frame.
    pub new: New,
    /// Fills a buffer with frame i, whatever it held before; in parallel.
    pub make: Make,
    /// Turns frame i into a result, given the frame before it; in parallel.
    pub encode: Encode,
}

/// Sends `frames` frames through a pass and hands the results to `write`, in order.
///
/// Fails when `write` does, or between batches once the work is cancelled.
pub fn run<Buffer, Encoded>(
    frames: usize,
    pass: &Pass<
        impl Fn() -> Buffer,
        impl Fn(usize, &mut Buffer) + Sync,
        impl Fn(usize, Option<&Buffer>, &Buffer) -> Encoded + Sync,
    >,
    steps: &mut Steps,
    mut write: impl FnMut(usize, Encoded) -> Result<(), Stop>,
) -> Result<(), Stop>
where
    Buffer: Send + Sync,
    Encoded: Send,
{
    let (make, encode) = (&pass.make, &pass.encode);
    let batch = (2 * rayon::current_num_threads()).min(frames);
    // The first buffer keeps the last frame of the batch before.
    let mut ring: Vec<Buffer> = (0..=batch).map(|_| (pass.new)()).collect();
    for start in (0..frames).step_by(batch.max(1)) {
        steps.watch.check()?;
        let count = batch.min(frames - start);
        ring[1..=count]
            .par_iter_mut()
            .enumerate()
            .for_each(|(i, buffer)| make(start + i, buffer));
        let encoded: Vec<Encoded> = (0..count)
            .into_par_iter()
            .map(|i| {
                let previous = (start + i > 0).then_some(&ring[i]);
                encode(start + i, previous, &ring[i + 1])
            })
            .collect();
        for (i, result) in encoded.into_iter().enumerate() {
            write(start + i, result)?;
        }
        ring.swap(0, count);
        steps.advance(count);
    }
    steps.watch.check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    fn doubled(frames: usize, watch: Watch) -> Result<Vec<(usize, Option<usize>, usize)>, Stop> {
        let mut seen = Vec::new();
        let pass = Pass {
            new: || 0usize,
            make: |frame, buffer: &mut usize| *buffer = frame * 2,
            encode: |_, previous: Option<&usize>, current: &usize| (previous.copied(), *current),
        };
        run(
            frames,
            &pass,
            &mut Steps::new(watch, frames),
            |frame, (before, now)| {
                seen.push((frame, before, now));
                Ok(())
            },
        )?;
        Ok(seen)
    }

    #[test]
    fn each_frame_sees_the_one_before() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for frames in [0, 1, 2, 5, 6, 7, 12, 13] {
                let seen = pool.install(|| doubled(frames, Watch::default())).unwrap();
                let expected: Vec<_> = (0..frames)
                    .map(|frame| {
                        (
                            frame,
                            frame.checked_sub(1).map(|before| before * 2),
                            frame * 2,
                        )
                    })
                    .collect();
                assert_eq!(seen, expected);
            }
        }
    }

    #[test]
    fn progress_reaches_its_end() {
        let last = AtomicUsize::new(0);
        let watch = Watch {
            progress: &|done, _| last.store(done, Ordering::Relaxed),
            ..Watch::default()
        };
        doubled(7, watch).unwrap();
        assert_eq!(last.into_inner(), 7);
    }

    #[test]
    fn a_cancelled_pass_ends() {
        let cancelled = AtomicBool::new(true);
        let watch = Watch {
            cancelled: &cancelled,
            ..Watch::default()
        };
        assert!(matches!(doubled(7, watch), Err(Stop::Cancelled)));
    }
}
