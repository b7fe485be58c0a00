//! The requests that the store has not carried out yet. Nothing else knows what is saved and what is not.

use crate::prelude::*;
use std::collections::VecDeque;
use std::mem::discriminant;
use std::time::Duration;
use tutor_progress::StoreError;

/// Time before the last line mentions a request that is not saved. Most requests take less.
const UNSAID: Duration = Duration::from_millis(300);

/// Why the store cannot save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreBlocked {
    pub why: String,
    pub help: String,
    /// True if another process is writing, so that waiting is enough.
    pub waits: bool,
}

impl From<&StoreError> for StoreBlocked {
    fn from(error: &StoreError) -> Self {
        Self { why: error.to_string(), help: error.help(), waits: matches!(error, StoreError::Busy { .. }) }
    }
}

/// The requests that the store has not carried out, the oldest first. It carries them out in order.
#[derive(Debug, Default)]
pub struct Saving {
    requests: VecDeque<(Duration, StoreRequest)>,
    /// Why the oldest cannot be carried out.
    blocked: Option<StoreBlocked>,
}

impl Saving {
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// True if the store is carrying something out. Nothing waits for what the disk refuses.
    pub fn is_busy(&self) -> bool {
        !self.is_empty() && self.refused().is_none()
    }

    /// True if the oldest request has waited long enough to be mentioned.
    pub fn shows(&self, now: Duration) -> bool {
        self.requests.front().is_some_and(|(since, _)| now.saturating_sub(*since) >= UNSAID)
    }

    /// Returns why the store cannot save, if it has said so since its last success.
    pub fn blocked(&self) -> Option<&StoreBlocked> {
        self.blocked.as_ref()
    }

    /// Returns the reason if the disk refuses changes. Waiting for another process is not a refusal.
    pub fn refused(&self) -> Option<&StoreBlocked> {
        self.blocked.as_ref().filter(|blocked| !blocked.waits)
    }

    /// Returns the numbers of answers and of other requests that are not saved.
    pub fn counts(&self) -> (usize, usize) {
        let answers = self.requests.iter().filter(|(_, request)| request.is_answer()).count();
        (answers, self.requests.len() - answers)
    }

    /// True if the answer to a question of an attempt is not saved.
    pub fn has_answer(&self, attempt: i64, slot: &str) -> bool {
        self.requests.iter().any(|(_, request)| match request {
            StoreRequest::Change { attempt: of, change } => {
                *of == attempt && change.answer.as_ref().is_some_and(|(at, _)| at == slot)
            }
            _ => false,
        })
    }

    /// True if a request of the same kind is waiting.
    pub(super) fn has(&self, request: &StoreRequest) -> bool {
        self.requests.iter().any(|(_, other)| discriminant(other) == discriminant(request))
    }

    pub(super) fn ask(&mut self, request: StoreRequest, now: Duration) {
        self.requests.push_back((now, request));
    }

    /// Notes that the oldest request is saved. Returns true if this was the last one that was blocked.
    pub fn saved(&mut self) -> bool {
        self.requests.pop_front();
        self.requests.is_empty() && self.blocked.take().is_some_and(|blocked| !blocked.waits)
    }

    /// Notes why the oldest request cannot be saved. Returns true if that is new.
    pub fn block(&mut self, blocked: StoreBlocked) -> bool {
        let known = self.blocked.as_ref() == Some(&blocked);
        self.blocked = Some(blocked);
        !known
    }
}
