//! The hazards found so far: one per kind and pair of source locations, with an example and a count.

use super::global::Blocks;
use super::launches::Footprint;
use super::shadow::Past;
use crate::memory::SLOT_BITS;
use crate::program::{Op, Program};
use crate::report::{AccessKind, Dim3, Hazard, HazardAccess, HazardKind, HazardSeverity, HazardSpace, SourceLocation};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Maximum number of pairs to report. A kernel with more has enough errors.
const MAX_FOUND: usize = 1 << 14;

/// Maximum number of earlier accesses that are reported as conflicts of one access, each by itself.
const MAX_PAIRS: usize = 256;

/// Kind, address space, source lines of both accesses, and [`Pair::earlier`].
type Key = (HazardKind, HazardSpace, u32, u32, u8);

#[derive(Debug, Clone)]
struct Found {
    address: u64,
    bytes: u32,
    pair: Pair,
    occurrences: u64,
}

/// The two sides of a hazard, in the order that the program intends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) kind: HazardKind,
    pub(super) first: Past,
    pub(super) second: Past,
    /// Warp and block of each side. For an engine, those of the thread that issued the access.
    pub(super) whose: [(u32, u64); 2],
    /// The block that owns the shared memory; for global memory, the block of the second side.
    pub(super) owner: u64,
    pub(super) nature: Nature,
    /// If the first side is of an earlier launch, its index in [`Findings::earlier`] plus 1; otherwise 0.
    pub(super) earlier: u8,
}

/// What is special about a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    Usual,
    /// The second side has observed a release of the first, but has run no fence since.
    Unfenced,
    /// Both sides store the same value.
    SameValue,
    /// One side is `volatile` and exchanges data. The other is `volatile`, too, or both are writes and it is atomic.
    Volatile,
}

impl Pair {
    /// A hazard within a warp is only a warning, unless lanes write different values in the same instruction.
    fn severity(&self) -> HazardSeverity {
        let one_instruction = (self.first.access, self.first.moment) == (self.second.access, self.second.moment);
        match self.nature {
            Nature::SameValue => HazardSeverity::SameValue,
            Nature::Unfenced => HazardSeverity::Unfenced,
            Nature::Volatile => HazardSeverity::Volatile,
            Nature::Usual if self.earlier == 0 && self.whose[0] == self.whose[1] && !one_instruction => {
                HazardSeverity::Warning
            }
            Nature::Usual => HazardSeverity::Error,
        }
    }

    /// Returns the later one of the two blocks, if both are of this launch.
    fn block(&self) -> u64 {
        if self.earlier != 0 { self.whose[1].1 } else { self.whose[0].1.max(self.whose[1].1) }
    }
}

/// The source location of each access, and the hazards found.
#[derive(Debug)]
pub(super) struct Findings {
    /// For each access: representative of its source line, and position in the PTX.
    places: Vec<(u32, u32)>,
    /// For each instruction: representative of its source line.
    pub(super) lines: Vec<u32>,
    /// Maps an instruction with an asynchronous access, which is not in `Program::accesses`, to its index in `places`.
    more: HashMap<usize, u32>,
    found: Vec<(Key, Found)>,
    index: BTreeMap<Key, usize>,
    /// Accesses that already conflicted with the warp's current access.
    pairs: Vec<(u16, u32, u32)>,
    /// The launch, and earlier ones that it may overlap.
    pub(super) own: Option<Arc<Footprint>>,
    pub(super) earlier: Vec<Arc<Footprint>>,
}

impl Findings {
    pub(super) fn new(program: &Program) -> Self {
        let mut representative: HashMap<_, u32> = HashMap::new();
        let of = program.places.iter().enumerate().map(|(index, place)| match place.line {
            0 => index as u32,
            line => *representative.entry((place.file, line, place.header)).or_insert(index as u32),
        });
        let of: Vec<u32> = of.collect();
        let lines: Vec<(u32, u32)> =
            program.notes.iter().map(|note| (of.get(note.place as usize).copied().unwrap_or(0), note.place)).collect();
        let mut places = vec![(0, 0); program.accesses.len()];
        for (inst, line) in program.code.iter().zip(&lines) {
            if inst.op.accesses()
                && let Some(place) = places.get_mut(inst.x as usize)
            {
                *place = *line;
            }
        }
        for (inst, line) in program.code.iter().zip(&lines).filter(|(inst, _)| matches!(inst.op, Op::Asynch)) {
            for index in program.async_copy[inst.x as usize].accesses {
                places.get_mut(index as usize).into_iter().for_each(|place| *place = *line);
            }
        }
        let mut more = HashMap::new();
        for (at, line) in lines.iter().enumerate().filter(|(at, _)| program.code[*at].op.is_asynchronous()) {
            more.insert(at, places.len() as u32);
            places.push(*line);
        }
        let lines = lines.into_iter().map(|line| line.0).collect();
        Self {
            places,
            lines,
            more,
            found: Vec::new(),
            index: BTreeMap::new(),
            pairs: Vec::new(),
            own: None,
            earlier: Vec::new(),
        }
    }

    /// Compares with the earlier launches too that this one may overlap.
    pub(super) fn after(mut self, blocks: Option<&Arc<Blocks>>) -> Self {
        if let Some(overlap) = blocks.and_then(|blocks| blocks.overlap.as_ref()) {
            self.own = Some(Arc::clone(&overlap.own));
            self.earlier = overlap.earlier.iter().map(|(footprint, _)| Arc::clone(footprint)).collect();
        }
        self
    }

    /// Returns for each access the representative of its source line, and its place.
    pub(super) fn all_places(&self, program: &Program) -> Vec<(u32, SourceLocation)> {
        self.places.iter().map(|(line, place)| (*line, program.place(*place).unwrap_or_default())).collect()
    }

    fn footprint(&self, earlier: u8) -> Option<&Footprint> {
        self.earlier.get(usize::from(earlier.checked_sub(1)?)).map(|footprint| &**footprint)
    }

    /// Returns the number of an asynchronous access, given the index of its instruction.
    pub(super) fn number(&self, at: usize) -> u32 {
        self.more.get(&at).copied().unwrap_or(0)
    }

    /// Returns the position of an access in the PTX.
    pub(super) fn position(&self, access: u32) -> u32 {
        self.places.get(access as usize).map_or(0, |place| place.1)
    }

    fn line(&self, access: u32) -> u32 {
        self.places.get(access as usize).map_or(0, |place| place.0)
    }

    /// Starts a warp's next access.
    pub(super) fn next(&mut self) {
        self.pairs.clear();
    }

    /// True if the warp's current access already conflicts with very many earlier ones, the last of them by this access.
    /// Then another of them is not news.
    pub(super) fn has_enough(&self, access: u32) -> bool {
        self.pairs.len() >= MAX_PAIRS && self.pairs.last().is_some_and(|(_, last, _)| *last == access)
    }

    /// Records a hazard at `address`. `old` is the earlier access.
    pub(super) fn note(&mut self, pair: Pair, old: &Past, space: HazardSpace, address: u64, bytes: u32) {
        let Pair { kind, first, second, .. } = pair;
        let first_line = match self.footprint(pair.earlier) {
            Some(footprint) => footprint.line(first.access),
            None => self.line(first.access),
        };
        let key = (kind, space, first_line, self.line(second.access), pair.earlier);
        let id = (old.agent, old.access, old.ordinal);
        let again = self.pairs.contains(&id);
        if !again {
            if self.pairs.len() >= MAX_PAIRS {
                self.pairs.pop();
            }
            self.pairs.push(id);
        }
        match self.index.get(&key).and_then(|at| self.found.get_mut(*at)) {
            Some((_, found)) => {
                let grows = found.pair.first.same(&first) && found.pair.second.same(&second);
                if grows && found.pair.whose == pair.whose && found.address + u64::from(found.bytes) == address {
                    found.bytes += bytes;
                }
                found.occurrences += u64::from(!again);
                // Two warps are a better example than one.
                if pair.severity() < found.pair.severity() {
                    *found = Found { address, bytes, pair, occurrences: found.occurrences };
                }
            }
            None => self.add(key, Found { address, bytes, pair, occurrences: 1 }),
        }
    }

    fn add(&mut self, key: Key, found: Found) {
        if self.found.len() < MAX_FOUND {
            self.index.insert(key, self.found.len());
            self.found.push((key, found));
        }
    }

    /// Merges the hazards of another worker. The example in the lowest block is kept.
    pub(super) fn merge(&mut self, other: &Self) {
        for (key, found) in &other.found {
            match self.index.get(key).and_then(|at| self.found.get_mut(*at)) {
                Some((_, known)) => {
                    let occurrences = known.occurrences + found.occurrences;
                    let rank = |f: &Found| (f.pair.severity(), f.pair.block());
                    if rank(found) < rank(known) {
                        *known = found.clone();
                    }
                    known.occurrences = occurrences;
                }
                None => self.add(*key, found.clone()),
            }
        }
    }

    /// Returns the hazards in blocks up to `last`. Global addresses are offsets in their buffer.
    pub(super) fn report(
        &self,
        program: &Program,
        grid: Dim3,
        buffers: &[String],
        last: Option<u64>,
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Hazard> {
        let within = |found: &Found| last.is_none_or(|last| found.pair.block() <= last);
        let mut all: Vec<&(Key, Found)> = self.found.iter().filter(|(_, found)| within(found)).collect();
        all.sort_by_key(|(key, found)| (found.pair.severity(), *key));
        let [gx, gy, _] = grid.map(u64::from);
        let index = |block: u64| [block % gx, block / gx % gy, block / (gx * gy)].map(|n| n as u32);
        let side = |past: &Past, (warp, block): (u32, u64)| HazardAccess {
            thread: thread(warp, past.lane.into()),
            block: index(block),
            access: if past.kind.writes() { AccessKind::Write } else { AccessKind::Read },
            place: self.place(program, past.access),
            launch: None,
        };
        all.iter()
            .map(|(key, found)| {
                let [mut first, mut second] =
                    [side(&found.pair.first, found.pair.whose[0]), side(&found.pair.second, found.pair.whose[1])];
                if let Some(footprint) = self.footprint(key.4) {
                    let past = found.pair.first;
                    [first.thread, first.block] = footprint.thread(found.pair.whose[0], past.lane);
                    first.place = footprint.place(past.access);
                    first.launch = Some(footprint.name());
                    second.launch = self.own.as_ref().map(|own| own.name());
                }
                let slot = (found.address >> SLOT_BITS) as usize;
                Hazard {
                    kind: key.0,
                    space: key.1,
                    severity: found.pair.severity(),
                    buffer: slot.checked_sub(1).and_then(|at| buffers.get(at).cloned()),
                    block: index(found.pair.owner),
                    address: found.address & ((1 << SLOT_BITS) - 1),
                    bytes: found.bytes,
                    first,
                    second,
                    occurrences: found.occurrences,
                }
            })
            .collect()
    }

    fn place(&self, program: &Program, access: u32) -> SourceLocation {
        program.place(self.position(access)).unwrap_or_default()
    }
}
