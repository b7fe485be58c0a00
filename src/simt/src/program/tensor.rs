//! What a tensor instruction works on.

use super::Slot;
use crate::arith::soft::Round;
use crate::arith::tensor::{Accumulator, Format};

/// An instruction on matrices that lie in registers.
#[derive(Debug, Clone)]
pub(crate) struct Tensor {
    pub(crate) kind: Kind,
    /// Registers that it writes.
    pub(crate) writes: Vec<Slot>,
    /// Registers that it reads: those of A, then B, then C, then the metadata of a sparse A.
    pub(crate) reads: Vec<Slot>,
}

/// What a [`Tensor`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `mma`: D = A·B + C.
    Multiply(Form),
    /// `mma` of 8×8×4, four products at once.
    Quads(Quads),
    /// `wgmma.mma_async`: D = A·B + D.
    Group(Group),
    /// `wgmma.fence`.
    Fence,
    /// `wgmma.commit_group`.
    Commit,
    /// `wgmma.wait_group` for all but so many groups.
    Wait(u32),
    /// `movmatrix`: an 8×8 matrix of 16-bit elements is transposed.
    Transpose,
}

/// Shape and formats of `mma`; eight columns always.
///
/// Lane `l` is of group `g = l / 4` and has place `t = l % 4` in it. A register of A holds neighbouring elements of a
/// row, one of B neighbouring elements of a column, `each` of them: element `j` of register `r` of A is that of row
/// `g + 8·(r % (rows/8))` and column `each·(t + 4·(r / (rows/8))) + j`; of B that of row `each·(t + 4r) + j` and
/// column `g`. C and D hold two neighbours of a row: element `i` is that of row `g + 8·(i / 2)`, column `2t + i % 2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Rows of A: 8 or 16.
    pub(crate) rows: u32,
    /// Columns of A, those included that a sparse A leaves out; for bits, 32 are one.
    pub(crate) depth: u32,
    pub(crate) a: Format,
    pub(crate) b: Format,
    pub(crate) c: Accumulator,
    pub(crate) d: Accumulator,
    /// `.satfinite`: sums of integers are clamped.
    pub(crate) saturate: bool,
    /// `.xor`: bits are counted that differ, not those that both have.
    pub(crate) differ: bool,
    /// How sums in double precision are rounded.
    pub(crate) round: Round,
    pub(crate) sparse: Option<Sparse>,
}

impl Form {
    /// A product whose C and D are in the same format, without any of the rest.
    pub(crate) fn new(rows: u32, depth: u32, a: Format, b: Format, c: Accumulator) -> Self {
        Self { rows, depth, a, b, c, d: c, saturate: false, differ: false, round: Round::Nearest, sparse: None }
    }

    /// Columns of A that its registers hold.
    pub(crate) fn stored(&self) -> u32 {
        if self.sparse.is_some() { self.depth / 2 } else { self.depth }
    }

    /// Registers of A, B, C and D.
    pub(crate) fn registers(&self) -> [usize; 4] {
        let a = self.rows / 8 * self.stored() / (4 * self.a.each());
        let b = self.depth / (4 * self.b.each());
        let elements = self.rows / 4;
        let of = |sums| if sums == Accumulator::F16 { elements / 2 } else { elements };
        [a, b, of(self.c), of(self.d)].map(|count| count as usize)
    }

    /// The format of the sums: that of C and D, the wider one if they differ.
    pub(crate) fn sums(&self) -> Accumulator {
        if self.c == Accumulator::F16 { self.d } else { self.c }
    }

    /// Bits of the registers of A and B, and of C.
    pub(crate) fn widths(&self) -> [u32; 2] {
        let of = |wide: bool| if wide { 64 } else { 32 };
        [of(self.a == Format::F64), of(self.c == Accumulator::F64)]
    }

    /// Floating-point operations that a lane does on average.
    pub(crate) fn flop(&self) -> u32 {
        if self.c == Accumulator::S32 { 0 } else { self.rows * 8 * self.depth * 2 / 32 }
    }
}

/// Half of A's elements are left out, and metadata say which ones are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sparse {
    /// Which of a group's four lanes hold the metadata, where not all do.
    pub(crate) selector: u32,
}

/// `mma` of 8×8×4 in half precision: lanes `4i…4i+3` and `16+4i…16+4i+3` compute product `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quads {
    /// Whether a lane holds a row of A, else a column.
    pub(crate) a_rows: bool,
    /// Whether a lane holds half a row of B, else a column.
    pub(crate) b_rows: bool,
    /// Whether C and D are in half precision.
    pub(crate) c_half: bool,
    pub(crate) d_half: bool,
}

/// Shape, formats and places of `wgmma.mma_async`: 64 rows, of which a warp has sixteen.
///
/// [`Tensor::reads`] holds four registers of A or its descriptor, the descriptor of B, the predicate that says whether D
/// is added to, D, and the metadata of a sparse A. Registers of A are laid out as those of [`Form`]. Of D, element `i` is that of row
/// `g + 8·(i/2 % 2)` and column `8·(i/4) + 2t + i%2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) columns: u32,
    pub(crate) depth: u32,
    pub(crate) a: Format,
    pub(crate) b: Format,
    pub(crate) c: Accumulator,
    pub(crate) a_registers: bool,
    pub(crate) a_transposed: bool,
    pub(crate) b_transposed: bool,
    /// The products are subtracted.
    pub(crate) negated: bool,
    pub(crate) saturate: bool,
    pub(crate) sparse: Option<Sparse>,
}

/// How `ldmatrix` and `stmatrix` move their 8×8 matrices of 16-bit elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matrices {
    /// Matrices: 1, 2, 4.
    pub(crate) count: u32,
    pub(crate) transposed: bool,
}

impl Matrices {
    pub(crate) fn pack(self) -> u64 {
        u64::from(self.count) | u64::from(self.transposed) << 8
    }

    pub(crate) fn unpack(packed: u64) -> Self {
        Self { count: (packed & 7) as u32, transposed: packed >> 8 & 1 == 1 }
    }

    /// The lanes that give the addresses of the rows.
    pub(crate) fn lanes(self) -> u32 {
        if self.count == 4 { u32::MAX } else { (1 << (8 * self.count)) - 1 }
    }
}
