//! The probe of counts and hazards together.

use super::{Blocks, Hazards};
use crate::simt::counts::Counter;
use crate::simt::probe::{AsyncAccess, Engine, Probe, Scope, Seen};
use crate::simt::program::Program;
use std::sync::Arc;

/// Counts and hazards together.
#[derive(Debug)]
pub(crate) struct Everything {
    pub(crate) counter: Counter,
    pub(crate) hazards: Hazards,
    /// Those of the other blocks of a cluster: each block is looked at by itself.
    parked: Vec<Hazards>,
    rank: usize,
}

impl Everything {
    pub(crate) fn new(program: &Program, cluster_size: u32, blocks: Option<&Arc<Blocks>>) -> Self {
        let parked = if cluster_size > 1 { cluster_size as usize } else { 0 };
        Self {
            counter: Counter::new(program),
            hazards: Hazards::new(program, blocks),
            parked: (0..parked).map(|_| Hazards::new(program, blocks)).collect(),
            rank: 0,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.counter.merge(&other.counter);
        std::iter::once(&other.hazards).chain(&other.parked).for_each(|hazards| self.hazards.merge(hazards));
    }
}

impl Probe for Everything {
    const COUNTS: bool = true;
    const WATCHES: bool = true;
    const TRACES: bool = false;

    fn turn(&mut self, rank: u32) {
        let rank = rank as usize;
        if rank == self.rank || rank >= self.parked.len() || self.rank >= self.parked.len() {
            return;
        }
        std::mem::swap(&mut self.hazards, &mut self.parked[self.rank]);
        std::mem::swap(&mut self.hazards, &mut self.parked[rank]);
        self.rank = rank;
    }

    fn start(&mut self, program: &Program, block: u64, warps: u32, shared_bytes: u64) {
        self.counter.start(program, block, warps, shared_bytes);
    }

    fn threads(&mut self, threads: u32, shared_bytes: u64, block: u64) {
        self.hazards.start(threads, shared_bytes, block);
    }

    fn looped(&mut self, at: usize, global: bool, costs: (u32, u32)) {
        self.counter.looped(at, global, costs);
    }

    #[inline(always)]
    fn enter(&mut self, block: u32, mask: u32) {
        self.counter.enter(block, mask);
    }

    fn guarded(&mut self, at: usize, mask: u32) {
        self.counter.guarded(at, mask);
    }

    #[inline(always)]
    fn request(&mut self, at: usize) {
        self.counter.request(at);
    }

    #[inline(always)]
    fn shared(&mut self, seen: &mut Seen<'_>) {
        self.counter.shared(seen);
        self.hazards.shared(seen);
    }

    fn copied(&mut self, seen: &mut Seen<'_>) {
        self.counter.shared(seen);
    }

    fn bulk(&mut self, at: usize, sectors: u64, bytes: u64) {
        self.counter.bulk(at, sectors, bytes);
    }

    #[inline(always)]
    fn global(&mut self, seen: &mut Seen<'_>) {
        self.counter.global(seen);
        if self.hazards.global.is_some() {
            self.hazards.global_access(seen);
        }
    }

    fn arrive(&mut self, _: usize, warp: u32, number: usize) {
        self.hazards.arrive(warp, number);
    }

    fn release(&mut self, number: usize, waiting: u32, all: bool) {
        self.counter.release(number, waiting, all);
        self.hazards.release(number, waiting, all);
    }

    fn warp_sync(&mut self, warp: u32, mask: u32) {
        self.hazards.warp_sync(warp, mask);
    }

    fn exits(&mut self, warp: u32, mask: u32) {
        self.hazards.exits(warp, mask);
    }

    fn fence(&mut self, warp: u32, mask: u32, scope: Scope) {
        self.hazards.fence(warp, mask, scope);
    }

    fn proxy_fence(&mut self, warp: u32, mask: u32) {
        self.hazards.proxy_fence(warp, mask);
    }

    fn asynchronous(&mut self, access: &AsyncAccess) {
        self.hazards.asynchronous(access);
    }

    fn learns(&mut self, warp: u32, mask: u32, engine: Engine, number: u32) {
        self.hazards.learns(warp, mask, engine, number);
    }

    fn mbarrier_init(&mut self, _: usize, _: u32, _: u32, address: u32) {
        self.hazards.mbarrier_init(address);
    }

    fn mbarrier_arrive(&mut self, warp: u32, mask: u32, address: u32) {
        self.hazards.mbarrier_arrive(warp, mask, address);
    }

    fn mbarrier_tracks(&mut self, warp: u32, mask: u32, engine: Engine, number: u32, address: u32) {
        self.hazards.mbarrier_tracks(warp, mask, engine, number, address);
    }

    fn mbarrier_phase(&mut self, address: u32, number: u32) {
        self.hazards.mbarrier_phase(address, number);
    }

    fn mbarrier_wait(&mut self, warp: u32, mask: u32, address: u32, _: u32) {
        self.hazards.mbarrier_wait(warp, mask, address);
    }

    fn end(&mut self) {
        self.hazards.end();
    }

    fn refuses(&self) -> Option<&'static str> {
        self.hazards.refuses()
    }
}
