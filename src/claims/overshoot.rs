use super::{Bounds, BoundsCheck, Check, ClaimKind, Film, Verdict, Window, WindowCheck};
use crate::formula::Operand;
use crate::kinds::any_of;
use crate::scene::builder::Builder;
use crate::spec::de::Twice;
use crate::spec::slots::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// How far a number goes past its goal: a track beyond its key values, anything else beyond its value at
/// the end of the window.
///
/// ```json
/// "channels": { "x": { "track": { "keys": [[0.1, 60, "out_back"], [0.9, 180]] } } },
/// "draw": [ { "circle": { "at": ["x", 60], "radius": 14 } } ],
/// "expect": [ { "overshoot": { "of": "x", "min": 10, "max": 20 } } ]
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(
    rename = "claim_overshoot",
    extend("allOf" = [any_of(&[&["min"], &["max"], &["is"], &["more_than"]])])
)]
pub struct Overshoot {
    /// The number.
    pub of: Name,
    /// Another number, which must overshoot less.
    pub more_than: Option<Name>,
}

impl ClaimKind for Overshoot {
    type Shared = Twice<Bounds, Window>;

    fn build(&self, Twice(bounds, window): &Self::Shared, b: &mut Builder) -> Box<dyn Check> {
        Box::new(OvershootCheck {
            of: Goal::build(&self.of, b),
            more_than: self.more_than.as_ref().map(|other| Goal::build(other, b)),
            bounds: bounds.build(b),
            window: window.build(b),
        })
    }
}

struct OvershootCheck {
    of: Goal,
    more_than: Option<Goal>,
    bounds: BoundsCheck,
    window: WindowCheck,
}

struct Goal {
    name: String,
    operand: Operand,
    extent: Option<(f64, f64)>,
}

impl Goal {
    fn build(name: &Name, b: &mut Builder) -> Self {
        let extent = b.entity(name).and_then(|entity| entity.extent);
        Self {
            name: name.describe(),
            operand: b.named_number(name),
            extent,
        }
    }

    /// How far it goes past, and the frame where.
    fn measure(&self, film: &Film, window: &WindowCheck) -> (f64, usize) {
        let mut values = Vec::new();
        window.each(film, |frame, inputs| {
            values.push((frame, self.operand.value(inputs)))
        });
        let end = values.last().map_or(0.0, |(_, v)| *v);
        // Without keys the goal is where it ends, approached from where it starts.
        let (low, high) = self.extent.unwrap_or_else(|| {
            let start = values.first().map_or(end, |(_, v)| *v);
            (start.min(end), start.max(end))
        });
        let past = |v: f64| (low - v).max(v - high).max(0.0);
        let first = values.first().map_or(0, |(frame, _)| *frame);
        values.iter().fold((0.0, first), |(most, at), (frame, v)| {
            if past(*v) > most {
                (past(*v), *frame)
            } else {
                (most, at)
            }
        })
    }
}

impl Check for OvershootCheck {
    fn judge(&self, film: &Film) -> Verdict {
        let (own, frame) = self.of.measure(film, &self.window);
        let mut words = format!("{} overshoots by {own}", self.of.name);
        let mut holds = self.bounds.allows(own);
        if self.bounds.min.is_some() || self.bounds.max.is_some() {
            words += &format!(", {}", self.bounds.describe());
        }
        if let Some(other) = &self.more_than {
            let (less, _) = other.measure(film, &self.window);
            holds &= own > less;
            words += &format!(", more than {} with {less}", other.name);
        }
        Verdict {
            holds,
            value: Some(own),
            bound: Some(self.bounds.describe()),
            frame: Some(frame),
            words,
        }
    }
}
