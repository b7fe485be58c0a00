//! The parent's handle: a supervisor thread that owns the child.

use super::child::{Running, describe_status, end, has_ended, said};
use super::config::WorkerConfig;
use crate::exec::protocol::{ExecError, ExecErrorKind, Reply, Request};
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a cancelled request may take to stop by itself.
const GRACE: Duration = Duration::from_millis(1500);
/// How often a child is looked at while it is silent.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The worker process as its parent sees it. Dropping it ends the child.
#[derive(Debug)]
pub struct Worker {
    events: Sender<Event>,
    process: Arc<AtomicU32>,
    supervisor: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum Event {
    Send(Box<Request>),
    Heard { generation: u64, reply: Box<Reply> },
    Ended { generation: u64 },
    Stop,
}

impl Worker {
    /// Starts the supervisor; the child starts with the first request.
    ///
    /// `sink` gets every reply, on the supervisor's thread. A request that fails for want of a worker gets
    /// [`Reply::Failed`] like any other; for [`Request::Describe`], which has no id, its id is 0.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn spawn(config: WorkerConfig, sink: impl Fn(Reply) + Send + 'static) -> std::io::Result<Self> {
        let (events, inbox) = mpsc::channel();
        let process = Arc::new(AtomicU32::new(0));
        let mut supervisor = Supervisor {
            config,
            sink,
            outbox: events.clone(),
            process: Arc::clone(&process),
            running: None,
            generation: 0,
            pending: VecDeque::new(),
        };
        let supervisor =
            std::thread::Builder::new().name("worker supervisor".to_owned()).spawn(move || supervisor.run(&inbox))?;
        Ok(Self { events, process, supervisor: Some(supervisor) })
    }

    /// Sends a request; never waits.
    pub fn send(&self, request: Request) {
        // The supervisor lives as long as this handle.
        let _ = self.events.send(Event::Send(Box::new(request)));
    }

    /// Stops the launch with this id: by request, and by killing the worker if it does not heed it.
    pub fn cancel(&self, id: u64) {
        self.send(Request::Cancel { id });
    }

    /// The child's process id while there is one.
    pub fn process_id(&self) -> Option<u32> {
        Some(self.process.load(Ordering::Relaxed)).filter(|id| *id != 0)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Stop);
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}

struct Supervisor<Sink> {
    config: WorkerConfig,
    sink: Sink,
    outbox: Sender<Event>,
    process: Arc<AtomicU32>,
    running: Option<Running>,
    generation: u64,
    /// In the order in which they were sent, which is the order in which the child works.
    pending: VecDeque<Pending>,
}

struct Pending {
    request: Request,
    silence: Duration,
    heard: Instant,
    cancelled: Option<Instant>,
}

impl Pending {
    fn id(&self) -> u64 {
        match &self.request {
            Request::Describe => 0,
            Request::Launch(launch) => launch.id,
            Request::Witness(witness) => witness.id,
            Request::Compile { id, .. } | Request::Cancel { id } => *id,
        }
    }
}

impl<Sink: Fn(Reply)> Supervisor<Sink> {
    fn run(&mut self, inbox: &mpsc::Receiver<Event>) {
        loop {
            let event = match self.deadline() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Send(request)) => match *request {
                    Request::Cancel { id } => self.cancel(id),
                    request => self.accept(request),
                },
                Ok(Event::Heard { generation, reply }) if generation == self.generation => self.hear(*reply),
                Ok(Event::Ended { generation }) if generation == self.generation => self.ended(),
                // Of a child that was killed.
                Ok(Event::Heard { .. } | Event::Ended { .. }) => {}
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => self.look_after_child(),
            }
            self.enforce_limits();
        }
        self.kill();
    }

    /// When to look again, should nothing happen before.
    fn deadline(&self) -> Option<Instant> {
        self.limit()?.min(Instant::now() + LOOK_EVERY).into()
    }

    /// When the request at the front has been silent, or cancelled, for too long.
    fn limit(&self) -> Option<Instant> {
        let front = self.pending.front()?;
        let silent = front.heard.checked_add(front.silence);
        let grace = front.cancelled.and_then(|at| at.checked_add(GRACE));
        silent.into_iter().chain(grace).min()
    }

    /// Notices a child that has ended while something that it started still holds the pipe.
    fn look_after_child(&mut self) {
        if self.running.as_ref().is_some_and(|running| has_ended(&running.child)) {
            self.generation += 1;
            self.ended();
        }
    }

    fn accept(&mut self, request: Request) {
        if let Request::Launch(launch) = &request
            && !(launch.alpha.is_finite() && launch.beta.is_finite() && launch.seconds.is_finite())
        {
            let error = ExecError::new(ExecErrorKind::Invalid, "Alpha, beta and seconds must be finite numbers.");
            (self.sink)(Reply::Failed { id: launch.id, error });
            return;
        }
        // With something outstanding its last replies may still be on their way.
        if self.pending.is_empty() {
            self.look_after_child();
        }
        let silence = self.config.silence(&request);
        self.pending.push_back(Pending { request, silence, heard: Instant::now(), cancelled: None });
        if self.running.is_some() {
            self.post(self.pending.len() - 1);
        } else {
            self.start();
        }
    }

    fn cancel(&mut self, id: u64) {
        let Some(pending) = self.pending.iter_mut().find(|pending| pending.id() == id) else { return };
        pending.cancelled.get_or_insert_with(Instant::now);
        if let (Some(running), Ok(line)) = (&self.running, encode(&Request::Cancel { id })) {
            let _ = running.lines.send(line);
        }
    }

    fn hear(&mut self, reply: Reply) {
        if let Some(running) = &mut self.running {
            running.spoke = true;
        }
        let (id, last) = match &reply {
            Reply::Description(_) => (0, true),
            Reply::Finished { id, .. } | Reply::Failed { id, .. } | Reply::Compiled { id, .. } => (*id, true),
            Reply::Started { id, .. }
            | Reply::Instead { id, .. }
            | Reply::Conditions { id, .. }
            | Reply::Skipped { id, .. }
            | Reply::Progress { id, .. }
            | Reply::Sample { id, .. }
            | Reply::Timed { id, .. }
            | Reply::Verified { id, .. }
            | Reply::Counted { id, .. }
            | Reply::Witnessed { id, .. }
            | Reply::Note { id, .. } => (*id, false),
        };
        if let Some(at) = self.pending.iter().position(|pending| pending.id() == id) {
            if last {
                self.pending.remove(at);
                if let Some(front) = self.pending.front_mut() {
                    front.heard = Instant::now();
                }
            } else if let Some(pending) = self.pending.get_mut(at) {
                pending.heard = Instant::now();
            }
        }
        (self.sink)(reply);
    }

    fn enforce_limits(&mut self) {
        let now = Instant::now();
        if self.limit().is_none_or(|limit| limit > now) {
            return;
        }
        let Some(front) = self.pending.pop_front() else { return };
        let spoke = self.running.as_ref().is_none_or(|running| running.spoke);
        let words = self.running.as_ref().map(|running| said(&running.last_words)).unwrap_or_default();
        self.kill();
        let reply = if front.cancelled.is_some() {
            Reply::Finished { id: front.id(), cancelled: true }
        } else {
            Reply::Failed { id: front.id(), error: self.silence_error(front.silence, spoke, &words) }
        };
        (self.sink)(reply);
        self.restart();
    }

    /// The child's stdout ended by itself.
    fn ended(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.process.store(0, Ordering::Relaxed);
        let (spoke, words) = (running.spoke, Arc::clone(&running.last_words));
        let status = end(running.child, Duration::from_millis(200));
        if self.pending.is_empty() {
            return;
        }
        let error = self.ended_error(status, spoke, &said(&words));
        // A worker that never spoke will not speak the next time either: nothing is tried again.
        let lost = if spoke { 1 } else { self.pending.len() };
        for pending in self.pending.drain(..lost) {
            let id = pending.id();
            (self.sink)(match pending.cancelled {
                Some(_) => Reply::Finished { id, cancelled: true },
                None => Reply::Failed { id, error: error.clone() },
            });
        }
        self.restart();
    }

    fn silence_error(&self, silence: Duration, spoke: bool, words: &str) -> ExecError {
        let seconds = silence.as_secs_f64();
        // A worker that has never answered is no kernel's fault: its command is not one, or its machine does not answer.
        let (kind, message, help) = if spoke {
            let message = format!("Nothing was heard of it for {seconds:.1} s, so it was stopped.");
            let help = "The kernel may never end, or the GPU may be stuck. `--on emulator` finds an endless loop.";
            (ExecErrorKind::TimedOut, message, help)
        } else {
            let shown = self.config.shown();
            let message = format!("The worker `{shown}` gave no answer for {seconds:.1} s, so it was stopped.{words}");
            (ExecErrorKind::Worker, message, CHECK_COMMAND)
        };
        ExecError::new(kind, message).help(help)
    }

    fn ended_error(&self, status: Option<ExitStatus>, spoke: bool, words: &str) -> ExecError {
        let how = status.map_or_else(|| "it was lost".to_owned(), describe_status);
        let error = if spoke {
            ExecError::new(ExecErrorKind::Worker, format!("The worker process ended in the middle: {how}.{words}"))
        } else {
            let message = format!("The worker `{}` ended before it said anything: {how}.{words}", self.config.shown());
            ExecError::new(ExecErrorKind::Worker, message)
        };
        if spoke { error.help("The next run starts a new one.") } else { error.help(CHECK_COMMAND) }
    }

    /// Starts a child and sends it all that is pending.
    fn start(&mut self) {
        self.generation += 1;
        let (replies, end, generation) = (self.outbox.clone(), self.outbox.clone(), self.generation);
        let heard = move |reply| drop(replies.send(Event::Heard { generation, reply: Box::new(reply) }));
        let ended = move || drop(end.send(Event::Ended { generation }));
        match Running::start(&self.config, heard, ended) {
            Ok(running) => {
                self.process.store(running.child.id(), Ordering::Relaxed);
                self.running = Some(running);
                (0..self.pending.len()).for_each(|index| self.post(index));
            }
            Err(why) => {
                let message = format!("The worker `{}` cannot be started: {why}.", self.config.shown());
                let error = ExecError::new(ExecErrorKind::Worker, message)
                    .help("Check the command; MATMUL_TUTOR_WORKER sets it, and without it the tutor uses itself.");
                for pending in self.pending.drain(..) {
                    (self.sink)(Reply::Failed { id: pending.id(), error: error.clone() });
                }
            }
        }
    }

    fn restart(&mut self) {
        self.running = None;
        if !self.pending.is_empty() {
            self.start();
        }
    }

    /// Sends the request at this place to the child.
    fn post(&mut self, index: usize) {
        let (Some(running), Some(pending)) = (&self.running, self.pending.get_mut(index)) else { return };
        pending.heard = Instant::now();
        let wanted = std::iter::once(encode(&pending.request));
        let cancel = pending.cancelled.map(|_| encode(&Request::Cancel { id: pending.id() }));
        for line in wanted.chain(cancel).flatten() {
            // A child that is gone is noticed by its closed stdout.
            let _ = running.lines.send(line);
        }
    }

    fn kill(&mut self) {
        self.generation += 1;
        self.process.store(0, Ordering::Relaxed);
        if let Some(running) = self.running.take() {
            drop(running.lines);
            end(running.child, Duration::ZERO);
        }
    }
}

const CHECK_COMMAND: &str = "Check that this command works by itself; MATMUL_TUTOR_WORKER sets it.";

fn encode(request: &Request) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    Ok(line)
}
