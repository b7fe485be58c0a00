//! Counts a kernel's memory traffic, instruction by instruction: `cargo run --example count`.
#![allow(clippy::print_stdout, reason = "it is an example")]

#[path = "common/mod.rs"]
mod common;

use ptx_emulator::{Control, Fault, Measure, Options, run};

fn main() -> Result<(), Fault> {
    let (kernel, launch, mut memory, _) = common::prepared(common::TEXT, "naive", 256)?;
    let options = Options { measure: Measure::Counts, ..Options::default() };
    let run = run(&kernel, &launch, &mut memory, &options, &Control::default())?;
    for line in run.counts.iter().flat_map(|counts| &counts.lines) {
        let per_request = line.sectors as f64 / line.requests as f64;
        println!(
            "line {:>2}  {:<10} {} requests, {per_request} sectors of 32 bytes each (at best {})",
            line.place.ptx_line,
            line.op,
            line.requests,
            line.sectors_ideal as f64 / line.requests as f64
        );
    }
    Ok(())
}
