//! Watches a child that waits in a batch system's queue, and explains a lost job.
//!
//! `squeue` is called on a separate thread. Waiting has no time limit, and the limit on silence applies only after the
//! job has started. An idle child ends after `--hold`. The tutor does not ask a worker in a queue for its devices until
//! a kernel is to run, because the question would occupy a machine.

use super::slurm::Slurm;
use crate::protocol::{ExecError, ExecErrorKind, Queued};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use tutor_support::sentence;

/// Intervals between calls of Slurm: a short one at first, because a free machine is assigned within seconds, then a
/// longer one, because its controller serves many users.
const SOON: Duration = Duration::from_millis(700);
const LATER: Duration = Duration::from_secs(5);
/// Number of calls with the short interval.
const AT_FIRST: usize = 6;

/// The status of a child in the queue. A separate thread updates it until this value is dropped.
#[derive(Debug)]
pub(super) struct Queue {
    status: Queued,
    _watched: Sender<()>,
}

impl Queue {
    /// Watches a job, or returns `None` if no thread can be started. `tell` gets each status, or `None` if the batch
    /// system does not answer. It returns false to stop watching.
    pub(super) fn watch(slurm: Slurm, tell: impl Fn(Option<Queued>) -> bool + Send + 'static) -> Option<Self> {
        let (watched, until) = mpsc::channel::<()>();
        let look = move || {
            for times in 0.. {
                let wait = if times < AT_FIRST { SOON } else { LATER };
                if until.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) || !tell(slurm.look()) {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("worker queue".to_owned()).spawn(look).ok()?;
        Some(Self { status: Queued::default(), _watched: watched })
    }

    /// Stores the last status, unless the batch system did not answer.
    pub(super) fn update(&mut self, queued: Option<Queued>) {
        self.status = queued.unwrap_or_else(|| std::mem::take(&mut self.status));
    }

    /// Returns the last status; empty if there was none.
    pub(super) fn last_status(&self) -> Queued {
        self.status.clone()
    }

    /// True if the job has its machine, or has ended.
    pub(super) fn is_over(&self) -> bool {
        !matches!(
            self.status.state.as_str(),
            "" | "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_HOLD" | "RESV_DEL_HOLD"
        )
    }
}

/// Returns what happened to a job that ended its worker, or `None` if the job is not the cause.
pub(super) fn job_lost(job: &Queued) -> Option<ExecError> {
    let Queued { job, state, .. } = job;
    // If the worker ended by itself, its job has one of these states, which explain nothing.
    if matches!(state.as_str(), "" | "RUNNING" | "COMPLETING" | "COMPLETED" | "FAILED") {
        return None;
    }
    let message = sentence!("exec-slurm-lost", job = job.as_str(), state = state.as_str());
    Some(ExecError::new(ExecErrorKind::Worker, message).help(sentence!("exec-slurm-lost-help")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queued(state: &str) -> Queued {
        Queued { job: "12".into(), state: state.into(), reason: String::new() }
    }

    #[test]
    fn a_job_is_to_blame_only_for_an_end_of_its_own() {
        let said = |state| job_lost(&queued(state)).map(|error| error.message.to_string());
        assert_eq!(said("FAILED"), None);
        assert_eq!(said("COMPLETED"), None);
        assert_eq!(said("TIMEOUT").as_deref(), Some("The Slurm job 12 was lost: its time was over (TIMEOUT)."));
        assert_eq!(said("SUSPENDED").as_deref(), Some("The Slurm job 12 was lost: it does not run (SUSPENDED)."));
    }
}
