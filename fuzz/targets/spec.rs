//! Bytes → spec → scene: read from memory, refused with words or resolved.

#![no_main]

use hazumi::spec::read::from_bytes;
use hazumi_fuzz::{in_time, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    in_time("reading", || {
        match from_bytes("fuzzed", 0, bytes.to_vec()) {
            Ok(source) => {
                parse(&source.text);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
});
