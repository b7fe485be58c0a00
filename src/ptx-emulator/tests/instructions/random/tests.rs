//! Random programs give the bits that a GPU gave.

use super::{answer, digest, text};
use ptx_emulator::{Measure, Module, Options};
use std::collections::HashMap;

/// Returns the seed and digest of each program that a GPU ran.
fn measured() -> HashMap<u64, u64> {
    let path = format!("{}/tests/fixtures/h200-programs.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (digest, seed) = line.split_once(' ').unwrap();
            (seed.parse().unwrap(), u64::from_str_radix(digest, 16).unwrap())
        })
        .collect()
}

#[test]
fn random_programs_give_the_bits_that_a_gpu_gave() {
    let measured = measured();
    assert!(measured.len() >= 300);
    let options = [
        Options { threads: Some(1), ..Options::default() },
        Options { threads: Some(1), unfused: true, measure: Measure::All, global_hazards: true, ..Options::default() },
    ];
    let mut wrong = Vec::new();
    for (&seed, &wanted) in &measured {
        let module = Module::parse(&text(seed..seed + 1)).unwrap_or_else(|fault| panic!("program {seed}: {fault}"));
        let (bytes, run) = answer(seed, &module, &options[(seed % 2) as usize])
            .unwrap_or_else(|fault| panic!("program {seed}: {fault}"));
        let found = digest(&bytes);
        if found != wanted || !run.hazards.is_empty() {
            wrong.push(format!("program {seed}: {found:016x}, the GPU gave {wanted:016x}; {:?}", run.hazards.first()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} programs:\n{}", wrong.len(), measured.len(), wrong.join("\n"));
}
