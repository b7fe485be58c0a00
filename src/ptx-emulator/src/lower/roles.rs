//! Finds out what `volatile` accesses are for: to exchange data, or to signal and to wait ([`Role`]).
//!
//! A load *waits* if a branch that depends on its value leads to a load of the same address (itself, or a copy of it in a
//! loop), and nothing else happens on the way but other strong loads. A load *polls* if its value only decides branches, and also if its thread runs a fence
//! before it accesses memory again. A store *signals* if its thread may have run a fence before it.

use super::draft::{Draft, Virtual};
use super::flow::Block;
use crate::arch::Role;
use crate::program::{Op, StateSpace};
use std::collections::{HashMap, HashSet};

/// Maximum number of steps of the search in a kernel. Loads that are left when it ends count as waiting.
const MAX_STEPS: usize = 1 << 24;

/// Sets the roles of all `volatile` accesses.
pub(super) fn assign(drafts: &mut [Draft], blocks: &[Block], of_draft: &[usize]) {
    let all: Vec<usize> = (0..drafts.len()).filter(|at| is_volatile(&drafts[*at])).collect();
    if all.is_empty() {
        return;
    }
    let mut search = Search { drafts, blocks, of_draft, steps: 0 };
    let fenced = search.blocks_after_fences();
    let role = |at: &usize| match search.drafts[*at].access.as_ref() {
        Some(access) if access.writes => search.store(*at, &fenced),
        _ => search.load(*at, &[*at]),
    };
    let mut roles: Vec<Role> = all.iter().map(role).collect();
    // A compiler may move the first turn of a loop out of it.
    let waiting: Vec<usize> =
        all.iter().zip(&roles).filter(|(_, role)| **role == Role::Wait).map(|(at, _)| *at).collect();
    let address = |at: usize| search.drafts[at].access.as_ref().map(|access| (access.base, access.offset));
    let like = |at: &usize| waiting.iter().copied().filter(|other| address(*other) == address(*at)).collect::<Vec<_>>();
    let like: Vec<Vec<usize>> = all.iter().map(like).collect();
    for ((at, role), like) in all.iter().zip(&mut roles).zip(like) {
        let loads = search.drafts[*at].access.as_ref().is_some_and(|access| !access.writes);
        if loads && *role != Role::Wait && !like.is_empty() {
            *role = search.load(*at, &like);
        }
    }
    for (at, role) in all.into_iter().zip(roles) {
        drafts[at].access.iter_mut().for_each(|access| access.order.role = role);
    }
}

struct Search<'a, 'b> {
    drafts: &'a [Draft],
    blocks: &'b [Block],
    /// The block of each draft.
    of_draft: &'b [usize],
    steps: usize,
}

/// How the value of a load is used.
#[derive(Default)]
struct Uses {
    /// True if it is stored, or part of an address.
    data: bool,
    /// The drafts that it decides.
    branches: HashSet<usize>,
}

/// True if a draft accesses memory that other threads may access.
fn accesses(draft: &Draft) -> bool {
    let own = |space| matches!(space, StateSpace::Local);
    draft.async_copy.is_some() || draft.access.as_ref().is_some_and(|access| !own(access.reach))
}

impl Search<'_, '_> {
    /// Returns, for each block, whether its start can be reached from a fence.
    fn blocks_after_fences(&self) -> Vec<bool> {
        let mut after = vec![false; self.blocks.len()];
        let fence = |block: &Block| self.drafts[block.start..block.end].iter().any(is_fence);
        let mut open: Vec<usize> =
            self.blocks.iter().filter(|block| fence(block)).flat_map(|block| block.next.clone()).collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut after[block], true) {
                open.extend(&self.blocks[block].next);
            }
        }
        after
    }

    fn store(&self, at: usize, after_fence: &[bool]) -> Role {
        let block = self.of_draft[at];
        let fence = after_fence[block] || self.drafts[self.blocks[block].start..at].iter().any(is_fence);
        if fence { Role::Signal } else { Role::Data }
    }

    /// Returns the role of a load. It waits if a branch that it decides leads to one of the loads `again` on one side only.
    fn load(&mut self, at: usize, again: &[usize]) -> Role {
        let uses = self.uses(at);
        let base = self.drafts[at].access.as_ref().map(|access| access.base);
        // The way back to the load, on which nothing happens but strong loads.
        let waits = |draft: &Draft| {
            let loads = draft.access.as_ref().is_some_and(|access| access.order.strong && !access.writes);
            let acts = accesses(draft) && !loads || matches!(draft.inst.op, Op::Barrier(_) | Op::Call);
            !acts && !draft.writes().any(|v| Some(v) == base)
        };
        let after = self.next(at);
        let ahead = self.reached(after, waits);
        let repeats = uses.branches.iter().filter(|branch| ahead.contains(branch)).any(|branch| {
            let next = self.next(*branch);
            let ends = next.len() < 2;
            let mut leads = |to| {
                let reached = self.reached(vec![to], waits);
                again.iter().any(|load| reached.contains(load))
            };
            let back = next.into_iter().filter(|to| leads(*to)).count();
            back == 1 || ends && back != 0
        });
        if self.steps >= MAX_STEPS || repeats {
            return Role::Wait;
        }
        let after = self.next(at);
        let fence = self.reached(after, |draft| !accesses(draft) && !is_fence(draft));
        let fenced = fence.into_iter().any(|at| is_fence(&self.drafts[at]));
        if fenced || !uses.data { Role::Signal } else { Role::Data }
    }

    /// Returns the drafts that may follow a draft.
    fn next(&self, at: usize) -> Vec<usize> {
        let block = &self.blocks[self.of_draft[at]];
        if at + 1 < block.end {
            return vec![at + 1];
        }
        block.next.iter().map(|next| self.blocks[*next].start).collect()
    }

    /// Returns the drafts that can be reached. The search goes on after a draft for which `passes` holds.
    fn reached(&mut self, from: Vec<usize>, passes: impl Fn(&Draft) -> bool) -> HashSet<usize> {
        let (mut reached, mut open) = (HashSet::new(), from);
        while let Some(at) = open.pop() {
            if self.steps < MAX_STEPS && reached.insert(at) && passes(&self.drafts[at]) {
                open.extend(self.next(at));
            }
            self.steps += 1;
        }
        reached
    }

    /// Follows the value of a load.
    fn uses(&mut self, load: usize) -> Uses {
        let mut uses = Uses::default();
        // By the first draft of a block: the registers that may depend on the value there.
        let mut known: HashMap<usize, HashSet<Virtual>> = HashMap::new();
        let mut open = vec![(load, HashSet::new())];
        while let Some((start, mut tainted)) = open.pop() {
            let block = &self.blocks[self.of_draft[start]];
            for (at, draft) in self.drafts.iter().enumerate().take(block.end).skip(start) {
                self.steps += 1;
                let guard = draft.guard.map(|(guard, _)| guard);
                let decides = guard.is_some_and(|guard| tainted.contains(&guard));
                let depends = draft.reads().any(|v| Some(v) != guard && tainted.contains(&v));
                let leaves = matches!(draft.inst.op, Op::Branch | Op::BranchTable | Op::Exit | Op::Return | Op::Trap);
                if leaves && (decides || depends) {
                    uses.branches.insert(at);
                } else if at == load || depends && computes(draft.inst.op) {
                    tainted.extend(draft.writes());
                } else {
                    uses.data |= depends;
                    if guard.is_none() {
                        draft.writes().for_each(|v| _ = tainted.remove(&v));
                    }
                }
            }
            if self.steps >= MAX_STEPS || tainted.is_empty() {
                continue;
            }
            for next in &block.next {
                let start = self.blocks[*next].start;
                let known = known.entry(start).or_default();
                let before = known.len();
                known.extend(&tainted);
                if known.len() > before {
                    open.push((start, known.clone()));
                }
            }
        }
        uses
    }
}

fn is_volatile(draft: &Draft) -> bool {
    draft.access.as_ref().is_some_and(|access| access.order.role != Role::Other)
}

fn is_fence(draft: &Draft) -> bool {
    matches!(draft.inst.op, Op::Fence(_))
}

/// True if an operation only computes its results from its operands, perhaps of several lanes or warps.
fn computes(op: Op) -> bool {
    use Op::{Barrier, Fma, Lanes, Match, Predicate, Reduce, Scalar, Shuffle, Vote, WidenAddress};
    matches!(
        op,
        Lanes(..) | Scalar(_) | Predicate(_) | Fma | Vote | Shuffle | Match | Reduce | Barrier(_) | WidenAddress
    )
}
