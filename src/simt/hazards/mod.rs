/*! Hazards in shared memory within a block, and in global memory between blocks, by happens-before.

Two accesses to the same byte, one of them a write, conflict if nothing orders them. What orders:

- a thread's own program;
- barriers of the block, all sixteen, with or without a thread count, for the warps that come to them: coming to one
  publishes what the warp knows, passing it takes in what the others published. A barrier that all warps pass starts
  a new *interval*: what was noted before it is forgotten;
- `bar.warp.sync`, shuffles, votes, matches, reductions and tensor instructions, for the lanes that take part. Lanes of
  a warp that do not meet there are threads like any others;
- a release seen by an acquire: `st.release`, or a fence before an atomic or `volatile` or `relaxed` store, and then
  any atomic or strong load of the same address. A load need not be followed by a fence; a store needs one before it;
- phases of an `mbarrier`;
- for asynchronous copies, nothing but waiting: until a thread has waited for a copy, each access to its bytes is in
  conflict with it, the issuing thread's own too. What goes through the asynchronous proxy sees generic writes only
  after `fence.proxy.async`.

Atomics and other strong accesses do not conflict with each other. Lanes that write the same value to the same bytes
in one instruction do not conflict.

For each cell (the smallest shared access of the kernel: 1, 2 or 4 bytes, so that no byte is taken for its neighbour)
the last write and the last read *of each warp* are kept, and of lanes that have come apart each lane's. The memory is
that of the shared memory times the warps of a block.

| file | holds |
|---|---|
| `clock` | what threads know of each other |
| `shadow` | what the cells were last used for |
| `shared` | the check of an access to shared memory |
| `order` | whether a pair is RAW or WAR |
| `sync` | fences, strong accesses, `mbarrier`s |
| `asynch` | asynchronous accesses |
| `global`, `blocks` | conflicts between blocks: of kernels whose blocks do not talk to each other, and of those that do |
| `found` | what was found, merged over workers, reported |

Counts of intervals, moments and executions have 32 bits; a block that needs more is refused, never wrapped.
*/

mod asynch;
mod blocks;
mod clock;
mod everything;
mod found;
mod global;
mod order;
mod shadow;
mod shared;
mod sync;

pub(crate) use everything::Everything;
pub(crate) use global::Blocks;

use super::Dim3;
use super::probe::Engine;
use super::program::Program;
use super::report::Hazard;
use clock::{Agent, Message, Warp};
use found::Finds;
use order::Runs;
use shadow::{Apart, MOST_ACCESSES, Past, Rows};
use std::sync::Arc;

/// Warps have the first numbers of agents.
const WARPS: usize = 32;
/// A cell written by an asynchronous access, in no interval.
const FLIGHT: u32 = u32::MAX;

/// Finds hazards in the blocks that one worker runs.
#[derive(Debug)]
pub(crate) struct Hazards {
    shift: u32,
    warps: usize,
    interval: u32,
    cells: usize,
    /// Interval of each cell's last plain write, or [`FLIGHT`], and that write.
    written: Vec<u32>,
    writes: Vec<Past>,
    /// What the last plain write by a warp stored.
    values: Vec<u32>,
    /// Interval of each cell's last plain read by any warp.
    read: Vec<u32>,
    /// `reads[warp * cells + cell]`: the warp's last plain read, as [`Past::pack`] has it.
    reads: Vec<u64>,
    /// Strong reads and writes by warps, and reads by engines, in the same form.
    strong_reads: Rows,
    strong_writes: Rows,
    engine_reads: Rows,
    apart: Vec<Apart>,
    /// Moment at which the interval began for each warp, and interval at which the block began.
    began: Vec<u32>,
    first_interval: u32,
    threads: Vec<Warp>,
    published: [Message; 16],
    sync: sync::Sync,
    /// Engines, the warp that each last worked for, and its latest number.
    engines: Vec<(Engine, u32, u32)>,
    flights: bool,
    runs: Vec<Runs>,
    accesses: usize,
    finds: Finds,
    block: u64,
    /// A count has come to its end.
    worn: bool,
    global: Option<global::Global>,
}

impl Hazards {
    /// Watches shared memory, and global memory if a shadow is given.
    pub(crate) fn new(program: &Program, blocks: Option<&Arc<Blocks>>) -> Self {
        Self {
            shift: program.shared_granule.trailing_zeros(),
            warps: 0,
            interval: 0,
            cells: 0,
            written: Vec::new(),
            writes: Vec::new(),
            values: Vec::new(),
            read: Vec::new(),
            reads: Vec::new(),
            strong_reads: Rows::default(),
            strong_writes: Rows::default(),
            engine_reads: Rows::default(),
            apart: Vec::new(),
            began: Vec::new(),
            first_interval: 0,
            threads: Vec::new(),
            published: Default::default(),
            sync: sync::Sync::default(),
            engines: Vec::new(),
            flights: false,
            runs: Vec::new(),
            accesses: program.accesses.len(),
            finds: Finds::new(program),
            block: 0,
            worn: program.accesses.len() >= MOST_ACCESSES / 2,
            global: blocks.map(|blocks| global::Global::new(blocks, program)),
        }
    }

    /// Adds what another worker found.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.finds.merge(&other.finds);
    }

    /// What was found; `buffers` are names, `thread` tells the index of a warp's lane.
    pub(crate) fn report(
        &mut self,
        program: &Program,
        grid: Dim3,
        buffers: &[String],
        thread: impl Fn(u32, u32) -> Dim3,
    ) -> Vec<Hazard> {
        if let Some(global) = &self.global {
            global.finish(&mut self.finds);
        }
        self.finds.report(program, grid, buffers, thread)
    }

    fn start(&mut self, threads: u32, shared_bytes: u64, block: u64) {
        let cells = (shared_bytes >> self.shift) as usize + 1;
        let warps = (threads as usize).div_ceil(32).min(WARPS);
        self.block = block;
        self.warps = warps;
        let used = self.interval > u32::MAX / 2 || self.threads.iter().any(|warp| warp.moment > u32::MAX / 2);
        if self.cells != cells || used || self.threads.len() != warps {
            self.cells = cells;
            self.interval = 0;
            self.written = vec![0; cells];
            self.writes = vec![Past::default(); cells];
            self.values = vec![0; cells];
            self.read = vec![0; cells];
            self.reads = vec![0; cells * warps];
            self.threads = vec![Warp::default(); warps];
            self.apart = (0..warps).map(|_| Apart::default()).collect();
        } else if self.flights {
            self.written.fill(0);
        }
        self.flights = false;
        for (w, warp) in self.threads.iter_mut().enumerate() {
            let count = (threads - 32 * w as u32).min(32);
            *warp = Warp::start(u32::MAX >> (32 - count), warp.moment);
        }
        self.published.iter_mut().for_each(Message::clear);
        self.strong_reads.clear();
        self.strong_writes.clear();
        self.engine_reads.clear();
        self.engines.clear();
        self.sync.start();
        self.runs.clear();
        self.runs.resize(self.accesses * warps, Runs::default());
        self.next_interval();
        self.first_interval = self.interval;
    }

    fn next_interval(&mut self) {
        if self.interval >= FLIGHT - 1 {
            self.worn = true;
            return;
        }
        self.interval += 1;
        self.began.clear();
        self.began.extend(self.threads.iter().map(|warp| warp.moment));
        self.apart.iter_mut().for_each(Apart::clear);
    }

    fn arrive(&mut self, warp: u32, number: usize) {
        if let Some(threads) = self.threads.get_mut(warp as usize) {
            threads.sync(warp as Agent, u32::MAX);
            threads.publish(warp as Agent, u32::MAX, &mut self.published[number & 15]);
        }
    }

    fn release(&mut self, number: usize, waiting: u32, all: bool) {
        let mut published = std::mem::take(&mut self.published[number & 15]);
        for warp in clock::lanes(waiting) {
            if let Some(threads) = self.threads.get_mut(warp) {
                threads.receive(u32::MAX, &published);
            }
        }
        published.clear();
        self.published[number & 15] = published;
        if all {
            self.next_interval();
        }
    }

    fn warp_sync(&mut self, warp: u32, mask: u32) {
        if let Some(threads) = self.threads.get_mut(warp as usize) {
            threads.sync(warp as Agent, mask);
        }
    }
}
