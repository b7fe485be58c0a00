//! Computes how far an element may be from the reference, and compares it.

use super::{Problem, Shape};
use crate::matrix::is_poison;
use rayon::prelude::*;
use tutor_kernels::{Elements, Epilogue, Ozaki};

const LONG_PRODUCT: f64 = 16.0;

/// Norms of the rows of A and of the columns of B, and the allowed errors. They are computed once and used for every
/// comparison.
#[derive(Debug)]
pub struct Tolerance {
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Allowed error of the sums in FP32 (or FP64), relative to the size of the terms.
    sums: f64,
    /// Allowed error of the rounded inputs or truncated terms, relative to the size of the terms.
    inputs: f64,
    /// Allowed error relative to the result.
    result: f64,
    /// Maximum finite result.
    largest: f64,
    /// Below this value, results lose bits to underflow.
    smallest: f64,
}

impl Tolerance {
    /// Returns the tolerance for an FP32 product of the same inputs. It is used to check a reference.
    #[must_use]
    pub fn of_single(&self) -> Self {
        let (rows, columns) = (self.rows.clone(), self.columns.clone());
        Self { rows, columns, sums: self.sums, ..Self::of(Elements::F32, Elements::F32, 1) }
    }

    /// Returns the tolerance for a product that rounds the sums of parts of K to the element type and adds them. By the
    /// Cauchy-Schwarz inequality, the parts together are at most as large as all terms.
    #[must_use]
    pub fn of_rounded_parts(&self) -> Self {
        let (rows, columns) = (self.rows.clone(), self.columns.clone());
        Self { rows, columns, sums: self.sums + 2.0 * self.result, ..*self }
    }

    fn of(elements: Elements, result: Elements, k: u32) -> Self {
        let (result, largest, smallest) = match result {
            Elements::F64 => (0.0, f64::MAX, f64::MIN_POSITIVE),
            Elements::F32 => (0.0, f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
            Elements::Tf32 => (2f64.powi(-9), f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
            // The maximum number of half precision, and half its minimum.
            Elements::F16 => (2f64.powi(-11), 65_504.0, 2f64.powi(-25)),
            // Values beyond 448 become 448.
            Elements::E4m3 => (2f64.powi(-4), f64::from(f32::MAX), 2f64.powi(-10)),
            Elements::Bf16 => (2f64.powi(-8), f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
            Elements::S8 | Elements::S32 => (0.0, f64::from(i32::MAX), 0.0),
        };
        let depth = f64::from(k).sqrt();
        let inputs = match elements {
            Elements::Tf32 => 2f64.powi(-9) * (4.0 / depth).min(1.0),
            Elements::E4m3 => 2f64.powi(-13) * (2.0 + depth / 24.0),
            _ => 0.0,
        };
        // There are three more roundings than products: multiplying by alpha and by beta, and adding both. Sums of integers
        // are exact. The reference of FP64 is itself rounded to FP64.
        let (roundings, roundoff) = match elements {
            Elements::S8 => (0.0, 0.0),
            Elements::F64 => (f64::from(k) + 4.0, 2f64.powi(-53)),
            _ => (f64::from(k) + 3.0, 2f64.powi(-24)),
        };
        Self {
            rows: Vec::new(),
            columns: Vec::new(),
            sums: roundings.min(LONG_PRODUCT) * roundoff,
            inputs,
            result,
            largest,
            smallest,
        }
    }

    /// Returns the maximum error of an element of the product, before it is rounded to the type of C. `doubled` means that
    /// the reference has the error of FP32 sums too.
    pub(super) fn before(&self, scale: f64, doubled: bool) -> f64 {
        let sums = if doubled { 2.0 * self.sums } else { self.sums };
        (sums + self.inputs) * scale
    }
}

impl Problem<'_> {
    /// Computes the tolerance of this product.
    pub fn tolerance(&self) -> Tolerance {
        let Shape { n, k, .. } = self.shape;
        let square = |v: &f64| v * v;
        let rows = self.inputs.a.par_chunks(k as usize).map(|row| row.iter().map(square).sum::<f64>().sqrt()).collect();
        let add = |mut sums: Vec<f64>, row: &[f64]| {
            sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += square(v));
            sums
        };
        let zeros = || vec![0.0; n as usize];
        let of_product = |b: &[f64]| {
            b.par_chunks(n as usize).fold(zeros, add).reduce(zeros, |mut left, right| {
                left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
                left
            })
        };
        let columns = self.inputs.b.chunks(n as usize * k as usize).flat_map(of_product).map(f64::sqrt).collect();
        let result = match self.epilogue {
            Some((Epilogue::E4m3, _)) => Elements::E4m3,
            _ => self.elements.result(),
        };
        let mut tolerance = Tolerance { rows, columns, ..Tolerance::of(self.elements, result, k) };
        tolerance.inputs += self.moduli.map_or(0.0, |moduli| Ozaki::rounding(moduli, k));
        tolerance
    }

    /// Returns the maximum size of an element's terms, to which its error is relative.
    pub(super) fn scale(&self, tolerance: &Tolerance, row: usize, column: usize) -> f64 {
        let Shape { m, n, .. } = self.shape;
        let of_column = tolerance.columns[row / m as usize * n as usize + column];
        let product = self.alpha.abs() * tolerance.rows[row] * of_column;
        if self.beta == 0.0 {
            return product;
        }
        let old = self.inputs.c[row * n as usize + column];
        product + (self.beta * old).abs()
    }
}

/// Returns whether an element is correct, and its error relative to `scale` (0 if it is not finite). `error` is the
/// maximum error of the element before it is rounded to the type of C.
pub(super) fn judge(value: f64, (expected, error): (f64, f64), scale: f64, tolerance: &Tolerance) -> (bool, f64) {
    let allowed = error + tolerance.result * expected.abs() + tolerance.smallest;
    if expected.is_nan() {
        // NaN in the inputs makes the result NaN. Poison in the result does not count as such a NaN.
        return (value.is_nan() && !is_poison(value), 0.0);
    }
    if value.is_nan() {
        return (false, 0.0);
    }
    if expected.is_infinite() || value.is_infinite() {
        // The product may overflow before the old C is added.
        let between = scale >= tolerance.largest.max(f32::MAX.into());
        let overflowed = between || expected.is_infinite() || expected.abs() + allowed >= tolerance.largest;
        return (value.is_infinite() && overflowed && (value > 0.0) == (expected > 0.0), 0.0);
    }
    let error = (value - expected).abs();
    (error <= allowed, if scale > 0.0 { error / scale } else { 0.0 })
}
