//! Uses arbitrary bytes as an answer to a question of each kind.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tutor_course::QuizFile;

static QUIZ: LazyLock<QuizFile> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../tests/mastery/all-kinds.yaml")).expect("a quiz of all kinds")
});

fuzz_target!(|bytes: &[u8]| {
    matmul_tutor_fuzz::answers(&String::from_utf8_lossy(bytes), &QUIZ);
});
