//! Loads arbitrary text. It must give kernels or a fault, never a panic.
#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptx_emulator::{LoadErrorKind, Module};
use ptx_emulator_fuzz::{cross, mutate};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    load(&text);
    // Most inputs are not PTX. As the body of a kernel they pass more stages of the loader.
    load(&format!(".version 8.0 .target sm_90a .address_size 64 .entry k() {{ {text} }}"));
});

fn load(text: &str) {
    let Ok(module) = Module::parse(text) else { return };
    for name in module.kernels() {
        if let Err(fault) = module.kernel(name) {
            // The message must name the place.
            assert!(fault.kind != LoadErrorKind::Internal, "{fault}");
            assert!(fault.line > 0 && fault.column > 0 && !fault.message.is_empty(), "{fault:?}");
        }
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 4 == 0 { fuzzer_mutate(data, size, max_size) } else { mutate(data, size, max_size, seed) }
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| { cross(first, second, out, seed) });
