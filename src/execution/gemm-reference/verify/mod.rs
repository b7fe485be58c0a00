/*! Compares every element of C with a reference.

Inputs are random and new for each launch. C is filled with poison before the launch (if `beta` is 0), so an element that
was never written is detected. The reference for small shapes is a product in float64. For larger ones on a GPU, it is
cuBLAS or one of our simple kernels, itself checked in float64 on some rows. For FP64, float64 on the host is compensated: it has
about twice as many bits before its last rounding (Dot2 of Ogita, Rump & Oishi, *Accurate sum and dot product*, 2005).

An element is correct if it is as near to the reference as FP32 arithmetic allows. The bound on the error of a dot
product of length K is `γ·|a|·|b|` with `γ ≈ K·u`, u = 2⁻²⁴ (Higham, *Accuracy and Stability of Numerical Algorithms*,
2nd ed., §3.1). By Cauchy–Schwarz, `|a|·|b| ≤ ‖a‖·‖b‖`. For long dot products, this worst case is so large that a
missing term would not exceed it. However, for independent, centred data the error grows like u, and not like K·u (Higham &
Mary, *Sharper probabilistic backward error analysis for basic linear algebra kernels with random data*, 2020). Our
inputs are of this kind. So γ is K·u for short products, and 16·u for long ones, which is more than 40 standard
deviations.

A and B are values of the element type, so reading them adds no error. Each type adds an error of its own:
- FP16 and BF16: the result is rounded to the type, `u·|c|` with u = 2⁻¹¹ or 2⁻⁸.
- TF32: A and B are rounded to 10 bits of fraction. The kernel decides whether they are truncated or rounded to nearest.
  Each product then has a relative error of at most 2⁻⁹. Truncation shifts every product in the same direction
  (`2⁻⁹·|c|`). What remains of each error is independent of the others. So the sum of these is within
  `2⁻⁹·‖a‖·‖b‖·min(1, 4/√K)`, nearly 20 standard deviations for long products.
- E4M3: the result is rounded to BF16. In each step of 32 products, the tensor core truncates every product and the sum so
  far to 13 bits of fraction of the largest of them. The products add at most `2⁻¹²·‖a‖·‖b‖`. A sum loses half a unit per
  step on average; if it ends at four standard deviations, that is `2⁻¹³·‖a‖·‖b‖·√K/24` in K/32 steps. Together they are
  more than 25 standard deviations of the error.
- FP64: u is 2⁻⁵³ instead of 2⁻²⁴, and the reference rounds once. If integers replace A and B, [`tutor_kernels::Ozaki::rounding`] states the bound.
- INT8: sums are exact, and so are those of the reference in float64. Every element must be equal.

A scale multiplies whole partial sums, so the same bounds hold with A and B times their scales. An epilogue (`epilogue.rs`)
increases the error by its slope, and GELU adds the error of `tanh.approx`. C of E4M3 is rounded with u = 2⁻⁴.

NaN is never correct where a number is expected. An element that was never written is never correct either.
*/

mod epilogue;
mod exact;
mod tolerance;

pub use tolerance::Tolerance;

use super::Shape;
use super::input::Inputs;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tolerance::judge;
use tutor_kernels::{Elements, Epilogue};
use tutor_support::words::Sentence;

/// The comparison of every element with the reference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// True if all elements are correct.
    pub verified: bool,
    /// Number of elements of C.
    pub elements: u64,
    /// Number of incorrect elements: outside the tolerance, NaN, or never written.
    pub mismatches: u64,
    /// Maximum relative error of the finite elements.
    pub max_rel_err: f64,
    /// The reference with which every element was compared, e.g. `float64 on the host`.
    #[serde(default)]
    pub against: Sentence,
    /// Hash of the bits of C in 16 hexadecimal digits. Two devices produce the same hash if their results are equal bit
    /// by bit.
    #[serde(default)]
    pub hash: String,
}

#[derive(Debug)]
pub enum Reference<'a> {
    /// Every element, in float64.
    Exact(&'a [f64]),
    /// A product of the same data by a device, itself checked. Its own error doubles the allowed error of the FP32 sums.
    Single(&'a [f64]),
}

/// The product to check: C = alpha · A · B + beta · C, then its epilogue.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Type of A, B and C.
    pub elements: Elements,
    pub shape: Shape,
    /// Factor of the product, as the kernel gets it: see [`Elements::factor`].
    pub alpha: f64,
    /// Factor of the old C.
    pub beta: f64,
    /// A, B and the old C. A and B include their scales.
    pub inputs: &'a Inputs,
    /// What happens to the product, with the bias of each column.
    pub epilogue: Option<(Epilogue, &'a [f64])>,
    /// The number of moduli, if the kernel multiplies integers instead of A and B.
    pub moduli: Option<u32>,
}

impl Problem<'_> {
    /// Compares every element of `c` with the reference.
    ///
    /// `against` names the reference in the result. If `c` has the wrong length, all its elements are incorrect.
    pub fn compare(&self, c: &[f64], reference: &Reference, tolerance: &Tolerance, against: &Sentence) -> Verification {
        let n = self.shape.n as usize;
        let elements = u64::from(self.shape.rows()) * u64::from(self.shape.n);
        let whole = |length: usize| length as u64 == elements;
        let hash = format!("{:016x}", hash_bits(c));
        if !whole(c.len())
            || !whole(match reference {
                Reference::Exact(r) => r.len(),
                Reference::Single(r) => r.len(),
            })
        {
            return Verification {
                elements,
                mismatches: elements,
                against: against.clone(),
                hash,
                ..Default::default()
            };
        }
        let row_outcome = |(row, values): (usize, &[f64])| {
            let rows = row * n..(row + 1) * n;
            let judge = |column: usize, expected: f64, doubled: bool| {
                let scale = self.scale(tolerance, row, column);
                let expected = self.after(column, expected, tolerance.before(scale, doubled));
                judge(values[column], expected, scale, tolerance)
            };
            let outcomes = |column| match reference {
                Reference::Exact(exact) => judge(column, exact[rows.start + column], false),
                Reference::Single(single) => judge(column, single[rows.start + column], true),
            };
            (0..values.len())
                .map(outcomes)
                .fold((0u64, 0.0f64), |(wrong, worst), (right, error)| (wrong + u64::from(!right), worst.max(error)))
        };
        let (mismatches, max_rel_err) = c
            .par_chunks(n)
            .enumerate()
            .map(row_outcome)
            .reduce(|| (0, 0.0), |left, right| (left.0 + right.0, left.1.max(right.1)));
        Verification { verified: mismatches == 0, elements, mismatches, max_rel_err, against: against.clone(), hash }
    }

    /// True if one element of the result is correct.
    pub fn is_right(&self, row: usize, column: usize, value: f64, expected: f64, tolerance: &Tolerance) -> bool {
        let scale = self.scale(tolerance, row, column);
        judge(value, (expected, tolerance.before(scale, false)), scale, tolerance).0
    }

    /// True if some rows of `c` (all of it) are correct compared with float64. This is how a reference is
    /// checked.
    pub fn rows_are_right(&self, c: &[f64], rows: &[u32], tolerance: &Tolerance) -> bool {
        let n = self.shape.n as usize;
        let exact = self.exact_rows(rows);
        c.len() as u64 == u64::from(self.shape.rows()) * u64::from(self.shape.n)
            && exact.chunks(n).zip(rows).all(|(exact, &row)| {
                exact.iter().enumerate().all(|(column, &expected)| {
                    self.is_right(row as usize, column, c[row as usize * n + column], expected, tolerance)
                })
            })
    }
}

/// Returns rows spread evenly from the first to the last.
pub fn sampled_rows(m: u32, count: u32) -> Vec<u32> {
    let count = count.clamp(1, m.max(1));
    let last = u64::from(m.saturating_sub(1));
    let steps = u64::from(count - 1).max(1);
    let mut rows: Vec<u32> = (0..u64::from(count)).map(|i| (i * last / steps) as u32).collect();
    rows.dedup();
    rows
}

/// Computes FNV-1a over the bits of the elements, a word at a time: of FP32 values, and in FP64 of other integers.
pub fn hash_bits(values: &[f64]) -> u64 {
    values.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, value| {
        let single = *value as f32;
        let bits =
            if f64::from(single).to_bits() == value.to_bits() { single.to_bits().into() } else { value.to_bits() };
        (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{POISON, rounded};

    fn problem(inputs: &Inputs, shape: Shape, alpha: f64, beta: f64) -> Problem<'_> {
        Problem { elements: Elements::F32, shape, alpha, beta, inputs, epilogue: None, moduli: None }
    }

    /// An FP32 product that adds in the same order as the kernels.
    fn single(p: &Problem) -> Vec<f64> {
        let (m, n, k) = (p.shape.m as usize, p.shape.n as usize, p.shape.k as usize);
        let element = |at: usize| {
            let (row, column) = (at / n, at % n);
            let factors = |l: usize| (p.inputs.a[row * k + l] as f32, p.inputs.b[l * n + column] as f32);
            let sum = (0..k).map(factors).fold(0.0f32, |sum, (a, b)| a.mul_add(b, sum));
            let [alpha, beta] = [p.alpha, p.beta].map(|factor| factor as f32);
            f64::from(if beta == 0.0 { alpha * sum } else { beta.mul_add(p.inputs.c[at] as f32, alpha * sum) })
        };
        (0..m * n).map(element).collect()
    }

    fn check(p: &Problem, c: &[f64]) -> Verification {
        p.compare(c, &Reference::Exact(&p.exact()), &p.tolerance(), &"float64 on the host".into())
    }

    #[test]
    fn a_right_product_of_any_shape_is_right() {
        for (m, n, k, alpha, beta) in
            [(1, 1, 1, 1.0, 0.0), (17, 33, 5, 1.0, 0.0), (64, 48, 1000, -2.5, 0.5), (3, 200, 20_000, 1.0, 0.0)]
        {
            let shape = Shape::new(m, n, k);
            let inputs = Inputs::random(Elements::F32, shape, 1, beta);
            let p = problem(&inputs, shape, alpha, beta);
            let outcome = check(&p, &single(&p));
            assert!(outcome.verified, "{shape:?}: {outcome:?}");
            assert!(outcome.max_rel_err < 1e-6 && outcome.max_rel_err > 0.0, "{shape:?}: {outcome:?}");
        }
    }

    #[test]
    fn one_wrong_element_is_found_wherever_it_is() {
        let shape = Shape::new(40, 50, 60);
        let inputs = Inputs::random(Elements::F32, shape, 2, 0.0);
        let p = problem(&inputs, shape, 1.0, 0.0);
        let right = single(&p);
        for at in [0, 777, right.len() - 1] {
            for wrong in [right[at] + 1e-3, f64::NAN, f64::INFINITY, -right[at], POISON] {
                let mut c = right.clone();
                c[at] = wrong;
                let outcome = check(&p, &c);
                assert_eq!((outcome.verified, outcome.mismatches), (false, 1), "{at} {wrong}");
            }
        }
    }

    #[test]
    fn a_forgotten_term_of_a_long_product_is_found() {
        let shape = Shape::new(8, 64, 8192);
        let inputs = Inputs::random(Elements::F32, shape, 3, 0.0);
        let short = Shape { k: 8191, ..shape };
        let cut = Inputs {
            a: inputs.a.chunks(8192).flat_map(|row| row[..8191].to_vec()).collect(),
            b: inputs.b[..8191 * 64].to_vec(),
            c: inputs.c.clone(),
        };
        let outcome = check(&problem(&inputs, shape, 1.0, 0.0), &single(&problem(&cut, short, 1.0, 0.0)));
        assert!(outcome.mismatches > 490, "{outcome:?} of 512");
    }

    /// Computes like a tensor core: inputs possibly truncated to 10 bits, FP32 sums, result rounded to the type.
    fn as_a_tensor_core(p: &Problem) -> Vec<f64> {
        let cut = |v: &f64| f64::from_bits(v.to_bits() >> 42 << 42);
        let inputs = match p.elements {
            Elements::Tf32 => Inputs {
                a: p.inputs.a.iter().map(cut).collect(),
                b: p.inputs.b.iter().map(cut).collect(),
                c: p.inputs.c.clone(),
            },
            _ => p.inputs.clone(),
        };
        let c = single(&Problem { inputs: &inputs, ..*p });
        c.into_iter().map(|v| rounded(p.elements, v)).collect()
    }

    #[test]
    fn each_type_has_the_tolerance_that_its_rounding_needs_and_not_much_more() {
        for elements in [Elements::Tf32, Elements::F16, Elements::Bf16] {
            for (k, beta) in [(1, 0.0), (16, 0.5), (300, 0.0), (8192, 0.0)] {
                let shape = Shape::new(12, 40, k);
                let inputs = Inputs::random(elements, shape, 6, beta);
                let p = Problem { elements, ..problem(&inputs, shape, 1.0, beta) };
                let right = as_a_tensor_core(&p);
                let outcome = check(&p, &right);
                assert!(outcome.verified, "{elements} {k}: {outcome:?}");
                // Every element has one product too many.
                let wrong: Vec<f64> = right.iter().map(|v| v + 0.5).collect();
                let missed = 480 - check(&p, &wrong).mismatches;
                assert!(missed < 48, "{elements} {k}: {missed} of 480 missed");
                let mut one = right.clone();
                one[79] = POISON;
                assert_eq!(check(&p, &one).mismatches, 1, "{elements} {k}");
            }
        }
    }

    #[test]
    fn each_epilogue_is_compared_with_what_it_computes() {
        let shape = Shape::new(12, 40, 300);
        let inputs = Inputs::random(Elements::E4m3, shape, 6, 0.0);
        let bias: Vec<f64> = (0..40).map(|column| f64::from(column) / 10.0 - 2.0).collect();
        let gelu = |x: f64| 0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh());
        let computed = |epilogue, sum: f64, bias: f64| match epilogue {
            Epilogue::None | Epilogue::Scales | Epilogue::E4m3 => sum,
            Epilogue::Bias => sum + bias,
            Epilogue::Relu => (sum + bias).max(0.0),
            Epilogue::Gelu => gelu(sum + bias),
            Epilogue::Unfused => gelu(rounded(Elements::Bf16, sum) + bias),
        };
        for epilogue in Epilogue::ALL {
            let p = problem(&inputs, shape, 1.0, 0.0);
            let p = Problem { elements: Elements::E4m3, epilogue: Some((epilogue, &bias)), ..p };
            let result = if epilogue == Epilogue::E4m3 { Elements::E4m3 } else { Elements::Bf16 };
            let sums = single(&p);
            let c = |epilogue| -> Vec<f64> {
                let element = |(at, sum): (usize, &f64)| rounded(result, computed(epilogue, *sum, bias[at % 40]));
                sums.iter().enumerate().map(element).collect()
            };
            assert!(check(&p, &c(epilogue)).verified, "{epilogue:?}");
            for other in [Epilogue::None, Epilogue::Bias, Epilogue::Relu, Epilogue::Gelu] {
                let same = computed(other, -1.0, 0.5) == computed(epilogue, -1.0, 0.5);
                assert!(same || check(&p, &c(other)).mismatches > 100, "{epilogue:?} is not {other:?}");
            }
            let largest = sums.iter().fold(0.0f64, |largest, sum| largest.max(sum.abs()));
            for (found, right) in [(largest, true), (0.9 * largest, epilogue != Epilogue::E4m3)] {
                let mut outcome = check(&p, &c(epilogue));
                p.check_largest(&mut outcome, found, &Reference::Exact(&p.exact()), &p.tolerance());
                assert_eq!(outcome.verified, right, "{epilogue:?} {found}");
            }
        }
    }

    #[test]
    fn sums_of_integers_are_compared_exactly() {
        // Half of the sums need more bits than FP32 has.
        let shape = Shape::new(9, 40, 100_000);
        let mut inputs = Inputs::random(Elements::S8, shape, 6, 0.0);
        inputs.a[..shape.k as usize].fill(127.0);
        inputs.b.iter_mut().step_by(2).for_each(|value| *value = value.abs());
        let p = Problem { elements: Elements::S8, ..problem(&inputs, shape, 1.0, 0.0) };
        let exact = p.exact();
        assert!(exact.iter().any(|sum| f64::from(*sum as f32) != *sum), "{exact:?}");
        assert!(check(&p, &exact).verified);
        for wrong in [exact[79] + 1.0, exact[79] - 1.0, POISON] {
            let mut c = exact.clone();
            c[79] = wrong;
            let outcome = check(&p, &c);
            assert_eq!((outcome.mismatches, outcome.verified), (1, false), "{wrong}");
            let reference = Reference::Single(&exact);
            assert_eq!(p.compare(&c, &reference, &p.tolerance(), &"itself".into()).mismatches, 1, "{wrong}");
        }
    }

    #[test]
    fn doubles_are_compared_with_more_bits_than_they_have() {
        let shape = Shape::new(17, 33, 500);
        for (alpha, beta, first) in [(1.0, 0.0, 0.5), (-0.1, 1.0 / 3.0, 0.5), (2.0, 0.0, f64::INFINITY)] {
            let mut inputs = Inputs::random(Elements::F64, shape, 1, beta);
            inputs.a[0] = first;
            let p = Problem { elements: Elements::F64, ..problem(&inputs, shape, alpha, beta) };
            let element = |at: usize| {
                let factors = |l: usize| (inputs.a[at / 33 * 500 + l], inputs.b[l * 33 + at % 33]);
                let sum = (0..500).map(factors).fold(0.0f64, |sum, (a, b)| a.mul_add(b, sum));
                alpha * sum + if beta == 0.0 { 0.0 } else { beta * inputs.c[at] }
            };
            let right: Vec<f64> = (0..17 * 33).map(element).collect();
            assert!(check(&p, &right).verified, "{alpha} {beta} {first}");
            let wrong: Vec<f64> = right.iter().map(|value| value + 1e-12).collect();
            assert!(check(&p, &wrong).mismatches >= 16 * 33, "{alpha} {beta} {first}");
        }
        let inputs = Inputs { a: vec![1e16, 1.0, -1e16], b: vec![1.0, 1.0 + f64::EPSILON, 1.0], c: vec![POISON] };
        let p = problem(&inputs, Shape::new(1, 1, 3), 1.0, 0.0);
        assert_eq!(Problem { elements: Elements::F64, ..p }.exact(), [1.0 + f64::EPSILON]);
        assert_ne!(p.exact(), [1.0 + f64::EPSILON]);
    }

    #[test]
    fn half_precision_overflows_where_its_range_ends() {
        let shape = Shape::new(1, 3, 1);
        let inputs = Inputs { a: vec![256.0], b: vec![256.0, 255.0, -256.0], c: vec![0.0; 3] };
        let p = Problem { elements: Elements::F16, ..problem(&inputs, shape, 1.0, 0.0) };
        assert!(check(&p, &[f64::INFINITY, 65_280.0, f64::NEG_INFINITY]).verified);
        assert_eq!(check(&p, &[f64::INFINITY; 3]).mismatches, 2);
        let single = Problem { elements: Elements::F32, ..p };
        assert_eq!(check(&single, &[f64::INFINITY, 65_280.0, -65_536.0]).mismatches, 1);
        // The largest numbers of FP32: the product is infinite, and what follows it may be a number, or NaN.
        let old = Inputs { c: vec![-1e38; 3], ..inputs.clone() };
        let sum = Problem { inputs: &old, alpha: 6e33, beta: 1.0, ..single };
        assert!(check(&sum, &[f64::INFINITY, 2.916_8e38, f64::NEG_INFINITY]).verified);
        let gelu = Problem { epilogue: Some((Epilogue::Gelu, &[0.0; 3])), ..single };
        assert!(gelu.after(0, -4e38, 0.0).0.is_nan() && gelu.after(0, 4e38, 0.0).0 == f64::INFINITY);
        let largest = Problem { epilogue: Some((Epilogue::E4m3, &[0.0; 3])), alpha: 1e34, ..single };
        let mut outcome = Verification { verified: true, ..Verification::default() };
        largest.check_largest(&mut outcome, f64::INFINITY, &Reference::Exact(&largest.exact()), &largest.tolerance());
        assert!(outcome.verified);
    }

    #[test]
    fn poison_is_never_right_not_even_where_nan_is_due() {
        let shape = Shape::new(4, 4, 4);
        let mut inputs = Inputs::random(Elements::F32, shape, 4, 0.0);
        inputs.a[4] = f64::NAN;
        inputs.b[2] = f64::INFINITY;
        let p = problem(&inputs, shape, 1.0, 0.0);
        assert!(check(&p, &single(&p)).verified, "NaN and infinity pass through");
        let outcome = check(&p, &[POISON; 16]);
        assert_eq!(outcome.mismatches, 16, "an untouched C has every element wrong");
        assert_eq!(outcome.max_rel_err, 0.0);
    }

    #[test]
    fn a_reference_is_checked_by_rows_and_two_single_products_agree() {
        let shape = Shape::new(33, 20, 300);
        let inputs = Inputs::random(Elements::F32, shape, 5, 0.0);
        let p = problem(&inputs, shape, 1.0, 0.0);
        let (mut c, tolerance, rows) = (single(&p), p.tolerance(), sampled_rows(33, 8));
        assert_eq!((rows.first(), rows.last(), rows.len()), (Some(&0), Some(&32), 8));
        assert!(p.rows_are_right(&c, &rows, &tolerance));
        assert!(p.compare(&c, &Reference::Single(&c), &tolerance, &"itself".into()).verified);
        c[32 * 20] += 0.01;
        assert!(!p.rows_are_right(&c, &rows, &tolerance));
        assert!(!p.rows_are_right(&c[1..], &rows, &tolerance));
    }

    #[test]
    fn each_product_of_a_batch_has_its_own_matrices() {
        let one = Shape::new(5, 7, 9);
        let shape = Shape { batch: 3, ..one };
        let inputs = Inputs::random(Elements::F32, shape, 6, 0.5);
        let p = problem(&inputs, shape, 2.0, 0.5);
        let exact = p.exact();
        for product in 0..3 {
            let part = |values: &[f64], size: usize| values[product * size..][..size].to_vec();
            let alone = Inputs { a: part(&inputs.a, 45), b: part(&inputs.b, 63), c: part(&inputs.c, 35) };
            assert_eq!(problem(&alone, one, 2.0, 0.5).exact(), part(&exact, 35));
        }
        let (tolerance, rows) = (p.tolerance(), sampled_rows(shape.rows(), 8));
        assert_eq!((rows[0], rows[7], p.exact_rows(&[14])), (0, 14, exact[98..].to_vec()));
        assert!(p.rows_are_right(&exact, &rows, &tolerance) && check(&p, &exact).verified);
        let mut exchanged = exact.clone();
        exchanged.rotate_left(35);
        assert_eq!(check(&p, &exchanged).mismatches, 105);
        let b = Inputs { b: (0..12).map(f64::from).collect(), ..Inputs::default() };
        let stored = b.encoded(Elements::S8, Shape { batch: 2, ..Shape::new(1, 3, 2) });
        assert_eq!(stored[1], [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11], "each B is stored by columns");
    }

    #[test]
    fn the_hash_tells_any_two_results_apart_that_differ_in_one_bit() {
        let c = vec![1.0; 100];
        let mut other = c.clone();
        other[99] = f64::from(1.0 + f32::EPSILON);
        assert_ne!(hash_bits(&c), hash_bits(&other));
        assert_eq!(sampled_rows(1, 8), [0]);
        assert_eq!(sampled_rows(3, 8), [0, 1, 2]);
    }
}
