//! A request that waits for its last reply, and how long the child may still be silent.

use super::spent::Spent;
use crate::protocol::Request;
use std::time::{Duration, Instant};

pub(super) struct Pending {
    pub(super) request: Request,
    pub(super) silence: Duration,
    /// The child's time since it was last heard.
    pub(super) silent: Spent,
    pub(super) cancelled: Option<Instant>,
    /// Time at which progress was last passed on.
    pub(super) progress: Option<Instant>,
    pub(super) replies: usize,
    pub(super) bytes: usize,
}

impl Pending {
    pub(super) fn new(request: Request, silence: Duration) -> Self {
        let silent = Spent::begin();
        Self { request, silence, silent, cancelled: None, progress: None, replies: 0, bytes: 0 }
    }

    pub(super) fn hear(&mut self) {
        self.silent = Spent::begin();
    }

    pub(super) fn id(&self) -> u64 {
        self.request.id()
    }
}
