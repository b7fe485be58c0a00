/*! What atomics cost, after the counters of an NVIDIA H200.

In shared memory an atomic is served in the phases of a store; in each, the lanes of a bank come one after the other,
those that share a word too: a phase takes as many wavefronts as the busiest bank has *lanes*. Compare-and-swap has two
operands and takes twice as many.

That is what the units beside the banks can do: 32-bit integers, and exchange of any width. All other atomics are a loop that the
assembler makes: the lanes that are not done load their words ([`Direction::Load`]), compute, and swap if the word has not
changed meanwhile. In a swap only the first lane of each bank has its way; a phase of it takes two wavefronts. So 32 lanes that add
floats to one word take 32 rounds. Minimum and maximum of 64 bits leave the loop without a swap where they would change nothing.

Elements of 16 bits are swapped with the words around them: one load, and a round of compare-and-swap by all lanes that are
not done, again until all are. Through a generic address a loop is tried once as an atomic of global memory first, which costs
its phases; the sum of 64-bit integers succeeds so, and is no loop.

In global memory the second-level cache does the work. A request is split into parts, each within one line of 128 bytes (half a
line for compare-and-swap) and without two lanes at one place: as often as the busiest place has lanes, a sector is moved. The
first lane that is left leads; with it go the lanes in its line that are the first at their place, where "place" is told by the
bits within a line and two bits folded from those above, so that now and then a lane of another line is in the way. There
elements of 16 bits are a loop too.
*/

use super::{BANKS, Direction, WARP, phases, shared_wavefronts};
use crate::arch::AtomicKind;

/// Bytes of a line of the first-level cache.
const LINE: u64 = 128;

/// How shared memory does an atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Served {
    /// By a unit of its own.
    Once,
    /// So too, but with two operands.
    Swap,
    /// By a loop of loads and swaps.
    Loop,
}

/// How shared memory does an atomic on `bytes`, through a `generic` address or not.
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

/// Wavefronts and ideal of a shared atomic that is no loop.
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

/// Wavefronts and ideal of a shared atomic that is a loop: those of its loads and of its swaps.
///
/// `now` has what lies at each lane's address. `next` is what a lane would put there, or nothing if it leaves the loop
/// without a swap.
pub(crate) fn shared_loop(
    bytes: u32,
    mask: u32,
    addr: &[u32; WARP],
    now: &[u64; WARP],
    next: impl Fn(usize, u64) -> Option<u64>,
) -> (u32, u32) {
    // The first lane at an address keeps what lies there.
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

/// What a loop on 16-bit elements costs: one load of the words around them, then compare-and-swap with the words as last
/// seen until every lane's has succeeded, or has found that its half is not what it compares with if that is the atomic.
///
/// `now` has the word around each lane's element, `cost` is that of the load or of a swap (true) by some lanes, and `swap`
/// gives what a lane that saw a word compares and puts there.
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

/// Sectors that a global atomic moves; `swap` if it compares.
pub(crate) fn global_sectors(bytes: u32, swap: bool, mask: u32, addr: &[u64; WARP]) -> u32 {
    let line = if swap { LINE / 2 } else { LINE };
    // What is told apart when a part of a request is put together: the place in a line, and two bits of which line.
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

/// Two bits of an address beyond its place in a line; measured up to bit 20.
fn folded(address: u64) -> u64 {
    let bits = |which: &[u32]| which.iter().fold(0, |sum, bit| sum ^ (address >> bit)) & 1;
    bits(&[7, 9, 11, 12, 14, 16, 18, 19, 20]) | bits(&[8, 10, 11, 13, 14, 15, 17, 19]) << 1
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP).filter(move |lane| mask & (1 << lane) != 0)
}
