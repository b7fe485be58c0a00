//! Errors of launches: what happened, and what to do.

use crate::t;
use ptx_emulator::FaultKind;
use serde::{Deserialize, Serialize};

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
