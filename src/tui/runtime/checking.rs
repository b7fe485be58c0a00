//! The check of a course that lies on disk, on a thread: what `matmul-tutor check` says, told while the course is shown.

use super::Event;
use crate::author;
use crate::course::{CourseSource, Files};
use crate::exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Reply, Request};
use crate::exec::worker::{Worker, WorkerConfig};
use crate::kernels::Catalog;
use crate::t;
use crate::tui::app::Msg;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};

/// Checks a course as often as it is read.
#[derive(Debug, Default)]
pub(super) struct Checking {
    /// Counts the checks: one that is not the last is of no interest any more.
    last: Arc<AtomicU64>,
}

impl Checking {
    /// Begins a check; the built-in course has none to tell anybody of.
    pub(super) fn begin(&self, source: &CourseSource, events: &Sender<Event>) {
        if *source == CourseSource::BuiltIn {
            return;
        }
        let (source, events, last) = (source.clone(), events.clone(), Arc::clone(&self.last));
        let number = last.fetch_add(1, Ordering::Relaxed) + 1;
        let is_last = move || last.load(Ordering::Relaxed) == number;
        let thread = std::thread::Builder::new().name("check".into());
        // Without a thread the course is shown all the same, and `check` says what is wrong with it.
        let _ = thread.spawn(move || check(&source, &events, &is_last));
    }
}

/// First what reading tells, then what running tells, too.
fn check(source: &CourseSource, events: &Sender<Event>, is_last: &dyn Fn() -> bool) {
    let (catalog, found) = Catalog::of_course(source.directory());
    let files = Files::read(source, |_| true);
    let tell = |problems: &[crate::course::Problem]| {
        let mut problems = problems.to_vec();
        // Exercises are not judged here: that an allowance fits nothing cannot be told.
        author::allowed(&files, &mut problems);
        is_last() && events.send(Event::Msg(Msg::Checked(problems))).is_ok()
    };
    let mut problems = author::check(&files, &catalog, &found);
    if !tell(&problems) {
        return;
    }
    let mut worker = None;
    let mut launch = |request: &LaunchRequest| {
        if !is_last() {
            return Err(ExecError::interrupted());
        }
        if worker.is_none() {
            worker = Some(Link::start()?);
        }
        worker.as_ref().map_or_else(|| Err(ExecError::interrupted()), |link| link.launch(request))
    };
    let mut runs = author::Runs::new(&mut launch, false);
    problems.extend(author::kernels(&files, &catalog, &mut runs).problems);
    problems.extend(author::claims(&files, &catalog, &mut runs).problems);
    tell(&problems);
}

/// A worker of its own: the student's launches do not wait for the check.
struct Link {
    worker: Worker,
    replies: mpsc::Receiver<Reply>,
}

impl Link {
    fn start() -> Result<Self, ExecError> {
        let (sender, replies) = mpsc::channel();
        // Once the check has ended nobody listens any more.
        let sink = move |reply| drop(sender.send(reply));
        let worker = Worker::spawn(WorkerConfig::here()?, sink).map_err(|error| {
            ExecError::new(ExecErrorKind::Worker, t!("exec-worker-no-thread", why = error.to_string()))
        })?;
        Ok(Self { worker, replies })
    }

    fn launch(&self, request: &LaunchRequest) -> Result<Vec<Reply>, ExecError> {
        self.worker.send(Request::Launch(request.clone()));
        let mut heard = Vec::new();
        for reply in &self.replies {
            match reply {
                Reply::Finished { id, .. } if id == request.id => return Ok(heard),
                Reply::Failed { id, error } if id == request.id => return Err(error),
                other => heard.push(other),
            }
        }
        Err(ExecError::new(ExecErrorKind::Worker, t!("exec-worker-supervisor")))
    }
}
