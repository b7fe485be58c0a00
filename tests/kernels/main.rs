//! The tutor's kernels on the emulator: products to the bit, fused and unfused, and what an NVIDIA H200 gave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod fused;
mod products;
#[path = "../../src/simt/tests/simt/questions.rs"]
#[allow(dead_code, reason = "shared with the emulator's own tests")]
mod questions;
#[path = "../../src/simt/tests/simt/support.rs"]
#[allow(dead_code, reason = "shared with the emulator's own tests")]
mod support;
mod tensor_kernels;
