//! What was asked of the store and is not carried out yet. The store answers in order.

use crate::effect::Keep;
use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

/// So long nothing is said of it: nobody sees the difference.
const UNSAID: Duration = Duration::from_millis(300);

/// The requests that the store has not answered, the oldest first.
#[derive(Debug, Default)]
pub struct Saving {
    requests: VecDeque<(Duration, Discriminant<Keep>)>,
    /// Why the oldest has to wait.
    why: Option<String>,
}

impl Saving {
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Whether it has lasted long enough to be told.
    pub fn shows(&self, now: Duration) -> bool {
        self.requests.front().is_some_and(|(since, _)| now.saturating_sub(*since) >= UNSAID)
    }

    /// Why the oldest has to wait, if it is known.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Whether such a request is waiting.
    pub(super) fn has(&self, keep: &Keep) -> bool {
        self.requests.iter().any(|(_, request)| *request == discriminant(keep))
    }

    pub(super) fn ask(&mut self, keep: &Keep, now: Duration) {
        self.requests.push_back((now, discriminant(keep)));
    }

    pub(super) fn answered(&mut self) {
        self.requests.pop_front();
        self.why = None;
    }

    pub(super) fn held(&mut self, why: String) {
        self.why = Some(why);
    }
}
