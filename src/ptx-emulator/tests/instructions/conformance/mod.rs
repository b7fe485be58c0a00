/*! Every instruction form of scalar programs, on edge values, to be compared with a GPU.

[`all`] is the table, with one [`form::Form`] per form. It determines a kernel, its inputs ([`inputs`]) and the
required accuracy. A program writes the table as a package, with the emulator's results. `scripts/gpu-instructions`
runs the package on a GPU, reports every bit that differs, and writes the fixture of the tests.
```text
cargo run --example packages -- instructions FOLDER
scripts/gpu-instructions FOLDER OUT
```
*/

mod compare;
mod convert;
mod float;
pub(crate) mod form;
pub(crate) mod inputs;
mod integer;
#[cfg(test)]
mod newer;
mod programs;
#[cfg(test)]
mod tests;
mod warp;

use form::Form;
pub(crate) use form::HEADER;
use ptx_emulator::{Arg, Control, Device, Fault, Launch, Memory, Module, Options, run};

/// Cases of a form, unless it has exactly one 16-bit operand.
pub(crate) const CASES: usize = 4096;

pub(crate) fn all() -> Vec<Form> {
    let mut all = integer::forms();
    all.append(&mut float::forms());
    all.append(&mut compare::forms());
    all.append(&mut convert::forms());
    all.append(&mut warp::forms());
    all.append(&mut programs::forms());
    all
}

/// The first lines of a text that is too new for [`HEADER`].
const NEWER: &str = ".version 8.8\n.target sm_100\n.address_size 64\n";

/// Returns the emulator's result for each case.
///
/// # Errors
/// The form is refused, or its launch fails.
pub(crate) fn answers(form: &Form, cases: &[[u64; 4]]) -> Result<Vec<u64>, Fault> {
    let text = format!("{HEADER}{}", form.kernel("k"));
    let (module, device) = match Module::parse(&text) {
        Ok(module) => (module, Device::H200),
        Err(_) => (Module::parse(&text.replace(HEADER, NEWER))?, Device::B200),
    };
    let kernel = module.kernel("k")?;
    let mut memory = Memory::new();
    let bytes: Vec<u8> = cases.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let input = memory.add("in", &bytes);
    let output = memory.add("out", &vec![0; 8 * cases.len()]);
    let launch = Launch {
        grid: [cases.len() as u32 / 128, 1, 1],
        block: [128, 1, 1],
        args: vec![Arg::Buffer(input), Arg::Buffer(output)],
        ..Launch::default()
    };
    run(
        &kernel,
        &launch,
        &mut memory,
        &Options { threads: Some(1), device, ..Options::default() },
        &Control::default(),
    )?;
    let words = memory.read(output).chunks_exact(8);
    Ok(words.map(|b| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])).collect())
}
