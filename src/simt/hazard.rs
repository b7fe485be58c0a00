/*! Hazards in shared memory, by happens-before.

Each warp has a vector clock; a barrier joins the clocks of the warps that pass it. Two accesses
to the same byte, one of them a write, are a hazard if neither happens before the other. Shadow
memory keeps for each word its last write and *every* warp's last read, with byte masks, so that a
write after several reads accuses the right one. Its size is proportional to shared memory (times
the warps of a block), never to the number of accesses. Warps execute in lockstep here: accesses
of one warp are ordered, except two lanes that write different values with one instruction.

# RAW or WAR?

A schedule only shows that a read and a write are unordered, not which was *meant* to come first.
All warps run the same program, so the reader tells: if, within its own barrier interval, the
reader executed the writing instruction (as often as the writer had) before it read, the write
belongs before the read: RAW. If it comes to that instruction only afterwards, the write belongs
to the next round: WAR. A reader that never executes the instruction (warps with different
roles) leaves the order in which it happened: a write that came first is RAW.
*/

use super::cost::WARP;
use super::report::{AccessKind, HazardKind};
use std::collections::BTreeMap;

/// Executions of one store that are remembered in an interval; past that, positions are compared directly.
const REMEMBERED: usize = 4096;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    /// Reads and writes at once; ordered with other atomics, not with plain accesses.
    Atomic,
}

/// A warp-wide access to shared memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedAccess<'a> {
    pub(super) access: Access,
    pub(super) warp: usize,
    /// Index of the instruction in its program.
    pub(super) site: u32,
    /// Active lanes.
    pub(super) mask: u32,
    /// Byte addresses, multiples of the access size.
    pub(super) addr: &'a [u32; WARP],
    /// 1, 2, 4, 8 or 16.
    pub(super) bytes: u32,
}

/// One side of a [`Found`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) warp: u32,
    pub(super) lane: u32,
    pub(super) site: u32,
    pub(super) access: AccessKind,
}

/// A hazard between two instructions, with the first example met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: HazardKind,
    /// Linear index of the block.
    pub(super) block: u64,
    pub(super) address: u32,
    pub(super) bytes: u32,
    /// In the order the program means.
    pub(super) first: Side,
    pub(super) second: Side,
    /// Pairs of warp accesses.
    pub(super) occurrences: u64,
}

/// What is remembered of an access: when in its warp's clock and course, and who.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    clock: u32,
    /// Number of this access among its warp's accesses since the last barrier.
    position: u32,
    site: u32,
    /// Which execution of the site since the last barrier; only kept for writes.
    turn: u32,
    warp: u8,
    lane: u8,
    /// Bytes of the word.
    mask: u8,
    atomic: bool,
}

/// The detector for one block at a time.
#[derive(Debug)]
pub(super) struct SharedHazards {
    words: usize,
    warps: usize,
    block: u64,
    /// `clocks[w * warps + v]`: the latest interval of `v` that happens before what `w` does now; `v == w`: its own.
    clocks: Vec<u32>,
    /// Least of `clocks[w]` without its own: what has a clock up to this needs no closer look.
    floors: Vec<u32>,
    writes: Vec<Past>,
    /// `reads[warp * words + word]`.
    reads: Vec<Past>,
    /// The highest clock of any read of a word.
    last_read: Vec<u32>,
    /// Accesses of each warp since its last barrier.
    positions: Vec<u32>,
    /// For each warp and writing site, the positions of its executions since the last barrier.
    turns: Vec<BTreeMap<u32, Vec<u32>>>,
    /// Writing sites that each warp executed in this block.
    executed: Vec<Vec<u32>>,
    /// Pairs whose kind is known when the block ends: the reader may yet execute the writing site.
    pending: Vec<(Past, Past, u32, bool)>,
    found: BTreeMap<(HazardKind, u32, u32), Found>,
}

impl SharedHazards {
    /// For blocks with `bytes` of shared memory and `warps` warps (at most 32).
    pub(super) fn new(bytes: usize, warps: usize) -> Self {
        let words = bytes.div_ceil(4);
        Self {
            words,
            warps,
            block: 0,
            clocks: vec![0; warps * warps],
            floors: vec![0; warps],
            writes: vec![Past::default(); words],
            reads: vec![Past::default(); words * warps],
            last_read: vec![0; words],
            positions: vec![0; warps],
            turns: vec![BTreeMap::new(); warps],
            executed: vec![Vec::new(); warps],
            pending: Vec::new(),
            found: BTreeMap::new(),
        }
    }

    /// Everything before happens before everything that follows.
    pub(super) fn begin_block(&mut self, block: u64) {
        self.settle();
        self.block = block;
        let mut last = self.clocks.iter().copied().max().unwrap_or(0);
        if last > u32::MAX / 2 {
            // Old stamps are all ordered before the new block: forget them rather than wrap.
            self.writes.fill(Past::default());
            self.reads.fill(Past::default());
            self.last_read.fill(0);
            last = 0;
        }
        self.clocks.fill(last);
        self.floors.fill(last);
        for warp in 0..self.warps {
            self.clocks[warp * self.warps + warp] = last + 1;
            self.executed[warp].clear();
            self.restart(warp);
        }
    }

    /// The warps of the mask have all arrived at a barrier and pass it.
    pub(super) fn barrier(&mut self, mask: u32) {
        let warps = self.warps;
        let members = move || (0..warps).filter(move |warp| mask >> warp & 1 == 1);
        let mut joined = vec![0; warps];
        for warp in members() {
            for (all, &own) in joined.iter_mut().zip(&self.clocks[warp * warps..(warp + 1) * warps]) {
                *all = own.max(*all);
            }
        }
        for warp in members() {
            let own = self.clocks[warp * warps + warp];
            let row = &mut self.clocks[warp * warps..(warp + 1) * warps];
            row.copy_from_slice(&joined);
            row[warp] = own + 1;
            let others = row.iter().enumerate().filter(|(other, _)| *other != warp);
            self.floors[warp] = others.map(|(_, &clock)| clock).min().unwrap_or(own);
            self.restart(warp);
        }
    }

    fn restart(&mut self, warp: usize) {
        self.positions[warp] = 0;
        self.turns[warp].values_mut().for_each(Vec::clear);
    }

    /// An access; its addresses must lie within shared memory.
    pub(super) fn access(&mut self, it: SharedAccess) {
        let warp = it.warp;
        let position = self.positions[warp];
        self.positions[warp] += 1;
        let mut now = Past {
            clock: self.clocks[warp * self.warps + warp],
            position,
            site: it.site,
            turn: 0,
            warp: warp as u8,
            lane: 0,
            mask: 0xf,
            atomic: it.access == Access::Atomic,
        };
        if it.access != Access::Read {
            let turns = self.turns[warp].entry(it.site).or_default();
            now.turn = turns.len() as u32;
            if turns.len() < REMEMBERED {
                turns.push(position);
            }
            if !self.executed[warp].contains(&it.site) {
                self.executed[warp].push(it.site);
            }
        }
        // Pairs of this access already counted: one for each other warp and site.
        let mut counted: Vec<(u8, u32, bool)> = Vec::new();
        let mut last = u32::MAX;
        let mut rest = it.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let address = it.addr[lane as usize];
            if it.bytes >= 4 && address == last {
                continue;
            }
            last = address;
            now.lane = lane as u8;
            now.mask = if it.bytes >= 4 { 0xf } else { ((1 << it.bytes) - 1) << (address % 4) };
            let first = address as usize / 4;
            for word in first..(first + it.bytes.div_ceil(4) as usize).min(self.words) {
                match it.access {
                    Access::Read => self.read(word, now, &mut counted),
                    Access::Write | Access::Atomic => self.write(word, now, &mut counted),
                }
            }
        }
    }

    fn read(&mut self, word: usize, now: Past, counted: &mut Vec<(u8, u32, bool)>) {
        let before = self.writes[word];
        if before.clock > self.floors[now.warp as usize] && self.unordered(before, now) {
            self.count(before, now, word, true, counted);
        }
        let slot = &mut self.reads[now.warp as usize * self.words + word];
        let mask = if slot.clock == now.clock { slot.mask | now.mask } else { now.mask };
        *slot = Past { mask, ..now };
        let newest = &mut self.last_read[word];
        *newest = now.clock.max(*newest);
    }

    fn write(&mut self, word: usize, now: Past, counted: &mut Vec<(u8, u32, bool)>) {
        let floor = self.floors[now.warp as usize];
        let before = self.writes[word];
        if before.clock > floor && self.unordered(before, now) && !(before.atomic && now.atomic) {
            self.count_write(before, now, word, counted);
        }
        if self.last_read[word] > floor {
            for warp in 0..self.warps {
                let before = self.reads[warp * self.words + word];
                if before.clock > floor && self.unordered(before, now) {
                    self.count(now, before, word, false, counted);
                }
            }
        }
        self.writes[word] = now;
    }

    /// Whether `before`, which was executed earlier, is not ordered before `now`.
    fn unordered(&self, before: Past, now: Past) -> bool {
        let (warp, other) = (now.warp as usize, before.warp as usize);
        before.clock != 0
            && warp != other
            && before.mask & now.mask != 0
            && before.clock > self.clocks[warp * self.warps + other]
    }

    fn count_write(&mut self, before: Past, now: Past, word: usize, counted: &mut Vec<(u8, u32, bool)>) {
        if counted.contains(&(before.warp, before.site, true)) {
            return;
        }
        counted.push((before.warp, before.site, true));
        self.note(HazardKind::Waw, (before, AccessKind::Write), (now, AccessKind::Write), word, 1);
    }

    /// Counts an unordered write and read; `write_first` tells which was executed first.
    fn count(&mut self, write: Past, read: Past, word: usize, write_first: bool, counted: &mut Vec<(u8, u32, bool)>) {
        let other = if write_first { write } else { read };
        if counted.contains(&(other.warp, other.site, false)) {
            return;
        }
        counted.push((other.warp, other.site, false));
        let own = self.turns[read.warp as usize].get(&write.site).and_then(|turns| turns.get(write.turn as usize));
        match own {
            Some(&position) if position < read.position => self.note_pair(HazardKind::Raw, write, read, word),
            Some(_) => self.note_pair(HazardKind::War, write, read, word),
            None if self.executed[read.warp as usize].contains(&write.site) || !write_first => {
                self.note_pair(HazardKind::War, write, read, word);
            }
            // The reader may come to this instruction later in the block. One example of each pair of sites is enough
            // to decide then, but all are counted.
            None => self.pending.push((write, read, word as u32, write_first)),
        }
    }

    fn note_pair(&mut self, kind: HazardKind, write: Past, read: Past, word: usize) {
        let (write, read) = ((write, AccessKind::Write), (read, AccessKind::Read));
        let (first, second) = if kind == HazardKind::Raw { (write, read) } else { (read, write) };
        self.note(kind, first, second, word, 1);
    }

    fn note(
        &mut self,
        kind: HazardKind,
        first: (Past, AccessKind),
        second: (Past, AccessKind),
        word: usize,
        times: u64,
    ) {
        let side = |(past, access): (Past, AccessKind)| Side {
            warp: past.warp.into(),
            lane: past.lane.into(),
            site: past.site,
            access,
        };
        let both = first.0.mask & second.0.mask;
        let entry = self.found.entry((kind, first.0.site, second.0.site)).or_insert_with(|| Found {
            kind,
            block: self.block,
            address: word as u32 * 4 + both.trailing_zeros(),
            bytes: both.count_ones(),
            first: side(first),
            second: side(second),
            occurrences: 0,
        });
        entry.occurrences += times;
    }

    /// Two lanes of one instruction wrote different values to the same bytes.
    pub(super) fn same_instruction(&mut self, warp: usize, site: u32, lanes: [u32; 2], address: u32, bytes: u32) {
        let side = |lane| Side { warp: warp as u32, lane, site, access: AccessKind::Write };
        let entry = self.found.entry((HazardKind::Waw, site, site)).or_insert_with(|| Found {
            kind: HazardKind::Waw,
            block: self.block,
            address,
            bytes,
            first: side(lanes[0]),
            second: side(lanes[1]),
            occurrences: 0,
        });
        entry.occurrences += 1;
    }

    /// Decides the pairs that waited for the end of the block.
    fn settle(&mut self) {
        for (write, read, word, _) in std::mem::take(&mut self.pending) {
            let shared_code = self.executed[read.warp as usize].contains(&write.site);
            let kind = if shared_code { HazardKind::War } else { HazardKind::Raw };
            self.note_pair(kind, write, read, word as usize);
        }
    }

    /// All hazards met, by kind and sites.
    pub(super) fn finish(mut self) -> Vec<Found> {
        self.settle();
        self.found.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORE: u32 = 10;
    const LOAD: u32 = 20;

    struct Bench {
        hazards: SharedHazards,
    }

    impl Bench {
        fn new() -> Self {
            let mut hazards = SharedHazards::new(1024, 4);
            hazards.begin_block(7);
            Self { hazards }
        }

        fn access(&mut self, access: Access, warp: usize, site: u32, bytes: u32, first: u32) {
            let addr = std::array::from_fn(|lane| first + lane as u32 * bytes);
            self.hazards.access(SharedAccess { access, warp, site, mask: u32::MAX, addr: &addr, bytes });
        }

        fn store(&mut self, warp: usize) {
            self.access(Access::Write, warp, STORE, 4, warp as u32 * 128);
        }

        fn load(&mut self, warp: usize, of: usize) {
            self.access(Access::Read, warp, LOAD, 4, of as u32 * 128);
        }

        fn found(self) -> Vec<(HazardKind, u64)> {
            self.hazards.finish().iter().map(|found| (found.kind, found.occurrences)).collect()
        }
    }

    #[test]
    fn a_barrier_between_store_and_load_and_one_after_it_leaves_nothing() {
        let mut bench = Bench::new();
        for _ in 0..5 {
            (0..4).for_each(|warp| bench.store(warp));
            bench.hazards.barrier(0xf);
            for warp in 0..4 {
                (0..4).for_each(|of| bench.load(warp, of));
            }
            bench.hazards.barrier(0xf);
        }
        assert_eq!(bench.found(), []);
    }

    #[test]
    fn without_the_first_barrier_it_is_read_after_write_in_either_execution_order() {
        let mut bench = Bench::new();
        // Warp 0 reads warp 1's tile before warp 1 has stored it; warp 1 reads warp 0's after it has.
        bench.store(0);
        bench.load(0, 1);
        bench.store(1);
        bench.load(1, 0);
        bench.hazards.barrier(0xf);
        assert_eq!(bench.found(), [(HazardKind::Raw, 2)]);
    }

    #[test]
    fn without_the_second_barrier_it_is_write_after_read_in_either_execution_order() {
        let mut bench = Bench::new();
        (0..2).for_each(|warp| bench.store(warp));
        for _ in 0..3 {
            bench.hazards.barrier(0xf);
            // Warp 0 runs ahead into the next tile; warp 1 then reads what is no longer there.
            bench.load(0, 1);
            bench.store(0);
            bench.load(1, 0);
            bench.store(1);
        }
        assert_eq!(bench.found(), [(HazardKind::War, 6)]);
    }

    #[test]
    fn a_reader_with_a_role_of_its_own_is_judged_by_what_happened() {
        let mut bench = Bench::new();
        bench.store(0);
        bench.load(3, 0);
        assert_eq!(bench.found(), [(HazardKind::Raw, 1)]);
        let mut bench = Bench::new();
        bench.load(3, 0);
        bench.store(0);
        assert_eq!(bench.found(), [(HazardKind::War, 1)]);
    }

    #[test]
    fn every_reader_is_kept_not_only_the_last() {
        let mut bench = Bench::new();
        bench.load(1, 0);
        bench.load(2, 0);
        bench.hazards.barrier(0b0101);
        // Warps 0 and 2 have met; warp 1 has not.
        bench.store(0);
        let found = bench.hazards.finish();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].kind, found[0].first.warp, found[0].second.warp), (HazardKind::War, 1, 0));
    }

    #[test]
    fn bytes_count_not_words() {
        let mut bench = Bench::new();
        let every_other = |odd: u32| std::array::from_fn(|lane| lane as u32 * 2 + odd);
        for (warp, odd) in [(0, 0), (1, 1)] {
            let addr = every_other(odd);
            let access =
                SharedAccess { access: Access::Write, warp, site: STORE, mask: u32::MAX, addr: &addr, bytes: 1 };
            bench.hazards.access(access);
        }
        assert_eq!(bench.found(), []);
    }

    #[test]
    fn two_writers_are_write_after_write_but_two_atomics_are_not() {
        let mut bench = Bench::new();
        bench.access(Access::Write, 0, STORE, 16, 0);
        bench.access(Access::Write, 1, STORE, 4, 508);
        assert_eq!(bench.found(), [(HazardKind::Waw, 1)]);
        let mut bench = Bench::new();
        bench.access(Access::Atomic, 0, STORE, 4, 0);
        bench.access(Access::Atomic, 1, STORE, 4, 0);
        assert_eq!(bench.found(), []);
    }

    #[test]
    fn blocks_do_not_accuse_each_other() {
        let mut bench = Bench::new();
        bench.store(0);
        bench.hazards.begin_block(8);
        bench.load(1, 0);
        assert_eq!(bench.found(), []);
    }
}
