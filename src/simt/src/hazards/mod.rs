/*! Hazards in shared memory of a block or cluster, and in global memory between blocks, by happens-before.

Two accesses to the same byte, one of them a write, conflict if nothing orders them. What orders:

- a thread's own program;
- barriers of the block, all sixteen, with or without a thread count, for the warps that come to them: coming to one
  publishes what the warp knows, passing it takes in what the others published. Threads that have ended have come to a
  barrier without a thread count. A barrier that all warps pass starts a new *interval*: what was noted before it is forgotten, but in clusters, whose other blocks it does not order;
- `bar.warp.sync`, shuffles, votes, matches, reductions, elections and tensor instructions, for the lanes that take part.
  Lanes of a warp that do not meet there are threads like any others;
- the barrier of the cluster, for all its threads; where arrivals are `.relaxed` it hands on only what fences released;
- a release seen by an acquire: `st.release`, or a fence before an atomic or `volatile` or `relaxed` store, and then
  an acquire (`ld.acquire`, an acquiring atomic, or any atomic or strong load with a fence after it) of the same address. A barrier may
  lie between a fence and its store, or a load and its fence. All reach as far as their scopes: what is released to the block makes
  nothing known to another one;
- phases of an `mbarrier`, for threads of any block that arrive and wait;
- for asynchronous copies, nothing but waiting: until a thread has waited for a copy, each access to its bytes is in
  conflict with it, the issuing thread's own too. What goes through the asynchronous proxy sees generic writes only
  after `fence.proxy.async`.

Atomics and other strong accesses do not conflict with each other, nor do asynchronous reductions. Plain writes of the
same value to the same bytes of shared memory do not conflict.

For each cell (the smallest shared access of the kernel: 1, 2 or 4 bytes, so that no byte is taken for its neighbour)
the last write and the last read *of each warp of the block* are kept, of lanes that have come apart each lane's, and of
warps of other blocks those that a later one does not know of. The memory is that of the shared memory times the warps
of a block, however long the kernel runs. Between blocks see `global` and `blocks`.

Of one execution of an access and one of another in the past there may be many cells in conflict, and they are one
occurrence. The first one is looked at; that the others add nothing is found by comparing two numbers, eight cells at once
where they lie side by side.

| file | holds |
|---|---|
| `clock` | what threads know of each other |
| `shadow` | what the cells were last used for |
| `deferred` | reads that the shadow does not have yet |
| `shared`, `remote` | the check of an access to the own block's shared memory, and to another's |
| `order` | whether a pair is RAW or WAR |
| `sync` | fences, strong accesses, `mbarrier`s |
| `async_copy` | asynchronous accesses |
| `global`, `blocks` | conflicts between blocks: of kernels whose blocks do not talk to each other, and of those that do |
| `registers` | registers of a `wgmma` that are used while it is under way |
| `found` | what was found, merged over workers, reported |

# Sources

What conflicts and what orders is chapter 8 of the PTX ISA, *Memory Consistency Model* (numbers of PTX 8.x): conflicts and data races 8.7.1; scopes 8.5;
the asynchronous proxy 8.6; strong and morally strong accesses 8.4 and 8.7; release and acquire patterns 8.8; barriers and *synchronizes-with* 8.9.4;
observation order, of which the rule of the last block in `blocks` is a part, 8.9.2; causality order 8.9.5. Lustig, Sahasrabuddhe and Giroux, *A Formal Analysis of
the NVIDIA PTX Memory Consistency Model* (ASPLOS 2019), give it formally.

Clocks of what threads know, and the last accesses of a place, are those of Flanagan and Freund, *FastTrack: Efficient and Precise Dynamic
Race Detection* (PLDI 2009). That lanes of a warp, warps and blocks are ordered by different things, and a clock need not have an
entry a thread, is in Eizenberg, Peng, Pigli, Mansky and Devietti, *BARRACUDA: Binary-level Analysis of Runtime RAces in CUDA programs* (PLDI 2017); scoped
atomics and threads of a warp that come apart in Kamath and Basu, *iGUARD: In-GPU Advanced Race Detection* (SOSP 2021). Different here: several reads and
writes of a place are kept where one would not tell all, so that within what ran no pair is missed; and each pair can be run both ways (`witness`).

What is found conflicts in the run at hand. Where the order of atomics differs from run to run, another run may order other accesses. Not looked for: strong
accesses of different sizes to one place (8.7.2), textures and surfaces, and between blocks the heap.

Counts of intervals, moments and executions have 32 bits; a block that needs more is refused, never wrapped.
*/

mod async_copy;
mod blocks;
mod clock;
mod counts_and_hazards;
mod deferred;
mod found;
mod global;
mod order;
mod registers;
mod remote;
mod shadow;
mod shared;
mod sync;

pub(crate) use counts_and_hazards::CountsAndHazards;
pub(crate) use global::Blocks;
pub(crate) use registers::early;

use super::Dim3;
use super::program::Program;
use super::report::Hazard;
use crate::probes::Engine;
use clock::{Agent, Message, Warp};
use deferred::Deferred;
use found::Findings;
use order::Runs;
use shadow::{MOST_ACCESSES, Shadow};
use shared::Checked;
use std::sync::Arc;

/// Most warps of a block.
const WARPS: usize = 32;
/// A cell written by an asynchronous access, in no interval.
const FLIGHT: u32 = u32::MAX;

/// Findings hazards in the clusters that one worker runs; a block without a cluster is one of its own.
#[derive(Debug)]
pub(crate) struct Hazards {
    shift: u32,
    /// Warps of a block, and blocks of the cluster.
    warps: usize,
    size: usize,
    /// Whose turn it is: the block's rank in the cluster, and the number of its first warp.
    rank: u32,
    first: usize,
    /// The shadow of that block's shared memory, and those of the others; its own place there is empty.
    shadow: Shadow,
    parked: Vec<Shadow>,
    /// Reads that the shadow does not have yet; of a block without a cluster.
    deferred: Deferred,
    threads: Vec<Warp>,
    /// Sixteen for each block.
    published: Vec<Message>,
    sync: sync::Sync,
    engines: Vec<EngineState>,
    runs: Vec<Runs>,
    accesses: usize,
    /// Accesses of the past that the present one need not be held against again, by warp.
    judged: Vec<Checked>,
    /// The present access has one cell a lane.
    narrow: bool,
    finds: Findings,
    /// Numbers of the cluster's blocks.
    blocks: Vec<u64>,
    /// A count has come to its end.
    exhausted: bool,
    global: Option<Arc<Blocks>>,
}

/// An engine of the block of this rank, the warp that it last worked for, and its latest number.
#[derive(Debug, Clone, Copy)]
struct EngineState {
    rank: u32,
    engine: Engine,
    warp: Agent,
    latest: u32,
}

impl Hazards {
    /// Watches the shared memory of clusters of this size, and global memory if a shadow is given.
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
            finds: Findings::new(program),
            blocks: vec![0; size.max(1) as usize],
            exhausted: program.accesses.len() >= MOST_ACCESSES / 2,
            global: blocks.cloned(),
        }
    }

    /// Adds what another worker found.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.finds.merge(&other.finds);
    }

    /// What was found, in blocks up to `last` if it is given; `buffers` are names, `thread` tells the index of a warp's
    /// lane.
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

    /// The turn of the block of this rank.
    fn turn(&mut self, rank: u32) {
        if rank != self.rank && (rank as usize) < self.parked.len() {
            self.visit(self.rank);
            self.visit(rank);
            self.rank = rank;
            self.first = rank as usize * self.warps;
        }
    }

    /// Exchanges the shadow at hand for that of the block of this rank, and back.
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

    /// The first block of a cluster starts.
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
        self.runs.clear();
        self.runs.resize(self.accesses * all, Runs::default());
    }

    /// The cluster's number: that of its first block.
    fn cluster(&self) -> u64 {
        self.blocks[0]
    }

    fn is_warp(&self, agent: Agent) -> bool {
        usize::from(agent) < self.threads.len()
    }

    /// Rank of the block of a warp, or of the block whose engine it is.
    fn rank_of(&self, agent: Agent) -> u32 {
        match usize::from(agent).checked_sub(self.threads.len()) {
            None => (usize::from(agent) / self.warps.max(1)) as u32,
            Some(engine) => self.engines.get(engine).map_or(0, |worked| worked.rank),
        }
    }

    /// All warps of the block have passed a barrier. What other blocks of a cluster did is not ordered by it, so
    /// that there nothing may be forgotten.
    fn next_interval(&mut self) {
        if self.size > 1 {
            return;
        }
        self.deferred.next_interval();
        self.land();
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
            // Nobody waits for threads that have ended: their end was their arrival.
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
        self.exhausted
            .then_some("does more than hazards can be told apart for: run it without them, or with a smaller problem")
    }
}
