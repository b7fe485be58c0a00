//! Compares the emulator with independent computations: whole kernels, single instructions, measured accesses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod asynch;
mod atomics;
mod called;
mod calls;
mod conformance;
mod cooperative;
mod device;
mod directives;
mod divergence;
mod exhaustion;
mod forms;
mod hazards;
mod idioms;
mod instructions;
mod kernels;
mod limits;
mod memory_model;
mod mutation;
mod observe;
mod older;
mod plain;
mod racecheck;
mod random;
mod short;
mod statements;
mod tensor;
mod tensor_bits;
mod tensor_forms;
mod tensor_values;
mod text;
mod textures;
mod textures_h200;
mod warpgroup;
mod wmma;

use ptx_emulator_tests::{questions, support};
