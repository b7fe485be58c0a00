//! Finds the race in a kernel that lacks a barrier, and shows what the race does: `cargo run --example race`.
#![allow(clippy::print_stdout, reason = "it is an example")]

#[path = "common/mod.rs"]
mod common;

use ptx_emulator::{Control, Fault, Measure, Options, run, witness};

fn main() -> Result<(), Fault> {
    let text = common::TEXT.replace("bar.sync 0;", "");
    let (kernel, launch, memory, _) = common::prepared(&text, "tiled", 32)?;
    let options = Options { measure: Measure::All, ..Options::default() };
    // A limit on this run and the witnesses' runs together: a million warp instructions.
    let control = Control::default().steps(1_000_000);
    let run = run(&kernel, &launch, &mut memory.clone(), &options, &control)?;
    for hazard in &run.hazards {
        let (first, second) = (&hazard.first, &hazard.second);
        println!(
            "{:?}: thread {:?} in line {} and thread {:?} in line {}, {} times",
            hazard.kind, first.thread, first.place.ptx_line, second.thread, second.place.ptx_line, hazard.occurrences
        );
        match witness(&kernel, &launch, &memory, hazard, &control) {
            Ok(found) => println!(
                "  {}: thread {:?} reads {}, not {}",
                found.way,
                found.thread,
                f32::from_bits(found.wrong as u32),
                f32::from_bits(found.right as u32)
            ),
            Err(why) => println!("  {why}"),
        }
    }
    Ok(())
}
