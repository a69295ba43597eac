//! The number of threads never shows in the bytes.

use crate::desk::Desk;
use crate::specs;

#[test]
fn files_are_the_same_on_any_number_of_threads() {
    let desk = Desk::new();
    let specs = specs::folder();
    let specs = specs.to_str().expect("a path in UTF-8");
    for jobs in ["1", "2", "8"] {
        let run = desk.run(&[
            "render",
            specs,
            "-o",
            jobs,
            "--format",
            "gif,apng,png,sprite",
            "--scale",
            "0.25",
            "--fps",
            "10",
            "--jobs",
            jobs,
        ]);
        assert_eq!(run.code, 0, "{}", run.said);
    }
    let one = desk.contents("1");
    let gifs = one
        .iter()
        .filter(|(name, _)| name.ends_with(".gif"))
        .count();
    assert_eq!(gifs, specs::names().len());
    assert!(one.len() > 2 * gifs, "there are sequences too");
    for jobs in ["2", "8"] {
        let others = desk.contents(jobs);
        assert!(one.keys().eq(others.keys()), "other files with {jobs} jobs");
        for (name, bytes) in &one {
            // Not assert_eq: nobody wants to read the bytes.
            assert!(*bytes == others[name], "{name} differs with {jobs} jobs");
        }
    }
}

/// Ways to write a file, each with a road of its own through the encoders.
const MODES: [&[&str]; 11] = [
    &["--format", "gif", "--effort", "fast"],
    &["--format", "gif", "--effort", "max"],
    &["--format", "gif", "--lossless"],
    &["--format", "gif", "--lossy", "6"],
    &["--format", "gif", "--colors", "20"],
    &["--format", "gif", "--colors", "20", "--dither"],
    &["--format", "gif", "--max-bytes", "10k"],
    &["--format", "apng", "--effort", "max"],
    &["--format", "sheet"],
    &["--format", "y4m", "-o", "-"],
    &["--format", "rgba", "-o", "-"],
];

#[test]
fn every_mode_writes_the_same_on_any_number_of_threads() {
    let desk = Desk::new();
    let spec = specs::folder().join("loader-grid.json");
    let spec = spec.to_str().expect("a path in UTF-8");
    for mode in MODES {
        let made = ["1", "2", "8"].map(|jobs| {
            let folder = format!("out-{jobs}");
            let mut arguments = vec![
                "render",
                spec,
                "--no-source",
                "--jobs",
                jobs,
                "--scale",
                "0.5",
            ];
            arguments.extend_from_slice(mode);
            if !mode.contains(&"-o") {
                arguments.extend(["-o", &folder]);
            }
            let run = desk.run(&arguments).well();
            let files = desk.contents(".").into_iter();
            let files: Vec<Vec<u8>> = files.map(|(_, bytes)| bytes).collect();
            for jobs in ["1", "2", "8"] {
                let _ = std::fs::remove_dir_all(desk.path(&format!("out-{jobs}")));
            }
            (run.out, files)
        });
        assert!(
            made[0].0.len() + made[0].1.len() > 0,
            "{mode:?} wrote nothing"
        );
        assert!(made[0] == made[1] && made[0] == made[2], "{mode:?}");
    }
}
