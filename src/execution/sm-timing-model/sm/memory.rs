//! The data pipe of L1, and the ways to L2 and to memory.

use super::{Machine, PER_WAVEFRONT};
use crate::trace::Global;
use ptx_emulator::cost::LINE;

impl Machine<'_> {
    /// Enters the queue of the data pipe. Returns when the access begins.
    pub(super) fn enter(&mut self, now: f64, wavefronts: f64) -> f64 {
        let start = self.unit.max(now);
        self.unit = start + wavefronts;
        self.accessed += wavefronts;
        start
    }

    /// Requests sectors from L2 that come at a rate. Returns when the last one arrives.
    pub(super) fn fetched(&mut self, now: f64, sectors: u32, rate: f64) -> f64 {
        (0..sectors).map(|_| self.fetch(now, rate, false)).fold(now, f64::max)
    }

    /// Requests a sector from L2. Returns when it arrives. If all SMs sweep over its buffer, the one ahead waits
    /// for memory each time, and those that catch up wait with it. Memory still sends each byte once.
    fn fetch(&mut self, now: f64, rate: f64, swept: bool) -> f64 {
        let start = self.l2.max(now);
        self.l2 = start + 32.0 / rate;
        self.l2_bytes += 32.0;
        self.l2_work += 32.0 / rate;
        self.cold += self.around.cold;
        if self.cold < 1.0 {
            let latency = if swept { self.gpu.latency.memory } else { self.gpu.latency.l2 };
            return start + latency as f64;
        }
        self.cold -= 1.0;
        let begin = self.memory.max(start);
        self.memory = begin + 32.0 / self.gpu.memory_bytes_per_cycle;
        self.memory_bytes += 32.0;
        begin + self.gpu.latency.memory as f64
    }

    /// Sends sectors to L2. There, each line takes as long as a whole one, even if only a few of its bytes are stored.
    /// If few SMs share L2, the way there is what takes time.
    pub(super) fn sent(&mut self, now: f64, sectors: u32, lines: u32) {
        let bytes = 32.0 * f64::from(sectors);
        let there = LINE as f64 * f64::from(lines) / self.around.stores;
        let cycles = there.max(bytes / self.gpu.l2_bytes_per_cycle);
        self.l2 = self.l2.max(now) + cycles;
        self.l2_work += cycles;
        self.l2_bytes += bytes;
    }

    /// Returns when the last sector of a load arrives.
    pub(super) fn loaded(&mut self, start: f64, access: Global) -> f64 {
        let hit = start + self.gpu.latency.l1 as f64 + PER_WAVEFRONT * (f64::from(access.lines.max(1)) - 1.0);
        let trace = self.trace;
        let range = access.start as usize..access.start as usize + usize::from(access.sectors);
        let mut latest = hit;
        for sector in trace.sectors.get(range).unwrap_or(&[]) {
            let arrival = self.l1.arrival(*sector).unwrap_or_else(|| {
                let swept = self.around.swept.checked_shr((*sector >> 40) as u32).is_some_and(|rest| rest & 1 == 1);
                let arrival = self.fetch(start, self.gpu.l2_bytes_per_cycle, swept);
                self.l1.insert(*sector, arrival);
                arrival
            });
            latest = latest.max(arrival);
        }
        latest
    }
}
