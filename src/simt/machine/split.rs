//! Divergence: a warp's threads in groups that have their own place in the program.
//!
//! A branch that only some lanes take splits the warp. The two sides share a *join*: the branch's immediate
//! post-dominator and the lanes expected there. A side that reaches it waits; when all expected lanes that have
//! not ended are there, they go on as one. Unlike a stack, this lets the sides take turns, so that a lane that
//! spins on what another lane of its warp holds does not spin for ever.

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
    at: usize,
    expected: u32,
    arrived: u32,
    parent: u32,
}

/// The splits of a warp that are ready to run, and the joins that lanes wait at.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    pub(crate) ready: Vec<Split>,
    joins: Vec<Join>,
    spare: Vec<u32>,
}

impl Splits {
    pub(crate) fn start(&mut self, mask: u32) {
        self.ready.clear();
        self.joins.clear();
        self.spare.clear();
        self.ready.push(Split { at: 0, mask, join: FREE });
    }

    /// The join at which the sides of a divergent branch meet.
    pub(crate) fn join(&mut self, at: usize, mask: u32, parent: u32) -> u32 {
        if at == u32::MAX as usize || self.joins.get(parent as usize).is_some_and(|join| join.at == at) {
            return parent;
        }
        let join = Join { at, expected: mask, arrived: 0, parent };
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
    pub(crate) fn meet(&mut self, mut split: Split) -> Option<Split> {
        while let Some(join) = self.joins.get_mut(split.join as usize).filter(|join| join.at == split.at) {
            join.arrived |= split.mask;
            if join.arrived != join.expected {
                return None;
            }
            self.spare.push(split.join);
            split = Split { at: split.at, mask: join.arrived, join: join.parent };
        }
        Some(split)
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
            self.spare.push(next);
            if join.expected != 0 {
                self.ready.push(Split { at: join.at, mask: join.arrived, join: join.parent });
                return;
            }
            next = join.parent;
        }
    }
}
