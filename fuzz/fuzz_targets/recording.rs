//! Uses arbitrary bytes as a recording.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    matmul_tutor_fuzz::recording(&String::from_utf8_lossy(bytes));
});
