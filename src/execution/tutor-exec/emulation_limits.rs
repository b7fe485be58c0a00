//! Limits on emulation: how much work a launch may be.

use crate::prelude::*;
use ptx_emulator::{Control, is_fast};

/// Multiply-adds (m·n·k) that a thread computes in about a second. This is a cautious estimate: the kernels of the
/// ladder reach 2.5 to 20 times as many.
const PRODUCTS_A_THREAD: u64 = 200_000_000;
/// The same for machines on which the emulator is slow (see [`is_fast`]).
const PRODUCTS_A_SLOW_THREAD: u64 = 10_000_000;
/// The same in WebAssembly with SIMD: enough for n = 512, the size that screens launch.
const PRODUCTS_IN_A_PAGE: u64 = 50_000_000;
const SECONDS: u64 = 3;
/// In tiles that lie partly outside of the matrices, the emulator computes at most this many times as many multiply-adds.
const TILES: u64 = 8;
/// Maximum number of warp instructions per 32 multiply-adds. A correct kernel needs far fewer.
const STEPS_A_WARP: u64 = 64;
/// Maximum number of instructions of a warp that multiplies little.
const STEPS_A_WARP_ANYWAY: u64 = 256;
/// Number of warp instructions that any launch may execute, even a small one.
const STEPS_ANYWAY: u64 = 20_000_000;
/// Time limit in seconds for all runs of a program together: many times what one takes on a slow and busy machine.
const SECONDS_A_PROGRAM: u64 = 120;

/// Returns the limits on the emulation of a job with `programs` programs. Each program runs at most twice, completely
/// or a few blocks of it. `most` has the multiply-adds in whole tiles and the warps of the largest ones.
pub(super) fn control<'a>(most: [u64; 2], programs: u64) -> Control<'a> {
    let [products, warps] = most;
    let products = products.min(2 * TILES * whole_limit());
    let steps = 2 * (STEPS_ANYWAY + products / 32 * STEPS_A_WARP + warps * STEPS_A_WARP_ANYWAY);
    Control::default().steps(programs * steps).time(Duration::from_secs(programs * SECONDS_A_PROGRAM))
}

/// Returns the work of a launch in multiply-adds, which [`whole_limit`] limits.
pub(super) fn work(shape: Shape, tiled: Shape) -> u64 {
    shape.products().max(tiled.products() / TILES)
}

/// Returns the largest product (m·n·k) that is computed completely.
pub(super) fn whole_limit() -> u64 {
    let each = match is_fast() {
        true => PRODUCTS_A_THREAD,
        false if cfg!(target_feature = "simd128") => PRODUCTS_IN_A_PAGE,
        false => PRODUCTS_A_SLOW_THREAD,
    };
    each * SECONDS * rayon::current_num_threads() as u64
}

/// Returns the number of warp instructions that one of `blocks` blocks may execute for its part of the product.
pub(super) fn step_budget(tiled: Shape, blocks: u64) -> u64 {
    let share = tiled.products() / blocks.max(1) / 32;
    STEPS_ANYWAY.saturating_add(share.saturating_mul(STEPS_A_WARP))
}
