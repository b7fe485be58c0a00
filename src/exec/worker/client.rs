//! The parent's handle: a supervisor thread that owns the child.

use super::child::{Running, describe_status, end, has_ended, said};
use super::config::WorkerConfig;
use crate::exec::protocol::{ExecError, ExecErrorKind, Reply, Request};
use crate::t;
use crate::words::{ENGLISH, Words, current, speaking};
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
    Send { request: Box<Request>, words: &'static Words },
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
            spoken: Words::of(ENGLISH),
            pending: VecDeque::new(),
        };
        let supervisor =
            std::thread::Builder::new().name("worker supervisor".to_owned()).spawn(move || supervisor.run(&inbox))?;
        Ok(Self { events, process, supervisor: Some(supervisor) })
    }

    /// Sends a request; never waits. What comes of it is said in the language of this moment.
    pub fn send(&self, request: Request) {
        // The supervisor lives as long as this handle.
        let _ = self.events.send(Event::Send { request: Box::new(request), words: current() });
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
    /// What the child speaks.
    spoken: &'static Words,
    /// In the order in which they were sent, which is the order in which the child works.
    pending: VecDeque<Pending>,
}

struct Pending {
    request: Request,
    words: &'static Words,
    silence: Duration,
    heard: Instant,
    cancelled: Option<Instant>,
}

impl Pending {
    fn id(&self) -> u64 {
        match &self.request {
            Request::Describe | Request::Speak { .. } => 0,
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
                Ok(Event::Send { request, words }) => match *request {
                    Request::Cancel { id } => self.cancel(id),
                    request => speaking(words, || self.accept(request, words)),
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

    fn accept(&mut self, request: Request, words: &'static Words) {
        if let Request::Launch(launch) = &request
            && !(launch.alpha.is_finite() && launch.beta.is_finite() && launch.seconds.is_finite())
        {
            let error = ExecError::new(ExecErrorKind::Invalid, t!("exec-not-finite"));
            (self.sink)(Reply::Failed { id: launch.id, error });
            return;
        }
        // With something outstanding its last replies may still be on their way.
        if self.pending.is_empty() {
            self.look_after_child();
        }
        let silence = self.config.silence(&request);
        self.pending.push_back(Pending { request, words, silence, heard: Instant::now(), cancelled: None });
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
        let last_words = self.running.as_ref().map(|running| Arc::clone(&running.last_words)).unwrap_or_default();
        self.kill();
        let reply = if front.cancelled.is_some() {
            Reply::Finished { id: front.id(), cancelled: true }
        } else {
            let error = || self.silence_error(front.silence, spoke, &said(&last_words));
            Reply::Failed { id: front.id(), error: speaking(front.words, error) }
        };
        (self.sink)(reply);
        self.restart();
    }

    /// The child's stdout ended by itself.
    fn ended(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.process.store(0, Ordering::Relaxed);
        let (spoke, last_words) = (running.spoke, Arc::clone(&running.last_words));
        let status = end(running.child, Duration::from_millis(200));
        if self.pending.is_empty() {
            return;
        }
        // A worker that never spoke will not speak the next time either: nothing is tried again.
        let lost = if spoke { 1 } else { self.pending.len() };
        for pending in self.pending.drain(..lost).collect::<Vec<_>>() {
            let id = pending.id();
            let error = || self.ended_error(status, spoke, &said(&last_words));
            (self.sink)(match pending.cancelled {
                Some(_) => Reply::Finished { id, cancelled: true },
                None => Reply::Failed { id, error: speaking(pending.words, error) },
            });
        }
        self.restart();
    }

    fn silence_error(&self, silence: Duration, spoke: bool, words: &str) -> ExecError {
        let seconds = format!("{:.1}", silence.as_secs_f64());
        // A worker that has never answered is no kernel's fault: its command is not one, or its machine does not answer.
        let (kind, message, help) = if spoke {
            (ExecErrorKind::TimedOut, t!("exec-silent", seconds = seconds), t!("exec-silent-help"))
        } else {
            let shown = self.config.shown();
            let message = t!("exec-worker-silent", worker = shown, seconds = seconds) + words;
            (ExecErrorKind::Worker, message, t!("exec-worker-check"))
        };
        ExecError::new(kind, message).help(help)
    }

    fn ended_error(&self, status: Option<ExitStatus>, spoke: bool, words: &str) -> ExecError {
        let how = status.map_or_else(|| t!("exec-worker-lost"), describe_status);
        let (message, help) = if spoke {
            (t!("exec-worker-ended", how = how), t!("exec-worker-ended-help"))
        } else {
            (t!("exec-worker-never-spoke", worker = self.config.shown(), how = how), t!("exec-worker-check"))
        };
        ExecError::new(ExecErrorKind::Worker, message + words).help(help)
    }

    /// Starts a child and sends it all that is pending.
    fn start(&mut self) {
        self.generation += 1;
        self.spoken = Words::of(ENGLISH);
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
                for pending in std::mem::take(&mut self.pending) {
                    let message = || t!("exec-worker-not-started", worker = self.config.shown(), why = why.to_string());
                    let error = || ExecError::new(ExecErrorKind::Worker, message()).help(t!("exec-worker-start-help"));
                    (self.sink)(Reply::Failed { id: pending.id(), error: speaking(pending.words, error) });
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
        let language = (pending.words != self.spoken).then(|| Request::Speak { lang: pending.words.code().to_owned() });
        self.spoken = pending.words;
        let cancel = pending.cancelled.map(|_| Request::Cancel { id: pending.id() });
        let wanted = language.iter().chain([&pending.request]).chain(&cancel);
        for line in wanted.map(encode).filter_map(Result::ok) {
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

fn encode(request: &Request) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    Ok(line)
}
