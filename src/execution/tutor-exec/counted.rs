//! Runs a built-in kernel at a small size on the emulator and counts what it does, for questions whose answer is such a
//! count.

use super::emulator::Emulator;
use super::job::Executor as _;
use super::protocol::{LaunchRequest, Program, Target};
use crate::prelude::*;
use ptx_emulator::{Counts, Hazard, LineCounts};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Counts and hazards of a run.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    pub counts: Counts,
    pub hazards: Vec<Hazard>,
}

/// Runs a kernel of the built-in catalogue on square matrices of side `n`. Counts its costs, looks for races, and stops
/// at the deadline.
///
/// # Errors
/// If there is no such kernel, it cannot run, or it takes too long.
pub fn counted(kernel: &str, n: u32, deadline: Duration) -> Result<Counted, ExecError> {
    let request = LaunchRequest {
        on: Target::Emulator,
        counts: true,
        hazards: true,
        ..LaunchRequest::new(1, vec![Program::new(kernel)], Shape::square(n))
    };
    let found = Mutex::new(None);
    let late = AtomicBool::new(deadline.is_zero());
    let sink = |reply| {
        if let Reply::Counted { counts, hazards, .. } = reply {
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(Counted { counts, hazards });
        }
    };
    let (done, over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let late = &late;
        scope.spawn(move || {
            if over.recv_timeout(deadline) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.store(true, Ordering::SeqCst);
            }
        });
        let ran = Job::new(&request, &Emulator, late, &sink).and_then(|(job, _)| Emulator.run(&job));
        drop(done);
        ran
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.ok_or_else(|| {
        ExecError::new(ExecErrorKind::TimedOut, sentence!("exec-count-late", kernel, seconds = deadline.as_secs()))
    })
}

impl Counted {
    /// Returns the mean cost per request of a kernel's accesses of kind `op`. Counts all lines, or only those that
    /// contain the text `at`. Returns `None` if there are no such requests.
    pub fn per_request(
        counts: &Counts,
        kernel: &Kernel,
        op: &str,
        at: Option<&str>,
        cost: fn(&LineCounts) -> u64,
    ) -> Option<f64> {
        let lines: Option<Vec<u32>> = at.map(|at| {
            kernel.source.lines(None).filter(|(_, line)| line.contains(at)).map(|(number, _)| number).collect()
        });
        let here =
            |line: &&LineCounts| line.op == op && lines.as_ref().is_none_or(|lines| lines.contains(&line.place.line));
        let sums = counts.lines.iter().filter(here).map(|line| (line.requests, cost(line)));
        let (requests, cost) = sums.fold((0u64, 0u64), |(all, sum), (requests, cost)| (all + requests, sum + cost));
        (requests > 0).then(|| cost as f64 / requests as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    #[test]
    fn a_kernel_is_counted_at_once_and_not_beyond_the_deadline() {
        let made = counted("sgemm_no_second_barrier", 64, Duration::from_secs(60)).unwrap();
        let kernel = Catalog::built_in().kernel("sgemm_no_second_barrier").unwrap();
        let per = |op, at| Counted::per_request(&made.counts, kernel, op, at, |line| line.wavefronts);
        assert_eq!(per("ld.shared", Some("sum +=")), Some(1.0));
        assert_eq!(per("ld.shared", Some("no such line")), None);
        assert!(!made.hazards.is_empty());
        assert_eq!(counted("no_such_kernel", 64, Duration::from_secs(60)).unwrap_err().kind, ExecErrorKind::Invalid);
        let late = counted("sgemm_tiled", 512, Duration::ZERO).unwrap_err();
        assert_eq!(late.kind, ExecErrorKind::TimedOut, "{late:?}");
    }
}
