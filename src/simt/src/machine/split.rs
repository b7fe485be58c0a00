//! Divergence: a warp's threads in groups that have their own place in the program.
//!
//! A branch that only some lanes take splits the warp. The two sides share a *join*: the branch's immediate
//! post-dominator and the lanes expected there. A side that reaches it waits; when all expected lanes that have
//! not ended are there, they go on as one. Unlike a stack, this lets the sides take turns. Lanes that spin on what a
//! lane waiting at a join holds (a lock) would spin for ever: then [`WarpSplits::relax`] lets the waiting ones go ahead.

/// No join.
pub(crate) const FREE: u32 = u32::MAX;

/// Lanes at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Split {
    pub(crate) at: usize,
    pub(crate) mask: u32,
    pub(crate) join: u32,
}

#[derive(Debug, Clone, Copy)]
struct Join {
    /// Behind a call: only lanes that come back from it meet here, not those that pass by in a deeper call.
    call: bool,
    at: usize,
    expected: u32,
    arrived: u32,
    parent: u32,
}

/// The splits of a warp that are ready to run, and the joins that lanes wait at.
#[derive(Debug, Default)]
pub(crate) struct WarpSplits {
    pub(crate) ready: Vec<Split>,
    /// Lanes that wait for others of the warp: all, or those in the mask if it is not zero.
    held: Vec<(Split, u32)>,
    joins: Vec<Join>,
    spare: Vec<u32>,
}

impl WarpSplits {
    pub(crate) fn start(&mut self, mask: u32) {
        self.ready.clear();
        self.held.clear();
        self.joins.clear();
        self.spare.clear();
        self.ready.push(Split { at: 0, mask, join: FREE });
    }

    /// The join at which the sides of a divergent branch meet.
    pub(crate) fn join(&mut self, at: usize, mask: u32, parent: u32) -> u32 {
        if at == u32::MAX as usize || self.joins.get(parent as usize).is_some_and(|join| join.at == at && !join.call) {
            return parent;
        }
        self.add(Join { call: false, at, expected: mask, arrived: 0, parent })
    }

    /// The join at which lanes meet that call functions, behind the call.
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

    /// Lanes reach a place where they may have to wait: what goes on from here, if anything.
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

    /// Lanes come back from a call: they wait for the others that made it, unless these have been let go.
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

    /// Lets lanes that wait at a join go on without those that are missing.
    pub(crate) fn relax(&mut self) {
        for join in self.joins.iter_mut().filter(|join| join.arrived != 0) {
            self.ready.push(Split { at: join.at, mask: join.arrived, join: join.parent });
            join.expected &= !join.arrived;
            join.arrived = 0;
        }
    }

    /// Splits these lanes off from those that are ready with them, to run before them.
    pub(crate) fn run_ahead(&mut self, lanes: u32) {
        // Those that are awaited at a join stay with the others.
        let both = |split: &Split| split.join == FREE && split.mask & lanes != 0 && split.mask & !lanes != 0;
        let Some(at) = self.ready.iter().position(both) else { return };
        let split = self.ready[at];
        self.ready[at].mask &= !lanes;
        self.ready.push(Split { mask: split.mask & lanes, ..split });
    }

    /// Lets lanes go on after all others that are ready, together with any that are at the same place.
    pub(crate) fn last(&mut self, split: Split) {
        match self.ready.iter_mut().find(|other| (other.at, other.join) == (split.at, split.join)) {
            Some(other) => other.mask |= split.mask,
            None => self.ready.insert(0, split),
        }
    }

    /// Keeps lanes that came to a barrier before the rest of their warp.
    pub(crate) fn hold(&mut self, split: Split) {
        self.held.push((split, 0));
    }

    /// Keeps lanes until all of `members` that have not ended are kept.
    pub(crate) fn hold_for(&mut self, split: Split, members: u32) {
        self.held.push((split, members));
    }

    /// Lanes that were held for each other and are all there.
    pub(crate) fn complete(&mut self, live: u32) -> Option<(Vec<Split>, u32)> {
        let here = |members: u32| {
            self.held.iter().filter(|(_, m)| *m == members).fold(0, |mask, (split, _)| mask | split.mask)
        };
        let found = self.held.iter().map(|(_, m)| *m).find(|m| *m != 0 && m & live & !here(*m) == 0)?;
        let complete = self.held.iter().filter(|(_, m)| *m == found).map(|(split, _)| *split).collect();
        self.held.retain(|(_, m)| *m != found);
        Some((complete, found))
    }

    /// Nothing is ready while lanes are held for others, which may wait at a join: those go ahead. True if any did.
    pub(crate) fn let_ahead(&mut self) -> bool {
        if self.held.iter().all(|(_, members)| *members == 0) {
            return false;
        }
        self.relax();
        !self.ready.is_empty()
    }

    /// Once nothing else is ready: the held lanes as one, if they are all of `live` and at one place.
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

    /// A split that is held, for messages.
    pub(crate) fn first_held(&self) -> Option<Split> {
        self.held.first().map(|(split, _)| *split)
    }

    /// Lanes end. `done` says that no lane of their split goes on.
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
