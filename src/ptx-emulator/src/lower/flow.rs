//! Basic blocks.

use super::draft::{Draft, Target};
use super::reconvergence::reconvergence_points;
use crate::program::Op;

/// A basic block: drafts `start..end`, and the possible successors.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: Vec<usize>,
    /// Immediate post-dominator. `None` if it is the end of the program, or a block that only ends threads.
    pub(super) reconverges: Option<usize>,
}

/// Splits the drafts into blocks. `labels` are draft indices; each must be in range.
pub(super) fn blocks(drafts: &[Draft], labels: &[usize]) -> (Vec<Block>, Vec<usize>) {
    let mut leader = vec![false; drafts.len() + 1];
    leader[0] = true;
    for label in labels {
        leader[*label] = true;
    }
    for (index, draft) in drafts.iter().enumerate() {
        if matches!(draft.inst.op, Op::Branch | Op::BranchTable | Op::Call | Op::Return | Op::Exit | Op::Trap) {
            leader[index + 1] = true;
        }
    }
    let mut of_draft = vec![0; drafts.len() + 1];
    let mut all: Vec<Block> = Vec::new();
    for index in 0..drafts.len() {
        if leader[index] {
            all.push(Block { start: index, end: index, next: Vec::new(), reconverges: None });
        }
        of_draft[index] = all.len() - 1;
        let last = all.len() - 1;
        all[last].end = index + 1;
    }
    of_draft[drafts.len()] = all.len();
    let count = all.len();
    for (index, block) in all.iter_mut().enumerate() {
        let last = &drafts[block.end - 1];
        let ends = matches!(last.inst.op, Op::Branch | Op::BranchTable | Op::Return | Op::Exit | Op::Trap);
        let falls = last.guard.is_some() || !ends;
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
    reconvergence_points(&mut all);
    // Threads that leave early do not wait for the rest of their warp, so lanes do not reconverge at a block that only ends
    // them.
    let leaves = |block: &Block| {
        let ends = |draft: &Draft| matches!(draft.inst.op, Op::Exit) && draft.guard.is_none();
        drafts[block.start..block.end].first().is_some_and(ends)
    };
    let ends: Vec<bool> = all.iter().map(leaves).collect();
    for block in &mut all {
        block.reconverges = block.reconverges.filter(|at| !ends[*at]);
    }
    (all, of_draft)
}
