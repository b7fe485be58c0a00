//! Limits, progress and cancellation of one request.

use super::host::Stopwatch;
use super::report::FaultKind;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Cancellation, progress and the limits of one request.
///
/// Runs, witnesses and traces that get the same control share its steps and its time, one after the other. The default
/// has no limits and is never cancelled.
///
/// Blocks spend steps as if they ran one after another. If blocks do not race, then with any number of threads the
/// steps run out in the same block or never, with the same findings before. The number may change at which instruction
/// that block stops, and what memory contains then. A time limit is never deterministic.
///
/// A clone stands for the same request.
#[derive(Clone)]
pub struct Control<'a> {
    cancel: &'a AtomicBool,
    progress: &'a (dyn Fn(f64) + Sync),
    steps: u64,
    used: Arc<AtomicU64>,
    time: Option<(Stopwatch, Duration)>,
}

impl Default for Control<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self { cancel: &NEVER, progress: &|_| {}, steps: u64::MAX, used: Arc::default(), time: None }
    }
}

impl<'a> Control<'a> {
    /// Stops when the flag is set. The emulator reads the flag every few milliseconds.
    #[must_use]
    pub fn cancel(self, cancel: &'a AtomicBool) -> Self {
        Self { cancel, ..self }
    }

    /// Calls `progress` with the share of the launch's blocks that have ended, from 0 to 1. Calls come from any thread,
    /// at most about 200 times per launch.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// Allows at most `most` warp instructions, of all blocks and runs together. A block counts for at least 32.
    #[must_use]
    pub fn steps(self, most: u64) -> Self {
        Self { steps: most, ..self }
    }

    /// Allows at most this much time from now on.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn time(self, most: Duration) -> Self {
        Self { time: Some((Stopwatch::start(), most)), ..self }
    }

    /// Returns the number of warp instructions executed so far.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Returns the limit that has been reached, if any.
    pub fn reached(&self) -> Option<Limit> {
        self.stopped().or_else(|| (self.left() == 0).then(|| self.budget()))
    }

    /// Returns the number of warp instructions that may still run.
    pub(crate) fn left(&self) -> u64 {
        self.steps.saturating_sub(self.used())
    }

    /// Subtracts warp instructions from what is left.
    pub(crate) fn charge(&self, steps: u64) {
        if self.steps != u64::MAX {
            self.used.store(self.used().saturating_add(steps).min(self.steps), Ordering::Relaxed);
        }
    }

    pub(crate) fn budget(&self) -> Limit {
        Limit::Steps(self.steps)
    }

    /// Returns the reason to stop, if the request was cancelled or its time is over.
    pub(crate) fn stopped(&self) -> Option<Limit> {
        if self.cancelled() {
            return Some(Limit::Cancelled);
        }
        let (began, most) = self.time?;
        (began.elapsed() >= most).then(|| Limit::Milliseconds(most.as_millis().try_into().unwrap_or(u64::MAX)))
    }

    /// True if the caller has cancelled the request.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    pub(crate) fn report_progress(&self, share: f64) {
        (self.progress)(share);
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, used, time, .. } = self;
        f.debug_struct("Control").field("steps", steps).field("used", used).field("time", time).finish_non_exhaustive()
    }
}

/// Limit that ended a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Limit {
    /// The allowed number of warp instructions.
    Steps(u64),
    /// The allowed time.
    Milliseconds(u64),
    /// The caller cancelled the request.
    Cancelled,
}

impl Limit {
    /// Returns the kind of the fault with which the run ends.
    pub fn fault(self) -> FaultKind {
        match self {
            Self::Steps(_) => FaultKind::StepBudget,
            Self::Milliseconds(_) => FaultKind::TimeBudget,
            Self::Cancelled => FaultKind::Cancelled,
        }
    }
}

/// Writes a clause: "the budget of 1000 warp instructions was used up".
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => write!(f, "the budget of {steps} warp instructions was used up"),
            Self::Milliseconds(ms) => write!(f, "the time of {} s was over", *ms as f64 / 1000.0),
            Self::Cancelled => f.write_str("it was cancelled"),
        }
    }
}
