//! Atomic operations.

use crate::arch::AtomicKind as A;
use crate::arith::Registers;
use crate::arith::float::{canonical, choose_nan64, flush};
use crate::arith::half;
use crate::arith::half::{Flags, Operation};
use crate::probes::AddressPattern;
use crate::program::{Access, Inst, NONE};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Computes the new value. `common` means global memory, which has atomic units of its own: single-precision sums flush
/// subnormal numbers, and double-precision sums leave NaN unchanged.
pub(super) fn compute(kind: A, old: u64, a: u64, b: u64, size: u32, common: bool) -> u64 {
    let f32s = |x: u64| f32::from_bits(x as u32);
    let halves = |operation, bfloat| {
        let how = Flags { bfloat, packed: size == 4, ..Flags::default() };
        half::arithmetic(old, a, 0, half::variant(operation, how))
    };
    let value = match kind {
        A::Exchange => a,
        A::CompareSwap => {
            if old == a {
                b
            } else {
                old
            }
        }
        A::Add => old.wrapping_add(a),
        A::AddF32 if common => {
            let (x, y) = (flush(old as u32), flush(a as u32));
            flush(canonical(f32::from_bits(x) + f32::from_bits(y))).into()
        }
        A::AddF32 | A::AddF32NoFtz => u64::from(canonical(f32s(old) + f32s(a))),
        A::AddF64 if common && f64::from_bits(a).is_nan() => a,
        A::AddF64 if common && f64::from_bits(old).is_nan() => old,
        A::AddF64 => choose_nan64(f64::from_bits(old) + f64::from_bits(a), a, old, 0),
        A::AddF16 => halves(Operation::Add, false),
        A::AddBf16 => halves(Operation::Add, true),
        A::MinF16 => halves(Operation::Min, false),
        A::MaxF16 => halves(Operation::Max, false),
        A::MinBf16 => halves(Operation::Min, true),
        A::MaxBf16 => halves(Operation::Max, true),
        A::MinS32 => (old as i32).min(a as i32) as u32 as u64,
        A::MaxS32 => (old as i32).max(a as i32) as u32 as u64,
        A::MinS64 => (old as i64).min(a as i64) as u64,
        A::MaxS64 => (old as i64).max(a as i64) as u64,
        A::Min => old.min(a),
        A::Max => old.max(a),
        A::And => old & a,
        A::Or => old | a,
        A::Xor => old ^ a,
        A::Increment => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        A::Decrement => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
    };
    value & (u64::MAX >> (64 - 8 * size))
}

/// Changes an element of memory and returns the old value.
///
/// # Safety
/// The element is in memory and aligned.
#[inline(always)]
pub(crate) unsafe fn update<const COMMON: bool>(at: *mut u8, size: u32, kind: A, a: u64, b: u64) -> u64 {
    let next = |old: u64| compute(kind, old, a, b, size, COMMON);
    // SAFETY: the caller guarantees that the element exists and is aligned.
    unsafe {
        match (size, COMMON) {
            (8, true) => match (*at.cast::<AtomicU64>()).fetch_update(Relaxed, Relaxed, |old| Some(next(old))) {
                Ok(old) | Err(old) => old,
            },
            (8, false) => {
                let old = at.cast::<u64>().read();
                at.cast::<u64>().write(next(old));
                old
            }
            (2, true) => {
                let update = |old: u16| Some(next(u64::from(old)) as u16);
                match (*at.cast::<AtomicU16>()).fetch_update(Relaxed, Relaxed, update) {
                    Ok(old) | Err(old) => u64::from(old),
                }
            }
            (2, false) => {
                let old = at.cast::<u16>().read();
                at.cast::<u16>().write(next(u64::from(old)) as u16);
                u64::from(old)
            }
            (_, true) => {
                let update = |old: u32| Some(next(u64::from(old)) as u32);
                match (*at.cast::<AtomicU32>()).fetch_update(Relaxed, Relaxed, update) {
                    Ok(old) | Err(old) => u64::from(old),
                }
            }
            (_, false) => {
                let old = at.cast::<u32>().read();
                at.cast::<u32>().write(next(u64::from(old)) as u32);
                u64::from(old)
            }
        }
    }
}

/// Returns a lane's value of an atomic's operand.
#[inline(always)]
pub(super) fn operand(access: &Access, file: Registers, slot: u32, lane: usize) -> u64 {
    if slot == NONE { 0 } else { file.lane(slot, access.wide, lane) }
}

/// Runs an atomic of the active lanes, lowest lane first.
///
/// # Safety
/// Every lane's element is in memory and aligned. The operands are verified for the file.
pub(crate) unsafe fn apply<const COMMON: bool>(
    start: *mut u8,
    pattern: &AddressPattern,
    access: &Access,
    inst: &Inst,
    file: Registers,
    mask: u32,
) {
    let Some(kind) = access.atomic else { return };
    if access.bytes() == 16 && access.size == 8 {
        // SAFETY: the caller guarantees the contract.
        return unsafe { apply_wide(kind, start, pattern, access, inst, file, mask) };
    }
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        // SAFETY: the caller guarantees the contract.
        unsafe {
            let (a, b) = (operand(access, file, inst.operands.a, lane), operand(access, file, inst.operands.b, lane));
            let at = start.offset(pattern.relative[lane] as isize);
            let old = update::<COMMON>(at, access.size, kind, a, b);
            if inst.operands.d != NONE {
                file.set_lane(inst.operands.d, access.wide, lane, old);
            }
        }
    }
}

/// Runs a 128-bit atomic: an exchange with `a` and `b`. A compare-and-swap stores the access's last two rows if the
/// cell equals `a` and `b`. Blocks of a kernel that has global atomics run one after another, so no access comes
/// between the two halves.
///
/// # Safety
/// As for [`apply`].
unsafe fn apply_wide(
    kind: A,
    start: *mut u8,
    pattern: &AddressPattern,
    access: &Access,
    inst: &Inst,
    file: Registers,
    mask: u32,
) {
    let [d_low, d_high, new_low, new_high] = access.rows;
    for lane in (0..32usize).filter(|lane| mask & (1 << lane) != 0) {
        // SAFETY: the caller guarantees the contract. The operands are 64-bit rows.
        unsafe {
            let pair = |low: u32, high: u32| [low, high].map(|slot| file.lane(slot, true, lane));
            let at = start.offset(pattern.relative[lane] as isize).cast::<[AtomicU64; 2]>();
            let old = [(*at)[0].load(Relaxed), (*at)[1].load(Relaxed)];
            let operand = pair(inst.operands.a, inst.operands.b);
            let new = match kind {
                A::CompareSwap if old == operand => pair(new_low, new_high),
                A::CompareSwap => old,
                _ => operand,
            };
            (*at)[0].store(new[0], Relaxed);
            (*at)[1].store(new[1], Relaxed);
            file.set_lane(d_low, true, lane, old[0]);
            file.set_lane(d_high, true, lane, old[1]);
        }
    }
}
