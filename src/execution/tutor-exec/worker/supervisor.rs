//! The thread that owns the worker process: it starts the child, passes requests and replies on, and enforces limits.

use super::child::{End, Running, describe_status, last_output};
use super::config::WorkerConfig;
use super::messages::Silence;
use super::pending::Pending;
use super::process::{has_ended, processor_time};
use super::queue::{Queue, job_lost};
use crate::baseline;
use crate::protocol::{ExecError, ExecErrorKind, Queued, Reply, Request};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Maximum time for a cancelled request to stop by itself.
const GRACE: Duration = Duration::from_millis(1500);
/// Interval between checks of a silent child.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Silence after which the caller is informed.
const LONG_SILENCE: Duration = Duration::from_millis(1500);
/// Maximum time for a launcher to end after the program that it launched.
const PARTING: Duration = Duration::from_secs(5);
/// Maximum number of replies that wait to be passed on. Then the child has to wait.
const WAITING: usize = 256;
/// Minimum interval between two progress replies that are passed on, short enough for the eye.
const PROGRESS_EVERY: Duration = Duration::from_millis(25);
/// Maximum number of replies to one request: enough for all variants of a kernel, timed for hours.
const MAX_REPLIES: usize = 1_000_000;
const MAX_REPLY_BYTES: usize = 256 << 20;
/// Maximum number of replies that belong to no request.
const MAX_STRAYS: usize = 1000;

/// A message to the supervisor.
#[derive(Debug)]
pub(super) enum Event {
    Send(Box<Request>),
    Heard { generation: u64, reply: Box<Reply>, bytes: usize },
    Ended { generation: u64, silence: Silence },
    Renew,
    Queued { generation: u64, queued: Option<Queued> },
    Stop,
}

/// The state of the supervisor thread.
pub(super) struct Supervisor<Sink> {
    config: WorkerConfig,
    sink: Sink,
    outbox: Sender<Event>,
    process: Arc<AtomicU32>,
    running: Option<Running>,
    /// The queue in which the child waits for its machine.
    queue: Option<Queue>,
    /// Time since when the child has been idle.
    idle: Option<Instant>,
    /// One message for each reply of the child that waits here.
    turns: Receiver<()>,
    /// Number of the child's replies that belong to no request.
    strays: usize,
    generation: u64,
    /// Requests in the order in which they were sent, which is the order in which the child handles them.
    pending: VecDeque<Pending>,
}

impl<Sink: Fn(Reply)> Supervisor<Sink> {
    pub(super) fn new(config: WorkerConfig, sink: Sink, outbox: Sender<Event>, process: Arc<AtomicU32>) -> Self {
        Self {
            config,
            sink,
            outbox,
            process,
            running: None,
            queue: None,
            idle: None,
            turns: mpsc::channel().1,
            strays: 0,
            generation: 0,
            pending: VecDeque::new(),
        }
    }

    pub(super) fn run(&mut self, inbox: &mpsc::Receiver<Event>) {
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
                Ok(Event::Heard { generation, reply, bytes }) if generation == self.generation => {
                    let _ = self.turns.try_recv();
                    self.receive(*reply, bytes);
                }
                Ok(Event::Ended { generation, silence }) if generation == self.generation => self.ended(silence),
                Ok(Event::Queued { generation, queued }) if generation == self.generation => self.queued(queued),
                // These events come from a child that was killed.
                Ok(Event::Heard { .. } | Event::Ended { .. } | Event::Queued { .. }) => {}
                Ok(Event::Renew) if self.pending.is_empty() => self.kill(),
                // The child is busy. The caller asks again before it needs a new one.
                Ok(Event::Renew) => {}
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.look_after_child();
                    let processor = processor_time(self.process.load(Ordering::Relaxed));
                    self.pending.front_mut().into_iter().for_each(|front| front.silent.observe(processor));
                    self.report_silence();
                }
            }
            self.enforce_limits();
            self.give_back_idle();
        }
        self.kill();
    }

    /// Returns when to check again if no event arrives before.
    fn deadline(&self) -> Option<Instant> {
        if self.pending.is_empty() {
            return self.idle?.checked_add(self.config.hold()?);
        }
        let look = Instant::now() + LOOK_EVERY;
        Some(self.limit().map_or(look, |limit| limit.min(look)))
    }

    /// Returns when the first request has been silent or cancelled for too long. A request that waits in a queue has no
    /// time limit, and cancelling it takes effect at once.
    fn limit(&self) -> Option<Instant> {
        let front = self.pending.front()?;
        if self.queue.is_some() {
            return front.cancelled;
        }
        let silent = front.silent.end(front.silence);
        // The compiler cannot be asked to stop.
        let grace = if matches!(front.request, Request::Compile(_)) { Duration::ZERO } else { GRACE };
        let grace = front.cancelled.and_then(|at| at.checked_add(grace));
        silent.into_iter().chain(grace).min()
    }

    /// Detects a child that has ended while a process that it started still holds the pipe.
    fn look_after_child(&mut self) {
        if self.running.as_mut().is_some_and(|running| has_ended(&mut running.child)) {
            self.generation += 1;
            self.ended(Silence::Closed);
        }
    }

    /// Reports the child's silence to the caller, and how long the child may still be silent.
    fn report_silence(&self) {
        let (Some(front), None) = (self.pending.front(), &self.queue) else { return };
        let silent = front.silent.began.elapsed();
        if silent >= LONG_SILENCE {
            let (seconds, limit) = (silent.as_secs_f64(), front.silence.as_secs_f64());
            (self.sink)(Reply::Silent { id: front.id(), seconds, limit });
        }
    }

    /// Handles the status that the batch system reports for the child's job.
    fn queued(&mut self, queued: Option<Queued>) {
        let Some(queue) = &mut self.queue else { return };
        queue.update(queued);
        if queue.is_over() {
            self.queue = None;
            // From now on, the limit on silence applies.
            self.pending.iter_mut().for_each(Pending::hear);
        } else if let Some(front) = self.pending.front() {
            (self.sink)(Reply::Waiting { id: front.id(), queued: queue.last_status() });
        }
    }

    /// Ends a child that has been idle too long, so that others may have its machine.
    fn give_back_idle(&mut self) {
        if !self.pending.is_empty() || self.running.is_none() {
            self.idle = None;
            return;
        }
        let since = *self.idle.get_or_insert_with(Instant::now);
        if self.config.hold().is_some_and(|hold| since.elapsed() >= hold) {
            self.idle = None;
            self.kill();
        }
    }

    fn accept(&mut self, request: Request) {
        if let Request::Launch(launch) = &request
            && !(launch.alpha.is_finite() && launch.beta.is_finite() && launch.seconds.is_finite())
        {
            let error = ExecError::new(ExecErrorKind::Invalid, sentence!("exec-not-finite"));
            (self.sink)(Reply::Failed { id: launch.id, error });
            return;
        }
        // If a request is outstanding, its last replies may still be in the pipe.
        if self.pending.is_empty() {
            self.look_after_child();
        }
        let mut request = request;
        if let Request::Launch(launch) = &mut request
            && launch.cublas
        {
            launch.baselines = baseline::kept(launch.shape);
        }
        let silence = self.config.silence(&request);
        self.pending.push_back(Pending::new(request, silence));
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

    fn receive(&mut self, reply: Reply, bytes: usize) {
        if let Some(running) = &mut self.running {
            running.spoke = true;
        }
        self.queue = None;
        let Some(at) = self.pending.iter().position(|pending| pending.id() == reply.id()) else {
            self.strays += 1;
            if self.strays > MAX_STRAYS {
                self.give_up(|shown| sentence!("exec-worker-strays", worker = shown));
            }
            return;
        };
        if reply.is_last() {
            self.pending.remove(at);
            if let Some(front) = self.pending.front_mut() {
                front.hear();
            }
        } else if let Some(pending) = self.pending.get_mut(at) {
            let now = Instant::now();
            pending.hear();
            pending.replies += 1;
            pending.bytes += bytes;
            if pending.replies > MAX_REPLIES || pending.bytes > MAX_REPLY_BYTES {
                self.give_up(|shown| sentence!("exec-worker-floods", worker = shown));
                return;
            }
            if matches!(reply, Reply::Progress { .. }) {
                if pending.progress.is_some_and(|last| now.duration_since(last) < PROGRESS_EVERY) {
                    return;
                }
                pending.progress = Some(now);
            }
            if let Reply::Baseline { baseline, .. } = reply {
                baseline::keep(*baseline);
                return;
            }
        }
        (self.sink)(reply);
    }

    /// Ends a child that does not behave like a worker, and fails all pending requests.
    fn give_up(&mut self, what: impl Fn(&str) -> Sentence) {
        let last_words = self.running.as_ref().map(|running| Arc::clone(&running.last_words)).unwrap_or_default();
        self.kill();
        for pending in self.pending.drain(..).collect::<Vec<_>>() {
            let message = what(&self.config.shown()) + last_output(&last_words);
            let error = ExecError::new(ExecErrorKind::Worker, message).help(sentence!("exec-worker-check"));
            (self.sink)(Reply::Failed { id: pending.id(), error });
        }
    }

    fn enforce_limits(&mut self) {
        let now = Instant::now();
        if self.limit().is_none_or(|limit| limit > now) {
            return;
        }
        let Some(front) = self.pending.pop_front() else { return };
        let spoke = self.running.as_ref().is_none_or(|running| running.spoke);
        let seconds = format!("{:.1}", front.silence.as_secs_f64());
        if !spoke
            && front.cancelled.is_none()
            && self.config.leave_gpu(&front.request, sentence!("exec-driver-silent", seconds))
        {
            self.kill();
            self.pending.push_front(front);
            return self.restart();
        }
        let last_words = self.running.as_ref().map(|running| Arc::clone(&running.last_words)).unwrap_or_default();
        let slurm = self.running.as_ref().and_then(|running| running.slurm.clone());
        let job = slurm.filter(|_| front.cancelled.is_none()).and_then(|slurm| slurm.look());
        self.kill();
        let error = || self.silence_error(&front, spoke, last_output(&last_words));
        self.conclude(&front, || job.as_ref().and_then(job_lost).unwrap_or_else(error));
        self.restart();
    }

    /// Handles the end of the child's stdout, or too much output on it.
    fn ended(&mut self, silence: Silence) {
        if silence == Silence::Babble {
            return self.give_up(|shown| sentence!("exec-worker-babbles", worker = shown));
        }
        let Some(running) = self.running.take() else { return };
        self.process.store(0, Ordering::Relaxed);
        self.queue = None;
        let (spoke, last_words, slurm) = (running.spoke, Arc::clone(&running.last_words), running.slurm.clone());
        // A launcher needs time to learn that its job has ended.
        let how = running.end(if slurm.is_some() { PARTING } else { Duration::from_millis(200) });
        if self.pending.is_empty() {
            return;
        }
        if let (false, Some(front), End::Itself(status)) = (spoke, self.pending.front(), how)
            && self.config.leave_gpu(&front.request, sentence!("exec-driver-ended", how = describe_status(status)))
        {
            return self.restart();
        }
        let job = slurm.and_then(|slurm| slurm.look_at_end());
        // If a worker has never replied, it will not reply the next time either. So no request is tried again.
        let lost = if spoke { 1 } else { self.pending.len() };
        for pending in self.pending.drain(..lost).collect::<Vec<_>>() {
            let error = || self.ended_error(how, spoke, last_output(&last_words));
            self.conclude(&pending, || job.as_ref().and_then(job_lost).unwrap_or_else(error));
        }
        self.restart();
    }

    /// Sends the last reply to a request whose child is lost.
    fn conclude(&self, pending: &Pending, error: impl FnOnce() -> ExecError) {
        (self.sink)(match pending.cancelled {
            Some(_) => Reply::Finished { id: pending.id(), cancelled: true },
            None => Reply::Failed { id: pending.id(), error: error() },
        });
    }

    fn silence_error(&self, front: &Pending, spoke: bool, words: Sentence) -> ExecError {
        let seconds = format!("{:.1}", front.silence.as_secs_f64());
        // If a worker has never replied, no kernel is to blame. Its command may be wrong, or its machine may not
        // answer.
        let compiles = matches!(front.request, Request::Compile(_));
        let (kind, message, help) = if compiles && (spoke || self.config.is_this_program()) {
            let help = sentence!("exec-compiler-silent-help");
            (ExecErrorKind::TimedOut, sentence!("exec-compiler-silent", seconds), help)
        } else if spoke {
            (ExecErrorKind::TimedOut, sentence!("exec-silent", seconds), sentence!("exec-silent-help"))
        } else {
            let shown = self.config.shown();
            let message = sentence!("exec-worker-silent", worker = shown, seconds) + words;
            (ExecErrorKind::Worker, message, sentence!("exec-worker-check"))
        };
        ExecError::new(kind, message).help(help)
    }

    fn ended_error(&self, how: End, spoke: bool, words: Sentence) -> ExecError {
        if let End::Itself(status) = how
            && status.code() == Some(255)
            && self.config.is_ssh()
        {
            let message = sentence!("exec-ssh-lost", worker = self.config.shown()) + words;
            return ExecError::new(ExecErrorKind::Worker, message).help(sentence!("exec-ssh-lost-help"));
        }
        let how = match how {
            End::Itself(status) => describe_status(status),
            End::Stopped => sentence!("exec-worker-stopped"),
        };
        let (message, help) = if spoke {
            (sentence!("exec-worker-ended", how), sentence!("exec-worker-ended-help"))
        } else {
            (sentence!("exec-worker-never-spoke", worker = self.config.shown(), how), sentence!("exec-worker-check"))
        };
        ExecError::new(ExecErrorKind::Worker, message + words).help(help)
    }

    /// Starts a child, and sends it all pending requests.
    fn start(&mut self) {
        self.generation += 1;
        let (replies, end, generation) = (self.outbox.clone(), self.outbox.clone(), self.generation);
        let (turn, turns) = mpsc::sync_channel(WAITING);
        (self.turns, self.strays) = (turns, 0);
        let heard = move |reply, bytes| {
            // The supervisor takes a turn for each reply of a live child. It takes none for a killed child, so this
            // thread then stops reading.
            let heard = Event::Heard { generation, reply: Box::new(reply), bytes };
            turn.send(()).is_ok() && replies.send(heard).is_ok()
        };
        let ended = move |silence| drop(end.send(Event::Ended { generation, silence }));
        let slurm = self.config.slurm(self.generation);
        match Running::start(&self.config, slurm.clone(), heard, ended) {
            Ok(running) => {
                let (outbox, generation) = (self.outbox.clone(), self.generation);
                self.queue = slurm.and_then(|slurm| {
                    Queue::watch(slurm, move |queued| outbox.send(Event::Queued { generation, queued }).is_ok())
                });
                self.process.store(running.child.id(), Ordering::Relaxed);
                self.running = Some(running);
                (0..self.pending.len()).for_each(|index| self.post(index));
            }
            Err(why) => {
                for pending in std::mem::take(&mut self.pending) {
                    let message = sentence!("exec-worker-not-started", worker = self.config.shown(), why);
                    let error =
                        ExecError::new(ExecErrorKind::Worker, message).help(sentence!("exec-worker-start-help"));
                    (self.sink)(Reply::Failed { id: pending.id(), error });
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

    /// Sends the pending request with this index to the child.
    fn post(&mut self, index: usize) {
        let (Some(running), Some(pending)) = (&self.running, self.pending.get_mut(index)) else { return };
        pending.hear();
        let cancel = pending.cancelled.map(|_| Request::Cancel { id: pending.id() });
        let wanted = [&pending.request].into_iter().chain(&cancel);
        for line in wanted.map(encode).filter_map(Result::ok) {
            // If the child has ended, the closed stdout shows it.
            let _ = running.lines.send(line);
        }
    }

    fn kill(&mut self) {
        self.generation += 1;
        self.process.store(0, Ordering::Relaxed);
        self.queue = None;
        if let Some(running) = self.running.take() {
            running.end(Duration::ZERO);
        }
    }
}

fn encode(request: &Request) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    Ok(line)
}
