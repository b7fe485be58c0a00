//! Bulk copies of consecutive bytes and of tensor boxes.

use super::mbarrier::Deferred;
use super::moves::{Move, SharedAddr, Source};
use super::{Here, lanes_of};
use crate::cost::copy;
use crate::machine::state::Machine;
use crate::probes::{AsyncAccess, Engine, Probe};
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::{Fault, FaultKind};

impl<P: Probe> Machine<'_, P> {
    pub(super) fn issue_bulk(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        for lane in lanes_of(here.active) {
            if P::COUNTS {
                self.count(here, lane, what);
            }
            let value = |index: usize| what.input(index).lane(here.file, lane as usize);
            match what.kind {
                // A copy of zero bytes does nothing.
                AsyncOp::BulkLoad | AsyncOp::BulkShared { .. } | AsyncOp::BulkStore { .. } if value(2) == 0 => {}
                AsyncOp::BulkLoad => {
                    let bytes = self.size(here, lane, value(2))?;
                    self.global_range(here, lane, value(1), bytes, 16, false)?;
                    let to = self.cluster_range(here, lane, value(0), bytes, 16, "copies")?;
                    let copy = Move::Load { from: value(1), to, bytes: bytes as u32 };
                    let mask = if what.input(4).is_absent() { None } else { Some(value(4) as u32) };
                    self.arrive_when_done(here, lane, &copy, to, value(3), mask)?;
                }
                AsyncOp::TileLoad { .. } => {
                    let (map, corner) = self.tile(here, lane, what)?;
                    let to = self.cluster_range(here, lane, value(0), map.span_bytes().into(), 128, "copies")?;
                    let copy = Move::Tile { map: Box::new(map), corner, to };
                    let mask = if what.input(3).is_absent() { None } else { Some(value(3) as u32) };
                    self.arrive_when_done(here, lane, &copy, to, value(2), mask)?;
                }
                AsyncOp::BulkShared { .. } | AsyncOp::Remote { .. } if !self.setup.explicit_cluster => {
                    let what = "sends to shared memory of its cluster in a launch without clusters; there the instruction \
                                is illegal";
                    return self.fails(here, lane, FaultKind::Launch, what);
                }
                AsyncOp::BulkShared { reduce } => {
                    let bytes = self.size(here, lane, value(2))?;
                    let from = self.shared_range(here, lane, value(1), bytes, 16, "copies")?;
                    let to = self.cluster_range(here, lane, value(0), bytes, 16, "copies")?;
                    let copy = Move::Shared { from: (self.rank, from), to, bytes: bytes as u32, reduce };
                    self.arrive_when_done(here, lane, &copy, to, value(3), None)?;
                }
                AsyncOp::Remote { size, reduce } => {
                    let size = usize::from(size);
                    let mut data = [0u8; 16];
                    let values = (2..what.inputs.len()).map(value);
                    for (place, value) in data.chunks_exact_mut(size).zip(values) {
                        place.copy_from_slice(&value.to_le_bytes()[..size]);
                    }
                    let bytes = (size * (what.inputs.len() - 2)) as u64;
                    let verb = if reduce.is_some() { "reduces" } else { "stores" };
                    let to = self.cluster_range(here, lane, value(0), bytes, bytes, verb)?;
                    let copy = Move::Words { data, to, bytes: bytes as u32, reduce };
                    self.arrive_when_done(here, lane, &copy, to, value(1), None)?;
                }
                AsyncOp::BulkStore { reduce } => {
                    let bytes = self.size(here, lane, value(2))?;
                    self.global_range(here, lane, value(0), bytes, 16, true)?;
                    if reduce.is_some() {
                        self.global_range(here, lane, value(0), bytes, 16, false)?;
                    }
                    let from = self.shared_range(here, lane, value(1), bytes, 16, "stores")?;
                    let mask = if what.input(3).is_absent() { u16::MAX } else { value(3) as u16 };
                    let store =
                        Move::Store { from: Source::Shared(from), to: value(0), bytes: bytes as u32, mask, reduce };
                    self.store_when_waited(here, lane, store, from);
                }
                AsyncOp::TileStore { operation, .. } => {
                    let (map, corner) = self.tile(here, lane, what)?;
                    let reduce = match operation.map(|operation| (operation, operation.on(map.element))) {
                        None => None,
                        Some((_, Some(reduce))) => Some(reduce),
                        Some((operation, None)) => {
                            let what = format!("reduces {:?} by {operation:?}, which cannot be", map.element);
                            return self.fails(here, lane, FaultKind::Launch, &what);
                        }
                    };
                    let from = self.shared_range(here, lane, value(0), map.span_bytes().into(), 128, "stores")?;
                    let store = Move::StoreTile { map: Box::new(map), corner, from: Source::Shared(from), reduce };
                    self.store_when_waited(here, lane, store, from);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts the global side of a copy: the 32-byte sectors that its rows touch.
    fn count(&mut self, here: Here, lane: u32, what: &Asynch) {
        let value = |index: usize| what.input(index).lane(here.file, lane as usize);
        let (mut sectors, mut bytes) = (0, 0);
        match what.kind {
            AsyncOp::BulkLoad => (sectors, bytes) = (copy::sectors(value(1), value(0), value(2)), value(2)),
            AsyncOp::BulkStore { .. } => (sectors, bytes) = (copy::sectors(value(0), value(1), value(2)), value(2)),
            AsyncOp::TileLoad { .. } | AsyncOp::TileStore { .. } => {
                if let Ok((map, corner)) = self.tile(here, lane, what) {
                    map.rows(corner, |row| {
                        sectors += copy::sectors(row.address, u64::from(row.start + row.skip), row.bytes.into());
                        bytes += u64::from(row.bytes);
                    });
                }
            }
            _ => return,
        }
        self.probe.bulk(here.at, sectors, bytes);
    }

    fn size(&self, here: Here, lane: u32, bytes: u64) -> Result<u64, Box<Fault>> {
        if !bytes.is_multiple_of(16) {
            let what = format!("copies {bytes} bytes in bulk; that is not a multiple of 16");
            return self.fails(here, lane, FaultKind::Misaligned, &what);
        }
        Ok(bytes)
    }

    /// Defers a copy until a thread waits for its `mbarrier`. With `mask`, copies to each block in the mask and uses
    /// the barrier at the same offset there.
    fn arrive_when_done(
        &mut self,
        here: Here,
        lane: u32,
        copy: &Move,
        (rank, offset): SharedAddr,
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
            let copy = copy.towards(rank);
            if P::WATCHES {
                let number = self.object_at(target).phases + 1;
                let engine = Engine::Phase(rank, barrier as u32);
                let reduces =
                    matches!(copy, Move::Shared { reduce: Some(_), .. } | Move::Words { reduce: Some(_), .. });
                let (at, warp, bytes, start) = (here.at, here.w as u32, copy.bytes(), offset);
                let (writes, proxy) = (true, true);
                let access = AsyncAccess {
                    at,
                    rank,
                    warp,
                    lane,
                    engine,
                    number,
                    writes,
                    start,
                    bytes,
                    each: bytes,
                    proxy,
                    reduces,
                };
                if let Move::Shared { from: (rank, start), .. } = copy {
                    let (writes, reduces) = (false, false);
                    self.probe.asynchronous(&AsyncAccess { rank, start, writes, reduces, ..access });
                }
                self.probe.asynchronous(&access);
                let read = AsyncAccess { writes: false, ..access };
                match &copy {
                    Move::Load { from, bytes, .. } => {
                        self.probe.asynchronous_global(&read, *from, u64::from(*bytes));
                    }
                    Move::Tile { map, corner, .. } => map.rows(*corner, |row| {
                        self.probe.asynchronous_global(&read, row.address, row.bytes.into());
                    }),
                    _ => {}
                }
            }
            let deferred = if self.setup.perturbation.at_once {
                self.perform(&copy);
                Deferred::Done(copy.bytes())
            } else {
                Deferred::Bulk(copy)
            };
            self.object_at_mut(target).deferred.push_back(deferred);
            self.progress += 1;
        }
        Ok(())
    }
}
