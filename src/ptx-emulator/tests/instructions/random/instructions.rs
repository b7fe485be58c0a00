//! The instructions of random programs, with placeholders for registers.
//!
//! `{d}` and `{c}` are two 32-bit registers that may be written; `{a}` and `{b}` are two others that are read. The
//! 64-bit `{w}` is written, `{x}` and `{y}` are read. `{g}`, `{h}` and `{i}` are the same with 16 bits. `{p}` and
//! `{q}` are two predicates. `%t1…` (32 bits), `%u1…` (64), `%k1…` (16) and `%q1…` (predicates) are free.
//!
//! The instructions avoid what NVIDIA's assembler optimises inexactly:
//!
//! - Sums and products have `.rn`, because otherwise it may fuse them.
//! - Integer instructions compute shift amounts, bit-field positions and values stored as one byte. It treats a
//!   register that has only held floats as a float, and converts it there.
//! - It cancels two consecutive negations, although each alone makes a NaN canonical.
//! - It merges a negation into a saturating conversion, although the minimum integer has no negation.
//! - It replaces `max(x, x)` by `x`, even for NaN. So the two operands are different
//!   registers.
//! - It may exchange the factors of a product or the terms of a sum. That changes the result if both are NaN in
//!   double precision, so at most one is.

use crate::statements::rows;
use std::sync::LazyLock;

/// Instructions that any thread may execute at any time.
pub(crate) static ANYWHERE: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("anywhere.txt")));

/// Instructions that all threads of a block must execute together. Warps meet before an aligned barrier. `{m}` is a
/// number below 8, `{n}` an odd one.
pub(crate) static TOGETHER: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("together.txt")));

/// Instructions for half a warp. `%t3` is its mask, `%t4` its first lane.
pub(crate) static HALF: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("half.txt")));
