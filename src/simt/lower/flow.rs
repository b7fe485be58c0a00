//! Basic blocks, and the place where diverged threads meet: the immediate post-dominator of the branch.

use super::draft::{Draft, Target};
use crate::simt::program::Op;

/// A basic block: drafts `start..end`, and the blocks that may follow.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: Vec<usize>,
    /// Immediate post-dominator; `None` if it is the end of the program.
    pub(super) meets: Option<usize>,
}

/// Cuts the drafts into blocks. `labels` are draft indices; each must be in range.
pub(super) fn blocks(drafts: &[Draft], labels: &[usize]) -> (Vec<Block>, Vec<usize>) {
    let mut leader = vec![false; drafts.len() + 1];
    leader[0] = true;
    for label in labels {
        leader[*label] = true;
    }
    for (index, draft) in drafts.iter().enumerate() {
        if matches!(draft.inst.op, Op::Branch | Op::BranchTable | Op::Exit | Op::Trap) {
            leader[index + 1] = true;
        }
    }
    let mut of_draft = vec![0; drafts.len() + 1];
    let mut all: Vec<Block> = Vec::new();
    for index in 0..drafts.len() {
        if leader[index] {
            all.push(Block { start: index, end: index, next: Vec::new(), meets: None });
        }
        of_draft[index] = all.len() - 1;
        let last = all.len() - 1;
        all[last].end = index + 1;
    }
    of_draft[drafts.len()] = all.len();
    let count = all.len();
    for (index, block) in all.iter_mut().enumerate() {
        let last = &drafts[block.end - 1];
        let falls = last.guard.is_some() || !matches!(last.inst.op, Op::Branch | Op::BranchTable | Op::Exit | Op::Trap);
        match &last.target {
            Some(Target::Label(label)) => block.next.push(of_draft[labels[*label]]),
            Some(Target::Table(table)) => block.next.extend(table.iter().map(|label| of_draft[labels[*label]])),
            None => {}
        }
        if falls {
            block.next.push(index + 1);
        }
        block.next.retain(|next| *next < count);
        block.next.sort_unstable();
        block.next.dedup();
    }
    meeting_points(&mut all);
    (all, of_draft)
}

/// Immediate post-dominators by the iteration of Cooper, Harvey and Kennedy on the reversed graph.
fn meeting_points(blocks: &mut [Block]) {
    let exit = blocks.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (index, block) in blocks.iter().enumerate() {
        for next in &block.next {
            before[*next].push(index);
        }
        if block.next.is_empty() {
            before[exit].push(index);
        }
    }
    // Postorder of the reversed graph from the exit, without recursion.
    let mut order = vec![usize::MAX; exit + 1];
    let mut sequence = Vec::with_capacity(exit + 1);
    let mut seen = vec![false; exit + 1];
    let mut stack = vec![(exit, 0usize)];
    seen[exit] = true;
    while let Some((node, child)) = stack.pop() {
        match before[node].get(child) {
            Some(&next) => {
                stack.push((node, child + 1));
                if !seen[next] {
                    seen[next] = true;
                    stack.push((next, 0));
                }
            }
            None => {
                order[node] = sequence.len();
                sequence.push(node);
            }
        }
    }
    let mut dominator = vec![usize::MAX; exit + 1];
    dominator[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in sequence.iter().rev().filter(|node| **node != exit) {
            let ends = [exit];
            let next: &[usize] = if blocks[node].next.is_empty() { &ends } else { &blocks[node].next };
            let mut best = usize::MAX;
            for &n in next.iter().filter(|n| dominator[**n] != usize::MAX) {
                best = if best == usize::MAX { n } else { meet(best, n, &dominator, &order) };
            }
            if dominator[node] != best {
                dominator[node] = best;
                changed = true;
            }
        }
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        block.meets = Some(dominator[index]).filter(|d| *d < exit);
    }
}

fn meet(mut a: usize, mut b: usize, dominator: &[usize], order: &[usize]) -> usize {
    while a != b {
        while order[a] < order[b] {
            a = dominator[a];
        }
        while order[b] < order[a] {
            b = dominator[b];
        }
    }
    a
}
