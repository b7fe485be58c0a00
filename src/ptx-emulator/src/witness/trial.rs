//! The trial runs of a witness, and their evaluation.

use super::watcher::{Bytes, Side, Touch, Watcher};
use super::{NoWitness, Way, Witness};
use crate::control::{Control, Limit};
use crate::machine::{Perturbation, Schedule};
use crate::memory::{Memory, SLOT_BITS};
use crate::program::{Op, Verified};
use crate::report::{AccessKind, Dim3, FaultKind, Hazard, HazardAccess, HazardKind, HazardSpace};
use crate::run::{self, Launch, Options};
use std::collections::HashMap;

/// A trial may take one part in `SHARE` of the steps left.
const SHARE: u64 = 4;
/// Maximum number of blocks in a trial of all blocks.
const MAX_BLOCKS: u64 = 1 << 12;

#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    Warps,
    Lanes,
    /// Runs the two blocks in both orders, alone or with all other blocks.
    Blocks {
        all: bool,
    },
    /// `late` is the intended choice: false if the copy comes before the read.
    Copy {
        late: bool,
    },
    LateRead,
    LateStore,
}

/// A hazard with its launch.
pub(super) struct Case<'a> {
    program: &'a Verified,
    launch: &'a Launch,
    memory: &'a Memory,
    hazard: &'a Hazard,
    control: &'a Control<'a>,
    /// For each place, the first place of its source line.
    lines: Vec<u32>,
    sides: [Side; 2],
    /// True for each side that is an asynchronous access.
    pub(super) asynchronous: [bool; 2],
}

/// The accesses recorded in a run.
type Touches = Vec<Touch>;

impl<'a> Case<'a> {
    pub(super) fn new(
        program: &'a Verified,
        launch: &'a Launch,
        memory: &'a Memory,
        hazard: &'a Hazard,
        control: &'a Control<'a>,
    ) -> Self {
        let mut representative: HashMap<(u32, u32), u32> = HashMap::new();
        let lines = program.places.iter().enumerate().map(|(index, place)| match place.line {
            0 => index as u32,
            line => *representative.entry((place.file, line)).or_insert(index as u32),
        });
        let lines: Vec<u32> = lines.collect();
        let mut case = Self {
            program,
            launch,
            memory,
            hazard,
            control,
            lines,
            sides: [Side { block: 0, warp: 0, lane: 0, place: 0 }; 2],
            asynchronous: [false; 2],
        };
        case.sides = [&hazard.first, &hazard.second].map(|access| case.side(access));
        case.asynchronous = [&hazard.first, &hazard.second].map(|access| {
            let here = |note: &crate::program::Note| program.place(note.place).as_ref() == Some(&access.place);
            program
                .notes
                .iter()
                .zip(&program.code)
                .any(|(note, inst)| matches!(inst.op, Op::Asynch | Op::Tensor) && here(note))
        });
        case
    }

    pub(super) fn linear(&self, [x, y, z]: Dim3) -> u32 {
        let [bx, by, _] = self.launch.block;
        x + bx * (y + by * z)
    }

    fn side(&self, access: &HazardAccess) -> Side {
        let [gx, gy, _] = self.launch.grid.map(u64::from);
        let [x, y, z] = access.block.map(u64::from);
        let known = |at: &u32| self.program.place(*at).as_ref() == Some(&access.place);
        let place = (0..self.program.places.len() as u32).find(known);
        let thread = self.linear(access.thread);
        Side {
            block: x + gx * (y + gy * z),
            warp: thread / 32,
            lane: thread % 32,
            place: place.and_then(|at| self.lines.get(at as usize).copied()).unwrap_or(u32::MAX),
        }
    }

    pub(super) fn try_out(&self, plan: &Plan) -> Result<Witness, NoWitness> {
        let [first, second] = &self.sides;
        let (a, b) = (&self.hazard.first, &self.hazard.second);
        let own = [first.block];
        let inorder = || Schedule::InOrder;
        match *plan {
            Plan::Warps => {
                let order = |one: u32, other: u32| Schedule::Priority(vec![one, other]);
                let meant = self.run(&own, order(first.warp, second.warp), Perturbation::default())?;
                let other = self.run(&own, order(second.warp, first.warp), Perturbation::default())?;
                self.compare(&meant, &other, Way::Warps { first: second.warp, second: first.warp })
            }
            Plan::Lanes => {
                let ahead = |side: &Side| Perturbation {
                    ahead: Some((side.block, side.warp, 1 << side.lane)),
                    ..Perturbation::default()
                };
                let meant = self.run(&own, inorder(), ahead(first))?;
                let other = self.run(&own, inorder(), ahead(second))?;
                self.compare(&meant, &other, Way::Lanes { first: b.thread, second: a.thread })
            }
            Plan::Blocks { all } => {
                let order = |one: u64, other: u64| self.blocks(one, other, all).ok_or(NoWitness::NotReached);
                let meant = self.run(&order(first.block, second.block)?, inorder(), Perturbation::default())?;
                let other = self.run(&order(second.block, first.block)?, inorder(), Perturbation::default())?;
                self.compare(&meant, &other, Way::Blocks { first: b.block, second: a.block })
            }
            Plan::Copy { late } => {
                let both = [first, second];
                let (copy, other) = if late { (both[0], both[1]) } else { (both[1], both[0]) };
                let run = |sides: [&Side; 2], at_once| {
                    let order = Schedule::Priority(sides.map(|side| side.warp).to_vec());
                    self.run(&sides.map(|side| side.block), order, Perturbation { at_once, ..Perturbation::default() })
                };
                let (early, lazy) = (run([copy, other], true)?, run([other, copy], false)?);
                let (meant, other) = if late { (early, lazy) } else { (lazy, early) };
                self.compare(&meant, &other, Way::Copy { late })
            }
            Plan::LateRead => self.late_read(&self.run(&own, inorder(), Perturbation::default())?),
            Plan::LateStore => {
                let blocks = if first.block == second.block {
                    vec![first.block]
                } else {
                    self.blocks(first.block, second.block, true).ok_or(NoWitness::NotReached)?
                };
                let order = Schedule::Priority(vec![first.warp, second.warp]);
                self.late_store(&self.run(&blocks, order, Perturbation::default())?)
            }
        }
    }

    /// Returns the two blocks in this order, alone or with all others. Returns `None` if there are too many blocks.
    fn blocks(&self, one: u64, other: u64, all: bool) -> Option<Vec<u64>> {
        let count: u64 = self.launch.grid.iter().map(|n| u64::from(*n)).product();
        if !all {
            return Some(vec![one, other]);
        }
        if count > MAX_BLOCKS {
            return None;
        }
        // If `one` would come later, it swaps positions with `other`.
        let mut order: Vec<u64> = (0..count).collect();
        if one > other {
            order.swap(one as usize, other as usize);
        }
        Some(order)
    }

    /// Runs blocks, or their clusters, one after the other.
    fn run(&self, blocks: &[u64], schedule: Schedule, twist: Perturbation) -> Result<Touches, NoWitness> {
        if let Some(limit) = self.control.reached() {
            return Err(NoWitness::Unfinished(limit));
        }
        let mut memory = self.memory.clone();
        let options = Options { schedule, ..Options::default() };
        let most = self.control.left().div_ceil(SHARE);
        let fault = |fault| NoWitness::Fault(Box::new(fault));
        let watch = |names: &[String]| {
            let hazard = self.hazard;
            let slot = hazard.buffer.as_ref().and_then(|name| names.iter().position(|n| n == name));
            let bytes = match hazard.space {
                HazardSpace::Global => Bytes {
                    block: None,
                    start: (slot.map_or(0, |at| at as u64 + 1) << SLOT_BITS) + hazard.address,
                    count: hazard.bytes.into(),
                },
                _ => Bytes { block: Some(self.owner()), start: hazard.address, count: hazard.bytes.into() },
            };
            Watcher::new(self.program, &self.lines, bytes, self.sides)
        };
        let (watcher, outcome) =
            run::run_some(self.program, self.launch, &mut memory, &options, self.control, (blocks, twist, most), watch)
                .map_err(fault)?;
        match outcome {
            // Accesses recorded before a fault are usable.
            Err(found) if watcher.touches.is_empty() => Err(match (found.kind, self.control.reached()) {
                (_, Some(limit)) => NoWitness::Unfinished(limit),
                (FaultKind::StepBudget, None) => NoWitness::Unfinished(Limit::Steps(most)),
                _ => fault(found),
            }),
            _ => Ok(watcher.touches),
        }
    }

    /// Returns the block that owns the shared memory.
    fn owner(&self) -> u64 {
        let [gx, gy, _] = self.launch.grid.map(u64::from);
        let [x, y, z] = self.hazard.block.map(u64::from);
        x + gx * (y + gy * z)
    }

    /// Returns the side that reads; for two writes, the side that should come last.
    fn reader(&self) -> (&HazardAccess, Side, Side) {
        let first_reads = self.hazard.first.access == AccessKind::Read;
        let [first, second] = self.sides;
        if first_reads { (&self.hazard.first, first, second) } else { (&self.hazard.second, second, first) }
    }

    /// Builds the witness. `touch` is an access of the thread that it describes.
    fn build_witness(&self, way: Way, touch: &Touch, right: u64, wrong: u64) -> Witness {
        let (access, reader, writer) = self.reader();
        let mask = if self.hazard.space == HazardSpace::Global { (1 << SLOT_BITS) - 1 } else { u64::MAX };
        let linear = 32 * reader.warp + if touch.by.warp == reader.warp { touch.by.lane } else { reader.lane };
        let [x, y, _] = self.launch.block;
        Witness {
            way,
            stays: self.hazard.kind == HazardKind::Waw,
            address: touch.start & mask,
            bytes: touch.bytes,
            thread: [linear % x, linear / x % y, linear / (x * y)],
            block: access.block,
            reader: reader.warp,
            writer: writer.warp,
            place: access.place.clone(),
            right,
            wrong,
        }
    }

    /// Filters for accesses, best first: those of the thread at the bytes at stake, those of the thread, those of its
    /// warp.
    fn tiers() -> [fn(&Touch, &Side) -> bool; 3] {
        [
            |touch, side| touch.by == *side && touch.exact,
            |touch, side| touch.by == *side,
            |touch, side| Side { lane: side.lane, ..touch.by } == *side,
        ]
    }

    /// Returns the first value that differs between two runs: a value read, or a final value.
    fn compare(&self, meant: &[Touch], other: &[Touch], way: Way) -> Result<Witness, NoWitness> {
        let (_, reader, _) = self.reader();
        let mut same = None;
        if self.hazard.kind == HazardKind::Waw {
            // Compare the last write by either side. Copies have no thread.
            let mine = |touch: &Touch| self.sides.contains(&touch.by) || touch.by.place == u32::MAX;
            let stays = |touches: &[Touch]| {
                let last = |all: &dyn Fn(&Touch) -> bool| {
                    touches.iter().rev().find(|touch| touch.exact && touch.writes && all(touch)).copied()
                };
                last(&mine).or_else(|| last(&|_| true))
            };
            let (Some(right), Some(wrong)) = (stays(meant), stays(other)) else { return Err(NoWitness::NotReached) };
            return if right.value == wrong.value {
                Err(NoWitness::SameValue(right.value))
            } else {
                Ok(self.build_witness(way, &right, right.value, wrong.value))
            };
        }
        // Find the same dynamic read in both runs: the n-th read of this thread at this address.
        for tier in Self::tiers() {
            let reads = |touches: &[Touch]| -> Vec<Touch> {
                touches.iter().filter(|touch| !touch.writes && tier(touch, &reader)).copied().collect()
            };
            let (meant, other) = (reads(meant), reads(other));
            for right in &meant {
                let number = |touch: &Touch| (touch.by.lane, touch.start);
                let nth = meant.iter().filter(|t| number(t) == number(right)).position(|t| std::ptr::eq(t, right));
                let wrong = other.iter().filter(|t| number(t) == number(right)).nth(nth.unwrap_or(0));
                let Some(wrong) = wrong else { continue };
                if right.value != wrong.value {
                    return Ok(self.build_witness(way, right, right.value, wrong.value));
                }
                same = same.or(Some(right.value));
            }
        }
        Err(same.map_or(NoWitness::NotReached, NoWitness::SameValue))
    }

    /// Returns the value before the `at`-th access.
    fn before(&self, touches: &[Touch], at: usize) -> u64 {
        let wanted = &touches[at];
        let earlier = touches[..at].iter().rev().find(|touch| touch.hit && touch.writes && touch.start == wanted.start);
        match earlier {
            Some(touch) => touch.value,
            None if self.hazard.space == HazardSpace::Shared => 0,
            None => {
                let name = self.hazard.buffer.as_deref().unwrap_or_default();
                let at = wanted.start & ((1 << SLOT_BITS) - 1);
                self.memory.peek(name, at, wanted.bytes)
            }
        }
    }

    /// Shows that a read which got the value of the store at stake could have got the old value.
    fn late_store(&self, touches: &[Touch]) -> Result<Witness, NoWitness> {
        let (_, reader, writer) = self.reader();
        let mut same = None;
        for tier in Self::tiers() {
            let read = |touch: &Touch| touch.hit && !touch.writes && tier(touch, &reader);
            for at in (0..touches.len()).filter(|at| read(&touches[*at])) {
                let here = |touch: &Touch| {
                    touch.hit && touch.writes && (touch.start == touches[at].start || touch.exact && touches[at].exact)
                };
                let Some(store) = touches[..at].iter().rposition(here) else { continue };
                if !Self::tiers()[2](&touches[store], &writer) {
                    continue;
                }
                let (right, wrong) = (touches[store].value, self.before(touches, store));
                if right != wrong {
                    let (start, bytes) = (touches[store].start, touches[store].bytes);
                    return Ok(self.build_witness(
                        Way::LateStore,
                        &Touch { start, bytes, ..touches[at] },
                        right,
                        wrong,
                    ));
                }
                same = same.or(Some(right));
            }
        }
        Err(same.map_or(NoWitness::NotReached, NoWitness::SameValue))
    }

    /// Shows that an asynchronous read may get the value of a later store.
    fn late_read(&self, touches: &[Touch]) -> Result<Witness, NoWitness> {
        let (_, reader, writer) = self.reader();
        let mut same = None;
        let read = |touch: &Touch| touch.exact && !touch.writes && touch.by.place == reader.place;
        for at in (0..touches.len()).filter(|at| read(&touches[*at])) {
            let store = |touch: &Touch| touch.exact && touch.writes && Self::tiers()[2](touch, &writer);
            let Some(store) = touches[at..].iter().position(store).map(|store| store + at) else { continue };
            let (right, wrong) = (self.before(touches, store), touches[store].value);
            if right != wrong {
                return Ok(self.build_witness(Way::LateRead, &Touch { by: reader, ..touches[store] }, right, wrong));
            }
            same = same.or(Some(right));
        }
        Err(same.map_or(NoWitness::NotReached, NoWitness::SameValue))
    }
}
