//! Computes the product in float64, and that of FP64 with more bits.

use super::{Inputs, Problem, Shape};
use rayon::prelude::*;
use tutor_kernels::Elements;

impl Problem<'_> {
    /// Computes the given rows of C in float64, one after the other, without its epilogue.
    pub fn exact_rows(&self, rows: &[u32]) -> Vec<f64> {
        let Shape { m, n, k, .. } = self.shape;
        let of_product = |rows: &[u32]| {
            let size = n as usize * k as usize;
            self.rows_of(rows, &self.inputs.b[rows[0] as usize / m as usize * size..][..size])
        };
        rows.chunk_by(|row, next| row / m == next / m).flat_map(of_product).collect()
    }

    /// Computes the given rows of one product.
    fn rows_of(&self, rows: &[u32], b: &[f64]) -> Vec<f64> {
        // Each task computes several rows, so that it reads each row of B from memory only once for all of them.
        const TOGETHER: usize = 8;
        // Several rows of B are processed together, so that each sum is read and written only once for all of them.
        const FOUR: usize = 4;
        let Shape { n, k, .. } = self.shape;
        let (n, k) = (n as usize, k as usize);
        let Inputs { a, c, .. } = self.inputs;
        let Self { alpha, beta, .. } = *self;
        let mut exact = vec![0.0f64; rows.len() * n];
        exact.par_chunks_mut(TOGETHER * n).zip(rows.par_chunks(TOGETHER)).for_each(|(exact, rows)| {
            // What rounding took from each sum, if that matters.
            let mut lost = vec![0.0f64; if self.elements == Elements::F64 { exact.len() } else { 0 }];
            for (fours, b_rows) in b.chunks(FOUR * n).enumerate() {
                for (at, (sums, &row)) in exact.chunks_mut(n).zip(rows).enumerate() {
                    let factors = &a[row as usize * k + FOUR * fours..][..b_rows.len() / n];
                    match lost.chunks_mut(n).nth(at) {
                        Some(lost) => add_compensated(sums, lost, factors, b_rows),
                        None => add_products(sums, factors, b_rows),
                    }
                }
            }
            let rows = rows.iter().map(|row| *row as usize);
            let places = rows.flat_map(|row| (0..n).map(move |column| (row, column)));
            for (at, (sum, (row, column))) in exact.iter_mut().zip(places).enumerate() {
                let old = c[row * n + column];
                if let Some(lost) = lost.get(at) {
                    let (terms, factors) = ([*sum, *lost, old], [alpha, alpha, beta]);
                    let (mut whole, mut rest) = ([0.0], [0.0]);
                    add_compensated(&mut whole, &mut rest, &factors[..if beta == 0.0 { 2 } else { 3 }], &terms);
                    let result = whole[0] + rest[0];
                    if result.is_finite() {
                        *sum = result;
                        continue;
                    }
                    // The lower half of infinity is NaN.
                    *sum = a[row * k..][..k].iter().zip(b[column..].iter().step_by(n)).map(|(a, b)| a * b).sum();
                }
                *sum *= alpha;
                if beta != 0.0 {
                    *sum += beta * old;
                }
            }
        });
        exact
    }

    /// Computes all of C in float64.
    pub fn exact(&self) -> Vec<f64> {
        self.exact_rows(&(0..self.shape.rows()).collect::<Vec<_>>())
    }
}

/// Adds to each sum the products of the factors with its column. There is one row per factor.
fn add_products(sums: &mut [f64], factors: &[f64], rows: &[f64]) {
    let n = sums.len();
    if let &[f0, f1, f2, f3] = factors {
        let (b0, rest) = rows.split_at(n);
        let (b1, rest) = rest.split_at(n);
        let (b2, b3) = rest.split_at(n);
        for ((((sum, b0), b1), b2), b3) in sums.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
            *sum += (f0 * b0 + f1 * b1) + (f2 * b2 + f3 * b3);
        }
        return;
    }
    for (factor, row) in factors.iter().zip(rows.chunks(n)) {
        for (sum, b) in sums.iter_mut().zip(row) {
            *sum += factor * b;
        }
    }
}

/// Does the same, and adds to `lost` what rounding takes from each product (Dekker, *A floating-point technique for extending the
/// available precision*, 1971) and from each sum (Knuth, *The Art of Computer Programming*, vol. 2, 4.2.2).
fn add_compensated(sums: &mut [f64], lost: &mut [f64], factors: &[f64], rows: &[f64]) {
    let halves = |value: f64| {
        let upper = f64::from_bits(value.to_bits() >> 27 << 27);
        (upper, value - upper)
    };
    for (factor, row) in factors.iter().zip(rows.chunks(sums.len())) {
        let (upper, lower) = halves(*factor);
        for ((sum, lost), b) in sums.iter_mut().zip(&mut *lost).zip(row) {
            let ((b_upper, b_lower), product) = (halves(*b), factor * b);
            let rest = (upper * b_upper - product) + upper * b_lower + lower * b_upper + lower * b_lower;
            let whole = *sum + product;
            let added = whole - *sum;
            *lost += (*sum - (whole - added)) + (product - added) + rest;
            *sum = whole;
        }
    }
}
