//! What warps wait for at barriers and at `mbarrier` objects, and what completes it.

use super::{BARRIER_PER_WARP, Machine, Mark, Time};
use crate::parts::{Constraint, Stall};
use crate::region::Regions;
use crate::text::Kind;
use crate::timeline::Segment;
use crate::trace::Trace;
use std::collections::HashMap;

/// Cycles from the start of a comparison to that of a branch that it decides, less the latency of integer operations, and
/// cycles that the branch takes its warp, taken or not (`scripts/gpu/latency`, `branch_passed` and `branch_passed_early`).
pub(super) const PREDICATE: f64 = 25.0;
pub(super) const BRANCH: f64 = 8.0;

/// A phase that some recorded instructions complete.
#[derive(Debug, Default)]
pub(super) struct Phase {
    lacks: u32,
    /// When the last of them was there, and what a warp has waited for until then.
    last: Option<Time>,
    waiting: Vec<usize>,
}

/// The phases of all resident blocks, by block, address and number. What other blocks of a cluster contribute is taken to
/// come in time.
pub(super) type Phases = HashMap<(usize, u32, u32), Phase>;

pub(super) fn phases(regions: &Regions, trace: &Trace<'_>, resident: &[usize]) -> Phases {
    let mut found = Phases::new();
    for (index, block) in resident.iter().enumerate() {
        for event in trace.paths[*block].iter().flat_map(|path| path.events.iter().take(regions.limit)) {
            let waits = trace.text.code[event.at as usize].kind == Kind::Test;
            let mark = trace.marks.get(event.mark as usize).filter(|_| !waits);
            if let Some((address, number)) = mark.and_then(|mark| mark.phase) {
                found.entry((index, address, number)).or_default().lacks += 1;
            }
        }
    }
    found
}

impl Machine<'_> {
    /// Executes an asynchronous instruction. Returns when its result can be used.
    pub(super) fn asynchronous(&mut self, warp: usize, scheduler: usize, now: f64, kind: Kind, mark: Mark) -> Time {
        let tensor = self.gpu.tensor.unwrap_or_default();
        let free = self.around.without == Some(Constraint::GlobalMemory);
        match kind {
            Kind::Wgmma(columns) if self.around.without != Some(Constraint::Arithmetic) => {
                let cycles = f64::from(columns) / 8.0 * tensor.wgmma;
                let pipe = &mut self.pipes[scheduler][5];
                *pipe = pipe.max(now) + cycles;
                self.recorder.multiplies(now, *pipe - cycles, *pipe);
                let done = *pipe + tensor.wgmma_latency;
                self.worked[5] += cycles;
                self.warps[warp].product = self.warps[warp].product.max(done);
            }
            Kind::CommitProducts => {
                let one = &mut self.warps[warp];
                let done = std::mem::take(&mut one.product);
                one.products.push_back(done);
            }
            Kind::Bulk { store: false } => {
                let sectors = if free { 0 } else { mark.sectors };
                let arrival = self.fetched(now, sectors, self.around.bulk);
                self.contribute(warp, mark, arrival, Stall::LongScoreboard);
            }
            Kind::Bulk { store: true } if !free => {
                self.sent(now, mark.sectors, 0);
                self.warps[warp].copies = self.warps[warp].copies.max(self.l2);
            }
            Kind::Arrive => self.contribute(warp, mark, now, Stall::Barrier),
            Kind::Test => return (now + self.gpu.latency.shared as f64, Stall::ShortScoreboard),
            _ => {}
        }
        (now, Stall::Wait)
    }

    /// Notes an arrival or a complete copy, and lets the warps go that waited for the last one.
    fn contribute(&mut self, warp: usize, mark: Mark, time: f64, stall: Stall) {
        let block = self.warps[warp].block;
        let Some((address, number)) = mark.phase else { return };
        let Some(phase) = self.phases.get_mut(&(block, address, number)) else { return };
        phase.lacks = phase.lacks.saturating_sub(1);
        let last = phase.last.filter(|last| last.0 > time).unwrap_or((time, stall));
        phase.last = Some(last);
        if phase.lacks == 0 {
            for warp in std::mem::take(&mut phase.waiting) {
                let one = &mut self.warps[warp];
                one.next = (last.0.max(one.free), last.1);
                self.released = true;
            }
        }
    }

    /// Makes a warp wait for the phase that its next instruction has seen complete.
    pub(super) fn wait_for_phase(&mut self, warp: usize) {
        let (block, of_block) = self.origin[warp];
        let one = &self.warps[warp];
        let (id, first) = self.regions.streams[block][of_block][one.region];
        let event = first + self.regions.all[id as usize].nodes[one.node].event;
        let event = self.trace.paths[block][of_block].events[event as usize];
        let mark = self.trace.marks.get(event.mark as usize).copied().unwrap_or_default();
        let Some((address, number)) = mark.phase else { return };
        let Some(phase) = self.phases.get_mut(&(one.block, address, number)) else { return };
        if phase.lacks > 0 {
            phase.waiting.push(warp);
            self.warps[warp].next = (f64::MAX, Stall::Barrier);
        } else if let Some(last) = phase.last.filter(|last| last.0 > one.next.0) {
            self.warps[warp].next = last;
        }
    }

    /// Notes that a warp has come to a barrier of `count` warps, or of all of its block if 0.
    pub(super) fn arrive(&mut self, warp: usize, barrier: u32, count: usize) {
        let own = self.warps[warp].block;
        let all = &mut self.blocks[own].arrived;
        let at = all.iter().position(|(number, ..)| *number == barrier).unwrap_or_else(|| {
            all.push((barrier, count, Vec::new()));
            all.len() - 1
        });
        all[at].2.push(warp);
        self.release(own);
    }

    /// Lets the warps of a block pass each barrier at which all have arrived.
    pub(super) fn release(&mut self, block: usize) {
        let own = &mut self.blocks[block];
        let warps = own.warps;
        let full = |(_, count, arrived): &(u32, usize, Vec<usize>)| {
            !arrived.is_empty() && arrived.len() >= if *count == 0 { warps } else { *count }
        };
        while let Some(at) = self.blocks[block].arrived.iter().position(full) {
            let (_, _, arrived) = self.blocks[block].arrived.swap_remove(at);
            self.pass(&arrived);
        }
    }

    fn pass(&mut self, arrived: &[usize]) {
        self.released = true;
        let last = arrived.iter().map(|warp| self.warps[*warp].free).fold(0.0, f64::max);
        let until = last + self.gpu.latency.barrier as f64 + BARRIER_PER_WARP * arrived.len() as f64;
        for warp in arrived.iter().copied() {
            // Time at the barrier, which `account` would give to the next instruction's operands.
            self.stalls[Stall::Barrier as usize] += until - self.warps[warp].free;
            let from = self.warps[warp].free;
            self.recorder.add(Segment { warp, stall: Stall::Barrier, from, until, lines: (0, 0) });
            self.warps[warp].free = until;
            self.prepare(warp);
        }
    }
}
