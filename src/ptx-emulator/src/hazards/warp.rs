//! What the threads of a warp know of other threads, and what they pass on at barriers, fences and releases.

use super::clock::{Agent, Clock, lanes};
use crate::arch::Scope;
use std::sync::Arc;

/// The knowledge that one thread passes to another:
///
/// - everything that happens before (`clock`);
/// - the writes that the asynchronous proxy sees (`fenced`);
/// - what fences have released to the block, the cluster and the device;
/// - what relaxed reads have observed of such releases, for fences after a barrier.
#[derive(Debug, Clone, Default)]
pub(super) struct Message {
    pub(super) clock: Clock,
    pub(super) fenced: Clock,
    pub(super) released: [Clock; 3],
    pub(super) observed: [Option<Arc<Message>>; 3],
}

impl Message {
    pub(super) fn join(&mut self, other: &Self) {
        self.clock.join(&other.clock);
        join_some(&mut self.fenced, &other.fenced);
        self.released.iter_mut().zip(&other.released).for_each(|(own, new)| join_some(own, new));
        for (own, new) in self.observed.iter_mut().zip(&other.observed) {
            join_observed(own, new.as_ref());
        }
    }

    pub(super) fn clear(&mut self) {
        self.clock.clear();
        self.fenced.clear();
        self.released.iter_mut().for_each(Clock::clear);
        self.observed = Default::default();
    }
}

fn join_observed(own: &mut Option<Arc<Message>>, new: Option<&Arc<Message>>) {
    match (own, new) {
        (_, None) => {}
        (own @ None, Some(new)) => *own = Some(Arc::clone(new)),
        (Some(own), Some(new)) if Arc::ptr_eq(own, new) => {}
        (Some(own), Some(new)) => Arc::make_mut(own).join(new),
    }
}

fn join_some(own: &mut Clock, new: &Clock) {
    if !new.is_empty() {
        own.join(new);
    }
}

/// What a lane knew at a fence: a clock that it may share with other lanes, and its own accesses up to a moment.
#[derive(Debug, Clone, Default)]
struct Fence {
    clock: Arc<Clock>,
    moment: u32,
}

/// The knowledge of a warp's threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Warp {
    /// Lanes whose thread exists and has not ended, and lanes that ever had a thread.
    pub(super) live: u32,
    started: u32,
    /// Number of accesses so far.
    pub(super) moment: u32,
    /// What all lanes know.
    all: Clock,
    /// What each lane knows beyond that. `ahead` is the mask of these lanes.
    lane: [Option<Box<Clock>>; 32],
    ahead: u32,
    /// For each engine: the number up to which each lane has waited for its own operations.
    own: Vec<(Agent, [u32; 32])>,
    /// The writes that the asynchronous proxy is known to see.
    pub(super) fenced: Clock,
    /// What fences with at least each scope had released when all lanes learnt it.
    released: [Clock; 3],
    /// What each lane knew at its last fence with at least each scope.
    fences: [Vec<Option<Fence>>; 3],
    /// What each lane's relaxed reads have observed since its last fence, by the scope of the release.
    observed: [Vec<Option<Arc<Message>>>; 3],
}

impl Warp {
    /// Creates a warp whose threads know nothing of each other. Its next moment follows `moment`.
    pub(super) fn start(live: u32, moment: u32) -> Self {
        Self { live, started: live, moment, ..Self::default() }
    }

    /// True if a lane knows what lane `of` of an agent did at a moment.
    pub(super) fn knows(&self, lane: u8, agent: Agent, of: u8, moment: u32) -> bool {
        self.all.get(agent, of) >= moment
            || (lane == of && self.own.iter().any(|(a, known)| *a == agent && known[usize::from(of & 31)] >= moment))
            || self.lane[usize::from(lane & 31)].as_ref().is_some_and(|known| known.get(agent, of) >= moment)
    }

    /// Returns the moment of an agent up to which all lanes know all its lanes.
    pub(super) fn floor(&self, agent: Agent) -> u32 {
        self.all.floor(agent)
    }

    pub(super) fn knows_of_block(&self, lane: u8, block: u64, agent: Agent, of: u8, moment: u32) -> bool {
        self.all.of_block(block, agent, of) >= moment
            || self.lane[usize::from(lane & 31)].as_ref().is_some_and(|k| k.of_block(block, agent, of) >= moment)
    }

    /// True if a lane may know accesses of other clusters.
    pub(super) fn knows_blocks(&self, lane: u8) -> bool {
        self.all.knows_blocks() || self.lane[usize::from(lane & 31)].as_ref().is_some_and(|k| k.knows_blocks())
    }

    /// True if a `griddepcontrol.wait` happens before what a lane does next.
    pub(super) fn has_waited(&self, lane: u8) -> bool {
        self.all.waited || self.lane[usize::from(lane & 31)].as_ref().is_some_and(|known| known.waited)
    }

    /// Records that lanes have executed `griddepcontrol.wait`.
    pub(super) fn learn_wait(&mut self, mask: u32) {
        let mut clock = Clock::default();
        clock.waited = true;
        self.receive_clock(mask, &clock);
    }

    fn plain(&self) -> bool {
        self.own.is_empty() && self.ahead == 0
    }

    /// True if all lanes of this warp know the same of all lanes of an agent.
    pub(super) fn uniform(&self, agent: Agent) -> bool {
        self.plain() && self.all.is_even(agent)
    }

    /// Adds the knowledge of several lanes, including their own accesses, to a message.
    pub(super) fn publish(&self, warp: Agent, mask: u32, into: &mut Message) {
        into.clock.join(&self.all);
        into.clock.learn_lanes(warp, self.whole(mask), self.moment);
        join_some(&mut into.fenced, &self.fenced);
        for (into, (all, lane)) in into.released.iter_mut().zip(self.released.iter().zip(&self.fences)) {
            join_some(into, all);
            self.join_fences(warp, lane, mask, into);
        }
        for (into, observed) in into.observed.iter_mut().zip(&self.observed).filter(|(_, of)| !of.is_empty()) {
            lanes(mask).for_each(|lane| join_observed(into, observed[lane].as_ref()));
        }
        if self.plain() {
            return;
        }
        for lane in lanes(mask & self.ahead) {
            if let Some(known) = &self.lane[lane] {
                into.clock.join(known);
            }
        }
        for (agent, known) in &self.own {
            // If every lane has waited for its own operations, all operations of the engine are known.
            let all = known.iter().copied().min().filter(|_| self.whole(mask) == u32::MAX).unwrap_or(0);
            if all != 0 {
                into.clock.learn(*agent, all);
            }
            lanes(mask).for_each(|lane| into.clock.learn_lanes(*agent, 1 << lane, known[lane]));
        }
    }

    /// Adds what lanes knew at their fences. Lanes that ran a fence together add it together.
    fn join_fences(&self, warp: Agent, fences: &[Option<Fence>], mask: u32, into: &mut Clock) {
        let mut rest = if fences.is_empty() { 0 } else { mask };
        while let Some(fence) = fences.get(rest.trailing_zeros() as usize) {
            let Some(fence) = fence else {
                rest &= rest - 1;
                continue;
            };
            let same = |other: &Fence| other.moment == fence.moment && Arc::ptr_eq(&other.clock, &fence.clock);
            let group = lanes(rest).filter(|lane| fences[*lane].as_ref().is_some_and(same));
            let group = group.fold(0, |mask, lane| mask | 1 << lane);
            into.join(&fence.clock);
            into.learn_lanes(warp, self.whole(group), fence.moment);
            rest &= !group;
        }
    }

    /// Returns all lanes if the mask contains all that ever had a thread. Threads that have ended release nothing, except
    /// at a barrier: there their end counts as an arrival, and the mask contains them.
    fn whole(&self, mask: u32) -> u32 {
        if mask & self.started == self.started { u32::MAX } else { mask }
    }

    /// Returns all lanes if the mask contains all live ones, because lanes without a thread need no order.
    fn widen(&self, mask: u32) -> u32 {
        if mask & self.live == self.live { u32::MAX } else { mask }
    }

    /// Adds the knowledge in a message to several lanes.
    pub(super) fn receive(&mut self, mask: u32, message: &Message) {
        self.receive_clock(mask, &message.clock);
        join_some(&mut self.fenced, &message.fenced);
        self.receive_released(mask, message);
        self.receive_observed(mask, message);
    }

    fn receive_observed(&mut self, mask: u32, message: &Message) {
        for (scope, observed) in [Scope::Block, Scope::Cluster, Scope::Device].into_iter().zip(&message.observed) {
            if let Some(observed) = observed {
                self.observe(mask, scope, observed);
            }
        }
    }

    fn receive_released(&mut self, mask: u32, message: &Message) {
        let whole = self.widen(mask) == u32::MAX;
        for (new, (all, fences)) in message
            .released
            .iter()
            .zip(self.released.iter_mut().zip(&mut self.fences))
            .filter(|(new, _)| !new.is_empty())
        {
            if whole {
                all.join(new);
                fences.clear();
                continue;
            }
            fences.resize(32, None);
            for lane in lanes(mask) {
                Arc::make_mut(&mut fences[lane].get_or_insert_default().clock).join(new);
            }
        }
    }

    fn receive_clock(&mut self, mask: u32, clock: &Clock) {
        if self.widen(mask) == u32::MAX {
            self.all.join(clock);
        } else {
            self.ahead |= mask;
            lanes(mask).for_each(|lane| self.lane[lane].get_or_insert_default().join(clock));
        }
    }

    /// Synchronises several lanes with each other.
    pub(super) fn sync(&mut self, warp: Agent, mask: u32) {
        let mask = self.widen(mask);
        let whole = mask == u32::MAX;
        let fences = self.fences.iter().all(Vec::is_empty) && self.observed.iter().all(Vec::is_empty);
        if whole && self.plain() && fences {
            self.all.learn(warp, self.moment);
            return;
        }
        let mut message = Message::default();
        self.publish(warp, mask, &mut message);
        self.receive_released(mask, &message);
        self.receive_observed(mask, &message);
        if whole {
            self.all = message.clock;
            self.lane = Default::default();
            self.ahead = 0;
            self.own.clear();
        } else {
            self.receive_clock(mask, &message.clock);
        }
    }

    /// Records that lanes have waited for an engine's operations on their own behalf, up to a number.
    pub(super) fn learn_own(&mut self, engine: Agent, mask: u32, number: u32) {
        let at = self.own.iter().position(|(a, _)| *a == engine).unwrap_or_else(|| {
            self.own.push((engine, [0; 32]));
            self.own.len() - 1
        });
        lanes(mask).for_each(|lane| self.own[at].1[lane] = self.own[at].1[lane].max(number));
    }

    /// Records that lanes have waited for all operations of an engine, up to a number.
    pub(super) fn learn(&mut self, engine: Agent, mask: u32, number: u32) {
        let mut clock = Clock::default();
        clock.learn(engine, number);
        self.receive_clock(mask, &clock);
    }

    /// Records that relaxed reads observed a message. The lanes know it only after a fence (8.8: an acquire pattern).
    pub(super) fn observe(&mut self, mask: u32, scope: Scope, message: &Message) {
        let observed = &mut self.observed[scope as usize];
        observed.resize(32, None);
        let alone = Arc::new(message.clone());
        // The last join. Lanes that have observed the same continue to share a message.
        let mut last: Option<[Arc<Message>; 2]> = None;
        for lane in lanes(mask) {
            let new = match (&observed[lane], &last) {
                (None, _) => Arc::clone(&alone),
                (Some(old), Some([from, to])) if Arc::ptr_eq(old, from) => Arc::clone(to),
                (Some(old), _) => {
                    let mut joined = Message::clone(old);
                    joined.join(message);
                    let joined = Arc::new(joined);
                    last = Some([Arc::clone(old), Arc::clone(&joined)]);
                    joined
                }
            };
            observed[lane] = Some(new);
        }
    }

    /// True if a lane has observed a release that published such a clock, and has run no fence since.
    pub(super) fn has_observed(&self, lane: u8, known: impl Fn(&Clock) -> bool) -> bool {
        let observed = self.observed.iter().filter_map(|all| all.get(usize::from(lane & 31))?.as_ref());
        observed.into_iter().any(|message| known(&message.clock))
    }

    /// Handles a fence after relaxed reads: the lanes learn what these reads observed.
    fn acquire(&mut self, mask: u32, scope: Scope) {
        for at in 0..=scope as usize {
            let mut rest = if self.observed[at].is_empty() { 0 } else { mask };
            while rest != 0 {
                let observed = &mut self.observed[at];
                let first = rest.trailing_zeros();
                let Some(message) = observed[first as usize & 31].take() else {
                    rest &= rest - 1;
                    continue;
                };
                // Lanes that observed the same message learn it together.
                let same = |lane: &usize| observed[*lane].as_ref().is_some_and(|other| Arc::ptr_eq(other, &message));
                let group = lanes(rest).filter(same).fold(1 << first, |mask, lane| mask | 1 << lane);
                lanes(group).for_each(|lane| observed[lane] = None);
                self.receive(group, &message);
                rest &= !group;
            }
            if self.observed[at].iter().all(Option::is_none) {
                self.observed[at].clear();
            }
        }
    }

    /// Handles a fence. The lanes learn what they observed. Their later strong writes release everything they know
    /// now.
    pub(super) fn fence(&mut self, warp: Agent, mask: u32, scope: Scope) {
        self.acquire(mask, scope);
        let shared = Arc::new(self.all.clone());
        for lane in lanes(mask) {
            let mut fence = Fence { clock: Arc::clone(&shared), moment: self.moment };
            if !self.plain() {
                let mut message = Message::default();
                self.publish(warp, 1 << lane, &mut message);
                fence.clock = Arc::new(message.clock);
            }
            for fences in &mut self.fences[..=scope as usize] {
                fences.resize(32, None);
                fences[lane] = Some(fence.clone());
            }
        }
    }

    /// True if [`Warp::released`] is `None` for each lane and scope.
    pub(super) fn has_released_nothing(&self) -> bool {
        self.fences.iter().all(Vec::is_empty) && self.released.iter().all(Clock::is_empty)
    }

    /// Returns what a lane's strong write releases because of earlier fences. These are the lane's own fences, and
    /// fences of threads that reached it through a barrier.
    pub(super) fn released(&self, warp: Agent, lane: usize, scope: Scope) -> Option<Message> {
        let at = scope as usize;
        let own = self.fences[at].get(lane).is_some_and(Option::is_some);
        if !own && self.released[at].is_empty() {
            return None;
        }
        let mut message =
            Message { clock: self.released[at].clone(), fenced: self.fenced.clone(), ..Message::default() };
        self.join_fences(warp, &self.fences[at], 1 << lane, &mut message.clock);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_a_warp_know_each_other_only_after_they_met() {
        let mut warp = Warp::start(u32::MAX, 0);
        warp.moment = 5;
        assert!(!warp.knows(1, 0, 2, 5));
        warp.sync(0, 0x0000_ffff);
        assert!(warp.knows(1, 0, 2, 5));
        assert!(!warp.knows(17, 0, 2, 5));
        assert!(!warp.knows(1, 0, 18, 5));
        warp.sync(0, u32::MAX);
        assert!(warp.knows(17, 0, 2, 5) && warp.plain());
    }

    #[test]
    fn a_lane_message_omits_other_lanes_accesses() {
        let (mut from, mut to) = (Warp::start(u32::MAX, 0), Warp::start(u32::MAX, 0));
        from.moment = 7;
        let mut message = Message::default();
        from.publish(3, 1 << 4, &mut message);
        to.receive(u32::MAX, &message);
        assert!(to.knows(0, 3, 4, 7) && !to.knows(0, 3, 5, 7));
    }

    #[test]
    fn a_lane_knows_its_engine_operations_alone_until_the_warp_meets() {
        let mut warp = Warp::start(u32::MAX, 0);
        warp.learn_own(40, u32::MAX, 2);
        assert!(warp.knows(3, 40, 3, 2) && !warp.knows(3, 40, 4, 2));
        warp.sync(0, u32::MAX);
        assert!(warp.knows(3, 40, 4, 2));
    }
}
