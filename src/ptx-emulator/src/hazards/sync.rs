//! Fences, strong accesses, and `mbarrier`s.

use super::Hazards;
use super::clock::{Agent, Clock, lanes};
use super::granules::{MAX_RELEASE_ADDRESSES, NO_RANK, Ordered, QuickMap};
use super::shadow::{AccessKind, Past, widen};
use super::warp::{Message, Warp};
use crate::arch::{Order, Scope};
use crate::probes::{Engine, Object, Seen};
use std::collections::HashMap;

const SCOPES: [Scope; 3] = [Scope::Block, Scope::Cluster, Scope::Device];

/// What threads released to all threads that observe the same address or object.
#[derive(Debug, Default)]
pub(super) struct Released {
    within: Option<Box<Within>>,
    /// Released to the whole launch.
    device: Clock,
}

/// What threads of a cluster released to other threads of that cluster.
#[derive(Debug)]
struct Within {
    number: u64,
    /// Released to threads of the block with this rank.
    near: Vec<(u32, Message)>,
    /// Released to the whole cluster.
    cluster: Message,
}

impl Released {
    /// Publishes a message. Returns true if nothing was published within this cluster before.
    fn publish(&mut self, scope: Scope, rank: u32, cluster: u64, message: &Message) -> bool {
        if scope == Scope::Device {
            self.device.join(&message.clock.clone().into_remote(cluster));
            return false;
        }
        let is_new = self.within(cluster).is_none();
        let empty = || Box::new(Within { number: cluster, near: Vec::new(), cluster: Message::default() });
        let within = match &mut self.within {
            Some(within) if !is_new => within,
            other => other.insert(empty()),
        };
        match within.near.iter_mut().find(|(of, _)| *of == rank) {
            _ if scope == Scope::Cluster => within.cluster.join(message),
            Some((_, near)) => near.join(message),
            None => within.near.push((rank, message.clone())),
        }
        is_new
    }

    fn within(&self, cluster: u64) -> Option<&Within> {
        self.within.as_deref().filter(|within| within.number == cluster)
    }

    /// Drops what was released within a cluster that has ended.
    pub(super) fn forget(&mut self, cluster: u64) {
        if self.within(cluster).is_some() {
            self.within = None;
        }
    }

    /// Lets lanes learn what was released, after an access with this order has read it. Without acquire, they learn
    /// it at their next fence.
    fn acquire(&self, order: Order, rank: u32, cluster: u64, threads: &mut Warp, mask: u32) {
        let mut learn = |scope: Scope, message: &Message| {
            if order.acquire {
                threads.receive(mask, message);
            } else {
                threads.observe(mask, scope, message);
            }
        };
        if let Some(within) = self.within(cluster) {
            within.near.iter().filter(|(of, _)| *of == rank).for_each(|(_, near)| learn(Scope::Block, near));
            if order.scope >= Scope::Cluster {
                learn(Scope::Cluster, &within.cluster);
            }
        }
        if order.scope == Scope::Device && !self.device.is_empty() {
            learn(Scope::Device, &Message { clock: self.device.to_local(cluster), ..Message::default() });
        }
    }
}

/// What was released at addresses and `mbarrier`s of the cluster.
#[derive(Debug, Default)]
pub(super) struct Sync {
    /// By rank and offset in shared memory.
    shared: QuickMap<(u32, u64), Released>,
    /// What was released by arrivals of an `mbarrier`'s current phase, and by its completed phases.
    arriving: HashMap<Object, Released>,
    complete: HashMap<Object, Released>,
}

impl Sync {
    pub(super) fn start(&mut self) {
        self.shared.clear();
        self.arriving.clear();
        self.complete.clear();
    }
}

impl Hazards {
    /// Handles a strong access to shared memory of the block with this rank, whose shadow is in place. It checks the
    /// access against weak ones, then releases and acquires.
    #[inline(never)]
    pub(super) fn strong(&mut self, mut past: Past, each: usize, seen: &Seen<'_>, rank: u32) {
        let by = past.agent;
        for lane in lanes(seen.mask) {
            past.lane = lane as u8;
            let first = self.cell_of(seen, lane);
            for cell in first..first + each {
                if cell >= self.shadow.cells {
                    continue;
                }
                self.check_write(cell, past, by);
                if past.kind == AccessKind::StrongWrite {
                    self.check_readers(cell, past, by);
                }
                if !self.roles.is_empty() {
                    self.check_volatile(cell, past, seen);
                }
                let (cells, shadow) = (self.shadow.cells, &mut self.shadow);
                let rows = if past.kind == AccessKind::StrongWrite {
                    &mut shadow.strong_writes
                } else {
                    &mut shadow.strong_reads
                };
                let slot = &mut rows.row(by, cells, cell, cell)[cell];
                *slot = widen(*slot, past.pack());
            }
        }
        self.synchronise(seen, Some(rank), None);
    }

    /// Lets the lanes of a strong access learn from its address and release there. The address is in shared memory of
    /// the block with rank `shared`, or in global memory.
    pub(super) fn synchronise(&mut self, seen: &Seen<'_>, shared: Option<u32>, ordered: Option<&mut Ordered>) {
        let (rank, cluster) = (self.rank, self.cluster());
        let warp = self.first + seen.warp as usize;
        let agent = warp as Agent;
        let order = &seen.access.order;
        let Some(threads) = self.threads.get_mut(warp) else { return };
        // The thread of an atomic without a result cannot depend on what it has observed.
        let reads = !seen.access.writes || seen.access.returns;
        let (mut global, mut of_clusters) = ordered
            .map(|Ordered { released_at, released, release_addresses, .. }| {
                (released_at, (released, release_addresses))
            })
            .unzip();
        let silent = !seen.access.writes || !order.release && threads.has_released_nothing();
        if silent && global.as_ref().map_or(self.sync.shared.is_empty(), |released| released.is_empty()) {
            return;
        }
        let widest = match (shared, self.size) {
            (None, _) => Scope::Device,
            (_, 1) => Scope::Block,
            _ => Scope::Cluster,
        };
        let mut rest = seen.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let address = seen.start.wrapping_add(seen.pattern.relative[lane] as u64);
            let mut group = 1u32 << lane;
            if !seen.access.writes {
                let same = |l: &usize| seen.pattern.relative[*l] == seen.pattern.relative[lane];
                group = lanes(rest).filter(same).fold(0, |mask, l| mask | 1 << l);
            }
            rest &= !group;
            let key = (shared.unwrap_or(NO_RANK), address);
            let objects = global.as_deref_mut().unwrap_or(&mut self.sync.shared);
            let known = !objects.is_empty();
            if known
                && reads
                && let Some(released) = objects.get(&key)
            {
                released.acquire(*order, rank, cluster, threads, group);
            }
            if !seen.access.writes {
                continue;
            }
            if known && seen.access.atomic.is_none() {
                objects.remove(&key);
            }
            let alone = self.size == 1;
            let scopes = SCOPES.into_iter().filter(|scope| !alone || *scope != Scope::Cluster);
            for scope in scopes.filter(|scope| *scope <= widest.min(order.scope)) {
                let Some(message) = handed_over(threads, agent, lane, *order, scope) else { continue };
                if objects.len() > MAX_RELEASE_ADDRESSES {
                    self.exhausted = true;
                    return;
                }
                if let Some((released, _)) = of_clusters.as_mut().filter(|_| scope == Scope::Device) {
                    released.entry(cluster).or_default().join(&message.clock);
                }
                let first = objects.entry(key).or_default().publish(scope, rank, cluster, &message);
                if let Some((_, addresses)) = of_clusters.as_mut().filter(|_| first) {
                    addresses.entry(cluster).or_default().push(address);
                }
            }
        }
    }

    pub(super) fn fence(&mut self, warp: u32, mask: u32, scope: Scope) {
        let warp = self.first + warp as usize;
        if let Some(threads) = self.threads.get_mut(warp) {
            threads.fence(warp as Agent, mask, scope);
        }
    }

    pub(super) fn proxy_fence(&mut self, warp: u32, mask: u32) {
        let warp = self.first + warp as usize;
        if let Some(threads) = self.threads.get_mut(warp) {
            let mut message = Message::default();
            threads.publish(warp as Agent, mask, &mut message);
            threads.fenced.join(&message.clock);
        }
    }

    pub(super) fn mbarrier_init(&mut self, address: u32) {
        self.sync.arriving.remove(&(self.rank, address));
        self.sync.complete.remove(&(self.rank, address));
    }

    pub(super) fn mbarrier_arrive(&mut self, warp: u32, mask: u32, object: Object, order: Order) {
        let (rank, cluster) = (self.rank, self.cluster());
        if object.0 == u32::MAX {
            self.cluster_arrive(warp, mask);
        }
        let warp = self.first + warp as usize;
        let Some(threads) = self.threads.get(warp) else { return };
        for scope in [Scope::Block, Scope::Cluster].into_iter().filter(|scope| *scope <= order.scope) {
            let message = if order.release {
                let mut message = Message::default();
                threads.publish(warp as Agent, mask, &mut message);
                Some(message)
            } else {
                let mut all = lanes(mask).filter_map(|lane| threads.released(warp as Agent, lane, scope));
                all.next().map(|first| {
                    all.fold(first, |mut sum, message| {
                        sum.join(&message);
                        sum
                    })
                })
            };
            if let Some(message) = message {
                self.sync.arriving.entry(object).or_default().publish(scope, rank, cluster, &message);
            }
        }
    }

    pub(super) fn mbarrier_tracks(&mut self, warp: u32, mask: u32, engine: Engine, number: u32, object: Object) {
        let (rank, cluster) = (self.rank, self.cluster());
        let agent = self.engine(engine, (self.first + warp as usize) as Agent);
        let mut message = Message::default();
        message.clock.learn_lanes(agent, mask, number);
        self.sync.arriving.entry(object).or_default().publish(Scope::Block, rank, cluster, &message);
    }

    pub(super) fn mbarrier_phase(&mut self, object: Object, number: u32) {
        if object.0 == u32::MAX {
            self.cluster_phase(number);
        }
        let engine = Engine::Phase(object.0, object.1);
        let warp = self.find_engine(object.0, engine).map_or(0, |at| self.engines[at].warp);
        let agent = self.engine(engine, warp);
        let cluster = self.cluster();
        let mut copied = Message::default();
        copied.clock.learn(agent, number);
        let arrived = self.sync.arriving.remove(&object).unwrap_or_default();
        let complete = self.sync.complete.entry(object).or_default();
        // Every waiting thread knows the completed copies.
        complete.publish(Scope::Block, object.0, cluster, &copied);
        complete.publish(Scope::Cluster, object.0, cluster, &copied);
        let Some(arrived) = arrived.within(cluster) else { return };
        arrived.near.iter().for_each(|(rank, near)| _ = complete.publish(Scope::Block, *rank, cluster, near));
        complete.publish(Scope::Cluster, object.0, cluster, &arrived.cluster);
    }

    pub(super) fn mbarrier_wait(&mut self, warp: u32, mask: u32, object: Object, order: Order) {
        if object.0 == u32::MAX {
            self.cluster_wait();
        }
        let (rank, cluster) = (self.rank, self.cluster());
        let threads = self.threads.get_mut(self.first + warp as usize);
        if let (Some(threads), Some(released)) = (threads, self.sync.complete.get(&object)) {
            released.acquire(order, rank, cluster, threads, mask);
        }
    }
}

/// Returns what a lane's strong write releases to threads within a scope.
fn handed_over(threads: &Warp, agent: Agent, lane: usize, order: Order, scope: Scope) -> Option<Message> {
    if !order.release {
        return threads.released(agent, lane, scope);
    }
    let mut message = Message::default();
    threads.publish(agent, 1 << lane, &mut message);
    message.released.iter_mut().for_each(Clock::clear);
    message.observed = Default::default();
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_within_a_cluster_end_with_it() {
        let mut released = Released::default();
        let mut message = Message::default();
        message.clock.learn(1, 7);
        assert!(released.publish(Scope::Block, 0, 3, &message), "the first of this cluster");
        assert!(!released.publish(Scope::Cluster, 0, 3, &message));
        assert!(!released.publish(Scope::Device, 0, 3, &message));
        released.forget(4);
        assert!(released.within(3).is_some(), "another cluster has ended");
        released.forget(3);
        assert!(released.within.is_none());
        assert_eq!(released.device.of_block(3, 1, 0), 7, "others still learn of it");
        assert!(released.publish(Scope::Block, 0, 5, &message), "the first of the next cluster");
    }
}
