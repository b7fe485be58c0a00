use super::Slot;
use crate::arch::{AtomicKind, Order};
use crate::cost::atomic::{Served, served};

/// State space of an access after lowering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StateSpace {
    Generic,
    Global,
    Shared,
    /// Shared memory of any block of the cluster.
    Cluster,
    Local,
}

#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) reach: StateSpace,
    /// Bytes per element: 1, 2, 4 or 8.
    pub(crate) size: u32,
    /// Elements per lane: 1, 2 or 4. Some atomics have 8.
    pub(crate) lanes: u32,
    /// Register of each element. For a 128-bit atomic: the old value, then the value to store if the comparison
    /// succeeds.
    pub(crate) rows: [Slot; 4],
    /// True if these registers have 64 bits.
    pub(crate) wide: bool,
    /// True if loaded values are sign-extended.
    pub(crate) signed: bool,
    /// The address register ([`NONE`] for an absolute address), whether it has 64 bits, and the index of its address
    /// pattern.
    pub(crate) base: Slot,
    pub(crate) base_wide: bool,
    pub(crate) pattern: u32,
    pub(crate) offset: i64,
    pub(crate) atomic: Option<AtomicKind>,
    /// True for an atomic whose old value the kernel uses.
    pub(crate) returns: bool,
    pub(crate) writes: bool,
    /// True if threads may spin on it: an exchange, or a load that must see other threads' writes.
    pub(crate) spins: bool,
    /// True for a load from constant memory, whose cache is separate. It moves no sectors of global memory.
    pub(crate) constant: bool,
    /// True for `ld.global.nc`: no thread may write the bytes while the kernel runs.
    pub(crate) read_only: bool,
    /// For rows of 8×8 matrices, which shared memory serves one matrix at a time: true if they are transposed.
    pub(crate) matrix: Option<bool>,
    /// Memory-ordering properties.
    pub(crate) order: Order,
}

impl Access {
    pub(crate) fn bytes(&self) -> u32 {
        self.size * self.lanes
    }

    /// Returns how shared memory performs this atomic.
    pub(crate) fn served(&self) -> Served {
        self.atomic.map_or(Served::Once, |kind| served(kind, self.size, self.reach == StateSpace::Generic))
    }
}
