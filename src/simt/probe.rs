//! What a run measures, as a type: a probe that measures nothing costs nothing.

use super::machine::Shape;
use super::program::{Access, Program};

/// A warp's access to memory, as a probe sees it.
pub(crate) struct Seen<'a> {
    /// Index of the instruction.
    pub(crate) at: usize,
    pub(crate) warp: u32,
    pub(crate) mask: u32,
    /// Where the first active lane accesses: offset in shared memory, or a global address.
    pub(crate) start: u64,
    pub(crate) shape: &'a mut Shape,
    pub(crate) access: &'a Access,
    /// Index in [`Program::accesses`].
    pub(crate) access_index: u32,
    /// The warp's register file: stored values before the access, loaded ones after it.
    pub(crate) file: *const u32,
}

impl Seen<'_> {
    /// Register contents of an element in each lane.
    pub(crate) fn values(&self, element: usize) -> [u64; 32] {
        let slot = self.access.rows[element & 3] as usize;
        std::array::from_fn(|lane| {
            // SAFETY: the access was lowered for this file, so the row lies inside of it.
            unsafe {
                if self.access.wide {
                    *self.file.add(slot).cast::<u64>().add(lane)
                } else {
                    u64::from(*self.file.add(slot).add(lane))
                }
            }
        })
    }
}

/// Observes a run.
pub(crate) trait Probe {
    /// Whether block entries and accesses are of interest at all.
    const COUNTS: bool;
    /// Whether shared accesses are of interest beyond their cost.
    const WATCHES: bool;
    /// Whether each instruction is of interest.
    const TRACES: bool;

    /// A thread block starts.
    fn start(&mut self, _program: &Program, _block: u64, _warps: u32, _shared_bytes: u64) {}
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
    /// An access to global memory.
    fn global(&mut self, _seen: &mut Seen<'_>) {}
    /// A warp waits at a barrier.
    fn arrive(&mut self, _at: usize, _warp: u32, _number: usize) {}
    /// A barrier lets the warps in the mask, which waited at it, go on; `all` if they are all of the block's.
    fn release(&mut self, _number: usize, _waiting: u32, _all: bool) {}
    /// A warp has ended.
    fn ended(&mut self, _warp: u32) {}
    /// The thread block has ended.
    fn end(&mut self) {}
    /// Whether the run may stop here, because nothing more is of interest.
    fn satisfied(&self) -> bool {
        false
    }
}

/// Measures nothing.
#[derive(Debug, Default)]
pub(crate) struct Nothing;

impl Probe for Nothing {
    const COUNTS: bool = false;
    const WATCHES: bool = false;
    const TRACES: bool = false;
}
