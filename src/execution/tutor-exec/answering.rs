//! Answers requests one after the other: in the worker process, and in a browser's worker.

use crate::dispatch::Devices;
use crate::judge::judge;
use crate::protocol::{ExecError, ExecErrorKind, Reply, Request};
use crate::witness::witness;
use std::sync::atomic::{AtomicBool, Ordering};
use tutor_support::sentence;

/// The devices on which requests run. Each is opened when it is first needed.
#[derive(Default)]
pub struct Answering(Devices);

impl Answering {
    /// Carries out a request and sends every reply, the last of a launch, a witness or a judgement included.
    pub fn answer(&mut self, request: &Request, cancelled: &AtomicBool, send: &(dyn Fn(Reply) + Sync)) {
        let outcome = self.run(request, cancelled, send);
        end(request, outcome, cancelled, send);
    }

    /// Carries out a request and sends its replies except the last one.
    pub(crate) fn run(
        &mut self,
        request: &Request,
        cancelled: &AtomicBool,
        send: &(dyn Fn(Reply) + Sync),
    ) -> Result<(), ExecError> {
        match request {
            Request::Describe => send(Reply::Description(self.0.describe())),
            Request::Launch(launch) => return self.0.launch(launch, cancelled, send),
            Request::Witness(request) => {
                let report = Box::new(witness(request)?);
                send(Reply::Witnessed { id: request.id, report });
            }
            Request::Judge(request) => {
                let id = request.id;
                let progress =
                    |fraction: f64| send(Reply::Progress { id, doing: sentence!("exec-doing-judge"), fraction });
                match judge(request, cancelled, &progress) {
                    Ok(judged) => send(Reply::Judged { id, judged }),
                    Err(_) if cancelled.load(Ordering::Relaxed) => {}
                    Err(error) => return Err(error),
                }
            }
            Request::Compile(_) => return Err(without_nvrtc()),
            Request::Cancel { .. } => {}
        }
        Ok(())
    }

    /// True if the process must end, because a fault has destroyed the GPU's context.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn lost(&self) -> bool {
        self.0.lost()
    }
}

/// Returns the error of a compilation where there is no compiler.
pub(crate) fn without_nvrtc() -> ExecError {
    ExecError::new(ExecErrorKind::NoDevice, sentence!("exec-built-without-nvrtc"))
        .help(sentence!("exec-built-without-help"))
}

/// Sends the last reply to a request.
pub(crate) fn end(
    request: &Request,
    outcome: Result<(), ExecError>,
    cancelled: &AtomicBool,
    send: &(dyn Fn(Reply) + Sync),
) {
    let id = request.id();
    match outcome {
        Err(error) => send(Reply::Failed { id, error }),
        Ok(()) if matches!(request, Request::Describe | Request::Cancel { .. }) => {}
        Ok(()) => send(Reply::Finished { id, cancelled: cancelled.load(Ordering::Relaxed) }),
    }
}
