//! A cooperative launch. Each block sums its part, and after a barrier of the whole grid it sums the parts of all
//! blocks. The example then runs the kernel without the barrier and reports what goes wrong.
//!
//! `cargo run --example grid`
#![allow(clippy::print_stdout, reason = "it is an example")]

use ptx_emulator::{Arg, Control, Fault, Launch, Measure, Memory, Module, Options, run};

/// Compiled by NVRTC from `grid.cu`, which is in the folder of the PTX file.
const TEXT: &str = include_str!("../tests/cases/launches/cooperative_sm_90.ptx");

fn main() -> Result<(), Fault> {
    let module = Module::parse(TEXT)?;
    for name in ["grid_sum", "grid_sum_racy"] {
        let mut memory = Memory::new();
        let x = memory.add_f32("x", &[1.0; 4096]);
        let parts = memory.add_f32("parts", &[0.0; 8]);
        let sums = memory.add_f32("sums", &[0.0; 8]);
        let args = vec![Arg::Buffer(x), Arg::Buffer(parts), Arg::Buffer(sums), Arg::S32(4096)];
        let launch = Launch { grid: [8, 1, 1], block: [128, 1, 1], args, cooperative: true, ..Launch::default() };
        let options = Options { measure: Measure::All, global_hazards: true, ..Options::default() };
        let run = run(&module.kernel(name)?, &launch, &mut memory, &options, &Control::default())?;
        println!("{name}: {:?}", memory.read_f32(sums));
        for hazard in &run.hazards {
            let [first, second] = [&hazard.first, &hazard.second].map(|access| (access.place.ptx_line, access.block));
            println!("  {:?} on `parts`: lines and blocks {first:?} and {second:?}", hazard.kind);
        }
    }
    Ok(())
}
