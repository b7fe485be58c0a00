//! What a run measures, as a type: a probe that measures nothing costs nothing.

pub(crate) mod address_pattern;

use crate::arch::{Order, Scope};
use crate::arith::{CheckedRow, Registers};
use crate::program::{Access, NONE, Program};
pub(crate) use address_pattern::{AddressPattern, Group};

/// A warp's access to memory, as a probe sees it.
pub(crate) struct Seen<'a> {
    /// Index of the instruction.
    pub(crate) at: usize,
    pub(crate) warp: u32,
    pub(crate) mask: u32,
    /// Where the first active lane accesses: offset in shared memory, or a global address.
    pub(crate) start: u64,
    pub(crate) shape: &'a mut AddressPattern,
    pub(crate) access: &'a Access,
    /// Index in [`Program::accesses`].
    pub(crate) access_index: u32,
    /// The warp's register file: stored values before the access, loaded ones after it.
    pub(crate) file: Registers,
}

impl Seen<'_> {
    /// The register of an element, if it has one.
    #[inline(always)]
    pub(crate) fn row(&self, element: usize) -> Option<CheckedRow> {
        let slot = self.access.rows[element & 3];
        (slot != NONE).then(|| self.file.row_of(slot, self.access.wide))
    }

    /// Register contents of an element in a lane.
    #[inline(always)]
    pub(crate) fn value(&self, element: usize, lane: usize) -> u64 {
        self.row(element).map_or(0, |row| row.lane(lane))
    }

    /// Register contents of an element in each lane.
    pub(crate) fn values(&self, element: usize) -> [u64; 32] {
        let slot = self.access.rows[element & 3];
        if self.access.wide { self.file.wide_lanes(slot) } else { self.file.lanes(slot).map(u64::from) }
    }
}

/// What makes asynchronous accesses, in order: an access has a number, and once a thread has learnt of a number, all
/// accesses of the engine up to it lie before what the thread does next. Numbers never go down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Engine {
    /// `cp.async` of a warp.
    Copies(u32),
    /// Bulk copies of a warp that complete in groups.
    Bulk(u32),
    /// Bulk copies and stores that complete at the `mbarrier` at this shared address of the block of this rank; the number
    /// is its phase, from 1.
    Phase(u32, u32),
    /// `wgmma` of the warpgroup whose first warp this is.
    Wgmma(u32),
}

/// A contiguous run of bytes of shared memory that is read or written asynchronously.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsyncAccess {
    /// Index of the instruction.
    pub(crate) at: usize,
    /// Rank of the block whose shared memory it is.
    pub(crate) rank: u32,
    /// The thread that issues it.
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) engine: Engine,
    pub(crate) number: u32,
    pub(crate) writes: bool,
    /// Offset in shared memory.
    pub(crate) start: u32,
    pub(crate) bytes: u32,
    /// Bytes of each lane, if the lanes from `lane` on each access the bytes after those of the lane before; else all bytes.
    pub(crate) each: u32,
    /// It is a reduction: two of them do not race with each other.
    pub(crate) reduces: bool,
    /// It goes through the asynchronous proxy, which sees generic writes only after a `fence.proxy.async`.
    pub(crate) proxy: bool,
}

/// An `mbarrier`: the rank of its block in the cluster, and its address in shared memory there.
pub(crate) type Object = (u32, u32);

/// Whose memory an access reached: shared memory of the block of a rank, or global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Shared(u32),
    Global,
}

/// Observes a run. In what follows `mask` has the lanes of `warp` that do it.
pub(crate) trait Probe {
    /// Whether block entries and accesses are of interest at all.
    const COUNTS: bool;
    /// Whether shared accesses are of interest beyond their cost.
    const WATCHES: bool;
    /// Whether each instruction is of interest.
    const TRACES: bool;

    /// A thread block starts.
    fn start(&mut self, _program: &Program, _block: u64, _warps: u32, _shared_bytes: u64) {}
    /// A bulk copy between global and shared memory: sectors and bytes of its global side.
    fn bulk(&mut self, _at: usize, _sectors: u64, _bytes: u64) {}
    /// What follows is done by the block of this rank in its cluster; each of them has started.
    fn turn(&mut self, _rank: u32) {}
    /// What follows is done by another one of the clusters, or blocks, that run in turns.
    fn resume(&mut self, _slot: usize) {}
    /// Whether the block of this rank is the one of interest; before it starts.
    fn watch(&mut self, _rank: u32, _yes: bool) {}
    /// Before it: its threads, its bytes of shared memory, its number.
    fn threads(&mut self, _threads: u32, _shared_bytes: u64, _block: u64) {}
    /// A warp enters a basic block.
    fn enter(&mut self, _block: u32, _mask: u32) {}
    /// A guarded instruction runs for some lanes.
    fn guarded(&mut self, _at: usize, _mask: u32) {}
    /// A warp is about to run an instruction.
    fn step(&mut self, _at: usize, _warp: u32, _mask: u32) {}
    /// A memory instruction runs, whatever it reaches.
    fn request(&mut self, _at: usize) {}
    /// An access to shared memory: before it if it writes, after it if it reads.
    fn shared(&mut self, _seen: &mut Seen<'_>) {}
    /// Wavefronts, or sectors if in global memory, and ideal of an atomic that is a loop.
    fn looped(&mut self, _at: usize, _global: bool, _costs: (u32, u32)) {}
    /// The same of the shared memory of another block of the cluster, the one of this rank.
    fn remote(&mut self, _rank: u32, _seen: &mut Seen<'_>) {}
    /// For probes that trace: an access has happened; `memory` is where [`Seen::start`] lies.
    ///
    /// # Safety
    /// Each active lane's bytes can be read.
    unsafe fn touched(&mut self, _space: Space, _seen: &Seen<'_>, _memory: *const u8) {}
    /// The same: an asynchronous access has written bytes of the shared memory of the block of a rank, from `start` on.
    fn landed(&mut self, _rank: u32, _start: u32, _bytes: &[u8]) {}
    /// Where shared accesses are of interest beyond their cost, a product's loads from shared memory by a whole warp: for each
    /// of its two addresses the offset in shared memory of the first lane, its shape, and the lowest and highest offset
    /// from it. False if the loads are to be told one by one.
    fn product_reads(&mut self, _warp: usize, _index: u32, _reads: [(u64, u32, &AddressPattern, [i32; 2]); 2]) -> bool {
        false
    }
    /// What a product's loads cost, unless they are told one by one: wavefronts and ideal of each of its two loads.
    fn product(&mut self, _index: u32, _costs: [(u32, u32); 2]) {}
    /// A warp's `cp.async`: lanes that write shared memory, wavefronts and their ideal.
    fn copied(&mut self, _at: usize, _lanes: u32, _wavefronts: (u32, u32)) {}
    /// An access to global memory.
    fn global(&mut self, _seen: &mut Seen<'_>) {}
    /// A warp waits at a barrier.
    fn arrive(&mut self, _at: usize, _warp: u32, _number: usize) {}
    /// A barrier lets the warps in the mask, which waited at it, go on; `all` if all the block's other warps have ended,
    /// and the barrier does not wait for them.
    fn release(&mut self, _number: usize, _waiting: u32, _all: bool) {}
    /// Lanes of a warp wait for each other: what each did lies before what any of them does next.
    fn warp_sync(&mut self, _warp: u32, _mask: u32) {}
    /// `membar`, `fence`.
    fn fence(&mut self, _warp: u32, _mask: u32, _scope: Scope) {}
    /// `fence.proxy.async`.
    fn proxy_fence(&mut self, _warp: u32, _mask: u32) {}
    /// An asynchronous access is issued.
    fn asynchronous(&mut self, _access: &AsyncAccess) {}
    /// Lanes have waited for everything of an engine up to a number.
    fn learns(&mut self, _warp: u32, _mask: u32, _engine: Engine, _number: u32) {}
    /// A thread makes an `mbarrier`.
    fn mbarrier_init(&mut self, _at: usize, _warp: u32, _lane: u32, _address: u32) {}
    /// Lanes arrive at an `mbarrier`.
    fn mbarrier_arrive(&mut self, _warp: u32, _mask: u32, _object: Object, _order: Order) {}
    /// What the lanes have issued to an engine, up to a number, arrives at an `mbarrier` when it is done.
    fn mbarrier_tracks(&mut self, _warp: u32, _mask: u32, _engine: Engine, _number: u32, _object: Object) {}
    /// A phase (from 1) of an `mbarrier` is complete.
    fn mbarrier_phase(&mut self, _object: Object, _number: u32) {}
    /// For probes that trace: a lane asks whether the phase of this parity of an `mbarrier` is complete.
    fn mbarrier_test(&mut self, _at: usize, _warp: u32, _object: Object, _parity: bool) {}
    /// Lanes have seen that a phase is complete.
    fn mbarrier_wait(&mut self, _warp: u32, _mask: u32, _object: Object, _order: Order) {}
    /// Lanes end.
    fn exits(&mut self, _warp: u32, _mask: u32) {}
    /// A warp has ended.
    fn ended(&mut self, _warp: u32) {}
    /// The thread block has ended.
    fn end(&mut self) {}
    /// Why what the block did cannot be measured, if so: what comes after "The block ".
    fn refuses(&self) -> Option<&'static str> {
        None
    }
    /// Whether the run may stop here, because nothing more is of interest.
    fn satisfied(&self) -> bool {
        false
    }
}

/// Measures nothing.
#[derive(Debug, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    const COUNTS: bool = false;
    const WATCHES: bool = false;
    const TRACES: bool = false;
}
