//! Computes instructions on bits, for 32 lanes at once or lane by lane. Nothing here uses programs, memory or warps.

pub(crate) mod approximate;
pub(crate) mod convert;
pub(crate) mod directed;
pub(crate) mod extended_precision;
pub(crate) mod float;
pub(crate) mod fma;
pub(crate) mod half;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod narrow;
pub(crate) mod registers;
pub(crate) mod scalar;
pub(crate) mod soft;
pub(crate) mod tensor;

pub use lanes::is_fast;
pub(crate) use lanes::{Compute, Handler, Operands, Width, Widths, choice, lanes, test};
pub(crate) use registers::{CheckedRow, Registers};
