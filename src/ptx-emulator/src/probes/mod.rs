//! Probes observe a run. A probe is a type, so a probe that measures nothing costs nothing.

pub(crate) mod address_pattern;

use crate::arch::{Order, Scope};
use crate::arith::{CheckedRow, Registers};
use crate::program::{Access, NONE, Program};
use crate::undefined::Rule;
pub(crate) use address_pattern::{AddressPattern, Group};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

/// A warp's access to memory, as a probe sees it.
pub(crate) struct Seen<'a> {
    /// Index of the instruction.
    pub(crate) at: usize,
    pub(crate) warp: u32,
    pub(crate) mask: u32,
    /// Address of the first active lane's access: an offset in shared memory, or a global address.
    pub(crate) start: u64,
    pub(crate) pattern: &'a mut AddressPattern,
    pub(crate) access: &'a Access,
    /// Index in [`Program::accesses`].
    pub(crate) access_index: u32,
    /// The warp's register file. It holds stored values before the access, and loaded ones after it.
    pub(crate) file: Registers,
    /// For a store to global memory: the bytes at `start`, before the store. Otherwise null.
    pub(crate) memory: *const u8,
    /// For an asynchronous read: its engine and its number there.
    pub(crate) engine: Option<(Engine, u32)>,
}

/// An element of a lane's local memory, as a probe sees it.
#[derive(Clone, Copy)]
pub(crate) struct LocalElement {
    /// Index of the instruction.
    pub(crate) at: usize,
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    /// Its index in the access, and its byte in the lane's memory.
    pub(crate) element: usize,
    pub(crate) place: u64,
}

impl Seen<'_> {
    /// Returns the register of an element, if it has one.
    #[inline(always)]
    pub(crate) fn row(&self, element: usize) -> Option<CheckedRow> {
        let slot = self.access.rows[element & 3];
        (slot != NONE).then(|| self.file.row_of(slot, self.access.wide))
    }

    /// Returns a lane's register contents of an element.
    #[inline(always)]
    pub(crate) fn value(&self, element: usize, lane: usize) -> u64 {
        self.row(element).map_or(0, |row| row.lane(lane))
    }

    /// Returns the `bytes` bytes, at most four, that a lane stores from byte `into` of its access on.
    #[inline(always)]
    pub(crate) fn stored(&self, lane: usize, into: u32, bytes: u32) -> u32 {
        let size = self.access.size.max(1);
        let value = match self.access.matrix {
            None => self.value((into / size) as usize, lane) >> ((8 * (into % size)) & 63),
            Some(transposed) => self.stored_row(lane, into as usize, transposed),
        };
        value as u32 & (u32::MAX >> (32 - (8 * bytes).clamp(8, 32)))
    }

    /// For `stmatrix`: returns what is stored from byte `into` of the row on whose address a lane gives. The row's eight
    /// elements are in the registers of other lanes (`machine::tensor::matrix`).
    fn stored_row(&self, lane: usize, into: usize, transposed: bool) -> u64 {
        let element = |column: usize| {
            let (r, c) = if transposed { (column & 7, lane % 8) } else { (lane % 8, column & 7) };
            self.value(lane / 8, 4 * r + c / 2) >> (16 * (c % 2)) & 0xffff
        };
        (element(into / 2) | element(into / 2 + 1) << 16) >> (8 * (into % 2))
    }

    /// For a store to global memory: returns the `bytes` bytes (1, 2 or 4) that are at `address` before it. The
    /// address is a multiple of `bytes`, and the access stores there.
    pub(crate) fn before(&self, address: u64, bytes: u32) -> Option<u32> {
        if self.memory.is_null() {
            return None;
        }
        let at = self.memory.wrapping_offset(address.wrapping_sub(self.start) as isize);
        // SAFETY: the machine sets `memory` only after it has checked the bounds and alignment of all lanes. All
        // accesses to this memory are atomic.
        unsafe {
            Some(match bytes {
                1 => (*at.cast::<AtomicU8>()).load(Relaxed).into(),
                2 => (*at.cast::<AtomicU16>()).load(Relaxed).into(),
                _ => (*at.cast::<AtomicU32>()).load(Relaxed),
            })
        }
    }

    /// Returns the register contents of an element in each lane.
    pub(crate) fn values(&self, element: usize) -> [u64; 32] {
        let slot = self.access.rows[element & 3];
        if self.access.wide { self.file.wide_lanes(slot) } else { self.file.lanes(slot).map(u64::from) }
    }
}

/// A source of asynchronous accesses, in order. Each access has a number, and numbers never go down. Once a thread
/// knows that a number is complete, all accesses of the engine up to it are ordered before what the thread does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Engine {
    /// `cp.async` of a warp.
    Copies(u32),
    /// A warp's bulk copies that complete in groups.
    Bulk(u32),
    /// The global writes of such copies. They are complete only after a wait without `.read`.
    Stores(u32),
    /// Bulk copies and stores that complete at an `mbarrier`, given by the rank of its block and its shared address.
    /// The number is its phase, starting at 1.
    Phase(u32, u32),
    /// `wgmma` of the warpgroup with this first warp.
    Wgmma(u32),
}

/// A contiguous range of shared memory that is read or written asynchronously.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsyncAccess {
    /// Index of the instruction.
    pub(crate) at: usize,
    /// Rank of the block that owns the shared memory.
    pub(crate) rank: u32,
    /// The thread that issues the access.
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) engine: Engine,
    pub(crate) number: u32,
    pub(crate) writes: bool,
    /// Offset in shared memory.
    pub(crate) start: u32,
    pub(crate) bytes: u32,
    /// Bytes per lane, if the lanes from `lane` on access consecutive ranges of bytes; otherwise all bytes.
    pub(crate) each: u32,
    /// True if it is a reduction. Two reductions do not race with each other.
    pub(crate) reduces: bool,
    /// True if it uses the asynchronous proxy, which sees generic writes only after a `fence.proxy.async`.
    pub(crate) proxy: bool,
}

/// An `mbarrier`: the rank of its block in the cluster, and its address in that block's shared memory.
pub(crate) type Object = (u32, u32);

/// The memory that an access reached: the shared memory of the block with this rank, or global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Shared(u32),
    Global,
}

/// Observes a run. In all methods, `mask` contains the lanes of `warp` that act.
pub(crate) trait Probe {
    /// True if the probe needs block entries and accesses.
    const COUNTS: bool;
    /// True if the probe needs shared accesses beyond their cost.
    const WATCHES: bool;
    /// True if the probe needs each instruction.
    const TRACES: bool;
    /// False if the run may leave out matrix products.
    const PRODUCTS: bool = true;

    fn start(&mut self, _program: &Program, _block: u64, _warps: u32, _shared_bytes: u64) {}
    /// A bulk copy between global and shared memory runs: sectors and bytes of its global side.
    fn bulk(&mut self, _at: usize, _sectors: u64, _bytes: u64) {}
    /// The block of this rank has its turn. All blocks of the cluster have started.
    fn turn(&mut self, _rank: u32) {}
    /// Another cluster, or block, of those that run alternately has its turn.
    fn resume(&mut self, _slot: usize) {}
    /// Called before the block of this rank starts: whether to observe it.
    fn watch(&mut self, _rank: u32, _yes: bool) {}
    /// Called before the block starts: its threads, its bytes of shared memory and its number.
    fn threads(&mut self, _threads: u32, _shared_bytes: u64, _block: u64) {}
    /// A warp enters a basic block.
    fn enter(&mut self, _block: u32, _mask: u32) {}
    /// A guarded instruction runs for some lanes.
    fn guarded(&mut self, _at: usize, _mask: u32) {}
    /// A warp is about to run an instruction.
    fn step(&mut self, _at: usize, _warp: u32, _mask: u32, _file: Registers) {}
    /// For probes that watch: a warp is in a basic block.
    fn reaches(&mut self, _block: u32, _warp: u32) {}
    /// Something happens that PTX or CUDA C++ leaves undefined. `_detail` completes the rule's sentence.
    fn undefined(&mut self, _rule: Rule, _at: usize, _warp: u32, _lane: u32, _detail: &dyn Fn() -> String) {}
    /// A lane loads an element of its local memory that it has not written, or whose value was undefined.
    fn loads_unwritten(&mut self, _local: LocalElement) {}
    /// A lane stores an element to its local memory. Returns true if the value is undefined.
    fn stores_undefined(&mut self, _local: LocalElement) -> bool {
        false
    }
    /// For probes that trace: lanes, whose member mask is `_named`, exchange values. For a shuffle, `_sources` has the
    /// lane that each lane reads.
    fn exchanged(&mut self, _at: usize, _warp: u32, _lanes: u32, _named: u32, _sources: Option<[u8; 32]>) {}
    /// A memory instruction runs, in any memory space.
    fn request(&mut self, _at: usize) {}
    /// An access to shared memory: called before a write and after a read.
    fn shared(&mut self, _seen: &mut Seen<'_>) {}
    /// Reports the wavefronts (sectors, in global memory) and their ideal number for an atomic that runs as a loop.
    fn looped(&mut self, _at: usize, _global: bool, _costs: (u32, u32)) {}
    /// An access to the shared memory of another block of the cluster, which has this rank.
    fn remote(&mut self, _rank: u32, _seen: &mut Seen<'_>) {}
    /// For probes that trace: an access has happened. `memory` is the location of [`Seen::start`].
    ///
    /// # Safety
    /// Each active lane's bytes are readable.
    unsafe fn touched(&mut self, _space: Space, _seen: &Seen<'_>, _memory: *const u8) {}
    /// For probes that trace: an asynchronous access has written bytes of the shared memory of a block.
    fn landed(&mut self, _rank: u32, _start: u32, _bytes: &[u8]) {}
    /// For probes that watch: a whole warp runs a product's loads from shared memory. For each of its two addresses,
    /// `_reads` contains the first lane's offset in shared memory, the pattern's index, its pattern, and the range of the
    /// loads' offsets. Returns false if the probe needs the loads one by one.
    fn product_reads(&mut self, _warp: usize, _index: u32, _reads: [(u64, u32, &AddressPattern, [i32; 2]); 2]) -> bool {
        false
    }
    /// Reports the wavefronts and the ideal wavefronts of each of a product's two loads, unless the probe gets the
    /// loads one by one.
    fn product(&mut self, _index: u32, _costs: [(u32, u32); 2]) {}
    /// A warp runs `cp.async`: lanes that write shared memory, wavefronts and ideal wavefronts.
    fn copied(&mut self, _at: usize, _lanes: u32, _wavefronts: (u32, u32)) {}
    /// An access to global memory.
    fn global(&mut self, _seen: &mut Seen<'_>) {}
    /// A warp waits at a barrier.
    fn arrive(&mut self, _at: usize, _warp: u32, _number: usize) {}
    /// A barrier releases the warps in the mask, which have waited at it. `all` is true if all the block's other warps
    /// have ended and the barrier does not wait for them.
    fn release(&mut self, _number: usize, _waiting: u32, _all: bool) {}
    /// Lanes of a warp have waited for each other: their earlier actions are ordered before all their later ones.
    fn warp_sync(&mut self, _warp: u32, _mask: u32) {}
    /// Lanes run `membar` or `fence`.
    fn fence(&mut self, _warp: u32, _mask: u32, _scope: Scope) {}
    /// Lanes run `griddepcontrol.wait`, or `.launch_dependents`.
    fn grid_dependency(&mut self, _warp: u32, _mask: u32, _waits: bool) {}
    /// Lanes run `fence.proxy.async`.
    fn proxy_fence(&mut self, _warp: u32, _mask: u32) {}
    /// An asynchronous access is issued.
    fn asynchronous(&mut self, _access: &AsyncAccess) {}
    /// `malloc` returns these bytes of the heap.
    fn allocated(&mut self, _start: u64, _bytes: u64) {}
    /// A bulk copy is issued that reads or writes these bytes of global memory. `_access` describes the copy.
    fn asynchronous_global(&mut self, _access: &AsyncAccess, _start: u64, _bytes: u64) {}
    /// Lanes have waited for everything of an engine up to a number.
    fn learns(&mut self, _warp: u32, _mask: u32, _engine: Engine, _number: u32) {}
    /// A thread uses an `mbarrier`.
    fn mbarrier_used(&mut self, _at: usize, _warp: u32, _lane: u32, _object: Object) {}
    /// A thread uses an `mbarrier` of the block with this rank itself, and does not only name it for a copy.
    fn reaches_mbarrier(&mut self, _rank: u32, _at: usize, _warp: u32, _lane: u32) {}
    /// A thread initialises an `mbarrier`.
    fn mbarrier_init(&mut self, _at: usize, _warp: u32, _lane: u32, _address: u32) {}
    /// Lanes arrive at an `mbarrier`.
    fn mbarrier_arrive(&mut self, _warp: u32, _mask: u32, _object: Object, _order: Order) {}
    /// The accesses that the lanes have issued to an engine, up to a number, will arrive at an `mbarrier` when they
    /// complete.
    fn mbarrier_tracks(&mut self, _warp: u32, _mask: u32, _engine: Engine, _number: u32, _object: Object) {}
    /// A phase of an `mbarrier` is complete; the first one has number 1.
    fn mbarrier_phase(&mut self, _object: Object, _number: u32) {}
    /// For probes that trace: a lane tests whether the phase with this parity of an `mbarrier` is complete.
    fn mbarrier_test(&mut self, _at: usize, _warp: u32, _object: Object, _parity: bool) {}
    /// Lanes have seen that a phase is complete.
    fn mbarrier_wait(&mut self, _warp: u32, _mask: u32, _object: Object, _order: Order) {}
    fn exits(&mut self, _warp: u32, _mask: u32) {}
    fn ended(&mut self, _warp: u32) {}
    /// The thread block has ended.
    fn end(&mut self) {}
    /// Returns why the block's work cannot be measured, if so. The text continues "The block ".
    fn refuses(&self) -> Option<&'static str> {
        None
    }
    /// True if the run may stop here, because the probe needs nothing more.
    fn satisfied(&self) -> bool {
        false
    }
}

#[derive(Debug, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    const COUNTS: bool = false;
    const WATCHES: bool = false;
    const TRACES: bool = false;
}
