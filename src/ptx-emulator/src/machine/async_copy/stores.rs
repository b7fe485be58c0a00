//! Bulk stores to global memory: issue, commit and wait.

use super::moves::Move;
use super::{Here, lanes_of};
use crate::machine::state::Machine;
use crate::probes::{AsyncAccess, Engine, Probe};
use crate::{Fault, Rule};
use std::collections::VecDeque;

/// A store that has not happened yet.
struct Pending {
    /// Index of the instruction.
    at: usize,
    lane: u32,
    group: u32,
    /// Number of the store in the warp, starting at 1.
    number: u32,
    copy: Move,
    /// True if its source has been read.
    held: bool,
}

/// Stores of a warp that have not happened yet.
#[derive(Default)]
pub(super) struct Stores {
    queue: VecDeque<Pending>,
    /// Number of groups that each lane has committed.
    committed: [u32; 32],
    number: u32,
    /// Number of bytes kept of sources that have been read.
    held: usize,
}

/// Maximum number of a warp's stores in flight, and of bytes kept for them. Beyond that, the oldest one happens, as it
/// would on a GPU sooner or later.
const MAX_IN_FLIGHT: usize = 4096;
const MAX_HELD_BYTES: usize = 1 << 20;

impl<P: Probe> Machine<'_, P> {
    /// Defers a store until the thread waits for it.
    pub(super) fn store_when_waited(&mut self, here: Here, lane: u32, copy: Move, from: u32) {
        let stores = &mut self.block.asynchrony.stores[here.w];
        stores.number += 1;
        let (number, group, bytes) = (stores.number, stores.committed[lane as usize], copy.bytes());
        if P::WATCHES {
            let read = AsyncAccess {
                at: here.at,
                rank: self.rank,
                warp: here.w as u32,
                lane,
                engine: Engine::Bulk(here.w as u32),
                number,
                writes: false,
                start: from,
                bytes,
                each: bytes,
                proxy: true,
                reduces: false,
            };
            self.probe.asynchronous(&read);
            let write = AsyncAccess { engine: Engine::Stores(here.w as u32), writes: true, ..read };
            match &copy {
                Move::Store { to, mask: u16::MAX, reduce, .. } => {
                    let write = AsyncAccess { reduces: reduce.is_some(), ..write };
                    self.probe.asynchronous_global(&write, *to, bytes.into());
                }
                Move::Store { to, mask, .. } => {
                    for word in (0..bytes).step_by(4).filter(|word| mask >> (word % 16) & 15 == 15) {
                        self.probe.asynchronous_global(&write, *to + u64::from(word), 4);
                    }
                }
                Move::StoreTile { map, corner, reduce, .. } => {
                    let write = AsyncAccess { reduces: reduce.is_some(), ..write };
                    map.rows(*corner, |row| self.probe.asynchronous_global(&write, row.address, row.bytes.into()));
                }
                _ => {}
            }
        }
        self.block.asynchrony.stores[here.w].queue.push_back(Pending {
            at: here.at,
            lane,
            group,
            number,
            copy,
            held: false,
        });
        self.limit(here.w);
    }

    fn limit(&mut self, w: usize) {
        while self.block.asynchrony.stores[w].queue.len() > MAX_IN_FLIGHT
            || self.block.asynchrony.stores[w].held > MAX_HELD_BYTES
        {
            let Some(mut oldest) = self.block.asynchrony.stores[w].queue.pop_front() else { return };
            self.finish(w, &mut oldest);
        }
    }

    fn finish(&mut self, w: usize, store: &mut Pending) {
        let kept = if store.held { store.copy.source_bytes() as usize } else { 0 };
        self.block.asynchrony.stores[w].held -= kept;
        self.perform(&store.copy);
    }

    pub(super) fn commit_bulk(&mut self, here: Here) {
        for lane in lanes_of(here.active) {
            self.block.asynchrony.stores[here.w].committed[lane as usize] += 1;
        }
    }

    /// Waits until at most `pending` of each lane's latest groups are in flight. If `read`, waits only until their
    /// sources have been read.
    pub(super) fn wait_bulk(&mut self, here: Here, pending: u32, read: bool) {
        let committed = self.block.asynchrony.stores[here.w].committed;
        let mut queue = std::mem::take(&mut self.block.asynchrony.stores[here.w].queue);
        queue.retain_mut(|store| {
            let done = here.active >> store.lane & 1 == 1
                && store.group < committed[store.lane as usize].saturating_sub(pending);
            match (done, read) {
                (true, false) => self.finish(here.w, store),
                (true, true) if !store.held => {
                    store.held = true;
                    self.block.asynchrony.stores[here.w].held += self.hold(&mut store.copy);
                }
                _ => {}
            }
            !done || read
        });
        if P::WATCHES {
            let waiting = queue.iter().find(|store| here.active >> store.lane & 1 == 1 && !store.held);
            let number = waiting.map_or(self.block.asynchrony.stores[here.w].number, |store| store.number - 1);
            self.probe.learns(here.w as u32, here.active, Engine::Bulk(here.w as u32), number);
            if !read {
                let unfinished = queue.iter().find(|store| here.active >> store.lane & 1 == 1);
                let number = unfinished.map_or(self.block.asynchrony.stores[here.w].number, |store| store.number - 1);
                self.probe.learns(here.w as u32, here.active, Engine::Stores(here.w as u32), number);
            }
        }
        self.block.asynchrony.stores[here.w].queue = queue;
        self.limit(here.w);
    }

    /// Performs the stores that are left when the block ends.
    pub(crate) fn finish_stores(&mut self) -> Result<(), Box<Fault>> {
        for w in 0..self.block.asynchrony.stores.len() {
            for mut store in std::mem::take(&mut self.block.asynchrony.stores[w].queue) {
                if P::WATCHES && !store.held {
                    let detail = || "its shared memory".to_owned();
                    self.probe.undefined(Rule::BulkSource, store.at, w as u32, store.lane, &detail);
                }
                self.finish(w, &mut store);
            }
        }
        Ok(())
    }
}
