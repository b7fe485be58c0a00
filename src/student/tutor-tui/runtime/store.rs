/*! Runs the store on its own thread, which handles requests in order and reports the result of each.

Only the start and the end of the tutor wait for this thread, both for a limited time. While another process locks the
file, the thread repeats the oldest request, and the model shows that it is not saved yet.
*/

use super::Event;
use crate::keeping::{carry_out, how_it_went};
use crate::prelude::*;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tutor_course::{Course, CourseSource};
use tutor_progress::Renamed;
use tutor_progress::{AttemptError, Known, Notice, Store, StoreError, data_dir};
use tutor_support::sentence;

/// Longest wait for the store at the start. It is much longer than any time limit inside the store.
const OPENING: Duration = Duration::from_secs(10);

enum Request {
    /// Everything that is stored about a course, for the start.
    Known(String, Renamed),
    Keep(Arc<Course>, Keep),
    Close,
}

/// State shared by the thread and its client.
#[derive(Default)]
struct Shared {
    /// Number of requests that are not carried out yet, and of answers among them.
    waiting: AtomicUsize,
    answers: AtomicUsize,
    /// Reason why the oldest request has to wait.
    why: Mutex<Option<String>>,
}

impl Shared {
    fn set_reason(&self, why: Option<String>) {
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }
}

pub(super) struct StoreLink {
    requests: Sender<Request>,
    opened: Receiver<Result<(Known, Vec<Notice>), StoreError>>,
    closed: Receiver<Result<(), StoreError>>,
    shared: Arc<Shared>,
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
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        std::thread::Builder::new().name("store".into()).spawn(move || {
            let store = match open() {
                Ok(store) => store,
                Err(error) => {
                    let _ = say_opened.send(Err(error));
                    return;
                }
            };
            let closed = serve(store, &inbox, &say_opened, &events, &seen);
            let _ = say_closed.send(closed);
        })?;
        Ok(Self { requests, opened, closed, shared })
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
        let _ = self.requests.send(Request::Known(course.id.clone(), Renamed::of(course, source)));
        self.opened.recv_timeout(OPENING).unwrap_or_else(|_| {
            Err(StoreError::Unwritable { path: data_dir(data)?, why: sentence!("mastery-why-silent") })
        })
    }

    /// Sends a request. The last message in reply is [`Msg::Kept`].
    pub(super) fn keep(&self, course: &Arc<Course>, keep: Keep) {
        self.shared.answers.fetch_add(usize::from(is_answer(&keep)), Ordering::SeqCst);
        self.shared.waiting.fetch_add(1, Ordering::SeqCst);
        // The thread runs until it gets `Request::Close`.
        let _ = self.requests.send(Request::Keep(Arc::clone(course), keep));
    }

    /// Waits until all requests are carried out, but no longer than `limit`.
    pub(super) fn close(&self, limit: Duration) -> Result<(), NotSaved> {
        let _ = self.requests.send(Request::Close);
        match self.closed.recv_timeout(limit) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(NotSaved(format!("{error} {}", error.help()))),
            Err(_) => {
                let waiting = self.shared.waiting.load(Ordering::SeqCst);
                let answers = self.shared.answers.load(Ordering::SeqCst);
                let why = self.shared.why.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let why = why.unwrap_or_else(|| t!("app-store-silent"));
                Err(NotSaved(t!("app-not-saved", answers, others = waiting.saturating_sub(answers), why)))
            }
        }
    }
}

/// Describes what was not saved at the end, and why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotSaved(String);

fn is_answer(keep: &Keep) -> bool {
    matches!(keep, Keep::Change { change, .. } if change.answer.is_some()) || matches!(keep, Keep::Tried { .. })
}

fn serve(
    mut store: Store,
    inbox: &Receiver<Request>,
    opened: &Sender<Result<(Known, Vec<Notice>), StoreError>>,
    events: &Sender<Event>,
    shared: &Shared,
) -> Result<(), StoreError> {
    // The main loop may have ended; the thread still carries out the requests that it sent before.
    let send = |msg| drop(events.send(Event::Msg(msg)));
    store.show_presence();
    for request in inbox {
        match request {
            Request::Known(course, renamed) => {
                let notices = std::iter::from_fn(|| store.take_notice()).collect();
                let known = store.rename(&course, &renamed).and_then(|()| store.known(&course));
                let failed = known.is_err();
                let _ = opened.send(known.map(|known| (known, notices)));
                if failed {
                    return Ok(());
                }
                store.prepare();
            }
            Request::Keep(course, keep) => {
                let answer = is_answer(&keep);
                let mut reported = false;
                let done = loop {
                    match carry_out(&mut store, &course, keep.clone()) {
                        Err(AttemptError::Store(error @ StoreError::Busy { .. })) => {
                            shared.set_reason(Some(error.to_string()));
                            if !reported {
                                send(Msg::Held(error.to_string()));
                                reported = true;
                            }
                        }
                        done => break done,
                    }
                };
                shared.set_reason(None);
                shared.answers.fetch_sub(usize::from(answer), Ordering::SeqCst);
                shared.waiting.fetch_sub(1, Ordering::SeqCst);
                how_it_went(&mut store, &keep, done).into_iter().for_each(send);
            }
            Request::Close => return store.close(),
        }
    }
    store.close()
}
