//! Divergence: groups of a warp's threads, each with its own place in the program.
//!
//! A branch that only some lanes take splits the warp. The two sides share a *join*: the branch's immediate
//! post-dominator and the lanes expected there. A side that reaches the join waits. When all expected lanes that have
//! not ended are there, they continue as one. Unlike with a stack, the two sides can run alternately.
//!
//! Lanes may spin on something that a lane waiting at a join holds, for example a lock. They would spin for ever, so
//! [`WarpSplits::relax`] releases the waiting lanes.

/// No join.
pub(crate) const FREE: u32 = u32::MAX;

/// Lanes of a warp at one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Split {
    pub(crate) at: usize,
    pub(crate) mask: u32,
    pub(crate) join: u32,
}

#[derive(Debug, Clone, Copy)]
struct Join {
    /// The join is after a call. Only lanes that return from the call meet here, not lanes that pass by in a deeper
    /// call.
    call: bool,
    at: usize,
    expected: u32,
    arrived: u32,
    parent: u32,
}

/// The splits of a warp that are ready to run, and the joins at which lanes wait.
#[derive(Debug, Default)]
pub(crate) struct WarpSplits {
    pub(crate) ready: Vec<Split>,
    /// Held lanes, and the lanes for which they wait: the whole warp if the mask is zero.
    held: Vec<(Split, u32)>,
    joins: Vec<Join>,
    spare: Vec<u32>,
    /// Lanes that went past an instruction at which other lanes wait for them.
    pub(super) passed: u32,
}

impl WarpSplits {
    pub(crate) fn start(&mut self, mask: u32) {
        self.ready.clear();
        self.held.clear();
        self.joins.clear();
        self.spare.clear();
        self.passed = 0;
        self.ready.push(Split { at: 0, mask, join: FREE });
    }

    /// Returns the join at which the sides of a divergent branch meet.
    pub(crate) fn join(&mut self, at: usize, mask: u32, parent: u32) -> u32 {
        if at == u32::MAX as usize || self.joins.get(parent as usize).is_some_and(|join| join.at == at && !join.call) {
            return parent;
        }
        self.add(Join { call: false, at, expected: mask, arrived: 0, parent })
    }

    /// Adds the join, after the call, where the lanes that make this call meet again.
    pub(crate) fn call(&mut self, at: usize, mask: u32, parent: u32) -> u32 {
        self.add(Join { call: true, at, expected: mask, arrived: 0, parent })
    }

    fn add(&mut self, join: Join) -> u32 {
        match self.spare.pop() {
            Some(index) => {
                self.joins[index as usize] = join;
                index
            }
            None => {
                self.joins.push(join);
                self.joins.len() as u32 - 1
            }
        }
    }

    /// Handles lanes that reach a place where they may have to wait. Returns the split that continues from here, if
    /// any.
    pub(crate) fn reconverge(&mut self, mut split: Split) -> Option<Split> {
        while let Some(join) = self.joins.get_mut(split.join as usize).filter(|join| join.at == split.at && !join.call)
        {
            join.arrived |= split.mask;
            if join.arrived != join.expected {
                return None;
            }
            let merged = Split { at: split.at, mask: join.arrived, join: join.parent };
            *join = Join { arrived: 0, ..*join };
            self.spare.push(split.join);
            split = merged;
        }
        Some(split)
    }

    /// Handles lanes that return from a call. They wait for the others that made the call, unless those have been
    /// released.
    pub(crate) fn back(&mut self, at: usize, mask: u32, join: u32) {
        let mut split = Split { at, mask, join };
        if let Some(open) = self.joins.get_mut(join as usize).filter(|open| open.call && open.at == at) {
            open.arrived |= mask;
            if open.arrived != open.expected {
                return;
            }
            split = Split { at, mask: open.arrived, join: open.parent };
            open.arrived = 0;
            self.spare.push(join);
        }
        match self.ready.iter_mut().find(|other| (other.at, other.join) == (at, split.join)) {
            Some(other) => other.mask |= split.mask,
            None => self.ready.push(split),
        }
    }

    /// Releases lanes that wait at a join, without the missing ones.
    pub(crate) fn relax(&mut self) {
        for join in self.joins.iter_mut().filter(|join| join.arrived != 0) {
            self.ready.push(Split { at: join.at, mask: join.arrived, join: join.parent });
            join.expected &= !join.arrived;
            join.arrived = 0;
        }
    }

    /// Splits these lanes off a ready split, to run before the others.
    pub(crate) fn run_ahead(&mut self, lanes: u32) {
        // Lanes that are expected at a join stay with the others.
        let both = |split: &Split| split.join == FREE && split.mask & lanes != 0 && split.mask & !lanes != 0;
        let Some(at) = self.ready.iter().position(both) else { return };
        let split = self.ready[at];
        self.ready[at].mask &= !lanes;
        self.ready.push(Split { mask: split.mask & lanes, ..split });
    }

    /// Puts lanes after all ready lanes, or merges them with ready lanes at the same place.
    pub(crate) fn last(&mut self, split: Split) {
        match self.ready.iter_mut().find(|other| (other.at, other.join) == (split.at, split.join)) {
            Some(other) => other.mask |= split.mask,
            None => self.ready.insert(0, split),
        }
    }

    /// Holds lanes that reached a barrier before the rest of their warp.
    pub(crate) fn hold(&mut self, split: Split) {
        self.held.push((split, 0));
    }

    /// Holds lanes until all of `members` that have not ended are held.
    pub(crate) fn hold_for(&mut self, split: Split, members: u32) {
        self.held.push((split, members));
    }

    /// Returns held lanes whose members have all arrived, and their member mask.
    pub(crate) fn complete(&mut self, live: u32) -> Option<(Vec<Split>, u32)> {
        let here = |members: u32| {
            self.held.iter().filter(|(_, m)| *m == members).fold(0, |mask, (split, _)| mask | split.mask)
        };
        let found = self.held.iter().map(|(_, m)| *m).find(|m| *m != 0 && m & live & !here(*m) == 0)?;
        let complete = self.held.iter().filter(|(_, m)| *m == found).map(|(split, _)| *split).collect();
        self.passed &= !here(found);
        self.held.retain(|(_, m)| *m != found);
        Some((complete, found))
    }

    /// Releases lanes that wait at joins, if lanes are held for members and nothing is ready. True if any lanes are
    /// ready then.
    pub(crate) fn release_joins(&mut self) -> bool {
        if self.held.iter().all(|(_, members)| *members == 0) {
            return false;
        }
        self.passed |= self.joins.iter().fold(0, |mask, join| mask | join.arrived);
        self.relax();
        !self.ready.is_empty()
    }

    /// Returns the held lanes as one split, if they are all live lanes and at one place. Call it if nothing is ready.
    pub(crate) fn held(&mut self, live: u32) -> Option<Split> {
        let first = self.held.first().filter(|(_, members)| *members == 0)?.0;
        let here = self.held.iter().filter(|(split, members)| split.at == first.at && *members == 0);
        let all = here.fold(0, |mask, (split, _)| mask | split.mask);
        let together = all == live;
        if together {
            self.held.clear();
            self.joins.clear();
            self.spare.clear();
        }
        together.then_some(Split { at: first.at, mask: all, join: FREE })
    }

    /// Returns a held split, for messages.
    pub(crate) fn first_held(&self) -> Option<Split> {
        self.held.first().map(|(split, _)| *split)
    }

    /// Ends lanes. `done` means that no lane of their split continues.
    pub(crate) fn end(&mut self, lanes: u32, join: u32, done: bool) {
        let mut next = join;
        while let Some(join) = self.joins.get_mut(next as usize) {
            join.expected &= !lanes;
            next = join.parent;
        }
        if !done {
            return;
        }
        let mut next = join;
        while let Some(join) = self.joins.get(next as usize).copied() {
            if join.expected != join.arrived {
                return;
            }
            self.joins[next as usize].arrived = 0;
            self.spare.push(next);
            if join.expected != 0 {
                self.ready.push(Split { at: join.at, mask: join.arrived, join: join.parent });
                return;
            }
            next = join.parent;
        }
    }
}
