//! Runs the child process: its three streams, each on a thread, and its end.

use super::config::WorkerConfig;
use super::messages::{Bounds, Silence, replies};
use super::process::{has_ended, poll};
use super::slurm::Slurm;
use super::stream::{Paced, read_line};
use crate::protocol::Reply;
use std::collections::VecDeque;
use std::io::{BufReader, Write as _};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tutor_support::sentence;
use tutor_support::text;
use tutor_support::words::Sentence;

/// Maximum length in bytes of a stored line of stderr.
const MAX_REMARK_BYTES: usize = 4 << 10;
/// Maximum time after a child's end to wait for its last output.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(200);
/// Bytes of stderr that are read per second. A worker that writes more has to wait.
const REMARKS_A_SECOND: usize = 1 << 20;
const LAST_WORDS: usize = 12;

pub(super) struct Running {
    pub(super) child: Child,
    /// Lines for the child's stdin. Closing the channel asks the child to end.
    pub(super) lines: Sender<Vec<u8>>,
    /// Its last output that was not a reply.
    pub(super) last_words: Arc<Mutex<VecDeque<String>>>,
    /// True if it has ever sent a reply.
    pub(super) spoke: bool,
    /// Its Slurm job, if it has one.
    pub(super) slurm: Option<Slurm>,
    /// The thread that reads its stderr.
    remarks: JoinHandle<()>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It ended by itself, or another process ended it.
    Itself(ExitStatus),
    Stopped,
}

impl Running {
    /// Starts a child. `heard` gets each reply with its length in bytes, and returns false to stop reading. `ended` is
    /// called when stdout is not read any more.
    ///
    /// # Errors
    /// If the command is empty or cannot be started, or a thread cannot be started.
    pub(super) fn start(
        config: &WorkerConfig,
        slurm: Option<Slurm>,
        heard: impl Fn(Reply, usize) -> bool + Send + 'static,
        ended: impl FnOnce(Silence) + Send + 'static,
    ) -> std::io::Result<Self> {
        let missing = || std::io::Error::other(sentence!("exec-worker-no-stream"));
        let mut command = config.build().ok_or_else(|| std::io::Error::other(sentence!("exec-worker-no-command")))?;
        if let Some(slurm) = &slurm {
            slurm.prepare(&mut command);
        }
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let streams = stdin.zip(stdout).zip(stderr).ok_or_else(missing);
        let ((mut stdin, stdout), stderr) = streams?;
        let (lines, queue) = mpsc::channel::<Vec<u8>>();
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        // A write blocks if the child does not read, but it must not block the supervisor.
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
            words.push_back(text::line(line.trim_end()).chars().take(300).collect());
            if words.len() > LAST_WORDS {
                words.pop_front();
            }
        };
        let remarks = thread("worker stderr").spawn(move || {
            let mut stderr = BufReader::new(Paced::new(stderr, REMARKS_A_SECOND));
            let mut line = Vec::new();
            while let Ok(Some(_)) = read_line(&mut stderr, &mut line, MAX_REMARK_BYTES) {
                keep(&words, String::from_utf8_lossy(&line).into_owned());
            }
        })?;
        let words = Arc::clone(&last_words);
        thread("worker stdout").spawn(move || {
            let beside = |line: &[u8]| {
                let remark = &line[..line.len().min(MAX_REMARK_BYTES)];
                keep(&words, String::from_utf8_lossy(remark).into_owned());
            };
            let silence = replies(BufReader::new(stdout), Bounds::default(), heard, beside);
            ended(silence);
        })?;
        Ok(Self { child, lines, last_words, spoke: false, slurm, remarks })
    }

    /// Ends the child and cancels its job.
    ///
    /// During `patience`, the child may end by itself.
    pub(super) fn end(mut self, patience: Duration) -> End {
        drop(self.lines);
        let by_itself = poll(patience, || has_ended(&mut self.child).then_some(())).is_some();
        if let (Some(slurm), false) = (&self.slurm, by_itself) {
            slurm.give_back(&mut self.child);
        }
        let how = end(self.child, by_itself);
        // Its last output may still be in the pipe. If another process keeps stderr open, the wait ends after a limit.
        let _ = poll(LAST_WORDS_WITHIN, || self.remarks.is_finished().then_some(()));
        how
    }
}

/// Quotes a child's output that was not a reply, as the end of a message.
pub(super) fn last_output(words: &Mutex<VecDeque<String>>) -> Sentence {
    let words = words.lock().unwrap_or_else(PoisonError::into_inner);
    if words.iter().all(|line| line.trim().is_empty()) {
        return Sentence::default();
    }
    let lines = words.iter().cloned().collect::<Vec<_>>().join("\n");
    Sentence::from(" ") + sentence!("exec-worker-said") + format!("\n{lines}")
}

/// Kills a child and its process group, and reaps the child, so that no zombie remains.
fn end(mut child: Child, by_itself: bool) -> End {
    // Kill the group before its leader is reaped. Afterwards its id could belong to another group.
    kill_group(child.id());
    let _ = child.kill();
    match poll(Duration::from_millis(300), || child.try_wait().ok().flatten()) {
        Some(status) if by_itself => End::Itself(status),
        Some(_) => End::Stopped,
        None => {
            // The driver may keep a process alive for seconds while it stops a running kernel.
            let reaper = std::thread::Builder::new().name("worker reaper".to_owned());
            let _ = reaper.spawn(move || child.wait());
            End::Stopped
        }
    }
}

#[cfg(unix)]
fn kill_group(id: u32) {
    if let Ok(group) = libc::pid_t::try_from(id)
        && group > 1
    {
        // SAFETY: This signals the group whose leader the child is.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

pub(super) fn describe_status(status: ExitStatus) -> Sentence {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            libc::SIGKILL => sentence!("exec-signal-kill", signal),
            libc::SIGSEGV => sentence!("exec-signal-segv", signal),
            libc::SIGABRT => sentence!("exec-signal-abort", signal),
            libc::SIGBUS => sentence!("exec-signal-bus", signal),
            _ => sentence!("exec-signal", signal),
        };
    }
    status.code().map_or_else(|| sentence!("exec-no-exit-code"), |code| sentence!("exec-exit-code", code))
}
