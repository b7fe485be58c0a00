//! Clusters: access to other blocks' shared memory, and the barrier of the cluster.
//!
//! As on an H200, bits 24 and up of a shared-memory address hold the rank of the block, also for the block's own
//! variables. Without clusters the rank is 0. Unlike on an H200, a block's variables begin at 0, not after 1024
//! reserved bytes.

use super::{Here, Next, lanes_of};
use crate::arch::{OFFSET, Order, RANK_SHIFT, SHARED_WINDOW, Scope};
use crate::arith::Registers;
use crate::machine::access::seen;
use crate::machine::lanes::lanes_where;
use crate::machine::state::{Machine, Warp, bytes_of};
use crate::machine::{atomic, transfer};
use crate::probes::AddressPattern;
use crate::probes::{Object, Probe, Space};
use crate::program::async_copy::Asynch;
use crate::program::{Access, Inst};
use crate::{Fault, FaultKind};

/// Key under which the hazard detector keeps what the cluster's barrier orders. No `mbarrier` can have this address.
const BARRIER: Object = (u32::MAX, u32::MAX);
/// Memory order of a wait there: `barrier.cluster.wait` is always `.acquire` (PTX ISA 9.7.14.4).
const ACQUIRE: Order = Order { strong: true, release: false, acquire: true, scope: Scope::Cluster, ..Order::WEAK };

impl<P: Probe> Machine<'_, P> {
    /// Returns the rank and offset of an address in the cluster's shared memory. An address above all ranks belongs to
    /// the current block.
    pub(super) fn spot(&self, address: u64) -> (u32, u64) {
        match address >> RANK_SHIFT {
            rank @ ..=0xff => (rank as u32, address & OFFSET),
            _ => (self.rank, address),
        }
    }

    fn warps_of(&self, rank: u32) -> &[Warp] {
        match self.parked.get(rank as usize) {
            Some(parked) if rank != self.rank => &parked.warps,
            _ => &self.block.warps,
        }
    }

    /// Returns the shared memory of a block of the cluster.
    pub(super) fn memory_of(&mut self, rank: u32) -> &mut [u8] {
        bytes_of(&mut self.block_of(rank).shared)
    }

    /// Records that bytes of a block's shared memory have been written.
    pub(super) fn note_written(&mut self, rank: u32, start: usize, bytes: usize) {
        if let Some(flags) = self.block_of(rank).shared_written.get_mut(start..start + bytes) {
            flags.fill(1);
        }
    }

    /// Records that an asynchronous access has written bytes of a block's shared memory.
    pub(super) fn note_landed(&mut self, rank: u32, start: usize, bytes: usize) {
        self.note_written(rank, start, bytes);
        if P::TRACES {
            let written = self.memory_of(rank)[start..][..bytes].to_vec();
            self.probe.landed(rank, start as u32, &written);
        }
    }

    /// Checks a range of the cluster's shared memory. Returns the block's rank and the offset.
    pub(super) fn cluster_range(
        &self,
        here: Here,
        lane: u32,
        address: u64,
        bytes: u64,
        align: u64,
        verb: &str,
    ) -> Result<(u32, u32), Box<Fault>> {
        let (rank, offset) = self.spot(address);
        if rank >= self.setup.cluster_size() {
            let what = format!(
                "{verb} {bytes} bytes of the shared memory of block {rank} of its cluster, which has {} blocks",
                self.setup.cluster_size()
            );
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        if rank != self.rank && self.warps_of(rank).iter().all(|warp| warp.live == 0) {
            let what = format!(
                "{verb} {bytes} bytes of the shared memory of block {rank} of its cluster, which has left the kernel"
            );
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        Ok((rank, self.range_of(here, lane, offset, bytes, align, verb)?))
    }

    /// Runs a load, store or atomic for the lanes that reach another block's shared memory. Returns the remaining
    /// lanes.
    ///
    /// # Safety
    /// The file belongs to the warp, and the instruction belongs to this program.
    #[expect(clippy::too_many_arguments, reason = "those of an access")]
    pub(crate) unsafe fn remote_access(
        &mut self,
        at: usize,
        w: usize,
        inst: &Inst,
        access: &Access,
        address: &[u64; 32],
        mask: u32,
        file: Registers,
    ) -> Result<u32, Box<Fault>> {
        let here = Here { at, w, active: mask, file };
        let window = if access.reach == crate::program::StateSpace::Generic { SHARED_WINDOW } else { 0 };
        let place = |lane: u32| address[lane as usize].wrapping_add(access.offset as u64).wrapping_sub(window);
        let own = self.rank;
        let is_remote = |lane: u32| place(lane) >> RANK_SHIFT <= 0xff && self.spot(place(lane)).0 != own;
        let remote = lanes_where(mask, is_remote);
        let mut rest = remote;
        let bytes = u64::from(access.bytes());
        while rest != 0 {
            let first = rest.trailing_zeros() & 31;
            let rank = self.spot(place(first)).0;
            let part = lanes_where(rest, |lane| self.spot(place(lane)).0 == rank);
            let verb = if access.writes { "writes" } else { "reads" };
            let mut offsets = [0u64; 32];
            for lane in lanes_of(part) {
                offsets[lane as usize] = self.cluster_range(here, lane, place(lane), bytes, bytes, verb)?.1.into();
                if access.writes {
                    self.note_written(rank, offsets[lane as usize] as usize, bytes as usize);
                }
            }
            let mut pattern = AddressPattern::default();
            pattern.rescan(&offsets, part, self.setup.shared_bytes);
            let start = pattern.base;
            if P::WATCHES && access.writes {
                self.probe.remote(rank, &mut seen(at, w, inst, part, start, &mut pattern, access, file));
            }
            let data = self.memory_of(rank)[pattern.base as usize..].as_mut_ptr();
            // SAFETY: the range of each lane has been checked, and the program has been verified.
            unsafe {
                match access.atomic {
                    Some(_) => atomic::apply::<false>(data, &pattern, access, inst, file, part),
                    None if access.writes => transfer::store::<transfer::Own>(data, &pattern, access, file, part),
                    None => transfer::load::<transfer::Own>(data, &pattern, access, file, part),
                }
                if P::TRACES {
                    let seen = seen(at, w, inst, part, start, &mut pattern, access, file);
                    self.probe.touched(Space::Shared(rank), &seen, data);
                }
            }
            if P::WATCHES && !access.writes {
                self.probe.remote(rank, &mut seen(at, w, inst, part, start, &mut pattern, access, file));
            }
            self.progress += u64::from(access.writes);
            rest &= !part;
        }
        Ok(mask & !remote)
    }

    pub(super) fn arrive_at_cluster(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        let warp = &mut self.block.warps[here.w];
        let twice = (warp.arrived | warp.must_wait) & here.active;
        if twice != 0 {
            let lane = twice.trailing_zeros();
            let what = "arrives at the cluster's barrier a second time without having waited there";
            return self.fails(here, lane, FaultKind::DivergentBarrier, what);
        }
        warp.arrived |= here.active;
        warp.must_wait |= here.active;
        self.progress += 1;
        if P::WATCHES {
            self.probe.mbarrier_arrive(here.w as u32, here.active, BARRIER, what.order);
        }
        self.check_cluster();
        Ok(())
    }

    /// Completes the phase of the barrier if all threads of the cluster that have not ended have arrived.
    fn check_cluster(&mut self) {
        let others = self.parked.iter().flat_map(|parked| &parked.warps);
        if self.block.warps.iter().chain(others).any(|warp| warp.live & !warp.arrived != 0) {
            return;
        }
        let others = self.parked.iter_mut().flat_map(|parked| &mut parked.warps);
        self.block.warps.iter_mut().chain(others).for_each(|warp| warp.arrived = 0);
        self.cluster_phases = self.cluster_phases.wrapping_add(1);
        self.progress += 1;
        if P::WATCHES {
            self.probe.mbarrier_phase(BARRIER, self.cluster_phases);
        }
    }

    pub(super) fn wait_for_cluster(&mut self, here: Here) -> Result<Next, Box<Fault>> {
        let missing = here.active & !self.block.warps[here.w].must_wait;
        if missing != 0 {
            let what = "waits at the cluster's barrier without having arrived there";
            return self.fails(here, missing.trailing_zeros(), FaultKind::DivergentBarrier, what);
        }
        self.check_cluster();
        if self.block.warps[here.w].arrived & here.active != 0 {
            return Ok(Next::Again);
        }
        self.block.warps[here.w].must_wait &= !here.active;
        if P::WATCHES {
            self.probe.mbarrier_wait(here.w as u32, here.active, BARRIER, ACQUIRE);
        }
        Ok(Next::On)
    }
}
