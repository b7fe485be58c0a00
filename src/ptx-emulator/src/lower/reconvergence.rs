//! Computes where diverged threads reconverge: at the immediate post-dominator of the branch.

use super::flow::Block;

/// Marks an unreached block, or no block.
const NONE: usize = usize::MAX;

/// Sets [`Block::reconverges`] by Lengauer and Tarjan's algorithm on the reversed graph. A virtual exit follows all blocks
/// without successors. The time is nearly linear in the number of branches, however they are nested.
pub(super) fn reconvergence_points(blocks: &mut [Block]) {
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
    // Depth-first numbers of the blocks in a search from the exit, and the parent of each.
    let mut number = vec![NONE; exit + 1];
    let mut parent = vec![NONE; exit + 1];
    let mut order = Vec::with_capacity(exit + 1);
    let mut stack = vec![(exit, NONE)];
    while let Some((node, from)) = stack.pop() {
        if number[node] != NONE {
            continue;
        }
        number[node] = order.len();
        parent[node] = from;
        order.push(node);
        stack.extend(before[node].iter().rev().filter(|next| number[**next] == NONE).map(|next| (*next, node)));
    }
    let mut forest = Forest { ancestor: vec![NONE; exit + 1], label: (0..=exit).collect(), semi: vec![NONE; exit + 1] };
    for (at, node) in order.iter().enumerate() {
        forest.semi[*node] = at;
    }
    let mut bucket: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    let mut dominator = vec![NONE; exit + 1];
    for &node in order.iter().skip(1).rev() {
        let ends = [exit];
        let next: &[usize] = if blocks[node].next.is_empty() { &ends } else { &blocks[node].next };
        for &n in next.iter().filter(|n| number[**n] != NONE) {
            let best = forest.best(n);
            forest.semi[node] = forest.semi[node].min(forest.semi[best]);
        }
        bucket[order[forest.semi[node]]].push(node);
        forest.ancestor[node] = parent[node];
        for v in std::mem::take(&mut bucket[parent[node]]) {
            let best = forest.best(v);
            dominator[v] = if forest.semi[best] < forest.semi[v] { best } else { parent[node] };
        }
    }
    for &node in order.iter().skip(1) {
        if dominator[node] != order[forest.semi[node]] {
            dominator[node] = dominator[dominator[node]];
        }
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        block.reconverges = Some(dominator[index]).filter(|d| *d < exit);
    }
}

/// The blocks processed so far, linked to their parents.
struct Forest {
    ancestor: Vec<usize>,
    /// On the compressed path from a block to its root: the block with the smallest semidominator.
    label: Vec<usize>,
    semi: Vec<usize>,
}

impl Forest {
    /// Returns the block with the smallest semidominator on the path to the root.
    fn best(&mut self, node: usize) -> usize {
        if self.ancestor[node] == NONE {
            return node;
        }
        // Walk up to the block below the root, then compress the path from there down.
        let mut way = vec![node];
        let mut at = node;
        while self.ancestor[self.ancestor[at]] != NONE {
            at = self.ancestor[at];
            way.push(at);
        }
        for &v in way.iter().rev().skip(1) {
            let above = self.ancestor[v];
            if self.semi[self.label[above]] < self.semi[self.label[v]] {
                self.label[v] = self.label[above];
            }
            self.ancestor[v] = self.ancestor[above];
        }
        self.label[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nearest block on all paths from `from` to an end, by removing each block in turn.
    fn by_definition(blocks: &[Block], from: usize) -> Option<usize> {
        let reaches_end = |without: usize| {
            let (mut seen, mut open) = (vec![false; blocks.len()], vec![from]);
            while let Some(at) = open.pop().filter(|at| *at != without) {
                if blocks[at].next.is_empty() {
                    return true;
                }
                if !std::mem::replace(&mut seen[at], true) {
                    open.extend(blocks[at].next.iter().copied().filter(|next| *next != without));
                }
            }
            false
        };
        if !reaches_end(NONE) {
            return None;
        }
        let all: Vec<usize> = (0..blocks.len()).filter(|at| *at != from && !reaches_end(*at)).collect();
        // The nearest block is the block that comes before all others.
        all.iter()
            .copied()
            .find(|near| all.iter().all(|far| far == near || by_definition_lies_behind(blocks, *near, *far)))
    }

    fn by_definition_lies_behind(blocks: &[Block], near: usize, far: usize) -> bool {
        let (mut seen, mut open) = (vec![false; blocks.len()], vec![near]);
        while let Some(at) = open.pop() {
            if at == far {
                continue;
            }
            if blocks[at].next.is_empty() {
                return false;
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(blocks[at].next.iter().copied());
            }
        }
        true
    }

    #[test]
    fn threads_meet_at_the_immediate_post_dominator() {
        let mut state = 1u64;
        let mut below = |most: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % most
        };
        for case in 0..500 {
            let count = 1 + below(9);
            let mut blocks: Vec<Block> = (0..count)
                .map(|at| {
                    let mut next: Vec<usize> = (0..below(3)).map(|_| below(count)).collect();
                    next.sort_unstable();
                    next.dedup();
                    Block { start: at, end: at + 1, next, reconverges: None }
                })
                .collect();
            reconvergence_points(&mut blocks);
            for at in 0..count {
                assert_eq!(blocks[at].reconverges, by_definition(&blocks, at), "case {case}, block {at}: {blocks:?}");
            }
        }
    }
}
