//! The emulator against independent computations: whole kernels, single instructions, measured accesses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "simt/asynch/mod.rs"]
mod asynch;
#[path = "simt/atomics.rs"]
mod atomics;
#[path = "simt/called.rs"]
mod called;
#[path = "simt/calls.rs"]
mod calls;
#[path = "simt/command.rs"]
mod command;
#[path = "simt/conformance/mod.rs"]
mod conformance;
#[path = "simt/directives.rs"]
mod directives;
#[path = "simt/divergence.rs"]
mod divergence;
#[path = "simt/exhaustion.rs"]
mod exhaustion;
#[path = "simt/fused.rs"]
mod fused;
#[path = "simt/hazards.rs"]
mod hazards;
#[path = "simt/instructions.rs"]
mod instructions;
#[path = "simt/kernels.rs"]
mod kernels;
#[path = "simt/limits.rs"]
mod limits;
#[path = "simt/mutation.rs"]
mod mutation;
#[path = "simt/products.rs"]
mod products;
#[path = "simt/racecheck.rs"]
mod racecheck;
#[path = "simt/random/mod.rs"]
mod random;
#[path = "simt/short.rs"]
mod short;
#[path = "simt/statements.rs"]
mod statements;
#[path = "simt/support.rs"]
mod support;
#[path = "simt/tensor.rs"]
mod tensor;
#[path = "simt/tensor_bits.rs"]
mod tensor_bits;
#[path = "simt/tensor_forms.rs"]
mod tensor_forms;
#[path = "simt/tensor_kernels.rs"]
mod tensor_kernels;
#[path = "simt/tensor_values.rs"]
mod tensor_values;
#[path = "simt/text.rs"]
mod text;
#[path = "simt/warpgroup.rs"]
mod warpgroup;
#[path = "simt/wmma.rs"]
mod wmma;
