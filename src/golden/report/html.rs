//! One page that needs nothing else: golden, present and difference side by side, frame by frame.

use super::text;
use crate::golden::pictures::Pictures;
use crate::golden::verdict::{Curve, Difference, PixelDifference, Report, Status, Verdict};
use crate::spec::report::printable;
use serde_json::json;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Specs with pictures.
const MOST_FILMS: usize = 10;
/// Buttons for frames that differ most.
const MOST_WORST: usize = 6;

/// The page; `pictures` has the frames by the name of their file.
pub fn page(report: &Report, pictures: impl Fn(&str) -> Option<Pictures>) -> String {
    let mut films: Vec<serde_json::Value> = Vec::new();
    let mut body = head(report);
    for verdict in report.failures() {
        let film = verdict
            .pictures
            .as_deref()
            .filter(|_| films.len() < MOST_FILMS);
        let film = film.and_then(|file| Some((pictures(file)?, verdict.difference.as_ref()?)));
        let number = film.as_ref().map(|_| films.len());
        if let Some((pictures, difference)) = &film {
            films.push(data(pictures, difference));
        }
        body.push_str(&article(
            verdict,
            film.map(|(pictures, _)| pictures).zip(number),
        ));
    }
    body.push_str(&foot(report));
    let films = serde_json::Value::Array(films)
        .to_string()
        .replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Golden check: {}</title>\n<style>\n{STYLE}</style>\n{body}\
         <script type=\"application/json\" id=\"films\">{films}</script>\n<script>\n{SCRIPT}</script>\n</html>\n",
        escaped(&text::summary(report))
    )
}

/// As text of an element or value of an attribute.
pub fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in printable(words).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

fn head(report: &Report) -> String {
    let mut html = String::from("<header>\n<h1>Golden check</h1>\n");
    let failures = report.failures().len() + report.orphans.len() + report.faults.len();
    let word = if failures == 0 { "good" } else { "bad" };
    // Writing into a string cannot fail.
    let _ = writeln!(
        html,
        "<p class=\"{word}\">{}</p>",
        escaped(&text::summary(report))
    );
    let version = format!("hazumi {}, goldens in {}", report.version, report.golden);
    let _ = writeln!(html, "<p class=\"soft\">{}</p>", escaped(&version));
    if failures > 0 {
        html.push_str(
            "<p class=\"soft\"><kbd>←</kbd> <kbd>→</kbd> frame (with <kbd>Shift</kbd> ten), <kbd>n</kbd> next that \
             differs, <kbd>Space</kbd> play, <kbd>j</kbd> <kbd>k</kbd> next and last spec</p>\n",
        );
    }
    for fault in &report.faults {
        let _ = writeln!(html, "<p class=\"bad\">{}</p>", escaped(fault));
    }
    for orphan in &report.orphans {
        let _ = writeln!(
            html,
            "<p class=\"bad\">{}</p>",
            escaped(&text::orphan(orphan))
        );
    }
    html.push_str("</header>\n");
    html
}

fn foot(report: &Report) -> String {
    let passes = report
        .specs
        .iter()
        .filter(|spec| spec.status == Status::Passes);
    if report.count(Status::Passes) == 0 {
        return String::new();
    }
    let mut html = String::from("<footer>\n<h2>As before</h2>\n<table>\n");
    for spec in passes {
        let tolerance = spec.tolerance.as_ref().map(text::tolerance_in_words);
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{} frames</td><td>{} claims</td><td class=\"soft\">{}</td></tr>",
            escaped(&spec.file),
            spec.frames,
            spec.claims.hold,
            escaped(&tolerance.unwrap_or_default())
        );
    }
    html.push_str("</table>\n</footer>\n");
    html
}

fn article(verdict: &Verdict, film: Option<(Pictures, usize)>) -> String {
    let number = film
        .as_ref()
        .map(|(_, number)| format!(" data-film=\"{number}\""));
    let mut html = format!(
        "<article{}>\n<h2>{}</h2>\n",
        number.unwrap_or_default(),
        escaped(&verdict.file)
    );
    let _ = writeln!(
        html,
        "<pre>{}</pre>",
        escaped_lines(&text::verdict(verdict))
    );
    if verdict.difference.is_none()
        && !verdict.message.is_empty()
        && verdict.status == Status::Failed
    {
        let words = escaped_lines(&verdict.message);
        let _ = writeln!(html, "<pre class=\"bad\">{words}</pre>");
    }
    if let Some((pictures, _)) = &film {
        html.push_str(&frames(verdict, pictures));
    }
    if let Some(difference) = &verdict.difference {
        html.push_str(&curves(&difference.curves));
    }
    html.push_str("</article>\n");
    html
}

/// Lines that are printable one by one.
fn escaped_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    lines.join("\n")
}

/// The three pictures with all that moves them.
fn frames(verdict: &Verdict, pictures: &Pictures) -> String {
    let mut html = String::from("<div class=\"frames\">\n");
    let scale = match pictures.scale {
        1 => String::new(),
        scale => format!(" (1/{scale} of the size)"),
    };
    for what in ["golden", "now", "difference"] {
        let label = escaped(&format!("{what} of {}", verdict.name));
        let _ = writeln!(
            html,
            "<figure><figcaption>{what}{scale}</figcaption><canvas role=\"img\" aria-label=\"{label}\"></canvas></figure>"
        );
    }
    let _ = writeln!(
        html,
        "</div>\n<div class=\"controls\"><button class=\"play\">Play</button>\
         <input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"frame\"><output></output></div>",
        pictures.frames.len().saturating_sub(1)
    );
    if let Some(pixels) = verdict.difference.as_ref().and_then(|d| d.pixels.as_ref()) {
        html.push_str(&strip(pixels));
        html.push_str(&worst(pixels, pictures));
    }
    html
}

/// How much of every frame differs, as bars.
fn strip(pixels: &PixelDifference) -> String {
    let all = pixels.counts.len().max(1);
    let most = pixels.counts.iter().max().copied().unwrap_or(1).max(1);
    let mut html = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {all} 100\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"how much of each frame differs\">"
    );
    for (frame, count) in pixels
        .counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
    {
        // Even the smallest difference shows.
        let height = 12 + u64::from(*count) * 84 / u64::from(most);
        let top = 100 - height;
        let _ = write!(
            html,
            "<rect x=\"{frame}\" y=\"{top}\" width=\"1\" height=\"{height}\"/>"
        );
    }
    html.push_str("<line data-step=\"1\" x1=\"-1\" x2=\"-1\" y1=\"0\" y2=\"100\"/></svg>\n");
    html
}

fn worst(pixels: &PixelDifference, pictures: &Pictures) -> String {
    let mut frames: Vec<usize> = pictures
        .frames
        .iter()
        .copied()
        .filter(|f| pixels.counts.get(*f) > Some(&0))
        .collect();
    frames.sort_by_key(|frame| std::cmp::Reverse(pixels.counts[*frame]));
    let mut html = String::from("<div class=\"controls\"><span class=\"soft\">worst frames</span>");
    for frame in frames.into_iter().take(MOST_WORST) {
        let count = pixels.counts[frame];
        let _ = write!(
            html,
            "<button data-frame=\"{frame}\">{frame}: {count} px</button>"
        );
    }
    html.push_str("</div>\n");
    html
}

/// Width and height of a curve's box, in units of its own.
const BOX: (f64, f64) = (600.0, 100.0);

fn curves(curves: &[Curve]) -> String {
    if curves.is_empty() {
        return String::new();
    }
    let mut html = String::from("<div class=\"curves\">\n");
    for curve in curves {
        html.push_str(&self::curve(curve));
    }
    html.push_str("</div>\n<p class=\"soft key\"><i class=\"was\"></i>golden<i></i>now</p>\n");
    html
}

fn curve(curve: &Curve) -> String {
    let all = curve.expected.iter().chain(&curve.got);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(*v), high.max(*v))
    });
    let pairs = curve.expected.iter().zip(&curve.got);
    let apart = pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    let span = if high > low { high - low } else { 1.0 };
    let count = curve.expected.len().max(curve.got.len()).max(1);
    let step = BOX.0 / count as f64;
    let path = |values: &[f64]| {
        let mut path = String::new();
        for (i, v) in values.iter().enumerate() {
            let (x, y) = (
                (i as f64 + 0.5) * step,
                BOX.1 - 6.0 - (v - low) / span * (BOX.1 - 12.0),
            );
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
        }
        path
    };
    format!(
        "<figure><figcaption>{}: {low:.2} to {high:.2}, apart by up to {apart:.4}</figcaption>\
         <svg class=\"curve\" viewBox=\"0 0 600 100\" preserveAspectRatio=\"none\">\
         <path class=\"was\" d=\"{}\"/><path class=\"now\" d=\"{}\"/>\
         <line data-step=\"{step:.4}\" x1=\"-9\" x2=\"-9\" y1=\"0\" y2=\"100\"/></svg></figure>\n",
        escaped(&curve.name),
        path(&curve.expected),
        path(&curve.got)
    )
}

/// What the script is given.
fn data(pictures: &Pictures, difference: &Difference) -> serde_json::Value {
    let counts = difference
        .pixels
        .as_ref()
        .map(|pixels| pixels.counts.clone());
    let counts = counts.unwrap_or_default();
    let worst = difference.pixels.as_ref().and_then(|pixels| pixels.worst);
    json!({
        "width": pictures.width,
        "height": pictures.height,
        "frames": pictures.frames,
        "palette": pictures.palette,
        "data": pictures.data,
        "all": counts.len(),
        "counts": counts,
        "first": worst.map_or(difference.frame, |worst| worst.frame),
    })
}
