//! Computes where registers are live: the range of drafts, and whether they are live at the start.

use super::draft::{Draft, Virtual};
use super::flow::Block;
use crate::program::Op;
use std::collections::BTreeMap;

/// The walks below take at most `STEPS` steps, plus `STEPS_EACH` per block and draft. After that, ranges are estimated.
const STEPS_EACH: usize = 64;
const STEPS: usize = 1 << 20;

/// The first and last draft where each register is live; `(usize::MAX, 0)` if no draft names it.
pub(super) struct Ranges {
    pub(super) live: Vec<(usize, usize)>,
    /// Registers that may be read before they are written, ascending.
    pub(super) entry: Vec<Virtual>,
    pub(super) across: Across,
}

/// For each block that ends with a call, the registers that are live after it, ascending.
#[derive(Default)]
pub(super) struct Across {
    pub(super) calls: BTreeMap<usize, Vec<Virtual>>,
    /// Sum over all calls.
    pub(super) registers: usize,
}

impl Across {
    fn new(drafts: &[Draft], blocks: &[Block]) -> Self {
        let ends = |block: &Block| drafts[block.start..block.end].last().is_some_and(|d| matches!(d.inst.op, Op::Call));
        let calls = blocks.iter().enumerate().filter(|(_, block)| ends(block));
        Self { calls: calls.map(|(index, _)| (index, Vec::new())).collect(), registers: 0 }
    }

    fn add(&mut self, block: usize, v: Virtual) {
        if let Some(live) = self.calls.get_mut(&block)
            && live.last() != Some(&v)
            && self.registers < MAX_ACROSS
        {
            live.push(v);
            self.registers += 1;
        }
    }
}

/// Maximum number of registers saved by all calls together.
pub(super) const MAX_ACROSS: usize = 1 << 22;

/// For each register, the blocks that mention it in a given way, ascending.
struct Mentions {
    starts: Vec<usize>,
    blocks: Vec<u32>,
}

impl Mentions {
    /// Groups pairs of register and block, which are ordered by block.
    fn new(registers: usize, pairs: &[(Virtual, u32)]) -> Self {
        let mut starts = vec![0; registers + 1];
        for (v, _) in pairs {
            starts[*v as usize + 1] += 1;
        }
        for at in 0..registers {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut blocks = vec![0; pairs.len()];
        for (v, block) in pairs {
            blocks[next[*v as usize]] = *block;
            next[*v as usize] += 1;
        }
        Self { starts, blocks }
    }

    fn of(&self, v: usize) -> &[u32] {
        &self.blocks[self.starts[v]..self.starts[v + 1]]
    }
}

/// Computes live ranges, register by register: from each block that reads the register first, back to the blocks that
/// write it. The number of steps is the total size of all blocks' live sets. The marks in the blocks are for one
/// register at a time.
///
/// Only adversarial code exceeds the limit on steps. The remaining registers are then assumed to be live from their
/// first to their last mention, and throughout the loops around these.
pub(super) fn ranges(drafts: &[Draft], blocks: &[Block], registers: usize) -> Ranges {
    let mut live: Vec<(usize, usize)> = vec![(usize::MAX, 0); registers];
    // In the current block: whether a register was read before it was written, and whether it was written.
    let mut read = vec![u32::MAX; registers];
    let mut written = vec![u32::MAX; registers];
    let (mut exposed, mut killed) = (Vec::new(), Vec::new());
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); blocks.len()];
    for (index, block) in blocks.iter().enumerate() {
        let here = index as u32;
        for next in &block.next {
            before[*next].push(here);
        }
        for (at, draft) in drafts.iter().enumerate().take(block.end).skip(block.start) {
            let mut mention = |v: Virtual| {
                let range = &mut live[v as usize];
                *range = (range.0.min(at), range.1.max(at));
            };
            draft.reads().chain(draft.writes()).for_each(&mut mention);
            // A guarded write keeps the old value in some lanes, so it also reads the register.
            let kept = draft.writes().filter(|_| draft.guard.is_some());
            for v in draft.reads().chain(kept) {
                if written[v as usize] != here && read[v as usize] != here {
                    read[v as usize] = here;
                    exposed.push((v, here));
                }
            }
            for v in draft.writes().filter(|_| draft.guard.is_none()) {
                if written[v as usize] != here {
                    written[v as usize] = here;
                    killed.push((v, here));
                }
            }
        }
    }
    let (exposed, killed) = (Mentions::new(registers, &exposed), Mentions::new(registers, &killed));
    let spans = spans(blocks);
    let mut left = STEPS + STEPS_EACH * (blocks.len() + drafts.len());
    let mut entry = Vec::new();
    let mut across = Across::new(drafts, blocks);
    // For each block, the last register whose walk reached it or that it writes.
    let mut seen = vec![u32::MAX; blocks.len()];
    let mut writes = vec![u32::MAX; blocks.len()];
    let mut open = Vec::new();
    for (v, range) in live.iter_mut().enumerate() {
        let here = v as Virtual;
        if exposed.of(v).is_empty() {
            continue;
        }
        if left == 0 {
            *range = (span_at(&spans, range.0).0, span_at(&spans, range.1).1);
            entry.push(here);
            let first = blocks.partition_point(|block| block.end <= range.0);
            let end = blocks.partition_point(|block| block.start <= range.1);
            let calls: Vec<usize> = across.calls.range(first..end).map(|(call, _)| *call).collect();
            calls.into_iter().for_each(|call| across.add(call, here));
            continue;
        }
        for block in killed.of(v) {
            writes[*block as usize] = here;
        }
        for block in exposed.of(v) {
            seen[*block as usize] = here;
            open.push(*block);
        }
        while let Some(block) = open.pop() {
            range.0 = range.0.min(blocks[block as usize].start);
            for from in &before[block as usize] {
                left = left.saturating_sub(1);
                let from = *from as usize;
                across.add(from, here);
                range.1 = range.1.max(blocks[from].end - 1);
                if writes[from] != here && seen[from] != here {
                    seen[from] = here;
                    open.push(from as u32);
                }
            }
        }
        if seen.first() == Some(&here) {
            entry.push(here);
        }
    }
    Ranges { live, entry, across }
}

/// Returns the ranges of drafts that loops cover, in order. Overlapping ranges are merged.
fn spans(blocks: &[Block]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let Some(target) = block.next.iter().filter(|next| **next <= index).min() else { continue };
        let (start, end) = (blocks[*target].start, block.end - 1);
        let mut span = (start, end);
        while let Some(last) = all.pop_if(|last| last.1 >= start) {
            span.0 = span.0.min(last.0);
        }
        all.push(span);
    }
    all
}

/// Returns the span that contains a draft, or only the draft.
fn span_at(spans: &[(usize, usize)], at: usize) -> (usize, usize) {
    let index = spans.partition_point(|span| span.1 < at);
    spans.get(index).filter(|span| span.0 <= at).copied().unwrap_or((at, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{NONE, Op};

    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (self.0 >> 33) as usize % most
        }
    }

    /// Generates random code: `count` blocks of up to three drafts, each with up to two successors.
    fn code(random: &mut Random, count: usize, registers: usize) -> (Vec<Draft>, Vec<Block>) {
        let (mut drafts, mut blocks) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let start = drafts.len();
            for _ in 0..=random.below(3) {
                let mut draft = Draft::new(Op::Fma);
                let mut maybe = || if random.below(3) == 0 { NONE } else { random.below(registers) as Virtual };
                (draft.inst.operands.d, draft.inst.operands.a, draft.inst.operands.b) = (maybe(), maybe(), maybe());
                if random.below(4) == 0 {
                    draft.guard = Some((random.below(registers) as Virtual, false));
                }
                drafts.push(draft);
            }
            let mut next: Vec<usize> = (0..random.below(3)).map(|_| random.below(count)).collect();
            next.sort_unstable();
            next.dedup();
            blocks.push(Block { start, end: drafts.len(), next, reconverges: None });
        }
        (drafts, blocks)
    }

    /// Returns the registers live before each draft, by iterating the data-flow equations to a fixed point.
    fn live_before(drafts: &[Draft], blocks: &[Block]) -> Vec<Vec<bool>> {
        let registers = 1 + drafts.iter().flat_map(|d| d.reads().chain(d.writes())).max().unwrap_or(0) as usize;
        let mut live = vec![vec![false; registers]; drafts.len()];
        loop {
            let before = live.clone();
            for block in blocks {
                for at in (block.start..block.end).rev() {
                    let mut set = vec![false; registers];
                    let next: Vec<usize> = if at + 1 < block.end {
                        vec![at + 1]
                    } else {
                        block.next.iter().map(|next| blocks[*next].start).collect()
                    };
                    for next in next {
                        (0..registers).for_each(|v| set[v] |= live[next][v]);
                    }
                    for v in drafts[at].writes() {
                        set[v as usize] = drafts[at].guard.is_some();
                    }
                    drafts[at].reads().for_each(|v| set[v as usize] = true);
                    live[at] = set;
                }
            }
            if before == live {
                return live;
            }
        }
    }

    #[test]
    fn a_register_is_live_where_the_equations_say() {
        for seed in 0..300 {
            let mut random = Random(seed);
            let (count, registers) = (1 + random.below(12), 1 + random.below(6));
            let (drafts, blocks) = code(&mut random, count, registers);
            let found = ranges(&drafts, &blocks, registers);
            let live = live_before(&drafts, &blocks);
            for v in 0..registers {
                let is_live = |at: usize| live[at].get(v) == Some(&true);
                let named = |at: usize| drafts[at].reads().chain(drafts[at].writes()).any(|w| w as usize == v);
                let mut wanted = (usize::MAX, 0);
                for block in &blocks {
                    for at in block.start..block.end {
                        let last = at + 1 == block.end;
                        let after = last && block.next.iter().any(|next| is_live(blocks[*next].start));
                        // Live before the block's first draft, live after its last, or named.
                        if named(at) || after || at == block.start && is_live(at) {
                            wanted = (wanted.0.min(at), wanted.1.max(at));
                        }
                    }
                }
                assert_eq!(found.live[v], wanted, "seed {seed}, register {v}");
                assert_eq!(found.entry.contains(&(v as Virtual)), is_live(0), "seed {seed}, register {v}");
            }
        }
    }

    #[test]
    fn estimated_ranges_cover_the_live_ranges() {
        for seed in 0..300 {
            let mut random = Random(seed);
            let (drafts, mut blocks) = code(&mut random, 12, 5);
            // Unreachable blocks have no guarantees, so make every block reachable from the one before it.
            for at in 1..blocks.len() {
                blocks[at - 1].next.push(at);
            }
            let (exact, spans) = (ranges(&drafts, &blocks, 5), spans(&blocks));
            let mut named = [(usize::MAX, 0); 5];
            for (at, draft) in drafts.iter().enumerate() {
                for v in draft.reads().chain(draft.writes()) {
                    let range = &mut named[v as usize];
                    *range = (range.0.min(at), range.1.max(at));
                }
            }
            for v in (0..5).filter(|v| !exact.entry.contains(v)) {
                let (first, last) = named[v as usize];
                if first <= last {
                    let (live, estimate) =
                        (exact.live[v as usize], (span_at(&spans, first).0, span_at(&spans, last).1));
                    assert!(estimate.0 <= live.0 && live.1 <= estimate.1, "seed {seed}, register {v}");
                }
            }
        }
    }
}
