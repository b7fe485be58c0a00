//! Bulk copies, of bytes in a row and of boxes of tensors.

use super::mbarrier::Deferred;
use super::{Here, lanes_of};
use crate::simt::asynch::{Asynch, Kind, TENSOR_MAP_BYTES, TensorMap};
use crate::simt::cost::SECTOR;
use crate::simt::machine::state::Machine;
use crate::simt::memory::SLOT_BITS;
use crate::simt::probe::{AsyncAccess, Engine, Probe};
use crate::simt::{Fault, FaultKind};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// A copy that has been issued and checked.
#[derive(Clone)]
pub(super) enum Move {
    Load { from: u64, to: (u32, u32), bytes: u32 },
    Tile { map: Box<TensorMap>, at: [i32; 5], to: (u32, u32) },
    Shared { from: u32, to: (u32, u32), bytes: u32, source: u32 },
    Words { to: (u32, u32), bytes: u32, data: [u8; 32] },
    Store { from: u32, to: u64, bytes: u32 },
    StoreTile { map: Box<TensorMap>, at: [i32; 5], from: u32 },
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
}

/// Stores of a warp that have not happened yet: lane, group, and what.
#[derive(Default)]
pub(super) struct Stores {
    queue: VecDeque<(u32, u32, u32, Move)>,
    committed: [u32; 32],
    number: u32,
}

/// Stores of a warp that may be under way.
const MOST: usize = 4096;

impl<P: Probe> Machine<'_, P> {
    pub(super) fn issue_bulk(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        for lane in lanes_of(here.active) {
            if P::COUNTS {
                self.count(here, lane, what);
            }
            // SAFETY: the operands were lowered for this file.
            let value = |index: usize| unsafe { what.input(index).lane(here.file, lane as usize) };
            match what.kind {
                Kind::BulkLoad => {
                    let bytes = self.size(here, lane, value(2))?;
                    self.global_run(here, lane, value(1), bytes, 16, false)?;
                    let to = self.cluster_run(here, lane, value(0), bytes, 16, "copies")?;
                    let copy = Move::Load { from: value(1), to, bytes: bytes as u32 };
                    let mask = if what.input(4).is_absent() { None } else { Some(value(4) as u32) };
                    self.arrive_when_done(here, lane, &copy, to, value(3), mask)?;
                }
                Kind::TileLoad { rank } => {
                    let (map, at) = self.tile(here, lane, what, rank)?;
                    let to = self.cluster_run(here, lane, value(0), map.room().into(), 128, "copies")?;
                    let copy = Move::Tile { map: Box::new(map), at, to };
                    let mask = if what.input(3).is_absent() { None } else { Some(value(3) as u32) };
                    self.arrive_when_done(here, lane, &copy, to, value(2), mask)?;
                }
                Kind::BulkShared => {
                    let bytes = self.size(here, lane, value(2))?;
                    let from = self.shared_run(here, lane, value(1), bytes, 16, "copies")?;
                    let to = self.cluster_run(here, lane, value(0), bytes, 16, "copies")?;
                    let copy = Move::Shared { from, to, bytes: bytes as u32, source: self.rank };
                    self.arrive_when_done(here, lane, &copy, to, value(3), None)?;
                }
                Kind::Remote { size } => {
                    let size = usize::from(size);
                    let mut data = [0u8; 32];
                    let count = what.inputs.len().saturating_sub(2).min(4);
                    for index in 0..count {
                        let bytes = value(2 + index).to_le_bytes();
                        data[size * index..size * (index + 1)].copy_from_slice(&bytes[..size]);
                    }
                    let bytes = (size * count) as u64;
                    let to = self.cluster_run(here, lane, value(0), bytes, bytes, "stores")?;
                    let copy = Move::Words { to, bytes: bytes as u32, data };
                    self.arrive_when_done(here, lane, &copy, to, value(1), None)?;
                }
                Kind::BulkStore => {
                    let bytes = self.size(here, lane, value(2))?;
                    self.global_run(here, lane, value(0), bytes, 16, true)?;
                    let from = self.shared_run(here, lane, value(1), bytes, 16, "stores")?;
                    self.store_when_waited(here, lane, Move::Store { from, to: value(0), bytes: bytes as u32 }, from);
                }
                Kind::TileStore { rank } => {
                    let (map, at) = self.tile(here, lane, what, rank)?;
                    let from = self.shared_run(here, lane, value(0), map.room().into(), 128, "stores")?;
                    self.store_when_waited(here, lane, Move::StoreTile { map: Box::new(map), at, from }, from);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts the global side of a copy: the 32-byte sectors that its rows touch.
    fn count(&mut self, here: Here, lane: u32, what: &Asynch) {
        // SAFETY: the operands were lowered for this file.
        let value = |index: usize| unsafe { what.input(index).lane(here.file, lane as usize) };
        let touched = |address: u64, bytes: u64| match bytes {
            0 => 0,
            bytes => (address.wrapping_add(bytes - 1) / SECTOR).wrapping_sub(address / SECTOR) + 1,
        };
        let (mut sectors, mut bytes) = (0, 0);
        match what.kind {
            Kind::BulkLoad => (sectors, bytes) = (touched(value(1), value(2)), value(2)),
            Kind::BulkStore => (sectors, bytes) = (touched(value(0), value(2)), value(2)),
            Kind::TileLoad { rank } | Kind::TileStore { rank } => {
                if let Ok((map, at)) = self.tile(here, lane, what, rank) {
                    map.rows(at, |row| {
                        sectors += touched(row.address, row.bytes.into());
                        bytes += u64::from(row.bytes);
                    });
                }
            }
            _ => return,
        }
        self.probe.bulk(here.at, sectors, bytes);
    }

    fn size(&self, here: Here, lane: u32, bytes: u64) -> Result<u64, Box<Fault>> {
        if bytes == 0 || !bytes.is_multiple_of(16) {
            let what = format!("copies {bytes} bytes in bulk; that is not a multiple of 16");
            return self.fails(here, lane, FaultKind::Misaligned, &what);
        }
        Ok(bytes)
    }

    /// The tensor map and the coordinates of a box.
    fn tile(&self, here: Here, lane: u32, what: &Asynch, rank: u8) -> Result<(TensorMap, [i32; 5]), Box<Fault>> {
        // SAFETY: the operands were lowered for this file.
        let value = |index: usize| unsafe { what.input(index).lane(here.file, lane as usize) };
        let address = value(1);
        self.global_run(here, lane, address, TENSOR_MAP_BYTES as u64, 64, false)?;
        let mut bytes = [0u8; TENSOR_MAP_BYTES];
        self.read_global(address, &mut bytes);
        let Some(map) = TensorMap::decode(&bytes) else {
            let what = format!("uses what lies {} as a tensor map, which it is not", self.describe(address));
            return self.fails(here, lane, FaultKind::Uninitialised, &what);
        };
        if map.rank != u32::from(rank) {
            let what = format!("copies a box of {rank} dimensions by a tensor map of {}", map.rank);
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        let mut at = [0i32; 5];
        for (index, place) in at.iter_mut().take(rank.into()).enumerate() {
            *place = value(4 + index) as i32;
        }
        let writes = matches!(what.kind, Kind::TileStore { .. });
        let mut outcome = Ok(());
        map.rows(at, |row| {
            if row.bytes != 0 && outcome.is_ok() {
                outcome = self.global_run(here, lane, row.address, row.bytes.into(), 1, writes);
            }
        });
        outcome.map(|()| (map, at))
    }

    /// Puts a copy off until somebody waits for its `mbarrier`: in its own block, or in each block of the mask.
    fn arrive_when_done(
        &mut self,
        here: Here,
        lane: u32,
        copy: &Move,
        (rank, offset): (u32, u32),
        barrier: u64,
        mask: Option<u32>,
    ) -> Result<(), Box<Fault>> {
        let (of, barrier) = self.spot(barrier);
        let all = (1u32 << self.setup.cluster_size()) - 1;
        let ranks = match mask {
            None if of != rank => {
                let what =
                    format!("copies to block {rank} of its cluster and lets an `mbarrier` of block {of} count it");
                return self.fails(here, lane, FaultKind::OutOfBounds, &what);
            }
            None => 1 << rank,
            Some(mask) if mask & !all != 0 || mask == 0 => {
                let what = format!(
                    "copies to the blocks of the mask {mask:#x}; its cluster has {}",
                    self.setup.cluster_size()
                );
                return self.fails(here, lane, FaultKind::OutOfBounds, &what);
            }
            Some(mask) => mask,
        };
        for rank in lanes_of(ranks) {
            let target = self.object_of(here, lane, rank, barrier)?;
            let mut copy = copy.clone();
            if let Move::Load { to, .. } | Move::Tile { to, .. } | Move::Shared { to, .. } | Move::Words { to, .. } =
                &mut copy
            {
                *to = (rank, offset);
            }
            if P::WATCHES && rank == self.rank {
                let number = self.object_at(target).phases + 1;
                self.probe.asynchronous(&AsyncAccess {
                    at: here.at,
                    warp: here.w as u32,
                    lane,
                    engine: Engine::Phase(barrier as u32),
                    number,
                    writes: true,
                    start: offset,
                    bytes: copy.bytes(),
                    proxy: true,
                });
            }
            self.object_at_mut(target).deferred.push_back(Deferred::Bulk(copy));
            self.progress += 1;
        }
        Ok(())
    }

    fn store_when_waited(&mut self, here: Here, lane: u32, copy: Move, from: u32) {
        let stores = &mut self.asynchrony.stores[here.w];
        stores.number += 1;
        let (number, group, bytes) = (stores.number, stores.committed[lane as usize], copy.bytes());
        stores.queue.push_back((lane, group, number, copy));
        let oldest = if stores.queue.len() > MOST { stores.queue.pop_front() } else { None };
        if P::WATCHES {
            self.probe.asynchronous(&AsyncAccess {
                at: here.at,
                warp: here.w as u32,
                lane,
                engine: Engine::Bulk(here.w as u32),
                number,
                writes: false,
                start: from,
                bytes,
                proxy: true,
            });
        }
        if let Some((_, _, _, copy)) = oldest {
            self.perform(&copy);
        }
    }

    pub(super) fn commit_bulk(&mut self, here: Here) {
        for lane in lanes_of(here.active) {
            self.asynchrony.stores[here.w].committed[lane as usize] += 1;
        }
    }

    pub(super) fn wait_bulk(&mut self, here: Here, pending: u32) {
        let mut queue = std::mem::take(&mut self.asynchrony.stores[here.w].queue);
        let committed = self.asynchrony.stores[here.w].committed;
        queue.retain(|(lane, group, _, copy)| {
            let done = here.active >> lane & 1 == 1 && *group < committed[*lane as usize].saturating_sub(pending);
            if done {
                self.perform(copy);
            }
            !done
        });
        if P::WATCHES {
            let waiting = queue.iter().find(|(lane, ..)| here.active >> lane & 1 == 1);
            let number = waiting.map_or(self.asynchrony.stores[here.w].number, |(_, _, number, _)| number - 1);
            self.probe.learns(here.w as u32, here.active, Engine::Bulk(here.w as u32), number);
        }
        self.asynchrony.stores[here.w].queue = queue;
    }

    /// The block has ended: its stores happen all the same.
    pub(crate) fn finish_stores(&mut self) -> Result<(), Box<Fault>> {
        for w in 0..self.asynchrony.stores.len() {
            for (_, _, _, copy) in std::mem::take(&mut self.asynchrony.stores[w].queue) {
                self.perform(&copy);
            }
        }
        Ok(())
    }

    /// Moves the bytes.
    pub(super) fn perform(&mut self, copy: &Move) {
        match copy {
            Move::Load { from, to: (rank, to), bytes } => {
                let memory = self.memory_of(*rank);
                // SAFETY: both runs were checked when the copy was issued.
                unsafe { self.to_shared(*from, memory.add(*to as usize), *bytes as usize) };
                self.note_written(*rank, *to as usize, *bytes as usize);
            }
            Move::Shared { from, to: (rank, to), bytes, source } => {
                let (source, target) = (self.memory_of(*source), self.memory_of(*rank));
                // SAFETY: both runs were checked when the copy was issued; they may overlap.
                unsafe { target.add(*to as usize).copy_from(source.add(*from as usize), *bytes as usize) };
                self.note_written(*rank, *to as usize, *bytes as usize);
            }
            Move::Words { to: (rank, to), bytes, data } => {
                let target = self.memory_of(*rank);
                // SAFETY: the run was checked when the store was issued; the data are as long.
                unsafe { target.add(*to as usize).copy_from_nonoverlapping(data.as_ptr(), *bytes as usize) };
                self.note_written(*rank, *to as usize, *bytes as usize);
            }
            Move::Store { from, to, bytes } => {
                let source = self.memory_of(self.rank);
                // SAFETY: both runs were checked when the copy was issued.
                unsafe { self.to_global(source.add(*from as usize), *to, *bytes as usize) };
            }
            Move::Tile { map, at, to: (rank, to) } => {
                let (memory, inner, outside) = (self.memory_of(*rank), map.inner_bytes(), map.outside());
                map.rows(*at, |row| {
                    for piece in (0..inner).step_by(16) {
                        let place = map.swizzle.apply(to + row.start + piece) as usize;
                        let mut data = [outside, outside].concat();
                        let (begin, end) = (piece.max(row.skip), (piece + 16).min(row.skip + row.bytes));
                        // SAFETY: the box and the part of the tensor were checked when the copy was issued; a swizzle
                        // does not leave the 128 bytes to which the box is aligned.
                        unsafe {
                            if begin < end {
                                let from = row.address + u64::from(begin - row.skip);
                                let data = data.as_mut_ptr().add((begin - piece) as usize);
                                self.to_shared(from, data, (end - begin) as usize);
                            }
                            memory.add(place).copy_from_nonoverlapping(data.as_ptr(), 16);
                        }
                    }
                });
                self.note_written(*rank, *to as usize, map.room() as usize);
            }
            Move::StoreTile { map, at, from } => {
                let (memory, inner) = (self.memory_of(self.rank), map.inner_bytes());
                map.rows(*at, |row| {
                    for piece in (0..inner).step_by(16) {
                        let place = map.swizzle.apply(from + row.start + piece) as usize;
                        let (begin, end) = (piece.max(row.skip), (piece + 16).min(row.skip + row.bytes));
                        if begin < end {
                            let to = row.address + u64::from(begin - row.skip);
                            // SAFETY: as above.
                            unsafe {
                                let source = memory.add(place + (begin - piece) as usize);
                                self.to_global(source, to, (end - begin) as usize);
                            }
                        }
                    }
                });
            }
        }
    }

    fn read_global(&self, from: u64, to: &mut [u8]) {
        // SAFETY: the run has been checked.
        unsafe { self.to_shared(from, to.as_mut_ptr(), to.len()) };
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
    unsafe fn to_global(&self, from: *const u8, to: u64, bytes: usize) {
        let view = self.setup.views[(to >> SLOT_BITS) as usize - 1];
        let offset = (to & ((1 << SLOT_BITS) - 1)) as usize;
        // SAFETY: by contract; all accesses to buffers are atomic.
        unsafe {
            let target = view.data.add(offset);
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
