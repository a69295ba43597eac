//! For a person at a terminal.

use crate::golden::verdict::{
    Cause, Difference, Gap, Layer, MarkChange, Orphan, PixelDifference, Place, Report, Status,
    Tolerance, Untrue, Verdict,
};
use crate::spec::problem::{digits, short};
use crate::spec::report::printable;

/// Runs of frames that are told.
const MOST_RUNS: usize = 4;
/// Width of the words that lines begin with.
const INDENT: usize = 12;

/// A verdict that is not a pass, in a few lines; a tolerance that is wide, in one.
pub fn verdict(verdict: &Verdict) -> String {
    let mut lines = Vec::new();
    for untrue in &verdict.claims.untrue {
        lines.push(claim(untrue));
    }
    match (&verdict.difference, verdict.status) {
        (Some(difference), _) => lines.extend(self::difference(verdict, difference)),
        (None, Status::Missing) => {
            lines.push(format!("{}: there is no golden", head(verdict)));
            lines.extend(verdict.written.iter().map(|path| line("candidate", path)));
            lines.push(line("to accept", &format!("hazumi bless {}", verdict.file)));
        }
        // Why a spec failed has been told where it did.
        (None, Status::Unreadable) => {
            let golden = verdict.golden.as_ref().map(|golden| format!("{golden}: "));
            lines.push(format!("{}{}", golden.unwrap_or_default(), verdict.message));
        }
        _ => {}
    }
    if let Some(tolerance) = &verdict.tolerance {
        let place = if lines.is_empty() {
            format!("{}: ", verdict.file)
        } else {
            "  ".into()
        };
        lines.push(format!("{place}{}", tolerance_in_words(tolerance)));
    }
    lines
        .iter()
        .map(|line| format!("{}\n", printable(line)))
        .collect()
}

fn line(word: &str, words: &str) -> String {
    format!("  {word:INDENT$}  {words}")
}

fn at(place: &Place) -> String {
    match place.line {
        0 => place.file.clone(),
        line => format!("{}:{line}:{}", place.file, place.column),
    }
}

fn head(verdict: &Verdict) -> String {
    verdict.place.as_ref().map_or(verdict.file.clone(), at)
}

/// A claim that does not hold.
pub fn claim(untrue: &Untrue) -> String {
    let frame = untrue.frame.map(|frame| format!(" (frame {frame})"));
    format!(
        "{}: expect[{}] `{}` does not hold: {}{}",
        at(&untrue.place),
        untrue.number,
        untrue.label,
        untrue.words,
        frame.unwrap_or_default()
    )
}

/// What the whole difference comes to, in a line.
pub fn difference_in_words(difference: &Difference) -> String {
    let what = match difference.layer {
        Layer::State | Layer::Pixels => "golden differs",
        Layer::Container => "golden is played otherwise",
    };
    format!(
        "{what} from frame {} ({:.2} s)",
        difference.frame, difference.seconds
    )
}

fn difference(verdict: &Verdict, difference: &Difference) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {}",
        head(verdict),
        difference_in_words(difference)
    )];
    lines.extend(
        details(difference)
            .iter()
            .map(|(word, words)| line(word, words)),
    );
    let look = verdict.written.last().map(|path| line("look at", path));
    lines.extend(look);
    lines
}

/// The lines below the first: a word and what is to be said of it.
pub fn details(difference: &Difference) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if difference.layer != Layer::Container {
        let kind = match difference.layer {
            Layer::State => "simulation",
            _ => "drawing, not simulation",
        };
        lines.push((
            "first cause",
            format!("{}   {kind}", cause_in_words(&difference.cause)),
        ));
    }
    if let (Some(gap), Layer::State) = (&difference.largest, difference.layer)
        && !is_all(gap, &difference.cause)
    {
        let size = digits(gap.size, 3);
        lines.push((
            "largest",
            format!("{} by {size} in frame {}", gap.name, gap.frame),
        ));
    }
    if !difference.also.is_empty() {
        let names = difference.also.join(", ");
        let how = match difference.layer {
            Layer::State => "differ too, and do not depend on it",
            _ => "draw otherwise too",
        };
        lines.push(("also", format!("{names}: {how}")));
    }
    if let Some(pixels) = &difference.pixels {
        lines.push(("pixels", pixels_in_words(pixels)));
    } else if difference.layer == Layer::State {
        lines.push(("pixels", "equal".into()));
    }
    if !difference.drawn_by.is_empty() {
        let shares = difference.drawn_by.iter();
        let shares: Vec<String> = shares
            .map(|s| format!("{} {} %", s.label, s.percent))
            .collect();
        lines.push(("drawn by", shares.join(", ")));
    }
    for change in &difference.container {
        lines.push(("container", change.words.clone()));
    }
    if let Some(words) = origin_in_words(difference) {
        lines.push(("spec", words));
    }
    lines
}

/// Whether the first cause says as much.
fn is_all(gap: &Gap, cause: &Cause) -> bool {
    match cause {
        Cause::Number {
            name,
            expected,
            got,
            ..
        } => *name == gap.name && gap.size <= 1.5 * (got - expected).abs(),
        _ => false,
    }
}

/// Whether it is the spec that has changed, or the program.
fn origin_in_words(difference: &Difference) -> Option<String> {
    let changed = difference.spec_changed?;
    let version = difference.version.as_deref().unwrap_or_default();
    let now = env!("CARGO_PKG_VERSION");
    Some(match (changed, version == now) {
        (true, _) => "changed since the golden was accepted".into(),
        (false, true) => "unchanged: the program makes something else of it".into(),
        (false, false) => {
            format!("unchanged: the golden is of hazumi {version}, this is {now}")
        }
    })
}

/// What differs first, in a line.
pub fn cause_in_words(cause: &Cause) -> String {
    match cause {
        Cause::Number {
            name,
            what,
            expected,
            got,
            hidden_until,
        } => {
            let gap = got - expected;
            let values =
                format!("{name} ({what})  expected {expected:.4}   got {got:.4}   ({gap:+.4})");
            match hidden_until {
                None => values,
                Some(frame) => format!("{values} in frame {frame}, by less than 1/1024 until then"),
            }
        }
        Cause::Unmeasured { name, what } => {
            format!("{name} ({what})  differs by less than the golden tells")
        }
        Cause::Names { gone, new } => {
            let list = |names: &[String], what: &str| match names {
                [] => None,
                names => Some(format!("{} {what}", names.join(", "))),
            };
            let words: Vec<String> = [list(gone, "gone"), list(new, "new")]
                .into_iter()
                .flatten()
                .collect();
            match words.is_empty() {
                true => "a number without a name".into(),
                false => format!("other names: {}", words.join("; ")),
            }
        }
        Cause::Mark { label, change } => match change {
            MarkChange::Gone => format!("{label}  is drawn no more"),
            MarkChange::New => format!("{label}  is new"),
            MarkChange::Moved => format!("{label}  is drawn earlier or later than before"),
            MarkChange::Changed(aspects) => {
                format!("{label}  has another {}", aspects.join(" and "))
            }
        },
        Cause::Raster => "the rasteriser: every mark hands it just what it did before".into(),
        Cause::Unknown => "unknown: the golden was made elsewhere and has no timeline".into(),
        Cause::Size { expected, got } => format!(
            "size  expected {} × {} px   got {} × {} px",
            expected.0, expected.1, got.0, got.1
        ),
        Cause::Container => "how it is played".into(),
    }
}

/// Frames that differ, in words.
pub fn runs_in_words(pixels: &PixelDifference) -> String {
    let runs = pixels.runs.iter().take(MOST_RUNS);
    let mut words: Vec<String> = runs
        .map(|(first, last)| match first == last {
            true => format!("{first}"),
            false => format!("{first}–{last}"),
        })
        .collect();
    if pixels.runs.len() > MOST_RUNS {
        words.push("…".into());
    }
    let frames = if pixels.frames == 1 {
        "frame"
    } else {
        "frames"
    };
    format!("{frames} {} ({})", words.join(", "), pixels.frames)
}

/// Pixels that differ, in a line.
pub fn pixels_in_words(pixels: &PixelDifference) -> String {
    let runs = runs_in_words(pixels);
    let Some(worst) = pixels.worst else {
        return runs;
    };
    let [left, top, width, height] = worst.area;
    format!(
        "{runs}, worst frame {}: {} px, largest difference {}, box {left},{top} {width}×{height}",
        worst.frame, worst.pixels, worst.largest
    )
}

/// A tolerance with its reason, and whether less would do.
pub fn tolerance_in_words(tolerance: &Tolerance) -> String {
    let mut words = format!(
        "tolerance: numbers {}, channels {}, pixels {}: {}",
        short(tolerance.number),
        tolerance.channel,
        tolerance.pixels,
        tolerance.reason
    );
    if let (true, Some(enough)) = (tolerance.is_wide(), tolerance.enough) {
        let tighter = format!(
            " (warning: wider than needed; numbers {}, channels {}, pixels {} would do)",
            short(enough.number),
            enough.channel,
            enough.pixels
        );
        words.push_str(&tighter);
    }
    words
}

/// A golden without a spec.
pub fn orphan(orphan: &Orphan) -> String {
    let hint = orphan
        .renamed_to
        .as_ref()
        .map(|spec| format!(", but `{spec}` has none and shows just this: was it renamed?"));
    printable(&format!(
        "{}: no spec has this golden{}",
        orphan.path,
        hint.unwrap_or_default()
    ))
    .into_owned()
}

/// Everything in one line.
pub fn summary(report: &Report) -> String {
    let count = |status: Status, word: &str| match report.count(status) {
        0 => None,
        count => Some(format!("{count} {word}")),
    };
    let orphans = match report.orphans.len() {
        0 => None,
        1 => Some("1 golden without a spec".into()),
        count => Some(format!("{count} goldens without a spec")),
    };
    let words: Vec<String> = [
        count(Status::Passes, "as before"),
        count(Status::Differs, "not as before"),
        count(Status::Missing, "without a golden"),
        count(Status::Unreadable, "with a golden that cannot be read"),
        count(Status::Failed, "failed"),
        orphans,
    ]
    .into_iter()
    .flatten()
    .collect();
    let specs = match report.specs.len() {
        1 => "1 spec".into(),
        count => format!("{count} specs"),
    };
    format!("{specs}: {}", words.join(", "))
}
