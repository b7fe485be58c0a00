//! One SM, simulated: its warps, schedulers, pipes, data pipe, and its share of L2 and memory.
//!
//! Each scheduler starts at most one instruction per cycle, of a warp whose operands have arrived. It continues with the
//! warp that it served last, else with the oldest. Cycles in which no warp can start are skipped.
//!
//! An instruction for 32 lanes occupies a pipe of 16 lanes for two cycles. Single-precision arithmetic has two such
//! pipes, integer multiply-adds one of these, and other integer operations a third; additions may use either.
//! All loads and stores go through the data pipe of L1, which takes one wavefront or one line per cycle.

mod account;
mod memory;
mod waits;

use super::Refusal;
use super::device::Gpu;
use super::l1::L1;
use super::parts::{Constraint, Stall, Unit};
use super::region::{Regions, Value};
use super::text::Kind;
use super::timeline::{Recorder, Timeline};
use super::trace::{Mark, Trace};
use std::collections::VecDeque;
use waits::{BRANCH, PREDICATE, Phases, phases};

pub(crate) const SCHEDULERS: usize = 4;
/// Cycles of work that may wait before the data pipe, and before L2, until warps must wait to add to it.
const QUEUE: f64 = 32.0;
const L2_QUEUE: f64 = 800.0;
/// More cycles of latency for each further wavefront or line of a load (`scripts/gpu/latency`, rates of one warp).
const PER_WAVEFRONT: f64 = 2.0;
/// Cycles that a barrier takes for each warp of the block, from the same measurement.
const BARRIER_PER_WARP: f64 = 2.0;
/// Cycles between the starts of two blocks on an SM: launches of empty blocks (`scripts/gpu/latency`).
const BETWEEN_BLOCKS: f64 = 154.0;
/// Latency and rate of a division of 32-bit and of 64-bit integers (`scripts/gpu/latency`).
const DIVIDE: [(u64, f64); 2] = [(59, 12.0), (302, 115.0)];
/// The timeline begins after this part (1/n) of the events, when all warps still run. The second number is the cycles per
/// letter. With `wgmma`, a tile takes a thousand cycles, and the ring of tiles is full only later.
const TIMELINE: [(u64, f64); 2] = [(25, 1.0), (3, 16.0)];
/// Number of events between two checks whether the simulation should stop.
const LOOK: u64 = 1 << 14;

/// What a simulation found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Cycles for the whole paths, with what was not simulated.
    pub(crate) cycles: f64,
    /// Cycles of warps by stall.
    pub(crate) stalls: [f64; Stall::ALL.len()],
    pub(crate) l2_bytes: f64,
    /// Cycles for which each unit works, in the order of [`Unit::ALL`]: no schedule is shorter.
    pub(crate) work: [f64; Unit::ALL.len()],
    /// Some cycles soon after the start.
    pub(crate) timeline: Option<Timeline>,
}

/// What happens around the SM.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) l1_bytes: u64,
    /// Share of the sectors from L2 that memory must deliver first.
    pub(crate) cold: f64,
    /// Buffers that all SMs read together, as bits. Nobody overtakes the one whose requests memory answers.
    pub(crate) swept: u64,
    /// Bytes per cycle of stores to L2, and of bulk copies from there.
    pub(crate) stores: f64,
    pub(crate) bulk: f64,
    pub(crate) without: Option<Constraint>,
}

type Time = (f64, Stall);

struct Warp {
    block: usize,
    /// Path: position in the stream, and node of the region, with its kind.
    region: usize,
    node: usize,
    kind: Kind,
    /// When each node's result arrives, and each register's from before the region.
    done: Vec<Time>,
    registers: Vec<Time>,
    /// Groups of copies in flight, and copies since the last group.
    groups: VecDeque<f64>,
    copies: f64,
    products: VecDeque<f64>,
    product: f64,
    /// First cycle after its last instruction, and first cycle in which the next can start, with the reason.
    free: f64,
    next: Time,
    blocked: Stall,
    /// Since when that is the reason.
    since: f64,
    /// Until when it cannot start although its operands are there, with the reason. No unit is free before.
    refused: Time,
    finished: bool,
}

#[derive(Default)]
struct Block {
    warps: usize,
    /// By the number of the barrier: how many warps must come, and those that have.
    arrived: Vec<(u32, usize, Vec<usize>)>,
}

struct Machine<'a> {
    gpu: &'a Gpu,
    regions: &'a Regions,
    trace: &'a Trace<'a>,
    around: Surroundings,
    warps: Vec<Warp>,
    /// Block and warp of each warp in the trace.
    origin: Vec<(usize, usize)>,
    blocks: Vec<Block>,
    /// Warps that have not finished.
    alive: usize,
    /// True if a barrier has let warps go since the schedulers looked at all of theirs.
    released: bool,
    /// When each scheduler can start the next instruction, and the part of a cycle that operands have cost so far.
    ready: [f64; SCHEDULERS],
    conflicts: [f64; SCHEDULERS],
    /// When each scheduler's pipes are free: both single-precision ones, integer, double, special, tensor.
    pipes: [[f64; 6]; SCHEDULERS],
    phases: Phases,
    unit: f64,
    l2: f64,
    memory: f64,
    cold: f64,
    l1: L1,
    l2_bytes: f64,
    /// Cycles for which the way to L2 worked.
    l2_work: f64,
    memory_bytes: f64,
    stalls: [f64; Stall::ALL.len()],
    /// Cycles for which all schedulers, all pipes, and the data pipe worked.
    issued: f64,
    worked: [f64; 6],
    accessed: f64,
    recorder: Recorder,
    /// Events of the regions that warps have left, and when some shares of all had been.
    progress: u64,
}

/// Simulates blocks of a trace on one SM, until `stop` says so.
pub(crate) fn simulate(
    gpu: &Gpu,
    regions: &Regions,
    trace: &Trace<'_>,
    resident: &[usize],
    around: Surroundings,
    stop: &dyn Fn() -> bool,
) -> Result<Found, Refusal> {
    let mut machine = Machine::new(gpu, regions, trace, resident, around);
    let (mut executed, mut recorded) = (0, 0);
    for path in resident.iter().flat_map(|block| &trace.paths[*block]) {
        executed += path.executed;
        recorded += path.events.len().min(regions.limit) as u64;
    }
    let marks = [recorded * 2 / 5, recorded * 4 / 5];
    let slow = trace.text.code.iter().any(|one| matches!(one.kind, Kind::Wgmma(_)));
    let (early, step) = TIMELINE[usize::from(slow)];
    let mut passed = [0.0; 2];
    let (mut now, mut looks) = (0.0f64, 0u64);
    let mut last = [0usize; SCHEDULERS];
    // When a scheduler that could start nothing has to look at its warps again.
    let mut idle = [0.0; SCHEDULERS];
    let mine: Vec<Vec<usize>> =
        (0..SCHEDULERS).map(|own| (own..machine.warps.len()).step_by(SCHEDULERS).collect()).collect();
    loop {
        let (mut issued, mut soonest) = (false, f64::MAX);
        if std::mem::take(&mut machine.released) {
            idle = [0.0; SCHEDULERS];
        }
        for (scheduler, mine) in mine.iter().enumerate() {
            let busy = machine.ready[scheduler].max(idle[scheduler]);
            if busy > now {
                soonest = soonest.min(busy);
                continue;
            }
            let mut own = f64::MAX;
            let first = last[scheduler];
            let mut done = false;
            for warp in std::iter::once(first).chain(mine.iter().copied().filter(|warp| *warp != first)) {
                let Some(one) = machine.warps.get(warp).filter(|one| !one.finished && warp % SCHEDULERS == scheduler)
                else {
                    continue;
                };
                if one.next.0 > now {
                    own = own.min(one.next.0);
                } else if done {
                    machine.block(warp, now, Stall::NotSelected);
                } else if one.refused.0 > now {
                    own = own.min(one.refused.0);
                    let stall = one.refused.1;
                    machine.block(warp, now, stall);
                } else {
                    match machine.start(warp, scheduler, now) {
                        Ok(()) => {
                            last[scheduler] = warp;
                            done = true;
                        }
                        Err((until, stall)) => {
                            own = own.min(until);
                            machine.warps[warp].refused = (until, stall);
                            machine.block(warp, now, stall);
                        }
                    }
                }
            }
            issued |= done;
            soonest = soonest.min(own);
            idle[scheduler] = if done { 0.0 } else { own };
        }
        if machine.progress >= recorded / early {
            machine.recorder.begin(now, step);
        }
        for (mark, passed) in marks.iter().zip(&mut passed) {
            if *passed == 0.0 && machine.progress >= *mark {
                *passed = now;
            }
        }
        looks += 1;
        if looks.is_multiple_of(LOOK) && stop() {
            return Err(Refusal::Cancelled);
        }
        now = if issued { now + 1.0 } else { soonest.ceil().max(now + 1.0) };
        if now >= f64::MAX / 2.0 || machine.alive == 0 {
            break;
        }
    }
    if machine.progress < marks[1] {
        return Err(Refusal::Stuck);
    }
    let end = machine.warps.iter().map(|warp| warp.free).fold(0.0, f64::max);
    let rest = executed as f64 - 0.8 * recorded as f64;
    let cycles = match executed > recorded {
        true => passed[1] + rest / (0.4 * recorded as f64) * (passed[1] - passed[0]),
        false => end,
    };
    let more = executed as f64 / recorded.max(1) as f64;
    let warps = machine.warps.iter().zip(&machine.origin).enumerate();
    let warps = warps.map(|(index, (warp, (_, number)))| (warp.block, *number, index % SCHEDULERS));
    let timeline = std::mem::take(&mut machine.recorder).timeline(warps);
    let work = machine.work().map(|work| work * more);
    Ok(Found { cycles, stalls: machine.stalls, l2_bytes: machine.l2_bytes * more, work, timeline })
}

impl<'a> Machine<'a> {
    fn new(gpu: &'a Gpu, regions: &'a Regions, trace: &'a Trace<'a>, resident: &[usize], around: Surroundings) -> Self {
        let mut found = Self {
            gpu,
            regions,
            trace,
            around,
            warps: Vec::new(),
            origin: Vec::new(),
            blocks: Vec::new(),
            alive: 0,
            released: false,
            ready: [0.0; SCHEDULERS],
            conflicts: [0.0; SCHEDULERS],
            pipes: [[0.0; 6]; SCHEDULERS],
            phases: phases(regions, trace, resident),
            unit: 0.0,
            l2: 0.0,
            memory: 0.0,
            cold: 0.0,
            l1: L1::new(around.l1_bytes),
            l2_bytes: 0.0,
            l2_work: 0.0,
            memory_bytes: 0.0,
            stalls: [0.0; Stall::ALL.len()],
            issued: 0.0,
            worked: [0.0; 6],
            accessed: 0.0,
            recorder: Recorder::default(),
            progress: 0,
        };
        for (index, block) in resident.iter().enumerate() {
            let between = if around.without == Some(Constraint::BlockStarts) { 0.0 } else { BETWEEN_BLOCKS };
            let begin = index as f64 * between;
            let warps = regions.streams[*block].len();
            found.blocks.push(Block { warps, arrived: Vec::new() });
            for warp in 0..warps {
                found.origin.push((*block, warp));
                found.warps.push(Warp {
                    block: index,
                    region: 0,
                    node: 0,
                    kind: Kind::Free,
                    done: Vec::new(),
                    registers: vec![(0.0, Stall::Wait); regions.width],
                    groups: VecDeque::new(),
                    copies: 0.0,
                    products: VecDeque::new(),
                    product: 0.0,
                    free: begin,
                    next: (begin, Stall::Wait),
                    blocked: Stall::NotSelected,
                    since: begin,
                    refused: (0.0, Stall::Wait),
                    finished: false,
                });
            }
        }
        found.alive = found.warps.len();
        (0..found.warps.len()).for_each(|warp| found.prepare(warp));
        found
    }

    /// Finds out when the next instruction of a warp can start. Enters the next region if this one is over.
    fn prepare(&mut self, warp: usize) {
        let (block, of_block) = self.origin[warp];
        let regions = self.regions;
        let stream = &regions.streams[block][of_block];
        loop {
            let one = &mut self.warps[warp];
            let Some((id, _)) = stream.get(one.region).copied() else {
                one.finished = true;
                self.alive -= 1;
                let block = one.block;
                self.blocks[block].warps -= 1;
                self.release(block);
                return;
            };
            let region = &regions.all[id as usize];
            if one.node == 0 {
                one.done.clear();
                one.done.resize(region.nodes.len(), (0.0, Stall::Wait));
            }
            if let Some(node) = region.nodes.get(one.node) {
                one.kind = node.kind;
                let mut next = (one.free, Stall::Wait);
                let from_nodes = node.needs.iter().map(|need| one.done[*need as usize]);
                let from_before = node.registers.iter().map(|register| one.registers[*register as usize]);
                for arrival in from_nodes.chain(from_before) {
                    let late = if node.kind == Kind::Branch && arrival.1 == Stall::Wait { PREDICATE } else { 0.0 };
                    if arrival.0 + late > next.0 {
                        next = (arrival.0 + late, arrival.1);
                    }
                }
                if let Kind::Wait(allowed) = node.kind {
                    while one.groups.len() > usize::from(allowed) {
                        let group = one.groups.pop_front().unwrap_or(0.0);
                        if group > next.0 {
                            next = (group, Stall::LongScoreboard);
                        }
                    }
                }
                if let Kind::WaitProducts(allowed) = node.kind {
                    while one.products.len() > usize::from(allowed) {
                        let group = one.products.pop_front().unwrap_or(0.0);
                        if group > next.0 {
                            next = (group, Stall::Tensor);
                        }
                    }
                }
                one.next = next;
                (one.blocked, one.since) = (Stall::NotSelected, 0.0);
                if node.kind == Kind::Test {
                    self.wait_for_phase(warp);
                }
                return;
            }
            let arrival = |value: &Value| {
                let nodes = value.nodes.iter().map(|node| one.done[*node as usize]);
                let before = value.registers.iter().map(|register| one.registers[*register as usize]);
                nodes
                    .chain(before)
                    .fold((0.0, Stall::Wait), |latest, each| if each.0 > latest.0 { each } else { latest })
            };
            let left: Vec<(u32, Time)> =
                region.left.iter().map(|(register, value)| (*register, arrival(value))).collect();
            left.into_iter().for_each(|(register, time)| one.registers[register as usize] = time);
            let start = stream[one.region].1;
            one.region += 1;
            one.node = 0;
            let end = stream.get(one.region).map(|(_, start)| *start);
            let all = self.trace.paths[block][of_block].events.len().min(self.regions.limit) as u32;
            self.progress += u64::from(end.unwrap_or(all) - start);
        }
    }

    /// Starts the next instruction of a warp, or returns when to try again.
    fn start(&mut self, warp: usize, scheduler: usize, now: f64) -> Result<(), Time> {
        let (without, one) = (self.around.without, &self.warps[warp]);
        // Many warps wait until one of them can go on. So this comes before all that takes time to look up.
        let shared = one.kind.is_shared() && without != Some(Constraint::SharedMemory);
        let global = one.kind.is_global() && without != Some(Constraint::GlobalMemory);
        let stall = if shared { Stall::MioThrottle } else { Stall::LgThrottle };
        let until = [(self.unit - QUEUE, shared || global), (self.l2 - L2_QUEUE, global)];
        if let Some((until, _)) = until.into_iter().rfind(|(until, waits)| *waits && *until > now) {
            return Err((until, stall));
        }
        let (block, of_block) = self.origin[warp];
        let (id, first) = self.regions.streams[block][of_block][self.warps[warp].region];
        let regions = self.regions;
        let node = &regions.all[id as usize].nodes[self.warps[warp].node];
        let position = (first + node.event) as usize;
        let event = self.trace.paths[block][of_block].events[position];
        let (access, mark) = self.trace.of(event);
        let slots = f64::from(node.slots.max(1));
        let tensor = self.gpu.tensor.unwrap_or_default();
        let done = match node.kind {
            kind if kind.computes() || matches!(kind, Kind::Free | Kind::Mma(_)) => {
                let (choices, latency, interval): (&[usize], u64, f64) = match node.kind {
                    Kind::Divide { wide } => (&[2], DIVIDE[usize::from(wide)].0, DIVIDE[usize::from(wide)].1),
                    Kind::Mma(halves) => (&[5], tensor.mma_latency as u64, tensor.mma * f64::from(halves) / 2.0),
                    Kind::DoubleMma => (&[3], self.gpu.latency.double, self.gpu.double_mma()),
                    Kind::Float => (&[1, 0], self.gpu.latency.float, self.gpu.interval.float),
                    Kind::Multiply => (&[0], self.gpu.latency.multiply, self.gpu.interval.multiply),
                    Kind::Double => (&[3], self.gpu.latency.double, self.gpu.interval.double),
                    Kind::Special => (&[4], self.gpu.latency.special, self.gpu.interval.special),
                    _ => (&[2, 0], self.gpu.latency.integer, self.gpu.interval.integer),
                };
                let pipes = &mut self.pipes[scheduler];
                let best = choices.iter().copied().min_by(|a, b| pipes[*a].total_cmp(&pipes[*b])).unwrap_or(0);
                if without == Some(Constraint::Arithmetic) {
                    (now, Stall::Wait)
                } else if pipes[best] > now {
                    let until = pipes[best];
                    // The pipe for conversions takes its instructions from the queue of the data pipe.
                    let stall = if best == 4 { Stall::MioThrottle } else { Stall::MathPipeThrottle };
                    return Err((until, stall));
                } else {
                    pipes[best] = now + interval * slots;
                    self.worked[best] += interval * slots;
                    if best == 5 {
                        self.recorder.multiplies(now, now, now + interval * slots);
                    }
                    (now + latency as f64 + (slots - 1.0) * interval, Stall::Wait)
                }
            }
            kind if kind.is_shared() => {
                if without == Some(Constraint::SharedMemory) {
                    (now, Stall::ShortScoreboard)
                } else {
                    let wavefronts = node.passes(access, mark);
                    let start = self.enter(now, wavefronts);
                    let latency = self.gpu.latency.shared as f64 + PER_WAVEFRONT * (wavefronts - 1.0);
                    (start + latency, Stall::ShortScoreboard)
                }
            }
            kind if kind.is_global() => {
                if without == Some(Constraint::GlobalMemory) {
                    (now, Stall::LongScoreboard)
                } else {
                    let start = self.enter(now, node.passes(access, mark));
                    match node.kind {
                        Kind::Copy => {
                            let arrival = self.fetched(start, mark.sectors, self.gpu.l2_bytes_per_cycle);
                            self.warps[warp].copies = self.warps[warp].copies.max(arrival);
                            (now, Stall::LongScoreboard)
                        }
                        Kind::GlobalStore => {
                            self.sent(start, access.sectors.into(), access.lines.into());
                            (now, Stall::LongScoreboard)
                        }
                        _ => (self.loaded(start, access), Stall::LongScoreboard),
                    }
                }
            }
            Kind::Commit => {
                let one = &mut self.warps[warp];
                let copies = std::mem::take(&mut one.copies);
                one.groups.push_back(copies);
                (now, Stall::Wait)
            }
            Kind::Wgmma(_) | Kind::CommitProducts | Kind::Bulk { .. } | Kind::Arrive | Kind::Test => {
                self.asynchronous(warp, scheduler, now, node.kind, mark)
            }
            _ => (now, Stall::Wait),
        };
        let one = &mut self.warps[warp];
        one.done[one.node] = done;
        one.node += 1;
        let one = &self.trace.text.code[event.at as usize];
        self.account(warp, now, slots, (one.source, one.line));
        if node.kind == Kind::Float && node.needs.len() + node.registers.len() >= 3 {
            self.conflicts[scheduler] += self.gpu.operand_cycles;
        }
        let conflict = self.conflicts[scheduler].floor();
        self.conflicts[scheduler] -= conflict;
        self.ready[scheduler] = now + slots + conflict;
        self.warps[warp].free = now + if node.kind == Kind::Branch { BRANCH } else { slots };
        if let (Kind::Barrier(count), true) = (node.kind, without != Some(Constraint::Barriers)) {
            self.warps[warp].next = (f64::MAX, Stall::Barrier);
            self.arrive(warp, mark.barrier, count.into());
        } else {
            self.prepare(warp);
        }
        Ok(())
    }
}
