//! Which registers of a kernel are needed later, at each instruction.
//!
//! Backward data flow over basic blocks (Aho, Lam, Sethi, Ullman, 9.2.5). Registers that are the same for all threads
//! take no room: the assembler keeps them in the constant bank or in uniform registers.

use super::text::{Kind, Text};

pub(crate) type Set = Vec<u64>;

pub(crate) fn contains(set: &[u64], register: u32) -> bool {
    set.get(register as usize / 64).is_some_and(|word| word >> (register % 64) & 1 == 1)
}

fn insert(set: &mut [u64], register: u32) {
    set[register as usize / 64] |= 1 << (register % 64);
}

/// Live registers at the end of each basic block.
pub(crate) struct Liveness {
    /// First instruction of each block, and the end of the code.
    starts: Vec<usize>,
    out: Vec<Set>,
    /// Registers of 32 bits that each PTX register takes: 0 if it is uniform.
    pub(crate) weights: Vec<u8>,
    /// Registers that integer arithmetic computes once, from parameters and the numbers of thread and block. Where nothing uses
    /// one of these, the assembler does not keep it: it computes it again.
    again: Set,
}

impl Liveness {
    pub(crate) fn of(text: &Text) -> Self {
        let starts = starts(text);
        let blocks = starts.len() - 1;
        let words = text.widths.len().div_ceil(64);
        let after: Vec<Vec<usize>> = (0..blocks).map(|block| successors(text, &starts, block)).collect();
        let (weights, again) = (once(text, true), once(text, false));
        let mut set = vec![0; words];
        (0..).zip(again).filter(|(_, width)| *width == 0).for_each(|(register, _)| insert(&mut set, register));
        let mut found = Self { starts, out: vec![vec![0; words]; blocks], weights, again: set };
        let mut ins = vec![vec![0u64; words]; blocks];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks).rev() {
                for next in &after[block] {
                    for (word, more) in found.out[block].iter_mut().zip(&ins[*next]) {
                        *word |= more;
                    }
                }
                let before = found.before(text, found.starts[block]);
                changed |= before != ins[block];
                ins[block] = before;
            }
        }
        found
    }

    /// Returns the registers that are live before an instruction.
    pub(crate) fn before(&self, text: &Text, at: usize) -> Set {
        let block = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let Some(mut live) = self.out.get(block).cloned() else { return Vec::new() };
        for one in text.code[at..self.starts[block + 1]].iter().rev() {
            if !one.guarded {
                for register in &one.writes {
                    live[*register as usize / 64] &= !(1 << (register % 64));
                }
            }
            one.reads.iter().for_each(|register| insert(&mut live, *register));
        }
        live
    }

    /// Returns the room that a set takes where some registers are used, in registers of 32 bits.
    pub(crate) fn room(&self, set: &[u64], used: impl Fn(u32) -> bool) -> u32 {
        let kept = (0..).zip(&self.weights).filter(|(register, _)| contains(set, *register));
        kept.filter(|(register, _)| used(*register) || !contains(&self.again, *register))
            .map(|(_, width)| u32::from(*width))
            .sum()
    }
}

fn starts(text: &Text) -> Vec<usize> {
    let mut starts = vec![0, text.code.len()];
    for (at, one) in text.code.iter().enumerate() {
        if one.kind == Kind::Branch {
            starts.push(at + 1);
            starts.extend(one.target);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn successors(text: &Text, starts: &[usize], block: usize) -> Vec<usize> {
    let last = starts[block + 1].checked_sub(1).and_then(|at| text.code.get(at));
    let target = last.and_then(|one| one.target).and_then(|at| starts.binary_search(&at).ok());
    let next = (block + 2 < starts.len() && last.is_some_and(|one| !one.ends)).then_some(block + 1);
    // A branch to the end of the code leads nowhere.
    target.filter(|block| block + 1 < starts.len()).into_iter().chain(next).collect()
}

/// Widths of registers, with 0 for those computed once, from parameters and the number of the block only. If not `uniform`, also
/// from that of the thread.
fn once(text: &Text, uniform: bool) -> Vec<u8> {
    let mut writers = vec![0u32; text.widths.len()];
    text.code.iter().flat_map(|one| &one.writes).for_each(|register| writers[*register as usize] += 1);
    let mut weights = text.widths.clone();
    for one in &text.code {
        let computes = matches!(one.kind, Kind::Free | Kind::Integer | Kind::Multiply | Kind::Divide { .. })
            && !(one.varies && uniform)
            && !one.guarded;
        let known = computes && one.reads.iter().all(|register| weights[*register as usize] == 0);
        if let (true, [register]) = (known, one.writes.as_slice())
            && writers[*register as usize] == 1
        {
            weights[*register as usize] = 0;
        }
    }
    weights
}

/// The assembler computes only the lower half of a number of 64 bits that becomes an address in shared memory, or is cut.
pub(crate) fn narrow(text: &mut Text) {
    let mut narrow: Vec<bool> = text.widths.iter().map(|width| *width == 2).collect();
    loop {
        let before = narrow.clone();
        for one in &text.code {
            let upper = ["shr", "setp", "div"].iter().any(|name| one.opcode.starts_with(name));
            let lower = |register: &u32| text.widths[*register as usize] < 2 || narrow[*register as usize];
            let lower = !upper && (one.kind.computes() || one.kind == Kind::Free) && one.writes.iter().all(lower);
            let base = one.address.filter(|_| one.kind.is_shared()).map(|(base, _)| base);
            one.reads.iter().for_each(|register| narrow[*register as usize] &= lower || base == Some(*register));
        }
        if narrow == before {
            break;
        }
    }
    for one in text.code.iter_mut().filter(|one| one.writes.first().is_some_and(|first| narrow[*first as usize])) {
        one.slots = one.slots.min(1);
    }
    text.widths.iter_mut().zip(narrow).filter(|(_, narrow)| *narrow).for_each(|(width, _)| *width = 1);
}
