//! The link to the worker process, which runs kernels.

use super::Event;
use crate::app::Msg;
use crate::effect::Compile;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use tutor_base::t;
use tutor_exec::protocol::{
    ExecError, ExecErrorKind, JudgeRequest, LaunchRequest, Reply, Request, Target, WitnessRequest,
};
use tutor_exec::worker::{COMMAND_VARIABLE, Worker, WorkerConfig};
use tutor_mastery::fresh_seed;

/// A worker, or why there is none: then every launch fails with the reason, and all else works.
pub(super) struct WorkerLink {
    worker: Result<Worker, ExecError>,
    events: Sender<Event>,
    on: Target,
    /// Whether the worker has said that it has no compiler.
    no_compiler: Arc<AtomicBool>,
    queues: bool,
}

/// A reply as it is for launches that go to the emulator for a reason: a GPU that is not asked is not there.
fn hide_gpu(reply: Reply, emulator: Option<&str>) -> Reply {
    match (reply, emulator) {
        (Reply::Description(description), Some(why)) => Reply::Description(description.on_emulator(why.to_owned())),
        (other, _) => other,
    }
}

impl WorkerLink {
    /// Gets a worker ready; its process starts with the first request.
    pub(super) fn start(events: Sender<Event>, on: Target) -> Self {
        let replies = events.clone();
        // Once the tutor has ended nobody listens any more.
        let emulator = (on == Target::Emulator).then(|| t!("app-emulator-asked-for"));
        let no_compiler = Arc::new(AtomicBool::new(false));
        let known = Arc::clone(&no_compiler);
        let sink = move |reply| {
            if let Reply::Description(description) = &reply {
                known.store(description.nvrtc.is_err(), Ordering::Relaxed);
            }
            drop(replies.send(Event::Msg(Msg::Worker(hide_gpu(reply, emulator.as_deref())))));
        };
        let config = WorkerConfig::from_environment();
        let queues = config.as_ref().is_ok_and(WorkerConfig::is_queued);
        let worker = config.and_then(|config| {
            Worker::spawn(config, sink).map_err(|error| {
                ExecError::new(ExecErrorKind::Worker, t!("exec-worker-no-thread", why = error.to_string()))
            })
        });
        Self { worker, events, on, no_compiler, queues }
    }

    /// Whether its process waits for a machine each time.
    pub(super) fn queues(&self) -> bool {
        self.queues
    }

    /// Asks for devices and libraries.
    pub(super) fn describe(&self) {
        self.send(0, Request::Describe);
    }

    /// Where there was no compiler: a worker that finds the one which has been installed since, if there is one. The worker
    /// itself cannot, as it has given up reading directories.
    pub(super) fn look_for_compiler(&self) {
        let elsewhere = std::env::var_os(COMMAND_VARIABLE).is_some();
        if let (Ok(worker), true, false) = (&self.worker, self.no_compiler.load(Ordering::Relaxed), elsewhere)
            && has_come()
        {
            worker.renew();
            self.describe();
        }
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

    /// Asks for a judgement, with inputs that are drawn anew.
    pub(super) fn judge(&self, mut request: Box<JudgeRequest>) {
        request.seed = fresh_seed();
        self.send(request.id, Request::Judge(request));
    }

    pub(super) fn compile(&self, Compile { id, file, source, arch, constants }: Compile) {
        self.send(id, Request::Compile { id, file, source, arch: Some(arch), constants });
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

#[cfg(feature = "cuda")]
fn has_come() -> bool {
    tutor_kernels::nvrtc::is_there()
}

#[cfg(not(feature = "cuda"))]
fn has_come() -> bool {
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
        let (nvrtc, cublas) = (Err(String::new()), Err(String::new()));
        let description = Description {
            device,
            why_not_cuda: None,
            cuda: Some("13.0".into()),
            nvrtc,
            nvrtc_places: Vec::new(),
            cublas,
            sandbox: None,
        };
        let kind = |why| match hide_gpu(Reply::Description(description.clone()), why) {
            Reply::Description(known) => (known.device.kind, known.why_not_cuda.is_some()),
            _ => panic!(),
        };
        assert_eq!(kind(Some("asked for")), (DeviceKind::Emulator, true));
        assert_eq!(kind(None), (DeviceKind::Cuda, false));
    }
}
