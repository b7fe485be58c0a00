//! The emulator: PTX text → program → run → counts, hazards, results.

pub mod cost;
mod counts;
mod hazards;
mod launch;
mod lower;
mod machine;
mod memory;
mod probe;
mod program;
mod ptx;
mod report;
mod trace;
mod witness;

pub use launch::{Arg, Control, Kernel, Launch, Measure, Module, Options, Run, Schedule, run};
pub use memory::{BufferId, Memory};
pub use program::Param;
pub use report::*;
pub use trace::{Event, Trace, Watch, What, trace};
pub use witness::{Witness, witness};
