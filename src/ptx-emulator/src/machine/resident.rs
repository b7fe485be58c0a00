//! Runs the clusters of a kernel alternately, because they may wait for each other. (A block without a cluster counts
//! as a cluster of one.)
//!
//! A cluster runs until it ends or until all its warps only spin on global memory. In a seeded schedule it sometimes also
//! gives way after an atomic, so that others meet it inside a critical section. The scheduler then suspends it and
//! starts the next one. It resumes suspended clusters in the order in which it suspended them. At any time, no more
//! clusters are started than fit on the GPU. If every started cluster gets several turns and nothing changes, the
//! scheduler reports a hang.

use super::Schedule;
use super::block::GOLDEN;
use super::setup::{MAX_WORKER, Setup};
use super::state::{BlockState, Machine, Suspended};
use crate::probes::Probe;
use crate::program::StateSpace;
use crate::{Fault, FaultKind};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hasher};

/// How often warps of a cluster may only spin before another cluster has a turn. The second number is for clusters that
/// are known to wait for each other.
const PATIENCE: [u64; 2] = [256, 8];
/// Maximum number of times that a cluster gives way, and number of clusters that may have given way at a time. Their
/// blocks and shadows take memory.
const MAX_YIELDS: u32 = 16;
const MAX_YIELDING: usize = 4;
/// Number of consecutive clusters that a seeded schedule begins in another order.
const WINDOW: u64 = 8;
/// Number of rounds without a change that count as a hang. In a round, each cluster has a turn.
const MAX_IDLE_ROUNDS: u32 = 4;
/// Number of rounds in which no cluster begins or ends, before the scheduler looks for changes.
const QUIET_ROUNDS: u32 = 8;

impl Setup<'_> {
    /// Returns how many clusters fit on the GPU at once. Registers do not count, because PTX does not say how many
    /// there will be.
    pub(crate) fn resident(&self) -> u64 {
        let blocks = self.device.blocks_at_once(self.threads, None, self.shared_bytes).max(1);
        let all = u64::from(self.device.multiprocessors.max(1)) * u64::from(blocks);
        (all / u64::from(self.cluster_size())).max(1)
    }

    /// Returns the position at which a seeded schedule begins the `index`-th of `count` clusters: odd seeds begin each group
    /// of consecutive clusters with the last one, even seeds draw the order. No more clusters form a group than may be
    /// started at once. So a cluster may still wait for one with a lower number.
    pub(crate) fn shuffled(&self, index: u64, count: u64) -> u64 {
        let Some(seed) = self.seed else { return index };
        let window = WINDOW.min(self.at_once());
        let first = index / window * window;
        let last = (first + window).min(count) - 1;
        if seed % 2 == 1 {
            return first + last - index;
        }
        let mut order: Vec<u64> = (first..=last).collect();
        order.sort_by_cached_key(|at| at.wrapping_add(seed).wrapping_mul(GOLDEN).rotate_left(31).wrapping_mul(GOLDEN));
        order.get((index - first) as usize).copied().unwrap_or(index)
    }

    /// Returns how many clusters may be started at once: no more than the emulator has memory for.
    pub(super) fn at_once(&self) -> u64 {
        self.resident().min((MAX_WORKER / self.worker_bytes.max(1)).max(1))
    }
}

/// Clusters of a launch that have started.
struct Turns {
    /// Slot and number of each, and whether it gave way.
    waiting: VecDeque<(usize, u64, bool)>,
    free: Vec<usize>,
    /// Rounds since a cluster began or ended, the number of those without a change, and the state after the last.
    rounds: u32,
    idle: u32,
    state: u64,
    left: usize,
}

impl<P: Probe> Machine<'_, P> {
    /// Runs clusters alternately; `at` returns the index of the n-th one. The probe watches only the block `watched`,
    /// if there is one. Stops at the first fault and returns it with its cluster's n.
    pub(crate) fn run_in_turns(
        &mut self,
        clusters: u64,
        at: impl Fn(u64) -> u64,
        ended: impl Fn(),
        schedule: &Schedule,
        watched: Option<u64>,
    ) -> Result<(), (u64, Box<Fault>)> {
        let most = self.setup.at_once() as usize;
        let mut turns =
            Turns { waiting: VecDeque::new(), free: (0..most).rev().collect(), rounds: 0, idle: 0, state: 0, left: 0 };
        let (mut next, mut begins) = (0u64, true);
        self.patience = PATIENCE[usize::from(self.contends)];
        self.begins(0);
        loop {
            let full = turns.waiting.iter().filter(|(.., yielding)| *yielding).nth(MAX_YIELDING - 1).is_some();
            let may_begin = next < clusters && !turns.free.is_empty() && !(self.contends && full);
            let (slot, n) = match turns.waiting.front().copied() {
                _ if may_begin && (begins || turns.waiting.is_empty()) => {
                    if let Some(fault) = self.setup.not_begun(at(next)) {
                        return Err((next, fault));
                    }
                    let slot = turns.free.pop().unwrap_or(0);
                    self.resume(slot);
                    self.begin_cluster(at(next), watched);
                    next += 1;
                    turns.rounds = 0;
                    (slot, next - 1)
                }
                Some((slot, n, _)) => {
                    turns.waiting.pop_front();
                    self.resume(slot);
                    (slot, n)
                }
                None => return Ok(()),
            };
            begins = !begins;
            (self.stalls, self.yielding) = (0, false);
            let ends = match self.rounds(schedule) {
                Ok(ends) => ends,
                Err(fault) => return self.end_cluster(Err(fault)).map_err(|fault| (n, fault)),
            };
            if ends {
                self.end_cluster(Ok(())).map_err(|fault| (n, fault))?;
                ended();
                if self.probe.satisfied() {
                    return Ok(());
                }
                turns.free.push(slot);
                // Its work may let the oldest cluster continue.
                (turns.rounds, turns.idle, begins) = (0, 0, turns.waiting.is_empty());
                continue;
            }
            turns.waiting.push_back((slot, n, self.yielding));
            if std::mem::take(&mut self.yielding) {
                begins = true;
                continue;
            }
            self.patience = PATIENCE[1];
            if next >= clusters || turns.free.is_empty() {
                self.look_for_changes(&mut turns, most, clusters - next).map_err(|fault| (n, fault))?;
            }
        }
    }

    /// Checks, after each round in which all clusters had a turn, that something still changes.
    fn look_for_changes(&mut self, turns: &mut Turns, most: usize, not_begun: u64) -> Result<(), Box<Fault>> {
        turns.left = turns.left.saturating_sub(1);
        if turns.left != 0 {
            return Ok(());
        }
        turns.left = turns.waiting.len();
        turns.rounds += 1;
        if turns.rounds < QUIET_ROUNDS {
            return Ok(());
        }
        let mut hash = DefaultHasher::new();
        for (slot, ..) in turns.waiting.clone() {
            self.resume(slot);
            for rank in 0..self.setup.cluster_size() {
                self.switch(rank);
                self.digest(&mut hash);
            }
            self.switch(0);
        }
        let state = hash.finish();
        turns.idle = if state == turns.state { turns.idle + 1 } else { 0 };
        turns.state = state;
        if turns.idle < MAX_IDLE_ROUNDS {
            return Ok(());
        }
        let Some((slot, ..)) = turns.waiting.front().copied() else { return Ok(()) };
        self.resume(slot);
        let others = match (turns.waiting.len(), not_begun) {
            (1, 0) => "there is no other block".to_owned(),
            (_, 0) => "all other running blocks spin, too".to_owned(),
            (_, not_begun) => format!(
                "the other blocks that have begun spin too, and {} more cannot begin before one ends: {} fit on the GPU \
                 at once",
                not_begun * u64::from(self.setup.cluster_size()),
                most as u64 * u64::from(self.setup.cluster_size()),
            ),
        };
        let w = self.block.warps.iter().position(|warp| warp.live != 0 && warp.waiting.is_none()).unwrap_or(0);
        let split = self.block.warps[w].splits.ready.last().copied();
        let (place, lane) = split.map_or((0, 0), |split| (split.at, split.mask.trailing_zeros() & 31));
        let what = format!("spins on global memory for a value that never arrives, and {others}");
        Err(self.fault(FaultKind::Livelock, place, w, lane, &what))
    }

    /// Lets the cluster give way after the current access in some cases, the less often the more often it has done so. With
    /// an odd seed, it always gives way after its first atomic.
    #[cold]
    #[inline(never)]
    pub(super) fn may_yield(&mut self, access: u32) {
        let access = &self.setup.program.accesses[access as usize];
        let common = matches!(access.reach, StateSpace::Global | StateSpace::Generic);
        let always = self.yields == 0 && self.setup.seed.is_some_and(|seed| seed % 2 == 1);
        if common && self.yields < MAX_YIELDS && (always || self.roll().is_multiple_of(2 << (self.yields / 2))) {
            self.yields += 1;
            self.yielding = true;
            self.turn_ends = self.turn_ends.min(self.block.steps);
            self.plan_check();
        }
    }

    /// Hashes what the block's threads see and where they are.
    fn digest(&self, hash: &mut DefaultHasher) {
        for row in &self.block.file {
            row.0.iter().for_each(|word| hash.write_u32(*word));
        }
        self.block.shared.iter().for_each(|unit| hash.write_u128(*unit));
        let threads = self.setup.threads as usize;
        let local = (0..threads).filter_map(|thread| self.block.local.get(thread, 0, self.block.local.each() as usize));
        local.for_each(|bytes| hash.write(bytes));
        for warp in &self.block.warps {
            hash.write_u32(warp.live);
            hash.write_u32(warp.waiting.map_or(u32::MAX, |wait| wait.at as u32));
        }
    }

    /// Makes the cluster in this slot the current one.
    fn resume(&mut self, slot: usize) {
        if slot == self.slot {
            return;
        }
        self.switch(0);
        while self.suspended.len() <= slot.max(self.slot) {
            self.suspended.push(Suspended::default());
        }
        // The current block has rank 0, and its entry among the parked blocks is empty.
        self.exchange_block(0);
        let blocks = std::mem::take(&mut self.parked);
        self.suspended[self.slot] = Suspended { blocks, cluster_phases: self.cluster_phases, yields: self.yields };
        let mut next = std::mem::take(&mut self.suspended[slot]);
        if next.blocks.is_empty() {
            next.blocks = (0..self.setup.cluster_size()).map(|_| BlockState::new(self.setup)).collect();
        }
        self.parked = next.blocks;
        self.exchange_block(0);
        (self.cluster_phases, self.yields) = (next.cluster_phases, next.yields);
        self.slot = slot;
        self.probe.resume(slot);
    }
}
