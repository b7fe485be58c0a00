//! Asynchronous instructions: the state of a block, and the dispatch to each instruction's code.

mod bulk;
mod bytes;
mod cluster;
mod copy;
mod maps;
mod mbarrier;
mod moves;
mod stores;
mod tile;

use super::lanes::lanes_of;
use super::split::Split;
use super::state::Machine;
use crate::arith::Registers;
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::async_copy::AsyncOp;
use crate::{Fault, FaultKind};

use copy::Copies;
use mbarrier::Object;
use stores::Stores;

/// State of a block's asynchronous instructions.
#[derive(Default)]
pub(crate) struct Asynchrony {
    /// Outstanding `cp.async` of each warp.
    copies: Vec<Copies>,
    /// Outstanding bulk stores of each warp.
    stores: Vec<Stores>,
    objects: Vec<Object>,
}

impl Asynchrony {
    pub(crate) fn start(&mut self, warps: usize) {
        self.copies.clear();
        self.copies.resize_with(warps, Copies::default);
        self.stores.clear();
        self.stores.resize_with(warps, Stores::default);
        self.objects.clear();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    On,
    /// With the next instruction, after other warps have had a turn.
    Later,
    /// With the same instruction, once something has changed.
    Again,
}

impl<P: Probe> Machine<'_, P> {
    /// Runs an asynchronous instruction of the active lanes.
    #[inline(never)]
    pub(crate) fn asynchronous(
        &mut self,
        at: usize,
        w: usize,
        inst: &Inst,
        active: u32,
        file: Registers,
    ) -> Result<Next, Box<Fault>> {
        let setup = self.setup;
        let Some(what) = setup.program.async_copy.get(inst.x as usize) else { return Ok(Next::On) };
        let here = Here { at, w, active, file };
        match what.kind {
            AsyncOp::Copy { bytes, cached } => self.issue_copy(here, what, bytes, cached)?,
            AsyncOp::CommitCopies => self.commit_copies(here),
            AsyncOp::WaitCopies { pending } => self.wait_copies(here, pending),
            AsyncOp::TrackCopies { noinc } => self.track_copies(here, what, noinc)?,
            AsyncOp::Init | AsyncOp::Invalidate | AsyncOp::Expect | AsyncOp::Complete | AsyncOp::Arrive { .. } => {
                self.change_object(here, what)?;
            }
            AsyncOp::BulkLoad
            | AsyncOp::BulkStore { .. }
            | AsyncOp::BulkShared { .. }
            | AsyncOp::TileLoad { .. }
            | AsyncOp::TileStore { .. }
            | AsyncOp::Remote { .. } => self.issue_bulk(here, what)?,
            AsyncOp::ReplaceField { field, shared } => self.replace_field(here, what, field, shared)?,
            AsyncOp::CopyMap => self.copy_map(here, what)?,
            AsyncOp::Registers { count } => {
                self.whole_warp(here, "changes its number of registers")?;
                return self.resize(at, w, count.into());
            }
            AsyncOp::CommitBulk => self.commit_bulk(here),
            AsyncOp::WaitBulk { pending, read } => self.wait_bulk(here, pending, read),
            AsyncOp::ProxyFence => {
                if P::WATCHES {
                    self.probe.proxy_fence(w as u32, active);
                }
            }
            AsyncOp::GridDependency { waits } => {
                if P::WATCHES {
                    self.probe.grid_dependency(w as u32, active, waits);
                }
            }
            AsyncOp::ClusterArrive => self.arrive_at_cluster(here, what)?,
            AsyncOp::ClusterWait => return self.wait_for_cluster(here),
            AsyncOp::Test { parity, suspends } => return self.test_object(here, what, parity, suspends),
        }
        Ok(Next::On)
    }

    /// Defers lanes that found nothing to do, so that other lanes of the warp have a turn. Returns true if no lanes of
    /// the warp found anything to do. Then the warp's turn is over.
    pub(crate) fn defer_split(&mut self, w: usize, split: Split) -> bool {
        let warp = &mut self.block.warps[w];
        warp.splits.ready.insert(0, split);
        if self.polls == 0 {
            self.idle_since = self.progress;
        }
        self.polls += 1;
        let all = self.polls >= warp.splits.ready.len();
        if all {
            warp.idle_since = self.idle_since;
        }
        all
    }

    /// Checks that all live lanes execute an instruction that needs the whole warp.
    fn whole_warp(&self, here: Here, verb: &str) -> Result<(), Box<Fault>> {
        let missing = self.block.warps[here.w].live & !here.active;
        if missing == 0 {
            return Ok(());
        }
        let what = format!("{verb} while {} threads of its warp do something else", missing.count_ones());
        self.fails(here, here.active.trailing_zeros() & 31, FaultKind::DivergentBarrier, &what)
    }

    /// Returns a fault of one lane.
    #[cold]
    fn fails<T>(&self, here: Here, lane: u32, kind: FaultKind, what: &str) -> Result<T, Box<Fault>> {
        Err(self.fault(kind, here.at, here.w, lane, what))
    }
}

/// The current instruction with its warp and lanes. Only [`Machine::asynchronous`] makes one, with the file of the
/// warp.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) at: usize,
    pub(super) w: usize,
    pub(super) active: u32,
    pub(super) file: Registers,
}
