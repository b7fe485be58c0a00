//! Follows the warps of a block through a barrier, line by line: `cargo run --example step`.
#![allow(clippy::print_stdout, reason = "it is an example")]

#[path = "common/mod.rs"]
mod common;

use ptx_emulator::{Control, EventKind, Fault, Schedule, Watch, trace};

fn main() -> Result<(), Fault> {
    let (kernel, launch, memory, _) = common::prepared(common::TEXT, "tiled", 16)?;
    // The last warp runs first.
    let schedule = Schedule::Priority(vec![7]);
    let trace = trace(&kernel, &launch, &memory, 0, &schedule, &Watch::default(), &Control::default())?;
    for event in &trace.events {
        let what = match &event.kind {
            EventKind::Shared { access, bytes, address, .. } => {
                format!("{access:?}s {bytes} bytes a lane, lane 0 at {}", address[0])
            }
            EventKind::Line => continue,
            other => format!("{other:?}"),
        };
        println!("warp {}, line {:>2}: {what}", event.warp, event.place.ptx_line);
    }
    Ok(())
}
