//! Writes what `scripts/gpu-instructions` and `scripts/gpu-programs` run on a GPU, and `scripts/instruction-versions` with
//! NVIDIA's assembler: `packages instructions FOLDER`, `packages programs FOLDER`, `packages statements FILE`.

use ptx_emulator_tests::{conformance, random, statements};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["instructions", folder] => conformance::package::write(Path::new(folder)),
        ["programs", folder] => random::write(Path::new(folder)),
        ["statements", file] => statements::write(Path::new(file)),
        _ => Err(std::io::Error::other("packages instructions FOLDER | programs FOLDER | statements FILE")),
    }
}
