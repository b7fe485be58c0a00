//! What lanes of a warp tell each other: shuffles, votes, matches, reductions.

use crate::arith::float::{canonical, extreme};
use crate::program::{Inst, NONE, Op};

/// Runs an exchange for the active lanes: those that name the same members exchange among themselves.
///
/// # Safety
/// The instruction was lowered for the file.
pub(crate) unsafe fn exchange(file: *mut u32, inst: &Inst, active: u32) {
    let (members, run): (u32, unsafe fn(*mut u32, &Inst, u32)) = match inst.op {
        Op::Shuffle => ((inst.imm >> 32) as u32, shuffle),
        Op::Vote => (inst.operands.b, vote),
        Op::Match => (inst.operands.b, matches),
        Op::Reduce => (inst.operands.b, reduce),
        Op::Elect => (inst.operands.b, elect),
        _ => return,
    };
    if members == NONE {
        // SAFETY: by contract.
        return unsafe { run(file, inst, active) };
    }
    // SAFETY: by contract; the members are a row of 32 bits.
    let members = unsafe { *file.add(members as usize).cast::<[u32; 32]>() };
    let mut rest = active;
    while rest != 0 {
        let first = members[rest.trailing_zeros() as usize & 31];
        let group = (0..32).filter(|lane| rest >> lane & 1 == 1 && members[*lane as usize] == first);
        let group = group.fold(0u32, |group, lane| group | 1 << lane);
        // SAFETY: by contract.
        unsafe { run(file, inst, group) };
        rest &= !group;
    }
}

/// # Safety
/// As for [`exchange`].
unsafe fn shuffle(file: *mut u32, inst: &Inst, mask: u32) {
    // SAFETY: by contract.
    unsafe {
        let value = *file.add(inst.operands.a as usize).cast::<[u32; 32]>();
        let b = *file.add(inst.operands.b as usize).cast::<[u32; 32]>();
        let c = *file.add(inst.operands.c as usize).cast::<[u32; 32]>();
        let mut inside = 0u32;
        for lane in 0..32u32 {
            if mask & (1 << lane) == 0 {
                continue;
            }
            let source = source(inst, lane, b[lane as usize], c[lane as usize]);
            // Reading from a lane that does not take part is undefined; it keeps its own value here.
            let from = source.filter(|from| mask >> from & 1 == 1).unwrap_or(lane);
            inside |= u32::from(source.is_some()) << lane;
            *file.add(inst.operands.d as usize + lane as usize) = value[from as usize];
        }
        let p = inst.imm as u32;
        if p != NONE {
            let word = file.add(p as usize);
            *word = (*word & !mask) | inside;
        }
    }
}

/// The lane from which a shuffle takes a lane's value; none where it reaches beyond its segment.
fn source(inst: &Inst, lane: u32, by: u32, clamp: u32) -> Option<u32> {
    let (by, segment, clamp) = (by & 31, clamp >> 8 & 31, clamp & 31);
    let most = (lane & segment) | (clamp & !segment & 31);
    let least = lane & segment;
    let (from, fits) = match inst.x {
        0 => (lane.wrapping_sub(by), lane as i32 - by as i32 >= most as i32),
        1 => (lane + by, lane + by <= most),
        2 => (lane ^ by, lane ^ by <= most),
        _ => (least | (by & !segment & 31), (least | (by & !segment & 31)) <= most),
    };
    fits.then_some(from & 31)
}

/// A lane of `mask`, and the one of `absent` from which a shuffle takes its value, if there are such.
///
/// # Safety
/// As for [`exchange`]; the instruction is a shuffle.
pub(crate) unsafe fn absent(file: *const u32, inst: &Inst, mask: u32, absent: u32) -> Option<(u32, u32)> {
    // SAFETY: by contract.
    let (b, c) = unsafe {
        let row = |row: u32| *file.add(row as usize).cast::<[u32; 32]>();
        (row(inst.operands.b), row(inst.operands.c))
    };
    let lanes = (0..32u32).filter(|lane| mask >> lane & 1 == 1);
    let mut sources = lanes.map(|lane| (lane, source(inst, lane, b[lane as usize], c[lane as usize])));
    sources.find_map(|(lane, from)| from.filter(|from| absent >> from & 1 == 1).map(|from| (lane, from)))
}

/// # Safety
/// As for [`exchange`].
unsafe fn vote(file: *mut u32, inst: &Inst, mask: u32) {
    // SAFETY: by contract.
    unsafe {
        let yes = *file.add(inst.operands.a as usize) & mask;
        let result = match inst.x {
            0 => yes == mask,
            1 => yes != 0,
            2 => yes == mask || yes == 0,
            _ => {
                fill(file, inst.operands.d, mask, yes);
                return;
            }
        };
        let word = file.add(inst.operands.d as usize);
        *word = if result { *word | mask } else { *word & !mask };
    }
}

/// Writes one value in the active lanes.
///
/// # Safety
/// `slot` is a row of 32 bits of this file.
pub(crate) unsafe fn fill(file: *mut u32, slot: u32, mask: u32, value: u32) {
    for lane in (0..32).filter(|lane| mask & (1 << lane) != 0) {
        // SAFETY: by contract.
        unsafe { *file.add(slot as usize + lane) = value };
    }
}

/// # Safety
/// As for [`exchange`].
unsafe fn matches(file: *mut u32, inst: &Inst, mask: u32) {
    // SAFETY: by contract.
    unsafe {
        let value: [u64; 32] = std::array::from_fn(|lane| {
            let row = file.add(inst.operands.a as usize);
            if inst.x & 1 == 1 { *row.cast::<u64>().add(lane) } else { u64::from(*row.add(lane)) }
        });
        let active = || (0..32usize).filter(|lane| mask & (1 << lane) != 0);
        let all = active().all(|lane| value[lane] == value[(mask.trailing_zeros() & 31) as usize]);
        for lane in active() {
            let equal = active().filter(|other| value[*other] == value[lane]).fold(0u32, |m, l| m | 1 << l);
            let result = if inst.x & 2 == 0 {
                equal
            } else if all {
                mask
            } else {
                0
            };
            *file.add(inst.operands.d as usize + lane) = result;
        }
        let p = inst.imm as u32;
        if p != NONE {
            let word = file.add(p as usize);
            *word = if all { *word | mask } else { *word & !mask };
        }
    }
}

/// The lowest lane leads, as on an H200.
///
/// # Safety
/// As for [`exchange`].
unsafe fn elect(file: *mut u32, inst: &Inst, mask: u32) {
    let leader = mask.trailing_zeros() & 31;
    // SAFETY: by contract; the predicate is a word of this file.
    unsafe {
        if inst.operands.d != NONE {
            fill(file, inst.operands.d, mask, leader);
        }
        let word = file.add(inst.imm as usize);
        *word = (*word & !mask) | 1 << leader;
    }
}

/// # Safety
/// As for [`exchange`].
unsafe fn reduce(file: *mut u32, inst: &Inst, mask: u32) {
    // SAFETY: by contract.
    unsafe {
        let value = *file.add(inst.operands.a as usize).cast::<[u32; 32]>();
        let all = (0..32usize).filter(|lane| mask & (1 << lane) != 0).map(|lane| value[lane]);
        if inst.x & 8 != 0 {
            // Single precision: in the other bits what `extreme` takes, but for the absolute value.
            let abs = inst.x & 4 != 0;
            let all = all.map(|bits| u64::from(if abs { bits & 0x7fff_ffff } else { bits }));
            let result = all.reduce(|a, b| extreme(a, b, 0, (inst.x & 3).into())).unwrap_or(0);
            fill(file, inst.operands.d, mask, canonical(f32::from_bits(result as u32)));
            return;
        }
        let result = all.reduce(|a, b| match inst.x {
            0 => a.wrapping_add(b),
            1 => a.min(b),
            2 => a.max(b),
            3 => (a as i32).min(b as i32) as u32,
            4 => (a as i32).max(b as i32) as u32,
            5 => a & b,
            6 => a | b,
            _ => a ^ b,
        });
        fill(file, inst.operands.d, mask, result.unwrap_or(0));
    }
}
