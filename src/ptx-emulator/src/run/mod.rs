//! Launches: the parameters, the checks before a run, the distribution of blocks over threads, and the entry points.

mod grid;
mod launch;
mod setup;

use crate::{Control, Fault, Kernel, Memory, Stream};
pub(crate) use grid::{run_all, run_one, run_some};
pub use launch::{Arg, Launch, Measure, Options, Outcome, Run};

/// Runs a kernel, to its end or to a fault.
///
/// If there is a fault, the hazards are those found before it in the blocks up to the faulting one. Their number of
/// occurrences may depend on the number of threads.
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch), before anything runs, if the launch does not fit the kernel.
pub fn attempt(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, Fault> {
    grid::run(&kernel.program, launch, memory, options, control, None)
}

/// Runs a kernel in a stream, as [`attempt`] does. With [`Measure::All`] and [`Options::global_hazards`], it also finds races
/// with earlier launches that have not ended, if the launch is [dependent](Stream::dependent). Buffers must stay the same.
///
/// # Errors
/// As [`attempt`].
pub fn attempt_in(
    stream: &mut Stream,
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
) -> Result<Outcome, Fault> {
    grid::run(&kernel.program, launch, memory, options, control, Some(stream))
}

/// Runs a kernel.
///
/// Results, counts and hazards do not depend on the number of threads, if the kernel's blocks do not race with each
/// other. To ensure this, blocks of a kernel with atomics or other strong accesses to global memory run one after
/// another. If they wait for each other, they run alternately, and at most as many have started as fit on the GPU.
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch), before anything runs, if the launch does not fit the kernel.
/// Otherwise the fault of the lowest block that has one.
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
