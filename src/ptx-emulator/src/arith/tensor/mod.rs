//! The arithmetic of tensor cores: number formats, and products with exactly the hardware's bits.

pub(crate) mod dot;
mod format;

pub(crate) use format::{Accumulator, Float, Format, ZERO};
