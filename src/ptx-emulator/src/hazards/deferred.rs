/*! Reads of shared memory that are not in the shadow yet.

Most kernels read in one barrier interval what they wrote in the interval before. The next barrier discards these
reads, and no check ever needs them. So a whole warp's read is first checked against writes, and then only added to a
list. Before a check of cells that may contain listed reads, the list moves to the shadow, in the order of the reads
(`flush_reads`). All loads of a product are one entry. */

use super::Hazards;
use super::async_copy::Flights;
use super::clock::Agent;
use super::shadow::{AccessKind, NEXT_LANE, Past, widen};
use super::shared::KnownWrites;
use crate::probes::{AddressPattern, Group, Seen};

/// Maximum number of entries and of address patterns. A full list is moved to the shadow. Both lists together take
/// less than 200 KiB. Clusters that run alternately have separate lists.
const MAX_READS: usize = 1 << 11;
const MAX_PATTERNS: usize = 1 << 9;

/// Number of pieces into which shared memory is divided.
const PIECES: usize = 256;

/// A part of shared memory: a set of pieces, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Part([u64; PIECES / 64]);

impl Part {
    #[inline(always)]
    pub(super) fn add(&mut self, other: Self) {
        for (own, new) in self.0.iter_mut().zip(&other.0) {
            *own |= new;
        }
    }

    #[inline(always)]
    pub(super) fn meets(self, other: Self) -> bool {
        let mut both = 0;
        for (own, other) in self.0.iter().zip(&other.0) {
            both |= own & other;
        }
        both != 0
    }
}

/// The address pattern of a whole warp.
#[derive(Debug)]
struct Pattern {
    relative: [i32; 32],
    groups: [Group; 4],
}

/// Offset in shared memory of the first lane, and index of the pattern.
type Lanes = (u64, u32);

#[derive(Debug, Clone, Copy)]
enum Read {
    /// A single access: [`Past::pack`] of its first lane, and the number of cells per lane.
    Access { agent: Agent, packed: u64, lanes: Lanes, each: usize },
    /// The loads of a product, alternating between both factors. `moment` is that of the first load.
    Product { agent: Agent, moment: u32, lanes: [Lanes; 2], index: u32 },
}

/// The two loads of a term: access index and offset of each.
type Term = [(u32, i32); 2];

#[derive(Debug, Default)]
pub(super) struct Deferred {
    list: Vec<Read>,
    patterns: Vec<Pattern>,
    /// For each warp and address register, the last pattern.
    known: Vec<u32>,
    /// Number of address registers of the program.
    address_patterns: usize,
    /// Parts that the list reads, that were written in this interval, and that asynchronous writes in flight touch.
    touched: Part,
    pub(super) written: Part,
    pub(super) flights: Flights,
    /// Binary logarithm of the number of cells per piece.
    grain: u32,
    products: Vec<Vec<Term>>,
}

impl Deferred {
    pub(super) fn new(program: &crate::program::Program) -> Self {
        let address_patterns =
            program.accesses.iter().map(|access| access.pattern.wrapping_add(1)).max().unwrap_or(0) as usize;
        let term = |at: usize, offsets: &[i32; 2]| -> Term {
            [0, 1].map(|side| (program.code.get(at + side).map_or(0, |inst| inst.x), offsets[side]))
        };
        let terms = |product: &crate::program::fused::Product| {
            let all = product.terms.iter().enumerate();
            all.map(|(index, offsets)| term(product.at as usize + 3 * index, offsets)).collect()
        };
        Self { address_patterns, products: program.products.iter().map(terms).collect(), ..Self::default() }
    }

    /// Starts a block with this many cells of shared memory.
    pub(super) fn start(&mut self, cells: usize) {
        self.next_interval();
        self.flights.clear();
        self.grain = cells.saturating_sub(1).div_ceil(PIECES).next_power_of_two().trailing_zeros();
    }

    /// Returns the part that contains the cells from `first` to `last`.
    #[inline(always)]
    pub(super) fn part(&self, first: usize, last: usize) -> Part {
        let [first, last] = [first, last].map(|cell| (cell >> self.grain).min(PIECES - 1) as u32);
        Part(std::array::from_fn(|word| {
            let base = 64 * word as u32;
            // Select the bits from `first` to `last`.
            let above = u64::MAX.checked_shl(first.saturating_sub(base)).unwrap_or(0);
            let below = (last + 1).saturating_sub(base).min(64);
            above & u64::MAX.checked_shr(64 - below).unwrap_or(0)
        }))
    }

    /// Discards the reads of the last interval.
    pub(super) fn next_interval(&mut self) {
        self.list.clear();
        (self.touched, self.written) = (Part::default(), Part::default());
    }

    /// True if the cells may have been written in this interval.
    #[inline(always)]
    fn may_have_written(&self, cells: Part) -> bool {
        self.written.meets(cells) || self.flights.cells.meets(cells)
    }

    /// Returns the index of the pattern, which is the current one of a warp's address register.
    #[inline(always)]
    fn pattern(&mut self, warp: usize, pattern: u32, of: &AddressPattern) -> u32 {
        let key = warp * self.address_patterns + (pattern as usize).min(self.address_patterns.saturating_sub(1));
        match self.known.get(key) {
            Some(number) if self.patterns.get(*number as usize).is_some_and(|p| p.relative == of.relative) => *number,
            _ => self.add_pattern(key, of),
        }
    }

    #[cold]
    fn add_pattern(&mut self, key: usize, of: &AddressPattern) -> u32 {
        if self.known.len() <= key {
            self.known.resize(key + 1, 0);
        }
        let number = self.patterns.len() as u32;
        self.patterns.push(Pattern { relative: of.relative, groups: of.groups });
        self.known[key] = number;
        number
    }
}

impl Hazards {
    /// Returns the part of shared memory that an access touches.
    #[inline(always)]
    pub(super) fn part_of(&self, seen: &Seen<'_>, each: usize) -> Part {
        let (first, last) = self.extent(seen, each);
        self.deferred.part(first, last)
    }

    /// Returns the first and the last cell of an access.
    #[inline(always)]
    fn extent(&self, seen: &Seen<'_>, each: usize) -> (usize, usize) {
        let cell = |relative: i32| (seen.start.wrapping_add(relative as u64) >> self.shift) as usize;
        (cell(seen.pattern.low), cell(seen.pattern.high) + each - 1)
    }

    /// Handles a weak read by a whole warp.
    #[inline(always)]
    pub(super) fn read(&mut self, past: Past, seen: &Seen<'_>, each: usize) {
        let (first, last) = self.extent(seen, each);
        let cells = self.deferred.part(first, last);
        let strong = self.shadow.strong_writes.may_have_any(first, last);
        if self.size > 1 || strong || self.deferred.may_have_written(cells) {
            self.check_read(past, seen, each);
        }
        if self.size > 1 {
            return self.note(
                past.agent,
                past.pack(),
                seen.start,
                (&seen.pattern.relative, &seen.pattern.groups),
                each,
            );
        }
        let pattern = self.deferred.pattern(seen.warp as usize, seen.access.pattern, seen.pattern);
        let lanes = (seen.start, pattern);
        self.defer(Read::Access { agent: past.agent, packed: past.pack(), lanes, each }, cells);
    }

    #[inline(always)]
    fn defer(&mut self, read: Read, cells: Part) {
        self.deferred.touched.add(cells);
        self.deferred.list.push(read);
        if self.deferred.list.len() >= MAX_READS || self.deferred.patterns.len() >= MAX_PATTERNS {
            self.note_all();
            self.deferred.patterns.clear();
        }
    }

    /// Handles a product's loads by a whole warp, one word each. Returns false, without any effect, if the caller
    /// must report each load.
    #[inline(always)]
    pub(super) fn product(
        &mut self,
        warp: usize,
        index: u32,
        reads: [(u64, u32, &AddressPattern, [i32; 2]); 2],
    ) -> bool {
        let agent = self.first + warp;
        let each = (4usize >> self.shift).max(1);
        let extents = reads.map(|(start, _, pattern, [low, high])| {
            let cell = |offset: i32, relative: i32| {
                (start.wrapping_add((i64::from(offset) + i64::from(relative)) as u64) >> self.shift) as usize
            };
            (cell(low, pattern.low), cell(high, pattern.high) + each - 1)
        });
        let [x, y] = extents.map(|(first, last)| self.deferred.part(first, last));
        let strong = extents.iter().any(|(first, last)| self.shadow.strong_writes.may_have_any(*first, *last));
        let checked = self.size == 1 && !strong && !self.exhausted;
        if !checked || self.deferred.may_have_written(x) || self.deferred.may_have_written(y) {
            return false;
        }
        let (Some(threads), Some(terms)) = (self.threads.get_mut(agent), self.deferred.products.get(index as usize))
        else {
            return false;
        };
        let first = threads.moment;
        let Some(last) = first.checked_add(2 * terms.len() as u32) else { return false };
        threads.moment = last;
        let interval = self.shadow.interval;
        let runs = &mut self.runs[agent * self.accesses..][..self.accesses];
        for (moment, (access, _)) in (first + 1..).zip(terms.iter().flatten()) {
            if let Some(runs) = runs.get_mut(*access as usize) {
                runs.run(interval, moment);
            }
        }
        let lanes = reads.map(|(start, slot, pattern, _)| (start, self.deferred.pattern(warp, slot, pattern)));
        let mut cells = x;
        cells.add(y);
        self.defer(Read::Product { agent: agent as Agent, moment: first + 1, lanes, index }, cells);
        true
    }

    /// Moves the listed reads to the shadow if they may touch `cells`. Call this before looking at these cells.
    #[inline(always)]
    pub(super) fn flush_reads(&mut self, cells: Part) {
        if self.deferred.touched.meets(cells) {
            self.note_all();
        }
    }

    #[cold]
    #[inline(never)]
    fn note_all(&mut self) {
        let list = std::mem::take(&mut self.deferred.list);
        let patterns = std::mem::take(&mut self.deferred.patterns);
        let products = std::mem::take(&mut self.deferred.products);
        let pattern = |number: u32| patterns.get(number as usize).map(|pattern| (&pattern.relative, &pattern.groups));
        for read in &list {
            match *read {
                Read::Access { agent, packed, lanes: (start, number), each } => {
                    if let Some(pattern) = pattern(number) {
                        self.note(agent, packed, start, pattern, each);
                    }
                }
                Read::Product { agent, moment, lanes, index } => {
                    let each = (4usize >> self.shift).max(1);
                    let terms = products.get(index as usize).into_iter().flatten().flatten();
                    for (at, (access, offset)) in terms.enumerate() {
                        let (start, number) = lanes[at & 1];
                        let past = Past { access: *access, moment: moment + at as u32, agent, ..Past::default() };
                        if let Some(pattern) = pattern(number) {
                            self.note(agent, past.pack(), start.wrapping_add(*offset as u64), pattern, each);
                        }
                    }
                }
            }
        }
        (self.deferred.list, self.deferred.patterns, self.deferred.products) = (list, patterns, products);
        self.deferred.list.clear();
        self.deferred.touched = Part::default();
    }

    /// Records a whole warp's read in the shadow. `packed` belongs to the first lane. Eight lanes are recorded at
    /// once if they read the same cell or consecutive cells.
    #[inline(always)]
    fn note(
        &mut self,
        agent: Agent,
        packed: u64,
        start: u64,
        (relative, groups): (&[i32; 32], &[Group; 4]),
        each: usize,
    ) {
        let (interval, shift) = (self.shadow.interval, self.shift);
        let row = (usize::from(agent) - self.first) * self.shadow.cells;
        let (read, reads) = (self.shadow.read.as_mut_slice(), self.shadow.reads.get_mut(row..row + self.shadow.cells));
        let Some(reads) = reads else { return };
        let cell = |lane: usize| (start.wrapping_add(relative[lane] as u64) >> shift) as usize;
        for (g, group) in groups.iter().enumerate() {
            let first = cell(8 * g);
            let packed = packed + 8 * g as u64 * NEXT_LANE;
            match group {
                Group::Same if each == 1 => {
                    if let (Some(read), Some(slot)) = (read.get_mut(first), reads.get_mut(first)) {
                        *read = interval;
                        *slot = widen(widen(*slot, packed), packed + 7 * NEXT_LANE);
                    }
                }
                Group::Unit if each == 1 && shift == 2 => {
                    let (Some(read), Some(reads)) = (read.get_mut(first..first + 8), reads.get_mut(first..first + 8))
                    else {
                        continue;
                    };
                    for i in 0..8 {
                        read[i] = interval;
                        reads[i] = widen(reads[i], packed + i as u64 * NEXT_LANE);
                    }
                }
                _ => {
                    for i in 0..8 {
                        let first = cell(8 * g + i);
                        let cells = (read.get_mut(first..first + each), reads.get_mut(first..first + each));
                        let (Some(read), Some(reads)) = cells else { continue };
                        for (read, slot) in read.iter_mut().zip(reads) {
                            *read = interval;
                            *slot = widen(*slot, packed + i as u64 * NEXT_LANE);
                        }
                    }
                }
            }
        }
    }

    /// Checks a whole warp's read against the writes of this interval.
    #[inline(never)]
    fn check_read(&mut self, mut past: Past, seen: &Seen<'_>, each: usize) {
        debug_assert_eq!(past.kind, AccessKind::Read);
        let mut known = KnownWrites::default();
        for g in 0..4 {
            let first = self.cell_of(seen, 8 * g);
            let strong = self.shadow.strong_writes.may_have_any(first, first + 7);
            match seen.pattern.groups[g] {
                Group::Same if each == 1 => {
                    for lane in [8 * g, 8 * g + 7] {
                        past.lane = lane as u8;
                        self.check_read_cell(first, past, &mut known);
                    }
                }
                Group::Unit if each == 1 && self.shift == 2 => {
                    let interval = self.shadow.interval;
                    let Some(written) = self.shadow.written.get(first..first + 8) else { continue };
                    if strong || written.iter().fold(false, |hit, written| hit | (*written >= interval)) {
                        past.lane = 8 * g as u8;
                        self.read_written_group(first, past, &mut known);
                    }
                }
                _ => {
                    for lane in 8 * g..8 * g + 8 {
                        past.lane = lane as u8;
                        let first = self.cell_of(seen, lane);
                        (first..first + each).for_each(|cell| self.check_read_cell(cell, past, &mut known));
                    }
                }
            }
        }
    }

    /// Checks the read of a cell against the last weak write and against strong writes.
    #[inline(always)]
    pub(super) fn check_read_cell(&mut self, cell: usize, past: Past, known: &mut KnownWrites) {
        if self.shadow.written[cell] < self.shadow.interval && !self.shadow.strong_writes.may_have(cell) {
            return;
        }
        if self.size > 1 && !self.shadow.strong_writes.may_have(cell) {
            let write = self.shadow.writes[cell];
            if write.agent == known.of && write.moment <= known.until {
                return;
            }
            let until = self.threads[usize::from(past.agent)].floor(write.agent);
            if !self.is_warp(write.agent) && write.moment <= until {
                *known = KnownWrites { of: write.agent, until };
                return;
            }
        }
        self.read_written(cell, past);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_meet_where_they_share_a_piece() {
        let mut deferred = Deferred::default();
        // With 1025 cells, a piece has four cells.
        deferred.start(1025);
        let part = |first, last| deferred.part(first, last);
        assert!(part(0, 3).meets(part(3, 3)) && !part(0, 3).meets(part(4, 1024)));
        assert!(part(250, 260).meets(part(259, 900)) && !part(250, 255).meets(part(256, 900)));
        assert!(part(0, 1024).meets(part(1020, 1024)) && part(1023, 1023).meets(part(1024, 1024)));
        for (first, last) in [(0, 255), (256, 511), (300, 800), (1000, 1024)] {
            let pieces = |part: Part| part.0.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            assert_eq!(pieces(part(first, last)), (last / 4).min(PIECES - 1) - first / 4 + 1, "{first}..={last}");
        }
    }
}
