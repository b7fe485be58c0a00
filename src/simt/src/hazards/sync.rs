//! Fences, strong accesses, and `mbarrier`s.

use super::Hazards;
use super::blocks::Ordered;
use super::clock::{Agent, Clock, Message, Warp, lanes};
use super::shadow::{Kind, Past, widen};
use crate::arch::Order;
use crate::arch::Scope;
use crate::probes::{Engine, Object, Seen};
use std::collections::HashMap;

const SCOPES: [Scope; 3] = [Scope::Block, Scope::Cluster, Scope::Device];

/// What threads made known to those who look at the same place.
#[derive(Debug, Default)]
pub(super) struct Released {
    /// Number of the cluster whose threads told the first two.
    cluster_number: u64,
    /// To threads of the block of a rank.
    near: Vec<(u32, Message)>,
    /// To threads of the cluster.
    cluster: Message,
    /// To all of the launch.
    device: Clock,
}

impl Released {
    fn publish(&mut self, scope: Scope, rank: u32, cluster: u64, message: &Message) {
        if self.cluster_number != cluster {
            (self.near, self.cluster, self.cluster_number) = (Vec::new(), Message::default(), cluster);
        }
        match scope {
            Scope::Block => match self.near.iter_mut().find(|(of, _)| *of == rank) {
                Some((_, near)) => near.join(message),
                None => self.near.push((rank, message.clone())),
            },
            Scope::Cluster => self.cluster.join(message),
            Scope::Device => self.device.join(&message.clock.clone().abroad(cluster)),
        }
    }

    /// What lanes learn whose access, of this order, reads what was told: at once if it acquires, else by their next fence.
    fn acquire(&self, order: Order, rank: u32, cluster: u64, threads: &mut Warp, mask: u32) {
        let mut learn = |scope: Scope, message: &Message| {
            if order.acquire {
                threads.receive(mask, message);
            } else {
                threads.observe(mask, scope, message);
            }
        };
        if self.cluster_number == cluster {
            self.near.iter().filter(|(of, _)| *of == rank).for_each(|(_, near)| learn(Scope::Block, near));
            if order.scope >= Scope::Cluster {
                learn(Scope::Cluster, &self.cluster);
            }
        }
        if order.scope == Scope::Device && !self.device.is_empty() {
            learn(Scope::Device, &Message { clock: self.device.home(cluster), ..Message::default() });
        }
    }
}

/// What addresses of shared memory make known to those who read them.
#[derive(Debug, Default)]
pub(super) struct Sync {
    /// By rank and offset.
    shared: HashMap<(u32, u64), Released>,
    /// What arrives in the present phase of an `mbarrier`, and what its completed phases made known.
    arriving: HashMap<Object, Released>,
    complete: HashMap<Object, Released>,
}

impl Sync {
    /// A cluster starts.
    pub(super) fn start(&mut self) {
        self.shared.clear();
        self.arriving.clear();
        self.complete.clear();
    }
}

impl Hazards {
    /// A strong access to shared memory of the block of this rank, whose shadow is at hand: checked against plain ones,
    /// and what it makes known or learns.
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
                if past.kind == Kind::StrongWrite {
                    self.check_readers(cell, past, by);
                }
                let (cells, shadow) = (self.shadow.cells, &mut self.shadow);
                let rows =
                    if past.kind == Kind::StrongWrite { &mut shadow.strong_writes } else { &mut shadow.strong_reads };
                let slot = &mut rows.row(by, cells)[cell];
                *slot = widen(*slot, past.pack());
            }
        }
        self.synchronise(seen, Some(rank), None);
    }

    /// What the lanes of a strong access learn from the address, and what they make known there; in shared memory of the
    /// block of a rank, or in global memory.
    pub(super) fn synchronise(&mut self, seen: &Seen<'_>, shared: Option<u32>, ordered: Option<&mut Ordered>) {
        let (rank, cluster) = (self.rank, self.cluster());
        let warp = self.first + seen.warp as usize;
        let agent = warp as Agent;
        let order = &seen.access.order;
        let Some(threads) = self.threads.get_mut(warp) else { return };
        let reads = !seen.access.writes || seen.access.atomic.is_some();
        let (mut global, mut released) = match ordered {
            Some(ordered) => (Some(&mut ordered.told), Some(&mut ordered.released)),
            None => (None, None),
        };
        if !seen.access.writes && global.as_ref().map_or(self.sync.shared.is_empty(), |told| told.is_empty()) {
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
            let address = seen.start.wrapping_add(seen.shape.relative[lane] as u64);
            let mut group = 1u32 << lane;
            if !seen.access.writes {
                let same = |l: &usize| seen.shape.relative[*l] == seen.shape.relative[lane];
                group = lanes(rest).filter(same).fold(0, |mask, l| mask | 1 << l);
            }
            rest &= !group;
            let key = (shared.unwrap_or(u32::MAX), address);
            let objects = global.as_deref_mut().unwrap_or(&mut self.sync.shared);
            if reads && let Some(told) = objects.get(&key) {
                told.acquire(*order, rank, cluster, threads, group);
            }
            if !seen.access.writes {
                continue;
            }
            if seen.access.atomic.is_none() {
                objects.remove(&key);
            }
            for scope in SCOPES.into_iter().filter(|scope| *scope <= widest.min(order.scope)) {
                let Some(message) = handed_over(threads, agent, lane, *order, scope) else { continue };
                if let Some(released) = released.as_deref_mut().filter(|_| scope == Scope::Device) {
                    released.entry(cluster).or_default().join(&message.clock);
                }
                objects.entry(key).or_default().publish(scope, rank, cluster, &message);
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
        let warp = self.first + warp as usize;
        let Some(threads) = self.threads.get(warp) else { return };
        for scope in [Scope::Block, Scope::Cluster].into_iter().filter(|scope| *scope <= order.scope) {
            let message = if order.release {
                let mut message = Message::default();
                threads.publish(warp as Agent, mask, &mut message);
                Some(message)
            } else {
                let mut all = lanes(mask).filter_map(|lane| threads.released(lane, scope));
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
        let engine = Engine::Phase(object.0, object.1);
        let warp = self.find_engine(object.0, engine).map_or(0, |at| self.engines[at].warp);
        let agent = self.engine(engine, warp);
        let cluster = self.cluster();
        let mut copied = Message::default();
        copied.clock.learn(agent, number);
        let arrived = self.sync.arriving.remove(&object).unwrap_or_default();
        let complete = self.sync.complete.entry(object).or_default();
        // What was copied here is known to whoever waits.
        complete.publish(Scope::Block, object.0, cluster, &copied);
        complete.publish(Scope::Cluster, object.0, cluster, &copied);
        arrived.near.iter().for_each(|(rank, near)| complete.publish(Scope::Block, *rank, cluster, near));
        complete.publish(Scope::Cluster, object.0, cluster, &arrived.cluster);
    }

    pub(super) fn mbarrier_wait(&mut self, warp: u32, mask: u32, object: Object, order: Order) {
        let (rank, cluster) = (self.rank, self.cluster());
        let threads = self.threads.get_mut(self.first + warp as usize);
        if let (Some(threads), Some(told)) = (threads, self.sync.complete.get(&object)) {
            told.acquire(order, rank, cluster, threads, mask);
        }
    }
}

/// What a lane's strong write makes known to threads within a scope.
fn handed_over(threads: &Warp, agent: Agent, lane: usize, order: Order, scope: Scope) -> Option<Message> {
    if !order.release {
        return threads.released(lane, scope);
    }
    let mut told = Message::default();
    threads.publish(agent, 1 << lane, &mut told);
    told.released.iter_mut().for_each(Clock::clear);
    told.observed = Default::default();
    Some(told)
}
