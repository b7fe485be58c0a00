//! The tutor's kernels on the emulator: products to the bit, fused and unfused, and what an NVIDIA H200 gave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod fused;
mod hazards;
mod products;
mod support;
mod tensor_kernels;
