//! The check of an access to shared memory.

use super::clock::Agent;
use super::found::Pair;
use super::shadow::{Kind, NEXT_LANE, Past, widen};
use super::{Hazards, WARPS};
use crate::simt::machine::Group;
use crate::simt::probe::Seen;
use crate::simt::report::{HazardKind, HazardSpace};

impl Hazards {
    #[inline(always)]
    pub(super) fn shared(&mut self, seen: &Seen<'_>) {
        let warp = seen.warp as usize;
        let Some(threads) = self.threads.get_mut(warp) else { return };
        if self.worn || threads.moment == u32::MAX {
            self.worn = true;
            return;
        }
        threads.moment += 1;
        let (moment, live) = (threads.moment, threads.live);
        let index = seen.access_index;
        let ordinal = self.runs[warp * self.accesses + index as usize].run(self.interval, moment);
        self.finds.next();
        let kind = Kind::new(seen.access.writes, seen.access.order.strong);
        let mut past = Past { access: index, lane: 0, agent: warp as Agent, ordinal, moment, kind };
        let each = (seen.access.bytes() >> self.shift).max(1) as usize;
        match kind {
            Kind::Read if seen.mask == u32::MAX && each == 1 => self.read_groups(past, seen),
            Kind::Read | Kind::Write => {
                let apart = seen.mask != live;
                let mut last = usize::MAX;
                for lane in 0..32 {
                    if seen.mask & (1 << lane) == 0 {
                        continue;
                    }
                    let start = (seen.start.wrapping_add(seen.shape.relative[lane] as u64) >> self.shift) as usize;
                    past.lane = lane as u8;
                    if kind == Kind::Write {
                        (start..start + each).for_each(|cell| self.write(cell, past, seen));
                    } else if start != last || apart {
                        last = start;
                        for cell in start..start + each {
                            self.read_cell(cell, past);
                            if apart {
                                self.apart[warp].note(cell, past.pack());
                            }
                        }
                    } else {
                        (start..start + each).for_each(|cell| self.also_read(cell, past));
                    }
                }
            }
            Kind::StrongRead | Kind::StrongWrite => self.strong(past, each, seen),
        }
    }

    #[inline(always)]
    fn read_cell(&mut self, cell: usize, past: Past) {
        if self.written[cell] >= self.interval || !self.strong_writes.is_empty() {
            self.read_written(cell, past);
        }
        self.read[cell] = self.interval;
        let slot = &mut self.reads[usize::from(past.agent) * self.cells + cell];
        *slot = widen(*slot, past.pack());
    }

    /// Another lane reads the cell in the same instruction.
    #[inline(always)]
    fn also_read(&mut self, cell: usize, past: Past) {
        if self.written[cell] >= self.interval || !self.strong_writes.is_empty() {
            self.read_written(cell, past);
        }
        let slot = &mut self.reads[usize::from(past.agent) * self.cells + cell];
        *slot = widen(*slot, past.pack());
    }

    #[cold]
    #[inline(never)]
    fn read_written(&mut self, cell: usize, past: Past) {
        self.check_write(cell, past, past.agent);
        self.check_strong_writes(cell, past, past.agent);
        // What all threads have waited for is a write like any other of an earlier interval.
        let write = self.writes[cell];
        if usize::from(write.agent) >= WARPS
            && self.threads.iter().all(|threads| threads.floor(write.agent) >= write.moment)
        {
            self.written[cell] = self.interval - 1;
        }
    }

    /// The read of a whole warp, one cell a lane: eight lanes at once where they lie side by side.
    #[inline(always)]
    fn read_groups(&mut self, mut past: Past, seen: &Seen<'_>) {
        let row = usize::from(past.agent) * self.cells;
        let shift = self.shift;
        let cell_of = |lane: usize| (seen.start.wrapping_add(seen.shape.relative[lane] as u64) >> shift) as usize;
        let strong = !self.strong_writes.is_empty();
        for g in 0..4 {
            let first = cell_of(8 * g);
            past.lane = 8 * g as u8;
            match seen.shape.groups[g] {
                Group::Same => {
                    self.read_cell(first, past);
                    past.lane += 7;
                    self.also_read(first, past);
                }
                Group::Unit if self.shift == 2 => {
                    let interval = self.interval;
                    let (Some(written), Some(read), Some(reads)) = (
                        self.written.get(first..first + 8),
                        self.read.get_mut(first..first + 8),
                        self.reads.get_mut(row + first..row + first + 8),
                    ) else {
                        continue;
                    };
                    let mut hit = strong;
                    let packed = past.pack();
                    for i in 0..8 {
                        hit |= written[i] >= interval;
                        read[i] = interval;
                        reads[i] = widen(reads[i], packed + i as u64 * NEXT_LANE);
                    }
                    if hit {
                        for i in 0..8 {
                            past.lane = (8 * g + i) as u8;
                            self.read_cell(first + i, past);
                        }
                    }
                }
                _ => {
                    for lane in 8 * g..8 * g + 8 {
                        past.lane = lane as u8;
                        self.read_cell(cell_of(lane), past);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn write(&mut self, cell: usize, past: Past, seen: &Seen<'_>) {
        let value = self.stored(cell, past.lane, seen);
        // Two plain writes of the same value leave it, whichever comes last.
        if self.written[cell] >= self.interval
            && (value != self.values[cell] || usize::from(self.writes[cell].agent) >= WARPS)
        {
            let old = self.writes[cell];
            if old.agent == past.agent && old.moment == past.moment && old.access == past.access {
                self.conflict(old, past, u32::from(past.agent), cell);
            } else {
                self.check_write(cell, past, past.agent);
            }
        }
        self.values[cell] = value;
        self.check_readers(cell, past, past.agent);
        if !self.strong_writes.is_empty() || !self.strong_reads.is_empty() {
            self.check_strong_writes(cell, past, past.agent);
            self.check_strong_reads(cell, past, past.agent);
        }
        self.written[cell] = self.interval;
        self.writes[cell] = past;
    }

    /// What a lane stores in a cell.
    #[inline(always)]
    fn stored(&self, cell: usize, lane: u8, seen: &Seen<'_>) -> u32 {
        let start = seen.start.wrapping_add(seen.shape.relative[usize::from(lane & 31)] as u64);
        let into = ((cell as u64) << self.shift).wrapping_sub(start) as u32;
        let size = seen.access.size.max(1);
        let value = seen.value((into / size) as usize, usize::from(lane & 31)) >> (8 * (into % size));
        value as u32 & (u32::MAX >> (32 - (8 << self.shift).min(32)))
    }

    /// Checks an access by a thread of warp `by` against the cell's last plain write.
    pub(super) fn check_write(&mut self, cell: usize, past: Past, by: Agent) {
        if self.written[cell] >= self.interval {
            let old = self.writes[cell];
            self.check(old, past, by, cell);
        }
    }

    /// Checks a write against the plain reads.
    #[inline(always)]
    pub(super) fn check_readers(&mut self, cell: usize, past: Past, by: Agent) {
        if self.read[cell] == self.interval {
            for reader in 0..self.warps {
                let packed = self.reads[reader * self.cells + cell];
                let moment = (packed >> 32) as u32;
                if moment > self.began[reader] && moment > self.threads[usize::from(by)].floor(reader as Agent) {
                    self.check_reader(reader as Agent, packed, Kind::Read, past, by, cell);
                }
            }
        }
        if !self.engine_reads.is_empty() {
            self.check_engine_reads(cell, past, by);
        }
    }

    /// Checks against the lanes of a warp that a row tells of.
    #[cold]
    #[inline(never)]
    fn check_reader(&mut self, agent: Agent, packed: u64, kind: Kind, past: Past, by: Agent, cell: usize) {
        let moment = (packed >> 32) as u32;
        let access = (packed as u32) >> 10;
        let ordinal = self
            .runs
            .get(usize::from(agent) * self.accesses + access as usize)
            .filter(|_| usize::from(agent) < WARPS && (access as usize) < self.accesses)
            .map_or(moment, |runs| runs.ordinal(moment));
        let old = Past { access, moment, ordinal, agent, lane: 0, kind };
        for lane in [(packed & 31) as u8, (packed >> 5 & 31) as u8] {
            if self.check(Past { lane, ..old }, past, by, cell) {
                return;
            }
        }
        if usize::from(agent) < WARPS && kind == Kind::Read {
            for packed in self.apart[usize::from(agent)].at(cell).to_vec() {
                let old = Past {
                    moment: (packed >> 32) as u32,
                    access: (packed as u32) >> 10,
                    lane: (packed & 31) as u8,
                    ..old
                };
                if self.check(old, past, by, cell) {
                    return;
                }
            }
        }
    }

    fn check_engine_reads(&mut self, cell: usize, past: Past, by: Agent) {
        let found: Vec<(Agent, u64)> =
            self.engine_reads.agents().map(|(agent, row)| (agent, row[cell])).filter(|(_, p)| *p != 0).collect();
        for (agent, packed) in found {
            self.check_reader(agent, packed, Kind::Read, past, by, cell);
        }
    }

    pub(super) fn check_strong_writes(&mut self, cell: usize, past: Past, by: Agent) {
        let began = &self.began;
        let rows = self.strong_writes.agents().map(|(agent, row)| (agent, row[cell]));
        let found: Vec<(Agent, u64)> = rows.filter(|(a, p)| (p >> 32) as u32 > began[usize::from(*a)]).collect();
        for (agent, packed) in found {
            self.check_reader(agent, packed, Kind::StrongWrite, past, by, cell);
        }
    }

    pub(super) fn check_strong_reads(&mut self, cell: usize, past: Past, by: Agent) {
        let began = &self.began;
        let rows = self.strong_reads.agents().map(|(agent, row)| (agent, row[cell]));
        let found: Vec<(Agent, u64)> = rows.filter(|(a, p)| (p >> 32) as u32 > began[usize::from(*a)]).collect();
        for (agent, packed) in found {
            self.check_reader(agent, packed, Kind::StrongRead, past, by, cell);
        }
    }

    /// Checks an access by a thread of warp `by` against one in the past; true if they conflict.
    #[cold]
    #[inline(never)]
    fn check(&mut self, old: Past, new: Past, by: Agent, cell: usize) -> bool {
        let same_thread = usize::from(old.agent) < WARPS && (old.agent, old.lane) == (by, new.lane);
        if !old.kind.conflicts(new.kind)
            || same_thread
            || self.threads[usize::from(by)].knows(new.lane, old.agent, old.lane, old.moment)
        {
            return false;
        }
        self.conflict(old, new, by.into(), cell);
        true
    }

    /// The rules of `order`: RAW or WAR.
    fn classify(&self, write: &Past, read: &Past) -> HazardKind {
        let runs = |warp: Agent, access: u32| self.runs.get(usize::from(warp) * self.accesses + access as usize);
        let interval = self.interval;
        let raw = match (runs(read.agent, write.access), runs(write.agent, read.access)) {
            (Some(runs), _) if runs.ever() => runs.came_before(interval, write.ordinal, read.moment, read.ordinal),
            (_, Some(runs)) if runs.ever() => !runs.came_before(interval, read.ordinal, write.moment, write.ordinal),
            _ => self.finds.position(write.access) < self.finds.position(read.access),
        };
        if raw { HazardKind::Raw } else { HazardKind::War }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn conflict(&mut self, old: Past, new: Past, by: u32, cell: usize) {
        let as_run = old.agent == new.agent || usize::from(old.agent.max(new.agent)) >= WARPS;
        let (kind, old_first) = match (old.kind.writes(), new.kind.writes()) {
            (true, true) => {
                let at = |past: &Past| (past.ordinal, self.finds.position(past.access));
                (HazardKind::Waw, as_run || at(&old) <= at(&new))
            }
            (true, false) if as_run => (HazardKind::Raw, true),
            (false, _) if as_run && self.meant_after(&old, &new) => (HazardKind::Raw, false),
            (false, _) if as_run => (HazardKind::War, true),
            (true, false) => {
                let kind = self.classify(&old, &new);
                (kind, kind == HazardKind::Raw)
            }
            _ => {
                let kind = self.classify(&new, &old);
                (kind, kind == HazardKind::War)
            }
        };
        let (before, by) = (self.warp_of(old.agent), by);
        let (first, second, warps) = if old_first { (old, new, (before, by)) } else { (new, old, (by, before)) };
        let pair = Pair { kind, first, second, warps };
        let address = (cell as u64) << self.shift;
        self.finds.note(pair, &old, HazardSpace::Shared, self.block, address, 1 << self.shift);
    }

    /// The warp of an agent: itself, or the one that last gave an engine something to do.
    fn warp_of(&self, agent: Agent) -> u32 {
        match usize::from(agent).checked_sub(WARPS) {
            None => agent.into(),
            Some(engine) => self.engines.get(engine).map_or(0, |(_, warp, _)| *warp),
        }
    }
}
