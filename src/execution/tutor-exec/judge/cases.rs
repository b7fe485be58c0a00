//! One launch of the judged kernel: its shape, its numbers and its matrices in memory.
//!
//! In most cases, each leading dimension is larger than the row. The gaps are NaN (or the minimum integer) in A and B and a pattern in C,
//! so that the judge detects reads and writes of them.

use crate::input::{Inputs, mix};
use crate::matrices::{Matrices, Strides};
use crate::matrix::{decode, encode, rounded};
use crate::protocol::Shape;
use crate::verify::Problem;
use ptx_emulator::Memory;
use tutor_kernels::{Elements, Needs};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Case {
    pub(super) shape: Shape,
    pub(super) strides: Strides,
    pub(super) alpha: f32,
    pub(super) beta: f32,
    /// True if zeros, infinities and NaN are among the numbers.
    pub(super) special: bool,
    /// True if the numbers are large: the results exceed 1000 many times over.
    pub(super) large: bool,
    /// True if the old C contains numbers even if beta is 0. If false, a beta of 0 comes with an old C of NaN.
    pub(super) old_numbers: bool,
    /// True if the rows of one matrix are so far apart that the matrix cannot be written completely.
    pub(super) far: bool,
    pub(super) seed: u64,
    /// True if the judge looks for hazards in this case. It then needs several tiles along K, and several blocks.
    pub(super) watched: bool,
}

/// The last bytes of this fill an element between the rows of C: a NaN that no arithmetic produces, or an unlikely integer.
const PATTERN: [u8; 8] = 0xffc0_beef_ffc0_beef_u64.to_le_bytes();

impl Case {
    /// Returns the case for matrices of a type. The leading dimension of B of eight bits is that of its columns. Integers have neither
    /// infinities nor factors, and the sums of large ones might overflow.
    pub(super) fn of(mut self, elements: Elements, needs: &Needs) -> Self {
        if elements == Elements::S8 {
            self = Self { alpha: 1.0, beta: 0.0, special: false, large: false, ..self };
        }
        if elements.b_by_columns() {
            let unit = needs.multiple.k.max(needs.multiple.lda).unwrap_or(1);
            self.strides[1] = (self.shape.k + self.strides[1] - self.shape.n).next_multiple_of(unit);
            self.strides[0] = self.strides[0].next_multiple_of(unit);
        }
        self
    }

    /// Returns the elements of a row of A, B and C.
    pub(super) fn rows(&self, elements: Elements) -> [u32; 3] {
        let Shape { m, n, k, .. } = self.shape;
        elements.stored(m, n, k).map(|[_, columns]| columns)
    }

    /// Returns the bytes of an element, of a row, and from one row to the next, for A, B and C.
    pub(super) fn extents(&self, elements: Elements) -> [[usize; 3]; 3] {
        let (rows, strides) = (self.rows(elements), self.strides);
        std::array::from_fn(|at| {
            let bytes = if at == 2 { elements.result() } else { elements }.bytes() as usize;
            [bytes, rows[at] as usize * bytes, strides[at] as usize * bytes]
        })
    }

    /// Makes the matrices of a case in which one is too large to be written completely. Returns `None` if the system
    /// does not provide that much memory.
    pub(super) fn sparse(&self, inputs: &Inputs, elements: Elements) -> Option<Matrices> {
        let (mut memory, mut buffers) = (Memory::new(), Vec::new());
        let matrices = inputs.encoded(elements, self.shape).into_iter().zip(self.extents(elements));
        for ((values, [_, kept, row]), name) in matrices.zip(["A", "B", "C"]) {
            let id = memory.add_zeros(name, (values.len() / kept - 1).checked_mul(row)?.checked_add(kept)?)?;
            let buffer = memory.write(id);
            for (at, values) in values.chunks(kept).enumerate() {
                buffer[at * row..at * row + kept].copy_from_slice(values);
            }
            buffers.push(id);
        }
        Some(Matrices::of_memory(memory, buffers.try_into().ok()?, self.shape, self.strides, elements))
    }

    /// Returns the product that a launch computes.
    pub(super) fn problem<'a>(&self, inputs: &'a Inputs, elements: Elements) -> Problem<'a> {
        let (shape, alpha, beta) = (self.shape, self.alpha.into(), self.beta.into());
        Problem { elements, shape, alpha, beta, inputs, epilogue: None, moduli: None }
    }

    /// Makes the random numbers of the case, with the special values if it has them.
    pub(super) fn inputs(&self, elements: Elements) -> Inputs {
        let beta = if self.old_numbers { 1.0 } else { self.beta };
        let mut inputs = Inputs::random(elements, self.shape, self.seed, beta.into());
        if self.special {
            self.specialise(&mut inputs, elements);
        }
        if self.large {
            // The largest E4M3 is 448, and the largest FP16 is 65,504.
            let narrow = matches!(elements, Elements::E4m3 | Elements::F16);
            let by = if narrow { 32.0 } else { 4096.0 };
            inputs.a.iter_mut().chain(&mut inputs.b).for_each(|value| *value *= by);
            inputs.c.iter_mut().for_each(|value| *value *= by * by);
        }
        inputs
    }

    /// Puts zeros into A that meet infinities and NaN in B, and the reverse. Such a product is NaN, which a kernel that
    /// leaves out zeros misses. Also puts infinities and NaN into the old C.
    ///
    /// Each of these elements is in a row and a column of its own, so that none hides another.
    fn specialise(&self, inputs: &mut Inputs, elements: Elements) {
        const VALUES: [f64; 3] = [f64::INFINITY, f64::NAN, f64::NEG_INFINITY];
        let Shape { n, k, .. } = self.shape;
        let (n, k) = (n as usize, k as usize);
        let shift = (mix(self.seed) % self.shape.k as u64) as usize;
        for (at, value) in VALUES.into_iter().enumerate() {
            // Somewhere along K, and at its end.
            let l = if at == 1 { k - 1 } else { (shift + at * k / 3) % k };
            let [zero_row, zero_column] = [at, at];
            let [value_row, value_column] = [4 + at, 4 + at];
            let zero = if at == 2 { -0.0 } else { 0.0 };
            for other in 0..k {
                // The first row and column of zeros are zero everywhere, the others only where they meet the value.
                if at == 0 || other == l {
                    inputs.a[zero_row * k + other] = zero;
                    inputs.b[other * n + zero_column] = zero;
                }
            }
            inputs.b[l * n + value_column] = rounded(elements, value);
            inputs.a[value_row * k + l] = rounded(elements, value);
            inputs.c[(8 + at) * n + 8 + at] = value;
        }
    }

    /// Makes the matrices in the emulator's memory.
    pub(super) fn matrices(&self, inputs: &Inputs, elements: Elements) -> Matrices {
        Matrices::of_bytes(&self.contents(inputs, elements), self.shape, self.strides, elements)
    }

    /// Returns the bytes of A, B and C with the gaps between their rows.
    pub(super) fn contents(&self, inputs: &Inputs, elements: Elements) -> [Vec<u8>; 3] {
        let mut contents = inputs.encoded(elements, self.shape);
        for (at, (values, [bytes, kept, row])) in contents.iter_mut().zip(self.extents(elements)).enumerate() {
            let gap = match at {
                2 => PATTERN[8 - bytes..].to_vec(),
                _ => encode(elements, &[f64::NAN]),
            };
            let gap = gap.repeat((row - kept) / bytes);
            *values = values.chunks(kept).flat_map(|row| [row, &gap]).collect::<Vec<_>>().concat();
        }
        contents
    }

    /// Returns C without its gaps.
    pub(super) fn result(&self, matrices: &Matrices, elements: Elements) -> Vec<f64> {
        let [_, kept, row] = self.extents(elements)[2];
        let rows: Vec<&[u8]> = matrices.c().chunks(row).map(|row| &row[..kept]).collect();
        decode(elements.result(), &rows.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::launches::cases;
    use super::*;
    use tutor_kernels::Needs;

    const WIDE: Shape = Shape::new(256, 128, 64);

    #[test]
    fn rows_lie_apart_with_no_numbers_between_them_and_come_back_without() {
        let case = &cases(&Needs::default(), 3, WIDE, &[])[2];
        let inputs = case.inputs(Elements::F32);
        let matrices = case.matrices(&inputs, Elements::F32);
        assert_eq!(case.result(&matrices, Elements::F32), inputs.c);
        let a = decode(Elements::F32, matrices.memory.read(matrices.buffers[0]));
        let (k, stride) = (case.shape.k as usize, case.strides[0] as usize);
        assert!(stride > k);
        assert_eq!(a[stride..stride + k], inputs.a[k..2 * k]);
        assert!(a[k..stride].iter().all(|gap| gap.is_nan()));
    }

    #[test]
    fn zeros_meet_what_is_not_a_number_whatever_the_seed() {
        for seed in 0..40 {
            let special = cases(&Needs::default(), seed, WIDE, &[]).into_iter().find(|case| case.special).unwrap();
            let Inputs { a, b, c } = special.inputs(Elements::F32);
            let Shape { m, n, k, .. } = special.shape;
            let (m, n, k) = (m as usize, n as usize, k as usize);
            let value = |row: usize, column: usize, skip: &dyn Fn(f64, f64) -> bool| {
                let products = (0..k).map(|l| (a[row * k + l], b[l * n + column])).filter(|(x, y)| !skip(*x, *y));
                products.fold(0.0, |sum, (x, y)| sum + x * y)
            };
            let differ = |skip: &dyn Fn(f64, f64) -> bool| {
                let places = (0..m).flat_map(|row| (0..n).map(move |column| (row, column)));
                places.filter(|&(r, s)| value(r, s, &|_, _| false).is_nan() && value(r, s, skip).is_finite()).count()
            };
            // A zero in A or in B, next to an infinity and next to NaN.
            assert!(differ(&|x, y| x == 0.0 && y.is_infinite()) >= 2 && differ(&|x, y| x == 0.0 && y.is_nan()) >= 1);
            assert!(differ(&|x, y| y == 0.0 && x.is_infinite()) >= 2 && differ(&|x, y| y == 0.0 && x.is_nan()) >= 1);
            assert_eq!(c.iter().filter(|value| !value.is_finite()).count(), 3);
        }
    }
}
