//! Errors of launches: what happened, and what to do.

use ptx_emulator::{Fault, FaultKind};
use serde::{Deserialize, Serialize};
use tutor_base::t;
use tutor_base::words::{self, ENGLISH};

/// Why something could not be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct ExecError {
    /// For scripts and for the choice of exit code.
    pub kind: ExecErrorKind,
    /// What happened, where.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The fault that the emulator stopped with, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// A fault that the emulator stopped with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// What went wrong.
    pub kind: FaultKind,
    /// Line of the source; 0 if the fault has no place there.
    pub line: u32,
}

impl ExecError {
    /// An error without help.
    pub fn new(kind: ExecErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None, stop: None }
    }

    /// What a request fails with that Ctrl-C stopped.
    pub fn interrupted() -> Self {
        Self::new(ExecErrorKind::Interrupted, t!("exec-interrupted"))
    }

    /// The same error with what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a fault of the emulator says. It says it in English, as compilers do; who reads another language is told in it what
/// kind of fault it is.
pub fn told(fault: &Fault) -> String {
    if words::current().code() == ENGLISH {
        return fault.message.clone();
    }
    let kind = match fault.kind {
        FaultKind::OutOfBounds => t!("exec-fault-is-out-of-bounds"),
        FaultKind::Misaligned => t!("exec-fault-is-misaligned"),
        FaultKind::Uninitialised => t!("exec-fault-is-uninitialised"),
        FaultKind::DivergentBarrier => t!("exec-fault-is-barrier"),
        FaultKind::AbsentLane => t!("exec-fault-is-absent-lane"),
        FaultKind::Mbarrier => t!("exec-fault-is-mbarrier"),
        FaultKind::StepBudget => t!("exec-fault-is-steps"),
        FaultKind::TimeBudget => t!("exec-fault-is-time"),
        FaultKind::HazardBudget => t!("exec-fault-is-hazards"),
        FaultKind::Livelock => t!("exec-fault-is-livelock"),
        FaultKind::Trap => t!("exec-fault-is-trap"),
        FaultKind::Assertion => t!("exec-fault-is-assertion"),
        FaultKind::StackOverflow => t!("exec-fault-is-stack"),
        FaultKind::InvalidFree => t!("exec-fault-is-free"),
        FaultKind::Launch => t!("exec-fault-is-launch"),
        _ => return fault.message.clone(),
    };
    format!("{kind}. {}", fault.message)
}

/// The kinds of [`ExecError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecErrorKind {
    /// No GPU, driver or library.
    NoDevice,
    /// The kernel, shape or arguments are not valid.
    Invalid,
    /// Not enough memory: the message states what is needed.
    OutOfMemory,
    /// The kernel made an illegal access or trapped.
    KernelFault,
    /// The kernel did not end in time and was stopped.
    TimedOut,
    /// NVRTC refused the source.
    Compile,
    /// The worker process died or could not be started.
    Worker,
    /// Whoever asked did not wait for the end: Ctrl-C was pressed.
    Interrupted,
}
