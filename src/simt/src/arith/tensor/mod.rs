//! The arithmetic of tensor cores: number formats, and products to the bit of the hardware.

pub(crate) mod dot;
mod format;

pub(crate) use format::{Accumulator, Float, Format, ZERO};
