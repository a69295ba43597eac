//! `hazumi trace`: the numbers of every frame.

use super::inputs::Input;
use super::schema::print_with;
use super::select::SelectArgs;
use super::stage::{ChoiceArgs, open};
use super::{Outcome, Voice};
use crate::film::Error;
use crate::formula::Operand;
use crate::load::Animation;
use crate::scene::{Named, Scene};
use crate::simulate::{Timeline, simulate};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
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
        Ok(timeline) => {
            let (scene, names) = (animation.scene(), names(args, animation.scene()));
            let write = |out: &mut dyn Write| match args.format {
                TraceFormat::Csv => csv(scene, names, &timeline, out),
                TraceFormat::Json => json(scene, names, &timeline, out),
            };
            print_with(write, voice)
        }
        Err(error) => {
            voice.failure(&error);
            Outcome::Failed
        }
    }
}

fn names<'s>(args: &TraceArgs, scene: &'s Scene) -> &'s [Named] {
    match args.only.is_empty() {
        true => &scene.names,
        false => &scene.wanted,
    }
}

fn numbers(args: &TraceArgs, animation: &Animation) -> Result<Timeline, Error> {
    let scene = animation.scene();
    let range = args.select.range(scene).map_err(Error::Choice)?;
    let frames = animation.times(range, args.select.fps)?;
    let columns: Vec<u32> = names(args, scene).iter().filter_map(column).collect();
    simulate(scene, &frames, &columns).map_err(|failure| animation.failed(&failure))
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
fn csv(scene: &Scene, names: &[Named], timeline: &Timeline, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"frame,t")?;
    for named in names {
        write!(out, ",{}", named.path)?;
    }
    writeln!(out)?;
    let mut row = Vec::new();
    for frame in 0..timeline.frames() {
        timeline.row(frame, &mut row);
        let time = timeline.time(frame);
        write!(out, "{},{time}", scene.clock.frame_at(time))?;
        for named in names {
            write!(out, ",{}", value(named, &row))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// One object: the names, and for every frame its number, its time and the values in the same order.
fn json(
    scene: &Scene,
    names: &[Named],
    timeline: &Timeline,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paths: Vec<&str> = names.iter().map(|named| named.path.as_str()).collect();
    write!(out, "{{\"names\":{},\"frames\":[", serde_json::json!(paths))?;
    let mut row = Vec::new();
    for frame in 0..timeline.frames() {
        timeline.row(frame, &mut row);
        let time = timeline.time(frame);
        let values: Vec<f64> = names.iter().map(|named| value(named, &row)).collect();
        let comma = if frame > 0 { "," } else { "" };
        let number = scene.clock.frame_at(time);
        let object = serde_json::json!({ "frame": number, "t": time, "values": values });
        write!(out, "{comma}{object}")?;
    }
    out.write_all(b"]}\n")
}
