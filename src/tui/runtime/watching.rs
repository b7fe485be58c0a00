//! Tells when a file of the course has changed, while its author looks at it.

use super::Event;
use std::io;
use std::sync::mpsc::Sender;
use tutor_course::{CourseSource, Watch};

/// Looks at a course on disk until nobody listens; the built-in one does not change.
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
