//! Connects the tutor with the worker process, which runs kernels.

use super::Event;
use crate::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use tutor_exec::protocol::{ExecError, ExecErrorKind, Reply, Request, Target};
use tutor_exec::worker::{COMMAND_VARIABLE, Worker, WorkerConfig};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// A worker, or the reason why there is none. Without a worker every launch fails with that reason, but everything else works.
pub(super) struct WorkerLink {
    worker: Result<Worker, ExecError>,
    events: Sender<Event>,
    on: Target,
    /// True if the worker has reported that it has no compiler.
    no_compiler: Arc<AtomicBool>,
    queues: bool,
}

/// Hides the GPU in a description if all launches go to the emulator; `emulator` is the reason for that.
fn hide_gpu(reply: Reply, emulator: Option<&Sentence>) -> Reply {
    match (reply, emulator) {
        (Reply::Description(description), Some(why)) => Reply::Description(description.on_emulator(why.into())),
        (other, _) => other,
    }
}

impl WorkerLink {
    /// Prepares a worker, whose process starts with the first request.
    pub(super) fn start(events: Sender<Event>, on: Target) -> Self {
        let replies = events.clone();
        let emulator = (on == Target::Emulator).then(|| sentence!("app-emulator-asked-for"));
        let no_compiler = Arc::new(AtomicBool::new(false));
        let known = Arc::clone(&no_compiler);
        let sink = move |reply| {
            if let Reply::Description(description) = &reply {
                known.store(description.nvrtc.is_err(), Ordering::Relaxed);
            }
            drop(replies.send(Event::Msg(Msg::Worker(hide_gpu(reply, emulator.as_ref())))));
        };
        let config = WorkerConfig::from_environment();
        let queues = config.as_ref().is_ok_and(WorkerConfig::is_queued);
        let worker = config.and_then(|config| {
            Worker::spawn(config, sink)
                .map_err(|error| ExecError::new(ExecErrorKind::Worker, sentence!("exec-worker-no-thread", why = error)))
        });
        Self { worker, events, on, no_compiler, queues }
    }

    /// True if each request waits for a machine in a queue.
    pub(super) fn queues(&self) -> bool {
        self.queues
    }

    /// Asks for a description of devices and libraries.
    pub(super) fn describe(&self) {
        self.work(Request::Describe);
    }

    /// Starts a new worker if the old one had no compiler and one has been installed since.
    ///
    /// The old worker cannot find it, because its sandbox forbids it to read directories.
    pub(super) fn look_for_compiler(&self) {
        let elsewhere = std::env::var_os(COMMAND_VARIABLE).is_some();
        if let (Ok(worker), true, false) = (&self.worker, self.no_compiler.load(Ordering::Relaxed), elsewhere)
            && compiler_installed()
        {
            worker.renew();
            self.describe();
        }
    }

    /// Sends a request, a launch for the target that the student chose.
    pub(super) fn work(&self, mut request: Request) {
        if let Request::Launch(launch) = &mut request {
            launch.on = self.on;
        }
        match &self.worker {
            Ok(worker) => worker.send(request),
            Err(error) => {
                let reply = Reply::Failed { id: request.id(), error: error.clone() };
                let _ = self.events.send(Event::Msg(Msg::Worker(reply)));
            }
        }
    }

    pub(super) fn cancel(&self, id: u64) {
        if let Ok(worker) = &self.worker {
            worker.cancel(id);
        }
    }
}

#[cfg(feature = "cuda")]
fn compiler_installed() -> bool {
    tutor_kernels::nvrtc::is_there()
}

#[cfg(not(feature = "cuda"))]
fn compiler_installed() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_exec::protocol::{Description, Device, DeviceKind};

    #[test]
    fn a_gpu_that_is_not_asked_is_not_there() {
        let device = Device {
            kind: DeviceKind::Cuda,
            name: "NVIDIA H200".into(),
            driver: Some("580.95.05".into()),
            capability: Some([9, 0]),
            multiprocessors: Some(132),
            clock_mhz: Some(1980),
        };
        let description = Description { cuda: Some("13.0".into()), ..device.into() };
        let kind = |why| match hide_gpu(Reply::Description(description.clone()), why) {
            Reply::Description(known) => (known.device.kind, known.why_not_cuda.is_some()),
            _ => panic!(),
        };
        let asked_for = "asked for".into();
        assert_eq!(kind(Some(&asked_for)), (DeviceKind::Emulator, true));
        assert_eq!(kind(None), (DeviceKind::Cuda, false));
    }
}
