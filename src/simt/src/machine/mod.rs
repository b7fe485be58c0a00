//! The machine: warps that execute a program, 32 lanes at once.

mod access;
pub(crate) mod asynch;
mod atomic;
mod barrier;
mod block;
mod budget;
mod call;
mod check;
mod exchange;
mod fault;
mod fused;
mod gather;
mod grid;
mod heap;
mod local;
mod print;
mod resident;
mod retries;
mod service;
mod short;
mod split;
mod state;
mod texture;
mod transfer;
mod twice;
mod warp;
mod window;

pub(crate) mod approximate;
pub(crate) mod carry;
pub(crate) mod convert;
mod cooperative;
pub(crate) mod directed;
pub(crate) mod float;
pub(crate) mod fma;
pub(crate) mod half;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod narrow;
pub(crate) mod scalar;
pub(crate) mod shape;
pub(crate) mod soft;
pub(crate) mod tensor;
pub(crate) mod video;

pub(crate) use grid::{run, run_one, run_some};
pub(crate) use heap::Heap;
pub use lanes::is_fast;
pub(crate) use lanes::{Handler, choice, lanes, test};
pub(crate) use shape::{Group, Shape};
pub(crate) use short::{Addresses32, LOCAL_WINDOW_32, SHARED_WINDOW_32, in_window_32};
pub(crate) use state::Twist;
pub use tensor::{Fragment, Held};

/// Where shared memory starts in generic addresses.
pub(crate) const SHARED_WINDOW: u64 = 0x0100_0000_0000_0000;
/// Where a thread's local memory starts in generic addresses.
pub(crate) const LOCAL_WINDOW: u64 = 0x0200_0000_0000_0000;
/// Where the addresses lie that stand for functions.
pub(crate) const FUNCTION_WINDOW: u64 = 0x0300_0000_0000_0000;
/// Bytes of each window.
pub(crate) const WINDOW: u64 = 1 << 32;

/// `isspacep` in the block of this rank: 0 global, 1 shared, 2 local, 4 shared of the cluster, else none of them.
pub(crate) fn in_window(address: u64, rank: u64, _: u64, kind: u64) -> u64 {
    let offset = address.wrapping_sub(SHARED_WINDOW);
    let shared = offset < WINDOW;
    let local = address.wrapping_sub(LOCAL_WINDOW) < WINDOW;
    u64::from(match kind {
        0 => !shared && !local,
        1 => shared && asynch::rank_of(offset, rank, 0, 0) == rank,
        2 => local,
        4 => shared,
        _ => false,
    })
}
