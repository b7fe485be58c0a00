/*! Asynchronous operations: copies, `mbarrier` objects, tensor maps and clusters.

| form | how the emulator runs it |
|---|---|
| `cp.async` | checked when issued; the bytes move when the thread waits for its group |
| `cp.async.bulk`, `cp.async.bulk.tensor`, `cp.reduce.async.bulk` and its `.tensor` | checked when issued; the bytes move when a thread waits for the `mbarrier` or for the bulk group |
| `mbarrier` | its state is the 64-bit word in shared memory |
| `st.async`, `red.async` | like bulk copies that complete at an `mbarrier` |
| `tensormap.replace`, `tensormap.cp_fenceproxy` | change or copy a tensor map at once; the result is checked when it is used |
| `cp.async.bulk.prefetch`, cache policies | have no effect on values |
| clusters | one worker runs the blocks of a cluster alternately |

# Data arrive late

A copy's bytes move at the last moment that the program allows: when its wait is executed. On a GPU they may arrive at
any moment between issue and wait, so a kernel that forgets the wait is sometimes correct. In the emulator it is never
correct, because it always reads the old contents.

Stores of the copy engine are late for the same reason. A store reads its source when `wait_group.read` or
`wait_group` waits for it, and writes its target when `wait_group` does. So a kernel that overwrites the source too
early stores incorrect values. If no thread waits for a copy, its bytes move to global memory when the block ends, and
to shared memory never.

# Waiting

A thread that tests an `mbarrier` with an incomplete phase gives up its warp's turn. The warp tests again when a
barrier or `mbarrier` has changed. If no warp of the cluster can continue for many rounds, the emulator reports a
deadlock with the missing arrivals and bytes.
*/

mod reduce;
pub(crate) mod state;

use super::{Access, NONE, Program, Slot};
use crate::arch::{Order, SHARED_WINDOW, Scope};
use crate::arith::Registers;
use crate::tensor_map::TensorMapField;
pub(crate) use reduce::{Operation, Reduce};

/// An operand: a row plus a constant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) offset: i64,
    /// True for a generic address of shared memory.
    pub(crate) generic: bool,
}

impl Input {
    pub(crate) const ABSENT: Self = Self { slot: NONE, wide: false, offset: 0, generic: false };

    pub(crate) fn is_absent(&self) -> bool {
        self.slot == NONE
    }

    /// Returns the operand's value in a lane, or 0 if it is absent.
    #[inline(always)]
    pub(crate) fn lane(&self, file: Registers, lane: usize) -> u64 {
        if self.slot == NONE {
            return 0;
        }
        let value = file.lane(self.slot, self.wide, lane).wrapping_add(self.offset as u64);
        let value = if self.wide { value } else { value & 0xffff_ffff };
        if self.generic { value.wrapping_sub(SHARED_WINDOW) } else { value }
    }

    /// Returns a predicate's word, or all false if it is absent.
    pub(crate) fn predicate(&self, file: Registers) -> u32 {
        if self.slot == NONE { 0 } else { file.predicate(self.slot) }
    }
}

/// The operation of an asynchronous instruction. The comments list its inputs in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AsyncOp {
    /// `cp.async`: shared address, global address, bytes to read (optional), predicate that ignores the source.
    Copy {
        bytes: u32,
        cached: bool,
    },
    CommitCopies,
    /// `cp.async.wait_group N`; `None` for `wait_all`.
    WaitCopies {
        pending: Option<u32>,
    },
    /// `cp.async.mbarrier.arrive`: address.
    TrackCopies {
        noinc: bool,
    },
    /// `mbarrier.init`: address, count.
    Init,
    /// `mbarrier.inval`: address.
    Invalidate,
    /// `mbarrier.arrive` and `arrive_drop`: address, count, bytes expected.
    Arrive {
        no_complete: bool,
        drop: bool,
    },
    /// `mbarrier.expect_tx`: address, bytes.
    Expect,
    /// `mbarrier.complete_tx`: address, bytes.
    Complete,
    /// `mbarrier.test_wait` and `try_wait`: address, state or parity.
    Test {
        parity: bool,
        suspends: bool,
    },
    /// `cp.async.bulk` from global to shared memory: shared address, global address, bytes, `mbarrier`, mask of
    /// blocks.
    BulkLoad,
    /// `cp.async.bulk` to global memory: global address, shared address, bytes, mask of the bytes in each 16.
    BulkStore {
        reduce: Option<Reduce>,
    },
    /// `cp.async.bulk` from one block's shared memory to another's: target, source, bytes, `mbarrier`.
    BulkShared {
        reduce: Option<Reduce>,
    },
    /// `cp.async.bulk.tensor` to shared memory: shared address, map, `mbarrier`, mask of blocks, coordinates, im2col
    /// offsets.
    TileLoad {
        rank: u8,
        columns: bool,
    },
    /// `cp.async.bulk.tensor` to global memory: map, shared address, coordinates.
    TileStore {
        rank: u8,
        columns: bool,
        operation: Option<Operation>,
    },
    /// `st.async` with elements of this size, and `red.async`: address, `mbarrier`, values.
    Remote {
        size: u8,
        reduce: Option<Reduce>,
    },
    /// `tensormap.replace`: address of the map, value.
    ReplaceField {
        field: TensorMapField,
        shared: bool,
    },
    /// `tensormap.cp_fenceproxy`: global address, shared address.
    CopyMap,
    /// `setmaxnreg`: the new number of registers per thread. It has no effect on values.
    Registers {
        count: u16,
    },
    CommitBulk,
    /// `cp.async.bulk.wait_group N`. With `read`, it waits only until the sources have been read.
    WaitBulk {
        pending: u32,
        read: bool,
    },
    ProxyFence,
    /// `griddepcontrol.wait`, or `.launch_dependents`.
    GridDependency {
        waits: bool,
    },
    ClusterArrive,
    ClusterWait,
}

#[derive(Debug, Clone)]
pub(crate) struct Asynch {
    pub(crate) kind: AsyncOp,
    pub(crate) inputs: Vec<Input>,
    /// Registers that it writes, or [`NONE`]: a state or value, and a predicate.
    pub(crate) value: Slot,
    pub(crate) predicate: Slot,
    /// The copy's shared and global side, as indices in [`crate::program::Program::accesses`].
    pub(crate) accesses: [u32; 2],
    /// What an arrival publishes, or a wait acquires.
    pub(crate) order: Order,
}

impl AsyncOp {
    /// True for reductions in global memory.
    pub(crate) fn reduces_global(self) -> bool {
        matches!(self, Self::BulkStore { reduce: Some(_) } | Self::TileStore { operation: Some(_), .. })
    }
}

impl Asynch {
    pub(crate) fn new(kind: AsyncOp, inputs: Vec<Input>) -> Self {
        let order = Order { strong: true, release: true, acquire: true, scope: Scope::Cluster, ..Order::WEAK };
        Self { kind, inputs, value: NONE, predicate: NONE, accesses: [NONE; 2], order }
    }

    /// Returns operand `index`, or the absent operand.
    #[inline(always)]
    pub(crate) fn input(&self, index: usize) -> Input {
        self.inputs.get(index).copied().unwrap_or(Input::ABSENT)
    }
}

impl Asynch {
    /// Returns the access under which the instruction is counted.
    pub(crate) fn counted<'a>(&self, program: &'a Program) -> Option<&'a Access> {
        self.accesses.iter().find_map(|index| program.accesses.get(*index as usize))
    }
}
