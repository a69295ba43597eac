//! `hazumi trace`: the numbers of every frame.

use super::inputs::Input;
use super::schema::print;
use super::select::SelectArgs;
use super::stage::{ChoiceArgs, open};
use super::{Outcome, Voice};
use crate::film::Error;
use crate::formula::Operand;
use crate::load::Animation;
use crate::scene::{Named, Scene};
use crate::simulate::{Timeline, simulate};
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;

/// Arguments of `trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// The spec; `-` for standard input.
    spec: PathBuf,
    /// Names to print, instead of all: `dot`, `arm.end`, `links[3].x`.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    format: TraceFormat,
    #[command(flatten)]
    select: SelectArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
}

/// The form of the numbers.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum TraceFormat {
    #[default]
    Csv,
    Json,
}

pub fn run(args: &TraceArgs, voice: &Voice) -> Outcome {
    let input = Input {
        path: args.spec.clone(),
    };
    let Some(animation) = open(&input, &args.choices.choices(&args.only), voice) else {
        return Outcome::Failed;
    };
    match numbers(args, &animation) {
        Ok(text) => print(&text, voice),
        Err(error) => {
            voice.failure(&error);
            Outcome::Failed
        }
    }
}

fn numbers(args: &TraceArgs, animation: &Animation) -> Result<String, Error> {
    let scene = animation.scene();
    let names = if args.only.is_empty() {
        &scene.names
    } else {
        &scene.wanted
    };
    let range = args.select.range(scene).map_err(Error::Choice)?;
    let frames = animation.times(range, args.select.fps)?;
    let columns: Vec<u32> = names.iter().filter_map(column).collect();
    let timeline = simulate(scene, &frames, &columns)
        .map_err(|failure| Error::Spec(animation.warnings().of_failure(&failure, scene)))?;
    Ok(match args.format {
        TraceFormat::Csv => csv(scene, names, &timeline),
        TraceFormat::Json => json(scene, names, &timeline),
    })
}

fn column(named: &Named) -> Option<u32> {
    match named.operand {
        Operand::Column(column) => Some(column),
        _ => None,
    }
}

/// The value of a name in a row.
fn value(named: &Named, row: &[f64]) -> f64 {
    match named.operand {
        Operand::Constant(v) => v,
        Operand::Column(column) => row[column as usize],
        Operand::Element(_) => 0.0,
    }
}

/// A header `frame,t,NAME…`, then a line per frame. Numbers have the shortest digits that read back to the
/// same 64-bit float.
fn csv(scene: &Scene, names: &[Named], timeline: &Timeline) -> String {
    let mut text = String::from("frame,t");
    for named in names {
        text.push(',');
        text.push_str(&named.path);
    }
    text.push('\n');
    let mut row = Vec::new();
    for frame in 0..timeline.frames() {
        timeline.row(frame, &mut row);
        let time = timeline.time(frame);
        // Writing into a string cannot fail.
        let _ = write!(text, "{},{time}", scene.clock.frame_at(time));
        for named in names {
            let _ = write!(text, ",{}", value(named, &row));
        }
        text.push('\n');
    }
    text
}

/// One object: the names, and for every frame its number, its time and the values in the same order.
fn json(scene: &Scene, names: &[Named], timeline: &Timeline) -> String {
    let mut row = Vec::new();
    let frames: Vec<serde_json::Value> = (0..timeline.frames())
        .map(|frame| {
            timeline.row(frame, &mut row);
            let time = timeline.time(frame);
            let values: Vec<f64> = names.iter().map(|named| value(named, &row)).collect();
            serde_json::json!({ "frame": scene.clock.frame_at(time), "t": time, "values": values })
        })
        .collect();
    let paths: Vec<&str> = names.iter().map(|named| named.path.as_str()).collect();
    format!(
        "{}\n",
        serde_json::json!({ "names": paths, "frames": frames })
    )
}
