//! Finds the buffers that a kernel may write, from the registers of its stores' addresses.
//!
//! A register *comes from* a parameter or a module variable if its value was computed from that address. The analysis
//! follows all instructions, in any order. A loaded 64-bit value may be any address. Narrower loaded values count as
//! indices. If a kernel puts an address together from such values, the hazard detector notices the first store itself.

use super::draft::Lowerer;
use crate::program::async_copy::AsyncOp;
use crate::program::{NONE, Op, Preload, StateSpace, Writable};

/// The bit of a value that may be any address.
const ANY: u64 = 1 << 63;
/// Maximum number of parameters and variables that the analysis tells apart.
const MAX_ROOTS: usize = 63;

impl Lowerer<'_> {
    /// Returns what the kernel may write. Without an answer, it is everything.
    pub(super) fn writable(&self) -> Writable {
        let bytes = if self.short { 4 } else { 8 };
        let roots = self.preloads.iter().filter(|((from, _), _)| match from {
            Preload::Param { bytes: of, .. } => *of == bytes,
            Preload::Global(_) => true,
            _ => false,
        });
        let roots: Vec<(Preload, u32)> = roots.map(|((from, _), v)| (*from, *v)).collect();
        if roots.len() > MAX_ROOTS || !self.call_sites.is_empty() || self.through_pointers {
            return Writable::default();
        }
        let mut from = vec![0u64; self.bits.len()];
        for (bit, (_, v)) in roots.iter().enumerate() {
            from[*v as usize] |= 1 << bit;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for draft in &self.drafts {
                let loads = matches!(draft.inst.op, Op::Load | Op::LoadShared | Op::Atomic | Op::Service);
                let read = if loads { ANY } else { draft.reads().fold(0, |all, v| all | from[v as usize]) };
                for v in draft.writes() {
                    let holds_address = self.bits[v as usize] == 64 || self.short;
                    let new = if loads && !holds_address { 0 } else { read };
                    changed |= from[v as usize] | new != from[v as usize];
                    from[v as usize] |= new;
                }
            }
        }
        let of = |v: u32| if v == NONE { ANY } else { from[v as usize] };
        let stored = self.drafts.iter().map(|draft| match (&draft.access, &draft.async_copy) {
            (Some(access), _) if access.writes && matches!(access.reach, StateSpace::Global | StateSpace::Generic) => {
                of(access.base)
            }
            (_, Some(copy)) => match copy.what.kind {
                AsyncOp::BulkStore { .. } => of(copy.what.input(0).slot),
                AsyncOp::TileStore { .. } => ANY,
                _ => 0,
            },
            _ => 0,
        });
        let all = stored.fold(0, |all, one| all | one);
        let written = roots.iter().enumerate().filter(|(bit, _)| all >> bit & 1 == 1).map(|(_, (from, _))| *from);
        Writable { known: all & ANY == 0, roots: written.collect() }
    }
}
