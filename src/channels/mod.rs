//! Channels: named numbers. One file per kind.

use crate::kinds::{Plain, kinds};
use crate::scene::builder::Builder;
use crate::scene::entity::Entity;
use crate::spec::slots::Name;

kinds! {
    /// A named number, or several.
    pub enum Channel("channel"): ChannelKind, each Plain<_>;
    approach: Approach,
    axis: Axis,
    deadzone: Deadzone,
    delay: Delay,
    derivative: Derivative,
    gait: Gait,
    integrate: Integrate,
    noise: Noise,
    pointer: Pointer,
    pose: Pose,
    script: Script,
    smooth: Smooth,
    spring: Spring,
    track: Track,
    wave: Wave,
}

/// A kind of channel.
pub trait ChannelKind {
    /// Checks and resolves its fields, and declares its outputs.
    fn build(&self, b: &mut Builder) -> Entity;

    /// The script by which it selects its clips, if a clip of this name is among them.
    fn selects_for(&self, _clip: &str) -> Option<&Name> {
        None
    }
}
