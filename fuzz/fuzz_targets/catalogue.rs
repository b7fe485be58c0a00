//! Uses arbitrary bytes as a catalogue of kernels.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let directory = std::env::temp_dir().join(format!("matmul-tutor-fuzz-{}", std::process::id()));
    matmul_tutor_fuzz::catalogue(&String::from_utf8_lossy(bytes), &directory).expect("a directory to write to");
});
