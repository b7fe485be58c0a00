//! What a worker keeps while it runs one block after another.

use super::async_copy::Asynchrony;
use super::call::Frames;
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

/// A warp.
pub(crate) struct Warp {
    /// Lanes that have a thread.
    pub(crate) full: u32,
    /// Lanes that have not ended.
    pub(crate) live: u32,
    pub(crate) splits: WarpSplits,
    pub(crate) frames: Frames,
    pub(crate) shapes: Vec<AddressPattern>,
    pub(crate) waiting: Option<Wait>,
    /// Lanes that have come to the cluster's barrier, and those that have yet to wait there.
    pub(crate) arrived: u32,
    pub(crate) owes: u32,
    /// Groups of `wgmma` that it has committed.
    pub(crate) groups: u32,
    /// `wgmma` that it has executed; and how many it had at the ends of the last eight groups, by a group's number.
    pub(crate) products: u32,
    pub(crate) products_at: [u32; 8],
    /// [`Machine::progress`] when the warp last found nothing to go on with, at an `mbarrier`.
    pub(crate) polled: u64,
    /// Accesses on which threads may spin, since they last made the warp give up its turn.
    pub(crate) spins: u32,
}

/// One of a block's sixteen barriers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BarrierState {
    /// Threads that arrived, in whole warps.
    pub(crate) arrived: u32,
    /// Threads it takes; 0 for all of the block.
    pub(crate) wanted: u32,
    pub(crate) warps: u32,
    pub(crate) count: u32,
    pub(crate) none: bool,
    pub(crate) some: bool,
}

/// Why a warp stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It waits at a barrier.
    Waits,
    /// It has ended.
    Ended,
    /// Its turn is over.
    Turn,
}

/// What a block of a cluster keeps while another one has its turn.
#[derive(Default)]
pub(crate) struct Parked {
    pub(crate) file: Vec<Row>,
    pub(crate) warps: Vec<Warp>,
    pub(crate) shared: Vec<u128>,
    pub(crate) shared_written: Vec<u8>,
    pub(crate) local: Local,
    pub(crate) barriers: [BarrierState; 16],
    pub(crate) asynchrony: Asynchrony,
    pub(crate) block: Dim3,
    pub(crate) steps: u64,
    pub(crate) filled: bool,
}

/// A worker. What belongs to a block is that of the block whose turn it is.
pub(crate) struct Machine<'a, P> {
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) probe: P,
    pub(crate) file: Vec<Row>,
    pub(crate) warps: Vec<Warp>,
    /// Shared memory, in 16-byte units so that it is aligned.
    pub(crate) shared: Vec<u128>,
    pub(crate) shared_written: Vec<u8>,
    pub(crate) local: Local,
    pub(crate) barriers: [BarrierState; 16],
    pub(crate) scratch: Scratch,
    /// What windows have read.
    pub(crate) windows: super::window::Read,
    pub(crate) asynchrony: Asynchrony,
    /// Changes that may let a warp go on that waits for something.
    pub(crate) progress: u64,
    /// Nothing has changed for a while: tests of an `mbarrier` give false instead of waiting.
    pub(crate) overdue: bool,
    /// Tests in this turn that found nothing to go on with.
    pub(crate) polls: usize,
    /// [`Self::progress`] at the first of them.
    pub(crate) polled: u64,
    /// Rank in the cluster of the block whose turn it is, and the others; its own place there is empty.
    pub(crate) rank: u32,
    pub(crate) parked: Vec<Parked>,
    /// Bytes of shared memory that addresses from 0 on reach: none in a block of a higher rank, whose own begin elsewhere.
    pub(crate) near_bytes: u64,
    /// The order in which the blocks of a cluster have their turns.
    pub(crate) ranks: Vec<u32>,
    /// Clusters that wait for their turn, by slot, and the slot of the one that has it, whose own place is empty.
    pub(crate) aside: Vec<super::resident::Suspended>,
    pub(crate) slot: usize,
    /// Times in this turn that a warp did nothing but spin, and after how many another cluster has its turn.
    pub(crate) stalls: u64,
    pub(crate) patience: u64,
    /// Phases of the cluster's barrier that are complete.
    pub(crate) cluster_phases: u32,
    pub(crate) block: Dim3,
    /// Warp instructions of the block so far, and when to look up from work next.
    pub(crate) steps: u64,
    pub(crate) look_up: u64,
    pub(crate) turn_ends: u64,
    /// State of what a seeded schedule draws from.
    pub(crate) dice: u64,
    /// A warp that had diverged came to an access on which threads spin, in this turn.
    pub(crate) spinning: bool,
    /// The rows that are the same in every block hold their values.
    pub(crate) filled: bool,
    /// Warp instructions of all blocks but what [`Self::steps`] says, modulo 2⁶⁴.
    pub(crate) others: u64,
    /// [`Self::total`] when what runs now began, and its number among what the launch runs.
    pub(crate) began: u64,
    pub(crate) index: u64,
    /// [`Self::total`] at which to look at the clock next.
    pub(crate) clock: u64,
    /// Thread instructions of all blocks.
    pub(crate) thread_instructions: u64,
}

impl<P> Machine<'_, P> {
    /// Where the block's own shared memory starts in that of its cluster.
    #[inline(always)]
    pub(crate) fn own_window(&self) -> u64 {
        u64::from(self.rank) << 24
    }

    pub(crate) fn rows(&self) -> usize {
        (self.setup.program.file_words / 32) as usize
    }

    /// The registers of a warp. Those that were taken before stay valid: no reference to the rows is made.
    ///
    /// # Safety
    /// The registers are used only as long as the machine exists and its block keeps its rows, and while nothing refers to
    /// the rows.
    pub(crate) unsafe fn file(&mut self, warp: usize) -> Registers {
        let rows = self.rows();
        assert!((warp + 1) * rows <= self.file.len(), "the block has no such warp");
        // SAFETY: each warp of the block has `rows` rows of the file.
        unsafe { Registers::new(self.file.as_mut_ptr().add(warp * rows).cast(), 32 * rows as u32) }
    }
}

/// The bytes of shared memory.
pub(crate) fn bytes_of(units: &mut [u128]) -> &mut [u8] {
    // SAFETY: a unit is 16 bytes of any value; the slice borrows the units.
    unsafe { std::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}
