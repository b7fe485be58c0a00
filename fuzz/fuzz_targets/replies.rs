//! Uses arbitrary bytes as the output of a worker.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    matmul_tutor_fuzz::replies(bytes);
});
