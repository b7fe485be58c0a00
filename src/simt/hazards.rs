/*! Hazards in shared memory, by happens-before.

Two accesses of different warps to the same byte, one of them a write, conflict if no barrier lies between them.
Each warp has a vector clock: coming to a barrier publishes it, passing the barrier takes in what the others
published; an access is ordered before another if its warp's clock at that moment is known to the other warp.
So barriers of part of a block order just that part. A barrier that all warps pass starts a new *interval*, and
what was noted before it is forgotten. Intervals are counted in 32 bits.

For each cell (the smallest shared access of the kernel: 1, 2 or 4 bytes, so that no byte is taken for its
neighbour) the last write and the last read *of each warp* are kept: with vector clocks, if a warp's last read is
ordered before a write, its earlier reads are too. Accesses of one warp are ordered by its program, except that
two lanes which write different values to the same byte in one instruction conflict.

# Which of the two comes first

Both accesses stand in one interval, so the order in which the emulator ran them says nothing. What the program
means is told by the warps' own order: the `n`-th execution of the store in one warp corresponds to the `n`-th
execution of the store in the other.

1. If the *reading* warp runs the store too: the hazard is RAW if that warp's own `n`-th store of the interval came
   before its read, and WAR if not. (First barrier missing: store, then read, in every warp: RAW. Second barrier
   missing: read, then the store of the next tile: WAR.)
2. Else, if the *writing* warp runs the load too: WAR if its own corresponding load came before its store, else RAW.
3. Else (producer and consumer warps): the order in the text.
*/

use super::Dim3;
use super::probe::{Probe, Seen};
use super::program::{Op, Program};
use super::report::{AccessKind, Hazard, HazardAccess, HazardKind, HazardSpace};

/// Executions per interval whose moment is remembered; later ones are compared by their number.
const REMEMBERED: usize = 8;

/// An access in the past, packed for the shadow of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    /// Index of the access instruction, and the lane.
    access: u32,
    lane: u8,
    warp: u8,
    atomic: bool,
    clock: u32,
    /// The how-manieth execution in the interval, from 1.
    ordinal: u32,
    /// Number of the access in the warp's own order.
    moment: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Runs {
    interval: u32,
    count: u32,
    ever: bool,
    moments: [u32; REMEMBERED],
}

#[derive(Debug, Clone)]
struct Found {
    block: u64,
    address: u64,
    bytes: u32,
    first: Past,
    second: Past,
    writes: (bool, bool),
    occurrences: u64,
}

type Key = (HazardKind, u32, u32);

/// Finds hazards in the blocks that one worker runs.
#[derive(Debug)]
pub(crate) struct Hazards {
    shift: u32,
    warps: usize,
    interval: u32,
    writes: Vec<(u32, Past)>,
    /// Interval in the high word, warps that read in the low one.
    readers: Vec<u64>,
    reads: Vec<Past>,
    clocks: Vec<[u32; 32]>,
    published: Vec<[u32; 32]>,
    runs: Vec<Runs>,
    moments: Vec<u32>,
    /// For each access: representative of its source line, and position in the text.
    places: Vec<(u32, u32)>,
    accesses: usize,
    block: u64,
    found: Vec<(Key, Found)>,
    pairs: Vec<(u8, u32, u32)>,
}

impl Hazards {
    pub(crate) fn new(program: &Program) -> Self {
        let mut places = vec![(0, 0); program.accesses.len()];
        for (inst, note) in program.code.iter().zip(&program.notes) {
            if !matches!(inst.op, Op::Load | Op::Store | Op::Atomic) {
                continue;
            }
            let own = &program.places[note.place as usize];
            let same = |place: &super::Place| place.line != 0 && (place.line, &place.file) == (own.line, &own.file);
            let line = program.places.iter().position(same).map_or(note.place, |at| at as u32);
            places[inst.x as usize] = (line, note.place);
        }
        Self {
            shift: program.shared_granule.trailing_zeros(),
            warps: 0,
            interval: 0,
            writes: Vec::new(),
            readers: Vec::new(),
            reads: Vec::new(),
            clocks: Vec::new(),
            published: vec![[0; 32]; 16],
            runs: Vec::new(),
            moments: Vec::new(),
            places,
            accesses: program.accesses.len(),
            block: 0,
            found: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Adds what another worker found. The example of the lowest block is kept.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (key, found) in &other.found {
            match self.found.iter_mut().find(|(known, _)| known == key) {
                Some((_, known)) => {
                    let occurrences = known.occurrences + found.occurrences;
                    if found.block < known.block {
                        *known = found.clone();
                    }
                    known.occurrences = occurrences;
                }
                None => self.found.push((*key, found.clone())),
            }
        }
    }

    pub(crate) fn report(&self, program: &Program, grid: Dim3, thread: impl Fn(u32, u32) -> Dim3) -> Vec<Hazard> {
        let mut all: Vec<&(Key, Found)> = self.found.iter().collect();
        all.sort_by_key(|(key, _)| *key);
        let side = |past: &Past, writes: bool| HazardAccess {
            thread: thread(past.warp.into(), past.lane.into()),
            access: if writes { AccessKind::Write } else { AccessKind::Read },
            place: program.places[self.places[past.access as usize].1 as usize].clone(),
        };
        let [gx, gy, _] = grid.map(u64::from);
        all.iter()
            .map(|(key, found)| Hazard {
                kind: key.0,
                space: HazardSpace::Shared,
                block: [found.block % gx, found.block / gx % gy, found.block / (gx * gy)].map(|n| n as u32),
                address: found.address,
                bytes: found.bytes,
                first: side(&found.first, found.writes.0),
                second: side(&found.second, found.writes.1),
                occurrences: found.occurrences,
            })
            .collect()
    }

    fn runs(&self, warp: u8, access: u32) -> &Runs {
        &self.runs[usize::from(warp) * self.accesses + access as usize]
    }

    /// Whether the `n`-th execution of `access` in `warp` in this interval came before that warp's `moment`.
    fn came_before(&self, warp: u8, access: u32, n: u32, moment: u32, ordinal: u32) -> bool {
        let runs = self.runs(warp, access);
        let count = if runs.interval == self.interval { runs.count } else { 0 };
        match n as usize {
            n if n <= REMEMBERED => count as usize >= n && runs.moments[n - 1] < moment,
            _ => n <= ordinal,
        }
    }

    /// The rules of the module's head.
    fn classify(&self, write: &Past, read: &Past) -> HazardKind {
        let raw = if self.runs(read.warp, write.access).ever {
            self.came_before(read.warp, write.access, write.ordinal, read.moment, read.ordinal)
        } else if self.runs(write.warp, read.access).ever {
            !self.came_before(write.warp, read.access, read.ordinal, write.moment, write.ordinal)
        } else {
            self.places[write.access as usize].1 < self.places[read.access as usize].1
        };
        if raw { HazardKind::Raw } else { HazardKind::War }
    }

    #[cold]
    #[inline(never)]
    fn conflict(&mut self, old: Past, new: Past, old_writes: bool, new_writes: bool, address: u64) {
        let (kind, old_first) = match (old_writes, new_writes) {
            (true, true) => (
                HazardKind::Waw,
                (old.ordinal, self.places[old.access as usize].1) <= (new.ordinal, self.places[new.access as usize].1),
            ),
            (true, false) => {
                let kind = self.classify(&old, &new);
                (kind, kind == HazardKind::Raw)
            }
            _ => {
                let kind = self.classify(&new, &old);
                (kind, kind == HazardKind::War)
            }
        };
        let (first, second, writes) =
            if old_first { (old, new, (old_writes, new_writes)) } else { (new, old, (new_writes, old_writes)) };
        let key = (kind, self.places[first.access as usize].0, self.places[second.access as usize].0);
        let pair = (old.warp, old.access, old.ordinal);
        let again = self.pairs.contains(&pair);
        if !again {
            self.pairs.push(pair);
        }
        let cell = 1u32 << self.shift;
        match self.found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, found)) => {
                let same =
                    |a: &Past, b: &Past| (a.warp, a.lane, a.access, a.moment) == (b.warp, b.lane, b.access, b.moment);
                let grows = same(&found.first, &first) && same(&found.second, &second) && found.block == self.block;
                if grows && found.address + u64::from(found.bytes) == address {
                    found.bytes += cell;
                }
                found.occurrences += u64::from(!again);
            }
            None => {
                let block = self.block;
                self.found.push((key, Found { block, address, bytes: cell, first, second, writes, occurrences: 1 }));
            }
        }
    }
}

impl Hazards {
    pub(crate) fn start(&mut self, warps: u32, shared_bytes: u64, block: u64) {
        let cells = (shared_bytes >> self.shift) as usize + 1;
        self.block = block;
        self.warps = warps as usize;
        if self.writes.len() != cells || self.interval > u32::MAX / 2 {
            self.interval = 0;
            self.writes = vec![(0, Past::default()); cells];
            self.readers = vec![0; cells];
            self.reads = vec![Past::default(); cells * self.warps];
        }
        self.interval += 1;
        self.clocks = vec![[0; 32]; self.warps];
        for (w, clock) in self.clocks.iter_mut().enumerate() {
            clock[w] = 1;
        }
        self.published.iter_mut().for_each(|clock| *clock = [0; 32]);
        self.runs.clear();
        self.runs.resize(self.accesses * self.warps, Runs::default());
        self.moments.clear();
        self.moments.resize(self.warps, 0);
    }

    pub(crate) fn arrive(&mut self, warp: u32, number: usize) {
        let w = warp as usize;
        for (published, own) in self.published[number & 15].iter_mut().zip(&self.clocks[w]) {
            *published = (*published).max(*own);
        }
        self.clocks[w][w & 31] += 1;
    }

    pub(crate) fn release(&mut self, number: usize, waiting: u32, all: bool) {
        let published = std::mem::replace(&mut self.published[number & 15], [0; 32]);
        for w in (0..self.warps).filter(|w| waiting >> w & 1 == 1) {
            for (own, published) in self.clocks[w].iter_mut().zip(&published) {
                *own = (*own).max(*published);
            }
        }
        if all {
            self.interval += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn shared(&mut self, seen: &Seen<'_>) {
        let warp = seen.warp as usize;
        let index = seen.access_index;
        self.moments[warp] += 1;
        let moment = self.moments[warp];
        let runs = &mut self.runs[warp * self.accesses + index as usize];
        if runs.interval != self.interval {
            *runs = Runs { interval: self.interval, ever: true, ..Runs::default() };
        }
        if let Some(slot) = runs.moments.get_mut(runs.count as usize) {
            *slot = moment;
        }
        runs.count += 1;
        self.pairs.clear();
        let mut past = Past {
            access: index,
            lane: 0,
            warp: warp as u8,
            atomic: seen.access.atomic.is_some(),
            clock: self.clocks[warp][warp & 31],
            ordinal: runs.count,
            moment,
        };
        let each = (seen.access.bytes() >> self.shift).max(1) as usize;
        let tag = u64::from(self.interval) << 32;
        let mut last = usize::MAX;
        for lane in 0..32 {
            if seen.mask & (1 << lane) == 0 {
                continue;
            }
            let start = (seen.start.wrapping_add(seen.shape.relative[lane] as u64) >> self.shift) as usize;
            past.lane = lane as u8;
            if seen.access.writes {
                for cell in start..start + each {
                    self.write(cell, past, seen);
                }
                continue;
            }
            if start == last {
                continue;
            }
            last = start;
            for cell in start..start + each {
                let (interval, write) = self.writes[cell];
                if interval == self.interval && usize::from(write.warp) != warp {
                    self.check(write, past, true, false, cell);
                }
                let mut readers = self.readers[cell];
                if readers & !0xffff_ffff != tag {
                    readers = tag;
                }
                self.readers[cell] = readers | 1 << warp;
                self.reads[cell * self.warps + warp] = past;
            }
        }
    }

    /// A conflict, unless a barrier of part of the block lies between.
    #[cold]
    #[inline(never)]
    fn check(&mut self, old: Past, new: Past, old_writes: bool, new_writes: bool, cell: usize) {
        let known = self.clocks[usize::from(new.warp)][usize::from(old.warp) & 31];
        if old.clock > known {
            self.conflict(old, new, old_writes, new_writes, (cell as u64) << self.shift);
        }
    }

    #[inline(always)]
    fn write(&mut self, cell: usize, past: Past, seen: &Seen<'_>) {
        let warp = usize::from(past.warp);
        let (interval, old) = self.writes[cell];
        if interval == self.interval && !(old.atomic && past.atomic) {
            if usize::from(old.warp) != warp {
                self.check(old, past, true, true, cell);
            } else if (old.access, old.moment) == (past.access, past.moment) && differ(seen, old.lane, past.lane) {
                self.conflict(old, past, true, true, (cell as u64) << self.shift);
            }
        }
        let readers = self.readers[cell];
        if (readers >> 32) as u32 == self.interval {
            let mut others = readers as u32 & !(1 << warp);
            while others != 0 {
                let reader = others.trailing_zeros() as usize;
                others &= others - 1;
                self.check(self.reads[cell * self.warps + reader], past, false, true, cell);
            }
        }
        self.writes[cell] = (self.interval, past);
    }
}

/// Whether two lanes of a store write different values. Lanes at the same address are compared; lanes whose
/// elements overlap only in part count as different.
#[cold]
fn differ(seen: &Seen<'_>, a: u8, b: u8) -> bool {
    let (a, b) = (usize::from(a & 31), usize::from(b & 31));
    if a == b {
        return false;
    }
    seen.shape.relative[a] != seen.shape.relative[b]
        || (0..seen.access.lanes as usize).any(|element| {
            let values = seen.values(element);
            values[a] != values[b]
        })
}

/// Counts and hazards together.
#[derive(Debug)]
pub(crate) struct Everything {
    pub(crate) counter: super::counts::Counter,
    pub(crate) hazards: Hazards,
}

impl Probe for Everything {
    const COUNTS: bool = true;
    const WATCHES: bool = true;
    const TRACES: bool = false;

    fn start(&mut self, program: &Program, block: u64, warps: u32, shared_bytes: u64) {
        self.counter.start(program, block, warps, shared_bytes);
        self.hazards.start(warps, shared_bytes, block);
    }

    #[inline(always)]
    fn enter(&mut self, block: u32, mask: u32) {
        self.counter.enter(block, mask);
    }

    fn guarded(&mut self, at: usize, mask: u32) {
        self.counter.guarded(at, mask);
    }

    #[inline(always)]
    fn request(&mut self, at: usize) {
        self.counter.request(at);
    }

    #[inline(always)]
    fn shared(&mut self, seen: &mut Seen<'_>) {
        self.counter.shared(seen);
        self.hazards.shared(seen);
    }

    #[inline(always)]
    fn global(&mut self, seen: &mut Seen<'_>) {
        self.counter.global(seen);
    }

    fn arrive(&mut self, _: usize, warp: u32, number: usize) {
        self.hazards.arrive(warp, number);
    }

    fn release(&mut self, number: usize, waiting: u32, all: bool) {
        self.counter.release(number, waiting, all);
        self.hazards.release(number, waiting, all);
    }
}
