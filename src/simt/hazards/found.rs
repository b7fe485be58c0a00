//! Hazards that were found: one for each kind and pair of source places, with an example and a count.

use super::shadow::Past;
use crate::simt::memory::SLOT_BITS;
use crate::simt::program::Program;
use crate::simt::report::{AccessKind, Dim3, Hazard, HazardAccess, HazardKind, HazardSeverity, HazardSpace, Place};
use std::collections::HashMap;

/// Kind, space, and the source lines of both accesses.
type Key = (HazardKind, HazardSpace, u32, u32);

#[derive(Debug, Clone)]
struct Found {
    block: u64,
    address: u64,
    bytes: u32,
    first: Past,
    second: Past,
    /// Warp of each side, for engines that of the thread that issued the access.
    warps: (u32, u32),
    occurrences: u64,
}

/// A hazard's two sides in program-intended order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) kind: HazardKind,
    pub(super) first: Past,
    pub(super) second: Past,
    pub(super) warps: (u32, u32),
}

/// Where each access stands, and what was found.
#[derive(Debug)]
pub(super) struct Finds {
    /// For each access: representative of its source line, and position in the text.
    places: Vec<(u32, u32)>,
    /// Numbers of accesses that are not in `Program::accesses`, by instruction.
    more: HashMap<usize, u32>,
    /// Of each instruction: representative of its source line, and position in the text.
    lines: Vec<(u32, u32)>,
    found: Vec<(Key, Found)>,
    /// Accesses that conflicted with the warp's present one already.
    pairs: Vec<(u16, u32, u32)>,
}

impl Finds {
    pub(super) fn new(program: &Program) -> Self {
        let mut representative: HashMap<(u32, u32), u32> = HashMap::new();
        let of = program.places.iter().enumerate().map(|(index, place)| match place.line {
            0 => index as u32,
            line => *representative.entry((place.file, line)).or_insert(index as u32),
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
        Self { places, more: HashMap::new(), lines, found: Vec::new(), pairs: Vec::new() }
    }

    /// The number of an asynchronous access, by its instruction.
    pub(super) fn number(&mut self, at: usize) -> u32 {
        *self.more.entry(at).or_insert_with(|| {
            self.places.push(self.lines.get(at).copied().unwrap_or_default());
            self.places.len() as u32 - 1
        })
    }

    /// Position of an access in the text.
    pub(super) fn position(&self, access: u32) -> u32 {
        self.places.get(access as usize).map_or(0, |place| place.1)
    }

    fn line(&self, access: u32) -> u32 {
        self.places.get(access as usize).map_or(0, |place| place.0)
    }

    /// A warp comes to another access.
    pub(super) fn next(&mut self) {
        self.pairs.clear();
    }

    /// Notes a hazard at `address`; `old` is the side that was there before.
    pub(super) fn note(&mut self, pair: Pair, old: &Past, space: HazardSpace, block: u64, address: u64, bytes: u32) {
        let Pair { kind, first, second, warps } = pair;
        let key = (kind, space, self.line(first.access), self.line(second.access));
        let id = (old.agent, old.access, old.ordinal);
        let again = self.pairs.contains(&id);
        if !again {
            self.pairs.push(id);
        }
        match self.found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, found)) => {
                let same = |a: &Past, b: &Past| a.same(b);
                let grows = same(&found.first, &first) && same(&found.second, &second) && found.block == block;
                if grows && found.address + u64::from(found.bytes) == address {
                    found.bytes += bytes;
                }
                found.occurrences += u64::from(!again);
                // Two warps make a better example than one.
                if severity(space, found.warps, &found.first, &found.second) == HazardSeverity::Warning
                    && severity(space, warps, &first, &second) == HazardSeverity::Error
                {
                    *found = Found { block, address, bytes, first, second, warps, occurrences: found.occurrences };
                }
            }
            None => {
                self.found.push((key, Found { block, address, bytes, first, second, warps, occurrences: 1 }));
            }
        }
    }

    /// Adds what another worker found. The example of the lowest block is kept.
    pub(super) fn merge(&mut self, other: &Self) {
        for (key, found) in &other.found {
            // Numbers of asynchronous accesses are each worker's own.
            let own = |past: &Past, finds: &mut Self| {
                let at = other.more.iter().find(|(_, number)| **number == past.access);
                let access = at.map_or(past.access, |(at, _)| finds.number(*at));
                Past { access, ..*past }
            };
            let (first, second) = (own(&found.first, self), own(&found.second, self));
            let found = Found { first, second, ..found.clone() };
            match self.found.iter_mut().find(|(known, _)| known == key) {
                Some((_, known)) => {
                    let occurrences = known.occurrences + found.occurrences;
                    let rank = |f: &Found| (severity(key.1, f.warps, &f.first, &f.second), f.block);
                    if rank(&found) < rank(known) {
                        *known = found;
                    }
                    known.occurrences = occurrences;
                }
                None => self.found.push((*key, found)),
            }
        }
    }

    /// Global addresses are offsets in the buffer of their slot.
    pub(super) fn report(
        &self,
        program: &Program,
        grid: Dim3,
        buffers: &[String],
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Hazard> {
        let mut all: Vec<&(Key, Found)> = self.found.iter().collect();
        all.sort_by_key(|(key, found)| (severity(key.1, found.warps, &found.first, &found.second), *key));
        let side = |past: &Past, warp: u32| HazardAccess {
            thread: thread(warp, past.lane.into()),
            access: if past.kind.writes() { AccessKind::Write } else { AccessKind::Read },
            place: self.place(program, past.access),
        };
        let [gx, gy, _] = grid.map(u64::from);
        all.iter()
            .map(|(key, found)| Hazard {
                kind: key.0,
                space: key.1,
                severity: severity(key.1, found.warps, &found.first, &found.second),
                buffer: ((found.address >> SLOT_BITS) as usize).checked_sub(1).and_then(|at| buffers.get(at).cloned()),
                block: [found.block % gx, found.block / gx % gy, found.block / (gx * gy)].map(|n| n as u32),
                address: found.address & ((1 << SLOT_BITS) - 1),
                bytes: found.bytes,
                first: side(&found.first, found.warps.0),
                second: side(&found.second, found.warps.1),
                occurrences: found.occurrences,
            })
            .collect()
    }

    fn place(&self, program: &Program, access: u32) -> Place {
        let unknown = || Place { file: String::new(), line: 0, ptx_line: 0 };
        program.place(self.position(access)).unwrap_or_else(unknown)
    }
}

/// Threads of one warp are told apart from others, but for lanes that write different values in one instruction.
fn severity(space: HazardSpace, warps: (u32, u32), first: &Past, second: &Past) -> HazardSeverity {
    let one_instruction = (first.access, first.moment) == (second.access, second.moment);
    if space == HazardSpace::Shared && warps.0 == warps.1 && !one_instruction {
        HazardSeverity::Warning
    } else {
        HazardSeverity::Error
    }
}
