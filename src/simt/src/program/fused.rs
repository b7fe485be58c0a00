//! Fused stretches as they stand in a program; [`crate::fuse`] finds them.

use super::{NONE, Op, Program, Slot};

/// A stretch of code.
#[derive(Debug, Clone)]
pub(crate) struct FusedRegion {
    /// Its first instruction.
    pub(crate) begin: usize,
    pub(crate) steps: Vec<Step>,
    /// The instruction after it.
    pub(crate) end: usize,
    /// The basic block that it is but for a branch at its end, back to its beginning.
    pub(crate) again: Option<u32>,
    /// How to run it again and again, if it is a loop of products.
    pub(crate) rolled: Option<RolledLoop>,
}

/// A loop that does a product and moves its two addresses on by constants; what else it does reads nothing of what the product
/// does, nor the other way round.
#[derive(Debug, Clone)]
pub(crate) struct RolledLoop {
    /// [`Program::products`], which is at the beginning of the stretch and adds to a sum that it has from the round before.
    pub(crate) product: u32,
    /// Bytes by which the addresses of the product's two factors move in a round.
    pub(crate) steps: [i32; 2],
    /// The steps after it, but for those of `moves`; they reach nothing but registers.
    pub(crate) control: Vec<Step>,
    /// Rows that nothing but the product's loads reads, and so may be moved for all rounds at once.
    pub(crate) moves: Vec<Move>,
}

/// A row of addresses to each of which a constant is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) address: Source,
    pub(crate) by: i32,
}

/// A step of a stretch. `at` is the index of its first instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// [`Op::Fma`] `first..end` of [`Program::multiply_adds`].
    MultiplyAdds { first: u32, end: u32 },
    /// [`Program::products`].
    Product { at: u32, index: u32 },
    /// [`Op::LoadShared`].
    LoadShared { at: u32 },
    /// [`Program::windows`], before the first of its loads.
    Window { index: u32 },
    /// [`Op::Load`] of one 32-bit element from global memory, perhaps from a window (else [`NONE`]).
    LoadGlobal { at: u32, window: u32 },
    /// [`Op::Load`] or [`Op::Store`].
    Access { at: u32 },
    /// [`Op::Lanes`]; afterwards the shape `touched` is out of date, unless that is [`NONE`].
    Lanes { at: u32, touched: u32 },
    /// [`Op::Predicate`].
    Predicate { at: u32 },
    /// [`Op::InvalidatePattern`].
    InvalidatePattern { shape: u32 },
    /// [`Op::InvalidatePattern`] of an address register, of 64 bits if `wide`, to which a constant was added.
    Advance { shape: u32, by: i32, wide: bool },
}

/// An address row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) shape: u32,
}

/// The rows that a term writes: both factors, and the sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) x: Slot,
    pub(crate) y: Slot,
    pub(crate) d: Slot,
}

/// `d = c + Σ x[i] × y[i]`, from the first to the last.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) x: Source,
    pub(crate) y: Source,
    pub(crate) c: Slot,
    pub(crate) d: Slot,
    /// Offsets of the elements from the two addresses.
    pub(crate) terms: Vec<[i32; 2]>,
    /// Rows of the last terms, as far as something may read them later.
    pub(crate) kept: Vec<Kept>,
    /// Lowest and highest offset of each.
    pub(crate) x_range: [i32; 2],
    pub(crate) y_range: [i32; 2],
    /// Index of the first load; the loads are this one, the next, and so on every three instructions.
    pub(crate) at: u32,
}

/// Bytes of a window.
pub(crate) const WINDOW_BYTES: u64 = 16;

/// Loads of words that lie within 16 bytes of one address row, with neither a store nor a change of the row between.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// Indices of the loads, the first one first.
    pub(crate) loads: Vec<u32>,
    /// Offset of the window from the address.
    pub(crate) start: i64,
}

impl Step {
    /// Whether it reaches nothing but registers, and what is known of those that hold addresses.
    pub(crate) fn is_in_registers(&self) -> bool {
        use Step::{Advance, InvalidatePattern, Lanes, Predicate};
        matches!(self, Lanes { .. } | Predicate { .. } | InvalidatePattern { .. } | Advance { .. })
    }
}

impl Program {
    /// The basic block whose stretch begins at `run` and ends at a branch back to the beginning of the block.
    pub(crate) fn loops(&self, run: usize, end: usize) -> Option<u32> {
        let enter = run.checked_sub(1)?;
        let branch = self.code.get(end)?;
        match self.code[enter].op {
            Op::Enter(block)
                if matches!(branch.op, Op::Branch) && branch.guard != NONE && branch.x as usize == enter =>
            {
                Some(block)
            }
            _ => None,
        }
    }
}
