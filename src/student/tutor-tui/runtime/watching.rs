//! Reports changes to the files of the course while its author previews it.

use super::Event;
use std::io;
use std::sync::mpsc::Sender;
use tutor_course::{CourseSource, Watch};

/// Starts a thread that watches a course on disk. Does nothing for the built-in course, which cannot change.
pub(super) fn thread(source: &CourseSource, events: Sender<Event>) -> io::Result<()> {
    let Some(root) = source.directory() else { return Ok(()) };
    let mut watch = Watch::new(root);
    std::thread::Builder::new().name("watch".into()).spawn(move || {
        loop {
            std::thread::park_timeout(Watch::PERIOD);
            if watch.changed() && events.send(Event::Changed).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}
