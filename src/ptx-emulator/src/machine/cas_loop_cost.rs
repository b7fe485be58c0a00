//! Cost of an atomic that a GPU runs as a loop, which depends on the values in memory.

use super::atomic::{compute, operand};
use crate::arch::AtomicKind as A;
use crate::arith::Registers;
use crate::cost::{self, Direction, atomic, global_ideal, shared_wavefronts};
use crate::probes::AddressPattern;
use crate::program::{Access, Inst, StateSpace};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Returns the wavefronts of a loop (sectors, in global memory) and their ideal number, before it runs. `at` is the
/// address of the first active lane's element and `start` its location here. `bytes_left` is the number of bytes from there
/// to the end of the memory.
///
/// # Safety
/// Every lane's element is in memory and aligned. The operands are verified for the file.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "those of an access")]
pub(super) unsafe fn looped<const COMMON: bool>(
    start: *const u8,
    bytes_left: u64,
    at: u64,
    pattern: &AddressPattern,
    access: &Access,
    inst: &Inst,
    file: Registers,
    mask: u32,
) -> (u32, u32) {
    let Some(kind) = access.atomic else { return (0, 0) };
    let far = pattern.relative.map(|relative| at.wrapping_add(relative as u64));
    let near = far.map(|address| address as u32);
    let operands =
        |lane: usize| (operand(access, file, inst.operands.a, lane), operand(access, file, inst.operands.b, lane));
    let now: [u64; 32] = std::array::from_fn(|lane| {
        if mask & (1 << lane) == 0 {
            return 0;
        }
        let from = start.wrapping_offset(pattern.relative[lane] as isize);
        // SAFETY: the caller guarantees the element. The other half of its word is before it, or after it and then
        // checked.
        unsafe {
            match access.size {
                8 => (*from.cast::<AtomicU64>()).load(Relaxed),
                2 => {
                    let half = |p: *const u8| u64::from((*p.cast::<AtomicU16>()).load(Relaxed));
                    match near[lane] & 2 {
                        2 => half(from.sub(2)) | half(from) << 16,
                        _ if i64::from(pattern.relative[lane]) + 4 <= bytes_left as i64 => {
                            half(from) | half(from.add(2)) << 16
                        }
                        _ => half(from),
                    }
                }
                _ => (*from.cast::<AtomicU32>()).load(Relaxed).into(),
            }
        }
    });
    if access.size == 2 {
        let compares = kind == A::CompareSwap;
        let swap = |lane: usize, word: u32| {
            let (a, b) = operands(lane);
            let shift = 8 * (near[lane] & 2);
            let with = |half: u64| word & !(0xffff << shift) | ((half & 0xffff) as u32) << shift;
            match compares {
                true => (with(a), with(b)),
                false => (word, with(compute(kind, (word >> shift & 0xffff).into(), a, b, 2, COMMON))),
            }
        };
        let (words, far_words) = (near.map(|address| address & !3), far.map(|address| address & !3));
        let cost = |swaps: bool, mask: u32| match (COMMON, swaps) {
            (false, false) => shared_wavefronts(Direction::Load, 4, mask, &words),
            (false, true) => atomic::shared(atomic::Served::Swap, 4, mask, &words).0,
            (true, false) => cost::global_sectors(4, mask, &far_words),
            (true, true) => atomic::global_sectors(4, true, mask, &far_words),
        };
        let ideal = if COMMON { 2 * global_ideal(4, mask, &far_words) } else { 3 };
        let now = now.map(|word| word as u32);
        return (atomic::halves(mask, &near, &now, compares, cost, swap), ideal);
    }
    let next = |lane: usize, old: u64| {
        let (a, b) = operands(lane);
        let new = compute(kind, old, a, b, access.size, false);
        let leaves = matches!(kind, A::Min | A::Max | A::MinS64 | A::MaxS64) && new == old;
        (!leaves).then_some(new)
    };
    let (wavefronts, ideal) = atomic::shared_loop(access.size, mask, &near, &now, next);
    // Through a generic address, the GPU first tries a global atomic.
    let generic = access.reach == StateSpace::Generic;
    let tried = if generic { cost::phases(Direction::Store, access.size, mask, &near).count() as u32 } else { 0 };
    (wavefronts + tried, ideal + tried)
}
