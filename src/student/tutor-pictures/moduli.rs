/*! Error against the number of moduli: an FP64 product of 8 × 8 elements from residues, and plain sums in FP32 and FP64.

Everything is computed here, by the scheme itself ([`crate::ozaki`]). The products by each modulus are left out, because
together they give exactly the integer that 128 bits hold. Up and down select a control, left and right change it.
*/

mod draw;

use crate::ozaki::{MODULI, exponent, largest_norm, scaled};
use crate::prelude::*;
use tutor_course::ModuliView;
use tutor_support::random::{STEP, mix};

/// Rows and columns of C.
const EDGE: usize = 8;
/// Number of moduli in the first column.
const FIRST: usize = ModuliView::COUNTS[0] as usize;
const SEED: u64 = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Length,
    Range,
    Count,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moduli {
    /// Index in [`ModuliView::LENGTHS`].
    length: usize,
    /// Index in [`ModuliView::RANGES`].
    range: usize,
    /// The selected number of moduli.
    count: usize,
    errors: Errors,
}

/// The largest error of an element, relative to the norms of its row and column.
#[derive(Debug, Clone, PartialEq)]
struct Errors {
    /// By the number of moduli, from [`FIRST`] on.
    moduli: Vec<f64>,
    fp32: f64,
    fp64: f64,
}

/// Returns the rows of a matrix, (u - 0.5) · exp(phi · n). The sum of twelve uniform numbers makes n nearly normal.
fn data(length: u32, phi: u32, seed: u64) -> Vec<Vec<f64>> {
    let mut state = seed;
    let mut uniform = move || {
        state = state.wrapping_add(STEP);
        (mix(state) >> 11) as f64 * 2f64.powi(-53)
    };
    let mut element = move || {
        let n: f64 = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        (uniform() - 0.5) * exp(f64::from(phi) * n)
    };
    (0..EDGE).map(|_| (0..length).map(|_| element()).collect()).collect()
}

/// Returns e^x nearly, but on every machine the same number.
fn exp(x: f64) -> f64 {
    let small = x / 1024.0;
    (0..10).fold(1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0)), |power, _| power * power)
}

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Returns a dot product in twice the precision of FP64, as a sum of two numbers (Ogita, Rump, Oishi 2005).
fn exact(a: &[f64], b: &[f64]) -> [f64; 2] {
    a.iter().zip(b).fold([0.0, 0.0], |[high, low], (a, b)| {
        let product = a * b;
        let sum = high + product;
        let added = sum - high;
        let lost = (high - (sum - added)) + (product - added);
        [sum, low + lost + a.mul_add(*b, -product)]
    })
}

/// Computes the largest error of C's elements. B is transposed.
fn errors(length: u32, phi: u32) -> Errors {
    let (a, b) = (data(length, phi, SEED), data(length, phi, SEED + 1));
    let pairs = || (0..EDGE).flat_map(|i| (0..EDGE).map(move |j| (i, j)));
    let known: Vec<([f64; 2], f64)> = pairs().map(|(i, j)| (exact(&a[i], &b[j]), norm(&a[i]) * norm(&b[j]))).collect();
    let largest = |element: &dyn Fn(usize, usize) -> f64| {
        let off = |((i, j), ([high, low], size)): (_, &([f64; 2], f64))| ((element(i, j) - high) - low).abs() / size;
        pairs().zip(&known).map(off).fold(0.0, f64::max)
    };
    let by = |count: usize| {
        let most = largest_norm(&MODULI[..count]);
        let integers = |matrix: &[Vec<f64>]| -> Vec<(i32, Vec<i64>)> {
            let row = |row: &Vec<f64>| {
                let s = exponent(norm(row), most);
                (s, row.iter().map(|value| scaled(*value, s)).collect())
            };
            matrix.iter().map(row).collect()
        };
        let (a, b) = (integers(&a), integers(&b));
        largest(&|i, j| {
            let sum: i128 = a[i].1.iter().zip(&b[j].1).map(|(a, b)| i128::from(*a) * i128::from(*b)).sum();
            sum as f64 * 2f64.powi(-(a[i].0 + b[j].0))
        })
    };
    Errors {
        moduli: (FIRST..=MODULI.len()).map(by).collect(),
        fp32: largest(&|i, j| a[i].iter().zip(&b[j]).fold(0f32, |sum, (a, b)| sum + *a as f32 * *b as f32).into()),
        fp64: largest(&|i, j| a[i].iter().zip(&b[j]).map(|(a, b)| a * b).sum()),
    }
}

impl Moduli {
    pub(crate) fn new(view: &ModuliView) -> Self {
        let [least, most] = ModuliView::COUNTS;
        let length = ModuliView::LENGTHS.iter().position(|k| *k == view.k).unwrap_or(0);
        let range = ModuliView::RANGES.iter().position(|phi| *phi == view.phi).unwrap_or(0);
        let count = view.count.clamp(least, most) as usize;
        Self { length, range, count, errors: errors(ModuliView::LENGTHS[length], ModuliView::RANGES[range]) }
    }

    /// Returns the smallest number of moduli whose error is at most `error`.
    fn reaches(&self, error: f64) -> Option<usize> {
        self.errors.moduli.iter().position(|of| *of <= error).map(|at| at + FIRST)
    }
}

impl Controls for Moduli {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Length, Control::Range, Control::Count];

    fn can(&self, control: Control, up: bool) -> bool {
        let (at, first, last) = match control {
            Control::Length => (self.length, 0, ModuliView::LENGTHS.len() - 1),
            Control::Range => (self.range, 0, ModuliView::RANGES.len() - 1),
            Control::Count => (self.count, FIRST, MODULI.len()),
        };
        if up { at < last } else { at > first }
    }

    fn apply(&mut self, control: Control, up: bool) {
        let at = match control {
            Control::Length => &mut self.length,
            Control::Range => &mut self.range,
            Control::Count => &mut self.count,
        };
        *at = if up { *at + 1 } else { *at - 1 };
        if control != Control::Count {
            self.errors = errors(ModuliView::LENGTHS[self.length], ModuliView::RANGES[self.range]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ozaki::{product, residue, together};

    #[test]
    fn each_modulus_makes_the_error_smaller_until_the_rounding_of_the_result_remains() {
        for (length, phi) in ModuliView::LENGTHS.into_iter().flat_map(|k| ModuliView::RANGES.map(|phi| (k, phi))) {
            let picture = Moduli::new(&ModuliView { k: length, phi, count: 14 });
            let errors = &picture.errors;
            for (at, error) in errors.moduli.iter().enumerate() {
                // An element is off by at most 1/2 in each integer, whose row has at least half the largest norm.
                let norm = largest_norm(&MODULI[..at + FIRST]) / 2.0;
                let step = f64::from(length).sqrt() / norm;
                let bound = step + step * step / 4.0 + 2f64.powi(-53);
                assert!(*error <= bound, "{length} {phi} {at}: {error} {bound}");
            }
            let rounding = 2f64.powi(-53);
            let falls = errors.moduli.windows(2).all(|pair| pair[1] < pair[0] || pair[0] < rounding);
            assert!(falls && errors.fp64 < errors.fp32, "{length} {phi}: {errors:?}");
            let reached = [errors.fp32, errors.fp64].map(|error| picture.reaches(error));
            assert!(matches!(reached, [Some(6 | 7), Some(14)]), "{length} {phi}: {reached:?}");
        }
    }

    #[test]
    fn the_sum_of_integers_is_what_the_moduli_put_together() {
        let (a, b) = (data(64, 2, 3), data(64, 2, 4));
        let moduli = &MODULI[..14];
        let most = largest_norm(moduli);
        let [a, b] = [&a[0], &b[0]].map(|row| {
            let s = exponent(norm(row), most);
            row.iter().map(|value| i128::from(scaled(*value, s))).collect::<Vec<_>>()
        });
        let sum: i128 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let by = |p: u32| residue(a.iter().zip(&b).map(|(a, b)| residue(*a, p) * residue(*b, p)).sum(), p);
        assert_eq!(together(moduli, moduli.iter().map(|p| by(*p))).value, sum);
        assert!(sum.abs() < product(moduli) / 2);
    }

    #[test]
    fn data_are_the_same_on_every_machine() {
        let value = data(16, 4, SEED)[7][15];
        assert_eq!(value.to_bits(), 13_871_424_458_701_073_408, "{value}");
        assert!((exp(3.5) - 3.5f64.exp()).abs() < 1e-6 && exp(0.0) == 1.0);
    }
}
