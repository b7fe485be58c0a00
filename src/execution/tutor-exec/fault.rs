//! Errors of launches: what happened, and what the user can do.

use crate::prelude::*;
use ptx_emulator::{Fault, FaultKind, HazardKind};
use tutor_kernels::HazardName;
use tutor_support::words::recognise;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct ExecError {
    /// The kind, for scripts and for the exit code.
    pub kind: ExecErrorKind,
    pub message: Sentence,
    /// What the user can do.
    pub help: Option<Sentence>,
    /// The fault at which the emulator stopped, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// The fault at which the emulator stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub kind: FaultKind,
    /// Source line; 0 if the fault has no source line.
    pub line: u32,
}

impl ExecError {
    /// Makes an error without help.
    pub fn new(kind: ExecErrorKind, message: impl Into<Sentence>) -> Self {
        Self { kind, message: message.into(), help: None, stop: None }
    }

    /// Makes the error of a request that Ctrl-C stopped.
    pub fn interrupted() -> Self {
        Self::new(ExecErrorKind::Interrupted, sentence!("exec-interrupted"))
    }

    /// Adds help to the error.
    #[must_use]
    pub fn help(mut self, help: impl Into<Sentence>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Describes a fault of the emulator.
pub fn explain(fault: &Fault) -> Sentence {
    recognise("exec-says", &fault.message)
}

/// Returns the kind of hazard that a file of a course names.
pub fn hazard_kind(name: HazardName) -> HazardKind {
    match name {
        HazardName::Raw => HazardKind::Raw,
        HazardName::War => HazardKind::War,
        HazardName::Waw => HazardKind::Waw,
    }
}

/// Returns the abbreviation of a kind of hazard, which is the same in every language.
pub fn hazard_letters(kind: HazardKind) -> &'static str {
    match kind {
        HazardKind::Raw => "RAW",
        HazardKind::War => "WAR",
        HazardKind::Waw => "WAW",
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
    /// Not enough memory. The message states how much is needed.
    OutOfMemory,
    /// The kernel made an illegal access or trapped.
    KernelFault,
    /// The kernel did not end in time and was stopped.
    TimedOut,
    Compile,
    /// The worker process died or could not be started.
    Worker,
    Interrupted,
}
