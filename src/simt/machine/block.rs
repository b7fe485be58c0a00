//! One thread block: fills the register files, runs its warps in the order of the schedule.

use super::split::Splits;
use super::state::{Machine, Row, Setup, Stop, Warp};
use super::warp;
use crate::simt::probe::Probe;
use crate::simt::program::{Preload, Special};
use crate::simt::{Dim3, Fault, FaultKind, Schedule};

impl<'a, P: Probe> Machine<'a, P> {
    pub(crate) fn new(setup: &'a Setup<'a>, probe: P) -> Self {
        let program = setup.program;
        let warps = (0..setup.warps).map(|w| {
            let threads = (setup.threads - 32 * w).min(32);
            Warp {
                full: u32::MAX >> (32 - threads),
                live: 0,
                splits: Splits::default(),
                shapes: vec![super::Shape::default(); program.shapes as usize],
                waiting: None,
                groups: 0,
                polled: u64::MAX,
            }
        });
        let warps: Vec<Warp> = warps.collect();
        let rows = (program.file_words / 32) as usize * warps.len();
        Self {
            setup,
            probe,
            file: vec![Row([0; 32]); rows],
            warps,
            shared: vec![0; (setup.shared_bytes as usize).div_ceil(16) + 1],
            shared_written: if setup.uninitialised_shared { vec![0; setup.shared_bytes as usize] } else { Vec::new() },
            local: vec![0; program.local_bytes as usize * setup.threads as usize],
            barriers: Default::default(),
            scratch: Default::default(),
            asynchrony: Default::default(),
            progress: 0,
            overdue: false,
            polls: 0,
            polled: 0,
            block: [0; 3],
            steps: 0,
            look_up: 0,
            turn_ends: 0,
            spinning: false,
            filled: false,
            warp_instructions: 0,
            thread_instructions: 0,
        }
    }

    /// Runs the block with this linear index.
    pub(crate) fn run_block(&mut self, index: u64, schedule: &Schedule) -> Result<(), Box<Fault>> {
        let [gx, gy, _] = self.setup.grid.map(u64::from);
        self.block = [index % gx, index / gx % gy, index / (gx * gy)].map(|n| n as u32);
        self.shared.fill(0);
        self.shared_written.fill(0);
        self.local.fill(0);
        self.barriers = Default::default();
        self.asynchrony.start(self.warps.len());
        self.overdue = false;
        self.steps = 0;
        for w in 0..self.warps.len() {
            self.fill(w);
            let warp = &mut self.warps[w];
            warp.live = warp.full;
            warp.waiting = None;
            warp.groups = 0;
            warp.polled = u64::MAX;
            warp.splits.start(warp.full);
            warp.shapes.iter_mut().for_each(|shape| shape.valid = false);
        }
        self.filled = true;
        let setup = self.setup;
        self.probe.start(setup.program, index, setup.warps, setup.shared_bytes);
        let result = self.turns(schedule);
        self.probe.end();
        self.warp_instructions += self.steps;
        result
    }

    fn turns(&mut self, schedule: &Schedule) -> Result<(), Box<Fault>> {
        let order = order(schedule, self.setup.warps);
        let mut next = 0usize;
        let mut idle = 0u32;
        let mut last = self.progress;
        loop {
            let runnable = Self::runnable;
            let found = match schedule {
                Schedule::RoundRobin => {
                    (0..order.len()).map(|i| order[(next + i) % order.len()]).find(|w| runnable(self, *w))
                }
                _ => order.iter().copied().find(|w| runnable(self, *w)),
            };
            let Some(w) = found else {
                if self.warps.iter().all(|warp| warp.live == 0) {
                    return Ok(());
                }
                if self.warps.iter().all(|warp| warp.live == 0 || warp.waiting.is_some()) {
                    self.settle()?;
                } else {
                    idle = if self.progress == last { idle + 1 } else { 0 };
                    self.nudge(idle)?;
                    last = self.progress;
                }
                continue;
            };
            match self.turn(w)? {
                // A warp that spins on what another one will write lets all others have a turn.
                Stop::Turn if !matches!(schedule, Schedule::RoundRobin) && runnable(self, w) => {
                    self.others(&order, w)?;
                }
                _ => {}
            }
            if self.probe.satisfied() {
                return Ok(());
            }
            next = order.iter().position(|other| *other == w).map_or(0, |at| at + 1);
        }
    }

    fn others(&mut self, order: &[usize], spinning: usize) -> Result<(), Box<Fault>> {
        for &w in order.iter().filter(|w| **w != spinning) {
            if self.runnable(w) {
                self.turn(w)?;
            }
        }
        Ok(())
    }

    /// Whether a warp has something to do: it has not ended, waits at no barrier, and what it waits for at an
    /// `mbarrier` may have happened.
    fn runnable(&self, w: usize) -> bool {
        let warp = &self.warps[w];
        warp.live != 0 && warp.waiting.is_none() && warp.polled != self.progress
    }

    fn turn(&mut self, w: usize) -> Result<Stop, Box<Fault>> {
        self.turn_ends = self.steps + self.setup.slice;
        self.spinning = false;
        self.polls = 0;
        self.warps[w].polled = u64::MAX;
        self.plan_look_up();
        let stop = warp::run(self, w)?;
        if stop == Stop::Ended {
            self.progress += 1;
            self.probe.ended(w as u32);
        }
        Ok(stop)
    }

    /// All warps that could go on wait for an `mbarrier`, for the `idle`-th time without a change: they look again, the
    /// tests that give up after a time do so, and lanes that wait for others of their warp go ahead. In the end it
    /// is a deadlock.
    fn nudge(&mut self, idle: u32) -> Result<(), Box<Fault>> {
        if idle > IDLE {
            return Err(self.deadlock());
        }
        self.overdue = idle > 1;
        self.progress += 1;
        if idle > 2 {
            for warp in self.warps.iter_mut().filter(|warp| warp.live != 0 && warp.waiting.is_none()) {
                warp.splits.relax();
            }
        }
        Ok(())
    }

    /// Nobody can run: the barrier at which all wait lets them go on, or they wait for ever.
    fn settle(&mut self) -> Result<(), Box<Fault>> {
        let whole = |warp: &Warp| warp.live == warp.full && warp.waiting.is_some_and(|wait| wait.barrier == 0);
        if self.barriers[0].wanted == 0 && self.warps.iter().all(whole) {
            self.release(0);
            return Ok(());
        }
        let waits: Vec<(usize, super::state::Wait)> =
            self.warps.iter().enumerate().filter_map(|(w, warp)| Some((w, warp.waiting?))).collect();
        let Some(&(w, first)) = waits.first() else { return Ok(()) };
        let lane = self.warps[w].live.trailing_zeros() & 31;
        if let Some((other, wait)) = waits.iter().find(|(_, wait)| wait.barrier != first.barrier) {
            let [x, y, z] = self.setup.thread(*other as u32, self.warps[*other].live.trailing_zeros() & 31);
            let what = format!(
                "waits at barrier {} and thread ({x},{y},{z}) at barrier {}: neither can go on",
                first.barrier, wait.barrier
            );
            return Err(self.fault(FaultKind::DivergentBarrier, first.at, w, lane, &what));
        }
        let state = self.barriers[first.barrier];
        if state.wanted != 0 {
            let what = format!(
                "waits at barrier {} for {} threads, of which only {} have come and no other can",
                first.barrier, state.wanted, state.arrived
            );
            return Err(self.fault(FaultKind::DivergentBarrier, first.at, w, lane, &what));
        }
        let left = self.warps.iter().enumerate().find(|(_, warp)| warp.live != warp.full);
        if let Some((gone, warp)) = left {
            let [x, y, z] = self.setup.thread(gone as u32, (warp.full & !warp.live).trailing_zeros() & 31);
            let what = format!("waits at a barrier of the whole block, but thread ({x},{y},{z}) has left the kernel");
            return Err(self.fault(FaultKind::DivergentBarrier, first.at, w, lane, &what));
        }
        self.release(first.barrier);
        Ok(())
    }

    /// Fills the rows of a warp that do not change while it runs; those that are the same in every block only once,
    /// as nothing writes them.
    fn fill(&mut self, w: usize) {
        let program = self.setup.program;
        let file = self.file(w);
        for (slot, words) in &program.cleared {
            // SAFETY: the slot was laid out for this file.
            unsafe { std::slice::from_raw_parts_mut(file.add(*slot as usize), *words as usize).fill(0) };
        }
        for fill in &program.fills {
            let (same_in_all_blocks, same_in_all_lanes) = reach(fill.from);
            if self.filled && same_in_all_blocks {
                continue;
            }
            let mut value = 0;
            for lane in 0..32u32 {
                if lane == 0 || !same_in_all_lanes {
                    value = self.preload(fill.from, w as u32, lane);
                }
                // SAFETY: as above.
                unsafe {
                    let row = file.add(fill.slot as usize);
                    if fill.wide {
                        *row.cast::<u64>().add(lane as usize) = value;
                    } else {
                        *row.add(lane as usize) = value as u32;
                    }
                }
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
            Preload::Global(index) => setup.variables.get(index as usize).copied().unwrap_or(0),
            Preload::DynamicShared(offset) => setup.dynamic_start.wrapping_add(offset as u64),
            Preload::Lane { shift, mask, scale, table } => {
                let place = (lane >> (shift & 31)) & u32::from(mask);
                u64::from(place * u32::from(scale)) + u64::from(table[(lane / 8 & 3) as usize])
            }
            Preload::Special(special) => special_value(special, setup, self.block, w, lane),
        }
    }
}

/// Whether what fills a row is the same in all blocks, and in all lanes.
fn reach(from: Preload) -> (bool, bool) {
    use Special as S;
    match from {
        Preload::Constant(_) | Preload::Param { .. } | Preload::Global(_) | Preload::DynamicShared(_) => (true, true),
        Preload::Special(S::Tid(_) | S::LaneId) | Preload::Lane { .. } => (true, false),
        Preload::Special(S::Ntid(_) | S::Nctaid(_) | S::WarpId | S::WarpCount) => (true, true),
        Preload::Special(S::Ctaid(_)) => (false, true),
        Preload::Special(_) => (false, false),
    }
}

fn special_value(special: Special, setup: &Setup<'_>, block: Dim3, w: u32, lane: u32) -> u64 {
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
        Special::One => 1,
        Special::LaneMaskEq => 1 << lane,
        Special::LaneMaskLe => (2u64 << lane) - 1,
        Special::LaneMaskLt => (1u64 << lane) - 1,
        Special::LaneMaskGe => 0xffff_ffff << lane & 0xffff_ffff,
        Special::LaneMaskGt => 0xffff_fffe << lane & 0xffff_ffff,
        Special::DynamicShared => setup.dynamic_bytes,
        Special::TotalShared => setup.shared_bytes,
    }
}

/// Rounds without a change after which all wait for ever.
const IDLE: u32 = 1 << 10;

/// Warps in the order of a schedule.
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
