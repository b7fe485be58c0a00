//! The emulator against independent computations: whole kernels, single instructions, measured accesses.

#[path = "simt/hazards.rs"]
mod hazards;
#[path = "simt/instructions.rs"]
mod instructions;
#[path = "simt/products.rs"]
mod products;
#[path = "simt/support.rs"]
mod support;
