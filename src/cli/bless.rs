//! `hazumi bless`: accepts what specs show now as their golden images.

use super::check::SpecArgs;
use super::inputs::Input;
use super::stage::open;
use super::{Outcome, Voice};
use crate::encode::Watch;
use crate::film::Error;
use crate::golden::{self, Blessed, Folder};
use clap::Args;

/// Arguments of `bless`.
#[derive(Debug, Args)]
pub struct BlessArgs {
    #[command(flatten)]
    specs: SpecArgs,
    /// Keep digests instead of pictures: NAME.lock, a text with a line per frame. A spec that has a lock keeps it.
    #[arg(long)]
    lock_only: bool,
    /// Also under CI, where goldens are compared, not made.
    #[arg(long)]
    force: bool,
}

pub fn run(args: &BlessArgs, voice: &Voice) -> Outcome {
    if super::in_ci() && !args.force {
        voice.error("this is CI, where goldens are checked and not accepted: `--force` does it all the same");
        return Outcome::Failed;
    }
    let desk = match args.specs.desk() {
        Ok(desk) => desk,
        Err(why) => {
            voice.error(&why);
            return Outcome::Failed;
        }
    };
    let specs = desk.inputs.iter();
    let outcomes: Vec<Outcome> = specs
        .map(|input| desk.pool.install(|| one(args, input, &desk.goldens, voice)))
        .collect();
    let outcome = outcomes.into_iter().max().unwrap_or_default();
    let orphans = match desk.whole {
        true => remove_orphans(&desk.goldens, &desk.inputs, voice),
        false => Outcome::Well,
    };
    outcome.max(orphans)
}

fn one(args: &BlessArgs, input: &Input, goldens: &Folder, voice: &Voice) -> Outcome {
    let Some(animation) = open(input, &args.specs.choices.choices(&[]), voice) else {
        return Outcome::Failed;
    };
    let name = input.name();
    let blessed = golden::bless(&animation, &name, goldens, args.lock_only, Watch::default());
    let blessed = blessed.map(|(blessed, claims)| {
        let untrue = claims.untrue.iter().map(golden::report::text::claim);
        untrue.for_each(|words| voice.warning(&format!("{words}; accepted all the same")));
        blessed
    });
    match blessed {
        Ok(Blessed::Written(words)) => voice.note(&format!("{name}: {words}")),
        Ok(Blessed::Unchanged) => voice.detail(&format!("{name}: unchanged")),
        Ok(Blessed::Foreign(path)) => {
            voice.error(&format!(
                "{name}: the golden {path:?} was made elsewhere: remove it, and `bless` makes one of its own"
            ));
            return Outcome::Failed;
        }
        Err(error) => {
            voice.failure_in(&input.path, &error);
            return Outcome::Failed;
        }
    }
    Outcome::Well
}

/// Removes goldens that no spec has, but for those that were made elsewhere.
fn remove_orphans(goldens: &Folder, inputs: &[Input], voice: &Voice) -> Outcome {
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let (own, others) = golden::orphans(goldens, &names);
    for path in &others {
        voice.warning(&format!(
            "{path:?}: no spec has this golden; it was made elsewhere and stays"
        ));
    }
    let remove = |path: &std::path::PathBuf| -> Result<(), Error> {
        golden::remove(path)?;
        voice.note(&format!("{path:?}: removed, no spec has it"));
        Ok(())
    };
    match own.iter().try_for_each(remove) {
        Ok(()) => Outcome::Well,
        Err(error) => {
            voice.failure(&error);
            Outcome::Failed
        }
    }
}
