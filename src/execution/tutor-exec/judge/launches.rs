/*! The kinds of launches with which the judge tests a kernel, on shapes that its author did not choose.

A verdict must not depend on the seed. So each kind of mistake that a launch can reveal has a launch in [`TABLE`], which
is the same for every seed. The seed changes only the numbers, the order of the warps, the positions of infinities and
NaN along K, and the shape of one more launch.

The launches run one after the other on the same loaded module. So each one except the first is also a later launch with
other numbers and another shape, in which variables of the kernel's module keep their values.

If a launch fails, the judge changes one of its properties at a time ([`changes`]). A property without which the launch
is correct is a condition of the mistake, and the report names it. */

use super::cases::Case;
use super::found::number;
use super::verdict::JudgeShape;
use crate::input::mix;
use crate::protocol::Shape;
use tutor_kernels::{Elements, Needs};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// How far apart the rows of A, B and C begin.
#[derive(Debug, Clone, Copy)]
enum Rows {
    Packed,
    /// Unused elements between two rows.
    Gaps([u32; 3]),
    /// The smallest leading dimensions above the extents with these remainders by 8.
    Remainders([u32; 3]),
}
use Rows::{Gaps, Packed, Remainders};

/// Properties of the numbers in the matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Ordinary,
    /// The old C contains numbers although beta is 0.
    Old,
    /// With zeros, infinities and NaN.
    Special,
    Large,
}
use Numbers::{Large, Old, Ordinary, Special};

type Launch = ([u32; 3], Rows, [f32; 2], Numbers);

/// Launches of small shapes: M, N and K, leading dimensions, alpha and beta, numbers. Together they have:
/// - each pair of alpha and beta of 0, 1, negative and other numbers, with a beta near 0 and a beta above 1;
/// - M, N and K of 1 with gaps between the rows, more than 1000 rows, columns and steps along K, a K of 32 times an odd
///   number beyond 128, and an odd K of 300 in [`WATCHED`];
/// - each choice of the matrices whose rows begin at multiples of four elements, each remainder of a leading dimension by
///   8, and whole vectors in which the last vector of a row has three, two and one elements, in C with each kind of beta;
/// - whole tiles with gaps between the rows and a beta that is not 0, with and without aligned rows, for kernels that treat
///   whole tiles separately;
/// - results that are large, and zeros that meet infinities and NaN in each operand.
///
/// If alpha is 0, the sum is invisible. So these launches have no other kind.
const TABLE: [Launch; 21] = [
    ([33, 19, 39], Remainders([0, 0, 0]), [0.75, 0.5], Special),
    ([1, 37, 19], Remainders([1, 2, 3]), [1.0, 1.0], Ordinary),
    ([37, 1, 19], Remainders([3, 5, 7]), [2.5, 1.0], Ordinary),
    ([19, 37, 1], Remainders([5, 1, 3]), [-1.0, 0.0], Ordinary),
    ([9, 22, 41], Remainders([4, 1, 2]), [-1.5, 1.0], Large),
    ([9, 21, 22], Remainders([2, 4, 5]), [1.0, 2.0], Ordinary),
    ([6, 23, 21], Remainders([7, 6, 0]), [1.0, -1.0], Ordinary),
    ([5, 22, 42], Remainders([0, 4, 6]), [0.5, -0.0625], Ordinary),
    ([7, 21, 23], Remainders([4, 7, 4]), [-0.5, -2.0], Ordinary),
    ([5, 23, 160], Remainders([6, 0, 4]), [-2.0, 0.0], Old),
    ([300, 21, 41], Remainders([4, 4, 4]), [-1.5, 2.5], Ordinary),
    ([3, 300, 16], Remainders([5, 3, 1]), [1.0, 1.0], Ordinary),
    ([128, 128, 32], Remainders([4, 4, 4]), [0.5, 2.0], Ordinary),
    ([128, 128, 64], Gaps([1, 2, 3]), [1.0, -1.0], Ordinary),
    ([1030, 5, 6], Gaps([1, 0, 3]), [1.0, 0.0], Ordinary),
    ([5, 1030, 3], Remainders([3, 2, 4]), [0.5, 1.0], Ordinary),
    ([6, 7, 1024], Packed, [1.0, 0.0], Ordinary),
    ([5, 6, 7], Packed, [0.0, 0.0], Ordinary),
    ([6, 22, 7], Remainders([0, 4, 4]), [0.0, 1.0], Ordinary),
    ([17, 33, 5], Remainders([4, 4, 0]), [0.0, 3.0], Ordinary),
    ([7, 6, 5], Gaps([3, 2, 1]), [0.0, -0.5], Ordinary),
];

/// The launches in which the judge also looks for hazards: several tiles along K, and several blocks. The first has more
/// than 2¹⁶ elements from the first to the last row of B, and an odd K for kernels with large tiles, too. The second has
/// blocks that are whole in both dimensions, in one of them, and in none, and indices beyond 2¹⁶ in A and C.
fn watched(wide: Shape) -> [Launch; 2] {
    [
        ([70, 45, 300 * wide.k.div_ceil(128)], Gaps([3, 201, 2]), [-1.5, 0.25], Ordinary),
        ([130, 132, 45], Gaps([502, 1, 503]), [0.5, 0.0], Old),
    ]
}

/// Makes a case. Each extent and leading dimension is rounded up to the next value that `needs` allows.
fn case(needs: &Needs, seed: u64, ([rows, columns, depth], apart, scales, numbers): Launch) -> Case {
    let m = &needs.multiple;
    let up = |value: u32, multiple: Option<u32>| value.next_multiple_of(multiple.unwrap_or(1).max(1));
    // The requirements on leading dimensions are written for matrices without gaps, where they are extents. A kernel
    // reads whole vectors, so the extents must meet them too.
    let shape = Shape::new(up(rows, m.m), up(up(columns, m.n), m.ldb.max(m.ldc)), up(up(depth, m.k), m.lda));
    let extents = [shape.k, shape.n, shape.n];
    let strides: [u32; 3] = std::array::from_fn(|at| {
        let stride = match apart {
            Packed => extents[at],
            Gaps(gaps) => extents[at] + gaps[at],
            Remainders(rests) => extents[at] + 1 + (rests[at] + 7 - extents[at] % 8) % 8,
        };
        up(stride, [m.lda, m.ldb, m.ldc][at])
    });
    let [alpha, beta] = scales;
    Case {
        shape,
        strides,
        alpha,
        beta,
        special: numbers == Special,
        large: numbers == Large,
        old_numbers: numbers == Old,
        far: false,
        seed: mix(seed ^ mix(u64::from(rows) << 32 | u64::from(columns) << 16 | u64::from(depth))),
        watched: false,
    }
}

/// Returns the cases for a kernel with these needs, the simplest first. `wide` is a shape with several blocks, and with
/// enough tiles for a kernel with large tiles. `own` are the shapes of the exercise.
pub(super) fn cases(needs: &Needs, seed: u64, wide: Shape, own: &[JudgeShape]) -> Vec<Case> {
    let draw = |stream: u64, below: u32| 1 + (mix(seed ^ mix(stream)) % u64::from(below)) as u32;
    let case = |launch| case(needs, seed, launch);
    let seen = |launch| Case { watched: true, ..case(launch) };
    let own = own
        .iter()
        .map(|&JudgeShape { m, n, k, gap, alpha, beta }| seen(([m, n, k], Gaps([gap; 3]), [alpha, beta], Ordinary)));
    let drawn = (
        [draw(1, 150), draw(2, 150), draw(3, 200)],
        Gaps([draw(4, 9), draw(5, 9), draw(6, 9)]),
        [0.5, if draw(7, 2) == 1 { 0.0 } else { -2.0 }],
        Ordinary,
    );
    let simple = [([1, 1, 1], Packed, [1.0, 0.0], Ordinary), ([17, 33, 5], Packed, [1.0, 0.0], Old)];
    simple
        .into_iter()
        .map(case)
        .chain(own)
        .chain(watched(wide).map(seen))
        .chain([seen(([wide.m, wide.n, wide.k], Packed, [1.0, 0.0], Ordinary))])
        .chain(TABLE.map(case))
        .chain([case(drawn)])
        .collect()
}

/// Returns the cases for the text without optimisation: several tiles along K, blocks that are whole in both dimensions, in one
/// of them, and in none, and both kinds of beta.
pub(super) fn unoptimised(needs: &Needs, seed: u64) -> [Case; 2] {
    [0.0, -2.0].map(|beta| case(needs, seed, ([130, 132, 37], Gaps([1, 2, 3]), [0.5, beta], Old)))
}

/// Leading dimension of a matrix whose row 16 begins beyond the range of a signed 32-bit index.
const FAR: u32 = 1 << 27;

/// Returns three cases. In each, the rows of one matrix (A, B or C) are so far apart that a 32-bit index overflows.
pub(super) fn far_cases(needs: &Needs, seed: u64) -> [Case; 3] {
    [0, 1, 2].map(|matrix| {
        // The compiler turns an index that grows in a loop into a 64-bit address. It computes the index in 32 bits only
        // where the rest of an unrolled loop begins: for 17 rows at row 16, if the loop is unrolled 2, 4, 8 or 16 times.
        let mut case = case(needs, seed, ([17, 17, 17], Packed, [1.0, 0.0], Ordinary));
        case.strides[matrix] = FAR;
        Case { far: true, ..case }
    })
}

/// A launch that lacks one property of another one, the property's name, and the name of what replaces it.
pub(super) type Change = (Case, Sentence, Sentence);

/// Returns the launches that lack one property of a case: alpha that is not 1, beta, each extent, the alignment of a
/// leading dimension, gaps between rows, unusual numbers. Rows that are far apart leave no room for more of them.
pub(super) fn changes(case: &Case, elements: Elements, needs: &Needs) -> Vec<Change> {
    let m = &needs.multiple;
    let mut changes = Vec::new();
    let mut change = |applies: bool, names: [Sentence; 2], with: &dyn Fn(&mut Case)| {
        let mut other = case.clone();
        with(&mut other);
        let [from, to] = names;
        if applies {
            changes.push((other, from, to));
        }
    };
    let values = |what: &str, values: [String; 2]| values.map(|value| sentence!("exec-judge-value", what, value));
    let scales = |what, scales: [f32; 2]| values(what, scales.map(|scale| number(scale.into())));
    let extents = |what, extents: [u32; 2]| values(what, extents.map(|extent| extent.to_string()));
    let other = if case.beta == 0.0 { 0.5 } else { 0.0 };
    change(case.alpha != 1.0, scales("alpha", [case.alpha, 1.0]), &|case| case.alpha = 1.0);
    change(true, scales("beta", [case.beta, other]), &|case| (case.beta, case.old_numbers) = (other, true));
    for (at, what) in ["M", "N", "K"].into_iter().enumerate() {
        let Shape { m: rows, n: columns, k: depth, .. } = case.shape;
        let from = [rows, columns, depth][at];
        let to = if from == 1 { 2 } else { 128 };
        let allowed =
            [m.m.max(Some(1)), m.n.max(m.ldb).max(m.ldc), m.k.max(m.lda)][at].is_none_or(|unit| to % unit == 0);
        change(from != to && allowed && !case.far, extents(what, [from, to]), &|case| {
            let before = case.rows(elements);
            *[&mut case.shape.m, &mut case.shape.n, &mut case.shape.k][at] = to;
            let rows = case.rows(elements);
            // Alignments and gaps stay, as far as they can.
            case.strides = std::array::from_fn(|at| match case.strides[at] {
                packed if packed == before[at] => rows[at],
                stride => rows[at] + 1 + (stride + 15 * rows[at] + 15) % 16,
            });
        });
    }
    for (at, (what, matrix)) in [("lda", "A"), ("ldb", "B"), ("ldc", "C")].into_iter().enumerate() {
        let (from, row) = (case.strides[at], case.rows(elements)[at]);
        let unit = [m.lda, m.ldb, m.ldc][at].unwrap_or(1);
        let whole = if case.far { row } else { from }.next_multiple_of(16);
        for (to, applies) in [(whole, whole != from && whole % unit == 0), (from + 1, from % 4 == 0 && unit == 1)] {
            change(applies, extents(what, [from, to]), &|case| case.strides[at] = to);
        }
        let names = ["gaps", "none"].map(|has| sentence!("exec-judge-gaps", has, matrix));
        change(from != row && !case.far, names, &|case| case.strides[at] = row);
    }
    let names =
        |kind: &str| ["has", "lacks"].map(|has| sentence!("exec-judge-numbers", kind = format!("{kind}-{has}")));
    change(case.large, names("large"), &|case| case.large = false);
    change(case.special, names("special"), &|case| case.special = false);
    change(case.old_numbers && case.beta == 0.0, names("old"), &|case| case.old_numbers = false);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Shape = Shape::new(256, 128, 64);

    /// The launches that do not depend on the seed.
    fn fixed(needs: &Needs) -> Vec<Case> {
        let mut fixed = cases(needs, 7, WIDE, &[]);
        fixed.pop();
        fixed
    }

    fn scale(value: f32) -> usize {
        [value == 0.0, value == 1.0, value < 0.0, true].into_iter().position(|is| is).unwrap()
    }

    /// Each row is a kind of launch that every judgement must have, whatever the seed.
    #[test]
    fn every_kind_of_launch_is_in_every_judgement() {
        let fixed = fixed(&Needs::default());
        let apart = |case: &Case| case.strides[0] > case.shape.k && case.strides[1].min(case.strides[2]) > case.shape.n;
        let has = |kind: &str, is: &dyn Fn(&Case) -> bool| assert!(fixed.iter().any(is), "{kind}");
        for (alpha, beta) in (0..16).map(|pair| (pair / 4, pair % 4)) {
            has(&format!("alpha {alpha}, beta {beta}"), &|case| (scale(case.alpha), scale(case.beta)) == (alpha, beta));
        }
        for by in 0..8 {
            for matrix in 0..3 {
                has(&format!("remainder {by} of {matrix}"), &|case| case.strides[matrix] % 8 == by && apart(case));
            }
            let bits = [1, 2, 4].map(|bit| by & bit != 0);
            // Rows of a whole vector at least, so that a wide load is tried.
            let wide = |case: &Case| case.shape.k >= 4 && case.shape.n >= 4 && case.shape.m >= 4 && case.alpha != 0.0;
            has(&format!("aligned {bits:?}"), &|case| wide(case) && case.strides.map(|row| row % 4 == 0) == bits);
        }
        for rest in 1..4 {
            let ends = |stride: u32, extent: u32| stride.is_multiple_of(4) && extent % 4 == rest;
            for matrix in 0..3 {
                let extent = |case: &Case| if matrix == 0 { case.shape.k } else { case.shape.n };
                has(&format!("vector {rest} of {matrix}"), &|case| ends(case.strides[matrix], extent(case)));
            }
        }
        has("M 1", &|case| case.shape.m == 1 && apart(case));
        has("N 1", &|case| case.shape.n == 1 && apart(case));
        has("K 1", &|case| case.shape.k == 1 && apart(case));
        let whole = |case: &Case| {
            case.shape.m.is_multiple_of(128) && case.shape.n.is_multiple_of(128) && case.shape.k.is_multiple_of(32)
        };
        for aligned in [true, false] {
            let rows = |case: &Case| apart(case) && case.strides.map(|row| row % 4 == 0) == [aligned; 3];
            has("whole tiles", &|case| whole(case) && case.beta != 0.0 && rows(case));
        }
        has("many rows", &|case| case.shape.m > 1024);
        has("many columns", &|case| case.shape.n > 1024);
        has("a long K", &|case| case.shape.k == 1024);
        has("an odd number of tiles", &|case| case.shape.k > 128 && case.shape.k % 64 == 32);
        has("a beta above 1", &|case| case.beta > 1.0 && case.alpha != 0.0);
        for beta in 0..4 {
            let vectors = |case: &Case| case.strides[2].is_multiple_of(4) && case.shape.n > 4 && case.alpha != 0.0;
            has("vectors of C", &|case| vectors(case) && scale(case.beta) == beta);
        }
        has("a beta near 0", &|case| case.beta != 0.0 && case.beta.abs() < 0.1);
        has("large", &|case| case.large);
        has("special", &|case| case.special);
        has("an old C of numbers", &|case| case.old_numbers && case.beta == 0.0);
        has("16 bits", &|case| (case.shape.m - 1) * case.strides[0].min(case.strides[2]) > 0xffff);
        has("16 bits in B", &|case| (case.shape.k - 1) * case.strides[1] > 0xffff);
    }

    #[test]
    fn extents_and_leading_dimensions_are_what_the_kernel_needs() {
        let mut needs = Needs::default();
        (needs.multiple.m, needs.multiple.lda, needs.multiple.ldb) = (Some(2), Some(8), Some(16));
        for case in cases(&needs, 7, WIDE, &[]) {
            let changes = changes(&case, Elements::F32, &needs);
            for Case { shape, strides, .. } in changes.iter().map(|(case, ..)| case).chain([&case]) {
                let multiples = [(shape.m, 2), (shape.k, 8), (strides[0], 8), (shape.n, 16), (strides[1], 16)];
                assert!(multiples.iter().all(|(extent, by)| extent % by == 0), "{case:?}");
                assert!(strides[0] >= shape.k && strides[1].min(strides[2]) >= shape.n, "{case:?}");
            }
        }
    }

    #[test]
    fn an_exercise_adds_launches_of_its_own_and_hazards_are_looked_for_in_them() {
        let own = JudgeShape { m: 150, n: 256, k: 16, gap: 1, alpha: 0.5, beta: 0.25 };
        let with = cases(&Needs::default(), 7, WIDE, &[own]);
        let without = cases(&Needs::default(), 7, WIDE, &[]);
        let added: Vec<&Case> = with.iter().filter(|case| !without.contains(case)).collect();
        let [case] = added[..] else { panic!("{added:?}") };
        assert_eq!((case.shape, case.strides[1], case.alpha, case.beta), (Shape::new(150, 256, 16), 257, 0.5, 0.25));
        assert!(
            case.watched && with.iter().rfind(|case| case.watched).unwrap().shape == WIDE,
            "counts are held at the wide one"
        );
    }

    #[test]
    fn another_seed_draws_another_shape_and_other_numbers() {
        let of = |seed| cases(&Needs::default(), seed, WIDE, &[]);
        assert_eq!(of(5), of(5));
        assert_ne!(of(5).last().unwrap().shape, of(6).last().unwrap().shape);
        let inputs = |seed| of(seed)[0].inputs(Elements::F32);
        assert_ne!(inputs(5), inputs(6));
    }
}
