//! Tensor instructions: their shapes, formats and register layouts.

use super::Slot;
use crate::arith::soft::Round;
use crate::arith::tensor::{Accumulator, Format};

/// An instruction on matrices in registers.
#[derive(Debug, Clone)]
pub(crate) struct Tensor {
    pub(crate) kind: TensorOp,
    pub(crate) writes: Vec<Slot>,
    /// Registers that it reads: those of A, B and C, then the metadata of a sparse A.
    pub(crate) reads: Vec<Slot>,
}

/// The operation of a [`Tensor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorOp {
    /// `mma`: D = A·B + C.
    Multiply(Form),
    /// `mma` with shape 8×8×4: four products at once.
    Quads(Quads),
    /// `wgmma.mma_async`: D = A·B + D.
    Group(Group),
    Fence,
    Commit,
    /// `wgmma.wait_group`: waits until at most this many groups are pending.
    Wait(u32),
    /// `movmatrix`: transposes an 8×8 matrix of 16-bit elements.
    Transpose,
}

/// Shape and formats of `mma`. It always has eight columns.
///
/// Lane `l` belongs to group `g = l / 4` and has position `t = l % 4` in it. A register of A holds `each` consecutive
/// elements of a row, a register of B `each` consecutive elements of a column:
///
/// - Element `j` of register `r` of A is in row `g + 8·(r % (rows/8))`, column `each·(t + 4·(r / (rows/8))) + j`.
/// - Element `j` of register `r` of B is in row `each·(t + 4r) + j`, column `g`.
/// - C and D hold pairs of neighbours in a row. Element `i` is in row `g + 8·(i / 2)`, column `2t + i % 2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Rows of A: 8 or 16.
    pub(crate) rows: u32,
    /// Columns of A, including those that a sparse A omits. For single-bit elements, 32 count as one column.
    pub(crate) depth: u32,
    pub(crate) a: Format,
    pub(crate) b: Format,
    pub(crate) c: Accumulator,
    pub(crate) d: Accumulator,
    /// `.satfinite`: sums of integers are clamped.
    pub(crate) saturate: bool,
    /// `.xor`: counts the bits that differ, instead of the bits that are set in both.
    pub(crate) differ: bool,
    /// Rounding of sums in double precision.
    pub(crate) round: Round,
    pub(crate) sparse: Option<Sparse>,
}

impl Form {
    /// A dense product with C and D in the same format, and no options.
    pub(crate) fn new(rows: u32, depth: u32, a: Format, b: Format, c: Accumulator) -> Self {
        Self { rows, depth, a, b, c, d: c, saturate: false, differ: false, round: Round::Nearest, sparse: None }
    }

    /// Number of columns of A that the registers hold.
    pub(crate) fn stored(&self) -> u32 {
        if self.sparse.is_some() { self.depth / 2 } else { self.depth }
    }

    /// Number of registers of A, B, C and D.
    pub(crate) fn registers(&self) -> [usize; 4] {
        let a = self.rows / 8 * self.stored() / (4 * self.a.each());
        let b = self.depth / (4 * self.b.each());
        let elements = self.rows / 4;
        let of = |sums| if sums == Accumulator::F16 { elements / 2 } else { elements };
        [a, b, of(self.c), of(self.d)].map(|count| count as usize)
    }

    /// Returns the format of the sums: that of C and D, or the wider one if they differ.
    pub(crate) fn sums(&self) -> Accumulator {
        if self.c == Accumulator::F16 { self.d } else { self.c }
    }

    /// Bits per register of A and B, and of C.
    pub(crate) fn widths(&self) -> [u32; 2] {
        let of = |wide: bool| if wide { 64 } else { 32 };
        [of(self.a == Format::F64), of(self.c == Accumulator::F64)]
    }

    /// Floating-point operations per lane, on average.
    pub(crate) fn flop(&self) -> u32 {
        if self.c == Accumulator::S32 { 0 } else { self.rows * 8 * self.depth * 2 / 32 }
    }
}

/// A sparse A: half of its elements are omitted, and metadata state which ones are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sparse {
    /// Selects the lanes of each group of four that hold the metadata, if not all do.
    pub(crate) selector: u32,
}

/// `mma` with shape 8×8×4 in half precision: lanes `4i…4i+3` and `16+4i…16+4i+3` compute product `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quads {
    /// True if a lane holds a row of A, false for a column.
    pub(crate) a_rows: bool,
    /// True if a lane holds half a row of B, false for a column.
    pub(crate) b_rows: bool,
    /// True if C (and D) is in half precision.
    pub(crate) c_half: bool,
    pub(crate) d_half: bool,
}

/// Shape, formats and layout of `wgmma.mma_async`: 64 rows, 16 per warp.
///
/// [`Tensor::reads`] holds four registers of A or its descriptor, the descriptor of B, the predicate that adds D, D
/// itself, and the metadata of a sparse A. The registers of A have the layout of [`Form`]. Element `i` of D is in row
/// `g + 8·(i/2 % 2)`, column `8·(i/4) + 2t + i%2`.
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
    /// True if the products are subtracted.
    pub(crate) negated: bool,
    pub(crate) saturate: bool,
    pub(crate) sparse: Option<Sparse>,
}

/// The 8×8 matrices of 16-bit elements that `ldmatrix` or `stmatrix` moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matrices {
    /// Number of matrices: 1, 2 or 4.
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

    /// Returns the mask of lanes that provide the addresses of the rows.
    pub(crate) fn lanes(self) -> u32 {
        if self.count == 4 { u32::MAX } else { (1 << (8 * self.count)) - 1 }
    }
}
