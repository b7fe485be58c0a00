//! A request that waits for its last reply, and how long the child may still be silent.

use crate::protocol::Request;
use std::time::{Duration, Instant};

/// A child whose processor time has not grown for this long does not wait for a processor.
const IDLE: Duration = Duration::from_secs(5);
/// The most real time that a child which waits for a processor may be silent, as a multiple of its limit.
const MAX_REAL: u32 = 20;

pub(super) struct Pending {
    pub(super) request: Request,
    pub(super) silence: Duration,
    pub(super) heard: Instant,
    /// What the child computed since then, if the system reports it.
    work: Option<Work>,
    pub(super) cancelled: Option<Instant>,
    /// Time at which progress was last passed on.
    pub(super) progress: Option<Instant>,
    pub(super) replies: usize,
    pub(super) bytes: usize,
}

/// The processor time of a silent child, when it was first and last looked at, and when it had last grown.
#[derive(Clone, Copy)]
struct Work {
    first: Duration,
    last: Duration,
    grew: Instant,
}

impl Pending {
    pub(super) fn new(request: Request, silence: Duration) -> Self {
        let heard = Instant::now();
        Self { request, silence, heard, work: None, cancelled: None, progress: None, replies: 0, bytes: 0 }
    }

    pub(super) fn hear(&mut self) {
        (self.heard, self.work) = (Instant::now(), None);
    }

    pub(super) fn observe(&mut self, processor: Option<Duration>) {
        let Some(last) = processor else { return };
        let work = self.work.get_or_insert(Work { first: last, last, grew: Instant::now() });
        if last > work.last {
            (work.last, work.grew) = (last, Instant::now());
        }
    }

    /// True if the child computes, but has had less processor time than its silence may last: the machine is busy.
    pub(super) fn waits_for_processor(&self) -> bool {
        self.cancelled.is_none()
            && self.heard.elapsed() < self.silence.saturating_mul(MAX_REAL)
            && self.work.is_some_and(|work| work.grew.elapsed() < IDLE && work.last - work.first < self.silence)
    }

    pub(super) fn id(&self) -> u64 {
        match &self.request {
            Request::Describe => 0,
            Request::Launch(launch) => launch.id,
            Request::Witness(witness) => witness.id,
            Request::Judge(judge) => judge.id,
            Request::Compile { id, .. } | Request::Cancel { id } => *id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_computes_on_a_busy_machine_is_not_taken_for_a_silent_one() {
        let seconds = Duration::from_secs;
        let ago = |time| Instant::now().checked_sub(seconds(time)).unwrap();
        let waits = |heard, computed: u64, idle| {
            let work = Work { first: seconds(7), last: seconds(7 + computed), grew: ago(idle) };
            let fresh = Pending::new(Request::Describe, seconds(30));
            Pending { heard: ago(heard), work: Some(work), ..fresh }.waits_for_processor()
        };
        assert!(waits(100, 20, 1));
        assert!(!waits(40, 31, 0), "it has computed for as long as it may be silent");
        assert!(!waits(40, 2, 6), "it does not compute");
        assert!(!waits(601, 20, 0), "not for ever");
        let mut silent = Pending::new(Request::Describe, seconds(30));
        assert!(!silent.waits_for_processor(), "no processor time is known");
        silent.observe(Some(seconds(3)));
        assert!(silent.waits_for_processor());
        silent.hear();
        assert!(silent.work.is_none());
    }
}
