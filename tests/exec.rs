//! Kernels, executors and the worker process, through the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail by panicking, and say what they skip"
)]

#[path = "exec/catalog.rs"]
mod catalog;
#[path = "exec/commands.rs"]
mod commands;
#[path = "exec/emulator.rs"]
mod emulator;
#[cfg(unix)]
#[path = "exec/slurm.rs"]
mod slurm;
#[path = "exec/tune.rs"]
mod tune;
#[path = "exec/worker.rs"]
mod worker;

use matmul_tutor::exec::protocol::{LaunchRequest, Program, Reply, Request, Shape, Target};
use matmul_tutor::exec::worker::{Worker, WorkerConfig};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Long enough for the slowest machine; nothing waits this long when all is well.
const PATIENCE: Duration = Duration::from_secs(120);

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

    /// Sends a launch and collects its replies, the last of which ends it.
    fn launch(&self, request: LaunchRequest) -> Vec<Reply> {
        let id = request.id;
        self.worker.send(Request::Launch(request));
        let mut replies = Vec::new();
        loop {
            let reply = self.next();
            let last = matches!(&reply, Reply::Finished { id: of, .. } | Reply::Failed { id: of, .. } if *of == id);
            replies.push(reply);
            if last {
                return replies;
            }
        }
    }
}

/// A launch on the emulator that verifies, and does nothing else.
fn request(id: u64, kernel: &str, shape: Shape) -> LaunchRequest {
    LaunchRequest {
        id,
        programs: vec![Program::new(kernel)],
        shape,
        alpha: 1.0,
        beta: 0.0,
        on: Target::Emulator,
        seed: id,
        time: false,
        seconds: 0.0,
        cublas: false,
        verify: true,
        counts: false,
        hazards: false,
    }
}
