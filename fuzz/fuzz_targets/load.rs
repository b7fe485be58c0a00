//! Any bytes, read as a PTX text and loaded: a fault or kernels, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use matmul_tutor::simt::Module;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(module) = Module::parse(&text) {
        for name in module.kernels() {
            let _ = module.kernel(name);
        }
    }
    // Most bytes are no PTX text at all: as the body of a kernel they come further.
    let _ = Module::parse(&format!(".version 8.0 .target sm_90a .address_size 64 .entry k() {{ {text} }}"));
});
