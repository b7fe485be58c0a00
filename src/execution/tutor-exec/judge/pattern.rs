//! Finds out which elements of C are incorrect, and whether they have a pattern that explains why.

use super::verdict::MAX_WRONG;
use crate::matrix::is_poison;
use crate::protocol::Shape;
use crate::verify::{Problem, Tolerance};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// The incorrect elements of a result.
pub(super) struct Wrong {
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
    pub(super) fn of(problem: &Problem, c: &[f64], exact: &[f64], tolerance: &Tolerance) -> Option<Self> {
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
            wrong.unwritten += u64::from(is_poison(value));
            wrong.nan += u64::from(value.is_nan() && !is_poison(value));
        }
        (wrong.count > 0).then_some(wrong)
    }

    /// True if no element of C was written.
    pub(super) fn none_written(&self, shape: Shape) -> bool {
        self.unwritten == u64::from(shape.m) * u64::from(shape.n)
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
        if self.count == boxed && self.count > 1 {
            let rows = first_row > 0 || last_row + 1 < shape.m;
            let columns = first_column > 0 || last_column + 1 < shape.n;
            let row_range = range("row", [first_row, last_row]);
            let column_range = range("column", [first_column, last_column]);
            return Some(match (rows, columns) {
                (true, false) => sentence!("exec-judge-whole", range = row_range),
                (false, true) => sentence!("exec-judge-whole", range = column_range),
                _ => sentence!("exec-judge-box", rows = row_range, columns = column_range),
            });
        }
        (self.count == self.nan).then(|| sentence!("exec-judge-all-nan"))
    }
}

/// Names one index, or a range of them.
fn range(name: &str, [from, to]: [u32; 2]) -> Sentence {
    let kind = if from == to { name.to_owned() } else { format!("{name}s") };
    sentence!("exec-judge-range", kind, from, to)
}

/// A mistake in the sum that would give an incorrect element its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mistake {
    NoBeta,
    NoAlpha,
    /// The sum has only its first n products.
    First(usize),
    /// The sum lacks its first n products.
    WithoutFirst(usize),
    /// The sum lacks the product with this index.
    Without(usize),
    /// The sum has the product with this index twice.
    Twice(usize),
}

impl Mistake {
    fn all(k: usize) -> impl Iterator<Item = Self> {
        let cut = (1..k).map(Self::First).chain((1..k).map(Self::WithoutFirst));
        // A single product is missing in any sum that is zero.
        let one = if k > 1 { 0..k } else { 0..0 };
        let one = one.clone().map(Self::Without).chain(one.map(Self::Twice));
        [Self::NoBeta, Self::NoAlpha].into_iter().chain(cut).chain(one)
    }

    pub(super) fn sentence(self, k: u32) -> Sentence {
        match self {
            Self::NoBeta => sentence!("exec-judge-no-beta"),
            Self::NoAlpha => sentence!("exec-judge-no-alpha"),
            Self::First(first) => sentence!("exec-judge-first-products", first, k),
            Self::WithoutFirst(missing) => sentence!("exec-judge-last-products", missing, k),
            Self::Without(l) => sentence!("exec-judge-missing-product", l),
            Self::Twice(l) => sentence!("exec-judge-twice", l),
        }
    }
}

/// The sums of the first products of an element: `sums[l]` is the sum of the first `l`.
struct Element {
    sums: Vec<f64>,
    old: f64,
}

impl Element {
    fn of(problem: &Problem, row: usize, column: usize) -> Self {
        let (n, k) = (problem.shape.n as usize, problem.shape.k as usize);
        let mut sums = Vec::with_capacity(k + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for l in 0..k {
            sum += problem.inputs.a[row * k + l] * problem.inputs.b[l * n + column];
            sums.push(sum);
        }
        let old = if problem.beta == 0.0 { 0.0 } else { problem.beta * problem.inputs.c[row * n + column] };
        Self { sums, old }
    }

    fn with(&self, mistake: Mistake, alpha: f64) -> f64 {
        let total = self.sums[self.sums.len() - 1];
        let product = |l: usize| self.sums[l + 1] - self.sums[l];
        let (alpha, sum, old) = match mistake {
            Mistake::NoBeta => (alpha, total, 0.0),
            Mistake::NoAlpha => (1.0, total, self.old),
            Mistake::First(first) => (alpha, self.sums[first], self.old),
            Mistake::WithoutFirst(missing) => (alpha, total - self.sums[missing], self.old),
            Mistake::Without(l) => (alpha, total - product(l), self.old),
            Mistake::Twice(l) => (alpha, total + product(l), self.old),
        };
        alpha * sum + old
    }
}

/// Returns the mistakes that explain every incorrect element of a result.
pub(super) fn mistakes(problem: &Problem, c: &[f64], exact: &[f64], tolerance: &Tolerance) -> Vec<Mistake> {
    let n = problem.shape.n as usize;
    let mut left: Option<Vec<Mistake>> = None;
    for (at, (&value, &expected)) in c.iter().zip(exact).enumerate() {
        let (row, column) = (at / n, at % n);
        if problem.is_right(row, column, value, expected, tolerance) {
            continue;
        }
        if !expected.is_finite() {
            // The tolerance is infinite, too.
            return Vec::new();
        }
        let element = Element::of(problem, row, column);
        let explains = |mistake: &Mistake| {
            let with = element.with(*mistake, problem.alpha);
            with.is_finite() && problem.is_right(row, column, value, with, tolerance)
        };
        let before = left.unwrap_or_else(|| Mistake::all(problem.shape.k as usize).collect());
        let after: Vec<Mistake> = before.into_iter().filter(explains).collect();
        if after.is_empty() {
            return after;
        }
        left = Some(after);
    }
    left.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Inputs;
    use tutor_kernels::Elements;

    /// A seed whose B has an infinity.
    const INFINITE: u64 = 21;

    /// Changes each element of a result, and returns the mistakes that explain it.
    fn found(seed: u64, change: impl Fn(usize, &Element, f32) -> f64) -> Vec<Mistake> {
        let shape = Shape::new(9, 11, 200);
        let mut inputs = Inputs::random(Elements::F32, shape, seed, 0.25);
        if seed == INFINITE {
            inputs.b[199 * 11 + 3] = f64::INFINITY;
        }
        let (elements, inputs) = (Elements::F32, &inputs);
        let problem = Problem { elements, shape, alpha: -1.5, beta: 0.25, inputs, epilogue: None, moduli: None };
        let exact = problem.exact();
        let element = |at: usize| Element::of(&problem, at / 11, at % 11);
        let changed = |(at, x): (usize, &f64)| f64::from(change(at, &element(at), *x as f32) as f32);
        let c: Vec<f64> = exact.iter().enumerate().map(changed).collect();
        mistakes(&problem, &c, &exact, &problem.tolerance())
    }

    #[test]
    fn a_mistake_is_found_where_it_explains_every_wrong_element() {
        for made in [Mistake::NoBeta, Mistake::NoAlpha, Mistake::First(160), Mistake::Without(10), Mistake::Twice(3)] {
            assert_eq!(found(1, |_, element, _| element.with(made, -1.5)), [made]);
            let partly = |at, element: &Element, exact: f32| {
                if at == 50 { f64::from(exact) + 0.5 } else { element.with(made, -1.5) }
            };
            assert!(found(1, partly).is_empty());
        }
    }

    #[test]
    fn a_result_without_its_infinities_is_not_explained_by_missing_products() {
        assert!(found(INFINITE, |_, _, exact| f64::from(exact.clamp(-1e30, 1e30))).is_empty());
    }

    #[test]
    fn a_single_product_explains_nothing() {
        assert!(Mistake::all(1).all(|mistake| matches!(mistake, Mistake::NoBeta | Mistake::NoAlpha)));
    }

    #[test]
    fn rounding_is_not_explained_by_missing_products() {
        for seed in 0..20 {
            let truncated = |_, _: &Element, exact: f32| f64::from(f32::from_bits(exact.to_bits() & 0xffff_0000));
            assert!(found(seed, truncated).is_empty());
        }
    }
}
