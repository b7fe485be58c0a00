//! One thread block: fills the register files and runs its warps in the order of the schedule.

use super::Schedule;
use super::frames::Frames;
use super::local::Local;
use super::setup::Setup;
use super::split::WarpSplits;
use super::state::{BlockState, LOAD_GROUPS, Machine, Row, Stop, Warp};
use super::warp;
use crate::probes::Probe;
use crate::program::{NONE, Preload, Special};
use crate::{Dim3, Fault, FaultKind};

/// Number of turn lengths in a seeded schedule: 1, 2, 4, … instructions.
const TURN_LENGTHS: u64 = 14;
/// 2⁶⁴ divided by the golden ratio: the step of SplitMix64.
pub(super) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl BlockState {
    /// Returns a block that has not begun.
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let program = setup.program;
        let warps = (0..setup.warps).map(|w| {
            let threads = (setup.threads - 32 * w).min(32);
            Warp {
                full: u32::MAX >> (32 - threads),
                live: 0,
                splits: WarpSplits::default(),
                frames: Frames::default(),
                patterns: vec![crate::probes::AddressPattern::default(); program.patterns as usize],
                waiting: None,
                spins: 0,
                steps: 0,
                clock_reads: 0,
                arrived: 0,
                must_wait: 0,
                groups: 0,
                products: 0,
                products_at: [0; 8],
                together: 0,
                together_at: 0,
                registers: 0,
                idle_since: u64::MAX,
            }
        });
        let warps: Vec<Warp> = warps.collect();
        Self {
            file: vec![Row([0; 32]); (program.file_words / 32) as usize * warps.len()],
            warps,
            shared: vec![0; (setup.shared_bytes as usize).div_ceil(16) + 1],
            shared_written: if setup.uninitialised_shared { vec![0; setup.shared_bytes as usize] } else { Vec::new() },
            local: match Local::new(program.local_bytes, setup.threads, setup.unwritten) {
                local if setup.uninitialised_local || setup.follow_unwritten => local.watched(),
                local => local,
            },
            ..Self::default()
        }
    }
}

impl<'a, P: Probe> Machine<'a, P> {
    pub(crate) fn new(setup: &'a Setup<'a>, probe: P) -> Self {
        let others = (1..setup.cluster_size()).map(|_| BlockState::new(setup));
        Self {
            setup,
            probe,
            block: BlockState::new(setup),
            scratch: Default::default(),
            load_groups: [(NONE, [[[0; 8]; 4]; 4]); LOAD_GROUPS],
            progress: 0,
            overdue: false,
            polls: 0,
            idle_since: 0,
            rank: 0,
            near_bytes: setup.shared_bytes,
            parked: std::iter::once(BlockState::default()).chain(others).collect(),
            ranks: (0..setup.cluster_size()).collect(),
            suspended: Vec::new(),
            slot: 0,
            stalls: 0,
            patience: u64::MAX,
            contends: false,
            yields: 0,
            yielding: false,
            cluster_phases: 0,
            next_check: 0,
            turn_ends: 0,
            rng: 0,
            spinning: false,
            other_steps: 0,
            began: 0,
            index: 0,
            clock: 0,
            longest_warp: 0,
            thread_instructions: 0,
        }
    }

    /// Makes the block of this rank the current one.
    pub(crate) fn switch(&mut self, rank: u32) {
        if rank == self.rank {
            return;
        }
        for rank in [self.rank, rank] {
            self.exchange_block(rank);
        }
        self.rank = rank;
        self.near_bytes = if rank == 0 { self.setup.shared_bytes } else { 0 };
        self.probe.turn(rank);
    }

    /// Exchanges the current block with the entry of this rank among the parked ones.
    pub(super) fn exchange_block(&mut self, rank: u32) {
        let Some(parked) = self.parked.get_mut(rank as usize) else { return };
        self.other_steps = self.other_steps.wrapping_add(self.block.steps).wrapping_sub(parked.steps);
        std::mem::swap(&mut self.block, parked);
    }

    /// Runs the cluster with this linear index (a block, without clusters). The probe watches only the block `watched`,
    /// if there is one.
    pub(crate) fn run_cluster(
        &mut self,
        index: u64,
        schedule: &Schedule,
        watched: Option<u64>,
    ) -> Result<(), Box<Fault>> {
        self.begin_cluster(index, watched);
        let result = self.rounds(schedule).map(|_| ());
        self.end_cluster(result)
    }

    /// Begins the cluster with this linear index.
    pub(super) fn begin_cluster(&mut self, index: u64, watched: Option<u64>) {
        self.overdue = false;
        self.cluster_phases = 0;
        self.yields = 0;
        self.rng = self.setup.seed.unwrap_or(0) ^ index.wrapping_mul(GOLDEN);
        for rank in 0..self.setup.cluster_size() {
            self.switch(rank);
            let (block, linear) = self.setup.block_of(index, rank);
            self.start(block, linear, watched.is_none_or(|watched| watched == linear));
        }
    }

    /// Ends the cluster. Returns `result`, or a fault that occurs at the end.
    pub(super) fn end_cluster(&mut self, mut result: Result<(), Box<Fault>>) -> Result<(), Box<Fault>> {
        for rank in 0..self.setup.cluster_size() {
            self.switch(rank);
            if result.is_ok() {
                result = self.finish_stores().and_then(|()| self.warpgroups_agree());
            }
            self.probe.end();
            if let (Ok(()), Some(why)) = (&result, self.probe.refuses()) {
                let mut fault = self.fault(FaultKind::HazardBudget, 0, 0, 0, "");
                let [x, y, z] = self.block.ctaid;
                fault.message = format!("Block ({x},{y},{z}) {why}.");
                fault.thread = None;
                result = Err(fault);
            }
        }
        result
    }

    fn start(&mut self, block: Dim3, linear: u64, watched: bool) {
        let setup = self.setup;
        self.block.ctaid = block;
        self.block.shared.fill(u128::from_ne_bytes([setup.unwritten; 16]));
        self.block.shared_written.fill(0);
        self.block.local.clear();
        self.block.barriers = Default::default();
        self.block.asynchrony.start(self.block.warps.len());
        self.other_steps = self.total();
        self.block.steps = 0;
        self.block.free_registers = 0;
        for w in 0..self.block.warps.len() {
            self.fill(w);
            let warp = &mut self.block.warps[w];
            warp.live = warp.full;
            warp.waiting = None;
            warp.arrived = 0;
            warp.must_wait = 0;
            (warp.groups, warp.products, warp.products_at) = (0, 0, [0; 8]);
            (warp.together, warp.registers) = (0, 0);
            warp.idle_since = u64::MAX;
            (warp.spins, warp.steps, warp.clock_reads) = (0, 0, 0);
            warp.splits.start(warp.full);
            warp.patterns.iter_mut().for_each(|pattern| pattern.valid = false);
            if let Some(stack) = setup.program.stack {
                self.start_stack(w, stack);
            }
        }
        self.block.filled = true;
        self.probe.watch(self.rank, watched);
        self.probe.threads(setup.threads, setup.shared_bytes, linear);
        self.probe.start(setup.program, linear, setup.warps, setup.shared_bytes);
    }

    /// Gives turns to the blocks of the cluster. Returns true when all have ended. Returns false if they have only been
    /// spinning for a while, or give way, and other clusters may have a turn.
    pub(super) fn rounds(&mut self, schedule: &Schedule) -> Result<bool, Box<Fault>> {
        let order = order(schedule, self.setup.warps);
        let mut idle = 0u32;
        loop {
            let before = self.progress;
            let (mut ended, mut busy) = (true, false);
            for at in 0..self.ranks.len() {
                self.switch(self.ranks[at]);
                match self.turns(schedule, &order)? {
                    BlockStatus::Ended => {}
                    BlockStatus::Waits => ended = false,
                    BlockStatus::Busy => (ended, busy) = (false, true),
                }
                if self.probe.satisfied() {
                    return Ok(true);
                }
                if self.yielding {
                    return Ok(false);
                }
            }
            if ended || self.stalls >= self.patience {
                return Ok(ended);
            }
            if busy || self.progress != before {
                idle = 0;
            } else {
                idle += 1;
                self.handle_idle_round(idle)?;
            }
        }
    }

    /// Runs warps of the current block until it has ended or none of them can go on.
    fn turns(&mut self, schedule: &Schedule, order: &[usize]) -> Result<BlockStatus, Box<Fault>> {
        let mut next = 0usize;
        loop {
            let runnable = Self::runnable;
            let found = match schedule {
                Schedule::RoundRobin => {
                    (0..order.len()).map(|i| order[(next + i) % order.len()]).find(|w| runnable(self, *w))
                }
                Schedule::Seeded(_) => {
                    let first = self.roll() as usize;
                    (0..order.len())
                        .map(|i| order[(first % order.len() + i) % order.len()])
                        .find(|w| runnable(self, *w))
                }
                _ => order.iter().copied().find(|w| runnable(self, *w)),
            };
            let Some(w) = found else {
                if self.block.warps.iter().all(|warp| warp.live == 0) {
                    return Ok(BlockStatus::Ended);
                }
                if self.block.warps.iter().all(|warp| warp.live == 0 || warp.waiting.is_some()) {
                    self.release_barrier()?;
                    continue;
                }
                return Ok(BlockStatus::Waits);
            };
            let turn = self.turn(w)?;
            let spins = turn == Stop::Turn && runnable(self, w);
            // A warp that spins may wait for another warp's write, so all others have a turn.
            if spins && !matches!(schedule, Schedule::RoundRobin | Schedule::Seeded(_)) {
                self.turns_of_others(order, w)?;
            }
            let others = spins && (self.parked.len() > 1 || self.stalls >= self.patience);
            if self.probe.satisfied() || self.yielding || others {
                return Ok(BlockStatus::Busy);
            }
            next = order.iter().position(|other| *other == w).map_or(0, |at| at + 1);
        }
    }

    /// Returns the next random number of a seeded schedule (SplitMix64).
    pub(super) fn roll(&mut self) -> u64 {
        self.rng = self.rng.wrapping_add(GOLDEN);
        let mut z = self.rng;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn turns_of_others(&mut self, order: &[usize], spinning: usize) -> Result<(), Box<Fault>> {
        for &w in order.iter().filter(|w| **w != spinning) {
            if self.runnable(w) {
                self.turn(w)?;
            }
        }
        Ok(())
    }

    /// True if a warp can run. It has not ended and waits at no barrier. If it waits for an `mbarrier`, something has
    /// changed since its last test.
    fn runnable(&self, w: usize) -> bool {
        let warp = &self.block.warps[w];
        warp.live != 0 && warp.waiting.is_none() && warp.idle_since != self.progress
    }

    fn turn(&mut self, w: usize) -> Result<Stop, Box<Fault>> {
        let before = self.block.steps;
        let slice = if self.setup.seed.is_some() { 1 << (self.roll() % TURN_LENGTHS) } else { self.setup.slice };
        self.turn_ends = self.block.steps + slice;
        self.spinning = false;
        self.polls = 0;
        self.block.warps[w].idle_since = u64::MAX;
        if let Some((block, warp, lanes)) = self.setup.perturbation.ahead
            && (warp as usize, block) == (w, self.setup.linear(self.block.ctaid))
        {
            self.block.warps[w].splits.run_ahead(lanes);
        }
        self.plan_check();
        let stop = warp::run(self, w)?;
        self.block.warps[w].steps += self.block.steps - before;
        if stop == Stop::Ended {
            self.progress += 1;
            self.longest_warp = self.longest_warp.max(self.block.warps[w].steps);
            self.probe.ended(w as u32);
        }
        Ok(stop)
    }

    /// Handles the case where every warp that could run waits for an `mbarrier`. `idle` counts such rounds without a
    /// change. First the warps test again, then tests with a time limit give up, then lanes stop waiting for other
    /// lanes of their warp. If none of this helps, it is a deadlock.
    fn handle_idle_round(&mut self, idle: u32) -> Result<(), Box<Fault>> {
        if idle > MAX_IDLE_ROUNDS {
            return Err(self.deadlock());
        }
        self.overdue = idle > 1;
        self.progress += 1;
        if idle > 2 {
            let others = self.parked.iter_mut().flat_map(|parked| &mut parked.warps);
            for warp in self.block.warps.iter_mut().chain(others) {
                if warp.live != 0 && warp.waiting.is_none() {
                    warp.splits.relax();
                }
            }
        }
        Ok(())
    }

    /// Fills the rows of a warp that do not change while it runs. Rows that are the same in every block are filled only
    /// once, because nothing writes them.
    fn fill(&mut self, w: usize) {
        let program = self.setup.program;
        // SAFETY: the registers are not used after this function.
        let file = unsafe { self.file(w) };
        for (slot, words) in &program.cleared {
            match words {
                1 => file.set_predicate(*slot, u32::MAX, 0),
                32 => file.set_lanes(*slot, [0; 32]),
                _ => file.set_wide_lanes(*slot, [0; 32]),
            }
        }
        for fill in &program.fills {
            let (same_in_all_blocks, same_in_all_lanes) = reach(fill.from);
            if self.block.filled && same_in_all_blocks {
                continue;
            }
            let (mut value, row) = (0, file.row_of(fill.slot, fill.wide));
            for lane in 0..32u32 {
                if lane == 0 || !same_in_all_lanes {
                    value = self.preload(fill.from, w as u32, lane);
                    if let (false, Some(addresses)) = (fill.wide, &self.setup.addresses)
                        && matches!(fill.from, Preload::Global(_) | Preload::ParamAddress(_))
                    {
                        value = addresses.short(value).into();
                    }
                }
                row.set_lane(lane as usize, value);
            }
        }
    }

    fn preload(&self, from: Preload, w: u32, lane: u32) -> u64 {
        let setup = self.setup;
        match from {
            Preload::Constant(value) => value,
            Preload::Param { offset, bytes, signed } => {
                let mut value = [0u8; 8];
                let (start, len) = (offset as usize, bytes.min(8) as usize);
                if let Some(found) = setup.params.get(start..start + len) {
                    value[..len].copy_from_slice(found);
                }
                let value = u64::from_le_bytes(value);
                let shift = 64 - 8 * len as u32;
                if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
            }
            Preload::ParamAddress(offset) => setup.param_address.wrapping_add(offset as u64),
            Preload::Global(index) => setup.variables.get(index as usize).copied().unwrap_or(0),
            Preload::Shared(offset) => self.own_window().wrapping_add(offset),
            Preload::DynamicShared(offset) => {
                self.own_window().wrapping_add(setup.dynamic_start).wrapping_add(offset as u64)
            }
            Preload::Lane { shift, mask, scale, table } => {
                let place = (lane >> (shift & 31)) & u32::from(mask);
                u64::from(place * u32::from(scale)) + u64::from(table[(lane / 8 % 4) as usize])
            }
            Preload::Special(special) => special_value(special, setup, self.block.ctaid, self.rank, w, lane),
        }
    }
}

/// Returns whether the preloaded value is the same in all blocks, and in all lanes.
fn reach(from: Preload) -> (bool, bool) {
    use Special as S;
    match from {
        Preload::Constant(_) | Preload::Param { .. } | Preload::Global(_) => (true, true),
        // Each block of a cluster has its own file.
        Preload::Shared(_) | Preload::DynamicShared(_) => (true, true),
        Preload::Special(S::Tid(_) | S::LaneId) | Preload::Lane { .. } => (true, false),
        Preload::ParamAddress(_) => (true, true),
        Preload::Special(S::Ntid(_) | S::Nctaid(_) | S::WarpId | S::WarpCount) => (true, true),
        Preload::Special(S::SmCount | S::Workspace | S::WorkspaceHigh) => (true, true),
        Preload::Special(S::Ctaid(_) | S::SmId) => (false, true),
        Preload::Special(_) => (false, false),
    }
}

fn special_value(special: Special, setup: &Setup<'_>, block: Dim3, rank: u32, w: u32, lane: u32) -> u64 {
    let axis = |value: Dim3, axis: u8| u64::from(value[axis.min(2) as usize]);
    match special {
        Special::Tid(a) => axis(setup.thread(w, lane), a),
        Special::Ntid(a) => axis(setup.block, a),
        Special::Ctaid(a) => axis(block, a),
        Special::Nctaid(a) => axis(setup.grid, a),
        Special::LaneId => lane.into(),
        Special::WarpId => w.into(),
        Special::WarpCount => setup.warps.into(),
        Special::GridId | Special::Zero => 0,
        Special::SmId => setup.linear(block) % u64::from(setup.device.multiprocessors.max(1)),
        Special::SmCount => setup.device.multiprocessors.into(),
        Special::Workspace => setup.workspace.as_ref().map_or(0, |workspace| workspace.address & 0xffff_ffff),
        Special::WorkspaceHigh => setup.workspace.as_ref().map_or(0, |workspace| workspace.address >> 32),
        Special::LaneMaskEq => 1 << lane,
        Special::LaneMaskLe => (2u64 << lane) - 1,
        Special::LaneMaskLt => (1u64 << lane) - 1,
        Special::LaneMaskGe => 0xffff_ffff << lane & 0xffff_ffff,
        Special::LaneMaskGt => 0xffff_fffe << lane & 0xffff_ffff,
        Special::DynamicShared => setup.dynamic_bytes,
        Special::TotalShared => setup.shared_bytes,
        Special::ClusterCtaid(a) => axis(block, a) % axis(setup.cluster, a),
        Special::ClusterNctaid(a) => axis(setup.cluster, a),
        Special::ClusterId(a) => axis(block, a) / axis(setup.cluster, a),
        Special::NclusterId(a) => axis(setup.grid, a) / axis(setup.cluster, a),
        Special::ClusterRank => rank.into(),
        Special::ClusterSize => setup.cluster_size().into(),
        Special::ExplicitCluster => setup.explicit_cluster.into(),
    }
}

/// State of a block after its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockStatus {
    Ended,
    /// No warp of the block can go on before something changes.
    Waits,
    /// A warp spins. It may depend on another block.
    Busy,
}

/// Maximum number of rounds without a change. After that, the block reports a deadlock.
const MAX_IDLE_ROUNDS: u32 = 1 << 10;

/// Returns the warps in the order of a schedule.
fn order(schedule: &Schedule, warps: u32) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    if let Schedule::Priority(first) = schedule {
        order.extend(first.iter().filter(|w| **w < warps).map(|w| *w as usize));
    }
    for w in 0..warps as usize {
        if !order.contains(&w) {
            order.push(w);
        }
    }
    order
}
