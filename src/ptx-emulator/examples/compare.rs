//! Compares the results and costs of two kernels: `cargo run --example compare`
#![allow(clippy::print_stdout, reason = "it is an example")]

#[path = "common/mod.rs"]
mod common;

use ptx_emulator::{Control, Fault, Measure, Options, run};

fn main() -> Result<(), Fault> {
    let options = Options { measure: Measure::Counts, ..Options::default() };
    let mut results = Vec::new();
    println!("{:<8}{:>18}{:>18}{:>14}", "", "global sectors", "wavefronts", "instructions");
    for name in ["naive", "tiled"] {
        let (kernel, launch, mut memory, out) = common::prepared(common::TEXT, name, 256)?;
        let run = run(&kernel, &launch, &mut memory, &options, &Control::default())?;
        let totals = run.counts.unwrap_or_default().totals;
        println!("{name:<8}{:>18}{:>18}{:>14}", totals.sectors, totals.wavefronts, totals.warp_instructions);
        results.push(memory.read_f32(out));
    }
    println!("the same result: {}", results[0] == results[1]);
    Ok(())
}
