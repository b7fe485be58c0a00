//! The emulator: PTX text → program → run → counts, hazards, results.

pub mod cost;
mod hazard;
mod report;

pub use report::*;
