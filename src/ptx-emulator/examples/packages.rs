//! Writes what `scripts/gpu-instructions` and `scripts/gpu-programs` run on a GPU, and `scripts/instruction-versions` with
//! NVIDIA's assembler: `packages instructions FOLDER`, `packages programs FOLDER`, `packages statements FILE`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "as in the tests, which use the rest"
)]

#[path = "../tests/instructions/conformance/mod.rs"]
mod conformance;
#[path = "../tests/instructions/random/mod.rs"]
mod random;
#[path = "../tests/instructions/statements.rs"]
mod statements;
#[path = "../tests/instructions/support.rs"]
mod support;

use conformance::form::{Agreement, HEADER};
use conformance::{CASES, all, answers, inputs};
use ptx_emulator::{Measure, Module, Options, forms};
use std::collections::HashMap;
use std::fs;
use std::io::{Error, Result};
use std::path::Path;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["instructions", folder] => instructions(Path::new(folder)),
        ["programs", folder] => programs(Path::new(folder)),
        ["statements", file] => statements(Path::new(file)),
        _ => Err(Error::other("packages instructions FOLDER | programs FOLDER | statements FILE")),
    }
}

/// Kernels per PTX file.
const KERNELS: usize = 24;

fn words(values: impl IntoIterator<Item = u64>) -> Vec<u8> {
    values.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Writes the table of forms for a GPU: PTX, inputs, the emulator's results, and a manifest.
fn instructions(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut manifest = Vec::new();
    let mut input_files: HashMap<String, usize> = HashMap::new();
    let forms = all();
    for (group, forms) in forms.chunks(KERNELS).enumerate() {
        let module = format!("m{group:03}.ptx");
        let mut text = HEADER.to_owned();
        for (index, form) in forms.iter().enumerate() {
            let name = format!("f{:04}", group * KERNELS + index);
            text += &form.kernel(&name);
            let count = form.count(CASES);
            let signature = format!("{:?}x{count}", form.inputs);
            let next = input_files.len();
            let input = *input_files.entry(signature).or_insert(next);
            let cases = inputs::cases(&form.inputs, count);
            fs::write(folder.join(format!("i{input:03}.bin")), words(cases.iter().flatten().copied()))?;
            let refused = match answers(form, &cases) {
                Ok(answers) => {
                    fs::write(folder.join(format!("{name}.bin")), words(answers))?;
                    None
                }
                Err(fault) => Some(fault.to_string()),
            };
            manifest.push(serde_json::json!({
                "text": form.name,
                "kernel": name,
                "module": module,
                "input": format!("i{input:03}.bin"),
                "cases": count,
                "operands": form.inputs.iter().map(|kind| format!("{kind:?}")).collect::<Vec<_>>(),
                "output": format!("{:?}", form.output),
                "exact": form.agreement == Agreement::Exact,
                "answered": refused.is_none(),
                "refused": refused,
            }));
        }
        fs::write(folder.join(&module), text)?;
    }
    fs::write(folder.join("manifest.json"), serde_json::to_string_pretty(&manifest)?)
}

/// Writes programs for a GPU, with the emulator's results.
fn programs(folder: &Path) -> Result<()> {
    /// Programs per PTX file, and number of files.
    const TOGETHER: u64 = 32;
    const TEXTS: u64 = 80;
    fs::create_dir_all(folder)?;
    fs::write(folder.join("inputs.bin"), random::inputs())?;
    let mut manifest = Vec::new();
    for index in 0..TEXTS {
        let seeds = index * TOGETHER..(index + 1) * TOGETHER;
        let text = random::text(seeds.clone());
        let name = format!("m{index:03}.ptx");
        fs::write(folder.join(&name), &text)?;
        let module = Module::parse(&text).unwrap();
        for seed in seeds {
            let fused = random::answer(seed, &module, &Options { threads: Some(1), ..Options::default() });
            let all = Options { unfused: true, measure: Measure::All, global_hazards: true, ..Options::default() };
            let plain = random::answer(seed, &module, &all);
            let bytes = match (fused, plain) {
                (Ok((fused, _)), Ok((plain, run))) => {
                    assert!(fused == plain && run.hazards.is_empty(), "program {seed}: {:?}", run.hazards.first());
                    fused
                }
                (Err(fault), _) | (_, Err(fault)) => panic!("program {seed}: {fault}"),
            };
            manifest.push(serde_json::json!({
                "module": name, "kernel": format!("p{seed}"), "seed": seed, "threads": random::writer::threads(seed),
                "blocks": random::BLOCKS, "bytes": random::RESULT, "digest": format!("{:016x}", random::digest(&bytes)),
            }));
        }
    }
    fs::write(folder.join("manifest.json"), serde_json::to_string(&manifest)?)
}

/// Writes a statement for each opcode, with the version and the device of its row, for `scripts/instruction-versions`.
fn statements(file: &Path) -> Result<()> {
    let mut lines = String::new();
    for form in forms() {
        for opcode in form.opcodes(12) {
            if let Some(statement) = statements::statement(&form, &opcode) {
                let version = 10 * form.ptx.0 + form.ptx.1;
                lines.push_str(&format!("{}\t{statement}\t{version}\t{}\n", form.form, form.sm));
            }
        }
    }
    fs::write(file, lines)
}
