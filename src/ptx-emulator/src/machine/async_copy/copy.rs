//! `cp.async`: issue, commit and wait.

use super::{Here, lanes_of};
use crate::cost;
use crate::machine::lanes::lanes_where;
use crate::machine::state::Machine;
use crate::probes::AddressPattern;
use crate::probes::{AsyncAccess, Engine, Probe, Seen};
use crate::program::async_copy::Asynch;
use crate::{Fault, FaultKind};
use std::collections::VecDeque;

/// Copies of one warp instruction that have not arrived yet.
struct Pending {
    /// Lanes whose bytes have not moved. All of them have the same group.
    mask: u32,
    group: u32,
    /// Position of the copy among the warp's copies, starting at 1.
    number: u32,
    bytes: u8,
    to: [u32; 32],
    from: [u64; 32],
    take: [u8; 32],
}

#[derive(Default)]
pub(super) struct Copies {
    queue: VecDeque<Pending>,
    /// Number of groups that each lane has committed.
    committed: [u32; 32],
    number: u32,
}

/// Maximum number of a warp's copy instructions in flight. Beyond that, the oldest one completes, as it would on a
/// GPU sooner or later.
const MAX_IN_FLIGHT: usize = 4096;

impl<P: Probe> Machine<'_, P> {
    pub(super) fn issue_copy(&mut self, here: Here, what: &Asynch, bytes: u32, cached: bool) -> Result<(), Box<Fault>> {
        let (to, from, size, ignore) = (what.input(0), what.input(1), what.input(2), what.input(3));
        let mut copy =
            Pending { mask: 0, group: 0, number: 0, bytes: bytes as u8, to: [0; 32], from: [0; 32], take: [0; 32] };
        let width = u64::from(bytes);
        let ignored = ignore.predicate(here.file);
        let mut reading = 0u32;
        for lane in lanes_of(here.active) {
            let l = lane as usize;
            let (address, source, asked) = (to.lane(here.file, l), from.lane(here.file, l), size.lane(here.file, l));
            copy.to[l] = self.shared_range(here, lane, address, width, width, "copies")?;
            let take = match () {
                () if ignored >> lane & 1 == 1 => 0,
                () if size.is_absent() => width,
                () => asked,
            };
            if take > width {
                let what = format!("copies {bytes} bytes and asks for {take} of them from global memory");
                return self.fails(here, lane, FaultKind::OutOfBounds, &what);
            }
            if take != 0 {
                self.global_range(here, lane, source, take, width, false)?;
                reading |= 1 << lane;
            }
            (copy.from[l], copy.take[l]) = (source, take as u8);
        }
        if P::COUNTS || P::WATCHES {
            self.observe_copy(here, what, &copy, reading, cached);
        }
        let copies = &mut self.block.asynchrony.copies[here.w];
        copies.number += 1;
        copy.number = copies.number;
        // Lanes may have committed different numbers of groups.
        let mut rest = here.active;
        while rest != 0 {
            let group = copies.committed[(rest.trailing_zeros() & 31) as usize];
            let mask = lanes_where(rest, |lane| copies.committed[lane as usize] == group);
            copies.queue.push_back(Pending { mask, group, ..copy });
            rest &= !mask;
        }
        if self.setup.perturbation.at_once {
            let number = copies.number;
            self.land_up_to(here.w, here.active, number);
        } else if copies.queue.len() > MAX_IN_FLIGHT
            && let Some(oldest) = copies.queue.pop_front()
        {
            self.land(&oldest, oldest.mask);
        }
        Ok(())
    }

    /// Counts the copy and reports to the probe which bytes it writes.
    fn observe_copy(&mut self, here: Here, what: &Asynch, copy: &Pending, reading: u32, cached: bool) {
        let program = self.setup.program;
        let Here { at, w, active, file } = here;
        if P::COUNTS {
            self.probe.request(at);
            let cost = match cached {
                true => cost::copy::wavefronts(copy.bytes.into(), reading, active, &copy.from, &copy.to),
                false => (0, 0),
            };
            self.probe.copied(at, active.count_ones(), cost);
            // Copies that bypass the L1 cache request sectors for four lanes at a time.
            let together = if cached { 32 } else { 4 };
            let parts = (0..32 / together).map(|part| (u32::MAX >> (32 - together)) << (part * together) & reading);
            let index = what.accesses[1];
            for mask in parts.filter(|mask| *mask != 0) {
                let Some(access) = program.accesses.get(index as usize) else { continue };
                let mut pattern = AddressPattern::default();
                pattern.rescan(&copy.from, mask, self.setup.shared_bytes);
                let start = pattern.base;
                self.probe.global(&mut Seen {
                    at,
                    warp: w as u32,
                    mask,
                    start,
                    pattern: &mut pattern,
                    access,
                    access_index: index,
                    file,
                    memory: std::ptr::null(),
                    engine: Some((Engine::Copies(w as u32), self.block.asynchrony.copies[w].number + 1)),
                });
            }
        }
        if P::WATCHES {
            let number = self.block.asynchrony.copies[w].number + 1;
            let each = u32::from(copy.bytes);
            let mut rest = active;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                let start = copy.to[lane as usize];
                // Consecutive lanes that write consecutive bytes form one access.
                let follows = |next: &u32| {
                    let at = *next as usize & 31;
                    *next < 32 && rest >> at & 1 == 1 && copy.to[at] == start + (*next - lane) * each
                };
                let end = (lane + 1..=32).find(|next| !follows(next)).unwrap_or(32);
                rest &= u32::MAX.checked_shl(end).unwrap_or(0);
                self.probe.asynchronous(&AsyncAccess {
                    at,
                    rank: self.rank,
                    warp: w as u32,
                    lane,
                    engine: Engine::Copies(w as u32),
                    number,
                    writes: true,
                    start,
                    bytes: (end - lane) * each,
                    each,
                    proxy: false,
                    reduces: false,
                });
            }
        }
    }

    pub(super) fn commit_copies(&mut self, here: Here) {
        let committed = &mut self.block.asynchrony.copies[here.w].committed;
        for lane in lanes_of(here.active) {
            committed[lane as usize] += 1;
        }
    }

    /// Waits until at most `pending` of each lane's latest groups are in flight. `None` waits for everything.
    pub(super) fn wait_copies(&mut self, here: Here, pending: Option<u32>) {
        let committed = self.block.asynchrony.copies[here.w].committed;
        self.land_where(here.w, here.active, |copy, lane| match pending {
            None => true,
            Some(pending) => copy.group < committed[lane as usize].saturating_sub(pending),
        });
        if P::WATCHES {
            let copies = &self.block.asynchrony.copies[here.w];
            let waiting = copies.queue.iter().find(|copy| copy.mask & here.active != 0);
            let number = waiting.map_or(copies.number, |copy| copy.number - 1);
            let engine = Engine::Copies(here.w as u32);
            self.probe.learns(here.w as u32, here.active, engine, number);
        }
    }

    /// Returns the number of a warp's last copy instruction.
    pub(super) fn last_copy(&self, w: usize) -> u32 {
        self.block.asynchrony.copies[w].number
    }

    /// Lands the lanes' copies up to instruction `number`.
    pub(super) fn land_up_to(&mut self, w: usize, lanes: u32, number: u32) {
        self.land_where(w, lanes, |copy, _| copy.number <= number);
    }

    fn land_where(&mut self, w: usize, lanes: u32, ready: impl Fn(&Pending, u32) -> bool) {
        let mut queue = std::mem::take(&mut self.block.asynchrony.copies[w].queue);
        for copy in &mut queue {
            let landing = lanes_where(copy.mask & lanes, |lane| ready(copy, lane));
            if landing != 0 {
                self.land(copy, landing);
                copy.mask &= !landing;
            }
        }
        while queue.front().is_some_and(|copy| copy.mask == 0) {
            queue.pop_front();
        }
        self.block.asynchrony.copies[w].queue = queue;
    }

    fn land(&mut self, copy: &Pending, lanes: u32) {
        for lane in lanes_of(lanes) {
            let l = lane as usize;
            let (to, take, bytes) = (copy.to[l], usize::from(copy.take[l]), usize::from(copy.bytes));
            if take != 0 {
                self.fetch(copy.from[l], to, take);
            }
            if take < bytes {
                self.clear(to + take as u32, bytes - take);
            }
        }
    }
}
