//! What the fuzz targets share: the emulator, built alone, and mutations that keep most of a PTX text whole.

mod mutate;
#[path = "../../src/simt/mod.rs"]
#[allow(dead_code, missing_docs, unreachable_pub)]
pub mod simt;

pub use mutate::{cross, mutate};
