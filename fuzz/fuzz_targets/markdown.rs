//! Uses arbitrary bytes as Markdown. The first byte gives the width in cells.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((width, text)) = bytes.split_first() else { return };
    matmul_tutor_fuzz::markdown(&String::from_utf8_lossy(text), u16::from(*width));
});
