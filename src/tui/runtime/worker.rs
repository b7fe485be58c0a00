//! The link to the worker process, which runs kernels.

use super::Event;
use crate::exec::protocol::{ExecError, LaunchRequest, Reply, Request, Target, WitnessRequest};
use crate::exec::worker::{Worker, WorkerConfig};
use crate::tui::app::Msg;
use std::sync::mpsc::Sender;

/// A worker, or why there is none: then every launch fails with the reason, and all else works.
pub(super) struct WorkerLink {
    worker: Result<Worker, ExecError>,
    events: Sender<Event>,
    on: Target,
}

impl WorkerLink {
    /// Gets a worker ready; its process starts with the first request.
    pub(super) fn start(events: Sender<Event>, on: Target) -> Self {
        let replies = events.clone();
        // Once the tutor has ended nobody listens any more.
        let sink = move |reply| drop(replies.send(Event::Msg(Msg::Worker(reply))));
        let worker = WorkerConfig::from_environment().and_then(|config| {
            Worker::spawn(config, sink).map_err(|error| {
                ExecError::new(
                    crate::exec::protocol::ExecErrorKind::Worker,
                    format!("The thread that watches the worker cannot be started: {error}."),
                )
            })
        });
        Self { worker, events, on }
    }

    /// Asks for devices and libraries.
    pub(super) fn describe(&self) {
        self.send(0, Request::Describe);
    }

    /// Asks for a launch where the student wants it.
    pub(super) fn launch(&self, mut request: LaunchRequest) {
        request.on = self.on;
        self.send(request.id, Request::Launch(request));
    }

    /// Asks for a hazard in two orders of warps.
    pub(super) fn witness(&self, request: Box<WitnessRequest>) {
        self.send(request.id, Request::Witness(request));
    }

    fn send(&self, id: u64, request: Request) {
        match &self.worker {
            Ok(worker) => worker.send(request),
            Err(error) => {
                let reply = Reply::Failed { id, error: error.clone() };
                let _ = self.events.send(Event::Msg(Msg::Worker(reply)));
            }
        }
    }

    /// Asks to stop a launch.
    pub(super) fn cancel(&self, id: u64) {
        if let Ok(worker) = &self.worker {
            worker.cancel(id);
        }
    }
}
