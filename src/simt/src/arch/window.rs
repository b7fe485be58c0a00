//! Windows of generic addresses: which of them mean shared memory, local memory, or functions.

/// Where shared memory starts in generic addresses.
pub(crate) const SHARED_WINDOW: u64 = 0x0100_0000_0000_0000;
/// Where a thread's local memory starts in generic addresses.
pub(crate) const LOCAL_WINDOW: u64 = 0x0200_0000_0000_0000;
/// Where the addresses lie that stand for functions.
pub(crate) const FUNCTION_WINDOW: u64 = 0x0300_0000_0000_0000;
/// Bytes of each window.
pub(crate) const WINDOW: u64 = 1 << 32;

/// Bits of an address in shared memory that are the offset in its block; those above are the block's rank in its cluster.
pub(crate) const RANK_SHIFT: u32 = 24;
pub(crate) const OFFSET: u64 = (1 << RANK_SHIFT) - 1;

/// Where the windows start in generic addresses of 32 bits, and their bytes.
pub(crate) const SHARED_WINDOW_32: u32 = 0x0100_0000;
pub(crate) const LOCAL_WINDOW_32: u32 = 0x0200_0000;
pub(crate) const WINDOW_32: u32 = 1 << 24;

/// `mapa.shared::cluster`: an address `a` in the shared memory of a block of rank `b`.
pub(crate) fn map_shared(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & OFFSET) | (b & 0xff) << RANK_SHIFT
}

/// `mapa` of a generic address.
pub(crate) fn map_generic(a: u64, b: u64, _: u64, _: u64) -> u64 {
    SHARED_WINDOW + map_shared(a.wrapping_sub(SHARED_WINDOW), b, 0, 0)
}

/// `getctarank`: the block in whose shared memory `a` lies.
pub(crate) fn rank_of(a: u64, _: u64, _: u64, _: u64) -> u64 {
    (a & 0xffff_ffff) >> RANK_SHIFT
}

/// `isspacep` in the block of this rank: 0 global, 1 shared, 2 local, 4 shared of the cluster, else none of them.
pub(crate) fn in_window(address: u64, rank: u64, _: u64, kind: u64) -> u64 {
    let offset = address.wrapping_sub(SHARED_WINDOW);
    let shared = offset < WINDOW;
    let local = address.wrapping_sub(LOCAL_WINDOW) < WINDOW;
    u64::from(match kind {
        0 => !shared && !local,
        1 => shared && rank_of(offset, rank, 0, 0) == rank,
        2 => local,
        4 => shared,
        _ => false,
    })
}

/// `isspacep` of 32 bits: 0 global, 1 shared, 2 local, else none of them.
pub(crate) fn in_window_32(address: u64, _: u64, _: u64, kind: u64) -> u64 {
    let within = |start: u32| (address as u32).wrapping_sub(start) < WINDOW_32;
    u64::from(match kind {
        0 => !within(SHARED_WINDOW_32) && !within(LOCAL_WINDOW_32),
        1 | 4 => within(SHARED_WINDOW_32),
        2 => within(LOCAL_WINDOW_32),
        _ => false,
    })
}
