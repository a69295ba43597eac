//! Symmetric tridiagonal systems of equations.

/// Solves A·x = r for R right-hand sides at once; A has this diagonal and `beside` next to it.
///
/// Elimination without pivoting, stable for positive definite A. The diagonal is used up; `rows` become the
/// solutions. `beside[i]` stands between rows i and i + 1.
pub fn solve<const R: usize>(diagonal: &mut [f64], beside: &[f64], rows: &mut [[f64; R]]) {
    let n = rows.len();
    for i in 1..n {
        let share = beside[i - 1] / diagonal[i - 1];
        diagonal[i] -= share * beside[i - 1];
        let before = rows[i - 1];
        for (now, before) in rows[i].iter_mut().zip(before) {
            *now -= share * before;
        }
    }
    for i in (0..n).rev() {
        let known = match rows.get(i + 1) {
            Some(after) => after.map(|after| beside[i] * after),
            None => [0.0; R],
        };
        for (now, known) in rows[i].iter_mut().zip(known) {
            *now = (*now - known) / diagonal[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_was_given() {
        let (diagonal, beside) = ([4.0, 5.0, 6.0, 3.0], [1.0, -2.0, 0.5]);
        let want = [[1.0, -1.0], [2.0, 0.5], [-3.0, 0.0], [0.25, 7.0]];
        let mut rows = [[0.0; 2]; 4];
        for i in 0..4 {
            for r in 0..2 {
                rows[i][r] = diagonal[i] * want[i][r];
                if i > 0 {
                    rows[i][r] += beside[i - 1] * want[i - 1][r];
                }
                if i < 3 {
                    rows[i][r] += beside[i] * want[i + 1][r];
                }
            }
        }
        solve(&mut diagonal.clone(), &beside, &mut rows);
        for i in 0..4 {
            for r in 0..2 {
                assert!((rows[i][r] - want[i][r]).abs() < 1e-14);
            }
        }
    }
}
