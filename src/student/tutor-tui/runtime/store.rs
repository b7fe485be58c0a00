/*! Runs the store on its own thread, which handles requests in order and reports the result of each.

A request that the store cannot save stays in the queue, with those after it. The thread reports why, and tries again
after a while, with every new request, and when the tutor ends. Only the start and the end of the tutor wait for this
thread, both for a limited time.
*/

use super::Event;
use crate::app::StoreBlocked;
use crate::prelude::*;
use crate::storing::carry_out;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use tutor_course::{Course, CourseSource};
use tutor_progress::Renamed;
use tutor_progress::{Known, Notice, Store, StoreError, data_dir};
use tutor_support::sentence;

/// Longest wait for the store at the start. It is much longer than any time limit inside the store.
const OPENING: Duration = Duration::from_secs(10);
/// Shortest and longest time before a request is tried again.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(8)];

enum Request {
    /// Everything that is stored about a course, for the start.
    Known(String, Renamed),
    Store(Arc<Course>, StoreRequest),
    /// Try again now.
    SaveAgain,
    Close,
}

pub(super) struct StoreLink {
    requests: Sender<Request>,
    opened: Receiver<Result<(Known, Vec<Notice>), StoreError>>,
    closed: Receiver<()>,
}

impl StoreLink {
    /// Starts the thread, which opens the store first.
    pub(super) fn start(
        open: impl FnOnce() -> Result<Store, StoreError> + Send + 'static,
        events: Sender<Event>,
    ) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (say_opened, opened) = mpsc::channel();
        let (say_closed, closed) = mpsc::channel();
        std::thread::Builder::new().name("store".into()).spawn(move || {
            match open() {
                Ok(store) => {
                    StoreThread { store, events, rename: None, pending: VecDeque::new() }.serve(&inbox, &say_opened);
                }
                Err(error) => drop(say_opened.send(Err(error))),
            }
            let _ = say_closed.send(());
        })?;
        Ok(Self { requests, opened, closed })
    }

    /// Waits until the store is open. Returns what it knows about a course, and notices for the student.
    ///
    /// # Errors
    /// If it cannot be opened in time or read.
    pub(super) fn known(
        &self,
        course: &Course,
        source: &CourseSource,
        data: Option<&Path>,
    ) -> Result<(Known, Vec<Notice>), StoreError> {
        self.send(Request::Known(course.id.clone(), Renamed::of(course, source)));
        self.opened.recv_timeout(OPENING).unwrap_or_else(|_| {
            Err(StoreError::Unwritable { path: data_dir(data)?, why: sentence!("mastery-why-silent") })
        })
    }

    /// Sends a request. The last message in reply is [`Msg::Saved`].
    pub(super) fn store(&self, course: &Arc<Course>, request: StoreRequest) {
        self.send(Request::Store(Arc::clone(course), request));
    }

    /// Tries again now to save what could not be saved.
    pub(super) fn save_again(&self) {
        self.send(Request::SaveAgain);
    }

    /// Waits until all requests are carried out or tried once more, but no longer than `limit`.
    pub(super) fn close(&self, limit: Duration) {
        self.send(Request::Close);
        let _ = self.closed.recv_timeout(limit);
    }

    fn send(&self, request: Request) {
        // The thread runs until it gets `Request::Close`.
        let _ = self.requests.send(request);
    }
}

struct StoreThread {
    store: Store,
    events: Sender<Event>,
    /// The course whose old names are not replaced yet, and the names.
    rename: Option<(String, Renamed)>,
    /// What is not saved yet, the oldest first.
    pending: VecDeque<(Arc<Course>, StoreRequest)>,
}

impl StoreThread {
    fn serve(mut self, inbox: &Receiver<Request>, opened: &Sender<Result<(Known, Vec<Notice>), StoreError>>) {
        self.store.show_presence();
        let [shortest, longest] = PAUSES;
        let mut pause = shortest;
        loop {
            let request = if self.pending.is_empty() {
                inbox.recv().map_err(RecvTimeoutError::from)
            } else {
                inbox.recv_timeout(pause)
            };
            match request {
                Ok(Request::Known(course, renamed)) => {
                    let notices = std::iter::from_fn(|| self.store.take_notice()).collect();
                    self.rename = Some((course.clone(), renamed));
                    self.rename();
                    let known = self.store.known(&course);
                    let _ = opened.send(known.map(|known| (known, notices)));
                    self.store.back_up();
                }
                Ok(Request::Store(course, request)) => self.pending.push_back((course, request)),
                Ok(Request::SaveAgain) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Request::Close) | Err(RecvTimeoutError::Disconnected) => {
                    self.save();
                    return;
                }
            }
            pause = if self.save() { shortest } else { longest.min(pause * 2) };
        }
    }

    /// Replaces the course's old names, unless that is done.
    fn rename(&mut self) {
        if let Some((course, renamed)) = &self.rename
            && self.store.rename(course, renamed).is_ok()
        {
            self.rename = None;
        }
    }

    /// Saves what is pending, as far as possible. Returns true if everything is saved.
    fn save(&mut self) -> bool {
        while let Some((course, request)) = self.pending.front() {
            let msgs = match carry_out(&mut self.store, course, request) {
                Ok(msgs) => {
                    self.pending.pop_front();
                    msgs
                }
                Err(error) => vec![Msg::StoreBlocked(StoreBlocked::from(&error))],
            };
            let blocked = matches!(msgs[..], [Msg::StoreBlocked(_)]);
            // The main loop may have ended; the thread still carries out the requests that it sent before.
            msgs.into_iter().for_each(|msg| drop(self.events.send(Event::Msg(msg))));
            if blocked {
                return false;
            }
            self.rename();
        }
        true
    }
}
