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
mod limits;
mod mutation;
mod observe;
mod plain;
mod questions;
mod racecheck;
mod random;
mod statements;
mod support;
mod tensor;
mod tensor_forms;
mod text;
mod warpgroup;
mod wmma;
