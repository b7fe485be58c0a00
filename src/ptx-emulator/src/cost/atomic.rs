/*! Cost of atomics, fitted to the counters of an NVIDIA H200.

Shared memory serves an atomic in the phases of a store. In each phase, the lanes of a bank follow each other, even if
they share a word. So a phase takes as many wavefronts as the busiest bank has *lanes*. Compare-and-swap has two
operands and takes twice as many.

The units next to the banks support only 32-bit integers, and exchanges of any width. The assembler expands all other
atomics into a loop. The remaining lanes load their words ([`Direction::Load`]), compute, and swap if the word is
unchanged. In a swap, only the first lane of each bank succeeds, and a phase takes two wavefronts. So 32 lanes that add
floats to one word take 32 rounds. A 64-bit minimum or maximum leaves the loop without a swap if it would change
nothing.

A swap of a 16-bit element replaces the word that contains it. The loop loads once and then repeats a compare-and-swap
of all remaining lanes until none is left. Through a generic address, the loop first tries one global-memory atomic, and
the phases of that attempt count. For the sum of 64-bit integers this succeeds, so it is not a loop.

In global memory, the L2 cache does the work. A request is split into parts. Each part stays within one 128-byte line
(half a line for compare-and-swap) and has at most one lane per place. So it moves a sector as often as the busiest
place has lanes. The first remaining lane leads a part. Other lanes of its line join if they are the first at their
place. The hardware compares places by the bits within a line and two bits folded from the bits above. So it
sometimes treats lanes of two different lines as if they were at the same place. Atomics on 16-bit elements are a loop in global memory, too.
*/

use super::{BANKS, Direction, WARP, phases, shared_wavefronts};
use crate::arch::AtomicKind;

/// Bytes per line of the L1 cache.
const LINE: u64 = 128;

/// How shared memory runs an atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Served {
    /// By a unit of its own.
    Once,
    /// By a unit of its own, with two operands.
    Swap,
    /// By a loop of loads and swaps.
    Loop,
}

/// Returns how shared memory runs an atomic on `bytes` bytes; `generic` says whether the address is generic.
pub(crate) fn served(kind: AtomicKind, bytes: u32, generic: bool) -> Served {
    use AtomicKind as A;
    match kind {
        _ if bytes == 2 => Served::Loop,
        A::CompareSwap => Served::Swap,
        A::Exchange => Served::Once,
        A::Add if generic => Served::Once,
        A::Add | A::MinS32 | A::MaxS32 | A::Min | A::Max | A::And | A::Or | A::Xor | A::Increment | A::Decrement
            if bytes == 4 =>
        {
            Served::Once
        }
        _ => Served::Loop,
    }
}

/// Returns wavefronts and ideal wavefronts of a shared atomic that is not a loop.
pub(crate) fn shared(served: Served, bytes: u32, mask: u32, addr: &[u32; WARP]) -> (u32, u32) {
    let each = if served == Served::Swap { 2 } else { 1 };
    let count = |phase: u32| {
        let mut busy = [0u32; BANKS];
        for lane in lanes(phase) {
            for word in addr[lane] / 4..(addr[lane] + bytes).div_ceil(4) {
                busy[word as usize % BANKS] += 1;
            }
        }
        busy.into_iter().max().unwrap_or(0)
    };
    let all = || phases(Direction::Store, bytes, mask, addr);
    (each * all().map(count).sum::<u32>(), each * all().count() as u32)
}

/// Returns wavefronts and ideal wavefronts of a shared atomic that runs as a loop: those of its loads and swaps.
///
/// `now` contains the values at each lane's address. `next` returns the value that a lane would store, or `None` if it
/// leaves the loop without a swap.
pub(crate) fn shared_loop(
    bytes: u32,
    mask: u32,
    addr: &[u32; WARP],
    now: &[u64; WARP],
    next: impl Fn(usize, u64) -> Option<u64>,
) -> (u32, u32) {
    // The first lane at an address keeps the value there.
    let keeper: [usize; WARP] =
        std::array::from_fn(|lane| lanes(mask).find(|first| addr[*first] == addr[lane]).unwrap_or(lane));
    let mut now = *now;
    let mut rest = mask;
    let (mut wavefronts, mut ideal) = (0, 0);
    while rest != 0 {
        let load = shared_wavefronts(Direction::Load, bytes, rest, addr);
        let loaded: [u64; WARP] = std::array::from_fn(|lane| now[keeper[lane]]);
        let swaps = lanes(rest).filter(|lane| next(*lane, loaded[*lane]).is_some()).fold(0, |mask, l| mask | 1 << l);
        rest = swaps;
        let mut phases_of_swap = 0;
        for phase in phases(Direction::Store, bytes, swaps, addr) {
            phases_of_swap += 1;
            let mut busy = 0u32;
            for lane in lanes(phase) {
                let bank = 1 << (addr[lane] as usize / 4 % BANKS);
                if busy & bank != 0 {
                    continue;
                }
                busy |= bank;
                if let Some(value) = next(lane, loaded[lane])
                    && now[keeper[lane]] == loaded[lane]
                {
                    now[keeper[lane]] = value;
                    rest &= !(1 << lane);
                }
            }
        }
        wavefronts += load + 2 * phases_of_swap;
        if ideal == 0 {
            ideal = super::shared_ideal(Direction::Load, bytes, mask, addr) + 2 * phases_of_swap;
        }
    }
    (wavefronts, ideal)
}

/// Returns the cost of a loop on 16-bit elements: one load of the words around them, then compare-and-swaps with the
/// last value seen. A lane ends when its swap succeeds. A lane of a compare-and-swap also ends if its half of the word
/// differs from the value that it expects.
///
/// `now` contains the word around each lane's element. `cost` returns the cost of a load, or of a swap (true), by some
/// lanes. `swap` returns what a lane that has seen a word compares and stores.
pub(crate) fn halves(
    mask: u32,
    addr: &[u32; WARP],
    now: &[u32; WARP],
    compares: bool,
    cost: impl Fn(bool, u32) -> u32,
    swap: impl Fn(usize, u32) -> (u32, u32),
) -> u32 {
    let keeper: [usize; WARP] =
        std::array::from_fn(|lane| lanes(mask).find(|first| addr[*first] / 4 == addr[lane] / 4).unwrap_or(lane));
    let (mut now, mut seen) = (*now, *now);
    let mut rest = mask;
    let mut sum = cost(false, mask);
    while rest != 0 {
        sum += cost(true, rest);
        for lane in lanes(rest) {
            let there = &mut now[keeper[lane]];
            let (expected, new) = swap(lane, seen[lane]);
            let own = 0xffff << (8 * (addr[lane] & 2));
            if *there == expected {
                *there = new;
            } else if !(compares && (*there ^ expected) & !own == 0) {
                seen[lane] = *there;
                continue;
            }
            rest &= !(1 << lane);
        }
    }
    sum
}

/// Returns the number of sectors that a global atomic moves; `swap` if it compares.
pub(crate) fn global_sectors(bytes: u32, swap: bool, mask: u32, addr: &[u64; WARP]) -> u32 {
    let line = if swap { LINE / 2 } else { LINE };
    // The bits that distinguish lanes in a part of a request: the place in a line, and two bits of the line's address.
    let key = |at: u64| (at % LINE / u64::from(bytes.max(1)), folded(at));
    let mut rest = mask;
    let mut sectors = 0;
    while rest != 0 {
        let leader = addr[(rest.trailing_zeros() & 31) as usize];
        let first = |lane: &usize| !lanes(rest).take_while(|l| l < lane).any(|l| key(addr[l]) == key(addr[*lane]));
        let part = lanes(rest).filter(|lane| addr[*lane] / line == leader / line).filter(first);
        let part = part.fold(0u32, |part, lane| part | 1 << lane);
        sectors += super::global_sectors(bytes, part, addr);
        rest &= !part;
    }
    sectors
}

/// Folds the address bits above the place in a line to two bits; measured up to bit 20.
fn folded(address: u64) -> u64 {
    let bits = |which: &[u32]| which.iter().fold(0, |sum, bit| sum ^ (address >> bit)) & 1;
    bits(&[7, 9, 11, 12, 14, 16, 18, 19, 20]) | bits(&[8, 10, 11, 13, 14, 15, 17, 19]) << 1
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP).filter(move |lane| mask & (1 << lane) != 0)
}
