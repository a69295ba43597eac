//! The words of a chart: its label, the names of its series, and the numbers at its axes.

use super::super::{Brush, Lettering, Pen};
use crate::maths::vector::Vec2;
use crate::picture::{Cap, ColourId};
use crate::scene::builder::Builder;
use crate::spec::slots::Text;
use crate::text::{self, Align, Baseline, FontId, FontSet, Setting};
use std::sync::Arc;

/// A text that stands somewhere in a chart.
pub struct Caption(Lettering);

impl Caption {
    /// Reads it in the first font.
    pub fn build(text: &Text, b: &mut Builder) -> Self {
        Self(Lettering::build(text, &None, b))
    }

    /// The line as it is at the pen's row.
    pub fn line(&self, pen: &Pen) -> text::Line<'_> {
        self.0.line(pen)
    }
}

/// What a chart writes with.
pub struct Letters {
    fonts: Arc<FontSet>,
    brush: Brush,
}

impl Letters {
    /// In the first font.
    pub fn build(colour: ColourId, b: &mut Builder) -> Self {
        Self {
            fonts: b.fonts(),
            brush: Brush::solid(colour),
        }
    }

    /// A line of text.
    pub fn line(&self, text: &str) -> text::Line<'_> {
        self.fonts.line(FontId::default(), text)
    }

    /// Writes a line at a point.
    pub fn write(&self, pen: &mut Pen, line: &text::Line, how: (f64, Align, Baseline), at: Vec2) {
        let (size, align, baseline) = how;
        let setting = Setting {
            size,
            align,
            baseline,
            fit: None,
            rotate: 0.0,
        };
        pen.text(&self.brush, line, &setting, at);
    }

    /// Writes a line from a middle left point on, no wider than a width in px.
    fn write_within(&self, pen: &mut Pen, line: &text::Line, (size, width): (f64, f64), at: Vec2) {
        let setting = Setting {
            size,
            align: Align::Left,
            baseline: Baseline::Middle,
            fit: Some(width.max(f64::MIN_POSITIVE)),
            rotate: 0.0,
        };
        pen.text(&self.brush, line, &setting, at);
    }
}

/// A series' name beside a piece of its curve.
pub struct Entry<'c> {
    pub line: text::Line<'c>,
    pub colour: ColourId,
    /// Width of the curve; a filled patch without one.
    pub width: Option<f64>,
}

/// Label and legend in rows above the plot; lengths in em.
pub struct Header<'c> {
    label: Option<text::Line<'c>>,
    entries: Vec<Entry<'c>>,
    size: f64,
    width: f64,
}

/// Height of a row.
const ROW: f64 = 1.6;
/// Length of the piece of curve that a name stands beside.
const SAMPLE: f64 = 1.4;
/// Between that piece and the name.
const GAP: f64 = 0.4;
/// Between names.
const APART: f64 = 1.0;

impl<'c> Header<'c> {
    /// For a chart of this width in px.
    pub fn new(
        label: Option<text::Line<'c>>,
        entries: Vec<Entry<'c>>,
        size: f64,
        width: f64,
    ) -> Self {
        Self {
            label,
            entries,
            size,
            width: width / size,
        }
    }

    /// Its height in px.
    pub fn height(&self) -> f64 {
        let rows = self.rows().len();
        let all = match &self.label {
            Some(_) if !self.shares_row() => rows + 1,
            Some(_) => rows.max(1),
            None => rows,
        };
        all as f64 * ROW * self.size
    }

    /// Whether the first row of names has room beside the label.
    fn shares_row(&self) -> bool {
        let label = self.label.as_ref().map_or(0.0, |line| line.width + APART);
        let first = self.rows().first().map_or(0.0, |row| self.length(row));
        label + first <= self.width
    }

    /// Names in rows, as many in each as there is room for.
    fn rows(&self) -> Vec<&[Entry<'c>]> {
        let mut rows = Vec::new();
        let mut rest = self.entries.as_slice();
        while !rest.is_empty() {
            let fitting = (1..=rest.len())
                .rev()
                .find(|n| self.length(&rest[..*n]) <= self.width);
            let (row, more) = rest.split_at(fitting.unwrap_or(1));
            rows.push(row);
            rest = more;
        }
        rows
    }

    fn length(&self, row: &[Entry]) -> f64 {
        let names: f64 = row
            .iter()
            .map(|entry| SAMPLE + GAP + entry.line.width)
            .sum();
        names + APART * row.len().saturating_sub(1) as f64
    }

    /// Draws it with its left top corner at a point.
    pub fn draw(&self, pen: &mut Pen, letters: &Letters, corner: Vec2) {
        let size = self.size;
        let middle = |row: usize| corner.y + (row as f64 + 0.5) * ROW * size;
        if let Some(label) = &self.label {
            let at = Vec2::new(corner.x, middle(0));
            letters.write_within(pen, label, (size, self.width * size), at);
        }
        let first = usize::from(self.label.is_some() && !self.shares_row());
        for (i, row) in self.rows().into_iter().enumerate() {
            let mut x = corner.x + (self.width - self.length(row)).max(0.0) * size;
            for entry in row {
                let at = Vec2::new(x, middle(first + i));
                let width = self.width * size - (x - corner.x);
                entry.draw(pen, letters, at, (size, width));
                x += (SAMPLE + GAP + entry.line.width + APART) * size;
            }
        }
    }
}

impl Entry<'_> {
    /// Draws it from a middle left point on, no wider than a width in px.
    fn draw(&self, pen: &mut Pen, letters: &Letters, at: Vec2, (size, width): (f64, f64)) {
        let long = Vec2::new(SAMPLE * size, 0.0);
        match self.width {
            Some(width) => {
                let nib = pen.solid(width, Cap::Butt);
                pen.stroke(self.colour, 1.0, nib, |shape| {
                    shape.polyline([at, at + long].into_iter(), false);
                });
            }
            None => {
                let patch = Vec2::new(long.x, 0.7 * size);
                let corner = at - Vec2::new(0.0, patch.y / 2.0);
                pen.fill(self.colour, 1.0, |shape| {
                    shape.rect(corner, patch, 0.0, |p| p)
                });
            }
        }
        let name = Vec2::new(long.x + GAP * size, 0.0);
        letters.write_within(pen, &self.line, (size, width - name.x), at + name);
    }
}
