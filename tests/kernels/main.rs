//! The tutor's kernels on the emulator: products to the bit, fused and unfused, and what an NVIDIA H200 gave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "../../src/ptx-emulator/tests/instructions/support.rs"]
mod emulator;
mod fused;
mod hazards;
mod products;
#[path = "../../src/ptx-emulator/tests/instructions/questions.rs"]
mod questions;
mod support;
mod tensor_kernels;
