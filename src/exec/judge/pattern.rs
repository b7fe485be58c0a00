//! Finds out which elements of C are incorrect, and whether they have a pattern that explains why.

use super::verdict::MAX_WRONG;
use crate::input::POISON;
use crate::protocol::Shape;
use crate::verify::{Problem, Tolerance};
use tutor_base::sentence;
use tutor_base::words::Sentence;

/// The incorrect elements of a result.
pub(super) struct Wrong {
    /// Number of incorrect elements.
    pub(super) count: u64,
    /// Row and column of the first [`MAX_WRONG`] of them.
    pub(super) places: Vec<[u32; 2]>,
    /// First and last row, and first and last column, of the smallest box that contains them all.
    rows: [u32; 2],
    columns: [u32; 2],
    /// Number of elements that were never written, and number of other NaNs.
    unwritten: u64,
    nan: u64,
}

impl Wrong {
    /// Checks every element. Returns `None` if all are correct.
    pub(super) fn of(problem: &Problem, c: &[f32], exact: &[f64], tolerance: &Tolerance) -> Option<Self> {
        let n = problem.shape.n as usize;
        let mut wrong =
            Self { count: 0, places: Vec::new(), rows: [u32::MAX, 0], columns: [u32::MAX, 0], unwritten: 0, nan: 0 };
        for (at, (&value, &expected)) in c.iter().zip(exact).enumerate() {
            if problem.is_right(at / n, at % n, value, expected, tolerance) {
                continue;
            }
            let place = [(at / n) as u32, (at % n) as u32];
            wrong.count += 1;
            if wrong.places.len() < MAX_WRONG {
                wrong.places.push(place);
            }
            for (range, at) in [(&mut wrong.rows, place[0]), (&mut wrong.columns, place[1])] {
                *range = [range[0].min(at), range[1].max(at)];
            }
            wrong.unwritten += u64::from(value.to_bits() == POISON);
            wrong.nan += u64::from(value.is_nan() && value.to_bits() != POISON);
        }
        (wrong.count > 0).then_some(wrong)
    }

    /// Describes their pattern in a sentence, or returns `None` if there is no useful one.
    pub(super) fn pattern(&self, shape: Shape) -> Option<Sentence> {
        let [first_row, last_row] = self.rows;
        let [first_column, last_column] = self.columns;
        let boxed = u64::from(last_row - first_row + 1) * u64::from(last_column - first_column + 1);
        let all = u64::from(shape.m) * u64::from(shape.n);
        if self.count == self.unwritten {
            return Some(sentence!("exec-judge-unwritten"));
        }
        if self.count == all {
            // For a matrix of one element, this is obvious.
            return (all > 1).then(|| sentence!("exec-judge-everywhere"));
        }
        if self.count == boxed {
            let rows = first_row > 0 || last_row + 1 < shape.m;
            let columns = first_column > 0 || last_column + 1 < shape.n;
            let (rows_from, rows_to) = (first_row.to_string(), last_row.to_string());
            let (columns_from, columns_to) = (first_column.to_string(), last_column.to_string());
            return Some(match (rows, columns) {
                (true, false) => sentence!("exec-judge-rows", from = rows_from, to = rows_to),
                (false, true) => sentence!("exec-judge-columns", from = columns_from, to = columns_to),
                _ => sentence!(
                    "exec-judge-box",
                    top = rows_from,
                    bottom = rows_to,
                    left = columns_from,
                    right = columns_to
                ),
            });
        }
        (self.count == self.nan).then(|| sentence!("exec-judge-all-nan"))
    }
}

/// Returns a sentence that describes an incorrect element, if it equals a sum of the wrong products.
pub(super) fn terms(problem: &Problem, [row, column]: [u32; 2], value: f32, tolerance: &Tolerance) -> Option<Sentence> {
    let Shape { n, k, .. } = problem.shape;
    let (row, column, n, k) = (row as usize, column as usize, n as usize, k as usize);
    if !value.is_finite() || k < 2 {
        return None;
    }
    let products: Vec<f64> = (0..k)
        .map(|l| f64::from(problem.inputs.a[row * k + l]) * f64::from(problem.inputs.b[l * n + column]))
        .collect();
    let old =
        if problem.beta == 0.0 { 0.0 } else { f64::from(problem.beta) * f64::from(problem.inputs.c[row * n + column]) };
    let is = |sum: f64, old: f64| {
        let expected = f64::from(problem.alpha) * sum + old;
        expected.is_finite() && problem.is_right(row, column, value, expected, tolerance)
    };
    let total: f64 = products.iter().sum();
    if old != 0.0 && is(total, 0.0) {
        return Some(sentence!("exec-judge-no-beta"));
    }
    if problem.alpha != 1.0 && problem.is_right(row, column, value, total + old, tolerance) {
        return Some(sentence!("exec-judge-no-alpha"));
    }
    let mut sum = 0.0;
    for (l, product) in products.iter().enumerate() {
        if l > 0 && is(sum, old) {
            return Some(sentence!("exec-judge-first-products", first = l, k = k));
        }
        sum += product;
    }
    let mut left = total;
    for (l, product) in products.iter().enumerate().take(k - 1) {
        left -= product;
        if is(left, old) {
            return Some(sentence!("exec-judge-last-products", missing = l + 1, k = k));
        }
    }
    let missing = (0..k).find(|l| is(total - products[*l], old));
    if let Some(l) = missing {
        return Some(sentence!("exec-judge-missing-product", l = l));
    }
    let twice = (0..k).find(|l| is(total + products[*l], old));
    twice.map(|l| sentence!("exec-judge-twice", l = l))
}
