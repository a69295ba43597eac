//! Which balls are near one another: a grid of cells, filled by counting.

use std::ops::Range;

/// Balls by cell.
pub struct Grid {
    cell: f64,
    table: Table,
    /// Where each bucket begins in `balls`; one more at the end.
    begins: Vec<u32>,
    /// Balls by bucket, in creation order within one.
    balls: Vec<u32>,
    /// Column and row of every ball.
    cells: Vec<[i64; 2]>,
}

/// How cells become buckets.
#[derive(Clone, Copy)]
enum Table {
    /// One bucket per cell, row by row: balls that lie close together.
    Dense {
        first: [i64; 2],
        columns: i64,
        rows: i64,
    },
    /// Cells that share a bucket only cost time: who asks compares distances anyway.
    Hashed { mask: usize },
}

impl Table {
    /// A table for these cells: dense, unless it would be much larger than their number.
    fn of(cells: &[[i64; 2]]) -> Self {
        let side = |k: usize| cells.iter().map(move |cell| cell[k]);
        let first = [0, 1].map(|k| side(k).min().unwrap_or(0));
        let size = [0, 1].map(|k| {
            side(k)
                .max()
                .unwrap_or(0)
                .saturating_sub(first[k])
                .saturating_add(1)
        });
        let n = cells.len();
        match size[0].checked_mul(size[1]) {
            Some(all) if all <= 8 * n as i64 + 64 => Self::Dense {
                first,
                columns: size[0],
                rows: size[1],
            },
            _ => Self::Hashed {
                mask: (2 * n).next_power_of_two().max(16) - 1,
            },
        }
    }

    fn buckets(self) -> usize {
        match self {
            Self::Dense { columns, rows, .. } => (columns * rows) as usize,
            Self::Hashed { mask } => mask + 1,
        }
    }

    fn bucket(self, [column, row]: [i64; 2]) -> usize {
        match self {
            Self::Dense { first, columns, .. } => {
                ((row - first[1]) * columns + column - first[0]) as usize
            }
            Self::Hashed { mask } => {
                let mixed = (column as u64)
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .wrapping_add((row as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
                (mixed >> 32) as usize & mask
            }
        }
    }
}

impl Grid {
    /// Sorts balls into cells of this size, px.
    pub fn new(x: &[f64], y: &[f64], cell: f64) -> Self {
        let index = |v: &f64| index(*v, cell);
        let cells: Vec<[i64; 2]> = x.iter().zip(y).map(|(x, y)| [index(x), index(y)]).collect();
        let table = Table::of(&cells);
        let (n, buckets) = (cells.len(), table.buckets());
        let mut begins = vec![0; buckets + 1];
        for at in &cells {
            begins[table.bucket(*at) + 1] += 1;
        }
        for bucket in 0..buckets {
            begins[bucket + 1] += begins[bucket];
        }
        let mut balls = vec![0; n];
        for i in (0..n).rev() {
            // Counts down from the end of the bucket, so `begins` is shifted by one bucket when all are placed.
            let end = &mut begins[table.bucket(cells[i]) + 1];
            *end -= 1;
            balls[*end as usize] = i as u32;
        }
        begins.rotate_left(1);
        begins[buckets] = n as u32;
        Self {
            cell,
            table,
            begins,
            balls,
            cells,
        }
    }

    /// Balls by cell: `around` speaks of places in this list.
    pub fn balls(&self) -> &[u32] {
        &self.balls
    }

    /// Calls `see` with runs of [`Grid::balls`] that hold every ball in the cells within `reach` of a place once.
    #[inline]
    pub fn around(&self, x: f64, y: f64, reach: f64, mut see: impl FnMut(Range<usize>)) {
        let span = |v: f64| [index(v - reach, self.cell), index(v + reach, self.cell)];
        let ([left, right], [top, bottom]) = (span(x), span(y));
        match self.table {
            Table::Dense {
                first,
                columns,
                rows,
            } => {
                let (left, right) = (left.max(first[0]), right.min(first[0] + columns - 1));
                if left > right {
                    return;
                }
                for row in top.max(first[1])..=bottom.min(first[1] + rows - 1) {
                    // Neighbours in a row are neighbours in the table.
                    let [from, to] = [left, right].map(|column| self.table.bucket([column, row]));
                    see(self.begins[from] as usize..self.begins[to + 1] as usize);
                }
            }
            Table::Hashed { .. } => {
                for row in top..=bottom {
                    for column in left..=right {
                        self.see_bucket([column, row], &mut see);
                    }
                }
            }
        }
    }

    /// The balls of one cell, which may share its bucket with others.
    fn see_bucket(&self, at: [i64; 2], see: &mut impl FnMut(Range<usize>)) {
        let bucket = self.table.bucket(at);
        for k in self.begins[bucket] as usize..self.begins[bucket + 1] as usize {
            if self.cells[self.balls[k] as usize] == at {
                see(k..k + 1);
            }
        }
    }
}

fn index(v: f64, cell: f64) -> i64 {
    crate::maths::functions::floor(v / cell) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::random::unit;

    #[test]
    fn finds_every_neighbour_once() {
        let place = |k: i64| (0..300).map(move |i| 200.0 * unit(5, 2 * i + k) - 80.0);
        let (x, y): (Vec<f64>, Vec<f64>) = (place(0).collect(), place(1).collect());
        let grid = Grid::new(&x, &y, 7.0);
        for i in 0..x.len() {
            let mut seen = Vec::new();
            grid.around(x[i], y[i], 11.0, |run| {
                seen.extend(grid.balls()[run].iter().map(|&j| j as usize));
            });
            seen.sort_unstable();
            let count = seen.len();
            seen.dedup();
            assert_eq!(count, seen.len());
            for j in 0..x.len() {
                let near = (x[i] - x[j]).abs() <= 11.0 && (y[i] - y[j]).abs() <= 11.0;
                assert!(!near || seen.contains(&j));
            }
        }
    }

    #[test]
    fn coordinates_without_bounds_do_no_harm() {
        let grid = Grid::new(&[1e300, f64::NAN, -1e18], &[0.0, 0.0, f64::INFINITY], 1.0);
        let mut seen = 0;
        grid.around(1e300, 0.0, 2.0, |run| seen += run.len());
        assert!(seen <= 3);
    }
}
