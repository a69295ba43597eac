//! What tests of laws share.

use super::{Around, Law, Pace, Particles, Snapshot, Walls};

/// One tick as one step, without loss.
pub const TICK: Pace = Pace {
    h: 1.0,
    share: 1.0,
    keep: 1.0,
};

/// A fifth of a sixtieth of a second.
pub const FINE: Pace = Pace {
    h: 1.0 / 300.0,
    share: 0.2,
    keep: 1.0,
};

pub const NOTHING: Around = Around {
    gravity: [0.0, 0.0],
    wind: [0.0, 0.0],
    walls: None,
};

pub fn falling(gravity: f64) -> Around {
    Around {
        gravity: [0.0, gravity],
        ..NOTHING
    }
}

pub fn boxed(gravity: f64, edges: [f64; 4], bounce: f64) -> Around {
    Around {
        walls: Some(Walls {
            edges,
            bounce,
            friction: 0.0,
        }),
        ..falling(gravity)
    }
}

/// A law and its state.
pub struct Run<L> {
    pub law: L,
    pub state: Vec<f64>,
}

impl<L: Law> Run<L> {
    pub fn new(law: L, live: &[f64]) -> Self {
        let mut state = vec![0.0; 4 * law.count() + law.extra()];
        assert_eq!(live.len(), law.live_inputs());
        law.start(live, &mut Particles::split(&mut state, law.count()));
        Self { law, state }
    }

    pub fn p(&mut self) -> Particles<'_> {
        Particles::split(&mut self.state, self.law.count())
    }

    pub fn step(&mut self, around: &Around, live: &[f64], pace: Pace) {
        let mut p = Particles::split(&mut self.state, self.law.count());
        self.law.step(&mut p, around, live, pace);
    }

    pub fn energy(&mut self, around: &Around) -> f64 {
        let p = Snapshot::split(&self.state, self.law.count());
        self.law.energy(p, around)
    }

    pub fn sound(&mut self, live: &[f64]) {
        let p = Snapshot::split(&self.state, self.law.count());
        assert_eq!(self.law.trouble(p, live), None);
    }
}

pub fn circle(center: [f64; 2], radius: f64, points: usize) -> Vec<[f64; 2]> {
    use crate::maths::functions::{TAU, cos_radians, sin_radians};
    let at = |i: usize| {
        let angle = i as f64 / points as f64 * TAU;
        [
            center[0] + cos_radians(angle) * radius,
            center[1] + sin_radians(angle) * radius,
        ]
    };
    (0..points).map(at).collect()
}
