//! Uses arbitrary bytes as requests to a worker.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    matmul_tutor_fuzz::requests(bytes);
});
