//! What a picture asks of those who show it.

use std::sync::atomic::{AtomicU64, Ordering};
use tutor_exec::protocol::{ExecError, LaunchRequest, Program, Shape, Target, WitnessRequest};

/// A wish of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the worker to run; `on` is set by the runtime from the student's choice.
    Launch(Box<LaunchRequest>),
    /// Ask the worker to stop the launch with this id.
    CancelLaunch(u64),
    /// Ask the worker for a hazard in two orders of warps.
    Witness(Box<WitnessRequest>),
    /// Show an exercise, by its id.
    Exercise(String),
}

/// A launch id that no other launch of this process has.
pub fn launch_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns the message of an error, followed by its help.
pub(crate) fn message(error: &ExecError) -> String {
    format!("{} {}", error.message, error.help.as_deref().unwrap_or_default())
}

/// A launch of square matrices in which nothing is timed, compared or counted yet.
pub(crate) fn request(programs: Vec<Program>, n: u32, seed: u64) -> LaunchRequest {
    LaunchRequest {
        id: launch_id(),
        programs,
        shape: Shape::square(n),
        alpha: 1.0,
        beta: 0.0,
        on: Target::Auto,
        seed,
        time: false,
        seconds: 0.0,
        cublas: false,
        verify: false,
        counts: false,
        hazards: false,
    }
}
