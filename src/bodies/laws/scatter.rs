//! Places for balls that do not overlap.

use crate::maths::functions::{floor, sqrt};
use crate::maths::random::unit;

/// Random places tried per ball before the box is searched row by row.
const TRIES: i64 = 64;

/// Places circles of the radii given without overlap: centres in the order of the radii.
///
/// Rims stay inside `area` (left, top, right, bottom; px) and at least `gap` apart. The largest comes first, each
/// at random places from the seed; when none is free, at the first free place of a search row by row. The same
/// seed gives the same places for ever.
///
/// # Errors
/// The number of circles that fitted.
pub fn scatter(area: [f64; 4], radii: &[f64], gap: f64, seed: u64) -> Result<Vec<[f64; 2]>, usize> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    let mut field = Field::new(area, radii, gap);
    let mut places = vec![[0.0; 2]; radii.len()];
    let mut fitted = 0;
    for (turn, &i) in order.iter().enumerate() {
        if let Some(place) = field.find(radii[i], seed, turn as i64) {
            field.take(place, radii[i]);
            places[i] = place;
            fitted += 1;
        }
    }
    if fitted == radii.len() {
        Ok(places)
    } else {
        Err(fitted)
    }
}

/// The circles placed so far, each listed in every cell that its bounding box touches.
struct Field {
    area: [f64; 4],
    gap: f64,
    cell: f64,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<[f64; 3]>>,
    search: Search,
}

/// A search row by row. What was not free for a circle is not free for a later one as large: it only goes on.
#[derive(Clone, Copy)]
struct Search {
    radius: f64,
    step: usize,
}

impl Field {
    fn new(area: [f64; 4], radii: &[f64], gap: f64) -> Self {
        let [left, top, right, bottom] = area;
        let (width, height) = (right - left, bottom - top);
        let n = radii.len().max(1) as f64;
        let mean = radii.iter().sum::<f64>() / n;
        // At most some four cells per circle, whatever the box.
        let cell = (2.0 * mean + gap)
            .max(sqrt(width * height / (4.0 * n)))
            .max((width + height) / (4.0 * n + 64.0));
        let (columns, rows) = (1 + (width / cell) as usize, 1 + (height / cell) as usize);
        Self {
            area,
            gap,
            cell,
            columns,
            rows,
            cells: vec![Vec::new(); columns * rows],
            search: Search {
                radius: f64::INFINITY,
                step: 0,
            },
        }
    }

    /// Cells that a circle's bounding box touches: columns and rows, both ends included.
    fn touched(&self, [x, y]: [f64; 2], radius: f64) -> [usize; 4] {
        let index = |v: f64, from: f64, count: usize| {
            (((v - from) / self.cell).max(0.0) as usize).min(count - 1)
        };
        [
            index(x - radius, self.area[0], self.columns),
            index(x + radius, self.area[0], self.columns),
            index(y - radius, self.area[1], self.rows),
            index(y + radius, self.area[1], self.rows),
        ]
    }

    fn take(&mut self, place: [f64; 2], radius: f64) {
        let [first, last, top, bottom] = self.touched(place, radius + self.gap);
        for row in top..=bottom {
            for column in first..=last {
                self.cells[row * self.columns + column].push([place[0], place[1], radius]);
            }
        }
    }

    fn is_free(&self, place: [f64; 2], radius: f64) -> bool {
        let [first, last, top, bottom] = self.touched(place, radius);
        let clear = |other: &[f64; 3]| {
            let (dx, dy) = (place[0] - other[0], place[1] - other[1]);
            let reach = radius + other[2] + self.gap;
            dx * dx + dy * dy >= reach * reach
        };
        (top..=bottom).all(|row| {
            let row = &self.cells[row * self.columns..];
            row[first..=last].iter().flatten().all(clear)
        })
    }

    /// A free place for the `turn`-th circle.
    fn find(&mut self, radius: f64, seed: u64, turn: i64) -> Option<[f64; 2]> {
        let [left, top, right, bottom] = self.area;
        let (width, height) = (right - left - 2.0 * radius, bottom - top - 2.0 * radius);
        if width < 0.0 || height < 0.0 {
            return None;
        }
        // Once a search was needed, nearly nothing is free for one as large: darts would be wasted.
        let tries = if self.is_full_for(radius) { 0 } else { TRIES };
        let dart = |k: i64| {
            let n = 2 * (turn * TRIES + k);
            [
                left + radius + width * unit(seed, n),
                top + radius + height * unit(seed, n + 1),
            ]
        };
        (0..tries)
            .map(dart)
            .find(|&place| self.is_free(place, radius))
            .or_else(|| self.look(radius))
    }

    /// Whether the present search serves circles of this radius.
    fn is_full_for(&self, radius: f64) -> bool {
        self.search.step > 0 && radius > 0.9 * self.search.radius
    }

    /// The next free place row by row, in steps of a quarter radius.
    fn look(&mut self, radius: f64) -> Option<[f64; 2]> {
        if !self.is_full_for(radius) {
            self.search = Search { radius, step: 0 };
        }
        let [left, top, right, bottom] = self.area;
        let (inset, stride) = (self.search.radius, 0.25 * self.search.radius);
        let across = 1 + floor((right - left - 2.0 * inset) / stride) as usize;
        let down = 1 + floor((bottom - top - 2.0 * inset) / stride) as usize;
        while self.search.step < across * down {
            let (column, row) = (self.search.step % across, self.search.step / across);
            self.search.step += 1;
            let place = [
                left + inset + stride * column as f64,
                top + inset + stride * row as f64,
            ];
            if self.is_free(place, radius) {
                return Some(place);
            }
        }
        None
    }
}
