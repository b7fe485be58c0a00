/*! Residues: an integer, or the product of two small matrices, by several moduli, and the Chinese remainder theorem.

Up and down select a control, left and right change it: the integer and its step, or the element of C and a factor of A,
and the number of moduli that are used.
*/

mod draw;

use crate::ozaki::{Together, product, residue, together};
use crate::prelude::*;
use tutor_course::ResiduesView;

/// Largest step of the integer, and largest factor of A.
const MOST: [i64; 2] = [1_000_000_000, 64];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// The integer, or the element of C.
    Subject,
    /// The integer's step, or the factor of A.
    Size,
    /// The number of moduli that are used.
    Used,
}

type Matrix = Vec<Vec<i128>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Residues {
    moduli: Vec<u32>,
    used: usize,
    size: i64,
    value: i64,
    /// A and B, unless the picture is about one integer.
    factors: Option<[Matrix; 2]>,
    /// Index of the selected element of C.
    element: usize,
}

/// Returns the product of two matrices.
fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let element = |row: &Vec<i128>, column: usize| row.iter().zip(b).map(|(x, y)| x * y[column]).sum();
    a.iter().map(|row| (0..columns).map(|column| element(row, column)).collect()).collect()
}

/// Changes each element of a matrix.
fn map(matrix: &Matrix, change: impl Fn(i128) -> i128) -> Matrix {
    matrix.iter().map(|row| row.iter().map(|value| change(*value)).collect()).collect()
}

impl Residues {
    pub(crate) fn new(view: &ResiduesView) -> Self {
        let moduli: Vec<u32> = view.moduli.iter().take(ResiduesView::COUNTS[1]).map(|p| (*p).clamp(2, 256)).collect();
        let wide = |rows: &[Vec<i32>]| rows.iter().map(|row| row.iter().copied().map(i128::from).collect()).collect();
        Self {
            used: view.used.map_or(moduli.len(), |used| (used as usize).clamp(1, moduli.len().max(1))),
            moduli,
            size: 1,
            value: view.value.unwrap_or(0),
            factors: view.multiplies().then(|| [wide(&view.a), wide(&view.b)]),
            element: 0,
        }
    }

    fn used(&self) -> &[u32] {
        &self.moduli[..self.used.min(self.moduli.len())]
    }

    /// Returns A and B, with A multiplied by its factor.
    fn factors(&self) -> Option<[Matrix; 2]> {
        let [a, b] = self.factors.clone()?;
        Some([map(&a, |value| value * i128::from(self.size)), b])
    }

    /// Returns A, B and their product by one modulus: as the kernel computes it, without the exact product.
    fn by(&self, p: u32) -> Option<[Matrix; 3]> {
        let [a, b] = self.factors()?.map(|matrix| map(&matrix, |value| residue(value, p)));
        let c = map(&multiply(&a, &b), |sum| residue(sum, p));
        Some([a, b, c])
    }

    /// Returns the exact integers: the one integer, or the elements of C row by row.
    fn exact(&self) -> Vec<i128> {
        let Some([a, b]) = self.factors() else { return vec![self.value.into()] };
        multiply(&a, &b).concat()
    }

    /// Puts each integer together from the residues of the moduli that are used.
    fn results(&self) -> Vec<Together> {
        let each = |at: usize| {
            let of = |p: u32| match self.by(p) {
                Some([.., c]) => c.concat()[at],
                None => residue(self.value.into(), p),
            };
            together(self.used(), self.used().iter().map(|p| of(*p)))
        };
        (0..self.exact().len()).map(each).collect()
    }

    /// Returns the multiple of P that each result differs by from the exact integer.
    fn off(&self) -> Vec<i128> {
        let all = product(self.used());
        self.results().iter().zip(self.exact()).map(|(result, exact)| (result.value - exact) / all).collect()
    }

    /// Returns the number of columns of C.
    fn columns(&self) -> usize {
        self.factors.as_ref().and_then(|[_, b]| b.first()).map_or(1, Vec::len)
    }
}

impl Controls for Residues {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Subject, Control::Size, Control::Used];

    fn apply(&mut self, control: Control, up: bool) {
        let [least, most] = ResiduesView::VALUES;
        match (control, self.factors.is_some()) {
            (Control::Subject, false) => {
                self.value = (self.value + if up { self.size } else { -self.size }).clamp(least, most);
            }
            (Control::Subject, true) => {
                let count = self.exact().len();
                self.element = (self.element + if up { 1 } else { count - 1 }) % count;
            }
            (Control::Size, matrices) => {
                let by = if matrices { 2 } else { 10 };
                let next = if up { self.size * by } else { self.size / by };
                self.size = next.clamp(1, MOST[usize::from(matrices)]);
            }
            (Control::Used, _) if up => self.used = (self.used + 1).min(self.moduli.len()),
            (Control::Used, _) => self.used = self.used.saturating_sub(1).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &str) -> Residues {
        Residues::new(&tutor_support::yaml::read_typed(page).unwrap())
    }

    #[test]
    fn a_dropped_modulus_breaks_exactly_the_elements_beyond_half_of_p() {
        let mut picture = of("{moduli: [7, 9, 10, 11], a: [[12, -7], [5, 9]], b: [[3, 8], [-6, 11]]}");
        assert_eq!(picture.exact(), [78, 19, -39, 139]);
        for _ in 0..7 {
            for used in 1..=4 {
                picture.used = used;
                let (all, off) = (product(picture.used()), picture.off());
                for ((exact, result), off) in picture.exact().into_iter().zip(picture.results()).zip(off) {
                    assert_eq!(off == 0, (-(all / 2)..all - all / 2).contains(&exact), "{exact} by {used} moduli");
                    assert_eq!(result.value, exact + off * all);
                }
            }
            picture.change(Control::Size, true);
        }
        assert_eq!((picture.size, picture.used), (64, 4));
    }

    #[test]
    fn an_integer_moves_by_its_step() {
        let mut picture = of("{value: 300, moduli: [7, 9, 10], used: 9}");
        (0..2).for_each(|_| picture.change(Control::Size, true));
        picture.change(Control::Subject, true);
        assert_eq!((picture.exact(), picture.results()[0].value, picture.off()), (vec![400], -230, vec![-1]));
        (0..12).for_each(|_| picture.change(Control::Used, false));
        assert_eq!((picture.used(), picture.results()[0].value), (&[7][..], 1));
    }
}
