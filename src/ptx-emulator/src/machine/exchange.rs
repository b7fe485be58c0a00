//! Exchanges between the lanes of a warp: shuffles, votes, matches and reductions.

use super::lanes::{lanes_of, lanes_where};
use crate::arith::Registers;
use crate::arith::float::{canonical, extreme};
use crate::program::{Inst, NONE, Op};

/// Runs an exchange of the active lanes. Lanes with the same member mask exchange with each other.
pub(crate) fn exchange(file: Registers, inst: &Inst, active: u32) {
    let (members, run): (u32, fn(Registers, &Inst, u32)) = match inst.op {
        Op::Shuffle => ((inst.imm >> 32) as u32, shuffle),
        Op::Vote => (inst.operands.b, vote),
        Op::Match => (inst.operands.b, matches),
        Op::Reduce => (inst.operands.b, reduce),
        Op::Elect => (inst.operands.b, elect),
        _ => return,
    };
    if members == NONE {
        return run(file, inst, active);
    }
    let members = file.lanes(members);
    let mut rest = active;
    while rest != 0 {
        let first = members[rest.trailing_zeros() as usize & 31];
        let group = lanes_where(rest, |lane| members[lane as usize] == first);
        run(file, inst, group);
        rest &= !group;
    }
}

fn shuffle(file: Registers, inst: &Inst, mask: u32) {
    let value = file.lanes(inst.operands.a);
    let b = file.lanes(inst.operands.b);
    let c = file.lanes(inst.operands.c);
    let (mut inside, row) = (0u32, file.row_of(inst.operands.d, false));
    for lane in 0..32u32 {
        if mask & (1 << lane) == 0 {
            continue;
        }
        let source = source(inst, lane, b[lane as usize], c[lane as usize]);
        // Reading from a lane that does not take part is undefined. Here the lane keeps its own value.
        let from = source.filter(|from| mask >> from & 1 == 1).unwrap_or(lane);
        inside |= u32::from(source.is_some()) << lane;
        row.set_lane(lane as usize, value[from as usize].into());
    }
    let p = inst.imm as u32;
    if p != NONE {
        file.set_predicate(p, mask, inside);
    }
}

/// Returns the lane whose value a shuffle reads. `None` if it is outside the lane's segment.
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

/// Returns the lane whose value each lane of `mask` receives from a shuffle: itself, if the source is outside its segment.
pub(crate) fn sources(file: Registers, inst: &Inst, mask: u32) -> [u8; 32] {
    let (b, c) = (file.lanes(inst.operands.b), file.lanes(inst.operands.c));
    std::array::from_fn(|lane| {
        let read = mask >> lane & 1 == 1;
        let from = read.then(|| source(inst, lane as u32, b[lane], c[lane])).flatten();
        from.map_or(lane as u8, |from| from as u8)
    })
}

fn vote(file: Registers, inst: &Inst, mask: u32) {
    let yes = file.predicate(inst.operands.a) & mask;
    let result = match inst.x {
        0 => yes == mask,
        1 => yes != 0,
        2 => yes == mask || yes == 0,
        _ => {
            fill(file, inst.operands.d, mask, yes);
            return;
        }
    };
    file.set_predicate(inst.operands.d, mask, if result { mask } else { 0 });
}

/// Writes one value to the active lanes of a 32-bit row.
pub(crate) fn fill(file: Registers, slot: u32, mask: u32, value: u32) {
    let row = file.row_of(slot, false);
    lanes_of(mask).for_each(|lane| row.set_lane(lane as usize, value.into()));
}

fn matches(file: Registers, inst: &Inst, mask: u32) {
    let value: [u64; 32] = std::array::from_fn(|lane| file.lane(inst.operands.a, inst.x & 1 == 1, lane));
    let equal_to = |lane: usize| lanes_where(mask, |other| value[other as usize] == value[lane]);
    let all = equal_to((mask.trailing_zeros() & 31) as usize) == mask;
    for lane in lanes_of(mask).map(|lane| lane as usize) {
        let equal = equal_to(lane);
        let result = if inst.x & 2 == 0 {
            equal
        } else if all {
            mask
        } else {
            0
        };
        file.set_lane(inst.operands.d, false, lane, result.into());
    }
    let p = inst.imm as u32;
    if p != NONE {
        file.set_predicate(p, mask, if all { mask } else { 0 });
    }
}

/// Elects the lowest lane, as an H200 does.
fn elect(file: Registers, inst: &Inst, mask: u32) {
    let leader = mask.trailing_zeros() & 31;
    if inst.operands.d != NONE {
        fill(file, inst.operands.d, mask, leader);
    }
    file.set_predicate(inst.imm as u32, mask, 1 << leader);
}

fn reduce(file: Registers, inst: &Inst, mask: u32) {
    let value = file.lanes(inst.operands.a);
    let all = lanes_of(mask).map(|lane| value[lane as usize]);
    if inst.x & 8 != 0 {
        // Single precision: the other bits of `x` are the flags of `extreme`, except the bit for the absolute value.
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
