//! Finds registers that are accessed while a `wgmma` that uses them is in flight, or that are changed and then used
//! without a `wgmma.fence`. Each path to a kernel's first product needs such a fence, too (PTX ISA, `wgmma.fence`).
//!
//! The emulator computes a product immediately, and NVIDIA's assembler inserts a costly wait, but PTX leaves the
//! result undefined. So this module searches the PTX. It follows each product through the flow graph, from its issue
//! to a `wgmma.wait_group` that certainly waits for it. A `mov` does not count as an access, because it only renames
//! a register.

use super::draft::{Draft, Virtual};
use super::flow::Block;
use crate::HazardKind;
use crate::program::tensor::{Group, Tensor, TensorOp};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Two drafts in program order.
pub(super) type Early = (usize, usize, HazardKind);

/// What may hold at a point of the program.
#[derive(Debug, Clone, Default, PartialEq)]
struct State {
    /// Registers that products in flight write (true) or read (false), with the product and the minimum number of
    /// groups committed since.
    pending: BTreeMap<(Virtual, bool), (usize, u32)>,
    /// Registers changed since the last fence, and where.
    changed: BTreeMap<Virtual, usize>,
    /// True if every path to this point has a fence.
    fenced: bool,
}

/// Maximum number of groups that are counted.
const MAX_GROUPS: u32 = 1 << 16;

impl State {
    /// Merges the state of another path. Returns true if the result grew.
    fn join(&mut self, other: &Self) -> bool {
        let mut more = self.fenced && !other.fenced;
        self.fenced &= other.fenced;
        for (key, product) in &other.pending {
            match self.pending.entry(*key) {
                Entry::Occupied(known) if known.get().1 <= product.1 => continue,
                Entry::Occupied(mut known) => {
                    known.insert(*product);
                }
                Entry::Vacant(new) => {
                    new.insert(*product);
                }
            }
            more = true;
        }
        for (register, at) in &other.changed {
            if let Entry::Vacant(new) = self.changed.entry(*register) {
                new.insert(*at);
                more = true;
            }
        }
        more
    }

    /// Advances the state over a draft. `used` are the registers of products, whose changes are tracked.
    fn step(&mut self, at: usize, draft: &Draft, used: &HashSet<Virtual>, found: &mut BTreeSet<Early>) {
        match draft.tensor.as_deref() {
            Some(Tensor { kind: TensorOp::Fence, .. }) => {
                self.changed.clear();
                self.fenced = true;
            }
            Some(Tensor { kind: TensorOp::Commit, .. }) => {
                self.pending.values_mut().for_each(|(_, groups)| *groups = (*groups + 1).min(MAX_GROUPS));
            }
            Some(Tensor { kind: TensorOp::Wait(left), .. }) => {
                self.pending.retain(|_, (_, groups)| *groups <= *left);
            }
            Some(tensor @ Tensor { kind: TensorOp::Group(group), .. }) => {
                let of_a = of_a(tensor, group);
                if !self.fenced {
                    found.insert((at, at, HazardKind::Raw));
                }
                for register in of_a.iter().chain(&tensor.writes) {
                    if let Some(change) = self.changed.get(register) {
                        found.insert((*change, at, HazardKind::Raw));
                    }
                }
                self.reads(at, of_a.iter().copied(), found);
                // A product may accumulate into the registers of an earlier product.
                for register in &tensor.writes {
                    if let Some((product, _)) = self.pending.get(&(*register, false)) {
                        found.insert((*product, at, HazardKind::War));
                    }
                    self.pending.insert((*register, true), (at, 0));
                }
                self.pending.extend(of_a.iter().map(|register| ((*register, false), (at, 0))));
            }
            _ if is_name(draft) => {
                for (from, to) in draft.reads().zip(draft.writes()) {
                    for writes in [true, false] {
                        match self.pending.get(&(from, writes)).copied() {
                            Some(product) => self.pending.insert((to, writes), product),
                            None => self.pending.remove(&(to, writes)),
                        };
                    }
                    match self.changed.get(&from).copied() {
                        Some(change) if used.contains(&to) => self.changed.insert(to, change),
                        _ => self.changed.remove(&to),
                    };
                }
            }
            _ => {
                self.reads(at, draft.reads(), found);
                for register in draft.writes() {
                    for (writes, kind) in [(true, HazardKind::Waw), (false, HazardKind::War)] {
                        if let Some((product, _)) = self.pending.remove(&(register, writes)) {
                            found.insert((product, at, kind));
                        }
                    }
                    if used.contains(&register) {
                        self.changed.insert(register, at);
                    }
                }
            }
        }
    }

    fn reads(&self, at: usize, registers: impl Iterator<Item = Virtual>, found: &mut BTreeSet<Early>) {
        if self.pending.is_empty() {
            return;
        }
        for (product, _) in registers.filter_map(|register| self.pending.get(&(register, true))) {
            found.insert((*product, at, HazardKind::Raw));
        }
    }
}

/// Returns the registers that hold a product's A.
fn of_a<'a>(tensor: &'a Tensor, group: &Group) -> &'a [Virtual] {
    if group.a_registers { &tensor.reads[..4] } else { &[] }
}

/// True if a draft only renames a register.
fn is_name(draft: &Draft) -> bool {
    draft.name == "mov" && draft.guard.is_none() && draft.reads().count() == 1
}

/// Returns the registers that products read or write, and the registers whose values reach them through moves.
fn used(drafts: &[Draft]) -> HashSet<Virtual> {
    let mut names: HashMap<Virtual, Vec<Virtual>> = HashMap::new();
    let mut open = Vec::new();
    for draft in drafts {
        if let Some(tensor @ Tensor { kind: TensorOp::Group(group), .. }) = draft.tensor.as_deref() {
            open.extend(of_a(tensor, group).iter().chain(&tensor.writes));
        } else if is_name(draft) {
            draft.writes().for_each(|to| names.entry(to).or_default().extend(draft.reads()));
        }
    }
    let mut used = HashSet::new();
    while let Some(register) = open.pop() {
        if used.insert(register) {
            open.extend(names.get(&register).into_iter().flatten());
        }
    }
    used
}

/// Returns all early uses in a kernel, in program order.
pub(super) fn early(drafts: &[Draft], blocks: &[Block]) -> Vec<Early> {
    let used = used(drafts);
    if used.is_empty() {
        return Vec::new();
    }
    let mut into: Vec<Option<State>> = vec![None; blocks.len()];
    let mut found = BTreeSet::new();
    into[0] = Some(State::default());
    // Blocks whose state has changed. In program order, most blocks are final before their successors are processed.
    let mut work = BTreeSet::from([0]);
    while let Some(index) = work.pop_first() {
        let (block, Some(mut state)) = (&blocks[index], into[index].clone()) else { continue };
        (block.start..block.end).for_each(|at| state.step(at, &drafts[at], &used, &mut found));
        for next in &block.next {
            let more = match &mut into[*next] {
                Some(known) => known.join(&state),
                unknown => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if more {
                work.insert(*next);
            }
        }
    }
    found.into_iter().collect()
}
