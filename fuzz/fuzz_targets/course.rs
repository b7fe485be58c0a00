//! Uses arbitrary bytes as a lesson, a quiz and `course.yaml`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    matmul_tutor_fuzz::course(&String::from_utf8_lossy(bytes));
});
