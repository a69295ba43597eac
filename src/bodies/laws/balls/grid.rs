//! Which balls are near one another: a grid of cells in a hash table, filled by counting.

/// Balls by cell. Cells that share a bucket only cost time: who asks compares distances anyway.
pub struct Grid {
    cell: f64,
    mask: usize,
    /// Where each bucket begins in `balls`; one more at the end.
    begins: Vec<u32>,
    /// Balls by bucket, in creation order within one.
    balls: Vec<u32>,
    /// Column and row of every ball.
    cells: Vec<[i64; 2]>,
}

impl Grid {
    /// Sorts balls into cells of this size, px.
    pub fn new(x: &[f64], y: &[f64], cell: f64) -> Self {
        let n = x.len();
        let buckets = (2 * n).next_power_of_two().max(16);
        let mut grid = Self {
            cell,
            mask: buckets - 1,
            begins: vec![0; buckets + 1],
            balls: vec![0; n],
            cells: Vec::with_capacity(n),
        };
        for (&x, &y) in x.iter().zip(y) {
            let at = [grid.index(x), grid.index(y)];
            let bucket = grid.bucket(at);
            grid.begins[bucket + 1] += 1;
            grid.cells.push(at);
        }
        for bucket in 0..buckets {
            grid.begins[bucket + 1] += grid.begins[bucket];
        }
        for i in (0..n).rev() {
            // Counts down from the end of the bucket, so `begins` is shifted by one bucket when all are placed.
            let bucket = grid.bucket(grid.cells[i]);
            grid.begins[bucket + 1] -= 1;
            grid.balls[grid.begins[bucket + 1] as usize] = i as u32;
        }
        grid.begins.rotate_left(1);
        grid.begins[buckets] = n as u32;
        grid
    }

    fn index(&self, v: f64) -> i64 {
        // Halves are as good as wholes: only neighbours must stay neighbours.
        crate::maths::functions::floor(v / self.cell) as i64
    }

    fn bucket(&self, [column, row]: [i64; 2]) -> usize {
        let mixed = (column as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add((row as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
        (mixed >> 32) as usize & self.mask
    }

    /// Calls `see` once with every ball in the cells within `reach` of a place.
    pub fn around(&self, x: f64, y: f64, reach: f64, mut see: impl FnMut(usize)) {
        let (first, last) = (self.index(x - reach), self.index(x + reach));
        for row in self.index(y - reach)..=self.index(y + reach) {
            for column in first..=last {
                let at = [column, row];
                let bucket = self.bucket(at);
                let range = self.begins[bucket] as usize..self.begins[bucket + 1] as usize;
                for &ball in &self.balls[range] {
                    if self.cells[ball as usize] == at {
                        see(ball as usize);
                    }
                }
            }
        }
    }
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
            grid.around(x[i], y[i], 11.0, |j| seen.push(j));
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
        grid.around(1e300, 0.0, 2.0, |_| seen += 1);
        assert!(seen <= 3);
    }
}
