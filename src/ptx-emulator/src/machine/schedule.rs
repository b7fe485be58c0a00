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
    /// A random warp runs for a random number of instructions. Each block draws its own sequence from the seed, and the
    /// same seed gives the same order. A kernel without races gives the same result for every seed.
    Seeded(u64),
}
