//! The check of a course on disk, on a thread, while the tutor shows the course.

use super::Event;
use crate::app::Msg;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use tutor_course::{CourseSource, Problem};

/// Checks a course: whether the check is still wanted, and what takes the problems found so far and returns whether to go on.
pub type Check = fn(&CourseSource, &dyn Fn() -> bool, &dyn Fn(Vec<Problem>) -> bool);

/// Checks a course each time it is read.
#[derive(Debug)]
pub(super) struct Checking {
    check: Check,
    /// Counts the checks: only the last one is of interest.
    last: Arc<AtomicU64>,
}

impl Checking {
    pub(super) fn new(check: Check) -> Self {
        Self { check, last: Arc::default() }
    }

    /// Begins a check. The built-in course has no author who waits for one.
    pub(super) fn begin(&self, source: &CourseSource, events: &Sender<Event>) {
        if *source == CourseSource::BuiltIn {
            return;
        }
        let (check, source, events, last) = (self.check, source.clone(), events.clone(), Arc::clone(&self.last));
        let number = last.fetch_add(1, Ordering::Relaxed) + 1;
        let is_last = move || last.load(Ordering::Relaxed) == number;
        let report = move |problems| events.send(Event::Msg(Msg::Checked(problems))).is_ok();
        // Without a thread the course is shown all the same, and `check` finds its problems.
        let _ = std::thread::Builder::new().name("check".into()).spawn(move || check(&source, &is_last, &report));
    }
}
