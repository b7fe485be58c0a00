//! What the hazard search must know of the flow graph and of masks, to find undefined behaviour.

use super::draft::{Draft, Virtual};
use super::flow::Block;
use crate::program::{NONE, Op};
use std::collections::{HashMap, HashSet};

/// Returns the register with the mask of an instruction at which lanes wait for each other.
fn mask_of(draft: &Draft) -> Virtual {
    match draft.inst.op {
        Op::WarpSync => draft.inst.operands.a,
        Op::Shuffle => (draft.inst.imm >> 32) as u32,
        Op::Vote | Op::Match | Op::Reduce | Op::Elect => draft.inst.operands.b,
        _ => NONE,
    }
}

/// Returns the instructions to whose mask the result of `activemask` flows, through copies and logic.
pub(super) fn active_masks(drafts: &[Draft]) -> Vec<usize> {
    let named = |draft: &&Draft| matches!(draft.inst.op, Op::ActiveMask) && !draft.name.is_empty();
    let mut active: HashSet<Virtual> = drafts.iter().filter(named).flat_map(Draft::writes).collect();
    let copies = |draft: &&Draft| matches!(draft.name.as_str(), "mov" | "and" | "or" | "xor" | "selp" | "cvt");
    let mut more = !active.is_empty();
    while std::mem::take(&mut more) {
        for draft in drafts.iter().filter(copies) {
            if draft.reads().any(|v| active.contains(&v)) {
                draft.writes().for_each(|v| more |= active.insert(v));
            }
        }
    }
    (0..drafts.len()).filter(|at| active.contains(&mask_of(&drafts[*at]))).collect()
}

/// For each block with a barrier for all threads: returns the last block that every way from there to the end passes, if it
/// does more than end threads and no way leads back to the barrier. A warp that is there has left the barrier out.
pub(super) fn after_barriers(drafts: &[Draft], blocks: &[Block]) -> HashMap<usize, usize> {
    let of = |block: usize| drafts[blocks[block].start..blocks[block].end].iter();
    let waits = |block: &usize| of(*block).any(|d| matches!(d.inst.op, Op::Barrier(_)) && d.inst.operands.b == NONE);
    let acts = |block: &usize| of(*block).any(|d| !matches!(d.inst.op, Op::Branch | Op::Exit | Op::Return));
    let leads = |from: usize, to: usize| {
        let (mut seen, mut open) = (HashSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(blocks[at].next.iter().copied().filter(|next| seen.insert(*next)));
        }
        seen.contains(&to)
    };
    let after = |block: usize| {
        let chain = std::iter::successors(blocks[block].reconverges, |at| blocks[*at].reconverges);
        let last = chain.filter(acts).last()?;
        (!leads(last, block)).then_some((block, last))
    };
    (0..blocks.len()).filter(waits).filter_map(after).collect()
}
