//! The order in which warps run.

/// Chooses which of a block's warps runs next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// Each warp runs until it waits or ends, in the order of the warp numbers.
    #[default]
    InOrder,
    /// Each warp in turn runs one basic block.
    RoundRobin,
    /// The first runnable warp of this list runs until it waits or ends. Warps not in the list follow in order.
    Priority(Vec<u32>),
    /// A random warp runs for a random number of instructions. Blocks that may communicate begin in another order, and
    /// sometimes give way to each other after an atomic. The same seed gives the same order. A kernel without races gives
    /// the same result for every seed, unless it depends on the order of its atomics.
    Seeded(u64),
}
