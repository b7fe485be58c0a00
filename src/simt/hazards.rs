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
use super::machine::Group;
use super::probe::{Probe, Seen};
use super::program::Program;
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
    /// Which execution of its instruction in the interval, from 1.
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
    cells: usize,
    /// Interval of each cell's last write, and that write.
    written: Vec<u32>,
    writes: Vec<Past>,
    /// Interval of each cell's last read by any warp.
    read: Vec<u32>,
    /// `reads[warp * cells + cell]`: the warp's last read: moment, access, lane, packed by [`pack`].
    reads: Vec<u64>,
    /// Moment at which the interval began for each warp.
    began: Vec<u32>,
    /// Since then: moments after which each warp's clock had another value.
    ticks: Vec<Vec<(u32, u32)>>,
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
            if !inst.op.accesses() {
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
            cells: 0,
            written: Vec::new(),
            writes: Vec::new(),
            read: Vec::new(),
            reads: Vec::new(),
            began: Vec::new(),
            ticks: Vec::new(),
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
        let worn = self.interval > u32::MAX / 2 || self.moments.iter().any(|moment| *moment > u32::MAX / 2);
        if self.cells != cells || worn {
            self.cells = cells;
            self.interval = 0;
            self.written = vec![0; cells];
            self.writes = vec![Past::default(); cells];
            self.read = vec![0; cells];
            self.reads = vec![0; cells * self.warps];
            self.moments = vec![0; self.warps];
        }
        self.clocks = vec![[0; 32]; self.warps];
        for (w, clock) in self.clocks.iter_mut().enumerate() {
            clock[w] = 1;
        }
        self.published.iter_mut().for_each(|clock| *clock = [0; 32]);
        self.runs.clear();
        self.runs.resize(self.accesses * self.warps, Runs::default());
        self.ticks = vec![Vec::new(); self.warps];
        self.next_interval();
    }

    fn next_interval(&mut self) {
        self.interval += 1;
        self.began.clone_from(&self.moments);
        self.ticks.iter_mut().for_each(Vec::clear);
    }

    pub(crate) fn arrive(&mut self, warp: u32, number: usize) {
        let w = warp as usize;
        for (published, own) in self.published[number & 15].iter_mut().zip(&self.clocks[w]) {
            *published = (*published).max(*own);
        }
        self.ticks[w].push((self.moments[w], self.clocks[w][w & 31]));
        self.clocks[w][w & 31] += 1;
    }

    pub(crate) fn release(&mut self, number: usize, waiting: u32, all: bool) {
        let published = std::mem::take(&mut self.published[number & 15]);
        for w in (0..self.warps).filter(|w| waiting >> w & 1 == 1) {
            for (own, published) in self.clocks[w].iter_mut().zip(&published) {
                *own = (*own).max(*published);
            }
        }
        if all {
            self.next_interval();
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
        if !seen.access.writes && seen.mask == u32::MAX && each == 1 {
            self.read_groups(past, seen);
            return;
        }
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
            } else if start != last {
                last = start;
                for cell in start..start + each {
                    self.read_cell(cell, past);
                }
            }
        }
    }

    #[inline(always)]
    fn read_cell(&mut self, cell: usize, past: Past) {
        if self.written[cell] == self.interval {
            self.read_written(cell, past);
        }
        self.read[cell] = self.interval;
        self.reads[usize::from(past.warp) * self.cells + cell] = pack(&past);
    }

    #[cold]
    #[inline(never)]
    fn read_written(&mut self, cell: usize, past: Past) {
        let write = self.writes[cell];
        if write.warp != past.warp {
            self.check(write, past, true, false, cell);
        }
    }

    /// The read of a whole warp, one cell a lane: eight lanes at once where they lie side by side.
    #[inline(always)]
    fn read_groups(&mut self, mut past: Past, seen: &Seen<'_>) {
        let row = usize::from(past.warp) * self.cells;
        let shift = self.shift;
        let cell_of = |lane: usize| (seen.start.wrapping_add(seen.shape.relative[lane] as u64) >> shift) as usize;
        for g in 0..4 {
            let first = cell_of(8 * g);
            past.lane = 8 * g as u8;
            match seen.shape.groups[g] {
                Group::Same => self.read_cell(first, past),
                Group::Unit if self.shift == 2 => {
                    let interval = self.interval;
                    let (Some(written), Some(read), Some(reads)) = (
                        self.written.get(first..first + 8),
                        self.read.get_mut(first..first + 8),
                        self.reads.get_mut(row + first..row + first + 8),
                    ) else {
                        continue;
                    };
                    let mut hit = false;
                    let packed = pack(&past);
                    for i in 0..8 {
                        hit |= written[i] == interval;
                        read[i] = interval;
                        reads[i] = packed + i as u64;
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

    /// A read as it was packed.
    fn unpack(&self, warp: usize, packed: u64) -> Past {
        let (access, lane, moment) = ((packed as u32) >> 5, (packed & 31) as u8, (packed >> 32) as u32);
        let runs = self.runs(warp as u8, access);
        // An execution that is not remembered counts as the latest.
        let known = runs.moments.iter().position(|m| *m == moment).map_or(runs.count, |at| at as u32 + 1);
        let clock = self.ticks[warp].iter().find(|(until, _)| moment <= *until);
        let clock = clock.map_or(self.clocks[warp][warp & 31], |(_, clock)| *clock);
        Past { access, lane, warp: warp as u8, atomic: false, clock, ordinal: known, moment }
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
        let old = self.writes[cell];
        if self.written[cell] == self.interval && !(old.atomic && past.atomic) {
            if usize::from(old.warp) != warp {
                self.check(old, past, true, true, cell);
            } else if (old.access, old.moment) == (past.access, past.moment) && differ(seen, old.lane, past.lane) {
                self.conflict(old, past, true, true, (cell as u64) << self.shift);
            }
        }
        if self.read[cell] == self.interval {
            for reader in (0..self.warps).filter(|reader| *reader != warp) {
                let packed = self.reads[reader * self.cells + cell];
                if (packed >> 32) as u32 > self.began[reader] {
                    let read = self.unpack(reader, packed);
                    self.check(read, past, false, true, cell);
                }
            }
        }
        self.written[cell] = self.interval;
        self.writes[cell] = past;
    }
}

/// Moment in the high word, access and lane in the low one. Adding to it goes on to the next lane.
#[inline(always)]
fn pack(past: &Past) -> u64 {
    u64::from(past.moment) << 32 | u64::from(past.access) << 5 | u64::from(past.lane)
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
    /// Those of the other blocks of a cluster: each block is looked at by itself.
    parked: Vec<Hazards>,
    rank: usize,
}

impl Everything {
    pub(crate) fn new(program: &Program, cluster_size: u32) -> Self {
        let parked = if cluster_size > 1 { cluster_size as usize } else { 0 };
        Self {
            counter: super::counts::Counter::new(program),
            hazards: Hazards::new(program),
            parked: (0..parked).map(|_| Hazards::new(program)).collect(),
            rank: 0,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.counter.merge(&other.counter);
        std::iter::once(&other.hazards).chain(&other.parked).for_each(|hazards| self.hazards.merge(hazards));
    }
}

impl Probe for Everything {
    const COUNTS: bool = true;
    const WATCHES: bool = true;
    const TRACES: bool = false;

    fn turn(&mut self, rank: u32) {
        let rank = rank as usize;
        if rank == self.rank || rank >= self.parked.len() || self.rank >= self.parked.len() {
            return;
        }
        std::mem::swap(&mut self.hazards, &mut self.parked[self.rank]);
        std::mem::swap(&mut self.hazards, &mut self.parked[rank]);
        self.rank = rank;
    }

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

    fn copied(&mut self, seen: &mut Seen<'_>) {
        self.counter.shared(seen);
    }

    fn bulk(&mut self, at: usize, sectors: u64, bytes: u64) {
        self.counter.bulk(at, sectors, bytes);
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
