//! What a picture requests from the screen that shows it.

use std::sync::atomic::{AtomicU64, Ordering};
use tutor_exec::protocol::{ExecError, LaunchRequest, Program, Shape, WitnessRequest};

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the worker to run a launch. The runtime sets `on` from the student's choice.
    Launch(Box<LaunchRequest>),
    /// Ask the worker to stop the launch with this id.
    CancelLaunch(u64),
    /// Ask the worker to run a kernel with a hazard in two orders of its warps.
    Witness(Box<WitnessRequest>),
}

/// Returns a launch id that is unique in this process.
pub fn launch_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns the message of an error, followed by its help.
pub(crate) fn message(error: &ExecError) -> String {
    format!("{} {}", error.message, error.help.clone().unwrap_or_default())
}

/// Returns a launch of n×n matrices that does not time, verify or count anything.
pub(crate) fn request(programs: Vec<Program>, n: u32, seed: u64) -> LaunchRequest {
    LaunchRequest { seed, ..LaunchRequest::new(launch_id(), programs, Shape::square(n)) }
}
