//! The progress of a page: a store in memory, whose file the browser keeps.
//!
//! The script reads the file, lets [`Keeping::carry_out`] change it, and writes it back in one transaction of the browser's
//! database. So two tabs change the same file one after the other. The model gets a change only after the browser has
//! stored it. If the browser refuses, the student reads that first.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_course::Course;
use tutor_progress::{Notice, Store, StoreError};
use tutor_support::t;
use tutor_tui::app::Msg;
use tutor_tui::effect::Keep;
use tutor_tui::keeping::{keep, noticed};

/// What the browser did with the file.
pub(crate) enum Kept {
    Stored,
    /// The browser refused to store the file, for this reason.
    Refused(String),
}

pub(crate) struct Keeping {
    pub(crate) store: Store,
    waiting: VecDeque<(Arc<Course>, Keep)>,
    /// Messages to send once the browser has the file.
    done: Vec<Msg>,
    /// True while the browser refuses to store the file.
    refused: bool,
}

impl Keeping {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, waiting: VecDeque::new(), done: Vec::new(), refused: false }
    }

    pub(crate) fn ask(&mut self, course: &Arc<Course>, keep: Keep) {
        self.waiting.push_back((Arc::clone(course), keep));
    }

    /// Carries out what waits. Returns the new file.
    pub(crate) fn carry_out(&mut self) -> Vec<u8> {
        while let Some((course, request)) = self.waiting.pop_front() {
            self.done.extend(keep(&mut self.store, &course, &request));
        }
        match self.store.image() {
            Ok(image) => image,
            Err(error) => {
                self.done.push(Msg::Say(error.to_string()));
                Vec::new()
            }
        }
    }

    /// Returns the messages for the model after the browser was asked to store the file.
    pub(crate) fn kept(&mut self, kept: Kept) -> Vec<Msg> {
        let mut msgs = std::mem::take(&mut self.done);
        let refused = matches!(kept, Kept::Refused(_));
        match kept {
            Kept::Stored if self.refused => msgs.push(Msg::Say(t!("web-stored-again"))),
            Kept::Refused(why) if !self.refused => {
                let path = PathBuf::from(t!("web-storage"));
                let notice = Notice::InMemory(StoreError::Unwritable { path, why: why.into() });
                msgs.push(noticed(&notice));
            }
            Kept::Stored | Kept::Refused(_) => {}
        }
        self.refused = refused;
        msgs
    }
}
