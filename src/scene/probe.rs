//! For tests: small specs, and what comes out of them.

use super::builder::{Builder, FRAME, TIME};
use super::compile::start;
use crate::document::Spec;
use crate::formula::{Inputs, Operand};
use crate::load::{Animation, Choices, Problems, load};
use crate::picture::Picture;
use crate::scene::{Behaviour, Options};
use crate::simulate::{Frames, simulate};
use crate::spec::slots::{Name, Text};
use crate::spec::source::{Source, Span};
use crate::spec::{de, json, schema, validate};
use crate::stage::{Frame, rehearse};
use crate::warnings;
use std::cell::Cell;

/// A spec of two seconds at 50 frames per second, 100 × 100 px.
pub struct Probe {
    source: Source,
}

impl Probe {
    /// A spec with these channels and this skeleton, and nothing drawn.
    pub fn new(channels: &str, skeleton: &str) -> Self {
        Self::drawing(&format!(
            r#""channels": {channels}, "skeleton": {skeleton}"#
        ))
    }

    /// A spec with these sections.
    pub fn drawing(sections: &str) -> Self {
        Self {
            source: source(sections),
        }
    }

    /// The value of a name at a time.
    pub fn at(&self, time: f64, name: &str) -> f64 {
        self.with(time, |b| {
            let operand = b.named_number(&Name::written(Span::default(), name));
            move |inputs: &Inputs| operand.value(inputs)
        })
    }

    /// A text at a time.
    pub fn text(&self, time: f64, text: &str) -> String {
        self.with(time, |b| {
            let pieces = b.text(&Text::written(Span::default(), text));
            move |inputs: &Inputs| {
                let mut shown = String::new();
                pieces
                    .iter()
                    .for_each(|piece| piece.write(inputs, &mut shown));
                shown
            }
        })
    }

    /// The value of a name, which may have memory, at several times.
    pub fn trace(&self, times: &[f64], name: &str) -> Vec<f64> {
        let choices = Choices {
            only: vec![name.to_owned()],
            ..Choices::default()
        };
        let scene = load(self.source.clone(), None, &choices).unwrap().scene;
        let [named] = &scene.wanted[..] else {
            panic!("`{name}` is more than one number");
        };
        let columns: Vec<u32> = match named.operand {
            Operand::Column(column) => vec![column],
            _ => Vec::new(),
        };
        let frames = Frames {
            times: times.to_vec(),
        };
        let timeline = simulate(&scene, &frames, &columns).unwrap();
        let mut row = Vec::new();
        let value = |frame: usize| {
            timeline.row(frame, &mut row);
            let violation = Cell::new(None);
            named.operand.value(&Inputs::new(&row, &[], &violation))
        };
        (0..times.len()).map(value).collect()
    }

    /// Numbers of the spec, which may have memory, at frames of another rate over its two seconds.
    pub fn at_rate(&self, fps: f64, names: &[&str]) -> Vec<Vec<f64>> {
        let scene = self.loaded().scene;
        let column = |name: &&str| {
            let named = scene.names.iter().find(|named| named.path == **name);
            match named.expect("a name").operand {
                Operand::Column(column) => column,
                _ => panic!("{name} is constant"),
            }
        };
        let columns: Vec<u32> = names.iter().map(column).collect();
        let times = (0..=(2.0 * fps) as usize).map(|i| i as f64 / fps).collect();
        let timeline = simulate(&scene, &Frames { times }, &columns).unwrap();
        let mut row = Vec::new();
        (0..timeline.frames())
            .map(|frame| {
                timeline.row(frame, &mut row);
                columns.iter().map(|column| row[*column as usize]).collect()
            })
            .collect()
    }

    fn with<T, F: Fn(&Inputs) -> T>(&self, time: f64, build: impl FnOnce(&mut Builder) -> F) -> T {
        let sources = vec![self.source.clone()];
        let mut problems = Vec::new();
        let document = json::parse(&sources, 0, &mut problems).unwrap();
        let document = validate::validate(schema::of_spec(), &document, &sources, &mut problems);
        let spec: Spec = de::read(&document).unwrap();
        let parts: Vec<_> = spec
            .parts
            .iter()
            .map(|(name, span, part)| (name, span, part.get()))
            .collect();
        let mut b = start(&spec, &parts, &sources, problems, &Options::default());
        let read = build(&mut b);
        assert_eq!(b.problems, [], "{}", self.source.text);
        let violation = Cell::new(None);
        let mut row = vec![0.0; b.columns as usize];
        row[TIME as usize] = time;
        row[FRAME as usize] = b.clock.frame_at(time);
        for step in &b.steps {
            let (before, rest) = row.split_at_mut(step.first as usize);
            let out = &mut rest[..step.outputs as usize];
            match &step.behaviour {
                Behaviour::Signal(signal) => {
                    signal.evaluate(&Inputs::new(before, &[], &violation), out);
                }
                _ => panic!("a probe sees no memory"),
            }
        }
        read(&Inputs::new(&row, &[], &violation))
    }

    /// The spec, which must be without errors.
    pub fn loaded(&self) -> Animation {
        match load(self.source.clone(), None, &Choices::default()) {
            Ok(loaded) => loaded,
            Err(problems) => panic!("{problems}"),
        }
    }

    /// What is drawn at a time.
    pub fn picture(&self, time: f64) -> Picture {
        let scene = self.loaded().scene;
        let frames = Frames { times: vec![time] };
        let timeline = simulate(&scene, &frames, &scene.drawn).unwrap();
        let mut picture = Picture::default();
        let frame = Frame {
            scene: &scene,
            timeline: &timeline,
            frame: 0,
        };
        frame.picture(1.0, &mut picture).unwrap();
        picture
    }

    /// The box around the first item drawn at a time.
    pub fn bounds(&self, time: f64) -> [f64; 4] {
        let points = self.picture(time).points;
        points.iter().fold(
            [f64::MAX, f64::MAX, f64::MIN, f64::MIN],
            |[l, t, r, b], p| [l.min(p.x), t.min(p.y), r.max(p.x), b.max(p.y)],
        )
    }
}

fn source(sections: &str) -> Source {
    let whole: serde_json::Value = serde_json::from_str(&format!("{{ {sections} }}")).unwrap();
    let draw = match whole.get("draw") {
        Some(_) => "",
        None => r#""draw": [],"#,
    };
    Source {
        name: "probe".into(),
        text: format!(
            r#"{{ "hazumi": 1, "alt": "", "canvas": {{ "size": [100, 100], "duration": 2 }}, {draw} {sections} }}"#
        ),
    }
}

/// Every problem of a spec with these sections, also those that only frames show.
pub fn problems(sections: &str) -> String {
    let loaded = match load(source(sections), None, &Choices::default()) {
        Ok(loaded) => loaded,
        Err(problems) => return problems.to_string(),
    };
    let scene = &loaded.scene;
    let mut columns: Vec<u32> = scene.drawn.clone();
    columns.extend(scene.names.iter().filter_map(|named| match named.operand {
        Operand::Column(column) => Some(column),
        _ => None,
    }));
    let frames = Frames::own(scene, 0..scene.clock.frames);
    let outcome = simulate(scene, &frames, &columns).and_then(|timeline| {
        rehearse(scene, &timeline, 1.0)?;
        Ok(warnings::of_timeline(scene, &timeline))
    });
    let mut said: Problems = loaded.problems;
    match outcome {
        Ok(found) => said.list.extend(found),
        Err(failure) => said.list.extend(said.of_failure(&failure, scene).list),
    }
    said.to_string()
}
