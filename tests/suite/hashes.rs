//! The same numbers and pixels on every machine and in every build: what `hazumi doctor SPEC…` prints of the
//! examples, compared with `golden/hashes.txt`.
//!
//! `HAZUMI_BLESS=1 cargo test --release hashes` writes the file anew.

use crate::specs;
use hazumi::golden::Hashes;
use std::fmt::Write;
use std::path::Path;

fn line(name: &str) -> String {
    let hashes = Hashes::of(&specs::open(name)).expect("numbers and a size in range");
    format!("{name} {hashes}")
}

const HEAD: &str = "# name, hash of the state, hash of the pixels\n";

#[test]
fn equal_the_published_ones() {
    let mut measured = String::from(HEAD);
    for name in specs::names() {
        let _ = writeln!(measured, "{}", line(&name));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hashes.txt");
    if std::env::var_os("HAZUMI_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &measured).expect("golden/hashes.txt can be written");
    }
    let published = std::fs::read_to_string(&path).expect("golden/hashes.txt can be read");
    assert_eq!(
        published, measured,
        "\nleft: golden/hashes.txt, right: this build; HAZUMI_BLESS=1 accepts it"
    );
}
