//! Particles that are held somewhere.

use super::memory::LiveNumber;
use crate::formula::Program;
use crate::scene::builder::{Builder, PointProgram};
use crate::spec::problem::Problem;
use crate::spec::slots::{Pins, Point};
use crate::spec::source::Span;

/// Which particles are held, in creation order, and where.
#[derive(Clone, Debug, Default)]
pub struct PinPlaces {
    pins: Vec<Pin>,
}

#[derive(Clone, Debug)]
struct Pin {
    particle: usize,
    at: [Program; 2],
    /// From the place to the particle, in px.
    offset: [f64; 2],
}

/// A particle that a key stands for, and where it lies from the pin's place.
pub type Held = (usize, [f64; 2]);

impl PinPlaces {
    /// Resolves pins; `held` says which particles a key stands for.
    pub fn build(
        pins: &Pins<Point>,
        held: impl Fn(&str) -> Option<Vec<Held>>,
        allowed: &str,
        b: &mut Builder,
    ) -> Self {
        let mut all: Vec<Pin> = Vec::new();
        for (key, span, place) in pins.0.iter() {
            let at = b.point(place);
            let Some(particles) = held(key) else {
                report_unknown(key, span, allowed, b);
                continue;
            };
            for (particle, offset) in particles {
                if all.iter().any(|pin| pin.particle == particle) {
                    let message =
                        format!("`{key}` holds particle {particle}, which another pin holds");
                    b.report(Problem::error("pinned-twice", span, message));
                    break;
                }
                let at = [at.x.clone(), at.y.clone()];
                all.push(Pin {
                    particle,
                    at,
                    offset,
                });
            }
        }
        all.sort_unstable_by_key(|pin| pin.particle);
        Self { pins: all }
    }

    /// A single particle held at a point.
    pub fn single(particle: usize, point: &Point, b: &mut Builder) -> Self {
        let at = b.point(point);
        Self::at(&at, &[(particle, [0.0; 2])])
    }

    /// Particles held at or near one place.
    pub fn at(at: &PointProgram, held: &[Held]) -> Self {
        let pin = |(particle, offset): &Held| Pin {
            particle: *particle,
            at: [at.x.clone(), at.y.clone()],
            offset: *offset,
        };
        Self {
            pins: held.iter().map(pin).collect(),
        }
    }

    /// The particles that are held, ascending.
    pub fn particles(&self) -> Vec<usize> {
        self.pins.iter().map(|pin| pin.particle).collect()
    }

    /// x and y of every pin.
    pub fn places(&self) -> impl Iterator<Item = LiveNumber> {
        let side = |pin: &Pin, side: usize| LiveNumber {
            plus: pin.offset[side],
            ..LiveNumber::of(pin.at[side].clone())
        };
        self.pins
            .iter()
            .flat_map(move |pin| [side(pin, 0), side(pin, 1)])
    }
}

/// Values of single particles by the same keys as pins.
pub fn values_of<'m, T>(
    map: &'m Pins<T>,
    index: impl Fn(&str) -> Option<usize>,
    allowed: &str,
    b: &mut Builder,
) -> Vec<(usize, &'m T)> {
    let mut values = Vec::new();
    for (name, value) in &map.0.0 {
        let key = name.text.as_deref().unwrap_or_default();
        match index(key) {
            Some(particle) => values.push((particle, value)),
            None => report_unknown(key, name.span, allowed, b),
        }
    }
    values
}

fn report_unknown(key: &str, span: Span, allowed: &str, b: &mut Builder) {
    let message = format!("`{key}` is none of its particles");
    b.report(Problem::error("no-such-particle", span, message).note(format!("keys are {allowed}")));
}

/// A key of digits as the number of a particle.
pub fn numbered(key: &str, count: usize) -> Option<usize> {
    let digits = !key.is_empty() && key.bytes().all(|c| c.is_ascii_digit());
    key.parse().ok().filter(|i| digits && *i < count)
}
