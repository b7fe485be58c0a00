//! The emulator against independent computations: whole kernels, single instructions, measured accesses.
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
mod hazards;
mod idioms;
mod instructions;
mod kernels;
mod limits;
mod mutation;
mod observe;
mod older;
mod plain;
mod questions;
mod racecheck;
mod random;
mod short;
mod statements;
mod support;
mod tensor;
mod tensor_bits;
mod tensor_forms;
mod tensor_values;
mod text;
mod textures;
mod textures_h200;
mod warpgroup;
mod wmma;
