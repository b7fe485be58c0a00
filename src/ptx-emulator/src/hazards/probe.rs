use super::global::ByteBudget;
use super::granules::Ordered;
use super::values::Flow;
use super::{Blocks, Hazards};
use crate::arch::Order;
use crate::arch::Scope;
use crate::arith::Registers;
use crate::counts::Counter;
use crate::probes::{AddressPattern, AsyncAccess, Engine, LocalElement, Object, Probe, Seen, Space};
use crate::program::Program;
use crate::undefined::Rule;
use std::sync::Arc;

/// A probe that collects counts and hazards together. With `FOLLOWS`, it also follows undefined values.
#[derive(Debug)]
pub(crate) struct CountsAndHazards<'a, const FOLLOWS: bool> {
    program: &'a Program,
    cluster_size: u32,
    blocks: Option<Arc<Blocks>>,
    pub(crate) counter: Counter,
    pub(crate) hazards: Hazards,
    /// The state of clusters that are suspended, and the slot of the running cluster.
    parked: Vec<Hazards>,
    slot: usize,
    /// What happens before in global memory.
    ordered: Option<Ordered>,
    flow: Option<Arc<Flow>>,
}

impl<'a, const FOLLOWS: bool> CountsAndHazards<'a, FOLLOWS> {
    pub(crate) fn new(
        program: &'a Program,
        cluster_size: u32,
        blocks: Option<&Arc<Blocks>>,
        flow: Option<&Arc<Flow>>,
    ) -> Self {
        let none = program.ordered_blocks.then(|| Ordered::new(2, &[], false, ByteBudget::new(u64::MAX / 4)));
        let ordered = blocks.map(|blocks| blocks.in_turns()).or(none);
        Self {
            program,
            cluster_size,
            blocks: blocks.cloned(),
            counter: Counter::new(program),
            hazards: Hazards::new(program, cluster_size, blocks).following(flow),
            parked: Vec::new(),
            slot: 0,
            ordered,
            flow: flow.cloned(),
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.counter.merge(&other.counter);
        std::iter::once(&other.hazards).chain(&other.parked).for_each(|hazards| self.hazards.merge(hazards));
    }
}

impl<const FOLLOWS: bool> Probe for CountsAndHazards<'_, FOLLOWS> {
    const COUNTS: bool = true;
    const WATCHES: bool = true;
    const TRACES: bool = FOLLOWS;

    fn turn(&mut self, rank: u32) {
        self.hazards.turn(rank);
    }

    fn resume(&mut self, slot: usize) {
        while self.parked.len() <= slot.max(self.slot) {
            let new = Hazards::new(self.program, self.cluster_size, self.blocks.as_ref());
            self.parked.push(new.following(self.flow.as_ref()));
        }
        std::mem::swap(&mut self.hazards, &mut self.parked[self.slot]);
        std::mem::swap(&mut self.hazards, &mut self.parked[slot]);
        self.slot = slot;
    }

    fn start(&mut self, program: &Program, block: u64, warps: u32, shared_bytes: u64) {
        self.counter.start(program, block, warps, shared_bytes);
    }

    fn threads(&mut self, threads: u32, shared_bytes: u64, block: u64) {
        self.hazards.start(threads, shared_bytes, block);
        if let Some(values) = self.hazards.values.as_mut().filter(|_| FOLLOWS) {
            values.start(self.program, self.hazards.rank, threads, shared_bytes);
        }
        if let Some(ordered) = &mut self.ordered {
            ordered.begin(self.hazards.cluster());
        }
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
        if let (true, true, true, Some(values)) =
            (FOLLOWS, seen.access.matrix.is_some(), seen.access.writes, &mut self.hazards.values)
        {
            for lane in super::clock::lanes(seen.mask) {
                let start = seen.start.wrapping_add(seen.pattern.relative[lane] as u64) as usize;
                values.written(self.hazards.rank, start, seen.access.bytes() as usize);
            }
        }
    }

    #[inline(always)]
    fn product_reads(&mut self, warp: usize, index: u32, reads: [(u64, u32, &AddressPattern, [i32; 2]); 2]) -> bool {
        self.hazards.product(warp, index, reads)
    }

    #[inline(always)]
    fn product(&mut self, index: u32, costs: [(u32, u32); 2]) {
        self.counter.product(index, costs);
    }

    fn remote(&mut self, rank: u32, seen: &mut Seen<'_>) {
        self.hazards.remote_use(rank, seen.at, seen.warp, seen.mask);
        self.hazards.remote(rank, seen);
    }

    fn copied(&mut self, at: usize, lanes: u32, wavefronts: (u32, u32)) {
        self.counter.copied(at, lanes, wavefronts);
    }

    fn bulk(&mut self, at: usize, sectors: u64, bytes: u64) {
        self.counter.bulk(at, sectors, bytes);
    }

    #[inline(always)]
    fn global(&mut self, seen: &mut Seen<'_>) {
        self.counter.global(seen);
        if let Some(ordered) = &mut self.ordered {
            self.hazards.global_access(seen, ordered);
        }
    }

    fn step(&mut self, at: usize, warp: u32, mask: u32, file: Registers) {
        self.hazards.step(self.program, at, warp, mask, file);
    }

    fn exchanged(&mut self, at: usize, warp: u32, lanes: u32, named: u32, sources: Option<[u8; 32]>) {
        self.hazards.exchanged(self.program, at, warp, lanes, named, sources);
    }

    fn loads_unwritten(&mut self, local: LocalElement) {
        self.hazards.loads_unwritten(self.program, local);
    }

    fn stores_undefined(&mut self, local: LocalElement) -> bool {
        self.hazards.stores_undefined(self.program, local)
    }

    unsafe fn touched(&mut self, space: Space, seen: &Seen<'_>, _: *const u8) {
        self.hazards.touched(self.program, space, seen);
    }

    fn landed(&mut self, rank: u32, start: u32, bytes: &[u8]) {
        if let Some(values) = &mut self.hazards.values {
            values.written(rank, start as usize, bytes.len());
        }
    }

    #[inline(always)]
    fn reaches(&mut self, block: u32, warp: u32) {
        self.hazards.reaches(block, warp);
    }

    fn undefined(&mut self, rule: Rule, at: usize, warp: u32, lane: u32, detail: &dyn Fn() -> String) {
        self.hazards.undefined(rule, at, warp, lane, detail);
    }

    fn arrive(&mut self, at: usize, warp: u32, number: usize) {
        self.hazards.waits_at(at, warp);
        self.hazards.arrive(warp, number);
    }

    fn release(&mut self, number: usize, waiting: u32, all: bool) {
        self.counter.release(number, waiting, all);
        if all {
            self.hazards.check_barrier(self.program, waiting);
        }
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

    fn grid_dependency(&mut self, warp: u32, mask: u32, waits: bool) {
        self.hazards.grid_dependency(warp, mask, waits);
    }

    fn proxy_fence(&mut self, warp: u32, mask: u32) {
        self.hazards.proxy_fence(warp, mask);
    }

    fn asynchronous(&mut self, access: &AsyncAccess) {
        self.hazards.asynchronous(access);
    }

    fn allocated(&mut self, start: u64, bytes: u64) {
        if let Some(ordered) = &mut self.ordered {
            ordered.forget(start, bytes);
        }
    }

    fn asynchronous_global(&mut self, access: &AsyncAccess, start: u64, bytes: u64) {
        self.hazards.copy_across_launches(access, start, bytes);
        if let Some(ordered) = &mut self.ordered {
            self.hazards.asynchronous_global(access, start, bytes, ordered);
        }
    }

    fn learns(&mut self, warp: u32, mask: u32, engine: Engine, number: u32) {
        self.hazards.learns(warp, mask, engine, number);
    }

    fn mbarrier_used(&mut self, at: usize, warp: u32, lane: u32, object: Object) {
        self.hazards.mbarrier_used(self.program, at, warp, lane, object);
    }

    fn reaches_mbarrier(&mut self, rank: u32, at: usize, warp: u32, lane: u32) {
        self.hazards.remote_use(rank, at, warp, 1 << lane);
    }

    fn mbarrier_init(&mut self, at: usize, warp: u32, lane: u32, address: u32) {
        self.hazards.mbarrier_init(address);
        self.hazards.init(at, warp, lane, address);
        self.landed(self.hazards.rank, address, &[0; 8]);
    }

    fn mbarrier_arrive(&mut self, warp: u32, mask: u32, object: Object, order: Order) {
        self.hazards.mbarrier_arrive(warp, mask, object, order);
    }

    fn mbarrier_tracks(&mut self, warp: u32, mask: u32, engine: Engine, number: u32, object: Object) {
        self.hazards.mbarrier_tracks(warp, mask, engine, number, object);
    }

    fn mbarrier_phase(&mut self, object: Object, number: u32) {
        self.hazards.mbarrier_phase(object, number);
    }

    fn mbarrier_wait(&mut self, warp: u32, mask: u32, object: Object, order: Order) {
        self.hazards.mbarrier_wait(warp, mask, object, order);
    }

    fn end(&mut self) {
        self.hazards.check_exit(self.hazards.rank);
        self.hazards.end_dependency();
        if let Some(ordered) = &mut self.ordered {
            ordered.end(self.hazards.cluster());
        }
    }

    fn refuses(&self) -> Option<&'static str> {
        self.hazards.refuses()
    }
}
