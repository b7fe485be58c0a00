//! Checks a course while a tutor shows it: first by reading its files, then by running its kernels.

use crate::allowed::allowed;
use crate::check::check;
use crate::claims::{Runs, claims};
use crate::kernels::kernels;
use std::sync::mpsc;
use tutor_course::{CourseSource, Files, Problem};
use tutor_exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Reply, Request};
use tutor_exec::results::LaunchResults;
use tutor_exec::worker::{Worker, WorkerConfig};
use tutor_kernels::Catalog;
use tutor_support::t;

/// Checks a course and runs its kernels and claims. Calls `report` twice with all problems found so far. The check ends
/// early if `report` returns false. It starts no further launch after `is_wanted` returns false.
pub fn check_in_background(source: &CourseSource, is_wanted: &dyn Fn() -> bool, report: &dyn Fn(Vec<Problem>) -> bool) {
    let (catalog, found) = Catalog::of_course(source.directory());
    let files = Files::read(source, |_| true);
    let report = |problems: &[Problem]| {
        let mut problems = problems.to_vec();
        // Exercises are not judged here, so an allowance without a match may be for one of their problems.
        allowed(&files, &mut problems);
        is_wanted() && report(problems)
    };
    let mut problems = check(&files, &catalog, &found);
    if !report(&problems) {
        return;
    }
    let mut worker = None;
    let mut launch = |request: &LaunchRequest| {
        if !is_wanted() {
            return Err(ExecError::interrupted());
        }
        if worker.is_none() {
            worker = Some(Link::start()?);
        }
        worker.as_ref().map_or_else(|| Err(ExecError::interrupted()), |link| link.launch(request))
    };
    let mut runs = Runs::new(&mut launch, false);
    problems.extend(kernels(&files, &catalog, &mut runs).problems);
    problems.extend(claims(&files, &catalog, &mut runs).problems);
    report(&problems);
}

/// A separate worker, so that the student's launches do not wait for the check.
struct Link {
    worker: Worker,
    replies: mpsc::Receiver<Reply>,
}

impl Link {
    fn start() -> Result<Self, ExecError> {
        let (sender, replies) = mpsc::channel();
        // After the end of the check, nothing receives the replies any more.
        let sink = move |reply| drop(sender.send(reply));
        let worker = Worker::spawn(WorkerConfig::here()?, sink).map_err(|error| {
            ExecError::new(ExecErrorKind::Worker, t!("exec-worker-no-thread", why = error.to_string()))
        })?;
        Ok(Self { worker, replies })
    }

    fn launch(&self, request: &LaunchRequest) -> Result<LaunchResults, ExecError> {
        let mut results = LaunchResults::of(request);
        self.worker.send(Request::Launch(request.clone()));
        for reply in &self.replies {
            results.apply(&reply);
            if !results.is_running() {
                return results.finished()?.ok_or_else(ExecError::interrupted);
            }
        }
        Err(ExecError::new(ExecErrorKind::Worker, t!("exec-worker-supervisor")))
    }
}
