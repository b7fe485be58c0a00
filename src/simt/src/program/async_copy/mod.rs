/*! What happens beside the threads: asynchronous copies, `mbarrier` objects, tensor maps, clusters.

| form | how it is run |
|---|---|
| `cp.async` | checked when issued; the bytes move when the thread waits for its group |
| `cp.async.bulk`, `cp.async.bulk.tensor`, `cp.reduce.async.bulk` and its `.tensor` | checked when issued; the bytes move when somebody waits for the `mbarrier` or for the bulk group |
| `mbarrier` | its state is the 64-bit word in shared memory |
| `st.async`, `red.async` | as bulk copies that complete at an `mbarrier` |
| `tensormap.replace`, `tensormap.cp_fenceproxy` | change and copy a tensor map at once; what it then says is checked when it is used |
| `cp.async.bulk.prefetch`, cache policies | change no value |
| clusters | the blocks of a cluster run in one worker, by turns |

# Data come late

A copy's bytes move at the last moment that the program allows: when its wait is executed. On a GPU they may come at any
moment between issue and wait, so a kernel that forgets its wait is right on some days. Here it is wrong every
time, in the same way: it reads what stood there before. For the same reason a store of the copy engine reads
its source when `wait_group.read` or `wait_group` waits for it, so that a kernel which overwrites the source too early
stores the wrong values, and writes its target when `wait_group` does. Copies that nobody waits for move when their block
ends if they go to global memory, and never if they go to shared memory.

# Waiting

A thread that tests an `mbarrier` whose phase is not complete gives up its warp's turn; the warp looks again when
some barrier or `mbarrier` has changed. If no warp of the cluster can go on for many rounds, that is a deadlock, and
the fault says which arrivals and bytes are missing.
*/

mod reduce;
pub(crate) mod state;

use super::{Access, NONE, Program, Slot};
use crate::arch::{Order, SHARED_WINDOW, Scope};
use crate::arith::Registers;
use crate::tensor_map::Field;
pub(crate) use reduce::{Operation, Reduce};

/// An operand: a row and a constant that is added to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) offset: i64,
    /// A generic address of shared memory.
    pub(crate) generic: bool,
}

impl Input {
    /// The operand is not there.
    pub(crate) const ABSENT: Self = Self { slot: NONE, wide: false, offset: 0, generic: false };

    pub(crate) fn is_absent(&self) -> bool {
        self.slot == NONE
    }

    /// The operand's value in a lane; zero if it is not there.
    #[inline(always)]
    pub(crate) fn lane(&self, file: Registers, lane: usize) -> u64 {
        if self.slot == NONE {
            return 0;
        }
        let value = file.lane(self.slot, self.wide, lane).wrapping_add(self.offset as u64);
        let value = if self.wide { value } else { value & 0xffff_ffff };
        if self.generic { value.wrapping_sub(SHARED_WINDOW) } else { value }
    }

    /// The word of a predicate; all false if it is not there.
    pub(crate) fn predicate(&self, file: Registers) -> u32 {
        if self.slot == NONE { 0 } else { file.predicate(self.slot) }
    }
}

/// What an asynchronous instruction does, with its inputs in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// `cp.async`: shared address, global address, bytes to read (or absent), predicate to ignore the source.
    Copy { bytes: u32, cached: bool },
    /// `cp.async.commit_group`.
    CommitCopies,
    /// `cp.async.wait_group N`; `None` is `wait_all`.
    WaitCopies { pending: Option<u32> },
    /// `cp.async.mbarrier.arrive`: address.
    TrackCopies { noinc: bool },
    /// `mbarrier.init`: address, count.
    Init,
    /// `mbarrier.inval`: address.
    Invalidate,
    /// `mbarrier.arrive` and `arrive_drop`: address, count, bytes expected.
    Arrive { no_complete: bool, drop: bool },
    /// `mbarrier.expect_tx`: address, bytes.
    Expect,
    /// `mbarrier.complete_tx`: address, bytes.
    Complete,
    /// `mbarrier.test_wait` and `try_wait`: address, state or parity.
    Test { parity: bool, suspends: bool },
    /// `cp.async.bulk` to shared memory from global memory: shared address, global address, bytes, `mbarrier`, blocks.
    BulkLoad,
    /// `cp.async.bulk` to global memory: global address, shared address, bytes, mask of the bytes of 16.
    BulkStore { reduce: Option<Reduce> },
    /// `cp.async.bulk` from one block's shared memory to another's: addresses, bytes, `mbarrier`.
    BulkShared { reduce: Option<Reduce> },
    /// `cp.async.bulk.tensor` to shared memory: shared address, map, `mbarrier`, blocks, coordinates; of columns, offsets.
    TileLoad { rank: u8, columns: bool },
    /// `cp.async.bulk.tensor` to global memory: map, shared address, coordinates.
    TileStore { rank: u8, columns: bool, operation: Option<Operation> },
    /// `st.async` of elements of this size, and `red.async`: address, `mbarrier`, values.
    Remote { size: u8, reduce: Option<Reduce> },
    /// `tensormap.replace`: address of the map, value.
    ReplaceField { field: Field, shared: bool },
    /// `tensormap.cp_fenceproxy`: global address, shared address.
    CopyMap,
    /// `setmaxnreg`: how registers are shared out changes no value.
    Registers,
    /// `cp.async.bulk.commit_group`.
    CommitBulk,
    /// `cp.async.bulk.wait_group N`; `read` if only the sources must have been read.
    WaitBulk { pending: u32, read: bool },
    /// `fence.proxy.async`.
    ProxyFence,
    /// `barrier.cluster.arrive`.
    ClusterArrive,
    /// `barrier.cluster.wait`.
    ClusterWait,
}

/// An asynchronous instruction.
#[derive(Debug, Clone)]
pub(crate) struct Asynch {
    pub(crate) kind: Kind,
    pub(crate) inputs: Vec<Input>,
    /// Registers written, or [`NONE`]: a state or a value, a predicate.
    pub(crate) value: Slot,
    pub(crate) predicate: Slot,
    /// Indices in [`crate::program::Program::accesses`] of its shared and its global side.
    pub(crate) accesses: [u32; 2],
    /// What an arrival makes known, or a wait takes in.
    pub(crate) order: Order,
}

impl Asynch {
    pub(crate) fn new(kind: Kind, inputs: Vec<Input>) -> Self {
        let order = Order { strong: true, release: true, acquire: true, scope: Scope::Cluster };
        Self { kind, inputs, value: NONE, predicate: NONE, accesses: [NONE; 2], order }
    }

    /// An operand; absent if there is none of this number.
    #[inline(always)]
    pub(crate) fn input(&self, index: usize) -> Input {
        self.inputs.get(index).copied().unwrap_or(Input::ABSENT)
    }
}

impl Asynch {
    /// The access by which it is counted.
    pub(crate) fn counted<'a>(&self, program: &'a Program) -> Option<&'a Access> {
        self.accesses.iter().find_map(|index| program.accesses.get(*index as usize))
    }
}
