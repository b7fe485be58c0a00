/*! The launches with which the judge tests a kernel, on shapes that its author did not choose.

In most cases, each leading dimension is larger than the row. The gaps are NaN in A and B and a pattern in C, so that
the judge detects reads and writes of them.

A verdict must not depend on the seed. So everything that reveals a kind of mistake is in a case that every judgement
has: whole and ragged tiles along each dimension, alpha and beta of either sign, a beta near 0, an old C of numbers that
must not be added where beta is 0, zeros that meet infinities and NaN in each operand, each remainder of a row of
vectors, more than 256 rows, columns and steps along K, and indices of more than 16 bits in each matrix. The seed changes only the numbers, the order of the warps, the positions of infinities and NaN along K, and one
more shape. */

use super::verdict::JudgeShape;
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
    /// True if the old C contains numbers even if beta is 0. If false, a beta of 0 comes with an old C of NaN.
    pub(super) old_numbers: bool,
    pub(super) seed: u64,
    /// True if the judge looks for hazards in this case. It then needs several tiles along K, and several blocks.
    pub(super) watched: bool,
}

/// Fills the gaps between the rows of C: a NaN that no arithmetic produces.
const PATTERN: u32 = 0xffc0_beef;

/// Makes a case. Each extent and leading dimension is rounded up to the next value that `needs` allows.
fn case(needs: &Needs, seed: u64, [rows, columns, depth]: [u32; 3], gaps: [u32; 3], scales: (f32, f32)) -> Case {
    let m = &needs.multiple;
    let up = |value: u32, multiple: Option<u32>| value.next_multiple_of(multiple.unwrap_or(1).max(1));
    // The requirements on leading dimensions are written for matrices without gaps, where they are extents. A kernel
    // reads whole vectors, so the extents must meet them too.
    let shape = Shape { m: up(rows, m.m), n: up(up(columns, m.n), m.ldb.max(m.ldc)), k: up(up(depth, m.k), m.lda) };
    let strides = [up(shape.k + gaps[0], m.lda), up(shape.n + gaps[1], m.ldb), up(shape.n + gaps[2], m.ldc)];
    let (alpha, beta) = scales;
    Case { shape, strides, alpha, beta, special: false, old_numbers: false, seed, watched: false }
}

/// Returns the cases for a kernel with these needs, the simplest first. `wide` is a shape with several blocks, and with
/// enough tiles for a kernel with large tiles. `own` are the shapes of the exercise.
pub(super) fn cases(needs: &Needs, seed: u64, wide: Shape, own: &[JudgeShape]) -> Vec<Case> {
    let case = |extents, gaps, scales| case(needs, seed, extents, gaps, scales);
    let draw = |stream: u64, below: u32| 1 + (mix(seed ^ mix(stream)) % u64::from(below)) as u32;
    // Rows that begin at a multiple of 16 bytes but end anywhere. A kernel that reads four numbers at once must check
    // where the row ends.
    let aligned = |extents: [u32; 3], scales| {
        let gap = |extent: u32| extent.next_multiple_of(4) - extent + 4;
        case(extents, [gap(extents[2]), gap(extents[1]), gap(extents[1])], scales)
    };
    let simple = [
        case([1, 1, 1], [0, 0, 0], (1.0, 0.0)),
        Case { old_numbers: true, ..case([17, 33, 5], [0, 0, 0], (1.0, 0.0)) },
    ];
    let own = own.iter().map(|shape| {
        let JudgeShape { m, n, k, gap, alpha, beta } = *shape;
        Case { watched: true, ..case([m, n, k], [gap; 3], (alpha, beta)) }
    });
    let general = [
        // Several tiles along K, like the wide shape.
        Case { watched: true, ..case([70, 45, 300 * wide.k.div_ceil(128)], [3, 201, 2], (-1.5, 0.25)) },
        // Blocks that are whole in both dimensions, in one of them, and in none, and a ragged K.
        Case { watched: true, old_numbers: true, ..case([130, 132, 45], [502, 1, 503], (0.5, 0.0)) },
        Case { watched: true, ..case([wide.m, wide.n, wide.k], [0, 0, 0], (1.0, 0.0)) },
        // The last vector of a row has three, two and one elements.
        Case { special: true, ..aligned([33, 19, 39], (0.75, 0.5)) },
        aligned([5, 22, 42], (1.0, -0.0625)),
        aligned([300, 21, 41], (1.0, 0.0)),
        case([3, 300, 16], [1, 2, 1], (1.0, 1.0)),
        case(
            [draw(1, 150), draw(2, 150), draw(3, 200)],
            [draw(4, 9), draw(5, 9), draw(6, 9)],
            (0.5, if draw(7, 2) == 1 { 0.0 } else { -2.0 }),
        ),
    ];
    simple.into_iter().chain(own).chain(general).collect()
}

/// Leading dimension of a matrix whose row 16 begins beyond the range of a signed 32-bit index.
const FAR: u32 = 1 << 27;

/// Returns three cases. In each, the rows of one matrix (A, B or C) are so far apart that a 32-bit index overflows.
pub(super) fn far_cases(needs: &Needs, seed: u64) -> [Case; 3] {
    let far = |matrix: usize| {
        // The compiler turns an index that grows in a loop into a 64-bit address. It computes the index in 32 bits only
        // where the rest of an unrolled loop begins: for 17 rows at row 16, if the loop is unrolled 2, 4, 8 or 16 times.
        let case = case(needs, seed, [17, 17, 17], [0, 0, 0], (1.0, 0.0));
        let mut strides = case.strides;
        strides[matrix] = FAR;
        Case { strides, ..case }
    };
    [far(0), far(1), far(2)]
}

impl Case {
    /// Returns the case for matrices of a type. The leading dimension of B of eight bits is that of its columns.
    pub(super) fn of(mut self, elements: Elements, needs: &Needs) -> Self {
        if elements == Elements::E4m3 {
            let unit = needs.multiple.k.max(needs.multiple.lda).unwrap_or(1);
            self.strides[1] = (self.shape.k + self.strides[1] - self.shape.n).next_multiple_of(unit);
            self.strides[0] = self.strides[0].next_multiple_of(unit);
        }
        self
    }

    /// Returns the bytes of an element, of a row, and from one row to the next, for A, B and C.
    pub(super) fn extents(&self, elements: Elements) -> [[usize; 3]; 3] {
        let Shape { m, n, k } = self.shape;
        let (stored, strides) = (elements.stored(m, n, k), self.strides);
        std::array::from_fn(|at| {
            let bytes = if at == 2 { elements.result() } else { elements }.bytes() as usize;
            [bytes, stored[at][1] as usize * bytes, strides[at] as usize * bytes]
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
        Problem { elements, shape: self.shape, alpha: self.alpha, beta: self.beta, inputs, epilogue: None }
    }

    /// Makes the random numbers of the case, with the special values if it has them.
    pub(super) fn inputs(&self, elements: Elements) -> Inputs {
        let beta = if self.old_numbers { 1.0 } else { self.beta };
        let mut inputs = Inputs::random(elements, self.shape, self.seed, beta);
        if self.special {
            self.specialise(&mut inputs, elements);
        }
        inputs
    }

    /// Puts zeros into A that meet infinities and NaN in B, and the reverse. Such a product is NaN, which a kernel that
    /// leaves out zeros misses. Also puts infinities and NaN into the old C.
    ///
    /// Each of these elements is in a row and a column of its own, so that none hides another.
    fn specialise(&self, inputs: &mut Inputs, elements: Elements) {
        const VALUES: [f32; 3] = [f32::INFINITY, f32::NAN, f32::NEG_INFINITY];
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

    /// Makes the matrices in the emulator's memory, with their gaps.
    pub(super) fn matrices(&self, inputs: &Inputs, elements: Elements) -> Matrices {
        let mut contents = inputs.encoded(elements, self.shape);
        for (at, (values, [bytes, kept, row])) in contents.iter_mut().zip(self.extents(elements)).enumerate() {
            let gap = match at {
                2 => encode(elements.result(), &[f32::from_bits(PATTERN)]),
                _ => encode(elements, &[f32::NAN]),
            };
            let gap = gap.repeat((row - kept) / bytes);
            *values = values.chunks(kept).flat_map(|row| [row, &gap]).collect::<Vec<_>>().concat();
        }
        Matrices::of_bytes(&contents, self.shape, self.strides, elements)
    }

    /// Returns C without its gaps.
    pub(super) fn result(&self, matrices: &Matrices, elements: Elements) -> Vec<f32> {
        let [_, kept, row] = self.extents(elements)[2];
        let rows: Vec<&[u8]> = matrices.c().chunks(row).map(|row| &row[..kept]).collect();
        decode(elements.result(), &rows.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Shape = Shape { m: 256, n: 128, k: 64 };

    #[test]
    fn extents_and_leading_dimensions_are_what_the_kernel_needs() {
        let ragged = cases(&Needs::default(), 7, WIDE, &[]);
        for case in &ragged {
            assert!(
                case.strides[0] >= case.shape.k && case.strides[1] >= case.shape.n && case.strides[2] >= case.shape.n
            );
        }
        let ragged_vectors = |rest: u32| {
            let aligned = |stride: u32, extent: u32| stride.is_multiple_of(4) && extent % 4 == rest;
            let fits = |case: &&Case| aligned(case.strides[0], case.shape.k) && aligned(case.strides[2], case.shape.n);
            cases(&Needs::default(), 7, WIDE, &[]).iter().rev().skip(1).any(|case| fits(&case))
        };
        assert!(ragged.iter().rev().skip(1).any(|case| case.beta < 0.0), "a negative beta, whatever the seed");
        assert!((1..4).all(ragged_vectors), "whole vectors, ragged rows, without the shape of the seed");
        let most = |of: fn(&Case) -> u32| ragged.iter().rev().skip(1).map(of).max().unwrap();
        let extents = [most(|case| case.shape.m), most(|case| case.shape.n), most(|case| case.shape.k)];
        let [a, b] =
            [most(|case| (case.shape.m - 1) * case.strides[0]), most(|case| (case.shape.k - 1) * case.strides[1])];
        let indices = [a, b, most(|case| (case.shape.m - 1) * case.strides[2])];
        assert!(extents.iter().all(|extent| *extent > 256) && indices.iter().all(|index| *index > 0xffff));
        let mut needs = Needs::default();
        (needs.multiple.m, needs.multiple.lda, needs.multiple.ldb) = (Some(2), Some(8), Some(16));
        for case in cases(&needs, 7, WIDE, &[]) {
            let Case { shape, strides, .. } = &case;
            let multiples = [(shape.m, 2), (shape.k, 8), (strides[0], 8), (shape.n, 16), (strides[1], 16)];
            assert!(multiples.iter().all(|(extent, by)| extent % by == 0), "{case:?}");
        }
    }

    #[test]
    fn an_exercise_adds_launches_of_its_own_and_hazards_are_looked_for_in_them() {
        let own = JudgeShape { m: 150, n: 256, k: 16, gap: 1, alpha: 0.5, beta: 0.25 };
        let with = cases(&Needs::default(), 7, WIDE, &[own]);
        let without = cases(&Needs::default(), 7, WIDE, &[]);
        let added: Vec<&Case> = with.iter().filter(|case| !without.contains(case)).collect();
        let [case] = added[..] else { panic!("{added:?}") };
        assert_eq!(
            (case.shape, case.strides[1], case.alpha, case.beta),
            (Shape { m: 150, n: 256, k: 16 }, 257, 0.5, 0.25)
        );
        assert!(
            case.watched && with.iter().rfind(|case| case.watched).unwrap().shape == WIDE,
            "counts are held at the wide one"
        );
    }

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
    fn another_seed_draws_another_shape_and_other_numbers() {
        let of = |seed| cases(&Needs::default(), seed, WIDE, &[]);
        assert_eq!(of(5), of(5));
        assert_ne!(of(5).last().unwrap().shape, of(6).last().unwrap().shape);
        let inputs = |seed| of(seed)[0].inputs(Elements::F32);
        assert_ne!(inputs(5), inputs(6));
    }

    #[test]
    fn zeros_meet_what_is_not_a_number_whatever_the_seed() {
        for seed in 0..40 {
            let special = cases(&Needs::default(), seed, WIDE, &[]).into_iter().find(|case| case.special).unwrap();
            let Inputs { a, b, c } = special.inputs(Elements::F32);
            let Shape { m, n, k } = special.shape;
            let (m, n, k) = (m as usize, n as usize, k as usize);
            let value = |row: usize, column: usize, skip: &dyn Fn(f32, f32) -> bool| {
                let products = (0..k).map(|l| (a[row * k + l], b[l * n + column])).filter(|(x, y)| !skip(*x, *y));
                products.fold(0.0, |sum, (x, y)| sum + x * y)
            };
            let differ = |skip: &dyn Fn(f32, f32) -> bool| {
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
