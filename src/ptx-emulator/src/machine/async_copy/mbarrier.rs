//! `mbarrier` objects.

use super::moves::Move;
use super::{Here, Next, lanes_of};
use crate::arch::Order;
use crate::machine::state::Machine;
use crate::probes::{Engine, Probe};
use crate::program::async_copy::state::{MAX_BYTES, MAX_COUNT, MbarrierState};
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::{Fault, FaultKind, Rule};
use std::collections::VecDeque;

/// An operation that an object waits for. The machine performs it when a thread tests the object.
pub(super) enum Deferred {
    /// A bulk copy.
    Bulk(Move),
    /// The given number of bytes of a bulk copy that has already happened.
    Done(u32),
    /// One arrival of a lane. It happens when the lane's `cp.async` instructions up to `number` are complete.
    Copies { warp: usize, lane: u32, number: u32 },
}

impl Deferred {
    fn arrivals(&self) -> u32 {
        match self {
            Self::Copies { .. } => 1,
            Self::Bulk(_) | Self::Done(_) => 0,
        }
    }

    fn bytes(&self) -> i64 {
        match self {
            Self::Copies { .. } => 0,
            Self::Bulk(copy) => copy.bytes().into(),
            Self::Done(bytes) => (*bytes).into(),
        }
    }
}

/// An initialised `mbarrier`. Its state is in shared memory.
pub(super) struct Object {
    address: u32,
    /// Number of completed phases.
    pub(super) phases: u32,
    pub(super) deferred: VecDeque<Deferred>,
}

/// Identifies an object by the rank of its block and its index there.
#[derive(Clone, Copy)]
pub(super) struct Target {
    rank: u32,
    index: usize,
}

impl<P: Probe> Machine<'_, P> {
    fn state(&mut self, target: Target) -> MbarrierState {
        let address = self.object_at(target).address as usize;
        let bytes = &self.memory_of(target.rank)[address..];
        MbarrierState::unpack(u64::from_le_bytes(std::array::from_fn(|byte| bytes[byte])))
    }

    fn set_state(&mut self, target: Target, state: MbarrierState) {
        let address = self.object_at(target).address as usize;
        self.memory_of(target.rank)[address..][..8].copy_from_slice(&state.pack().to_le_bytes());
        self.note_written(target.rank, address, 8);
    }

    fn objects(&mut self, rank: u32) -> &mut Vec<Object> {
        &mut self.block_of(rank).asynchrony.objects
    }

    pub(super) fn object_at(&mut self, target: Target) -> &Object {
        &self.objects(target.rank)[target.index]
    }

    pub(super) fn object_at_mut(&mut self, target: Target) -> &mut Object {
        &mut self.objects(target.rank)[target.index]
    }

    /// Finds the object that a lane uses.
    fn object(&mut self, here: Here, lane: u32, address: u64) -> Result<Target, Box<Fault>> {
        let (rank, _) = self.cluster_range(here, lane, address, 8, 8, "uses an `mbarrier` of")?;
        if P::WATCHES {
            self.probe.reaches_mbarrier(rank, here.at, here.w as u32, lane);
        }
        self.object_of(here, lane, rank, self.spot(address).1)
    }

    /// Finds the object at an offset in the shared memory of a block.
    pub(super) fn object_of(&mut self, here: Here, lane: u32, rank: u32, offset: u64) -> Result<Target, Box<Fault>> {
        match self.objects(rank).iter().position(|object| u64::from(object.address) == offset) {
            Some(index) => {
                if P::WATCHES {
                    self.probe.mbarrier_used(here.at, here.w as u32, lane, (rank, offset as u32));
                }
                Ok(Target { rank, index })
            }
            None => {
                let whose = if rank == self.rank { String::new() } else { format!(" of block {rank} of its cluster") };
                let what =
                    format!("uses byte {offset} of shared memory{whose} as an `mbarrier`, which was not initialised");
                self.fails(here, lane, FaultKind::Uninitialised, &what)
            }
        }
    }

    /// Runs `init`, `inval`, `arrive`, `expect_tx` and `complete_tx`.
    pub(super) fn change_object(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        for lane in lanes_of(here.active) {
            let l = lane as usize;
            let [address, first, second] = [0, 1, 2].map(|index| what.input(index).lane(here.file, l));
            match what.kind {
                AsyncOp::Init => self.init_object(here, lane, address, first)?,
                AsyncOp::Invalidate => {
                    let index = self.object(here, lane, address)?;
                    self.objects(index.rank).remove(index.index);
                }
                AsyncOp::Arrive { no_complete, drop } => {
                    let index = self.object(here, lane, address)?;
                    let count = if what.input(1).is_absent() { 1 } else { first };
                    let expected = if what.input(2).is_absent() { 0 } else { second as i64 };
                    self.expect(here, lane, index, expected)?;
                    let before = self.arrive_at(here, lane, index, count, no_complete, drop, what.order)?;
                    if what.value != crate::program::NONE {
                        here.file.set_lane(what.value, true, l, before.token());
                    }
                }
                AsyncOp::Expect => {
                    let index = self.object(here, lane, address)?;
                    self.expect(here, lane, index, first as i64)?;
                }
                _ => {
                    let index = self.object(here, lane, address)?;
                    self.expect(here, lane, index, -(first as i64))?;
                    self.check_phase(index);
                }
            }
        }
        Ok(())
    }

    fn init_object(&mut self, here: Here, lane: u32, address: u64, count: u64) -> Result<(), Box<Fault>> {
        let address = self.shared_range(here, lane, address, 8, 8, "makes an `mbarrier` of")?;
        if count == 0 || count > u64::from(MAX_COUNT) {
            let what = format!("makes an `mbarrier` for {count} arrivals; it takes 1 to {MAX_COUNT}");
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        let before = self.block.asynchrony.objects.len();
        self.block.asynchrony.objects.retain(|object| object.address != address);
        if P::WATCHES && self.block.asynchrony.objects.len() != before {
            let detail = || format!("byte {address} of shared memory");
            self.probe.undefined(Rule::InitTwice, here.at, here.w as u32, lane, &detail);
        }
        self.block.asynchrony.objects.push(Object { address, phases: 0, deferred: VecDeque::new() });
        let index = Target { rank: self.rank, index: self.block.asynchrony.objects.len() - 1 };
        self.set_state(index, MbarrierState::new(count as u32));
        self.progress += 1;
        if P::WATCHES {
            self.probe.mbarrier_init(here.at, here.w as u32, lane, address);
        }
        Ok(())
    }

    /// Adds `bytes` to the bytes that the current phase still expects.
    fn expect(&mut self, here: Here, lane: u32, index: Target, bytes: i64) -> Result<(), Box<Fault>> {
        if bytes == 0 {
            return Ok(());
        }
        let address = self.object_at(index).address;
        let mut state = self.state(index);
        state.bytes += bytes;
        if state.bytes.abs() > MAX_BYTES {
            let what = format!(
                "makes the `mbarrier` at byte {address} of shared memory wait for {} bytes; it can count {MAX_BYTES}",
                state.bytes
            );
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        self.set_state(index, state);
        self.progress += 1;
        Ok(())
    }

    /// Arrives `count` times for a lane. Returns the state before.
    #[expect(clippy::too_many_arguments, reason = "the operands and modifiers of the instruction")]
    fn arrive_at(
        &mut self,
        here: Here,
        lane: u32,
        index: Target,
        count: u64,
        no_complete: bool,
        drop: bool,
        order: Order,
    ) -> Result<MbarrierState, Box<Fault>> {
        let address = self.object_at(index).address;
        if P::WATCHES {
            self.probe.mbarrier_arrive(here.w as u32, 1 << lane, (index.rank, address), order);
        }
        let before = self.state(index);
        let most = u64::from(before.pending) - u64::from(no_complete && before.pending != 0);
        if count == 0 || count > most {
            let what = format!(
                "arrives {count} times at the `mbarrier` at byte {address} of shared memory, whose phase waits for {} \
                 more{}",
                before.pending,
                if no_complete { " and must not be completed by it" } else { "" }
            );
            return self.fails(here, lane, FaultKind::Mbarrier, &what);
        }
        let dropped = if drop { count as u32 } else { 0 };
        let expected = before.expected.saturating_sub(dropped);
        self.set_state(index, MbarrierState { pending: before.pending - count as u32, expected, ..before });
        self.progress += 1;
        self.check_phase(index);
        Ok(before)
    }

    /// Starts the next phase and returns true if the current one is complete.
    fn check_phase(&mut self, index: Target) -> bool {
        let address = self.object_at(index).address;
        let state = self.state(index);
        if !state.is_complete() {
            return false;
        }
        let object = self.object_at_mut(index);
        object.phases = object.phases.wrapping_add(1);
        let number = object.phases;
        self.set_state(index, MbarrierState { phase: !state.phase, pending: state.expected, ..state });
        self.progress += 1;
        if P::WATCHES {
            self.probe.mbarrier_phase((index.rank, address), number);
        }
        true
    }

    /// Runs `cp.async.mbarrier.arrive`.
    pub(super) fn track_copies(&mut self, here: Here, what: &Asynch, noinc: bool) -> Result<(), Box<Fault>> {
        let number = self.last_copy(here.w);
        for lane in lanes_of(here.active) {
            let address = what.input(0).lane(here.file, lane as usize);
            let index = self.object(here, lane, address)?;
            let address = self.object_at(index).address;
            if !noinc {
                let state = self.state(index);
                if state.pending == MAX_COUNT {
                    let what = format!("makes the `mbarrier` at byte {address} wait for too many arrivals");
                    return self.fails(here, lane, FaultKind::OutOfBounds, &what);
                }
                self.set_state(index, MbarrierState { pending: state.pending + 1, ..state });
            }
            self.object_at_mut(index).deferred.push_back(Deferred::Copies { warp: here.w, lane, number });
            self.progress += 1;
            if P::WATCHES {
                let engine = Engine::Copies(here.w as u32);
                self.probe.mbarrier_tracks(here.w as u32, 1 << lane, engine, number, (index.rank, address));
            }
        }
        Ok(())
    }

    /// Performs the deferred events of an object if they complete the phase.
    fn perform_deferred(&mut self, index: Target) {
        let state = self.state(index);
        let object = self.object_at(index);
        let arrivals: u32 = object.deferred.iter().map(Deferred::arrivals).sum();
        let bytes: i64 = object.deferred.iter().map(Deferred::bytes).sum();
        if object.deferred.is_empty() || arrivals < state.pending || bytes < state.bytes {
            return;
        }
        while let Some(next) = self.object_at_mut(index).deferred.pop_front() {
            match next {
                Deferred::Copies { warp, lane, number } => {
                    self.land_up_to(warp, 1 << lane, number);
                    let state = self.state(index);
                    self.set_state(index, MbarrierState { pending: state.pending.saturating_sub(1), ..state });
                }
                Deferred::Bulk(copy) => {
                    self.perform(&copy);
                    let state = self.state(index);
                    self.set_state(index, MbarrierState { bytes: state.bytes - i64::from(copy.bytes()), ..state });
                }
                Deferred::Done(bytes) => {
                    let state = self.state(index);
                    self.set_state(index, MbarrierState { bytes: state.bytes - i64::from(bytes), ..state });
                }
            }
            self.progress += 1;
            if self.check_phase(index) {
                return;
            }
        }
    }

    /// Runs `test_wait` and `try_wait`.
    pub(super) fn test_object(
        &mut self,
        here: Here,
        what: &Asynch,
        parity: bool,
        suspends: bool,
    ) -> Result<Next, Box<Fault>> {
        let mut complete = 0u32;
        for lane in lanes_of(here.active) {
            let [address, wanted] = [0, 1].map(|index| what.input(index).lane(here.file, lane as usize));
            let index = self.object(here, lane, address)?;
            let phase = if parity { wanted & 1 == 1 } else { MbarrierState::unpack(wanted).phase };
            if P::TRACES {
                let object = (index.rank, self.object_at(index).address);
                self.probe.mbarrier_test(here.at, here.w as u32, object, phase);
            }
            if self.state(index).phase == phase {
                self.perform_deferred(index);
            }
            if self.state(index).phase != phase {
                complete |= 1 << lane;
                let object = (index.rank, self.object_at(index).address);
                if P::WATCHES && self.object_at(index).phases != 0 {
                    self.probe.mbarrier_wait(here.w as u32, 1 << lane, object, what.order);
                }
            }
        }
        if complete == 0 && suspends && !self.overdue {
            return Ok(Next::Again);
        }
        here.file.set_predicate(what.predicate, here.active, complete);
        Ok(if complete == 0 { Next::Later } else { Next::On })
    }

    /// Returns the fault of the first warp that waits for something that can no longer happen.
    pub(crate) fn deadlock(&mut self) -> Box<Fault> {
        let setup = self.setup;
        for w in 0..self.block.warps.len() {
            let warp = &self.block.warps[w];
            if warp.live == 0 || warp.waiting.is_some() {
                continue;
            }
            for split in warp.splits.ready.clone() {
                // A test does not block, so the warp may already be at the next instruction, which branches back.
                let code = &setup.program.code;
                let near = split.at.saturating_sub(1)..=split.at;
                let Some((at, what)) = near.rev().find_map(|at| {
                    let inst = code.get(at).filter(|inst| matches!(inst.op, crate::program::Op::Asynch))?;
                    let what = setup.program.async_copy.get(inst.x as usize)?;
                    matches!(what.kind, AsyncOp::Test { .. }).then_some((at, what))
                }) else {
                    continue;
                };
                // SAFETY: the machine does not change until the registers have been read.
                let file = unsafe { self.file(w) };
                let here = Here { at, w, active: split.mask, file };
                let lane = split.mask.trailing_zeros() & 31;
                if let Some(text) = self.lacks(here, lane, what) {
                    return self.fault(FaultKind::Mbarrier, at, w, lane, &text);
                }
            }
        }
        let w = self.block.warps.iter().position(|warp| warp.live != 0 && warp.waiting.is_none()).unwrap_or(0);
        let (at, lane) = match self.block.warps.get(w) {
            Some(warp) => (warp.splits.ready.first().map_or(0, |split| split.at), warp.live.trailing_zeros() & 31),
            None => (0, 0),
        };
        let inst = setup.program.code.get(at).filter(|inst| matches!(inst.op, crate::program::Op::Asynch));
        let what = inst.and_then(|inst| setup.program.async_copy.get(inst.x as usize));
        if let Some(AsyncOp::Registers { count }) = what.map(|what| what.kind) {
            let free = 32 * self.block.free_registers;
            let what = format!("waits for {count} registers per thread; no warp gives back more, and {free} are free");
            return self.fault(FaultKind::Livelock, at, w, lane, &what);
        }
        self.fault(FaultKind::DivergentBarrier, at, w, lane, "waits for arrivals that can no longer happen")
    }

    fn lacks(&mut self, here: Here, lane: u32, what: &Asynch) -> Option<String> {
        let address = what.input(0).lane(here.file, lane as usize);
        let index = self.object(here, lane, address).ok()?;
        let state = self.state(index);
        let (phase, address) = (self.object_at(index).phases, self.object_at(index).address);
        Some(format!(
            "waits for the `mbarrier` at byte {address} of shared memory, whose phase {phase} lacks {} of {} arrivals and \
             {} bytes, and no thread that could bring them can go on",
            state.pending, state.expected, state.bytes
        ))
    }
}
