/*! Finds hazards by happens-before: in the shared memory of a block or cluster, and in global memory.

Two accesses to the same byte conflict if one of them is a write and nothing orders them. The following orders them:

- **Program order** of a thread.
- **Barriers of the block**, all sixteen, with or without a thread count, for the participating warps. A warp that
  arrives publishes what it knows. A warp that passes learns what the others published. Threads that have ended count
  as arrived at a barrier without a thread count. A barrier that all warps pass starts a new *interval*, and earlier
  accesses are discarded. In clusters they are kept, because the barrier does not order other blocks.
- **`bar.warp.sync`**, for the participating lanes. Lanes of a warp that do not meet there are treated like independent
  threads. Shuffles, votes, matches, reductions, elections and tensor instructions wait for lanes, but PTX does not let
  them order memory. Devices before `sm_70` run the lanes in step, so for these targets they do.
- **The barrier of the cluster**, for all its threads. If arrivals are `.relaxed`, it passes on only what fences
  released.
- **A release that an acquire observes.** The release is `st.release`, or a fence before an atomic or a `volatile` or
  `relaxed` store. The acquire reads the same address: it is `ld.acquire`, an acquiring atomic, or any atomic or
  strong load with a fence after it. A barrier may separate a fence from its store, or a load from its fence. Each
  reaches as far as its scope, so a release to the block publishes nothing to another block.
- **Phases of an `mbarrier`**, for threads of any block that arrive and wait.
- **For asynchronous copies, only waiting.** Until a thread has waited for a copy, each of its accesses to the copied
  bytes conflicts, even in the issuing thread. The asynchronous proxy sees generic writes only after
  `fence.proxy.async`.

Atomics and other strong accesses do not conflict with each other if their scopes include each other's thread, and neither
do asynchronous reductions. Some conflicts have a severity of their own ([`HazardSeverity`](crate::HazardSeverity)): within
a warp, with only the fence after a signal missing, between writes of the same value, and between `volatile` accesses.

PTX makes `volatile` accesses strong, so two of them do not race. In CUDA C++, `volatile` gives threads no order (CUDA C++
Programming Guide, *Volatile Qualifier*), so what unordered ones exchange is undetermined. They are reported unless one of
them waits, or both are sides of a signal next to fences. `lower::roles` derives that from the code. A `volatile` store of
data and an unordered atomic leave undetermined which value remains, so they are reported, too.

A cell is the size of the kernel's smallest shared access (1, 2 or 4 bytes), so that neighbouring bytes are never
confused. For each cell, the detector keeps the last write and the last read *of each warp of the block*. For lanes
that have diverged it keeps each lane's last read. For warps of other blocks it keeps the reads that a later one does
not know. The memory needed is proportional to the shared memory times the warps per block, however long the kernel
runs. In global memory, the cell is the smallest global access, and only buffers that the kernel may write have cells. See
`global` and `blocks`.

One execution of an access may conflict with one earlier execution in many cells. These count as one occurrence. The
detector checks the first cell in full. For the others, comparing two numbers shows that they add nothing; for
consecutive cells, eight are compared at once.

| file | contents |
|---|---|
| `clock`, `warp` | what threads know of each other |
| `shadow` | the last accesses of each cell |
| `deferred` | reads that are not in the shadow yet |
| `shared`, `remote` | checks of accesses to the block's shared memory, and to another block's |
| `order` | decides whether a pair is RAW or WAR |
| `sync` | fences, strong accesses, `mbarrier`s |
| `async_copy` | asynchronous accesses |
| `blocks` | happens-before in global memory: within a block or cluster, and between those that can communicate |
| `granules` | the shadow of global memory for that |
| `global` | which buffers are watched; conflicts between clusters that cannot communicate |
| `launches` | conflicts with earlier launches that a launch may overlap |
| `registers` | registers that are used while a `wgmma` is in flight |
| `undefined` | undefined behaviour that is not a race |
| `values` | follows undefined values through registers and shared memory |
| `found` | the hazards found, merged over workers, and their report |

# Sources

Conflicts and orders follow chapter 8 of the PTX ISA, *Memory Consistency Model* (section numbers of PTX 8.x):

- conflicts and data races: 8.7.1; scopes: 8.5; the asynchronous proxy: 8.6
- strong and morally strong accesses: 8.4 and 8.7
- release and acquire patterns: 8.8; barriers and *synchronizes-with*: 8.9.4
- observation order: 8.9.2. The rule for the last block in `blocks` is part of it.
- causality order: 8.9.5

Lustig, Sahasrabuddhe and Giroux define it formally in *A Formal Analysis of the NVIDIA PTX Memory Consistency Model*
(ASPLOS 2019).

The vector clocks and the last accesses per location come from Flanagan and Freund, *FastTrack: Efficient and Precise
Dynamic Race Detection* (PLDI 2009). Lanes of a warp, warps and blocks are ordered by different mechanisms, and a
clock does not need an entry per thread: see Eizenberg, Peng, Pigli, Mansky and Devietti, *BARRACUDA: Binary-level
Analysis of Runtime RAces in CUDA programs* (PLDI 2017). Scoped atomics and diverged threads of a warp are treated in
Kamath and Basu, *iGUARD: In-GPU Advanced Race Detection* (SOSP 2021). There are two differences. This detector keeps
several reads and writes of a location where one would not be enough, so it misses no pair in the given run. And each
pair can be run in both orders (`witness`).

# Limits

The detector reports conflicts of the given run. If the order of atomics varies, another run may order other accesses. A
seeded schedule varies the order of blocks, and lets them meet between atomics (`machine::resident`), but tries few orders.
In shared memory, it does not look for strong accesses of different sizes to one location (8.7.2). `malloc` returns
memory without earlier accesses, and `free` is not an access. A write to global memory replaces all earlier writes of
its granule, so that one racy write hides another one behind it. If an access conflicts with hundreds of earlier ones,
not all of them count as occurrences.

Intervals, moments and executions are counted in 32 bits. A block that needs more is refused; the counts never wrap.
*/

mod async_copy;
mod blocks;
mod clock;
mod deferred;
mod found;
mod global;
mod granules;
mod launches;
mod order;
mod probe;
mod registers;
mod remote;
mod shadow;
mod shared;
mod sync;
mod undefined;
mod values;
mod warp;

pub(crate) use global::{Blocks, ByteBudget};
pub(crate) use launches::Footprint;
pub use launches::Stream;
pub(crate) use probe::CountsAndHazards;
pub(crate) use registers::early;
pub(crate) use values::Flow;

use super::Dim3;
use super::arch::Role;
use super::program::Program;
use super::report::Hazard;
use crate::probes::Engine;
use clock::Agent;
use deferred::Deferred;
use found::{Findings, Nature};
use order::Runs;
use shadow::{MAX_ACCESSES, Shadow};
use shared::Checked;
use std::sync::Arc;
use warp::{Message, Warp};

/// Maximum number of warps per block.
const WARPS: usize = 32;
/// The interval of a cell that an asynchronous access has written.
const FLIGHT: u32 = u32::MAX;

/// Finds hazards in the clusters that one worker runs. A block without a cluster counts as a cluster.
#[derive(Debug)]
pub(crate) struct Hazards {
    shift: u32,
    /// Warps per block, and blocks per cluster.
    warps: usize,
    size: usize,
    /// The running block: its rank in the cluster, and the number of its first warp.
    rank: u32,
    first: usize,
    /// The shadow of that block's shared memory, and those of the others. `parked[rank]` is empty.
    shadow: Shadow,
    parked: Vec<Shadow>,
    /// Reads that are not in the shadow yet, for blocks without a cluster.
    deferred: Deferred,
    threads: Vec<Warp>,
    /// What was published at each barrier, 16 per block.
    published: Vec<Message>,
    sync: sync::Sync,
    engines: Vec<EngineState>,
    runs: Vec<Runs>,
    accesses: usize,
    /// By warp: the earlier accesses against which the current access does not have to be checked again.
    judged: Vec<Checked>,
    /// True if the current access has one cell per lane.
    narrow: bool,
    /// The warp whose access to global memory is being checked.
    issuer: Agent,
    /// True if the issuer's access reads through the asynchronous proxy.
    through_proxy: bool,
    /// What is special about the conflict that is being checked in shared memory.
    nature: Nature,
    /// The role of each access, if any is `volatile`. The flag is true while a `volatile` store is checked that stores the
    /// value of the last one.
    roles: Vec<Role>,
    same_volatile: bool,
    finds: Findings,
    undefineds: undefined::Undefineds,
    values: Option<values::Values>,
    rules: undefined::Rules,
    /// By basic block of the program, whether it follows a barrier on each way.
    after_barriers: Arc<[bool]>,
    /// Numbers of the cluster's blocks.
    blocks: Vec<u64>,
    /// True if a counter has reached its end.
    exhausted: bool,
    global: Option<Arc<Blocks>>,
    dependency: launches::Dependency,
}

/// An engine of the block with this rank, the warp that it last worked for, and its latest number.
#[derive(Debug, Clone, Copy)]
struct EngineState {
    rank: u32,
    engine: Engine,
    warp: Agent,
    latest: u32,
}

impl Hazards {
    /// Creates a detector for the shared memory of clusters of this size, and for global memory if a shadow is given.
    pub(crate) fn new(program: &Program, size: u32, blocks: Option<&Arc<Blocks>>) -> Self {
        Self {
            shift: program.shared_granule.trailing_zeros(),
            warps: 0,
            size: size.max(1) as usize,
            rank: 0,
            first: 0,
            shadow: Shadow::default(),
            parked: (0..size.max(1)).map(|_| Shadow::default()).collect(),
            deferred: Deferred::new(program),
            threads: Vec::new(),
            published: vec![Message::default(); 16 * size.max(1) as usize],
            sync: sync::Sync::default(),
            engines: Vec::new(),
            runs: Vec::new(),
            accesses: program.accesses.len(),
            judged: Vec::new(),
            narrow: false,
            issuer: 0,
            through_proxy: false,
            nature: Nature::Usual,
            roles: match program.accesses.iter().any(|access| access.order.role != Role::Other) {
                true => program.accesses.iter().map(|access| access.order.role).collect(),
                false => Vec::new(),
            },
            same_volatile: false,
            finds: Findings::new(program).after(blocks),
            undefineds: undefined::Undefineds::default(),
            values: None,
            rules: undefined::Rules::default(),
            after_barriers: undefined::after_barriers(program).into(),
            blocks: vec![0; size.max(1) as usize],
            exhausted: program.accesses.len() >= MAX_ACCESSES / 2,
            global: blocks.cloned(),
            dependency: launches::Dependency::default(),
        }
    }

    /// Follows undefined values too, if `flow` is given.
    fn following(mut self, flow: Option<&Arc<values::Flow>>) -> Self {
        self.values = flow.map(|flow| values::Values::new(flow, self.size as u32));
        self
    }

    /// Merges the hazards of another worker.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.finds.merge(&other.finds);
        self.undefineds.merge(&other.undefineds);
    }

    /// Returns the hazards, limited to blocks up to `last` if given. `buffers` are the buffers' names. `thread`
    /// returns the thread index of a warp's lane.
    pub(crate) fn report(
        &mut self,
        program: &Program,
        grid: Dim3,
        buffers: &[String],
        last: Option<u64>,
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Hazard> {
        if let Some(global) = self.global.as_ref().filter(|global| !global.ordered) {
            global.finish(&mut self.finds);
        }
        self.finds.report(program, grid, buffers, last, thread)
    }

    /// Switches to the block with this rank.
    fn turn(&mut self, rank: u32) {
        if rank != self.rank && (rank as usize) < self.parked.len() {
            self.visit(self.rank);
            self.visit(rank);
            self.rank = rank;
            self.first = rank as usize * self.warps;
        }
    }

    /// Swaps the current shadow with that of the block with this rank. Call it again to swap back.
    fn visit(&mut self, rank: u32) {
        if let Some(parked) = self.parked.get_mut(rank as usize) {
            std::mem::swap(&mut self.shadow, parked);
        }
    }

    fn start(&mut self, threads: u32, shared_bytes: u64, block: u64) {
        let cells = (shared_bytes >> self.shift) as usize + 1;
        let warps = (threads as usize).div_ceil(32).min(WARPS);
        if self.rank == 0 {
            self.begin_cluster(warps);
        }
        self.blocks[self.rank as usize] = block;
        self.first = self.rank as usize * warps;
        for (w, warp) in self.threads.iter_mut().skip(self.first).take(warps).enumerate() {
            let count = (threads - 32 * w as u32).min(32);
            *warp = Warp::start(u32::MAX >> (32 - count), warp.moment);
        }
        self.deferred.start(cells);
        let moments = self.threads[self.first..self.first + warps].iter().map(|warp| warp.moment);
        if !self.shadow.start(cells, self.first, moments) {
            self.exhausted = true;
        }
    }

    /// Starts the first block of a cluster.
    fn begin_cluster(&mut self, warps: usize) {
        let all = warps * self.size;
        let used = self.threads.iter().any(|warp| warp.moment > u32::MAX / 2);
        if self.threads.len() != all || used {
            self.threads = vec![Warp::default(); all];
            self.judged = vec![Checked::default(); all];
            self.shadow = Shadow::default();
            self.parked.iter_mut().for_each(|shadow| *shadow = Shadow::default());
        }
        self.warps = warps;
        self.published.iter_mut().for_each(Message::clear);
        self.engines.clear();
        self.sync.start();
        self.rules.start();
        self.dependency = launches::Dependency::default();
        self.runs.clear();
        self.runs.resize(self.accesses * all, Runs::default());
    }

    /// Returns the cluster's number, which is that of its first block.
    fn cluster(&self) -> u64 {
        self.blocks[0]
    }

    fn is_warp(&self, agent: Agent) -> bool {
        usize::from(agent) < self.threads.len()
    }

    /// Returns the rank of the block to which a warp or engine belongs.
    fn rank_of(&self, agent: Agent) -> u32 {
        match usize::from(agent).checked_sub(self.threads.len()) {
            None => (usize::from(agent) / self.warps.max(1)) as u32,
            Some(engine) => self.engines.get(engine).map_or(0, |worked| worked.rank),
        }
    }

    /// Starts a new interval, after all warps of the block have passed a barrier. In clusters nothing may be
    /// discarded, because the barrier does not order other blocks.
    fn next_interval(&mut self) {
        if self.size > 1 {
            return;
        }
        self.deferred.next_interval();
        self.retire_flights();
        if !self.shadow.next_interval(self.threads.iter().map(|warp| warp.moment)) {
            self.exhausted = true;
        }
    }

    fn arrive(&mut self, warp: u32, number: usize) {
        let warp = self.first + warp as usize;
        if let Some(threads) = self.threads.get_mut(warp) {
            threads.sync(warp as Agent, u32::MAX);
            let published = &mut self.published[16 * self.rank as usize + (number & 15)];
            threads.publish(warp as Agent, u32::MAX, published);
        }
    }

    fn release(&mut self, number: usize, waiting: u32, all: bool) {
        let at = 16 * self.rank as usize + (number & 15);
        let mut published = std::mem::take(&mut self.published[at]);
        if all {
            // No warp waits for threads that have ended, because their end counts as an arrival.
            for (warp, threads) in self.threads.iter_mut().enumerate().skip(self.first).take(self.warps) {
                if threads.live == 0 {
                    threads.sync(warp as Agent, u32::MAX);
                    threads.publish(warp as Agent, u32::MAX, &mut published);
                }
            }
        }
        for warp in clock::lanes(waiting) {
            if let Some(threads) = self.threads.get_mut(self.first + warp) {
                threads.receive(u32::MAX, &published);
            }
        }
        published.clear();
        self.published[at] = published;
        if all {
            self.next_interval();
        }
    }

    fn warp_sync(&mut self, warp: u32, mask: u32) {
        let warp = self.first + warp as usize;
        if let Some(threads) = self.threads.get_mut(warp) {
            threads.sync(warp as Agent, mask);
        }
    }

    fn exits(&mut self, warp: u32, mask: u32) {
        if let Some(threads) = self.threads.get_mut(self.first + warp as usize) {
            threads.live &= !mask;
        }
    }

    fn refuses(&self) -> Option<&'static str> {
        match &self.global {
            Some(global) if global.is_full() => {
                Some("needs more memory to find hazards than it may take: allow more, or take a smaller problem")
            }
            _ if self.exhausted => {
                Some("does more than hazards can be told apart for: run it without them, or with a smaller problem")
            }
            _ => None,
        }
    }
}
