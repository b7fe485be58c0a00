//! The parent's handle: a supervisor thread that owns the child.

use super::config::WorkerConfig;
use crate::exec::protocol::{ExecError, ExecErrorKind, Reply, Request};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a cancelled request may take to stop by itself.
const GRACE: Duration = Duration::from_millis(1500);
/// How often a child is looked at while it is silent.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Longest line that is read from a worker.
const MAX_LINE_BYTES: u64 = 64 << 20;
const LAST_WORDS: usize = 12;

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

struct Running {
    child: Child,
    /// Lines for the child's stdin; closing it asks the child to end.
    lines: Sender<Vec<u8>>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    spoke: bool,
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
        match self.spawn_child() {
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

    fn spawn_child(&self) -> std::io::Result<Running> {
        let missing = || std::io::Error::other("a stream is missing");
        let mut command = self.config.build().ok_or_else(|| std::io::Error::other("the command is empty"))?;
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let streams = stdin.zip(stdout).zip(stderr).ok_or_else(missing);
        let ((mut stdin, stdout), stderr) = streams?;
        let (lines, queue) = mpsc::channel::<Vec<u8>>();
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        // Writing may block if the child does not read; it must not block the supervisor.
        thread("worker stdin").spawn(move || {
            for line in queue {
                if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        })?;
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let words = Arc::clone(&last_words);
        let keep = move |words: &Mutex<VecDeque<String>>, line: String| {
            tracing::debug!(target: "worker", "{line}");
            let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
            words.push_back(line.chars().filter(|c| !c.is_control()).take(300).collect());
            if words.len() > LAST_WORDS {
                words.pop_front();
            }
        };
        thread("worker stderr").spawn(move || {
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                keep(&words, String::from_utf8_lossy(&line).into_owned());
            }
        })?;
        let (outbox, generation, words) = (self.outbox.clone(), self.generation, Arc::clone(&last_words));
        thread("worker stdout").spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            loop {
                line.clear();
                match stdout.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                match serde_json::from_slice(&line) {
                    Ok(reply) => {
                        let _ = outbox.send(Event::Heard { generation, reply: Box::new(reply) });
                    }
                    // A launcher's greeting, or another version's reply.
                    Err(_) => keep(&words, String::from_utf8_lossy(&line).into_owned()),
                }
            }
            let _ = outbox.send(Event::Ended { generation });
        })?;
        Ok(Running { child, lines, last_words, spoke: false })
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

/// What a child said that was no reply, as an end of a sentence.
fn said(words: &Mutex<VecDeque<String>>) -> String {
    let words = words.lock().unwrap_or_else(PoisonError::into_inner);
    if words.is_empty() {
        return String::new();
    }
    format!(" It said:\n{}", words.iter().cloned().collect::<Vec<_>>().join("\n"))
}

fn encode(request: &Request) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    Ok(line)
}

/// Kills what is left of a child and its group, and reaps it, so that no zombie stays.
///
/// With `patience`, a child that is about to end by itself may do so, for the sake of its exit status.
fn end(mut child: Child, patience: Duration) -> Option<ExitStatus> {
    poll(patience, || has_ended(&child).then_some(()));
    // The group before its leader is reaped: afterwards its number could be another's.
    kill_group(child.id());
    let _ = child.kill();
    if let Some(status) = poll(Duration::from_millis(300), || child.try_wait().ok().flatten()) {
        return Some(status);
    }
    // The driver may hold a process for seconds while it tears a running kernel down.
    let reaper = std::thread::Builder::new().name("worker reaper".to_owned());
    let _ = reaper.spawn(move || child.wait());
    None
}

/// Looks again and again, for so long at most: there is no portable way to wait for a child with a limit.
fn poll<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    let (_keep, never) = mpsc::channel::<()>();
    loop {
        let seen = look();
        if seen.is_some() || Instant::now() >= deadline {
            return seen;
        }
        let _ = never.recv_timeout(Duration::from_millis(5));
    }
}

/// Whether a child has ended, without reaping it.
#[cfg(unix)]
fn has_ended(child: &Child) -> bool {
    // SAFETY: all zeros is a valid siginfo_t, and the call writes nothing else.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child.id(), &raw mut info, options) == 0 && info.si_pid() != 0
    }
}

#[cfg(not(unix))]
fn has_ended(_: &Child) -> bool {
    false
}

#[cfg(unix)]
fn kill_group(id: u32) {
    if let Ok(group) = libc::pid_t::try_from(id)
        && group > 1
    {
        // SAFETY: signals the group that the child was made the leader of.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

fn describe_status(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            libc::SIGKILL => " (killed; the system does so when memory runs out)",
            libc::SIGSEGV => " (segmentation fault)",
            libc::SIGABRT => " (aborted)",
            libc::SIGBUS => " (bus error)",
            _ => "",
        };
        return format!("signal {signal}{name}");
    }
    status.code().map_or_else(|| "no exit code".to_owned(), |code| format!("exit code {code}"))
}
