//! Dependencies that do maths keep to `libm`: the platform's own would give other last digits elsewhere.

use std::process::Command;

/// Crates that compute coordinates or colours, and the features that would bring the platform's maths.
const MATHS: &[(&str, &[&str])] = &[
    ("tiny-skia", &["std", "png-format"]),
    ("tiny-skia-path", &["std"]),
    ("color", &["std"]),
    ("glam", &["std"]),
    ("kurbo", &["std"]),
    ("peniko", &["std"]),
    ("skrifa", &["std"]),
    ("libm", &["unstable", "unstable-float"]),
];

/// Every crate that is built into the program, with its features; nothing if cargo cannot say.
fn crates() -> Option<Vec<(String, Vec<String>)>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--offline", "--edges", "normal"]);
    command.args(["--prefix", "none", "--format", "{p}|{f}"]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let crates = text.lines().filter_map(|line| {
        let (package, features) = line.split_once('|')?;
        let name = package.split(' ').next()?.to_owned();
        let features = features.trim_end_matches(" (*)").split(',');
        Some((name, features.map(str::to_owned).collect()))
    });
    Some(crates.collect())
}

#[test]
fn do_their_maths_portably() {
    let Some(crates) = crates() else {
        eprintln!("skipped: `cargo tree --locked --offline` does not run here");
        return;
    };
    assert!(crates.iter().any(|(name, _)| name == "tiny-skia"));
    for (name, features) in &crates {
        let forbidden = MATHS.iter().find(|(maths, _)| maths == name);
        for feature in forbidden.map_or(&[][..], |(_, features)| features) {
            let has = features.iter().any(|f| f == feature);
            assert!(!has, "{name} is built with its feature {feature}");
        }
    }
}

#[test]
fn that_change_pixels_are_pinned() {
    let manifest = include_str!("../../Cargo.toml");
    for name in ["libm", "tiny-skia"] {
        let line = manifest
            .lines()
            .find(|line| line.starts_with(&format!("{name} =")));
        let line = line.unwrap_or_else(|| panic!("{name} is not in Cargo.toml"));
        assert!(line.contains("\"="), "{name} is not pinned exactly: {line}");
    }
}
