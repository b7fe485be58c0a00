//! Compares the emulator with independent computations: whole kernels, single instructions, measured accesses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod asynch;
mod atomics;
mod called;
mod conformance;
mod cooperative;
mod divergence;
mod exhaustion;
mod forms;
mod fusion;
mod limits;
mod mutation;
mod observe;
mod plain;
mod racecheck;
mod random;
mod tensor;
mod tensor_bits;
mod tensor_forms;
mod tensor_values;
mod text;
mod warpgroup;
mod wmma;

use ptx_emulator_tests::{questions, support};
