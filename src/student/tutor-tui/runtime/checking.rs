//! Checks a course on disk on a thread, while the tutor shows the course.

use super::Event;
use crate::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use tutor_course::{CourseSource, Problem};

/// Checks a course. The first closure returns false once the check is outdated. The second takes the problems found so far
/// and returns false to stop the check.
pub type Check = fn(&CourseSource, &dyn Fn() -> bool, &dyn Fn(Vec<Problem>) -> bool);

/// Starts a check each time the course is read.
#[derive(Debug)]
pub(super) struct Checking {
    check: Check,
    /// Number of checks so far; only the last one still matters.
    last: Arc<AtomicU64>,
}

impl Checking {
    pub(super) fn new(check: Check) -> Self {
        Self { check, last: Arc::default() }
    }

    /// Starts a check, unless the course is the built-in one, which needs none.
    pub(super) fn begin(&self, source: &CourseSource, events: &Sender<Event>) {
        if *source == CourseSource::BuiltIn {
            return;
        }
        let (check, source, events, last) = (self.check, source.clone(), events.clone(), Arc::clone(&self.last));
        let number = last.fetch_add(1, Ordering::Relaxed) + 1;
        let is_last = move || last.load(Ordering::Relaxed) == number;
        let report = move |problems| events.send(Event::Msg(Msg::Checked(problems))).is_ok();
        // If no thread starts, the student still sees the course, and the author can run `check`.
        let _ = std::thread::Builder::new().name("check".into()).spawn(move || check(&source, &is_last, &report));
    }
}
