//! State that all workers of a launch share.

use super::budget::Budget;
use crate::Dim3;
use crate::arch::{AtomicKind, Device};
use crate::memory::{Addresses32, Heap, Memory, SLOT_BITS};
use crate::program::async_copy::Reduce;
use crate::program::{Preload, Verified};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Maximum number of bytes for the registers, local and shared memory that a worker has at once, for a block or a
/// cluster. A thousand registers for each thread of a block take 8 MiB. A GPU gives the threads at most 512 MiB of
/// local memory.
pub(crate) const MAX_WORKER: u64 = 1 << 30;

/// A buffer during a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) data: *mut u8,
    pub(crate) len: u64,
    /// Null, or one flag per byte.
    pub(crate) written: *mut u8,
    pub(crate) constant: bool,
    /// True for the device's heap, whose flags have more values (`crate::memory::heap`).
    pub(crate) heap: bool,
}

impl View {
    /// Returns a pointer to a range of bytes, which it checks. It is aligned to eight bytes if `at` is.
    fn run(&self, at: u64, bytes: usize) -> *mut u8 {
        assert!(at.checked_add(bytes as u64).is_some_and(|end| end <= self.len), "a run of bytes leaves its buffer");
        // SAFETY: the buffer has `len` bytes, and the assertion keeps the range inside.
        unsafe { self.data.add(at as usize) }
    }

    /// Reads bytes starting at `at`.
    fn load(&self, at: u64, to: &mut [u8]) {
        let source = self.run(at, to.len());
        let words = if at.is_multiple_of(8) { to.len() / 8 * 8 } else { 0 };
        // SAFETY: the range has been checked, and all accesses to buffers are atomic.
        unsafe {
            for start in (0..words).step_by(8) {
                let word = (*source.add(start).cast::<AtomicU64>()).load(Relaxed);
                to[start..start + 8].copy_from_slice(&word.to_ne_bytes());
            }
            for (byte, to) in to.iter_mut().enumerate().skip(words) {
                *to = (*source.add(byte).cast::<AtomicU8>()).load(Relaxed);
            }
        }
    }

    /// Writes bytes starting at `at`.
    fn store(&self, at: u64, from: &[u8]) {
        let target = self.run(at, from.len());
        let words = if at.is_multiple_of(8) { from.len() / 8 * 8 } else { 0 };
        // SAFETY: as above.
        unsafe {
            for start in (0..words).step_by(8) {
                let word = std::array::from_fn(|i| from[start + i]);
                (*target.add(start).cast::<AtomicU64>()).store(u64::from_ne_bytes(word), Relaxed);
            }
            for (byte, from) in from.iter().enumerate().skip(words) {
                (*target.add(byte).cast::<AtomicU8>()).store(*from, Relaxed);
            }
        }
        (at..at + from.len() as u64).filter_map(|byte| self.flag(byte)).for_each(|flag| flag.store(1, Relaxed));
    }

    fn update(&self, at: u64, size: u32, kind: AtomicKind, by: u64) {
        let element = self.run(at, size as usize);
        assert!(at.is_multiple_of(size.into()), "an element is not aligned");
        // SAFETY: bounds and alignment have just been checked.
        unsafe { super::atomic::update::<true>(element, size, kind, by, 0) };
    }

    /// Returns a byte of the buffer.
    pub(crate) fn byte(&self, at: u64) -> Option<&AtomicU8> {
        // SAFETY: the buffer has `len` bytes, and all accesses to buffers are atomic.
        (at < self.len).then(|| unsafe { &*self.data.add(at as usize).cast() })
    }

    /// Returns the flag of a byte, if the buffer has flags.
    pub(crate) fn flag(&self, at: u64) -> Option<&AtomicU8> {
        // SAFETY: each byte has a flag, and all accesses to flags are atomic.
        (at < self.len && !self.written.is_null()).then(|| unsafe { &*self.written.add(at as usize).cast() })
    }
}

/// Returns an element of at most eight bytes as a number.
pub(crate) fn word_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

// SAFETY: the data belong to the memory that the launch borrows mutably, and all accesses through views are atomic.
unsafe impl Send for View {}
// SAFETY: as above.
unsafe impl Sync for View {}

/// State that all workers of a launch share. The views point into the memory, which stays borrowed as long as they
/// exist.
pub(crate) struct Setup<'a> {
    pub(crate) program: &'a Verified,
    pub(crate) device: Device,
    pub(crate) memory: PhantomData<&'a mut Memory>,
    pub(crate) grid: Dim3,
    pub(crate) block: Dim3,
    pub(crate) threads: u32,
    pub(crate) warps: u32,
    pub(crate) params: Vec<u8>,
    /// Address at which a kernel sees its parameters, and the bytes stored there.
    pub(crate) param_address: u64,
    #[expect(dead_code, reason = "kernels read it through a view")]
    pub(crate) param_room: Vec<u128>,
    /// Workspace of a cooperative launch.
    pub(crate) workspace: Option<super::cooperative::Workspace>,
    /// Blocks of a cluster in each dimension, and whether the options or the kernel ask for clusters.
    pub(crate) cluster: Dim3,
    pub(crate) explicit_cluster: bool,
    pub(crate) views: Vec<View>,
    pub(crate) names: Vec<String>,
    /// Mapping of 32-bit addresses, if the program uses them.
    pub(crate) addresses: Option<Addresses32>,
    /// Addresses of the module variables.
    pub(crate) variables: Vec<u64>,
    pub(crate) shared_bytes: u64,
    /// Bytes of memory for the blocks that a worker runs at once.
    pub(crate) worker_bytes: u64,
    pub(crate) dynamic_start: u64,
    pub(crate) dynamic_bytes: u64,
    pub(crate) budget: Budget<'a>,
    /// Number of instructions that a warp runs before the next warp's turn.
    pub(crate) slice: u64,
    /// Seed of a random order of the warps.
    pub(crate) seed: Option<u64>,
    /// Output of `printf`.
    pub(crate) printed: std::sync::Mutex<super::print::Printed>,
    /// Upper limit for the end of a thread's stack.
    pub(crate) stack_end: u64,
    /// Allocations of `malloc`.
    pub(crate) heap: std::sync::Mutex<Option<Heap>>,
    pub(crate) uninitialised_shared: bool,
    pub(crate) uninitialised_local: bool,
    pub(crate) follow_unwritten: bool,
    /// Value of unwritten bytes of shared and local memory.
    pub(crate) unwritten: u8,
    pub(crate) steady_clock: bool,
    /// True if fused regions run as such.
    pub(crate) fused: bool,
    pub(crate) perturbation: Perturbation,
}

/// Deviations from a normal run, to show another possible outcome: see `crate::witness`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Perturbation {
    /// Block, warp, and lanes of this warp that run ahead of its other lanes, until they must wait for them.
    pub(crate) ahead: Option<(u64, u32, u32)>,
    /// True if asynchronous copies complete when they are issued.
    pub(crate) at_once: bool,
}

impl Setup<'_> {
    /// Returns, for each buffer, whether the kernel may write it.
    pub(crate) fn writable(&self) -> Vec<bool> {
        let writable = &self.program.writable;
        let unknown = !writable.known || self.addresses.is_some();
        let mut all: Vec<bool> = self.views.iter().map(|view| view.heap || unknown).collect();
        for root in &writable.roots {
            let address = match *root {
                Preload::Param { offset, .. } => {
                    let bytes = self.params.get(offset as usize..).and_then(<[u8]>::first_chunk);
                    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
                }
                Preload::Global(index) => self.variables.get(index as usize).copied().unwrap_or(0),
                _ => 0,
            };
            if let Some(buffer) = all.get_mut(((address >> SLOT_BITS) as usize).wrapping_sub(1)) {
                *buffer = true;
            }
        }
        all
    }

    /// Returns the buffer of a checked global address, and the offset in it.
    fn view(&self, address: u64) -> (&View, u64) {
        (&self.views[(address >> SLOT_BITS) as usize - 1], address & ((1 << SLOT_BITS) - 1))
    }

    /// Reads bytes of a buffer.
    pub(crate) fn read(&self, from: u64, to: &mut [u8]) {
        let (view, offset) = self.view(from);
        view.load(offset, to);
    }

    /// Writes bytes to a buffer, or combines them with the elements there.
    pub(crate) fn write(&self, from: &[u8], to: u64, reduce: Option<Reduce>) {
        let (view, offset) = self.view(to);
        let Some(Reduce { size, kind }) = reduce else { return view.store(offset, from) };
        for (element, from) in from.chunks_exact(size.into()).enumerate() {
            view.update(offset + element as u64 * u64::from(size), size.into(), kind, word_of(from));
        }
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    pub(crate) fn cluster_size(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Returns index and linear index of the block that has this rank in a cluster.
    pub(crate) fn block_of(&self, cluster: u64, rank: u32) -> (Dim3, u64) {
        let [cx, cy, cz] = self.cluster;
        let [gx, gy, _] = [0, 1, 2].map(|axis| u64::from(self.grid[axis] / self.cluster[axis]));
        let within = [rank % cx, rank / cx % cy, rank / (cx * cy)];
        let at = [cluster % gx, cluster / gx % gy, cluster / (gx * gy)];
        let block: Dim3 = std::array::from_fn(|axis| at[axis] as u32 * [cx, cy, cz][axis] + within[axis]);
        (block, self.linear(block))
    }

    /// Returns the linear index of a block in the grid.
    pub(crate) fn linear(&self, block: Dim3) -> u64 {
        let [x, y, z] = block.map(u64::from);
        x + u64::from(self.grid[0]) * (y + u64::from(self.grid[1]) * z)
    }

    /// Returns the highest linear index of a cluster's blocks.
    pub(crate) fn last_block(&self, cluster: u64) -> u64 {
        (0..self.cluster_size()).map(|rank| self.block_of(cluster, rank).1).max().unwrap_or(0)
    }

    /// Returns the ranks of a cluster's blocks, in the order of `blocks`.
    pub(crate) fn ranks(&self, blocks: &[u64]) -> Vec<u32> {
        let size = self.cluster_size();
        let place = |rank: &u32| {
            let is = |block: &u64| self.block_of(self.cluster_of(*block), *rank).1 == *block;
            blocks.iter().position(is).unwrap_or(usize::MAX)
        };
        let mut ranks: Vec<u32> = (0..size).collect();
        ranks.sort_by_key(place);
        ranks
    }

    pub(crate) fn cluster_of(&self, block: u64) -> u64 {
        let [gx, gy, _] = self.grid.map(u64::from);
        let [cx, cy, cz] = self.cluster.map(u64::from);
        let [x, y, z] = [block % gx / cx, block / gx % gy / cy, block / (gx * gy) / cz];
        x + gx / cx * (y + gy / cy * z)
    }
}
