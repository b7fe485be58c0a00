//! Launches: what to run and how, the checks before, the blocks spread over threads, the entry points.

mod grid;
mod launch;
mod setup;

use crate::{Control, Fault, Kernel, Memory};
pub(crate) use grid::{run_all, run_one, run_some};
pub use launch::{Arg, Launch, Measure, Options, Outcome, Run};

/// Runs a kernel, to its end or to a fault.
///
/// With a fault, hazards are those that blocks up to the faulting one had until then; how often they occurred may depend
/// on the number of threads.
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch) before anything runs if the launch does not fit the kernel.
pub fn attempt(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, Fault> {
    grid::run(&kernel.program, launch, memory, options, control)
}

/// Runs a kernel.
///
/// Results, counts and hazards do not depend on the number of threads, as long as the kernel's blocks do not race
/// with each other. A kernel with atomics or other strong accesses on global memory runs its blocks one after the other for
/// that reason; where they wait for each other, in turns, as many as fit on the GPU at once.
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch) before anything runs if the launch does not fit the kernel; otherwise the fault of the
/// lowest block that had one.
pub fn run(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Run, Fault> {
    let outcome = attempt(kernel, launch, memory, options, control)?;
    outcome.fault.map_or(Ok(outcome.run), Err)
}
