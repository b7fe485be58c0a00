//! Finds load groups: loads of adjacent words from global memory.

use crate::program::fused::{LOAD_GROUP_BYTES, LoadGroup};
use crate::program::{Access, Inst, Op, Program, StateSpace};

/// Minimum number of loads in a load group, and maximum distance of a load from the first one, in instructions.
const MIN_LOADS: usize = 3;
const MAX_DISTANCE: usize = 64;

/// Returns the access of an instruction that loads one 32-bit element from global memory.
pub(super) fn loads_word<'a>(program: &'a Program, inst: &Inst) -> Option<&'a Access> {
    let access = matches!(inst.op, Op::Load).then(|| &program.accesses[inst.x as usize])?;
    let plain = access.reach == StateSpace::Global && access.size == 4 && access.lanes == 1 && !access.wide;
    plain.then_some(access)
}

/// Returns the group that begins with the load at `at`, in a region that ends at `end`.
pub(super) fn find(program: &Program, at: usize, end: usize) -> Option<LoadGroup> {
    let first = loads_word(program, &program.code[at])?;
    let (mut low, mut high) = (first.offset, first.offset);
    let mut loads = vec![at as u32];
    for next in at + 1..end.min(at + MAX_DISTANCE) {
        let inst = &program.code[next];
        if matches!(inst.op, Op::Store) || matches!(inst.op, Op::InvalidatePattern if inst.x == first.pattern) {
            break;
        }
        let Some(access) = loads_word(program, inst) else { continue };
        let (lowest, highest) = (access.offset.min(low), access.offset.max(high));
        let near = highest.checked_sub(lowest).is_some_and(|span| span + 4 <= LOAD_GROUP_BYTES as i64);
        if (access.base, access.pattern) == (first.base, first.pattern)
            && near
            && (access.offset - first.offset) % 4 == 0
        {
            (low, high) = (lowest, highest);
            loads.push(next as u32);
        }
    }
    (loads.len() >= MIN_LOADS).then_some(LoadGroup { loads, start: low })
}
