//! A pseudo-terminal that runs the tutor, and a screen that records what was drawn.
#![allow(dead_code, clippy::unwrap_used, reason = "tests, and not every one needs all of it")]

#[path = "../shared/wait.rs"]
mod wait;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How long the screen stays as it is between two frames at least, so that a picture which moves has not settled.
const QUIET: Duration = Duration::from_millis(40);

const FRAME_END: &[u8] = b"\x1b[?2026l";

struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// Texts to watch for, and whether the screen has shown them.
    watched: Vec<(String, bool)>,
    ended: bool,
    /// The thread that reads the output, in `/proc`.
    reader: Option<PathBuf>,
}

impl Seen {
    /// Takes output frame by frame: a text that one frame shows and the next removes has been shown.
    fn take(&mut self, mut output: &[u8]) {
        while let Some(at) = output.windows(FRAME_END.len()).position(|part| part == FRAME_END) {
            let (frame, rest) = output.split_at(at + FRAME_END.len());
            self.parser.process(frame);
            self.watch();
            output = rest;
        }
        self.parser.process(output);
        self.watch();
    }

    fn watch(&mut self) {
        if self.watched.iter().any(|(_, shown)| !shown) {
            let screen = self.parser.screen().contents();
            self.watched.iter_mut().for_each(|(text, shown)| *shown |= screen.contains(text.as_str()));
        }
    }
}

/// The tutor in a terminal.
pub(crate) struct Pty {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

impl Pty {
    /// Starts a program in a terminal of its own.
    pub(crate) fn run(
        program: &Path,
        arguments: &[String],
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let keys = pair.master.take_writer().unwrap();
        let mut output = pair.master.try_clone_reader().unwrap();
        let screen = Seen {
            parser: vt100::Parser::new(cells(rows), cells(columns), 0),
            bytes: Vec::new(),
            watched: Vec::new(),
            ended: false,
            reader: None,
        };
        let seen = Arc::new((Mutex::new(screen), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let reader = std::fs::read_link("/proc/thread-self").ok();
            shared.0.lock().unwrap().reader = reader.map(|reader| Path::new("/proc").join(reader));
            let (mut buffer, mut waiting) = ([0; 8192], Vec::new());
            loop {
                let read = output.read(&mut buffer).unwrap_or(0);
                // The parser loses a cell where a read ends within a character: what is not whole waits.
                waiting.extend_from_slice(&buffer[..read]);
                let whole = match std::str::from_utf8(&waiting) {
                    Err(error) if error.error_len().is_none() && read > 0 => error.valid_up_to(),
                    _ => waiting.len(),
                };
                let mut seen = shared.0.lock().unwrap();
                seen.take(&waiting[..whole]);
                waiting.drain(..whole);
                seen.bytes.extend_from_slice(&buffer[..read]);
                seen.ended = read == 0;
                shared.1.notify_all();
                if seen.ended {
                    break;
                }
            }
        });
        Self { child, master: pair.master, keys, seen }
    }

    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        let terminal = self.master.tty_name().unwrap();
        if let Ok(terminal) = OpenOptions::new().read(true).custom_flags(libc::O_NOCTTY).open(terminal) {
            deliver(terminal.as_raw_fd());
        }
        self
    }

    /// Types several keys, each after the tutor has taken the one before: keys that arrive together are a paste.
    pub(crate) fn each(&mut self, keys: impl IntoIterator<Item = String>) {
        keys.into_iter().for_each(|keys| self.keys(&keys).settle());
    }

    /// Types keys that end the tutor, and checks that it ends without an error.
    pub(crate) fn leave(&mut self, keys: &str) {
        self.keys(keys);
        assert_eq!(self.wait_end(), 0);
    }

    /// Waits until the screen shows the text.
    pub(crate) fn wait_for(&self, text: &str) -> &Self {
        self.wait_until(&format!("the screen shows {text:?}"), |tutor| tutor.screen().contains(text));
        self
    }

    /// Waits until something holds; looked at whenever output comes, and now and then.
    pub(crate) fn wait_until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + wait::PATIENCE;
        while !holds(self) {
            assert!(Instant::now() < deadline, "waited in vain until {what}:\n{}", self.screen());
            let seen = self.seen.0.lock().unwrap();
            drop(self.seen.1.wait_timeout(seen, Duration::from_millis(50)).unwrap());
        }
    }

    /// Remembers from now on whether the screen shows the text, however briefly: [`Self::was_shown`]. What was sent does not
    /// tell, as cells that stay the same are not sent again.
    pub(crate) fn watch_for(&self, text: &str) {
        let mut seen = self.seen.0.lock().unwrap();
        seen.watched.push((text.to_owned(), false));
        seen.watch();
    }

    pub(crate) fn was_shown(&self, text: &str) -> bool {
        self.seen.0.lock().unwrap().watched.iter().any(|(watched, shown)| watched == text && *shown)
    }

    /// Waits until all keys are taken and nothing more is drawn: for keys that change nothing, and for pictures that no text
    /// announces.
    pub(crate) fn settle(&self) {
        self.settle_as(false);
    }

    /// The same; with the worker, only when it has nothing more to compute.
    pub(crate) fn settle_as(&self, with_worker: bool) {
        let deadline = Instant::now() + wait::PATIENCE;
        loop {
            let mut seen = self.seen.0.lock().unwrap();
            let before = (seen.bytes.len(), seen.ended);
            seen = self.seen.1.wait_timeout(seen, QUIET).unwrap().0;
            let still = before == (seen.bytes.len(), seen.ended);
            let ended = seen.ended;
            drop(seen);
            if still && (ended || self.is_idle(with_worker)) {
                return;
            }
            assert!(Instant::now() < deadline, "the tutor does not settle:\n{}", self.screen());
        }
    }

    /// True if all threads of the tutor sleep. On a busy machine a screen that stays as it is proves nothing.
    fn is_idle(&self, with_worker: bool) -> bool {
        let before = self.threads(with_worker);
        deliver(self.master.as_raw_fd().unwrap());
        !cfg!(target_os = "linux") || before.0 && self.threads(with_worker) == before
    }

    /// Whether all threads of the tutor, and of its child processes if wanted, and the one that reads its output sleep, and how
    /// often they have run, as Linux counts it.
    fn threads(&self, with_children: bool) -> (bool, u64) {
        let (mut asleep, mut ran) = (true, 0);
        let mut look = |task: &Path| {
            let status = std::fs::read_to_string(task.join("status")).unwrap_or_default();
            asleep &= status.contains("State:\tS");
            let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
            ran += switches.filter_map(|line| line.rsplit('\t').next()?.parse::<u64>().ok()).sum::<u64>();
        };
        let mut processes = vec![self.child.process_id().unwrap().to_string()];
        while let Some(id) = processes.pop() {
            for task in std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten() {
                look(&task.path());
                let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
                processes.extend(children.split_whitespace().filter(|_| with_children).map(str::to_owned));
            }
        }
        let reader = self.seen.0.lock().unwrap().reader.clone();
        reader.iter().for_each(|reader| look(reader));
        (asleep, ran)
    }

    /// Returns the text on the screen.
    pub(crate) fn screen(&self) -> String {
        self.seen.0.lock().unwrap().parser.screen().contents()
    }

    /// Reads the screen with its colours.
    pub(crate) fn with_screen<R>(&self, look: impl FnOnce(&vt100::Screen) -> R) -> R {
        look(self.seen.0.lock().unwrap().parser.screen())
    }

    /// Returns everything that was sent to the terminal.
    pub(crate) fn output(&self) -> String {
        String::from_utf8_lossy(&self.seen.0.lock().unwrap().bytes).into_owned()
    }

    pub(crate) fn on_alternate_screen(&self) -> bool {
        self.seen.0.lock().unwrap().parser.screen().alternate_screen()
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.seen.0.lock().unwrap().parser.screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Whether the terminal is in the state that a shell expects: lines, with echo.
    pub(crate) fn echoes(&self) -> bool {
        let fd: RawFd = self.master.as_raw_fd().unwrap();
        let mut state = std::mem::MaybeUninit::<libc::termios>::uninit();
        // SAFETY: the descriptor is open, and tcgetattr fills the whole structure when it gives 0.
        let state = unsafe {
            assert_eq!(libc::tcgetattr(fd, state.as_mut_ptr()), 0);
            state.assume_init()
        };
        state.c_lflag & (libc::ECHO | libc::ICANON) == libc::ECHO | libc::ICANON
    }

    pub(crate) fn signal(&self, signal: i32) {
        let id = self.child.process_id().unwrap() as libc::pid_t;
        // As a shell does, continues the whole group: a process that the tutor was just starting was stopped with it.
        let to = if signal == libc::SIGCONT { -id } else { id };
        // SAFETY: sends a signal to a child that was not reaped yet, which leads its group.
        assert_eq!(unsafe { libc::kill(to, signal) }, 0);
    }

    /// True if the system reports the process as stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        let id = self.child.process_id().unwrap();
        let state = std::process::Command::new("ps").args(["-o", "state=", "-p", &id.to_string()]).output().unwrap();
        String::from_utf8_lossy(&state.stdout).trim().starts_with('T')
    }

    /// Waits until the process ends, and returns its exit code.
    pub(crate) fn wait_end(&mut self) -> u32 {
        self.wait_until("the tutor has ended", |tutor| tutor.seen.0.lock().unwrap().ended);
        self.child.wait().unwrap().exit_code()
    }
}

/// Waits until the system has delivered to one side of a terminal what the other side wrote. Linux does so in a thread of its
/// own, which may run late on a busy machine, and `poll` waits for that thread.
fn deliver(side: RawFd) {
    let mut events = libc::pollfd { fd: side, events: libc::POLLIN, revents: 0 };
    // SAFETY: the descriptor is open, and `events` is one structure.
    unsafe { libc::poll(&raw mut events, 1, 0) };
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
