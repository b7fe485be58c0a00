/*! Reads of shared memory that the shadow does not have yet.

Most kernels read in one barrier interval what they wrote in the one before: at the next barrier all of it is forgotten, and
nobody has asked. So what whole warps read is only listed here, after it was checked against writes. Who looks at cells that some of it may have
touched notes it in the shadow first (`settle`), in the order in which it was read. A product's loads are one entry.
*/

use super::Hazards;
use super::clock::Agent;
use super::shadow::{Kind, NEXT_LANE, Past, widen};
use crate::probes::{Group, Seen, Shape};

/// Most entries, and most patterns of addresses; with more the list is noted.
const MOST: usize = 1 << 13;

/// Cells from `low` up to `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) low: usize,
    pub(super) high: usize,
}

impl Default for Span {
    fn default() -> Self {
        Self { low: usize::MAX, high: 0 }
    }
}

impl Span {
    #[inline(always)]
    pub(super) fn add(&mut self, other: Self) {
        *self = Self { low: self.low.min(other.low), high: self.high.max(other.high) };
    }

    #[inline(always)]
    pub(super) fn meets(self, other: Self) -> bool {
        self.low < other.high && other.low < self.high
    }
}

/// How the addresses of a whole warp lie.
#[derive(Debug)]
struct Pattern {
    relative: [i32; 32],
    groups: [Group; 4],
}

/// Offset in shared memory of the first lane, and the pattern.
type Lanes = (u64, u32);

#[derive(Debug, Clone, Copy)]
enum Read {
    /// An access as [`Past::pack`] has it for the first lane; cells a lane.
    Access { agent: Agent, packed: u64, lanes: Lanes, each: usize },
    /// The loads of a product, in turns; the moment of the first one.
    Product { agent: Agent, moment: u32, lanes: [Lanes; 2], index: u32 },
}

/// A load of a product: its access, and its offset.
type Term = [(u32, i32); 2];

#[derive(Debug, Default)]
pub(super) struct Deferred {
    list: Vec<Read>,
    patterns: Vec<Pattern>,
    /// For each warp and address register the pattern that it had last.
    known: Vec<u32>,
    /// Address registers of a program.
    shapes: usize,
    /// What the list touches, what was written in the interval, and by asynchronous accesses in the block.
    touched: Span,
    pub(super) written: Span,
    pub(super) flights: Span,
    products: Vec<Vec<Term>>,
}

impl Deferred {
    pub(super) fn new(program: &crate::program::Program) -> Self {
        let shapes = program.accesses.iter().map(|access| access.shape.wrapping_add(1)).max().unwrap_or(0) as usize;
        let term = |at: usize, offsets: &[i32; 2]| -> Term {
            [0, 1].map(|side| (program.code.get(at + side).map_or(0, |inst| inst.x), offsets[side]))
        };
        let terms = |product: &crate::program::fused::Product| {
            let all = product.terms.iter().enumerate();
            all.map(|(index, offsets)| term(product.at as usize + 3 * index, offsets)).collect()
        };
        Self { shapes, products: program.products.iter().map(terms).collect(), ..Self::default() }
    }

    /// A block starts.
    pub(super) fn start(&mut self) {
        self.next_interval();
        self.flights = Span::default();
    }

    /// What was read is forgotten.
    pub(super) fn next_interval(&mut self) {
        self.list.clear();
        (self.touched, self.written) = (Span::default(), Span::default());
    }

    /// Whether cells may have been written in the interval.
    #[inline(always)]
    fn may_have_written(&self, cells: Span) -> bool {
        self.written.meets(cells) || self.flights.meets(cells)
    }

    /// The number of a pattern, which an address register of a warp has.
    #[inline(always)]
    fn pattern(&mut self, warp: usize, shape: u32, of: &Shape) -> u32 {
        let key = warp * self.shapes + (shape as usize).min(self.shapes.saturating_sub(1));
        match self.known.get(key) {
            Some(number) if self.patterns.get(*number as usize).is_some_and(|p| p.relative == of.relative) => *number,
            _ => self.add_pattern(key, of),
        }
    }

    #[cold]
    fn add_pattern(&mut self, key: usize, of: &Shape) -> u32 {
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
    /// The cells between the lowest and the highest that an access may touch.
    #[inline(always)]
    pub(super) fn span_of(&self, seen: &Seen<'_>, each: usize) -> Span {
        let cell = |relative: i32| (seen.start.wrapping_add(relative as u64) >> self.shift) as usize;
        Span { low: cell(seen.shape.low), high: cell(seen.shape.high) + each }
    }

    /// A plain read by a whole warp.
    #[inline(always)]
    pub(super) fn read(&mut self, past: Past, seen: &Seen<'_>, each: usize) {
        let cells = self.span_of(seen, each);
        if self.size > 1 || !self.shadow.strong_writes.is_empty() || self.deferred.may_have_written(cells) {
            self.check_read(past, seen, each);
        }
        if self.size > 1 {
            return self.note(past.agent, past.pack(), seen.start, (&seen.shape.relative, &seen.shape.groups), each);
        }
        let pattern = self.deferred.pattern(seen.warp as usize, seen.access.shape, seen.shape);
        let lanes = (seen.start, pattern);
        self.defer(Read::Access { agent: past.agent, packed: past.pack(), lanes, each }, cells);
    }

    #[inline(always)]
    fn defer(&mut self, read: Read, cells: Span) {
        self.deferred.touched.add(cells);
        self.deferred.list.push(read);
        if self.deferred.list.len() >= MOST || self.deferred.patterns.len() >= MOST {
            self.note_all();
            self.deferred.patterns.clear();
        }
    }

    /// The loads of a product by a whole warp, each of one word. False, and nothing done, if they are to be told one by one.
    #[inline(always)]
    pub(super) fn product(&mut self, warp: usize, index: u32, reads: [(u64, u32, &Shape, [i32; 2]); 2]) -> bool {
        let agent = self.first + warp;
        let each = (4usize >> self.shift).max(1);
        let span = |(start, _, shape, [low, high]): (u64, u32, &Shape, [i32; 2])| {
            let cell = |offset: i64| (start.wrapping_add(offset as u64) >> self.shift) as usize;
            Span {
                low: cell(i64::from(low) + i64::from(shape.low)),
                high: cell(i64::from(high) + i64::from(shape.high)) + each,
            }
        };
        let [x, y] = reads.map(span);
        let checked = self.size == 1 && self.shadow.strong_writes.is_empty() && !self.worn;
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
        let lanes = reads.map(|(start, slot, shape, _)| (start, self.deferred.pattern(warp, slot, shape)));
        let mut cells = x;
        cells.add(y);
        self.defer(Read::Product { agent: agent as Agent, moment: first + 1, lanes, index }, cells);
        true
    }

    /// Before cells are looked at: what has read some of them is noted.
    #[inline(always)]
    pub(super) fn settle(&mut self, cells: Span) {
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
        self.deferred.touched = Span::default();
    }

    /// Notes a whole warp's read in the shadow; `packed` is that of its first lane. Eight lanes at once where they read one cell, or
    /// cells side by side.
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

    /// Checks the read of a whole warp against what was written in the interval.
    #[inline(never)]
    fn check_read(&mut self, mut past: Past, seen: &Seen<'_>, each: usize) {
        debug_assert_eq!(past.kind, Kind::Read);
        let strong = !self.shadow.strong_writes.is_empty();
        for g in 0..4 {
            let first = self.cell_of(seen, 8 * g);
            match seen.shape.groups[g] {
                Group::Same if each == 1 => {
                    for lane in [8 * g, 8 * g + 7] {
                        past.lane = lane as u8;
                        self.check_read_cell(first, past);
                    }
                }
                Group::Unit if each == 1 && self.shift == 2 => {
                    let interval = self.shadow.interval;
                    let Some(written) = self.shadow.written.get(first..first + 8) else { continue };
                    if strong || written.iter().fold(false, |hit, written| hit | (*written >= interval)) {
                        past.lane = 8 * g as u8;
                        self.read_written_group(first, past, strong);
                    }
                }
                _ => {
                    for lane in 8 * g..8 * g + 8 {
                        past.lane = lane as u8;
                        let first = self.cell_of(seen, lane);
                        (first..first + each).for_each(|cell| self.check_read_cell(cell, past));
                    }
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn check_read_cell(&mut self, cell: usize, past: Past) {
        if self.shadow.written[cell] >= self.shadow.interval || !self.shadow.strong_writes.is_empty() {
            self.read_written(cell, past);
        }
    }
}
