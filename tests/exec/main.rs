//! Kernels, executors and the worker process, through the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail by panicking, and say what they skip"
)]

mod catalog;
mod commands;
mod emulator;
#[path = "../shared/mod.rs"]
mod shared;
#[cfg(unix)]
mod slurm;
mod tune;
mod worker;

use shared::PATIENCE;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use tutor_exec::protocol::{Description, ExecErrorKind, LaunchRequest, Program, Reply, Request, Shape, Target};
use tutor_exec::results::LaunchResults;
use tutor_exec::worker::{Worker, WorkerConfig};

fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_matmul-tutor")
}

/// A worker and what it says.
struct Talk {
    worker: Worker,
    replies: Receiver<Reply>,
}

impl Talk {
    fn with(config: WorkerConfig) -> Self {
        let (sender, replies) = mpsc::channel();
        let worker = Worker::spawn(config, move |reply| drop(sender.send(reply))).unwrap();
        Self { worker, replies }
    }

    fn real() -> Self {
        Self::with(WorkerConfig::command([binary(), "worker"]))
    }

    /// A worker that is a shell script.
    fn script(script: &str) -> Self {
        Self::with(WorkerConfig::command(["sh", "-c", script]))
    }

    /// A worker that is a shell script and may be silent for a limited time; once more with a longer limit, where the machine was so
    /// slow that the script's first words came too late.
    fn limited<T>(script: &str, look: impl Fn(&Self, Duration) -> Option<T>) -> T {
        let limits = [0.3, 3.0, 30.0, PATIENCE.as_secs_f64()].map(Duration::from_secs_f64);
        let talk = |limit| Self::with(WorkerConfig::command(["sh", "-c", script]).with_limit(limit));
        limits.into_iter().find_map(|limit| look(&talk(limit), limit)).expect("the script's first words")
    }

    fn next(&self) -> Reply {
        self.replies.recv_timeout(PATIENCE).expect("a reply in time")
    }

    /// Waits for a reply that is wanted, passing over others.
    fn until<T>(&self, wanted: impl Fn(&Reply) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(&self.next()) {
                return found;
            }
        }
    }

    /// Asks for a description, then waits for a reply that is wanted.
    fn ask<T>(&self, wanted: impl Fn(&Reply) -> Option<T>) -> T {
        self.worker.send(Request::Describe);
        self.until(wanted)
    }

    /// Sends a launch and collects its results.
    fn launch(&self, request: LaunchRequest) -> LaunchResults {
        let mut results = LaunchResults::of(&request);
        self.worker.send(Request::Launch(request));
        while results.is_running() {
            results.apply(&self.next());
        }
        results
    }

    /// Cancels the launch with id 1, and waits until it has ended without an error or an estimate.
    fn cancel(&self) {
        self.worker.cancel(1);
        let cancelled = self.until(|reply| match reply {
            Reply::Finished { id: 1, cancelled } => Some(*cancelled),
            Reply::Estimated { .. } | Reply::Failed { .. } => panic!("{reply:?}"),
            _ => None,
        });
        assert!(cancelled);
    }

    /// Waits until a request fails. Returns its id, the kind and the message.
    fn failure(&self) -> (u64, ExecErrorKind, String) {
        self.until(failure)
    }

    fn describe(&self) -> Description {
        self.ask(|reply| match reply {
            Reply::Description(description) => Some(description.clone()),
            _ => None,
        })
    }
}

fn failure(reply: &Reply) -> Option<(u64, ExecErrorKind, String)> {
    match reply {
        Reply::Failed { id, error } => Some((*id, error.kind, error.message.to_string())),
        _ => None,
    }
}

/// The kind and the message of the error of a launch that failed.
fn error(results: &LaunchResults) -> (ExecErrorKind, String) {
    let error = results.error().unwrap_or_else(|| panic!("{results:?}"));
    (error.kind, error.message.to_string())
}

/// A launch on the emulator that verifies, and does nothing else.
fn request(id: u64, kernel: &str, shape: Shape) -> LaunchRequest {
    let blank = LaunchRequest::new(id, vec![Program::new(kernel)], shape);
    LaunchRequest { on: Target::Emulator, seed: id, verify: true, ..blank }
}
