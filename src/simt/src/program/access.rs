//! Memory instructions.

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

/// A memory instruction.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) reach: StateSpace,
    /// Bytes of an element: 1, 2, 4, 8.
    pub(crate) size: u32,
    /// Elements a lane moves: 1, 2, 4.
    pub(crate) lanes: u32,
    /// Register of each element. Of an atomic on 128 bits: the old value, and what is written if it compares equal.
    pub(crate) rows: [Slot; 4],
    /// Whether the registers have 64 bits.
    pub(crate) wide: bool,
    /// Loaded values are sign-extended.
    pub(crate) signed: bool,
    /// Address register ([`NONE`]: absolute), whether it has 64 bits, and its shape's index.
    pub(crate) base: Slot,
    pub(crate) base_wide: bool,
    pub(crate) shape: u32,
    pub(crate) offset: i64,
    pub(crate) atomic: Option<AtomicKind>,
    pub(crate) writes: bool,
    /// Threads may spin on it: an exchange, or a load that other threads' writes must reach.
    pub(crate) spins: bool,
    /// Rows of 8×8 matrices, which are served matrix by matrix.
    pub(crate) matrix: bool,
    /// What it means for the order of accesses.
    pub(crate) order: Order,
}

impl Access {
    pub(crate) fn bytes(&self) -> u32 {
        self.size * self.lanes
    }

    /// How shared memory does it, which is an atomic.
    pub(crate) fn served(&self) -> Served {
        self.atomic.map_or(Served::Once, |kind| served(kind, self.size, self.reach == StateSpace::Generic))
    }
}
