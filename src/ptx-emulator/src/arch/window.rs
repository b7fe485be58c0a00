//! Windows of generic addresses: the ranges for shared memory, local memory and functions.

/// First generic address of shared memory.
pub(crate) const SHARED_WINDOW: u64 = 0x0100_0000_0000_0000;
/// First generic address of a thread's local memory.
pub(crate) const LOCAL_WINDOW: u64 = 0x0200_0000_0000_0000;
/// First generic address of functions.
pub(crate) const FUNCTION_WINDOW: u64 = 0x0300_0000_0000_0000;
/// Size of each window in bytes.
pub(crate) const WINDOW: u64 = 1 << 32;

/// An address in shared memory holds the offset in its low bits and the block's rank in the cluster above.
pub(crate) const RANK_SHIFT: u32 = 24;
pub(crate) const OFFSET: u64 = (1 << RANK_SHIFT) - 1;

/// First addresses of the windows with 32-bit generic addresses, and the size of each window in bytes.
pub(crate) const SHARED_WINDOW_32: u32 = 0x0100_0000;
pub(crate) const LOCAL_WINDOW_32: u32 = 0x0200_0000;
pub(crate) const WINDOW_32: u32 = 1 << 24;

/// `mapa.shared::cluster`: maps the shared address `a` to the block with rank `b`.
pub(crate) fn map_shared(a: u64, b: u64, _: u64, _: u64) -> u64 {
    (a & OFFSET) | (b & 0xff) << RANK_SHIFT
}

/// `mapa` for a generic address.
pub(crate) fn map_generic(a: u64, b: u64, _: u64, _: u64) -> u64 {
    SHARED_WINDOW + map_shared(a.wrapping_sub(SHARED_WINDOW), b, 0, 0)
}

/// `getctarank`: returns the rank of the block whose shared memory contains `a`.
pub(crate) fn rank_of(a: u64, _: u64, _: u64, _: u64) -> u64 {
    (a & 0xffff_ffff) >> RANK_SHIFT
}

/// `isspacep` in the block with this rank. `kind` is 0 for global, 1 shared, 2 local, 4 shared memory of the cluster.
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

/// `isspacep` with 32-bit addresses. `kind` is 0 for global, 1 or 4 shared, 2 local.
pub(crate) fn in_window_32(address: u64, _: u64, _: u64, kind: u64) -> u64 {
    let within = |start: u32| (address as u32).wrapping_sub(start) < WINDOW_32;
    u64::from(match kind {
        0 => !within(SHARED_WINDOW_32) && !within(LOCAL_WINDOW_32),
        1 | 4 => within(SHARED_WINDOW_32),
        2 => within(LOCAL_WINDOW_32),
        _ => false,
    })
}
