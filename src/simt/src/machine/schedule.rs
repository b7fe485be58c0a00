//! In which order warps run.

/// Which of a block's warps runs next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// Each warp, in order of its number, until it waits or ends.
    #[default]
    InOrder,
    /// One basic block of each warp in turn.
    RoundRobin,
    /// The runnable warp that comes first here runs until it waits or ends; unnamed warps follow in order.
    Priority(Vec<u32>),
    /// A warp drawn at random, for a number of instructions drawn at random, in every block and for every seed anew. The
    /// same seed gives the same order. A kernel without races gives the same result with every seed.
    Seeded(u64),
}
