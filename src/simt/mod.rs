//! The emulator: PTX text → program → run → counts, hazards, results.

pub mod cost;
mod report;

pub use report::*;
