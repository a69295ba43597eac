use super::{Outcome, Voice};
#[derive(Debug, clap::Args)]
pub struct RenderArgs {}
pub fn run(_: &RenderArgs, _: &Voice) -> Outcome {
    Outcome::Well
}
