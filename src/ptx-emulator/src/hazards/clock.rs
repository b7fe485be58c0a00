//! Vector clocks: what a thread knows of the other threads. A clock is short if all lanes of a warp know the same.
//!
//! An *agent* is a warp of the cluster, or an engine that performs asynchronous accesses. Its accesses are numbered
//! by *moments*. A clock holds a moment for each agent, or for each of its lanes. Everything up to that moment
//! happens before the next access of the clock's owner.

use std::sync::Arc;

/// Number of a warp or an engine. The warps of the cluster's first block come first.
pub(super) type Agent = u16;

/// A vector clock; see the module.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Clock {
    /// For each agent, the moment up to which all its lanes are known.
    known: Vec<u32>,
    /// For each agent that has lanes known up to a later moment, that moment for each of its lanes.
    lanes: Vec<(Agent, [u32; 32])>,
    /// Clocks of other clusters, by the number of their first block. A block without a cluster counts as a cluster.
    blocks: Option<Arc<Clusters>>,
    /// True if a `griddepcontrol.wait` happens before (`launches`).
    pub(super) waited: bool,
}

/// Clocks of other clusters, sorted by number. A chain of releases copies what it knows and adds one cluster to it.
/// So copies share all chunks that are equal, and a chain takes little more than time in proportion to its length.
#[derive(Debug, Clone, Default, PartialEq)]
struct Clusters(Sorted<Sorted<Clock>>);

type Sorted<T> = Vec<(u64, Arc<T>)>;

/// Clusters per chunk.
const CHUNK: u64 = 64;

impl Clusters {
    fn get(&self, number: u64) -> Option<&Clock> {
        find(find(&self.0, number / CHUNK)?, number)
    }

    fn of(&mut self, number: u64) -> &mut Clock {
        entry(entry(&mut self.0, number / CHUNK), number)
    }

    fn join(&mut self, other: &Self) {
        join_sorted(&mut self.0, &other.0, |own, new| join_sorted(own, new, Clock::join));
    }
}

fn find<T>(all: &Sorted<T>, number: u64) -> Option<&T> {
    all.binary_search_by_key(&number, |(of, _)| *of).ok().map(|at| &*all[at].1)
}

/// Returns an entry of a list, after adding it if necessary.
fn entry<T: Clone + Default>(all: &mut Sorted<T>, number: u64) -> &mut T {
    let at = all.binary_search_by_key(&number, |(of, _)| *of).unwrap_or_else(|at| {
        // Most lists have only one entry, so reserve no more.
        if all.is_empty() {
            all.reserve_exact(1);
        }
        all.insert(at, (number, Arc::default()));
        at
    });
    Arc::make_mut(&mut all[at].1)
}

fn join_sorted<T: Clone>(own: &mut Sorted<T>, new: &Sorted<T>, join: impl Fn(&mut T, &T)) {
    let mut at = 0;
    for (number, theirs) in new {
        at += own[at..].partition_point(|(of, _)| of < number);
        match own.get_mut(at).filter(|(of, _)| of == number) {
            Some((_, ours)) if Arc::ptr_eq(ours, theirs) => {}
            Some((_, ours)) => join(Arc::make_mut(ours), theirs),
            None => own.insert(at, (*number, Arc::clone(theirs))),
        }
    }
}

impl Clock {
    pub(super) fn get(&self, agent: Agent, lane: u8) -> u32 {
        let all = self.known.get(usize::from(agent)).copied().unwrap_or(0);
        match self.lanes.iter().find(|(a, _)| *a == agent) {
            Some((_, lanes)) => all.max(lanes[usize::from(lane & 31)]),
            None => all,
        }
    }

    /// Returns the moment up to which all lanes of an agent are known.
    pub(super) fn floor(&self, agent: Agent) -> u32 {
        self.known.get(usize::from(agent)).copied().unwrap_or(0)
    }

    /// True if the same moment is known of all lanes of an agent.
    pub(super) fn is_even(&self, agent: Agent) -> bool {
        self.lanes.iter().all(|(a, _)| *a != agent)
    }

    pub(super) fn knows_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.lanes.is_empty() && self.blocks.is_none() && !self.waited
    }

    /// Resets the clock and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.lanes.clear();
        self.blocks = None;
        self.waited = false;
    }

    pub(super) fn learn(&mut self, agent: Agent, moment: u32) {
        let at = usize::from(agent);
        if self.known.len() <= at {
            self.known.resize(at + 1, 0);
        }
        self.known[at] = self.known[at].max(moment);
        self.lanes.retain(|(a, lanes)| *a != agent || lanes.iter().any(|lane| *lane > moment));
    }

    pub(super) fn learn_lanes(&mut self, agent: Agent, mask: u32, moment: u32) {
        if mask == u32::MAX {
            self.learn(agent, moment);
        } else if mask != 0 && self.floor(agent) < moment {
            let at = self.lanes.iter().position(|(a, _)| *a == agent).unwrap_or_else(|| {
                // Most clocks have only one entry, so reserve no more.
                self.lanes.reserve_exact(1);
                self.lanes.push((agent, [0; 32]));
                self.lanes.len() - 1
            });
            let lanes = self.lanes[at].1.iter_mut().enumerate();
            lanes.filter(|(lane, _)| mask >> lane & 1 == 1).for_each(|(_, known)| *known = (*known).max(moment));
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        if self.known.len() < other.known.len() {
            self.known.resize(other.known.len(), 0);
        }
        self.known.iter_mut().zip(&other.known).for_each(|(own, new)| *own = (*own).max(*new));
        for (agent, lanes) in &other.lanes {
            match self.lanes.iter_mut().find(|(a, _)| a == agent) {
                Some((_, own)) => own.iter_mut().zip(lanes).for_each(|(own, new)| *own = (*own).max(*new)),
                None => self.lanes.push((*agent, *lanes)),
            }
        }
        self.waited |= other.waited;
        match (&mut self.blocks, &other.blocks) {
            (_, None) => {}
            (own @ None, Some(new)) => *own = Some(Arc::clone(new)),
            (Some(own), Some(new)) if Arc::ptr_eq(own, new) => {}
            (Some(own), Some(new)) => Arc::make_mut(own).join(new),
        }
    }

    /// Returns the moment up to which a thread of another cluster is known.
    pub(super) fn of_block(&self, block: u64, agent: Agent, lane: u8) -> u32 {
        self.blocks.as_ref().and_then(|blocks| blocks.get(block)).map_or(0, |clock| clock.get(agent, lane))
    }

    /// Converts the clock for other clusters: what it knows of its own cluster's agents moves to that cluster's
    /// number.
    pub(super) fn into_remote(mut self, block: u64) -> Self {
        let own =
            Self { known: std::mem::take(&mut self.known), lanes: std::mem::take(&mut self.lanes), ..Self::default() };
        if !own.is_empty() {
            Arc::make_mut(self.blocks.get_or_insert_default()).of(block).join(&own);
        }
        self
    }

    /// Converts another cluster's clock for this cluster: what it knows of this cluster's agents becomes local.
    pub(super) fn to_local(&self, block: u64) -> Self {
        let mut clock = self.clone();
        if let Some(own) = self.blocks.as_ref().and_then(|blocks| blocks.get(block)) {
            clock.join(own);
        }
        clock
    }
}

pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_of_a_block_goes_to_others_and_comes_home() {
        let mut clock = Clock::default();
        clock.learn_lanes(2, 1, 9);
        let into_remote = clock.into_remote(6);
        assert_eq!((into_remote.get(2, 0), into_remote.of_block(6, 2, 0), into_remote.of_block(6, 2, 1)), (0, 9, 0));
        assert_eq!((into_remote.to_local(5).get(2, 0), into_remote.to_local(6).get(2, 0)), (0, 9));
    }
}
