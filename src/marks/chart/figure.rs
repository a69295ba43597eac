//! Drawing a chart: bands, lines, axes, curves, playhead, dots, words.

use super::super::{Draw, Pen};
use super::legend::{Entry, Header};
use super::plane::Plane;
use super::samples::Sample;
use super::ticks::Ticks;
use super::{ChartMark, Line};
use crate::formula::format_number;
use crate::maths::functions::clamp;
use crate::maths::vector::Vec2;
use crate::picture::{Cap, ColourId};
use crate::text::{Align, Baseline, Line as TextLine};
use std::borrow::Cow;

/// Width of axes, ticks, the line at 0 and the playhead in px.
const RULE: f64 = 2.0;
/// Rim of a dot in px.
const RIM: f64 = 2.0;
/// Air above and below the data, as a share of its height.
const AIR: f64 = 0.08;
/// Most steps between ticks.
const STEPS: f64 = 6.0;
/// Least air between two numbers of an axis, in em.
const APART: f64 = 0.8;
/// Length of a tick and its distance from the number, in em.
const TICK: f64 = 0.4;

/// An axis: where its ticks lie, and what stands there.
struct Scale<'c> {
    ticks: Ticks,
    lines: Vec<TextLine<'c>>,
}

/// What a frame of a chart shows.
struct Figure<'c> {
    chart: &'c ChartMark,
    plane: Plane,
    samples: Vec<Cow<'c, [Sample]>>,
    size: f64,
    /// Where the playhead stands.
    time: f64,
    /// Whether curves are cut at the box.
    cut: bool,
}

impl Draw for ChartMark {
    fn draw(&self, pen: &mut Pen) {
        let size = pen.number(&self.size);
        let [left, top, right, bottom] = pen.edges(&self.edges);
        let samples: Vec<_> = self.lines.iter().map(|l| l.curve.samples(pen)).collect();
        let range = match &self.range {
            Some(range) => range.at(pen),
            None => self.range_of(&samples),
        };
        let header = self.header(pen, size, right - left);
        let mut plane = Plane {
            left,
            top: (top + header.height()).min(bottom),
            right,
            bottom,
            span: self.span,
            range,
        };
        let scales = self.axes.then(|| self.make_room(&mut plane, size));
        let mut values = samples.iter().flat_map(|list| list.iter());
        let figure = Figure {
            chart: self,
            plane,
            size,
            time: self.time(pen),
            cut: self.axes && values.any(|s| !plane.holds(s.value)),
            samples,
        };
        figure.draw(pen, scales.as_ref());
        header.draw(pen, &self.letters, Vec2::new(left, top));
    }
}

impl ChartMark {
    /// The values of the data with some air.
    fn range_of(&self, samples: &[Cow<[Sample]>]) -> [f64; 2] {
        let values = samples.iter().flat_map(|list| list.iter().map(|s| s.value));
        let zero = self
            .lines
            .iter()
            .any(|line| line.fill.is_some())
            .then_some(0.0);
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        let [low, high] = values
            .chain(zero)
            .fold(start, |[low, high], v| [low.min(v), high.max(v)]);
        let air = if high > low { (high - low) * AIR } else { 1.0 };
        [low - air, high + air]
    }

    fn header<'c>(&'c self, pen: &Pen, size: f64, width: f64) -> Header<'c> {
        let entry = |line: &'c Line| {
            Some(Entry {
                line: line.label.as_ref()?.line(pen),
                colour: line.colour()?,
                width: line.stroke.map(|_| pen.number(&line.width)),
            })
        };
        let entries = self.lines.iter().filter_map(entry).collect();
        let label = self.label.as_ref().map(|label| label.line(pen));
        Header::new(label, entries, size, width)
    }

    /// Leaves room for the axes, below and at the left; returns theirs in this order.
    fn make_room(&self, plane: &mut Plane, size: f64) -> [Scale<'_>; 2] {
        let height = (plane.bottom - plane.top) / size;
        let beside = self.scale(plane.range, height, |_| 1.0);
        plane.left += (widest(&beside.lines) + 2.0 * TICK) * size + RULE;
        let width = (plane.right - plane.left) / size;
        let below = self.scale(plane.span, width, widest);
        plane.bottom -= (1.0 + 2.0 * TICK) * size + RULE;
        plane.right -= widest(&below.lines) / 2.0 * size;
        plane.top += size / 2.0;
        // A box too small for its numbers keeps a sliver of a plot.
        plane.right = plane.right.max(plane.left + 1.0);
        plane.top = plane.top.min(plane.bottom - 1.0);
        [below, beside]
    }

    /// As many ticks as leave some air between their numbers, along an axis of a length in em.
    fn scale(
        &self,
        [low, high]: [f64; 2],
        length: f64,
        extent: impl Fn(&[TextLine]) -> f64,
    ) -> Scale<'_> {
        let mut steps = STEPS;
        loop {
            let ticks = Ticks::new(low, high, steps);
            let number = |v: &f64| format_number(*v, Some(ticks.decimals));
            let lines = ticks.values.iter().map(|v| self.letters.line(&number(v)));
            let lines: Vec<_> = lines.collect();
            let apart = length * ticks.step / (high - low);
            if apart >= extent(&lines) + APART || steps <= 1.0 {
                return Scale { ticks, lines };
            }
            steps -= 1.0;
        }
    }
}

/// Width of the widest line, in em.
fn widest(lines: &[TextLine]) -> f64 {
    lines.iter().fold(0.0, |most, line| most.max(line.width))
}

impl Figure<'_> {
    fn draw(&self, pen: &mut Pen, scales: Option<&[Scale; 2]>) {
        self.bands(pen);
        self.zero(pen, scales.is_some());
        if let Some([below, beside]) = scales {
            self.axes(pen, below, beside);
        }
        self.curves(pen);
        let x = self.plane.x(self.time);
        let ends = [
            Vec2::new(x, self.plane.top),
            Vec2::new(x, self.plane.bottom),
        ];
        self.rule(pen, self.chart.playhead, &ends);
        self.dots(pen);
    }

    /// Straight lines through points.
    fn rule(&self, pen: &mut Pen, colour: ColourId, points: &[Vec2]) {
        let nib = pen.solid(RULE, Cap::Butt);
        pen.stroke(colour, 1.0, nib, |shape| {
            shape.polyline(points.iter().copied(), false);
        });
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &[Sample])> {
        let samples = self.samples.iter().map(|list| list.as_ref());
        self.chart.lines.iter().zip(samples)
    }

    /// Draws within the plot and a margin around it, if anything leaves the plot.
    fn within(&self, pen: &mut Pen, margin: f64, draw: impl FnOnce(&mut Pen)) {
        if !self.cut {
            return draw(pen);
        }
        let Plane {
            left,
            top,
            right,
            bottom,
            ..
        } = self.plane;
        let around = Vec2::new(margin, margin);
        let corner = Vec2::new(left, top) - around;
        let size = Vec2::new(right, bottom) + around - corner;
        pen.clip(|shape| shape.rect(corner, size, 0.0, |p| p), draw);
    }

    /// What lies between curves and 0.
    fn bands(&self, pen: &mut Pen) {
        self.within(pen, 0.0, |pen| {
            for (line, samples) in self.lines() {
                let Some(colour) = line.fill else { continue };
                let curve = self.plane.curve(samples);
                let (Some(first), Some(last)) = (curve.first(), curve.last()) else {
                    continue;
                };
                let zero = self.plane.y(0.0);
                let back = [Vec2::new(last.x, zero), Vec2::new(first.x, zero)];
                let around = curve.iter().chain(&back).copied();
                pen.fill(colour, 1.0, |shape| shape.polyline(around, true));
            }
        });
    }

    fn zero(&self, pen: &mut Pen, axes: bool) {
        let y = self.plane.y(0.0);
        let on_axis = axes && (y - self.plane.bottom).abs() < RULE / 2.0;
        let shown = self.chart.zero.unwrap_or(self.plane.holds(0.0) && !on_axis);
        if shown {
            let ends = [
                Vec2::new(self.plane.left, y),
                Vec2::new(self.plane.right, y),
            ];
            self.rule(pen, self.chart.rule, &ends);
        }
    }

    /// Axes just outside of the plot, as one line, then ticks and numbers.
    fn axes(&self, pen: &mut Pen, below: &Scale, beside: &Scale) {
        let Plane {
            left,
            top,
            right,
            bottom,
            ..
        } = self.plane;
        let (x, y) = (left - RULE / 2.0, bottom + RULE / 2.0);
        let corner = [Vec2::new(x, top), Vec2::new(x, y), Vec2::new(right, y)];
        self.rule(pen, self.chart.rule, &corner);
        let tick = TICK * self.size;
        let letters = &self.chart.letters;
        for (time, line) in below.ticks.values.iter().zip(&below.lines) {
            let at = Vec2::new(self.plane.x(*time), bottom + RULE);
            let end = at + Vec2::new(0.0, tick);
            self.rule(pen, self.chart.rule, &[at, end]);
            let how = (self.size, Align::Center, Baseline::Top);
            letters.write(pen, line, how, end + Vec2::new(0.0, tick));
        }
        for (value, line) in beside.ticks.values.iter().zip(&beside.lines) {
            let at = Vec2::new(left - RULE, self.plane.y(*value));
            let end = at - Vec2::new(tick, 0.0);
            self.rule(pen, self.chart.rule, &[at, end]);
            let how = (self.size, Align::Right, Baseline::Middle);
            letters.write(pen, line, how, end - Vec2::new(tick, 0.0));
        }
    }

    /// Curves up to the playhead whole, and what is still to come fainter.
    fn curves(&self, pen: &mut Pen) {
        let ahead = clamp(pen.number(&self.chart.ahead), 0.0, 1.0);
        let curves: Vec<(&Line, Vec<Vec2>)> = self
            .lines()
            .filter(|(line, _)| line.stroke.is_some())
            .map(|(line, samples)| (line, self.plane.curve(samples)))
            .collect();
        let thick = curves.iter().fold(0.0, |most: f64, (line, _)| {
            most.max(pen.number(&line.width))
        });
        if ahead == 1.0 {
            return self.within(pen, thick / 2.0, |pen| strokes(pen, &curves, 1.0));
        }
        let heights = curves
            .iter()
            .flat_map(|(_, points)| points.iter().map(|p| p.y));
        let (top, bottom) = match self.cut {
            true => (self.plane.top, self.plane.bottom),
            false => heights.fold((self.plane.top, self.plane.bottom), |(t, b), y| {
                (t.min(y), b.max(y))
            }),
        };
        // Miters and caps reach half a width beyond the points, corners less than a whole one.
        let reach = if self.cut { thick / 2.0 } else { thick };
        let x = self.plane.x(self.time);
        let parts = [
            (self.plane.left - thick, x, 1.0),
            (x, self.plane.right + thick, ahead),
        ];
        for (left, right, opacity) in parts {
            if opacity == 0.0 {
                continue;
            }
            let corner = Vec2::new(left, top - reach);
            let size = Vec2::new(right, bottom + reach) - corner;
            pen.clip(
                |shape| shape.rect(corner, size, 0.0, |p| p),
                |pen| strokes(pen, &curves, opacity),
            );
        }
    }

    /// A disc on every curve that has one, where the playhead stands.
    fn dots(&self, pen: &mut Pen) {
        for line in &self.chart.lines {
            let radius = pen.number(&line.dot);
            let (Some(colour), true) = (line.colour(), radius > 0.0) else {
                continue;
            };
            let value = line.curve.value_at(pen, self.time);
            if self.cut && !self.plane.holds(value) {
                continue;
            }
            let at = Vec2::new(self.plane.x(self.time), self.plane.y(value));
            pen.fill(self.chart.rim, 1.0, |shape| shape.circle(at, radius + RIM));
            pen.fill(colour, 1.0, |shape| shape.circle(at, radius));
        }
    }
}

fn strokes(pen: &mut Pen, curves: &[(&Line, Vec<Vec2>)], opacity: f64) {
    for (line, points) in curves {
        let Some(colour) = line.stroke else { continue };
        let nib = pen.solid(pen.number(&line.width), Cap::Round);
        pen.stroke(colour, opacity, nib, |shape| {
            shape.polyline(points.iter().copied(), false);
        });
    }
}
