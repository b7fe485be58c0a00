//! What the units and the warps did with their time.

use super::{Machine, SCHEDULERS};
use crate::parts::{Stall, Unit};
use crate::timeline::Segment;

impl Machine<'_> {
    /// Returns the cycles for which each unit has worked.
    pub(super) fn work(&self) -> [f64; Unit::ALL.len()] {
        let each = SCHEDULERS as f64;
        Unit::ALL.map(|unit| match unit {
            // One of the two pipes also multiplies integers.
            Unit::Float => self.worked[0].max((self.worked[0] + self.worked[1]) / 2.0) / each,
            Unit::Integer => self.worked[2] / each,
            Unit::Double => self.worked[3] / each,
            Unit::Special => self.worked[4] / each,
            Unit::Tensor => self.worked[5] / each,
            Unit::DataPipe => self.accessed,
            Unit::L2 => self.l2_work,
            Unit::Memory => self.memory_bytes / self.gpu.memory_bytes_per_cycle,
            Unit::Schedulers => self.issued / each,
        })
    }

    /// Notes why a warp whose operands are there cannot start, and counts the cycles for the reason before.
    pub(super) fn block(&mut self, warp: usize, now: f64, stall: Stall) {
        let one = &mut self.warps[warp];
        if one.blocked != stall {
            let (before, from) = (one.blocked, one.since.max(one.next.0).max(one.free).min(now));
            (one.blocked, one.since) = (stall, now);
            self.stalls[before as usize] += now - from;
            self.recorder.add(Segment { warp, stall: before, from, until: now, lines: (0, 0) });
        }
    }

    /// Adds the cycles between two instructions of a warp to what it waited for.
    pub(super) fn account(&mut self, warp: usize, now: f64, slots: f64, lines: (u32, u32)) {
        let one = &self.warps[warp];
        self.stalls[Stall::Selected as usize] += slots;
        self.issued += slots;
        let ready = one.next.0.min(now).max(one.free);
        self.stalls[one.next.1 as usize] += ready - one.free;
        let parts = [(one.next.1, one.free, ready), (Stall::Selected, now, now + slots)];
        self.block(warp, now, Stall::Selected);
        for (stall, from, until) in parts {
            self.recorder.add(Segment { warp, stall, from, until, lines });
        }
    }
}
