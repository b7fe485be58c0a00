//! Bulk copies that have been issued and checked: how their bytes move.

use crate::machine::atomic;
use crate::machine::state::Machine;
use crate::memory::SLOT_BITS;
use crate::probes::Probe;
use crate::program::async_copy::Reduce;
use crate::tensor_map::{Corner, TensorMap};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Rank of a block, and an offset in its shared memory.
pub(super) type SharedAddr = (u32, u32);

/// A copy that has been issued and checked.
#[derive(Clone)]
pub(super) enum Move {
    Load { from: u64, to: SharedAddr, bytes: u32 },
    Tile { map: Box<TensorMap>, corner: Corner, to: SharedAddr },
    Shared { from: SharedAddr, to: SharedAddr, bytes: u32, reduce: Option<Reduce> },
    Words { data: [u8; 16], to: SharedAddr, bytes: u32, reduce: Option<Reduce> },
    Store { from: Source, to: u64, bytes: u32, mask: u16, reduce: Option<Reduce> },
    StoreTile { map: Box<TensorMap>, corner: Corner, from: Source, reduce: Option<Reduce> },
}

/// What a store to global memory reads.
#[derive(Clone)]
pub(super) enum Source {
    /// The own block's shared memory, from this offset on.
    Shared(u32),
    /// What stood there when the thread waited for the read.
    Held(u32, Box<[u8]>),
}

impl Move {
    /// What an `mbarrier` counts.
    pub(super) fn bytes(&self) -> u32 {
        match self {
            Self::Load { bytes, .. }
            | Self::Shared { bytes, .. }
            | Self::Words { bytes, .. }
            | Self::Store { bytes, .. } => *bytes,
            Self::Tile { map, .. } | Self::StoreTile { map, .. } => map.box_bytes(),
        }
    }

    /// The same copy to another block of the cluster.
    pub(super) fn towards(&self, rank: u32) -> Self {
        let mut copy = self.clone();
        if let Self::Load { to, .. } | Self::Tile { to, .. } | Self::Shared { to, .. } | Self::Words { to, .. } =
            &mut copy
        {
            to.0 = rank;
        }
        copy
    }

    /// Bytes of shared memory that a store reads.
    pub(super) fn room(&self) -> u32 {
        match self {
            Self::StoreTile { map, .. } => map.room(),
            copy => copy.bytes(),
        }
    }
}

/// Pieces in which a copy moves: a swizzle exchanges them, and a mask names their bytes.
const PIECE: u32 = 16;

impl<P: Probe> Machine<'_, P> {
    /// Reads what a store stores, which is then no longer read from shared memory. Gives the bytes that are kept.
    pub(super) fn hold(&mut self, copy: &mut Move) -> usize {
        let room = copy.room() as usize;
        let (Move::Store { from, .. } | Move::StoreTile { from, .. }) = copy else { return 0 };
        let Source::Shared(start) = *from else { return 0 };
        let mut held = vec![0u8; room].into_boxed_slice();
        let memory = self.memory_of(self.rank);
        // SAFETY: the run was checked when the copy was issued, and the copy of it is as long.
        unsafe { held.as_mut_ptr().copy_from_nonoverlapping(memory.add(start as usize), room) };
        *from = Source::Held(start, held);
        room
    }

    /// Moves the bytes.
    pub(super) fn perform(&mut self, copy: &Move) {
        match copy {
            Move::Load { from, to: (rank, to), bytes } => {
                let memory = self.memory_of(*rank);
                // SAFETY: both runs were checked when the copy was issued.
                unsafe { self.to_shared(*from, memory.add(*to as usize), *bytes as usize) };
                self.note_landed(*rank, *to as usize, *bytes as usize);
            }
            Move::Shared { from: (source, from), to: (rank, to), bytes, reduce } => {
                let (source, target) = (self.memory_of(*source), self.memory_of(*rank));
                // SAFETY: both runs were checked when the copy was issued; they may overlap.
                unsafe {
                    let (source, target) = (source.add(*from as usize), target.add(*to as usize));
                    match reduce {
                        None => target.copy_from(source, *bytes as usize),
                        Some(reduce) => reduce_run::<false>(source, target, *bytes as usize, *reduce),
                    }
                }
                self.note_landed(*rank, *to as usize, *bytes as usize);
            }
            Move::Words { data, to: (rank, to), bytes, reduce } => {
                let target = self.memory_of(*rank);
                // SAFETY: the run was checked when the store was issued; the data are as long.
                unsafe {
                    let target = target.add(*to as usize);
                    match reduce {
                        None => target.copy_from_nonoverlapping(data.as_ptr(), *bytes as usize),
                        Some(reduce) => reduce_run::<false>(data.as_ptr(), target, *bytes as usize, *reduce),
                    }
                }
                self.note_landed(*rank, *to as usize, *bytes as usize);
            }
            Move::Store { from, to, bytes, mask, reduce } => {
                let source = self.source(from);
                // SAFETY: both runs were checked when the copy was issued.
                unsafe {
                    if *mask == u16::MAX {
                        self.to_global(source, *to, *bytes as usize, *reduce);
                        return;
                    }
                    for start in (0..*bytes).filter(|start| mask >> (start % PIECE) & 1 == 1) {
                        self.to_global(source.add(start as usize), *to + u64::from(start), 1, None);
                    }
                }
            }
            Move::Tile { map, corner, to: (rank, to) } => {
                let (memory, inner, outside) = (self.memory_of(*rank), map.inner_bytes(), map.outside());
                map.rows(*corner, |row| {
                    for piece in (0..inner).step_by(PIECE as usize) {
                        let place = map.swizzle.apply(to + row.start + piece) as usize;
                        let mut data = outside;
                        let (begin, end) = (piece.max(row.skip), (piece + PIECE).min(row.skip + row.bytes));
                        // SAFETY: the box and the part of the tensor were checked when the copy was issued; a swizzle
                        // does not leave the 128 bytes to which the box is aligned.
                        unsafe {
                            if begin < end {
                                let from = row.address + u64::from(begin - row.skip);
                                let data = &mut data[(begin - piece) as usize..(end - piece) as usize];
                                self.to_shared(from, data.as_mut_ptr(), data.len());
                                map.element.convert(data);
                            }
                            memory.add(place).copy_from_nonoverlapping(data.as_ptr(), PIECE as usize);
                        }
                    }
                });
                self.note_landed(*rank, *to as usize, map.room() as usize);
            }
            Move::StoreTile { map, corner, from, reduce } => {
                let source = self.source(from);
                let start = match from {
                    Source::Shared(start) | Source::Held(start, _) => *start,
                };
                map.rows(*corner, |row| {
                    for piece in (0..map.inner_bytes()).step_by(PIECE as usize) {
                        let place = map.swizzle.apply(start + row.start + piece) - start;
                        let (begin, end) = (piece.max(row.skip), (piece + PIECE).min(row.skip + row.bytes));
                        if begin < end {
                            let to = row.address + u64::from(begin - row.skip);
                            // SAFETY: as above.
                            unsafe {
                                let source = source.add((place + begin - piece) as usize);
                                self.to_global(source, to, (end - begin) as usize, *reduce);
                            }
                        }
                    }
                });
            }
        }
    }

    /// Where a store finds its bytes.
    fn source(&mut self, from: &Source) -> *const u8 {
        match from {
            // SAFETY: the run was checked when the copy was issued.
            Source::Shared(start) => unsafe { self.memory_of(self.rank).add(*start as usize) },
            Source::Held(_, held) => held.as_ptr(),
        }
    }

    pub(super) fn read_global(&self, from: u64, to: &mut [u8]) {
        // SAFETY: the run has been checked.
        unsafe { self.to_shared(from, to.as_mut_ptr(), to.len()) };
    }

    pub(super) fn write_global(&self, from: &[u8], to: u64) {
        // SAFETY: the run has been checked.
        unsafe { self.to_global(from.as_ptr(), to, from.len(), None) };
    }

    /// Bytes of a buffer to memory of this worker.
    ///
    /// # Safety
    /// Both runs lie in their memories.
    unsafe fn to_shared(&self, from: u64, to: *mut u8, bytes: usize) {
        let view = self.setup.views[(from >> SLOT_BITS) as usize - 1];
        let offset = (from & ((1 << SLOT_BITS) - 1)) as usize;
        // SAFETY: by contract; all accesses to buffers are atomic.
        unsafe {
            let source = view.data.add(offset);
            let mut done = 0;
            if offset.is_multiple_of(8) {
                while done + 8 <= bytes {
                    let word = (*source.add(done).cast::<AtomicU64>()).load(Relaxed);
                    to.add(done).cast::<u64>().write_unaligned(word);
                    done += 8;
                }
            }
            for i in done..bytes {
                to.add(i).write((*source.add(i).cast::<AtomicU8>()).load(Relaxed));
            }
        }
    }

    /// Bytes of memory of this worker to a buffer.
    ///
    /// # Safety
    /// Both runs lie in their memories.
    unsafe fn to_global(&self, from: *const u8, to: u64, bytes: usize, reduce: Option<Reduce>) {
        let view = self.setup.views[(to >> SLOT_BITS) as usize - 1];
        let offset = (to & ((1 << SLOT_BITS) - 1)) as usize;
        // SAFETY: by contract; all accesses to buffers are atomic.
        unsafe {
            let target = view.data.add(offset);
            if let Some(reduce) = reduce {
                return reduce_run::<true>(from, target, bytes, reduce);
            }
            let mut done = 0;
            if offset.is_multiple_of(8) {
                while done + 8 <= bytes {
                    (*target.add(done).cast::<AtomicU64>())
                        .store(from.add(done).cast::<u64>().read_unaligned(), Relaxed);
                    done += 8;
                }
            }
            for i in done..bytes {
                (*target.add(i).cast::<AtomicU8>()).store(from.add(i).read(), Relaxed);
            }
            if !view.written.is_null() {
                for byte in offset..offset + bytes {
                    (*view.written.add(byte).cast::<AtomicU8>()).store(1, Relaxed);
                }
            }
        }
    }
}

/// Reduces a run of elements into another; `COMMON` if that is in global memory.
///
/// # Safety
/// Both runs lie in their memories, and the second is aligned to its elements.
unsafe fn reduce_run<const COMMON: bool>(from: *const u8, to: *mut u8, bytes: usize, reduce: Reduce) {
    let size = usize::from(reduce.size);
    for at in (0..bytes).step_by(size) {
        let mut value = [0u8; 8];
        // SAFETY: by contract; an element has at most 8 bytes.
        unsafe {
            value.as_mut_ptr().copy_from_nonoverlapping(from.add(at), size);
            atomic::update::<COMMON>(to.add(at), size as u32, reduce.kind, u64::from_le_bytes(value), 0);
        }
    }
}
