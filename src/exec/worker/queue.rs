//! A child that waits for its machine in a batch system's queue, and one whose job is lost.

use super::slurm::Slurm;
use crate::protocol::{ExecError, ExecErrorKind, Queued};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use tutor_base::sentence;

/// How often Slurm is asked: at first, when a free machine is given within seconds, and then. Its controller serves many.
const SOON: Duration = Duration::from_millis(700);
const LATER: Duration = Duration::from_secs(5);
/// So often it is asked soon.
const AT_FIRST: usize = 6;

/// A child's place in the queue, looked at on a thread of its own until it is dropped.
#[derive(Debug)]
pub(super) struct Queue {
    status: Queued,
    _watched: Sender<()>,
}

impl Queue {
    /// Watches a job; none if there is no thread for it. `tell` gets what is seen, nothing where the batch system does not say,
    /// and says whether it wants more.
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

    /// Remembers what the batch system said last.
    pub(super) fn update(&mut self, queued: Option<Queued>) {
        self.status = queued.unwrap_or_else(|| std::mem::take(&mut self.status));
    }

    /// What it said last; empty if it never did.
    pub(super) fn last_status(&self) -> Queued {
        self.status.clone()
    }

    /// Whether the job has its machine, or has come to its end.
    pub(super) fn is_over(&self) -> bool {
        !matches!(
            self.status.state.as_str(),
            "" | "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_HOLD" | "RESV_DEL_HOLD"
        )
    }
}

/// What became of a job that took its worker with it; none if the job is not to blame.
pub(super) fn job_lost(job: &Queued) -> Option<ExecError> {
    let Queued { job, state, .. } = job;
    // What a worker's own end makes of its job says nothing of it.
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
        assert_eq!(said("NODE_FAIL").as_deref(), Some("The Slurm job 12 was lost: its node failed (NODE_FAIL)."));
        assert_eq!(said("SUSPENDED").as_deref(), Some("The Slurm job 12 was lost: it does not run (SUSPENDED)."));
    }
}
