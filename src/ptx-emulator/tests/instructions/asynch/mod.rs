//! Asynchronous copies, `mbarrier` objects, tensor maps, clusters.

mod compiled;
mod h200;
mod maps;
mod tiles;
mod traces;

use ptx_emulator::{Kernel, Module};

pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Loads a kernel from a PTX file next to these tests.
pub(crate) fn fixture(file: &str, name: &str) -> Kernel {
    let path = format!("{}/tests/instructions/asynch/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Module::parse(&text).and_then(|module| module.kernel(name)).unwrap_or_else(|fault| panic!("{file}: {fault}"))
}
