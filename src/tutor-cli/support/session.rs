//! A worker for one command: sends requests, receives replies, and handles Ctrl-C.

use super::limits::{Exceeded, Limits, Used};
use crate::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tutor_exec::judge::Judged;
use tutor_exec::protocol::{
    CompileRequest, Description, ExecError, ExecErrorKind, JudgeRequest, LaunchRequest, Queued, Reply, Request,
};
use tutor_exec::results::LaunchResults;
use tutor_exec::worker::{Spent, Worker, WorkerConfig};
use tutor_kernels::nvrtc::Compiled;

/// A worker and its replies.
pub(crate) struct Session {
    worker: Worker,
    replies: Receiver<Reply>,
    interrupted: Arc<AtomicBool>,
    /// Seconds of silence when the session last reported the worker's silence.
    silence: Cell<f64>,
    /// The queue status that was last reported, and when.
    queued: RefCell<Option<(Queued, Instant)>>,
    limits: Option<Limits>,
    /// True if the worker is a process of this program on this machine.
    here: bool,
    used: Cell<Used>,
    exceeded: Cell<Option<Exceeded>>,
    /// Time at which the current request was cancelled.
    cancelled: Cell<Option<Instant>>,
}

/// Seconds of silence between two reports of it.
const BETWEEN_REMARKS: f64 = 10.0;

/// Time that the worker's supervisor has to end a cancelled request. It kills a worker that does not react.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(15);

/// Time between two reports of the same queue status.
const BETWEEN_WAITS: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Finished,
    Interrupted,
}

impl Session {
    pub(crate) fn start() -> Result<Self, ExecError> {
        Self::with_limit(None)
    }

    /// Starts a worker with limits. A request that exceeds one is cancelled.
    pub(crate) fn within(limits: Limits, interrupted: &Arc<AtomicBool>) -> Result<Self, ExecError> {
        let session = Self::new(Some(Spent::most(limits.time).as_secs_f64() + 5.0), Arc::clone(interrupted))?;
        Ok(Self { limits: Some(limits), ..session })
    }

    /// Starts a worker. A launch that is silent for `limit` seconds is stopped.
    pub(crate) fn with_limit(limit: Option<f64>) -> Result<Self, ExecError> {
        Self::new(limit, interruption(false)?)
    }

    fn new(limit: Option<f64>, interrupted: Arc<AtomicBool>) -> Result<Self, ExecError> {
        let fault = |message: String| ExecError::new(ExecErrorKind::Worker, message);
        let (sender, replies) = mpsc::channel();
        let sink = move |reply| {
            // An error means that the session has ended and nothing receives replies any more.
            let _ = sender.send(reply);
        };
        let mut config = WorkerConfig::from_environment()?;
        if let Some(limit) = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            config = config.with_limit(limit);
        }
        let here = config.is_this_program();
        let worker = Worker::spawn(config, sink).map_err(|error| fault(t!("exec-worker-no-thread", why = error)))?;
        Ok(Self {
            worker,
            replies,
            interrupted,
            silence: Cell::new(-BETWEEN_REMARKS),
            queued: RefCell::new(None),
            limits: None,
            here,
            used: Cell::new(Used::new()),
            exceeded: Cell::new(None),
            cancelled: Cell::new(None),
        })
    }

    /// True if the user pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Starts the clock of the limits again, for the next of several requests.
    pub(crate) fn restart_clock(&self) {
        self.used.set(self.used.get().again());
    }

    /// Returns the exceeded limit, if any.
    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get()
    }

    /// Returns the worker's peak memory use in bytes; 0 if the system does not report it.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.measured().bytes
    }

    fn measured(&self) -> Used {
        let mut used = self.used.get();
        if let Some(process) = self.worker.process_id() {
            used.measure(process, self.here);
            self.used.set(used);
        }
        used
    }

    /// Cancels the current request if it exceeds a limit.
    fn enforce_limits(&self, id: u64) {
        let (Some(limits), None) = (self.limits, self.exceeded.get()) else { return };
        let Some(exceeded) = limits.exceeded(&self.measured()) else { return };
        self.exceeded.set(Some(exceeded));
        self.cancel(id);
    }

    fn cancel(&self, id: u64) {
        self.cancelled.set(self.cancelled.get().or_else(|| Some(Instant::now())));
        self.worker.cancel(id);
    }

    /// Waits while there is nothing to request. Discards replies that arrive meanwhile.
    pub(crate) fn idle(&self, time: Duration) {
        let _ = self.replies.recv_timeout(time);
    }

    /// Requests the description of the device and its libraries.
    pub(crate) fn describe(&self) -> Result<Description, ExecError> {
        self.worker.send(Request::Describe);
        loop {
            match self.next(0)? {
                Some(Reply::Description(description)) => return Ok(description),
                Some(Reply::Failed { id: 0, error }) => return Err(error),
                Some(Reply::Finished { id: 0, .. }) | None => return Err(ExecError::interrupted()),
                Some(_) => {}
            }
        }
    }

    /// Compiles a source with the options of the kernel `like`. Returns PTX and warnings.
    pub(crate) fn compile(
        &self,
        file: &str,
        source: String,
        like: Option<&Kernel>,
    ) -> Result<(String, String), ExecError> {
        let arch = like.map(Kernel::min_arch);
        let constants = like.map(|kernel| kernel.constants.clone()).unwrap_or_default();
        let request = CompileRequest { file: file.to_owned(), source, arch, constants, ..CompileRequest::default() };
        self.compile_as(request).map(|compiled| (compiled.ptx, compiled.log))
    }

    /// Compiles what a request says. Its id is set here.
    pub(crate) fn compile_as(&self, request: CompileRequest) -> Result<Compiled, ExecError> {
        const ID: u64 = u64::MAX;
        self.worker.send(Request::Compile(CompileRequest { id: ID, ..request }));
        loop {
            match self.next(ID)? {
                Some(Reply::Compiled { id: ID, compiled }) => return Ok(compiled),
                Some(Reply::Failed { id: ID, error }) => return Err(error),
                // The compilation was cancelled; a completed one ends with another reply.
                Some(Reply::Finished { id: ID, .. }) | None => return Err(ExecError::interrupted()),
                Some(_) => {}
            }
        }
    }

    /// Judges a kernel. Returns `None` after Ctrl-C.
    pub(crate) fn judge(&self, request: JudgeRequest) -> Result<Option<Judged>, ExecError> {
        let id = request.id;
        let mut found = None;
        let ended = self.answered(id, Request::Judge(Box::new(request)), |reply| {
            if let Reply::Judged { judged, .. } = reply {
                found = Some(judged);
            }
        })?;
        Ok(found.filter(|_| ended == Ended::Finished))
    }

    /// Runs a launch to its end, and passes every reply to `see` after the results contain it.
    pub(crate) fn launch(&self, request: LaunchRequest, mut see: impl FnMut(&Reply, &LaunchResults)) -> LaunchResults {
        let mut results = LaunchResults::of(&request);
        let id = request.id;
        let ended = self.answered(id, Request::Launch(request), |reply| {
            results.apply(&reply);
            see(&reply, &results);
        });
        results.apply(&match ended {
            Ok(ended) => Reply::Finished { id, cancelled: ended == Ended::Interrupted },
            Err(error) => Reply::Failed { id, error },
        });
        results
    }

    /// Sends a request and passes every reply to `hear` until the request has ended.
    fn answered(&self, id: u64, request: Request, mut hear: impl FnMut(Reply)) -> Result<Ended, ExecError> {
        self.worker.send(request);
        let mut cancelled = false;
        loop {
            // Checked before every reply, because replies may arrive without a pause.
            if !cancelled && self.interrupted.load(Ordering::Relaxed) {
                cancelled = true;
                self.cancel(id);
            }
            match self.next(id)? {
                Some(Reply::Finished { id: done, cancelled }) if done == id => {
                    return Ok(if cancelled { Ended::Interrupted } else { Ended::Finished });
                }
                Some(Reply::Failed { id: done, error }) if done == id => return Err(error),
                Some(reply) => hear(reply),
                None => {}
            }
        }
    }

    /// Reports what the worker is waiting for, when it changes and then at intervals. Waiting does not count towards
    /// the limits.
    fn waiting(&self, queued: Queued) {
        self.restart_clock();
        let mut reported = self.queued.borrow_mut();
        let known = reported.as_ref().is_some_and(|(status, at)| *status == queued && at.elapsed() < BETWEEN_WAITS);
        if !known {
            output::note(t!("cli-worker-waiting", text = queued.describe()));
            *reported = Some((queued, Instant::now()));
        }
    }

    /// Returns the next reply for request `id`. After Ctrl-C, returns `None` whenever no reply arrives for a short
    /// time.
    fn next(&self, id: u64) -> Result<Option<Reply>, ExecError> {
        loop {
            self.enforce_limits(id);
            if self.cancelled.get().is_some_and(|at| at.elapsed() > CANCEL_TIMEOUT) {
                return Err(ExecError::interrupted());
            }
            match self.replies.recv_timeout(Duration::from_millis(50)) {
                // Limits already bound the silence of a submission.
                Ok(Reply::Silent { .. }) if self.limits.is_some() => {}
                // Silence is reported once, and then at intervals.
                Ok(Reply::Silent { seconds, .. })
                    if seconds - self.silence.get() < BETWEEN_REMARKS && seconds > self.silence.get() => {}
                Ok(Reply::Silent { seconds, limit, .. }) => {
                    self.silence.set(seconds);
                    let (seconds, limit) = (format!("{seconds:.0}"), format!("{limit:.0}"));
                    output::note(t!("cli-worker-silent", seconds, limit));
                }
                Ok(Reply::Waiting { queued, .. }) => self.waiting(queued),
                Ok(reply) => return Ok(Some(reply)),
                Err(RecvTimeoutError::Timeout) if self.interrupted.load(Ordering::Relaxed) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ExecError::new(ExecErrorKind::Worker, t!("exec-worker-supervisor")));
                }
            }
        }
    }
}

/// Returns a flag that Ctrl-C sets. With `ending`, SIGTERM also sets it, so that the command can keep its results so
/// far.
pub(crate) fn interruption(ending: bool) -> Result<Arc<AtomicBool>, ExecError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT].into_iter().chain(ending.then_some(signal_hook::consts::SIGTERM)) {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))
            .map_err(|error| ExecError::new(ExecErrorKind::Worker, t!("exec-worker-no-ctrl-c", why = error)))?;
    }
    #[cfg(not(unix))]
    let _ = ending;
    Ok(interrupted)
}
