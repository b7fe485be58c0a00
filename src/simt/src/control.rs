//! What one request may take, whatever is done for it, and who may stop it.

use super::host::Stopwatch;
use super::report::FaultKind;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Cancellation, progress and the limits of one request: runs, witnesses and traces that are given the same control
/// share its steps and its time, one after the other.
///
/// A control without limits, which nobody cancels, is the default.
///
/// Whether the steps are used up, by which block and what they have found until then does not depend on the number of
/// threads, as long as blocks do not race with each other: blocks count as if they ran one after the other. At which
/// instruction of the block may depend on it, and what stands in the memory then. Time depends on everything.
///
/// A clone is the same request.
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
    /// Stops when the flag is set; it is looked at every few milliseconds.
    #[must_use]
    pub fn cancel(self, cancel: &'a AtomicBool) -> Self {
        Self { cancel, ..self }
    }

    /// Calls a function with the share of a launch's blocks that have ended, 0 to 1, at most about 200 times a launch,
    /// from any thread.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// At most so many warp instructions, of all blocks and runs together; a block counts for 32 at least.
    #[must_use]
    pub fn steps(self, most: u64) -> Self {
        Self { steps: most, ..self }
    }

    /// At most so much time from now on.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn time(self, most: Duration) -> Self {
        Self { time: Some((Stopwatch::start(), most)), ..self }
    }

    /// Warp instructions that were executed.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Why nothing more may be done, if so.
    pub fn reached(&self) -> Option<Limit> {
        self.stopped().or_else(|| (self.left() == 0).then(|| self.budget()))
    }

    /// Warp instructions that may still be executed.
    pub(crate) fn left(&self) -> u64 {
        self.steps.saturating_sub(self.used())
    }

    /// Takes warp instructions off what is left.
    pub(crate) fn charge(&self, steps: u64) {
        if self.steps != u64::MAX {
            self.used.store(self.used().saturating_add(steps).min(self.steps), Ordering::Relaxed);
        }
    }

    pub(crate) fn budget(&self) -> Limit {
        Limit::Steps(self.steps)
    }

    /// Whether somebody has stopped it, or the time is over.
    pub(crate) fn stopped(&self) -> Option<Limit> {
        if self.cancelled() {
            return Some(Limit::Cancelled);
        }
        let (began, most) = self.time?;
        (began.elapsed() >= most).then(|| Limit::Milliseconds(most.as_millis().try_into().unwrap_or(u64::MAX)))
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// So much of a launch is done.
    pub(crate) fn tell(&self, share: f64) {
        (self.progress)(share);
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, used, time, .. } = self;
        f.debug_struct("Control").field("steps", steps).field("used", used).field("time", time).finish_non_exhaustive()
    }
}

/// What has put an end to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Limit {
    /// So many warp instructions were allowed.
    Steps(u64),
    /// So much time was.
    Milliseconds(u64),
    /// Somebody wanted it to stop.
    Cancelled,
}

impl Limit {
    /// The kind of the fault that a run ends with.
    pub fn fault(self) -> FaultKind {
        match self {
            Self::Steps(_) => FaultKind::StepBudget,
            Self::Milliseconds(_) => FaultKind::TimeBudget,
            Self::Cancelled => FaultKind::Cancelled,
        }
    }
}

/// A clause: "the budget of 1000 warp instructions was used up".
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => write!(f, "the budget of {steps} warp instructions was used up"),
            Self::Milliseconds(ms) => write!(f, "the time of {} s was over", *ms as f64 / 1000.0),
            Self::Cancelled => f.write_str("it was cancelled"),
        }
    }
}
