//! State of a worker, which runs one block after another.

use super::async_copy::Asynchrony;
use super::frames::Frames;
use super::local::Local;
use super::setup::Setup;
use super::split::WarpSplits;
use super::tensor::Scratch;
use crate::Dim3;
use crate::arith::Registers;
use crate::probes::AddressPattern;
use crate::program::{Barrier, Slot};

/// One row of a register file.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
pub(crate) struct Row(pub(crate) [u32; 32]);

/// A warp that waits at a barrier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) barrier: usize,
    pub(crate) kind: Barrier,
    pub(crate) at: usize,
    pub(crate) result: Slot,
}

pub(crate) struct Warp {
    /// Lanes that have a thread.
    pub(crate) full: u32,
    /// Lanes that have not ended.
    pub(crate) live: u32,
    pub(crate) splits: WarpSplits,
    pub(crate) frames: Frames,
    pub(crate) patterns: Vec<AddressPattern>,
    pub(crate) waiting: Option<Wait>,
    /// Lanes that have arrived at the cluster's barrier, and those that still have to wait there.
    pub(crate) arrived: u32,
    pub(crate) must_wait: u32,
    /// Number of `wgmma` groups that it has committed.
    pub(crate) groups: u32,
    /// Number of `wgmma` instructions that it has executed, and the value of this number at the end of each of the last
    /// eight groups.
    pub(crate) products: u32,
    pub(crate) products_at: [u32; 8],
    /// Number of instructions that it has executed together with its warpgroup, and the latest of them.
    pub(crate) together: u32,
    pub(crate) together_at: usize,
    /// Registers per thread since the last `setmaxnreg`; 0 means those of the launch.
    pub(crate) registers: u32,
    /// [`Machine::progress`] when the warp last tested an `mbarrier` and found nothing to do.
    pub(crate) idle_since: u64,
    /// Accesses on which threads may spin, since they last ended the warp's turn.
    pub(crate) spins: u32,
    /// Warp instructions of the warp in its block, and how often it has read a clock.
    pub(crate) steps: u64,
    pub(crate) clock_reads: u64,
}

/// One of a block's sixteen barriers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BarrierState {
    /// Threads that have arrived, in whole warps.
    pub(crate) arrived: u32,
    /// Number of threads expected; 0 means all threads of the block.
    pub(crate) wanted: u32,
    pub(crate) warps: u32,
    pub(crate) count: u32,
    pub(crate) none: bool,
    pub(crate) some: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It waits at a barrier.
    Waits,
    Ended,
    Turn,
}

/// A thread block of the running cluster.
#[derive(Default)]
pub(crate) struct BlockState {
    pub(crate) file: Vec<Row>,
    pub(crate) warps: Vec<Warp>,
    /// Shared memory, in units of 16 bytes, so that its start is aligned.
    pub(crate) shared: Vec<u128>,
    pub(crate) shared_written: Vec<u8>,
    pub(crate) local: Local,
    pub(crate) barriers: [BarrierState; 16],
    pub(crate) asynchrony: Asynchrony,
    /// The block's position in the grid.
    pub(crate) ctaid: Dim3,
    /// Warp instructions of the block so far.
    pub(crate) steps: u64,
    /// Registers of the block's pool that no thread has, per lane.
    pub(crate) free_registers: u32,
    /// True if the rows that are the same in every block already have their values.
    pub(crate) filled: bool,
}

#[derive(Default)]
pub(crate) struct Suspended {
    pub(crate) blocks: Vec<BlockState>,
    pub(crate) cluster_phases: u32,
    pub(crate) yields: u32,
}

/// Words of a load group: the first word of each lane, the second, and so on.
pub(crate) type Quads = [[[u32; 8]; 4]; 4];

/// Number of load groups whose words are kept at a time.
pub(crate) const LOAD_GROUPS: usize = 4;

pub(crate) struct Machine<'a, P> {
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) probe: P,
    /// The block whose turn it is.
    pub(crate) block: BlockState,
    pub(crate) scratch: Scratch,
    /// Words that load groups of a fused region have read, with the index of the group that read them.
    pub(crate) load_groups: [(u32, Quads); LOAD_GROUPS],
    /// Counts the changes that may let a waiting warp continue.
    pub(crate) progress: u64,
    /// Nothing has changed for a while, so tests of an `mbarrier` return false instead of waiting.
    pub(crate) overdue: bool,
    /// Number of tests in this turn that found nothing to do.
    pub(crate) polls: usize,
    /// [`Self::progress`] at the first of these tests.
    pub(crate) idle_since: u64,
    /// Rank of the block whose turn it is, and the blocks of the cluster. The entry of the current block is empty.
    pub(crate) rank: u32,
    pub(crate) parked: Vec<BlockState>,
    /// Bytes of shared memory at addresses from 0. A block of a higher rank has none, because its shared memory begins at
    /// another address.
    pub(crate) near_bytes: u64,
    /// Order in which the blocks of a cluster take turns.
    pub(crate) ranks: Vec<u32>,
    /// Suspended clusters by slot, and the slot of the running one, whose entry is empty.
    pub(crate) suspended: Vec<Suspended>,
    pub(crate) slot: usize,
    /// How often a warp has only spun in this turn, and the number after which another cluster has its turn.
    pub(crate) stalls: u64,
    pub(crate) patience: u64,
    /// True if clusters also give way to each other at atomics, how often the running one has done so, and whether it is
    /// about to.
    pub(crate) contends: bool,
    pub(crate) yields: u32,
    pub(crate) yielding: bool,
    /// Completed phases of the cluster's barrier.
    pub(crate) cluster_phases: u32,
    /// The number of the block's warp instructions at which limits are checked next, and at which its turn ends.
    pub(crate) next_check: u64,
    pub(crate) turn_ends: u64,
    /// State of the random numbers of a seeded schedule.
    pub(crate) rng: u64,
    /// True if a diverged warp has reached an access on which threads spin, in this turn.
    pub(crate) spinning: bool,
    /// Warp instructions of all blocks except those of [`Self::block`], modulo 2⁶⁴.
    pub(crate) other_steps: u64,
    /// [`Self::total`] when the current cluster began, and its number in the launch.
    pub(crate) began: u64,
    pub(crate) index: u64,
    /// [`Self::total`] at which to read the clock next.
    pub(crate) clock: u64,
    /// Maximum number of instructions of one warp in one block.
    pub(crate) longest_warp: u64,
    /// Number of thread instructions of all blocks.
    pub(crate) thread_instructions: u64,
}

impl<P> Machine<'_, P> {
    /// Returns where the block's own shared memory starts in that of its cluster.
    #[inline(always)]
    pub(crate) fn own_window(&self) -> u64 {
        u64::from(self.rank) << 24
    }

    /// Returns the cluster's block of this rank.
    pub(crate) fn block_of(&mut self, rank: u32) -> &mut BlockState {
        match self.parked.get_mut(rank as usize) {
            Some(parked) if rank != self.rank => parked,
            _ => &mut self.block,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        (self.setup.program.file_words / 32) as usize
    }

    /// Returns the registers of a warp. Earlier results stay valid, because this makes no reference to the rows.
    ///
    /// # Safety
    /// The caller uses the registers only while the machine exists, its block keeps its rows, and no reference to the
    /// rows exists.
    pub(crate) unsafe fn file(&mut self, warp: usize) -> Registers {
        let rows = self.rows();
        assert!((warp + 1) * rows <= self.block.file.len(), "the block has no such warp");
        // SAFETY: each warp of the block has `rows` rows of the file.
        unsafe { Registers::new(self.block.file.as_mut_ptr().add(warp * rows).cast(), 32 * rows as u32) }
    }
}

/// Returns shared memory as bytes.
pub(crate) fn bytes_of(units: &mut [u128]) -> &mut [u8] {
    // SAFETY: a unit consists of 16 bytes of any value, and the slice borrows the units.
    unsafe { std::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}
