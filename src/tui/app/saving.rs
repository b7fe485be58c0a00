//! What was asked of the store and is not carried out yet. The store answers in order.

use crate::effect::Keep;
use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

/// So long nothing is said of it: nobody sees the difference.
const UNSAID: Duration = Duration::from_millis(300);

/// The wishes that the store has not answered, the oldest first.
#[derive(Debug, Default)]
pub struct Saving {
    wishes: VecDeque<(Duration, Discriminant<Keep>)>,
    /// Why the oldest has to wait.
    why: Option<String>,
}

impl Saving {
    pub fn is_empty(&self) -> bool {
        self.wishes.is_empty()
    }

    /// Whether it has lasted long enough to be told.
    pub fn shows(&self, now: Duration) -> bool {
        self.wishes.front().is_some_and(|(since, _)| now.saturating_sub(*since) >= UNSAID)
    }

    /// Why the oldest has to wait, if it is known.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Whether such a wish is waiting.
    pub(super) fn has(&self, keep: &Keep) -> bool {
        self.wishes.iter().any(|(_, wish)| *wish == discriminant(keep))
    }

    pub(super) fn ask(&mut self, keep: &Keep, now: Duration) {
        self.wishes.push_back((now, discriminant(keep)));
    }

    pub(super) fn answered(&mut self) {
        self.wishes.pop_front();
        self.why = None;
    }

    pub(super) fn held(&mut self, why: String) {
        self.why = Some(why);
    }
}
