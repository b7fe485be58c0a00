//! Fences, strong accesses, and `mbarrier`s.

use super::Hazards;
use super::clock::{Agent, Clock, Message, lanes};
use super::shadow::{Kind, Past, widen};
use crate::simt::probe::{Engine, Scope, Seen};
use std::collections::HashMap;

/// What addresses make known to those who read them.
#[derive(Debug, Default)]
pub(super) struct Sync {
    /// By offset in shared memory.
    shared: HashMap<u64, Message>,
    /// By address in global memory; kept from block to block.
    global: HashMap<u64, Message>,
    /// By address of the `mbarrier`: what arrives in the present phase, and what its completed phases made known.
    arriving: HashMap<u32, Message>,
    complete: HashMap<u32, Message>,
}

impl Sync {
    /// A block starts.
    pub(super) fn start(&mut self) {
        self.shared.clear();
        self.arriving.clear();
        self.complete.clear();
    }

    /// A block has ended: what it made known in global memory is knowledge of an earlier block from now on.
    pub(super) fn end(&mut self, block: u64) {
        for message in self.global.values_mut() {
            message.fenced.clear();
            message.clock.retire(block);
        }
    }
}

impl Hazards {
    /// A strong access to shared memory: checked against plain ones, and what it makes known or learns.
    #[inline(never)]
    pub(super) fn strong(&mut self, mut past: Past, each: usize, seen: &Seen<'_>) {
        let by = past.agent;
        for lane in lanes(seen.mask) {
            past.lane = lane as u8;
            let start = seen.start.wrapping_add(seen.shape.relative[lane] as u64);
            let first = (start >> self.shift) as usize;
            for cell in first..first + each {
                if cell >= self.cells {
                    continue;
                }
                self.check_write(cell, past, by);
                if past.kind == Kind::StrongWrite {
                    self.check_readers(cell, past, by);
                }
                let rows =
                    if past.kind == Kind::StrongWrite { &mut self.strong_writes } else { &mut self.strong_reads };
                let slot = &mut rows.row(by, self.cells)[cell];
                *slot = widen(*slot, past.pack());
            }
        }
        self.synchronise(seen, false);
    }

    /// What the lanes of a strong access learn from the address, and what they make known there.
    pub(super) fn synchronise(&mut self, seen: &Seen<'_>, global: bool) {
        let warp = seen.warp as Agent;
        let order = &seen.access.order;
        let scope = if global { Scope::Device } else { Scope::Block };
        let Some(threads) = self.threads.get_mut(usize::from(warp)) else { return };
        let objects = if global { &mut self.sync.global } else { &mut self.sync.shared };
        let reads = !seen.access.writes || seen.access.atomic.is_some();
        if order.scope < scope || (objects.is_empty() && !seen.access.writes) {
            return;
        }
        let mut rest = seen.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let address = seen.start.wrapping_add(seen.shape.relative[lane] as u64);
            let mut group = 1u32 << lane;
            if !seen.access.writes {
                let same = |l: &usize| seen.shape.relative[*l] == seen.shape.relative[lane];
                group = lanes(rest).filter(same).fold(0, |mask, l| mask | 1 << l);
            }
            rest &= !group;
            if reads && let Some(message) = objects.get(&address) {
                threads.receive(group, message);
            }
            if !seen.access.writes {
                continue;
            }
            let message = if order.release {
                let mut told = Message::default();
                threads.publish(warp, group, &mut told);
                told.released.iter_mut().for_each(Clock::clear);
                Some(told)
            } else {
                threads.released(lane, scope)
            };
            match (message, seen.access.atomic.is_some()) {
                (Some(message), true) => objects.entry(address).or_default().join(&message),
                (Some(message), false) => drop(objects.insert(address, message)),
                (None, true) => {}
                (None, false) => drop(objects.remove(&address)),
            }
        }
    }

    pub(super) fn fence(&mut self, warp: u32, mask: u32, scope: Scope) {
        if let Some(threads) = self.threads.get_mut(warp as usize) {
            threads.fence(warp as Agent, mask, scope);
        }
    }

    pub(super) fn proxy_fence(&mut self, warp: u32, mask: u32) {
        if let Some(threads) = self.threads.get_mut(warp as usize) {
            let mut message = Message::default();
            threads.publish(warp as Agent, mask, &mut message);
            threads.fenced.join(&message.clock);
        }
    }

    pub(super) fn mbarrier_init(&mut self, address: u32) {
        self.sync.arriving.remove(&address);
        self.sync.complete.remove(&address);
    }

    pub(super) fn mbarrier_arrive(&mut self, warp: u32, mask: u32, address: u32) {
        if let Some(threads) = self.threads.get(warp as usize) {
            threads.publish(warp as Agent, mask, self.sync.arriving.entry(address).or_default());
        }
    }

    pub(super) fn mbarrier_tracks(&mut self, warp: u32, mask: u32, engine: Engine, number: u32, address: u32) {
        let agent = self.engine(engine, warp);
        self.sync.arriving.entry(address).or_default().clock.learn_lanes(agent, mask, number);
    }

    pub(super) fn mbarrier_phase(&mut self, address: u32, number: u32) {
        let warp =
            self.engines.iter().find(|(engine, ..)| *engine == Engine::Phase(address)).map_or(0, |(_, warp, _)| *warp);
        let agent = self.engine(Engine::Phase(address), warp);
        let mut message = self.sync.arriving.remove(&address).unwrap_or_default();
        message.clock.learn(agent, number);
        self.sync.complete.entry(address).or_default().join(&message);
    }

    pub(super) fn mbarrier_wait(&mut self, warp: u32, mask: u32, address: u32) {
        if let (Some(threads), Some(message)) = (self.threads.get_mut(warp as usize), self.sync.complete.get(&address))
        {
            threads.receive(mask, message);
        }
    }
}
