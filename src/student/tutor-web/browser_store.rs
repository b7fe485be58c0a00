//! The progress of a page: a store in memory, whose file the browser keeps.
//!
//! The script reads the file, lets [`BrowserStore::carry_out`] change it, and writes it back in one transaction of the browser's
//! database. So two tabs change the same file one after the other. The model learns that a change is saved only after the
//! browser has stored it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_course::Course;
use tutor_progress::{Store, StoreError};
use tutor_support::t;
use tutor_tui::app::{Msg, StoreBlocked};
use tutor_tui::effect::StoreRequest;
use tutor_tui::storing;

/// What the browser did with the file.
pub(crate) enum WriteResult {
    Stored,
    /// The browser refused to store the file, for this reason.
    Refused(String),
}

pub(crate) struct BrowserStore {
    pub(crate) store: Store,
    waiting: VecDeque<(Arc<Course>, StoreRequest)>,
    /// Messages to send once the browser has answered.
    done: Vec<Msg>,
    /// Messages to send once the browser has stored the file.
    unsaved: Vec<Msg>,
}

impl BrowserStore {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, waiting: VecDeque::new(), done: Vec::new(), unsaved: Vec::new() }
    }

    pub(crate) fn ask(&mut self, course: &Arc<Course>, request: StoreRequest) {
        self.waiting.push_back((Arc::clone(course), request));
    }

    /// Carries out what waits. Returns the new file.
    pub(crate) fn carry_out(&mut self) -> Vec<u8> {
        while let Some((course, request)) = self.waiting.front() {
            match storing::carry_out(&mut self.store, course, request) {
                Ok(msgs) => self.done.extend(msgs),
                Err(error) => {
                    self.done.push(Msg::StoreBlocked(StoreBlocked::from(&error)));
                    break;
                }
            }
            self.waiting.pop_front();
        }
        match self.store.image() {
            Ok(image) => image,
            Err(error) => {
                self.done.push(Msg::Say(error.to_string()));
                Vec::new()
            }
        }
    }

    /// Returns the messages for the model after the browser was asked to store the file. If it refused, the quiz goes on in
    /// memory, and the model still counts the changes as not saved.
    pub(crate) fn written(&mut self, result: WriteResult) -> Vec<Msg> {
        let done = std::mem::take(&mut self.done);
        match result {
            WriteResult::Stored => self.unsaved.drain(..).chain(done).collect(),
            WriteResult::Refused(why) => {
                let (saved, mut msgs): (Vec<Msg>, Vec<Msg>) =
                    done.into_iter().partition(|msg| matches!(msg, Msg::Saved));
                self.unsaved.extend(saved);
                let path = PathBuf::from(t!("web-storage"));
                let error = StoreError::Unwritable { path, why: why.into() };
                msgs.push(Msg::StoreBlocked(StoreBlocked::from(&error)));
                msgs
            }
        }
    }
}
