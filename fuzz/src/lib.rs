//! What the fuzz targets share.

pub mod mutation;
pub mod seeds;

use hazumi::film::Error;
use hazumi::limits::Limits;
use hazumi::load::{Animation, Choices};
use rustix::time::{ClockId, clock_gettime};

/// Longest that one step may take, in seconds of the processor: counters and checks make it several times slower
/// than the program, which has 2.
const LONGEST: f64 = 10.0;

/// Processor time of this process, in seconds: other programs on the machine do not count.
fn used() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Does a piece of work; panics if it takes too long.
pub fn in_time<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = used();
    let result = work();
    let took = used() - start;
    assert!(took < LONGEST, "{what} took {took:.1} s of the processor");
    result
}

/// Reads a spec from memory at the usual limits, and everything that is said of it.
pub fn parse(text: &str) -> Option<Animation> {
    parse_within(text, Limits::default())
}

/// The same at other limits.
pub fn parse_within(text: &str, limits: Limits) -> Option<Animation> {
    let choices = Choices {
        limits,
        ..Choices::default()
    };
    match Animation::parse("fuzzed", text, &choices) {
        Ok(animation) => {
            let _ = animation.warnings().to_string();
            Some(animation)
        }
        Err(error @ (Error::Spec(_) | Error::Choice(_))) => {
            assert!(!error.to_string().is_empty());
            None
        }
        Err(other) => panic!("no spec in memory fails like this: {other}"),
    }
}
