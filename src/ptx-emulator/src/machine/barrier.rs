//! The block's sixteen barriers: warps arrive, wait and are released.

use super::exchange;
use super::state::{Machine, Wait, Warp};
use crate::probes::Probe;
use crate::program::{Barrier, Inst, NONE};
use crate::{Fault, FaultKind};

impl<P: Probe> Machine<'_, P> {
    /// Runs a barrier instruction of a warp. True if the warp waits.
    #[inline(never)]
    pub(super) fn barrier(
        &mut self,
        at: usize,
        w: usize,
        inst: &Inst,
        kind: Barrier,
        active: u32,
    ) -> Result<bool, Box<Fault>> {
        let lane = active.trailing_zeros();
        // SAFETY: the registers are not used after this function.
        let file = unsafe { self.file(w) };
        let of_lane = |slot: u32| file.lane(slot, false, lane as usize) as u32;
        let number = of_lane(inst.operands.a);
        let wanted = if inst.operands.b == NONE { 0 } else { of_lane(inst.operands.b) };
        let predicate = if inst.operands.c == NONE { 0 } else { file.predicate(inst.operands.c) & active };
        if number > 15 || wanted % 32 != 0 || (inst.operands.b != NONE && wanted == 0) {
            let what =
                format!("uses barrier {number} for {wanted} threads; barriers are 0 to 15, and take whole warps");
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, lane, &what));
        }
        let state = &mut self.block.barriers[number as usize];
        if state.arrived != 0 && state.wanted != wanted {
            let what = format!("waits at barrier {number} for {wanted} threads, others for {}", state.wanted);
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, lane, &what));
        }
        if state.arrived == 0 {
            *state = Default::default();
        }
        state.wanted = wanted;
        state.arrived += 32;
        state.warps |= 1 << w;
        state.count += predicate.count_ones();
        state.some |= predicate != 0;
        state.none |= predicate != active;
        self.progress += 1;
        if P::TRACES || P::WATCHES {
            self.probe.arrive(at, w as u32, number as usize);
        }
        let waits = kind != Barrier::Arrive;
        if waits {
            self.block.warps[w].waiting = Some(Wait { barrier: number as usize, kind, at, result: inst.operands.d });
        }
        let state = self.block.barriers[number as usize];
        if state.wanted != 0 && state.arrived >= state.wanted {
            self.release(number as usize);
        }
        // If this warp was the last to arrive, the barrier has already released it. It gives up its turn all the same.
        Ok(waits)
    }

    /// Releases all warps that wait at a barrier.
    pub(crate) fn release(&mut self, number: usize) {
        let state = std::mem::take(&mut self.block.barriers[number]);
        let mut waiting = 0u32;
        for w in 0..self.block.warps.len() {
            let Some(wait) = self.block.warps[w].waiting.filter(|wait| wait.barrier == number) else { continue };
            self.block.warps[w].waiting = None;
            waiting |= 1 << w;
            if wait.result == NONE {
                continue;
            }
            // SAFETY: as above.
            let (file, live) = (unsafe { self.file(w) }, self.block.warps[w].live);
            let set = |yes: bool| file.set_predicate(wait.result, live, if yes { live } else { 0 });
            match wait.kind {
                Barrier::Count => exchange::fill(file, wait.result, live, state.count),
                Barrier::And => set(!state.none),
                Barrier::Or => set(state.some),
                _ => {}
            }
        }
        // Without a thread count, a barrier is complete once every thread that has not ended has arrived.
        let passes = |w: usize| waiting & 1 << w != 0 || state.wanted == 0 && self.block.warps[w].live == 0;
        let all = (0..self.block.warps.len()).all(passes);
        self.probe.release(number, waiting, all);
    }

    /// Releases the barrier at which all warps of the block wait, or returns the fault of a deadlock.
    pub(super) fn release_barrier(&mut self) -> Result<(), Box<Fault>> {
        let whole = |warp: &Warp| warp.live == warp.full && warp.waiting.is_some_and(|wait| wait.barrier == 0);
        if self.block.barriers[0].wanted == 0 && self.block.warps.iter().all(whole) {
            self.release(0);
            return Ok(());
        }
        let waits: Vec<(usize, Wait)> =
            self.block.warps.iter().enumerate().filter_map(|(w, warp)| Some((w, warp.waiting?))).collect();
        let Some(&(w, first)) = waits.first() else { return Ok(()) };
        let lane = self.block.warps[w].live.trailing_zeros() & 31;
        if let Some((other, wait)) = waits.iter().find(|(_, wait)| wait.barrier != first.barrier) {
            let [x, y, z] = self.setup.thread(*other as u32, self.block.warps[*other].live.trailing_zeros() & 31);
            let what = format!(
                "waits at barrier {} and thread ({x},{y},{z}) at barrier {}: neither can continue",
                first.barrier, wait.barrier
            );
            return Err(self.fault(FaultKind::DivergentBarrier, first.at, w, lane, &what));
        }
        let state = self.block.barriers[first.barrier];
        if state.wanted != 0 {
            let what = format!(
                "waits at barrier {} for {} threads, but only {} can arrive",
                first.barrier, state.wanted, state.arrived
            );
            return Err(self.fault(FaultKind::DivergentBarrier, first.at, w, lane, &what));
        }
        // A barrier does not wait for threads that have exited the kernel.
        self.release(first.barrier);
        Ok(())
    }
}
