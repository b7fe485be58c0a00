//! Applies an epilogue to the reference, and checks the largest value.

use super::{Problem, Reference, Tolerance, Verification};
use rayon::prelude::*;
use tutor_kernels::Epilogue;

/// The steepest slope of GELU is 1.129.
const GELU_SLOPE: f64 = 1.13;
/// Error of GELU relative to its argument: `tanh.approx` has a relative error of 2⁻¹¹ (PTX ISA), and half of the argument
/// is multiplied by it. The rest is for the rounding of its argument.
const GELU_ERROR: f64 = 1.01 / 4096.0;
/// Largest relative error of a number that is rounded to BF16.
const BF16: f64 = 1.0 / 256.0;
const LARGEST_E4M3: f64 = 448.0;

impl Problem<'_> {
    /// Applies the epilogue to an element of the product whose error is at most `error`. Returns the element of C, and its
    /// maximum error before it is rounded to its type.
    pub(super) fn after(&self, column: usize, product: f64, error: f64) -> (f64, f64) {
        let Some((epilogue, bias)) = self.epilogue else { return (product, error) };
        let x = in_register(product + bias[column]);
        // Adding the bias rounds once.
        let biased = error + x.abs() * f64::from(f32::EPSILON);
        match epilogue {
            Epilogue::None | Epilogue::Scales => (product, error),
            Epilogue::Bias => (x, biased),
            // A comparison keeps NaN.
            Epilogue::Relu => (if x < 0.0 { 0.0 } else { x }, biased),
            Epilogue::Gelu => (gelu(x), GELU_SLOPE * biased + GELU_ERROR * x.abs()),
            // The first kernel rounds the product to BF16.
            Epilogue::Unfused => (gelu(x), GELU_SLOPE * (biased + BF16 * product.abs()) + GELU_ERROR * x.abs()),
            Epilogue::E4m3 => (product.clamp(-LARGEST_E4M3, LARGEST_E4M3), error),
        }
    }

    /// Adds a mismatch if the kernel should have found the largest absolute value, but `found` differs from it.
    pub fn check_largest(&self, outcome: &mut Verification, found: f64, reference: &Reference, tolerance: &Tolerance) {
        if matches!(self.epilogue, Some((Epilogue::E4m3, _))) && !self.is_largest(found, reference, tolerance) {
            (outcome.verified, outcome.mismatches) = (false, outcome.mismatches + 1);
        }
    }

    /// True if `found` is the largest absolute value of the product, before it is rounded to the type of C.
    fn is_largest(&self, found: f64, reference: &Reference, tolerance: &Tolerance) -> bool {
        let n = self.shape.n as usize;
        let value = |at: usize| match reference {
            Reference::Exact(exact) => exact[at],
            Reference::Single(single) => single[at],
        };
        let (largest, error) = (0..n * self.shape.m as usize)
            .into_par_iter()
            .map(|at| (value(at).abs(), tolerance.before(self.scale(tolerance, at / n, at % n), true)))
            .reduce(|| (0.0, 0.0), |x, y| (if x.0.is_nan() || x.0 > y.0 { x.0 } else { y.0 }, x.1.max(y.1)));
        let largest = in_register(largest);
        if largest.is_nan() { found.is_nan() } else { found == largest || (found - largest).abs() <= error }
    }
}

/// Returns the value as a register keeps it: beyond the range of FP32, it is infinite.
fn in_register(value: f64) -> f64 {
    if value.abs() > f64::from(f32::MAX) { value.signum() * f64::INFINITY } else { value }
}

/// GELU in its tanh form, as a fused epilogue computes it.
fn gelu(x: f64) -> f64 {
    let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}
