//! Checks accesses to the block's own shared memory.

use super::Hazards;
use super::clock::{Agent, Clock};
use super::found::{Nature, Pair};
use super::shadow::{AccessKind, Past, widen};
use super::warp::Warp;
use crate::arch::Role;
use crate::probes::Group;
use crate::probes::Seen;
use crate::report::{HazardKind, HazardSpace};

/// The last finding about the accesses of one warp and the current access of another. For this pair of access and
/// moment nothing is left to report: either all its lanes are known, or the pair is recorded.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Checked {
    by: Agent,
    now: u32,
    access: u32,
    moment: u32,
}

/// In a cluster: the moment up to which the reading lanes are known to know the writes of an engine.
#[derive(Debug, Default)]
pub(super) struct KnownWrites {
    pub(super) of: Agent,
    pub(super) until: u32,
}

impl Hazards {
    #[inline(always)]
    pub(super) fn shared(&mut self, seen: &Seen<'_>) {
        let Some(mut past) = self.next_access(seen) else { return };
        let warp = seen.warp as usize;
        let each = (seen.access.bytes() >> self.shift).max(1) as usize;
        self.narrow = each == 1;
        if past.kind == AccessKind::Read && seen.mask == u32::MAX {
            return self.read(past, seen, each);
        }
        let cells = self.part_of(seen, each);
        self.flush_reads(cells);
        if past.kind == AccessKind::Write {
            self.deferred.written.add(cells);
        }
        match past.kind {
            AccessKind::Write if seen.mask == u32::MAX && each == 1 => self.write_groups(past, seen),
            kind @ (AccessKind::Read | AccessKind::Write) => {
                let apart = seen.mask != self.threads[usize::from(past.agent)].live;
                let mut last = usize::MAX;
                for lane in 0..32 {
                    if seen.mask & (1 << lane) == 0 {
                        continue;
                    }
                    let start = self.cell_of(seen, lane);
                    past.lane = lane as u8;
                    if kind == AccessKind::Write {
                        (start..start + each).for_each(|cell| self.write(cell, past, seen));
                    } else if start != last || apart {
                        last = start;
                        for cell in start..start + each {
                            self.read_cell(cell, past);
                            if apart {
                                self.shadow.apart[warp].note(cell, past.pack());
                            }
                        }
                    } else {
                        (start..start + each).for_each(|cell| self.also_read(cell, past));
                    }
                }
            }
            AccessKind::StrongRead | AccessKind::StrongWrite => self.strong(past, each, seen, self.rank),
        }
    }

    /// Starts a warp's access. Returns its record, except for the lane.
    #[inline(always)]
    pub(super) fn next_access(&mut self, seen: &Seen<'_>) -> Option<Past> {
        let warp = self.first + seen.warp as usize;
        let threads = self.threads.get_mut(warp)?;
        if self.exhausted || threads.moment == u32::MAX {
            self.exhausted = true;
            return None;
        }
        threads.moment += 1;
        let moment = threads.moment;
        let index = seen.access_index;
        let runs = &mut self.runs[warp * self.accesses + index as usize];
        let ordinal = runs.run(self.shadow.interval, moment);
        self.finds.next();
        let kind = AccessKind::new(seen.access.writes, seen.access.order.strong);
        Some(Past { access: index, lane: 0, agent: warp as Agent, ordinal, moment, kind })
    }

    /// Returns the cell at which a lane's bytes begin.
    #[inline(always)]
    pub(super) fn cell_of(&self, seen: &Seen<'_>, lane: usize) -> usize {
        (seen.start.wrapping_add(seen.pattern.relative[lane & 31] as u64) >> self.shift) as usize
    }

    #[inline(always)]
    fn read_cell(&mut self, cell: usize, past: Past) {
        self.check_read_cell(cell, past, &mut KnownWrites::default());
        self.shadow.read[cell] = self.shadow.interval;
        self.keep_read(cell, past);
    }

    /// Handles another lane that reads the cell in the same instruction.
    #[inline(always)]
    fn also_read(&mut self, cell: usize, past: Past) {
        self.check_read_cell(cell, past, &mut KnownWrites::default());
        self.keep_read(cell, past);
    }

    #[inline(always)]
    fn keep_read(&mut self, cell: usize, past: Past) {
        let slot = &mut self.shadow.reads[(usize::from(past.agent) - self.first) * self.shadow.cells + cell];
        *slot = widen(*slot, past.pack());
    }

    #[cold]
    #[inline(never)]
    pub(super) fn read_written(&mut self, cell: usize, past: Past) {
        let write = self.shadow.writes[cell];
        if self.narrow && !self.shadow.strong_writes.may_have(cell) && self.is_judged(&past, write) {
            return;
        }
        self.check_write(cell, past, past.agent);
        self.check_strong_writes(cell, past, past.agent);
        // A write that all threads have waited for counts as a write of an earlier interval. In a cluster, the other
        // blocks' threads would have to wait too, which is rare: see `KnownWrites`.
        let is_known = |threads: &Warp| threads.floor(write.agent) >= write.moment;
        if self.size == 1 && !self.is_warp(write.agent) && self.threads.iter().all(is_known) {
            self.shadow.written[cell] = self.shadow.interval - 1;
        }
    }

    /// Handles eight lanes that read consecutive cells, some of which were written in this interval.
    #[inline(never)]
    pub(super) fn read_written_group(&mut self, first: usize, mut past: Past, known: &mut KnownWrites) {
        let lane = past.lane;
        for i in 0..8 {
            past.lane = lane + i as u8;
            self.check_read_cell(first + i, past, known);
        }
    }

    /// Handles a whole warp's store of one cell per lane. It handles eight lanes at once if their cells are
    /// consecutive and had only weak reads in this interval.
    #[inline(always)]
    fn write_groups(&mut self, mut past: Past, seen: &Seen<'_>) {
        let shadow = &self.shadow;
        let plain = self.shift == 2 && shadow.foreign.is_empty();
        let row = seen.row(0);
        for g in 0..4 {
            let first = self.cell_of(seen, 8 * g);
            let interval = self.shadow.interval;
            past.lane = 8 * g as u8;
            let group = plain && seen.pattern.groups[g] == Group::Unit && !self.shadow.has_others(first, first + 7);
            if group && self.shadow.written.get(first..first + 8).is_some_and(|w| w.iter().all(|w| *w < interval)) {
                if self.shadow.read[first..first + 8].contains(&interval) {
                    self.check_reader_groups(first, past);
                }
                for i in 0..8 {
                    self.shadow.values[first + i] = row.map_or(0, |row| row.lane(8 * g + i)) as u32;
                    self.shadow.written[first + i] = interval;
                    self.shadow.writes[first + i] = Past { lane: past.lane + i as u8, ..past };
                }
                continue;
            }
            for lane in 8 * g..8 * g + 8 {
                past.lane = lane as u8;
                let cell = self.cell_of(seen, lane);
                self.write(cell, past, seen);
            }
        }
    }

    /// Checks the stores of eight lanes with consecutive cells against the weak reads of the block's warps.
    #[inline(never)]
    fn check_reader_groups(&mut self, first: usize, mut past: Past) {
        let lane = past.lane;
        let read: [bool; 8] = std::array::from_fn(|i| self.shadow.read[first + i] == self.shadow.interval);
        for reader in 0..self.warps {
            let agent = (self.first + reader) as Agent;
            let known = self.shadow.began(reader).max(self.threads[usize::from(past.agent)].floor(agent));
            let row = reader * self.shadow.cells + first;
            let newest = self.shadow.reads[row..row + 8].iter().fold(0, |newest: u64, packed| newest.max(*packed));
            if (newest >> 32) as u32 <= known {
                continue;
            }
            for (i, read) in read.into_iter().enumerate() {
                let packed = self.shadow.reads[reader * self.shadow.cells + first + i];
                let old = Past { moment: (packed >> 32) as u32, access: packed as u32 >> 10, agent, ..past };
                if read && old.moment > known && !self.is_judged(&past, old) {
                    past.lane = lane + i as u8;
                    self.check_reader(agent, packed, AccessKind::Read, past, past.agent, first + i);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn write(&mut self, cell: usize, past: Past, seen: &Seen<'_>) {
        self.check_stored(cell, past, seen);
        self.check_readers(cell, past, past.agent);
        self.check_strong_writes(cell, past, past.agent);
        self.check_strong_reads(cell, past, past.agent);
        self.shadow.written[cell] = self.shadow.interval;
        self.shadow.writes[cell] = past;
    }

    /// Checks a store against the cell's last weak write.
    #[inline(always)]
    pub(super) fn check_stored(&mut self, cell: usize, past: Past, seen: &Seen<'_>) {
        let value = self.stored(cell, past.lane, seen);
        if self.shadow.written[cell] >= self.shadow.interval {
            let old = self.shadow.writes[cell];
            self.nature = if value == self.shadow.values[cell] && self.is_warp(old.agent) {
                Nature::SameValue
            } else {
                Nature::Usual
            };
            if old.agent == past.agent && old.moment == past.moment && old.access == past.access {
                self.conflict(old, past, past.agent, cell);
            } else {
                self.check_write(cell, past, past.agent);
            }
            self.nature = Nature::Usual;
        }
        self.shadow.values[cell] = value;
    }

    /// Returns the value that a lane stores in a cell.
    #[inline(always)]
    fn stored(&self, cell: usize, lane: u8, seen: &Seen<'_>) -> u32 {
        let start = seen.start.wrapping_add(seen.pattern.relative[usize::from(lane & 31)] as u64);
        seen.stored(lane.into(), ((cell as u64) << self.shift).wrapping_sub(start) as u32, 1 << self.shift)
    }

    /// Checks an access by a thread of warp `by` against the cell's last weak write.
    pub(super) fn check_write(&mut self, cell: usize, past: Past, by: Agent) {
        if self.shadow.written[cell] >= self.shadow.interval {
            let old = self.shadow.writes[cell];
            self.check(old, past, by, cell);
        }
    }

    /// Checks a write against the weak reads.
    #[inline(always)]
    pub(super) fn check_readers(&mut self, cell: usize, past: Past, by: Agent) {
        self.check_own_readers(cell, past, by);
        if self.shadow.engine_reads.may_have(cell) || !self.shadow.foreign.is_empty() {
            self.check_other_readers(cell, past, by);
        }
    }

    /// Checks a write against the weak reads by the block's own warps.
    #[inline(always)]
    pub(super) fn check_own_readers(&mut self, cell: usize, past: Past, by: Agent) {
        if self.shadow.read[cell] == self.shadow.interval {
            for reader in 0..self.warps {
                let packed = self.shadow.reads[reader * self.shadow.cells + cell];
                let agent = (self.shadow.first + reader) as Agent;
                let moment = (packed >> 32) as u32;
                if moment > self.shadow.began(reader) && moment > self.threads[usize::from(by)].floor(agent) {
                    self.check_reader(agent, packed, AccessKind::Read, past, by, cell);
                }
            }
        }
    }

    /// Checks an access against the lanes in a packed entry. Returns true if they conflict.
    #[cold]
    #[inline(never)]
    pub(super) fn check_reader(
        &mut self,
        agent: Agent,
        packed: u64,
        kind: AccessKind,
        past: Past,
        by: Agent,
        cell: usize,
    ) -> bool {
        let moment = (packed >> 32) as u32;
        let access = (packed as u32) >> 10;
        let ordinal = self
            .runs
            .get(usize::from(agent) * self.accesses + access as usize)
            .filter(|_| self.is_warp(agent) && (access as usize) < self.accesses)
            .map_or(moment, |runs| runs.ordinal(moment));
        let old = Past { access, moment, ordinal, agent, lane: 0, kind };
        for lane in [(packed & 31) as u8, (packed >> 5 & 31) as u8] {
            if self.check(Past { lane, ..old }, past, by, cell) {
                return true;
            }
        }
        let own = usize::from(agent).checked_sub(self.shadow.first);
        if let Some(apart) = own.and_then(|warp| self.shadow.apart.get(warp)).filter(|_| kind == AccessKind::Read) {
            for packed in apart.at(cell).to_vec() {
                let old = Past {
                    moment: (packed >> 32) as u32,
                    access: (packed as u32) >> 10,
                    lane: (packed & 31) as u8,
                    ..old
                };
                if self.check(old, past, by, cell) {
                    return true;
                }
            }
        }
        false
    }

    /// Checks a write against the reads by engines and by warps of other blocks.
    #[inline(never)]
    pub(super) fn check_other_readers(&mut self, cell: usize, past: Past, by: Agent) {
        let engines = self.shadow.engine_reads.agents().map(|(agent, row)| (agent, row[cell]));
        let foreign = self.shadow.foreign.get(&(cell as u32)).into_iter().flatten().copied();
        let found: Vec<(Agent, u64)> = engines.filter(|(_, p)| *p != 0).chain(foreign).collect();
        for (agent, packed) in found {
            self.check_reader(agent, packed, AccessKind::Read, past, by, cell);
        }
    }

    #[inline(always)]
    pub(super) fn check_strong_writes(&mut self, cell: usize, past: Past, by: Agent) {
        if self.shadow.strong_writes.may_have(cell) {
            self.check_strong(cell, AccessKind::StrongWrite, past, by);
        }
    }

    #[inline(always)]
    pub(super) fn check_strong_reads(&mut self, cell: usize, past: Past, by: Agent) {
        if self.shadow.strong_reads.may_have(cell) {
            self.check_strong(cell, AccessKind::StrongRead, past, by);
        }
    }

    /// Checks a strong access of a kernel with `volatile` ones against earlier ones.
    pub(super) fn check_volatile(&mut self, cell: usize, past: Past, seen: &Seen<'_>) {
        let atomic = seen.access.atomic.is_some();
        if past.kind.writes() && !atomic {
            let value = self.stored(cell, past.lane, seen);
            self.same_volatile = std::mem::replace(&mut self.shadow.values[cell], value) == value;
            self.check_strong_reads(cell, past, past.agent);
        }
        self.check_strong_writes(cell, past, past.agent);
        self.same_volatile = false;
        let observed = &mut self.shadow.observed;
        if atomic || !past.kind.writes() {
            observed.get_mut(&(cell as u32)).into_iter().for_each(|last| last.read(&past));
        }
        if past.kind.writes() {
            observed.entry(cell as u32).or_default().write(&past);
        }
    }

    #[inline(never)]
    fn check_strong(&mut self, cell: usize, kind: AccessKind, past: Past, by: Agent) {
        let shadow = &self.shadow;
        let rows = if kind == AccessKind::StrongWrite { &shadow.strong_writes } else { &shadow.strong_reads };
        let rows = rows.agents().map(|(agent, row)| (agent, row[cell]));
        let found: Vec<(Agent, u64)> =
            rows.filter(|(agent, p)| *p != 0 && shadow.counts(*agent, (p >> 32) as u32)).collect();
        for (agent, packed) in found {
            self.check_reader(agent, packed, kind, past, by, cell);
        }
    }

    /// True if nothing is left to report about an earlier access and the current one.
    #[inline(always)]
    fn is_judged(&self, now: &Past, old: Past) -> bool {
        self.judged.get(usize::from(old.agent)).is_some_and(|judged| {
            (judged.by, judged.now, judged.access, judged.moment) == (now.agent, now.moment, old.access, old.moment)
        })
    }

    /// Checks an access by a thread of warp `by` against an earlier one. Returns true if they conflict.
    #[cold]
    #[inline(never)]
    pub(super) fn check(&mut self, old: Past, new: Past, by: Agent, cell: usize) -> bool {
        let is_race = old.kind.conflicts(new.kind);
        if !(is_race || self.exchange_data(&old, &new)) || (old.agent, old.lane) == (by, new.lane) {
            return false;
        }
        let threads = &self.threads[usize::from(by)];
        let known = threads.knows(new.lane, old.agent, old.lane, old.moment);
        let (warps, plain) = (self.is_warp(old.agent) && new.agent == by, !old.kind.strong() && !new.kind.strong());
        // A recorded pair needs no further check, and neither does a known pair if it is known for all lanes.
        if warps && plain && (!known || threads.uniform(old.agent)) {
            self.judged[usize::from(old.agent)] =
                Checked { by, now: new.moment, access: old.access, moment: old.moment };
        }
        if known {
            return false;
        }
        if is_race {
            self.conflict(old, new, by, cell);
            return true;
        }
        let observed = |clock: &Clock| clock.get(old.agent, old.lane) >= old.moment;
        let role = |past: &Past| self.roles.get(past.access as usize).copied().unwrap_or(Role::Other);
        let equal = self.same_volatile && old.kind.writes() && role(&old) != Role::Other;
        if equal
            || self.threads[usize::from(by)].has_observed(new.lane, observed)
            || self.shadow.observed.get(&(cell as u32)).is_some_and(|last| last.orders(&old, &new))
        {
            return false;
        }
        self.nature = Nature::Volatile;
        self.conflict(old, new, by, cell);
        self.nature = Nature::Usual;
        true
    }

    /// True if two strong accesses exchange data by a `volatile` one: see [`Role::conflicts`].
    fn exchange_data(&self, old: &Past, new: &Past) -> bool {
        let [a, b] = [old, new].map(|past| self.roles.get(past.access as usize).copied().unwrap_or(Role::Other));
        let writes = [old.kind.writes(), new.kind.writes()];
        writes != [false; 2] && old.kind.strong() && new.kind.strong() && a.conflicts(b, writes == [true; 2])
    }

    /// Decides for a write and a read between RAW and WAR, by the rules of `order`. The flag is true if the program intends
    /// the first of them to come first.
    pub(super) fn intended(&self, old: &Past, new: &Past) -> (HazardKind, bool) {
        let (write, read) = if old.kind.writes() { (old, new) } else { (new, old) };
        let runs = |warp: Agent, access: u32| self.runs.get(usize::from(warp) * self.accesses + access as usize);
        let interval = self.shadow.interval;
        let raw = match (runs(read.agent, write.access), runs(write.agent, read.access)) {
            (Some(runs), _) if runs.ever() => runs.came_before(interval, write.ordinal, read.moment, read.ordinal),
            (_, Some(runs)) if runs.ever() => !runs.came_before(interval, read.ordinal, write.moment, write.ordinal),
            _ => self.finds.position(write.access) < self.finds.position(read.access),
        };
        (if raw { HazardKind::Raw } else { HazardKind::War }, raw == old.kind.writes())
    }

    /// True if the program intends the first of two writes to come first.
    pub(super) fn comes_first(&self, old: &Past, new: &Past) -> bool {
        let at = |past: &Past| (past.ordinal, self.finds.position(past.access));
        at(old) <= at(new)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn conflict(&mut self, old: Past, new: Past, by: Agent, cell: usize) {
        let engine = !self.is_warp(old.agent) || !self.is_warp(new.agent);
        let one_block = self.rank_of(self.warp_of(old.agent)) == self.rank_of(by);
        let as_run = old.agent == new.agent || engine && one_block;
        let (kind, old_first) = match (old.kind.writes(), new.kind.writes()) {
            (true, true) => (HazardKind::Waw, as_run || self.comes_first(&old, &new)),
            (true, false) if as_run && self.multiplied_before(&old, &new) => (HazardKind::War, false),
            (true, false) if as_run => (HazardKind::Raw, true),
            (false, _) if as_run && self.meant_after(&old, &new) => (HazardKind::Raw, false),
            (false, _) if as_run => (HazardKind::War, true),
            _ => self.intended(&old, &new),
        };
        let sides = [(old, self.warp_of(old.agent)), (new, by)];
        let [first, second] = if old_first { sides } else { [sides[1], sides[0]] };
        let whose =
            |warp: Agent| (u32::from(warp) % self.warps.max(1) as u32, self.blocks[self.rank_of(warp) as usize]);
        let owner = self.blocks[self.shadow.first / self.warps.max(1)];
        let whose = [whose(first.1), whose(second.1)];
        let pair = Pair { kind, first: first.0, second: second.0, whose, owner, nature: self.nature, earlier: 0 };
        let address = (cell as u64) << self.shift;
        self.finds.note(pair, &old, HazardSpace::Shared, address, 1 << self.shift);
    }

    /// Returns the warp of an agent. For an engine, it is the warp that last started an operation on it.
    pub(super) fn warp_of(&self, agent: Agent) -> Agent {
        match usize::from(agent).checked_sub(self.threads.len()) {
            None => agent,
            Some(engine) => self.engines.get(engine).map_or(0, |worked| worked.warp),
        }
    }
}
