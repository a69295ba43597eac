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
