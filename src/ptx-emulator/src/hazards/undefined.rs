//! Undefined behaviour apart from races: what was found, and the rules that follow from happens-before.
//!
//! - The initialisation of an `mbarrier` must be ordered before each use by another thread.
//! - A block's shared memory exists until its last thread ends. So another block's access must be ordered before the end of a
//!   thread of the owner. A wait at the cluster's barrier orders both, even after a `.relaxed` arrival: the barrier completes
//!   only after the arrival, and accesses precede it.

use super::clock::{Agent, lanes};
use super::found::Findings;
use super::{Hazards, WARPS};
use crate::memory::SLOT_BITS;
use crate::probes::Object;
use crate::program::{NONE, Op, Program};
use crate::report::Dim3;
use crate::undefined::{Rule, Undefined};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of places to report.
const MAX_FOUND: usize = 1 << 12;

/// An example at a place, and the number of times.
#[derive(Debug, Clone)]
struct Found {
    /// Index of the instruction.
    at: usize,
    /// Warp, lane and block, if the example is one thread's.
    whose: Option<(u32, u32, u64)>,
    detail: String,
    occurrences: u64,
}

/// What was found, by rule and source line.
#[derive(Debug, Default)]
pub(super) struct Undefineds(BTreeMap<(Rule, u32), Found>);

impl Undefineds {
    fn add(&mut self, key: (Rule, u32), found: Found) {
        let full = self.0.len() >= MAX_FOUND;
        match self.0.get_mut(&key) {
            Some(known) => {
                let (block, occurrences) = (known.whose.map(|whose| whose.2), known.occurrences + found.occurrences);
                if found.whose.map(|whose| whose.2) < block {
                    *known = found;
                }
                known.occurrences = occurrences;
            }
            None if full => {}
            None => _ = self.0.insert(key, found),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(key, found)| self.add(*key, found.clone()));
    }

    /// Returns what was found in blocks up to `last`.
    fn report(
        &self,
        program: &Program,
        grid: Dim3,
        last: Option<u64>,
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Undefined> {
        let [gx, gy, _] = grid.map(u64::from);
        let index = |block: u64| [block % gx, block / gx % gy, block / (gx * gy)].map(|n| n as u32);
        let within = |found: &Found| found.whose.is_none_or(|whose| last.is_none_or(|last| whose.2 <= last));
        let mut all: Vec<Undefined> = (self.0.iter().filter(|(_, found)| within(found)))
            .map(|((rule, _), found)| Undefined {
                rule: *rule,
                severity: rule.severity(),
                message: rule.sentence(&found.detail),
                clause: rule.clause().to_owned(),
                place: program.notes.get(found.at).and_then(|note| program.place(note.place)).unwrap_or_default(),
                thread: found.whose.map(|(warp, lane, _)| thread(warp, lane)),
                block: found.whose.map(|whose| index(whose.2)),
                occurrences: found.occurrences,
            })
            .collect();
        all.sort_by_key(|undefined| undefined.severity);
        all
    }
}

/// A thread's event: its warp in the cluster, its lane and its moment; the number of the phase of the cluster's barrier
/// before whose completion it happened; and the instruction.
#[derive(Debug, Clone, Copy)]
struct Event {
    agent: Agent,
    lane: u8,
    moment: u32,
    phase: u32,
    at: usize,
}

/// What the rules need to know of the running cluster.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// The initialisation of each `mbarrier`.
    inits: HashMap<Object, Event>,
    /// Each thread's last access to the shared memory of another block, by the owner's rank, and per instruction.
    remote: HashMap<(u32, Agent, u8, usize), Event>,
    /// By warp: how often each lane has arrived at the cluster's barrier. By rank: the last phase for which a thread waited.
    arrivals: HashMap<Agent, [u32; 32]>,
    waits: HashMap<u32, u32>,
    phase: u32,
    /// By warp of the running block, the instruction of the barrier at which it waits.
    barriers: [usize; WARPS],
    /// By block of the program: the warps of each rank that have reached it. Only for blocks after a barrier.
    reached: HashMap<(u32, u32), u32>,
}

impl Rules {
    pub(super) fn start(&mut self) {
        *self = Self::default();
    }
}

impl Hazards {
    /// Keeps undefined behaviour of one thread of the running block.
    pub(super) fn undefined(&mut self, rule: Rule, at: usize, warp: u32, lane: u32, detail: &dyn Fn() -> String) {
        let key = (rule, self.finds.line_of(at));
        let whose = Some((warp, lane, self.blocks[self.rank as usize]));
        let known = self.undefineds.0.contains_key(&key);
        let detail = if known { String::new() } else { detail() };
        match self.undefineds.0.get_mut(&key) {
            Some(known) => known.occurrences += 1,
            None => self.undefineds.add(key, Found { at, whose, detail, occurrences: 1 }),
        }
    }

    pub(crate) fn report_undefined(
        &mut self,
        program: &Program,
        grid: Dim3,
        buffers: &[String],
        last: Option<u64>,
        executed: impl Fn(u32) -> u64,
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Undefined> {
        let place = |at: usize| program.notes[at].place;
        for (access, address, occurrences) in self.global.iter().flat_map(|global| global.written_read_only()) {
            let loads = |at: &usize| program.code[*at].op.accesses() && program.code[*at].x == access;
            let Some(at) = (0..program.code.len()).find(loads) else { continue };
            let buffer = buffers.get((address >> SLOT_BITS) as usize - 1).map_or("", String::as_str);
            let detail = format!("byte {} of buffer `{buffer}`", address & ((1 << SLOT_BITS) - 1));
            let found = Found { at, whose: None, detail, occurrences };
            self.undefineds.add((Rule::WrittenReadOnly, self.finds.line_of(at)), found);
        }
        for (wanted, block) in program.active_masks.iter().filter(|(_, block)| executed(*block) != 0) {
            let Some(at) = (0..program.code.len()).find(|at| place(*at) == *wanted) else { continue };
            let detail = "and lanes of a branch do not have to run together".to_owned();
            let found = Found { at, whose: None, detail, occurrences: executed(*block) };
            self.undefineds.add((Rule::ActiveMask, self.finds.line_of(at)), found);
        }
        self.undefineds.report(program, grid, last, thread)
    }

    /// Returns a new event of a thread of the running block.
    fn event(&mut self, at: usize, warp: u32, lane: u32) -> Option<Event> {
        let agent = (self.first + warp as usize) as Agent;
        let threads = self.threads.get_mut(usize::from(agent))?;
        threads.moment = threads.moment.saturating_add(1);
        let phase = self.rules.arrivals.get(&agent).map_or(0, |all| all[lane as usize & 31]) + 1;
        Some(Event { agent, lane: lane as u8, moment: threads.moment, phase, at })
    }

    /// Keeps an access to the shared memory of the block with this rank.
    pub(super) fn remote_use(&mut self, rank: u32, at: usize, warp: u32, mask: u32) {
        for lane in lanes(if rank == self.rank { 0 } else { mask }) {
            if let Some(event) = self.event(at, warp, lane as u32) {
                self.rules.remote.insert((rank, event.agent, event.lane, at), event);
            }
        }
    }

    /// Handles an arrival at the barrier of the cluster, a completed phase, or a wait.
    pub(super) fn cluster_arrive(&mut self, warp: u32, mask: u32) {
        let all = self.rules.arrivals.entry((self.first + warp as usize) as Agent).or_default();
        lanes(mask).for_each(|lane| all[lane] += 1);
    }

    pub(super) fn cluster_phase(&mut self, number: u32) {
        self.rules.phase = number;
    }

    pub(super) fn cluster_wait(&mut self) {
        self.rules.waits.insert(self.rank, self.rules.phase);
    }

    /// Checks, after the cluster has ended, that each access to this block's shared memory is ordered before the block's end.
    pub(super) fn check_exit(&mut self, rank: u32) {
        let own = rank as usize * self.warps..(rank as usize + 1) * self.warps;
        let waited = self.rules.waits.get(&rank).copied().unwrap_or(0);
        let ended = self.threads.get(own.clone()).is_some_and(|own| own.iter().all(|warp| warp.live == 0));
        let mut late: Vec<Event> = Vec::new();
        for event in self.rules.remote.iter().filter(|((of, ..), _)| *of == rank && ended).map(|(_, event)| *event) {
            let knows =
                |warp: &super::warp::Warp| (0..32).any(|lane| warp.knows(lane, event.agent, event.lane, event.moment));
            if waited < event.phase && !self.threads[own.clone()].iter().any(knows) {
                late.push(event);
            }
        }
        late.sort_unstable_by_key(|event| (event.at, event.agent, event.lane));
        let current = self.rank;
        for Event { agent, lane, at, .. } in late {
            self.rank = self.rank_of(agent);
            let warp = u32::from(agent) % self.warps.max(1) as u32;
            self.undefined(Rule::ClusterExit, at, warp, lane.into(), &|| format!("{rank} of its cluster"));
        }
        self.rank = current;
    }

    /// Keeps the initialisation of an `mbarrier` of the running block.
    pub(super) fn init(&mut self, at: usize, warp: u32, lane: u32, address: u32) {
        if let Some(event) = self.event(at, warp, lane) {
            self.rules.inits.insert((self.rank, address), event);
        }
    }

    /// Checks that the initialisation of an `mbarrier` is ordered before its use by a thread of the running block.
    pub(super) fn mbarrier_used(&mut self, program: &Program, at: usize, warp: u32, lane: u32, object: Object) {
        let Some(Event { agent, lane: by, moment, phase, at: init }) = self.rules.inits.get(&object).copied() else {
            return;
        };
        let user = self.first + warp as usize;
        let known = (usize::from(agent), u32::from(by)) == (user, lane)
            || self.threads.get(user).is_none_or(|user| user.knows(lane as u8, agent, by, moment))
            || self.rules.waits.get(&self.rank).is_some_and(|waited| *waited >= phase);
        if !known {
            let place = program.notes.get(init).and_then(|note| program.place(note.place)).unwrap_or_default();
            let line = if place.line == 0 { place.ptx_line } else { place.line };
            let detail = || format!("its `mbarrier.init` in line {line}, which another thread executes");
            self.undefined(Rule::UnorderedInit, at, warp, lane, &detail);
        }
    }

    /// Keeps that a warp of the running block is in a basic block that follows a barrier.
    pub(super) fn reaches(&mut self, block: u32, warp: u32) {
        if self.after_barriers.get(block as usize).is_some_and(|after| *after) {
            *self.rules.reached.entry((self.rank, block)).or_default() |= 1 << (warp & 31);
        }
    }

    pub(super) fn waits_at(&mut self, at: usize, warp: u32) {
        self.rules.barriers[warp as usize & 31] = at;
    }

    /// Checks the warps that pass a barrier of the whole block: they must have waited at one place of the C++ source, and
    /// no other warp may have gone past it. PTX defines both, so a text without source lines is not checked.
    pub(super) fn check_barrier(&mut self, program: &Program, waiting: u32) {
        let of = |warp: usize| self.rules.barriers[warp & 31];
        let Some(first) = lanes(waiting).next().map(of) else { return };
        let counted = |at: usize| program.code.get(at).is_none_or(|inst| inst.operands.b != NONE);
        let spot = |at: usize| {
            let place = program.notes.get(at).and_then(|note| program.places.get(note.place as usize));
            place.map(|place| (place.line, place.column, place.file, place.called_at))
        };
        let Some(place) = spot(first).filter(|place| place.0 != 0 && !counted(first)) else { return };
        let apart = lanes(waiting).find(|warp| spot(of(*warp)).is_some_and(|other| other.0 != 0 && other != place));
        if let Some(warp) = apart {
            let (here, there) = (place.0, spot(of(warp)).map_or(0, |place| place.0));
            let detail = || format!("warp {} in line {here}, warp {warp} in line {there}", waiting.trailing_zeros());
            self.undefined(Rule::BarrierPlaces, of(warp), warp as u32, 0, &detail);
        }
        let after = program.code.get(first).map_or(0, |inst| inst.x);
        let reached = self.rules.reached.get(&(self.rank, after.wrapping_sub(1))).copied().unwrap_or(0);
        let ended = |warp: &usize| self.threads.get(self.first + warp).is_some_and(|warp| warp.live == 0);
        if let Some(warp) = lanes(reached & !waiting).find(ended) {
            let by = waiting.trailing_zeros() & 31;
            self.undefined(Rule::BarrierSkipped, first, by, 0, &|| format!("warp {warp}"));
        }
    }
}

/// Returns which basic blocks follow a barrier on each way.
pub(super) fn after_barriers(program: &Program) -> Vec<bool> {
    let mut all = vec![false; program.blocks.len()];
    for inst in program.code.iter().filter(|inst| matches!(inst.op, Op::Barrier(_)) && inst.x != 0) {
        if let Some(after) = all.get_mut(inst.x as usize - 1) {
            *after = true;
        }
    }
    all
}

impl Findings {
    /// Returns the representative of an instruction's source line.
    fn line_of(&self, at: usize) -> u32 {
        self.lines.get(at).copied().unwrap_or(0)
    }
}
