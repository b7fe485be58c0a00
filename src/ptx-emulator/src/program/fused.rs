//! Fused regions as they are stored in a program. [`crate::fuse`] finds them.

use super::{NONE, Op, Program, Slot};

/// A region of straight-line code.
#[derive(Debug, Clone)]
pub(crate) struct FusedRegion {
    /// Index of the region's first instruction.
    pub(crate) begin: usize,
    pub(crate) steps: Vec<FusedStep>,
    /// Index of the instruction after the region.
    pub(crate) end: usize,
    /// The basic block, if the region is a whole loop body: the block except for the final branch back to its start.
    pub(crate) again: Option<u32>,
    /// How to run all iterations at once, if the region is a loop of products.
    pub(crate) product_loop: Option<ProductLoop>,
}

/// A loop that computes a product and advances the product's two addresses by constants. Its other steps are
/// independent of the product: neither reads what the other writes.
#[derive(Debug, Clone)]
pub(crate) struct ProductLoop {
    /// Index in [`Program::products`]. The product starts the region and adds to the sum of the previous iteration.
    pub(crate) product: u32,
    /// Bytes by which the addresses of the two factors advance per iteration.
    pub(crate) steps: [i32; 2],
    /// The steps after the product, except those in `moves`. They access only registers.
    pub(crate) control: Vec<FusedStep>,
    /// Rows that only the product's loads read. They can be advanced for all iterations at once.
    pub(crate) moves: Vec<Move>,
}

/// Adds a constant to each address in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) address: AddressRow,
    pub(crate) by: i32,
}

/// A step of a fused region. `at` is the index of its first instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FusedStep {
    /// Runs [`Op::Fma`] for `first..end` of [`Program::multiply_adds`].
    MultiplyAdds {
        first: u32,
        end: u32,
    },
    /// Runs an entry of [`Program::products`].
    Product {
        at: u32,
        index: u32,
    },
    /// Runs an [`Op::LoadShared`].
    LoadShared {
        at: u32,
    },
    /// Loads an entry of [`Program::load_groups`]. This step precedes the first of the group's loads.
    LoadGroup {
        index: u32,
    },
    /// Runs an [`Op::Load`] of one 32-bit element from global memory, from a load group unless that is [`NONE`].
    LoadGlobal {
        at: u32,
        group: u32,
    },
    /// Runs an [`Op::Load`] or [`Op::Store`].
    Access {
        at: u32,
    },
    /// Runs an [`Op::Lanes`] and then invalidates the address pattern `touched`, unless that is [`NONE`].
    Lanes {
        at: u32,
        touched: u32,
    },
    Predicate {
        at: u32,
    },
    InvalidatePattern {
        pattern: u32,
    },
    /// Runs an [`Op::InvalidatePattern`] after the constant `by` was added to an address register (64-bit if `wide`).
    Advance {
        pattern: u32,
        by: i32,
        wide: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AddressRow {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) pattern: u32,
}

/// The rows that a term writes: both factors and the sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) x: Slot,
    pub(crate) y: Slot,
    pub(crate) d: Slot,
}

/// `d = c + Σ x[i] × y[i]`, summed from the first term to the last.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) x: AddressRow,
    pub(crate) y: AddressRow,
    pub(crate) c: Slot,
    pub(crate) d: Slot,
    /// For each term, the offsets of its two elements from the two addresses.
    pub(crate) terms: Vec<[i32; 2]>,
    /// Rows of the last terms that later instructions may read.
    pub(crate) kept: Vec<Kept>,
    /// Lowest and highest offset of each factor.
    pub(crate) x_range: [i32; 2],
    pub(crate) y_range: [i32; 2],
    /// Index of the first load. A term has two adjacent loads and an FMA, so term `i` loads at `at + 3 * i`.
    pub(crate) at: u32,
}

/// Size of a load group in bytes.
pub(crate) const LOAD_GROUP_BYTES: u64 = 16;

/// Loads of words that are within 16 bytes of one address row, with no store and no change of that row in between.
#[derive(Debug, Clone)]
pub(crate) struct LoadGroup {
    /// Indices of the loads, in program order.
    pub(crate) loads: Vec<u32>,
    /// Offset of the group from the address.
    pub(crate) start: i64,
}

impl FusedStep {
    /// True if the step accesses only registers and address patterns.
    pub(crate) fn is_in_registers(&self) -> bool {
        use FusedStep::{Advance, InvalidatePattern, Lanes, Predicate};
        matches!(self, Lanes { .. } | Predicate { .. } | InvalidatePattern { .. } | Advance { .. })
    }
}

impl Program {
    /// Returns the basic block whose fused region starts at `run` and ends at `end` with a branch back to the block's
    /// start.
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
