//! The requests that the store has not carried out yet. It carries them out in order.

use crate::prelude::*;
use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

/// Time before the last line mentions a request that is not saved. Most requests take less.
const UNSAID: Duration = Duration::from_millis(300);

/// The requests that the store has not answered, the oldest first.
#[derive(Debug, Default)]
pub struct Saving {
    requests: VecDeque<(Duration, Discriminant<Keep>)>,
    /// Reason why the oldest has to wait.
    why: Option<String>,
}

impl Saving {
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// True if the oldest request has waited long enough to be mentioned.
    pub fn shows(&self, now: Duration) -> bool {
        self.requests.front().is_some_and(|(since, _)| now.saturating_sub(*since) >= UNSAID)
    }

    /// Returns the reason why the oldest request has to wait, if known.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// True if a request of the same kind is waiting.
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
